"""A number as one writes it in running text: all its digits, or rounded to a unit."""

from __future__ import annotations

from fractions import Fraction

from symparam.errors import FormulaError, UnknownNameError
from symparam.formula import number, write

COUNTS = {"K": 10**3, "M": 10**6, "G": 10**9, "B": 10**9, "T": 10**12, "P": 10**15}
BYTES = {
    **{f"{prefix}B": 1000**power for power, prefix in enumerate("KMGT", 1)},
    **{f"{prefix}iB": 1024**power for power, prefix in enumerate("KMGT", 1)},
}
UNITS = {**COUNTS, **BYTES}
"""Units by name: ``M`` is a million of what is counted, ``MB`` a million bytes, ``MiB`` 2²⁰ of them."""

MOST_DIGITS = 6


def written(total: int | Fraction, unit: str | None, digits: int | None, measured_in: str) -> str:
    """``124,439,808``, ``124.4M`` or ``474.7 MiB``, rounded half up to so many digits behind the point.

    ``measured_in`` is the unit of the number itself. Raises `UnknownNameError` for a unit that there is not, and `FormulaError` for one
    that does not fit.
    """
    if unit is None:
        if digits is not None:
            raise FormulaError("--digits are those of a number in a unit; add --unit, such as --unit M, or leave it out")
        return write(number(total))
    if unit not in UNITS:
        raise UnknownNameError("unit", unit, UNITS)
    if (unit in BYTES) != (measured_in == "bytes"):
        fitting = ", ".join(BYTES if measured_in == "bytes" else COUNTS)
        raise FormulaError(f"--unit {unit} does not fit a number of {measured_in}; {fitting} do")
    places = 1 if digits is None else digits
    if not 0 <= places <= MOST_DIGITS:
        raise FormulaError(f"--digits {places} are not between 0 and {MOST_DIGITS}; leave it out for one")
    scaled = Fraction(total) * 10**places / UNITS[unit]
    whole, rest = divmod(int(scaled + Fraction(1, 2)), 10**places)
    shown = f"{whole:,}" + (f".{rest:0{places}d}" if places else "")
    return f"{shown} {unit}" if unit in BYTES else f"{shown}{unit}"
