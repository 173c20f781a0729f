"""Which attributes of a config a class reads while it builds: no other setting can have an effect on its tensors."""

from __future__ import annotations

import contextlib
import copy
import os
import sys
from collections.abc import Iterable, Iterator
from typing import Any

EVERYTHING = frozenset({"to_dict", "to_diff_dict", "__dict__", "__iter__", "items"})
"""Names by which all attributes are read at once."""
HARMLESS = (copy.__file__, "generation/configuration_utils.py", "configuration_utils.py")
"""Files that read all attributes of a config without effect on tensors: to copy it, or to set up the generation of text."""
COMPUTING = f"{os.sep}models{os.sep}"
"""Part of the path of files with config classes; those elsewhere read each attribute to check or to convert it."""
MARK = "_path_while_tracing"


@contextlib.contextmanager
def tracked_reads(configs: Iterable[tuple[str, object]]) -> Iterator[set[str]]:
    """While the context lasts, collects the paths of the attributes that are read; ``text_config.*`` stands for all of a nested config."""
    held: dict[int, tuple[object, tuple[str, ...]]] = {}
    for path, config in configs:
        held[id(config)] = config, (*held.get(id(config), (None, ()))[1], path)
    found: set[str] = set()
    roots = {_root(type(config)) for config, _ in held.values()}
    plain = {root: root.__getattribute__ for root in roots}
    for config, paths in held.values():
        vars(config)[MARK] = paths
    try:
        for root in roots:
            root.__getattribute__ = _recorded(plain[root], found)
        yield found
    finally:
        for root in roots:
            root.__getattribute__ = plain[root]
        for config, _ in held.values():
            vars(config).pop(MARK, None)


@contextlib.contextmanager
def computed_attributes(config_class: type) -> Iterator[set[tuple[type, str]]]:
    """While the context lasts, collects the attributes from which configs compute others, each with the class of its config."""
    found: set[tuple[type, str]] = set()
    root = _root(config_class)
    plain = root.__getattribute__

    def read(self: Any, name: str) -> object:
        if not name.startswith("__") and COMPUTING in sys._getframe(1).f_code.co_filename:
            found.add((type(self), type(self).attribute_map.get(name, name)))
        return plain(self, name)

    try:
        root.__getattribute__ = read
        yield found
    finally:
        root.__getattribute__ = plain


def _root(kind: type) -> Any:
    """The class that all configs inherit from, the last before ``object`` that has its own way of reading attributes."""
    return next((each for each in kind.__mro__ if "__getattribute__" in vars(each) and each is not object), kind)


def _recorded(plain: Any, found: set[str]) -> object:
    def read(self: object, name: str) -> object:
        paths = object.__getattribute__(self, "__dict__").get(MARK)
        if paths and (name in EVERYTHING or not name.startswith("__")):
            if name not in EVERYTHING:
                own = object.__getattribute__(self, "attribute_map").get(name, name)
                found.update(f"{path}{own}" for path in paths)
            elif not sys._getframe(1).f_code.co_filename.endswith(HARMLESS):
                found.update(f"{path}*" for path in paths)
        return plain(self, name)

    return read


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
