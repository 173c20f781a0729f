"""BERT-base in three parts: the arithmetic holds, the biases of the layers and the pooler are not in it."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

from symparam import Architecture, Block, Embedding, LayerNorm, Linear, Repeat, compare, count, derive, evaluate, read_formula
from symparam.analysis.comparison import Comparison
from symparam.core.algebra.polynomial import equal
from symparam.core.dimensions import H, I, N, P, T, V
from symparam.results.count import CountResult

from .ledger import Ledger, total_of

STATED_TOTAL = 108_808_704  # The author's.
EXACT_TOTAL = 109_482_240  # The reference implementation's.
MISSING_BIASES, MISSING_POOLER = 82_944, 590_592

LINES = (
    "(30522 + 512 + 2) * 768 = 23835648",
    "768 * 2 = 1536",
    "768 * (768/12) * 3",
    "768 * (768/12) * 3 * 12 + 768 * 768 = 1769472 + 589824 = 2359296",
    "12*(768*3072+3072*768) = 56623104",
    "768*2+12*(768*2+768*2) = 38400",
    "12*2359296 = 28311552",
    "23835648 + 28311552 + 56623104 + 38400 = 108808704",
)


def without_biases() -> Architecture:
    """The model that the author adds up, with the reference's names: matrices and LayerNorms, no biases, no pooler."""
    square = Linear(H, H, bias=False)
    layer = Block(
        "BertLayer",
        attention=Block(
            "BertAttention",
            self=Block("BertSelfAttention", query=square, key=square, value=square),
            output=Block("BertSelfOutput", dense=square, LayerNorm=LayerNorm(H)),
        ),
        intermediate=Block("BertIntermediate", dense=Linear(H, I, bias=False)),
        output=Block("BertOutput", dense=Linear(I, H, bias=False), LayerNorm=LayerNorm(H)),
    )
    embeddings = Block(
        "BertEmbeddings",
        word_embeddings=Embedding(V, H),
        position_embeddings=Embedding(P, H),
        token_type_embeddings=Embedding(T, H),
        LayerNorm=LayerNorm(H),
    )
    return Architecture("bert", Block("BertModel", embeddings=embeddings, encoder=Block("BertEncoder", layer=Repeat(N, layer))))


def reference() -> CountResult:
    return count("bert-base-uncased")


def authors() -> CountResult:
    values = reference().count.values
    return count(without_biases(), where=[f"{letter}={values[letter]}" for letter in "HNVPTIh"])


def missing() -> Comparison:
    return compare(without_biases(), derive("bert").architecture)


@cache
def ledger() -> Ledger:
    exact = reference()
    found = Ledger(names={"seq_len": "P"})
    found.model(exact)
    found.model(authors())
    found.comparison(missing(), exact.count.values)
    found.author(*LINES)
    found.claim(
        "H * (H/h) * 3 * h + H * H = 4H^2",
        "N * (H * I + I * H) = 2NIH = 56623104",
        "2H + N * (2H + 2H) = 4NH + 2H = 38400",
        "(V + P + T)H = 23835648",
        "9H = 6912",
        "9NH = 12 * 6912 = 82944",
        "5NH + IN = 82944",
        "H^2 + H = 590592",
        "82944 + 590592 = 673536",
        "108808704 + 673536 = 109482240",
        "109482240 - 108808704 = 673536",
        "2^20 = 1048576",
        "108808704 / 2^20 ≈ 103.8",
        "109482240 / 2^20 ≈ 104.41",
        "108808704 / 10^6 ≈ 108.8",
        "109482240 / 10^6 ≈ 109.5",
    )
    found.cut(Fraction(STATED_TOTAL, 2**20), 1)
    found.numbers.add(Fraction(110))  # Of the title: judged in `test_the_title_counts_in_millions_and_the_total_in_powers_of_two`.
    for row in exact.count.rows:
        found.rounded(100 * row.share, 2)
    found.known_names |= {"hidden_size", "seq_len", "intermediate_size", "bert-base-uncased"}
    found.known_names |= {"[NLP] BERT模型参数量", "https://www.toymoban.com/news/detail-668713.html"}
    found.known_names |= {"symparam count bert-base-uncased"}
    return found


def test_every_line_of_the_authors_arithmetic_holds() -> None:
    assert [line.text for line in ledger().lines if not line.holds] == []


@pytest.mark.parametrize(
    ("path", "parameters"),
    [
        ("encoder.layer.{i}.attention.self", 12 * 1_769_472),
        ("encoder.layer.{i}.attention.output.dense", 12 * 589_824),
        ("encoder.layer", 28_311_552 + 56_623_104 + 38_400 - 1_536),
        ("embeddings", 23_835_648 + 1_536),
        ("", STATED_TOTAL),
    ],
)
def test_the_model_without_biases_is_the_one_the_author_adds_up(path: str, parameters: int) -> None:
    assert total_of(authors(), path) == parameters


def test_the_right_total_is_that_of_the_reference() -> None:
    assert reference().total == EXACT_TOTAL


def test_the_gap_is_the_biases_of_the_layers_and_the_pooler() -> None:
    gap = missing()
    assert equal(gap.difference.expr, read_formula("N(5H + I) + H^2 + H").expr)
    assert evaluate(gap.difference, reference().count.values) == MISSING_BIASES + MISSING_POOLER == EXACT_TOTAL - STATED_TOTAL
    in_layers = {
        f"encoder.layer.{{i}}.{path}": size
        for path, size in {
            "attention.self.query": 768,
            "attention.self.key": 768,
            "attention.self.value": 768,
            "attention.output.dense": 768,
            "intermediate.dense": 3072,
            "output.dense": 768,
        }.items()
    }
    parts = {module.path: evaluate(module.formula, reference().count.values) for module in gap.modules}
    assert parts == {path: 12 * size for path, size in in_layers.items()} | {"pooler.dense": MISSING_POOLER}


def test_the_title_counts_in_millions_and_the_total_in_powers_of_two() -> None:
    assert round(Fraction(EXACT_TOTAL, 10**7)) * 10 == 110  # Two digits, as in "110M".
    assert ledger().cut(Fraction(STATED_TOTAL, 2**20), 1) == Fraction("103.7")


def test_the_shares_are_right_as_far_as_they_are_given() -> None:
    shares = {row.step.path: 100 * row.share for row in reference().count.rows}
    assert abs(shares["embeddings"] - 20) < 2.5
    assert abs(shares["encoder.layer"] - 80) < 2.5
