"""Tables of layers as Keras, torchsummary, torchinfo, Lightning and Paddle print them: counted if the rows add up to the total below."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from symparam.errors import DocumentError
from symparam.models.printed.listings.lines import MAX_LINE, read_line
from symparam.models.printed.named_tensors import NamedTensor
from symparam.models.printed.tree import AS_RUN, AS_SHOWN, SUMMED, TRAINED

_HEAD = re.compile(r"\bparam(?:eter)?s? ?#|# ?param|\b(?:modules?|type)\W{1,200}param(?:eter)?s\b", re.IGNORECASE)
_OUTPUT = re.compile(r"\boutput[ _](?:shape|size)\b", re.IGNORECASE)
_OTHER = re.compile(r"(?:in|out)put[ _](?:shape|size)|kernel[ _](?:shape|size)|size \(\w{0,3}B\)", re.IGNORECASE)
_SHAPE = re.compile(r"shape|size|dim", re.IGNORECASE)
_KIND = re.compile(r"layer|type|param|module", re.IGNORECASE)
_NUMBERED = re.compile(r"[ │|]{0,200}[├└][─━](?P<kind>\w{1,60})(?: \(\w{1,60}\))?: (?P<depth>\d{1,4})-\d{1,6}\b")
"""A row of such a table: the class of a layer with its depth and its number."""
_LAYER = re.compile(
    r"(?:(?:Bil|L)inear|Embedding(?:Bag)?|(?:Lazy)?Conv(?:Transpose)?[123]d|(?:Layer|RMS|Group|Batch|Sync|Instance)+Norm(?:[123]d)?"
    r"|(?:LSTM|GRU|RNN)(?:Cell)?|PReLU)"
)
"""The classes of torch that have tensors and no modules inside."""
_RUN = re.compile(r"[ \t|│]{0,200}\w{1,80}-\d{1,6}[ \t|│]{1,200}(?:\[|\()[^\n]{0,400}\d[ \t|│]{0,40}")
"""A row of a tool that counts the layers as they run, with the number of the run: ``Linear-1  [-1, 8]  72``."""
_TOTAL = re.compile(
    r"\W{0,9}total (?P<trained>trainable )?(?:params|parameters)\W{1,5}(?P<behind>\d{1,3}(?:,\d{3}){1,6}|\d{1,18})(?![\d,.]| ?[KMGB]\b)"
    r"|\W{0,9}(?P<before>\d{1,3}(?:,\d{3}){1,6}|\d{1,18}) {1,40}total params\b",
    re.IGNORECASE,
)
_TRAINED = re.compile("trainable", re.IGNORECASE)
"""A column of its own for the parameters that are trained."""
_GAP = re.compile(r" {2,}|\t+|[│┃|]")
_COUNT = re.compile(r"\d{1,3}(?:,\d{3}){1,6}|\d{1,18}")
_NO_NAME = re.compile(r"[\W_]+")


def tensors_of_summary(lines: list[str], file: str) -> list[NamedTensor]:
    """A tensor for each layer of the table, with as many elements as the layer has; empty if there is no such table.

    Raises `DocumentError` for a table without the numbers of parameters, where they do not add up to the total below them, and for a second
    table or a listing beside it. A total of only the trainable parameters counts if there is no other.
    """
    head = next((at for at, line in enumerate(lines) if _is_head(line[:MAX_LINE])), len(lines))
    if head == len(lines):
        return []
    below = [(at, found) for at, found in _totals(lines[head:], head) if not (found["trained"] and _TRAINED.search(lines[head]))]
    end, total = next(((at, int((found["behind"] or found["before"]).replace(",", ""))) for at, found in below), (head, 0))
    outside = [(at, line) for at, line in enumerate(lines) if not head <= at <= end] if end > head else []
    heads = (at for at, line in enumerate(lines[head + 1 :], head + 1) if _is_head(line[:MAX_LINE]) and not _NUMBERED.match(line))
    if (at := next(heads, next((at for at, line in outside if _is_tensor(line)), -1))) >= 0:
        raise DocumentError(f"{file}, line {at + 1}: this stands beside the table of layers in line {head + 1}; give only one of the two")
    rows = [(at + 1, _cells(line)) for at, line in enumerate(lines[head + 1 : end], head + 1) if len(line) <= MAX_LINE]
    for column in (-1, -2, -3, -4):
        counts = [(at, cells[cells[0].isdecimal()], int(cells[column].replace(",", ""))) for at, cells in rows if _is_count(cells, column)]
        if len(counts) > 1 and sum(count for _, _, count in counts) == total:
            return [*_layers([each for each in counts if each[2]], file)]
    outputs = " with the shapes of what they put out, which are not those of their parameters," if _OUTPUT.search(lines[head]) else ""
    raise DocumentError(
        f"{file}, line {head + 1}: this is a table of layers{outputs} and no column adds up to a total of parameters below it, in whole "
        "numbers; print the model, or list named_parameters() with their shapes"
    )


def _layers(counts: Sequence[tuple[int, str, int]], file: str) -> Iterator[NamedTensor]:
    """A tensor for each row, by line number, text and number of parameters; two for what may be the matrix of an embedding and a bias."""
    tables = {count for _, text, count in counts if "Embed" in text}
    for at, text, count in counts:
        table = next((each for each in tables if count > each and _may_share(each, count) and "Linear" in text), 0)
        yield NamedTensor(_named(text, at), (count - table,), f"{file}, line {at}", at)
        if table:
            yield NamedTensor(f"{_named(text, at)}_matrix", (table,), f"{file}, line {at}", at)


def _totals(lines: Sequence[str], first: int = 0) -> list[tuple[int, re.Match[str]]]:
    """The totals with the numbers of their lines, those of all parameters before those of the trainable ones."""
    found = [(at, total) for at, line in enumerate(lines, first) if (total := _TOTAL.match(line[:MAX_LINE]))]
    return sorted(found, key=lambda each: each[1]["trained"] is not None)


def way_of_counting(lines: Sequence[str], layers: Sequence[NamedTensor]) -> str:
    """How the tool that printed this table of layers counts: ``AS_RUN``; ``SUMMED`` if the rows are sums that may overlap; ``AS_SHOWN`` if
    one of the layers may have the tensor of an embedding; or ``TRAINED`` if it leaves out what is frozen. Empty for a table in which each
    parameter is once.
    """
    if layers and all(len(each.shape) == 1 for each in layers) and any(found["trained"] for _, found in _totals(lines)[:1]):
        return TRAINED
    rows = [lines[each.line - 1][:MAX_LINE] for each in layers if each.line]
    if any(map(_RUN.fullmatch, rows)):
        return AS_RUN
    if not any(map(_NUMBERED.match, rows)):
        return ""
    numbered = {at: found for at, line in enumerate(lines, 1) if len(line) <= MAX_LINE and (found := _NUMBERED.match(line))}
    deepest = max(int(found["depth"]) for found in numbered.values())
    # At the greatest depth shown, a module that is none of torch's layers may have others inside, which may be in another row too.
    sums = [each for each in layers if each.line in numbered and int(numbered[each.line]["depth"]) == deepest]
    if any("(recursive)" in lines[at - 1] for at in numbered) or not all(_LAYER.fullmatch(numbered[each.line]["kind"]) for each in sums):
        return SUMMED
    counts = [(each.shape[0], numbered[each.line]["kind"] if each.line in numbered else "") for each in layers]
    tables = [(at, count) for at, (count, kind) in enumerate(counts) if "Embed" in kind]
    others = [(at, count) for at, (count, kind) in enumerate(counts) if not _LAYER.fullmatch(kind) or "Linear" in kind or "Embed" in kind]
    return AS_SHOWN if any(table == count for at, table in tables for each, count in others if each != at) else ""


def _may_share(table: int, other: int) -> bool:
    """Whether a layer with as many parameters may have the matrix of the table, with or without a bias of one number for each row."""
    return other == table or (other > table and table % (other - table) == 0)


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
