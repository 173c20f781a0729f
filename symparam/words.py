"""A command as one string of words, split and parsed as a shell and the command line do, outside of both."""

from __future__ import annotations

import shlex
from typing import Any

import typer

from symparam.errors import DocumentError

_UsageError: Any = typer.BadParameter.__base__  # Of which Typer gives only this name.


def split(words: str) -> list[str]:
    """The words one by one, those in quotes as one. Raises `DocumentError` for a quote that is not closed."""
    try:
        return shlex.split(words)
    except ValueError as error:
        raise DocumentError(f"{words!r} is no command ({str(error).lower()}); close what is open") from None


def parser() -> typer.Typer:
    """Where commands are put that `parsed` knows; it prints nothing."""
    return typer.Typer(add_completion=False, rich_markup_mode=None, context_settings={"help_option_names": []})


def parsed(app: typer.Typer, parts: list[str]) -> Any:
    """What the command of these words returns. Raises `DocumentError` for options that it does not have."""
    try:
        return app(parts, prog_name="symparam", standalone_mode=False)
    except _UsageError as error:
        raise DocumentError(f"{error.format_message().rstrip('.')}; options as on the command line are expected") from None
