"""Records of the classes of libraries, made from their source: the parameters and the parts that they create.

Each line in a file of ``recorded/libraries`` is a class: its name, its parameters in brackets, after ``=`` the torch class whose arguments
its print shows, and the names of its parts, with ``+`` before those that always exist and ``~`` after
torch's attentions with keys and values as wide as the queries. Several lines with one name are several classes, any
of which may be meant. A ``?`` before the name says that the source leaves open what the class holds, and ``*`` that its parts may have any
names.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from pathlib import Path

from symparam.core.frozen import frozen

FOLDER = Path(__file__).with_name("recorded") / "libraries"
ENTRY = re.compile(r"(\??)(\w+)(?:\(([\w,]+)\))?(?:=(\w+))?:(.*)")


@frozen
class ClassRecord:
    """A class: the names of its own ``parameters``, those of the ``parts`` that each instance creates for itself, and the torch class
    (``base``) whose arguments its print shows. Among the parts, ``#`` stands for numbers, ``a*`` for names that begin with a, and ``!a``
    for a part that may belong to another module; ``always`` are the parts that always exist, ``attentions`` those that are torch's
    attention with keys and values as wide as the queries. ``open`` says in words why nothing more is known, if so.
    """

    parts: frozenset[str]
    parameters: frozenset[str] = frozenset()
    base: str = ""
    always: frozenset[str] = frozenset()
    open: str = ""
    attentions: frozenset[str] = frozenset()

    def fits(self, nonempty: Iterable[str], shown: Collection[str]) -> bool:
        """Whether a module of the class can have these parts, of which those in ``nonempty`` hold something."""
        return all(self._has(name) for name in nonempty) and self.always <= {*shown}

    def _has(self, name: str) -> bool:
        if name in self.parts or (name.isdecimal() and "#" in self.parts):
            return True
        begins = (part[:-1] for part in self.parts if part.endswith("*"))
        return f"!{name}" not in self.parts and any(name.startswith(beginning) for beginning in begins)

    def __str__(self) -> str:
        told = f"({','.join(sorted(self.parameters))})" if self.parameters else ""
        parts = (f"{'+' * (name in self.always)}{name}{'~' * (name in self.attentions)}" for name in sorted(self.parts))
        return f"{told}{f'={self.base}' if self.base else ''}: {' '.join(parts)}".rstrip()


Classes = Mapping[str, tuple[ClassRecord, ...]]


@frozen
class RecordedLibrary:
    """The classes of a library by name, and the libraries whose classes it also uses."""

    name: str
    classes: Classes
    uses: tuple[str, ...]

    def described(self, kind: str, nonempty: Collection[str], shown: Collection[str]) -> ClassRecord | None:
        """The record of a module of the class with these parts; None if it may belong to several classes that disagree."""
        fitting = self._fitting(kind, nonempty, shown)
        if len({(each.parameters, each.base) for each in fitting}) != 1 or any(each.open for each in fitting):
            return None
        attentions = frozenset.intersection(*(each.attentions for each in fitting))
        return ClassRecord(frozenset(), fitting[0].parameters, fitting[0].base, attentions=attentions)

    def may_be(self, kind: str, nonempty: Collection[str], shown: Collection[str]) -> bool:
        """Whether the library has a class of that name whose modules can have these parts."""
        return bool(self._fitting(kind, nonempty, shown))

    def _fitting(self, kind: str, nonempty: Collection[str], shown: Collection[str]) -> list[ClassRecord]:
        return [each for each in self._called(kind) if each.fits(nonempty, shown)]

    def _called(self, kind: str) -> tuple[ClassRecord, ...]:
        return self.classes.get(kind) or tuple(each for other in self.uses for each in recorded(other).classes.get(kind, ()))


def libraries() -> list[str]:
    """The names of the libraries."""
    return sorted(path.stem for path in FOLDER.glob("*.txt"))


@cache
def recorded(name: str) -> RecordedLibrary:
    """The records of the library of that name."""
    classes: dict[str, list[ClassRecord]] = {}
    uses: tuple[str, ...] = ()
    for line in FOLDER.joinpath(f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("uses "):
            uses = tuple(line.split()[1:])
        elif found := ENTRY.fullmatch(line):
            unclear, kind, named, base, listed = found.groups()
            parameters = frozenset(named.split(",")) if named else frozenset()
            parts = frozenset(part.strip("+~") for part in listed.split())
            always = frozenset(part.strip("+~") for part in listed.split() if part.startswith("+"))
            attentions = frozenset(part.strip("+~") for part in listed.split() if part.endswith("~"))
            classes.setdefault(kind, []).append(ClassRecord(parts, parameters, base or "", always, unclear, attentions))
    return RecordedLibrary(name, {kind: tuple(each) for kind, each in classes.items()}, uses)
