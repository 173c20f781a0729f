"""The README does what it says: each command and each line of Python in it is run, and its output compared."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONSOLE = [tuple(part.split("\n", 1)) for block in re.findall(r"```console\n(.*?)```", README, re.DOTALL) for part in block.split("$ ")[1:]]


@pytest.mark.parametrize(("command", "output"), CONSOLE, ids=[command for command, _ in CONSOLE])
def test_each_command_prints_what_the_readme_shows(command: str, output: str) -> None:
    program, *arguments = shlex.split(command)
    assert program == "symparam"
    done = subprocess.run(
        [sys.executable, "-m", "symparam", *arguments], capture_output=True, timeout=60, check=True, env={**os.environ, "PYTHONUTF8": "1"}
    )
    assert done.stdout.decode() == output


def test_each_line_of_python_shows_what_the_readme_shows() -> None:
    failed, attempted = doctest.testfile(str(ROOT / "README.md"), module_relative=False, encoding="utf-8")
    assert (failed, attempted) == (0, README.count(">>> "))


def test_ci_runs_the_very_line_of_the_readme_that_runs_the_tests() -> None:
    line = re.search(r"^python3 -m venv .*pytest$", README, re.MULTILINE)
    assert line is not None
    assert "grep -m 1 '^python3 -m venv .*pytest$' README.md" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
