"""A number that lacks something is written as a lower bound, in every format, and says what it lacks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import symparam
from symparam.core.dimensions import H, L, N
from symparam.models.blocks import Architecture, Block, DotProduct, Linear, Parameter, Repeat
from symparam.models.blocks.missing import Missing
from symparam.pages.docs import docs

LACKING = Architecture("Lacking", Block("Lacking", a=Linear(H, H, bias=False)), missing=(Missing("Acme", "unknown", "layers.{i}.acme"),))
WHY = (
    "a class that symparam does not know: it may have parameters of its own, which a print does not show; "
    "its source in the same file or a stated total settles this"
)


@pytest.mark.parametrize(
    ("format", "bound"),
    [
        ("text", "In all at least 65,536."),
        ("markdown", "In all at least $65{,}536$."),
        ("latex", "In all at least $65{,}536$."),
        ("html", "In all at least <"),
        ("rst", "In all at least :math:`65{,}536`."),
        ("mathml", "<mtext>In all at least </mtext>"),
    ],
)
def test_a_total_that_lacks_something_is_a_lower_bound_in_every_format(format: str, bound: str) -> None:
    written = symparam.count(LACKING, where=["H=256"]).write(format)
    assert bound in written.replace("\u00a0", " ").replace("</mtext><mtext>", "").replace("\n", " ")
    assert "= 65" not in written
    assert "100.00" not in written
    assert "layers.{i}.acme" in written.replace("<wbr/>", "").replace("<wbr>", "").replace("\\allowbreak{}", "").replace("\\", "")


def test_a_program_can_ask_whether_a_number_is_whole() -> None:
    missing = [{"what": "Acme", "why": WHY, "path": "layers.{i}.acme"}]
    for result in (symparam.count(LACKING, where=["H=256"]), symparam.tensors(LACKING, where=["H=256"]), symparam.explain(LACKING)):
        assert (result.json["complete"], result.json["missing"], result.complete) == (False, missing, False)
    derived = symparam.derive(LACKING)
    assert (json.loads(derived.write("json"))["complete"], derived.complete, str(derived)) == (False, False, "at least H²")
    assert derived.notes == (f"not counted: Acme (layers.{{i}}.acme): {WHY}",)
    whole = symparam.count("gpt2")
    assert (whole.json["complete"], "missing" in whole.json, whole.complete) == (True, False, True)
    assert symparam.compare("bert-base-uncased", "bert-large-uncased").json["first"]["complete"] is True
    assert symparam.compare(LACKING, "bert").json["first"]["complete"] is False


def test_a_lower_bound_is_said_in_chinese() -> None:
    assert "合计至少 65,536。" in symparam.count(LACKING, where=["H=256"], language="zh").write()


@pytest.mark.parametrize(
    ("format", "formula"),
    [
        ("text", "at least H²\n"),
        ("latex", "\\text{at least }H^2\n"),
        ("markdown", "at least $H^2$\n"),
        ("rst", "at least :math:`H^2`\n"),
    ],
)
def test_a_formula_that_lacks_something_says_so(format: str, formula: str) -> None:
    assert symparam.derive(LACKING).write(format).replace("^{2}", "^2") == formula


def test_a_marked_place_shows_no_lower_bound_unless_it_may(tmp_path: Path) -> None:
    (tmp_path / "model.txt").write_text("Acme(\n  (a): Mystery(3)\n  (b): Linear(in_features=2, out_features=2, bias=True)\n)\n")
    page = tmp_path / "page.md"
    page.write_text("It has <!-- symparam: count model.txt --><!-- /symparam --> parameters.\n")
    found = docs([str(page)])
    assert "the number is incomplete (not counted: " in found.json["places"][0]["message"]
    assert "--allow-incomplete" in found.json["places"][0]["message"]
    page.write_text(page.read_text().replace("model.txt", "model.txt --allow-incomplete"))
    docs([str(page)])
    assert "--> at least 6<!--" in page.read_text().replace("-->at", "--> at")


@pytest.mark.parametrize(
    ("block", "lacks"),
    [
        (Block("Own", a=Linear(H, H)), []),
        (Block("Own", a=Linear(H, H), bias=Parameter(H)), []),
        (Block("Own", a=Linear(H, H), table=Parameter(N, H, role="position-embedding")), []),
        (Block("Own", a=Linear(H, H), weight=Parameter(H, H)), [("Own", "")]),
        (Block("Own", a=Repeat(N, Block("Layer", q=Linear(H, H), w=Parameter(3, H)))), [("Layer", "a.{i}")]),
        (Block("Own", a=Linear(H, H), scores=DotProduct(L, H, H)), []),
    ],
)
def test_operations_lack_what_a_block_does_not_declare(block: Block, lacks: list[tuple[str, str]]) -> None:
    own = Architecture("Own", block)
    for measure in ("macs", "training-flops"):
        found = symparam.explain(own, measure=measure)
        assert [(each.what, each.path) for each in found.missing] == lacks
    assert symparam.explain(own).complete


def test_operations_of_a_class_that_is_not_known_are_a_lower_bound_also_where_a_pooler_takes_one_position() -> None:
    found = symparam.derive({"model_type": "deit", "architectures": ["DeiTModel"]}, measure="flops")
    assert {each.what for each in found.missing} >= {"DeiTModel", "DeiTPooler"}
    # Of each of B images, one row at least passes through the four matrices of attention, the two of the MLP, and the pooler's.
    batch, width, inner, layers, pooled = symparam.symbols("B H I N H_p")
    assert (found.expr - 2 * batch * (layers * (4 * width**2 + 2 * width * inner) + width * pooled)).expand() == 0


def test_the_operations_of_the_known_architectures_are_whole() -> None:
    for name in ("bert", "mamba", "vit", "mixtral", "whisper", "deepseek_v3"):
        assert symparam.derive(name, measure="flops").complete


def test_nothing_is_held_against_a_model_that_is_not_known_whole() -> None:
    page = "The total is VH + PH = 12,345 parameters.\nTotal = 5H\n"
    found = symparam.check_text(page, architecture=LACKING)
    assert not found.wrong
    assert "nothing is compared with Lacking, as its total may be incomplete: Acme" in found.notes
