"""Numbers that are right in a reading of their page that its words or its neighbours show, beside ones that are wrong in any."""

import pytest

from symparam.api import check_text

BERT, MIXTRAL, LLAMA = "bert-base-uncased", "mixtral-8x7b", "llama-3-70b"
GROUPS = (
    "| Part | Key | Shape | Count | Sum |\n|---|---|---|---|---|\n"
    "| Layers × 12 | encoder.layer.0.attention.self.query.weight | [768, 768] | {} | 7,087,872 * 12 = 85,054,464 |\n"
    "| | encoder.layer.0.attention.self.query.bias | [768] | 768 | |\n"
    "| Pooler | pooler.dense.weight | [768, 768] | 589,824 | {} |\n"
)
INTRODUCED = (
    "For the 70B Llama (80 layers, 64 heads, 8 KV heads):\n\n```\nKV per token (BF16) = 2 × 80 × 8 × 128 × 2 B ≈ 327 KB\n"
    "KV per token (FP8) ≈ 163 KB\n"
    "```\n\nFor the {} Llama ({} layers, 64 heads, 8 KV heads):\n\n```\nKV per token (BF16) ≈ 131 KB\nKV per token (FP8) ≈ 66 KB\n```\n"
)
LISTED = (
    "# BERT-base, one layer\n\n- Self-attention: 1,771,776 parameters\n- {}: 590,592 parameters\n- Feed-forward: 4,722,432 parameters\n"
)
CACHED = (
    "# Llama 2 7B with a KV cache\n\n| Operation | Naive | KV cache |\n|---|---|---|\n"
    "| K projection | $(t+1) \\times d^2$ | $1 \\times d^2$ |\n"
)
CASES = [
    (BERT, GROUPS.format("589,824", "590,592"), []),  # A tensor's path behind its group names the first number.
    (BERT, GROUPS.format("589,824", "590,592").replace("| 590,592", "| 592,592"), ["592,592"]),
    (LLAMA, INTRODUCED.format("8B", 32), []),
    (LLAMA, INTRODUCED.format("other", 80), ["131 KB", "66 KB"]),
    (MIXTRAL, "Mixtral 8x7B: attention and embeddings have 1,604,321,280 parameters, the experts 45,097,156,608.\n", []),
    (BERT, LISTED.format("Attention output"), []),
    (BERT, LISTED.format("Pooler"), ["1,771,776"]),
    ("llama-2-7b", CACHED, []),
    ("llama-3.1-8b", "The model weights of Llama-3.1-8B (13.96 GB) dominate; its cache takes 131,072 bytes per token.\n", []),
    ("gpt2", "- tok_emb: 50257 × 768 = 38,597,376\n- pos_emb: 256 × 768 = 196,608\n- attention: 2,362,368\n", []),
    (BERT, "Token embeddings of BERT: $30{,}000 \\times 768 = 23{,}040{,}000$ parameters, the pooler $590{,}592$.\n", []),
    (BERT, "With $P = 175B$ and a batch $B$, one pass takes\n$$\\text{FLOPs}_{\\text{fwd}} = 2 \\times B \\times n \\times P$$\n", []),
]  # fmt: skip


@pytest.mark.parametrize(("model", "text", "wrong"), CASES)
def test_what_is_called_wrong(model: str, text: str, wrong: list[str]) -> None:
    assert [each.right for each in check_text(text, config=model).documents[0].wrong] == wrong


def test_letter_in_an_exponent_of_a_definition() -> None:
    text = "# Weights\n\n$B = W^T g$ and the weights take $8B$ bytes across all layers of Llama 3.\n"
    assert check_text(text, config="llama-3-8b").documents[0].wrong == ()


def test_model_without_sizes() -> None:
    text = "# A decoder\n\n- Attention: 2,362,368 parameters\n\nTotal: 124,439,808 parameters\n"
    (remark,) = check_text(text, architecture="gpt2").documents[0].remarks
    assert remark.kind == "numbers-without-sizes"
    assert check_text(text, config="gpt2").documents[0].remarks == ()


def test_words_for_sizes_of_operations() -> None:
    text = "# Llama 3 70B\n\nThe FLOPs of a pass are 2 × 70.6B × tokens, or 1.34 GB × B at most, and those of a layer 2 × layer size × B.\n"
    assert check_text(text, config="llama-3-70b").documents[0].wrong == ()


def test_amount_in_a_remark_behind_that_of_a_format() -> None:
    text = "For 70.6B: BF16 ≈ 141.2 GB{}; FP8 ≈ 71 GB; INT4 ≈ 35 GB\n"
    for remark in (" (more than one card of 80 GB)", "（單卡 80GB 裝不下）"):
        assert check_text(text.format(remark)).documents[0].wrong == ()


def test_scale_in_a_language_that_is_not_known() -> None:
    text = "- Embedding: 128.000 × 4096 = 524 juta parameter\n- FFN: 3 × 4096 × 14336 ≈ 176 {} per layer\n"
    assert check_text(text.format("juta")).documents[0].wrong == ()
    assert [each.right for each in check_text(text.format("tokens")).documents[0].wrong] == ["176"]
