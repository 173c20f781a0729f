"""Help pages: every command has one, it ends with two examples, and what the examples say works."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from symparam.commands.queries import QUERIES
from tests.cli.test_cli import BERT
from tests.command import out, run

COMMANDS = (*QUERIES, "check", "docs")


def examples(*command: str) -> list[str]:
    """What stands under the last heading of the help page, line by line."""
    page = out(*command, "--help").split("\n\n  Examples:\n\n")
    assert len(page) == 2
    return re.findall(r"^  symparam (.+)$", page[1], re.MULTILINE)


def test_the_first_page_names_every_command() -> None:
    listed = re.findall(r"^  ([a-z]+)  +[A-Z]", out("--help").partition("Commands:")[2], re.MULTILINE)
    assert tuple(listed) == (*QUERIES, "check", "trace", "docs", "site")


@pytest.mark.few(6)
@pytest.mark.parametrize("command", [(), *((name,) for name in COMMANDS)], ids=lambda command: " ".join(command) or "symparam")
def test_a_page_ends_with_two_examples_that_run(command: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps(BERT), encoding="utf-8")
    (tmp_path / "notes.md").write_text("A layer has 4H² + 4H = 4H(H + 1) parameters in its projections.\n", encoding="utf-8")
    (tmp_path / "docs").mkdir()
    for page in ("README.md", "docs/index.md"):
        (tmp_path / page).write_text("GPT-2 has <!-- symparam: count gpt2 --><!-- /symparam --> parameters.\n", encoding="utf-8")
    found = examples(*command)
    assert len(found) == 2
    for words in found:
        assert words.startswith(" ".join(command))
        done = run(*words.split(), cwd=tmp_path)
        # Places that are out of date are what `docs --check` is for.
        assert done.returncode == int("--check" in words), done.stderr.decode()
        assert all(line.startswith("symparam: note: ") for line in done.stderr.decode().splitlines())
        assert done.stdout or "-o" in words
