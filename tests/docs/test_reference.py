"""The reference has everything that there is: commands, names of the API, measures, conventions, letters and findings."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import symparam
from symparam.analysis.measures.conventions.papers import PAPERS
from symparam.analysis.measures.conventions.tools import CONVENTIONS
from symparam.analysis.measures.selection import MEASURES
from symparam.core.alphabets import ALPHABETS
from symparam.core.dimensions import BY_LETTER
from symparam.documents.checking.finding import CODES
from symparam.writing.phrases import phrases
from tests.docs.pages import ROOT, asked, text

PAGE = "docs/reference/command-line.md"
WRITE = ["-m", "typer", "symparam.cli.app", "utils", "docs", "--name", "symparam", "--title", "Command line", "--output"]


def test_the_page_of_the_command_line_is_what_typer_writes(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    done = subprocess.run([sys.executable, *WRITE, str(page)], cwd=ROOT, capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    command = "python " + " ".join(f"'{word}'" if " " in word else word for word in WRITE)
    assert page.read_text(encoding="utf-8") == text("reference/command-line.md"), f"write it again: {command} {PAGE}"


@pytest.mark.parametrize("name", [*symparam.__all__, "list"])
def test_every_public_name_is_in_the_reference(name: str) -> None:
    described = re.search(rf"\.\. auto(?:function|class):: {name}$", text("reference/api.md"), re.MULTILINE)
    assert described or (name in BY_LETTER and f"`{name}`" in text("reference/api.md")), f"put {name} into docs/reference/api.md"


def section(page: str, heading: str) -> str:
    """What a page says under a heading, wherever its lines end."""
    found = re.search(rf"^### {heading}\n(.*?)(?=^##|\Z)", text(page), re.MULTILINE | re.DOTALL)
    assert found, f"write a section on {heading} in docs/{page}"
    return " ".join(found[1].split())


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_has_a_definition_and_a_formula(name: str) -> None:
    page = "reference/measures.md"
    assert re.search(rf"^### {name}\n\n[A-Z]", text(page), re.MULTILINE), f"say in docs/{page} what {name} is"
    formulas = [words for words in asked(page) if re.search(rf"--measure {name}(?: |$)", words)]
    assert formulas, f"give a formula of {name} in docs/{page}, such as <!-- symparam: derive gpt2 --measure {name} -->"


@pytest.mark.parametrize("name", [*CONVENTIONS, *PAPERS])
def test_every_convention_is_told_with_what_is_odd_about_it(name: str) -> None:
    page, convention = "reference/conventions.md", {**CONVENTIONS, **PAPERS}[name]
    told = section(page, name)
    assert convention.tool in told, f"say of {name} in docs/{page}: {convention.tool}"
    for quirk in convention.quirks:
        assert phrases("en").messages[quirk] in told, f"say of {name} in docs/{page}: {phrases('en').messages[quirk]}"
    assert any(words.startswith("derive gpt2") and words.endswith(f"--convention {name}") for words in asked(page))


def test_letters_alphabets_and_presets_are_places() -> None:
    alphabets = {f"letters --alphabet {name}" for name in ALPHABETS if name != "symparam"}
    assert asked("reference/letters.md") == {"letters", *alphabets}
    assert asked("reference/presets.md") == {"list"}
    assert asked("reference/rules.md") == {"rules"}


WITHOUT = {"expected": "H = 1 <!-- symparam: expect wrong-sum -->", "too-long": "1 + " * 30_000 + "1 = 2"}
"""Findings that a page cannot show of itself: a remark that is wrong, and a line of a hundred thousand characters."""


@pytest.mark.few(16)
@pytest.mark.parametrize("code", CODES)
def test_every_finding_is_explained_by_an_example_that_has_it(code: str) -> None:
    page = "reference/findings.md"
    told = section(page, code)
    messages = phrases("en").messages
    meaning, remedy = messages[f"code-{code}"], messages.get(f"remedy-{code}")
    assert f"{meaning[0].upper()}{meaning[1:]}." in told, f"say of {code} in docs/{page}: {meaning}"
    if remedy:
        assert f"What to do: {remedy}." in told, f"say what to do about {code} in docs/{page}: {remedy}"
    example = re.search(rf"^### {code}\n(?:(?!^##).)*?^```markdown\n(.*?)^```", text(page), re.MULTILINE | re.DOTALL)
    assert (example is None) == (code in WITHOUT)
    checked = symparam.check_text(example[1] if example else WITHOUT[code], architecture="gpt2", config="gpt2", where=["I=4H"])
    assert code in [finding.code for finding in checked.findings]
