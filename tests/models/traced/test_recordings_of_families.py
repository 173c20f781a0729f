"""Classes that symparam has by hand, traced: at the configs that were recorded from the reference the two must list the same tensors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from symparam.core.algebra.closed_form import FORMS
from symparam.errors import SymparamError
from symparam.models.architectures import find_architecture
from symparam.models.architectures.registry import families
from symparam.models.atlas.atlas import atlas, network
from symparam.models.traced.network import to_data
from symparam.models.traced.traced_model import model_of
from tests.command import out

RECORDINGS = Path(__file__).parents[2] / "reference" / "recordings"


def _type(path):
    """The ``model_type`` of what was recorded."""
    first = json.loads(path.read_text(encoding="utf-8"))["recordings"][0]["config"]
    return first.get("model_type") or find_architecture(path.stem).family.model_type


TRACED = [
    entry
    for path in sorted(RECORDINGS.glob("*.json"))
    for entry in atlas().of_class(path.stem)
    if not entry.refused and not entry.types and entry.model_type == _type(path)
]
"""Without those for nested configs of other types, which only a config that states these types is read by."""


@pytest.mark.few(16)
@pytest.mark.parametrize("every", [8, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("entry", TRACED, ids=[entry.class_name for entry in TRACED])
def test_a_traced_class_lists_what_was_recorded_or_refuses(entry, every):
    recordings = json.loads((RECORDINGS / f"{entry.class_name}.json").read_text(encoding="utf-8"))["recordings"]
    chosen = network(entry)
    exact = 0
    for recording in recordings[::every]:
        try:
            model = model_of(chosen, recording["config"], recording["label"])
        except SymparamError as error:
            assert str(error).startswith(recording["label"])  # Keys of other classes, flags that tracing held: refused, with the key named.
            continue
        listed = [[name, list(shape)] for name, shape, _ in model.architecture.named_parameters(model.values)]
        assert listed == recording["tensors"], recording["label"]
        exact += 1
    assert exact or every > 1


def test_each_class_that_is_written_by_hand_is_recorded_and_traced():
    """So that the test above holds the two against each other for all of them."""
    by_hand = {(family.model_type, name) for family in families() for name in family.classes}
    assert by_hand == {(entry.model_type, entry.class_name) for entry in TRACED}


@pytest.mark.few(8)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "name", ["BertModel", "GPT2LMHeadModel", "Qwen3ForCausalLM", "T5ForConditionalGeneration", "DeepseekV3ForCausalLM", "ViTModel"]
)
def test_a_traced_class_prints_what_its_family_prints(name, form, tmp_path):
    """Written to a file as ``symparam trace -o`` writes it."""
    model_type = find_architecture(name).family.model_type
    (entry,) = (each for each in atlas().of_class(name) if (each.model_type, each.types) == (model_type, {}))
    file = tmp_path / "net.json"
    file.write_text(json.dumps(to_data(network(entry))), encoding="utf-8")
    assert out("derive", str(file), "--form", form) == out("derive", name, "--form", form)


def test_the_letter_of_a_setting_that_may_be_null_follows_what_the_class_takes():
    """GPT-2's ``n_inner`` is null, for four times the width; a wider model has a wider feed-forward part."""
    (entry,) = (each for each in atlas().of_class("GPT2LMHeadModel") if each.model_type == "gpt2")
    wide = model_of(network(entry), {"n_embd": 960}, "wide")
    assert (wide.values["I"], str(wide.derived["I"])) == (3840, "4H")
    given = model_of(network(entry), {"n_embd": 960, "n_inner": 99}, "given")
    assert (given.values["I"], "I" in given.derived) == (99, False)


@pytest.mark.parametrize(("image", "patch", "patches"), [(224, 16, 196), (33, 8, 16), (50, 50, 1)])
def test_the_number_of_patches_has_a_letter_where_they_do_not_fit_the_image_either(image, patch, patches):
    (entry,) = atlas().of_class("ViTModel")
    model = model_of(network(entry), {"image_size": image, "patch_size": patch}, "images")
    assert {letter: model.values[letter] for letter in ("n_p", "s_h", "s_w")} == {"n_p": patches, "s_h": patch, "s_w": patch}
    assert ("position_embeddings", (1, patches + 1, 768)) in {
        (name.rpartition(".")[2], shape) for name, shape, _ in model.architecture.named_parameters(model.values)
    }
