"""Answers a command in the browser tab: its options are those of the command line, and the lines below it are the file that it names.

If it names several files, the lines of each are below a line such as ``--- config.json``.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from contextlib import chdir
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Unpack

import symparam
from symparam.commands.options import Checked
from symparam.commands.parsing import parse, parser, split
from symparam.commands.signatures import stated, with_options
from symparam.core.notation import UNICODE
from symparam.errors import DocumentError
from symparam.integrations.browser.examples import FILE
from symparam.pages.answering import AnswerContext, answered
from symparam.pages.languages import HTML
from symparam.pages.question import read_question

OF_PAGES = ("html", "mathml")
"""Formats that a page shows as they are; text, LaTeX and others are shown verbatim."""
_NAMED = re.compile(rf"^--- ({FILE})\n", re.MULTILINE)


def commanded(text: str) -> str:
    """The answer as HTML. Raises `SymparamError`, also for a command that writes files or takes what a tab does not have."""
    first, _, content = text.strip().partition("\n")
    words = split(first.removeprefix("$"))[1:]
    with TemporaryDirectory() as folder:
        for name, lines in _files(words, content):
            Path(folder, name).write_text(f"{lines}\n", encoding="utf-8")
        if words[:1] == ["check"]:
            return _checked(Path(folder), words[1:])
        question = read_question(shlex.join(words))
        if question.format in (None, "number", *OF_PAGES):
            return answered(shlex.join([*words, "--allow-incomplete"]), AnswerContext(HTML, Path(folder), inline=False))
        return f"<pre>{escape(question.answer(Path(folder)).write(question.format, UNICODE, dialect=question.dialect))}</pre>"


def _files(words: list[str], content: str) -> Iterator[tuple[str, str]]:
    """The names and the lines of the files below a command."""
    if not content.strip():
        return
    if _NAMED.match(content):
        _, *parts = _NAMED.split(content)
        yield from zip(parts[::2], parts[1::2], strict=True)
        return
    name = next((word for word in words if re.fullmatch(FILE, word)), None)
    if name is None:
        raise DocumentError("the lines below a command are the file that it names; this one names none, so add a name such as notes.md")
    yield name, content


def _checked(folder: Path, words: list[str]) -> str:
    """The report of ``check`` on a document in the folder."""

    def check(document: str, **checked: Unpack[Checked]) -> str:
        if not (re.fullmatch(FILE, document) and (folder / document).is_file()):
            raise DocumentError(f"there is no {document!r} in this tab; write the document below the command")
        return symparam.check_text((folder / document).read_text(encoding="utf-8"), document, **stated(checked))._repr_html_()

    commands = parser()
    commands.command()(with_options(check, check))
    with chdir(folder):
        return str(parse(commands, words))
