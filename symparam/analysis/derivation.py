"""A derivation: a tree of named steps, each with its formula and its parts, and a closed form.

Measures produce it, writers render it, and the checker proves its claims.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, fields
from fractions import Fraction
from functools import cached_property

import sympy

from symparam.analysis.roles import letter_of
from symparam.core.algebra.closed_form import FORMS, closed_form, expanded
from symparam.core.algebra.nesting import size
from symparam.core.algebra.relations import Relations
from symparam.core.alphabets import Alphabet
from symparam.core.combining import multiplied, summed
from symparam.core.definitions import WithDefinitions
from symparam.core.dimensions import symbol, without_assumptions
from symparam.core.evaluation import evaluate
from symparam.core.formula import Formula, Number, Sum, number, write
from symparam.core.frozen import frozen
from symparam.core.notation import LATEX, UNICODE, Notation
from symparam.core.sympy_printing import SympyPrintable
from symparam.errors import FormulaError, UnknownNameError
from symparam.models.blocks import Architecture, Module, Repeat, Tensor, Tied
from symparam.models.blocks.architecture import Place, join_path
from symparam.models.blocks.missing import Missing

NAMED = "named"
"""The form in which the parts of a layer are abbreviated by names, which are defined next to the formula."""
SHORTEST_NAMED = 3  # The fewest letters and numbers that are worth a name.


@frozen
class Claim:
    """A statement that is true or false: ``left relation right``, the relation being ``=`` or ``≈``."""

    left: Formula
    right: Formula
    relation: str = "="


@frozen
class StoredNumbers:
    """Numbers that a block stores: the key of a phrase for what they are, if that is known, the bytes of each, and how many there are."""

    what: str
    bytes: int
    numbers: Formula


@frozen
class Measure:
    """A quantity to measure: its name, its unit, and its value for one copy of a block alone, without the blocks inside it.

    ``of_tensor`` gives the count of each tensor, if the measure is a number of parameters. For any other measure, ``reason`` is the suffix
    of its phrase keys, such as ``rows`` for what is computed row by row, and ``quantities`` gives further sizes that a block's reason
    names; without ``reason`` it is that of the tensors. ``stored`` gives how many numbers a block stores, by what they are and the bytes of
    each, and ``factors`` are the factors of all terms as sums, ``4 + 4 + 4``, by the keys of the phrases that say what is added.
    ``convention`` names the tool that is followed, and ``details`` are the keys of phrases on how it is counted: the remark after its name,
    and the reason. ``transform`` adapts the architecture before it is measured, and ``conditions`` are the keys of sentences on where the
    formula holds. ``format`` names the number format of bytes, where there is one. ``of_operations`` says that the measure depends on the
    operations of blocks, so that it is incomplete where a block does not declare them.
    """

    name: str
    unit: str
    of_block: Callable[[Place], sympy.Expr] = field(compare=False)
    of_tensor: Callable[[Module, Tensor], sympy.Expr] | None = field(default=None, compare=False)
    reason: str = "rows"
    quantities: Callable[[Place], Mapping[str, sympy.Expr]] | None = field(default=None, compare=False)
    stored: Callable[[Place], Mapping[tuple[str, int], sympy.Expr]] | None = field(default=None, compare=False)
    factors: tuple[tuple[str, Formula], ...] = ()
    convention: str = ""
    details: tuple[str, ...] = ()
    transform: Callable[[Architecture], Architecture] | None = field(default=None, compare=False)
    conditions: tuple[str, ...] = ()
    format: str = ""
    of_operations: bool = False


@frozen
class TensorRow:
    """A tensor in a derivation: its full name, its shape and its number of elements, which is 0 for a tied one."""

    name: str
    shape: tuple[Formula, ...]
    elements: Formula
    tied_to: str | None


@frozen
class Step:
    """The step of one block: its place, and ``expr``, the measure of one copy of it. Everything that is written of it is written on demand.

    ``steps`` are the blocks inside, in the order in which the reference registers them; ``position`` is the block's own place among its
    siblings in the order of execution. ``outer`` is the outermost of the blocks that hold nothing but this one, if it stands for them.
    """

    place: Place
    measure: Measure
    notation: Notation
    expr: sympy.Expr
    steps: tuple[Step, ...]
    position: int = 0
    outer: Place | None = None

    @property
    def path(self) -> str:
        return self.place.path

    @property
    def kind(self) -> str:
        return self.place.module.kind

    @property
    def role(self) -> str | None:
        return self.place.module.role

    @property
    def why(self) -> str:
        """The suffix of its reason's phrase key, for measures with reasons of their own."""
        return "" if self.measure.of_tensor else self.measure.reason

    @cached_property
    def formula(self) -> Formula:
        """The measure of one copy."""
        return self._written(self.expr)

    @cached_property
    def copies(self) -> Formula:
        """How many of it the model has."""
        return self._written(self.place.copies)

    @cached_property
    def repeats(self) -> Formula | None:
        """How many times the block holds its only part."""
        return self._written(self.place.module.count) if isinstance(self.place.module, Repeat) else None

    @cached_property
    def sizes(self) -> Mapping[str, Formula]:
        """The sizes that its reason names: the fields of the block, its rows, and the quantities of the measure."""
        module, measure = self.place.module, self.measure
        block = module.inner if isinstance(module, Tied) else module
        named = {each.name: getattr(block, each.name) for each in fields(block) if each.name in block.size_names}
        if not measure.of_tensor:
            named["rows"] = self.place.rows
        if measure.quantities and not module.children:
            named |= measure.quantities(self.place)
        return {name: self._written(size) for name, size in named.items()}

    @cached_property
    def tensors(self) -> tuple[TensorRow, ...]:
        """Its own tensors."""
        module, of_tensor = self.place.module, self.measure.of_tensor
        return tuple(
            TensorRow(
                join_path(self.path, tensor.name),
                tuple(map(self._written, tensor.shape)),
                self._written(of_tensor(module, tensor)) if of_tensor else Number(0),
                tensor.tied_to,
            )
            for tensor in module.tensors
        )

    @cached_property
    def stored(self) -> tuple[StoredNumbers, ...]:
        """The stored numbers that a formula in bytes counts, if the measure tells them apart."""
        found = self.measure.stored(self.place) if self.measure.stored else {}
        return tuple(StoredNumbers(what, size, self._written(numbers)) for (what, size), numbers in found.items())

    def _written(self, expression: sympy.Expr) -> Formula:
        return expanded(expression, notation=self.notation)

    @property
    def sum(self) -> Formula:
        """The formula as the sum of its parts: ``3(H² + H)``, ``N(12H² + 13H)``."""
        if not self.steps:
            return self.formula
        return self._together([step.formula if step.repeats is None else step.sum for step in self.steps], self.repeats)

    def sum_of_values(self, values: Mapping[str, int]) -> Formula:
        """The same sum with each part replaced by its number: ``3 × 590,592``."""
        if not self.steps:
            return self.formula.substitute(values)
        repeats = self.repeats.substitute(values) if self.repeats is not None else None
        return self._together([number(step.value(values)) for step in self.steps], repeats)

    def _together(self, shown: list[Formula], repeats: Formula | None) -> Formula:
        """The sum of the parts; a part that occurs several times is written once, with its multiplicity."""
        if repeats is not None:
            return multiplied(repeats, *shown)
        alike = Counter(step.formula for step in self.steps if isinstance(step.formula, Sum))
        terms: list[Formula] = []
        for step, part in zip(self.steps, shown, strict=True):
            times = alike.pop(step.formula, 0) if isinstance(step.formula, Sum) else 1
            if times and step.formula != Number(0):
                terms.append(multiplied(Number(times), part))
        return Sum(tuple(terms)) if len(terms) > 1 else terms[0] if terms else Number(0)

    def value(self, values: Mapping[str, int]) -> int | Fraction:
        """The number of one block."""
        return evaluate(self.formula, values)

    def total(self, values: Mapping[str, int]) -> int | Fraction:
        """The number of all its copies."""
        return self.value(values) * evaluate(self.copies, values)

    @property
    def claims(self) -> Iterator[Claim]:
        """The equalities that this step and its descendants state."""
        if self.sum != self.formula:
            yield Claim(self.sum, self.formula)
        for step in self.steps:
            yield from step.claims

    def walk(self) -> Iterator[Step]:
        """The step and all its descendants, parents first."""
        yield self
        for step in self.steps:
            yield from step.walk()


@frozen
class Derivation(SympyPrintable):
    """The general formula of one measure for an architecture, with every step that leads to it.

    ``str()`` is the closed form on one line; a notebook shows it as LaTeX.
    """

    architecture: Architecture
    measure: Measure
    relations: Relations
    alphabet: Alphabet
    root: Step
    form: str = "readable"
    by: str | None = None

    def __post_init__(self) -> None:
        if self.form not in (*FORMS, NAMED):
            raise UnknownNameError("form", self.form, (*FORMS, NAMED))
        written = frozenset[sympy.Symbol]().union(*(step.expr.free_symbols for step in self.root.walk()))
        self.alphabet.check(sorted(map(str, written)))

    @property
    def expr(self) -> sympy.Expr:
        """The formula as an expression."""
        return self.root.expr

    @property
    def letters(self) -> frozenset[str]:
        """The dimensions that the formula depends on."""
        return frozenset(str(letter) for letter in self.expr.free_symbols)

    def plain(self) -> sympy.Expr:
        """The expression in symbols without assumptions, for SymPy's solvers: ``sympy.solve(derive("gpt2").plain() - 10**9, "H")``."""
        return without_assumptions(self.expr)

    def _sympy_(self) -> sympy.Expr:
        if not self.complete:
            raise FormulaError(f"the formula of {self.architecture.name} is incomplete (see .missing); .expr is a lower bound")
        return self.expr

    @cached_property
    def missing(self) -> tuple[Missing, ...]:
        """What the formula lacks, or may lack: modules that the architecture does not show, and operations that blocks do not declare."""
        places = self.architecture.undeclared() if self.measure.of_operations else ()
        # Blocks that hold tensors come first: these are certainly missing.
        undeclared = sorted(places, key=lambda place: not any(inner.module.tensors for inner in place.inside))
        return (*self.architecture.missing, *(Missing(place.module.kind, "operations", place.path) for place in undeclared))

    @property
    def complete(self) -> bool:
        """Whether nothing is missing; if not, the formula is a lower bound."""
        return not self.missing

    @property
    def formula(self) -> Formula:
        """The closed form in the requested form."""
        return self.closed_form(self.form, self.by)

    def closed_form(self, form: str = "readable", by: str | None = None) -> Formula:
        """The closed form in one of `FORMS`, or `NAMED`; ``by`` is the letter to collect by, or else the one that gives the
        shortest line.
        """
        if form == NAMED:
            if by is not None:
                raise FormulaError("the form 'named' follows the modules and is not collected by a letter; leave out --by or the form")
            return named(self.root, self.expr, UNICODE.using(self.alphabet))
        if form == "by-module":
            if by is not None:
                raise FormulaError("the form 'by-module' follows the modules and is not collected by a letter; leave out --by or the form")
            return by_module(self.root)
        return closed_form(self.expr, form, by, UNICODE.using(self.alphabet))

    @property
    def claims(self) -> Iterator[Claim]:
        """All equalities that the derivation states, from the steps to the closed forms."""
        yield from self.root.claims
        for form in FORMS:
            yield Claim(self.root.sum, self.closed_form(form))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.architecture.name}: {self}>"

    def __str__(self) -> str:
        return write(self.formula, UNICODE.using(self.alphabet))

    @property
    def latex(self) -> str:
        return write(self.formula, LATEX.using(self.alphabet))


def by_module(step: Step) -> Formula:
    """``VH + PH + N(12H² + 13H) + 2H``: block by block, as it is usually taught."""
    if step.repeats is not None or not step.steps:
        return step.sum
    return summed(*(term for inner in step.steps if (term := by_module(inner)) != Number(0)))


def named(root: Step, meaning: sympy.Expr, notation: Notation) -> Formula:
    """``N(A + F + 2H) + VH, with A = 4H², F = 3HI``: the parts of layers by name, where that makes the longest line shorter."""
    plain = closed_form(meaning, notation=notation)
    parts: dict[Formula, tuple[str, sympy.Expr]] = {}
    for letter, formula, copies in _parts(root) or _layers(root):
        written = _shortest(formula.expr, notation)
        first, before = parts.get(written, (letter, sympy.S.Zero))
        if size(written) >= SHORTEST_NAMED:
            parts[written] = first, before + copies
    letters = Counter(letter for letter, _ in parts.values())
    taken = {notation.symbol(letter) for letter in plain.letters}
    definitions: list[tuple[str, Formula]] = []
    for written, (letter, copies) in parts.items():
        alike = 1 + sum(name.startswith(f"{letter}_") for name, _ in definitions)
        name = letter if letters[letter] == 1 and letter not in taken else f"{letter}_{alike}"
        meaning += copies * (symbol(name) - written.expr)
        definitions.append((name, written))
    if not definitions:
        return plain
    shorter = _shortest(meaning, notation)
    longest = max(map(size, (shorter, *(formula for _, formula in definitions))))
    return WithDefinitions(shorter, tuple(definitions)) if longest < size(plain) else plain


def _shortest(meaning: sympy.Expr, notation: Notation) -> Formula:
    return min((closed_form(meaning, form, notation=notation) for form in ("readable", "nested")), key=size)


def _parts(step: Step) -> list[tuple[str, Formula, sympy.Expr]]:
    """Attention and feed-forward parts by the letter that names them, with the number of copies in the model."""
    found: list[tuple[str, Formula, sympy.Expr]] = []
    together: dict[tuple[str, Formula], list[Formula]] = {}
    for inner in step.steps:
        if letter := letter_of(inner.role or ""):
            together.setdefault((letter, inner.copies), []).append(inner.formula)
        else:
            found += _parts(inner)
    return [(letter, summed(*formulas), copies.expr) for (letter, copies), formulas in together.items()] + found


def _layers(root: Step) -> list[tuple[str, Formula, sympy.Expr]]:
    """The repeated blocks, where their parts have no known role."""
    repeats = (step for step in root.walk() if step.repeats is not None and step.steps)
    return [("Y", step.steps[0].formula, step.steps[0].copies.expr) for step in repeats]
