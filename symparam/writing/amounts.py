"""Shares and sizes in words, rounded half up to two decimals in exact arithmetic."""

from __future__ import annotations

from fractions import Fraction


def percent(part: int | Fraction, whole: int | Fraction) -> str:
    """The share in percent; what is not nothing is not shown as 0."""
    hundredths = (part * 20_000 + whole) // (2 * whole)
    return "< 0.01 %" if part and not hundredths else f"{hundredths // 100}.{hundredths % 100:02d} %"


def megabytes(size: int | Fraction) -> str:
    """The size in units of 10⁶ bytes."""
    hundredths = (size * 200 + 10**6) // (2 * 10**6)
    return f"{hundredths // 100:,}.{hundredths % 100:02d}"


def mebibytes(size: int | Fraction) -> str:
    """The size in units of 2²⁰ bytes."""
    hundredths = (size * 200 + 2**20) // 2**21
    if size and not hundredths:
        return "< 0.01"
    return f"{hundredths // 100:,}.{hundredths % 100:02d}"
