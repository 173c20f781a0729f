"""HTML pages as a real browser lays them out, wide and narrow, light and dark; held against a validator and against axe."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import symparam
from symparam.core.alphabets import ALPHABETS
from symparam.core.parsing.reader import read_formula
from symparam.results.result import Result
from symparam.writing.document import Chain, Diagram, Document, Shares, Table
from symparam.writing.html import document
from symparam.writing.html.whole import POLICY
from tests.writing.browser import View, about, node_file, seen
from tests.writing.documents import COMBINATIONS, PARTS, chains, everything, nasty_explained

SCRIPT = (Path(__file__).parent / "looked_at.js").read_text(encoding="utf-8")
WIDE, NARROW = 1280, 360
BESIDE = 1440  # Where the drawing stands beside the text.

PAGES: dict[str, Callable[[], Result]] = {
    "explain-bert-en": lambda: symparam.explain("bert", config="bert-base-uncased"),
    "explain-bert-zh": lambda: symparam.explain("bert", config="bert-base-uncased", language="zh"),
    "explain-deepseek-en": lambda: symparam.explain("deepseek-v3", config="deepseek-v3"),
    "explain-deepseek-zh": lambda: symparam.explain("deepseek-v3", config="deepseek-v3", language="zh"),
    "explain-t5": lambda: symparam.explain("t5", config="t5-small"),
    "explain-nasty": nasty_explained,
    "count-gpt2": lambda: symparam.count("gpt2"),
    "compare": lambda: symparam.compare("llama-7b", "mistral-7b-v0.1"),
}

# What one browser shows, light or dark: by default the two pages that matter most, each as the other is not looked at.
USUAL = {False: [("explain-bert-en", WIDE)], True: [("explain-deepseek-zh", NARROW)]}
OTHERS = {dark: [look for look in product(PAGES, (WIDE, NARROW)) if look not in looks] for dark, looks in USUAL.items()}
LOOKS = [*USUAL.items(), *(pytest.param(*others, marks=pytest.mark.slow) for others in OTHERS.items())]


@pytest.mark.parametrize(("dark", "looks"), LOOKS)
def test_pages_in_a_browser(dark: bool, looks: list[tuple[str, int]], tmp_path: Path) -> None:
    laid_out([(name, PAGES[name](), width, "") for name, width in looks], tmp_path, dark)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_every_document_in_a_browser(part: int, tmp_path: Path) -> None:
    shown = everything(COMBINATIONS)[part::PARTS]
    laid_out([(name, page, (WIDE, NARROW)[index % 2], "") for index, (name, page) in enumerate(shown)], tmp_path)


# Makes every line longer than the fonts of any machine do; on the narrow page a little is enough.
WIDE_FONT = {WIDE: "0.2em", NARROW: "0.06em", BESIDE: "0.06em"}


@pytest.mark.slow
def test_pages_in_a_wide_font(tmp_path: Path) -> None:
    looks = (("explain-bert-en", NARROW), ("explain-deepseek-zh", WIDE), ("count-gpt2", NARROW), ("explain-bert-zh", BESIDE))
    laid_out([(name, PAGES[name](), width, f"body * {{ letter-spacing: {WIDE_FONT[width]} }}") for name, width in looks], tmp_path)


def laid_out(pages: list[tuple[str, Result, int, str]], folder: Path, dark: bool = False) -> None:
    """Of pages with their names, widths, and a style for each."""
    views = [View(shown.write("html").replace("</style>", f"{css}</style>", 1), SCRIPT, width) for _, shown, width, css in pages]
    for (name, shown, width, _), found in zip(pages, seen(views, folder, dark), strict=True):
        with about(f"{name}, {width} px"):
            in_order(shown, found, width, dark)


def in_order(shown: Result, found: dict[str, Any], width: int, dark: bool) -> None:
    """Nothing is wider than the page or lies on other words; signs, numbers and boxes are in their columns, bars as long as they say."""
    nodes = shown.document.nodes
    assert found["dark"] is dark
    assert found["background"] == ("rgb(20, 24, 29)" if dark else "rgb(255, 255, 255)")
    assert (found["width"], found["viewport"]) == (width, width)
    assert found["overlaps"] == []
    assert found["outside"] == []
    assert found["smallest"] >= 11
    assert found["pieces"] > 25
    # What is wider than the page, in whatever fonts the machine has, lies in a box that one can scroll by keyboard.
    assert set(found["scrolling"]) <= {0}
    assert found["wide"] == []

    assert len(found["chains"]) == sum(len(chain) > 2 for chain in chains(shown.document))
    for column in (*found["chains"], *found["sums"]):
        assert max(column) - min(column) <= 0.5
    assert len(found["numeric"]) == sum(len(node.numeric) for node in nodes if isinstance(node, Table))
    for ends in found["numeric"]:
        assert max(ends) - min(ends) <= 0.5
    assert all(re.fullmatch(r"[0-9]{1,3}(,[0-9]{3})*(\.[0-9]+)?", digits) for digits in found["digits"])
    proportionate(found, [bar.share for node in nodes if isinstance(node, Shares) for bar in node.bars])
    nested(found["boxes"], sum(isinstance(node, Diagram) for node in nodes))


def proportionate(found: dict[str, Any], shares: list[Fraction]) -> None:
    """Each bar is the share of its track that its module is of the whole, and the first one is filled by all of them."""
    assert len(found["bars"]) == len(shares)
    for bar, share in zip(found["bars"], shares, strict=True):
        track = bar["track"]["right"] - bar["track"]["left"]
        assert track > 100
        assert abs(bar["bar"]["right"] - bar["bar"]["left"] - track * share) <= 0.05
        assert bar["bar"]["left"] == bar["track"]["left"]
    if shares:
        first, last, track = found["whole"][0], found["whole"][-1], found["bars"][0]["track"]
        assert abs(first["left"] - track["left"]) <= 0.05
        assert abs(last["right"] - track["right"]) <= 0.5
        ends = [bar["right"] for bar in found["bars"]]
        assert max(ends) - min(ends) <= 0.5


def nested(boxes: list[dict[str, Any]], diagrams: int) -> None:
    """Each box lies within the one around it, and the next one below it."""
    assert bool(boxes) == bool(diagrams)
    for each in boxes:
        box, outer, following = each["box"], each["outer"], each["next"]
        assert box["right"] - box["left"] > 60
        if outer:
            assert outer["left"] < box["left"] < box["right"] < outer["right"]
            assert outer["top"] < box["top"] < box["bottom"] < outer["bottom"]
        if following:
            assert following["top"] > box["bottom"]
            assert following["left"] == box["left"]


def test_brackets_are_as_high_as_what_they_hold(tmp_path: Path) -> None:
    """Or nearly so, where no font of the machine has brackets of all heights; what is not to grow is told so."""
    page = document(Document((Chain((read_formula("N(1 + H/h)"),)),), "en", ALPHABETS["symparam"]))
    assert re.findall(r'<mo[^>]*stretchy="(\w+)"[^>]*>\(', page) == ["true"]
    (found,) = seen([View(page, SCRIPT)], tmp_path)
    assert found["brackets"]
    for bracket, fraction in found["brackets"]:
        assert min(bracket["bottom"], fraction["bottom"]) - max(bracket["top"], fraction["top"]) >= 0.6 * (
            fraction["bottom"] - fraction["top"]
        )


def test_the_measure_sees_what_lies_on_something_else(tmp_path: Path) -> None:
    page = symparam.count("gpt2").write("html").replace("</style>", ".symparam td { position: absolute }</style>")
    (found,) = seen([View(page, SCRIPT, NARROW)], tmp_path)
    assert len(found["overlaps"]) > 10


# What others have written to judge pages.

BRIEF = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xss2m"]
"""For a program that runs a second: to compile it better takes longer than it saves."""


@pytest.mark.parametrize("names", [["explain-deepseek-zh"], pytest.param(list(PAGES), marks=pytest.mark.slow)], ids=["one", "all"])
def test_the_validator_finds_nothing(names: list[str], tmp_path: Path) -> None:
    if shutil.which("java") is None:
        pytest.skip("Java is not installed")
    jar = node_file("vnu-jar/build/dist/vnu.jar")
    for name in names:
        (tmp_path / f"{name}.html").write_text(PAGES[name]().write("html"), encoding="utf-8")
    done = subprocess.run(
        ["java", *BRIEF, "-jar", str(jar), "--errors-only", "--stdout", *map(str, sorted(tmp_path.glob("*.html")))],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "")


RULES = {
    "color-contrast",
    "document-title",
    "heading-order",
    "html-has-lang",
    "landmark-one-main",
    "list",
    "region",
    "page-has-heading-one",
}


AXE = """
const found = await frame.axe.run(frame.document);
return {wrong: found.violations.map(each => [each.id, each.nodes.map(node => node.html)]), passed: found.passes.map(each => each.id)};
"""


@pytest.mark.slow  # It takes five seconds a page.
@pytest.mark.parametrize(("dark", "looks"), LOOKS)
def test_axe_finds_nothing(dark: bool, looks: list[tuple[str, int]], tmp_path: Path) -> None:
    axe = node_file("axe-core/axe.min.js").read_text(encoding="utf-8")
    # The policy of the page would not let axe run either.
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    views = []
    for name, width in looks:
        page = PAGES[name]().write("html").replace(policy, "").replace("</body>", f"<script>{axe}</script></body>")
        views.append(View(page, AXE, width))
    for (name, width), found in zip(looks, seen(views, tmp_path, dark), strict=True):
        with about(f"{name}, {width} px"):
            assert found["wrong"] == []
            assert set(found["passed"]) >= RULES - ({"list"} if name in ("count-gpt2", "compare") else set())


LIT = """
const page = frame.document, lit = () => [...page.querySelectorAll('[class]')].filter(each => each.matches('[class*=" m"], .terms > a, tr')
  && frame.getComputedStyle(each).backgroundColor === 'rgb(255, 233, 168)').map(each => `${each.tagName} ${each.className}`);
const term = [...page.querySelectorAll('.terms a')].find(each => each.title === 'Self-attention');
term.focus();
const focused = lit();
term.blur();
const left = lit(), folded = page.querySelector('[id="part=encoder.layer.{i}.attention.self.query"]'), shut = folded.checkVisibility();
return { focused, left, mark: term.className, shut };
"""


def test_what_belongs_to_one_module_lights_up_together_without_a_script(tmp_path: Path) -> None:
    (found,) = seen([View(PAGES["explain-bert-en"]().write("html"), LIT)], tmp_path)
    mark = found["mark"]
    assert found["focused"] == [f"A {mark}", f"DIV title {mark}", f"DIV step {mark}", f"LI row {mark}"]
    assert found["left"] == []
    assert found["shut"] is False
