"""A real Sphinx project, with a page of reStructuredText and one of MyST's Markdown: built without a warning, and with the right ones."""

from __future__ import annotations

import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest

import symparam

pytest.importorskip("sphinx", reason="Sphinx is not installed")
pytest.importorskip("myst_parser", reason="myst-parser is not installed")


INDEX = f"""
Sizes
=====

.. symparam:: derive gpt2 --where I=4H
   :label: size
   :class: wide

GPT-2 has :symparam:`count gpt2` parameters by :eq:`size`,
in parts :symparam:`derive gpt2 --form by-module`; ours :symparam:`count config.json`,
or :symparam:`count gpt2 --unit M`.

.. math::
   :label: by-hand

   {symparam.derive("gpt2", where=["I=4H"]).latex}

.. symparam:: derive deepseek-v3
   --form expanded
   :label: long

.. symparam:: count config.json
   :name: the-table

.. symparam:: compare gpt2 gpt1

.. symparam:: count gpt2 --format json

:ref:`The table <the-table>`.

.. toctree::

   page
"""
PAGE = """
# In Markdown

```{symparam} derive llama --measure kv-cache
:label: cache
```

By {eq}`cache` and {eq}`size`, {symparam}`count gpt2-medium` and {symparam}`derive gpt1`.

```{symparam} explain gpt2
```

```{eval-rst}
.. symparam:: count gpt2
```
"""


def project(folder: Path, index: str, page: str) -> Path:
    (folder / "conf.py").write_text(
        'extensions = ["symparam.integrations.sphinx", "myst_parser"]\nhtml_theme = "basic"\nhtml_sidebars = {"**": []}\n', encoding="utf-8"
    )
    (folder / "index.rst").write_text(index, encoding="utf-8")
    (folder / "page.md").write_text(page, encoding="utf-8")
    (folder / "config.json").write_text('{"model_type": "gpt2", "n_layer": 3}', encoding="utf-8")
    return folder


def build(folder: Path, builder: str = "html", *options: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-X", "utf8", "-m", "sphinx", "-N", "-b", builder, "-W", "--keep-going", *options, ".", f"_{builder}"]
    return subprocess.run(words, cwd=folder, capture_output=True, encoding="utf-8", timeout=120, check=False)


def read(done: subprocess.CompletedProcess[str]) -> list[str]:
    """The pages that were read, of those that there are."""
    assert done.returncode == 0, done.stderr
    return re.findall(r"reading sources\.\.\. \[[ \d]+%\] (\w+)", done.stdout)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = project(tmp_path_factory.mktemp("sphinx"), INDEX, PAGE)
    done = build(folder)
    assert done.returncode == 0, done.stderr
    return folder


def html(folder: Path, page: str) -> str:
    return (folder / "_html" / f"{page}.html").read_text(encoding="utf-8")


def equations(page: str) -> dict[str, tuple[str, str]]:
    """The number and the TeX of each labelled equation."""
    found = re.findall(r'id="equation-([\w-]+)">\s*<span class="eqno">(\(\d+\)).*?</span>(.*?)</div>', page, re.DOTALL)
    return {label: (number, unescape(tex)) for label, number, tex in found}


def test_formulas_are_equations_with_labels_numbers_and_references(built: Path) -> None:
    page = html(built, "index")
    found = equations(page)
    assert found["size"] == ("(1)", "\\[(13N + P + V + 2)H + 12NH^{2}\\]")
    assert found["by-hand"] == ("(2)", found["size"][1])
    assert re.search(r'parameters by <a class="reference internal" href="#equation-size">\(1\)</a>', page)
    assert '<div class="wide math notranslate nohighlight" id="equation-size">' in page


def test_a_long_formula_has_several_rows(built: Path) -> None:
    number, tex = equations(html(built, "index"))["long"]
    assert number == "(3)"
    rows = re.fullmatch(r"\\\[\\begin\{split\}(.*)\\end\{split\}\\\]", tex, re.DOTALL)
    assert rows is not None
    lines = rows[1].split("\\\\")
    assert len(lines) > 1
    written = " ".join(" ".join(line.replace("&", "").replace("\\quad", "").split()) for line in lines)
    assert written.replace(" ", "") == symparam.derive("deepseek-v3", form="expanded").latex.replace(" ", "")


def test_numbers_and_formulas_stand_within_lines(built: Path) -> None:
    page = html(built, "index")
    assert "GPT-2 has 124,439,808 parameters" in page
    assert "or 124.4M.</p>" in page
    assert 'in parts <span class="math notranslate nohighlight">\\(VH + PH + N(4H^{2} + 2IH + 9H + I) + 2H\\)</span>' in page


def test_other_commands_are_tables_and_code_and_can_be_referred_to(built: Path) -> None:
    page = html(built, "index")
    assert re.search(r'<div class="symparam docutils container" id="the-table">\s*<p class="rubric">config.json', page)
    assert '<a class="reference internal" href="#the-table"><span class="std std-ref">The table</span></a>' in page
    assert page.count("<table") == 3
    assert '"total": 124439808,' in unescape(re.sub(r"<[^>]*>", "", page))


def test_markdown_has_the_same(built: Path) -> None:
    page = html(built, "page")
    assert equations(page) == {"cache": ("(1)", "\\[4dkNSB\\]")}
    assert re.search(r'<a class="reference internal" href="#equation-cache">\(1\)</a>', page)
    assert re.search(r'<a class="reference internal" href="index.html#equation-size">\(1\)</a>', page)
    assert '354,823,168 and <span class="math notranslate nohighlight">\\((13N + P + V)H + 12NH^{2}\\)</span>' in page
    # Headings inside are rubrics, so the page has its own alone; nothing of Markdown or reStructuredText is left to be seen.
    assert re.findall(r"<h\d>([^<]*)<", page.partition('role="main"')[2].partition('class="clearer"')[0]) == ["In Markdown"]
    rubrics = re.findall(r'<p class="rubric"[^>]*>(.*?)</p>', page)
    assert rubrics[:2] == ["GPT-2 (GPT2LMHeadModel): the number of parameters", "Notation"]
    text = unescape(re.sub(r"<[^>]*>", "", page))
    assert not re.search(r"\{math\}|:math:|\|\s*---|^#+ ", text, re.MULTILINE)


@pytest.mark.slow
def test_a_page_is_built_again_when_a_file_that_it_names_changes(built: Path) -> None:
    assert not read(build(built))
    (built / "config.json").write_text('{"model_type": "gpt2", "n_layer": 5}', encoding="utf-8")
    assert read(build(built)) == ["index"]
    total = symparam.count({"model_type": "gpt2", "n_layer": 5}).total
    assert f"{total:,}" in html(built, "index")
    # Under another version every page may say something else.
    assert read(build(built, "html", "-D", "symparam_version=0.0.0")) == ["index", "page"]


@pytest.mark.slow
def test_latex_has_the_equation_too(built: Path) -> None:
    done = build(built, "latex")
    assert done.returncode == 0, done.stderr
    (tex,) = [path.read_text(encoding="utf-8") for path in (built / "_latex").glob("*.tex")]
    equation = r"\\begin\{equation\}\\label\{equation:index:size\}\s*\\begin\{split\}\(13N \+ P \+ V \+ 2\)H \+ 12NH\^\{2\}\\end\{split\}"
    assert re.search(equation, tex)
    assert "\\eqref{equation:index:size}" in tex


BAD = """
Bad
===

Here :symparam:`count gtp2`, there :symparam:`explain gpt2`.

.. symparam:: derive lama
   :label: x

.. symparam:: count gpt2
   :label: y

.. symparam:: derive gpt2 --label z

.. symparam:: derive gpt2 --unit M

.. symparam:: count config.jsno

.. toctree::

   page
"""
BAD_PAGE = """
# Bad

```{symparam} count ../../etc/passwd
```

{symparam}`dervie gpt2`
"""


@pytest.mark.slow
def test_what_is_at_fault_is_told_by_file_and_line(tmp_path: Path) -> None:
    folder = project(tmp_path, BAD, BAD_PAGE)
    done = build(folder)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    told = re.findall(r"^.*?(\w+\.\w+):(\d+): ERROR: (.*?)(?: \[docutils\])?$", done.stderr, re.MULTILINE)
    expected = [
        ("index.rst", "5", "symparam count gtp2: there is no architecture, preset or file named 'gtp2'"),
        ("index.rst", "5", "symparam explain gpt2: explain gives more than fits in a line"),
        ("index.rst", "7", "symparam derive lama: there is no architecture, preset or file named 'lama'"),
        ("index.rst", "10", "symparam count gpt2: :label: is for an equation, so for derive"),
        ("index.rst", "13", "symparam derive gpt2 --label z: --label, --substitution and --dialect are for marked places"),
        ("index.rst", "15", "symparam derive gpt2 --unit M: --unit and --digits apply only to a number"),
        ("index.rst", "17", "symparam count config.jsno: there is no architecture, preset or file named 'config.jsno'"),
        ("page.md", "4", "symparam count ../../etc/passwd: the file '../../etc/passwd' lies outside of the project"),
        ("page.md", "7", "symparam dervie gpt2: there is no command for pages named 'dervie'"),
    ]  # fmt: skip
    assert len(told) == len(expected)
    for (file, line, message), (expected_file, expected_line, beginning) in zip(sorted(told, key=_place), expected, strict=True):
        assert (file, line) == (expected_file, expected_line)
        assert message.startswith(beginning)


@pytest.mark.slow
def test_a_page_with_a_fault_is_read_again_although_it_is_as_it_was(tmp_path: Path) -> None:
    folder = project(tmp_path, BAD, BAD_PAGE)
    assert "ERROR" in build(folder).stderr
    assert "ERROR" in build(folder).stderr


def _place(told: tuple[str, str, str]) -> tuple[str, int]:
    return told[0], int(told[1])
