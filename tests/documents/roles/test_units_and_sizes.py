"""Numbers that are judged by the others of their page: in which unit it counts, which number is a size, and what a name stands for."""

from __future__ import annotations

import pytest

from symparam import check_text

# GPT-2 with 1,024 tokens: each product of attention takes 2 · 1024² · 768 = 1,610,612,736 FLOPs; for a token, the MLP 2 · 2 · 768 · 3072.
SCORES = (
    "In GPT-2 small with 1,024 tokens, the attention scores of one layer cost {:,} FLOPs and the weighted sum of the values {:,} FLOPs."
)
HALVES = (
    "One token through the MLP of a GPT-2 layer costs 9,437,184 FLOPs. "
    "The attention projections cost 2,359,296 FLOPs per token and layer.\n"
    "The LM head costs 38,597,376 FLOPs per token."
)
# Llama 2 7B: 4 · 4096², 3 · 4096 · 11008 and 2 · 4096 parameters.
LAYER = "Each layer of Llama 2 7B has:\n\n- attention: 67,108,864\n- MLP: 135,266,304\n- two RMSNorms: {:,}\n"
# Qwen3-30B-A3B: three matrices of 2048 · 768 in each of 128 experts.
EXPERTS = "hidden_size=2048, moe_intermediate_size=768.\n\n- one expert: {:,}\n- all 128 experts of a layer: 603,979,776\n"
MATRICES = "| tensor of an expert | parameters |\n|---|---|\n| gate_proj | {:,} |\n| up_proj | {:,} |\n| down_proj | {:,} |\n"
# Mixtral uses two of eight experts: 46,702,792,704 − 32 · 6 · 176,160,768, and 7.2 billion with one of them.
ACTIVE = "Since only two of the eight experts run for each token, the active parameters are {}."
# ViT-B/16: 197 · 4 · 768² and 2 · 197 · 768 · 3072 MACs in each layer, 17.56 billion in all, each two FLOPs.
VIT = (
    "| part | MACs per image |\n|---|---|\n| attention projections | 464.8M |\n| MLP | {}M |\n\n"
    "A forward pass takes about 17.6 GMACs per image, that is 35.1 GFLOPs."
)
# GPT-2: 3 · 2 · 768², 2 · 1024 · 768 twice, and 2 · 768² FLOPs for a token. The weighted sum is no sum of the rows above.
FRENCH = (
    "Pour une séquence de 1 024 tokens :\n\n| opération | FLOPs par couche |\n|---|---:|\n| projections q, k, v | 3 623 878 656 |\n"
    "| scores d'attention | 1 610 612 736 |\n| somme pondérée des valeurs | 1 610 612 736 |\n| projection de sortie | 1 207 959 552 |\n"
)
PAGES = [
    ("gpt2", SCORES.format(1_610_612_736, 1_610_612_736), []),
    ("gpt2", SCORES.format(1_610_612_736, 805_306_368), ["805,306,368 FLOPs"]),
    ("gpt2", HALVES, []),  # What is right by its own unit is not wrong because two others are not.
    ("llama-2-7b", LAYER.format(8192), []),
    ("llama-2-7b", LAYER.format(4096), ["4,096"]),  # A list of parts has no room for a size.
    ("qwen3-30b-a3b", EXPERTS.format(4_718_592), []),
    ("qwen3-30b-a3b", EXPERTS.format(3_145_728), ["3,145,728"]),
    ("mixtral-8x7b", MATRICES.format(*[58_720_256] * 3), []),
    ("mixtral-8x7b", ACTIVE.format("12.9B"), []),
    ("mixtral-8x7b", ACTIVE.format("7.2B"), ["7.2B"]),
    ("mixtral-8x7b", ACTIVE.format("8.2B"), []),
    ("vit-base-patch16-224", VIT.format("929.6"), []),
    ("vit-base-patch16-224", VIT.format("464.8"), ["464.8M"]),
    ("gpt2", FRENCH, []),
    ("gpt2", "A layer has 85,054,464 parameters.", ["85,054,464"]),  # Its layers are alike: 12 · 7,087,872.
]


@pytest.mark.parametrize(("config", "page", "wrong"), PAGES)
def test_what_is_wrong(config: str, page: str, wrong: list[str]) -> None:
    assert [each.text for each in check_text(page, config=config).wrong] == wrong


@pytest.mark.parametrize(
    ("config", "page"), [("mixtral-8x7b", MATRICES.format(*[58_720_256] * 3)), ("vit-base-patch16-224", VIT.format(929.6))]
)
def test_what_holds(config: str, page: str) -> None:
    assert [each.code for each in check_text(page, config=config).findings if each.verdict != "holds"] == []


def test_the_last_matrix_of_t5_is_no_output_of_attention() -> None:
    """12 · 768² is what all output projections of an encoder have."""
    page = "Cada capa del codificador contiene:\n\n- autoatención (q, k, v, o): 2.359.296\n- red feed-forward (wi, wo): {} parámetros\n"
    assert [each.verdict for each in check_text(page.format("4.718.592"), config="t5-base").findings] == ["holds", "holds"]
    findings = check_text(page.format("7.077.888"), config="t5-base").findings
    assert "holds" not in [each.verdict for each in findings if each.text == "7.077.888"]
