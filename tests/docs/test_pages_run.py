"""The README and the guide do what they say: each command and each line of Python in them is run, and its output compared."""

from __future__ import annotations

import doctest
import re
import shlex
import subprocess
from pathlib import Path

import pytest

import symparam
from tests import command

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs" / "guide").glob("*.md"))]
TEXTS = {page.name: page.read_text(encoding="utf-8") for page in PAGES}
README = TEXTS["README.md"]
CONSOLE = [(name, block) for name, text in TEXTS.items() for block in re.findall(r"^```console\n(.*?)^```", text, re.DOTALL | re.MULTILINE)]


def files(text: str) -> dict[str, str]:
    """The files that a page shows whole: the block behind the words ``in `name`:``."""
    found = re.findall(r"[Ii]n `([\w.]+)`:\n\n(?:<!--[^\n]*\n)?(`{3,})\w+\n(.*?)\n\2\n", text, re.DOTALL)
    return {name: f"{content}\n" for name, _, content in found}


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Where a reader who does what a page says would stand: its documents are there, and stay as its commands leave them."""
    found = {}
    for page, text in TEXTS.items():
        found[page] = tmp_path_factory.mktemp(page.removesuffix(".md"))
        for name, content in files(text).items():
            (found[page] / name).write_text(content, encoding="utf-8")
    return found


@pytest.mark.few(24)
@pytest.mark.parametrize(("page", "block"), CONSOLE, ids=[f"{page}: {block.partition(chr(10))[0]}" for page, block in CONSOLE])
def test_each_command_prints_what_the_page_shows(page: str, block: str, folders: dict[str, Path]) -> None:
    code = 0
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        typed, output = part.split("\n", 1)
        if typed == "echo $?":
            assert output == f"{code}\n"
            code = 0
            continue
        assert code == 0, "the page does not say that this command fails"
        done = run(shlex.split(typed), folders[page])
        assert done.stdout.decode() == output
        code = done.returncode
    assert code == 0, "the page does not say that this command fails"


def run(words: list[str], folder: Path) -> subprocess.CompletedProcess[bytes]:
    program, *arguments = words
    if program == "sed":
        assert arguments[0] == "-i"
        _, old, new, _ = arguments[1].split("/")
        text = (folder / arguments[2]).read_text(encoding="utf-8")
        assert text.count(old) == 1
        (folder / arguments[2]).write_text(text.replace(old, new), encoding="utf-8")
        return subprocess.CompletedProcess(words, 0, b"", b"")
    if program == "cat":
        return subprocess.CompletedProcess(words, 0, (folder / arguments[0]).read_bytes(), b"")
    assert program == "symparam"
    return command.run(*arguments, cwd=folder)


def test_every_file_that_a_page_names_in_a_command_is_shown_on_it() -> None:
    for page, text in TEXTS.items():
        words = {word for name, block in CONSOLE if name == page for line in block.splitlines() if line[:1] == "$" for word in line.split()}
        written = {words_behind(line) for name, block in CONSOLE if name == page for line in block.splitlines() if line[:1] == "$"}
        assert {word for word in words if re.fullmatch(r"[\w.]+\.(md|txt|json|tex)", word)} <= set(files(text)) | written, page


def words_behind(line: str) -> str:
    """The file that a command writes."""
    return line.partition(" -o ")[2].partition(" ")[0]


def test_the_front_matter_that_the_guide_shows_is_understood() -> None:
    (front_matter,) = (found for text in TEXTS.values() for found in re.findall(r"```yaml\n(---\nsymparam:.*?---\n)```", text, re.DOTALL))
    checked = symparam.check_text(f"{front_matter}\nA layer has 4 × width² + 2 × width × d_ff = 12 × d_model² = 12,582,912 weights.\n")
    assert [finding.code for finding in checked.findings] == ["component", "proven", "exact", "component"]


@pytest.mark.parametrize("page", PAGES, ids=list(TEXTS))
def test_each_line_of_python_shows_what_the_page_shows(page: Path) -> None:
    failed, attempted = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert (failed, attempted) == (0, len(re.findall(r"^>>> ", TEXTS[page.name], re.MULTILINE)))


CHECK = "symparam check derivations docs README.md"


def test_the_readme_and_the_worked_derivations_are_checked_by_ci() -> None:
    assert CHECK in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_readme_and_the_worked_derivations_hold() -> None:
    done = run(CHECK.split(), ROOT)
    assert done.returncode == 0, done.stdout.decode()


def test_ci_runs_the_very_line_of_the_readme_that_runs_the_tests() -> None:
    line = re.search(r"^python3 -m venv .*pytest$", README, re.MULTILINE)
    assert line is not None
    assert "grep -m 1 '^python3 -m venv .*pytest$' README.md" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
