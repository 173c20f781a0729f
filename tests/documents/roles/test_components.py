"""Parts of models that pages count, held against the modules of the model."""

from __future__ import annotations

import pytest

from symparam import check_text
from symparam.writing.findings.gaps import listed
from symparam.writing.wording import ENGLISH

BERT, GPT2, LLAMA = "bert-base-uncased", "gpt2", "llama-3-8b"


def codes(text: str, config: str) -> list[tuple[str, str]]:
    """The number and the code of each part of the model."""
    found = [(finding.right, finding.code) for finding in check_text(text, config=config).findings]
    return [each for each in found if each[1].endswith("component")]


@pytest.mark.parametrize("formula", ["3HI^N", "2^(H/h)", "4H^(N·V)", "I^{HV}"])
def test_a_formula_with_letters_in_an_exponent_is_no_part(formula: str) -> None:
    assert codes(f"The feed-forward part has {formula} parameters.\n\n- attention: {formula}\n", "gemma-2b") == []


HOLDS = [
    ("attention: 2,362,368", GPT2), ("attention: 2.36M parameters", GPT2), ("attention, all layers: 28,348,416", GPT2),
    ("12 layers × attention: 28,348,416", GPT2), ("attention biases in each layer: 3,072", GPT2),
    ("attention without biases: 2,359,296", GPT2), ("attention: 2,360,064", GPT2), ("MLP: 4,719,360", GPT2),
    ("MLP: 4,722,432", BERT), ("MLP with its norm in a layer: 4,723,968", BERT), ("LayerNorm: 1,536", BERT),
    ("LayerNorms in each layer: 3,072", BERT), ("embeddings: 23,837,184", BERT), ("embeddings: 23,835,648", BERT),
    ("word embeddings: 23,440,896", BERT), ("W_Q: 589,824", GPT2), ("Q, K, V: 1,771,776", GPT2), ("query per head: 49,152", BERT),
    ("lm head: 38,597,376", GPT2), ("non-embedding parameters: 85,056,000", GPT2), ("每层的注意力: 2,362,368", GPT2),
    ("`model.layers.0.self_attn.k_proj.weight`: 4,194,304", LLAMA), ("model.layers[3].mlp: 176,160,768", LLAMA),
    ("each expert: 176,160,768", "mixtral-8x7b"), ("router in a layer: 32,768", "mixtral-8x7b"),
    ("active feed-forward parameters per layer: 352,354,304", "mixtral-8x7b"),
    ("Embeddings (in + out): 1,050,673,152", LLAMA), ("MoE 层: 1,409,318,912", "mixtral-8x7b"), ("MoE 层: 1,451,270,144", "mixtral-8x7b"),
    ("MoE 层: 11,507,286,016", "deepseek-v3"), ("MoE 层 (58 层): 每层 11,507,286,016", "deepseek-v3"),
    ("稠密层: 583,483,392", "deepseek-v3"),
    ("KV cache per token: 188,416 bytes", "glm-4.5-air"), ("KV cache per token: 4,997,120 bytes", "deepseek-v3"),
    # A word behind the number says that it is one of those before it.
    ("12 layers, 7,087,872 each", BERT), ("12 blocks with 7,087,872 parameters apiece", GPT2),
    ("Ein Block ohne Bias hat 7.079.424 Parameter.", GPT2),  # 12 · 768² and the weights of two norms, 2 · 768.
    ("# Memory\n\n- MLP in each layer: 176M\n- norms in each layer: 8K\n", LLAMA),  # Not bytes: 2 · 4096.
    ("| part | count |\n|---|---|\n| attention per layer | 41.9M |\n| layer total | 218M |\n", LLAMA),
    ("each block:\n\n- LayerNorm 1: 1,536\n- MLP: 4,722,432\n- LayerNorm 2: 1,536\n", GPT2),
    ("# Training in fp32\n\n- weights: 498 MB\n- first moment (m): 498 MB\n- second moment v: 498 MB\n", GPT2),
    ("# fp32 训练\n\n- 权重：498 MB\n- 一阶动量 m：498 MB\n- 二阶动量 v：498 MB\n", GPT2),
    ("encoder attention: 6,291,456", "t5-small"), ("cross-attention in all layers: 6,291,456", "t5-small"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "config"), HOLDS)
def test_what_the_model_has(text: str, config: str) -> None:
    assert {code for _, code in codes(text, config)} == {"component"}


NOT_HELD = [
    # Numbers of the cache, not bytes; the names of projections that no word explains; the bias of what a clause before it names.
    ("The cache has 2 × 12 × 768 = 18,432 numbers per token, in fp32 72 KiB.", GPT2),
    ("MLA: q_a 11,010,048, q_b 37,748,736, kv_a 4,128,768, kv_b 16,777,216, o 117,440,512, 187.1M per layer", "deepseek-v3"),
    ("The dense layer of the head has 590,592, its norm 1,536, and the bias 30,522 parameters.", BERT),
    ("LoRA attention: 2,362,369 parameters", GPT2),
    ("attention FLOPs: 2,362,369", GPT2),
    ("BERT attention: 2,362,300 parameters in each layer", GPT2),
    ("H = 1024\n\nattention in each layer: 4,198,400", GPT2),
    ("| part | teacher |\n|---|---|\n| attention | 2,000,000 |\n| MLP | 4,722,432 |", GPT2),
    # The first cell of the second row is no name that can be read.
    ("name        flops\nattention   8053063680\nmlp/up1     4831838208\nmlp         9663676416\nblock       17716740096", GPT2),
]


T5_DECODER = "The encoder has 6 layers with 3,146,752 each; the decoder has 6 with 4,195,840, i.e. {}"  # Without biases of positions.
NOT_HELD += [("The MLP has 176,160,768 parameters, and a layer 218,112,000.", LLAMA)]
BIASES = "attention biases per layer: 3,072\nMLP biases per layer: 3,840\n\n"
NOT_HELD += [(BIASES + "no biases in attention (12 × 2,304 = 27,648 less)", GPT2)]
NOT_HELD += [(
    "attention: 41,943,040\nMLP: 176,160,768\n\nAll attention: 1,342,177,280; all MLPs: 5,637,144,576; norms: 262,144", LLAMA,
)]  # fmt: skip
NOT_HELD += [(T5_DECODER.format("25,175,040"), "t5-small")]
KNOWN = "attention per layer: 41,943,040\nMLP per layer: 176,160,768\nnorms per layer: 8,192\n\n"
NOT_HELD += [
    (KNOWN + "| Model | Format | Bytes / layer |\n|---|---|---|\n| Llama | fp8 | 218,112,000 |\n| Llama | mxfp4 | 115,872,000 |", LLAMA),
    (KNOWN + "**Embeddings are 13.1% of the 8B model**.", LLAMA),
    (KNOWN + "| part | parameters |\n|---|---|\n| Total (32 layers) | 6,979,584,000 + 1,050,673,152 = 8,030,257,152 |", LLAMA),
    # Letters of sizes: what a model has if one of them is doubled.
    (KNOWN + "| letter | parameters |\n|---|---|\n| k | 8,298,696,704 |\n| V | 9,080,934,400 |\n| I_v | 12,080,934,400 |", LLAMA),
    (KNOWN + "feed-forward (intermediate) size  intermediate_size  14,336", LLAMA),
    # One of several, another part named behind the number, a model called by its size, a difference.
    (KNOWN + "A layer has 218M parameters, of which 42M are attention.", LLAMA),
    (KNOWN + "Each matrix of the MLP has 58.7M parameters.", LLAMA),
    (KNOWN + "The RMSNorms have 266,240 parameters in total, 8,192 per layer and 4,096 for the last.", LLAMA),
    (KNOWN + "- attention: 41,943,040\n- MLP: 176,160,768\n- the layer without its MLP: 41,951,232", LLAMA),
    (KNOWN + "A layer has 218M, 32 layers 6.98B, each with an MLP of 176M.", LLAMA),
    (KNOWN + "The KV cache takes 131,072 bytes per token, for a 32k context 4 GiB.", LLAMA),
    (KNOWN + "70B has 80 layers and 8B has 32, so 2.5 times as many.", LLAMA),
    (KNOWN + "With a wider input the attention grows by 4,194,304 parameters in each layer.", LLAMA),
]


@pytest.mark.parametrize(("text", "config"), NOT_HELD)
def test_what_may_be_about_something_else(text: str, config: str) -> None:
    assert "wrong-component" not in [code for _, code in codes(text, config)]


def test_only_what_is_added_makes_a_number_a_sum() -> None:
    """A decoder layer of T5 without its cross-attention is the encoder's layer and 512, which stand on the line for something else."""
    encoder = "An encoder layer has 1,048,576 + 2,097,152 + 2 × 512 = 3,146,752 parameters"
    assert ("3,147,264", "wrong-component") in codes(f"{encoder}, a decoder layer 1,048,576 + 2,097,152 + 3 × 512 = 3,147,264.", "t5-small")


def test_a_letter_behind_digits_is_no_matrix() -> None:
    assert codes("204K and 805.5M are cut.", GPT2) == []


def test_a_letter_that_is_set_to_a_size_is_no_part() -> None:
    assert codes("V = 128256, H = 4096, N = 32", LLAMA) == []


TABLE = """
| part | parameters |
|---|---:|
| Token embeddings | 38,597,376 |
| Position embeddings | 786,432 |
| Attention | {attention} |
| MLP | {mlp} |
| LayerNorms | 38,400 |
"""


@pytest.mark.parametrize(
    ("attention", "mlp", "wrong"),
    [
        ("28,348,416", "56,669,184", []),
        ("28,311,552", "56,669,184", ["28,311,552"]),  # Without its biases, where the others have theirs.
        ("28,348,416", "4,722,432", ["4,722,432"]),  # Of one layer, where the others are of all.
        ("21,261,312", "56,669,184", ["21,261,312"]),
        ("28,348,416", "85,003,776", ["85,003,776"]),
    ],
)
def test_one_part_that_is_wrong(attention: str, mlp: str, wrong: list[str]) -> None:
    found = codes(TABLE.format(attention=attention, mlp=mlp), GPT2)
    assert [number for number, code in found if code == "wrong-component"] == wrong


def test_a_total_is_explained_by_its_parts() -> None:
    """Grouped queries counted as multi-head, and a gated feed-forward part as two matrices: what the total lacks is what they lack."""
    text = """
- embeddings: 525,336,576
- attention: 2,147,483,648
- mlp: 3,758,096,384
- norms: 266,240
- lm head: 525,336,576

Total: 6,956,519,424
"""
    (document,) = check_text(text, config=LLAMA).documents
    attention, mlp, total = document.wrong
    assert (attention.right, mlp.right, total.right) == ("2,147,483,648", "3,758,096,384", "6,956,519,424")
    assert total.gap is not None
    assert [cause.value for cause in total.gap.explained_by] == [805_306_368, -1_879_048_192]
    told = " ".join(" ".join(line.split()) for line in listed(total.gap.explained_by, ENGLISH))
    assert "line 3, attention: counted with h = 32 in place of k = 8" in told
    assert "line 4, mlp: missing: one of the three linear maps" in told


def test_a_total_is_explained_by_its_parts_and_what_is_missing_beside_them() -> None:
    # Attention with 32 instead of 8 key/value heads, in 32 layers; the norms have (2 × 32 + 1) × 4,096 parameters.
    text = "attn: 67,108,864\nffn: 176,160,768\nemb: 1,050,673,152\n\nTotal parameters: 1,050,673,152 + 32 × 243,269,632 = 8,835,301,376\n"
    (gap,) = [each.gap for each in check_text(text, config=LLAMA).findings if each.code == "wrong-total"]
    assert gap is not None
    assert [(each.reason.kind, each.value) for each in gap.explained_by] == [("part-off", 805_306_368), ("missing", -266_240)]


def test_a_part_of_each_layer_explains_a_total() -> None:
    # The biases of attention, 4 × 768 in each of 12 layers, which are as many as those of the LayerNorms.
    text = "- token embeddings: 38,597,376\n- position embeddings: 786,432\n- attention per layer: 2,359,296\n- MLP per layer: 4,722,432\n"
    text += "- LayerNorms per layer: 3,072\n- final LayerNorm: 1,536\n\nTotal: 124,402,944 parameters\n"
    (gap,) = [each.gap for each in check_text(text, config=GPT2).findings if each.code == "wrong-total"]
    assert gap is not None
    assert [(each.reason.kind, each.value) for each in gap.explained_by] == [("part-off", -36_864)]


def test_a_total_of_operations_is_none_of_parameters() -> None:
    text = "| operation | count |\n|---|---|\n| products | 85,138,944 |\n| sums | 85,113,406 |\n| quotients | 56,402 |\n"
    text += "| **Total FLOPs (products + sums)** | **170,252,350** |\n\nGPT-2 small has 124,439,808 parameters.\n"
    assert not check_text(text, config=GPT2).documents[0].wrong


def test_a_part_that_is_counted_twice() -> None:
    (document,) = check_text("feed-forward in a layer: 9,437,184", config=BERT).documents
    (wrong,) = document.wrong
    assert wrong.gap is not None
    assert "it is 2 times 4,718,592, weights without their biases" in " ".join(listed(wrong.gap.explained_by, ENGLISH))


def causes(text: str, config: str) -> str:
    """What explains the first wrong part of the page."""
    wrong = check_text(text, config=config).wrong[0]
    assert wrong.gap is not None
    return " ".join(" ".join(line.split()) for line in listed(wrong.gap.explained_by, ENGLISH))


def test_a_single_projection_in_as_many_heads_as_queries() -> None:
    table = "| part | parameters |\n|---|---|\n| q_proj | 16,777,216 |\n| k_proj | 4,194,304 |\n| v_proj | 16,777,216 |\n"
    assert "counted with h = 32 in place of k = 8: the value projection" in causes(table, LLAMA)


def test_norms_that_are_missing_are_not_the_block_around_them() -> None:
    table = "| part | parameters |\n|---|---|\n| attention | 167,772,160 |\n| layer norms | 131,072 |\n| final norm | 4,096 |\n"
    assert "missing: the RMSNorms of the selective state space in each of the 16 layers" in causes(table, "jamba-1.5-mini")


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Each expert has 176,160,768 parameters in all layers.", "wrong"),
        ("Each expert has 5,637,144,576 parameters in all layers.", "holds"),
        ("Each expert has 176,160,768 parameters in each layer.", "holds"), ("Each expert has 176,160,768 parameters.", "holds"),
        ("The attention has 41,943,040 parameters in all layers.", "wrong"), ("The attention has 41,943,040 parameters.", "holds"),
    ],
)  # fmt: skip
def test_words_behind_a_number_say_of_how_many_layers_it_is(text: str, verdict: str) -> None:
    """3 · 4,096 · 14,336 = 176,160,768 in each of the 32 layers, 2 · 4,096² + 2 · 4,096 · 1,024 = 41,943,040."""
    assert [each.verdict for each in check_text(f"{text}\n", config="mixtral-8x7b").findings] == [verdict]


@pytest.mark.parametrize(("count", "verdict"), [("5,637,144,576", "holds"), ("176,160,768", "wrong"), ("5,637,144,577", "wrong")])
def test_one_expert_of_all_layers(count: str, verdict: str) -> None:
    rows = f"| Embedding | 131,072,000 |\n| Attention, all layers | 1,342,177,280 |\n| One expert, all layers | {count} |\n"
    found = check_text(f"| Part | Parameters |\n|---|---|\n{rows}", config="mixtral-8x7b")  # 3 · 4,096 · 14,336 · 32 = 5,637,144,576.
    assert [each.verdict for each in found.findings] == ["holds", "holds", verdict]
