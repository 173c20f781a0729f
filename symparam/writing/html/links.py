"""Links what belongs to one module: its term, its box, its tensors, its number and its reason light up together, without a script.

Each of them carries the mark of the module as a class. The step with the reason also has the module's address as its id, so that a link
can point at it; `Links.rules` are the styles that light up a mark where one of its elements is pointed at, focused or addressed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from urllib.parse import quote

from symparam.core.alphabets import Alphabet
from symparam.core.formula import Formula, Sum
from symparam.writing.document import Code, Entry, Node, SumTerm
from symparam.writing.html.elements import Content, Element, element
from symparam.writing.html.inline import CELL, inline
from symparam.writing.plain import printable

_SPACE = re.compile(r"\s")


class Links:
    """The marks and addresses of the modules that a page has steps for; a part of another page has none."""

    def __init__(self, nodes: Iterable[Node] = ()) -> None:
        self._steps: dict[str, Entry] = {}  # Those with an address: a path of control characters alone has none.
        for node in nodes:
            if isinstance(node, Entry) and node.place and printable(node.place.text):
                self._steps.setdefault(node.place.text, node)
        modules = dict.fromkeys(map(_module, self._steps))
        self._marks = {module: f"m{index}" for index, module in enumerate(modules, 1)}

    def __bool__(self) -> bool:
        return bool(self._steps)

    def mark(self, place: Code | None) -> str:
        """The class of what belongs to the module, or an empty string. A list of layers and the one layer it repeats are one module."""
        return self._marks.get(_module(place.text), "") if place else ""

    def of_tensor(self, name: str) -> Code | None:
        """The place of the module that holds the tensor, if the page has a step for it."""
        place = Code(name.rpartition(".")[0])
        return place if place.text in self._steps else None

    def id(self, step: Entry) -> dict[str, str]:
        """The attribute ``id`` of the step of a module: of the first one, where several lists of layers share a place."""
        return {"id": _address(step.place.text)} if step.place and self._steps.get(step.place.text) is step else {}

    def to(self, place: Code | None, *content: Content, **attributes: str) -> list[Content]:
        """The content as a link to the step of the module, if the page has one."""
        if not place or place.text not in self._steps:
            return list(content)
        return [element("a", *content, href="#" + quote(_address(place.text), safe="=.,"), **attributes)]

    @property
    def rules(self) -> str:
        """The style rules that light up each mark."""
        marks = (f".symparam:has(.{mark}:is(:hover, :focus-within, :target)) .{mark}" for mark in self._marks.values())
        return (
            "@media screen { " + ",\n".join(marks) + " { background: var(--lit); box-shadow: 0 0 0 0.12em var(--lit); } }\n"
            if self._marks
            else ""
        )


def _module(path: str) -> str:
    while path.endswith("}") and (index := path.rfind(".{")) >= 0:
        path = path[:index]
    return path


def _address(path: str) -> str:
    return "part=" + _SPACE.sub("_", printable(path))


def terms(
    pieces: Iterable[str | Formula | SumTerm], alphabet: Alphabet, linked: Callable[[SumTerm, list[Content]], list[Content]]
) -> Element:
    """The sum of the modules; ``linked`` makes a link of the content of each term."""
    content: list[Content] = ["= "]
    for piece in pieces:
        match piece:
            case str():
                content.append(piece)
            case SumTerm(formula):
                bracket = isinstance(formula, Sum)
                content += linked(piece, ["(" * bracket, *inline(formula, alphabet, CELL), ")" * bracket])
            case _:
                content += inline(piece, alphabet)
    return element("p", *content, class_="terms")
