"""The grounds against calling a claim wrong that lie in its sides: what one of them may mean besides."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import ceil

from symparam.core.formula import Sum
from symparam.core.frozen import frozen
from symparam.documents.checking.basis.knowledge import Knowledge
from symparam.documents.checking.claims.unequal_sides import SLIP, UnequalSides, terms_of_sides
from symparam.documents.checking.entries.labelled_quantities import digits_of
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.sides import number_meanings
from symparam.documents.checking.sides.equations import in_per_cent, is_gain
from symparam.documents.checking.sides.intervals import agree_if_rounded
from symparam.documents.checking.sides.missing_brackets import lacks_brackets
from symparam.documents.checking.sides.number_agreement import is_power_of_ten, judge_numbers
from symparam.documents.checking.sides.unit_readings import ClaimSide, side_of
from symparam.documents.reading.expression import Expression, Literal
from symparam.documents.words import is_a_thing
from symparam.documents.words.scripts import SPACED

_FOR_EACH = re.compile(r"[^\W\d_] ?/ ?[^\W\d_]{2}")
_UNKNOWNS = frozenset("xyz")  # The letters that equations are commonly solved for.
_SMALL = frozenset("εϵδ")  # Quantities whose powers are neglected.
_ZEROS = Fraction(1, 10)  # Rounding that leaves zeros at the end of a number takes away no more than this.
_MAGNITUDE = 5  # A power of ten may stand for numbers up to this factor above it.
_ROUGHLY = Fraction(1, 40)  # The tolerance of "about" with a number of few digits.
_HALF = Fraction(1, 2)
_FEW_DIGITS = 3
_PAID = re.compile(r"[$€£¥]\d")
_FEW_THINGS = 100
_TWO_NUMBERS = re.compile(r"(\d{1,9}+(?>(?:\.\d{1,4})?)) ?/ ?(\d{1,9}+(?>(?:\.\d{1,4})?))")
_SLASHES = re.compile(r"\d+(?:/\d+){2,}")
_LOST = Fraction(1, 2**23)  # A number of 32 bits loses terms that are a smaller share of it: 16777216 + 1 = 16777216.
_UNIT_OF_ROWS = re.compile(r"[(\[](?:[KMGT]i?B|bytes|[mµ]?s|%)[)\]]")
_ROWS = 800  # Characters before a row that may hold the head of its table.
_WORD_BEHIND = re.compile(rf"[ \t\xa0]?([{SPACED}]{{2,12}})(?![{SPACED}\d_])")
_MANY = re.compile(r"(?<![\w.,])(\d{1,3}(?>(?:,\d{3}){1,3})|\d{1,12})([kKMB]?) ?(?:[^\W\d_]{1,12} ?){1,3}\Z")  # 1M images of
_SCALES = {"k": 1_000, "K": 1_000, "M": 10**6, "B": 10**9}
_WORDS_OF_MANY = 60
_BEHIND_NUMBER = re.compile(r"\d[ \t\xa0]?\Z")
_THOUSANDS = tuple(Fraction(1000) ** power for power in range(1, 5))
_WORD_IN_SUM = re.compile(r"(?<![^\W\d_])[^\W\d_]{3,}+[ \t]*+[+＋]")


@frozen
class Ground:
    """A ground against calling a claim wrong: its name, and a function that says when it applies."""

    code: str
    applies_to: Callable[[UnequalSides], bool]


def _adds_per_cent(side: Expression) -> bool:
    """Whether a percentage is added in the sense of "a fifth more": ``140 GB + 20 %``."""
    percent = {letter for letter, literal in side.literals.items() if literal.unit and literal.unit.written == "%"}
    return bool(percent) and isinstance(side.formula, Sum) and any(not part.letters & percent for part in side.formula.terms)


def _rounds_on_the_way(claim: UnequalSides) -> bool:
    """Whether the right side is an intermediate step with decimals that the left one does not have: ``50/32 + 50/3 = 1.56 + 16.7``."""
    goes_on = claim.chain is not None and claim.right is not claim.chain.sides[-1]
    if claim.right.is_number or not (goes_on or any(each.unit for each in claim.left.literals.values())):
        return False
    known = {each.value for each in claim.left.literals.values()}
    return any(0 < each.last_digit < 1 and each.value not in known for each in claim.right.literals.values())


def _has_rounded_operands(claim: UnequalSides) -> bool:
    """Whether operands, or the values of letters, ``C = 4.6e14``, may be rounded so that the sides are the same number."""
    left, right = (_with_values(one, claim.knowledge) for one in claim.sides)
    return left is not None and right is not None and agree_if_rounded(left, right, claim.sign)


def _with_values(side: Expression, knowledge: Knowledge) -> ClaimSide | None:
    """The side with the numbers that the page gives for its letters, each as precise as its last digit that is not zero."""
    if not side.letters:
        return side_of(side)
    values = knowledge.values(side.letters)
    if values is None or not all(isinstance(value, int) and value for value in values.values()):
        return None
    shown = {letter: str(value).rstrip("0") for letter, value in values.items()}
    given = {
        letter: Literal(value, Fraction(10 ** (len(str(value)) - len(shown[letter]))), None, len(shown[letter]))
        for letter, value in values.items()
    }
    return replace(side_of(side), literals={**side.literals, **given})


def _is_roughly(claim: UnequalSides) -> bool:
    """Whether a number of few digits, or a power of two, after a sign of approximation is close enough: ``14 × 65 ≈ 900``, ``≈ 1024``."""
    number, literal = claim.right.exact, claim.right.literal
    stated = literal.value if literal is not None else Fraction(0)
    if claim.sign == "≈" and stated % 1 == _HALF and claim.ratio is not None and (claim.ratio - 1) * stated <= _HALF / 2:
        return True  # To the next half: 200 seconds ≈ 3.5 minutes.
    is_round = digits_of(claim.right) <= _FEW_DIGITS or (isinstance(number, int) and number > 0 and not number & (number - 1))
    return claim.sign == "≈" and claim.ratio is not None and claim.ratio - 1 <= _ROUGHLY and is_round


def _is_of_many(claim: UnequalSides) -> bool:
    """Whether a number before the amount on the left may say how many such there are: ``1M images of 256KB = 256GB``."""
    if not claim.left.is_number or claim.index or claim.ratio is None:
        return False
    before = _MANY.search(claim.text, max(0, claim.left.start - _WORDS_OF_MANY), claim.left.start)
    many = Fraction(before[1].replace(",", "")) * _SCALES.get(before[2], 1) if before else 0
    return abs(many - claim.ratio) <= claim.ratio / 20


def _loses_a_term(claim: UnequalSides) -> bool:
    """Whether the other side is the largest term of a sum, beside which numbers of 32 bits lose the rest."""
    left, right = claim.judgement.left, claim.judgement.right
    said, stated = (claim.text[each.start : each.end] for each in claim.sides)
    is_sum = isinstance(claim.left.formula, Sum) and claim.right.is_number and bool(stated) and stated in said
    return is_sum and left is not None and right is not None and 0 < abs(left - right) < _LOST * abs(right)


def _is_of_rounded_rows(claim: UnequalSides) -> bool:
    """Whether it is a sum in a row below a head with a unit, each number of which is rounded: ``| Host | 1476 = 1208 + 105 + 162 |``."""
    total, parts = claim.sides if isinstance(claim.right.formula, Sum) else reversed(claim.sides)
    left, right = claim.judgement.left, claim.judgement.right
    if not (isinstance(parts.formula, Sum) and total.is_number) or left is None or right is None:
        return False
    rows = claim.text[max(0, total.start - _ROWS) : total.start].split("\n")
    is_row = "|" in rows[-1] and any("|" in row and _UNIT_OF_ROWS.search(row) for row in rows[:-1])
    return is_row and 2 * abs(left - right) <= len(parts.formula.terms)


def _is_rounded_at_zeros(claim: UnequalSides) -> bool:
    """Whether the difference is within the zeros that the number ends in, in one sense of its unit, ``93.8 MB = 90 MB``, or of an operand
    with decimals, which is an estimate: ``830 × 0.3 = 250``.
    """
    literal, found = claim.right.literal, claim.judgement.left
    if any(each.last_digit < 1 for each in claim.left.literals.values()) and isinstance(claim.right.exact, int) and found:
        last = int(10 ** (len(str(claim.right.exact)) - len(str(claim.right.exact).rstrip("0"))))
        return 2 * abs(found - claim.right.exact) <= last < claim.right.exact * _ZEROS
    if literal is None or literal.unit is None or literal.last_digit != 1 or not found or found * literal.value <= 0:
        return False
    shown = str(literal.value)
    last = 10 ** (len(shown) - len(shown.rstrip("0")))
    is_shared = any(each.unit and each.unit.written == literal.unit.written for each in claim.left.literals.values())
    scaled = [found / sense for sense in literal.unit.senses[: 1 if is_shared else None]]
    return last > 1 and any(abs(each - literal.value) * 2 <= last and abs(each / literal.value - 1) < _ZEROS for each in scaled)


def _is_above(claim: UnequalSides) -> bool:
    """Whether the last digit of memory is rounded up after a sign of approximation, as it has to suffice: 13.224 GiB ``≈ 13.23 GiB``."""
    rounded = claim.judgement.rounded
    return (
        claim.sign == "≈"
        and rounded is not None
        and 0 < rounded.stated - rounded.exact < rounded.last_digit
        and side_of(claim.right).counted == "bytes"
    )


def _is_nearly_product(claim: UnequalSides) -> bool:
    """Whether a value is close to a product of letters: beside T = 2 and H = 768, the TH of ``TH = 1,546`` is hardly a name."""
    return claim.ratio is not None and claim.ratio - 1 <= _ROUGHLY and digits_of(claim.right) >= _FEW_DIGITS


def _is_share_of_something(claim: UnequalSides) -> bool:
    """Whether percentages are shares of a whole that is named elsewhere: ``10% + 5% = 24 + 12``."""
    percent = [any(each.unit and each.unit.written == "%" for each in one.literals.values()) for one in claim.sides]
    return percent[0] != percent[1] and not claim.right.is_number


def _is_paid_for(claim: UnequalSides) -> bool:
    """Whether times, which are computed with in seconds, are paid for, ``6 people × 3 weeks × $150/hr = $108,000``, 40 hours a week, or
    memory is, whose price is one for a larger unit: ``$37K / 141 GB = $262 per GB``.
    """
    left, right = ({each.unit.counted for each in one.literals.values() if each.unit} for one in claim.sides)
    return not {"seconds", "bytes"}.isdisjoint(left - right) and _PAID.search(claim.text, claim.left.start, claim.right.end) is not None


def _are_of_money_and_things(claim: UnequalSides) -> bool:
    """Whether only one of two calculations is about money: ``500 input + 200 output tokens = 500M × $30/1M + 200M × $60/1M``."""
    paid = [_PAID.search(claim.text, one.start, one.end) is not None for one in claim.sides]
    return paid[0] != paid[1] and not (claim.left.is_number or claim.right.is_number)


def _is_of_two_numbers(claim: UnequalSides) -> bool:
    """Whether a slash stands between two numbers whose difference is given: ``149.50 / 150.00 = $0.50``, what is offered and asked."""
    numbers = _TWO_NUMBERS.fullmatch(claim.text[claim.left.start : claim.left.end])
    return numbers is not None and abs(Fraction(numbers[1]) - Fraction(numbers[2])) == claim.judgement.right


def _is_next_whole(claim: UnequalSides) -> bool:
    """Whether a few things are counted, of which there are no parts, by numbers with decimals: ``3.3 + 5 = 9``."""
    found, stated = claim.judgement.left, claim.right.exact
    has_parts = any(each.last_digit < 1 for each in claim.left.literals.values())
    return has_parts and found is not None and isinstance(stated, int) and 0 < stated < _FEW_THINGS and stated == ceil(found)


def _are_lists(claim: UnequalSides) -> bool:
    """Whether both sides are equally many whole numbers with slashes between them, such as the sizes of stages: ``2/3/4/5=2/8/3/2``."""
    listed = [_SLASHES.fullmatch(claim.text[one.start : one.end]) for one in claim.sides]
    return all(listed) and len({match[0].count("/") for match in listed if match is not None}) == 1


def _is_of_one_magnitude(claim: UnequalSides) -> bool:
    """Whether a sign of approximation stands between two calculations of one order of magnitude, or before a bare power of ten: they show
    no digits that could be wrong, ``3⁵ ≈ 2⁸``.
    """
    left, right = claim.judgement.left, claim.judgement.right
    if claim.sign != "≈" or claim.ratio is None or not left or not right:
        return False
    if is_power_of_ten(claim.right.formula):
        return 1 <= left / right < _MAGNITUDE  # The number may be cut off after its power.
    return claim.ratio < SLIP and not claim.right.is_number


def _may_be_last_term(claim: UnequalSides) -> bool:
    """Whether words split a sum, and its last term alone equals the right side: ``400M input + 200K × 500 = 100M output``."""
    left, formula = claim.left, claim.left.formula
    if claim.letters or not isinstance(formula, Sum) or not _WORD_IN_SUM.search(claim.text, left.start, left.end):
        return False
    last = replace(side_of(left), formula=formula.terms[-1])
    return judge_numbers(last, side_of(claim.right), claim.sign).verdict is Verdict.HOLDS


def _has_amounts_in_brackets(claim: UnequalSides) -> bool:
    """Whether a bracket gives the amount of a term in what the result measures: ``2 values (16 bytes) + 126 × 1 bit = 32 bytes``."""
    counted = side_of(claim.right).counted
    amounts = (side_of(each.literal).counted for each in claim.left.repeats)
    return bool(counted) and isinstance(claim.left.formula, Sum) and counted in amounts


def _may_be_scaled_in_words(claim: UnequalSides) -> bool:
    """Whether a power of a thousand is all that a number lacks, and the word behind it, which counts nothing known, stands on the page
    behind numbers alone: ``3 × 4096 × 14336 ≈ 176 juta``, which is Indonesian for a million.
    """
    right, found = claim.right, claim.judgement.left
    behind = _WORD_BEHIND.match(claim.text, right.end) if right.is_number and found else None
    if behind is None or found is None or is_a_thing(behind[1]) or claim.judgement.right is None:
        return False
    stated, last = claim.judgement.right, right.literal.last_digit if right.literal is not None else Fraction(1)
    if not any(-last / 2 <= found / scale - stated < last for scale in _THOUSANDS):
        return False
    places = re.finditer(rf"(?<![{SPACED}]){re.escape(behind[1])}(?![{SPACED}])", claim.text)
    return all(_BEHIND_NUMBER.search(claim.text, max(0, each.start() - 2), each.start()) for each in places)


def _is_for_each(claim: UnequalSides) -> bool:
    """Whether a smaller amount is for each of something, by which the larger one may be divided: ``1 × 42 ms = 0.65 ms/token``."""
    measured = any(each.unit and each.unit.counted for each in claim.left.literals.values())
    left, right = claim.judgement.left, claim.judgement.right
    is_less = left is not None and right is not None and 0 < 2 * right < left
    divides = "/" in claim.text[claim.left.start : claim.left.end]
    return measured and is_less and not divides and _FOR_EACH.search(claim.text, claim.right.start, claim.right.end) is not None


def _may_be_solved(claim: UnequalSides) -> bool:
    """Whether two unknowns are in it, or nothing but unknowns, so that it holds at their solution or in a ring: ``x³ = x + 1``."""
    unknown = claim.letters & _UNKNOWNS
    return len(unknown) > 1 or (claim.judgement.left is None and unknown == claim.letters != frozenset())


def _neglects_powers(claim: UnequalSides) -> bool:
    """Whether the sides differ only in higher powers of a small quantity: ``(1 + ε)² = 1 + 2ε``."""
    small = {claim.knowledge.strange.get(letter, letter) for letter in claim.letters & _SMALL}
    first, second = terms_of_sides(claim) if small else ({}, {})
    differ = first.items() ^ second.items()
    return bool(differ) and all(any(letter in small and power > 1 for letter, power in monomial) for monomial, _ in differ)


AGAINST: tuple[Ground, ...] = (
    Ground(
        "maybe-bits", lambda claim: number_meanings.holds_in_bits(*claim.sides) or number_meanings.is_in_base_two(*claim.sides, claim.text)
    ),
    Ground("floating-point", lambda claim: number_meanings.is_float_result(claim.judgement.left, claim.right)),
    Ground("floating-point", _loses_a_term),
    Ground("maybe-lists", _are_lists),
    Ground("maybe-lists", _is_of_two_numbers),
    Ground("other-kind", _are_of_money_and_things),
    Ground("unit-left-out", _is_paid_for),
    Ground("unit-left-out", _is_for_each),
    Ground("maybe-scale-in-words", _may_be_scaled_in_words),
    Ground("words-before", _is_of_many),
    Ground("roughly", _is_roughly),
    Ground("one-magnitude", _is_of_one_magnitude),
    Ground("maybe-last-term", _may_be_last_term),
    Ground("maybe-without-last-term", lambda claim: number_meanings.leaves_last_term_out(*claim.sides, claim.sign)),
    Ground("maybe-lost-exponent", lambda claim: number_meanings.lacks_exponent(*claim.sides, claim.sign)),
    Ground("maybe-in-brackets", lambda claim: lacks_brackets(*claim.sides, claim.sign)),
    Ground("rounded-at-zeros", _is_rounded_at_zeros),
    Ground("shares-of-a-whole", _is_share_of_something),
    Ground("rounded-operands", _has_rounded_operands),
    Ground("rounded-operands", _is_of_rounded_rows),
    Ground("rounded-operands", lambda claim: claim.sign == "=" and number_meanings.rounds_an_operand(claim.left, claim.right)),
    Ground("rounded-operands", lambda claim: number_meanings.cuts_an_operand_off(claim.left, claim.right)),
    Ground("rounded-step", lambda claim: _rounds_on_the_way(claim) or number_meanings.rounds_one_part(*claim.sides, claim.sign)),
    Ground("words-in-bracket", _has_amounts_in_brackets),
    Ground("words-may-multiply", lambda claim: number_meanings.multiplies_by_noun(*claim.sides)),
    Ground("unit-left-out", lambda claim: number_meanings.lacks_a_unit(*claim.sides, claim.sign)),
    Ground("unit-left-out", lambda claim: digits_of(claim.right) > 1 and number_meanings.leaves_span_out(*claim.sides, claim.sign)),
    Ground("maybe-single-name", lambda claim: (claim.right.has_repeated_letter or claim.left.is_word) and not _is_nearly_product(claim)),
    Ground("maybe-to-be-solved", _may_be_solved),
    Ground("maybe-neglected", _neglects_powers),
    Ground("maybe-rounded-up", lambda claim: number_meanings.rounds_up(*claim.sides, claim.sign)),
    Ground("maybe-rounded-up", lambda claim: number_meanings.is_next_multiple(claim.judgement.left, claim.right)),
    Ground("maybe-rounded-up", _is_above),
    Ground("maybe-rounded-up", _is_next_whole),
    Ground("percentage-of-number", lambda claim: any(map(_adds_per_cent, claim.sides))),
    Ground("maybe-gain", lambda claim: is_gain(*claim.sides, claim.judgement.left, claim.judgement.right)),
    Ground("maybe-per-cent", lambda claim: in_per_cent(claim.left, claim.judgement.left, claim.judgement.right)),
)
"""Grounds in the sides themselves, in addition to doubts from reading and to what `_beside` finds around them."""
