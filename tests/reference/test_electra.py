"""The convention of ELECTRA's script gives what the script counts: for every recording, exactly, part by part."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import symparam
from symparam.analysis.measures.conventions.electra_script import OF_ROLES
from symparam.errors import SymparamError
from symparam.writing.phrases import phrases

RECORDED = json.loads((Path(__file__).parent / "tools" / "electra.json").read_text(encoding="utf-8"))
RECORDINGS: list[dict[str, Any]] = RECORDED["recordings"]
CASES = [pytest.param(each, id=f"{each['class']}-{each['label']}") for each in RECORDINGS]
HEADS = {
    "vocabulary-projection",
    "head-transform",
    "head-transform-linear",
    "language-model-head",
    "pooler",
    "classifier",
    "classifier-transform",
    "replaced-or-not",
}


def found(each: dict[str, Any], batch: int = 1) -> symparam.results.count.CountResult:
    """The cross-attention of the script is over as many tokens as there are in the sequence itself."""
    where = [f"L={each['L']}", f"L_e={each['L']}", f"B={batch}"]
    return symparam.count(each["config"], where=where, convention="electra")


@pytest.mark.few(20)
@pytest.mark.parametrize("each", CASES)
def test_the_number_is_the_one_that_the_script_counts(each: dict[str, Any]) -> None:
    counted = found(each)
    assert counted.total == Fraction(each["total"])
    parts = dict.fromkeys(("layers", "embeddings", "head"), Fraction(0))
    for step in counted.count.derivation.root.walk():
        if not step.steps:
            part = "layers" if "{" in step.path else "head" if step.role in HEADS else "embeddings"
            parts[part] += step.total(counted.count.values)
    assert parts == {part: Fraction(each[part]) for part in parts}


def test_a_batch_costs_as_often_as_it_has_sequences() -> None:
    assert found(RECORDINGS[0], batch=3).total == 3 * Fraction(RECORDINGS[0]["total"])


@pytest.mark.parametrize("each", [each for each in RECORDINGS if "listed" in each], ids=lambda each: each["label"])
def test_a_whole_training_is_what_the_script_lists(each: dict[str, Any]) -> None:
    """Twice the forward pass, of all sequences of all steps; the script's own number is a float with 53 bits."""
    training = 2 * each["batch"] * each["steps"] * Fraction(found(each).total)
    assert abs(training - each["listed"]) <= each["listed"] / Fraction(2**50)


def test_the_recordings_name_the_commit_and_what_the_script_lists() -> None:
    assert RECORDED["commit"] == "8a46635f32083ada044d7e9ad09604742600ee7b"
    assert {each["label"] for each in RECORDINGS} >= {"gpt", "bert-small", "bert-base", "bert-large", "roberta", "albert"}
    assert len({each["class"] for each in RECORDINGS}) == 10


@pytest.mark.parametrize("name", ["llama", "mixtral", "t5", "vit", "whisper", "mamba", "falcon"])
def test_a_model_that_the_script_has_no_formula_for_is_refused(name: str) -> None:
    with pytest.raises(SymparamError, match=r"ELECTRA's script counts tokens.*name a model built so, such as bert"):
        symparam.derive(name, convention="electra")


def test_it_counts_what_the_script_leaves_out_of_the_norm() -> None:
    """A LayerNorm of the attention takes 5 for each token, that of the feed-forward part 5H."""
    steps = {step["name"]: step["formula"]["text"] for step in symparam.explain("BertModel", convention="electra").json["steps"]}
    assert steps["encoder.layer.{i}.attention.output.dense"] == "2BLH² + 6BLH + 5BL"
    assert steps["encoder.layer.{i}.output.dense"] == "2BILH + 11BLH"


SHARED = {"query-key-value", "query", "key", "value", "embedding-projection", "token-embedding", "dot-product"}  # Reasons by their kind.


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_role_that_is_counted_has_a_reason(language: str) -> None:
    reasons = phrases(language).reasons
    assert [role for role in OF_ROLES if role not in SHARED and f"{role}-script" not in reasons] == []
    assert all(f"{kind}-script" in reasons for kind in ("Linear", "Conv1D", "Embedding", "DotProduct"))


def test_the_reasons_say_what_is_counted() -> None:
    steps = {step["name"]: step["reason"] for step in symparam.explain("ElectraForPreTraining", convention="electra").json["steps"]}
    assert steps["discriminator_predictions.dense_prediction"] == (
        "For every token of a sequence: H multiplications for one label, two operations each."
    )
    assert steps["electra.encoder.layer.{i}.intermediate.dense"] == (
        "BL rows pass through a matrix with a bias. Each of I numbers takes eight operations for the activation function."
    )
    assert symparam.explain("gpt1", convention="electra", language="zh").write("text")
