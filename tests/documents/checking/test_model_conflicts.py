"""Numbers of a page that are not about the user's model: other sizes beside them, another class, another model, a difference."""

from __future__ import annotations

import pytest

from symparam import check_text
from symparam.documents.checking.finding import Verdict

GPT2 = "gpt2"
PARTS = "- Token embeddings: {:,}\n- Position embeddings: 786,432\n- Final LayerNorm: 1,536\n- Total: {:,}\n"


def verdicts(text: str, **model: str) -> list[tuple[Verdict, str]]:
    return [(each.verdict, each.message) for each in check_text(text, **model).findings if each.code in CODES]


CODES = ("total", "wrong-total", "unclear-subject", "component", "wrong-component", "open-component")

OTHER_SIZES = [
    "## GPT-2 small\n\n| Property | Value |\n|---|---|\n| Total Parameters | 134,601,216 |\n| Vocab Size | 32,000 |\n| Layers | 12 |\n",
    "- n_layer = 16\n- n_embd = 768\n\nTotal parameters: 190,711,296\n",
    "Layers      : 16\n\nTotal parameters: 150,260,736\n",
    "层数：16\n\n总参数量：150,260,736\n",
]


@pytest.mark.parametrize("text", OTHER_SIZES)
def test_a_section_with_other_sizes_is_about_another_model(text: str) -> None:
    found = verdicts(text, config=GPT2)
    assert Verdict.WRONG not in {verdict for verdict, _ in found}
    assert any("this part of the page gives" in said for _, said in found)


@pytest.mark.parametrize("letters", ["HINh", "NhHI", "IhNH", "hNIH"])
def test_the_first_other_size_of_the_page_is_named(letters: str) -> None:
    sizes = {"H": 4096, "I": 8192, "N": 40, "h": 24}
    given = "\n\n".join(f"{letter} = {sizes[letter]}" for letter in letters)
    ((_, said),) = verdicts(f"## Sizes\n\n{given}\n\n## Count\n\nTotal parameters: 190,711,296\n", config=GPT2)
    assert said.startswith(f"this part of the page gives {letters[0]} = {sizes[letters[0]]:,}")


def test_another_section_is_held_against_the_model() -> None:
    text = "## Ours\n\nLayers: 16\n\n## GPT-2\n\nLayers: 12\n\nGPT-2 has 124,439,809 parameters in total.\n"
    assert [verdict for verdict, _ in verdicts(text, config=GPT2)] == [Verdict.WRONG]


def test_the_first_factor_of_a_product_is_no_size() -> None:
    text = "- vocabulary: 50,258 × 768 = 38,598,144\n- layers: 13 * 7,087,872\n\nTotal parameters: 124,439,809\n"
    assert Verdict.WRONG in {verdict for verdict, _ in verdicts(text, config=GPT2)}


def test_a_number_of_parameters_is_no_size() -> None:
    assert [verdict for verdict, _ in verdicts("Layers: 85,054,464\n\nTotal parameters: 124,439,809\n", config=GPT2)][-1] is Verdict.WRONG


@pytest.mark.parametrize("line", ["The rule 2N with N = 124,439,808 gives 248,879,616.", "<!-- N = 16 -->"])
def test_a_letter_for_the_number_of_parameters_is_no_number_of_layers(line: str) -> None:
    found = verdicts(f"Total parameters: 124,439,809\n\n{line}\n", config=GPT2)
    assert [verdict for verdict, _ in found][:1] == [Verdict.WRONG]


SIBLINGS = [
    ("Total params: 124,441,346", "bert-base-uncased", False),
    ("Total params: 109,483,778", "bert-base-uncased", "BertForSequenceClassification"),
    ("BERT-base and Mistral-7B-v0.1.\n\nTotal parameters: 7,241,732,096", "llama-3-8b", "mistral-7b-v0.1"),
]


@pytest.mark.parametrize(("text", "model", "name"), SIBLINGS)
def test_the_number_of_another_class_or_of_a_model_that_the_page_names(text: str, model: str, name: str | bool) -> None:
    ((verdict, said),) = verdicts(text, config=model)
    assert (verdict is Verdict.UNDECIDED and said.startswith(f"this is the number of {name}; ")) if name else verdict is Verdict.WRONG


def test_the_formula_of_another_class() -> None:
    text = "Total parameters: (V + P + T + 2)H + N(4H² + 9H + 2HI + I) + H² + H + 2V + H² + 3H"
    assert [verdict for verdict, _ in verdicts(text, architecture="bert")] == [Verdict.WRONG]
    text = "Total parameters: (V + P + T + 2)H + N(4H² + 9H + 2HI + I) + H² + 3H + V"
    ((verdict, said),) = verdicts(text, architecture="bert")
    assert verdict is Verdict.UNDECIDED
    assert "BertForMaskedLM" in said


def test_what_is_only_about_so_much_is_not_wrong() -> None:
    ((verdict, said),) = verdicts("Total parameters ≈ 12 × n_layer × n_embd² + 2 × vocab_size × n_embd", config=GPT2)
    assert verdict is Verdict.UNDECIDED
    assert said.startswith("the page says that the number is only approximate")


OTHERS = [
    "GPT-2 有 4 个版本，参数量从 117M 到 1.5B：",
    "Training takes 855,000,000 FLOPs per token.",
    "Training needs 746,638,848 FLOPs per token.",
    "GPT-2 (50K) adds ~77M params vs char-level (~100) adds 0.2M",
    "This is TOTAL params (146.7M for Mixtral).",
    "    layer_parameters = (  (n_embd + 1) * n_embd     # q_proj\n        + n_embd * n_embd     # o_proj\n",
    "FFN with SwiGLU, parameters of each layer: 3 × 768 × 3072 = 7,077,888\n\nTotal parameters: 152,759,808",
]


@pytest.mark.few(3)
@pytest.mark.parametrize("text", OTHERS)
def test_what_is_not_the_models_is_not_wrong(text: str) -> None:
    assert Verdict.WRONG not in {verdict for verdict, _ in verdicts(text, config=GPT2)}


def test_the_head_of_a_column_of_values_is_no_projection() -> None:
    text = "| Property | Value |\n|---|---|\n| Total Parameters | 3,221,825 |\n"
    assert Verdict.WRONG not in {verdict for verdict, _ in verdicts(text, config=GPT2)}


def test_names_of_tensors_in_a_table() -> None:
    """With their underscores, and with the name that another class gives to what is around them."""
    head = "| Name | Shape | Number of parameters |\n|---|---|---|\n"
    rows = ["transformer.h.0.attn.c_attn.weight | (768, 2304) | 1769472", "transformer.ln_f.bias | (768,) | 768"]
    found = verdicts(head + "".join(f"| {row} |\n" for row in rows), config=GPT2)
    assert [verdict for verdict, _ in found] == [Verdict.HOLDS] * 2
    found = verdicts(head + "| bert.embeddings.word_embeddings.weight | (30522, 768) | 23440896 |\n", config="bert-base-uncased")
    assert [verdict for verdict, _ in found] == [Verdict.HOLDS]


def test_a_word_for_adapters_beside_nothing() -> None:
    """No adapters: zero is not their number."""
    check_text("GPT-2 has 0 parameters, and Total parameters: 0\n", config=GPT2)


@pytest.mark.parametrize(
    "text",
    [
        "## GPT-2\n\nGPT-2 has 117M, 345M, 762M and 1.5B parameters in total.\n",
        "## GPT-2\n\nGPT-2 的参数总量分别是 117M、345M 和 1.5B。\n",
        "## GPT-2\n\nGPT-2 has 117M & 345M parameters in total.\n",
    ],
)
def test_one_of_a_list_of_totals_is_not_wrong(text: str) -> None:
    assert Verdict.WRONG not in {verdict for verdict, _ in verdicts(text, config=GPT2)}


def test_a_total_by_itself_is_wrong() -> None:
    text = "## GPT-2\n\nGPT-2 has 117M parameters in total.\n"
    assert Verdict.WRONG in {verdict for verdict, _ in verdicts(text, config=GPT2)}


@pytest.mark.parametrize("head", ["bfloat16 FLOPs/s", "FLOPs / $", "**FLOPs/sec**"])
def test_a_rate_of_a_device_is_none_of_the_model(head: str) -> None:
    rows = "| A100 | 2.55e8 |\n"  # The FLOPs of a token in GPT-2, 2 · 124,337,664 and those of attention with a cache.
    assert verdicts(f"# GPT-2\n\n| device | {head} |\n|---|---|\n{rows}", config=GPT2) == []


@pytest.mark.parametrize(("count", "verdict"), [("7B", Verdict.UNDECIDED), ("7.0B", Verdict.HOLDS), ("8B", Verdict.HOLDS)])
def test_one_digit_is_not_a_way_of_counting(count: str, verdict: Verdict) -> None:
    text = f"# Llama-3-8B\n\nIt has {count} parameters in total.\n"  # 6,979,588,096 of 8,030,261,248 are in the layers.
    assert [found for found, _ in verdicts(text, config="llama-3-8b")] == [verdict]


OWN_MODEL = """- Positional encoding: 0 (sinusoidal)
- Attention: 4 × (768 × 768) = {attention:,}
- FFN: (768 × 3072) + 3072 + (3072 × 768) + 768 = 4,722,432
- LayerNorms: 2 × (768 + 768) = 3,072

12 blocks: {blocks:,}
"""


def test_a_page_without_a_part_of_the_model_counts_its_own_parts() -> None:
    found = dict.fromkeys(verdict for verdict, _ in verdicts(OWN_MODEL.format(attention=2_359_296, blocks=85_017_600), config=GPT2))
    assert Verdict.WRONG not in found


def test_the_biases_of_the_attention_are_not_taken_for_two_norms() -> None:
    text = OWN_MODEL.format(attention=2_359_296, blocks=85_017_600)
    said = {each.right: each.code for each in check_text(text, config=GPT2).findings if each.code in CODES}
    assert said["85,017,600"] == "open-component"


@pytest.mark.parametrize(
    ("line", "verdict"),
    [
        ("Optimizer states: 134M × 8 bytes = 1.07 GB", Verdict.UNDECIDED),  # Of another model.
        ("Optimizer states: 124.4M × 8 bytes = 995 MB", Verdict.HOLDS),  # The line states its bytes.
        ("Optimizer states: 124.4M × 12 bytes = 1.493 GB", Verdict.HOLDS),
    ],
)
def test_the_bytes_and_the_count_of_a_calculation(line: str, verdict: Verdict) -> None:
    found = verdicts(f"GPT-2 small in training:\n\n{line}\n", config=GPT2)
    assert [each for each, _ in found] == [verdict]
