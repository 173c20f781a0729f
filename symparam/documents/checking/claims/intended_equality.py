"""The gate before *wrong*: the grounds for taking two sides to be meant as equal, and the grounds against it.

A link that holds in none of its readings is called wrong only if a ground in `FOR` shows from the sides themselves that one is meant to
equal the other, and no ground in `AGAINST` gives a reason to doubt that, or to doubt the reading. Otherwise it is undecided, and the reason
says which ground is missing or speaks against it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from symparam.core.algebra.polynomial import Monomial
from symparam.core.message import Message, message
from symparam.documents.checking.claims.grounds_against import AGAINST
from symparam.documents.checking.claims.repeated_numbers import is_slip_of_repeated
from symparam.documents.checking.claims.unequal_sides import SLIP, UnequalSides, terms_of_sides
from symparam.documents.checking.claims.weight_of_evidence import ENOUGH, is_far, weight
from symparam.documents.checking.entries.labelled_quantities import digits_of
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.sides import number_meanings
from symparam.documents.checking.sides.equations import numbers_in, other_units_reason, restatement_reason
from symparam.documents.checking.sides.number_agreement import Judgement, is_power_of_ten, judge_numbers
from symparam.documents.checking.sides.unit_readings import side_of
from symparam.documents.reading.chains import COPIED, EqualityChain
from symparam.documents.reading.copied_formulas import is_doubled
from symparam.documents.reading.expression import Expression
from symparam.documents.roles.runs import formats_in
from symparam.documents.rules.rule import in_force
from symparam.documents.words import words

_CONVERTED = Fraction(6, 5)  # Two amounts that differ more are not one amount in two units: a 36 GB computer with 27 GiB to use.
_DEFINED = Fraction(
    5, 4
)  # The same for formulas in different letters, where an equation may be what one of them was chosen for: 3IH = 8H².
_LARGE = 1000
_MANY_DIGITS = 4
_NAME = re.compile(r"\d+x\d+(?:\.\d+)?[BMT]")  # Of a model: 8x7B.
_GLUED_BEFORE = re.compile(r"[A-Za-z@&]")  # The first number is the end of something longer: v1.2
_AUGMENTED = re.compile(r"[-+*/%|&^]= ?\Z")  # 20 *= 1/2 = 10
_SPLIT = re.compile(r"(?<![\d,.])\d{1,3}, \Z")  # The 5 of ``+ 5, 120 + 1,000 =``, which may be 5,120.
_GROUP = re.compile(r"\d{3}(?![\d,.])")
_OPENS = re.compile(r"[`$]\w|</\w")
_COLUMN = re.compile(r"\S {3,}")
_GLUED_BEHIND = re.compile(r"[A-Za-z]")
_ASKED = re.compile(r"[*`$)）]{0,4}[?？]")
_CODE_APART = re.compile(r"`\s*[^\W\d_]{2,}\s*`")
_WORD = re.compile(r"[ *_`$)]{0,4}+[^\W\d_]")
_NOTE = re.compile(r"[ *_`$]{0,4}+(?:[^\W\d_]++[ ]){0,2}[(（]([^()（）\n]{1,60})[)）]")  # 7 + 5 = 10 tokens (capped at 10)
_LAST_FACTOR = re.compile(r"[×*·x] ?([1248])\s{0,3}\Z")
_PARAGRAPH = 300  # Characters before a calculation that may name the format of its values.
_NOTED = ("limits", "adjusts")
"""The notions of words in a note behind a result that make it another one than the calculation gives."""
_FUNCTION = re.compile(r"\\?(?:sqrt|l?ceil|l?floor)|[√⌈⌊]")  # Of numbers, which is read as its value.
_PI = re.compile(r"(?<![A-Za-z_])pi(?![A-Za-z_])")


UNMEANT = 2
"""The points that a claim lacks of which nothing but others of its form can say that its sides are meant to be equal."""


def wrong_or_undecided(claim: UnequalSides) -> Judgement:
    """The verdict on a claim that does not hold: what was found, or undecided, with the ground against calling it wrong."""
    is_meant = not in_force("not-meant") or any(ground(claim) for ground in FOR.values())
    doubt = next(_against(claim), None)
    lacking = _lacking(claim, is_meant) if doubt is None else 0
    if not is_meant:
        doubt = message("not-meant")
    elif lacking > 0:
        doubt = message("little-evidence")
    if doubt is None:
        return claim.judgement
    found = claim.judgement
    unclear = Judgement(Verdict.UNDECIDED, "unclear", message("but", said=found.reason, doubt=doubt), found.left, found.right)
    return replace(unclear, otherwise=found, lacking=lacking) if lacking > 0 and not is_far(claim) else unclear


def _lacking(claim: UnequalSides, is_meant: bool) -> int:
    """The points of evidence that a claim lacks, against which nothing speaks."""
    if claim.judgement.left is None or not in_force("little-evidence"):
        return 0
    if claim.letters and not is_meant:
        return UNMEANT
    if not claim.text:
        return 0  # There is nothing around the sides to weigh.
    return ENOUGH - weight(claim) if is_meant else max(UNMEANT, ENOUGH - weight(claim))


def not_meant(found: Judgement, lacking: int = 0) -> Judgement:
    """The verdict on sides that differ, if nothing says that they are meant to be equal, but so many points of evidence might."""
    reason = message("but", said=found.reason, doubt=message("not-meant"))
    return replace(found, verdict=Verdict.UNDECIDED, code="unclear", reason=reason, otherwise=found if lacking else None, lacking=lacking)


def _against(claim: UnequalSides) -> Iterator[Message]:
    for each in (doubt for one in claim.sides for doubt in one.doubts if in_force(doubt.kind)):
        if each.kind != "maybe-thousands-point" or number_meanings.holds_with_thousands(*claim.sides, claim.sign):
            yield each
    if (restated := restatement_reason(*claim.sides)) is not None and in_force(restated.kind):
        yield restated
    other_units = other_units_reason(claim.left, claim.right, claim.judgement.left)
    if other_units is not None and not (claim.counts_bytes and other_units.kind == "maybe-elements"):
        yield other_units
    yield from (message(each.code) for each in AGAINST if in_force(each.code) and each.applies_to(claim))
    if claim.chain is not None:
        yield from (each for each in _beside(claim, claim.chain) if in_force(each.kind))


def _beside(claim: UnequalSides, chain: EqualityChain) -> Iterator[Message]:
    """The text beside the sides on their line."""
    if claim.clipped is not None:
        yield claim.clipped
    elif is_doubled(claim.text[chain.sides[0].start : chain.sides[-1].end]) or _is_stacked(claim, chain):
        yield COPIED
    before = chain.sides[claim.index - 1] if claim.index else None
    if claim.index == 0 and (glued := _GLUED_BEFORE.search(claim.text, max(0, claim.left.start - 1), claim.left.start)):
        yield message("unread-before", sign=glued[0])
    if claim.index == 0 and (assigned := _AUGMENTED.search(claim.text, max(0, claim.left.start - 3), claim.left.start)):
        yield message("unread-before", sign=assigned[0].strip())
    if not claim.right.nouns and (glued := _GLUED_BEHIND.match(claim.text, claim.right.end)):
        yield message("unread-behind", sign=glued[0])
    if claim.index == 0 and _is_split(claim.text, claim.left.start):
        yield message("unread-before", sign=",")
    sign = chain.relations[claim.index]
    if _OPENS.search(claim.text[claim.left.end : sign.start]) or _CODE_APART.search(claim.text, claim.left.start, claim.left.end):
        yield message("goes-on-behind-formula")  # 4×4 is `rows=4`; `rows` and `columns + 1 = 4`
    if _PI.search(claim.text, claim.left.start, claim.right.end):
        yield message("words-may-multiply")  # 8 pi × 5 = 40
    begins = claim.text.rfind("\n", 0, claim.left.start) + 1
    if "\n" in claim.text[claim.left.end : sign.end] and _COLUMN.search(claim.text, begins, claim.left.start):
        yield message("unread-before-it")  # A line below a drawing continues from its first column.
    if "≡" in claim.text[sign.start : sign.end] or number_meanings.is_congruence(claim.text, chain.sides[-1].end):
        yield message("congruence")
    if claim.left.is_number and before is not None and before.unknown and not before.is_name:
        # 8 ÷ group=64 = 0.125: 64 may be the value of the name, and 0.125 that of everything before.
        yield message("maybe-before", sign=chain.relations[claim.index - 1].sign)
    if (note := _NOTE.match(claim.text, claim.right.end)) and any(words(each).in_text(note[1]) for each in _NOTED):
        yield message("unread-behind", sign=note[1])
    if (behind := number_meanings.behind(claim.text, claim.right.end)) is not None:
        yield behind
    elif _ASKED.match(claim.text, chain.sides[-1].end):
        yield message("asked")
    if chain.trailing is not None and claim.right is chain.sides[-1]:
        yield chain.trailing
    if _NAME.fullmatch(claim.text, claim.left.start, claim.left.end):
        yield message("maybe-single-name")


def counts_bytes(text: str, calculation: Expression) -> bool:
    """Whether the last factor is the bytes of each value, in the format that the lines just above name: ``(12 heads, FP32):`` above
    ``2 × 12 × 64 × 4``.
    """
    last = _LAST_FACTOR.search(text, calculation.start, calculation.end)
    if last is None:
        return False
    above = text[max(0, calculation.start - _PARAGRAPH) : calculation.start].rpartition("\n\n")[2]
    return formats_in(above) == (int(last[1]),)


def _is_stacked(claim: UnequalSides, chain: EqualityChain) -> bool:
    """Whether the sign stands alone on its line amid further sides, as where a fraction lost its stroke when it was copied."""
    return len(chain.sides) > 2 and claim.text.count("\n", claim.left.end, claim.right.start) > 1


def _is_split(text: str, start: int) -> bool:
    """Whether a side begins with what may be the last three digits of a number: ``5, 120``."""
    return _GROUP.match(text, start) is not None and _SPLIT.search(text, max(0, start - len("999, ")), start) is not None


# Grounds for taking the sides to be meant as equal.


def _is_result(claim: UnequalSides) -> bool:
    stated = claim.right.is_number or (is_power_of_ten(claim.right.formula) and not number_meanings.is_quantity(claim.left))
    return stated and not claim.letters and (not claim.left.is_number or _FUNCTION.match(claim.text, claim.left.start) is not None)


def _is_calculated(claim: UnequalSides) -> bool:
    """Whether the right side is the calculation of the number on the left, ``7 = 1 + 2 + 4``, which does not round it."""
    if claim.sign != "=" or not claim.left.is_number or claim.left.nouns or claim.right.is_number or claim.letters:
        return False
    is_whole = claim.judgement.right is not None and claim.judgement.right.denominator == 1
    if claim.left.exact is not None and not is_whole:
        return False
    swapped = judge_numbers(side_of(claim.right), side_of(claim.left), "=")
    return swapped.verdict is Verdict.WRONG and not _WORD.match(claim.text, claim.right.end)


def _is_step(claim: UnequalSides) -> bool:
    """Whether both sides are calculations with nearly the same value, with large integers as values, or with half of their numbers in
    common; nothing else shows that one is a step of the other.
    """
    if claim.letters or claim.right.is_number or number_meanings.is_quantity(claim.left):
        return False
    values = claim.judgement.left, claim.judgement.right
    large = all(value is not None and value.denominator == 1 and value >= _LARGE for value in values)
    first, second = (Counter(numbers_in(one)) for one in claim.sides)
    alike = 2 * (first & second).total() >= min(first.total(), second.total())
    return alike or (claim.ratio is not None and claim.ratio < SLIP) or (large and not claim.left.literals and not claim.right.literals)


def _is_restated(claim: UnequalSides) -> bool:
    """Whether the right side restates the left one, which is the result of a calculation before it, or has another unit of one kind."""
    if claim.letters or not all(one.is_number for one in claim.sides):
        return False
    is_near = claim.ratio is not None and claim.ratio < _CONVERTED
    if is_slip_of_repeated(claim.left, claim.right, claim.judgement):
        return True
    # 131,072 bytes = 64 KiB; not 1 min = 90 days
    is_converted = is_near or (claim.sign == "=" and (digits_of(claim.left) >= _MANY_DIGITS or claim.differs_in_zeros))
    if claim.chain is None or (is_converted and number_meanings.differ_in_unit(*claim.sides)):
        return True
    measured = any(each.unit for one in claim.sides for each in one.literals.values())
    if not measured and claim.right.nouns and (claim.ratio is None or claim.ratio >= SLIP):
        return False  # 6 × 256 = 1536 = 48 warps
    before = claim.chain.sides[max(claim.index - (3 if measured else 1), 0) : claim.index]
    return (claim.sign == "=" or measured) and any(not each.letters and not each.is_number for each in before)


def _is_value(claim: UnequalSides) -> bool:
    """Whether the left side is a formula, and the right one is its number at the values that the page gives, or nearly so; if another
    formula has its number at these values, it need not be near.
    """
    if not claim.left.letters or claim.right.letters or claim.ratio is None:
        return False
    is_confirmed = claim.sign == "=" and claim.left.letters <= claim.knowledge.confirmed and not claim.left.is_name
    return claim.ratio < SLIP or (is_confirmed and claim.ratio < _LARGE)


def _is_rewritten(claim: UnequalSides) -> bool:
    """Whether two formulas have half of the terms of the shorter one in common, which is the leading one if there is no other, or the same
    terms with nearly the coefficients of each other.
    """
    if not claim.left.letters or not claim.right.letters or claim.judgement.left is not None:
        return False
    first, second = terms_of_sides(claim)
    most = SLIP if claim.left.letters == claim.right.letters else _DEFINED
    near = bool(first) and first.keys() == second.keys() and all(1 / most <= first[each] / second[each] <= most for each in first)
    common = [monomial for monomial, _ in first.items() & second.items()]
    shorter = min(len(first), len(second))
    is_leading = len(common) == shorter == 1 and _degree(common[0]) == max(map(_degree, [*first, *second]))
    return near or is_leading or (shorter > 1 and 2 * len(common) >= shorter)


def _degree(monomial: Monomial) -> int:
    return sum(power for _, power in monomial)


FOR: Mapping[str, Callable[[UnequalSides], bool]] = {
    "a calculation and its result": _is_result,
    "a number and its calculation": _is_calculated,
    "a calculation and a further step of it": _is_step,
    "a number and the same in other words": _is_restated,
    "a formula and its value": _is_value,
    "a formula and the same rewritten": _is_rewritten,
}
"""The grounds for taking two sides to be meant as equal, by name; only with one of these is a link called wrong."""
