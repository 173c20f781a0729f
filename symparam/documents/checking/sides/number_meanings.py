"""Other meanings of numbers: bits, a sign elsewhere on the line, floating point, omitted sizes and units, rounding of one part, and what
stands behind.

Nothing here decides that a claim holds; it finds readings in which a failing claim would hold, so that it is not called wrong.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import ceil, floor

from symparam.core.evaluation import evaluate
from symparam.core.formula import Formula, Number, Power, Product, Quotient, Sum, Symbol, number
from symparam.core.message import Message, message
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.sides.equations import numbers_in
from symparam.documents.checking.sides.holding import holding
from symparam.documents.checking.sides.number_agreement import judge_numbers
from symparam.documents.checking.sides.unit_readings import ClaimSide, side_of
from symparam.documents.reading.expression import Expression, in_numbers
from symparam.documents.reading.unit_senses import POWERS, UNITS, Dimension, Unit
from symparam.errors import FormulaError

_BINARY = re.compile("([KMGTPE])i(B?)")
_NOISE = Fraction(1, 10**9)
_BITS = re.compile(r"[01]+")
_EXCLUSIVE = re.compile(r"\d++(?:\s?\^\s?\d++){2,}")
_TWO_BITS = 2
_SQUARED = 2
_SIZES = re.compile(r"(?:\d+ ?[*x×] )?\d+(?:[xX×]\d+)+")
_MOST_BITS = 64
_MULTIPLES = (64, 128, 256)
_RATIO = re.compile(r":\d| : ?\d")
_LEAST_MEASURED = 100  # A smaller operand counts something.
_MINUTES = re.compile(r"['′″\"](?![\w\"'])")
_QUOTED = 400  # Characters before a quotation mark in which the one that it closes stands.
_OPERATOR = re.compile(r"\s*(<<|>>|&&?(?=\s*\d)|\|(?=\s*\d+\s*[;)])|%(?=\s*\d)|\^)")
_MODULUS = re.compile(r"[\s$]{0,20}(?:\\p?mod\b|\(?mod\b)")
_THOUSAND, _LEAST_SHOWN = 1000, 3
_THOUSANDTH = Fraction(1, 1000)
_MOST_UNCLEAR = 6  # Numbers whose points are read in either way.
_MOST_TERMS = 6
_SPANS = (60, 3600, 86_400, 604_800, 2_592_000, 31_536_000, 24, 1440, 30, 365)
# Seconds of a minute, an hour, a day, a week, a month and a year, hours and minutes of a day, days of a month and a year.
_SCALES = tuple(base**power for base in (1000, 1024) for power in range(1, 5))


def measure_the_same(left: Expression, right: Expression) -> bool:
    """Whether both are numbers with units of one kind."""
    one, other = _unit_of(left), _unit_of(right)
    if one is None or other is None or "" in (one.counted, other.counted):
        return False
    return one.counted == other.counted or (one.divided != other.divided and one.dimensions == other.dimensions)  # GB/s = Gbps


def differ_in_unit(left: Expression, right: Expression) -> bool:
    """Whether they are numbers with different units of one kind: ``40 GB = 37.3 GiB``."""
    return measure_the_same(left, right) and _unit_of(left) != _unit_of(right)


def _unit_of(side: Expression) -> Unit | None:
    return side.literal.unit if side.literal else None


def decimal_unit(left: Expression, right: Expression, sign: str) -> str:
    """The decimal unit that would make the claim hold, GB for GiB, if there is one."""
    unit = _unit_of(right)
    binary = _BINARY.fullmatch(unit.written) if unit is not None else None
    if binary is None or right.literal is None or left.letters:
        return ""
    decimal = replace(UNITS[binary[1] + "B"], senses=(Fraction(1000 ** POWERS[binary[1]]),))
    meant = ClaimSide(right.formula, {letter: replace(each, unit=decimal) for letter, each in right.literals.items()})
    found = holding(side_of(left), meant, sign)
    return decimal.written if found is not None and found.code in ("exact", "rounded", "truncated") else ""


def holds_in_bits(left: Expression, right: Expression) -> bool:
    """Whether the claim holds in base two, ``1011 + 1 = 1100``, or bit by bit, ``5 ^ 3 = 6``, which is 101₂ xor 011₂."""
    if left.literals or right.literals or left.letters or right.letters:
        return False
    base, stated = left.formula, right.exact
    if isinstance(base, Power) and isinstance(base.base, Number) and isinstance(base.exponent, Number):
        first, second = base.base.value, base.exponent.value
        if isinstance(first, int) and isinstance(second, int) and first ^ second == stated:
            return True
    try:
        values = [_in_base_two(one.formula) for one in (left, right)]
        is_long = any(len(str(value)) >= _TWO_BITS for one in (left, right) for value in _numbers(one.formula))
        return is_long and None not in values and values[0] == values[1]
    except FormulaError:
        return False


def is_in_base_two(left: Expression, right: Expression, text: str) -> bool:
    """Whether one side is written in base two, and the other one is its value, ``1.1001 = 1 + 576 / 1024``, or several carets join numbers
    bit by bit: ``1^2^1^3``.
    """
    if any(_EXCLUSIVE.fullmatch(text, one.start, one.end) for one in (left, right)):
        return True
    for one, other in ((left, right), (right, left)):
        whole, point, behind = text[one.start : one.end].partition(".")
        if point and len(whole + behind) <= _MOST_BITS and _BITS.fullmatch(whole + behind):
            try:
                return evaluate(in_numbers(other), {}) == Fraction(int(whole + behind, 2), 2 ** len(behind))
            except FormulaError:
                return False
    return False


def _in_base_two(formula: Formula) -> Fraction | None:
    changed = _as_bits(formula)
    return None if changed is None else Fraction(evaluate(changed, {}))


def _as_bits(formula: Formula) -> Formula | None:
    if isinstance(formula, Number):
        written = str(formula.value)
        return Number(int(written, 2)) if _BITS.fullmatch(written) and len(written) <= _MOST_BITS else None
    if isinstance(formula, Power) or not formula.parts:
        return None
    parts = [_as_bits(part) for part in formula.parts]
    return None if None in parts else formula.with_parts(tuple(part for part in parts if part is not None))


def _numbers(formula: Formula) -> list[int | Fraction]:
    if isinstance(formula, Number):
        return [formula.value]
    return [value for part in formula.parts for value in _numbers(part)]


def is_float_result(left: Fraction | None, stated: Expression) -> bool:
    """Whether the right side is the floating-point result: ``0.1 + 0.2 = 0.30000000000000004``."""
    literal = stated.literal
    return left is not None and literal is not None and literal.last_digit < _NOISE and abs(left - literal.value) < _NOISE * abs(left)


def are_sizes(written: str) -> bool:
    """Whether it is sizes written together, or so many things of these sizes: ``16x16``, ``4 × 640×640``."""
    return bool(_SIZES.fullmatch(written))


def dimensions_of_side(side: Expression) -> frozenset[Dimension]:
    """What a side may measure; empty if its units do not tell."""
    return side_of(side).dimensions


def is_quantity(side: Expression) -> bool:
    """Whether it is a number, or a power of one with its unit: ``10²⁵ FLOPs``."""
    parts = side.formula.parts if isinstance(side.formula, Product) else ()
    return side.is_number or (len(parts) == 2 and isinstance(parts[0], Power) and bool(side.literals))


def rounds_one_part(left: Expression, right: Expression, sign: str) -> bool:
    """Whether the sides differ in the value of one part alone, which agrees as a result would: ``(10/4) × 1.25 + 1 = 3 + 1``."""
    first, second = in_numbers(left), in_numbers(right)
    if left.letters or right.letters or type(first) is not type(second) or not isinstance(first, (Sum, Product)):
        return False
    try:
        values = [Counter(Fraction(evaluate(part, {})) for part in one.parts) for one in (first, second)]
    except FormulaError:
        return False  # Too large, or divided by zero.
    common = values[0] & values[1]
    rests = [list((each - common).elements()) for each in values]
    if not common or any(len(rest) != 1 for rest in rests):
        return False
    (before,), (after,) = rests
    return holding(ClaimSide(number(before), {}), ClaimSide(number(after), {}), sign) is not None


def leaves_last_term_out(left: Expression, right: Expression, sign: str) -> bool:
    """Whether the claim holds without the last term, which counts something else: ``11 runs × 200 items + 2 references = 2200``."""
    side = side_of(left)
    if left.letters or not left.nouns or not isinstance(side.formula, Sum):
        return False
    *terms, last = side.formula.terms
    if last.letters & {letter for letter, literal in side.literals.items() if literal.unit}:
        return False
    meant = replace(side, formula=Sum(tuple(terms)) if len(terms) > 1 else terms[0])
    return holding(meant, side_of(right), sign) is not None


def lacks_exponent(left: Expression, right: Expression, sign: str) -> bool:
    """Whether it holds if one number, or each with a final 2, is squared, as where raised digits were lost: ``0 + 0.75 + 0 = 0.5625``."""
    side, literals = side_of(left), left.literals
    if left.letters or right.letters or not literals or any(each.unit for each in literals.values()):
        return False
    raised = {
        letter: replace(
            each, value=Fraction(int(each.value / each.last_digit) // 10, 1) * each.last_digit * 10, last_digit=each.last_digit * 10
        )
        for letter, each in literals.items()
        if 0 < each.last_digit < 1 and int(each.value / each.last_digit) % 10 == _SQUARED
    }
    squares = {letter: Power(Symbol(letter), Number(_SQUARED)) for letter in literals}
    tried = [replace(side, formula=side.formula.substitute({letter: squares[letter]})) for letter in [*literals][:_MOST_TERMS]]
    if raised:
        tried.append(ClaimSide(side.formula.substitute({letter: squares[letter] for letter in raised}), {**literals, **raised}))
    return any(holding(each, side_of(right), sign) for each in tried)


def multiplies_by_noun(left: Expression, right: Expression) -> bool:
    """Whether words after the left side may stand for further factors of the right one: ``224×224 RGB = 224 × 224 × 3``."""
    if not left.nouns or not isinstance(right.formula, Product):
        return False
    return Counter(numbers_in(left)) < Counter(numbers_in(right))


def holds_with_thousands(left: Expression, right: Expression, sign: str) -> bool:
    """Whether the claim holds if points before three digits separate thousands in some of its numbers: ``3 × 1.024 = 3072``."""
    sides = side_of(left), side_of(right)
    unclear = [letter for one in sides for letter, each in one.literals.items() if each.last_digit == _THOUSANDTH and each.value >= 1]
    if left.letters or right.letters or len(unclear) > _MOST_UNCLEAR:
        return True
    for chosen in (some for count in range(1, len(unclear) + 1) for some in combinations(unclear, count)):
        first, second = (_with_thousands(one, chosen) for one in sides)
        try:
            if judge_numbers(first, second, sign).verdict is Verdict.HOLDS:
                return True
        except FormulaError:
            return True  # Too large, or divided by zero.
    return False


def _with_thousands(side: ClaimSide, chosen: Collection[str]) -> ClaimSide:
    return replace(
        side,
        literals={
            letter: replace(each, value=each.value / _THOUSANDTH, last_digit=Fraction(1)) if letter in chosen else each
            for letter, each in side.literals.items()
        },
    )


def lacks_a_unit(left: Expression, right: Expression, sign: str) -> bool:
    """Whether a sum holds if its terms without a unit are given one: ``86 × 2 - 35,000 MB = 137,000 MB``, where 86 are GB; or if none has
    one, and one of them is in a smaller unit than the result: ``6.5 + 0.25 × 50 × 1,200 = 21.5 GB``, where 0.25 are MB.
    """
    side, own = side_of(left), right.literal.unit if right.literal is not None else None
    if left.letters or not isinstance(side.formula, Sum) or len(side.formula.terms) > _MOST_TERMS:
        return False
    named = {letter for letter, literal in side.literals.items() if literal.unit}
    measured = [bool(term.letters & named) for term in side.formula.terms]
    places = range(len(measured))
    if any(measured):
        tried = [([at for at in places if not measured[at]], scale) for scale in _SCALES]
    else:
        tried = [([at], Fraction(1, scale)) for at in places for scale in _SCALES] if own is not None and own.counted == "bytes" else []
    for scaled, scale in tried:
        terms = (Product((number(scale), term)) if at in scaled else term for at, term in enumerate(side.formula.terms))
        if holding(replace(side, formula=Sum(tuple(terms))), side_of(right), sign) is not None:
            return bool(scaled)
    return False


def leaves_span_out(left: Expression, right: Expression, sign: str) -> bool:
    """Whether the claim holds with a span of time that the author left out, as it stands in hours or is of each day: ``8.76 / 12 = 43.8
    minutes``, ``45M posts × 1.5 KB × 5 years = 123 TB``.
    """
    side, stated = side_of(left), side_of(right)
    counted = [{each.unit.counted for each in one.literals.values() if each.unit} - {""} for one in (side, stated)]
    is_of_time = counted == [set(), {"seconds"}]
    if left.letters or left.is_number or not right.is_number or not (is_of_time or bool(counted[0]) == bool(counted[1])):
        return False
    meant = (form for span in map(number, _SPANS) for form in (Product((span, side.formula)), Quotient(side.formula, span)))
    return any(holding(replace(side, formula=each), stated, sign) for each in meant)


def rounds_up(left: Expression, right: Expression, sign: str) -> bool:
    """Whether the claim holds with each quotient rounded up, or down, as when something is divided into blocks: ``1024 / 768 = 2``,
    ``25 × (1000 / 32) = 775``; or with a whole quotient rounded up, or after a sign of approximation any result: ``2.48² ≈ 7``.
    """
    if left.letters or not isinstance(right.exact, int):
        return False
    formula = left.formula.substitute({letter: number(literal.usual) for letter, literal in left.literals.items()})
    try:
        found = {evaluate(_in_whole_quotients(formula, rounded), {}) for rounded in (ceil, floor)}
        is_one = isinstance(formula, Quotient) or sign == "≈"
        return right.exact in found or (is_one and right.exact == ceil(Fraction(evaluate(formula, {}))))
    except FormulaError:
        return False


def rounds_an_operand(left: Expression, right: Expression) -> bool:
    """Whether a number stands before a product of which one operand is a rounded one, as measured values are: ``1,979 = 989 × 2``, where
    989.4 is meant.
    """
    stated = left.literal.value if left.literal is not None else left.exact
    if stated is None or not isinstance(right.formula, Product) or right.letters or right.literals:
        return False
    try:
        found = abs(Fraction(evaluate(right.formula, {})))
    except FormulaError:
        return False  # Too large, or divided by zero.
    off = 2 * abs(abs(Fraction(stated)) - found) - 1  # The stated number is rounded as well.
    return any(value >= _LEAST_MEASURED and off * value <= found for value in _numbers(right.formula) if isinstance(value, int))


def cuts_an_operand_off(left: Expression, right: Expression) -> bool:
    """Whether it holds if an operand in thousands or more, of three digits at least, is cut off: ``578K / 200 = 2,894``."""
    stated = right.exact
    if stated is None or left.letters:
        return False
    for letter, each in left.literals.items():
        if each.unit is None or each.unit.senses[0] < _THOUSAND or each.digits < _LEAST_SHOWN:
            continue
        ends = (
            replace(side_of(left), literals={**left.literals, letter: replace(each, value=each.value + off)})
            for off in (0, each.last_digit)
        )
        try:
            low, high = sorted(_usual(end) for end in ends)
        except FormulaError:
            continue  # Too large, or divided by zero.
        if low <= stated <= high:
            return True
    return False


def _usual(side: ClaimSide) -> Fraction:
    return Fraction(evaluate(side.formula, {letter: each.usual for letter, each in side.literals.items()}))


def is_next_multiple(value: Fraction | None, right: Expression) -> bool:
    """Whether the right side is a fraction rounded up to a multiple that hardware prefers: ``4096 × 8 / 3 = 11008``."""
    return (
        value is not None
        and value.denominator > 1
        and value > max(_MULTIPLES)
        and right.exact in {ceil(value / each) * each for each in _MULTIPLES}
    )


def _in_whole_quotients(formula: Formula, rounded: Callable[[Fraction], int]) -> Formula:
    if not formula.parts:
        return formula
    inside = formula.with_parts(tuple(_in_whole_quotients(part, rounded) for part in formula.parts))
    value = Fraction(evaluate(inside, {})) if isinstance(inside, Quotient) else Fraction(0)
    return number(rounded(value)) if value > 1 else inside  # Less than one is a share.


def behind(text: str, end: int) -> Message | None:
    """The text directly after the stated side, which may change its meaning."""
    if text.startswith("!", end) and not text.startswith("!=", end):
        return message("maybe-factorial")
    if _RATIO.match(text, end):
        return message("maybe-behind-colon")
    if _MINUTES.match(text, end) and not _closes_quotation(text, end):
        return message("maybe-minutes")
    if operator := _OPERATOR.match(text, end):
        return message("unread-behind", sign=operator[1])
    return None


def is_congruence(text: str, end: int) -> bool:
    """Whether the chain that ends here is a congruence: ``8 + 5 = 7 + 6 = 6 mod 7``."""
    return _MODULUS.match(text, end) is not None


def _closes_quotation(text: str, end: int) -> bool:
    """Whether the mark at this place is the second one of its kind on its line, or the fourth."""
    begins = max(text.rfind("\n", 0, end) + 1, end - _QUOTED)
    return text.count(text[end], begins, end) % 2 == 1
