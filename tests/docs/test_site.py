"""The site is built without a warning; every formula of a page is one in the site, and no link of it leads nowhere."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.docs.pages import DOCS, ROOT

pytest.importorskip("sphinx", reason="Sphinx is not installed")
pytest.importorskip("myst_parser", reason="myst-parser is not installed")

pytestmark = pytest.mark.slow  # A project of a page or two is built by default, in tests/integrations.

OF_THE_PROJECT = {"readme": ROOT / "README.md", "contributing": ROOT / "CONTRIBUTING.md"}
PAGES = sorted(str(path.relative_to(DOCS).with_suffix("")) for path in DOCS.rglob("*.md"))


class Page(HTMLParser):
    """What a page of the site leads to, which places it has, and how many formulas."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = set()
        self.formulas = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.links += [value for key in ("href", "src") if (value := given.get(key)) is not None]
        self.places |= {value for key in ("id", "name") if (value := given.get(key)) is not None}
        self.formulas += "math" in (given.get("class") or "").split()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole site, built by the very line that CONTRIBUTING.md gives."""
    out = tmp_path_factory.mktemp("site")
    line = re.search(r"^sphinx-build (.*) docs OUT$", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert line is not None
    command = [sys.executable, "-m", "sphinx", *line[1].split(), "docs", str(out)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=300, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return out


@pytest.fixture(scope="module")
def built(site: Path) -> dict[str, Page]:
    """The pages of the site by their names."""
    return {str(path.relative_to(site)): Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}


def formulas(page: str) -> int:
    """How many formulas the Markdown of a page has, told without a parser: what is between dollar signs, and the directives."""
    text = OF_THE_PROJECT.get(page, DOCS / f"{page}.md").read_text(encoding="utf-8")
    text = re.sub(r"^(`{4,}).*?^\1", "", text, flags=re.MULTILINE | re.DOTALL)  # In which a page shows what is written elsewhere.
    directives = len(re.findall(r"^```\{symparam\} derive ", text, re.MULTILINE))
    text = re.sub(r"^(```+|~~~+).*?^\1", "", text, flags=re.MULTILINE | re.DOTALL)
    displayed = len(re.findall(r"^\$\$$", text, re.MULTILINE)) / 2
    text = re.sub(r"^\$\$$.*?^\$\$$", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"<!--.*?-->|(`+)(?!`).*?(?<!`)\1(?!`)", "", text, flags=re.DOTALL)
    within = len(re.findall(r"(?<![\\$])\$(?:[^$\\]|\\.)+\$", text))
    return int(directives + displayed + within)


@pytest.mark.parametrize("page", PAGES)
def test_every_formula_of_a_page_is_one_in_the_site(page: str, built: dict[str, Page]) -> None:
    assert built[f"{page}.html"].formulas == formulas(page)


def test_there_are_formulas_to_be_counted(built: dict[str, Page]) -> None:
    assert sum(page.formulas for page in built.values()) > 2_000


def test_no_link_leads_nowhere(site: Path, built: dict[str, Page]) -> None:
    dead = []
    for name, page in built.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (site / name).parent / unquote(parts.path) if parts.path else site / name
            there = target.is_file() or (parts.path.endswith("/") and target.is_dir())
            known = built.get(str(target.resolve().relative_to(site.resolve()))) if there else None
            if not there or (parts.fragment and known is not None and unquote(parts.fragment) not in known.places):
                dead.append(f"{name}: {link}")
    assert dead == []
