"""What words tell of a number beside a model, and what they leave to chance."""

from __future__ import annotations

import pytest

from symparam import check_text

LLAMA_3 = "llama-3.1-8b"  # As large as Llama 3 8B: 3 × 4,096 × 14,336 = 176,160,768 in the MLP of a layer.
QWEN = "qwen2.5-7b"  # 2 × 28 × 4 × 128 × 2 = 57,344 bytes per token; 16 × 4,096 of them take 3.5 GiB.
BERT_LIST = "- 词嵌入：30522 × 768 = 23,440,896\n- 位置嵌入：512 × 768 = 393,216\n- 句子类型嵌入：2 × 768 = 1,536\n- LayerNorm：{}\n\n"
BERT_LAYER = "- Q、K、V：1,771,776\n- 输出矩阵：590,592\n- 前馈网络：4,722,432\n- 每层：7,087,872\n"

CASES = (
    # Another release of the same size is no other model.
    ("# Llama-3-8B\n\nThe MLP of one layer has 176,160,768 parameters.", LLAMA_3, "176,160,768 holds"),
    ("# Llama-3-8B\n\nThe MLP of one layer has 117,440,512 parameters.", LLAMA_3, "117,440,512 wrong"),
    ("# Llama-3-70B\n\nThe MLP of one layer has 117,440,512 parameters.", LLAMA_3, "117,440,512 undecided"),
    ("GPT-2 small has 124M parameters.", "gpt2", "124M holds"),
    ("GPT-2 XL has about 2B parameters.", "gpt2-xl", "2B undecided"),  # 1,557,611,200
    ("Llama 3.2 1B has about 1B parameters.", "llama-3.2-1b", "1B holds"),  # 1,235,814,400
    # As many keys as queries in a number of a model with 8 of 64.
    ("For 4,096 tokens the KV cache has 2 × 80 × 64 × 4096 × 128 × 2 = 10.7 GB.", "llama-2-70b", "10.7 GB wrong"),
    # A norm that lacks its bias where the other parts have theirs.
    (BERT_LIST.format("768") + BERT_LAYER, "bert-base-uncased", "768 wrong"),
    (BERT_LIST.format("1,536") + BERT_LAYER, "bert-base-uncased", "1,536 holds"),
    # Several parts that are named, one by one or added up: 2 × 512² × 768 = 0.403 GFLOPs for each of the two products of attention.
    ("For 512 tokens, the weighted sum of the values takes 0.403 GFLOPs in a layer.", "bert-base-uncased", "0.403 GFLOPs holds"),
    ("For 512 tokens, scores and weighted values together take 0.805 GFLOPs in a layer.", "bert-base-uncased", "0.805 GFLOPs holds"),
    # A condition on the run does not change the model.
    ("如果批大小为 16，每个请求 4,096 个 token，KV cache 共 3.5 GiB。", QWEN, "3.5 GiB holds"),
    ("如果改用 16 层，KV cache 共 3.5 GiB。", QWEN, "3.5 GiB undecided"),
    # What tables share is counted once, whatever else the sentence speaks of.
    ("Since the head shares its weights with wte, GPT-2 has 163,037,184 parameters in total.", "gpt2", "163,037,184 wrong"),
    ("Since the head shares its weights with wte, GPT-2 has 124,439,808 parameters in total.", "gpt2", "124,439,808 holds"),
    # Two digits agree by chance with one of many measures, unless words say which one is meant.
    ("Weights in fp16: 16 GB\n\nTogether: 32 GB", LLAMA_3, "16 GB holds; 32 GB undecided"),
    ("The MLPs hold 70% of all parameters. The gate fails if the overlap exceeds 23%.", LLAMA_3, "70% holds; 23% undecided"),
    # What is added in words on the way to a number: 85,054,464 parameters in the layers, 109,482,240 in all.
    (
        "- W_Q: 590,592\n- W_K: 590,592\n- each layer: 7,087,872\n\nFor BERT-base (12 layers): 12 × 7.1M ≈ 85M + embeddings ≈ 110M total.",
        "bert-base-uncased",
        "590,592 holds; 7,087,872 holds; 110M undecided",
    ),
    # The length of a sentence is that of its clauses, whatever other lengths the page has: 2 × 80 × 8 × 128 × 131,072 × 2 bytes are 40 GiB.
    (
        "2K tokens, 4K tokens, 16K tokens.\n\nLlama 3 70B 在 128K 上下文下，仅 KV 缓存就需要占用 40 GB。\n",
        "llama-3-70b",
        "40 GB holds",
    ),
    # A cache without its layers.
    ("KV cache = 2 × B × S × H × 2 bytes", "llama-2-7b", "2 × B × S × H × 2 bytes wrong"),
    # A number with which the page calculates time and again is that of a model of its own.
    ("GPT-2 small has 134M parameters.", "gpt2", "134M wrong"),
    (
        "GPT-2 small has 134M parameters.\n\n134M parameters in fp32.\n\n134M parameters in fp16.\n\n134M parameters on disk.",
        "gpt2",
        "134M undecided",
    ),
    # A row that adds something to its part is no number of the part.
    (
        "| part | parameters |\n|---|---|\n| layer | 7,087,872 |\n| 12 layers | 85,054,464 + 39,383,808 = 124,438,272 |",
        "gpt2",
        "7,087,872 holds",
    ),
    # A letter before a noun counts things.
    ("| attention | keys and values |\n|---|---|\n| MHA | H groups |", "llama-2-7b", ""),
    # What a part lacks is counted by itself behind it.
    (
        "attention = 3 * d_model**2 + 3 * d_model\nattproj = d_model**2 + d_model\nlayernorms = 4 * d_model\n",
        "gpt2",
        "3 * d_model**2 + 3 * d_model undecided",
    ),
    (
        "- self-attention: 1,771,776\n- MLP: 4,722,432\n- its output: 590,592\n- embeddings: 38,597,376 + 786,432 = 39,383,808\n",
        "gpt2",
        "1,771,776 undecided; 4,722,432 holds",
    ),
    # The devices of a quotient are those that it divides by.
    ("- Model parameters: 810 GB / 128 = 6.3 GB per rank\n- On 16 GPUs: yes\n", "llama-3.1-405b", "6.3 GB holds"),
    # A quotient in code is not its dividend.
    (
        "key_size = d_model // num_heads\n\n- qkv projections, forward FLOPs: 2 * 3 * seq_len * d_model * (key_size * num_heads)\n",
        "gpt2-xl",
        "2 * 3 * seq_len * d_model * (key_size * num_heads) holds",
    ),
    # A share of time is none of the parameters.
    ("Profile of 1024 tokens (152 ms): gate 34%, attention 32%.", "gpt2", "32% undecided"),
    # The usual estimate is one of the model, not of a layer at any length of the page.
    (
        "A context of 1,024 tokens, or of 16,384 tokens.\n\n## FLOPs\n\n- Per layer: 4 × 5.24 GFLOPs = 20.97 GFLOPs\n"
        "- Total across all layers: 20.97 GFLOPs × 48 layers = 1.007 TFLOPs\n",
        "gpt2-xl",
        "1.007 TFLOPs undecided",
    ),
    # A width that is a multiple of d is one of the hidden size.
    (
        "Attention params = 4 × d_model²\n\nFFN params = 2 × d_model × d_ff\n\nLayer params ≈ 4d² + 8d² = 12d², with d_ff = 4d\n",
        "gpt2",
        "4 × d_model² holds; 2 × d_model × d_ff holds",
    ),
    # A batch and a length in the clause before, in words of two scripts: 2 × 32 × 4,096 × 2 bytes × 4,096 × 32 are 64 GiB.
    ("当序列长度 4096 并 batch 为 32 时，KV cache 需 64 GB。", "llama-7b", "64 GB holds"),
    # Numbers that together fit no other model do not fit by chance, whatever sizes an exercise gives.
    (
        "- Embedding: 32000 × 4096 = 131,072,000\n- FFN: 32 × (3 × 4096 × 11008) = 4,328,521,728\n\n# Exercise\n\nTake d_model = 2048.",
        "llama-2-7b",
        "131,072,000 holds; 4,328,521,728 holds",
    ),
)


@pytest.mark.parametrize(("text", "config", "expected"), CASES)
def test_words_tell_what_is_meant(text: str, config: str, expected: str) -> None:
    numbers = [each.rpartition(" ")[0] for each in expected.split("; ")]
    found = {each.right: str(each.verdict) for each in check_text(text, name="page.md", config=config).findings if each.left != each.right}
    assert "; ".join(f"{number} {found[number]}" for number in numbers if number in found) == expected


TABLE = (
    "| block | how | params |\n|---|---|---|\n| attn.c_attn | 3*768*768 + 3*768 | 1,771,776 |\n| attn.c_proj | 768*768 + 768 | 590,592 |\n"
    "| mlp.c_fc | 768*3072 + {} |\n| mlp.c_proj | 3072*768 + {} |\n| layer | | 7,087,872 |\n"
)


@pytest.mark.parametrize(
    ("rows", "off"),
    [(("768 | 2,360,064", "768 | 2,360,064"), -2304), (("3072 | 2,362,368", "3072 | 2,362,368"), 2304)],  # 3,072 − 768
)
def test_the_bias_of_the_other_map(rows: tuple[str, str], off: int) -> None:
    (wrong,) = check_text(TABLE.format(*rows), name="page.md", config="gpt2").documents[0].wrong
    assert wrong.gap is not None
    assert wrong.gap.value == off
    assert [each.reason.kind for each in wrong.gap.explained_by] == ["counted-with-size"]


def test_keys_of_every_head_in_a_formula() -> None:
    one = "KV cache per token = 2 × n_layers × n_kv_heads × d_head × 2 bytes\n\n"
    text = "KV cache = 2 × n_layers × n_heads × seq_len × d_head × 2 bytes\n"
    for before, code in (("", "open-component"), (one, "wrong-component")):
        assert check_text(before + text, name="page.md", config="llama-2-70b").findings[-1].code == code
