"""Shares, sizes and rounded numbers in words, rounded half up in exact arithmetic."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from symparam.core.evaluation import int_if_whole
from symparam.core.formula import Formula, number, write
from symparam.errors import FormulaError, UnknownNameError, shorten

COUNTS = {"K": 10**3, "M": 10**6, "G": 10**9, "B": 10**9, "T": 10**12, "P": 10**15}
BYTES = {
    **{f"{prefix}B": 1000**power for power, prefix in enumerate("KMGT", 1)},
    **{f"{prefix}iB": 1024**power for power, prefix in enumerate("KMGT", 1)},
}
UNITS = {**COUNTS, **BYTES}
"""Units by name: ``M`` is a million of what is counted, ``MB`` a million bytes, ``MiB`` 2²⁰ bytes."""

MOST_DECIMALS = 6
LONGEST = 12  # Characters of a number that is shown in full.
DAY = 86_400  # Seconds.
TIMES = ("seconds", "hours")

_AMOUNT = re.compile(
    r"(?:(?P<times>\d{1,9}) ?[x×] ?)?(?P<number>[\d,]{1,40}(?:\.\d{1,20})?)(?:/(?P<divisor>[1-9]\d{0,39}))?"
    r"(?:[eE](?P<power>\d{1,2}))? ?(?P<unit>[A-Za-z]{0,3})"
)


def read_amount(text: str, measured_in: str) -> int | Fraction:
    """Parse a number as a user writes it: ``124,439,808``, ``1.3B``, ``1e23``, ``1/20``, or for bytes ``80GB`` and ``8x80GiB``.

    ``measured_in`` is the unit of the quantity. Raises `FormulaError` for anything else, and for a unit that does not fit.
    """
    units = BYTES if measured_in == "bytes" else COUNTS
    match = _AMOUNT.fullmatch(text.strip())
    if not match or not match["number"].strip(","):
        example = "80GB or 8x80GiB" if measured_in == "bytes" else "124,439,808, 1.3B or 7e9"
        of = f" of {measured_in}" if measured_in else ""
        raise FormulaError(f"{shorten(text)!r} is not a positive number{of}; a number such as {example} is expected")
    if match["unit"] in BYTES and measured_in and units is COUNTS:
        raise FormulaError(
            f"{match['unit']!r} is a unit of bytes, and {measured_in} are asked for; "
            "name a measure in bytes, such as --measure weights or decoding-memory"
        )
    if match["unit"] and match["unit"] not in units:
        raise FormulaError(f"{match['unit']!r} is not a unit of {measured_in or 'numbers'}; {', '.join(units)} are")
    value = Fraction(match["number"].replace(",", "")) / int(match["divisor"] or 1)
    return int_if_whole(value * 10 ** int(match["power"] or 0) * int(match["times"] or 1) * units.get(match["unit"], 1))


def read_range(text: str, measured_in: str) -> tuple[int | Fraction, int | Fraction]:
    """Parse a range as a user writes it, ``6.9B..7.1B``; a single number is both ends. Raises `FormulaError`, also if the first is the
    larger.
    """
    first, dots, second = text.partition("..")
    least, most = (read_amount(each, measured_in) for each in (first, second if dots else first))
    if least > most:
        raise FormulaError(f"{shorten(text)!r} begins with the larger number; write it as {second.strip()}..{first.strip()}")
    return least, most


def percent(part: int | Fraction, whole: int | Fraction) -> str:
    """The share in percent with two decimals; a share above zero is never shown as 0."""
    shown = rounded(Fraction(part) / whole * 100, 2).replace(",", "")
    return "< 0.01 %" if part and shown == "0.00" else f"{shown} %"


def in_unit(total: int | Fraction, unit: str | None, digits: int | None, measured_in: str) -> str:
    """``124,439,808`` without a unit, otherwise ``124.4M`` or ``474.7 MiB`` with ``digits`` decimals, 1 by default.

    ``measured_in`` is the unit of the total itself. Raises `UnknownNameError` for a unit that does not exist, and `FormulaError` for one
    that does not fit the total.
    """
    if unit is None:
        if digits is not None:
            raise FormulaError("--digits applies only to a number in a unit; add --unit, such as --unit M, or leave it out")
        return write(number(total))
    if unit not in UNITS:
        raise UnknownNameError("unit", unit, UNITS)
    if (unit in BYTES) != (measured_in == "bytes"):
        fitting = ", ".join(BYTES if measured_in == "bytes" else COUNTS)
        raise FormulaError(f"--unit {unit} does not fit a number of {measured_in}; {fitting} do")
    decimals = 1 if digits is None else digits
    if not 0 <= decimals <= MOST_DECIMALS:
        raise FormulaError(f"--digits {decimals} are not between 0 and {MOST_DECIMALS}; leave it out for one")
    return rounded(Fraction(total) / UNITS[unit], decimals) + (" " if unit in BYTES else "") + unit


def decimal_size(size: int | Fraction) -> tuple[str, str]:
    """The bytes with two decimals in the largest of KB, MB, GB and TB of which there is at least one, and the value of that unit:
    ``("1.07 GB", "10^9")``.
    """
    return _sized(size, {"TB": "10^12", "GB": "10^9", "MB": "10^6", "KB": "10^3"})


def binary_size(size: int | Fraction) -> tuple[str, str]:
    """The bytes in KiB, MiB, GiB or TiB, and the value of that unit: ``("1.00 GiB", "2^30")``."""
    return _sized(size, {"TiB": "2^40", "GiB": "2^30", "MiB": "2^20", "KiB": "2^10"})


def _sized(size: int | Fraction, units: Mapping[str, str]) -> tuple[str, str]:
    unit = next((unit for unit in units if size >= BYTES[unit]), [*units][-1])
    shown = rounded(Fraction(size) / BYTES[unit], 2)
    return (f"< 0.01 {unit}" if size and shown == "0.00" else f"{shown} {unit}"), units[unit]


def brief(value: int | Fraction, longest: int = LONGEST) -> Formula | str:
    """The exact number if it has few digits, otherwise ``≈ 34,310,730.03``: two decimals, or three digits of a number less than 1."""
    exact = number(value)
    if Fraction(value).denominator == 1 or (len(write(exact)) <= longest and "/" not in write(exact)):
        return exact
    decimals = next(digits for digits in range(2, 400) if abs(value) * 10**digits >= 100)
    return "≈ " + ("−" if value < 0 else "") + rounded(abs(Fraction(value)), decimals)


def amount(value: int | Fraction, measured_in: str) -> Formula | str:
    """A value as it stands in a table: exact, except that times have no use for a fraction of two long numbers."""
    return brief(value) if measured_in in TIMES else number(value)


def rounded(value: Fraction, decimals: int) -> str:
    """The number with this many decimals, rounded half up."""
    whole, rest = divmod(int(value * 10**decimals + Fraction(1, 2)), 10**decimals)
    return f"{whole:,}" + (f".{rest:0{decimals}d}" if decimals else "")
