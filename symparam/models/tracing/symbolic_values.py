"""Numbers and lists that keep the expressions of their origin, and the log of computations and comparisons with them."""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from types import FrameType
from typing import Any, SupportsIndex

from symparam.models.traced.expressions import Expression, parts

MOST = 100  # Different operations in one expression; nobody writes a size with more.
MOST_IN_FULL = 250
"""The most operations in one expression, if what occurs in it several times is counted as often."""
MOST_AT_A_PLACE = 1_000
"""The most values that one operation in the code may log in a build; code that computes more is filling a table."""


class Outcomes:
    """The outcomes of the comparisons on one path through a function: as ``met`` says, or as they come out if it does not say."""

    def __init__(self, met: dict[Expression, bool]) -> None:
        self.met = met

    def of(self, expression: Expression, value: bool) -> bool:
        return self.met.setdefault(expression, value)


class EndlessError(Exception):
    """Raised when a build comes to one place far too often: with a factor of 1, a width that is divided by it is never small enough."""


Place = tuple[int, int]


def place_of(frame: FrameType) -> Place:
    """Where the code of a frame is."""
    return id(frame.f_code), frame.f_lasti


Turn = tuple[Place, int, int]
"""Where a loop is in the code, which of all loops it is, and how often it has turned."""


class Log:
    """The log of one build: expressions with their values, and comparisons with their outcomes, the ``last`` one by itself. Those of a
    function that is followed in all ways are ``outcomes``, and ``turns`` those of the loops that are running, the outermost first.
    """

    def __init__(self) -> None:
        self.met: dict[Expression, object] = {}
        self.asked: dict[Expression, set[bool]] = {}
        self.loops = 0
        self.turns: dict[int, Turn] = {}
        self.places: dict[Place, int] = {}
        self.outcomes: Outcomes | None = None
        self.last: tuple[Expression, bool] | None = None
        self.most = math.inf

    def is_full(self, frame: FrameType) -> bool:
        """Whether the current operation of this frame's code has been logged too often."""
        return self.is_full_at(place_of(frame))

    def is_full_at(self, place: Place) -> bool:
        """Whether the operation at this place has been logged too often."""
        met = self.places[place] = self.places.get(place, 0) + 1
        if met > self.most:
            raise EndlessError(f"one place in its code computes or compares more than {self.most:,} times, as in a loop that never ends")
        return met > MOST_AT_A_PLACE


LOG = Log()


def turning(values: Iterable[Any], loop: int, place: Place) -> Iterator[Any]:
    """What a loop goes over, with its turn in the log as long as it runs."""
    turns = LOG.turns  # Those of this build, though a loop that was left may be ended in a later one.
    try:
        for turn, value in enumerate(values):
            turns[loop] = place, loop, turn
            yield value
    finally:
        turns.pop(loop, None)


def restart(most: float = math.inf) -> Log:
    """A new log, for a new build that may come to one place so often."""
    vars(LOG).update(vars(Log()) | {"most": most})  # All values write to this one object.
    return LOG


def expression_of(value: object) -> Expression:
    """The expression of the value, or the value itself if it has none."""
    return getattr(value, "expression", value)


def with_expression(value: object, expression: Expression) -> object:
    """The value with its expression, if values of its kind can hold one."""
    if isinstance(value, bool) or is_too_large(expression):
        return value
    if isinstance(value, int):
        LOG.met[expression] = int(value)
        return SymbolicInt(value, expression)
    if isinstance(value, float):
        return SymbolicFloat(value, expression)
    return value


def recorded_comparison(value: bool, expression: Expression) -> bool:
    """The outcome of a comparison, recorded in the log."""
    if LOG.outcomes is not None:
        return LOG.outcomes.of(expression, bool(value))
    if not is_too_large(expression):
        LOG.asked.setdefault(expression, set()).add(bool(value))
        LOG.last = expression, bool(value)
    return value


def is_too_large(expression: Expression) -> bool:
    """Whether the expression has more operations than a size that someone wrote."""
    waiting, met = [expression], 0
    while waiting and met < MOST:  # As `parts` would give them, of which most are few.
        part = waiting.pop()
        met += 1
        if isinstance(part, tuple):
            waiting += part[1:]
    if met < MOST:
        return False
    full = list(islice(parts(expression), MOST_IN_FULL))
    return len(full) == MOST_IN_FULL or len(set(full)) > MOST


def _binary(name: str, operation: str, base: type, swapped: bool = False) -> object:
    plain = getattr(base, name)

    in_floats = getattr(float, name)

    def method(self: object, other: object) -> object:
        value = plain(self, other)
        if value is NotImplemented and isinstance(other, float):  # Otherwise a plain float would answer, and lose the expression.
            value = in_floats(float(_plain(self)), other)
        if value is NotImplemented or LOG.is_full(sys._getframe(1)):
            return value
        pair = (expression_of(other), expression_of(self)) if swapped else (expression_of(self), expression_of(other))
        return with_expression(value, (operation, *pair))

    return method


def _compared(name: str, operation: str, base: type) -> object:
    plain = getattr(base, name)

    exactly = getattr(operator, name.strip("_"))

    def method(self: object, other: object) -> object:
        value = plain(self, other)
        if value is NotImplemented and isinstance(other, float):
            value = exactly(_plain(self), _plain(other))
        if value is NotImplemented or not isinstance(other, (int, float)) or LOG.is_full(sys._getframe(1)):
            return value
        return recorded_comparison(value, (operation, expression_of(self), expression_of(other)))

    return method


_ARITHMETIC = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**"}
_COMPARISONS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}


def _methods(base: type) -> dict[str, object]:
    found = {f"__{name}__": _binary(f"__{name}__", sign, base) for name, sign in _ARITHMETIC.items()}
    found |= {f"__r{name}__": _binary(f"__r{name}__", sign, base, swapped=True) for name, sign in _ARITHMETIC.items()}
    return found | {f"__{name}__": _compared(f"__{name}__", sign, base) for name, sign in _COMPARISONS.items()}


class _Symbolic:
    expression: Expression

    def __bool__(self) -> bool:
        return recorded_comparison(_plain(self) != 0, ("truth", self.expression))

    def __neg__(self) -> Any:
        return with_expression(-_plain(self), ("neg", self.expression))

    def __abs__(self) -> Any:
        return with_expression(abs(_plain(self)), ("abs", self.expression))

    def __round__(self, digits: Any = None) -> Any:
        plain = _plain(self)
        if digits is None:
            return with_expression(round(plain), ("round", self.expression))
        return with_expression(round(plain, digits), ("round", self.expression, digits))

    def __floor__(self) -> Any:
        return with_expression(math.floor(_plain(self)), ("floor", self.expression))

    def __ceil__(self) -> Any:
        return with_expression(math.ceil(_plain(self)), ("ceil", self.expression))

    def __trunc__(self) -> Any:
        return with_expression(math.trunc(_plain(self)), ("int", self.expression))

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __copy__(self) -> object:
        return self

    def __deepcopy__(self, memo: object) -> object:
        return self

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        return type(_plain(self)), (_plain(self),)

    def __repr__(self) -> str:
        return repr(_plain(self))

    __str__ = __repr__

    def __format__(self, form: str) -> str:
        return format(_plain(self), form)


def _plain(value: Any) -> Any:
    return int.__int__(value) if isinstance(value, int) else float.__float__(value)


class SymbolicInt(_Symbolic, int):
    """An integer with its expression."""

    def __new__(cls, value: int, expression: Expression) -> SymbolicInt:
        found = int.__new__(cls, value)
        found.expression = expression
        return found

    __hash__ = int.__hash__

    def __lshift__(self, places: Any) -> Any:
        return NotImplemented if int.__lshift__(self, places) is NotImplemented else self * 2**places

    def __rshift__(self, places: Any) -> Any:
        return NotImplemented if int.__rshift__(self, places) is NotImplemented else self // 2**places

    def __rlshift__(self, shifted: Any) -> Any:
        return NotImplemented if int.__rlshift__(self, shifted) is NotImplemented else shifted * 2**self


class SymbolicFloat(_Symbolic, float):
    """A float with its expression."""

    def __new__(cls, value: float, expression: Expression) -> SymbolicFloat:
        found = float.__new__(cls, value)
        found.expression = expression
        return found

    __hash__ = float.__hash__

    def is_integer(self) -> bool:
        return recorded_comparison(float.is_integer(self), ("==", ("%", self.expression, 1), 0))


for _kind, _base in ((SymbolicInt, int), (SymbolicFloat, float)):
    for _name, _method in _methods(_base).items():
        setattr(_kind, _name, _method)


class SymbolicSequence:
    """What lists and tuples among the settings have in common; their items have expressions that refer to them."""

    expression: Expression
    offset: int
    turned: int
    """How many places before the end of the list among the settings a sequence starts that goes backwards; 0 if it goes forwards."""
    stored: Any
    """The kind of sequence, whose own methods have the items as they are stored."""

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            start, _, step = index.indices(len(self))
            values = [plain_value(each) for each in self.stored.__getitem__(self, index)]
            kind: Any = type(self)
            if step == 1 and not self.turned:
                return kind(values, self.expression, self.offset + start)
            if step == -1 and not (self.turned or self.offset) and self._is_unchanged():
                return kind(values, self.expression, 0, len(self) - start)
            return self.stored.__getitem__(self, index)
        place = expression_of(index)
        stored = self.stored.__getitem__(self, index)
        if not self._in_place(stored, range(len(self))[index]):
            return stored
        value = plain_value(stored)
        if isinstance(place, int) and place < 0:
            return as_symbolic(value, self._item(place + len(self)) if self.turned else ("item", self.expression, place))
        return as_symbolic(value, self._item(place))

    def _item(self, place: Expression) -> Expression:
        """The item at a place of this sequence."""
        return _item(self.expression, place, self.offset, self.turned)

    def __len__(self) -> int:
        found: int = self.stored.__len__(self)
        return found

    def __iter__(self) -> Iterator[object]:
        LOG.loops += 1
        return turning(self.in_loop(LOG.loops), LOG.loops, place_of(sys._getframe(1)))

    def in_loop(self, loop: int) -> Iterator[object]:
        """The items, at the number of a loop that may go over other lists as well."""
        for at in range(len(self)):
            stored = self.stored.__getitem__(self, at)
            if self._in_place(stored, at):
                stored = as_symbolic(plain_value(stored), self._item(("loop", loop, at)))
            yield stored

    def __reversed__(self) -> Iterator[object]:
        return iter([self[at] for at in range(len(self) - 1, -1, -1)])

    def _in_place(self, stored: object, at: int) -> bool:
        """Whether the item is where it was among the settings: code may insert others, or turn the list around."""
        return not isinstance(stored, (SymbolicInt, SymbolicFloat)) or stored.expression == self._item(at)

    def _is_unchanged(self) -> bool:
        return all(self._in_place(stored, at) for at, stored in enumerate(self.stored.__iter__(self)))

    def __deepcopy__(self, memo: object) -> object:
        return self

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        return self.stored, ([plain_value(each) for each in self.stored.__iter__(self)],)


class SymbolicList(SymbolicSequence, list[Any]):
    """A list among the settings."""

    stored = list

    def __init__(self, values: Any, expression: Expression, offset: int = 0, turned: int = 0) -> None:
        list.__init__(self, _items(values, expression, offset, turned))
        self.expression, self.offset, self.turned = expression, offset, turned


class SymbolicTuple(SymbolicSequence, tuple[Any, ...]):
    """A tuple among the settings: code may ask whether it is one."""

    stored = tuple

    def __new__(cls, values: Any, expression: Expression, offset: int = 0, turned: int = 0) -> SymbolicTuple:
        found = tuple.__new__(cls, _items(values, expression, offset, turned))
        found.expression, found.offset, found.turned = expression, offset, turned
        return found


def _items(values: Any, expression: Expression, offset: int, turned: int) -> Iterator[object]:
    return (as_symbolic(value, _item(expression, at, offset, turned)) for at, value in enumerate(values))


def _item(expression: Expression, place: Expression, offset: int, turned: int) -> Expression:
    """The item at a place of a sequence that starts at the offset, or so many places before the end if it goes backwards."""
    if turned and isinstance(place, int):
        return ("item", expression, -turned - place)
    return ("item", expression, ("-", ("-", ("len", expression), turned), place) if turned else _shifted(place, offset))


def _shifted(place: Expression, offset: int) -> Expression:
    if isinstance(place, int):
        return place + offset
    return ("+", place, offset) if offset else place


def as_symbolic(value: object, expression: Expression) -> object:
    """The setting as a value with an expression: numbers, and lists and tuples of them; everything else stays as it is."""
    if isinstance(value, (bool, SymbolicInt, SymbolicFloat, SymbolicSequence)) or value is None:
        return value
    if isinstance(value, (int, float)):
        return with_expression(value, expression)
    if isinstance(value, tuple) and not hasattr(value, "_asdict"):
        return SymbolicTuple(value, expression)
    return SymbolicList(value, expression) if isinstance(value, (list, tuple)) else value


def plain_value(value: object) -> object:
    """The plain value."""
    if isinstance(value, (SymbolicInt, SymbolicFloat)):
        return _plain(value)
    if isinstance(value, SymbolicSequence):
        return value.stored(map(plain_value, value.stored.__iter__(value)))
    return value
