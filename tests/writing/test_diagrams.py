"""What drawings show: every tensor once, in the order in which modules run, and bars that are the rows of the count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import pytest

import symparam
from symparam import Architecture, Block, Embedding, H, LayerNorm, Linear, N, Repeat, V
from symparam.core.formula import Formula, write
from symparam.models.architectures import families
from symparam.results.explain import ExplainResult
from symparam.writing.diagrams import MOST_BARS
from symparam.writing.document import GROUPS, Box, Diagram, Shares
from tests.strategies import presets_of


def diagram(explained: ExplainResult) -> Diagram:
    (found,) = [node for node in explained.document.nodes if isinstance(node, Diagram)]
    return found


def shares(explained: ExplainResult) -> list[Shares]:
    return [node for node in explained.document.nodes if isinstance(node, Shares)]


def boxes(outer: tuple[Box, ...]) -> Iterator[Box]:
    for box in outer:
        yield box
        yield from boxes(box.inside)


def lines(outer: tuple[Box, ...], depth: int = 0) -> Iterator[str]:
    for box in outer:
        often = f" x {write(box.repeats)}" if box.repeats is not None else ""
        shapes = ", ".join(f"{name.text} {'x'.join(map(write, shape.sizes))}" for name, shape in box.tensors)
        formula = write(box.formula) if box.formula is not None else "-"
        note = "".join(piece if isinstance(piece, str) else getattr(piece, "text", "") for piece in box.note)
        yield f"{'  ' * depth}{box.title}{often} | {box.group} | {shapes} | {formula}{' | ' * bool(note)}{note}"
        yield from lines(box.inside, depth + 1)


GPT2 = """\
Transformer | other |  | 4NH² + 2INH + 9NH + PH + VH + IN + 2H
  Token embeddings | embedding | weight VxH | VH
  Position embeddings | embedding | weight PxH | PH
  Layers x N | other |  | 4H² + 2IH + 9H + I
    LayerNorm of the attention | norm | weight H, bias H | 2H
    Self-attention | attention |  | 4H² + 4H
      Query, key and value | attention | weight Hx3H, bias 3H | 3H² + 3H
      Output projection | attention | weight HxH, bias H | H² + H
    LayerNorm of the feed-forward part | norm | weight H, bias H | 2H
    Feed-forward | feed-forward |  | 2IH + H + I
      Feed-forward, up | feed-forward | weight HxI, bias I | IH + I
      Feed-forward, down | feed-forward | weight IxH, bias H | IH + H
  Final LayerNorm | norm | weight H, bias H | 2H
Language-model head | head | weight VxH | 0 | shares transformer.wte.weight"""


def test_the_boxes_of_gpt2() -> None:
    assert "\n".join(lines(diagram(symparam.explain("gpt2")).boxes)) == GPT2


def test_modules_stand_in_the_order_in_which_they_run() -> None:
    (transformer, _) = diagram(symparam.explain("llama")).boxes
    (layers,) = [box for box in transformer.inside if box.repeats is not None]
    norms = [box.title for box in layers.inside]
    assert norms == ["RMSNorm of the attention", "Self-attention", "RMSNorm of the feed-forward part", "Gated feed-forward"]


def test_what_is_there_once_is_not_repeated() -> None:
    titles = {box.title: box.repeats for box in boxes(diagram(symparam.explain("t5")).boxes)}
    assert titles["First layer"] is None
    assert str(titles["The other layers"]) in ("N_e − 1", "N_d − 1")


@pytest.mark.parametrize(
    ("root", "drawn"),
    [
        (Linear(H, V), ["Linear | other | weight VxH, bias V | VH + V"]),
        (Repeat(N, LayerNorm(H)), ["Repeat x N | norm | weight H, bias H | 2H"]),
        (Repeat(N, Block("B", a=Repeat(H, Embedding(V, H)))), ["Repeat x N | other |  | VH²", "  a x H | embedding | weight VxH | VH"]),
        (
            Block("B", a=Block("C", b=Repeat(V, Block("D", x=LayerNorm(H), y=Linear(H, H))))),
            ["b x V | other |  | H² + 3H", "  x | norm | weight H, bias H | 2H", "  y | other | weight HxH, bias H | H² + H"],
        ),
    ],
)
def test_architectures_of_ones_own(root: Block, drawn: list[str]) -> None:
    assert list(lines(diagram(symparam.explain(Architecture("own", root))).boxes)) == drawn


@pytest.mark.few(12)
@pytest.mark.parametrize("family", families(), ids=lambda family: family.name)
def test_every_tensor_is_drawn_once_and_every_bar_is_a_row(family: symparam.models.architectures.Family) -> None:
    explained = symparam.explain(family.name, config=presets_of(family)[0])
    drawn = list(boxes(diagram(explained).boxes))
    steps = list(explained.subject.derivation.root.walk())
    # Those of a run of layers once, as in the steps; in other words the shapes are all there.
    shapes = Counter((name.text, shape.sizes) for box in drawn for name, shape in box.tensors)
    assert shapes == Counter((tensor.name.rpartition(".")[2], tensor.shape) for step in steps for tensor in step.tensors)
    assert {box.group for box in drawn} <= set(GROUPS)

    (chart,) = shares(explained)
    count = explained.subject.count
    assert count is not None
    rows, around = list(count.rows), [row for row in count.rows if row.share == 1]  # What is the whole has no bar.
    assert 0 < len(chart.bars) <= MOST_BARS
    deepest = max(bar.depth for bar in chart.bars)
    inside = [(max(row.depth - len(around), 0), row.share) for row in rows if row not in around]
    assert [(bar.depth, bar.share) for bar in chart.bars] == [(depth, share) for depth, share in inside if depth <= deepest]
    assert all(bar.number == _number(bar.share * count.total) for bar in chart.bars)


def _number(value: int | Fraction) -> Formula:
    return symparam.core.formula.number(value)


def test_without_numbers_there_is_no_chart() -> None:
    assert shares(symparam.explain("bert")) == []


@pytest.mark.parametrize(
    ("measure", "where"),
    [("flops", ["B=1", "L=8"]), ("kv-cache", ["B=1", "S=8"]), ("activations", ["B=1", "L=8"]), ("embedding-parameters", [])],
)
def test_other_measures_draw_what_they_count(measure: str, where: list[str]) -> None:
    explained = symparam.explain("gpt2", config="gpt2", measure=measure, where=where)
    assert all(box.formula is None or str(box.formula) != "0" for box in boxes(diagram(explained).boxes))
    charts = shares(explained)
    assert [sum(bar.share for bar in chart.bars if bar.depth == 0) for chart in charts] == [1] * len(charts)
    assert bool(charts) == (measure != "kv-cache")  # The layers have all of it.
