"""Listings with numbers of elements in place of shapes, ``fc.weight 4096``: a head, a sum or the numbers tell what they count."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from symparam.models.printed.listing_lines import MAX_LINE
from symparam.models.printed.listing_pieces import is_parameter
from symparam.models.printed.listing_sums import lines_of_sums
from symparam.models.printed.named_tensors import NamedTensor

_COUNTED = re.compile(
    r"[\s|│*#`'\"-]{0,40}([A-Za-z_][\w-]{0,200}(?:\.[\w-]{1,200}){1,60})(?:[\s|│:=,;`'\"]|[-=]>){1,200}"
    r"(\d{1,3}(?:,\d{3}){1,6}|\d{1,18})(\s?(?:params|parameters|elements))?[\s|│,;`'\"]{0,40}"
)
_WORDS = re.compile(r"\D{0,200}")
_HEAD = re.compile(
    r"[^\w\n]{0,40}\w{1,40}[\s|│,;`'\"]{1,80}(?:(?:#|n|num(?:ber)?(?:[ _]of)?)[ _]?)?(?:param(?:eter)?s?|numel|elements?)\W{0,80}", re.I
)
"""The heads of a column with names and of one with numbers of elements."""
_OF_ELEMENTS = re.compile(r"param|element", re.IGNORECASE)
_OTHER = re.compile(r"trainable|byte|memory|grad|norm|nan|zero|time|rank", re.IGNORECASE)
"""Words above or below numbers that count something else, or not all tensors."""


def are_counts(counts: Mapping[str, int]) -> bool:
    """Whether these are the numbers of elements of tensors with these full names: all weights are multiples of their biases, and some
    number is odd; otherwise they may be bytes.
    """
    pairs = [(counts.get(name.removesuffix("bias") + "weight", 0), count) for name, count in counts.items() if name.endswith(".bias")]
    multiples = all(bias > 0 and weight and weight % bias == 0 for weight, bias in pairs) and any(a > b for a, b in pairs)
    return multiples and any(count % 2 for count in counts.values()) and all("." in name for name in counts)


def tensors_of_counts(lines: Sequence[str], file: str) -> list[NamedTensor]:
    """A tensor of one size for each line, if all lines with a number, apart from sums, have one behind a full name, and these count
    elements; otherwise empty.
    """
    sums, found = lines_of_sums(lines), dict[str, NamedTensor]()
    unit = True
    words = {number: line for number, line in enumerate(lines, 1) if number in sums or _WORDS.fullmatch(line)}
    for number, line in enumerate(lines, 1):
        read = _COUNTED.fullmatch(line) if number not in words and len(line) <= MAX_LINE else None
        if read and read[1] not in found:
            unit = unit and read[3] is not None
            found[read[1]] = NamedTensor(read[1], (int(read[2].replace(",", "")),), f"{file}, line {number}", number)
        elif number not in words:
            return []
    counts = {name: each.shape[0] for name, each in found.items()}
    summed = any(sum(counts.values()) in numbers and _OF_ELEMENTS.search(lines[number - 1]) for number, numbers in sums.items())
    named = 2 * sum(map(is_parameter, counts)) > len(counts)  # Numbers of modules may have shared tensors twice.
    sure = summed or are_counts(counts) or (named and (unit or any(map(_HEAD.fullmatch, words.values()))))
    return [*found.values()] if sure and not any(map(_OTHER.search, words.values())) else []
