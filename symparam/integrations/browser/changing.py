"""Adds links to a page of documentation that open each of its examples in the browser tab, to change and run it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape
from urllib.parse import quote, urlencode

from symparam.commands.queries import QUERIES
from symparam.integrations.browser.examples import FILE

_CONSOLE = re.compile(r"^```console\n((?>(?:(?!```)[^\n]*\n)*))```\n", re.MULTILINE)
_PLACE = re.compile(r"^<!-- symparam: ([^\n]*) -->\n(?>(?:(?!<!-- /?symparam)[^\n]*\n)*)<!-- /symparam[^\n]*-->\n", re.MULTILINE)
_SHOWN_FILE = re.compile(r"[Ii]n `([\w.]+)`:\n\n(?:<!--[^\n]*\n)?(`{3,})\w+\n((?>(?:(?!\2)[^\n]*\n)*))\2\n")


def changeable(page: str, tab: str) -> str:
    """The page in Markdown with a line of links after each console session and each marked place; ``tab`` is the address of the tab."""
    files = {found[1]: found[3].removesuffix("\n") for found in _SHOWN_FILE.finditer(page)}

    def in_console(block: re.Match[str]) -> str:
        return block[0] + _links((line[2:] for line in block[1].splitlines() if line.startswith("$ ")), files, tab)

    def in_place(block: re.Match[str]) -> str:
        return block[0] + _links((f"symparam {block[1]}",), files, tab)

    return _PLACE.sub(in_place, _CONSOLE.sub(in_console, page))


def example(command: str, files: Mapping[str, str]) -> str | None:
    """What the tab is given for a command: the command itself, and below it the file it names; None if the tab cannot run it."""
    words = command.split()
    runs = words[:1] == ["symparam"] and words[1:2] and (words[1] in QUERIES or words[1] == "check") and not {"-o", "[OPTIONS]"} & {*words}
    named = [word for word in words if re.fullmatch(FILE, word)]
    if not runs or (words[1] == "check" and not named) or not files.keys() >= set(named):
        return None
    lines = [f"--- {name}\n{files[name]}" for name in named] if len(named) > 1 else [files[name] for name in named]
    return "\n".join((command, *lines))


def _links(commands: Iterator[str] | tuple[str, ...], files: Mapping[str, str], tab: str) -> str:
    found = [(command, text) for command in commands if (text := example(command, files)) is not None]
    links = [
        f'<a href="{escape(tab)}#{urlencode({"text": text}, quote_via=quote)}">{escape(command.removeprefix("symparam "))}</a>'
        for command, text in found
    ]
    return f'\n<p class="symparam-change">Change and run: {" · ".join(links)}</p>\n' if links else ""
