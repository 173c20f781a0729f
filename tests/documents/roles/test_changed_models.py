"""What pages say about a model that is changed, and about norms and biases that some people count and others do not.

Each right statement stands beside the same with one slip. The numbers are worked out by hand from the released sizes.
"""

from __future__ import annotations

import pytest

from symparam import check_text

LLAMA, QWEN = "llama-3-8b", "qwen3-8b"
KNOWN = "attention per layer: 41,943,040\nMLP per layer: 176,160,768\nlayer: 218,112,000\n\n"
OF_GPT2 = "GPT-2 has 124,439,808 parameters. A block has 7,087,872.\n\n"
OF_VIT = "ViT-B/16 has 86,567,656 parameters. The position embeddings have 151,296.\n\n"

# Of a changed model: its numbers differ from those of the model as it is, whose number with a slip is the third.
CHANGED = [
    (LLAMA, KNOWN + "Dropping the last 8 layers saves 1,744,896,000 parameters, 3.49 GB in bf16.", "All 32 layers have 6,979,583,999."),
    (
        LLAMA, KNOWN + "With twice as many heads for the keys, each layer would have 226,500,608 parameters.",
        "Each layer has 226,500,608 parameters.",
    ),
    (
        LLAMA, KNOWN + "If the keys had as many heads as the queries, the attention of a layer needs 67,108,864.",
        "The attention of a layer needs 67,108,864.",
    ),
    (LLAMA, KNOWN + "We imagine full attention. Each layer has 243,277,824 parameters.", "Each layer has 243,277,824 parameters."),
    (LLAMA, KNOWN + "如果不用GQA,每层注意力有 67,108,864 个参数。", "每层注意力有 67,108,864 个参数。"),
    (
        LLAMA, KNOWN + "Ohne GQA hätte die Attention einer Schicht 67.108.864 Parameter.",
        "Die Attention einer Schicht hat 67.108.864 Parameter.",
    ),
    (
        LLAMA, KNOWN + "Sin GQA, la atención de cada capa tendría 67.108.864 parámetros.",
        "La atención de cada capa tiene 67.108.864 parámetros.",
    ),
    ("gpt2", OF_GPT2 + "24 layers instead of 12 add 85,054,464 and give 209,494,272.", "GPT-2 has 209,494,272 parameters in total."),
    (
        LLAMA, KNOWN + "- Small-4B-Wide\n  - starts from Llama 3 8B with 8B parameters\n  - total params: 4.5B",
        "Llama 3 8B has 4.5B parameters in total.",
    ),
    ("gpt3-175b", "# GPT-3 175B\n\n175B params, trained on 300B tokens", "300B params in total"),
    (LLAMA, KNOWN + "Total model parameters: 8,000,000,000", "Total model parameters: 8,000,000,128"),
    ("vit-base-patch16-224", OF_VIT + "For 384 × 384 pixels the total becomes 86,859,496.", "The total is 86,859,496."),
]  # fmt: skip


@pytest.mark.parametrize(("config", "changed", "slipped"), CHANGED)
def test_a_changed_model_is_not_the_model(config: str, changed: str, slipped: str) -> None:
    assert not check_text(changed, config=config).wrong
    assert check_text(changed.rpartition("\n")[0] + "\n" + slipped, config=config).wrong


def test_a_factor_that_is_no_size_of_the_model() -> None:
    page = KNOWN + "The token embedding has {} × 4096 = {:,} parameters."
    assert not check_text(page.format("150,000", 150_000 * 4096), config=LLAMA).wrong
    assert check_text(page.format("2 × 128,256", 2 * 128_256 * 4096), config=LLAMA).wrong


# Norms of queries and keys are counted among those of a layer, or beside them.
NORMS = [
    (QWEN, "- MLP: 150,994,944 per layer\n- RMSNorms: {:,} per layer\n- QK norms: 256", (2 * 4096, 2 * 4096 + 256), 2 * 4096 + 128),
    ("qwen3-0.6b", "- MLP: 9,437,184 per layer\n- RMSNorms: {:,} per layer", (2 * 1024, 2 * 1024 + 256), 3 * 1024 + 256),
    ("gemma-3-1b", "- MLP: 23,887,872 per layer\n- norms: {:,} per layer", (4 * 1152, 4 * 1152 + 512), 2 * 1152),
    ("olmo-2-7b", "- MLP: 135,266,304 per layer\n- norms: {:,} per layer, q_norm and k_norm another 8,192", (8192, 16384), 12288),
    ("deepseek-v3", "- Dense MLP: 396,361,728 per layer\n- RMSNorms: {:,} per layer", (2 * 7168, 2 * 7168 + 2048), 3 * 7168),
    ("bert-base-uncased", "- MLP: 4,722,432 per layer\n- LayerNorms: {:,} per layer", (3072,), 2304),  # Both norms of BERT are its own.
]  # fmt: skip


@pytest.mark.parametrize(("config", "page", "right", "slipped"), NORMS)
def test_norms_inside_and_outside_the_attention(config: str, page: str, right: tuple[int, ...], slipped: int) -> None:
    for count in right:
        assert "component" in [each.code for each in check_text(page.format(count), config=config).findings][1:]
        assert not check_text(page.format(count), config=config).wrong
    assert check_text(page.format(slipped), config=config).wrong


EXPERT = "An expert of a layer has {} × 2880 × 2880 weights = {:,}, plus biases 5,760 + 2,880 = 8,640, {:,} in all."
BIASES = [
    ("gpt-oss-20b", EXPERT.format(3, 24_883_200, 24_891_840), EXPERT.format(2, 16_588_800, 16_597_440)),
    ("bert-base-chinese", "自注意力(Q、K、V、O 四个线性层,含偏置):2,362,368", "自注意力(Q、K、V、O 四个线性层,含偏置):每层 1,771,776"),
    ("bert-base-uncased", "Attention (biases included), per layer: 2,362,368", "Attention (biases included), per layer: 1,771,776"),
    ("deepseek-v3", "Router: 256 × 7168 = 1,835,008, plus 256 biases = 1,835,264 per layer", "Router: 128 × 7168 = 917,504 per layer"),
]  # fmt: skip


@pytest.mark.parametrize(("config", "right", "slipped"), BIASES)
def test_biases_that_are_included(config: str, right: str, slipped: str) -> None:
    assert "component" in [each.code for each in check_text(right, config=config).findings]
    assert not check_text(right, config=config).wrong
    assert check_text(slipped, config=config).wrong


def test_a_number_has_one_verdict() -> None:
    page = "The 32 layers have 46,440,644,608 parameters. The tables have 262,144,000. "
    page += "With the final norm (4096) the total is {:,} parameters, i.e. 46.7B."
    own = [each.code for each in check_text(page.format(46_702_792_704), config="mixtral-8x7b").findings if each.right == "46,702,792,704"]
    assert own == ["sum", "total"]
    other = check_text(page.format(46_702_792_704 + 4096), config="mixtral-8x7b").findings
    assert [each.verdict for each in other if each.right == "46,702,796,800"] == ["undecided"]


def test_letters_that_are_declared_with_their_values() -> None:
    page = "隐藏维度 $h=5120$，层数 $l=40$。\n\n每层的注意力：$4h^2 = 104857600$。\n\n每层的 MLP：{}。\n"
    assert not check_text(page.format(212336640), config="llama-2-13b").wrong
    assert check_text(page.format(141557760), config="llama-2-13b").wrong


def test_a_module_outside_the_layers_is_not_of_all_layers() -> None:
    reasons = [str(each.message) for each in check_text("embedding LayerNorm: 1,536", config="bert-base-uncased").findings]
    assert reasons == ["BertModel has 1,536 parameters in embeddings.LayerNorm"]


def test_embeddings_do_not_count_a_projection_that_they_lack() -> None:
    (own,) = check_text("Embeddings: 3,906,048", config="albert-base-v2").findings  # (30000 + 512 + 2 + 2) · 128
    assert own.message.endswith("this counts its norm as well")
