"""Numbers of variants of the user's model: the model's but for a size or a part, so not called wrong; and beside each an error."""

from __future__ import annotations

import pytest

from symparam import check_text

REFINER = (
    "# BERT-base with a refiner\n\n| Part | Formula | Parameters |\n|---|---|---|\n| Word embeddings | 30,522 × 768 | 23,440,896 |\n"
    "| Position embeddings | 512 × 768 | 393,216 |\n| Final LayerNorm | {} |\n"
)
TABLES = (
    "The word embeddings of GPT-2 have 38,597,376 parameters, its position embeddings 786,432.\n\n## {}\n\n"
    "The number of parameters of the word embedding layer is 768 × 1,024 = 786,432.\n"
)
BARE = (
    "# BERT-base\n\n- Embedding: 23,835,648\n- Attention, all 12 layers: {}\n- Feed-forward, all 12 layers: 56,623,104\n"
    "- LayerNorm: 38,400\n\nTotal: {} parameters\n"
)
POSITIONS = "# GPT-2 124M\n\ncontext_length = {}\n\nTotal parameters: 123,849,984\n"
PARTS = (
    "# BERT-base\n\n* query, key, value matrix : $3*768*768 = 1,769,472$\n* output matrix : $768*768 = 589,824$\n"
    "* {} : $768*3072 = 2,359,296$\n* {} : $3072*768 = 2,359,296$\n"
)
CASES = [
    ("bert-base-uncased", REFINER.format("2 × 512 | 1,024"), []),
    ("bert-base-uncased", REFINER.format("2 × 768 | 1,538"), ["1,538"]),
    ("gpt2", TABLES.format("Position embedding"), []),  # The sentence names one part, its heading the one that is counted.
    ("gpt2", TABLES.format("The first table"), ["786,432"]),
    ("bert-base-uncased", BARE.format("28,311,552", "108,808,704"), []),  # −12(5 · 768 + 3,072) biases, −(768² + 768) of the pooler.
    ("bert-base-uncased", BARE.format("28,348,416", "108,845,568"), ["56,623,104", "108,845,568"]),  # Attention with its biases.
    ("gpt2", POSITIONS.format(256), []),  # 124,439,808 − 768 · 768
    ("gpt2", POSITIONS.format(512), ["123,849,984"]),
    ("bert-base-uncased", PARTS.format("Feed-forward 1", "Feed-forward 2"), []),
    ("bert-base-uncased", PARTS.format("Feed-forward", "Another"), ["2,359,296"]),
    ("gpt2", "The token embeddings of GPT-2: with d = 256 there are 50257 × 256 = 12,865,792 parameters.\n", []),
]  # fmt: skip


@pytest.mark.parametrize(("model", "text", "wrong"), CASES)
def test_what_is_called_wrong(model: str, text: str, wrong: list[str]) -> None:
    assert [each.right for each in check_text(text, config=model).documents[0].wrong] == wrong


def test_a_number_below_the_words_that_lead_to_it() -> None:
    text = "# BERT-base\n\nThe {} embeddings are a matrix of shape [{}, 768], parameters:\n\n{} × 768 = {}\n"
    (document,) = check_text(text.format("token", 30522, 30522, 23440896), config="bert-base-uncased").documents
    assert [each.right for each in document.findings if each.code == "component"] == ["23440896"]
    (document,) = check_text(text.format("token", 512, 512, 393216), config="bert-base-uncased").documents
    assert not document.wrong  # It may be an intermediate result.


def test_a_sentence_that_goes_on_in_the_next_line() -> None:
    text = "In one block of Llama 2 7B the attention part holds four matrices of 4096{}by 4096, which is 67,108,864.\n"
    for between in (" ", "\n"):
        (document,) = check_text(text.format(between), config="llama-2-7b").documents
        assert "67,108,864" in [each.right for each in document.findings if each.code == "component"]


@pytest.mark.parametrize(
    "sizes", ["24 layers, d = 2048, 32 heads, ffn 8192, vocab 50272", "24 layers; hidden 2048; FFN 8,192; 32 heads; context 2048"]
)
def test_an_enumeration_of_sizes_counts_nothing(sizes: str) -> None:
    page = f"# OPT-1.3B\n\nOPT-1.3B: {sizes}.\n\nAttention: 16,785,408 per layer\nFFN: 33,564,672 per layer\nPer layer: 50,358,272\n"
    (document,) = check_text(page, config="opt-1.3b").documents
    assert [each.code for each in document.findings if "component" in each.code] == ["component"] * 3


@pytest.mark.parametrize(
    ("line", "right", "gap"),
    [
        ("The weights take 61.06 GB in bf16.", "61.06 GB", "digits-swapped"),  # 16.06
        ("The weights take 61 GB in bf16.", "", ""),  # Two digits are often like those of another number.
        ("All 32 layers: 6,997,584,000 parameters", "6,997,584,000", "digits-swapped"),  # 6,979,584,000
    ],
)
def test_swapped_digits(line: str, right: str, gap: str) -> None:
    wrong = check_text(f"# Llama-3-8B\n\n{line}\n", config="llama-3-8b").documents[0].wrong
    assert [(each.right, each.gap.explained_by[0].reason.kind) for each in wrong if each.gap] == ([(right, gap)] if right else [])


def test_a_numbered_matrix_is_one_of_its_part() -> None:
    rows = "| LN1 | 2,048 |\n| qkv | 3,148,800 |\n| LN2 | 2,048 |\n| fc1 | {} |\n| fc2 | 4,195,328 |\n"
    page = f"# ViT-L/16\n\n| part of a block | parameters |\n|---|---|\n{rows}"
    for stated, wrong in (("4,198,400", []), ("4,189,400", ["4,189,400"])):
        (document,) = check_text(page.format(stated), config="vit-large-patch16-224").documents
        assert [each.right for each in document.wrong] == wrong
