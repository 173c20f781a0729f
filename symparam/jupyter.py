"""Jupyter: after ``%load_ext symparam``, ``%symparam derive gpt2`` shows an answer, and ``%%symparam`` checks the text of its cell.

Source: https://ipython.readthedocs.io/en/stable/config/extensions/.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import typer
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell

from symparam import api
from symparam.checked import Checked
from symparam.cli_options import About, AboutConfig, Alphabets, Holding, Symbols
from symparam.cli_output import note
from symparam.commands import COMMANDS
from symparam.errors import DocumentError, SymparamError
from symparam.pages.question import read_question
from symparam.results import Counted
from symparam.words import parsed, parser, split


def add_magics(shell: InteractiveShell) -> None:
    """Let the shell know `ask` as a magic of a line, and `check` as one of a cell."""
    shell.magics_manager.register_function(ask, "line", "symparam")
    shell.magics_manager.register_function(check, "cell", "symparam")


def ask(line: str) -> object:
    """``%symparam derive gpt2 --where I=4H``: the answer to a command, which shows itself, or with ``--format`` is printed.

    ``--format number`` is the number itself, for the next line of Python.
    """
    with _said_in_one_line():
        question = read_question(line)
        for option in ("label", "substitution", "unit", "digits"):
            if getattr(question, option) is not None:
                raise DocumentError(f"--{option} is for the places of pages; leave it out")
        found: Any = COMMANDS[question.command](**question.arguments)
        note(found.notes)
        if question.format == "number":
            if not isinstance(found, Counted):
                raise DocumentError("--format number is for count, which has a total")
            return found.total
        if question.format or question.dialect:
            print(found.write(question.format or "markdown", dialect=question.dialect), end="")
            return None
        return found


def check(line: str, cell: str) -> Checked:
    """``%%symparam --architecture gpt2 --config gpt2``: every claim in the text of the cell with its verdict."""
    with _said_in_one_line():
        found = api.check_text(cell, "cell", **parsed(_options(), split(line)))
        note(found.notes)
        return found


@contextmanager
def _said_in_one_line() -> Iterator[None]:
    """What is at fault is said as IPython says it of its own magics."""
    try:
        yield
    except SymparamError as error:
        raise UsageError(str(error)) from None


@cache
def _options() -> typer.Typer:
    app = parser()

    @app.command()
    def options(
        architecture: About = None,
        config: AboutConfig = None,
        where: Holding = None,
        alphabet: Alphabets = None,
        symbol: Symbols = None,
    ) -> dict[str, Any]:
        named = {"architecture": architecture, "config": config}
        return {**named, "where": where or (), "letters": alphabet or (), "symbols": symbol or ()}

    return app
