"""A published formula in its author's letters, what it is derived from, and its exact difference to the full count."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import sympy

from symparam.algebra.polynomial import equal
from symparam.algebra.relations import Relations, relations
from symparam.alphabets import Alphabet
from symparam.blocks import Architecture
from symparam.comparison import ALL_PARAMETERS, Comparison, compare
from symparam.derivation import Derivation, Measure
from symparam.evaluation import evaluate
from symparam.formula import Formula, Symbol
from symparam.measures.deriving import measured
from symparam.measures.sharing import shared
from symparam.reading.formula import read_formula, read_relation


@dataclass(frozen=True)
class Model:
    """A model whose numbers the author states: a value for each letter, and his number in units of ``unit``, rounded to a whole one."""

    values: Mapping[str, int] = field(hash=False)
    stated: int
    unit: int

    def found(self, formula: Formula) -> int | Fraction:
        """What the formula comes to, exactly."""
        return evaluate(formula, self.values)

    def agrees(self, formula: Formula) -> bool:
        """Whether the author's number is that of the formula, rounded to the nearest unit."""
        return 2 * abs(Fraction(self.found(formula)) - self.stated * self.unit) <= self.unit


@dataclass(frozen=True)
class PublishedFormula:
    """One formula of a publication.

    ``left`` is its left side and ``text`` the formula, both as the author writes them, in the letters of ``alphabet``. ``given`` says what
    letters of his own stand for, in his letters too; a letter given as nothing stands for all parameters of the architecture. ``where`` are
    relations in symparam's letters that hold for him. ``exact`` is the full count of the ``architecture``, ``counted`` is what he
    counts, block by block, and both are meant for each of ``per``.
    """

    name: str
    english: str
    place: str
    left: str
    text: str
    alphabet: Alphabet
    architecture: Callable[[], Architecture]
    exact: Measure
    counted: Measure
    where: tuple[str, ...] = ()
    given: Mapping[str, str] = field(default_factory=dict, hash=False)
    per: sympy.Expr = sympy.S.One
    models: tuple[Model, ...] = ()

    @cached_property
    def formula(self) -> Formula:
        """The formula as the author writes it."""
        return self._read(self.text)

    @cached_property
    def relations(self) -> Relations:
        return relations(read_relation(text, names={letter: letter for letter in self.own}) for text in self.where)

    @cached_property
    def definitions(self) -> dict[str, Formula]:
        """What the author's own letters stand for, by their names inside symparam."""
        return {
            letter: self._read(text) if text else measured(self._architecture, ALL_PARAMETERS, alphabet=self.alphabet).formula
            for letter, text in self.given.items()
        }

    @cached_property
    def meaning(self) -> sympy.Expr:
        """What the formula says, with everything put in that is given and that holds."""
        return self.relations.put_into(self.formula.put_in(self.definitions).meaning)

    @cached_property
    def derivation(self) -> Derivation:
        """What the author counts, block by block, as a derivation."""
        return self._measured(self.counted)

    @cached_property
    def count(self) -> Derivation:
        """The full count, as a derivation."""
        return self._measured(self.exact)

    @property
    def is_derived(self) -> bool:
        """Whether the formula is what the author counts, as a proof."""
        return equal(self.meaning, self.derivation.meaning)

    @cached_property
    def comparison(self) -> Comparison:
        """What the formula has more than the full count, or less, as a formula and block by block."""
        model = self.derivation.architecture
        return compare(model, model, self.alphabet, (self.count.measure, self.derivation.measure))

    @cached_property
    def _architecture(self) -> Architecture:
        return self.architecture()

    def _measured(self, measure: Measure) -> Derivation:
        return measured(self._architecture, shared(measure, self.per), self.relations, self.alphabet)

    def _read(self, text: str) -> Formula:
        return read_formula(text, self.alphabet, {self.alphabet.written(letter): letter for letter in self.own})

    @property
    def own(self) -> tuple[str, ...]:
        """The letters that are the author's own, beside those of the dimensions."""
        return (*self.given, *self._architecture.meanings)

    @property
    def sides(self) -> tuple[Formula, ...]:
        """The two sides, for a page; the formula alone where its author gives it no letter."""
        return (Symbol(self.left), self.formula) if self.left else (self.formula,)


@dataclass(frozen=True)
class Publication:
    """What one source states."""

    name: str
    title: str
    source: str
    formulas: tuple[PublishedFormula, ...]

    @property
    def alphabet(self) -> Alphabet:
        return self.formulas[0].alphabet

    @property
    def letters(self) -> frozenset[str]:
        """The letters of the dimensions that occur in its formulas."""
        return frozenset().union(*(formula.formula.letters for formula in self.formulas))


def with_own(alphabet: Alphabet, names: Mapping[str, str], invented: Iterable[str] = ()) -> Alphabet:
    """The alphabet with an author's names of things that are no dimensions, such as N for a number of parameters."""
    return Alphabet(alphabet.name, alphabet.source, {**alphabet.names, **names}, alphabet.invented | frozenset(invented))
