"""Tables of layers as Keras, torchsummary, torchinfo, Lightning and Paddle print them: counted if the rows add up to the total below."""

from __future__ import annotations

import re
from collections.abc import Sequence

from symparam.errors import DocumentError
from symparam.models.printed.listing_lines import MAX_LINE, read_line
from symparam.models.printed.named_tensors import NamedTensor
from symparam.models.printed.tree import AS_RUN, AS_SHOWN

_HEAD = re.compile(r"\bparam(?:eter)?s? ?#|# ?param|\b(?:modules?|type)\W{1,200}param(?:eter)?s\b", re.IGNORECASE)
_OUTPUT = re.compile(r"\boutput[ _](?:shape|size)\b", re.IGNORECASE)
_OTHER = re.compile(r"(?:in|out)put[ _](?:shape|size)|kernel[ _](?:shape|size)|size \(\w{0,3}B\)", re.IGNORECASE)
_SHAPE = re.compile(r"shape|size|dim", re.IGNORECASE)
_KIND = re.compile(r"layer|type|param|module", re.IGNORECASE)
_NUMBERED = re.compile(r"[ │|]{0,200}[├└][─━]\w{1,60}(?: \(\w{1,60}\))?: \d{1,4}-\d{1,6}\b")
"""A row of such a table: the class of a layer with its depth and its number."""
_RUN = re.compile(r"[ \t|│]{0,200}\w{1,80}-\d{1,6}[ \t|│]{1,200}(?:\[|\()[^\n]{0,400}\d[ \t|│]{0,40}")
"""A row of a tool that counts the layers as they run, with the number of the run: ``Linear-1  [-1, 8]  72``."""
_TOTAL = re.compile(
    r"\W{0,9}total (?:params|parameters)\W{1,5}(?P<behind>\d{1,3}(?:,\d{3}){1,6}|\d{1,18})(?![\d,.]| ?[KMGB]\b)"
    r"|\W{0,9}(?P<before>\d{1,3}(?:,\d{3}){1,6}|\d{1,18}) {1,40}total params\b",
    re.IGNORECASE,
)
_GAP = re.compile(r" {2,}|\t+|[│┃|]")
_COUNT = re.compile(r"\d{1,3}(?:,\d{3}){1,6}|\d{1,18}")
_NO_NAME = re.compile(r"[\W_]+")


def tensors_of_summary(lines: list[str], file: str) -> list[NamedTensor]:
    """A tensor for each layer of the table, with as many elements as the layer has; empty if there is no such table.

    Raises `DocumentError` for a table without the numbers of parameters, where they do not add up to the total below them, and for a second
    table or a listing beside it. A total of only the trainable parameters does not count as a total.
    """
    head = next((at for at, line in enumerate(lines) if _is_head(line[:MAX_LINE])), len(lines))
    if head == len(lines):
        return []
    below = ((at, found) for at, line in enumerate(lines[head:], head) if (found := _TOTAL.match(line[:MAX_LINE])))
    end, total = next(((at, int((found["behind"] or found["before"]).replace(",", ""))) for at, found in below), (head, 0))
    outside = [(at, line) for at, line in enumerate(lines) if not head <= at <= end] if end > head else []
    heads = (at for at, line in enumerate(lines[head + 1 :], head + 1) if _is_head(line[:MAX_LINE]) and not _NUMBERED.match(line))
    if (at := next(heads, next((at for at, line in outside if _is_tensor(line)), -1))) >= 0:
        raise DocumentError(f"{file}, line {at + 1}: this stands beside the table of layers in line {head + 1}; give only one of the two")
    rows = [(at + 1, _cells(line)) for at, line in enumerate(lines[head + 1 : end], head + 1) if len(line) <= MAX_LINE]
    for column in (-1, -2, -3, -4):
        counts = [(at, cells[cells[0].isdecimal()], int(cells[column].replace(",", ""))) for at, cells in rows if _is_count(cells, column)]
        if len(counts) > 1 and sum(count for _, _, count in counts) == total:
            return [NamedTensor(_named(name, at), (count,), f"{file}, line {at}", at) for at, name, count in counts if count]
    outputs = " with the shapes of what they put out, which are not those of their parameters," if _OUTPUT.search(lines[head]) else ""
    raise DocumentError(
        f"{file}, line {head + 1}: this is a table of layers{outputs} and no column adds up to a total of parameters below it, in whole "
        "numbers; print the model, or list named_parameters() with their shapes"
    )


def way_of_counting(lines: Sequence[str], layers: Sequence[NamedTensor]) -> str:
    """How the tool that printed this table of layers counts: ``AS_RUN`` or, if some layers are alike, ``AS_SHOWN``; empty for one that
    counts each parameter once.
    """
    rows = [lines[each.line - 1][:MAX_LINE] for each in layers if each.line]
    if any(map(_RUN.fullmatch, rows)):
        return AS_RUN
    return AS_SHOWN if any(map(_NUMBERED.match, rows)) and len({each.shape for each in layers}) < len(layers) else ""


def _is_head(line: str) -> bool:
    if _NUMBERED.match(line):
        return True
    if len(_cells(line)) < 2 or not _KIND.search(line) or _SHAPE.search(_OTHER.sub("", line)):
        return False
    return _OUTPUT.search(line) is not None or (_HEAD.search(line) is not None and not _COUNT.search(line))


def _is_tensor(line: str) -> bool:
    """Whether the line names a tensor with its shape."""
    read = read_line(line) if len(line) <= MAX_LINE else None
    return read is not None and read.sizes is not None and ("." in read.name or read.sizes.style == "sized")


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in _GAP.split(line.strip(" │┃|")) if cell.strip()]


def _is_count(cells: list[str], column: int) -> bool:
    return len(cells) > -column and _COUNT.fullmatch(cells[column]) is not None


def _named(cell: str, line: int) -> str:
    """A name for the layer of a row: its own with the number of the line, since several layers may have the same."""
    return f"{_NO_NAME.sub('_', cell).strip('_') or 'layer'}_{line}"
