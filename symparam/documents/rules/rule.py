"""A rule, and which rules are in force while a page is checked.

The code that implements a rule asks `applies` or `in_force` with the rule's name. The rules in force depend on the page, and hundreds of
small functions would have to pass them on; so they are in a context variable, like the precision of decimals.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from symparam.core.frozen import frozen
from symparam.core.message import Message


@frozen
class Rule:
    """A rule of reading or judging.

    The last claim of the page ``example`` has the verdict ``verdict``, and ``otherwise`` with the rule switched off. The last claim of
    ``counterexample`` looks similar and has the verdict ``counterverdict``: the rule does not apply to it. A verdict is ``holds``,
    ``wrong``, ``undecided``, ``not-read``, or ``nothing`` if there is no finding. ``says`` are the kinds of messages in which a verdict
    names the rule.
    """

    code: str
    sentence: str
    example: str
    verdict: str
    otherwise: str
    counterexample: str
    counterverdict: str
    says: tuple[str, ...] = ()


@dataclass
class Ruling:
    """``without`` are the rules that are switched off for the page, ``between`` those switched off for a stretch of it; ``applied`` records
    the offsets at which rules were applied, if wanted; ``here`` is the offset being judged.
    """

    without: frozenset[str] = frozenset()
    between: tuple[tuple[int, int, frozenset[str]], ...] = ()
    applied: dict[tuple[int, str], None] | None = None
    here: int = 0

    def is_off(self, code: str, at: int) -> bool:
        """Whether the rule is switched off at this offset."""
        return code in self.without or any(start <= at < end and code in codes for start, end, codes in self.between)

    def places(self) -> AppliedRules:
        """The places where rules were applied, for lookups by stretch of the page."""
        return AppliedRules(tuple(sorted(self.applied or ())))


@frozen
class AppliedRules:
    """The places where rules were applied: offsets and codes, in the order of the page."""

    places: tuple[tuple[int, str], ...] = ()

    def between(self, start: int, end: int) -> frozenset[str]:
        """The rules that were applied in a stretch."""
        first, last = bisect_left(self.places, (start, "")), bisect_right(self.places, (end, ""))
        return frozenset(code for _, code in self.places[first:last])


_RULING: ContextVar[Ruling] = ContextVar("ruling", default=Ruling())  # noqa: B039  Nothing is ever written to the default.


@contextmanager
def ruled(ruling: Ruling) -> Iterator[Ruling]:
    """A context manager within which this ruling is in force."""
    token = _RULING.set(ruling)
    try:
        yield ruling
    finally:
        _RULING.reset(token)


def in_force(code: str, at: int | None = None) -> bool:
    """Whether the rule is in force at an offset, by default the one being judged."""
    ruling = _RULING.get()
    return not (ruling.without or ruling.between) or not ruling.is_off(code, ruling.here if at is None else at)


def applies(code: str, at: int) -> bool:
    """Whether the rule is in force at an offset where it is about to be applied; if so, this is recorded."""
    ruling = _RULING.get()
    if (ruling.without or ruling.between) and ruling.is_off(code, at):
        return False
    if ruling.applied is not None:
        ruling.applied[at, code] = None
    return True


@contextmanager
def as_at(at: int) -> Iterator[None]:
    """A context manager within which the rules are in force that are so at this offset, whatever is read; none is recorded."""
    ruling = _RULING.get()
    off = (codes for start, end, codes in ruling.between if start <= at < end)
    with ruled(Ruling(ruling.without.union(*off))):
        yield


def applies_here(code: str) -> bool:
    """`applies` at the offset being judged."""
    return applies(code, _RULING.get().here)


def judging_at(at: int) -> None:
    """Set the offset of the page that is being judged."""
    ruling = _RULING.get()
    if ruling.applied is not None:
        ruling.here = at


def named_in(said: Message) -> Iterator[str]:
    """The kinds of a message and of all messages in it."""
    waiting: list[object] = [said]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Message):
            yield each.kind
            waiting.extend(value for _, value in each.about)
        elif isinstance(each, tuple):
            waiting.extend(each)


def first_doubt(doubts: Iterable[Message]) -> Message | None:
    """The first doubt whose rule is in force."""
    return next((doubt for doubt in doubts if in_force(doubt.kind)), None)
