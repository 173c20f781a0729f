"""bloom-1b4-zh: five right parts, and a total that is right only because the head is tied and one of the five counts for nothing."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

from symparam import compare, count, derive, evaluate, read_formula
from symparam.analysis.comparison import Comparison
from symparam.results.count import CountResult

from .ledger import Ledger, total_of

STATED_TOTAL = 1_303_111_680  # The author's, and the reference implementation's with the head tied.
SUM_OF_PARTS = 1_397_616_640
HEAD = 94_504_960

NORMS = "(1 + 24 + 24 + 1) * 4096 = 50 * 4096 = 204800"
LINES = (
    "46145 * 2048 = 94504960",
    "2048 * 2 = 4096",
    NORMS,
    "2048 * 6144 + 6144 = 12582912 + 6144 = 12589056",
    "24 * 12589056 = 302137344",
    "2048 * 2048 + 2048 = 4194304 + 2048 = 4196352",
    "24 * 4196352 = 100712448",
    "2048 * 8192 + 8192 = 16777216 + 8192 = 16785408",
    "24 * 16785408 = 402849792",
    "8192 * 2048 + 2048 = 16777216 + 2048 = 16779264",
    "24 * 16779264 = 402702336",
    "2048 * 46145 = 94504960",
)
THE_SUM = "94504960 + 204800 + 402849792 + 805552128 + 94504960 = 1303111680"


def untied() -> CountResult:
    return count("bloom-1b4-zh", where=["tie_word_embeddings=false"])


def surplus() -> Comparison:
    """What the model has more with a head of its own."""
    return compare(derive("bloom").architecture, derive("bloom", where=["tie_word_embeddings=false"]).architecture)


@cache
def ledger() -> Ledger:
    tied = count("bloom-1b4-zh")
    found = Ledger()
    found.model(tied)
    found.model(untied())
    found.comparison(surplus(), tied.count.values)
    found.author(*LINES)
    found.claim(
        "VH = 46145 * 2048 = 94504960",
        "(2N + 2) * 2H = 4NH + 4H = 204800",
        "302137344 + 100712448 = 402849792",
        "402849792 + 402702336 = 805552128",
        "3H^2 + 3H + H^2 + H = 4H^2 + 4H = 4H * H + 4H = 16785408",
        "94504960 + 204800 + 402849792 + 805552128 + 94504960 = 1397616640",
        "94504960 + 204800 + 402849792 + 805552128 = 1303111680",
        "1397616640 - 1303111680 = 94504960 = VH",
        "204800 / 10^3 ≈ 205",
        "805552128 / 10^6 ≈ 805.6",
        "1303111680 / 10^9 ≈ 1.3",
        "1397616640 / 10^9 ≈ 1.4",
    )
    found.author(THE_SUM)
    found.rounded(Fraction(HEAD, 10**6), 1)
    found.rounded(Fraction(402_849_792, 10**6), 1)
    found.cut(Fraction(204_800, 10**3), 0)
    found.cut(Fraction(805_552_128, 10**6), 1)
    found.known_names |= {"transformer.h.{i}", "bloom-1b4-zh", "Langboat/bloom-1b4-zh", "1b4", "tie_word_embeddings"}
    found.known_names |= {"AI-大语言模型LLM-Transformer架构7-模型参数量计算", "symparam count bloom-1b4-zh"}
    found.known_names.add("symparam count bloom-1b4-zh --where tie_word_embeddings=false")
    return found


def test_only_the_sum_of_the_parts_does_not_hold() -> None:
    assert [line.text for line in ledger().lines if not line.holds] == [THE_SUM]


def test_the_stated_total_is_short_of_the_sum_by_the_head() -> None:
    (line,) = (line for line in ledger().lines if not line.holds)
    assert line.surplus == STATED_TOTAL - SUM_OF_PARTS == -HEAD
    gap = surplus()
    assert gap.difference.expr == read_formula("VH").expr
    assert [(module.path, module.kind) for module in gap.modules] == [("lm_head", "Linear")]
    assert evaluate(gap.difference, count("bloom-1b4-zh").count.values) == HEAD


def test_tied_and_untied_are_the_two_totals() -> None:
    assert count("bloom-1b4-zh").total == STATED_TOTAL
    assert untied().total == SUM_OF_PARTS


@pytest.mark.parametrize(
    ("path", "parameters"),
    [
        ("transformer.word_embeddings", 94_504_960),
        ("transformer.h.{i}.self_attention.query_key_value", 302_137_344),
        ("transformer.h.{i}.self_attention.dense", 100_712_448),
        ("transformer.h.{i}.mlp.dense_h_to_4h", 402_849_792),
        ("transformer.h.{i}.mlp.dense_4h_to_h", 402_702_336),
        ("transformer.h.{i}.self_attention", 402_849_792),
        ("transformer.h.{i}.mlp", 805_552_128),
        ("lm_head", HEAD),
    ],
)
def test_each_part_is_what_the_module_has_in_all_layers(path: str, parameters: int) -> None:
    assert total_of(untied(), path) == parameters


def test_the_layer_norms_are_all_there() -> None:
    norms = [step for step in count("bloom-1b4-zh").count.derivation.root.walk() if step.kind == "LayerNorm"]
    values = count("bloom-1b4-zh").count.values
    assert sum(evaluate(step.copies, values) for step in norms) == 50
    assert sum(step.total(values) for step in norms) == 204_800


def test_two_of_the_abstract_figures_are_cut_and_the_others_rounded() -> None:
    assert ledger().rounded(Fraction(HEAD, 10**6), 1) == Fraction("94.5")
    assert ledger().rounded(Fraction(402_849_792, 10**6), 1) == Fraction("402.8")
    assert ledger().cut(Fraction(204_800, 10**3), 0) == 204
    assert ledger().cut(Fraction(805_552_128, 10**6), 1) == Fraction("805.5")
