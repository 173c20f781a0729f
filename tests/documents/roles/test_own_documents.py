"""Our own documents hold against the model that they are about: each measure, in each format that can be checked."""

from __future__ import annotations

import pytest

from symparam import check_text, count

NAMES = {"text": "count.md", "markdown": "count.md", "rst": "count.rst", "latex": "count.tex"}
MODULES = 17  # The modules of GPT-2's table, without its total; all but the tied head have numbers.
RUN = {"flops": ["L=128", "B=1"]}


@pytest.mark.few(6)
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("written", NAMES)
@pytest.mark.parametrize("measure", ["parameters", "weights", "gradients", "flops"])
def test_a_count_as_we_write_it_holds(measure: str, written: str, language: str) -> None:
    text = count("gpt2", measure=measure, where=RUN.get(measure, []), language=language).write(written)
    result = check_text(text, name=NAMES[written], config="gpt2")
    assert [finding.text for finding in result.wrong] == []
    assert len([finding for finding in result.findings if finding.code == "component"]) >= MODULES


def test_a_formula_of_bytes_is_no_formula_of_parameters() -> None:
    """Its result says what it counts; a total that is twice the parameters is undecided if nothing does."""
    rows = "| Attention of one layer | $8H^2 + 8H$ | 4,724,736 |\n| MLP of one layer | $16H^2 + 10H$ | 9,444,864 |\n"
    held = check_text(f"H = 768. In fp16:\n\n| Part | Formula | Bytes |\n|---|---|---|\n{rows}", config="gpt2")
    assert {finding.text for finding in held.findings if finding.code == "component"} >= {"8H^2 + 8H", "16H^2 + 10H"}
    twice = check_text("The total number of parameters is $2(VH + PH + N(12H^2 + 13H) + 2H)$.", config="gpt2", where=["I=4H"])
    assert [finding.verdict for finding in twice.findings] == ["undecided"]


TIED = """\
| Module | Parameters |
|---|---:|
| Transformer | 124,439,808 |
| &emsp;Token embeddings | 38,597,376 |
| &emsp;Position embeddings | 786,432 |
| &emsp;Layers | 85,054,464 |
| &emsp;Final LayerNorm | 1,536 |
| LM head | {} |
| Total | {} |
"""


@pytest.mark.parametrize(("head", "total", "wrong"), [("0", "124,439,808", []), ("38,597,376", "163,037,184", ["163,037,184"])])
def test_a_tied_head_added_to_the_transformer(head: str, total: str, wrong: list[str]) -> None:
    found = check_text(TIED.format(head, total), config="gpt2").wrong
    assert [finding.text for finding in found] == wrong
    assert ["counted twice" in str(each.gap.explained_by[0].what) for each in found if each.gap] == [True] * len(wrong)


HEAD = "| module | parameters |\n|---|---|\n"
HELD = ("component", "total", "unclear-subject")


@pytest.mark.parametrize(
    ("text", "config", "verdicts"),
    [
        # The heading says what is counted, whatever line is above the numbers: 2 × 1024 × 768 × 2304, and 2 × 1024² × 768.
        (
            "# Forward-pass FLOPs\n\nFor one sequence of 1,024 tokens.\n\nper layer\n\nqkv projection = 3,623,878,656\n"
            "scores = 1,610,612,736\n",
            "gpt2",
            ["holds", "holds"],
        ),
        # Names of another implementation: wk has 2048 × 256 in TinyLlama.
        (f"{HEAD}| attention.wk | 524,288 |\n| feed_forward | 34,603,008 |\n", "tinyllama-1.1b", ["holds", "holds"]),
        (f"{HEAD}| attention.wk | 4,194,304 |\n| feed_forward | 34,603,008 |\n", "tinyllama-1.1b", ["wrong", "holds"]),
        # The second clause is about all layers, and not about each.
        ("Each of the 32 layers has 218M parameters, so all layers have 218M parameters.", "llama-3-8b", ["holds", "wrong"]),
        ("Each of the 32 layers has 218M parameters, so all layers have 6.98B parameters.", "llama-3-8b", ["holds", "holds"]),
        # A sum with what is named before it: embeddings 1.0, layers 2.0 and the norm in Qwen3-0.6B.
        ("Together with the embedding and the final norm this makes 596,049,920.", "qwen3-0.6b", ["holds"]),
        # The norm has 40 × 5,120 parameters in all layers, and the attention with it 4,194,508,800.
        (f"{HEAD}| Self-attention of all layers | 204,800 |\n| MLP of all layers | 8,493,465,600 |\n", "llama-13b", ["holds"]),
        # Falcon has 71 heads of queries beside one of keys and one of values: a third of the projection is none of them.
        (f"{HEAD}| query | 7,076,523 |\n| MLP of one layer | 165,183,488 |\n", "falcon-7b", ["holds"]),
        # 2 × (768 + 1) = 1,538 more than GPT-2 are a classifier of two classes.
        ("Total trainable parameters: 124,441,346", "gpt2", ["undecided"]),
        ("Total trainable parameters: 124,441,345", "gpt2", ["wrong"]),
    ],
)
def test_what_words_around_a_number_say(text: str, config: str, verdicts: list[str]) -> None:
    found = [each for each in check_text(text, config=config).findings if each.code.removeprefix("wrong-") in HELD]
    assert [each.verdict.value for each in found] == verdicts
