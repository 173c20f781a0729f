"""Training budgets: solving for operations, tokens, parameters, devices and time.

The relations are products, ``C = 6·n_p·D``, ``D = r·n_p``, ``C = F_peak·u·n_g·t``, ``F_peak = A·b_peak``. Each letter that they determine
is found by elimination on their exponents, in exact fractions: ``n_p = √(C/120)`` for r = 20.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from math import isqrt

from symparam.core.algebra.polynomial import equal
from symparam.core.combining import multiplied
from symparam.core.evaluation import evaluate
from symparam.core.formula import Formula, Power, Quotient, Root, Symbol, number
from symparam.core.frozen import frozen
from symparam.errors import FormulaError, listed

LETTERS = ("n_p", "D", "r", "C", "c", "F_peak", "u", "n_g", "t", "g", "s", "b_peak", "A")
"""Parameters, tokens, tokens per parameter, operations, operations per token, a device's peak operations per second, utilisation, devices,
seconds, device-hours, tokens per second, a device's peak bytes per second, and the ratio of both peaks in operations per byte.
"""
SIX_OPERATIONS = "six-operations"
RELATIONS: Mapping[str, Mapping[str, int]] = {
    "operations": {"C": 1, "c": -1, "D": -1},
    "time": {"C": 1, "F_peak": -1, "u": -1, "n_g": -1, "t": -1},
    "tokens": {"D": 1, "r": -1, "n_p": -1},
    "hours": {"g": 1, "3600": 1, "n_g": -1, "t": -1},
    "throughput": {"D": 1, "s": -1, "t": -1},
    "ridge": {"F_peak": 1, "A": -1, "b_peak": -1},
    SIX_OPERATIONS: {"c": 1, "6": -1, "n_p": -1},
}
"""The relations by name, each as the exponents of a product that equals 1. For a given model the operations are counted, so
``six-operations`` does not apply.
"""

Amount = int | Fraction
Exponents = dict[str, Fraction]
"""A product that equals 1: the exponents of letters, and of numbers given by their digits."""


@frozen
class Found:
    """A letter that follows from others: its formula and its value. ``exact`` is false for an irrational root, whose value
    is rounded down.
    """

    letter: str
    formula: Formula
    value: Amount
    exact: bool


@frozen
class Budget:
    """The given and the found letters. ``per_token`` is the formula of c where a model gives it; otherwise c is 6 per parameter.

    ``of`` is what D counts: ``token``, or ``sequence`` for whole inputs such as images.
    """

    given: Mapping[str, Amount] = field(hash=False)
    found: tuple[Found, ...]
    per_token: Formula | None = None
    name: str = ""
    of: str = "token"

    def value(self, letter: str) -> Amount | None:
        """The value of a letter, given or found."""
        return self.given.get(letter, next((each.value for each in self.found if each.letter == letter), None))


def budget(given: Mapping[str, Amount], per_token: Formula | None = None, name: str = "", of: str = "token") -> Budget:
    """Every letter that follows from the given ones, each a positive number. Raises `FormulaError` where they contradict each other."""
    for letter, value in given.items():
        if letter not in LETTERS:
            raise FormulaError(f"{letter} is not a letter of a budget; {listed(LETTERS)} are")
        if value <= 0:
            raise FormulaError(f"{letter} = {value} is not positive; give another number")
        if letter == "u" and value > 1:
            raise FormulaError(f"u = {value} is not a share, which is at most 1; give it as in u=0.4")
        if letter == "n_g" and Fraction(value).denominator != 1:
            raise FormulaError(f"n_g = {value} is not a number of devices; give a whole one")
    if not given:
        raise FormulaError(f"nothing follows from what is given; give numbers for some of {listed(LETTERS)}, as in -g C=1e23")
    equations = [{letter: Fraction(power) for letter, power in each.items()} for each in relations_of(per_token).values()]
    solved = _eliminated(equations, [letter for letter in LETTERS if letter not in given])
    found = []
    for letter, exponents in solved.items():
        formula = _formula(exponents, {"r": given["r"]} if "r" in given else {})
        found.append(_valued(letter, formula, given))
    if used := next((each for each in found if each.letter == "u" and each.value > 1), None):
        percent = -(-used.value * 100 // 1)
        raise FormulaError(f"this takes {percent:,} % of the peak of these devices; give more time, more devices, or less to do")
    return Budget(given, tuple(found), per_token, name, of)


def relations_of(per_token: Formula | None) -> Mapping[str, Mapping[str, int]]:
    """The relations that hold when the operations per token are a model's own, or when they are not."""
    return {name: each for name, each in RELATIONS.items() if per_token is None or name != SIX_OPERATIONS}


def _eliminated(equations: list[Exponents], unknowns: list[str]) -> dict[str, Exponents]:
    """Each unknown as a product of given letters and numbers. Raises `FormulaError` where more letters are given than are needed."""
    rows = [dict(each) for each in equations]
    done: list[tuple[str, Exponents]] = []
    for unknown in unknowns:
        pivot = next((row for row in rows if row.get(unknown)), None)
        if pivot is None:
            continue
        rows.remove(pivot)
        pivot = {letter: value / pivot[unknown] for letter, value in pivot.items()}
        rows = [_without(row, unknown, pivot) for row in rows]
        done = [(letter, _without(row, unknown, pivot)) for letter, row in done] + [(unknown, pivot)]
    for row in rows:
        if row:
            given = listed(sorted(each for each in row if not each.isdigit()))
            raise FormulaError(f"{given} are more than a budget needs; leave out one of them")
    return {
        unknown: {letter: -value for letter, value in row.items() if letter != unknown}
        for unknown, row in done
        if not any(letter in unknowns for letter in row if letter != unknown)
    }


def _without(row: Exponents, unknown: str, pivot: Exponents) -> Exponents:
    times = row.get(unknown, Fraction(0))
    found = {letter: row.get(letter, Fraction(0)) - times * pivot.get(letter, Fraction(0)) for letter in {**row, **pivot}}
    return {letter: value for letter, value in found.items() if value}


def _formula(exponents: Exponents, constants: Mapping[str, Amount]) -> Formula:
    """The product, under a root where exponents are halves; ``constants`` are letters to be written as numbers."""
    is_root = any(value.denominator == 2 for value in exponents.values())
    scale = Fraction(1)
    above: list[Formula] = []
    below: list[Formula] = []
    for letter in sorted(exponents, key=lambda each: LETTERS.index(each) if each in LETTERS else -1):
        power = int(exponents[letter] * (2 if is_root else 1))
        if letter.isdigit() or letter in constants:
            scale *= Fraction(constants.get(letter, int(letter) if letter.isdigit() else 0)) ** power
        else:
            side = above if power > 0 else below
            side.append(Symbol(letter) if abs(power) == 1 else Power(Symbol(letter), number(abs(power))))
    top, bottom = multiplied(number(scale.numerator), *above), multiplied(number(scale.denominator), *below)
    whole = top if equal(bottom.expr, number(1).expr) else Quotient(top, bottom)
    return Root(whole) if is_root else whole


def _valued(letter: str, formula: Formula, given: Mapping[str, Amount]) -> Found:
    try:
        return Found(letter, formula, evaluate(formula, given), True)
    except FormulaError:
        if not isinstance(formula, Root):
            raise
        radicand = Fraction(evaluate(formula.radicand, given))
        return Found(letter, formula, isqrt(radicand.numerator // radicand.denominator), False)
