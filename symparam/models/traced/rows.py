"""Lists of rows as settings: a list for each column, by the path within a row, as ``stages[].0`` for the first number of each stage."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

COLUMN = "[]."
"""What stands between the path of a list of rows and that within a row."""
_IN_A_ROW = re.compile(r"(?P<outer>.+?)\.(?P<row>\d+)(\.(?P<inside>.+))?")


def columns_of(path: str, paths: Collection[str]) -> dict[str, str]:
    """The columns of this list by the paths within a row; empty if it is none of rows."""
    before = path + COLUMN
    return {each.removeprefix(before): each for each in paths if each.startswith(before)}


def in_columns(path: str, rows: Sequence[object], columns: Mapping[str, str]) -> dict[str, list[object]]:
    """The columns with the values that the rows give. Raises `ValueError` with what is wrong with a row."""
    found: dict[str, list[object]] = {each: [] for each in columns.values()}
    for at, row in enumerate(rows):
        cells = dict(_cells(row))
        if cells.keys() != columns.keys():
            raise ValueError(f"{path}.{at} has {_named(cells)}, but each of {path!r} was traced with {_named(columns)}")
        for name, value in cells.items():
            found[columns[name]].append(value)
    return found


def with_rows(given: Iterator[tuple[str, object]], defaults: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """The settings, with those of single rows, such as ``stages.1`` or ``stages.1.0``, laid into the columns at their defaults."""
    changed: dict[str, list[object]] = {}
    for path, value in given:
        met = _IN_A_ROW.fullmatch(path) if defaults else None
        columns = columns_of(met["outer"], defaults) if met else {}
        if not met or not columns:
            yield path, value
            continue
        inside = met["inside"]
        cells = {inside: value} if inside else dict(_cells(value))
        for name, cell in cells.items():
            column = columns.get(name, "")
            default = changed.get(column, defaults.get(column))
            if not isinstance(default, list) or int(met["row"]) >= len(default):
                yield path, value
                break
            changed[column] = [*default[: int(met["row"])], cell, *default[int(met["row"]) + 1 :]]
    yield from changed.items()


def _cells(row: object, before: str = "") -> Iterator[tuple[str, object]]:
    """Each value in a row by its path."""
    inside = dict(enumerate(row)) if isinstance(row, (list, tuple)) else row if isinstance(row, Mapping) else {}
    for name, value in inside.items():
        if isinstance(value, (list, tuple, Mapping)):
            yield from _cells(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", value


def _named(cells: Collection[str]) -> str:
    """The cells of a row in words: how many, or their names."""
    if not all(map(str.isdecimal, cells)):
        return ", ".join(cells)
    return "1 item" if len(cells) == 1 else f"{len(cells)} items"


def rendered(path: str, row: str = "") -> str:
    """A column, or what it has for this row, as a line of Python has it: ``stages[i][0]``."""
    outer, mark, inside = path.partition(COLUMN)
    if not mark:
        return f"{path}[{row}]" if row else path
    return f"{outer}[{row}]" + "".join(f"[{name}]" if name.isdecimal() else f".{name}" for name in inside.split("."))
