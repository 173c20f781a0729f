"""The workflows that the README and the guide show, their commands run as they stand: annotations land on the author's lines."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from _pytest.mark.structures import ParameterSet

from tests.sampling import one_of_each

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs" / "guide").glob("*.md"))]


def commands() -> list[str]:
    """The lines of the workflows that run symparam."""
    texts = [page.read_text(encoding="utf-8") for page in PAGES]
    workflows = [yaml.safe_load(found) for text in texts for found in re.findall(r"```yaml\n(on: pull_request\n.*?)```", text, re.DOTALL)]
    steps = [step for workflow in workflows for job in workflow["jobs"].values() for step in job["steps"]]
    return sorted({step["run"] for step in steps if step.get("run", "").startswith("symparam ")})


CHECKING = [command for command in commands() if command.startswith("symparam check ")]
FILLING = [command for command in commands() if command.startswith("symparam docs ")]


def one_by_default(commands: list[str]) -> list[ParameterSet]:
    return one_of_each(map(pytest.param, commands), lambda command: command.split()[1])


def annotations(command: str, folder: Path) -> tuple[int, list[tuple[str, dict[str, str], str]]]:
    """The exit code, and each annotation as its level, its properties and its message."""
    done = subprocess.run(
        [sys.executable, "-m", "symparam", *shlex.split(command)[1:]],
        cwd=folder, env={**os.environ, "PYTHONUTF8": "1", "PYTHONPATH": str(ROOT)}, capture_output=True, encoding="utf-8", timeout=60,
        check=False,
    )  # fmt: skip
    found = re.findall(r"^::(\w+) (.*?)::(.*)$", done.stdout, re.MULTILINE)
    return done.returncode, [(level, dict(each.split("=", 1) for each in said.split(",")), message) for level, said, message in found]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "docs" / "deep").mkdir(parents=True)
    (tmp_path / "README.md").write_text("# Sizes\n", encoding="utf-8")
    return tmp_path


def test_both_are_shown() -> None:
    assert CHECKING
    assert FILLING


@pytest.mark.parametrize("command", one_by_default(CHECKING))
def test_what_is_wrong_is_told_beside_its_line(command: str, repository: Path) -> None:
    page = repository / "docs" / "deep" / "page.md"
    page.write_text("# Sizes\n\nAll layers: 12 × 7,087,872 = 85,054,464\n", encoding="utf-8")
    assert annotations(command, repository) == (0, [])
    page.write_text("# Sizes\n\nAll layers: 12 × 7,087,872 = 85,045,464\n", encoding="utf-8")
    code, ((level, place, message),) = annotations(command, repository)
    assert code == 1
    assert (level, place["file"], place["line"], place["col"]) == ("error", "docs/deep/page.md", "3", "30")
    assert message.startswith("the left side is 85,054,464%0Ashort by 9,000%0A")


@pytest.mark.slow
@pytest.mark.parametrize("command", one_by_default(FILLING))
def test_what_is_out_of_date_is_told_beside_its_line(command: str, repository: Path) -> None:
    page = repository / "docs" / "deep" / "page.md"
    out_of_date = "# Sizes\n\n<!-- symparam: count gpt2 -->\n<!-- /symparam -->\n\n"
    edited = "<!-- symparam: count gpt2-medium -->my own<!-- /symparam 01234567 -->"
    text = f"{out_of_date}It is {edited} and <!-- symparam: count gtp2 --><!-- /symparam -->.\n"
    page.write_text(text, encoding="utf-8")
    code, found = annotations(command, repository)
    assert code == 2  # One of the commands is at fault.
    assert sorted((level, place["file"], place["line"], message.partition(";")[0]) for level, place, message in found) == [
        ("error", "docs/deep/page.md", "3", "this place is out of date"),
        ("error", "docs/deep/page.md", "6", "symparam count gtp2: there is no architecture, preset or file named 'gtp2'"),
        ("error", "docs/deep/page.md", "6", "this place was edited by hand since it was filled, so it is left as it is"),
    ]
    assert page.read_text(encoding="utf-8") == text

    page.write_text("It is <!-- symparam: count gpt2 -->124,439,808<!-- /symparam f2477c87 -->.\n", encoding="utf-8")
    assert annotations(command, repository) == (0, [])
