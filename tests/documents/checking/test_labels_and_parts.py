"""Labels as operands and as wholes, braced terms of TeX, letters that cancel, and groups of rows below which their sum is set apart."""

from __future__ import annotations

import pytest

from tests.documents.checking.shown import checked, claims
from tests.work import calls

_BLOCKS = "- block size: 2.5 MB\n- blocks: 10,800\n\n"
_LLAMA = "- Q_proj: 16,777,216\n- K_proj: 4,194,304\n- V_proj: 4,194,304\n- O_proj: 16,777,216\n"
_ROWS = "| layer | parameters |\n|---|---|\n| conv | 18,496 |\n| norm | 128 |\n| conv | 36,928 |\n| norm | 128 |\n"
_QUERIES = "\\underbrace{4096 \\cdot 4096}_{W_Q} + \\underbrace{4096 \\cdot 1024}_{W_K}"

CASES = [
    # A formula of labels: other lines state their values; several values below one heading leave it open.
    (_BLOCKS + "cache = blocks × block size ≈ 27 GB", ["blocks × block size ≈ 27 GB: exact"]),
    (_BLOCKS + "cache = blocks × block size ≈ 41 GB", ["blocks × block size ≈ 41 GB: no-value"]),
    (_BLOCKS + "- blocks: 12,000\n\ncache = blocks × block size ≈ 27 GB", ["blocks × block size ≈ 27 GB: no-value"]),
    ("Layers: 12\nParams per layer: 7,087,872\n\nTotal = layers × params per layer = 85,054,464",
     ["layers × params per layer = 85,054,464: exact"]),
    ("MLP: 4,722,432\nattention: 2,362,368\n\nMLP / attention = 2.0", ["MLP / attention = 2.0: rounded"]),
    ("MLP: 4,722,432\nattention: 0\n\nMLP / attention = 2.0", ["MLP / attention = 2.0: no-value"]),
    # A label that names a part of the model is the sum of the labels that name the parts of that.
    (_LLAMA + "- Attention/layer: 41,943,040", ["16,777,216 + 4,194,304 + 4,194,304 + 16,777,216 = 41,943,040: sum"]),
    (_LLAMA + "- Router: 41,943,040", []),
    (_LLAMA + "- Attention/layer: 41,943,041", ["16,777,216 + 4,194,304 + 4,194,304 + 16,777,216 = 41,943,041: wrong-sum"]),
    (_LLAMA + "- Router: 41,943,041", []),
    # A bold number alone in its row below a group; two of the rows alone would be chance.
    (_ROWS + "| | **55,680** |\n", ["18,496 + 128 + 36,928 + 128 = 55,680: sum"]),
    (_ROWS + "| | 55,680 |\n", []),
    # The braces of TeX group; a number in their label repeats the value.
    (f"${_QUERIES} = 20971520$", ["\\underbrace{4096 \\cdot 4096}_{W_Q} + \\underbrace{4096 \\cdot 1024} = 20971520: exact"]),
    (f"${_QUERIES} = 20971521$", ["\\underbrace{4096 \\cdot 4096}_{W_Q} + \\underbrace{4096 \\cdot 1024} = 20971521: unclear"]),
    ("$\\underbrace{2}_{K, V} \\times \\underbrace{32}_{layers} = 64$", ["\\underbrace{2}_{K, V} \\times \\underbrace{32} = 64: exact"]),
    ("$\\underbrace{4 \\cdot 768^2}_{=2{,}359{,}296}$", ["\\underbrace{4 \\cdot 768^2}_{= ≈ 2{,}359{,}296: exact"]),
    ("$\\underbrace{2 \\cdot 768 + 768}_{= 2304} \\times 2 = 4608$",
     ["\\underbrace{2 \\cdot 768 + 768}_{= ≈ 2304: exact", "\\underbrace{2 \\cdot 768 + 768}_{= 2304} \\times 2 = 4608: exact"]),
    # Signs in braces and indices of numbers are how TeX sets them; one of digits only is a base.
    ("$384{\\times}2048{=}786432$", ["384{\\times}2048 = 786432: exact"]),
    ("$3_{stat} + 2_{sys} = 6$", ["3_{stat} + 2 = 6: unclear"]),
    ("$\\underbrace{768 \\cdot 768}_{\\text{for Q, K and V}} = 1769472$",
     ["\\underbrace{768 \\cdot 768} = 1769472: unclear"]),
    # What a cell sets behind a formula does not make it wrong.
    ("| part | sizes |\n|---|---|\n| FFN | 4d = 3072 (base), d = 1024 (large) |", []),
    ("| part | sizes |\n|---|---|\n| FFN | 4d = 3072 with d = 768 |", ["4d = 3072: exact"]),
    ("$384{\\times}2048{=}786433$", ["384{\\times}2048 = 786433: wrong-number"]),
    ("$2_{K,V} \\times 8_{KV\\space heads} \\times 128_{dim} = 2048$", ["2_{K,V} \\times 8_{KV\\space heads} \\times 128 = 2048: exact"]),
    # A calculation labelled by the name before it; functions are none, and nothing that is read so is wrong.
    ("q(4096 × 64) + k(1024 × 64) = 327,680", ["q(4096 × 64) + k(1024 × 64) = 327,680: exact"]),
    ("q(4096 × 64) + k(1024 × 64) = 327,690", ["q(4096 × 64) + k(1024 × 64) = 327,690: unclear"]),
    ("28 × (first_norm 1024 + second_norm 1024) + 1024 = 58,368", ["28 × (first_norm 1024 + second_norm 1024) + 1024 = 58,368: exact"]),
    ("embedding + lm_head   2 × 128256 × 8192 = 2,101,346,304", ["2 × 128256 × 8192 = 2,101,346,304: exact"]),
    # Sizes of arrays in brackets, formats of numbers as bytes.
    ("W1[32x12] + b1[32] + W2[6x32] + b2[6] = 614", ["W1[32x12] + b1[32] + W2[6x32] + b2[6] = 614: exact"]),
    ("a[0] + a[1] = 1", ["a[0] + a = 1: no-value"]),
    ("128 × 2 × bf16 = 512 bytes", ["128 × 2 × bf16 = 512 bytes: exact"]),
    # A cell repeats its number in another unit; a calculation among words; a count in the label of the row.
    ("| part | size |\n|---|---|\n| all | **8,190,735,360 (8.191 B)** |", ["8,190,735,360 = 8.191 B: rounded"]),
    ("| part | size |\n|---|---|\n| all | **8,190,735,360 (8.291 B)** |", []),
    ("| part | size | why |\n|---|---|---|\n| attention (36 layers) | 1,509,958,656 | one has 41,943,296 |",
     ["36 × 41,943,296 = 1,509,958,656: exact"]),
    ("| part | size | why |\n|---|---|---|\n| attention | 176,167,936 | per layer 6,291,712 × 28<br>per layer = q + k |",
     ["6,291,712 × 28 = 176,167,936: exact"]),
    ("| part | size | why |\n|---|---|---|\n| attention (36 layers) | 360 | one has 10 |", []),
    # A label may count how many there are of the term.
    ("$\\underbrace{768}_{12 \\text{ times}} = 9216$", ["\\underbrace{768} = 9216: unclear"]),
    ("$\\underbrace{2 \\times 768}_{12 \\text{ layers}} = 18432$", ["\\underbrace{2 \\times 768} = 18432: unclear"]),
    # Letters that cancel need no value.
    ("$\\frac{4d^2 - 2.5d^2}{4d^2} = 37.5\\%$", ["\\frac{4d^2 - 2.5d^2}{4d^2} = 37.5\\%: exact"]),
    ("$\\frac{4d^2 - 2.5d^2}{4d^2} = 39.5\\%$", ["\\frac{4d^2 - 2.5d^2}{4d^2} = 39.5\\%: no-value"]),
    # What a cell sets a letter to applies to all of it.
    ("| part | size |\n|---|---|\n| conv | `d_model × 5 + d_model² ≈ 67K` (d_model=256) |", ["d_model × 5 + d_model² = 67K: rounded"]),
    # A list of formulas: the last ones are the parts; shapes between them are none.
    ("- Q: $W_Q \\in \\mathbb{R}^{d \\times d}$, $d^2$\n- K: $W_K \\in \\mathbb{R}^{d \\times d}$, $d^2$\n\ntotal: $2d^2$",
     ["d^2 + d^2 = 2d^2: sum"]),
    ("- a: $d^2$\n- b: $d^2$\n- c: $3 \\times 2d^2 = 6d^2$\n- e: $2d^2$\n- total: $8d^2$",
     ["3 \\times 2d^2 = 6d^2: proven", "6d^2 + 2d^2 = 8d^2: sum"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), CASES, ids=[text[-40:] for text, _ in CASES])
def test_labels_and_parts(text: str, expected: list[str]) -> None:
    assert [each for each in claims(text) if ":" in each] == expected


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("text", "times"),
    [("\\underbrace{", 8_000), ("\\underbrace{a}_{", 6_000), ("\\underbrace{{{{", 6_000), ("\\underbrace{2^{3}}_{=8} + ", 1_000)],
)
def test_braces_are_read_in_linear_time(text: str, times: int) -> None:
    short, long = (calls(lambda times=times: checked(text * times)) for times in (times // 4, times))
    assert long < 5 * short
