"""Amounts of memory, totals and counts that sentences and tables derive, numbers explained in brackets, and what only looks so."""

from __future__ import annotations

import pytest

from tests.documents.checking.shown import claims

FORMATS = """| model | fp16 | int4 |
|---|---|---|
| small 7B | ~14 GB | ~3.5 GB |
| large 70B | ~140 GB | ~40 GB |
"""
BYTES = """| format | bytes | 12B parameters |
|---|---|---|
| FP32 | 4 | 48 GB |
| BF16 | 2 | 25 GB |
"""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A 70B model in FP16 needs 140 GB. In INT8 it needs 70 GB.", ["70B × 2 bytes = 140 GB: exact", "70B × 1 bytes = 70 GB: exact"]),
        ("- 13 billion parameters, 2 bytes each: 26 GB", ["13 billion × 2 bytes = 26 GB: exact"]),
        ("半精度（FP16）的 LLaMA-7B 约 14 GB", ["7B × 2 bytes = 14 GB: exact"]),
        ("About 26 GB for 13B parameters in bfloat16", ["13B × 2 bytes = 26 GB: exact"]),
        (FORMATS, ["7B × 2 bytes = 14 GB: exact", "7B × 1/2 bytes = 3.5 GB: exact", "70B × 2 bytes = 140 GB: exact"]),
        (BYTES, ["12B × 4 bytes = 48 GB: exact"]),
        (
            "BF16 takes 2 bytes per parameter. A 7B model takes 14 GB; a 70B model 140 GB.",
            ["BF16 = 2 bytes: exact", "7B × 2 bytes = 14 GB: exact", "70B × 2 bytes = 140 GB: exact"],
        ),
        ("## A 7B model\n\n### Gradients\n\n- FP32: ~28 GB\n\n## Others\n\n- FP16: 14 GB", ["7B × 4 bytes = 28 GB: exact"]),
        ("Total params: 1,191,170 (4.54 MB)", ["1,191,170 × 4 bytes = 4.54 MB: unit"]),
        ("124,439,808 parameters (248.9 MB)", ["124,439,808 × 2 bytes = 248.9 MB: rounded"]),
        ("124,439,808 parameters (249.9 MB)", []),
        # What a device has, what has no format, and what another model takes.
        ("12B in FP16 on a 24 GB card", []),
        ("A 7B model needs 14 GB", []),
        ("In FP16 it needs 16 GB; a 7B model less.", []),
    ],
)
def test_an_amount_is_a_count_in_a_format(text: str, found: list[str]) -> None:
    assert claims(text) == found


def test_an_amount_in_a_table_is_what_its_row_counts_times_what_each_takes() -> None:
    rows = "| context length | cache |\n|---|---|\n| 4,096 | 2 GiB |\n| 32K | 16 GiB |\n| 100K | 51 GiB |\n"
    said = "The cache takes 512 KiB per token.\n\n"
    assert claims(said + rows) == ["4,096 × 512 KiB = 2 GiB: exact", "32K × 512 KiB = 16 GiB: rounded"]
    assert claims(said.replace("token", "layer") + rows) == claims(rows) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("one has 442,368, the other 147,456; in total 589,824 parameters", ["442,368 + 147,456 = 589,824: sum"]),
        ("weights 12.5 GB and gradients 12.5 GB, a total of 25.0 GB", ["12.5 GB + 12.5 GB = 25.0 GB: sum"]),
        ("12.5 GB of weights in 5 files, a total of 17.5 GB", []),
        ("a block has 1,770,240 parameters; 6 blocks = 10,621,440", ["6 × 1,770,240 = 10,621,440: exact"]),
        ("a block has 1,770,240 parameters; 6 blocks = 10,621,441", []),
        # Counts in words, behind the number, and of the sentence before; a part of a result; what a table and a calculation arrived at.
        ("One layer has 7,087,872. The stack of twelve layers: 85,054,464.", ["12 × 7,087,872 = 85,054,464: exact"]),
        ("每层 7087872 个参数。十二层共 85054464。", ["12 × 7087872 = 85054464: exact"]),
        ("Une couche a 7 087 872 paramètres, soit 85 054 464 pour les 12 couches.", ["12 × 7 087 872 = 85 054 464: exact"]),
        ("three matrices of 1000 × 2137, for a total of 6,411,000", ["3 × (1000 × 2137) = 6,411,000: exact"]),
        ("| part | size |\n|---|---|\n| layer | 7,087,872 |\n\n12 layers have 85,054,464.", ["12 × 7,087,872 = 85,054,464: exact"]),
        # Parts of paragraphs above, a small one of which is left out; a difference.
        ("A has 7,077,888 and B 2,361,600.\n\nC adds 1,536.\n\nTogether 9,439,488.", ["7,077,888 + 2,361,600 = 9,439,488: sum"]),
        ("It has 10,745,088 weights, 98,304 of them for positions, and 10,646,784 others.", ["10,745,088 − 98,304 = 10,646,784: exact"]),
        # A digit is wrong, or two are swapped; but a thousand classes, or what the page states, may be counted as well.
        ("A block has 7,087,872 parameters. In 12 blocks that is 85,054,446.", ["12 × 7,087,872 = 85,054,446: wrong-number"]),
        ("A block has 7,087,872 parameters. In 12 blocks and a head that is 85,055,464.", []),
        ("A block has 7,087,872 parameters. In 12 blocks and norms that is 85,056,000.", []),
        # Multiples of powers of two agree by chance, and so do small numbers.
        ("It has 12 heads and 1,048,576 tokens. Four pages follow. There are 4,194,304 files.", []),
        ("Two matrices have 1,536 entries, where 3,072 is the width.", []),
        ("- fc1: 4,194,304\n- fc2: 2,097,152\n\nSo fc1 + fc2 = 6,291,456.", ["fc1 + fc2 = 6,291,456: exact"]),
    ],
)
def test_a_sentence_adds_up_and_multiplies_its_results(text: str, found: list[str]) -> None:
    assert claims(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("weights: ~39.1 GB (70 * 1e9 * 0.6 / 1024^3)", ["(70 * 1e9 * 0.6 / 1024^3) = 39.1 GB: unit"]),
        ("base: ~3.26 GB (NF4: 7B * 0.5 / 1024^3)", ["7B * 0.5 / 1024^3 = 3.26 GB: unit"]),
        ("adapters: 8,388,608 (~8.4M, 0.12% of 7B)", ["8,388,608 ≈ 8.4M: rounded", "8,388,608 / 7B ≈ 0.12%: rounded"]),
        ("```python\n16000 * 131072 / 1024**3\n# 1.953125\n```", ["16000 * 131072 / 1024**3 = 1.953125: exact"]),
        ("```python\n16000 * 131072 / 1024**3\n# 2.0\n```", []),
        ("ranks = 4 (4, 16 and 64 were tried)", []),
        ("```c\n/**\n * both: 10 GB × 0.4 = 4 GB\n *\n * Next: 3\n */\n```", ["10 GB × 0.4 = 4 GB: exact"]),
        ("```\nkv: 2 × 5 GB ≈ 10 GB+\nmore\n```", ["2 × 5 GB ≈ 10 GB: exact"]),
        ("a saving of $\\\\frac{32}{36} \\\\approx 89\\\\%$", ["\\frac{32}{36} ≈ 89\\\\%: rounded"]),
    ],
)
def test_a_number_is_explained_beside_it(text: str, found: list[str]) -> None:
    assert claims(text) == found
