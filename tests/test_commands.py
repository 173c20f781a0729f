"""The options on what is measured stand in three lists, for the functions, the dataclass and the command line: they are the same ones."""

from __future__ import annotations

import inspect
from dataclasses import MISSING, fields

from symparam.cli_options import MEASURING, spelled_out
from symparam.commands import COMMANDS, derive
from symparam.measures.choosing import Measuring, Options


def test_the_options_are_the_same_everywhere() -> None:
    own = {field.name: field.default for field in fields(Options)}
    assert MISSING not in own.values()
    assert {name: default for name, (_, default) in MEASURING.items()} == own
    assert set(Measuring.__annotations__) == set(own)


def test_a_command_has_its_own_parameters_and_those_of_the_groups() -> None:
    found = inspect.signature(spelled_out(lambda **given: given, derive, {"measure": (str, "x")}, {"format": (str, "text")}))
    assert list(found.parameters) == [*list(inspect.signature(derive).parameters)[:-1], "measure", "format"]
    # What is measured belongs to the commands that measure, how it is written to all of them.
    listed = inspect.signature(spelled_out(lambda **given: given, COMMANDS["list"], {"measure": (str, "x")}, {"format": (str, "text")}))
    assert list(listed.parameters) == ["language", "format"]
