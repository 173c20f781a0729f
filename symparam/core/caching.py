"""``@cached_property`` without a lock, which in Python 3.11 takes longer than most of the properties themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from functools import cached_property as cached_property
else:

    class cached_property:  # noqa: N801
        """A property that is computed once for each object, as by ``functools.cached_property``."""

        def __init__(self, function):
            self.function, self.__doc__ = function, function.__doc__

        def __set_name__(self, owner, name):
            self.name = name

        def __get__(self, instance, owner=None):
            if instance is None:
                return self
            value = instance.__dict__[self.name] = self.function(instance)
            return value
