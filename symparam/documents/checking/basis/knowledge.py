"""Collects what a document has said so far: values of letters, definitions of names, and stated numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

import sympy

from symparam.core.dimensions import symbol
from symparam.core.evaluation import evaluate
from symparam.core.formula import Formula, Symbol, number
from symparam.documents.reading.expression import PLACEHOLDER, UNKNOWN, Expression
from symparam.errors import FormulaError, NoValueError, SymparamError

_DEEPEST = 12  # Depth of nested definitions.
_LARGEST = 2_000  # Letters and numbers of a formula with definitions substituted; twelve levels could exceed any memory.
_MOST_WORK = 500_000  # Lookups of letters in definitions for one document.


@dataclass
class Knowledge:
    """``assigned`` holds the values of each letter in the order of the page, ``defined`` the formula of each name, and ``from_config`` the
    values of the accompanying config, which apply if the document gives none. ``section`` is the number of headings so far, and
    ``given_in`` says in which sections each letter has each of its values. ``confirmed`` are the letters with whose values a formula of
    the page gave its number.
    """

    from_config: Mapping[str, int] = field(default_factory=dict)
    assigned: dict[str, list[int | Fraction]] = field(default_factory=dict)
    defined: dict[str, Formula] = field(default_factory=dict)
    measured: dict[str, Expression] = field(default_factory=dict)  # Names with a value that has a unit, ``W = 14 GB``.
    section: int = 0
    given_in: dict[tuple[str, int | Fraction], set[int]] = field(default_factory=dict)
    strange: dict[str, str] = field(default_factory=dict)  # Names that cannot be SymPy symbols, with their substitutes.
    confirmed: set[str] = field(default_factory=set)
    _found: dict[tuple[str, int], int | Fraction | None] = field(default_factory=dict)
    _in_line: dict[str, list[tuple[int, int | Fraction]]] = field(default_factory=dict)
    _unsettled: set[str] = field(default_factory=set)
    _work: int = 0

    def begin_line(self) -> None:
        """Forget where the line before gave its values."""
        self._in_line.clear()

    @contextmanager
    def as_of(self, place: int) -> Iterator[None]:
        """What was known at a place of the current line, which may give a letter another value behind it: ``A (L=32): …, B (L=80): …``."""
        kept = self.assigned
        later = {letter for letter, given in self._in_line.items() if given[-1][0] > place}
        if later:
            self._found.clear()
            before = {letter: [value for at, value in self._in_line[letter] if at <= place] for letter in later}
            self.assigned = kept | {letter: kept[letter] + values for letter, values in before.items() if values}
        try:
            yield
        finally:
            self.assigned = kept
            if later:
                self._found.clear()

    @contextmanager
    def given(self, values: Mapping[str, int | Fraction]) -> Iterator[None]:
        """What is known where these letters have these values, as in a row of a table: ``LoRA (r=8)``."""
        kept = self.assigned
        self.assigned = kept | {letter: [*kept.get(letter, ()), value] for letter, value in values.items()}
        self._found.clear()
        try:
            yield
        finally:
            self.assigned = kept
            self._found.clear()

    def assign(self, letter: str, value: int | Fraction, settled: bool = True, at: int | None = None) -> None:
        """Record that the document sets a letter to a number, on the current line ``at`` a place; not ``settled`` if the number may be
        rounded.
        """
        self._found.clear()
        if at is not None:
            self._in_line.setdefault(letter, []).append((at, value))
        values = self.assigned.setdefault(letter, [])
        self.given_in.setdefault((letter, value), set()).add(self.section)
        if not settled or (values and values[-1] != value):
            self._unsettled.add(letter)
        values.append(value)

    def doubt(self, letter: str) -> None:
        """Record that the document also has another value for a letter than its definition gives."""
        self._unsettled.add(letter)

    def assign_quantity(self, letter: str, quantity: Expression) -> None:
        """Record that the document sets a letter to a number with a unit."""
        before = self.measured.get(letter)
        if before is not None and (before.formula, before.literals) != (quantity.formula, quantity.literals):
            self._unsettled.add(letter)
        self.measured[letter] = quantity

    def with_quantities(self, side: Expression) -> Expression:
        """The side with numbers substituted for its letters, if all have values and some of these have units."""
        letters = side.letters
        found = {letter: self.measured[letter] for letter in letters if letter in self.measured and letter not in self.assigned}
        values = self.values(letters - found.keys())
        if not found or values is None:
            return side
        literals = {name: literal for each in found.values() for name, literal in each.literals.items()}
        formulas = {letter: each.formula for letter, each in found.items()} | {letter: number(value) for letter, value in values.items()}
        return side._replace(formula=side.formula.substitute(formulas), literals={**side.literals, **literals})

    def define(self, name: str, formula: Formula) -> None:
        """Record the definition of a name; the first definition counts, unless it was in terms of the name itself."""
        unclear = (letter for letter in formula.letters if letter[0] in PLACEHOLDER + UNKNOWN)
        if name not in formula.letters and all(self.is_defined(letter) for letter in unclear):
            self.defined[name] = formula
            self._found.clear()

    def is_defined(self, name: str) -> bool:
        """Whether the document defines a name, even an ordinary word: ``total = n * layer``."""
        return "(" not in name and (name in self.defined or name in self.assigned)

    def value(self, letter: str, depth: int = 0) -> int | Fraction | None:
        """The value of a letter: the last one given, or the one that follows from its definition."""
        if letter in self.assigned:
            return self.assigned[letter][-1]
        if letter in self.defined and depth < _DEEPEST and self._work < _MOST_WORK:
            if (letter, depth) not in self._found:
                self._found[letter, depth] = self._defined_value(self.defined[letter], depth)
            value = self._found[letter, depth]
            if value is not None:
                return value
        return self.from_config.get(letter)

    def of_model(self, letter: str) -> list[int | Fraction]:
        """The values that only the model gives a letter: people write d both for the head size and for the hidden size."""
        if letter in self.assigned or letter in self.defined:
            return []
        return [self.from_config[each] for each in ((letter, "H") if letter == "d" else (letter,)) if each in self.from_config]

    def _defined_value(self, formula: Formula, depth: int) -> int | Fraction | None:
        self._work += len(formula.letters)
        values = {each: value for each in formula.letters if (value := self.value(each, depth + 1)) is not None}
        if len(values) < len(formula.letters):
            return None
        try:
            return evaluate(formula, values)
        except FormulaError:
            return None

    def values(self, letters: Iterable[str]) -> dict[str, int | Fraction] | None:
        """The values of all the letters, or None if one is missing."""
        wanted = list(letters)
        found = self.known(wanted)
        return found if len(found) == len(wanted) else None

    def known(self, letters: Iterable[str]) -> dict[str, int | Fraction]:
        """The values of those of the letters that have one."""
        return {letter: value for letter in letters if (value := self.value(letter)) is not None}

    def is_settled(self, letters: Iterable[str]) -> bool:
        """Whether each letter, and each letter that its value depends on, has had only one value in the document so far."""
        seen, left = set(letters), list(letters)
        while left:
            letter = left.pop()
            if letter in self._unsettled:
                return False
            further = self.defined[letter].letters - seen if letter not in self.assigned and letter in self.defined else frozenset()
            seen |= further
            left += further
        return True

    def expanded(self, formula: Formula) -> Formula:
        """The formula with definitions in terms of other sizes substituted."""
        for _ in range(_DEEPEST):
            put = {letter: self.defined[letter] for letter in formula.letters if letter in self.defined}
            if not put:
                break
            if _size(formula, {letter: _size(each, {}) for letter, each in put.items()}) > _LARGEST:
                raise NoValueError("long-definitions")
            formula = formula.substitute(put)
        return formula

    def meaning(self, formula: Formula, expanded: bool) -> sympy.Expr:
        """The formula for a proof, with definitions substituted if ``expanded``."""
        formula = self.expanded(formula) if expanded else formula
        names = {
            letter: Symbol(self.strange.setdefault(letter, f"strange_{len(self.strange)}"))
            for letter in sorted(formula.letters)
            if not _is_symbol(letter)
        }
        return formula.substitute(names).expr


def _size(formula: Formula, sizes: Mapping[str, int]) -> int:
    """The number of letters and numbers of the formula after substituting formulas of these sizes."""
    if isinstance(formula, Symbol):
        return sizes.get(formula.letter, 1)
    return sum(_size(part, sizes) for part in formula.parts) if formula.parts else 1


@lru_cache(10_000)
def _is_symbol(letter: str) -> bool:
    try:
        symbol(letter)
    except SymparamError:
        return False
    return True
