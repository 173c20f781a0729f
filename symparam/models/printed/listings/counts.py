"""Listings with numbers of elements in place of shapes, ``fc.weight 4096``: a head, a sum or the numbers tell what they count."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from symparam.errors import DocumentError, shorten
from symparam.models.printed.listings.columns import modules_of
from symparam.models.printed.listings.lines import MAX_LINE
from symparam.models.printed.listings.pieces import is_parameter
from symparam.models.printed.listings.sums import lines_of_sums
from symparam.models.printed.named_tensors import NamedTensor

_COUNTED = re.compile(
    r"[\s|│*#`'\"-]{0,40}([A-Za-z_][\w-]{0,200}(?:\.[\w-]{1,200}){0,60})(?:(?:[\s|│:=,;`'\"]|[-=]>){1,200}| has )"
    r"(\d{1,3}(?:,\d{3}){1,6}|\d{1,18})(?:\s?(?:params|parameters|elements))?[\s|│,;`'\"]{0,40}"
)
_COUNT_FIRST = re.compile(r"\s{0,40}(\d{1,3}(?:,\d{3}){1,6}|\d{1,18})[ \t|:]{1,40}([A-Za-z_#].{0,400})")
_IN_UNIT = re.compile(r"\d\s?(?:params|parameters|elements)\b")
_WORDS = re.compile(r"\D{0,200}")
_HEAD = re.compile(
    r"[^\w\n]{0,40}\w{1,40}[\s|│,;`'\"]{1,80}(?:(?:#|n|num(?:ber)?)(?:[ _]of)?[ _]?)?(?:param(?:eter)?s?|numel|elements?)\W{0,80}", re.I
)
"""The heads of a column with names and of one with numbers of elements."""
_OF_ELEMENTS = re.compile(r"param|element", re.IGNORECASE)
_OTHER = re.compile(
    r"trainable|frozen|byte|memory|grad|norm|nan|finite|zero|time|rank|chang|prun|spars|hash|shared|tied|duplic|buffer|unused|missing|unexpected|skip"
    r"|\.\.\.|…|⋮",
    re.IGNORECASE,
)
"""Words above or below numbers that count something else, or not all tensors, and dots in place of some."""
_TOLD = re.compile(r"param|numel|element|state_dict", re.IGNORECASE)
"""Words of which one stands in each line with words."""


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
    lines = _names_first(lines)
    found, words = _numbered(lines, file)
    counts = {each.name: each.shape[0] for each in found}
    sums = {words[number]: numbers for number, numbers in lines_of_sums(lines).items() if number in words}
    summed = any(sum(counts.values()) in numbers and _OF_ELEMENTS.search(line) for line, numbers in sums.items())
    unit = all(_IN_UNIT.search(lines[each.line - 1]) for each in found)
    # Numbers of modules may have shared tensors twice.
    told = unit or any(map(_HEAD.fullmatch, words.values()))
    sure = summed or are_counts(counts) or (_are_parameters(found) and told)
    parted = modules_of(counts).isdisjoint(counts) and (summed or told or all("." in name for name in counts))
    aside = [line for line in words.values() if line not in sums and any(map(str.isalpha, line))]
    return found if sure and parted and all(map(_TOLD.search, aside)) and not any(map(_OTHER.search, words.values())) else []


def require_no_numbers(lines: Sequence[str], file: str) -> None:
    """Raise a `DocumentError` where numbers stand behind the names of parameters and nothing tells what they count."""
    found, _ = _numbered(_names_first(lines), file)
    if _are_parameters(found):
        raise DocumentError(
            f"{found[0].place}: one number stands behind {shorten(found[0].name)} and the other names, and may be that of its elements or "
            "bytes; list the shapes, or say above or below what is counted, as in 'name,numel' or 'Total params: 1234'"
        )


def _names_first(lines: Sequence[str]) -> Sequence[str]:
    """The lines with each number behind its name, where all lines begin with a number."""
    read = [_COUNT_FIRST.fullmatch(line) if len(line) <= MAX_LINE else None for line in lines]
    if not any(read) or any(line.strip() for line, found in zip(lines, read, strict=True) if not found):
        return lines
    return [f"{found[2].rstrip()} {found[1]}" if found else line for line, found in zip(lines, read, strict=True)]


def _numbered(lines: Sequence[str], file: str) -> tuple[list[NamedTensor], dict[int, str]]:
    """The numbers behind full names, and the lines with words or sums; no numbers if there is any other line."""
    sums, found = lines_of_sums(lines), dict[str, NamedTensor]()
    words = {number: line for number, line in enumerate(lines, 1) if number in sums or _WORDS.fullmatch(line)}
    for number, line in enumerate(lines, 1):
        read = _COUNTED.fullmatch(line) if number not in words and len(line) <= MAX_LINE else None
        if read and read[1] not in found:
            place = f"{file}, line {number}, column {read.start(1) + 1}"
            found[read[1]] = NamedTensor(read[1], (int(read[2].replace(",", "")),), place, number)
        elif number not in words:
            return [], {}
    return [*found.values()], words


def _are_parameters(found: Sequence[NamedTensor]) -> bool:
    """Whether most of the names end as those of parameters do."""
    return 2 * sum(is_parameter(each.name) for each in found) > len(found)
