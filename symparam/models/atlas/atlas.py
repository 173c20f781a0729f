"""The index of the traced classes, their limitations, and the network of each."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field, replace
from functools import lru_cache
from importlib.resources import files
from zipfile import ZipFile

from symparam.core.frozen import frozen
from symparam.errors import ConfigError
from symparam.models.traced.network import Network
from symparam.models.traced.traced_model import parsed

ARCHIVE = "networks.zip"
INDEX = "index.json"


@frozen
class TracedClass:
    """A class for configs of one ``model_type``: ``held`` are the keys that were held at their defaults because no rule was found for them,
    ``refused`` says why there is no network. ``types`` are the types of nested configs that are not those of the class's defaults.
    """

    class_name: str
    model_type: str
    held: tuple[str, ...] = ()
    refused: str = ""
    types: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def file(self) -> str:
        """The name of its file in the archive."""
        return f"{self.model_type}/{'+'.join((self.class_name, *self.types.values()))}.json"


@frozen
class Atlas:
    """The entries of all classes, the versions of the libraries in which they were traced, and the names that occur in the sources of all
    of them.
    """

    versions: Mapping[str, str]
    entries: tuple[TracedClass, ...]
    words: frozenset[str] = frozenset()

    def of_class(self, class_name: str) -> tuple[TracedClass, ...]:
        """The entries of a class, in upper or lower case."""
        return _by_class().get(class_name.casefold(), ())

    def of_type(self, model_type: str) -> tuple[TracedClass, ...]:
        """The entries for a ``model_type``, the bare model first."""
        return tuple(each for each in self.entries if each.model_type == model_type)


@lru_cache(maxsize=1)
def atlas() -> Atlas:
    """The index of all traced classes. The networks themselves stay in the archive."""
    with _archive() as archive:
        data = json.loads(archive.read(INDEX))
    entries = (TracedClass(name, model_type, tuple(held), *more) for name, model_type, held, *more in data["entries"])
    return Atlas(data["versions"], tuple(entries), frozenset(data["words"]))


@lru_cache(maxsize=1)
def _by_class() -> dict[str, tuple[TracedClass, ...]]:
    found: dict[str, tuple[TracedClass, ...]] = {}
    for each in atlas().entries:
        found[each.class_name.casefold()] = (*found.get(each.class_name.casefold(), ()), each)
    return found


def network(entry: TracedClass) -> Network:
    """The network of an entry. Raises `ConfigError` with the reason for one that was refused."""
    if entry.refused:
        raise ConfigError(f"{entry.class_name} of {entry.model_type} could not be traced: {entry.refused}")
    with _archive() as archive:
        found = parsed(archive.read(entry.file), entry.class_name)
    return replace(found, words=found.words | atlas().words) if found.words else found


@contextmanager
def _archive() -> Iterator[ZipFile]:
    with (files("symparam.models.atlas") / ARCHIVE).open("rb") as stream, ZipFile(stream) as archive:
        yield archive
