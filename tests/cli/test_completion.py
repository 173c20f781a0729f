"""Completion in real shells: what a user gets who types the beginning of a word and presses the key."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

LINES = {
    "symparam cro": {"crossover"},
    "symparam derive gpt2-": {"gpt2-medium", "gpt2-large", "gpt2-xl"},
    "symparam derive GPT2": {"GPT2Model", "GPT2LMHeadModel"},
    "symparam derive gpt2 --measure backward": {"backward-macs", "backward-flops"},
    "symparam count gpt2 --number-format q8": {"q8_0"},
    "symparam count gpt2 --unit Mi": {"MiB"},
    "symparam derive gpt2 --alphabet meg": {"megatron"},
    "symparam derive gpt2 --convention ptf": {"ptflops", "ptflops-aten"},
    "symparam check notes.md --arch": {"--architecture"},
}


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A folder with the command ``symparam``, first on the path of the shell, and a home of its own."""
    home = tmp_path_factory.mktemp("home")
    command = home / "symparam"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m symparam "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    return {**os.environ, "PATH": f"{home}{os.pathsep}{os.environ['PATH']}", "HOME": str(home), "TERM": "dumb"}


def script(shell: str, environment: dict[str, str]) -> Path:
    """The file that ``--show-completion`` writes for the shell, if there is one here."""
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    asked = {**environment, "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    path = Path(environment["HOME"], f"completion.{shell}")
    path.write_text("\n".join(said(["symparam", "--show-completion", shell], asked)), encoding="utf-8")
    return path


def said(words: list[str], environment: dict[str, str]) -> list[str]:
    return subprocess.run(words, env=environment, capture_output=True, encoding="utf-8", timeout=120, check=True).stdout.splitlines()


@pytest.mark.parametrize("lines", [pytest.param([*LINES][:3], id="some"), pytest.param([*LINES][3:], id="others", marks=pytest.mark.slow)])
def test_bash(lines: list[str], environment: dict[str, str]) -> None:
    """As bash does it: the function that is registered for the command is called with the words of the line."""
    file = script("bash", environment)
    complete = """source "$1"; shift
for line; do
  read -ra COMP_WORDS <<< "$line"; COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMPREPLY=()
  $(complete -p symparam | sed 's/.*-F \\([^ ]*\\).*/\\1/') symparam
  echo "${COMPREPLY[@]}"
done"""
    found = said(["bash", "-c", complete, "bash", str(file), *lines], environment)
    assert [set(line.split()) for line in found] == [LINES[line] for line in lines]


def test_fish(environment: dict[str, str]) -> None:
    file = script("fish", environment)
    complete = 'source $argv[1]; for line in $argv[2..]; echo (complete -C "$line" | cut -f 1); end'
    lines = [*LINES][:2]
    found = said(["fish", "-c", complete, str(file), *lines], environment)
    assert [set(line.split()) for line in found] == [LINES[line] for line in lines]


def test_zsh(environment: dict[str, str]) -> None:
    """In a terminal, as zsh completes in no other place: the rest of the only name that begins so is typed for the user."""
    file = script("zsh", environment)
    import pty  # Windows has none.

    ours, theirs = pty.openpty()
    with subprocess.Popen(["zsh", "-f", "-i"], stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True) as zsh:
        os.write(ours, f"autoload -U compinit; compinit -D -u; source {file}; echo rea''dy\n".encode())
        _read(ours, "ready")
        os.write(ours, b"symparam derive gpt2-m\t")
        shown = _read(ours, "gpt2-medium")
        zsh.kill()
    os.close(ours)
    os.close(theirs)
    assert "gpt2-medium" in shown


def _read(terminal: int, until: str) -> str:
    shown, end = "", time.monotonic() + 60
    while until not in shown and time.monotonic() < end:
        if select.select([terminal], [], [], 1)[0]:
            shown += os.read(terminal, 4096).decode(errors="replace")
    return shown
