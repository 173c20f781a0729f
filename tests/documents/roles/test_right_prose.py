"""Numbers that are right in sentences that name several parts: each is held against the one that it is said of, or against none."""

from __future__ import annotations

import pytest

from symparam import check_text

RIGHT = [
    (
        "pythia-1.4b",  # H = 2048: 4H² + 4H, 8H² + 5H and 4H, each named after its formula.
        "Let $d$ be the model dimension. A layer has $12d^2 + 13d$ parameters: $4d^2 + 4d$ for the attention (16,785,408), $8d^2 + 5d$ for"
        " the MLP (33,564,672), and $4d$ for two LayerNorms (8,192).",
    ),
    (
        "whisper-small",  # The clause names the first term of the sum, and its result is the layer.
        "An attention block has 4·768² + 3·768 = 2,361,600 parameters.\n\nDecoder:\n* tokens: 51865·768 = 39,832,320\n"
        "* positions: 448·768 = 344,064\n"
        "* a layer has two attentions, 2·2,361,600 + 4,722,432 + 6·768 = 9,450,240; 12 layers 113,402,880\n",
    ),
    ("llama-3.1-8b", "32 层合计 6,979,584,000,词嵌入 525,336,576,输出层同样大小,总计约 80.3 亿。"),
    (
        "gpt2-medium",  # The first formula leaves out the scores, as its sentence says, and the second is that of all layers.
        "Let $N$ be the number of layers, $d$ the model dimension and $T$ the context length. The context has 1024 tokens.\n\n"
        "Forward FLOPs per token:\n\n- QKV projection: $6d^2$\n- output projection: $2d^2$\n- MLP: $16d^2$\n- logits: $2Vd$\n\n"
        "Without the attention scores and values, all layers and logits take $24Nd^2 + 2Vd$ FLOPs per token. The attention adds $4NTd$.",
    ),
    ("vit-base-patch16-224", "patch_embed = 3 * 16 * 16 * 768 + 768 = 591k\nblock = 7.1M\n12 blocks = 85M\ntotal ≈ 86M\n"),
    (
        "llama-7b",  # A row names another size of the family, for which there is no preset.
        "| 模型 | 层数 | 头数 | head_dim | 每 token KV (FP16) |\n|---|---|---|---|---|\n| Llama-7B | 32 | 32 | 128 | 512 KB |\n"
        "| Llama-13B | 40 | 40 | 128 | 800 KB |\n| Llama-70B | 80 | 64 | 128 | 2.56 MB |\n",
    ),
    ("llama-3.2-3b", "    layer                    100.7M\n    model   28 layers          3.2B\n"),
    (
        "distilbert-base-uncased",
        "| 模块 | DistilBERT |\n| :-- | --: |\n| 词嵌入 | 23,440,896 |\n| 位置嵌入 | 393,216 |\n| 嵌入 LayerNorm | 1,536 |\n"
        "| 单层 | 7,087,872 |\n| 层数 | 6 |\n| 所有层 | 42,527,232 |\n| 合计 | 66,362,880 |\n",
    ),
]


@pytest.mark.parametrize(("model", "page"), RIGHT)
def test_no_right_number_is_called_wrong(model: str, page: str) -> None:
    assert [each.right for each in check_text(page, config=model).wrong] == []


def test_a_total_that_is_not_the_sum_is_still_found() -> None:
    page = "| 模块 | 参数 |\n| :-- | --: |\n| 词嵌入 | 23,440,896 |\n| 位置嵌入 | 393,216 |\n| 单层 | 7,087,872 |\n| 层数 | 6 |\n"
    page += "| 所有层 | 42,527,232 |\n| 合计 | 66,361,444 |\n"
    assert len(check_text(page).wrong) == 1


@pytest.mark.parametrize(
    ("model", "page", "right"),
    [
        # A layer is wrong also if all layers follow from it: two norms for four.
        ("gemma-2-9b", "MLP: 154,140,672. Attention: 44,040,192. A layer: 198,188,032. All 42: 8,323,897,344.", "198,188,032"),
        # What follows from it, too, has every head where the model has shared ones.
        (
            "llama-3-8b",
            "# Llama-3-8B\n\nKV cache: bytes per token = 2 * 32 layers * 32 heads * 128 dim * 2 bytes = 524,288 bytes"
            "\n\n| context | KV cache (bf16, batch 1) |\n|--:|--:|\n| 2,048 | 1.00 GiB |\n| 4,096 | 2.00 GiB |\n| 8,192 | 4.00 GiB |\n",
            "524,288",
        ),
    ],
)
def test_a_number_is_wrong_although_others_follow_from_it(model: str, page: str, right: str) -> None:
    assert right in " ".join(each.right or "" for each in check_text(page, config=model).wrong)


def test_a_sum_below_a_part_is_not_the_model() -> None:
    page = (
        "Encoder:\n* layers: 85,045,248\n* sum: 88,153,344\n\nDecoder:\n* tokens: 39,832,320\n* layers: 113,411,000\n* sum: 153,243,320\n"
    )
    assert "wrong-total" not in [each.code for each in check_text(page, config="whisper-small").wrong]
