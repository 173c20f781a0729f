"""One of several matrices, or several of them: ``each of the four matrices``, ``4h² each``, ``Compute Q, K and V``. All lines are right."""

from __future__ import annotations

import pytest

from symparam import check_text

PARAMETERS = "# Parameters of each layer of GPT-2 without biases\n\n- attention: $4h^2$\n- MLP: $8h^2$\n- attention and MLP: $12h^2$\n{}\n"
OPERATIONS = "# Forward FLOPs of each layer (b batch, s sequence length, h hidden size)\n\n- QK^T: $2bs^2h$\n{}\n"
CHINESE = "# 每层参数量\n\n隐藏维度为 $h$。\n\n- 自注意力：$4h^2 + 4h$\n- MLP：$8h^2 + 5h$\n{}\n"
EACH = (
    "The four attention matrices have $h^2$ each",
    "Q, K, V, O: $h^2$ each",
    "The two MLP matrices have $4h^2$ parameters each",
    "Each of Q, K and V has $h^2$",
    "Each of the two MLP matrices: $4h^2$",
    "Every attention matrix has $h^2$ parameters",
    "each MLP matrix: $4h^2$",
    "one of the MLP matrices: $4h^2$",
    "each of the matrices Q, K, V and O: $h^2$",
    "each linear layer of the MLP: $4h^2$",
    "attention: four matrices, each $h^2$",
)
EACH_CHINESE = (
    "注意力的四个矩阵，每个 $h^2$",
    "Q、K、V、O 各 $h^2$",
    "MLP 两个线性层，每个线性层 $4h^2$",
    "自注意力的每个权重矩阵大小为 $h^2$",
)
WORK = (
    "Q, K, V: $2bsh^2$ each",
    "each of Q, K, V: $2bsh^2$",
    "Each of the four projections costs $2bsh^2$",
    "QK^T and AV: $2bs^2h$ each",
    "the two attention products: $2bs^2h$ each",
    "a linear layer of the MLP takes $8bsh^2$ FLOPs",
    "one linear layer of the MLP: $8bsh^2$",
    "per matrix of the MLP: $8bsh^2$",
    "The two matrices of the feed-forward block cost $8bsh^2$ each",
    "Computing Q, K and V: $6bsh^2$",
    "the projections to Q, K, V: $6bsh^2$",
    "计算 Q、K、V：$6bsh^2$",
    "线性变换得到 Q、K、V：$6bsh^2$",
    "Attention matrix computation: $2bs^2h$",
)


def codes(page: str, **said: str) -> list[str]:
    return [each.code for each in check_text(page, config="gpt2", **said).documents[0].findings]


@pytest.mark.parametrize("line", EACH)
def test_parameters(line: str) -> None:
    assert codes(PARAMETERS.format(f"- {line}"), alphabet="megatron") == ["component"] * 4


@pytest.mark.parametrize("line", EACH_CHINESE)
def test_parameters_in_chinese(line: str) -> None:
    assert codes(CHINESE.format(f"- {line}")) == ["component"] * 3


@pytest.mark.parametrize("line", WORK)
def test_operations(line: str) -> None:
    assert codes(OPERATIONS.format(f"- {line}"), alphabet="megatron") == ["component"] * 2


def test_all_beside_each_other() -> None:
    """What holds beside a line shows how its author counts, and is a ground to call it wrong."""
    for page, lines, before in ((PARAMETERS, EACH, 3), (OPERATIONS, WORK, 1)):
        assert codes(page.format("\n".join(f"- {line}" for line in lines)), alphabet="megatron") == ["component"] * (len(lines) + before)


@pytest.mark.parametrize(
    ("line", "is_wrong"),
    [
        ("- MLP: two matrices with $4h^2$ weights", False),
        ("- MLP: 2 matrices of $4h^2$", False),
        ("- attention: 4 × $h^2$", False),
        ("- MLP: $4h^2$", True),
        ("- Q, K, V: $h^2$", True),
        ("- Each of the two MLP matrices: $8h^2$", True),
    ],
)
def test_one_of_those_that_the_line_counts(line: str, is_wrong: bool) -> None:
    assert ("wrong-component" in codes(PARAMETERS.format(line), alphabet="megatron")) is is_wrong


@pytest.mark.parametrize("norms", ["RMSNorm 2つ", "RMSNorm 2個", "两个 RMSNorm", "RMSNorm 2개", "2 RMSNorms"])
def test_a_count_is_no_ordinal(norms: str) -> None:
    assert [each.code for each in check_text(f"- {norms}: 8,192\n", config="mixtral-8x7b").documents[0].findings] == ["component"]


def test_a_linear_layer_in_a_part() -> None:
    rows = "| attention dense | 20,647,936 |\n| query_key_value | 21,229,568 |\n| mlp dense_h_to_4h | 82,591,744 |\n"
    (document,) = check_text(f"# Falcon-7B\n\n| tensor | parameters |\n|---|---|\n{rows}", config="falcon-7b").documents
    assert [each.code for each in document.findings] == ["component"] * 3


def test_one_of_two_numbers() -> None:
    page = "Each layer of BERT-base:\n\n- attention: 2,362,368\n- {}: 2,362,368 {} 2,360,064, {} 4,722,432\n- two norms (each): 1,536\n"
    for said in (("feed-forward network", "and", "together"), ("полносвязная сеть", "и", "вместе"), ("前馈网络", "和", "共")):
        (document,) = check_text(page.format(*said), config="bert-base-uncased").documents
        assert not document.wrong
        assert [each.right for each in document.findings if each.code == "component"][-1] == "1,536"


def test_all_together_are_in_all_layers() -> None:
    page = "Ein Experte hat 176 Mio. Parameter, die acht einer Schicht 1,41 Mrd., alle Experten zusammen 45,1 Mrd.\n"
    (document,) = check_text(f"# Mixtral\n\n{page}", config="mixtral-8x7b").documents
    assert [each.code for each in document.findings if "component" in each.code][-1] == "component"


def test_the_values_of_a_table_of_products() -> None:
    rows = "| scores | 3.28M |\n| values | 3.28M |\n| output projection | 5.12M |\n| MLP | 41.0M |\n"
    page = f"# FLOPs of a layer of GPT-2 XL, per token, 1024 tokens\n\n| op | FLOPs |\n|---|---|\n{rows}"
    (document,) = check_text(page, config="gpt2-xl").documents
    assert [each.code for each in document.findings] == ["component"] * 4
