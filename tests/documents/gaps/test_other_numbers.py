"""Documents that take another number of layers, or another size for one of the model's: what their report says, word by word."""

from __future__ import annotations

import pytest

from symparam import check_text
from symparam.documents.gaps.modules.explain import explain_total
from symparam.documents.gaps.modules.total_terms import TotalTerm
from symparam.models.resolution import resolve
from symparam.writing.findings.gaps import difference, listed
from symparam.writing.wording import ENGLISH
from tests.documents.gaps.gaps import check_sums, worded

QWEN2 = "qwen2-0.5b"
"""24 layers of 14,912,384, a table of 136,134,656, and a norm of 896."""
LAYERS, ATTENTION = "model.layers.{i}", "model.layers.{i}.self_attn"
ONE = "2dhH + 2dkH + dh + 2dk + 3IH + 2H"


_SLIP = "a slip of the pen in the result: "


def report(text: str, **context: object) -> list[str]:
    """What stands behind the signs ``=`` of the wrong total."""
    (document,) = check_text(text, **context).documents  # type: ignore[arg-type]
    wrong = document.wrong[-1]
    assert wrong.gap is not None
    if len(document.wrong) == 1:  # Else it is told by its parts, each with a gap of its own.
        check_sums(wrong.gap)
    return [difference(wrong.gap, ENGLISH), *(" ".join(line.split()) for line in listed(wrong.gap.explained_by, ENGLISH))]


def ledger(layers: str, total: str) -> str:
    return f"- embeddings: 151,936 × 896 = 136,134,656\n{layers}\n- final norm: 896\n- Total: {total}\n"


def layer(size: int, times: int) -> str:
    whole = 136_134_656 + times * size + 896
    return ledger(f"- a layer: {size:,}", f"136,134,656 + {times} × {size:,} + 896 = {whole:,}")


def parts(attention: int, feed_forward: int, norms: int) -> str:
    sizes = [attention * 1_836_160, feed_forward * 13_074_432, norms * 1_792]
    lines = "\n".join(f"- {name}: {size:,}" for name, size in zip(("attention", "feed-forward", "norms"), sizes, strict=True))
    terms = " + ".join(f"{size:,}" for size in (136_134_656, *sizes, 896))
    return ledger(lines, f"{terms} = {136_134_656 + sum(sizes) + 896:,}")


TWO_FEWER = f"−29,824,768 missing: two of the 24 layers ({LAYERS}) (2({ONE}))"
TWO_MORE = f"29,824,768 surplus: two more than the 24 layers ({LAYERS}) (2({ONE}))"
NO_BIASES = f"−27,648 missing: the biases of the linear maps of the self-attention in each of the 24 layers ({ATTENTION}) (N(dh + 2dk))"
WEIGHTS = f"the weight of the key projection ({ATTENTION}.k_proj.weight) and the weight of the value projection ({ATTENTION}.v_proj.weight)"
ALL_HEADS = f"33,030,144 counted with h = 14 in place of k = 2: {WEIGHTS} in each of the 24 layers (N(2dhH − 2dkH))"
MAPS = f"the key projection ({ATTENTION}.k_proj) and the value projection ({ATTENTION}.v_proj)"
BIASED_HEADS = f"counted with h = 14 in place of k = 2: {MAPS} in each of the 24 layers"
FOUR_TIMES = f"counted with 4H = 3,584 in place of I = 4,864: the gated feed-forward in each of the 24 layers ({LAYERS}.mlp)"
FEWER_OF_ONE = f"counted 22 times instead of 24 times: the gated feed-forward ({LAYERS}.mlp)"
OF_THE_LINE = f"missing: line 2 (“a layer”) has 24,000 fewer than all 24 layers ({LAYERS}), 357,897,216"

NUMBERS = [
    (layer(14_912_384, 22), ["short by 29,824,768", TWO_FEWER]),
    (layer(14_912_384, 26), ["too much by 29,824,768", TWO_MORE]),
    (layer(14_912_384, 23), ["short by 14,912,384", f"−14,912,384 missing: one of the 24 layers ({LAYERS}) ({ONE})"]),
    ("Total: 464,208,000\n", ["short by 29,824,768", TWO_FEWER]),
    ("Total: 523,857,536\n", ["too much by 29,824,768", TWO_MORE]),
    # Several lines, all of them for fewer layers, lack layers; one line alone lacks its own.
    (parts(22, 22, 22), ["short by 29,824,768", TWO_FEWER]),
    (parts(24, 22, 24), ["short by 26,148,864", f"−26,148,864 line 3, feed-forward: {FEWER_OF_ONE}"]),
    # Grouped queries, and biases that only the attention has.
    (layer(4 * 896**2 + 13_074_432 + 1_792, 24), ["too much by 33,002,496", NO_BIASES, ALL_HEADS]),
    ("Total: 527,035,264\n", ["too much by 33,002,496", NO_BIASES, ALL_HEADS]),
    (layer(4 * 896**2 + 3 * 896 + 13_074_432 + 1_792, 24),
     ["too much by 33,067,008", f"33,067,008 {BIASED_HEADS} (N(2dhH − 2dkH + 2dh − 2dk))"]),
    (layer(14_912_384 - 13_074_432 + 12 * 896**2, 24),
     ["short by 82,575,360", f"−82,575,360 {FOUR_TIMES} (N(12H² − 3IH))"]),
    # What a line lacks is said of the line.
    (layer(14_912_384 - 1_792, 24), ["short by 43,008", f"−43,008 missing: the RMSNorms in each of the 24 layers ({LAYERS}) (2NH)"]),
    (layer(14_912_384 - 1_000, 24), ["short by 24,000", f"−24,000 {OF_THE_LINE}"]),
    # Near misses: nothing is made up.
    ("Total: 464,208,001\n", ["short by 29,824,767"]),
    ("Total: 527,035,263\n", ["too much by 33,002,495"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), NUMBERS, ids=[text.replace("\n", " ⏎ ")[-60:] for text, _ in NUMBERS])
def test_numbers(text: str, expected: list[str]) -> None:
    assert report(text, config=QWEN2) == expected


ONE_LAYER = "2H² + 2(k/h)H² + H + 2(k/h)H + 3IH + 2H"
ITS_SIZE = "2H² + 2kH²/h + 3IH + 3H + 2kH/h"
HEAD = "VH missing: the token embeddings (model.embed_tokens) or the language-model head (lm_head)"
UNBIASED = f"missing: the biases of the linear maps of the self-attention in each of the N layers ({ATTENTION})"
FROM_ALL_HEADS = f"counted with h in place of k: {WEIGHTS} in each of the N layers"
BIASES, PROJECTIONS = f"N(H + 2kH/h) {UNBIASED}", f"N(2H² − 2kH²/h) {FROM_ALL_HEADS}"
WIDER = f"counted with 4H in place of I: the gated feed-forward in each of the N layers ({LAYERS}.mlp)"
FEWER, MORE = f"missing: two of the N layers ({LAYERS})", f"surplus: three more than the N layers ({LAYERS})"

LETTERS = [
    (f"VH + (N − 2)({ONE_LAYER}) + H + VH", ["short by (6I + 6 + 4k/h)H + (4 + 4k/h)H²", f"2({ITS_SIZE}) {FEWER}"]),
    (f"VH + (N + 3)({ONE_LAYER}) + H + VH", ["too much by (9I + 9 + 6k/h)H + (6 + 6k/h)H²", f"3({ITS_SIZE}) {MORE}"]),
    (f"VH + 20({ONE_LAYER}) + H + VH + N − N",
     ["the stated formula minus the right one is (−3IN − 2kN/h + 60I − 3N + 60 + 40k/h)H + (−2kN/h − 2N + 40 + 40k/h)H²",
      f"(20 − N)({ITS_SIZE}) counted 20 times instead of N times: the layer ({LAYERS})"]),
    # The sign depends on the letters, but what each cause comes to does not.
    ("VH + N(4H² + 3IH + 2H) + H",
     ["the stated formula minus the right one is −HV + (2H² − 2H²k/h − H − 2Hk/h)N", HEAD, BIASES, PROJECTIONS]),
    (f"VH + N({ONE_LAYER} − 3IH + 12H²) + H + VH",
     ["the stated formula minus the right one is 12H²N − 3HNI", f"N(12H² − 3IH) {WIDER}"]),
    # Near misses.
    (f"VH + (N − 2/3)({ONE_LAYER}) + H + VH", ["short by (4H²k/3 + 4Hk/3)/h + 4H²/3 + 2HI + 2H"]),
    (f"VH + N({ONE_LAYER} − 3IH + 13H²) + H + VH", ["the stated formula minus the right one is 13H²N − 3HNI"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), LETTERS, ids=[text for text, _ in LETTERS])
def test_letters(text: str, expected: list[str]) -> None:
    assert report(f"Total parameters: {text}\n", architecture="qwen2", where=["d=H/h"]) == expected


def test_with_the_values_of_a_config_the_sign_is_known() -> None:
    found = report("Total parameters: VH + N(4H² + 3IH + 2H) + H\n", config=QWEN2)
    assert found[0] == "too much by 33,002,496, which is (2H² − 2H²k/h − H − 2Hk/h)N"
    assert [each.partition(" (")[0] for each in found[1:]] == [
        f"−27,648 {UNBIASED.partition(' (')[0]}",
        f"33,030,144 {FROM_ALL_HEADS}".partition(" (")[0],
    ]


def test_a_formula_whose_number_happens_to_be_right() -> None:
    found = report(f"Total parameters: VH + 24({ONE_LAYER}) + H + N − N\n", config=QWEN2)
    assert found[1:] == [f"(24 − N)({ITS_SIZE}) counted 24 times instead of N times: the layer ({LAYERS})"]
    assert found[0].startswith("the stated formula minus the right one is ")


def test_the_experts_that_one_token_uses() -> None:
    """Of the 8 experts of Mixtral two are used for each token."""
    gap = explain_total(resolve("mixtral-8x7b"), 46_702_792_704 - 6 * 3 * 32 * 4096 * 14_336)
    check_sums(gap)
    assert [worded(cause).partition(" (")[0] for cause in gap.explained_by] == [
        "counted with K = 2 in place of E = 8: the experts in each of the 32 layers"
    ]


def test_a_table_as_long_as_another() -> None:
    gap = explain_total(resolve("gpt2"), 0)
    assert gap.value is None
    gap = explain_total(resolve("bert-base-uncased"), 109_482_240 + (30_522 - 512) * 768)
    assert [worded(cause) for cause in gap.explained_by] == [
        "counted with V = 30,522 in place of P = 512: the position embeddings (embeddings.position_embeddings)"
    ]


def test_a_line_as_large_as_what_is_counted_already() -> None:
    lines = (("embeddings", 23_837_184), ("encoder", 85_054_464), ("pooler", 590_592), ("biases", 82_944))
    gap = explain_total(
        resolve("bert-base-uncased"), 109_565_184, [TotalTerm(label, size, line=line) for line, (label, size) in enumerate(lines, 1)]
    )
    check_sums(gap)
    what = "which is as large as the biases of the linear maps in each of the 12 layers (encoder.layer.{i})"
    assert [worded(cause) for cause in gap.explained_by] == [f"surplus: line 4 (“biases”), {what}"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # The left side is in the unit of the right one already.
        ("`26 + (26 + 156)/8 = 71.5 GB`", ["too much by 22.75 GB", "22.75 the term (26 + 156)/8 is counted twice"]),
        ("`256 × 156 = 79,900 TFLOPS`", ["too much by 39,964 TFLOPS"]),
        ("`505,561 / 1024 / 24 = 26.0 days`", ["too much by about 5.4 days", f"{_SLIP}two neighbouring digits swapped, 60 for 06"]),
        # A rounded number, and the slip of the pen in its digits.
        ("`989 × 0.4 = 359.6 TFLOP/s`", ["short by 36 TFLOP/s", f"{_SLIP}two neighbouring digits swapped, 59 for 95"]),
        ("`3,350 / 14 = 293`", ["too much by about 54", f"{_SLIP}two neighbouring digits swapped, 93 for 39"]),
        ("`8,393,728 / 12,596,224 = 76.6 %`", ["too much by about 10 %", f"{_SLIP}one digit, 7 for 6"]),
        ("`340,217,856 × 1 = 341.7M`", ["too much by 1,482,144"]),
        # One digit of three explains no few per cent, nor does one of two on the left; ten times too much comes before digits.
        (
            "`2 × 80 × 4,096 × 8,192 × 2 = 10.4 GB`",
            ["short by 337,418,240", "−337,418,240 brought into its unit by thousands and by 1,024s in turn"],
        ),
        ("`26B + 14B = 37B`", ["short by 3,000,000,000"]),
        (
            "`1,024 × 8,200 × 0.25 × 8 = 167.9 MB`",
            ["too much by 151,106,400", "151,106,400 10 times too large: a digit or a decimal point too many"],
        ),
        (
            "`2 × 7168 × 18400 × 1 = 263.78 × 10⁹ FLOPs`",
            [
                "too much by about 263,520,000,000 FLOPs",
                "263,516,217,600 1,000 times too large: three digits or a decimal point too many",
            ],
        ),
    ],
)
def test_gaps_of_rounded_numbers(text: str, expected: list[str]) -> None:
    (wrong,) = check_text(text).documents[0].wrong
    assert wrong.gap is not None
    assert [difference(wrong.gap, ENGLISH), *(" ".join(line.split()) for line in listed(wrong.gap.explained_by, ENGLISH))] == expected
