"""Closed forms: a polynomial written as people write it, ``(3L + 11N + 2)H + 12NH²``.

Inside a coefficient the terms are ordered by descending degree, then alphabetically, with the constant last. A product starts with the
number, then the letters in alphabetical order, then the power of the symbol by which the line is collected.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache, reduce, wraps
from math import lcm
from typing import Protocol

import sympy
from sympy.polys.domains import ZZ
from sympy.polys.rings import ring

from symparam.core.algebra.leading import corrections, leading_term
from symparam.core.algebra.nesting import nest, size
from symparam.core.algebra.polynomial import Monomial, Polynomial, expression_of, fraction, multiply, normal_form, polynomial
from symparam.core.algebra.rounding import is_rounded, with_names
from symparam.core.combining import multiplied, summed
from symparam.core.dimensions import symbol
from symparam.core.floor import Floor
from symparam.core.formula import Formula, Negative, Number, Power, Quotient, Sum, Symbol, number, write
from symparam.core.notation import UNICODE, Notation
from symparam.errors import FormulaError

FORMS = ("readable", "by-symbol", "nested", "expanded", "factored", "leading", "by-module")
MAX_FACTORED = 300  # Terms. Factoring 300 takes about a second; a few thousand would take minutes.
MAX_FACTORED_BITS = 256  # Binary digits of a coefficient; the search works modulo primes larger than any coefficient a factor could have.
MAX_FACTORED_LETTERS = 8  # With more letters the search evaluates at random points, and some of these keep it busy for minutes.
MAX_LONGER = Fraction(145, 100)  # The collected form is preferred while its size is less than this many times the nested one's.
PREFERRED = "H"  # The symbol by which people collect, unless another one gives a shorter line.


class Writer(Protocol):
    """A function that writes an expression as a formula."""

    def __call__(self, expression: sympy.Expr, by: str | None = None, notation: Notation = UNICODE) -> Formula: ...


def _with_floors(writer: Writer) -> Writer:
    """Extends a writer to expressions with floors: each floor is replaced by a letter while writing and restored in the result."""

    @wraps(writer)
    def with_floors(expression: sympy.Expr, by: str | None = None, notation: Notation = UNICODE) -> Formula:
        if not is_rounded(expression):
            return writer(expression, by, notation)
        named, inside = with_names(expression)
        if by is not None and symbol(by) not in named.free_symbols:
            raise FormulaError(f"{notation.symbol(by)} occurs only in what is rounded, so the formula cannot be collected by it")
        floors = {name: Floor(_over_whole(each, notation)) for name, each in inside.items()}
        return writer(named, by, notation).substitute(floors)

    return with_floors


def _over_whole(expression: sympy.Expr, notation: Notation) -> Formula:
    """``(H + 31)/32``: a sum over the common denominator of its terms."""
    divisor = lcm(*(each.q for each in expression.atoms(sympy.Rational)))
    return _over(expanded(expression * divisor, None, notation), number(divisor))


@_with_floors
def readable(expression: sympy.Expr, by: str | None = None, notation: Notation = UNICODE) -> Formula:
    """The most readable form: collected by one symbol, or nested where that avoids a leading minus or saves nearly a third of the letters
    and numbers.
    """
    collected = by_symbol(expression, by, notation)
    if by is not None or len(normal_form(expression)[0].terms) > MAX_FACTORED:
        return collected
    nested_form = nested(expression, notation=notation)
    if _begins_negative(collected) and not _begins_negative(nested_form):
        return nested_form
    return nested_form if size(collected) >= MAX_LONGER * size(nested_form) else collected


def ratio(above: sympy.Expr, below: sympy.Expr, notation: Notation) -> Formula:
    """The quotient in its shortest form, reduced by everything that both sums share, or where that takes too long to find, by the numbers
    and letters that all terms share.
    """
    try:
        parts = fraction(above / below)
        write_sum = by_symbol if polynomial(above / below) is not None else expanded
        return min(write_sum(above / below, notation=notation), _quotient(*parts, notation), key=size)
    except FormulaError:
        shared = _shared(above, below)
        return _quotient(sympy.expand(above / shared), sympy.expand(below / shared), notation)


def _quotient(above: sympy.Expr, below: sympy.Expr, notation: Notation) -> Formula:
    """One sum over another, without a leading minus if the signs of both can be reversed instead."""
    over = _over(readable(above, notation=notation), readable(below, notation=notation))
    if not _begins_negative(over) or below.is_Rational:
        return over
    positive = _over(readable(-above, notation=notation), readable(-below, notation=notation))
    return over if _begins_negative(positive) else positive


def _shared(*sums: sympy.Expr) -> sympy.Expr:
    """The number and the letters that all terms of all sums share."""
    terms = [term for each in sums for term in sympy.Add.make_args(sympy.expand(each))]
    return reduce(sympy.gcd, terms)


@_with_floors
def by_symbol(expression: sympy.Expr, by: str | None = None, notation: Notation = UNICODE) -> Formula:
    """The expression collected by one symbol, in ascending powers; without ``by``, the symbol is the one that gives the shortest line.

    Raises `FormulaError` where ``by`` does not occur.
    """
    above, below = normal_form(expression)
    if by is not None and by not in above.letters | below.letters:
        raise FormulaError(_does_not_occur(by, above.letters | below.letters, notation))
    above, divisor = _without_divisor(above, by, notation)
    return _over(_over(_collected(above, by, notation), divisor), _collected(below, by, notation))


def _without_divisor(terms: Polynomial, by: str | None, notation: Notation) -> tuple[Polynomial, Formula]:
    """A sum without the letters by which all its terms are divided, and these: ``D(6V + 12L)/F``, not ``6DV/F + 12DL/F``."""
    highest = {letter: max(dict(each).get(letter, 0) for each in terms.terms) for letter in terms.letters - {by}}
    shared = tuple(sorted((letter, -power) for letter, power in highest.items() if power < 0))
    if not shared or len(terms.terms) < 2:
        return terms, Number(1)
    scale = lcm(*(value.denominator for value in terms.terms.values()))
    whole = {multiply(each, shared): value * scale for each, value in terms.terms.items()}
    return Polynomial(whole), _term(shared, Fraction(scale), notation, PREFERRED)


@_with_floors
def nested(expression: sympy.Expr, by: str | None = None, notation: Notation = UNICODE) -> Formula:
    """The expression with factors taken out wherever that saves letters and numbers, ``H(N(12H + 13) + V)``; the search is
    `symparam.core.algebra.nesting`.

    Raises `FormulaError` if ``by`` is given, since the search chooses the letters itself.
    """
    if by is not None:
        raise FormulaError("the form 'nested' chooses the letters that it takes out itself; leave out --by or the form")
    above, below = (_nested(terms, notation) for terms in normal_form(expression))
    return _over(above, below)


def _nested(terms: Polynomial, notation: Notation) -> Formula:
    formula, divisor = nest(terms, {letter: _alphabetical(letter, notation) for letter in terms.letters})
    multiplied_out = _sum_of_terms(terms, notation, PREFERRED)
    return min(_over(formula, number(divisor)), multiplied_out, key=size)  # One common denominator can be longer than separate fractions.


def positive_first(formula: Formula) -> Formula:
    """The sum with its positive terms first and its negative terms last."""
    terms = formula.terms if isinstance(formula, Sum) else (formula,)
    return summed(*sorted(terms, key=lambda term: isinstance(term, Negative)))


def difference(expression: sympy.Expr, notation: Notation = UNICODE) -> Formula:
    """A formula for a difference: collected, and without a leading minus where it can be avoided."""
    collected = by_symbol(expression, notation=notation)
    ways = (collected, positive_first(collected), nested(expression, notation=notation))
    return next((formula for formula in ways if not _begins_negative(formula)), collected)


def _begins_negative(formula: Formula) -> bool:
    return isinstance(formula, Negative) or bool(formula.parts and _begins_negative(formula.parts[0]))


@lru_cache(maxsize=4096)  # A model has few distinct sizes, and each is written in many steps.
@_with_floors
def expanded(expression: sympy.Expr, by: str | None = None, notation: Notation = UNICODE) -> Formula:
    """The expression multiplied out, in descending degree; ``by`` is the letter that stands last in each product."""
    above, below = normal_form(expression)
    last = by or PREFERRED
    return _over(_sum_of_terms(above, notation, last), _sum_of_terms(below, notation, last))


@_with_floors
def factored(expression: sympy.Expr, by: str | None = None, notation: Notation = UNICODE) -> Formula:
    """The expression as a product of factors that are irreducible over the rationals.

    With more than 300 terms or 8 letters, only the letters shared by all terms are taken out.
    """
    above, below = normal_form(expression)
    return _over(_factors(above, by or PREFERRED, notation), _factors(below, by or PREFERRED, notation))


def leading(expression: sympy.Expr, by: str | None = None, notation: Notation = UNICODE) -> Formula:
    """The leading term times corrections, ``12NH²(1 + 13/(12H) + …)``; with ``by``, the term that dominates as that letter grows."""
    above, below = normal_form(expression)
    return _over(_led(above, by, notation), _sum_of_terms(below, notation, PREFERRED))


def _led(terms: Polynomial, by: str | None, notation: Notation) -> Formula:
    if len(terms.terms) < 2:
        return _sum_of_terms(terms, notation, by or PREFERRED)
    lead = leading_term(terms, by)
    last = by or PREFERRED
    more = []
    for sums, divisor, scale in corrections(terms, lead):
        above, front = _sum_of_terms(sums, notation, last), _term(divisor, Fraction(scale), notation, last)
        is_negative = isinstance(above, Negative)
        shown = _over(above.operand if isinstance(above, Negative) else above, front)
        more.append(Negative(shown) if is_negative else shown)
    term = _term(*lead, notation, last)
    above, below = (term.numerator, term.denominator) if isinstance(term, Quotient) else (term, Number(1))
    return _over(multiplied(*_opened(above), Sum((Number(1), *more))), below)


@lru_cache(maxsize=1024)
def closed_form(expression: sympy.Expr, form: str = "readable", by: str | None = None, notation: Notation = UNICODE) -> Formula:
    """The expression in one of the forms that depend on the expression alone, which are all but ``by-module``."""
    writers: dict[str, Callable[..., Formula]] = {
        "readable": readable,
        "by-symbol": by_symbol,
        "nested": nested,
        "expanded": expanded,
        "factored": factored,
        "leading": leading,
    }
    if by is not None and by not in {str(letter) for letter in expression.free_symbols}:
        raise FormulaError(_does_not_occur(by, frozenset(str(letter) for letter in expression.free_symbols), notation))
    return writers[form](expression, by, notation)


def _does_not_occur(by: str, letters: frozenset[str], notation: Notation) -> str:
    written = ", ".join(sorted(map(notation.symbol, letters))) or "no letter at all"
    return (
        f"the formula cannot be collected by {notation.symbol(by)}, which does not occur in it; {written} do"
        if letters
        else (f"the formula cannot be collected by {notation.symbol(by)}: it is a plain number")
    )


def _over(above: Formula, below: Formula) -> Formula:
    if isinstance(below, Negative):
        return _over(above.operand if isinstance(above, Negative) else Negative(above), below.operand)
    if below == Number(1):
        return above
    if isinstance(above, Quotient):
        factors = sorted((*_opened(above.denominator), *_opened(below)), key=lambda factor: not isinstance(factor, Number))
        return _over(above.numerator, multiplied(*factors))
    return Negative(Quotient(above.operand, below)) if isinstance(above, Negative) else Quotient(above, below)


def _collected(terms: Polynomial, by: str | None, notation: Notation) -> Formula:
    if by is not None or not terms.letters:
        return _collected_by(terms, by or PREFERRED, notation)
    letters = sorted(terms.letters, key=lambda letter: (letter != PREFERRED, _alphabetical(letter, notation)))
    # If the preferred letter collects terms, a letter that collects none must not win merely by a line that is multiplied out.
    choices = [letter for letter in letters if _collects(terms, letter)] if _collects(terms, letters[0]) else letters
    return min((_collected_by(terms, letter, notation) for letter in choices), key=lambda formula: len(write(formula, notation)))


def _collects(terms: Polynomial, letter: str) -> bool:
    return any(power and len(coefficient.terms) > 1 for power, coefficient in terms.by_powers(letter).items())


def _collected_by(terms: Polynomial, letter: str, notation: Notation) -> Formula:
    lines = []
    for power, coefficient in terms.by_powers(letter).items():
        if power == 0 or len(coefficient.terms) == 1:
            shifted = {_with(monomial, letter, power): value for monomial, value in coefficient.terms.items()}
            lines.append(_sum_of_terms(Polynomial(shifted), notation, letter))
        else:
            lines.append(_scaled(_sum_of_terms(coefficient, notation, letter), letter, power))
    return summed(*lines)


def _scaled(coefficient: Formula, letter: str, power: int) -> Formula:
    """``(12N + 1)H²``, with the minus in front where every term of the coefficient is negative."""
    if isinstance(coefficient, Sum) and all(isinstance(term, Negative) for term in coefficient.terms):
        positive = Sum(tuple(term.operand for term in coefficient.terms if isinstance(term, Negative)))
        return Negative(_scaled(positive, letter, power))
    return Quotient(coefficient, _power(letter, -power)) if power < 0 else multiplied(coefficient, _power(letter, power))


def _sum_of_terms(terms: Polynomial, notation: Notation, last: str) -> Formula:
    def order(item: tuple[Monomial, Fraction]) -> tuple[int, list[tuple[tuple[str, str], int]]]:
        # Of powers of the same letter the higher comes first: HH before HN.
        return -sum(power for _, power in item[0]), sorted((_alphabetical(letter, notation), -power) for letter, power in item[0])

    return summed(*(_term(monomial, value, notation, last) for monomial, value in sorted(terms.terms.items(), key=order)))


def _term(monomial: Monomial, coefficient: Fraction, notation: Notation, last: str) -> Formula:
    letters = sorted(monomial, key=lambda pair: (pair[0] == last, _alphabetical(pair[0], notation)))
    above = multiplied(number(abs(coefficient.numerator)), *(_power(letter, power) for letter, power in letters if power > 0))
    below = multiplied(number(coefficient.denominator), *(_power(letter, -power) for letter, power in letters if power < 0))
    term = _over(above, below)
    return Negative(term) if coefficient < 0 else term


def _factors(terms: Polynomial, last: str, notation: Notation) -> Formula:
    if len(terms.terms) < 2:
        return _sum_of_terms(terms, notation, last)
    lowest = {letter: min(dict(monomial).get(letter, 0) for monomial in terms.terms) for letter in terms.letters}
    shared = tuple(sorted((letter, power) for letter, power in lowest.items() if power))
    # Factors shared by all terms are taken out first; the rest has no negative powers, as factorisation requires.
    rest = {_without(monomial, shared): value for monomial, value in terms.terms.items()}
    left = Polynomial(rest)
    searched = len(rest) <= MAX_FACTORED and len(left.letters) <= MAX_FACTORED_LETTERS and _bits(left) <= MAX_FACTORED_BITS
    scale, pieces = _irreducible(left) if searched else (Fraction(1), [(left, 1)])
    written: list[tuple[Formula, int]] = []
    for piece, count in pieces:
        factor = _sum_of_terms(piece, notation, last)
        if isinstance(factor.parts[0], Negative):  # H(V − 2), not −H(−V + 2).
            factor, scale = _sum_of_terms(_negated(piece), notation, last), scale * (-1) ** count
        written.append((factor, count))
    written.sort(key=lambda each: str(each[0]))
    powers = [Power(factor, Number(count)) if count > 1 else factor for factor, count in written]
    front = _term(tuple(pair for pair in shared if pair[1] > 0), Fraction(scale.numerator), notation, last)
    below = _term(tuple((letter, -power) for letter, power in shared if power < 0), Fraction(scale.denominator), notation, last)
    return _over(multiplied(*_opened(front), *powers), below)


def _opened(front: Formula) -> tuple[Formula, ...]:
    """The factors of a single term, so that no product is nested in a product: ``2H(…)``, not ``(2H)(…)``."""
    if isinstance(front, Negative):
        first, *others = _opened(front.operand)
        return (Negative(first), *others)
    return front.parts if front.parts and not isinstance(front, (Quotient, Power)) else (front,)


def _bits(terms: Polynomial) -> int:
    """The number of binary digits of the largest coefficient, over a common denominator."""
    common = lcm(*(value.denominator for value in terms.terms.values()))
    return max((abs(value.numerator) * (common // value.denominator)).bit_length() for value in terms.terms.values())


def _irreducible(terms: Polynomial) -> tuple[Fraction, list[tuple[Polynomial, int]]]:
    expression = expression_of(terms)
    common = 1
    for value in terms.terms.values():
        common = common * value.denominator // sympy.igcd(common, value.denominator)
    whole, *_ = ring(sorted(expression.free_symbols, key=str), ZZ)
    scale, pieces = whole.from_expr(sympy.expand(expression * common)).factor_list()
    return Fraction(int(scale), int(common)), [(normal_form(piece.as_expr())[0], count) for piece, count in pieces]


def _negated(terms: Polynomial) -> Polynomial:
    return Polynomial({monomial: -value for monomial, value in terms.terms.items()})


def _alphabetical(letter: str, notation: Notation) -> tuple[str, str]:
    written = notation.alphabet.name_of(letter)
    return written.casefold(), written


def _power(letter: str, power: int) -> Formula:
    return Symbol(letter) if power == 1 else Power(Symbol(letter), Number(power))


def _with(monomial: Monomial, letter: str, power: int) -> Monomial:
    return tuple(sorted((*monomial, (letter, power)))) if power else monomial


def _without(monomial: Monomial, shared: Monomial) -> Monomial:
    powers = dict(monomial)
    for letter, power in shared:
        powers[letter] = powers.get(letter, 0) - power
    return tuple(sorted((letter, power) for letter, power in powers.items() if power))
