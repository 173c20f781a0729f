"""Relations between sizes, such as ``I = 4H``, ``d = H/h`` or ``H = 768``: stated, checked for consistency, then substituted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field

import sympy

from symparam.core.algebra.polynomial import equal, polynomial
from symparam.core.dimensions import MAX_SIZE, symbol
from symparam.core.evaluation import evaluate
from symparam.core.formula import Formula
from symparam.core.frozen import frozen
from symparam.errors import RelationError, shorten


@frozen
class Relation:
    """One size in terms of others: ``letter = formula``."""

    letter: str
    formula: Formula

    def __str__(self) -> str:
        return f"{self.letter} = {self.formula}"


@frozen
class Relations:
    """A consistent set of relations. ``resolved`` maps each letter on a left side to an expression free of such letters."""

    stated: tuple[Relation, ...]
    resolved: Mapping[str, sympy.Expr] = field(hash=False)

    def __bool__(self) -> bool:
        return bool(self.stated)

    def substitute(self, expression: sympy.Expr) -> sympy.Expr:
        """The expression with all relations substituted."""
        return expression.xreplace({symbol(letter): value for letter, value in self.resolved.items()})

    def values(self, known: Mapping[str, int]) -> dict[str, int]:
        """The given values together with those that follow from them by the relations.

        Raises `RelationError` where a relation contradicts a given value, or yields something other than a positive integer.
        """
        values: dict[str, int] = dict(known)
        for relation in self._in_order():
            if relation.formula.letters <= values.keys():
                found = evaluate(relation.formula, values)
                value = _positive_whole(relation, sympy.Rational(found.numerator, found.denominator))
                if values.setdefault(relation.letter, value) != value:
                    letter = relation.letter
                    raise RelationError(
                        f"{shorten(str(relation))} gives {letter} = {value:,}, but {letter} is {values[letter]:,} here; "
                        "drop the relation or change the value"
                    )
        return values

    def _in_order(self) -> list[Relation]:
        """The relations, each after those on which its right side depends."""
        depends = {relation.letter: relation.formula.letters for relation in self.stated}

        def depth(letter: str) -> int:
            return 1 + max((depth(other) for other in depends[letter]), default=0) if letter in depends else 0

        return sorted(self.stated, key=lambda relation: depth(relation.letter))


NONE = Relations((), {})


def relations(stated: Iterable[Relation]) -> Relations:
    """The relations as one consistent set. Raises `RelationError` for a contradiction, a cycle, or an impossible size."""
    kept: dict[str, Relation] = {}
    again: list[Relation] = []
    for relation in stated:
        if kept.setdefault(relation.letter, relation) is not relation:
            again.append(relation)
        _refuse_impossible(relation, relation.formula.expr)
    resolved: dict[str, sympy.Expr] = {}
    for letter in kept:
        _refuse_impossible(kept[letter], _resolve(letter, kept, resolved, ()))
    found = Relations(tuple(kept.values()), resolved)
    for relation in again:
        # A letter may be stated twice if, with all other relations substituted, both statements agree.
        if not equal(found.substitute(relation.formula.expr), resolved[relation.letter]):
            raise RelationError(f"{shorten(str(relation))} contradicts {shorten(str(kept[relation.letter]))}; give only one of them")
    return found


def _resolve(letter: str, kept: Mapping[str, Relation], resolved: dict[str, sympy.Expr], above: tuple[str, ...]) -> sympy.Expr:
    if letter in above:
        circle = " and ".join(shorten(str(kept[each])) for each in above[above.index(letter) :])
        raise RelationError(f"{circle} {'lead' if ' and ' in circle else 'leads'} in a circle: {letter} would be defined by itself")
    if letter not in kept:
        return symbol(letter)
    if letter not in resolved:
        formula = kept[letter].formula
        put = {symbol(each): _resolve(each, kept, resolved, (*above, letter)) for each in sorted(formula.letters)}
        resolved[letter] = formula.expr.xreplace(put)
    return resolved[letter]


def _refuse_impossible(relation: Relation, meaning: sympy.Expr) -> None:
    """Raise a `RelationError` naming the relation if its right side can never be a size. Otherwise the error would only surface in the
    total.
    """
    terms = polynomial(meaning)
    if terms is None:
        return
    if not terms.letters:
        _positive_whole(relation, sympy.Add(*(sympy.Rational(value.numerator, value.denominator) for value in terms.terms.values())))
    elif all(value < 0 for value in terms.terms.values()):
        raise RelationError(f"{shorten(str(relation))} makes {relation.letter} negative, but a size is a positive whole number")


def _positive_whole(relation: Relation, value: sympy.Rational) -> int:
    beginning = f"{shorten(str(relation))} makes {relation.letter}"
    if abs(value.p) > MAX_SIZE or value.q > MAX_SIZE:
        raise RelationError(f"{beginning} a number beyond 10^18, larger than any size of a model")
    if not value.is_Integer or value < 1:
        found = f"{beginning} = {value}".replace("-", "−") if relation.formula.letters else shorten(str(relation))
        raise RelationError(f"{found}, but a size is a positive whole number")
    return int(value)
