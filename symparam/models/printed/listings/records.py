"""A listing of tensors as records: lines of ``key: value`` for each tensor, with blank lines or brackets between them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from symparam.models.printed.listings.lines import MAX_LINE, dotted, read_sizes
from symparam.models.printed.listings.objects import NAMES, SHAPES
from symparam.models.printed.named_tensors import NamedTensor
from symparam.models.printed.tree import Shape

DIMS = ("dims", "dim")
"""Keys with one size each, as protocol buffers print them: a record without any is a single number."""
TYPED = ("tensor", "type", "value")
"""Keys under which a shape may stand after its type: ``tensor: float32[64,64]``."""
_FIELD = re.compile(r"[ \t]{0,40}(\w{1,40}) ?[:=] ?(\S.{0,400})")
_BETWEEN = re.compile(r"[ \t]{0,40}(?:[\w.]{0,40} ?[{\[(]|[}\])],?|[-=]{3,200}|[\w ]{1,80}:)[ \t]*")
_TYPE = re.compile(r"\w{1,40}(?=\[)")
_NAME = re.compile(r"[\w./:~-]{1,400}")

Record = dict[str, list[str]]


def tensors_of_records(lines: Mapping[int, str], file: str) -> dict[int, list[NamedTensor]]:
    """The tensors by the line numbers of their records; empty if the text is anything else."""
    records = [*_records(lines)]
    by_sizes = any(key in record for _, record in records for key in DIMS)
    found = {}
    for number, record in records:
        name, shape = _name(record), _shape(record, by_sizes)
        if name is None or shape is None:
            return {}
        found[number] = [NamedTensor(dotted(name), shape, f"{file}, line {number}", number)]
    return found if len(found) > 1 else {}


def _records(lines: Mapping[int, str]) -> Iterator[tuple[int, Record]]:
    """Each record with its line number; a last one without keys if a line belongs to none."""
    record: Record = {}
    start = last = 0
    for number, line in lines.items():
        field = _FIELD.fullmatch(line.rstrip()) if len(line) <= MAX_LINE else None
        if field is None and (len(line) > MAX_LINE or not _BETWEEN.fullmatch(line)):
            yield number, {}
            return
        again = field is not None and field[1] in record and field[1] not in DIMS
        if record and (field is None or again or number > last + 1):
            yield start, record
            record = {}
        if field:
            start = start if record else number
            record.setdefault(field[1], []).append(field[2].rstrip(" \t,"))
        last = number
    if record:
        yield start, record


def _name(record: Record) -> str | None:
    name = next((record[key][0].strip("'\"") for key in NAMES if key in record), "")
    return name if _NAME.fullmatch(name) else None


def _shape(record: Record, by_sizes: bool) -> Shape | None:
    if by_sizes:
        sizes = [size for key in DIMS for size in record.get(key, ())]
        return tuple(map(int, sizes)) if all(re.fullmatch(r"\d{1,18}", size) for size in sizes) else None
    for key in (*SHAPES, *TYPED):
        for value in record.get(key, ()):
            start = kind.end() if key in TYPED and (kind := _TYPE.match(value)) else 0
            read = read_sizes(value, start)
            if read and read.end == len(value) and (key in SHAPES or read.style == "square"):
                return read.shape
    return None
