"""A real MkDocs site with the mathematics of pymdownx.arithmatex: built strictly, and stopped where a page is at fault."""

from __future__ import annotations

import re
import subprocess
import sys
from html import unescape
from importlib.metadata import entry_points
from pathlib import Path

import pytest

import symparam

pytest.importorskip("mkdocs", reason="MkDocs is not installed")
pytest.importorskip("pymdownx", reason="pymdown-extensions is not installed")
if not entry_points(group="mkdocs.plugins", name="symparam"):
    pytest.skip("symparam is not installed, so MkDocs does not know its plugin", allow_module_level=True)

SITE = """
site_name: Sizes
plugins:
  - symparam
markdown_extensions:
  - tables
  - pymdownx.arithmatex: {generic: true}
"""
PAGE = """---
title: Sizes
---

# Sizes

<!-- symparam: derive gpt2 --where I=4H -->
<!-- /symparam -->

GPT-2 has <!-- symparam: count gpt2 --><!-- /symparam --> parameters, ours <!-- symparam: count config.json -->0<!-- /symparam 5feceb66 -->.

<!-- symparam: compare gpt2 gpt1 -->
<!-- /symparam -->
"""


def build(folder: Path, page: str, site: str = SITE) -> tuple[int, str]:
    """The exit code of a strict build, and what MkDocs says."""
    docs = folder / "docs"
    docs.mkdir(exist_ok=True)
    (folder / "mkdocs.yml").write_text(site, encoding="utf-8")
    (docs / "index.md").write_text(page, encoding="utf-8")
    (docs / "config.json").write_text('{"model_type": "gpt2", "n_layer": 3}', encoding="utf-8")
    words = [sys.executable, "-X", "utf8", "-m", "mkdocs", "build", "--strict"]
    done = subprocess.run(words, cwd=folder, capture_output=True, encoding="utf-8", timeout=120, check=False)
    assert "Traceback" not in done.stderr
    assert (docs / "index.md").read_text(encoding="utf-8") == page  # Whatever happens, the file is its author's.
    return done.returncode, done.stderr


def test_marked_places_are_filled_in_the_site(tmp_path: Path) -> None:
    assert build(tmp_path, PAGE)[0] == 0
    html = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    displayed = re.findall(r'<div class="arithmatex">\\\[(.*?)\\\]</div>', html, re.DOTALL)
    assert displayed[0].strip() == "(13N + P + V + 2)H + 12NH^{2}"
    text = unescape(re.sub(r"<!--.*?-->", "", html))
    assert f"GPT-2 has 124,439,808 parameters, ours {symparam.count({'model_type': 'gpt2', 'n_layer': 3}).total:,}." in text
    headings = re.findall(r"<(h\d)[^>]*>(.*?)</h\d>", html)
    assert headings[:2] == [("h1", "Sizes"), ("h2", "gpt2 and gpt1")]
    assert "<td><code>c_fc</code></td>" in html
    assert '<span class="arithmatex">\\(4H^{2}N - HNI\\)</span>' in html


@pytest.mark.slow
def test_another_dialect_is_an_option(tmp_path: Path) -> None:
    site = "site_name: Sizes\nplugins:\n  - symparam: {dialect: tex}\n"
    assert build(tmp_path, "<!-- symparam: derive gpt1 -->\n<!-- /symparam -->\n", site)[0] == 0
    assert "$$\n(13N + P + V)H + 12NH^{2}\n$$" in (tmp_path / "site" / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("page", "message"),
    [
        (
            "---\ntitle: Bad\n---\n\n\n# Bad\n\nText <!-- symparam: derive lama --><!-- /symparam -->.\n",
            "docs/index.md:8:6: symparam derive lama: there is no architecture, preset or file named 'lama'; did you mean 'llama'",
        ),
        pytest.param(
            "# Bad\n\n<!-- symparam: derive llama -->\n",
            "docs/index.md:3:1: this marked place is not closed; put <!-- /symparam --> after its content",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "---\ntitle: Edited\n---\n<!-- symparam: count gpt2 -->124,439,809<!-- /symparam 01234567 -->\n",
            "docs/index.md:4:1: this place was edited by hand since it was filled, so it is left as it is",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_what_is_at_fault_is_told_by_file_and_line(page: str, message: str, tmp_path: Path) -> None:
    code, said = build(tmp_path, page)
    assert code == 1
    assert message in said
