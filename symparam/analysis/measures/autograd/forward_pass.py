"""A forward pass as autograd sees it: the options, and the surroundings of each block."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace

import sympy

from symparam.analysis.measures.autograd.functions import Function, function
from symparam.analysis.measures.autograd.reference_code import NO_REFERENCE_CODE, REFERENCE_CODE, ReferenceCode
from symparam.core.dimensions import B, L, symbol
from symparam.core.frozen import frozen
from symparam.core.json_types import JsonMapping
from symparam.errors import UnknownNameError
from symparam.models.architectures.vit import sides
from symparam.models.blocks import Activation, Architecture, DotProduct, Module
from symparam.models.blocks.architecture import Place
from symparam.models.blocks.operation import AROUND, FAMILY, NONE

SCORES, LOGITS = 0, 1
"""The positions of these caps in `ReferenceCode.soft_caps`."""
BOOLEAN_BYTES, INDEX_BYTES = 1, 8
"""The bytes of a boolean, and of an index."""
FLOAT32_BYTES = 4
"""The bytes of a number that the reference computes in 32 bits, whatever the model's format."""
DROPOUTS = ("config", "on", "off")
"""The active dropouts of a model: those with a nonzero probability in its config, all, or none."""


@frozen
class Saved:
    """A tensor that autograd saves: its number of elements, and the bytes of each where they differ from the number format's."""

    numbers: sympy.Expr
    bytes: int | None = None


@frozen
class BlockContext:
    """The surroundings of a block: the enclosing block, and the roles of its siblings, including its own."""

    parent: Place
    roles: frozenset[str]


@frozen
class ForwardPass:
    """One pass of a model in training mode: its family's ``code``, the keys of its config, whether attention is ``fused`` into one call,
    the choice of ``dropout``, the ``activation`` function, the known ``values``, the ``roles`` of all blocks, and the ``rows`` of the
    sequences. ``half`` says that parameters and activations have 16 bits, ``recomputed`` that the backward pass runs each layer again,
    ``causal`` that later tokens are masked.
    """

    code: ReferenceCode
    keys: JsonMapping = field(hash=False)
    fused: bool
    dropout: str
    activation: str
    values: Mapping[str, int] = field(hash=False)
    around: Mapping[str, BlockContext] = field(hash=False)
    roles: frozenset[str]
    rows: sympy.Expr
    half: bool = False
    recomputed: bool = False
    causal: bool = False

    def within(self, path: str) -> ForwardPass:
        """The pass as the block of that path sees it: with the keys and the code of the part of the model that it is in."""
        for beginning, key, family in self.code.inner:
            if path.startswith(beginning):
                keys = {name.removeprefix(f"{key}."): value for name, value in self.keys.items() if name.startswith(f"{key}.")}
                return replace(self, code=replace(REFERENCE_CODE[family], inner=()), keys=keys)
        return self

    def drops(self, role: str | None) -> bool:
        """Whether an active dropout follows blocks of that role."""
        dropout = self.code.dropouts.get(role or "")
        if dropout is None or self.dropout != "config":
            return dropout is not None and self.dropout == "on"
        key, default = dropout
        given = self.keys.get(key)
        if key == "classifier_dropout" and given is None:
            given = self.keys.get("hidden_dropout_prob")
        return bool(default if given is None else given)

    def numbers(self, expression: sympy.Expr) -> sympy.Expr:
        """The expression with the known values substituted."""
        return expression.xreplace({symbol(letter): sympy.Integer(value) for letter, value in self.values.items()})

    def known(self, expression: sympy.Expr) -> int | None:
        """The integer that the expression comes to, or None where it is not known."""
        found = self.numbers(expression)
        return int(found) if found.is_Integer else None

    def sibling_roles(self, place: Place) -> frozenset[str]:
        """The roles of a block and of its siblings."""
        return self.around[place.path].roles if place.path in self.around else frozenset()

    def function(self, module: Activation) -> Function:
        """The tensors that an activation block's function saves."""
        return self.function_named(self.activation if module.function == FAMILY else module.function)

    def function_named(self, name: str) -> Function:
        """The tensors that the function of that name saves."""
        return function(self.code.functions.get(name, name))

    def enters_function(self, role: str) -> bool:
        """Whether the output of a matrix enters a function that is not a module of the model: a GELU, or the cap of the logits."""
        return (role == "feed-forward-in" and self.code.gelu) or (role == "language-model-head" and self.cap(LOGITS))

    @property
    def image(self) -> sympy.Expr | None:
        """Height times width of an image, where they are known: patches need not cover all of it."""
        return sympy.Mul(*sides(self.keys, "image_size", 224)) if "n_p" in self.values else None

    def cap(self, which: int) -> bool:
        """Whether the scores, or the logits, are capped by a tanh."""
        if which >= len(self.code.soft_caps):
            return False
        key, default = self.code.soft_caps[which]
        return bool(self.keys.get(key, default))

    def is_fused(self, module: DotProduct) -> bool:
        """Whether attention is one call that saves no scores: it has no dropout, and keys and values are as wide as the queries."""
        alike = self.numbers(module.key_width) == self.numbers(module.value_width) and self.numbers(module.queries_per_key) == 1
        return self.fused and module.supports_sdpa and alike and not self.drops("dot-product")

    def any_is_one(self, *letters: sympy.Expr) -> bool:
        """Whether one of these sizes is known to be 1: data that is otherwise scattered is then contiguous, and not copied."""
        return any(self.known(letter) == 1 for letter in letters)

    def is_within_a_window(self, module: DotProduct) -> bool:
        """Whether a window is no longer than the sequence, so that the call is given a mask; of one around a query half is compared."""
        window, length = self.values.get("w"), self.values.get("L")
        return module.window != NONE and window is not None and length is not None and window - (module.window == AROUND) <= length

    @property
    def adds_in_32_bits(self) -> bool:
        """Whether the residual stream of a state-space model is in 32 bits."""
        return self.code.sums is not None and self.keys.get(*self.code.sums) is not False

    @property
    def caches(self) -> bool:
        """Whether the pass fills a cache, which copies keys and values."""
        return self.code.caches and self.keys.get("use_cache") is not False


def checked_dropout(name: str) -> str:
    """The name, if it is one of `DROPOUTS`. Raises `UnknownNameError`."""
    if name not in DROPOUTS:
        raise UnknownNameError("choice of dropout", name, DROPOUTS)
    return name


def forward_pass_of(
    architecture: Architecture,
    keys: JsonMapping,
    fused: bool,
    dropout: str,
    activation: str,
    values: Mapping[str, int],
    half: bool = False,
    recomputed: bool = False,
) -> ForwardPass:
    """The pass of an architecture. Raises `UnknownNameError` for an unknown choice of dropout."""
    checked_dropout(dropout)
    around = dict(_around(architecture.place))
    roles = frozenset(place.module.role or "" for place in architecture.places())
    rows = next((place.rows for place in architecture.places() if place.module.role == "final-norm"), B * L)
    code = REFERENCE_CODE.get(architecture.name, NO_REFERENCE_CODE)
    causal = any(isinstance(place.module, DotProduct) and place.module.causal for place in architecture.places())
    return ForwardPass(code, dict(keys), fused, dropout, activation, dict(values), around, roles, rows, half, recomputed, causal)


def _around(place: Place) -> Iterator[tuple[str, BlockContext]]:
    inside = list(place.inside)
    roles = frozenset(_role(inner.module) for inner in inside)
    for inner in inside:
        yield inner.path, BlockContext(place, roles)
        yield from _around(inner)


def _role(module: Module) -> str:
    return module.role or ""


def rotated_numbers(run: ForwardPass) -> sympy.Expr:
    """The rotated features of a head, which is the width of the tables of cosines and sines."""
    key, default = run.code.rotary_part
    assert run.code.rotary is not None
    scaling = run.keys.get("rope_parameters") or run.keys.get("rope_scaling") or {}
    part = run.keys.get(key, scaling.get("partial_rotary_factor", default) if isinstance(scaling, dict) else default)
    if part == 1:
        return run.code.rotary
    known = run.known(run.code.rotary)
    return run.code.rotary * sympy.Rational(str(part)) if known is None else sympy.Integer(2 * -(-int(known * part) // 2))
