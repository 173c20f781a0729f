"""The gate before *wrong*: the grounds for taking two sides to be meant as equal, and the grounds against it.

A link that holds in none of its readings is called wrong only if a ground in `FOR` shows from the sides themselves that one is meant to
equal the other, and no ground in `AGAINST` gives a reason to doubt that, or to doubt the reading. Otherwise it is undecided, and the reason
says which ground is missing or speaks against it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from symparam.core.algebra.polynomial import Monomial, polynomial
from symparam.core.formula import Quotient, Sum, Symbol
from symparam.core.frozen import frozen
from symparam.core.message import Message, message
from symparam.documents.checking import number_meanings
from symparam.documents.checking.equations import in_per_cent, is_gain, numbers_in, off_by_a_unit, other_units_reason, restatement_reason
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.knowledge import Knowledge
from symparam.documents.checking.labelled_quantities import digits_of
from symparam.documents.checking.number_agreement import Judgement, agree_if_rounded, is_power_of_ten, judge_numbers
from symparam.documents.checking.unit_readings import side_of
from symparam.documents.reading.chains import COPIED, EqualityChain
from symparam.documents.reading.copied_formulas import is_doubled
from symparam.documents.reading.expression import Expression, in_numbers
from symparam.documents.rules.rule import in_force

_UNKNOWNS = frozenset("xyz")  # The letters that equations are commonly solved for.
_SMALL = frozenset("εϵδ")  # Quantities whose powers are neglected.
_SLIP = Fraction(3, 2)  # A formula that is off by more than this factor was meant with other values.
_CONVERTED = Fraction(6, 5)  # Two amounts that differ more are not one amount in two units: a 36 GB computer with 27 GiB to use.
_LARGE = 1000
_ZEROS = Fraction(1, 10)  # Rounding that leaves zeros at the end of a number takes away no more than this.
_FAR, _FAR_ABOUT = 100, 20  # An error of this factor, apart from powers of ten, means that something was misread.
_MAGNITUDE = 5  # A power of ten may stand for numbers up to this factor above it.
_ROUGHLY = Fraction(1, 40)  # The tolerance of "about" with a number of few digits.
_FEW_DIGITS = 3
_ALIKE = Fraction(3, 100)  # Numbers this close after a shift by a power of ten have the same digits, with the point elsewhere.


@frozen
class UnequalSides:
    """Two sides with the ``judgement`` that they are unequal, and what the page has said before. A claim judged in its place also has the
    text, the chain with the index of its left side, and the text before that side that may belong to it.
    """

    left: Expression
    right: Expression
    sign: str
    judgement: Judgement
    knowledge: Knowledge
    text: str = ""
    chain: EqualityChain | None = None
    index: int = 0
    clipped: Message | None = None

    @property
    def sides(self) -> tuple[Expression, Expression]:
        """Both sides."""
        return self.left, self.right

    @property
    def letters(self) -> frozenset[str]:
        """The letters of both sides."""
        return self.left.letters | self.right.letters

    @property
    def next_noun(self) -> str:
        """The word after the right side if the number after it is the left side."""
        return number_meanings.next_noun(self.text, self.right.end, self.judgement.left)

    @property
    def ratio(self) -> Fraction | None:
        """The ratio of the larger to the smaller side; a unit that only one side shows is taken for both if that brings them closer. None
        if one is zero or their signs differ.
        """
        left, right = self.judgement.left, self.judgement.right
        if not left or not right or left * right < 0:
            return None
        ratios = [left / right]
        units = [{each.unit for each in one.literals.values() if each.unit and each.unit.counted} for one in self.sides]
        if not all(units) and len(units[0] | units[1]) == 1:
            sense = (units[0] | units[1]).pop().senses[0]
            ratios += (left / right * sense, left / right / sense)
        return min(max(ratio, 1 / ratio) for ratio in ratios)


@frozen
class Ground:
    """A ground for or against calling a claim wrong: its name, a function that says when it applies, and the arguments of its sentence."""

    code: str
    applies_to: Callable[[UnequalSides], bool]
    arguments: Callable[[UnequalSides], Mapping[str, str]] = lambda claim: {}

    def as_message(self, claim: UnequalSides) -> Message:
        """The ground as a message."""
        return message(self.code, **self.arguments(claim))


def wrong_or_undecided(claim: UnequalSides) -> Judgement:
    """The verdict on a claim that does not hold: what was found, or undecided, with the ground against calling it wrong."""
    is_meant = not in_force("not-meant") or any(ground(claim) for ground in FOR.values())
    doubt = next(_against(claim), None) if is_meant else message("not-meant")
    if doubt is None:
        return claim.judgement
    found = claim.judgement
    return Judgement(Verdict.UNDECIDED, "unclear", message("but", said=found.reason, doubt=doubt), found.left, found.right)


def _against(claim: UnequalSides) -> Iterator[Message]:
    yield from (each for one in claim.sides for each in one.doubts if in_force(each.kind))
    if (restated := restatement_reason(*claim.sides)) is not None and in_force(restated.kind):
        yield restated
    other_units = other_units_reason(claim.left, claim.right, claim.judgement.left)
    if other_units is not None:
        yield other_units
    yield from (each.as_message(claim) for each in AGAINST if in_force(each.code) and each.applies_to(claim))
    if claim.chain is not None:
        yield from (each for each in _beside(claim, claim.chain) if in_force(each.kind))


def _beside(claim: UnequalSides, chain: EqualityChain) -> Iterator[Message]:
    """The text beside the sides on their line."""
    if claim.clipped is not None:
        yield claim.clipped
    elif is_doubled(claim.text[chain.sides[0].start : chain.sides[-1].end]):
        yield COPIED
    before = chain.sides[claim.index - 1] if claim.index else None
    if claim.index == 0 and (glued := _GLUED_BEFORE.search(claim.text, max(0, claim.left.start - 1), claim.left.start)):
        yield message("unread-before", sign=glued[0])
    if claim.index == 0 and (assigned := _AUGMENTED.search(claim.text, max(0, claim.left.start - 3), claim.left.start)):
        yield message("unread-before", sign=assigned[0].strip())
    if not claim.right.nouns and (glued := _GLUED_BEHIND.match(claim.text, claim.right.end)):
        yield message("unread-behind", sign=glued[0])
    sign = chain.relations[claim.index]
    if _OPENS.search(claim.text[claim.left.end : sign.start]) or _CODE_APART.search(claim.text, claim.left.start, claim.left.end):
        yield message("goes-on-behind-formula")  # 4×4 is `rows=4`; `rows` and `columns + 1 = 4`
    if _PI.search(claim.text, claim.left.start, claim.right.end):
        yield message("words-may-multiply")  # 8 pi × 5 = 40
    begins = claim.text.rfind("\n", 0, claim.left.start) + 1
    if "\n" in claim.text[claim.left.end : sign.end] and _COLUMN.search(claim.text, begins, claim.left.start):
        yield message("unread-before-it")  # A line below a drawing continues from its first column.
    if "≡" in claim.text[sign.start : sign.end]:
        yield message("congruence")
    if claim.left.is_number and before is not None and before.unknown and not before.is_name:
        # 8 ÷ group=64 = 0.125: 64 may be the value of the name, and 0.125 that of everything before.
        yield message("maybe-before", sign=chain.relations[claim.index - 1].sign)
    if (behind := number_meanings.behind(claim.text, claim.right.end)) is not None:
        yield behind
    elif _ASKED.match(claim.text, chain.sides[-1].end):
        yield message("asked")
    if chain.trailing is not None and claim.right is chain.sides[-1]:
        yield chain.trailing
    if _NAME.fullmatch(claim.text, claim.left.start, claim.left.end):
        yield message("maybe-single-name")


# Grounds for taking the sides to be meant as equal.


def _is_result(claim: UnequalSides) -> bool:
    stated = claim.right.is_number or (is_power_of_ten(claim.right.formula) and not number_meanings.is_quantity(claim.left))
    return stated and not claim.letters and not claim.left.is_number


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
    return alike or (claim.ratio is not None and claim.ratio < _SLIP) or (large and not claim.left.literals and not claim.right.literals)


def _is_restated(claim: UnequalSides) -> bool:
    """Whether the right side restates the left one, which is the result of a calculation before it, or has another unit of one kind."""
    if claim.letters or not all(one.is_number for one in claim.sides):
        return False
    is_near = claim.ratio is not None and claim.ratio < _CONVERTED
    if claim.chain is None or (is_near and number_meanings.differ_in_unit(*claim.sides)):
        return True
    measured = any(each.unit for one in claim.sides for each in one.literals.values())
    if not measured and claim.right.nouns and (claim.ratio is None or claim.ratio >= _SLIP):
        return False  # 6 × 256 = 1536 = 48 warps
    before = claim.chain.sides[max(claim.index - (3 if measured else 1), 0) : claim.index]
    return (claim.sign == "=" or measured) and any(not each.letters and not each.is_number for each in before)


def _is_value(claim: UnequalSides) -> bool:
    """Whether the left side is a formula, and the right one is its number at the values that the page gives, or nearly so."""
    return bool(claim.left.letters) and not claim.right.letters and claim.ratio is not None and claim.ratio < _SLIP


def _is_rewritten(claim: UnequalSides) -> bool:
    """Whether two formulas have a term in common, or the same terms with coefficients that are nearly those of the other."""
    if not claim.left.letters or not claim.right.letters or claim.judgement.left is not None:
        return False
    first, second = _terms_of_sides(claim)
    near = bool(first) and first.keys() == second.keys() and all(1 / _SLIP <= first[each] / second[each] <= _SLIP for each in first)
    return near or bool(first.items() & second.items())


def _terms_of_sides(claim: UnequalSides) -> Sequence[Mapping[Monomial, Fraction]]:
    """The terms of both sides multiplied out; none of a side that is no polynomial."""
    meanings = (claim.knowledge.meaning(in_numbers(one), True) for one in claim.sides)
    return [found.terms if (found := polynomial(each)) is not None else {} for each in meanings]


FOR: Mapping[str, Callable[[UnequalSides], bool]] = {
    "a calculation and its result": _is_result,
    "a calculation and a further step of it": _is_step,
    "a number and the same in other words": _is_restated,
    "a formula and its value": _is_value,
    "a formula and the same rewritten": _is_rewritten,
}
"""The grounds for taking two sides to be meant as equal, by name; only with one of these is a link called wrong."""


# Grounds against it.


def _is_far(claim: UnequalSides) -> bool:
    """Whether the sides are so far apart, in more than the position of the point, that something was misread."""
    ratio = claim.ratio
    if ratio is None or ratio < (_FAR_ABOUT if claim.sign == "≈" else _FAR):
        return False
    while ratio >= 5:
        ratio /= 10
    return abs(ratio - 1) > _ALIKE


def _divides_by_a_unit(side: Expression) -> bool:
    """Whether a division ends in a unit that may belong to the whole: ``8 / 2 GB``."""
    below = side.formula.denominator if isinstance(side.formula, Quotient) else None
    unit = side.literals[below.letter].unit if isinstance(below, Symbol) and below.letter in side.literals else None
    return unit is not None and not unit.divided and unit.counted != "bytes/second"  # The unit of a rate already contains a division.


def _adds_per_cent(side: Expression) -> bool:
    """Whether a percentage is added in the sense of "a fifth more": ``140 GB + 20 %``."""
    percent = {letter for letter, literal in side.literals.items() if literal.unit and literal.unit.written == "%"}
    return bool(percent) and isinstance(side.formula, Sum) and any(not part.letters & percent for part in side.formula.terms)


def _counts_other(claim: UnequalSides) -> bool:
    left, right = claim.sides
    named = bool(right.nouns) or any(literal.unit for literal in right.literals.values())
    return bool(left.nouns) and named and not set(left.nouns) & set(right.nouns)


def _is_counted(claim: UnequalSides) -> bool:
    left, right = claim.sides
    is_share = isinstance(left.formula, Quotient) and claim.judgement.left is not None and 0 < claim.judgement.left < 1 and right.exact != 0
    measured = is_share or any(literal.unit for literal in left.literals.values())  # 961/1000 = 4 classes
    return bool(right.nouns) and right.exact is not None and measured


def _maybe_unit(claim: UnequalSides) -> bool:
    known = any(literal.unit and literal.unit.counted for one in claim.sides for literal in one.literals.values())
    return bool(claim.left.nouns + claim.right.nouns) and not known and off_by_a_unit(claim.judgement.left, claim.judgement.right)


def _multiple(claim: UnequalSides) -> str:
    is_off = off_by_a_unit(claim.judgement.left, claim.judgement.right)
    return number_meanings.multiple_of_unit(claim.text, *claim.sides) if is_off else ""


def _rounds_on_the_way(claim: UnequalSides) -> bool:
    """Whether the right side is an intermediate step with decimals that the left one does not have: ``50/32 + 50/3 = 1.56 + 16.7``."""
    goes_on = claim.chain is not None and claim.right is not claim.chain.sides[-1]
    if claim.right.is_number or not (goes_on or any(each.unit for each in claim.left.literals.values())):
        return False
    known = {each.value for each in claim.left.literals.values()}
    return any(0 < each.last_digit < 1 and each.value not in known for each in claim.right.literals.values())


def _is_roughly(claim: UnequalSides) -> bool:
    """Whether a number of few digits after a sign of approximation is close enough: ``14 × 65 ≈ 900``."""
    return claim.sign == "≈" and claim.ratio is not None and claim.ratio - 1 <= _ROUGHLY and digits_of(claim.right) <= _FEW_DIGITS


def _is_rounded_at_zeros(claim: UnequalSides) -> bool:
    """Whether the difference is within the zeros that the number ends in, in one sense of its unit: ``93.8 MB = 90 MB``."""
    literal, found = claim.right.literal, claim.judgement.left
    if literal is None or literal.unit is None or literal.last_digit != 1 or not found or found * literal.value <= 0:
        return False
    shown = str(literal.value)
    last = 10 ** (len(shown) - len(shown.rstrip("0")))
    scaled = [found / sense for sense in literal.unit.senses]
    return last > 1 and any(abs(each - literal.value) * 2 <= last and abs(each / literal.value - 1) < _ZEROS for each in scaled)


def _is_nearly_product(claim: UnequalSides) -> bool:
    """Whether a value is close to a product of letters: beside T = 2 and H = 768, the TH of ``TH = 1,546`` is hardly a name."""
    return claim.ratio is not None and claim.ratio - 1 <= _ROUGHLY and digits_of(claim.right) >= _FEW_DIGITS


def _is_share_of_something(claim: UnequalSides) -> bool:
    """Whether percentages are shares of a whole that is named elsewhere: ``10% + 5% = 24 + 12``."""
    percent = [any(each.unit and each.unit.written == "%" for each in one.literals.values()) for one in claim.sides]
    return percent[0] != percent[1] and not claim.right.is_number


def _may_leave_sizes_out(claim: UnequalSides) -> bool:
    written = claim.text[claim.left.start : claim.left.end]
    return number_meanings.omits_sizes(written, claim.judgement.left, claim.right, claim.judgement.right)


def _is_of_tiles(claim: UnequalSides) -> bool:
    """Whether a size is divided into a number of smaller ones, which follow: ``16x16 = 4 blocks of 8x8``."""
    sizes = claim.text[claim.left.start : claim.left.end]
    return number_meanings.are_sizes(sizes) and _TILES.match(claim.text, claim.right.end) is not None


def _is_of_one_magnitude(claim: UnequalSides) -> bool:
    """Whether a sign of approximation stands between two calculations of one order of magnitude, or before a bare power of ten: they show
    no digits that could be wrong, ``3⁵ ≈ 2⁸``.
    """
    left, right = claim.judgement.left, claim.judgement.right
    if claim.sign != "≈" or claim.ratio is None or not left or not right:
        return False
    if is_power_of_ten(claim.right.formula):
        return 1 <= left / right < _MAGNITUDE  # The number may be cut off after its power.
    return claim.ratio < _SLIP and not claim.right.is_number


def _may_be_last_term(claim: UnequalSides) -> bool:
    """Whether words split a sum, and its last term alone equals the right side: ``400M input + 200K × 500 = 100M output``."""
    left, formula = claim.left, claim.left.formula
    if claim.letters or not isinstance(formula, Sum) or not _WORD_IN_SUM.search(claim.text, left.start, left.end):
        return False
    last = replace(side_of(left), formula=formula.terms[-1])
    return judge_numbers(last, side_of(claim.right), claim.sign).verdict is Verdict.HOLDS


def _neglects_powers(claim: UnequalSides) -> bool:
    """Whether the sides differ only in higher powers of a small quantity: ``(1 + ε)² = 1 + 2ε``."""
    small = {claim.knowledge.strange.get(letter, letter) for letter in claim.letters & _SMALL}
    first, second = _terms_of_sides(claim) if small else ({}, {})
    differ = first.items() ^ second.items()
    return bool(differ) and all(any(letter in small and power > 1 for letter, power in monomial) for monomial, _ in differ)


AGAINST: tuple[Ground, ...] = (
    Ground("maybe-bits", lambda claim: number_meanings.holds_in_bits(*claim.sides)),
    Ground("maybe-negated", lambda claim: number_meanings.differ_in_sign(claim.judgement.left, claim.judgement.right)),
    Ground("maybe-negated", lambda claim: number_meanings.is_saved(*claim.sides, claim.sign)),
    Ground("floating-point", lambda claim: number_meanings.is_float_result(claim.judgement.left, claim.right)),
    Ground("maybe-sizes-left-out", _may_leave_sizes_out),
    Ground("maybe-tiles", _is_of_tiles),
    Ground("maybe-of-elements", lambda claim: number_meanings.is_of_elements(claim.text, *claim.sides, claim.sign)),
    Ground("roughly", _is_roughly),
    Ground("one-magnitude", _is_of_one_magnitude),
    Ground("maybe-last-term", _may_be_last_term),
    Ground("maybe-without-last-term", lambda claim: number_meanings.leaves_last_term_out(*claim.sides, claim.sign)),
    Ground("maybe-in-brackets", lambda claim: number_meanings.lacks_brackets(*claim.sides, claim.sign)),
    Ground("rounded-at-zeros", _is_rounded_at_zeros),
    Ground("shares-of-a-whole", _is_share_of_something),
    Ground("far-apart", _is_far),
    Ground("rounded-operands", lambda claim: not claim.letters and agree_if_rounded(side_of(claim.left), side_of(claim.right), claim.sign)),
    Ground("rounded-step", lambda claim: _rounds_on_the_way(claim) or number_meanings.rounds_one_part(*claim.sides, claim.sign)),
    Ground("words-may-multiply", lambda claim: number_meanings.multiplies_by_noun(*claim.sides)),
    Ground("unit-left-out", lambda claim: number_meanings.lacks_a_unit(*claim.sides, claim.sign)),
    Ground("unit-of-quotient", lambda claim: any(map(_divides_by_a_unit, claim.sides))),
    Ground("maybe-single-name", lambda claim: (claim.right.has_repeated_letter or claim.left.is_word) and not _is_nearly_product(claim)),
    Ground("maybe-to-be-solved", lambda claim: len(claim.letters & _UNKNOWNS) > 1),
    Ground("maybe-neglected", _neglects_powers),
    Ground("maybe-rounded-up", lambda claim: number_meanings.rounds_quotients(*claim.sides)),
    Ground("percentage-of-number", lambda claim: any(map(_adds_per_cent, claim.sides))),
    Ground("left-counts", _counts_other, lambda claim: {"noun": claim.left.nouns[-1]}),
    Ground("right-counts", _is_counted, lambda claim: {"noun": claim.right.nouns[-1]}),
    Ground("right-counts", lambda claim: claim.next_noun != "", lambda claim: {"noun": claim.next_noun}),
    Ground("maybe-unit", _maybe_unit, lambda claim: {"noun": (claim.left.nouns + claim.right.nouns)[-1]}),
    Ground("maybe-unit", lambda claim: _multiple(claim) != "", lambda claim: {"noun": _multiple(claim)}),
    Ground("maybe-gain", lambda claim: is_gain(*claim.sides, claim.judgement.left, claim.judgement.right)),
    Ground("maybe-per-cent", lambda claim: in_per_cent(claim.left, claim.judgement.left, claim.judgement.right)),
)
"""Grounds in the sides themselves, in addition to doubts from reading and to what `_beside` finds around them."""


_NAME = re.compile(r"\d+x\d+(?:\.\d+)?[BMT]")  # Of a model: 8x7B.
_GLUED_BEFORE = re.compile(r"[A-Za-z@&]")  # The first number is the end of something longer: v1.2
_AUGMENTED = re.compile(r"[-+*/%|&^]= ?\Z")  # 20 *= 1/2 = 10
_OPENS = re.compile(r"[`$]\w|</\w")
_TILES = re.compile(r"[^\d.;。；\n]{1,24}\d+ ?[xX×] ?\d+")
_COLUMN = re.compile(r"\S {3,}")
_GLUED_BEHIND = re.compile(r"[A-Za-z]")
_ASKED = re.compile(r"[*`$)）]{0,4}[?？]")
_CODE_APART = re.compile(r"`\s*[^\W\d_]{2,}\s*`")
_PI = re.compile(r"(?<![A-Za-z_])pi(?![A-Za-z_])")
_WORD_IN_SUM = re.compile(r"(?<![^\W\d_])[^\W\d_]{3,}+[ \t]*+[+＋]")
