"""The weight of the evidence that two sides which differ are a mistake of their author and not one of the reader.

Authors err in about one of three hundred claims, and a reader of other people's pages errs about as often: what it takes for an equation
may be two columns, a label or half of a longer calculation. So what tells the two apart is weighed, in points. Mistakes of authors are
mostly clean calculations with several numbers, whose result is close to what is stated or in the same unit; what was misread mostly has few
numbers and sides that are far apart or measure different things. The points were set by the verdicts on public pages that were judged by
hand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction

from symparam.core.formula import Formula, Number, Power, Product, Quotient, Symbol
from symparam.documents.checking.claims.unequal_sides import UnequalSides
from symparam.documents.checking.sides.equations import numbers_in
from symparam.documents.checking.sides.holding import holding
from symparam.documents.checking.sides.number_meanings import are_sizes, dimensions_of_side
from symparam.documents.checking.sides.unit_readings import side_of
from symparam.documents.reading.expression import Expression
from symparam.documents.reading.unit_senses import PURE
from symparam.documents.words import is_a_thing, words

ENOUGH = 3
"""The points from which on two sides that differ are called wrong."""

_ALIKE = ((6, 4), (2, 2))

_MOST_FOR_NUMBERS = 3
_FEWEST_FACTORS = 3
_CLOSE, _NEAR, _WITHIN, _FAR = Fraction(11, 10), Fraction(3, 2), 3, 100
_STEPS = (10, 100, 1000, 1024)  # Between sides that differ in a prefix or in zeros.
_MANY_DIGITS = 7
_FEW_DIGITS = 5
_EXACTLY = Fraction(3, 100)
_LONGEST_LABEL = 400  # Characters.
_COLUMNS = re.compile(r"[^\s×*·/+=,&-] {3,}(?:[\w(]|[-−+]\S)")  # Between what no operator joins.
_MARKS = " \t\r*_`$~#•+–-"  # Around what stands alone on its line.
_MARKS_OF_FORMULAS = ("`", "$")
_LABELLED = re.compile(r"[:：|│=≈>]\Z|<!\Z|\A\d{0,2}[.)]?\Z")
_AT_THE_END = re.compile(r"(?: ?[^\W\d_]+)?[ \t\r>*_`$)~✓✔.。,，;；!]*(?:[\n|│=≈→]|<[!/a-z]|\{#|\Z)")
_SLASH = re.compile(r"\d+/\d+")
_NO_WORD = re.compile(r"\\[A-Za-z]++|(?<=\d)[eE](?=[-+]?\d)|(?<![^\W\d_])[xX](?![^\W\d_])")
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"[ *_`$\\~]{0,4}+(?P<word>[^\W\d_]{2,})")
_GOES_ON = ("joins", "becomes", "so", "refers")  # The notions of words that may follow a number without its unit.


def weight(claim: UnequalSides) -> int:
    """The points for a mistake of the author."""
    return sum(points(claim) for points in EVIDENCE)


def points_for_alike(count: int) -> int:
    """The points for so many claims of its form, or rows of its columns, that hold for each one that fails: they were read rightly. A
    single one may stand beside a quoted mistake.
    """
    return next((points for least, points in _ALIKE if count >= least), 0)


def is_far(claim: UnequalSides) -> bool:
    """Whether the sides are more than a hundredfold apart, or differ in sign."""
    return claim.ratio is None or claim.ratio > _FAR


def _numbers(claim: UnequalSides) -> int:
    """One for each number of the calculation but the first, up to three; less one for sizes written together, which may be those of one
    thing: ``16x16 = 196 patches``.
    """
    if are_sizes(claim.text[claim.left.start : claim.left.end]):
        return -1
    return min(max(len(_operands(one)) for one in claim.sides) - 1, _MOST_FOR_NUMBERS)


def _plainness(claim: UnequalSides) -> int:
    """Two for an equals sign between a calculation and a number, or two amounts of one kind, without a word in them or behind, one if units
    make up for words: all was read, and nothing else can be meant. None for shares, which may be of something else, for few digits, and for
    what may be sizes or a date.
    """
    calculation = max(claim.sides, key=lambda each: not each.is_number)
    written = claim.text[calculation.start : calculation.end]
    is_equation = any(one.is_number for one in claim.sides) and (claim.is_of_one_dimension or not calculation.is_number)
    if claim.sign != "=" or not is_equation or claim.letters or are_sizes(written) or (claim.index == 0 and _SLASH.fullmatch(written)):
        return 0
    units = [each.unit for one in claim.sides for each in one.literals.values() if each.unit]
    if (
        (is_far(claim) and not claim.differs_in_zeros)
        or _all_digits(claim) < _FEW_DIGITS
        or _repetition(claim)
        or any(each.written == "%" for each in units)
    ):
        return 0
    if _has_words(claim.text[claim.left.start : claim.right.end], claim.sides) or _unit_may_follow(claim):
        return int(claim.is_of_one_dimension)
    return 2 * (claim.is_of_one_dimension or not any(each.counted for each in units))


def _has_words(text: str, sides: Iterable[Expression]) -> bool:
    """Whether a text has letters besides the units of the sides in it."""
    left = _NO_WORD.sub(" ", text)
    for unit in (each.unit for one in sides for each in one.literals.values() if each.unit):
        left = left.replace(unit.written, " ", 1)
    return _LETTER.search(left) is not None


def _closeness(claim: UnequalSides) -> int:
    """Two for sides less than a tenth apart, or by half at most in several digits, or that differ in a prefix and no digit; one for fewer
    digits, for a factor of three where nothing but numbers is named, or for just a prefix; less two for a hundredfold.
    """
    if claim.ratio is None or claim.ratio == 1:  # They differ in sign, or agree if the unit of one is that of both.
        return -2
    if claim.differs_in_zeros:
        return 2
    is_share = any(each.unit and each.unit.written == "%" for one in claim.sides for each in one.literals.values())
    has_digits = _all_digits(claim) >= _FEW_DIGITS and not (is_share or _repetition(claim))
    is_named = any(one.nouns or any(each.unit for each in one.literals.values()) for one in claim.sides)
    if claim.ratio <= _NEAR:
        return 2 if claim.ratio < _CLOSE or has_digits else 1
    if claim.ratio <= _WITHIN and has_digits and (claim.is_of_one_dimension or not is_named):
        return 1
    first, second = map(dimensions_of_side, claim.sides)
    if second != PURE and second & (first if first != PURE else second) and any(abs(claim.ratio / step - 1) <= _EXACTLY for step in _STEPS):
        return 1
    return -2 if is_far(claim) else 0


def _dimensions(claim: UnequalSides) -> int:
    """One for sides that measure the same; less one for a side with units that measures something else, two for a step that has units which
    the calculation before it lacks: ``100 (nodes) + 1 = 100 * 100 bytes``.
    """
    first, second = map(dimensions_of_side, claim.sides)
    if not first or not second or first == PURE:
        return -2 * (second not in (frozenset(), PURE) and not claim.right.is_number)  # Of a result, authors leave the units out before.
    return 1 if claim.is_of_one_dimension else -1


def _digits(claim: UnequalSides) -> int:
    """One for seven digits in both sides together."""
    return int(_all_digits(claim) >= _MANY_DIGITS)


def _slip(claim: UnequalSides) -> int:
    """One for a slip of the pen that explains the number."""
    return int(claim.judgement.is_slip)


def _agrees_beyond(claim: UnequalSides) -> int:
    """Two if the next side of the chain agrees with the left one, or the side before a calculation with the right one: the one between
    is odd, ``200 + 30 × 99 = 2170 ms = 3.17 s``.
    """
    sides, at = (claim.chain.sides, claim.index) if claim.chain is not None else ((), 0)
    pairs = [(claim.left, each) for each in sides[at + 2 : at + 3]]
    pairs += [(each, claim.right) for each in sides[max(at - 1, 0) : at] if not claim.left.is_number]
    in_numbers = [(side_of(one), side_of(other)) for one, other in pairs if not one.letters | other.letters]
    return 2 * any(holding(one, other, claim.sign) for one, other in in_numbers)


def _repeats_result(claim: UnequalSides) -> int:
    """Two for the result of a calculation, which holds, in another unit: ``64 × 50 GB = 3200 GB = 2.3 TB``."""
    if claim.chain is None or not claim.index or not (claim.right.is_number and claim.is_of_one_dimension and claim.left.is_number):
        return 0
    before = claim.chain.sides[claim.index - 1]
    return 2 * (not before.is_number and not before.letters and holding(side_of(before), side_of(claim.left), "=") is not None)


def _is_of_a_formula(claim: UnequalSides) -> int:
    """One for a calculation that a formula before it is said to equal: ``n_rep = q_heads / kv_heads = 8 / 1 = 2``."""
    before = claim.chain.sides[: claim.index] if claim.chain is not None else ()
    return int(any(each.letters and not each.is_name for each in before) and not claim.letters and not claim.left.is_number)


def _repetition(claim: UnequalSides) -> int:
    """Less one for a number that stands in the calculation already, if it does not measure the same in another unit: ``70B × 2 bytes = 70
    GB``.
    """
    stated = numbers_in(claim.right) if claim.right.is_number and not (claim.is_of_one_dimension and claim.sign == "=") else []
    return -any(each in stated for each in numbers_in(claim.left))


def _layout(claim: UnequalSides) -> int:
    """Less three if a side goes over the end of a line, or over a gap as between columns."""
    written = [claim.text[one.start : one.end] for one in claim.sides]
    return -3 * any("\n" in each.strip() or _COLUMNS.search(each) for each in written)


def _place(claim: UnequalSides) -> int:
    """One for an equation that is all its line, its cell, or what is marked as code or as a formula contains, apart from a label, marks and
    further sides.
    """
    if claim.sign != "=" or claim.left.is_number:
        return 0
    if claim.text[claim.left.start - 1 : claim.left.start] in _MARKS_OF_FORMULAS and claim.text.startswith(
        _MARKS_OF_FORMULAS, claim.right.end
    ):
        return 1
    begins = max(claim.text.rfind("\n", 0, claim.left.start) + 1, claim.left.start - _LONGEST_LABEL)
    before = claim.text[begins : claim.left.start].strip(_MARKS)
    return int(_LABELLED.search(before) is not None and _AT_THE_END.match(claim.text, claim.right.end) is not None)


def _word_behind(claim: UnequalSides) -> int:
    """Less one if the number is not close and its unit, if any, may be in the word behind it: ``730 PB × 10 = 7.3 exabytes``."""
    unit = claim.right.literal.unit if claim.right.literal is not None else None
    is_bare = claim.right.is_number and (unit is None or not (unit.counted or unit.written == "%"))
    is_close = claim.ratio is not None and claim.ratio < _CLOSE
    return -(is_bare and not is_close and _unit_may_follow(claim))


def _unit_may_follow(claim: UnequalSides) -> bool:
    """Whether the word behind the number may be its unit: neither what people count nor the beginning of something else,
    behind a number that is new.
    """
    word = _WORD.match(claim.text, claim.right.end)
    is_known = word is not None and (is_a_thing(word["word"]) or any(words(each).is_one(word["word"]) for each in _GOES_ON))
    return word is not None and (not is_known or bool(_repetition(claim)))


def _quotient_of_things(claim: UnequalSides) -> int:
    """Two for a quotient of things whose result says of which it is: ``256 experts / 8 nodes = 16 experts/node``."""
    left, right = claim.sides
    written = claim.text[left.start : right.start].lower()
    things = [each.lower() for each in right.nouns if not words("per_one").is_one(each)]
    return 2 * (isinstance(left.formula, Quotient) and len(things) > 1 and all(each in written for each in things))


def _things(claim: UnequalSides) -> int:
    """Less one if both sides name what they count, and no word of one is in the other: ``27 × 12 heads = 325 layers``."""
    left, right = claim.sides
    named = bool(right.nouns) or any(literal.unit and literal.unit.counted for literal in right.literals.values())
    alike = claim.is_of_one_dimension or bool(set(left.nouns) & set(right.nouns))
    return -(bool(left.nouns) and named and not alike and not _quotient_of_things(claim))


def _leaves_factor_out(claim: UnequalSides) -> int:
    """Less four if the result is right without one of three factors amid words, which may describe the others: ``20 nodes × 32 cores ×
    256 GB = 5 TB``.
    """
    side, formula = side_of(claim.left), claim.left.formula
    factors = formula.factors if isinstance(formula, Product) else ()
    if len(factors) < _FEWEST_FACTORS or claim.letters or not _has_words(claim.text[claim.left.start : claim.left.end], (claim.left,)):
        return 0
    others = (Product((*factors[:at], *factors[at + 1 :])) for at in range(len(factors)))
    return -4 * any(holding(replace(side, formula=each), side_of(claim.right), claim.sign) for each in others)


def _all_digits(claim: UnequalSides) -> int:
    return sum(digits for one in claim.sides for digits in _operands(one))


def _operands(side: Expression) -> list[int]:
    """The significant digits of each number in a side, with one for a letter."""
    found: list[int] = []
    waiting: list[Formula] = [side.formula]
    while waiting:
        formula = waiting.pop()
        if isinstance(formula, Power) and formula.base == Number(10):
            found.append(1)  # Part of a number.
            continue
        if isinstance(formula, Number):
            found.append(len(str(formula.value).strip("-0")) or 1)
        elif isinstance(formula, Symbol):
            found.append(side.literals[formula.letter].digits if formula.letter in side.literals else 1)
        waiting += formula.parts
    return found


EVIDENCE: tuple[Callable[[UnequalSides], int], ...] = (
    _numbers,
    _plainness,
    _closeness,
    _dimensions,
    _digits,
    _slip,
    _agrees_beyond,
    _repeats_result,
    _is_of_a_formula,
    _place,
    _repetition,
    _layout,
    _word_behind,
    _quotient_of_things,
    _things,
    _leaves_factor_out,
)
"""What speaks for a mistake of the author, and what against it, each in points."""
