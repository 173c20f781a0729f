"""Jupyter: after ``%load_ext symparam``, ``%symparam derive gpt2`` shows an answer, and ``%%symparam`` checks the text of its cell.

Source: https://ipython.readthedocs.io/en/stable/config/extensions/.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Unpack, cast

import typer
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell

from symparam import api
from symparam.cli.output import print_notes
from symparam.commands.numbers import counted
from symparam.commands.options import Checked
from symparam.commands.parsing import parse, parser, split
from symparam.commands.queries import QUERIES
from symparam.commands.signatures import stated, with_options
from symparam.core.notation import UNICODE
from symparam.errors import DocumentError, SymparamError
from symparam.pages.question import read_question
from symparam.results.check import CheckResult


def add_magics(shell: InteractiveShell) -> None:
    """Register `ask` as the line magic ``%symparam`` and `check` as the cell magic ``%%symparam``."""
    shell.magics_manager.register_function(ask, "line", "symparam")
    shell.magics_manager.register_function(check, "cell", "symparam")


def ask(line: str) -> object:
    """Return the result of a command for the notebook to show: ``%symparam derive gpt2 --where I=4H``; with ``--format``, print it instead.

    With ``--format number`` it is an integer or fraction, for the next line of Python.
    """
    with _usage_errors():
        question = read_question(line)
        for option in ("label", "substitution", "unit", "digits"):
            if getattr(question, option) is not None:
                raise DocumentError(f"--{option} applies only to marked places in pages; leave it out")
        found = QUERIES[question.command].answer(**question.arguments)
        print_notes(found.notes)
        if question.format == "number":
            return counted(found).total
        if question.format or question.dialect:
            print(found.write(question.format or "markdown", UNICODE, dialect=question.dialect), end="")
            return None
        return found


def check(line: str, cell: str) -> CheckResult:
    """Check the text of the cell and show a verdict for every claim: ``%%symparam --architecture gpt2 --config gpt2``."""
    with _usage_errors():
        found = api.check_text(cell, "cell", **cast(Checked, parse(_checking(), split(line))))
        print_notes(found.notes)
        return found


@contextmanager
def _usage_errors() -> Iterator[None]:
    """Convert symparam's errors to IPython's `UsageError`, which IPython shows on one line without a traceback."""
    try:
        yield
    except SymparamError as error:
        raise UsageError(str(error)) from None


@cache
def _checking() -> typer.Typer:
    def options(**checked: Unpack[Checked]) -> Checked:
        return stated(checked)

    commands = parser()
    commands.command()(with_options(options, options))
    return commands
