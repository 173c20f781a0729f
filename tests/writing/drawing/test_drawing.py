"""Drawings in every format, and as a real browser and TeX lay them out."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import symparam
from symparam.errors import SymparamError
from symparam.models.architectures import families
from tests.command import text
from tests.writing.browser import View, about, seen
from tests.writing.documents import nasty

SVG = "{http://www.w3.org/2000/svg}"
OWN = symparam.Architecture(
    "Own",
    symparam.Block(
        "Own",
        embedding=symparam.Embedding("V", "H"),
        layers=symparam.Repeat("N", symparam.Block("Layer", up=symparam.Linear("H", "my_size"), down=symparam.Linear("my_size", "H"))),
    ),
    meanings={"my_size": "a size"},
)
USUAL = ("bert-base-uncased", "deepseek-v3", "falcon-40b")
OTHERS = tuple(family.name for family in families())

# Each line of words lies in its box and on no other line, each box in the drawing and on no box but one around it.
MEASURED = """
const found = [], svg = frame.document.querySelector('svg'), all = svg.getBoundingClientRect();
const box = shape => shape.getBoundingClientRect();
const inside = (a, b) => a.left >= b.left - 0.6 && a.right <= b.right + 0.6 && a.top >= b.top - 0.6 && a.bottom <= b.bottom + 0.6;
const apart = (a, b) => a.right <= b.left + 0.6 || b.right <= a.left + 0.6 || a.bottom <= b.top + 2.5 || b.bottom <= a.top + 2.5;
const boxes = [...svg.querySelectorAll('g.part')].map(part => [part, box(part.querySelector('rect'))]);
for (const [part, around] of boxes) {
  if (!inside(around, all)) found.push('outside of the drawing: ' + part.dataset.part);
  for (const words of part.querySelectorAll('text'))
    if (!inside({ ...words.getBoundingClientRect().toJSON(), top: around.top, bottom: around.bottom }, around))
      found.push('wider than its box: ' + words.textContent);
}
boxes.forEach(([part, one], index) => boxes.slice(index + 1).forEach(([other, two]) => {
  if (!apart(one, two)) found.push('on each other: ' + part.dataset.part + ', ' + other.dataset.part);
}));
const texts = [...svg.querySelectorAll('text')].map(text => [text.textContent, box(text)]);
texts.forEach(([words, one], index) => {
  if (one.left < all.left - 0.6 || one.right > all.right + 0.6) found.push('outside of the drawing: ' + words);
  texts.slice(index + 1).forEach(([others, two]) => { if (!apart(one, two)) found.push('on each other: ' + words + ' / ' + others); });
});
return found;
"""


def test_sides_are_in_proportion() -> None:
    drawn = rectangles(symparam.draw("llama-3-8b").svg())
    query, key, _, output = drawn["model.layers.{i}.self_attn"]
    gate, _, down = drawn["model.layers.{i}.mlp"]
    assert query == output
    assert query[0] == pytest.approx(4 * key[0], rel=0.02)  # 32 heads and 8.
    assert gate[0] == pytest.approx(3.5 * query[0], rel=0.02)  # 14,336 = 3.5 · 4,096.
    assert (gate[0], gate[1]) == (down[1], down[0])


def test_sides_of_no_known_size_are_alike() -> None:
    picture = symparam.draw(OWN)
    assert len({size for sizes in rectangles(picture.svg()).values() for size in sizes}) == 1
    assert "not to scale" in picture.svg()
    (up, down), *_ = (
        sizes for sizes in rectangles(symparam.draw(OWN, where=["V=500", "H=100", "my_size=300", "N=2"]).svg()).values() if len(sizes) == 2
    )
    assert up[0] == pytest.approx(3 * up[1], rel=0.01)
    assert down == (up[1], up[0])


def rectangles(svg: str) -> dict[str, list[tuple[float, float]]]:
    """Width and height of the matrices of each part."""
    return {
        str(part.get("data-part")): [
            (float(str(each.get("width"))), float(str(each.get("height"))))
            for each in part.iter(f"{SVG}rect")
            if str(each.get("class")).startswith("matrix")
        ]
        for part in ElementTree.fromstring(svg).iter(f"{SVG}g")
    }


def test_names_are_never_obeyed() -> None:
    drawn = symparam.draw(nasty())
    root = ElementTree.fromstring(drawn.svg())
    assert {each.tag.removeprefix(SVG) for each in root.iter()} <= {
        *("svg", "title", "desc", "style", "rect", "g", "text", "tspan", "polyline", "polygon", "circle", "path")
    }
    assert not re.search(r"href|url\(|@import|on\w+=", drawn.svg().partition("</style>")[2])
    assert "\x1b" not in drawn.svg() + drawn.write("latex")


def test_a_file_has_the_format_that_its_name_ends_in(tmp_path: Path) -> None:
    for name, begins in (("a.svg", b"<svg"), ("a.tex", b"\\documentclass")):
        assert text("draw", "gpt2", "-o", str(tmp_path / name)).returncode == 0
        assert (tmp_path / name).read_bytes().startswith(begins)
    said = text("draw", "gpt2", "-o", str(tmp_path / "a.jpg"))
    assert (said.returncode, said.stdout) == (2, "")
    assert "into a file that ends in .svg, .tex, .png" in said.stderr
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.svg", "a.tex"]


def test_what_is_not_drawn_is_said(tmp_path: Path) -> None:
    file = tmp_path / "net.txt"
    file.write_text("Net(\n  (a): Strange()\n  (b): Linear(in_features=3, out_features=2)\n)")
    assert "Strange" in "".join(ElementTree.fromstring(symparam.draw(str(file)).svg()).itertext())
    said = text("draw", "gpt2", "--format", "svg", "-o", str(tmp_path / "a.png"))
    assert (said.returncode, "contradicts the ending" in said.stderr) == (2, True)
    assert not (tmp_path / "a.png").exists()


def test_a_drawing_on_standard_output() -> None:
    assert text("draw", "bert").stdout == symparam.draw("bert").svg()
    assert text("draw", "bert", "--format", "latex", "--fragment").stdout == symparam.draw("bert").write("latex", fragment=True)
    dark = text("draw", "bert", "--dark").stdout
    assert "prefers-color-scheme" not in dark
    assert "#14181d" in dark


def test_the_picture_of_the_guide() -> None:
    page = Path(__file__).parents[3] / "docs" / "guide" / "llama-3-8b.svg"
    assert page.read_text(encoding="utf-8") == symparam.draw("llama-3-8b").svg(), "symparam draw llama-3-8b -o docs/guide/llama-3-8b.svg"


def test_png_is_drawn_by_matplotlib(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    drawn = symparam.draw("gpt2", language="en")
    data = drawn.png()
    assert data.startswith(b"\x89PNG")
    width, height = (int.from_bytes(data[start : start + 4], "big") for start in (16, 20))
    assert (width, height) == (int(3 * drawn.picture.width), int(3 * drawn.picture.height))


def test_png_has_signs_for_chinese_beside_formulas(caplog: pytest.LogCaptureFixture) -> None:
    names = pytest.importorskip("matplotlib.font_manager").get_font_names()
    if not any("CJK" in name for name in names):
        pytest.skip("no font with Chinese is installed")
    symparam.draw("deepseek-v3", language="zh").png()
    assert [record.message for record in caplog.records if "glyph" in record.message] == []


def test_png_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    with pytest.raises(SymparamError, match=r"symparam\[charts\]"):
        symparam.draw("gpt2").png()


def laid_out(names: tuple[str, ...], folder: Path, dark: bool = False) -> None:
    drawn: list[tuple[str, Any]] = [(name, symparam.draw(name, language=language)) for name in names for language in ("en", "zh")]
    drawn.append(("own", symparam.draw(OWN)))
    views = [View(f"<!doctype html><meta charset=utf-8>{picture.svg(dark)}", MEASURED, 380) for _, picture in drawn]
    for (name, _), found in zip(drawn, seen(views, folder), strict=True):
        with about(name):
            assert found == []


def test_nothing_overlaps_in_a_browser(tmp_path: Path) -> None:
    laid_out(USUAL, tmp_path)


@pytest.mark.slow
def test_nothing_overlaps_in_any_family(tmp_path: Path) -> None:
    laid_out(OTHERS, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(("engine", "language"), [("pdflatex", "en"), ("xelatex", "zh")])
def test_tex_draws_every_family(engine: str, language: str, tmp_path: Path) -> None:
    if shutil.which(engine) is None:
        pytest.skip(f"{engine} is not installed")
    for name in OTHERS:
        (tmp_path / "a.tex").write_text(symparam.draw(name, language=language).write("latex"), encoding="utf-8")
        done = subprocess.run([engine, "-interaction=nonstopmode", "a.tex"], cwd=tmp_path, capture_output=True, check=False, timeout=120)
        with about(name):
            said = done.stdout.decode("utf-8", "replace")
            assert done.returncode == 0, said[-2000:]
            assert "Overfull" not in said
            assert "(1 page" in said
