"""How many digits a number of a table shows, which say how likely it is to agree with something by chance."""

from __future__ import annotations

from symparam.documents.checking.tables.column_relations import is_share, literal_of
from symparam.documents.reading.expression import Expression


def plain_digits(number: Expression) -> tuple[str, int]:
    """A number with how many digits it shows; not the zeros of a format that writes a 4 as 4.0000."""
    literal = literal_of(number)
    if literal is None:
        return str(number.formula), max(len(str(number.exact).strip("-0")), 1)
    whole, last, digits = int(literal.value / literal.last_digit), literal.last_digit, literal.digits
    while last < 1 and digits > 1 and whole % 10 == 0:
        whole, last, digits = whole // 10, 10 * last, digits - 1
    return f"{whole}×{last}{literal.unit.written if literal.unit else ''}", max(digits, 1)


def shown_digits(number: Expression) -> int:
    """How many digits a number shows, with the zeros at its end behind the point or in a percentage."""
    literal = literal_of(number)
    if literal is None or (literal.last_digit >= 1 and not is_share(number)):
        return plain_digits(number)[1]
    return len(str(abs(int(literal.value / literal.last_digit))))


def odd_digits(number: Expression) -> tuple[str, int]:
    """A number with how many digits it shows apart from factors of ten and two: numbers that are doubled again and again say little."""
    literal = literal_of(number)
    whole = int(literal.value / literal.last_digit) if literal is not None else number.exact
    if not isinstance(whole, int) or not whole:
        return str(number.formula), 0
    while whole % 10 == 0:
        whole //= 10
    whole //= whole & -whole
    return str(whole), len(str(abs(whole))) if abs(whole) > 1 else 0
