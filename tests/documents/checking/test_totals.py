"""The total of a document against the architecture that it is about: right, short, part by part, and in letters."""

from __future__ import annotations

import pytest

from symparam import check_text
from symparam.documents.checking.finding import Verdict
from tests.documents.checking.shown import checked, claims, gap, said

BASE = {"architecture": "bert", "config": "bert-base-uncased"}
LISTED = "- embeddings: 23,837,184\n- encoder: 85,054,464\n- pooler: 590,592\n- total: 109,482,240\n"
SHORT = "- embeddings: 23,837,184\n- encoder: 85,054,464\n- total: 108,891,648\n"
FORMULA = "total parameters = V × H + P × H + T × H + 2 × H + N × (4 × H² + 9 × H + 2 × H × I + I) + H² + H\n"
LAYERS = "total parameters = V × H + P × H + T × H + 2 × H + 12 × N × H² + {} × N × H + H² + H\n"
ALL = "109,482,240: total"
SUM = "23,837,184 + 85,054,464 + 590,592 = 109,482,240: sum"
TABLES, STACK = "embeddings in BertModel = 23,837,184: component", "encoder in BertModel = 85,054,464: component"
PARTS = [TABLES, STACK, "pooler in BertModel = 590,592: component"]

NUMBERS = [
    (LISTED, {}, [SUM]),
    (LISTED, BASE, [SUM, f"the parameters of BertModel = {ALL}", *PARTS]),
    (LISTED, {"config": "bert-base-uncased"}, [SUM, f"the parameters of BertModel = {ALL}", *PARTS]),
    # A right total that misses its parts by as much as one of them is wrong is not wrong itself.
    (LISTED.replace("85,054,464", "85,054,474"), BASE,
     [f"the parameters of BertModel = {ALL}", STACK.replace("85,054,464", "85,054,474").replace(": c", ": wrong-c"), TABLES, PARTS[2]]),
    # Of another total that is not the sum of its parts it is not also said that it is right.
    (LISTED.replace("85,054,464", "85,055,575").replace("23,837,184", "23,837,295"), BASE,
     ["23,837,295 + 85,055,575 + 590,592 = 109,482,240: wrong-sum", TABLES.replace("184: c", "295: open-c"),
      STACK.replace("85,054,464: c", "85,055,575: open-c"), PARTS[2]]),
    # Two slips of the pen are both named, and the sum is off by them.
    (LISTED.replace("85,054,464", "85,054,474").replace("23,837,184", "23,837,185"), BASE,
     [f"the parameters of BertModel = {ALL}", TABLES.replace("184: c", "185: wrong-c"),
      STACK.replace("85,054,464: c", "85,054,474: wrong-c"), PARTS[2]]),
    # An architecture without values has no number, so none is judged.
    (LISTED, {"architecture": "bert"}, [SUM, *(each.replace(": component", ": not-judged") for each in PARTS)]),
    (SHORT, BASE, ["23,837,184 + 85,054,464 = 108,891,648: sum", "the parameters of BertModel = 108,891,648: wrong-total", TABLES, STACK]),
    ("total: 109,482,240\n", BASE, [f"the parameters of BertModel = {ALL}"]),
    ("total: 109,482,241\n", BASE, ["the parameters of BertModel = 109,482,241: wrong-total"]),
    ("总参数量：109,482,241\n", BASE, ["the parameters of BertModel = 109,482,241: wrong-total"]),
    # The right number counts wherever it is; else the one that is called a total does.
    ("total of the encoder: 85,054,464\nmodel: 109,482,240\n", BASE,
     [f"the parameters of BertModel = {ALL}", f"total of the {STACK}"]),
    ("model: 109,000,000\ntotal: 108,000,123\n", BASE, ["model in BertModel = 109,000,000: not-judged", "the parameters of BertModel = 108,000,123: wrong-total"]),
    # To the digit it is the total, whatever the words before it.
    ("exactly\n109,482,240, once more\n", BASE, [f"the parameters of BertModel = {ALL}"]),
    ("exactly\n109,482,241, once more\n", BASE, ["in BertModel = 109,482,241: not-judged"]),
    # No try at the total of this model.
    ("total: 500\n", BASE, []),
    ("total: 354,823,168\n", BASE, ["total in BertModel = 354,823,168: unclear-subject"]),
    ("12 × 768 = 9,216\n", BASE, ["12 × 768 = 9,216: exact"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "context", "expected"), NUMBERS, ids=[text.replace("\n", " ⏎ ")[-50:] for text, *_ in NUMBERS])
def test_numbers(text: str, context: dict[str, str], expected: list[str]) -> None:
    assert sorted(claims(text, **context)) == sorted(expected)


FORMULAS = [
    (FORMULA, {"architecture": "bert"}, "total"),
    ("Total: $VH + PH + N(12H^2 + 13H) + 2H$\n", {"architecture": "gpt2", "where": ["I=4H"]}, "total"),
    ("Total: $VH + PH + N(12H^2 + 8H) + 2H$\n", {"architecture": "gpt2", "where": ["I=4H"]}, "wrong-total"),
    ("总计：$VH + PH + N(12H^2 + 8H) + 2H$\n", {"architecture": "gpt2", "where": ["I=4H"]}, "wrong-total"),
    ("| part | formula |\n|---|---|\n| Total | VH + PH + N(12H² + 8H) + 2H |\n", {"architecture": "gpt2", "where": ["I=4H"]}, "wrong-total"),
    (LAYERS.format(13), {"architecture": "bert", "where": ["I=4H"]}, "total"),
    (LAYERS.format(11), {"architecture": "bert", "where": ["I=4H"]}, "wrong-total"),
    (FORMULA.replace("9 × H", "7 × H"), {"architecture": "bert"}, "wrong-total"),
    (FORMULA.replace("total parameters =", "**Parameters in total:**"), {"architecture": "bert"}, "total"),
    (FORMULA.replace("total parameters", "总参数量"), {"architecture": "bert"}, "total"),
    ("I = 4H\n" + LAYERS.format(13), {"architecture": "bert"}, "wrong-total"),  # Nobody says that I = 4H holds of the model.
]  # fmt: skip


@pytest.mark.parametrize(("text", "context", "code"), FORMULAS, ids=[text.replace("\n", " ⏎ ")[:70] for text, *_ in FORMULAS])
def test_formulas(text: str, context: dict[str, object], code: str) -> None:
    (finding,) = [each for each in checked(text, **context).findings if each.left.startswith("the parameters of")]
    name = "GPT2LMHeadModel" if context["architecture"] == "gpt2" else "BertModel"
    assert (finding.left, finding.code) == (f"the parameters of {name}", code)


QWEN2 = "Total parameters: VH + N(2H² + {} + H + 2Hk/h + 3IH + 2H) + H\n"
DERIVED = [
    # By the reference's rule for a config without a head size d is H/h, and the author does not speak of d.
    (QWEN2.format("2H²k/h"), {"config": "qwen2-0.5b"}, "total"),
    (QWEN2.format("2H^2k/h"), {"config": "qwen2-0.5b"}, "total"),
    (QWEN2.format("2(k/h)H²"), {"config": "qwen2-0.5b"}, "total"),
    (QWEN2.format("2(k/h)H²"), {"architecture": "Qwen2ForCausalLM"}, "wrong-total"),
    (QWEN2.format("2H²"), {"config": "qwen2-0.5b"}, "wrong-total"),
    (QWEN2.format("2dkH"), {"config": "qwen2-0.5b"}, "wrong-total"),  # He speaks of d, and does not say what it is.
]  # fmt: skip


@pytest.mark.parametrize(("text", "context", "code"), DERIVED, ids=[f"{text[27:50]}{list(context)}" for text, context, _ in DERIVED])
def test_relations_that_hold_by_the_config(text: str, context: dict[str, object], code: str) -> None:
    (finding,) = checked(text, **context).findings
    assert finding.code == code


def test_a_formula_of_something_else_is_not_compared() -> None:
    layer = "parameters per layer = 12 × H² + 13 × H + N\n"
    column = "|part|params|\n|---|---|\n|norms|N × H|\n|**total**|N × H + H|\n"
    for text in (layer, column, "the area = 12 × N × H²\n", "total parameters = 12 × N × C²\n", "total parameters = 4 × H²\n"):
        assert not [each for each in checked(text, architecture="bert").findings if each.left.startswith("the parameters of")]


def test_what_is_said() -> None:
    assert said("total: 109,482,240\n", **BASE) == ("total", "BertModel has 109,482,240 parameters with the values of bert-base-uncased")
    (wrong,) = checked("total: 109,482,241\n", **BASE).wrong
    assert (wrong.verdict, wrong.remedy) == (Verdict.WRONG, "correct the total, or say what it leaves out or adds")
    (holds,) = checked(FORMULA, architecture="bert").findings
    assert holds.message == "BertModel has IN + (2IN + 9N + P + T + V + 3)H + (4N + 1)H² parameters"


GAPS = [
    (SHORT, [-590_592, "missing: the pooler (pooler.dense)"]),
    ("- embeddings: 23,837,184\n- encoder: 85,054,464\n- pooler: 590,592\n- head: 1,539\n- total: 109,483,779\n", [1_539, "surplus: line 4 (“head”), which is not a module of the model"]),
    # Part by part, with a sum that its author writes out.
    ("- tokens: 30,522 × 768 = 23,440,896\n- positions: 512 × 768 = 393,216\n- types: 2 × 768 = 1,536\n- norm: 2 × 768 = 1,536\n"
     "- encoder: 12 × 7,087,872 = 85,054,464\n- total: 23,440,896 + 393,216 + 1,536 + 1,536 + 85,054,464 = 108,891,648\n",
     [-590_592, "missing: the pooler (pooler.dense)"]),
    ("- tokens: 30,522 × 768 = 23,440,896\n- positions: 512 × 768 = 393,216\n- norm: 2 × 768 = 1,536\n"
     "- encoder: 12 × 7,087,872 = 85,054,464\n- pooler: 768² + 768 = 590,592\n- total: 23,440,896 + 393,216 + 1,536 + 85,054,464 + 590,592 = 109,480,704\n",
     [-1_536, "missing: the token-type embeddings (embeddings.token_type_embeddings)"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), GAPS, ids=[text.replace("\n", " ⏎ ")[-60:] for text, _ in GAPS])
def test_gaps(text: str, expected: list[object]) -> None:
    assert gap(text, **BASE) == expected


def test_gaps_of_formulas() -> None:
    whole, cause = gap(LAYERS.format(11), architecture="bert", where=["I=4H"])
    assert (whole, "one of the two LayerNorms" in str(cause)) == ("−2NH", True)
    whole, cause = gap(FORMULA.replace(" + H² + H\n", "\n"), architecture="bert")
    assert (whole, "the pooler" in str(cause)) == ("−H − H²", True)


def test_other_families() -> None:
    assert claims("total: 124,439,808\n", config="gpt2") == ["the parameters of GPT2LMHeadModel = 124,439,808: total"]
    assert claims("total: 163,037,184\n", config="gpt2") == ["the parameters of GPT2LMHeadModel = 163,037,184: wrong-total"]
    assert gap("total: 163,037,184\n", config="gpt2")[0] == 38_597_376
    page = "---\nsymparam:\n  architecture: gpt2\n  config: gpt2-medium\n---\ntotal: 354,823,168\n"
    assert claims(page) == ["the parameters of GPT2LMHeadModel = 354,823,168: total"]


def test_a_total_with_what_is_trained_beside_the_model() -> None:
    """As peft prints it: the adapters are counted in the total, and are on the page themselves."""
    text = "trainable params: 4,194,304 || all params: 6,742,609,920\n\nTotal: 6,742,609,920 parameters\n"
    found = check_text(text, config="llama-2-7b")
    assert not found.wrong
    assert found.findings[-1].message.endswith("and line 1 adds 4,194,304")
    assert check_text("Total: 6,742,609,920 parameters\n", config="llama-2-7b").wrong


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("The general formula is: $VH + PH + N(12H^2 + 8H) + VH$", "wrong-total"),
        ("GPT-2 has $VH + PH + N(12H^2 + 13H) + 2H$ parameters.", "total"),
        ("# GPT-2: 124,439,808 parameters", "total"),
        ("# GPT-2\n\nTotal: 163M", "total"),
        ("# GPT-2\n\nTotal: 171M", "unclear-subject"),
        ("Total: $VH + PH + N(12H^2 + 8H) + QH$", "unclear-subject"),
    ],
)
def test_totals_however_they_are_said(text: str, code: str) -> None:
    """None is passed over in silence."""
    assert [finding.code for finding in check_text(text, config="gpt2", where="I=4H").findings] == [code]


def test_a_total_below_a_head_of_layers_is_wrong_once() -> None:
    """Its column is headed by the layers, but it is the model's but for two digits that are swapped."""
    page = """| Part | Per layer | × 32 layers |
|---|---:|---:|
| Attention | 41,943,040 | 1,342,177,280 |
| MLP | 176,160,768 | 5,637,144,576 |
| Norms | 8,192 | 262,144 |
| **Layer total** | **218,112,000** | **6,979,584,000** |
| Embedding | | 525,336,576 |
| Final norm | | 4,096 |
| LM head | | 525,336,576 |
| **Total** | | **8,030,261,{}** |
"""
    (wrong,) = check_text(page.format(284), config="llama-3.1-8b").wrong
    assert (wrong.code, wrong.gap and wrong.gap.value) == ("wrong-total", 36)
    assert not check_text(page.format(248), config="llama-3.1-8b").wrong


def test_the_wrong_model_is_said() -> None:
    page = "| part | parameters |\n|---|---|\n| attention | 41,943,040 |\n| MLP | 176,160,768 |\n| norms | 8,192 |\n| Total | 8,030,261,248 |\n"
    (document,) = check_text(page, config="gpt2").documents
    assert [note.partition(";")[0] for note in document.notes] == ["none of the 3 numbers of parts and totals fits gpt2"]
    assert not document.wrong
    assert check_text(page, config="llama-3-8b").documents[0].notes == ()
    (chinese,) = check_text(page, config="gpt2", language="zh").documents
    assert chinese.notes[0].startswith("页中 3 个部分与总数没有一个与 gpt2 相符")


@pytest.mark.parametrize(
    "text",
    [
        "| | V2 | Other 405B | V3 |\n|---|---|---|---|\n| Total params | 236B | 405B | 671B |\n",
        "# Mixtral\n\nSparse.\n\n## Llama-3-70B\n\nTotal: 70B parameters\n",
        "# Q-Former\n\n32 queries look at the image. 188M parameters total.\n",
    ],
)
def test_totals_of_other_models_on_the_page(text: str) -> None:
    for config in ("deepseek-v3", "mixtral-8x7b", "bert-base-uncased"):
        assert not check_text(text, config=config).wrong


def test_biases_of_maps_left_out_while_norms_are_whole() -> None:
    table = "| part | parameters |\n|---|---|\n| attention | 2,359,296 |\n| FFN | 4,718,592 |\n| LayerNorms | 3,072 |\n| per block | 7,080,960 |\n"
    assert [each.code for each in check_text(table, config="gpt2").findings if "component" in each.code] == ["component"] * 4
