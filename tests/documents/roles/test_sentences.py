"""What sentences say about parts of models, right and with one slip, in seven languages.

The numbers are worked out by hand from the released sizes, H wide, with N layers, V tokens, and I inside the feed-forward part.
"""

from __future__ import annotations

import pytest

from symparam import check_text
from symparam.writing.findings.gaps import listed
from symparam.writing.wording import ENGLISH

BERT, GPT2, XL, LLAMA2, LLAMA3 = "bert-base-uncased", "gpt2", "gpt2-xl", "llama-2-7b", "llama-3-8b"
H, LAYER = 768, 12 * 768**2 + 13 * 768
GATED, HEADS = 3 * 4096 * 11008, 2 * 4096**2 + 2 * 4096 * 1024
SENTENCES = [
    (BERT, "Each of BERT-base's 12 encoder layers holds {:,} parameters.", LAYER, LAYER - 2 * H, "one of the two LayerNorms"),
    (BERT, "The pooler on top of BERT adds {:,} parameters.", H**2 + H, 2 * (H**2 + H), "twice"),
    (GPT2, "Processing one token with GPT-2 takes {:,} FLOPs in the MLP of a single block.", 16 * H**2, 12 * 16 * H**2, "layers"),
    (GPT2, "GPT-2 small spends {:,} parameters on its token embeddings.", 50257 * H, 2 * 50257 * H, "twice"),
    (XL, "GPT-2 XL's MLPs contain {:,} parameters over all 48 layers.", 48 * 20_488_000, 24 * 20_488_000, "24 times instead of 48"),
    (LLAMA2, "With fp16 keys and values, Llama-2-7B needs {:,} bytes of KV cache per token.", 2**19, 2**18, "one of keys and values"),
    (LLAMA3, "In Llama-3-8B, {:,} parameters per layer belong to attention.", HEADS, 4 * 4096**2, "h = 32 in place of k = 8"),
    (LLAMA3, "Keeping Adam's two moments in fp32 for Llama-3-8B requires {:,} bytes.", 8 * 8030261248, 4 * 8030261248, "4 bytes for each"),
    ("llama-3-70b", "At 8,192 tokens, one sequence fills {:,} bytes of KV cache.", 80 * 2**25, 640 * 2**25, "for all h heads"),
    ("qwen2.5-7b", "The KV cache of Qwen2.5-7B is {:,} bytes per token and layer in fp16.", 2048, 14336, "for all h heads"),
    ("t5-base", "A decoder layer of T5-base spends {:,} parameters on cross-attention.", 4 * H**2, 3 * H**2, "missing"),
    ("mixtral-8x7b", "All 8 experts of a Mixtral layer have {:,} parameters.", 24 * 4096 * 14336, 16 * 4096 * 14336, "one of the three"),
    (BERT, "BERT-base每层的自注意力约有{:,}个参数。", 4 * (H**2 + H), 3 * (H**2 + H), "missing"),
    (LLAMA2, "Llama-2-7B每层的FFN参数量为{:,}。", GATED, GATED * 2 // 3, "missing"),
    (LLAMA3, "由于采用GQA,Llama-3-8B每层注意力只有{:,}个参数。", HEADS, 4 * 4096**2, "h = 32 in place of k = 8"),
    (LLAMA3, "Die Attention einer Schicht von Llama-3-8B kommt mit {:,} Parametern aus.", HEADS, 4 * 4096**2, "h = 32 in place of k = 8"),
    (LLAMA2, "Le réseau feed-forward de chaque couche de Llama-2-7B utilise {:,} paramètres.", GATED, GATED * 2 // 3, "missing"),
    (BERT, "Cada capa del codificador de BERT-base tiene {:,} parámetros.", LAYER, LAYER - 2 * H, "one of the two LayerNorms"),
    (BERT, "Cada camada do codificador do BERT-base possui {:,} parâmetros.", LAYER, LAYER - 2 * H, "one of the two LayerNorms"),
    (LLAMA2, "Llama-2-7Bの1層あたりのFFNは{:,}パラメータである。", GATED, GATED * 2 // 3, "missing"),
    (LLAMA3, "The RMSNorms of each layer of Llama-3-8B have {:,} parameters.", 8192, 4096, "missing"),  # In the plural they are both.
    ("mixtral-8x7b", "Mixtral 8x7B的每一层有{:,}个专家参数。", 24 * 4096 * 14336, 16 * 4096 * 14336, "one of the three"),
    (LLAMA3, "Llama-3-8B stores keys and values of {:,} bytes for each token in half precision.", 2**17, 2**19, "for all h heads"),
    (GPT2, "Pro Token wächst der KV-Cache von GPT-2 in fp16 um {:,} Byte.", 36_864, 18_432, "one of keys and values"),
]  # fmt: skip


@pytest.mark.parametrize(("config", "sentence", "right", "slipped", "reason"), SENTENCES)
def test_sentences(config: str, sentence: str, right: int, slipped: int, reason: str) -> None:
    assert [each.code for each in check_text(sentence.format(right), config=config).findings] == ["component"]
    (wrong,) = check_text(sentence.format(slipped), config=config).findings
    assert wrong.code == "wrong-component"
    assert wrong.gap is not None
    assert reason in " ".join(" ".join(listed(wrong.gap.explained_by, ENGLISH)).split())


# Both products of attention; a length with a comma.
# A part is no total; what a number counts may stand at the end of its clause; the model's name has a number; a claim goes on behind it.
ONE_FINDING = [
    ("llama-2-70b", "With tensor parallelism over 8 GPUs, each GPU holds 17.2 GB of the fp16 weights.", "component"),  # An eighth.
    ("llama-3-70b", "With TP = 8, the KV cache takes 40,960 bytes per token on each GPU in bf16.", "component"),
    ("qwen3-30b-a3b", "采用 4 路张量并行时，每张卡的 BF16 权重约 15.3 GB。", "component"),
    ("llama-2-70b", "At a context of 4096 tokens, scores and values take 10.7 GFLOPs per token.", "component"),
    ("llama-2-70b", "At a context of 4096 tokens, the dot products take 10.7 GFLOPs per token.", "component"),
    ("llama-2-70b", "KV cache：上下文长度为 32,768 时，单条序列需要 10 GiB。", "component"),
    (XL, "GPT-2 XL的前馈网络在48层中总共有9.83亿参数。", "component"),
    ("gemma-2b", "Thanks to multi-query attention, Gemma 2B caches just 18,432 bytes per token in bf16.", "component"),
    ("gemma-2b", "Gemma-2B's embedding table holds 524.3M parameters, about a fifth of the model.", "component"),
    ("gpt2-large", "In GPT-2 large, the attention projections of one layer hold 6,558,720 parameters, biases included.", "component"),
    ("mixtral-8x7b", "Only 12.9B of Mixtral's parameters are active for a token.", "total"),
    (LLAMA2, "Llama-2-7B has 6,738,415,616 parameters once everything is included.", "total"),
    ("qwen2.5-7b", "Qwen2.5-7B的每层MLP有203,685,888个参数。", "component"),
    ("mixtral-8x7b", "Mixtral computes with 12.9B parameters.", "total"),
    (GPT2, "Training costs 6 × 124M FLOPs per token.", "component"),  # A calculation without a result.
    (LLAMA2, "KV cache: 2 × 32 layers × 4096 × 2 bytes per token.", "component"),
    (GPT2, "Los embeddings de posición de GPT-2 suman 786.432 parámetros.", "component"),
    ("mistral-7b-v0.1", "En bfloat16, les poids de Mistral-7B occupent 14,48 Go.", "component"),
    (LLAMA3, "Le cache KV de Llama-3-8B occupe 131 072 octets par token.", "component"),
]  # fmt: skip


@pytest.mark.parametrize(("config", "sentence", "code"), ONE_FINDING)
def test_numbers_that_hold(config: str, sentence: str, code: str) -> None:
    assert [(each.verdict, each.code) for each in check_text(sentence, config=config).findings] == [("holds", code)]


def test_a_calculation_without_a_result() -> None:
    """Two operations for each of 124M parameters are FLOPs, and one is a MAC."""
    assert [each.code for each in check_text("One token costs 2 × 124M FLOPs in a forward pass of GPT-2.", config=GPT2).findings] == [
        "component"
    ]
    (wrong,) = check_text("One token costs 2 × 124M MACs in a forward pass of GPT-2.", config=GPT2).findings
    assert (wrong.code, wrong.text) == ("wrong-component", "2 × 124M")


def test_the_last_of_several_parts_is_its_own() -> None:
    text = "(23.8M for the embeddings, 85.1M for the encoder and 0.6M for the pooler)"
    assert not check_text(text, config=BERT).wrong


def test_a_share_that_is_not_judged_is_counted() -> None:
    found = check_text("Attention takes 17% of the FLOPs of Llama-3-8B, the feed-forward networks 75%.", config=LLAMA3).findings
    assert [(each.text, each.code) for each in found] == [("17%", "not-judged"), ("75%", "not-judged")]


def test_numbers_in_a_bracket_that_are_not_judged_are_counted() -> None:
    """Queries and values of 4096 · 4096 and 1024 · 4096."""
    found = check_text("Attention: 41,943,040 per layer (W_q 16,777,216, W_v 4,194,304).", config=LLAMA3).findings
    assert [(each.text, each.verdict) for each in found] == [
        ("41,943,040", "holds"),
        ("16,777,216", "undecided"),
        ("4,194,304", "undecided"),
    ]
