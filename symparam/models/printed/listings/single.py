"""Shapes of one size without brackets beside others in brackets: ``fc.bias: 64`` below ``fc.weight: (64, 3)``."""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import pairwise
from math import prod

from symparam.models.printed.listings.columns import STYLES, ListingToken, may_be_shape, tokens_of
from symparam.models.printed.listings.lines import KNOWN_WORD, LONE_NAMES, MAX_LINE, SUMS, dotted
from symparam.models.printed.listings.pieces import is_setting

_SEVERAL = re.compile(r"[(\[]\d{1,18}, ?\d")
_ONE = re.compile(r"[(\[]\d{1,18},?[)\]]")
"""The only size of a shape in brackets: where it is written so, no number without brackets is a shape."""


def with_single_sizes(lines: list[str]) -> list[str]:
    """The lines with brackets around each number that stands where other lines of the same form have shapes of several sizes.

    All of these lines name tensors: by the number of elements beside the sizes or, as a setting may be written in the same form, by names
    like those of tensors.
    """
    short = [line for line in lines if len(line) <= MAX_LINE]
    if not any(map(_SEVERAL.search, short)) or any(_ONE.search(line, line.find("]") + 1 if line[:1] == "[" else 0) for line in short):
        return lines
    alike = defaultdict[tuple[str, ...], dict[int, tuple[ListingToken, ...]]](dict)
    for at, line in enumerate(lines):
        tokens = tokens_of(line)
        alike[tuple("sizes" if may_be_shape(each) else each.kind for each in tokens)][at] = tokens
    written = list[str](lines)
    for form, rows in alike.items():
        for place in (at for at, kind in enumerate(form) if kind == "sizes"):
            cells = {at: tokens[place] for at, tokens in rows.items()}
            single = {at: cell for at, cell in cells.items() if cell.kind == "N" and len(cell.shape) == 1}
            several = {at for at, cell in cells.items() if cell.kind in STYLES and len(cell.shape) > 1}
            others = [at for at, kind in enumerate(form) if kind == "sizes" and at != place and not _are_numbered(rows, at)]
            if not several or (others and not _has_counts(rows, place, others)):
                continue
            told = {at: cell for at, cell in single.items() if others or _is_tensor(rows[at])}
            if all(SUMS.fullmatch(_name(rows[at])) for at in single.keys() - told.keys()):
                is_round = any(cells[at].kind == "round" for at in several)
                for at, cell in told.items():
                    start, sizes = cell.column - 1, f"({cell.shape[0]},)" if is_round else f"[{cell.shape[0]}]"
                    written[at] = f"{lines[at][:start]}{sizes}{lines[at][start + len(cell.text) :]}"
    return written


def _has_counts(rows: dict[int, tuple[ListingToken, ...]], place: int, others: list[int]) -> bool:
    """Whether another number in each row is that of the elements."""
    return any(all(tokens[at].shape == (prod(tokens[place].shape),) for tokens in rows.values()) for at in others)


def _are_numbered(rows: dict[int, tuple[ListingToken, ...]], place: int) -> bool:
    """Whether the numbers there are those of the rows."""
    numbers = [tokens[place].shape for tokens in rows.values()]
    return len(numbers) > 1 and all(len(one) == len(other) == 1 and other[0] == one[0] + 1 for one, other in pairwise(numbers))


def _name(tokens: tuple[ListingToken, ...]) -> str:
    words = [each.text for each in tokens if each.kind == "W" and not KNOWN_WORD.fullmatch(each.text)]
    return next((each for each in words if "." in each or "/" in each), words[0] if words else "")


def _is_tensor(tokens: tuple[ListingToken, ...]) -> bool:
    name = dotted(_name(tokens))
    return bool(name) and not is_setting(name) and not SUMS.fullmatch(name) and ("." in name or LONE_NAMES.search(name) is not None)
