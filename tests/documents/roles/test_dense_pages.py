"""Sentences of pages in which a number takes its measure, its stack or its tensors from words further away."""

from __future__ import annotations

import pytest

from symparam import check_text

# Mixtral 8x7B caches 2 · 32 layers · 8 heads · 128 = 65,536 values per token: 131,072 bytes at 16 bits, and 4 GiB for 32,768 tokens; with
# all 32 heads it would be 16 GiB. T5-small: an encoder layer has 3,146,752 parameters, a decoder layer 4,195,840. BERT-base: a projection
# of the attention has 768² + 768 = 590,592. DeepSeek-V3 compresses keys and values with 7168 · (512 + 64) = 4,128,768 weights.
CACHE = "The KV cache costs 128 KiB per token in fp16. For a 32,768-token context: {} GiB per sequence."
JOINT = "In each of the 61 layers, the joint compression of keys and values takes {} weights."
LINES = [
    ("mixtral-8x7b", CACHE.format("4.0"), "4.0 GiB", "holds"),
    ("mixtral-8x7b", CACHE.format("16.0"), "16.0 GiB", "wrong"),
    ("t5-small", "encoder layer: 3,146,752, decoder layer: 4,195,840", "4,195,840", "holds"),
    ("deepseek-v3", JOINT.format("4,128,768"), "4,128,768", "holds"),
]


@pytest.mark.parametrize(("config", "text", "number", "verdict"), LINES, ids=[text for _, text, *_ in LINES])
def test_a_number_with_its_words(config: str, text: str, number: str, verdict: str) -> None:
    assert (number, verdict) in [(each.text, str(each.verdict)) for each in check_text(text, config=config).findings]


@pytest.mark.parametrize(
    ("config", "text", "number"),
    [
        ("t5-small", "decoder layer: 3,146,752", "3,146,752"),  # That of the encoder.
        ("deepseek-v3", JOINT.format("3,670,016"), "3,670,016"),  # A third of another matrix.
    ],
)
def test_no_other_part_is_taken_for_it(config: str, text: str, number: str) -> None:
    assert (number, "holds") not in [(each.text, str(each.verdict)) for each in check_text(text, config=config).findings]


def test_one_of_several_with_its_bias() -> None:
    text = "Each of query, key, value has a weight of 768 × 768 and a bias of 768, that is 590,592."
    assert not check_text(text, config="bert-base-uncased").wrong
