"""The model that a page names in its headings: taken from there, and held lightly."""

from __future__ import annotations

import pytest

from symparam import check_text
from symparam.documents.roles.model_names import first_models

NAMED = [
    ("# BERT-base's parameters", "bert-base-uncased"), ("# BERT_Base 110M", "bert-base-uncased"), ("## GPT-2 small", "gpt2"),
    ("# Llama 3.1 8B in memory", "llama-3.1-8b"), ("# Llama-3-8B", "llama-3-8b"), ("Mistral 7B\n==========", "mistral-7b-v0.1"),
    ("\\section{DeepSeek-V3}", "deepseek-v3"), ("How large is ViT-B/16?", "vit-base-patch16-224"), ("# GPT-2 1.5B", None),
    ("# OPT-13B", "opt-13b"), ("# OPT-1.3B", "opt-1.3b"), ("# Llama-31-8B", None), ("# GPT-2 124M", "gpt2"),
    ("# Llama-3-8B and Llama-3-70B", None), ("# Transformers", None), ("", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "name"), NAMED)
def test_names(text: str, name: str | None) -> None:
    found = first_models(text + "\n\nA text.\n")
    assert (next(iter(found)) if len(found) == 1 else None) == name


PARTS = [
    ("token embeddings", 38_597_376), ("position embeddings", 786_432), ("attention per layer", 2_362_368), ("MLP per layer", 4_722_432),
]  # fmt: skip


def page(total: int, parts: int = len(PARTS), title: str = "# GPT-2 small") -> str:
    return f"{title}\n\n" + "".join(f"- {name}: {size:,}\n" for name, size in PARTS[:parts]) + f"\nTotal: {total:,} parameters\n"


def test_held_where_the_page_has_its_numbers() -> None:
    (document,) = check_text(page(124_439_808)).documents
    assert [each.code for each in document.findings] == ["component"] * 4 + ["total"]
    assert "line 1" in document.notes[-1]
    assert "--config gpt2" in document.notes[-1]


def test_nothing_that_differs_is_wrong() -> None:
    (document,) = check_text(page(124_439_809)).documents
    assert [each.code for each in document.findings] == ["component"] * 4 + ["unclear-subject"]
    assert not document.wrong
    assert [each.code for each in check_text(page(124_439_809), config="gpt2").documents[0].wrong] == ["wrong-total"]


def test_a_page_without_its_numbers_is_not_about_it() -> None:
    (document,) = check_text(page(124_439_808, title="# A model")).documents
    assert (document.findings, document.notes) == ((), ())


def test_numbers_of_a_page_with_several_models_are_noticed() -> None:
    (document,) = check_text(page(124_439_808, title="# GPT-2 small and GPT-2 medium")).documents
    assert [each.right for each in document.findings if each.code == "not-judged"] == [f"{size:,}" for _, size in PARTS] + ["124,439,808"]
    assert all("names 2 models (gpt2, gpt2-medium)" in each.message for each in document.findings)


def test_a_page_with_few_of_its_numbers_is_not_about_it() -> None:
    (document,) = check_text(page(124_439_809, 2)).documents
    assert [each.right for each in document.findings if each.code == "not-judged"] == ["38,597,376", "786,432", "124,439,809"]
    assert all("--config gpt2" in each.message for each in document.findings)


SIZES = "It has 32 layers of width 4096 with an MLP of 14336 and a vocabulary of {vocabulary}."


@pytest.mark.parametrize(
    ("title", "vocabulary", "codes"),
    [("# Llama-3-8B", "128,256", ["component"]), ("# Llama-3-8B", "32000", ["not-judged"]), ("# A model", "128,256", [])],
)
def test_held_where_the_page_states_the_sizes(title: str, vocabulary: str, codes: list[str]) -> None:
    (document,) = check_text(f"{title}\n\n{SIZES.format(vocabulary=vocabulary)}\n\n- MLP per layer: 176M parameters\n").documents
    assert sorted({each.code for each in document.findings}) == codes


@pytest.mark.parametrize(
    ("parts", "codes"),
    [
        ("embeddings: 23.8M, encoder layers: 85.1M, pooler: 0.59M", ["component"]),
        ("embeddings: 24M, encoder layers: 85M, pooler: 0.6M", ["not-judged"]),  # Too few digits to tell models apart.
        ("embeddings: 23.9M, encoder layers: 85.3M, pooler: 0.59M", ["not-judged"]),
    ],
)
def test_held_where_rounded_counts_of_its_parts_are_stated(parts: str, codes: list[str]) -> None:
    (document,) = check_text("# BERT-base\n\n" + "".join(f"- {part} parameters\n" for part in parts.split(", "))).documents
    assert sorted({each.code for each in document.findings}) == codes


def test_a_name_further_below_is_not_what_the_page_is_about() -> None:
    sizes = SIZES.format(vocabulary="128256")
    text = f"# Small models\n\n{'A word. ' * 80}\n\n## Llama-3-8B\n\n{sizes}\n\n- MLP per layer: 176M parameters\n"
    assert [each.code for each in check_text(text).documents[0].findings] == ["not-judged"]


def test_a_part_that_differs_is_undecided() -> None:
    (document,) = check_text(page(124_439_808).replace("4,722,432", "4,722,433")).documents
    assert [(each.code, each.right) for each in document.findings if each.code != "component"] == [
        ("unclear-subject", "4,722,433"),
        ("total", "124,439,808"),
    ]


def test_what_could_not_be_judged_is_counted() -> None:
    text = page(124_439_808) + "\nThe embeddings need 0.3 GB.\n"
    (document,) = check_text(text).documents
    assert [(each.right, each.code) for each in document.findings if each.verdict == "undecided"] == [("0.3 GB", "open-component")]


def test_a_large_number_that_no_word_explains_is_noticed_beside_a_given_model_only() -> None:
    text = "# GPT-2 small\n\nThe corpus came to 8,123,456 in the end.\n"
    assert check_text(text).documents[0].findings == ()
    assert [each.code for each in check_text(text, config="gpt2").documents[0].findings] == ["not-judged"]
