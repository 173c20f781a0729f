"""Rows of a listing that hold a sum: ``total: [7]`` is one if it is the sum of the tensors, and otherwise a tensor of that name."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, islice
from math import ceil, floor, prod

from symparam.errors import DocumentError, shorten
from symparam.models.printed.listings.lines import KNOWN_WORD, MAX_LINE, NUMBER_FORMAT, SUMS, with_commas
from symparam.models.printed.listings.rows import is_written, rows_of_one_size
from symparam.models.printed.named_tensors import NamedTensor

_SUM = re.compile(rf"[^\w\n]{{0,200}}(?:(?P<first>\d{{1,6}})[^\w\n]{{1,200}})?(?:{SUMS.pattern})(?![\w.[])", re.IGNORECASE)
_WORD = re.compile(r"\d{1,3}(?:[,_]\d{3}){1,8}(?![\d,_])|\w[\w.]*")
_NUMBER = re.compile(r"[\d,_]{1,33}")
_SHAPE = re.compile(r"[\[{×✕]|,\s?\)|\(\d{1,25}, |\d ?[xX*] ?\d|\(\)")
_TYPE = re.compile(rf"(?<![\w.])(?:{NUMBER_FORMAT.pattern}|requires_grad)(?![\w.])", re.IGNORECASE)
_SHARE = re.compile(r"(?<![\w.,])(\d{1,3}(?:\.\d{1,6})?) ?%")
_OF_TENSORS = re.compile(f"{_SHAPE.pattern}|{_TYPE.pattern}", re.IGNORECASE)
"""Signs that a line is a tensor rather than a sum."""


def without_sums(tensors: Sequence[NamedTensor], lines: Sequence[str]) -> list[NamedTensor]:
    """The tensors without those that are named like a sum and whose size is the sum of all others, or of those above them.

    Raises `DocumentError` for such a row with the brackets of a shape, or with a type.
    """
    kept, begun = list[NamedTensor](), 0
    others = sum(prod(each.shape) for each in tensors if not SUMS.fullmatch(each.name))
    for each in tensors:
        is_sum = SUMS.fullmatch(each.name) and 0 < len(each.shape) < 8
        if is_sum and with_commas(each.shape) in (others, _elements(kept), _elements(kept[begun:])):
            if each.line and _OF_TENSORS.search(lines[each.line - 1][:MAX_LINE]):
                raise DocumentError(
                    f"{each.place}: {shorten(each.name)} has as many elements as the tensors above it, and may be a tensor or their sum; "
                    "leave out the line if it is the sum, and give the full name if it is a tensor"
                )
            begun = len(kept)
        else:
            kept.append(each)
    return kept


def _elements(tensors: Sequence[NamedTensor]) -> int:
    return sum(prod(each.shape) for each in tensors)


def stated_sums(lines: Sequence[str], tensors: Sequence[NamedTensor]) -> tuple[int, ...]:
    """The sums in the lines beside the tensors, without those of only some tensors, which stand between one such line and the next."""
    listed, whole = {each.line for each in tensors}, _elements(tensors)
    at_line = sorted(each.line for each in tensors)
    sums = [0, *accumulate(prod(each.shape) for each in sorted(tensors, key=lambda each: each.line))]
    stated, begun = list[int](), 0
    for number, numbers in lines_of_sums(lines).items():
        if number in listed:
            continue
        above = sums[bisect_left(at_line, number)] - sums[bisect_right(at_line, begun)]
        if above not in numbers or above == whole:
            stated.append(above if above in numbers else numbers[0])
        begun = number
    return tuple(stated)


def require_shares(lines: Sequence[str], tensors: Sequence[NamedTensor], file: str) -> None:
    """Raise a `DocumentError` where each tensor has its share of all elements beside it, in per cent, and all together have another number
    of elements than these shares are of.
    """
    shares = [[*islice(_SHARE.finditer(lines[each.line - 1][:MAX_LINE]), 2)] if each.line else [] for each in tensors]
    if len(tensors) < 2 or not all(len(found) == 1 for found in shares):
        return
    least, most = Fraction(0), Fraction(_elements(tensors) * 1_000)
    for each, (found,) in zip(tensors, shares, strict=True):
        share, half = Fraction(found[1]), Fraction(1, 2 * 10 ** len(found[1].partition(".")[2]))
        least = max(least, 100 * prod(each.shape) / (share + half))
        most = min(most, 100 * prod(each.shape) / (share - half)) if share > half else most
    if least <= most and not least <= _elements(tensors) <= most:
        whole = " to ".join(dict.fromkeys(f"{each:,}" for each in (ceil(least), max(ceil(least), floor(most)))))
        raise DocumentError(
            f"{file}: the shares beside the tensors are of {whole} elements, and those listed have {_elements(tensors):,}; "
            "give the listing whole, or leave out the shares"
        )


def perhaps_tensors(lines: Sequence[str], tensors: Sequence[NamedTensor]) -> Iterator[tuple[str, int, int]]:
    """The lines that may be a sum or a tensor of one size, the same way written: what each is read as, its number, and how many elements
    there are if it is the other.
    """
    listed, whole, rows = {each.line for each in tensors}, _elements(tensors), rows_of_one_size(lines, tensors)
    for number, numbers in lines_of_sums(lines).items():
        if number not in listed and len(numbers) == 1 and is_written(lines[number - 1], rows):
            yield "sum-or-tensor", number, whole + numbers[0]
    for each in tensors if len(tensors) > 2 else ():
        as_large = "." not in each.name and len(each.shape) == 1 and 2 * each.shape[0] == whole
        if as_large and each.line and is_written(lines[each.line - 1], rows):
            yield "tensor-or-sum", each.line, whole - each.shape[0]


def lines_of_sums(lines: Sequence[str]) -> dict[int, list[int]]:
    """The lines that begin with a word for a sum, followed only by numbers, types and words such as params; with these numbers."""
    return {at: numbers for at, line in enumerate(lines, 1) if len(line) <= MAX_LINE and (numbers := _numbers_of_sum(line))}


def _numbers_of_sum(line: str) -> list[int]:
    begins = _SUM.match(line)
    if begins is None or _SHAPE.search(line, begins.end()):
        return []
    words = _WORD.findall(line, begins.end())
    if _TYPE.search(line, begins.end()):
        return []
    if not all(_NUMBER.fullmatch(word) or (KNOWN_WORD.fullmatch(word) and word.lower() != "trainable") for word in words):
        return []
    numbers = [int(re.sub(r"\D", "", word)) for word in words if _NUMBER.fullmatch(word)]
    return numbers or ([int(begins["first"])] if begins["first"] and not words else [])  # Of a table whose first column has the sizes.
