"""Reads the sizes in the heads of a table's columns, which say how the columns are related: ``4K tokens`` and ``16K tokens``, ``per token``
and ``4K tokens``, ``batch 1`` and ``batch 8``; their units, ``seconds`` and ``days``; and their formats,
``FP16`` and ``INT4``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from symparam.documents.checking.sentences.quantity_extraction import formats
from symparam.documents.reading.unit_senses import Unit, unit_in_label
from symparam.documents.words import words

_SIZE = re.compile(r"(?<![\w.,])(\d{1,3}(?>(?:,\d{3}){1,4})|\d{1,9}+)\s?([kKM])?(?![\d.]|,\d)")
_SCALES = {"": (1,), "k": (1_000, 1_024), "K": (1_000, 1_024), "M": (10**6, 2**20)}
_WORD = re.compile(r"[^\W\d_]+")
_OVER = re.compile(r"[^\W\d_]\s?/\s?[^\W\d_]{3}")  # Size/day, and not GB/s.
_WORTH = {"bits": Fraction(1, 8), "MACs": Fraction(2)}  # Bytes and operations.


def ratios_of_heads(one: str, other: str) -> Iterator[Fraction]:
    """The factors from a number below ``one`` to the number below ``other``, if the sizes in these heads give any: ``16K tokens`` holds
    four times what ``4K tokens`` does, and 16,000 or 16,384 times what one token does. Only whole multiples are given.
    """
    left, right = list(_SIZE.finditer(one)), list(_SIZE.finditer(other))
    if len(right) != 1:
        return
    if len(left) == 1 and _around(one, left[0]) == _around(other, right[0]):
        pairs = ((high, low) for high in _values(right[0]) for low in _values(left[0]) if high > low > 0)
        yield from dict.fromkeys(Fraction(high // low) for high, low in pairs if high % low == 0)
    elif not left and (words("per_one").in_text(one) or _OVER.search(one)):
        yield from dict.fromkeys(Fraction(value) for value in _values(right[0]) if value > 1)


def ratios_of_units(one: str, other: str) -> Iterator[Fraction]:
    """The factors from a number below ``one`` to the number below ``other``, if each head names a unit and both measure the same."""
    left, right = units_in_head(one), units_in_head(other)
    if len(left) != 1 or len(right) != 1 or not left[0].dimensions & right[0].dimensions:
        return
    ratios = [high / low for high in _whole_senses(left[0]) for low in _whole_senses(right[0])]
    if left[0].counted != right[0].counted:
        ratios = [_worth(left[0]) / _worth(right[0])]
    yield from (each for each in dict.fromkeys(ratios) if each != 1)


def ratios_of_formats(one: str, other: str) -> Iterator[Fraction]:
    """The factor from a number below ``one`` to the number below ``other``, if each head names one format: ``FP16``, ``INT4``."""
    first, second = (format_in(head, 0, len(head)) for head in (one, other))
    if first and second and first[0] != second[0]:
        yield Fraction(second[0], first[0])


def format_in(text: str, start: int, end: int) -> tuple[int, int, int] | None:
    """The bits of the one format that a label names, with the place of its name; None if it names none or several."""
    found = list(formats(text, start, end))
    return (int(8 * found[0][1]), *found[0][0].span()) if len({size for _, size in found}) == 1 else None


def _worth(unit: Unit) -> Fraction:
    """A unit in bytes, or in operations."""
    return unit.senses[0] * _WORTH.get(unit.counted, 1)


def units_in_head(head: str) -> list[Unit]:
    """The units among the words of a head, also with a capital letter."""
    return [unit for word in _WORD.findall(head) if (unit := unit_in_label(word)) is not None]


def _whole_senses(unit: Unit) -> tuple[Fraction, ...]:
    """The senses of a unit; not that in which a word for a unit only says what is counted."""
    return tuple(sense for at, sense in enumerate(unit.senses) if not at or sense != 1)


def _values(size: re.Match[str]) -> tuple[int, ...]:
    return tuple(int(size[1].replace(",", "")) * scale for scale in _SCALES[size[2] or ""])


def _around(head: str, size: re.Match[str]) -> list[str]:
    """The words of a head without its size."""
    return _WORD.findall((head[: size.start()] + " " + head[size.end() :]).lower())
