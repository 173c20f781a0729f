"""A derivation evaluated for a model: the number and share of each module, and an independent check of the total."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from fractions import Fraction
from functools import cached_property
from math import prod

import sympy

from symparam.analysis.derivation import Derivation, Step
from symparam.analysis.measures.parameters import PARAMETERS
from symparam.core.algebra.closed_form import expanded
from symparam.core.combining import multiplied
from symparam.core.dimensions import BY_LETTER
from symparam.core.evaluation import evaluate, int_if_whole
from symparam.core.formula import Formula, Number, Product, number
from symparam.core.frozen import frozen
from symparam.errors import ArchitectureError, ConfigError, listed
from symparam.models.blocks.architecture import Place, evaluate_size

BYTES_OF_FLOAT32 = 4


@frozen
class ModuleCount:
    """One module of the count with all its copies: its depth, number and step, its formula, the formula with the numbers substituted, the
    value, and the share of the total.
    """

    depth: int
    number: str
    step: Step
    copies: int
    formula: Formula
    with_numbers: Formula
    total: int | Fraction
    share: Fraction


@frozen
class Check:
    """The total computed without the steps: the product of every tensor's shape, added up in integers; for other measures, the sum over
    blocks. ``parts`` is the number of tensors or blocks.
    """

    parts: int
    sum: int | Fraction
    closed_form: int | Fraction

    @property
    def difference(self) -> int | Fraction:
        return int_if_whole(self.sum - self.closed_form)


@frozen
class Count:
    """The count of one model: the derivation, a value for each letter, and the origin of the values."""

    derivation: Derivation
    values: Mapping[str, int] = field(hash=False)
    origin: str

    def __post_init__(self) -> None:
        missing = sorted(self.derivation.letters - self.values.keys())
        if missing:
            stated = " ".join(f"--where {self.derivation.alphabet.name_of(letter)}=NUMBER" for letter in missing)
            # A config has been named, so what is still missing is in no config.
            them = "it" if len(missing) == 1 else "them"
            remedy = f"state {them}" if self.origin else f"name a preset or a config.json, or state {them}"
            raise ConfigError(
                f"{self.origin or self.derivation.architecture.name} has no number for "
                f"{', '.join(map(self._named, missing) if len(missing) < 4 else map(self.derivation.alphabet.name_of, missing))}; "
                f"{remedy}: {stated}"
            )
        self.derivation.architecture.check_sizes(self.values)
        if not self.check.parts:
            measure = self.derivation.measure.name
            counted_things = measure.replace("-", " ") if measure != "parameters" else "tensors"
            name = self.derivation.architecture.name
            if self.derivation.missing:
                silent = listed(dict.fromkeys(each.what for each in self.derivation.missing), most=6)
                raise ArchitectureError(f"nothing of {name} declares {counted_things}, and what {silent} may have is not known")
            raise ArchitectureError(f"{name} has no {counted_things}; there is nothing to count")

    def _named(self, letter: str) -> str:
        """The letter with what it counts: ``B (batch size)``."""
        meaning = f" ({BY_LETTER[letter].english})" if letter in BY_LETTER else ""
        return f"{self.derivation.alphabet.name_of(letter)}{meaning}"

    @cached_property
    def total(self) -> int | Fraction:
        """The total: an integer, except for measures per token or sequence and those that count fractions."""
        return evaluate(self.derivation.closed_form("expanded"), self.values)  # A form worth reading takes longer to find.

    @cached_property
    def kinds(self) -> Mapping[str, int]:
        """The total of each measure of parameters: all, active for one token, in embeddings, outside embeddings, and in adapters."""
        found = dict.fromkeys(PARAMETERS, 0)
        sizes: dict[sympy.Expr, int] = {}
        for place in self.derivation.architecture.places():
            copies = evaluate_size(place.copies, self.values, sizes)
            for measure in found:
                found[measure] += copies * _whole(evaluate(expanded(PARAMETERS[measure].of_block(place)), self.values))
        return found

    @property
    def rows(self) -> Iterator[ModuleCount]:
        """The modules, outermost first. Modules that would only repeat another row are left out: one whose only content is a single other
        module, and the one layer that a list of layers repeats.
        """
        root = self.derivation.root
        return self._rows(root, "", 0) if root.steps else iter([self._row(0, "1", root)])

    @property
    def parts(self) -> Iterator[ModuleCount]:
        """The modules without those that are the whole, each as deep as it lies in the others."""
        around: list[bool] = []  # Of the enclosing modules, outermost first, whether each is the whole.
        for row in self.rows:
            del around[row.depth :]
            around.append(row.share == 1)
            if not around[-1]:
                yield replace(row, depth=row.depth - sum(around))

    def _rows(self, step: Step, number: str, depth: int) -> Iterator[ModuleCount]:
        for index, inner in enumerate(step.steps, 1):
            shown, mark = unwrapped(inner), f"{number}{index}"
            yield self._row(depth, mark, shown)
            if shown.repeats is None:
                yield from self._rows(shown, f"{mark}.", depth + 1)
            else:
                yield from self._rows(unwrapped(shown.steps[0]), f"{mark}.1.", depth + 1)

    def _row(self, depth: int, mark: str, step: Step) -> ModuleCount:
        copies = evaluate(step.copies, self.values)
        value = int_if_whole(step.total(self.values))
        with_numbers = (
            times_copies(number(copies), step.sum_of_values(self.values))
            if step.steps
            else times_copies(step.copies, step.sum).substitute(self.values)
        )
        share = Fraction(value, self.total)
        return ModuleCount(depth, mark, step, _whole(copies), times_copies(step.copies, step.sum), with_numbers, value, share)

    @property
    def bytes_as_float32(self) -> int:
        return _whole(self.total) * BYTES_OF_FLOAT32

    @cached_property
    def check(self) -> Check:
        sizes: dict[sympy.Expr, int] = {}
        parts, total = 0, Fraction(0)
        for place in self.derivation.architecture.places():
            copies = evaluate_size(place.copies, self.values, sizes)
            for amount in self._amounts(place, sizes):
                parts += copies
                total += copies * amount
        return Check(parts, int_if_whole(total), self.total)

    def _amounts(self, place: Place, sizes: dict[sympy.Expr, int]) -> Iterator[int | Fraction]:
        """The number of each tensor of a block (for other measures, of the block itself), computed in integers throughout."""
        measure = self.derivation.measure
        if measure.of_tensor is None:
            own = measure.of_block(place)
            if own != 0:
                yield evaluate(expanded(own), self.values)
            return
        for tensor in place.module.tensors:
            if measure.of_tensor(place.module, tensor) != 0:
                used = evaluate(expanded(tensor.active_fraction), self.values) if measure.name == "active-parameters" else 1
                yield prod(evaluate_size(size, self.values, sizes) for size in tensor.shape) * used


def times_copies(copies: Formula, formula: Formula) -> Formula:
    """The formula of one module times its copies, with numbers in front: ``3N(H² + H)``."""
    factors = formula.factors if isinstance(formula, Product) else (formula,)
    first = factors[:1] if isinstance(factors[0], Number) else ()
    return multiplied(*first, copies, *factors[len(first) :])


def numbered(root: Step) -> Iterator[tuple[int, str, Step]]:
    """The descendants of the root with depth and number, as ``(1, "2.1", step)``; wrappers of a single module are skipped.

    A root without children is listed itself.
    """
    return _numbered(root, "", 0) if root.steps else iter([(0, "1", root)])


def _numbered(step: Step, number: str, depth: int) -> Iterator[tuple[int, str, Step]]:
    for index, inner in enumerate(step.steps, 1):
        shown = unwrapped(inner)
        mark = f"{number}{index}"
        yield depth, mark, shown
        yield from _numbered(shown, f"{mark}.", depth + 1)


def unwrapped(step: Step) -> Step:
    """The step itself, or its only child as long as the step merely wraps a single module."""
    inner = step
    while len(inner.steps) == 1 and (inner.repeats is None or (inner.repeats == Number(1) and not inner.role)):
        inner = inner.steps[0]
    return inner if inner is step or inner.repeats is not None else replace(inner, outer=step.place)


def _whole(value: int | Fraction) -> int:
    whole = int_if_whole(value)
    assert isinstance(whole, int)  # The check has shown that every size is an integer.
    return whole
