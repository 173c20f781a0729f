"""Writes out the abbreviations of a page: each command without arguments that ``\\newcommand`` or ``\\def`` gives a meaning to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from symparam.documents.reading.source import Source, rewritten

_MOST_GROWN = 4  # A page that its abbreviations make so many times as long is read as it is.
_LONGEST = 200  # Characters of what a command means, written out.
_DEEPEST = 3  # Commands that mean other commands.
_BODY = r"\{((?>(?:[^{}\n%#]++|\{(?>(?:[^{}\n%#]++|\{[^{}\n%#]*+\})*)\})*))\}"
_DEFINITION = re.compile(
    rf"\\(?:(?:(?:re)?new|provide)command\*?\s?(?:\{{(?P<a>\\[A-Za-z]++)\}}|(?P<b>\\[A-Za-z]++))|def\s?(?P<c>\\[A-Za-z]++))\s?{_BODY}"
)
_COMMAND = re.compile(r"(\\[A-Za-z]++)(?:\{\})?")
_SPACING = re.compile(r"\\xspace(?![A-Za-z])")
_ENSURED = re.compile(r"\\ensuremath\s?(?=\{)")


def without_macros(source: Source) -> Source:
    """The page with its abbreviations written out, each character with its place in the file; a page without any as it is.

    A command with two meanings keeps its name, as their scopes are not read.
    """
    text = source.text
    if "command" not in text and "\\def" not in text:
        return source
    definitions = list(_DEFINITION.finditer(text))
    meanings = _meanings(definitions)
    if not meanings:
        return source
    if sum(len(meanings.get(use[1], "")) for use in _COMMAND.finditer(text)) > _MOST_GROWN * len(text):
        return source
    return rewritten(source, _uses(text, definitions, meanings))


def _uses(text: str, definitions: list[re.Match[str]], meanings: Mapping[str, str]) -> Iterator[tuple[int, int, str]]:
    """The uses of abbreviations outside of their definitions, each with what it stands for."""
    own = iter([*(each.span() for each in definitions), (len(text), len(text))])
    start, end = next(own)
    for use in _COMMAND.finditer(text):
        while use.start() >= end:
            start, end = next(own)
        if use[1] in meanings and use.start() < start:
            yield use.start(), use.end(), meanings[use[1]]


def _meanings(definitions: list[re.Match[str]]) -> Mapping[str, str]:
    """What each command stands for, written out."""
    found: dict[str, str] = {}
    several = set[str]()
    for each in definitions:
        name, body = each["a"] or each["b"] or each["c"], _ENSURED.sub("", _SPACING.sub("", each[4])).strip()
        several |= {name} if found.setdefault(name, body) != body else set()
    for _ in range(_DEEPEST):
        found = {name: _written_out(body, found) for name, body in found.items() if len(body) <= _LONGEST}
    return {name: body for name, body in found.items() if len(body) <= _LONGEST and name not in several and name not in body}


def _written_out(body: str, meanings: Mapping[str, str]) -> str:
    return _COMMAND.sub(lambda use: meanings.get(use[1], use[0]), body)
