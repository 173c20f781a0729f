"""Lists of rows whose numbers remember the column and the row that they come from."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, SupportsIndex

from symparam.models.tracing.symbolic_values import LOG, SymbolicSequence, place_of, plain_value, turning

MakeRow = Callable[[object, Mapping[str, object]], object]
"""A function that makes a row like the given one with other values."""


def rows_of(columns: Mapping[str, Sequence[object]], like: Sequence[object], make: MakeRow) -> Sequence[object]:
    """The rows with these columns, as the list that they are ``like`` has them. Raises `ValueError` for columns of different lengths."""
    lengths = {len(each) for each in columns.values()}
    if len(lengths) > 1:
        raise ValueError("the columns of a list of rows have different lengths")
    if any(isinstance(each, SymbolicSequence) for each in columns.values()):
        return SymbolicRows(columns, like, make)
    rows = (_row(columns, like, make, at) for at in range(*lengths))
    return tuple(rows) if isinstance(like, tuple) else list(rows)


def _row(columns: Mapping[str, Sequence[object]], like: Sequence[object], make: MakeRow, at: int) -> object:
    return make(like[min(at, len(like) - 1)], {name: column[at] for name, column in columns.items()})


class SymbolicRows(list[Any]):
    """A list of rows; each time that it is gone through, the values in them are those at the number of the loop."""

    def __init__(self, columns: Mapping[str, Sequence[Any]], like: Sequence[object], make: MakeRow) -> None:
        self.columns, self.like, self.make = columns, like, make
        super().__init__(_row(columns, like, make, at) for at in range(len(next(iter(columns.values())))))

    @property
    def first(self) -> SymbolicSequence:
        """A column that knows how long it is."""
        return next(each for each in self.columns.values() if isinstance(each, SymbolicSequence))

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return SymbolicRows({name: each[index] for name, each in self.columns.items()}, self.like[index] or self.like, self.make)
        return self._at(range(len(self))[index], {name: each[index] for name, each in self.columns.items()})

    def __iter__(self) -> Iterator[object]:
        LOG.loops += 1
        return turning(self.in_loop(LOG.loops), LOG.loops, place_of(sys._getframe(1)))

    def in_loop(self, loop: int) -> Iterator[object]:
        """The rows, at the number of a loop that may go over other lists as well."""
        columns = [iter(each.in_loop(loop) if isinstance(each, SymbolicSequence) else each) for each in self.columns.values()]
        for at, values in enumerate(zip(*columns, strict=True)):
            yield self._at(at, dict(zip(self.columns, values, strict=True)))

    def __reversed__(self) -> Iterator[object]:
        return iter([self[at] for at in range(len(self) - 1, -1, -1)])

    def _at(self, at: int, cells: Mapping[str, object]) -> object:
        """The row with these values; the row itself where the code has changed it."""
        before = self.make(self.like[min(at, len(self.like) - 1)], {name: plain_value(each) for name, each in cells.items()})
        if repr(list.__getitem__(self, at)) != repr(before):  # Without a comparison of settings, which would be logged.
            return list.__getitem__(self, at)
        found = self.make(self.like[min(at, len(self.like) - 1)], cells)
        list.__setitem__(self, at, found)
        return found

    def __deepcopy__(self, memo: object) -> object:
        return self

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        return list, ([*list.__iter__(self)],)
