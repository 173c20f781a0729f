"""Operations, bytes, caches, activations and formulas of parts, held against the modules of the model.

The numbers are worked out by hand: a product of m × k with k × n takes 2mkn FLOPs, a cache has two numbers for each feature of a key head.
"""

from __future__ import annotations

import pytest

from symparam import check_text
from symparam.writing.findings.gaps import listed
from symparam.writing.wording import ENGLISH

GPT2, LLAMA, BERT = "gpt2", "llama-3-8b", "bert-base-uncased"
H, N, V, L = 768, 12, 50257, 1024


def codes(text: str, config: str) -> list[str]:
    """The codes of what is held against the model."""
    return [each.code for each in check_text(text, config=config).findings if "component" in each.code]


HOLDS = [
    (f"| part of a layer | FLOPs per token |\n|---|---|\n| MLP | {16 * H**2:,} |", GPT2),
    (f"MLP FLOPs per token: {16 * H**2:,}", GPT2),
    (f"MLP MACs per token: {8 * H**2:,}", GPT2),
    (f"attention FLOPs per token in all layers: {N * (8 * H**2 + 4 * L * H):,}", GPT2),
    (f"attention scores, FLOPs of one layer at 512 tokens: {2 * 512**2 * H:,}", GPT2),
    (f"Forward FLOPs per token: {24 * N * H**2 + 2 * H * V + 4 * L * N * H:,}", GPT2),
    (f"Training FLOPs per token: {3 * (24 * N * H**2 + 2 * H * V + 4 * L * N * H):,}", GPT2),
    (f"With a causal mask, forward FLOPs per token: {24 * N * H**2 + 2 * H * V + 2 * L * N * H:,}", GPT2),
    ("KV cache per token: 36,864 bytes", GPT2), ("KV cache: 36,864 bytes for each token", GPT2),
    ("KV cache per token and per layer in fp32: 6,144 bytes", GPT2),
    ("At a sequence length of 8,192 the KV cache takes 1,073,741,824 bytes", LLAMA),
    ("Model weights in fp16: 16.06 GB", LLAMA), ("attention weights in bf16, all layers, bytes: 56,696,832", GPT2),
    ("Gradients: 497,759,232 bytes", GPT2), ("每层的注意力计算量（每个token）：7,864,320", GPT2),
    ("FFN-Operationen pro Token: 9,437,184", GPT2),
    ("attention: 4H² + 4H", GPT2), ("mlp: 8H² + 5H", GPT2), ("mlp: 2HI + H + I", GPT2), ("attention: 4NH² + 4NH", GPT2),
    ("attention without biases: 4H²", GPT2), ("FFN FLOPs: 16LH²", GPT2), ("FFN FLOPs per token: 4HI", GPT2),
    ("Forward FLOPs per token: 24NH² + 2VH + 4LNH", GPT2), ("KV cache: 4BNSH bytes", GPT2),
    ("Activations per layer: 34BLH + 5BhL²", GPT2),
]  # fmt: skip


@pytest.mark.parametrize(("text", "config"), HOLDS)
def test_what_the_model_takes(text: str, config: str) -> None:
    assert codes(text, config) == ["component"]


@pytest.mark.parametrize(
    ("text", "config", "run"),
    [("At 12 tokens: 17.6 GMACs in total.", "vit-base-patch16-224", "for one sequence;"),  # It counts patches.
     ("At 512 tokens: 43.5 GMACs in total.", BERT, "for one sequence, with 512 tokens;")],
)  # fmt: skip
def test_a_length_is_said_where_it_counts(text: str, config: str, run: str) -> None:
    (found,) = (each for each in check_text(text, config=config).findings if each.code == "component")
    assert run in ENGLISH.say(found.reason)


def why(text: str, config: str) -> tuple[int | None, str]:
    """What the only wrong claim is off by, and the reasons."""
    (wrong,) = check_text(text, config=config).documents[0].wrong
    assert wrong.gap is not None
    value = wrong.gap.value
    return None if value is None else int(value), " ".join(" ".join(listed(wrong.gap.explained_by, ENGLISH)).split())


WRONG = [
    ("Forward FLOPs per token: 24NH² + 2HV + 2LNH", GPT2, None, "one of the two products of attention"),
    ("Activations of a layer: 34BLH + 10BhL²", GPT2, None, "5hL²B is counted 2 times"),
    ("Forward FLOPs per token: 24NH² + 4HV + 4LNH", GPT2, 2 * H * V, "surplus: lm_head"),
    ("KV cache per token: 524,288 bytes", LLAMA, 393_216, "for all h heads of the queries"),
    ("KV cache per token in fp16: 18,432 bytes", GPT2, -18_432, "one of keys and values"),
    ("attention FLOPs per token: 8H² + 2LH", GPT2, None, "one of the two products of attention"),
    ("attention parameters: 4H² + 3H", GPT2, -H, "missing"),
    (f"MLP FLOPs per token in all layers: {16 * H**2:,}", GPT2, -11 * 16 * H**2, "one layer instead of all N"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "config", "off", "reason"), WRONG)
def test_what_it_does_not_take(text: str, config: str, off: int | None, reason: str) -> None:
    gap, told = why(text, config)
    assert gap == off
    assert reason in told


TABLE = """At a sequence length of 1,024 tokens:

| part of a layer | FLOPs |
|---|---:|
| Q, K, V | {qkv:,} |
| attention scores | {scores:,} |
| output projection | {out:,} |
| MLP | {mlp:,} |
"""
RIGHT = {"qkv": 6 * L * H**2, "scores": 2 * L * L * H, "out": 2 * L * H**2, "mlp": 16 * L * H**2}


@pytest.mark.parametrize("broken", ["", "qkv", "scores", "out", "mlp"])
def test_macs_among_flops(broken: str) -> None:
    text = TABLE.format(**{part: value // (2 if part == broken else 1) for part, value in RIGHT.items()})
    wrong = [int(each.right.replace(",", "")) for each in check_text(text, config=GPT2).wrong]
    assert wrong == ([RIGHT[broken] // 2] if broken else [])


NOT_HELD = [
    ("attention latency: 2,362,369", GPT2), ("attention FLOPs of the encoder of Acme: 1,000,003", GPT2),
    ("Adam: 20 bytes", GPT2), ("peak memory: 2,000,000,000 bytes", GPT2), ("attention: d = H/h", GPT2),
    ("training time: 3,000,000 seconds", GPT2), ("memory bandwidth: 2,039 GB/s", GPT2), ("compute: 312 TFLOPS", GPT2),
    ("The A100 has 40,000,000,000 bytes of memory", GPT2), ("Training takes 3,140,000,000,000,000,000,000 FLOPs", GPT2),
]  # fmt: skip


@pytest.mark.parametrize(("text", "config"), NOT_HELD)
def test_what_is_about_something_else(text: str, config: str) -> None:
    assert "wrong-component" not in codes(text, config)


# 6.738B parameters of Llama 2 7B in 16 bits are 13.5 GB, in 32 bits 27.0 GB; GPT-2 has 124.4M, GPT-2 XL 1.558B, TinyLlama 1.1B.
LLAMA2, XL, TINY = "llama-2-7b", "gpt2-xl", "tinyllama-1.1b"
SERVING = "| context | batch | KV cache |\n|---:|---:|---:|\n| 8,192 | 1 | 1 GiB |\n| 32,768 | 1 | {} GiB |\n| 8,192 | 16 | {} GiB |\n"
TRAINED = "trainable params: 4,194,304\n\n"
LAYER = "Activations: each layer stores 34 × 128 × 8 × 768 + 5 × 12 × 128² × 8 bytes = 34,603,008 bytes."
OF_ONE_PAGE = [
    ("Gradients in bf16: 13.5 GB. Adam moments: 53.9 GB. Master weights: 27.0 GB.", LLAMA2, "hold hold hold"),
    ("- weights (bf16): 13.5 GB\n- master weights: 27.0 GB\n- Adam moments: 53.9 GB\n", LLAMA2, "hold hold hold"),
    ("fp16 gradients 3.1 GB, optimizer states 18.7 GB (12 bytes per parameter)", XL, "hold hold"),
    ("optimizer states, bf16 moments and weights of 32 bits: 53,907,324,928 bytes", LLAMA2, "hold"),
    ("fp32 training: parameters 498 MB, gradients 498 MB, Adam states 996 MB, all in all 1,991 MB.", GPT2, "hold hold"),
    ("gradients 2.2 GB, fp32 master weights 4.4 GB", TINY, "hold hold"),
    (f"{TRAINED}Optimizer states: 4,194,304 × 8 = 33,554,432 bytes", LLAMA2, "open"),
    ("The last layers train 50,000,000 parameters.\n\nGradients: 50,000,000 × 4 = 200,000,000 bytes", GPT2, "open"),
    (LAYER, BERT, "open"),
    (f"{SERVING.format(4, 16)}\nThis leaves room for 532k tokens.", LLAMA, "hold hold hold"),
    ("KV cache: 13 local layers keep 4096 tokens only, 218,103,808 bytes", "gemma-2-2b", ""),
    ("| context | concurrency | cache |\n|---:|---:|---:|\n| 8,192 | 1 | 1 GiB |\n| 8,192 | 4 | 4 GiB |\n", LLAMA, "hold open"),
    ("KV cache at 8,192 tokens: 1 GiB. In fp32 the KV cache at 8,192 tokens takes 2 GiB.", LLAMA, "open hold"),
    # The bytes of a number are a factor of the calculation beside it: 2 × 32 × 8 × 128 × 2.
    ("KV cache per token: 2 × 32 × 8 × 128 × 2 B = 131,072 B = 128 KiB", LLAMA, "hold"),
    ("KV cache per token: 32 × 8 × 128 × 2 B = 65,536 B = 64 KiB", LLAMA, "wrong"),
    # The same with a slip.
    ("Gradients: 248,879,616 bytes. Adam states in fp32: 1,991,036,928 bytes.", GPT2, "hold wrong"),
    ("fp32 gradients: 248,879,616 bytes", GPT2, "wrong"),
    ("Gradients: 124,439,808 × 4 = 995,518,464 bytes", GPT2, "wrong"),
    (f"{SERVING.format(4, 64)}\nThis leaves room for 532k tokens.", LLAMA, "hold hold wrong"),
    ("| context | KV cache |\n|---:|---:|\n| 8,192 | 1 GiB |\n| 16,384 | 8.6 GB |\n", LLAMA, "hold wrong"),
    ("KV cache of all 26 layers for 4096 tokens: 218,103,808 bytes in bf16", "gemma-2-2b", "wrong"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "config", "expected"), OF_ONE_PAGE)
def test_formats_runs_and_counts_of_one_page(text: str, config: str, expected: str) -> None:
    kinds = {"component": "hold", "open-component": "open", "wrong-component": "wrong"}
    assert [kinds[code] for code in codes(text, config)] == expected.split()


CACHE = """# The KV cache of Llama 2 70B

For each token we keep a key and a value in every layer:

2 × 80 × {heads} × 128 × 2 bytes = {token} bytes per token

So at 4096 tokens the cache takes {sequence} GiB, and a batch of 16 needs {batch} GiB.
"""


def test_a_cache_counted_for_the_heads_of_the_queries_is_wrong_in_each_number_and_holds_in_no_format_that_nobody_named() -> None:
    right = CACHE.format(heads=8, token="327,680", sequence="1.25", batch=20)
    assert codes(right, "llama-2-70b") == ["component"] * 3
    wrong = CACHE.format(heads=64, token="2,621,440", sequence=10, batch=160)
    assert codes(wrong, "llama-2-70b") == ["wrong-component"] * 3
    gaps = [each.gap for each in check_text(wrong, config="llama-2-70b").documents[0].wrong]
    assert all(gap is not None and "for all h heads" in " ".join(listed(gap.explained_by, ENGLISH)) for gap in gaps)


def test_formulas_need_no_numbers() -> None:
    found = check_text("attention: 4H² + 4H\n\nmlp: 8H² + 4H\n", architecture="gpt2").findings
    assert [each.code for each in found] == ["component", "wrong-component"]
    assert str(found[1].gap.formula if found[1].gap else "") == "−H"


PUBLISHED = [
    # Korthikanti et al. 2022, table 2; Narayanan et al. 2021, the appendix; Kaplan et al. 2020, table 1.
    ("Activations per layer: s·b·h·(34 + 5·a·s/h)", "megatron"),
    ("FLOPs of a training step: F = 96Bslh²(1 + s/(6h) + V/(16lh))", "megatron"),
    ("Training FLOPs: 72Bslh²(1 + s/(6h) + V/(12lh))", "megatron"),
]


@pytest.mark.parametrize(("text", "alphabet"), PUBLISHED)
def test_published_formulas_hold(text: str, alphabet: str) -> None:
    assert [each.code for each in check_text(text, architecture="gpt2", alphabet=alphabet).findings] == ["component"]


def test_the_head_of_a_training_step_is_not_computed_again() -> None:
    """Megatron-LM, pull request 995: the V/(16lh) of recomputation stands in a formula without it."""
    result = check_text("Training FLOPs: 72Bslh²(1 + s/(6h) + V/(16lh))", architecture="gpt2", alphabet="megatron")
    (wrong,) = result.documents[0].wrong
    assert wrong.gap is not None
    assert "6BsVh is counted 0.75 times" in " ".join(listed(wrong.gap.explained_by, ENGLISH))


def test_a_batch_of_one_and_of_several() -> None:
    """A number for a batch, on a page that also has single sequences, is compared without a batch of one, which is a sequence."""
    table = "name flops\nattention   8053063680\nmlp         9663676417\nblock       17716740096\n"
    findings = check_text(f"batch size 8\n\n{table}\nper batch: 1,000,000,000 FLOPs\n", config="gpt2").findings
    assert [each.code for each in findings] == ["component", "wrong-component", "component", "open-component"]


SAME_LAYERS = """# T5-small

Encoder layer: self-attention 4 × 512² = 1,048,576 and feed-forward 2 × 512 × 2048 = 2,097,152, together 3,145,728.
Decoder layer: {decoder}.
Six layers of each: {layers}.
Embedding: 32128 × 512 = 16,449,536.
Total: {total} parameters.
"""


def test_layers_of_each_kind_are_not_one_of_them() -> None:
    page = SAME_LAYERS.format(decoder="the same, 3,145,728", layers="37,748,736", total="54,198,272")
    wrong = check_text(page, config="t5-small").documents[0].wrong
    said = [" ".join(listed(each.gap.explained_by, ENGLISH)) if each.gap is not None else "" for each in wrong]
    assert [each.text.strip(".") for each in wrong] == ["3,145,728", "37,748,736", "54,198,272"]
    assert "cross-attention" in said[0]
    assert "44,056,064" in ENGLISH.say(wrong[1].reason)
    assert "line 5" in said[2]


LETTERS = """Settings: L = 12, d = 768, n = 1024, V = 50257.

| module | FLOPs |
|---|---|
| QKV | 3,623,878,656 |
| output projection | 1,207,959,552 |
| MLP | 9,663,676,416 |
| LM head | {} |
"""


def test_an_l_of_layers_is_no_length() -> None:
    assert codes(LETTERS.format("79,047,426,048"), GPT2) == ["component"] * 4
    assert codes(LETTERS.format("39,523,713,024"), GPT2) == [*["component"] * 3, "wrong-component"]


SERVING_ONE = """# Serving Qwen2.5-7B

With 28 layers and 4 KV heads of 128, each token costs {} bytes.

A 32k context takes {} GiB in bf16.
"""


def test_bytes_of_a_token_and_of_a_context_are_those_of_its_keys_and_values() -> None:
    assert codes(SERVING_ONE.format("57,344", "1.75"), "qwen2.5-7b") == ["component"] * 2
    assert codes(SERVING_ONE.format("28,672", "0.875"), "qwen2.5-7b") == ["wrong-component"] * 2


def test_layers_of_one_kind_are_as_many_as_the_words_count() -> None:
    table = "| part | parameters |\n|---|---|\n| attention (61 layers) | 11.4B |\n| dense MLP ({} layers) | 1.19B |\n"
    assert codes(table.format(3), "deepseek-v3") == ["component"] * 2
    assert codes(table.format(4), "deepseek-v3") == ["component", "open-component"]


EXPERTS = """# Mixtral 8x7B: compute per token

- experts: {} FLOPs per layer
- attention projections: 83.9M FLOPs per layer
- router: 65,536 FLOPs per layer
"""


def test_all_experts_where_a_token_passes_through_two_are_named() -> None:
    assert codes(EXPERTS.format("704.6M"), "mixtral-8x7b") == ["component"] * 3
    (wrong,) = check_text(EXPERTS.format("2.82G"), config="mixtral-8x7b").documents[0].wrong
    assert wrong.gap is not None
    assert "all E experts instead of the K" in " ".join(listed(wrong.gap.explained_by, ENGLISH))
