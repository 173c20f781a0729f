"""What the words of a number leave open is no ground to call it wrong; what two conventions at once would allow does not hold."""

from __future__ import annotations

import pytest

from symparam import check_text

RIGHT = [
    ("mistral-nemo-12b", "* per layer: 52.4M attention, 220.2M MLP"),  # 2·5120·4096 + 2·5120·1024; 3·5120·14336.
    ("gpt2-medium", "A block has 12.6M parameters: 4.2M attention, 8.4M MLP, and 4,096 for its layer norms."),
    (
        "bert-base-uncased",
        "**Attention.** Each of query, key, value has a weight of 768 × 768 and a bias of 768, that is 590,592. There is one more of that"
        " size for the output. Four of them: 2,362,368 per layer.",
    ),
    (
        "llama-2-7b",  # 6,738,415,616 parameters, each with 12 bytes of weights and moments in fp32.
        "Mixed precision: weights (fp16) 13.5 GB, gradients (fp16) 13.5 GB, Adam states (fp32 master weights and both moments) 80.9 GB.",
    ),
    (
        "tinyllama-1.1b",
        "Weights 2.2 GB, gradients 2.2 GB, fp32 master weights 4.4 GB and Adam moments 8.8 GB: 17.6 GB in all.",
    ),
    # Layers that the page builds without biases: 12 · (7,087,872 − 3 · 768) and what is left of 124,439,808.
    ("gpt2", "`nn.Linear(768, 768, bias=False)` for q, k and v\n\nEach layer has 7,085,568 parameters.\n\n| total | 124,412,160 |"),
    # More than the whole model has is of another one.
    ("gpt2", "The embedding (622M, 8% of all parameters)."),
    ("llama-2-70b", "With h heads of d, and standard MHA, one layer caches:\n\n- KV cache per layer: 2hSd numbers, 4hSd bytes"),
    # A layer of one kind is all that the model has of it, or one.
    ("gpt2", "- FFN層: 56.7M\n- Attention層: 28.3M\n- 埋め込み層: 39.4M"),
]
WRONG = [
    ("gpt2", "`lm_head = nn.Linear(768, 50257, bias=False)`\n\n| total | 124,412,160 |"),
    ("gpt2", "`nn.Linear(768, 768, bias=False)`\n\n| total | 124,214,528 |"),  # A table of positions of 732 rows.
    ("gpt2", "The embedding (39M, 8% of all parameters)."),
]
TABLE = "| module of one layer | parameters |\n|---|---|\n| self-attention | 2,362,368 |\n| FFN | {:,} |\n| LayerNorms | 3,072 |\n"


@pytest.mark.parametrize(("config", "page"), RIGHT)
def test_nothing_is_wrong(config: str, page: str) -> None:
    assert [each.right for each in check_text(page, config=config).findings if each.verdict == "wrong"] == []


@pytest.mark.parametrize(("config", "page"), WRONG)
def test_one_is_wrong(config: str, page: str) -> None:
    assert len(check_text(page, config=config).wrong) == 1


def test_a_missing_bias_is_not_another_convention_twice() -> None:
    """4,722,432 less the 3,072 biases of the first matrix is what weights with the scale of a norm have: 2 · 768 · 3072 + 768."""
    found = {}
    for number in (4_722_432, 4_719_360):
        findings = check_text(TABLE.format(number), config="bert-base-uncased").findings
        found[number] = [each.verdict for each in findings if each.right == f"{number:,}"]
    assert found[4_722_432] == ["holds"]
    assert "holds" not in found[4_719_360]
