"""What-ifs: ``--set N=16`` changes a value of a preset or a config, and whatever follows from it, and says so."""

from __future__ import annotations

import json
from typing import Any

import pytest

import symparam
from symparam.errors import SymparamError
from symparam.models.configs.changes import read_changes

GPT2 = {
    "architectures": ["GPT2LMHeadModel"],
    "model_type": "gpt2",
    "n_layer": 2,
    "n_embd": 8,
    "n_head": 2,
    "vocab_size": 10,
    "n_positions": 4,
}


@pytest.mark.parametrize(
    ("changes", "instead"),
    [
        (["N=5"], {"n_layer": 5}),
        ({"N": 5}, {"n_layer": 5}),
        (["n_layer=5"], {"n_layer": 5}),
        (["num_hidden_layers=5"], {"n_layer": 5}),
        (["H=16", "h=4"], {"n_embd": 16, "n_head": 4}),
        (["I=9"], {"n_inner": 9}),
        (["n_inner=null"], {}),
        (["V=2Ki"], {"vocab_size": 2048}),
        (["tie_word_embeddings=false"], {"tie_word_embeddings": False}),
        (["tie_word_embeddings=False"], {"tie_word_embeddings": False}),
        (["n_inner=None"], {}),
    ],
)
def test_a_change_is_as_if_the_config_said_so(changes: Any, instead: dict[str, Any]) -> None:
    found, as_written = symparam.count(GPT2, set=changes), symparam.count({**GPT2, **instead})
    assert (found.total, found.model.values) == (as_written.total, as_written.model.values)


def test_it_is_said_in_the_title_in_a_note_and_in_json() -> None:
    found = symparam.count("gpt2", set=["N=16"])
    assert found.notes[0] == "what if: N = 16 instead of 12 (n_layer)"
    assert str(found).startswith("gpt2 with N = 16 (GPT2LMHeadModel)")
    for result in (
        found,
        symparam.derive("gpt2", set=["N=16"]),
        symparam.explain("gpt2", set="N=16"),
        symparam.tensors("gpt2", set=["n_layer=16"]),
        symparam.compare("gpt2", "gpt2", set={"N": 16}),
        symparam.crossover("gpt2", set=["N=16"]),
    ):
        assert json.loads(result.write("json"))["set"] == [{"key": "n_layer", "letter": "N", "value": 16, "instead": 12}]
    assert "set" not in symparam.count("gpt2").json
    assert symparam.check_text("Total parameters = 152,791,296", config="gpt2", set=["N=16"]).findings[0].code == "total"


@pytest.mark.parametrize(
    ("model", "changes", "message"),
    [
        ("gpt2", ["N"], "sets nothing; a key or a letter and a value are expected"),
        ("gpt2", ["N=x"], r'gpt2 with N = x: "n_layer" is the string .x., but a positive whole number is expected'),
        ("gpt2", ["tie_word_embeddings=no"], '"tie_word_embeddings" is the string .no., but true or false is expected'),
        ("MptForCausalLM", ["tie_word_embeddings=no"], "'tie_word_embeddings' is 'no', but .* was traced with values such as true"),
        ("gpt2", ["N=0"], "but a positive whole number is expected"),
        ("gpt2", ["N=1", "N=2"], "N is set to both 1 and 2"),
        ("gpt2", ["L=9"], "have no value for the sequence length L.*--where L=1024"),
        ("gpt2", ["nlayer=9"], "there is no letter or key of GPT-2 named 'nlayer'; did you mean 'n_layer'"),
        ("gpt2", ["model_type=bert"], "would make it another model"),
        ("gpt2", ["H=1000"], "not divisible by the number of attention heads"),
        ("bert", ["N=9"], "there is no config in which --set N could change a value.*--where N=9"),
    ],
)
def test_what_cannot_be_set_is_said(model: str, changes: list[str], message: str) -> None:
    with pytest.raises(SymparamError, match=message):
        symparam.count(model, set=changes)


def test_a_traced_class_takes_letters_and_keys_too() -> None:
    before = symparam.count("MptForCausalLM")
    by_letter = symparam.count("MptForCausalLM", set=["N=2"])
    assert by_letter.total < before.total
    assert by_letter.json["total"] == symparam.count("MptForCausalLM", set={"n_layers": 2}).json["total"]


def test_a_size_that_can_be_read_in_two_ways_is_asked_about() -> None:
    with pytest.raises(SymparamError, match="V = 2k can be read in 2 ways; write V=2Ki for 2,048, or V=2000 for 2,000"):
        symparam.count(GPT2, set=["V=2k"])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("depths=[1,1,2,1]", [1, 1, 2, 1]),
        ("stages=[[8,3],[16,3]]", [[8, 3], [16, 3]]),
        ('heads={"hidden": 29}', {"hidden": 29}),
        ("ratios=[1.5, 2]", [1.5, 2]),
        ("word=[1, 2", "[1, 2"),
        *((f"tie={each}", True) for each in ("true", "True", "TRUE")),
        *((f"tie={each}", False) for each in ("false", "False", "FALSE")),
        *((f"tie={each}", None) for each in ("null", "None", "NONE")),
        *((f"norm={each}", each) for each in ("none", "no", "yes", "rms", "NaN", "8k")),
        ('norm="None"', "None"),
        ("rate=0.5", 0.5),
        ("zero=0", 0),
        ("deep=" + "[" * 100_000, "[" * 100_000),
    ],
)
def test_values_are_read_as_json_or_as_python_writes_them(text: str, value: object) -> None:
    found = read_changes([text])[text.partition("=")[0]]
    assert (found, type(found)) == (value, type(value))


def test_a_list_of_a_traced_class_can_be_set() -> None:
    convnext = {"architectures": ["ConvNextModel"], "model_type": "convnext"}
    changed = symparam.count("ConvNextModel", set=["depths=[1,1,2,1]"])
    assert changed.total == symparam.count({**convnext, "depths": [1, 1, 2, 1]}).total
    assert changed.total < symparam.count(convnext).total


def test_a_list_that_is_set_stands_in_the_json_of_a_result() -> None:
    changed = symparam.count("ConvNextModel", set=["depths=[1,1,2,1]"])
    assert [each["value"] for each in changed.json["set"]] == [[1, 1, 2, 1]]
