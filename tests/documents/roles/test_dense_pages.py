"""Sentences of pages in which a number takes its measure, its stack or its tensors from words further away."""

from __future__ import annotations

import pytest

from symparam import check_text

# Mixtral 8x7B caches 2 · 32 layers · 8 heads · 128 = 65,536 values per token: 131,072 bytes at 16 bits, and 4 GiB for 32,768 tokens; with
# all 32 heads it would be 16 GiB. T5-small: an encoder layer has 3,146,752 parameters, a decoder layer 4,195,840. BERT-base: a projection
# of the attention has 768² + 768 = 590,592. DeepSeek-V3 compresses keys and values with 7168 · (512 + 64) = 4,128,768 weights.
CACHE = "The KV cache costs 128 KiB per token in fp16. For a 32,768-token context: {} GiB per sequence."
JOINT = "In each of the 61 layers, the joint compression of keys and values takes {} weights."
# Bytes that are cached for one token, at 16 bits: Llama 3.1 405B 2 · 126 layers · 8 heads · 128 · 2 = 504 KiB, Llama 3 70B 2 · 80 · 8 · 128
# · 2 = 320 KiB, and so 40 GiB for 16 sequences of 8,192 tokens; Gemma 2 9B 2 · 42 · 8 · 256 · 2 = 336 KiB; Pythia 1.4B 2 · 24 · 2048 · 2 =
# 192 KiB, 384 MiB for 2,048 tokens; Qwen2.5 1.5B 2 · 28 · 2 · 128 · 2 = 28 KiB, 896 MiB for 32,768; Mistral 7B 2 · 32 · 8 · 128 · 2 = 128
# KiB, 16 GiB for 32 sequences of 4,096.
ELEMENTS = "KV cache: 8 KV heads with head dimension 128 make 258,048 elements per token; that's {} in bf16."
BATCH = "Cache: 2 × 80 × 8 × 128 = 163,840 values per token, so 320 KiB in bf16. For a batch of 16 sequences of 8192 tokens that is {}."
BESIDE = "With int4 weights the model takes roughly 4.6 GB, while the KV cache in bf16 costs {} per token."
LATTER = "For inference we need the weights and the cache. The latter is 192 KiB per token in fp16. At 2,048 tokens this amounts to {}."
CHINESE = "推理时每个 token 要缓存 2 × 28 × 2 × 128 = 14,336 个数。用 bf16 存储，这是 28 KiB。上下文 32,768 个 token 时需要 {}。"
OF_BATCH = "KV 缓存（fp16）：每个 token 128 KiB；4,096 个 token 的一条序列为 512 MiB。批大小为 32 时共 {}。"
SHARED = "Up to the output projection we count the attention of DeepSeek-V3. That makes {} per layer, norms of the latents included."
REFERRING = [
    ("llama-3.1-405b", ELEMENTS, "504 KiB", "252 KiB"),
    ("llama-3-70b", BATCH, "40 GiB", "20 GiB"),
    ("gemma-2-9b", BESIDE, "336 KiB", "168 KiB"),
    ("pythia-1.4b", LATTER, "384 MiB", "192 MiB"),
    ("qwen2.5-1.5b", CHINESE, "896 MiB", "5376 MiB"),
    ("mistral-7b-v0.3", OF_BATCH, "16 GiB", "8 GiB"),
]
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


@pytest.mark.parametrize(("config", "text", "right", "wrong"), REFERRING, ids=[config for config, *_ in REFERRING])
def test_words_that_refer_to_the_sentence_before(config: str, text: str, right: str, wrong: str) -> None:
    assert not check_text(text.format(right), config=config).wrong
    assert [each.text for each in check_text(text.format(wrong), config=config).wrong] == [wrong]


def test_what_is_referred_to_may_be_a_part() -> None:
    assert not check_text(SHARED.format("187,107,328"), config="deepseek-v3").wrong


@pytest.mark.parametrize(
    ("config", "text"),
    [
        # The encoder's stack, in which the dot of an abbreviation ends no sentence; the pooler has 590,592.
        ("bert-base-uncased", "23,8 Mio. in den Einbettungen, 85,1 Mio. in den 12 Schichten (je 7,09 Mio.) und 0,6 Mio. im Pooler."),
        ("t5-small", "A decoder layer (with cross-attention) has 2 × 1,048,576 + 2,097,152 + 3 × 512 = 4,195,840 parameters."),
        ("mixtral-8x7b", "8 experts × 32 layers × 176M = 45.1B.\nAttention 32 × 41.9M = 1.34B, embeddings + head 2 × 131M = 262M."),
        ("gpt2-medium", "The MLP has 8.4M, the attention 4.2M. The logits are 8 × 1024 × 50257 = 411,705,344 numbers, 1.53 GiB in fp32."),
    ],
)
def test_no_alarm_where_the_words_are_of_another_clause(config: str, text: str) -> None:
    assert not check_text(text, config=config).wrong


def test_one_of_several_with_its_bias() -> None:
    text = "Each of query, key, value has a weight of 768 × 768 and a bias of 768, that is 590,592."
    assert not check_text(text, config="bert-base-uncased").wrong
