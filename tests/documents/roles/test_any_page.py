"""Any page is checked: labels, formulas and numbers glued together, and tables, with a model's values and without."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from symparam import check_text

SAID: tuple[dict[str, Any], ...] = (
    {"config": "gpt2"}, {"config": "llama-3-8b"}, {"config": "mixtral-8x7b"}, {"config": "t5-small"}, {"config": "mamba-130m"},
    {"architecture": "llama"}, {"architecture": "bert", "where": ["I=4H"]}, {"architecture": "deepseek-v3"},
    {"config": "gpt2", "measure": "flops"}, {"config": "llama-3-8b", "convention": "thop"},
)  # fmt: skip
LABELS = (
    "attention", "MLP per layer", "each of the 12 layers", "LayerNorms", "KV cache per token", "Training FLOPs per token", "activations",
    "embedding without the head", "with two norms, a layer", "Total parameters", "optimizer states in fp32", "all experts", "active",
    "每层的注意力计算量", "总参数量", "q_proj", "transformer.h.0.attn", "the whole model", "with them", "QKᵀ", "in bf16", "768", "",
)  # fmt: skip
VALUES = (
    "0", "1", "768", "7,087,872", "2,362,368", "124,439,808", "8.03B", "16 GB", "36,864 bytes", "117M", "-5", "1/3", "9" * 30, "0.5",
    "1e400",
    "4H² + 4H", "3HI^N", "H^{N}", "2^H", "V/H", "H/0", "bshV", "4SLKH", "12NH²(1 + 13/(12H))", "2 × layers × heads", "N^(1/2)", "\\sqrt{H}",
    "(H + 1)^{-2}", "H^{1000}", "E - K", "d_k", "34bsh + 5bs²a", "L!", "6N + 12LHQT", "x", "12 × 7,087,872 = 85,054,464", "1,536 | 18,432",
)  # fmt: skip
SIGNS = (
    ": ", " = ", " ≈ ", " | ", " has ", " takes ", ", ", " and ", "\n- ", "\n\n", "\n| ", "\n## ", " × 12 = ", ". ",
    "（", "）", " per layer\n",
)  # fmt: skip
PIECES = st.lists(st.sampled_from((*LABELS, *VALUES, *SIGNS)), max_size=24)
LINES = st.lists(st.tuples(*map(st.sampled_from, (LABELS, SIGNS, VALUES))), max_size=10)


CELLS = (
    "0", "0.0", "0 %", "-0", "0 GB", "0.00 ms", "~0", "0×", "0 / 0", "5 / 0", "1/0", "$0", "0 (0%)", "(0, 0)", "1.0x", "2.3×", "50%",
    "−22 %", "66.1 (+11%)", "12 * 40", "480", "3.2", "4.5", "7B", "1,024", "H", "4H²", "(3, 4)", "",
)  # fmt: skip
HEADS = ("part", "params", "memory", "speed", "% saved", "vs baseline", "calculation", "total", "share", "FLOPs")
ROWS = st.integers(2, 6).flatmap(
    lambda width: st.tuples(
        st.lists(st.sampled_from(HEADS), min_size=width, max_size=width),
        st.lists(st.lists(st.sampled_from(CELLS), min_size=width, max_size=width), min_size=1, max_size=6),
    )
)
TABLES = ROWS.map(lambda table: "".join(f"| {' | '.join(row)} |\n" for row in (table[0], ["---"] * len(table[0]), *table[1])))
"""Tables in which many a number is a zero, by which nothing can be divided."""


NOTHING = "saved | | | | params\n|---|---|---|---|---|\n0 | | | | 0 GB"


@example(NOTHING, {"config": "gpt2"})
@given(st.one_of(PIECES, LINES.map(lambda lines: [f"{''.join(line)}\n" for line in lines]), TABLES), st.sampled_from(({}, *SAID)))
def test_any_page_is_checked(pieces: Sequence[str], said: dict[str, Any]) -> None:
    text = "".join(pieces)
    (document,) = check_text(text, **said).documents
    for each in document.findings:
        assert 0 <= each.start <= each.end <= len(text)
        assert each.message
