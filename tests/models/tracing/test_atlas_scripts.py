"""What the scripts of the atlas find in configs of the reference, whose sources give the expected values."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from symparam.models.traced.network import Key, ModuleRule, Network, RuleEntry, TensorRule

pytest.importorskip("transformers")
pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def scripts(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[3] / "scripts"))
    yield
    for name in [name for name in sys.modules if name.startswith(("atlas_", "build_atlas"))]:
        monkeypatch.delitem(sys.modules, name)


def net(keys, *sizes, conditions=()):
    weight = TensorRule(tuple(("key", path) for path in sizes))
    return Network("Net", "", ModuleRule("Net", (RuleEntry("weight", weight),)), keys, conditions)


def test_what_a_config_computes_from_a_key_that_it_then_replaces():
    """BailingHybrid: ``linear_head_dim = head_dim``, then ``head_dim = qk_rope_head_dim``; 128 and 64 by default."""
    from atlas_bases import Pair
    from atlas_given import with_replaced

    keys = {
        "head_dim": Key(64, "held", follows=("key", "qk_rope_head_dim")),
        "qk_rope_head_dim": Key(64, "free", 1),
        "linear_head_dim": Key(128, "free", 1),
        "hidden_size": Key(2560, "free", 1),
    }
    before = net(keys, "hidden_size", "linear_head_dim", "qk_rope_head_dim", conditions=(("truth", ("key", "head_dim")),))
    after, declared, changing = with_replaced(before, Pair("bailing_hybrid", "BailingHybridModel").subject())
    assert (declared, changing) == ({"head_dim": 128}, {"linear_head_dim"})
    assert after.keys == {**keys, "head_dim": Key(128, "idle", 1)}
    assert after.conditions == (("truth", ("key", "qk_rope_head_dim")),)


@pytest.mark.parametrize(
    ("moved", "document"),
    [
        ({"num_labels": 2}, {"id2label": {"0": "LABEL_0", "1": "LABEL_1"}, "label2id": {"LABEL_0": 0, "LABEL_1": 1}}),
        ({"num_labels": None}, {"num_labels": None}),
    ],
)
def test_a_number_of_labels_is_given_as_their_names(moved, document):
    from atlas_bases import Pair

    assert Pair("bert", "BertModel").subject().document(moved).items() >= document.items()


def test_a_list_may_be_a_value_of_a_list_of_words():
    """SEW-D: ``pos_att_type`` is ``["p2c", "c2p"]``, and one build may have had it within another list."""
    from atlas_bases import Pair
    from atlas_old_names import with_old_names

    keys = {"pos_att_type": Key(["p2c", "c2p"], "free", values=("p2c", ["c2p"])), "hidden_size": Key(768, "free", 1)}
    before = net(keys, "hidden_size")
    assert with_old_names(Pair("sew-d", "SEWDModel"), before).keys == keys


@pytest.mark.parametrize(
    ("model_type", "class_name", "path", "size"),
    [
        ("glm4_moe_lite", "Glm4MoeLiteModel", "qk_rope_head_dim", 64),  # ``head_dim`` is another name for it.
        ("phimoe", "PhimoeModel", "head_dim", 128),  # Its config has none: 4096 // 32.
    ],
)
def test_what_a_class_computes_itself_is_no_setting_that_the_config_has_by_another_name(model_type, class_name, path, size):
    from atlas_bases import Pair
    from atlas_variants import subject_of

    subject = subject_of(Pair(model_type, class_name))
    assert subject.settings(subject.prepare({}))[path] == size


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        ({"network": {}, "held": [], "lessons": []}, "exact"),
        ({"refused": "late", "lessons": []}, "late"),
        ({"network": {}, "held": ["hidden_size"], "lessons": []}, "more keys had to be held"),
        ({"refused": "late", "lessons": [{"hidden_size": 100, "num_attention_heads": 4}]}, "late"),  # At which the archive is right.
    ],
)
def test_a_class_keeps_what_the_archive_has_of_it(found, reason):
    from atlas_bases import Pair
    from build_atlas import kept

    after = kept(Pair("bert", "BertModel"), found)
    assert (after["kept"], "refused" in after, after["held"], after["lessons"]) == (reason, False, [], found["lessons"])


def test_a_network_with_fewer_keys_held_is_taken_and_so_is_one_of_what_the_archive_refuses():
    from atlas_bases import Pair
    from build_atlas import atlas, kept

    entries = [each for each in atlas().entries if not each.types]
    for entry in (next(each for each in entries if each.held), next(each for each in entries if each.refused)):
        found = {"network": {}, "held": [*entry.held][1:], "lessons": []}
        assert kept(Pair(entry.model_type, entry.class_name), found) == found


def test_settings_at_which_a_network_was_wrong_are_remembered(tmp_path, monkeypatch):
    import build_atlas

    monkeypatch.setattr(build_atlas, "LESSONS", tmp_path / "lessons.json")
    first, second = {"hidden_size": 8}, {"hidden_size": 16}
    build_atlas.remember({tmp_path / "bert" / "BertModel.json": {"lessons": [first]}, tmp_path / "vit" / "ViTModel.json": {}})
    build_atlas.remember({tmp_path / "bert" / "BertModel.json": {"lessons": [second, first]}})
    assert build_atlas.known_lessons() == {"bert/BertModel.json": [first, second]}


def test_what_the_archive_has_is_not_kept_where_it_is_wrong(monkeypatch):
    import build_atlas
    from atlas_bases import Pair

    found = {"refused": "late", "lessons": [{"hidden_size": 100, "num_attention_heads": 4}]}
    vit = next(each for each in build_atlas.atlas().of_class("ViTModel"))
    plain = build_atlas.network
    monkeypatch.setattr(build_atlas, "network", lambda entry: plain(vit))  # A network with other tensors.
    assert build_atlas.kept(Pair("bert", "BertModel"), found) == found


def test_what_a_nested_config_passes_on_is_held():
    """Qwen2-VL's config gives its ``vocab_size`` to its language model, where that is not mentioned; other keys it keeps."""
    from atlas_bases import Pair
    from atlas_given import with_passed_on

    keys = {
        "vlm_config.vocab_size": Key(152064, "idle", 1),
        "vlm_config.image_token_id": Key(151655, "idle", 1),
        "vlm_config.text_config.vocab_size": Key(152064, "free", 1),
    }
    after = with_passed_on(Pair("colqwen2", "ColQwen2ForRetrieval"), net(keys, "vlm_config.text_config.vocab_size"))
    assert after.keys == {**keys, "vlm_config.vocab_size": Key(152064)}


def test_a_key_without_which_a_class_does_not_build_is_a_condition():
    from atlas_bases import Pair, with_own_defaults

    before = net({"num_key_value_heads": Key(8, "free", 1)}, "num_key_value_heads")
    after = with_own_defaults(Pair("nemotron", "NemotronModel"), before)
    assert after.keys == {"num_key_value_heads": Key(None, "free", 1)}
    assert after.conditions == (("not", ("null", ("key", "num_key_value_heads"))),)


def test_a_nested_config_that_a_class_needs_has_the_defaults_of_its_type():
    """Aya Vision has a SigLIP of 1152 channels; one that is mentioned has the 768 of every other."""
    from atlas_bases import Pair, with_own_defaults

    keys = {"vision_config.hidden_size": Key(768, "free", 1), "vision_config.num_attention_heads": Key(16, "free", 1)}
    after = with_own_defaults(Pair("aya_vision", "AyaVisionModel"), net(keys, "vision_config.hidden_size"))
    assert after.keys["vision_config.hidden_size"].default == 1152
    assert after.inner["vision_config"]["vision_config.hidden_size"] == 768


@pytest.mark.parametrize(
    ("class_name", "changed", "builds"),
    [
        ("BertModel", {"use_cache": False, "sliding_window": 5, "id2label": {"0": "one"}}, 1),  # Its constructor mentions none of these.
        ("BertModel", {"num_hidden_layers": 1}, 2),
        ("BertModel", {"hidden_dropout_prob": 0.5}, 2),  # Read, though no tensor depends on it.
        ("BertModel", {"bos_token_id": 5}, 1),
        ("BertLMHeadModel", {"bos_token_id": 5}, 2),  # Read by what generates text with the model.
    ],
)
def test_a_build_that_reads_the_same_values_is_not_made_again(class_name, changed, builds):
    from atlas_bases import Pair
    from atlas_builds import Builds

    known = Builds(Pair("bert", class_name).subject())
    plain, made = known.subject.build, []
    known.subject.build = lambda config: made.append(config) or plain(config)
    default = known.of(known.subject.prepare({}))
    found = known.of(known.subject.prepare(changed))
    assert len(made) == builds
    assert (found.tensors == default.tensors) is ("num_hidden_layers" not in changed)


MADE_TWICE = """
from transformers import CLIPConfig, DacConfig, EncoderDecoderConfig, Gemma3TextConfig, GPT2Config, LlamaConfig
from atlas_configs import make_quickly

GIVEN = [
    (GPT2Config, {"n_embd": 24}), (GPT2Config, {"hidden_size": 24}), (GPT2Config, {"n_embd": "24"}), (GPT2Config, {"n_embd": True}),
    (GPT2Config, {"n_embd": 1.0}), (GPT2Config, {"n_embd": None}), (GPT2Config, {"n_inner": None}), (GPT2Config, {"n_inner": "x"}),
    (GPT2Config, {"no_such_key": [1]}), (GPT2Config, {"eos_token_id": 10**9}), (GPT2Config, {"eos_token_id": [1, 2]}),
    (LlamaConfig, {"initializer_range": 1}), (LlamaConfig, {"initializer_range": 2.5}), (LlamaConfig, {"initializer_range": "x"}),
    (Gemma3TextConfig, {"num_hidden_layers": 2, "layer_types": ["full_attention"]}), (Gemma3TextConfig, {"layer_types": "x"}),
    (DacConfig, {"downsampling_ratios": (2, 3)}), (DacConfig, {"downsampling_ratios": 7}), (EncoderDecoderConfig, {}),
    (CLIPConfig, {"text_config": {"hidden_size": 8}}), (CLIPConfig, {"text_config": {"hidden_size": "8"}}),
    (CLIPConfig, {"decoder": {"hidden_size": 8}}), (CLIPConfig, {"decoder": None}),
]

def made(kind, given):
    try:
        config = kind(**given)
        return config.to_dict(), getattr(config, "hidden_size", 0), getattr(config, "n_embd", 0)
    except Exception as error:
        return type(error).__name__, str(error)

before = [made(*each) for each in GIVEN]
make_quickly()
for each, one, other in zip(GIVEN, before, [made(*each) for each in GIVEN], strict=True):
    assert one == other, (each, one, other)
print(sum(isinstance(each[0], str) for each in before), "refused of", len(before))
"""


def test_configs_made_quickly_are_those_of_the_library():
    """In a process of its own, as it changes the library."""
    scripts = Path(__file__).parents[3] / "scripts"
    told = subprocess.run([sys.executable, "-c", MADE_TWICE], cwd=scripts, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr[-1000:]
    assert told.stdout == "13 refused of 23\n"


def test_another_name_that_a_class_takes_too_late_is_no_name_of_the_key():
    """DBRX computes ``ffn_config.hidden_size`` from ``d_model``, and only then takes ``hidden_size`` for that."""
    from atlas_bases import Pair
    from atlas_old_names import means

    keys = {
        "d_model": Key(2048, "free", 1),
        "n_heads": Key(16, "free", 1),
        "ffn_config.hidden_size": Key(2048, "held", follows=("key", "d_model")),
    }
    names = {"hidden_size": "d_model", "num_attention_heads": "n_heads"}
    before = replace(net(keys, "d_model", "n_heads", "ffn_config.hidden_size"), aliases=names)
    subject = Pair("dbrx", "DbrxModel").subject()
    assert {name: means(name, path, before, subject) for name, path in names.items()} == {"hidden_size": False, "num_attention_heads": True}


def test_settings_are_drawn_on_both_sides_of_where_a_rule_turns():
    """A width of 24 or more never is the smallest number of channels by itself: that is 8."""
    from atlas_crossings import crossing, rounds_several

    keys = {"least": Key(8, "free", 1), "width": Key(1024, "free", 1)}
    largest = TensorRule((("max", ("key", "least"), ("key", "width")),))
    before = Network("Net", "", ModuleRule("Net", (RuleEntry("weight", largest),)), keys)
    drawn = [{"least": 8, "width": 1024, **crossing(before, random)[1]} for random in map(Random, range(40))]
    assert min(sum(each["least"] > each["width"] for each in drawn), sum(each["least"] < each["width"] for each in drawn)) >= 8
    assert rounds_several(before)
    assert not rounds_several(net(keys, "least", "width"))


def test_a_list_that_is_as_long_as_there_are_layers_follows():
    """Mistral Large 4: ``kv_source_layers`` is 0, 1, 2, ... where it is not given."""
    from atlas_bases import Pair
    from atlas_defaults import with_rules_of_defaults

    keys = {
        "num_hidden_layers": Key(72, "free", 1),
        "layer_types": Key(["indexed_attention"] * 72, "held"),
        "kv_source_layers": Key([*range(72)], "held"),
    }
    after = with_rules_of_defaults(Pair("mistral_large4_text", "MistralLarge4TextModel"), net(keys, "num_hidden_layers"))
    assert after.keys["kv_source_layers"].follows == ("list", ("key", "num_hidden_layers"), ("at", 0))
