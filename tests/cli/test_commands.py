"""The options of commands: those on what is measured are declared once, and each command has its own beside those of its groups."""

from __future__ import annotations

import inspect
from dataclasses import MISSING, fields
from typing import get_args, get_type_hints

from symparam.analysis.measures.options import Measuring, Option, Options
from symparam.commands.options import ABOUT, About, Declared
from symparam.commands.queries import QUERIES
from symparam.commands.signatures import with_options
from tests.command import out

NAMES = [field.name for field in fields(Options)]


def test_type_checkers_see_the_fields_that_there_are() -> None:
    assert get_type_hints(Measuring) == get_type_hints(Options)
    assert get_type_hints(About).keys() == ABOUT.keys() - {"architecture"}


def test_every_option_has_a_default_and_a_help() -> None:
    hints = get_type_hints(Options, include_extras=True)
    for field in fields(Options):
        _, option = get_args(hints[field.name])
        assert isinstance(option, Option)
        assert option.help.endswith((".", "..."))
        assert field.default is not MISSING
        assert not option.choices or field.default in option.choices


def test_the_help_shows_each_of_them() -> None:
    page = out("derive", "--help")
    assert [name for name in NAMES if f"--{name.replace('_', '-')} " not in page] == []
    assert "--no-" not in page


def test_a_command_has_its_own_parameters_and_those_of_the_groups() -> None:
    def parameters(command: str) -> list[str]:
        run = QUERIES[command].run
        return list(inspect.signature(with_options(lambda **given: given, run, {"format": Declared(str, "text")})).parameters)

    assert parameters("derive") == ["model", *ABOUT, "form", "by", "lora", "lora_on", *NAMES, "format"]
    assert parameters("tensors") == ["model", *ABOUT, "language", "lora", "lora_on", "format"]
    # What is measured belongs to the commands that measure, how it is written to all of them.
    assert parameters("list") == ["word", "language", "format"]
