"""GPT-1: the arithmetic holds, and the total is near the right one because a head too much makes up for an embedding too little."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

from symparam import Architecture, Block, Linear, Repeat, compare, count, derive, evaluate, read_formula
from symparam.analysis.comparison import Comparison
from symparam.core.algebra.polynomial import equal
from symparam.core.algebra.relations import relations
from symparam.core.dimensions import H, N, V
from symparam.core.parsing.reader import read_relation
from symparam.results.count import CountResult

from .ledger import Ledger, total_of

STATED_TOTAL = 115_740_736  # The author's.
EXACT_TOTAL = 116_534_784  # The reference implementation's.
STATED_VOCABULARY = 40_000  # As in the paper; the released config has 40,478.

# The author writes d(model), d(query), d(k,q,v), d(linear), count(head), d(ff) and d(vocab). Two of these are no widths:
# d(k,q,v) stands for three matrices and d(linear) for one.
NAMES = {"d_model": "H", "d_query": "d", "d_kqv": "kqv", "d_linear": "linear", "n_head": "h", "d_ff": "I", "d_vocab": "V"}
AUTHORS_VALUES = {"H": 768, "d": 64, "kqv": 3, "linear": 1, "h": 12, "I": 3072, "V": STATED_VOCABULARY, "N": 12}

LINES = (
    "d_model * d_query * (d_kqv + d_linear) * n_head = 768 * 64 * 4 * 12 = 2359296",
    "(d_model + 1) * d_ff + (d_ff + 1) * d_model = (768 + 1) * 3072 + (3072 + 1) * 768 = 4722432",
    "2359296 * 12 = 28311552",
    "4722432 * 12 = 56669184",
    "(d_model + 1) * d_vocab = (768 + 1) * 40000 = 30760000",
    "28311552 + 56669184 + 30760000 = 115740736",
)


def as_counted() -> Architecture:
    """The model that the author adds up: attention without biases, no norms, no embeddings, and an output layer of its own."""
    layer = Block(
        "Block",
        attn=Block("Attention", c_attn=Linear(H, 3 * H, bias=False), c_proj=Linear(H, H, bias=False)),
        mlp=Block("MLP", c_fc=Linear(H, 4 * H), c_proj=Linear(4 * H, H)),
    )
    transformer = Block("OpenAIGPTModel", h=Repeat(N, layer))
    return Architecture("gpt1", Block("OpenAIGPTLMHeadModel", transformer=transformer, lm_head=Linear(H, V)))


def authors() -> CountResult:
    return count(as_counted(), where=["H=768", "N=12", f"V={STATED_VOCABULARY}"])


def difference() -> Comparison:
    return compare(as_counted(), derive("gpt1").architecture)


@cache
def ledger() -> Ledger:
    exact = count("openai-gpt")
    found = Ledger(names=NAMES, relations=relations([read_relation("d = H/h")]), valuations=[AUTHORS_VALUES])
    found.numbers |= {Fraction(value) for value in AUTHORS_VALUES.values()}
    found.model(exact)
    found.model(authors())
    found.comparison(difference(), exact.count.values)
    found.author(*LINES)
    found.claim(
        "d = H / h",
        "d_vocab = 40000",
        "V = 40478",
        "N = 12",
        "P = 512",
        "I = 3072",
        "d_kqv = 3",
        "d_linear = 1",
        "H * (H/h) * (3 + 1) * h = 4H^2",
        "(H + 1)I + (I + 1)H = 2IH + I + H",
        "(H + 1)V = VH + V",
        "N(4H^2 + 2IH + I + H) + (H + 1) * d_vocab = 115740736",
        "40478 - 40000 = 478",
        "478 * 768 = 367104",
        "4NH = 4 * 12 * 768 = 36864",
        "116534784 - 115740736 = 794048",
        "367104 + 393216 + 36864 + 36864 - 40000 = 794048",
        "VH + PH + N(12H^2 + 13H) = 116534784",
        "116534784 / 10^6 ≈ 117",
        "115740736 / 10^6 ≈ 116",
    )
    for part in (28_311_552, 56_669_184, 30_760_000):
        found.rounded(Fraction(100 * part, STATED_TOTAL), 1)
    found.rounded(Fraction(EXACT_TOTAL, 10**6), 0)
    found.known_names |= {"d(model)", "d(query)", "d(k,q,v)", "d(linear)", "count(head)", "d(ff)", "d(vocab)", "GPT-1", "openai-gpt"}
    found.known_names |= {"估计GPT1模型的参数", "symparam count openai-gpt"}
    return found


def test_every_line_of_the_authors_arithmetic_holds() -> None:
    assert [line.text for line in ledger().lines if not line.holds] == []


@pytest.mark.parametrize(
    ("path", "parameters"),
    [
        ("transformer.h.{i}.attn", 28_311_552),
        ("transformer.h.{i}.mlp", 56_669_184),
        ("lm_head", 30_760_000),
        ("", STATED_TOTAL),
    ],
)
def test_the_model_as_counted_is_the_one_the_author_adds_up(path: str, parameters: int) -> None:
    assert total_of(authors(), path) == parameters


def test_the_authors_formulas_mean_the_modules_without_attention_biases() -> None:
    attention = read_formula("d_model * d_query * (3 + 1) * n_head", names=NAMES).substitute({"d": read_formula("H/h")})
    assert equal(attention.expr, read_formula("4H^2").expr)
    assert equal(read_formula("(d_model + 1) * d_vocab", names=NAMES).expr, read_formula("VH + V").expr)
    feed_forward = next(step for step in derive(as_counted()).root.walk() if step.path == "transformer.h.{i}.mlp")
    wide = read_formula("(d_model + 1) * d_ff + (d_ff + 1) * d_model", names=NAMES).substitute({"I": read_formula("4H")})
    assert equal(wide.expr, feed_forward.formula.expr)


def test_the_right_total_is_that_of_the_reference() -> None:
    assert count("openai-gpt").total == EXACT_TOTAL


def test_the_difference_is_named_module_by_module() -> None:
    gap = difference()
    assert {module.path: read_formula(str(module.formula)).expr.expand() for module in gap.modules} == {
        path: read_formula(formula).expr
        for path, formula in {
            "transformer.tokens_embed": "VH",
            "transformer.positions_embed": "PH",
            "transformer.h.{i}.attn.c_attn": "3NH",
            "transformer.h.{i}.attn.c_proj": "NH",
            "transformer.h.{i}.ln_1": "2NH",
            "transformer.h.{i}.ln_2": "2NH",
            "lm_head": "-VH - V",
        }.items()
    }
    assert equal(gap.difference.expr, read_formula("PH + 8NH - V").expr)


def test_difference_and_vocabulary_are_the_whole_gap() -> None:
    stated = {**count("openai-gpt").count.values, "V": STATED_VOCABULARY}
    more_rows = (count("openai-gpt").count.values["V"] - STATED_VOCABULARY) * 768
    assert evaluate(difference().difference, stated) + more_rows == EXACT_TOTAL - STATED_TOTAL
    assert more_rows == 367_104


def test_by_the_authors_own_numbers_the_feed_forward_part_is_the_largest() -> None:
    parts = {path: total_of(authors(), path) for path in ("transformer.h.{i}.attn", "transformer.h.{i}.mlp", "lm_head")}
    assert max(parts, key=lambda path: parts[path]) == "transformer.h.{i}.mlp"
