"""What autograd keeps, against recordings of the reference: the bytes of the distinct storages of a forward pass in training mode."""

from __future__ import annotations

import json
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import symparam
from symparam.errors import SymparamError
from symparam.models.architectures import families
from tests.sampling import classes

RECORDED: dict[str, Any] = json.loads((Path(__file__).parent / "autograd.json").read_text(encoding="utf-8"))
RECORDINGS: list[dict[str, Any]] = RECORDED["recordings"]
CLASSES = sorted({recording["class"] for recording in RECORDINGS})
KEYS = {"bytes": {}, "bfloat16": {"number_format": "bfloat16"}, "recomputed": {"recomputation": "full"}}
NOT_RECOMPUTED = ("T5ForConditionalGeneration", "WhisperForConditionalGeneration")
"""Classes whose layers are handed masks that are kept too, of which symparam refuses to say how many bytes."""
LAYER = {
    "BertModel": {"model_type": "bert", "hidden_size": 64, "intermediate_size": 256, "num_attention_heads": 4},
    "GPT2LMHeadModel": {"model_type": "gpt2", "n_embd": 64, "n_head": 4},
    "LlamaForCausalLM": {"model_type": "llama", "hidden_size": 64, "intermediate_size": 176, "num_attention_heads": 4},
}


def total(config: dict[str, Any], where: list[str], number_format: str = "float32", **measuring: Any) -> int:
    found = symparam.count(
        config, measure="activations", convention="autograd", number_format=number_format, where=where, **measuring
    ).total
    assert isinstance(found, int)
    return found


def apart(recordings: list[dict[str, Any]]) -> list[tuple[str, str, str, int, int]]:
    """The recordings that the count does not come to: what they are, what was recorded, and what is counted."""
    found = []
    for each in recordings:
        where = [f"{letter}={each[letter]}" for letter in ("B", "L", "L_e")]
        for key, measuring in KEYS.items():
            refused = each["config"].get("reorder_and_upcast_attn") if key == "bfloat16" else each["class"] in NOT_RECOMPUTED
            if key not in each or (key != "bytes" and refused):
                continue
            counted = total(each["config"], where, implementation=each["implementation"], **measuring)
            if counted != each[key]:
                found.append((each["class"], each["label"], each["implementation"], each[key], counted))
    return found


@pytest.mark.few(12)
@pytest.mark.parametrize("name", [case for case in classes() if case.values[0] in CLASSES])
def test_recordings_to_the_byte(name: str) -> None:
    of_class = [each for each in RECORDINGS if each["class"] == name]
    plain = {key: value for key, value in of_class[0].items() if key == "bytes" or key not in KEYS}
    assert apart([plain, of_class[-1]]) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", CLASSES)
def test_every_recording_to_the_byte(name: str) -> None:
    assert apart([each for each in RECORDINGS if each["class"] == name]) == []


def test_every_class_was_recorded_and_both_ways_of_attention() -> None:
    assert set(CLASSES) == {name for family in families() for name in family.classes}
    assert Counter(recording["implementation"] for recording in RECORDINGS)["sdpa"] > 150
    assert len(RECORDINGS) >= 300
    assert {each["class"] for each in RECORDINGS if "bfloat16" in each} == set(CLASSES)


@pytest.mark.parametrize(("name", "expected"), [("BertModel", 409_728), ("GPT2LMHeadModel", 612_480), ("LlamaForCausalLM", 390_192)])
def test_one_more_layer(name: str, expected: int) -> None:
    """In bytes, as measured of the reference: B = 2, L = 33, 32-bit floats, eager attention, the dropouts of the default config."""
    key = "n_layer" if "GPT" in name else "num_hidden_layers"
    less, more = (total({"architectures": [name], **LAYER[name], key: layers}, ["B=2", "L=33"]) for layers in (2, 3))
    assert more - less == expected


@pytest.mark.parametrize(
    ("measuring", "message"),
    [
        ({"number_format": "float8"}, "known for float32, bfloat16, float16"),
        ({"measure": "training-peak", "number_format": "bfloat16"}, "was recorded in float32"),
        ({"measure": "flops"}, "the convention autograd applies to activations"),
        ({"recomputation": "full", "number_format": "bfloat16"}, "recomputed layers was recorded in float32"),
        ({"recomputation": "selective"}, "no selective recomputation"),
        ({"tensor_parallel": True}, "--tensor-parallel does not apply to the convention autograd"),
        ({"implementation": "flash"}, "implementation of attention"),
        ({"convention": None, "dropout": "off"}, "state --measure activations --convention autograd"),
    ],
)
def test_what_does_not_apply_is_refused(measuring: dict[str, Any], message: str) -> None:
    asked = {"measure": "activations", "convention": "autograd", "number_format": "float32", **measuring}
    with pytest.raises(SymparamError, match=message):
        symparam.derive("gpt2", **asked)


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"model_type": "falcon", "hidden_size": 4, "num_attention_heads": 4}, "rotations take numbers in pairs"),
        ({"model_type": "gpt_neox", "hidden_size": 12, "num_attention_heads": 4, "rotary_pct": 1.0}, "has 3 of them in each head"),
        ({"model_type": "t5", "is_decoder": True, "is_encoder_decoder": False}, "the keys of the source to the cache"),
        ({"model_type": "falcon", "alibi": True}, "ALiBi was not recorded"),
        ({"model_type": "t5", "number_format": "float16"}, "clamps the outputs of its layers"),
        ({"model_type": "gpt2", "reorder_and_upcast_attn": True, "number_format": "bfloat16"}, "in 16 bits where reorder_and_upcast_attn"),
    ],
)
def test_what_the_reference_does_otherwise_is_refused(config: dict[str, Any], message: str) -> None:
    with pytest.raises(SymparamError, match=message):
        total(config, ["B=2", "L=5", "L_e=3"], config.get("number_format", "float32"))


@pytest.mark.parametrize("model", ["t5", "whisper", "openai-gpt"])
def test_layers_that_are_handed_more_than_what_enters_them_are_refused(model: str) -> None:
    with pytest.raises(SymparamError, match="where its layers are recomputed is not known"):
        total({"model_type": model}, ["B=2", "L=5", "L_e=3"], recomputation="full")


def test_korthikanti_is_a_convention_by_name() -> None:
    named = symparam.derive("gpt2", measure="activations", convention="korthikanti")
    assert str(named) == str(symparam.derive("gpt2", measure="activations"))


@pytest.mark.slow
@pytest.mark.skipif(find_spec("transformers") is None or find_spec("torch") is None, reason="the reference is not installed")
def test_the_reference_still_keeps_what_was_recorded() -> None:
    from tests.reference.record_autograd import record

    for each in RECORDINGS[::40]:
        found = record(each["config"], (each["B"], each["L"], each["L_e"]), each["implementation"])
        assert {key: found.get(key) for key in KEYS} == {key: each.get(key) for key in KEYS}
