"""Totals that are reached by adding to the layers, totals that leave out what the page leaves out, and pages about several models.

The sizes are those of the released configs: Llama-3-8B has 32 layers of 218,112,000 parameters, tables of 128,256 · 4,096 = 525,336,576 for
the tokens and for the head, and a final norm of 4,096; GPT-2 has a table of 50,257 · 768 = 38,597,376.
"""

from __future__ import annotations

import pytest

from symparam import check_text

LLAMA, GPT2, VIT = "llama-3-8b", "gpt2", "vit-base-patch16-224"
LAYERS = "The 32 layers have 6,979,584,000 parameters, {:,} each. "
ADDED = [
    ("With the embeddings, the output layer and the final norm: {:,} parameters.", 8_030_261_248, "holds"),
    ("With the embeddings and the output layer: {:,} parameters.", 8_030_257_152, "holds"),
    ("With the embeddings, the output layer and the final norm: {:,} parameters.", 7_504_924_672, "wrong"),  # One table is missing.
    ("With the token embedding ({:,}) and the head (525,336,576), it is more.", 525_336_576, "holds"),
    ("Plus the embeddings: {:,} parameters.", 525_336_576, "holds"),
    ("Plus the embeddings: {:,} parameters.", 262_668_288, "wrong"),  # Half of them.
    ("With the final norm: {:,} parameters.", 8_030_000_001, "undecided"),  # It may add to more than the layers.
]
TWO_MODELS = """# Two models

## BERT-base

$V = 30522$. The token embeddings have 23,440,896 parameters.

## GPT-2

The token embeddings have {:,} parameters. One layer has 7,087,872.
"""
WORKED = """
one attention    2 × 4096² + 2 × 4096 × 1024 = 41,943,040
one MLP          3 × 4096 × 14336            = 176,160,768
all layers       32 × (41,943,040 + 176,160,768) = 6,979,321,856
embedding                                    = 525,336,576
output head                                  = 525,336,576
{}total                                        = 8,029,995,008
"""
TRAINING = """
- bf16 weights: {} GB
- bf16 gradients: 2.20 GB
- fp32 master weights: 4.40 GB
- Adam's moments: 8.80 GB
- Together: 15.4 GB
"""
ONE = [
    # Three matrices are the whole; a number behind a sign of multiplication is a factor, and says nothing of its own.
    (LLAMA, "The MLP has three matrices of 4096 × 14336, so {:,} parameters per layer.", 176_160_768, 117_440_512),
    ("mixtral-8x7b", "Each expert has three matrices of 4096 × 14336: {:,} parameters. The router has 32,768.", 176_160_768, 117_440_512),
    (LLAMA, "```\n32 x\n  q_proj     {:,}\n  k_proj     4,194,304\n  v_proj     4,194,304\n```", 16_777_216, 16_777_215),
    # What is summed up is no second number for the weights.
    ("tinyllama-1.1b", TRAINING, 2.2, 1.1),
    # The format of its own clause counts, and not that of a later one.
    (LLAMA, "In bf16 the weights need {} GB, in int8 8.03 GB and in int4 4.1 GB.", 16.06, 32.12),
]  # fmt: skip


def verdict(page: str, config: str, number: float) -> str:
    """The verdict on the number, of the part or the total that it counts."""
    codes = ("component", "total", "open-component", "wrong-component", "wrong-total", "unclear-subject")
    found = [each for each in check_text(page, config=config).findings if each.code in codes and f"{number:,}" in each.right]
    return " ".join(dict.fromkeys(str(each.verdict) for each in found))


@pytest.mark.parametrize(("said", "number", "expected"), ADDED)
def test_what_is_added_to_the_layers(said: str, number: int, expected: str) -> None:
    assert verdict(LAYERS.format(218_112_000) + said.format(number), LLAMA, number) == expected


@pytest.mark.parametrize(("config", "page", "right", "slipped"), ONE)
def test_numbers(config: str, page: str, right: float, slipped: float) -> None:
    assert verdict(page.format(right), config, right) == "holds"
    assert verdict(page.format(slipped), config, slipped) == "wrong"


def test_the_tokens_of_a_vocabulary_are_no_length() -> None:  # The model's own is 1,024 tokens, of 36,864 bytes each.
    page = "GPT-2 has a vocabulary of 50,257 tokens.\n\nThe KV cache takes 37,748,736 bytes in fp16."
    assert verdict(page, GPT2, 37_748_736) == "holds"


def test_sizes_of_the_section_of_another_model_are_not_those_of_this_one() -> None:
    assert not check_text(TWO_MODELS.format(38_597_376), config=GPT2).wrong
    (wrong,) = check_text(TWO_MODELS.format(38_597_375), config=GPT2).wrong
    assert wrong.right == "38,597,375"
    assert verdict(TWO_MODELS.format(38_597_375), "bert-base-uncased", 23_440_896) == "holds"


@pytest.mark.parametrize(("rows", "expected"), [("", "undecided"), ("two norms of each layer = 8,192\n", "wrong")])
def test_a_total_without_norms_where_none_is_counted(rows: str, expected: str) -> None:
    assert verdict(WORKED.format(rows), LLAMA, 8_029_995_008) == expected


def test_a_backbone_without_its_classifier() -> None:
    page = "| part | parameters |\n|---|---|\n| patch embedding | 590,592 |\n| 12 layers | 85,054,464 |\n| total | {:,} |"
    assert verdict(page.format(85_798_656), VIT, 85_798_656) == "holds"
    assert verdict(page.format(85_798_566), VIT, 85_798_566) == "wrong"


def test_a_table_that_the_page_counts_as_nothing() -> None:
    page = "Token embeddings: 38,597,376\nPosition embeddings: {}\n12 layers: 85,054,464\nFinal norm: 1,536\nTotal: {:,}\n"
    assert verdict(page.format("0 (sinusoidal)", 123_653_376), GPT2, 123_653_376) == "undecided"
    assert verdict(page.format("786,432", 123_653_376), GPT2, 123_653_376) == "wrong"


SYSTEM = """
BERT-base without its unused pooling head has 108,891,648 parameters and the complete Emo-UID core has 523,406 parameters,
giving 109,415,054 active trainable parameters in total."""
OUT = """
FFN out    3072 × 768 +  768      =   2,360,064
× 12 layers                       =  85,054,464
TOTAL (encoder)                   = 108,891,648
"""


@pytest.mark.parametrize(
    ("page", "number", "expected"),
    [
        (OUT, 108_891_648, "undecided"),  # The layers with the embeddings, without the pooler.
        (OUT, 2_360_064, "holds"),
    ],
)
def test_totals_of_more_or_less_than_the_model(page: str, number: int, expected: str) -> None:
    assert verdict(page, "bert-base-uncased", number) == expected


def test_a_total_of_a_system_that_the_model_is_a_part_of() -> None:
    assert not check_text(SYSTEM, config="bert-base-uncased").wrong


def test_a_name_with_a_number_of_its_own_has_two_values() -> None:
    page = "n_vocab = 128256, n_embd = 4096\n\np_embd = n_vocab * n_embd = 524,288,000\np_all = 6,979,321,856 + 2*p_embd = 8,027,897,856"
    assert "8,027,897,856" not in [each.right for each in check_text(page).wrong]


HEADED = "## Parts\n\nEach layer has 12,596,224 parameters. The output embedding has 51,511,296.\n\n{}"


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ("The model has 405,334,016 parameters in total.", "holds"),  # 2 · 50304 · 1024 + 24 · 12,596,224 + 2048
        ("The model has 353,822,720 parameters in total.", "wrong"),
        ("The model has 353,822,720 parameters in total, without the output embedding.", "holds"),
        ("This makes 353,822,720 parameters.", "undecided"),
        ("## Without them\n\nThe model has 353,822,720 parameters in total.", "holds"),
    ],
)
def test_a_total_without_a_head_that_is_counted_above_it(said: str, verdict: str) -> None:
    assert check_text(HEADED.format(said), config="pythia-410m").findings[-1].verdict == verdict


@pytest.mark.parametrize(("total", "verdict"), [("774,030,080", "holds"), ("838,359,040", "wrong")])
def test_a_total_with_an_addition(total: str, verdict: str) -> None:
    page = f"词嵌入有 64,328,960 个参数。加上最后的 LayerNorm，GPT-2 large 一共有 {total} 个参数。"
    assert check_text(page, config="gpt2-large").findings[-1].verdict == verdict


@pytest.mark.parametrize(("total", "verdict"), [("335,141,888", "holds"), ("334,092,288", "wrong")])
def test_the_whole_model_after_one_of_its_parts(total: str, verdict: str) -> None:
    page = "The embeddings have 31,782,912 parameters, all layers 302,309,376. The pooler adds 1,049,600, and the whole model has {}."
    assert check_text(page.format(f"{total} parameters"), config="bert-large-uncased").findings[-1].verdict == verdict


def test_a_row_of_one_layer_in_a_column_of_all() -> None:
    page = "| 模块 | 每层 | 36 层合计 |\n|---|---|---|\n| 注意力 | 6,558,720 | 236,113,920 |\n| 一层 | 19,677,440 | 708,387,840 |\n"
    assert [each.code for each in check_text(page, config="gpt2-large").findings].count("component") == 4
