"""Judges whether two numbers agree as written: exactly, in the digits that are shown, or with a unit in one of its senses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from symparam.core.evaluation import evaluate
from symparam.core.formula import Formula, Negative, Number, Power, Product, Symbol, number
from symparam.core.frozen import frozen
from symparam.core.message import Message, message
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.sides.intervals import MOST_DIGITS_ABOUT, Interval, interval, is_inexact, last_digit, sense_of
from symparam.documents.checking.sides.shown_digits import rounded_digits
from symparam.documents.checking.sides.unit_readings import ClaimSide, Senses, unit_readings
from symparam.documents.gaps.arithmetic.rounded_number import RoundedNumber
from symparam.documents.reading.expression import Literal
from symparam.documents.rules.rule import in_force
from symparam.errors import FormulaError

_MOST_UNSHOWN = Fraction(1, 40)  # More unshown digits would explain anything: 2 GB + 3 GB = 6 GB.
_MOST_CUT_OFF = Fraction(1, 10)  # More than this part of a number is not cut off: 3.9 KB is not 3 KB.
_ONE_PER_CENT = Fraction(1, 100)
_HALF = Fraction(1, 2)
_SILENT_ZEROS = 2  # Zeros at the end of a number with a scale: 6700 万 is not exact to the last digit.
_LARGEST = 10**300
_LEAST_RATIO = 0.3  # Of two numbers one of which may be rounded from the other.


@frozen
class Judgement:
    """A verdict on one link, with the exact values of both sides in the reading that it is based on, and the rules behind it that its
    reason does not name. ``rounded`` is the stated number of a wrong one as it is written, with the value that it rounds. ``otherwise`` is
    what it would be with as many more points of evidence as are ``lacking``.
    """

    verdict: Verdict
    code: str
    reason: Message
    left: Fraction | None = None
    right: Fraction | None = None
    rules: tuple[str, ...] = ()
    rounded: RoundedNumber | None = None
    otherwise: Judgement | None = None
    lacking: int = 0

    @property
    def is_slip(self) -> bool:
        """Whether a slip of the pen in a rounded number is what separates the sides."""
        return self.rounded is not None and self.rounded.slip is not None


def judge_numbers(left: ClaimSide, right: ClaimSide, sign: str) -> Judgement:
    """The verdict on ``left sign right``. Raises `FormulaError` for numbers that are too large, and for division by zero."""
    found = agreement(left, right, sign)
    if found is not None:
        return found
    if not left.literals and not right.literals:
        return _wrong(_value(left, {}), _value(right, {}), right)
    senses, remarks = next(unit_readings(left, right))  # The usual one.
    first, second, factor = _in_senses(left, right, senses)
    found = _agreement_in(left, right, sign, senses, remarks, first, second, factor)
    return found or _wrong(first, second, right, senses, factor, not left.units)


def agreement(left: ClaimSide, right: ClaimSide, sign: str) -> Judgement | None:
    """The verdict on two sides that agree in one of their readings, or nothing. Raises `FormulaError` as `judge_numbers` does."""
    if not left.literals and not right.literals:
        first, second = _value(left, {}), _value(right, {})
        if first == second:
            return Judgement(Verdict.HOLDS, "exact", message("same-number"), first, second)
        return _plainly(first, second, right, sign) or _typography(left, right)
    for senses, remarks in unit_readings(left, right):
        first, second, factor = _in_senses(left, right, senses)
        found = None if _are_far_apart(first, second) else _agreement_in(left, right, sign, senses, remarks, first, second, factor)
        if found is not None and found.verdict is Verdict.HOLDS:
            return found
    return _typography(left, right)


def _are_far_apart(first: Fraction, second: Fraction) -> bool:
    """Whether no rounding leads from one to the other: a digit that is rounded may be a half off."""
    try:
        return not _LEAST_RATIO < float(first) / float(second) < 1 / _LEAST_RATIO
    except (OverflowError, ZeroDivisionError):
        return False


def _in_senses(left: ClaimSide, right: ClaimSide, senses: Senses) -> tuple[Fraction, Fraction, Fraction]:
    """The values of both sides with their units in these senses, and the factor that is in the second."""
    factor = _macs(left, right) * senses.get("", Fraction(1))
    return _value(left, senses), _value(right, senses) * factor, factor


def _agreement_in(
    left: ClaimSide,
    right: ClaimSide,
    sign: str,
    senses: Senses,
    remarks: tuple[Message, ...],
    first: Fraction,
    second: Fraction,
    factor: Fraction,
) -> Judgement | None:
    if _macs(left, right) != 1:
        remarks = (*remarks, message("mac-as-two-flops"))
    if first == second:
        return Judgement(Verdict.HOLDS, "unit" if remarks else "exact", _remarked(message("same-number"), remarks), first, second)
    code = _by_digits(left, right, sign, senses, first, second, factor)
    if not code:
        return None
    reason = message(_AT_THE_DIGITS[code], value=first / _scale(right, senses) / factor)
    stated = right.literal if right.literal is not None and right.literal.digits > 1 else None
    unit = last_digit(stated, senses) * factor if stated is not None else 0  # 12.3 % are 12 % in any case, 1.5 h hardly 2 h.
    if code == "digits" and in_force("few-digits") and abs(first - second) > max(_MOST_UNSHOWN * abs(second), unit / 2):
        doubt = message("but", said=reason, doubt=message("few-digits"))
        return Judgement(Verdict.UNDECIDED, "unclear", doubt, first, second)
    code = "unit" if remarks else "rounded" if code == "digits" else code
    return Judgement(Verdict.HOLDS, code, _remarked(reason, remarks), first, second)


_AT_THE_DIGITS = {
    "rounded": "rounded-to-digits",
    "truncated": "cut-off-after-digits",
    "about": "within-one-per-cent",
    "digits": "within-digits-not-shown",
}


def _remarked(reason: Message, remarks: tuple[Message, ...]) -> Message:
    return message("with-remarks", said=reason, remarks=remarks) if remarks else reason


def _by_digits(left: ClaimSide, right: ClaimSide, sign: str, senses: Senses, first: Fraction, second: Fraction, factor: Fraction) -> str:
    """The code for how the stated number agrees with the exact one in the digits that are shown; empty if it does not."""
    literal = right.literal
    whole = literal is not None and literal.last_digit == 1 and (first / _scale(right, senses)).denominator != 1
    inexact = literal is not None and (is_inexact(literal, senses) or whole)
    if literal and inexact and not _uncertain(left, senses):
        off = first - second if second >= 0 else second - first
        unit = last_digit(literal, senses) * factor * _zeros(literal, sign, off < 0)
        if abs(off) * 2 <= unit and in_force("rounded"):
            return "rounded"
        if 0 <= off < unit and off <= _MOST_CUT_OFF * abs(first) and in_force("cut-off"):
            return "truncated"
    elif _uncertain(left, senses) or _uncertain(right, senses):
        low, high = interval(left.formula, left.literals, senses, _HALF)
        below, above = (bound * factor for bound in _of_a_step(left, right, senses))
        if literal is not None and inexact:
            unit = last_digit(literal, senses) * factor
            below, above = second - unit, second + unit
        if low <= above and below <= high and in_force("digits-not-shown"):
            return "digits"
    return _plain_code(first, second, right, sign)


def _of_a_step(left: ClaimSide, right: ClaimSide, senses: Senses) -> Interval:
    """The bounds of a right side; in an intermediate step, ``50/32 + 25 = 1.56 + 25``, new numbers may be truncated."""
    known = {literal.value for literal in left.literals.values()}
    new = {letter: literal for letter, literal in right.literals.items() if literal.last_digit < 1 and literal.value not in known}
    if right.literal is not None or not new:
        return interval(right.formula, right.literals, senses, _HALF)
    bounds = [interval(Symbol(letter), new, senses, Fraction(1)) for letter in new]
    values = ({letter: number(bound[end]) for letter, bound in zip(new, bounds, strict=True)} for end in (0, 1))
    ends = [interval(right.formula.substitute(each), right.literals, senses, _HALF) for each in values]
    return min(low for low, _ in ends), max(high for _, high in ends)


def _plainly(first: Fraction, second: Fraction, right: ClaimSide, sign: str) -> Judgement | None:
    code = _plain_code(first, second, right, sign)
    if not code:
        return None
    kind = {"rounded": "rounded", "truncated": "cut-off", "about": "within-one-per-cent"}[code]
    return Judgement(Verdict.HOLDS, code, message(kind, value=first), first, second)


def _plain_code(first: Fraction, second: Fraction, right: ClaimSide, sign: str) -> str:
    """The code for the agreement of a stated integer: truncated, rounded at its zeros, or approximate if the text says so."""
    if isinstance(right.formula, Negative):
        return _plain_code(-first, -second, replace(right, formula=right.formula.operand), sign)
    if is_power_of_ten(right.formula) and in_force("order-of-magnitude") and 0 < second <= 2 * first < 3 * second:
        return "rounded"  # A bare power of ten shows only its order of magnitude.
    if isinstance(right.formula, Number) and second.denominator == 1:
        if first.denominator != 1 and first > 0:
            if first.numerator // first.denominator == second and in_force("cut-off"):
                return "truncated"
            if abs(first - second) * 2 <= 1 and in_force("rounded"):
                return "rounded"
        zeros = len(str(second)) - len(str(second).rstrip("0"))
        if (
            (zeros >= 3 or (zeros and (sign == "≈" or first.denominator != 1)))
            and second
            and abs(first - second) * 2 <= _last_shown(str(abs(second)), abs(first) < abs(second))
            and len(str(second)) > zeros + (sign == "=")
            and in_force("rounded")
        ):
            return "rounded"
        if sign == "≈" and in_force("about") and _near(first, second) and len(str(second)) - zeros <= MOST_DIGITS_ABOUT:
            return "about"
        return ""
    if sign == "≈" and in_force("about") and _near(first, second) and right.digits <= MOST_DIGITS_ABOUT:
        return "about"
    return ""


def is_power_of_ten(formula: Formula) -> bool:
    """Whether it is a bare power of ten, with or without a unit: ``10^21 FLOPs``."""
    measured = isinstance(formula, Product) and len(formula.factors) == 2 and isinstance(formula.factors[1], Symbol)
    power = formula.factors[0] if isinstance(formula, Product) and measured else formula
    return isinstance(power, Power) and power.base == Number(10)


def _near(first: Fraction, second: Fraction) -> bool:
    return abs(first - second) <= _ONE_PER_CENT * max(abs(first), abs(second))


def _typography(left: ClaimSide, right: ClaimSide) -> Judgement | None:
    """The verdict with superscripts restored that were lost in copying: ``109`` for 10⁹, ``7682`` for 768²."""
    if (
        right.literal
        and (right.literal.unit is None or right.literal.unit.senses[0] == 1)
        and right.literal.last_digit == Fraction(1, 1000)
        and right.literal.value < 1000
    ):
        thousand = Fraction(right.literal.value * 1000)
        if in_force("lost-thousands") and not left.literals and evaluate(left.formula, {}) == thousand:
            return Judgement(Verdict.HOLDS, "typography", message("holds-with-thousands-point"), thousand, thousand)
    for code, found in (("lost-power-of-ten", _powers_of_ten), ("lost-square", _squares)):
        if not in_force(code):
            continue
        # Authors check the number that they state; a final 2 or 3 in it is not a lost exponent.
        stated = right.formula if code == "lost-square" and isinstance(right.formula, Number) else _replaced(right.formula, found)
        changed = [(_replaced(left.formula, found), left.literals), (stated, right.literals)]
        if all(after == before.formula for (after, _), before in zip(changed, (left, right), strict=True)):
            continue
        first, second = (ClaimSide(formula, literals) for formula, literals in changed)
        try:
            for senses, _ in unit_readings(first, second) if first.literals or second.literals else [({}, ())]:
                values = _value(first, senses), _value(second, senses)
                if values[0] == values[1] or (
                    second.literals and _by_digits(first, second, "=", senses, *values, Fraction(1)) in ("rounded", "truncated")
                ):
                    return Judgement(Verdict.HOLDS, "typography", message("holds-with-superscripts"), *values, (code,))
        except FormulaError:
            continue
    return None


def _powers_of_ten(value: int) -> Formula | None:
    written = str(value)
    power = int(written[2:]) if written.startswith("10") and 3 <= len(written) <= 4 else 0
    return Power(Number(10), Number(power)) if 3 <= power <= 30 and str(power) == written[2:] else None


def _squares(value: int) -> Formula | None:
    return Power(Number(value // 10), Number(value % 10)) if 100 <= value < 10**7 and value % 10 in (2, 3) else None


def _replaced(formula: Formula, change: Callable[[int], Formula | None]) -> Formula:
    if isinstance(formula, Number):
        new = change(formula.value) if isinstance(formula.value, int) else None
        return new or formula
    return formula.with_parts(tuple(_replaced(part, change) for part in formula.parts)) if formula.parts else formula


def _apart(first: Fraction, second: Fraction) -> Fraction:
    """The ratio of the larger of two numbers to the smaller one."""
    return max(abs(first / second), abs(second / first)) if first and second else Fraction(_LARGEST)


def _wrong(
    first: Fraction, second: Fraction, right: ClaimSide, senses: Senses | None = None, factor: Fraction = Fraction(1), plain: bool = False
) -> Judgement:
    """The verdict *wrong* with its code; ``plain`` says that the left side shows no unit."""
    literal = right.literal
    code = "wrong-rounding" if literal and is_inexact(literal, senses or {}) else "wrong-number"
    rounded = _as_written(first, right, senses or {}, factor, plain)
    if rounded_digits(first) == rounded_digits(second):
        reason = message("sides-differ", difference=abs(first - second))
    elif senses and rounded and rounded.unit and rounded.scale == _scale(right, senses) * factor:
        reason = message("left-side-in-unit", left=rounded.exact, unit=rounded.unit, stated=rounded.stated)
    elif (senses and rounded and rounded.unit) or isinstance(right.formula, Number):
        reason = message("left-side", left=first)
    else:
        reason = message("both-sides", left=first, right=second)
    return Judgement(Verdict.WRONG, code, reason, first, second, rounded=rounded)


def _as_written(first: Fraction, right: ClaimSide, senses: Senses, factor: Fraction, plain: bool) -> RoundedNumber | None:
    """The stated number in its own unit, in which a left side without units may be already: ``648 + 64 = 720 MB``."""
    literal = right.literal
    if literal is None:
        value = right.formula.value if isinstance(right.formula, Number) else None
        return None if value is None else RoundedNumber(first, Fraction(value), Fraction(1))
    scale, stated, unit = _scale(right, senses) * factor, Fraction(literal.value), literal.unit.written if literal.unit else ""
    if plain and _apart(first, stated) < _apart(first / scale, stated):
        scale = Fraction(1)
    return RoundedNumber(first / scale, stated, literal.last_digit, unit, scale)


def _value(each: ClaimSide, senses: Senses) -> Fraction:
    if isinstance(each.formula, Number):
        return Fraction(each.formula.value)
    return Fraction(
        evaluate(each.formula, {letter: literal.value * sense_of(literal, senses) for letter, literal in each.literals.items()})
    )


def _scale(each: ClaimSide, senses: Senses) -> Fraction:
    return sense_of(each.literal, senses) if each.literal else Fraction(1)


def _zeros(literal: Literal, sign: str, is_less: bool) -> int:
    """The unit of the last digit before insignificant trailing zeros: 10 in ``≈ 3690 万``, 100 in ``= 6700 万``."""
    written = str(abs(literal.value))
    silent = written.endswith("0" * _SILENT_ZEROS) and written.rstrip("0")[1:]
    return _last_shown(written, is_less) if literal.last_digit == 1 and literal.value and (sign == "≈" or silent) else 1


def _last_shown(written: str, is_less: bool) -> int:
    """The unit of the last digit before the zeros at the end; of what is less than a power of ten, a tenth of it: 5 is not about 10."""
    shown = written.rstrip("0")
    return int("1" + "0" * (len(written) - len(shown) - (is_less and shown == "1" != written)))


def _uncertain(each: ClaimSide, senses: Senses) -> bool:
    return any(is_inexact(literal, senses) for literal in each.literals.values())


def _macs(left: ClaimSide, right: ClaimSide) -> Fraction:
    if {left.counted, right.counted} == {"FLOPs", "MACs"} and in_force("mac-as-two-flops"):
        return Fraction(2) if right.counted == "MACs" else Fraction(1, 2)
    return Fraction(1)
