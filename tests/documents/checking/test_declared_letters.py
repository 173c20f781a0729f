"""Letters that a page declares in words, in ten languages, in prose and in tables."""

from __future__ import annotations

import pytest

from symparam import check_text
from symparam.documents.checking.basis.declared_letters import declared_letters

DECLARED = [
    ("Let $L$ be the number of layers, where d is the model dimension.", {"L": "N", "d": "H"}),
    ("with $l$ the number of layers and $s$ the sequence length", {"l": "N", "s": "L"}),
    ("模型层数为 $l$，隐藏层维度为 $h$，注意力头数为 $a$", {"l": "N", "h": "H", "a": "h"}),
    ("$V$ 表示词表大小，$b$ 是批次大小", {"V": "V", "b": "B"}),
    ("| $L$ | number of layers |\n| `d_m` | hidden size |\n", {"L": "N", "d_m": "H"}),
    ("vocabulary size $v$ and number of KV heads ($g$)", {"v": "V", "g": "k"}),
    ("$L$ is the number of layers. Later $L$ is the sequence length.", {}),
    ("This is a hidden size of 768, and I have the number of layers.", {}),
    ("a model dimension", {}),
    ("$L$ es el número de capas y $d$ la dimensión oculta; V est la taille du vocabulaire", {"L": "N", "d": "H", "V": "V"}),
    ("`L` ist die Anzahl der Schichten, Sequenzlänge $s$; количество слоёв $l$", {"L": "N", "s": "L", "l": "N"}),
    ("$L$は層数、$h$은 헤드 수, numero di strati (`n`)", {"L": "N", "h": "h", "n": "N"}),
    ("$L$ layers with $H$ heads each, the first $k$ layers, `n_layer` blocks", {"L": "N", "H": "h", "n_layer": "N"}),
    ("共 $l$ 层，每层 $a$ 个头；第 $n$ 层", {"l": "N", "a": "h"}),
    ("$L$ Schichten mit $h$ Köpfen, $N$ couches, $n$ tokens, $A$ headers", {"L": "N", "h": "h", "N": "N"}),
    ("$N$ is the number of parameters and $L$ the number of layers", {"N": "N_parameters", "L": "N"}),
    ("# The number of parameters\n\n$H$ = 768", {}),  # A heading declares no letter.
    (
        "We write $L = 48$ for the number of layers, $d$ for the hidden size and $T = 1024$ for the context length",
        {"L": "N", "d": "H", "T": "L"},
    ),
    ("$L$ für die Anzahl der Schichten, $d$ pour la dimension du modèle, $n$ para el número de capas", {"L": "N", "d": "H", "n": "N"}),
    ("Given:\n- Sequence length: n\n- Number of heads: h\n- Hidden size: 768\n", {"n": "L", "h": "h"}),
    ("| $n_\\text{layers}$ (L) | 80 |\n| $d_{ff}$ (F) | 28,672 |\n| `n_heads` ($N$) | 64 |\n", {"L": "N", "F": "I", "N": "h"}),
    ("| $n_\\text{layers}$ (L) | 80 |\n| rows (R) | 2 |\n", {}),  # One row is no table of notation.
    # Brief names declare a letter in a line that declares several.
    ("Batch $B$, sequence $s$, hidden $h$, layers $l$, vocabulary $V$.", {"B": "B", "s": "L", "h": "H", "l": "N", "V": "V"}),
    ("Let $D$ be the width, $M$ the MLP size, $L$ the depth.", {"D": "H", "M": "I", "L": "N"}),
    ("with batch $b$, hidden size $h$, FFN size $f$, $l$ layers and vocabulary $V$", {"b": "B", "h": "H", "f": "I", "l": "N", "V": "V"}),
    ("a prompt of $s$ tokens, trained on $T$ tokens", {"s": "L"}),
    ("序列 $s$，批次 $b$，词表 $V$", {"s": "L", "b": "B", "V": "V"}),
    ("Breite $d$, Tiefe $l$, Vokabular $V$", {"d": "H", "l": "N", "V": "V"}),
    ("The hidden $h$ of the last step", {}),
    ("the depth $k$ of the tree and its width $w$", {}),
    ("batch $b$, key heads $g$, expert width $w$, hidden size $h$", {"h": "H"}),
    # The end of a longer name is none.
    ("隐藏维度 $h$，专家中间维度 $f$，KV 头数 $n_{kv}$", {"h": "H", "n_kv": "k"}),
    ("专家数 $E$，最大序列长度 $T$，記隱藏維度", {"E": "E", "T": "P"}),
    ("$T$ the maximum sequence length and $E$ the number of experts", {"T": "P", "E": "E"}),
    ("最大位置 $P$、トークン種別 $T$、隠れ次元 $H$ とする", {"P": "P", "T": "T", "H": "H"}),
    ("depende del ancho y el número de capas, do tamanho e a dimensão oculta", {}),
]


@pytest.mark.parametrize(("text", "letters"), DECLARED)
def test_declared_letters(text: str, letters: dict[str, str]) -> None:
    assert declared_letters(text) == letters


PAGE = """Let $L$ be the number of layers. Where $d$ is the model dimension, $f$ the intermediate size and $v$ is the vocabulary size:

MLP per layer: ${mlp}$

Total parameters: $2vd + L(2d^2 + 2d^2 k/h + 3df + 2d) + d$
"""


def test_a_page_in_its_own_letters() -> None:
    found = check_text(PAGE.format(mlp="3 d f"), architecture="llama", where="d=H/h")
    assert [each.code for each in found.findings] == ["component", "total"]
    assert found.documents[0].notes == ("letters as the page declares them: L = N, d = H, f = I, v = V",)
    (wrong,) = check_text(PAGE.format(mlp="2 d f"), architecture="llama", where="d=H/h").wrong
    assert wrong.gap is not None
    assert str(wrong.gap.formula) == "−IH"


def test_the_user_comes_first() -> None:
    assert check_text(PAGE.format(mlp="3 d f"), architecture="llama", symbols=["d=H", "L=N", "f=I", "v=V"]).documents[0].notes == ()
    assert check_text(PAGE.format(mlp="3 d f"), architecture="llama", alphabet="kaplan").documents[0].notes == ()


def test_a_letter_of_the_model_with_a_subscript_keeps_its_meaning() -> None:
    """The embedding size of ELECTRA is a size of its own; that of GPT-2 is the hidden size."""
    page = "$H_{e}$ is the embedding size.\n\n| part | parameters |\n|---|---|\n| token embeddings | $V H_{e}$ |\n| position embeddings | $P H_{e}$ |\n"
    electra, gpt2 = (check_text(page, architecture=name).documents[0] for name in ("ElectraModel", "gpt2"))
    assert ([each.code for each in electra.findings], electra.notes) == (["component"] * 2, ())
    assert ([each.code for each in gpt2.findings], gpt2.notes) == (["component"] * 2, ("letters as the page declares them: H_e = H",))
