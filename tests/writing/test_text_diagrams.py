"""Drawings in letters: a tree whose branches lead to every module in its order, and bars in proportion."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcswidth

import symparam
from symparam.core.notation import ASCII, UNICODE, Notation
from symparam.core.parsing.reader import read_formula
from symparam.models.architectures import families
from symparam.writing.document import Bar, Box, Code, Diagram, Shape, Shares
from symparam.writing.text_diagrams import LONGEST_BAR, diagram, shares

H, VH, LAYERS = read_formula("H"), read_formula("VH"), read_formula("N - 1")
TENSORS = ((Code("weight"), Shape((H, H))), (Code("bias"), Shape((H,))))
NORM = Box("归一化", Code("x.norm"), "norm", ((Code("weight"), Shape((H,))),), H, None, (), ("as ", Code("y"), "\x1b"))
LAYER = Box("Layers", Code("x"), "other", (), None, LAYERS, (Box("Dense", Code("x.d"), "other", TENSORS, VH, None, ()), NORM))
DRAWN = Diagram("Of X", (LAYER, Box("Head", None, "head", (), VH, None, ())))
BARS = (
    Bar("All", 0, "other", read_formula("1000"), Fraction(1), "100.00 %"),
    Bar("头", 1, "head", read_formula("3"), Fraction(3, 1000), "0.30 %"),
)


@pytest.mark.parametrize(
    ("node", "notation", "width", "text"),
    [
        (
            DRAWN,
            UNICODE,
            0,
            "Of X\n"
            "├─ Layers × (N − 1)\n"
            "│  ├─ Dense          weight H × H, bias H  VH\n"
            "│  └─ 归一化         weight H (as y)       H\n"
            "└─ Head                                    VH",
        ),
        (
            DRAWN,
            ASCII,
            0,
            "Of X\n"
            "|- Layers * (N - 1)\n"
            "|  |- Dense          weight H * H, bias H  VH\n"
            "|  `- 归一化         weight H (as y)       H\n"
            "`- Head                                    VH",
        ),
        # What does not fit is closer together, and below each other where that is not enough.
        (
            DRAWN,
            UNICODE,
            32,
            "Of X\n"
            "├─ Layers × (N − 1)\n"
            "│  ├─ Dense\n"
            "│  │     weight H × H, bias H\n"
            "│  │     VH\n"
            "│  └─ 归一化  weight H (as y)  H\n"
            "└─ Head  VH",
        ),
        (
            DRAWN,
            UNICODE,
            20,
            "Of X\n"
            "├─ Layers × (N − 1)\n"
            "│  ├─ Dense\n"
            "│  │     weight H ×\n"
            "│  │     H, bias H\n"
            "│  │     VH\n"
            "│  └─ 归一化\n"
            "│        weight H (as\n"
            "│        y)\n"
            "│        H\n"
            "└─ Head  VH",
        ),
        (Diagram("None", ()), UNICODE, 0, "None"),
        (Shares("S", BARS), UNICODE, 0, f"S\nAll   1,000  100.00 %  {'█' * 40}\n  头      3    0.30 %  ▏"),
        (Shares("S", BARS), ASCII, 40, f"S\nAll   1,000  100.00 %  {'#' * 17}\n  头      3    0.30 %"),
        (Shares("S", ()), UNICODE, 0, "S"),
    ],
)
def test_drawings(node: Diagram | Shares, notation: Notation, width: int, text: str) -> None:
    drawn = diagram(node, notation, width) if isinstance(node, Diagram) else shares(node, notation, width)
    assert drawn == text


def titles(boxes: tuple[Box, ...]) -> list[str]:
    return [title for box in boxes for title in (box.title, *titles(box.inside))]


@pytest.mark.few(12)
@pytest.mark.parametrize("family", [family.name for family in families()])
def test_every_module_is_on_a_line_and_every_line_fits(family: str) -> None:
    (node,) = (node for node in symparam.explain(family).document.nodes if isinstance(node, Diagram))
    assert len(diagram(node, UNICODE).splitlines()) == 1 + len(titles(node.boxes))
    assert diagram(node, ASCII).isascii()
    for width in (60, 80, 120):
        lines = diagram(node, UNICODE, width).splitlines()
        assert max(map(wcswidth, lines)) <= width
        at = 0  # The modules stand below each other in their order.
        for title in titles(node.boxes):
            at = next(number for number, line in enumerate(lines[at + 1 :], at + 1) if f"─ {title}" in line)


@given(st.fractions(0, 1), st.fractions(0, 1))
def test_bars_are_in_proportion_to_an_eighth_of_a_letter(one: Fraction, other: Fraction) -> None:
    eighths = {"█": 8, "▉": 7, "▊": 6, "▋": 5, "▌": 4, "▍": 3, "▎": 2, "▏": 1}
    bars = tuple(Bar("A", 0, "other", H, share, "") for share in (one, other))
    for line, share in zip(shares(Shares("S", bars), UNICODE).splitlines()[1:], (one, other), strict=True):
        length = Fraction(sum(eighths.get(sign, 0) for sign in line), 8)
        assert abs(length - share * LONGEST_BAR) <= Fraction(1, 16)
