"""Numbers of a page that are about something other than the model given, and names of parts and sizes that are easily misread."""

from __future__ import annotations

import pytest

from symparam import check_text
from symparam.documents.checking.finding import Verdict
from symparam.documents.comparing.named_model import NamedModel
from symparam.models.resolution import resolve

CODES = ("component", "total", "open-component", "unclear-subject", "wrong-component", "wrong-total")


def said(text: str, config: str) -> dict[str, Verdict]:
    """The verdict on each number or formula that is held against the model."""
    return {each.right: each.verdict for each in check_text(text, config=config).findings if each.code in CODES}


OF_ANOTHER = r"""
\section{Models}

\textbf{RoBERTa-base:}

\begin{itemize}
    \item Embeddings: $50{,}265 \times 768 = 38{,}603{,}520$
\end{itemize}

\textbf{Total RoBERTa-base: $124{,}558{,}080$ parameters}

\textbf{ALBERT-base:}

\begin{itemize}
    \item Position embeddings: $512 \times 128 = 65{,}536$
\end{itemize}
"""


def test_below_a_line_in_bold_that_names_another_model() -> None:
    found = said(OF_ANOTHER, "bert-base-uncased")
    assert set(found.values()) == {Verdict.UNDECIDED}


@pytest.mark.parametrize(("name", "is_own"), [("BERT-base", True), ("一个BERT模型", True), ("ALBERT-base", False), ("DistilBERT", False)])
def test_a_name_that_ends_with_that_of_the_model_is_another_one(name: str, is_own: bool) -> None:
    model = NamedModel(resolve("bert-base-uncased", values_first=True))
    assert (model.is_named_in(name), model.is_another_in(name)) == (is_own, not is_own)


@pytest.mark.parametrize(("label", "verdict"), [("7B ", Verdict.UNDECIDED), ("1.5B ", Verdict.WRONG), ("", Verdict.WRONG)])
def test_a_size_that_the_words_give(label: str, verdict: Verdict) -> None:
    assert said(f"# Memory\n\n- Weights (fp16): {label}6.17GB\n", "qwen2.5-1.5b")["6.17GB"] is verdict


@pytest.mark.parametrize("said_behind", ["training tokens", "tokens", "训练 token"])
def test_tokens_for_training_are_no_parameters(said_behind: str) -> None:
    found = said(f"GPT-3 has 175B parameters, and about 300B {said_behind} were read.", "gpt3-175b")
    assert found == {"175B": Verdict.HOLDS}


def test_the_letter_o_behind_attention() -> None:
    rows = "".join(f"| Attention {each} per layer | 16.8M |\n" for each in "QKVO")
    found = check_text(f"| Part | Parameters |\n|---|---|\n{rows}", config="llama-2-7b").findings
    assert [each.code for each in found] == ["component"] * 4


def test_a_clause_within_a_bracket_does_not_name_the_part_alone() -> None:
    text = "FLOPs per layer:\n\n    Attention matmuls (QK^T, AV):  2 * 2 * seq_len² * d_model = 4 * seq_len² * d_model\n"
    assert Verdict.WRONG not in said(text, "gpt2").values()


ACTIVATIONS = """Activations per layer:

- Queries, keys and values: $3 B n d_{\\text{model}}$
- Attention scores: $B h n^2$
- Attention output: $B n d_{\\text{model}}$
- FFN intermediate: $B n d_{ff}$
- Layer norms: $2 B n d_{\\text{model}}$
"""


def test_activations_that_are_counted_in_another_way() -> None:
    assert not {Verdict.WRONG, Verdict.HOLDS}.intersection(said(ACTIVATIONS, "gpt2").values())


def test_a_round_number_on_a_page_about_another_model() -> None:
    text = "# KV cache\n\nOur model has $d_{{model}} = {}$.\n\nKV cache per token: 36,864 bytes\n"
    assert said(text.format(768), "gpt2") == {"36,864 bytes": Verdict.HOLDS}
    assert said(text.format(384), "gpt2") == {"36,864 bytes": Verdict.UNDECIDED}


@pytest.mark.parametrize("size", ["hidden_size", "hidden_dim"])
@pytest.mark.parametrize("each", ["2", "bytes_per_element", "精度字节数"])
def test_a_cache_in_words(size: str, each: str) -> None:
    text = f"```\nKV cache = 2 × num_layers × {size} × seq_len × batch_size × {each}\n```\n"
    assert list(said(text, "llama-2-7b").values()) == [Verdict.HOLDS]


def test_commands_of_tex_that_say_nothing() -> None:
    assert said("\\item \\textbf{Feed-forward parameters per layer:} 4{,}722{,}432\n", "gpt2") == {"4{,}722{,}432": Verdict.HOLDS}


ITEMS = r"""FLOPs of a layer, per token:

- Computing qkv
    - Flop count: \({2 \cdot 3 \cdot d_\text{model}}^2\)
- Output projection
    - Flop count: \(2 \cdot {d_\text{model}}^2\)
"""


def test_an_item_below_another_one_is_about_that() -> None:
    assert Verdict.WRONG not in said(ITEMS, "gpt2").values()


@pytest.mark.parametrize(
    "line", [r"The activations $\R^{B \times n \times d_{ff}}$ of a layer", r"Activations of a layer: $B \times n \times d_{ff}$ floats"]
)
def test_shapes_and_counts_of_numbers_are_no_bytes(line: str) -> None:
    assert Verdict.WRONG not in said(f"{line}\n", "gpt2").values()


def test_a_name_before_a_product_says_what_a_size_is() -> None:
    text = "```\nFor MHA:  d_kv = n_heads × d_head = d_model\n```\n"
    assert Verdict.WRONG not in said(text, "llama-2-7b").values()


def test_ten_bytes_are_no_number() -> None:
    found = said("Training Qwen:\n\n- Weights (fp16): {}GB\n".format("15.4"), "qwen2.5-1.5b")
    assert found == {"15.4GB": Verdict.UNDECIDED}


def test_below_a_line_that_introduces_another_model() -> None:
    page = (
        "For Llama-3.1-8B (32 layers, 8 KV heads, FP16):\n\n2 × 32 × 8 × 128 × 2 = 131,072 bytes = 128 KiB per token\n\n"
        "A 4096-token sequence takes 512 MiB of KV cache.\n\n{}\n\n2 × 80 × 8 × 128 × 2 = 327,680 bytes = 320 KiB per token\n\n"
        "A 4096-token sequence takes 1.28 GiB of KV cache.\n"
    )
    for line, wrong in (("For Llama-3.1-70B (80 layers, 8 KV heads, FP16):", 0), ("And so:", 1)):
        (document,) = check_text(page.format(line), config="llama-3.1-8b").documents
        assert sum(each.right == "1.28 GiB" for each in document.wrong) == wrong
