"""A published formula in its author's letters, what it is derived from, and its exact difference from the full count."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from fractions import Fraction
from functools import cached_property

import sympy

from symparam.analysis.comparison import ALL_PARAMETERS, Comparison, compare
from symparam.analysis.derivation import Derivation, Measure
from symparam.analysis.measures.division import divided
from symparam.analysis.measures.measuring import derivation_of
from symparam.core.algebra.polynomial import equal
from symparam.core.algebra.relations import Relations, relations
from symparam.core.alphabets import Alphabet
from symparam.core.evaluation import evaluate
from symparam.core.formula import Formula, Symbol
from symparam.core.frozen import frozen
from symparam.core.parsing.reader import read_formula, read_relation
from symparam.models.blocks import Architecture


@frozen
class PublishedModel:
    """A model with a number stated by the author: a value for each letter, and the number in units of ``unit``, rounded to an integer."""

    values: Mapping[str, int] = field(hash=False)
    stated: int
    unit: int

    def found(self, formula: Formula) -> int | Fraction:
        """The exact value of the formula."""
        return evaluate(formula, self.values)

    def agrees(self, formula: Formula) -> bool:
        """Whether the author's number is the formula's value rounded to the nearest unit."""
        return 2 * abs(Fraction(self.found(formula)) - self.stated * self.unit) <= self.unit


@frozen
class PublishedFormula:
    """One formula of a publication.

    ``left`` is its left side and ``text`` the formula, both as the author writes them, in the letters of ``alphabet``. ``defined_letters``
    says what the author's own letters mean, also in the author's letters; a letter mapped to nothing means all parameters of the
    architecture. ``where`` are the author's assumptions as relations in symparam's letters. ``full_measure`` is the full count of the
    ``architecture``, ``published_measure`` is what the author counts, block by block; both are for each of ``per``.
    """

    name: str
    english: str
    place: str
    left: str
    text: str
    alphabet: Alphabet
    architecture: Callable[[], Architecture]
    full_measure: Measure
    published_measure: Measure
    where: tuple[str, ...] = ()
    defined_letters: Mapping[str, str] = field(default_factory=dict, hash=False)
    per: sympy.Expr = sympy.S.One
    models: tuple[PublishedModel, ...] = ()

    @cached_property
    def formula(self) -> Formula:
        """The formula as the author writes it."""
        return self._read(self.text)

    @cached_property
    def relations(self) -> Relations:
        return relations(read_relation(text, names={letter: letter for letter in self.own_letters}) for text in self.where)

    @cached_property
    def definitions(self) -> dict[str, Formula]:
        """The meanings of the author's own letters, by their names inside symparam."""
        return {
            letter: self._read(text) if text else derivation_of(self._architecture, ALL_PARAMETERS, alphabet=self.alphabet).formula
            for letter, text in self.defined_letters.items()
        }

    @cached_property
    def expr(self) -> sympy.Expr:
        """The meaning of the formula, with all definitions and relations substituted."""
        return self.relations.substitute(self.formula.substitute(self.definitions).expr)

    @cached_property
    def derivation(self) -> Derivation:
        """The author's count, block by block, as a derivation."""
        return self._measured(self.published_measure)

    @cached_property
    def count(self) -> Derivation:
        """The full count, as a derivation."""
        return self._measured(self.full_measure)

    @property
    def is_derived(self) -> bool:
        """Whether the formula is proven to equal what the author counts."""
        return equal(self.expr, self.derivation.expr)

    @cached_property
    def comparison(self) -> Comparison:
        """The formula minus the full count, as a formula and block by block."""
        model = self.derivation.architecture
        return compare(model, model, self.alphabet, (self.count.measure, self.derivation.measure))

    @cached_property
    def _architecture(self) -> Architecture:
        return self.architecture()

    def _measured(self, measure: Measure) -> Derivation:
        return derivation_of(self._architecture, divided(measure, self.per), self.relations, self.alphabet)

    def _read(self, text: str) -> Formula:
        return read_formula(text, self.alphabet, {self.alphabet.name_of(letter): letter for letter in self.own_letters})

    @property
    def own_letters(self) -> tuple[str, ...]:
        """The author's letters that are not dimensions."""
        return (*self.defined_letters, *self._architecture.meanings)

    @property
    def sides(self) -> tuple[Formula, ...]:
        """The two sides, for a page; only the formula if its author gives it no letter."""
        return (Symbol(self.left), self.formula) if self.left else (self.formula,)


@frozen
class Publication:
    """The formulas of one source."""

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


def with_own_letters(alphabet: Alphabet, names: Mapping[str, str], invented: Iterable[str] = ()) -> Alphabet:
    """The alphabet extended by the author's names of quantities that are not dimensions, such as N for a number of parameters."""
    return Alphabet(alphabet.name, alphabet.source, {**alphabet.names, **names}, alphabet.invented | frozenset(invented))
