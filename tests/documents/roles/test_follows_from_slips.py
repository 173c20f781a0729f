"""A number that follows by right arithmetic from a wrong number of the page, or from a right one, is not called wrong itself."""

from __future__ import annotations

import pytest

from symparam import check_text

# BERT-base: 4 × (768² + 768) = 768 × 3072 + 3072 = 2,362,368, 3072 × 768 + 768 = 2,360,064, a LayerNorm 1,536; a layer 7,087,872.
LAYER = (
    "## One layer\n\n- Attention: 2,362,368\n- LayerNorm of the attention: 1,536\n- MLP, first matrix: 768 × 3,072 + 3,072 = 2,362,368\n"
    "- MLP, second matrix: {second}\n- LayerNorm of the MLP: 1,536\n- Layer, total: {layer}\n"
)
# At 512 tokens the twelve layers take 12 × (24 × 512 × 768² + 4 × 512² × 768) = 96,636,764,160 FLOPs, and the pooler 2 × 768² besides.
FLOPS = (
    "## FLOPs\n\nFor one sequence of 512 tokens:\n\n- Projections of the attention, all layers: 28,991,029,248 FLOPs\n"
    "- Products of the attention (QK and AV), all layers: {products} FLOPs\n- MLP, all layers: 57,982,058,496 FLOPs\n"
    "- Encoder: 96,636,764,160 FLOPs\n"
)


@pytest.mark.parametrize(
    ("page", "wrong"),
    [
        (LAYER.format(second="3,072 × 768 + 768 = 2,360,064", layer="7,087,872"), []),
        # The bias of the first matrix in place of that of the second; the sum goes on with it.
        (LAYER.format(second="3,072 × 768 + 3,072 = 2,362,368", layer="7,090,176"), ["2,362,368"]),
        (LAYER.format(second="2,362,368", layer="7,090,176") + "\nThe twelve layers have 12 × 7,090,176 = 85,082,112.\n", ["2,362,368"]),
        # The right sum of rows of which one is wrong is not wrong itself.
        (LAYER.format(second="2,362,368", layer="7,087,872"), ["2,362,368"]),
        (
            "| Table | Size | Parameters |\n|---|---|---:|\n| Words | 30,522 × 768 | 23,440,896 |\n| Positions | 512 × 768 | 393,216 |\n"
            "| Segments | 2 × 768 | 1,536 |\n| LayerNorm | 2 × 768 | 768 |\n| Embeddings, total | | 23,837,184 |\n",
            ["768"],
        ),
        # A sum that is off by itself.
        (LAYER.format(second="2,360,064", layer="7,087,878"), ["7,087,878"]),
        (FLOPS.format(products="9,663,676,416"), []),
        (FLOPS.format(products="4,831,838,208"), ["4,831,838,208 FLOPs"]),
        # Three times the layers, and one token of 512 of them, without the pooler.
        (FLOPS.format(products="9,663,676,416") + "- A training step: 289,910,292,480 FLOPs\n- Per token: 188,743,680 FLOPs\n", []),
        (FLOPS.format(products="9,663,676,416") + "- A training step: 193,273,528,320 FLOPs\n", ["193,273,528,320 FLOPs"]),
    ],
)  # fmt: skip
def test_only_the_slip_is_called_wrong(page: str, wrong: list[str]) -> None:
    assert [each.text.replace(" | ", " = ").split(" = ")[-1] for each in check_text(page, config="bert-base-uncased").wrong] == wrong


@pytest.mark.parametrize(
    ("page", "config", "wrong"),
    [
        # 17,563,828,224 multiplications with additions are 35.13 GFLOPs.
        ("A forward pass with 197 tokens takes about $17.56$ GMACs, or $35.13$ GFLOPs.", "vit-base-patch16-224", []),
        ("A forward pass with 197 tokens takes about $17.56$ GMACs, or $17.56$ GFLOPs.", "vit-base-patch16-224", ["$17.56$ GFLOPs"]),
        # Two moments of four bytes for each of 109,482,240 parameters; the clause before is about gradients.
        ("In fp32 the gradients take 437,928,960 bytes and both moments of Adam 875,857,920 bytes.", "bert-base-uncased", []),
        (
            "In fp32 the gradients take 437,928,960 bytes and both moments of Adam 437,928,960 bytes.",
            "bert-base-uncased", ["437,928,960 bytes"],
        ),
        # 2 × 32 × 8 × 128 × 2 bytes a token, 16 bits each as below, whatever else the page quantises.
        (
            "The weights take 14.48 GB in bf16 and 7.24 GB in int8.\n\n"
            "- KV cache per token and layer: 4,096 bytes\n- KV cache per token: 65,536 bytes\n"
            "- KV cache of 4,096 tokens: 512 MiB\n",
            "mistral-7b-v0.1", ["65,536 bytes"],
        ),
        # 2 × 3 × 4,096 × 14,336 = 352,321,536 for each expert that a token passes through.
        ("- One expert: 352,321,536 FLOPs per token\n- LM head: 262,144,000 FLOPs per token\n", "mixtral-8x7b", []),
        ("- Both experts of one layer: 704,643,072 FLOPs per token\n- LM head: 262,144,000 FLOPs per token\n", "mixtral-8x7b", []),
        (
            "- One expert: 176,160,768 FLOPs per token\n- LM head: 262,144,000 FLOPs per token\n"
            "- Attention projections of one layer: 83,886,080 FLOPs per token\n",
            "mixtral-8x7b", ["176,160,768 FLOPs"],
        ),
        # Twice, not three times, what the number beside it counts: two operations for each of 6,738,415,616 parameters.
        ("Forward pass: about 13.5 GFLOPs per token. Training: about 40.4 GFLOPs per token.", "llama-2-7b", []),
        ("- Forward pass: about 13.5 GFLOPs per token\n- Training: about 26.9 GFLOPs per token\n", "llama-2-7b", ["26.9 GFLOPs"]),
    ],
)  # fmt: skip
def test_the_same_number_for_something_else(page: str, config: str, wrong: list[str]) -> None:
    assert [each.text for each in check_text(page, config=config).wrong] == wrong


@pytest.mark.parametrize(
    ("page", "config", "why"),
    [
        # By the rule that the number beside it follows.
        (
            "- Forward pass: about 13.5 GFLOPs per token\n- Training: about 26.9 GFLOPs per token\n",
            "llama-2-7b", "two thirds of it: the backward pass alone",
        ),
        (
            "- One expert: 176,160,768 FLOPs per token\n- LM head: 262,144,000 FLOPs per token\n"
            "- Attention projections of one layer: 83,886,080 FLOPs per token\n",
            "mixtral-8x7b", "half of it: counted in multiply-accumulate operations",
        ),
        # One byte for each of 124,439,808 parameters; digits that are swapped, or where a sentence goes on: 12 × 7,087,872 = 85,054,464.
        ("- Weights in fp32: 497,759,232 bytes\n- Weights in int8: 62,219,904 bytes\n", "gpt2", "half of it"),
        (
            "Each layer has 7,087,872 parameters, so 12 layers have 85,045,464 parameters.",
            "gpt2", "two neighbouring digits swapped, 45 for 54",
        ),
        # Another row of the same size is right; only digits are swapped.
        (
            "| Module | Size | Parameters |\n|---|---|---|\n| up_proj | 4096 × 14336 | 58,720,256 |\n"
            "| down_proj | 14336 × 4096 | 58,270,256 |\n",
            "mistral-7b-v0.1", "two neighbouring digits swapped, 27 for 72",
        ),
        # A formula with the values of its letters is explained like a calculation in numbers: 197 × 768 = 151,296 and 196 × 768 = 150,528.
        (
            "| Module | Formula | Parameters |\n|---|---|---:|\n| Position embeddings | $197H$ | 150,528 |\n",
            "vit-base-patch16-224", "it holds with 196 in place of 197",
        ),
        # The number of all 32 layers.
        ("- one layer: 218,112,000\n- 31 layers: 6,979,584,000\n", "llama-3-8b", "the words name another number of layers"),
        # The layer is the sum of its rows, of which one is wrong.
        (
            LAYER.format(second="2,362,368", layer="7,090,176"),
            "bert-base-uncased", "it follows from 2,362,368 on line 6, in place of which 2,360,064 would be right",
        ),
    ],
)  # fmt: skip
def test_the_cause_that_is_named(page: str, config: str, why: str) -> None:
    assert why in check_text(page, config=config).write("text", verbose=True)
