"""The verdict on one link of a chain: numbers against numbers, formulas against formulas, a formula against its value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product

from symparam.core.algebra.polynomial import equal, letters_in
from symparam.core.dimensions import BY_LETTER
from symparam.core.formula import Formula, Number, Product, Quotient, Sum, Symbol
from symparam.core.formula import number as written
from symparam.core.message import Message, message
from symparam.documents.checking.basis.knowledge import Knowledge
from symparam.documents.checking.claims.intended_equality import wrong_or_undecided
from symparam.documents.checking.claims.unequal_sides import UnequalSides
from symparam.documents.checking.entries.labelled_quantities import digits_of
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.sides.equations import differs_in_kind, without_unit_of_quotient
from symparam.documents.checking.sides.number_agreement import Judgement, judge_numbers
from symparam.documents.checking.sides.number_meanings import decimal_unit
from symparam.documents.checking.sides.unit_readings import ClaimSide
from symparam.documents.reading.expression import PLACEHOLDER, UNKNOWN, Expression, in_numbers
from symparam.documents.rules.rule import applies, in_force
from symparam.errors import TOO_LARGE, NoValueError

_MOST_GIVEN = 200  # Earlier values of one letter that are tried.
_PROBE = 101  # Letters that cancel are given powers of it.
_TELLING = 3  # Digits of a number that no formula gives by chance.
_MOST_VALUES = 16  # Combinations of several values of the letters.


def judge_link(left: Expression, right: Expression, sign: str, knowledge: Knowledge, counts_bytes: bool = False) -> Judgement:
    """The verdict on ``left sign right``, given what the document has said so far; a factor on the left may be the bytes of each value."""
    if in_force("other-kind") and differs_in_kind(left, right):
        if (counted := without_unit_of_quotient(left, right)) is None or not applies("unit-of-quotient", left.start):
            return Judgement(Verdict.UNDECIDED, "no-equation", message("other-kind"))
        left = counted
    try:
        found = _judge(left, right, sign, knowledge)
    except NoValueError as error:
        return Judgement(Verdict.UNDECIDED, "too-large" if error.kind in TOO_LARGE else "no-meaning", message(error.kind, **error.about))
    if found.verdict is Verdict.WRONG and in_force("goes-on") and _runs_on(left, right, sign, knowledge):
        return Judgement(Verdict.HOLDS, "typography", message("goes-on"), found.left, found.left)
    if found.verdict is not Verdict.WRONG:
        return found
    if meant := decimal_unit(left, right, sign):
        found = replace(found, reason=message("right-in-unit", said=found.reason, unit=meant))
    return wrong_or_undecided(UnequalSides(left, right, sign, found, knowledge, counts_bytes=counts_bytes))


def judge_calculation_in_bracket(stated: Expression, knowledge: Knowledge, is_equated: bool = False) -> Judgement | None:
    """The verdict on a number with its calculation in a bracket, ``49152 (4 × 12288)``; None unless they agree, or the bracket begins with
    an equals sign.
    """
    if stated.calculation is None:
        return None
    found = judge_link(stated.calculation, stated, "=", knowledge)
    is_clear = found.code == "exact" or all(doubt.kind == "maybe-change-of-unit" for doubt in stated.calculation.doubts)
    may_be_wrong = is_equated and not (stated.calculation.letters or stated.calculation.literals or stated.literals)
    is_meant = found.verdict is Verdict.HOLDS or (found.verdict is Verdict.WRONG and may_be_wrong)
    return replace(found, rules=(*found.rules, "explained-in-bracket")) if is_meant and is_clear else None


def _runs_on(left: Expression, right: Expression, sign: str, knowledge: Knowledge) -> bool:
    """Whether the sign means "so far" and the line continues from the result: ``5120 × 13824 = 70.8M × 2 bytes = 141.6 MB``."""
    formula = right.formula
    if not isinstance(formula, (Product, Quotient, Sum)) or left.is_number or left.letters or right.letters:
        return False
    first = right._replace(formula=formula.parts[0], nouns=(), doubts=())
    return first.is_number and _judge(left, first, sign, knowledge).verdict is Verdict.HOLDS


def _judge(left: Expression, right: Expression, sign: str, knowledge: Knowledge) -> Judgement:
    words = [word for word in left.unknown | right.unknown if not knowledge.is_defined(UNKNOWN + word)]
    if words:
        return Judgement(Verdict.UNDECIDED, "no-value", message("no-value", letters=(f"'{min(words)}'",)))
    if not left.letters and not right.letters:
        return judge_numbers(_side(left), _side(right), sign)
    if knowledge.measured.keys() & (left.letters | right.letters):
        found = _measured(left, right, sign, knowledge)
        if found is not None:
            return found
    if left.letters and right.letters:
        return _formulas(left, right, sign, knowledge)
    if left.letters:
        return _value(left, right, sign, knowledge)
    return _value(right, left, sign, knowledge, swapped=True)


def _measured(left: Expression, right: Expression, sign: str, knowledge: Knowledge) -> Judgement | None:
    """The verdict with quantities substituted for letters, ``W + G + O = 56 GB`` with ``W = 14 GB``; None if a letter has no value."""
    first, second = knowledge.with_quantities(left), knowledge.with_quantities(right)
    if first.letters or second.letters:
        return None
    letters = left.letters | right.letters
    named = [
        message("value", letter=letter, value=in_numbers(knowledge.measured[letter]))
        for letter in sorted(letters & knowledge.measured.keys())
    ]
    found = judge_numbers(_side(first), _side(second), sign)
    if found.verdict is Verdict.HOLDS:
        return replace(found, reason=message("holds-with-values", values=tuple(named), said=found.reason))
    if differs_in_kind(first, second) or not knowledge.is_settled(letters):
        return Judgement(Verdict.UNDECIDED, "several-values", message("other-values", values=tuple(named)))
    return replace(found, code="wrong-value", reason=message("wrong-with", values=tuple(named), said=found.reason))


def _side(expression: Expression, values: Mapping[str, Formula | int | Fraction] | None = None) -> ClaimSide:
    formula = expression.formula.substitute(values) if values else expression.formula
    return ClaimSide(formula, expression.literals)


def _formulas(left: Expression, right: Expression, sign: str, knowledge: Knowledge) -> Judgement:
    if left.literals or right.literals:
        alike = _by_coefficients(left, right, sign, knowledge)
        if alike is not None:
            return alike
    first, second = _without_literals(left), _without_literals(right)
    if first is None or second is None:
        return Judgement(Verdict.UNDECIDED, "unclear", message("unit-in-formula"))
    if first == second or equal(knowledge.meaning(first, False), knowledge.meaning(second, False)):
        return Judgement(Verdict.HOLDS, "proven", message("same-formula"))
    if knowledge.defined.keys() & (first.letters | second.letters) and equal(
        knowledge.meaning(first, True), knowledge.meaning(second, True)
    ):
        used = sorted(knowledge.defined.keys() & (first.letters | second.letters))
        stated = tuple(message("value", letter=name, value=knowledge.defined[name]) for name in used)
        return Judgement(Verdict.HOLDS, "proven", message("same-formula-with", values=stated))
    if sign == "≈":
        return Judgement(Verdict.UNDECIDED, "unclear", message("unclear-what-is-small"))
    values = knowledge.values(first.letters | second.letters)
    if values and are_equal_at(first, second, values):
        return Judgement(Verdict.HOLDS, "exact", message("same-number-with-values"))
    # Letters that cancel, like h in H/h × h, or that are stated in terms of other sizes, do not count.
    if letters_in(knowledge.meaning(first, False)) != letters_in(knowledge.meaning(second, False)) and not _differ_in_sizes(
        first, second, knowledge
    ):
        return Judgement(Verdict.UNDECIDED, "unclear", message("maybe-equation"))
    strange = sorted(
        letter for letter in first.letters | second.letters if len(letter) > 1 and "_" not in letter and letter not in knowledge.defined
    )
    if strange:
        return Judgement(Verdict.UNDECIDED, "unclear", message("name-or-product", name=strange[0]))
    return Judgement(Verdict.WRONG, "wrong-formula", message("different-formulas"))


def _by_coefficients(left: Expression, right: Expression, sign: str, knowledge: Knowledge) -> Judgement | None:
    """The verdict on the coefficients, if both sides have the same letters: ``2 · 4096 · 16384 · B = 1.3e8 · B``, where the right one is
    rounded, as is the divisor in ``12N / 3.35e12 = N / 2.8e11``.
    """
    if left.letters != right.letters or not all(isinstance(side.formula, (Product, Quotient, Symbol)) for side in (left, right)):
        return None
    if letters_in(knowledge.meaning(in_numbers(left), False) / knowledge.meaning(in_numbers(right), False)):
        return None
    ones = dict.fromkeys(left.letters, Number(1))
    first, second = _side(left, ones), _single(_side(right, ones))
    if isinstance(second.formula, Quotient) and second.formula.numerator == Number(1):
        first = ClaimSide(Quotient(Number(1), first.formula), first.literals)
        second = _single(ClaimSide(second.formula.denominator, second.literals))
    found = judge_numbers(first, second, sign)
    return found if found.verdict is Verdict.HOLDS else None


def _single(side: ClaimSide) -> ClaimSide:
    """The side without factors of one, so that a single literal can be recognised."""
    if not isinstance(side.formula, Product):
        return side
    factors = tuple(factor for factor in side.formula.factors if factor != Number(1))
    return ClaimSide(factors[0] if len(factors) == 1 else Product(factors) if factors else Number(1), side.literals)


def _differ_in_sizes(first: Formula, second: Formula, knowledge: Knowledge) -> bool:
    """Whether the sides have the same letters once sizes stated in terms of others, such as ``I = 4H``, are substituted."""
    used = knowledge.defined.keys() & (first.letters | second.letters)
    if not used or any(letter not in BY_LETTER for letter in used):
        return False  # Other letters mean something else in every derivation.
    return letters_in(knowledge.meaning(first, True)) == letters_in(knowledge.meaning(second, True))


def are_equal_at(first: Formula, second: Formula, values: Mapping[str, int | Fraction]) -> bool:
    """The verdict on two formulas, from their numbers at these values."""
    return judge_numbers(ClaimSide(first.substitute(values), {}), ClaimSide(second.substitute(values), {}), "=").code == "exact"


def _without_literals(expression: Expression) -> Formula | None:
    if any(literal.unit for literal in expression.literals.values()):
        return None
    return expression.formula.substitute({letter: written(literal.value) for letter, literal in expression.literals.items()})


def _value(formula: Expression, stated: Expression, sign: str, knowledge: Knowledge, swapped: bool = False) -> Judgement:
    """The verdict on a formula and its number at the given values; values that the line itself shows count as given."""
    letters = formula.letters
    values = knowledge.values(letters)
    if values is None and in_force("letters-cancel") and not letters_in(knowledge.meaning(in_numbers(formula), False)):
        # The formula has the same value everywhere; at these values no difference of two letters is zero.
        anywhere = {letter: _PROBE**power for power, letter in enumerate(sorted(letters), start=1)}
        constant = _with(formula, stated, sign, anywhere, swapped)
        if constant.verdict is Verdict.HOLDS:
            return replace(constant, reason=message("same-formula"), rules=(*constant.rules, "letters-cancel"))
    if values is None:
        shown_values = _substituted_values(formula.formula, stated.formula) if in_force("values-put-in") else None
        if shown_values is not None and all(knowledge.value(letter) in (None, value) for letter, value in shown_values.items()):
            for letter, value in shown_values.items():
                if letter not in knowledge.assigned:
                    knowledge.assign(letter, value)
            return Judgement(Verdict.HOLDS, "exact", message("numbers-for-letters", values=_listed(shown_values)))
        missing = sorted(letter for letter in letters if knowledge.value(letter) is None)
        kind = "no-value" if len(missing) == 1 else "no-values"
        return Judgement(Verdict.UNDECIDED, "no-value", message(kind, letters=tuple(missing[:4])))
    found = _with(formula, stated, sign, values, swapped)
    if found.verdict is Verdict.HOLDS:
        if found.code == "exact" and digits_of(stated) >= _TELLING and letters <= knowledge.assigned.keys():
            knowledge.confirmed |= letters
        return found
    several = {
        letter: list(dict.fromkeys(knowledge.assigned.get(letter, [])[-_MOST_GIVEN:]))[-4:]
        or knowledge.of_model(letter)
        or [values[letter]]
        for letter in sorted(letters)
    }
    count = 1
    for each in several.values():
        count *= len(each)
    if 1 < count <= _MOST_VALUES and in_force("earlier-value"):
        for chosen in product(*several.values()):
            again = _with(formula, stated, sign, dict(zip(several, chosen, strict=True)), swapped)
            if again.verdict is Verdict.HOLDS:
                return replace(again, rules=("earlier-value",))
    if not knowledge.is_settled(letters):
        return Judgement(Verdict.UNDECIDED, "several-values", message("other-values", values=_listed(values)))
    if letters == {"N"} and knowledge.of_model("N") and stated.literal is not None and stated.literal.unit is not None:
        return Judgement(Verdict.UNDECIDED, "several-meanings", message("maybe-number-of-parameters"))  # 6N ≈ 423 GFLOPs
    shown_values = _substituted_values(formula.formula, stated.formula)
    if shown_values is not None:
        reason = message("other-values-put-in", values=_listed(shown_values), given=_listed(values))
        return Judgement(Verdict.UNDECIDED, "several-values", reason)
    if found.verdict is not Verdict.WRONG:
        return found
    reason = message("wrong-with", values=_listed(values), said=found.reason)
    return Judgement(Verdict.WRONG, "wrong-value", reason, found.left, found.right)


def _with(formula: Expression, stated: Expression, sign: str, values: Mapping[str, int | Fraction], swapped: bool) -> Judgement:
    put, number = _side(formula, values), _side(stated)
    found = judge_numbers(number, put, sign) if swapped else judge_numbers(put, number, sign)
    if found.verdict is Verdict.HOLDS:
        return replace(found, reason=message("holds-with-values", values=_listed(values), said=found.reason))
    return found


def _listed(values: Mapping[str, int | Fraction]) -> tuple[Message, ...]:
    return tuple(message("value", letter=letter.removeprefix(UNKNOWN), value=value) for letter, value in sorted(values.items())[:8])


def _substituted_values(formula: Formula, numbers: Formula) -> dict[str, int | Fraction] | None:
    """The values by which ``numbers`` is the formula with values substituted, if both have the same shape: ``V × H``, ``21128 × 768``."""
    found: dict[str, int | Fraction] = {}
    if isinstance(formula, Symbol):
        return None  # A single letter would match any number.
    return found if _matches(formula, numbers, found) else None


def _matches(formula: Formula, numbers: Formula, found: dict[str, int | Fraction]) -> bool:
    if isinstance(formula, Symbol) and formula.letter[0] != PLACEHOLDER:
        return isinstance(numbers, Number) and found.setdefault(formula.letter, numbers.value) == numbers.value
    if isinstance(formula, Number) or not formula.parts:
        return formula == numbers
    return (
        type(formula) is type(numbers)
        and len(formula.parts) == len(numbers.parts)
        and all(_matches(one, other, found) for one, other in zip(formula.parts, numbers.parts, strict=True))
    )
