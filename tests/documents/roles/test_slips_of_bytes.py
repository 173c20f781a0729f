"""Slips of bytes, copies and norms: the number is called wrong and the cause is named, and with the right number nothing is."""

from __future__ import annotations

import pytest

from symparam import check_text

# Bytes that are cached for one token at 16 bits: Llama 3 8B 2 · 32 layers · 8 heads · 128 · 2 = 131,072 (all 32 heads 524,288), so 1
# GiB for 8,192 tokens; Qwen2.5 7B 2 · 28 · 4 · 128 · 2 = 57,344, so 1.75 GiB or 1.88 GB for 32,768; Llama 3 70B 2 · 80 · 8 · 128 ·
# 2 = 327,680 = 320 KiB, so 2.5 GiB for 8,192. Llama 3 8B has 8,030,261,248 parameters,
# 16.06 GB or 14.96 GiB at 16 bits, and 128,256 · 4,096 in its head, 1.05 GB. GPT-2 medium has 354,823,168 parameters, 4,198,400 of them
# in the attention of a layer. A layer of Qwen2.5 7B has 233,057,792 parameters with its two norms of 3,584; 28 have 6,525,618,176.
# BERT-base: 12 · 7,087,872 = 85,054,464, and 30,522 · 768 + 512 · 768 + 2 · 768 + 1,536 = 23,837,184 in the embeddings. An expert of
# Mixtral has 3 · 4,096 · 14,336 = 176,160,768 parameters. A layer of Llama 2 13B has 4 · 5,120² = 104,857,600 in its attention.
OF_MANY = "- One sequence of 8,192 tokens takes {} of KV cache in bf16.\n- A batch of 16 sequences of 8,192 tokens takes 16 GiB of it."
TRAINING = (
    "Training GPT-2 medium with AdamW:\n\n| tensor | bytes per parameter | bytes |\n|---|---|---|\n| weights | 2 | 709,646,336 |\n"
    "| gradients | 2 | 709,646,336 |\n| optimizer states | 12 | 4,257,878,016 |\n| sum | 16 | {} |\n"
)
OF_MODELS = (
    "| | Llama-2-7B | Llama-2-13B |\n|---|---|---|\n| layers | 32 | 40 |\n| attention per layer | 67,108,864 | {} |\n"
    "| MLP per layer | 135,266,304 | 212,336,640 |\n| one layer | 202,383,360 | 317,204,480 |\n"
    "| all layers | 6,476,267,520 | 12,688,179,200 |\n| total | 6,738,415,616 | 13,015,864,320 |\n"
)
SPANISH = "Caché KV en bf16: 57,344 bytes por token; con 32.768 tokens, {}."
FRENCH = "Les embeddings ont 23 837 184 paramètres. Une couche complète a 7 087 872 paramètres, les 12 couches {}."
EIGHTH = "With tensor parallelism over 8 GPUs, each GPU holds {} of the fp16 weights."
SLIPS = [
    # Llama 2 70B has 68,976,648,192 parameters, 137.95 GB at 16 bits: an eighth is 17.24 GB, and a quarter 34.49 GB.
    ("llama-2-70b", EIGHTH, "17.2 GB", "34.5 GB", "off-fewer-devices"),
    ("llama-2-70b", EIGHTH, "17.2 GB", "137.9 GB", "off-undivided"),
    ("qwen2.5-7b", SPANISH, "1.75 GiB", "1.88 GiB", "off-in-unit"),
    ("llama-3-8b", "In bfloat16 that is {} of weights.", "14.96 GiB", "16.06 GiB", "off-in-unit"),
    ("llama-3-70b", "The KV cache takes {} per token in bf16.", "320 KiB", "328 KiB", "off-in-unit"),
    ("llama-3-8b", OF_MANY, "1 GiB", "4 GiB", "off-every-head"),
    ("llama-3-70b", "The KV cache takes 327,680 bytes per token in bf16. For 8,192 tokens, the cache of one sequence is {}.", "2.5 GiB",
     "1.25 GiB", "off-keys-or-values"),
    ("llama-3-8b", "# Cache\n\nThe weights of the output head are {} in bfloat16.", "1.05 GB", "2.10 GB", "off-in-bytes"),
    ("llama-3-8b", "| context | KV cache in bf16 |\n|---|---|\n| 8,192 tokens | {} bytes |\n| 16,384 tokens | 2,147,483,648 bytes |",
     "1,073,741,824", "536,870,912", "off-keys-or-values"),
    ("gpt2-medium", TRAINING, "5,677,170,688", "4,257,878,016", "off-in-bytes"),
    ("llama-2-13b", OF_MODELS, "104,857,600", "78,643,200", "missing"),
    ("gpt2-medium", "A block has 12,596,224 parameters: {} in the attention and 8,393,728 in the MLP.", "4,198,400", "4,194,304",
     "missing"),
    ("qwen2.5-7b", "Una capa tiene 233,057,792 parámetros; las 28 capas, {}.", "6,525,618,176", "6,525,417,472", "missing"),
    ("bert-base-uncased", FRENCH, "85 054 464", "77 966 592", "layers-missing"),
    ("mixtral-8x7b", "- 每个专家参数量：176,160,768\n- 8 个专家共：{}", "1,409,286,144", "352,321,536", "counted-with-size"),
    ("bert-base-uncased", "Les mots ont 23 440 896 paramètres, les positions 393 216. Les embeddings ont {} paramètres.", "23 837 184",
     "23 443 968", "missing"),
]  # fmt: skip


@pytest.mark.parametrize(("config", "text", "right", "wrong", "cause"), SLIPS, ids=[wrong for *_, wrong, _ in SLIPS])
def test_a_slip_and_its_cause(config: str, text: str, right: str, wrong: str, cause: str) -> None:
    assert check_text(text.format(right), config=config).wrong == ()
    (found,) = check_text(text.format(wrong), config=config).wrong
    assert found.text.startswith(wrong)
    assert [each.reason.kind for each in found.gap.explained_by] == [cause]


@pytest.mark.parametrize(
    ("config", "text"),
    [
        # The parts of a layer, but for its two norms, which its number counts.
        ("qwen3-8b", "| part | parameters |\n|---|---|\n| attention | 41,943,296 |\n| MLP | 150,994,944 |\n| layer total | 192,946,432 |"),
        ("tinyllama-1.1b", "Weights 2.2 GB, gradients 2.2 GB, fp32 master weights 4.4 GB, Adam moments 8.8 GB: 17.6 GB in all."),
        ("gemma-2-9b", "Der KV-Cache kostet 2 · 42 · 8 · 256 · 2 Byte = 344.064 Byte je Token."),
        ("bert-base-chinese", "每层合计 7,087,872,12 层共 85,054,464。"),
    ],
)
def test_numbers_beside_what_is_not_listed(config: str, text: str) -> None:
    assert check_text(text, config=config).wrong == ()
