"""Activations of training: the rows of Korthikanti's table 2, tensor by tensor, and in numbers."""

from __future__ import annotations

import pickle

import pytest

import symparam
from symparam.analysis.measures.activations import require_layers, saved_activations, saved_tensors
from symparam.core.algebra.polynomial import equal
from symparam.core.alphabets import ALPHABETS
from symparam.core.parsing.reader import read_formula
from symparam.errors import ArchitectureError, ConfigError, UnknownNameError
from symparam.models.architectures import families, find_architecture
from symparam.models.blocks.architecture import Place

ROWS = [  # Korthikanti et al. 2022, arXiv 2205.05198, table 2: bytes for each layer.
    ({}, "sbh(34 + 5as/h)"),
    ({"tensor_parallel": True}, "sbh(10 + 24/t + 5as/(ht))"),
    ({"tensor_parallel": True, "sequence_parallel": True}, "sbh(34/t + 5as/(ht))"),
    ({"tensor_parallel": True, "recomputation": "selective"}, "sbh(10 + 24/t)"),
    ({"tensor_parallel": True, "sequence_parallel": True, "recomputation": "selective"}, "sbh(34/t)"),
    ({"recomputation": "full"}, "sbh(2)"),
]


@pytest.mark.parametrize(("options", "formula"), ROWS)
@pytest.mark.parametrize("model", ["gpt2", "BertModel", "opt", "gpt_neox", "roberta"])
def test_the_rows_of_table_2(model: str, options: dict[str, str | bool], formula: str) -> None:
    found = symparam.derive(model, measure="activations", where=["I=4H"], **options)  # type: ignore[arg-type]
    assert equal(found.expr, read_formula(f"L({formula})", ALPHABETS["korthikanti"]).expr)


def test_they_are_the_tensors_that_the_paper_lists() -> None:
    """Section 4.1: 11sbh + 5as²b of attention, 19sbh of the feed-forward part, 4sbh of the two norms."""
    choice = find_architecture("gpt2")
    assert choice is not None
    tensors: dict[str, list[tuple[int, str]]] = {}

    def walk(place: Place) -> None:
        if "{" in place.path:
            kept = [(each.bytes, str(each.numbers)) for each in saved_tensors(place)]
            if kept:
                tensors[place.path.removeprefix("transformer.h.{i}.")] = kept
        for inner in place.inside:
            walk(inner)

    walk(Place("", choice.family.architecture().root))
    assert tensors == {
        "ln_1": [(2, "H")],
        "attn.c_attn": [(2, "H")],
        "attn.c_proj": [(2, "H"), (1, "H")],
        "attn.dot_product": [(2, "2*H"), (2, "L*h"), (1, "L*h"), (2, "L*h"), (2, "H")],
        "ln_2": [(2, "H")],
        "mlp.c_fc": [(2, "H"), (2, "I")],
        "mlp.c_proj": [(2, "I"), (1, "H")],
    }


def test_in_numbers() -> None:
    values = {"vocab_size": 51200, "n_positions": 2048, "n_embd": 12288, "n_layer": 96, "n_head": 96, "model_type": "gpt2"}
    sbh, five = 2048 * 12288, 5 * 96 * 2048  # GPT-3 with one sequence: 5as/h is 80.
    assert five / 12288 == 80
    total = 96 * sbh * (34 + 80)
    assert symparam.count(values, measure="activations", where=["B=1", "L=2048"]).total == total
    split = symparam.count(values, measure="activations", where=["B=1", "L=2048", "n_t=8"], sequence_parallel=True)
    assert split.total == total // 8
    selective = symparam.count(values, measure="activations", where=["B=1", "L=2048", "n_t=8"], recomputation="selective")
    assert selective.total == 96 * sbh * (10 + 24 // 8)
    assert selective.count.check.difference == 0


def test_a_stated_size_alone_means_tensor_parallelism() -> None:
    assert str(symparam.derive("gpt2", measure="activations", where=["n_t=8", "I=4H"], recomputation="selective")) == "13BLNH"
    with pytest.raises(ConfigError, match="no number for n_t"):
        symparam.count("gpt2", measure="activations", where=["B=1", "L=8"], tensor_parallel=True)


def test_a_relation_for_the_batch_is_put_in() -> None:
    assert str(symparam.derive("gpt2", measure="activations", where=["B=1", "L=2", "I=4H"], recomputation="full")) == "4NH"
    assert str(symparam.derive("gpt2", measure="kv-cache", where=["B=1", "S=3"])) == "12NH"


@pytest.mark.parametrize("family", families(), ids=lambda family: family.name)
def test_other_layers_are_refused_in_one_sentence(family: object) -> None:
    name = family.name  # type: ignore[attr-defined]
    fits = {"bert", "roberta", "distilbert", "albert", "electra", "gpt1", "gpt2", "gpt-neox", "opt", "bloom", "vit"}
    if name in fits:
        assert symparam.derive(name, measure="activations").letters >= {"B", "N"}
        assert symparam.derive(name, measure="activations", recomputation="full").letters <= {"B", "L", "N", "H", "N_i", "n_p"}
    else:
        with pytest.raises(ArchitectureError, match=r"Korthikanti et al\. 2022 count activations only of layers with"):
            symparam.derive(name, measure="activations")


def test_cross_attention_is_refused() -> None:
    with pytest.raises(ArchitectureError):
        symparam.derive("gpt2", measure="activations", where=["add_cross_attention=true"])


def test_names_and_pickling() -> None:
    with pytest.raises(UnknownNameError, match="recomputation"):
        saved_activations("some")
    measure = pickle.loads(pickle.dumps(saved_activations("selective", True, True)))
    assert measure.name == "activations"
    choice = find_architecture("gpt2")
    assert choice is not None
    require_layers(choice.family.architecture())


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_reasons_speak_of_what_is_kept(language: str) -> None:
    text = str(symparam.explain("gpt2", measure="activations", language=language))
    assert ("kept" if language == "en" else "保存") in text
    assert "number of attention heads does not matter" not in text
