"""Numbers beside the name of another released model than the user's are held against that one."""

from __future__ import annotations

import pytest

from symparam import check_text

SMALL, LARGE = "llama-3.1-8b", "llama-3.1-70b"


def found(text: str, config: str = SMALL) -> list[tuple[str, str, str]]:
    """The number, the verdict and the code of each finding on the model."""
    every = check_text(text, config=config).findings
    return [(each.right, str(each.verdict), each.code) for each in every]


TABLE = "| model | MLP parameters per layer |\n|---|---|\n| Llama-3.1-8B | {} |\n| Llama-3.1-70B | {} |\n"

# The MLP of a layer has 3 · 4096 · 14336 = 176,160,768 and 3 · 8192 · 28672 = 704,643,072 parameters.
ROWS = [
    (TABLE.format("176,160,768", "704,643,072"), [("holds", "component"), ("holds", "component")]),
    (TABLE.format("176,160,768", "704,643,070"), [("holds", "component"), ("undecided", "unclear-subject")]),
    (TABLE.format("176,160,768", "176,160,768"), [("holds", "component"), ("undecided", "open-component")]),
    (
        "| MLP parameters per layer | Llama-3.1-8B | Llama-3.1-70B |\n|---|---|---|\n| up, gate, down | 176,160,768 | 704,643,072 |\n",
        [("holds", "component"), ("holds", "component")],
    ),
]


@pytest.mark.parametrize(("text", "verdicts"), ROWS)
def test_a_row_or_a_column_names_its_model(text: str, verdicts: list[tuple[str, str]]) -> None:
    assert [(verdict, code) for _, verdict, code in found(text)] == verdicts


# 2 · 8192² + 2 · 8192 · 1024 = 150,994,944 and 2 · 4096² + 2 · 4096 · 1024 = 41,943,040.
SECTIONS = [
    ("## {}\n\n- attention per layer: 150,994,944\n", LARGE, ("150,994,944", "holds", "component")),
    ("## {}\n\n- attention per layer: 150,994,945\n", LARGE, ("150,994,945", "undecided", "unclear-subject")),
    ("## {}\n\n- attention per layer: 41,943,040\n", LARGE, ("41,943,040", "holds", "component")),  # It may compare them.
    ("## {}\n\nIt has 70,553,706,496 parameters in total.\n", LARGE, ("70,553,706,496", "holds", "total")),
    ("In {}, attention has 150,994,944 parameters per layer.\n", LARGE, ("150,994,944", "holds", "component")),
    ("{}的每层注意力有150,994,944个参数。\n", LARGE, ("150,994,944", "holds", "component")),
]


@pytest.mark.parametrize(("text", "name", "expected"), SECTIONS)
def test_a_heading_or_a_clause_names_its_model(text: str, name: str, expected: tuple[str, str, str]) -> None:
    assert found(text.format(name)) == [expected]


def test_a_number_that_is_not_understood_is_said_to_be_beside_another_model() -> None:
    head = "| model | attention per layer | shards on disk |\n|---|---|---|\n"
    text = f"{head}| Llama-3.1-8B | 41,943,040 | 16.1 GB |\n| Llama-3.1-70B | 150,994,944 | 141 GB |\n"
    messages = [each.message for each in check_text(text, config=SMALL).findings]
    assert any("llama-3.1-70b" in each for each in messages[2:])


@pytest.mark.parametrize("heading", ["Llama-3.1-8B", "Llama-3.1-8B and Llama-3.1-70B", "Llama-3-8B", "Sizes"])
def test_the_users_model_is_meant_where_no_other_is_alone(heading: str) -> None:
    text = f"## {heading}\n\n- attention per layer: 41,943,040\n- MLP per layer: 176,160,768\n"
    assert {code for _, _, code in found(text)} == {"component"}


@pytest.mark.parametrize("heading", ["Llama-3.1-8B", "Sizes"])
def test_what_differs_from_the_users_model_is_wrong(heading: str) -> None:
    text = f"## {heading}\n\n- attention per layer: 41,943,040\n- MLP per layer: 117,440,512\n"  # Two matrices of three.
    assert ("117,440,512", "wrong", "wrong-component") in found(text)


# 2 · 32 · 32 · 128, 2 · 32 · 8 · 128 and 2 · 28 · 4 · 128 numbers per token, of two bytes each.
CACHES = """## KV Cache 大小

单序列，FP16：

| 模型 | 注意力 | 8K 上下文 | 128K 上下文 |
|---|---|---|---|
| Llama-2-7B | MHA | 4.00 GB | 64.0 GB |
| Llama-3.1-8B | GQA | 1.00 GB | 16.0 GB |
| Qwen2.5-7B | GQA | 0.47 GB | 7.52 GB |
"""


def test_a_table_of_caches_of_several_models_holds() -> None:
    assert [(number, verdict) for number, verdict, code in found(CACHES) if code == "component"] == [
        (f"{number} GB", "holds") for number in ("4.00", "64.0", "1.00", "16.0", "0.47", "7.52")
    ]


def test_rows_above_say_nothing_of_the_kind_of_attention() -> None:
    text = CACHES.replace("1.00 GB", "1.40 GB")
    message = next(each.message for each in check_text(text, config=SMALL).findings if each.right == "1.40 GB")
    assert "another kind of attention" not in message
