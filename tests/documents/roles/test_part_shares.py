"""Percentages of a model's parameters."""

from __future__ import annotations

import pytest

from symparam import check_text

# GPT-2: 124,439,808 parameters, 38,597,376 of them in the token embeddings (31.02 %), 56,669,184 in the MLPs (45.54 %); a block has
# 7,087,872, of which 2,362,368 are attention (33.33 %). Llama 3 8B: 8,030,261,248, of which 1,050,673,152 are embeddings and head
# (13.08 %), 1,342,177,280 attention (16.71 %), 5,637,144,576 MLPs (70.20 %).
SHARES = [
    ("gpt2", "The token embeddings take 31% of all parameters.", "31%", "component"),
    ("gpt2", "The token embeddings take 37% of all parameters.", "37%", "wrong-component"),
    ("gpt2", "About 46 percent of all parameters are in the MLPs.", "46 percent", "component"),
    ("gpt2", "About 54 percent of all parameters are in the MLPs.", "54 percent", "wrong-component"),
    ("gpt2", "Attention is 33.3% of a block.", "33.3%", "component"),
    ("llama-3-8b", "Attention takes 17% of Llama-3-8B.", "17%", "component"),
    ("llama-3-8b", "词嵌入的参数量为 525,336,576，占总参数量的 6.5%。", "6.5%", "component"),
    ("llama-3-8b", "词嵌入的参数量为 525,336,576，占总参数量的 13.1%。", "13.1%", "wrong-component"),
    # What is not of its parameters, is near, or is about a changed model is not called wrong.
    ("gpt2", "The token embeddings take 32% of all parameters.", "32%", "not-judged"),
    ("gpt2", "The token embeddings take 37% of all parameters if we double the vocabulary.", "37%", "not-judged"),
    ("gpt2", "The MLPs take 61% of the FLOPs.", "61%", "not-judged"),
    ("gpt2", "## Llama-3-8B\n\nThe feed-forward networks hold 70% of all parameters.", "70%", "not-judged"),
    ("gpt2", "In Llama-3-8B the feed-forward networks hold 70% of all parameters.", "70%", "not-judged"),
    ("gpt2", "## GPT-2\n\nThe feed-forward networks hold 70% of all parameters.", "70%", "wrong-component"),
    # A share of another number on the page, such as the total of a profile.
    ("gpt2", "layer: 2.58 M, 100.00% Params", "100.00%", "not-judged"),
    ("gpt2", "layer: 0.98 M, 38.12% Params\n\nother: 2.57 M", "38.12%", "not-judged"),
    ("gpt2", "layer: 0.98 M, 37.98% Params", "37.98%", "wrong-component"),
    ("gpt2", "MLPs are 80% of the parameters in the encoder of another model.", "80%", "not-judged"),
]


@pytest.mark.parametrize(("config", "text", "share", "code"), SHARES, ids=[text for _, text, *_ in SHARES])
def test_a_share_is_compared_with_the_model(config: str, text: str, share: str, code: str) -> None:
    assert (share, code) in [(each.text, each.code) for each in check_text(text, config=config).findings]


def test_the_reason_has_both_numbers() -> None:
    found = check_text("The token embeddings take 37% of all parameters.", config="gpt2").findings[0]
    assert "31.02 % of its 124,439,808 parameters" in found.message


def test_nothing_is_no_share() -> None:
    found = check_text("The request of 1,024 tokens wastes 0% of the memory, 1,024 (0%).", config="gpt2").findings
    assert not [each for each in found if each.code == "component"]
