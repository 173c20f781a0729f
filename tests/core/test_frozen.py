"""What ``@frozen`` makes behaves as what ``dataclass(frozen=True)`` makes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace
from pickle import dumps, loads
from typing import Any

import pytest

from symparam.core.formula import Number, Product
from symparam.core.frozen import cached_property, frozen


def _made(decorator: Callable[[type], type]) -> Any:
    class Sample:
        """A sample."""

        name: str
        sizes: tuple[int, ...] = (1, 2)
        note: str = field(default="", compare=False)
        hidden: list[int] = field(default_factory=list, hash=False, repr=False)

    Sample.__qualname__ = "Sample"
    return decorator(Sample)


Ours, Theirs = _made(frozen), _made(dataclass(frozen=True))
ARGUMENTS = [("a",), ("a", (1, 2)), ("a", (2, 1)), ("b",), ("a", (1, 2), "noted"), ("a", (1, 2), "", [1])]


@pytest.mark.parametrize("left", ARGUMENTS)
def test_equality_hash_and_representation_are_those_of_the_standard_library(left: tuple[Any, ...]) -> None:
    assert repr(Ours(*left)) == repr(Theirs(*left))
    assert hash(Ours(*left)) == hash(Theirs(*left))
    for right in ARGUMENTS:
        assert (Ours(*left) == Ours(*right)) == (Theirs(*left) == Theirs(*right))
    assert Ours(*left) != Theirs(*left)


def test_it_is_a_dataclass_that_cannot_be_changed() -> None:
    instance = Ours("a")
    assert [each.name for each in fields(instance)] == [each.name for each in fields(Theirs("a"))]
    assert replace(instance, name="b") == Ours("b")
    with pytest.raises(FrozenInstanceError):
        instance.name = "b"
    with pytest.raises(FrozenInstanceError):
        del instance.name


def test_methods_of_the_class_stay_and_a_base_shows_its_heirs() -> None:
    @frozen
    class Base:
        value: int

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Base)

        def __repr__(self) -> str:
            return f"<{self.value}>"

    @frozen
    class Heir(Base):
        more: int = 0

    assert Base(1) == Base(2)
    assert hash(Base(1)) != hash(Base(2))
    assert Heir(1) != Heir(2)
    assert repr(Heir(1)) == "<1>"


def test_a_class_without_fields_and_a_pickled_formula() -> None:
    @frozen
    class Empty:
        """Nothing."""

    assert Empty() == Empty()
    assert hash(Empty()) == hash(Empty())
    formula = Product((Number(2), Number(3)))
    assert loads(dumps(formula)) == formula


def test_a_cached_property_is_computed_once_and_is_no_field() -> None:
    asked: list[int] = []

    @frozen
    class Square:
        side: int

        @cached_property
        def area(self) -> int:
            asked.append(self.side)
            return self.side**2

    square = Square(3)
    assert (square.area, square.area, square == Square(3), asked) == (9, 9, True, [3])
    assert loads(dumps(Number(2))).depth == 1
