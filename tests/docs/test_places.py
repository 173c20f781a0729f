"""The documentation says what symparam answers today; a block that does not is told with page and formula, and mended."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.command import run
from tests.docs.pages import DOCS, ROOT

SOME = ("docs/families/gpt2.md", "docs/published/index.md", "docs/reference/letters.md")
FORMULA = "(13N + P + V)H + 12NH^{2}"
WITH_A_HEAD = "(13N + P + 2V)H + 12NH^{2}"


def test_every_place_is_up_to_date() -> None:
    done = run("docs", "--check", *SOME, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, b""), done.stdout.decode() + "\nfill the places: symparam docs docs README.md"


def test_ci_checks_all_of_them() -> None:
    assert "symparam docs --check docs README.md\n" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """A page of the documentation, in a folder of its own."""
    return Path(shutil.copy(DOCS / "families" / "gpt1.md", tmp_path))


def test_one_block_that_is_out_of_date_is_shown_and_mended(page: Path) -> None:
    before = page.read_text(encoding="utf-8")
    mark = "<!-- symparam: derive OpenAIGPTLMHeadModel -->"
    assert before.count(mark) == 1
    page.write_text(before.replace(mark, mark.replace(" -->", " --where tie_word_embeddings=false -->")), encoding="utf-8")
    done = run("docs", "--check", page.name, cwd=page.parent)
    assert done.returncode == 1
    shown = done.stdout.decode().splitlines()
    assert shown[:2] == ["--- gpt1.md", "+++ gpt1.md (filled)"]
    assert [line for line in shown if line[:1] in "-+" and line[1:] in (FORMULA, WITH_A_HEAD)] == [f"-{FORMULA}", f"+{WITH_A_HEAD}"]
    assert shown[-1].endswith("1 out of date")
    assert run("docs", page.name, cwd=page.parent).returncode == 0
    assert run("docs", "--check", page.name, cwd=page.parent).returncode == 0
    page.write_text(
        page.read_text(encoding="utf-8").replace(mark[:-4] + " --where tie_word_embeddings=false -->", mark, 1), encoding="utf-8"
    )
    assert run("docs", page.name, cwd=page.parent).returncode == 0
    assert page.read_text(encoding="utf-8") == before


def test_an_edit_by_hand_is_told_and_kept(page: Path) -> None:
    before = page.read_text(encoding="utf-8")
    edited = before.replace("116,534,784", "116,534,785", 1)
    assert edited != before
    page.write_text(edited, encoding="utf-8")
    done = run("docs", page.name, cwd=page.parent)
    assert done.returncode == 1
    assert "    - 116,534,785\n    + 116,534,784\n" in done.stdout.decode()
    assert page.read_text(encoding="utf-8") == edited
