"""Which attributes of a config a class reads while it builds: no other setting can have an effect on its tensors."""

from __future__ import annotations

import contextlib
import copy
import functools
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

EVERYTHING = frozenset({"to_dict", "to_diff_dict", "__dict__", "__iter__", "items"})
"""Names by which all attributes are read at once."""
HARMLESS = (copy.__file__, "generation/configuration_utils.py", "configuration_utils.py")
"""Files that read all attributes of a config without effect on tensors: to copy it, or to set up the generation of text."""
COMPUTING = f"{os.sep}models{os.sep}"
"""Part of the path of files with config classes; those elsewhere read each attribute to check or to convert it."""
MARK = "_path_while_tracing"

Watcher = Callable[[Any, str], None]


@contextlib.contextmanager
def tracked_reads(configs: Iterable[tuple[str, object]]) -> Iterator[set[str]]:
    """While the context lasts, collects the paths of the attributes that are read; ``text_config.*`` stands for all of a nested config."""
    held: dict[int, tuple[object, tuple[str, ...]]] = {}
    for path, config in configs:
        held[id(config)] = config, (*held.get(id(config), (None, ()))[1], path)
    found: set[str] = set()
    met: set[tuple[str, ...]] = set()  # Each layer reads the same attributes.

    def read(config: object, name: str) -> None:
        paths = object.__getattribute__(config, "__dict__").get(MARK)
        if paths and (*paths, name) not in met and (name in EVERYTHING or not name.startswith("__")):
            if name not in EVERYTHING:
                met.add((*paths, name))  # A config that is made from what another one writes out has the paths as a list.
                own = object.__getattribute__(config, "attribute_map").get(name, name)
                found.update(f"{path}{own}" for path in paths)
            elif not sys._getframe(2).f_code.co_filename.endswith(HARMLESS):
                found.update(f"{path}*" for path in paths)

    for config, paths in held.values():
        vars(config)[MARK] = paths
    try:
        with contextlib.ExitStack() as watched:
            for root in {_root(type(config)) for config, _ in held.values()}:
                watched.enter_context(_watched(root, read))
            yield found
    finally:
        for config, _ in held.values():
            vars(config).pop(MARK, None)


@contextlib.contextmanager
def computed_attributes(config_class: type) -> Iterator[set[tuple[type, str]]]:
    """While the context lasts, collects the attributes from which configs compute others, each with the class of its config."""
    found: set[tuple[type, str]] = set()
    met: set[tuple[type, str]] = set()

    def read(config: Any, name: str) -> None:
        if (type(config), name) not in met and not name.startswith("__") and COMPUTING in sys._getframe(2).f_code.co_filename:
            met.add((type(config), name))
            found.add((type(config), type(config).attribute_map.get(name, name)))

    with _watched(_root(config_class), read):
        yield found


@contextlib.contextmanager
def _watched(root: Any, watcher: Watcher) -> Iterator[None]:
    """While the context lasts, the watcher is told of each attribute that a config reads."""
    watchers = _watchers(root)
    watchers.append(watcher)
    try:
        yield
    finally:
        watchers.remove(watcher)


@functools.cache
def _watchers(root: Any) -> list[Watcher]:
    """Those that are told of the attributes that configs read. The method that tells them is put in place once and stays: Python forgets
    what it knows of the hundreds of classes below whenever it is replaced, which takes longer than to make a config. Nor does a config
    describe itself in full any more, which it does for errors that the library catches itself while it makes another one around it.
    """
    watchers: list[Watcher] = []
    plain = root.__getattribute__

    def read(config: object, name: str) -> object:
        for watcher in watchers:
            watcher(config, name)
        return plain(config, name)

    root.__getattribute__, root.__repr__ = read, lambda config: type(config).__name__
    return watchers


def _root(kind: type) -> Any:
    """The class that all configs inherit from, the last before ``object`` that has its own way of reading attributes."""
    return next((each for each in kind.__mro__ if "__getattribute__" in vars(each) and each is not object), kind)


def unread(paths: Iterable[str], reads: Iterable[str]) -> frozenset[str]:
    """The settings among ``paths`` that were not read, neither by themselves nor with something that contains them."""
    read = set(reads)
    configs = {each.rpartition(".")[0] for each in read}
    return frozenset(path for path in paths if not _is_read(path, read, configs))


def _is_read(path: str, read: set[str], configs: set[str]) -> bool:
    outer, _, name = path.rpartition(".")
    if path in read or (name == "num_labels" and f"{outer}.id2label".lstrip(".") in read):
        return True
    while outer:
        if f"{outer}.*" in read or (outer in read and outer not in configs):
            return True
        outer = outer.rpartition(".")[0]
    return "*" in read
