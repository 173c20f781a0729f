"""Labels of other lines as operands, names for numbers with units, and comparisons of two quantities in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symparam.documents.checking.entries.labelled_quantities import last_clause, meaningful_words
from symparam.documents.checking.finding import Verdict
from tests.documents.checking.shown import checked, claims

PARTS = "- attention: 1,000,200\n- expert: 2,000,000\n- router: 4,096\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # A sum of labels, by a sign or by words.
        (PARTS + "- attention + router = 1,004,296", ["attention + router = 1,004,296: exact"]),
        # Under other words for the same part, and in a table.
        (
            "| Part | Weights |\n|---|---|\n| One attention | 1,050,624 |\n| One feed-forward sub-layer | 2,099,712 |\n| One LayerNorm | 1,024 |\n"
            "| Encoder layer: 1 attention, 1 FFN, 2 norms | 3,152,384 |\n| Decoder layer: 2 attentions, 1 FFN, 3 norms | 4,204,023 |",
            ["1,050,624 + 2,099,712 + 2 × 1,024 = 3,152,384: sum"],
        ),
        (PARTS + "- attention + 8 experts + router = 17,004,296", ["attention + 8 experts + router = 17,004,296: exact"]),
        (PARTS + "- attention + router = 1,004,297", ["attention + router = 1,004,297: wrong-value"]),
        (PARTS + "- attention + router ≈ 1.3M", ["attention + router ≈ 1.3M: no-value"]),
        (PARTS + "- attention + pooler = 1,004,297", ["attention + pooler = 1,004,297: no-value"]),
        (PARTS + "- attention / router = 1,004,297", ["attention / router = 1,004,297: no-value"]),
        (PARTS + "\n1 attention, 8 experts and 1 router: 17,004,296", ["1,000,200 + 8 × 2,000,000 + 4,096 = 17,004,296: sum"]),
        (PARTS + "\n1 attention, 8 experts and 1 router: 17,004,297", []),
        # What is said below the same heading comes first; two values of one name leave it open.
        ("# A\n" + PARTS + "# B\n- attention: 5,000\n- router: 1,000\n- attention + router = 6,000", ["attention + router = 6,000: exact"]),
        ("- norm: 5,000\n- norm: 6,000\n- mlp: 1,000\n- norm + mlp = 6,000", ["norm + mlp = 6,000: no-value"]),
        # Names for numbers with a unit.
        ("W = 14 GB, O = 28 GB\n\n2W + O = 56 GB", ["2W + O = 56 GB: exact"]),
        ("W = 14.0 GB, O = 28.0 GB\n\n2W + O = 60.0 GB", ["2W + O = 60.0 GB: wrong-value"]),
        ("W = 14.0 GB, O = 28.0 GB\n\nW = 16.0 GB\n\n2W + O = 56.0 GB", ["2W + O = 56.0 GB: several-values"]),
        ("P = 4 GiB\n\nP / 8 = 0.5 GiB and P / 8 = 512 MiB", ["P / 8 = 0.5 GiB: exact", "P / 8 = 512 MiB: exact"]),
    ],
)
def test_labels(text: str, found: list[str]) -> None:
    assert claims(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "The MLP has 13,074,432 weights, the block 14,912,384. The MLP is 87.7% of the block.",
            ["13,074,432 / 14,912,384 = 87.7%: rounded"],
        ),
        ("The MLP has 13,074,432 weights, the block 14,912,384. The MLP is 86.7% of the block.", []),
        ("注意力：1,000,200，专家：2,000,400。注意力占专家的 50%。", ["1,000,200 / 2,000,400 = 50%: exact"]),
        ("Keys take 2.5 GB, and with groups 0.625 GB, which is 75% less.", ["1 − 0.625 GB / 2.5 GB = 75%: exact"]),
        ("Keys take 2.5 GB, and with groups 0.625 GB, a 4x reduction.", ["2.5 GB / 0.625 GB = 4: exact"]),
        ("Keys take 2.5 GB, and with groups 0.625 GB, 3 times less.", []),
        ("Keys take 2.5 GB, and with groups 0.625 GB, in 75% of the cases.", []),
        ("The cache takes 320 KB per token, so at 8k tokens: 2.6 GB", ["8k × 320 KB = 2.6 GB: rounded"]),
        ("The cache takes 320 KB per token, so at 8k tokens: 3.6 GB", []),
        ("The cache takes 320 KB per token, so at 8k layers: 2.6 GB", []),
    ],
)
def test_words(text: str, found: list[str]) -> None:
    assert claims(text) == found


@given(
    st.dictionaries(st.sampled_from(["attention", "router", "norm", "pooler", "head"]), st.integers(1_000, 10**9), min_size=2),
    st.integers(0, 9),
)
def test_a_sum_of_labels_is_wrong_only_where_it_is(parts: dict[str, int], off: int) -> None:
    lines = "".join(f"- {name}: {value:,}\n" for name, value in parts.items())
    found = checked(f"{lines}\n{' + '.join(parts)} = {sum(parts.values()) + off:,}\n").findings
    assert any(each.verdict is (Verdict.WRONG if off else Verdict.HOLDS) for each in found)
    assert off or not any(each.verdict is Verdict.WRONG for each in found)


@given(st.text(max_size=40))
def test_words_mean_the_same_whatever_stands_around_them(label: str) -> None:
    assert meaningful_words(label) == meaningful_words(f"The {label.upper().lower()} of") or label.lower() != label.upper().lower()
    assert len(last_clause(label)) <= len(label)
