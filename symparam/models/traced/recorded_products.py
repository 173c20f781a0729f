"""Blocks with the products that a run of the module recorded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from itertools import pairwise

import sympy

from symparam.core.dimensions import B
from symparam.core.frozen import frozen
from symparam.models.blocks import Conv1D, DotProduct, Linear, Module, Repeat, Tied
from symparam.models.blocks.module import SIZE, ObservedBlock, OpaqueBlock, Parameter, Size
from symparam.models.blocks.opaque import OpaqueLayer
from symparam.models.blocks.operation import MatrixProduct, Operation
from symparam.models.traced.forward_pass import EACH, UNSEEN


@frozen
class RecordedProduct:
    """A recorded product: its name, and its sides ``(groups, rows, inner, columns)``, for each sample if the name says so."""

    name: str
    sides: tuple[sympy.Expr, ...]

    @property
    def groups(self) -> sympy.Expr:
        return self.sides[0]

    @property
    def rows(self) -> sympy.Expr:
        """The rows of one group, of all samples together."""
        return self.sides[1] * (B if self.name.startswith(EACH) else 1)


@frozen
class RepeatedProducts:
    """``count`` times the same products, one turn behind the other, as where a module multiplies in a loop."""

    count: sympy.Expr
    turn: tuple[RecordedProduct, ...]


@frozen
class MatrixMultiplication(Module):
    """``in_features · out_features`` multiply-accumulate operations for each row, and no parameters: a product of a run that belongs to no
    known layer.
    """

    in_features: Size = field(metadata=SIZE)
    out_features: Size = field(metadata=SIZE)

    @property
    def operations(self) -> tuple[Operation, ...]:
        return (MatrixProduct(self.in_features, self.out_features),)


def with_products(kind: str, block: Module | None, products: Sequence[RecordedProduct | RepeatedProducts]) -> Module | None:
    """The block with its products; one without products computes none."""
    if block is None and not products:
        return None
    inner = block.inner if isinstance(block, Tied) else block
    if isinstance(inner, (Linear, Conv1D)):
        only = products[0] if len(products) == 1 else None
        if isinstance(only, RecordedProduct) and only.sides[2:] == (inner.in_features, inner.out_features):
            placed = replace(inner, rows=only.groups * only.rows)
            return Tied(placed, **dict(block.targets)) if isinstance(block, Tied) else placed
    elif block is not None and not products and not _may_compute(block):
        return block
    parts = dict(inner.children) if inner is not None else {}
    for tensor in block.tensors if block is not None else ():
        own = Parameter(*tensor.shape)
        parts[tensor.name] = Tied(own, **{"": tensor.tied_to}) if tensor.tied_to else own
    single = [product for product in products if isinstance(product, RecordedProduct) and product.name != UNSEEN]
    for name, part in (*_parts(single), *_repeated(products)):
        parts[name if name not in parts else f"{name}_of_run"] = part
    unseen = any(isinstance(product, RecordedProduct) and product.name == UNSEEN for product in products)
    return (OpaqueBlock if unseen else ObservedBlock)(kind or "Module", role=None, **parts)


def _may_compute(block: Module) -> bool:
    """Whether it could compute something that a run would show."""
    return isinstance(block, (OpaqueBlock, OpaqueLayer)) or any(isinstance(part, Parameter) for _, part in block.children)


def _parts(products: Sequence[RecordedProduct]) -> Iterator[tuple[str, Module]]:
    """The products as parts of a block: the two of attention as one part, every other by itself."""
    pairs: set[int] = set()
    for at, (one, other) in enumerate(pairwise(products)):
        if at - 1 not in pairs and _is_attention(one, other):
            pairs.add(at)
    several = len(pairs) > 1
    for at, product in enumerate(products):
        if at in pairs:
            yield f"dot_product_{at}" if several else "dot_product", _attention(product, products[at + 1])
        elif at - 1 not in pairs:
            _, _, inner, columns = product.sides
            yield f"product_{at}", MatrixMultiplication(inner, columns, rows=product.groups * product.rows, role="product")


def _repeated(products: Iterable[RecordedProduct | RepeatedProducts]) -> Iterator[tuple[str, Module]]:
    """The products that are computed in turns, those of a turn as parts."""
    for group in products:
        if isinstance(group, RepeatedProducts):
            for name, part in _parts(group.turn):
                yield f"{name}_in_turns", Repeat(group.count, part, role=part.role)


def _is_attention(one: RecordedProduct, other: RecordedProduct) -> bool:
    """Whether the second product takes the result of the first: rows × keys, then rows × values."""
    (groups, rows, _, keys), (others, same, inner, _) = one.sides, other.sides
    return (groups, rows, keys) == (others, same, inner) and one.name[0] == other.name[0] and groups != 1


def _attention(scores: RecordedProduct, values: RecordedProduct) -> DotProduct:
    groups, _, width, keys = scores.sides
    return DotProduct(keys, groups * width, groups * values.sides[3], num_heads=groups, rows=scores.rows, role="dot-product")
