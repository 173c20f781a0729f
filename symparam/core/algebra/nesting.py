"""The nested form: factors taken out as often as that saves letters and numbers, ``H(N(4H + 2I + 9) + P + V + 2) + IN``.

The search handles one polynomial at a time. A candidate divisor D, with ``P = D·Q + R``, is a single letter, or a sum of two terms that
divides at least two pairs of terms of P. The search continues into Q and R with the two divisors that save the most, and keeps the shorter
result; ties are broken by the order of the letters. A sum qualifies as a divisor only if all terms of D, or all of Q, have one unit, as in
``(N − N_f)`` and ``(r_k + r_q)``, so that ``(H + 2)`` is not taken out of unrelated terms. The result is deterministic, and never longer
than the polynomial multiplied out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, combinations, starmap
from math import gcd, lcm

from symparam.core.algebra.polynomial import Polynomial
from symparam.core.combining import multiplied, summed
from symparam.core.dimensions import BY_LETTER
from symparam.core.formula import Formula, Negative, Number, Power, Quotient, Symbol, number
from symparam.core.frozen import cached_property, frozen

FOLLOWED = 2  # Divisors tried at each step; with three, no family gets a shorter form and the search takes twice as long.
MAX_SEARCHED = 60  # Terms up to which pairs are compared and two divisors tried; beyond, only single letters are taken out.

Powers = tuple[int, ...]
"""The exponent of each letter, in the order of the search's letters; negative in a denominator."""
Terms = tuple[tuple[Powers, int], ...]
"""A polynomial: its terms in ascending order, each with an integer coefficient other than 0."""


@frozen
class Factored:
    """``coefficient · letters · (sum) · (sum)…``; each sum has at least two terms."""

    powers: Powers
    coefficient: int
    sums: tuple[tuple[Factored, ...], ...] = ()

    @cached_property
    def size(self) -> int:
        """The number of letters and numbers written; an exponent counts as part of its letter."""
        if not self.sums:
            return _term_size(self.powers, self.coefficient)
        return _letters(self.powers) + (abs(self.coefficient) != 1) + sum(map(_size, self.sums))

    def times(self, powers: Powers, coefficient: int) -> Factored:
        together = tuple(a + b for a, b in zip(self.powers, powers, strict=True))
        return Factored(together, self.coefficient * coefficient, self.sums)


def nest(terms: Polynomial, order: dict[str, tuple[str, str]]) -> tuple[Formula, int]:
    """The nested form of a polynomial over the rationals, and the integer by which it remains to be divided.

    ``order`` maps each letter of the polynomial to its sort key.
    """
    letters = sorted(terms.letters, key=order.__getitem__)
    divisor = lcm(*(value.denominator for value in terms.terms.values()))
    whole = {tuple(dict(powers).get(letter, 0) for letter in letters): int(value * divisor) for powers, value in terms.terms.items()}
    return _NestingSearch(tuple(letters)).nested(tuple(sorted(whole.items()))), divisor


def size(formula: Formula) -> int:
    """The number of letters and numbers in a formula; an exponent counts as part of its base."""
    parts = (formula.base,) if isinstance(formula, Power) else formula.parts
    return sum(map(size, parts)) if parts else 1


def _size(terms: tuple[Factored, ...]) -> int:
    return sum(term.size for term in terms)


def _plain_size(terms: Terms) -> int:
    return sum(starmap(_term_size, terms))


@lru_cache(maxsize=4096)
def _term_size(powers: Powers, coefficient: int) -> int:
    return (_letters(powers) + (abs(coefficient) != 1)) or 1


def _letters(powers: Powers) -> int:
    return sum(map(bool, powers))


@frozen
class _NestingSearch:
    letters: tuple[str, ...]

    @cached_property
    def found(self) -> dict[Terms, tuple[Factored, ...]]:
        return {}

    @cached_property
    def units(self) -> tuple[str, ...]:
        return tuple(BY_LETTER[letter].unit if letter in BY_LETTER else letter for letter in self.letters)

    def nested(self, terms: Terms) -> Formula:
        return self._formula(self.shortest(terms))

    def shortest(self, terms: Terms) -> tuple[Factored, ...]:
        if terms not in self.found:
            self.found[terms] = self._shortest(terms)
        return self.found[terms]

    def _shortest(self, terms: Terms) -> tuple[Factored, ...]:
        plain = tuple(Factored(powers, value) for powers, value in terms)
        if len(terms) < 2:
            return plain
        if any(shared := _shared(terms)):
            return self._product(shared, 1, _divided(terms, shared))
        if all(value < 0 for _, value in terms):
            return self._product((0,) * len(self.letters), -1, _scaled(terms, -1))
        choices = [plain]
        if (common := gcd(*(value for _, value in terms))) > 1:
            reduced = tuple((powers, value // common) for powers, value in terms)
            if 1 + _plain_size(reduced) < _plain_size(terms) or {abs(value) for _, value in reduced} == {1}:
                choices.insert(0, self._product((0,) * len(self.letters), common, reduced))
        for _, divisor, quotient, rest in self._divisions(terms)[: FOLLOWED if len(terms) <= MAX_SEARCHED else 1]:
            choices.append((self._times(divisor, self.shortest(quotient)), *self.shortest(rest)))
        return min(choices, key=_size)

    def _product(self, powers: Powers, coefficient: int, terms: Terms) -> tuple[Factored, ...]:
        inside = self.shortest(terms)
        return (inside[0].times(powers, coefficient) if len(inside) == 1 else Factored(powers, coefficient, (inside,)),)

    def _times(self, divisor: Terms, quotient: tuple[Factored, ...]) -> Factored:
        product = quotient[0] if len(quotient) == 1 else Factored((0,) * len(self.letters), 1, (quotient,))
        if len(divisor) == 1:
            return product.times(*divisor[0])
        return Factored(product.powers, product.coefficient, (tuple(Factored(*term) for term in divisor), *product.sums))

    def _divisions(self, terms: Terms) -> list[tuple[int, Terms, Terms, Terms]]:
        """The divisors that save something, best first, each as (size, divisor, quotient, remainder)."""
        divisions = chain(self._by_letters(terms), self._by_sums(terms) if len(terms) <= MAX_SEARCHED else ())
        sized = ((sum(map(_plain_size, division)), *division) for division in divisions)
        multiplied_out = _plain_size(terms)
        return sorted(each for each in sized if each[0] < multiplied_out)

    def _by_letters(self, terms: Terms) -> Iterator[tuple[Terms, Terms, Terms]]:
        for place in range(len(self.letters)):
            for power in (1, -1):
                letter = tuple(power * (other == place) for other in range(len(self.letters)))
                inside = tuple((powers, value) for powers, value in terms if powers[place] * power > 0)
                if 1 < len(inside) < len(terms):
                    rest = tuple((powers, value) for powers, value in terms if powers[place] * power <= 0)
                    yield ((letter, 1),), _divided(inside, letter), rest

    def _by_sums(self, terms: Terms) -> Iterator[tuple[Terms, Terms, Terms]]:
        pairs: dict[Terms, list[tuple[int, int, Powers, int]]] = {}
        for (place, left), (other, right) in combinations(enumerate(terms), 2):
            divisor, powers, value = _primitive(left, right)
            pairs.setdefault(divisor, []).append((place, other, powers, value))
        for divisor, found in pairs.items():
            used: set[int] = set()
            quotient = []
            for place, other, powers, value in found:
                if not used & {place, other}:  # Each term is used once.
                    used |= {place, other}
                    quotient.append((powers, value))
            if len(quotient) > 1 and (self._of_one_unit(divisor) or self._of_one_unit(quotient)):
                sign = -1 if all(value < 0 for _, value in quotient) else 1  # (N − N_f)(E + H²), not (N_f − N)(−E − H²).
                rest = tuple(term for place, term in enumerate(terms) if place not in used)
                yield _scaled(divisor, sign), tuple(sorted(_scaled(quotient, sign))), rest

    def _of_one_unit(self, terms: Iterable[tuple[Powers, int]]) -> bool:
        return len({self._unit(powers) for powers, _ in terms}) == 1

    def _unit(self, powers: Powers) -> tuple[tuple[str, int], ...]:
        return tuple(sorted((self.units[place], power) for place, power in enumerate(powers) if power))

    def _formula(self, terms: tuple[Factored, ...]) -> Formula:
        """The sum in descending degree, as when multiplied out, but starting with a positive term if there is one."""
        if not terms:
            return Number(0)
        ordered = sorted(terms, key=lambda term: (-_degree(term), tuple(-power for power in term.powers), len(term.sums)))
        first = next((place for place, term in enumerate(ordered) if term.coefficient > 0), 0)
        return summed(*map(self._product_formula, (ordered[first], *ordered[:first], *ordered[first + 1 :])))

    def _product_formula(self, term: Factored) -> Formula:
        above = [_power(letter, power) for letter, power in zip(self.letters, term.powers, strict=True) if power > 0]
        below = [_power(letter, -power) for letter, power in zip(self.letters, term.powers, strict=True) if power < 0]
        sums = sorted(map(self._formula, term.sums), key=lambda each: (size(each), str(each)))
        product = multiplied(number(abs(term.coefficient)), *above, *sums)
        written = Quotient(product, multiplied(*below)) if below else product
        return Negative(written) if term.coefficient < 0 else written


def _shared(terms: Terms) -> Powers:
    columns = list(zip(*(powers for powers, _ in terms), strict=True))
    return tuple(min(column) if min(column) > 0 else min(0, max(column)) for column in columns)


def _divided(terms: Terms, by: Powers) -> Terms:
    return tuple(sorted((tuple(a - b for a, b in zip(powers, by, strict=True)), value) for powers, value in terms))


def _primitive(left: tuple[Powers, int], right: tuple[Powers, int]) -> tuple[Terms, Powers, int]:
    """A sum of two terms as (primitive sum with a positive first term, shared letters, shared number)."""
    common = gcd(left[1], right[1]) * (1 if left[1] > 0 else -1)
    shared = tuple(max(0, min(pair)) for pair in zip(left[0], right[0], strict=True))
    (first, _), (second, _) = (_divided((term,), shared)[0] for term in (left, right))
    return ((first, left[1] // common), (second, right[1] // common)), shared, common


def _scaled(terms: Iterable[tuple[Powers, int]], number: int) -> Terms:
    return tuple((powers, value * number) for powers, value in terms)


def _degree(term: Factored) -> int:
    return sum(term.powers) + sum(max(map(_degree, inner)) for inner in term.sums)


def _power(letter: str, power: int) -> Formula:
    return Symbol(letter) if power == 1 else Power(Symbol(letter), Number(power))
