"""Parses a command given as one string: splits it into words as a shell does, and parses them as the command line does, in this process."""

from __future__ import annotations

import shlex
from functools import cache
from typing import Any

import typer

from symparam.errors import DocumentError

UsageError: Any = typer.BadParameter.__base__  # Typer does not export it.


def split(words: str) -> list[str]:
    """The words of the string, with quoted text as one word. Raises `DocumentError` for an unclosed quote."""
    try:
        return shlex.split(words)
    except ValueError as error:
        raise DocumentError(f"{words!r} is not a command ({str(error).lower()}); close what is open") from None


def parser() -> typer.Typer:
    """An empty Typer application for `parse`, without help and completion."""
    return typer.Typer(add_completion=False, rich_markup_mode=None, context_settings={"help_option_names": []})


def parse(commands: typer.Typer, words: list[str]) -> object:
    """The return value of the command that these words call. Raises `DocumentError` for options that the command does not have."""
    try:
        return _command(commands)(words, prog_name="symparam", standalone_mode=False)
    except UsageError as error:
        raise DocumentError(f"{error.format_message().rstrip('.')}; options as on the command line are expected") from None


@cache
def _command(commands: typer.Typer) -> Any:
    """What parses, made once: Typer itself makes it from the signatures anew for each call, which takes longer than most answers."""
    return typer.main.get_command(commands)
