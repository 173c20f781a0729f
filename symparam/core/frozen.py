"""``@frozen``: a dataclass as by ``dataclass(frozen=True)``, made in half the time; and ``@cached_property`` without a lock.

A command waits until all of its classes are made, and the standard library compiles six methods for each. Here all classes share the
functions for equality, hash and representation.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from dataclasses import Field, dataclass, field, fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform

if TYPE_CHECKING:
    from functools import cached_property as cached_property

    from _typeshed import DataclassInstance
else:

    class cached_property(functools.cached_property):  # noqa: N801
        """`functools.cached_property` without its lock. It sets an attribute, as the dictionary of an instance, once asked for, makes the
        reading of its other attributes take four times as long.
        """

        def __get__(self, instance, owner=None):
            if instance is None:
                return self
            value = self.func(instance)
            object.__setattr__(instance, self.attrname, value)
            return value


T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[T]) -> type[T]:
    """The class as an immutable dataclass. A method that the class defines itself stays, and so does an inherited ``__repr__``."""
    made: Any = dataclass(frozen=True, init="__init__" not in vars(cls), repr=False, eq=False)(cls)
    all_fields = fields(made)
    own = vars(cls)
    if "__eq__" not in own:
        made.__eq__ = _equality(_values(each for each in all_fields if each.compare))
    if own.get("__hash__") is None:
        made.__hash__ = _hash(_values(each for each in all_fields if (each.compare if each.hash is None else each.hash)))
    if made.__repr__ is object.__repr__:
        made.__repr__ = _representation
    return cls


def _values(chosen: Iterable[Field[object]]) -> Callable[[object], object]:
    """The function from an object to the values of these fields."""
    names = [each.name for each in chosen]
    return attrgetter(*names) if names else lambda instance: ()


def _equality(values: Callable[[object], object]) -> Callable[[object, object], bool]:
    def equal(self: object, other: object) -> bool:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    return equal


def _hash(values: Callable[[object], object]) -> Callable[[object], int]:
    return lambda self: hash(values(self))


def _representation(self: DataclassInstance) -> str:
    shown = ", ".join(f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr)
    return f"{type(self).__qualname__}({shown})"
