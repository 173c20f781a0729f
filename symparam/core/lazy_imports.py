"""Lazy imports: the names of a package are imported on first use, so that a program only waits for what it uses."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType


def imported(module: str) -> ModuleType:
    """The module, imported with the garbage collector paused: an import creates no garbage, and searching for it takes a tenth of the time.

    The new objects are then moved to the oldest generation; otherwise the collector would scan all of them as soon as it is enabled again.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        return import_module(module)
    finally:
        if collecting:
            if not gc.get_freeze_count():  # Otherwise a program has frozen its own objects.
                gc.freeze()
                gc.unfreeze()  # Moves everything to the oldest generation.
            gc.enable()


def on_first_use(package: str, home: Mapping[str, str]) -> Callable[[str], object]:
    """A ``__getattr__`` for a package whose names are imported on first use; its ``__all__`` lists these names in order.

    ``home`` maps each module of the package to its names, in one string separated by spaces.
    """
    module_of = {name: f"{package}.{module}" for module, names in home.items() for name in names.split()}

    def found(name: str) -> object:
        if name == "__all__":
            return sorted(module_of)
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(imported(module_of[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    return found
