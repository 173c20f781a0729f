"""Networks as data: what is written is read again, and what is not a network, or beyond its conditions, is refused with a sentence."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path

import pytest

import symparam
from symparam.errors import ArchitectureError, ConfigError, SymparamError
from symparam.models.configs.changes import read_changes
from symparam.models.resolution import resolve
from symparam.models.traced.config_keys import settings_of
from symparam.models.traced.network import Key, ModuleRule, Network, RuleEntry, TensorRule, from_data, to_data
from symparam.models.traced.traced_model import model_of

ROOT = Path(__file__).parents[3]
LAYER = ModuleRule(
    "Layer",
    (
        RuleEntry("weight", TensorRule((("key", "dim"), ("//", ("key", "dim"), ("key", "heads"))))),
        RuleEntry("gate", TensorRule((("key", "dim"),)), condition=("==", ("%", ("at", 0), ("key", "every")), 0)),
    ),
)
NET = Network(
    "Net",
    "net.py:Net",
    ModuleRule("Net", (RuleEntry("layers", ModuleRule("ModuleList", (RuleEntry("#", LAYER, count=("key", "depth")),))),)),
    {
        "dim": Key(8, "free", 1),
        "heads": Key(2, "free", 1),
        "depth": Key(4, "free", 1),
        "every": Key(2, "free", 1),
        "norm": Key("rms"),
        "pairs": Key([[1, 2]]),
    },
    (("==", ("%", ("key", "dim"), ("key", "heads")), 0),),
    (6, 6),
)


def tensors(**settings):
    model = model_of(NET, settings, "the settings")
    return [(name, shape) for name, shape, _ in model.architecture.named_parameters(model.values)]


def test_rules_are_spelled_out_at_any_settings():
    assert tensors(depth=3, dim=12) == [
        ("layers.0.weight", (12, 6)),
        ("layers.0.gate", (12,)),
        ("layers.1.weight", (12, 6)),
        ("layers.2.weight", (12, 6)),
        ("layers.2.gate", (12,)),
    ]


def test_what_follows_from_other_keys_has_to_be_given_where_it_cannot_be_computed():
    root = ModuleRule("Net", (RuleEntry("weight", TensorRule((("key", "head_dim"),))),))
    follows = ("exact", ("key", "dim"), ("key", "heads"))
    net = Network(
        "Net", "net.py:Net", root, {"dim": Key(8, "free", 0), "heads": Key(2, "free", 0), "head_dim": Key(4, "free", 1, follows=follows)}
    )
    assert model_of(net, {"dim": 6}, "the settings").values
    for heads in (0, 3):
        with pytest.raises(ConfigError, match="the settings: 'head_dim' is not given, and how it follows from dim and heads is only known"):
            model_of(net, {"heads": heads}, "the settings")


def test_what_a_class_computes_in_place_of_a_given_value_is_refused_where_it_may_differ():
    root = ModuleRule("Net", (RuleEntry("weight", TensorRule((("key", "merged"),))),))
    merged = Key(32, follows="?", overruled=True)
    written = json.dumps(to_data(Network("Net", "net.py:Net", root, {"dim": Key(8, "idle", 1), "merged": merged})))
    net = from_data(json.loads(written), "net.json")
    model = model_of(net, {"dim": 8, "merged": 32}, "the settings")
    assert [shape for _, shape, _ in model.architecture.named_parameters(model.values)] == [(32,)]
    for settings in ({"dim": 9, "merged": 32}, {"dim": 9}):
        with pytest.raises(ConfigError, match="the settings: Net computes 'merged' from other keys, and how is not known"):
            model_of(net, settings, "the settings")


def test_a_nested_config_that_is_mentioned_has_its_own_defaults():
    root = ModuleRule("Net", (RuleEntry("weight", TensorRule((("key", "text.dim"), ("key", "text.depth"), ("key", "image.dim")))),))
    keys = {
        "text.dim": Key(8, "free", 1),
        "text.depth": Key(2, "free", 1, follows="?"),
        "text.pad": Key(0, "any"),
        "image.dim": Key(5, "free", 1),
    }
    net = Network("Net", "net.py:Net", root, keys, inner={"text": {"text.dim": 16, "text.depth": 3}, "image": {"image.dim": 7}})

    def shape(**settings):
        model = model_of(net, settings, "the settings")
        return [shape for _, shape, _ in model.architecture.named_parameters(model.values)]

    assert shape() == [(8, 2, 5)]
    assert shape(text={"pad": 1}) == [(16, 3, 5)]
    assert shape(text={"output_hidden_states": True}) == [(16, 3, 5)], "a key that matters to no class mentions it too"
    for settings in ({"text": {"dim": 8}}, {"text": {"pad": 1}, "image": {"dim": 7}}):
        with pytest.raises(ConfigError, match=r"the settings: 'text\.depth' is not given"):
            shape(**settings)


@pytest.mark.parametrize(
    ("settings", "shapes"),
    [
        ({}, [("wide", (8,))]),
        ({"deep": True}, None),
        ({"dim": 9}, None),
        ({"dim": 6}, [("wide", (6,))]),
        ({"dim": 6, "deep": True, "inside": 3}, [("wide", (6,)), ("side", (3,))]),
        ({"dim": 6, "deep": True}, None),
        ({"dim": 6, "twice": True}, None),
        ({"dim": 6, "twice": True, "inside": 3}, [("wide", (6,)), ("double", (6,))]),
    ],
)
def test_what_is_not_known_to_follow_is_only_missed_where_something_needs_it(settings, shapes):
    """``inside`` is the size of a part that only ``deep`` networks have; ``double`` follows from it, and a condition on wide networks."""
    entries = (
        RuleEntry("wide", TensorRule((("key", "dim"),))),
        RuleEntry("side", TensorRule((("key", "inside"),)), condition=("key", "deep")),
        RuleEntry("double", TensorRule((("key", "double"),)), condition=("key", "twice")),
    )
    keys = {
        "double": Key(8, "free", 1, follows=("*", 2, ("key", "inside"))),
        "dim": Key(8, "free", 1),
        "deep": Key(False, "free"),
        "twice": Key(False, "free"),
        "inside": Key(4, "free", 1, follows="?"),
    }
    needed = ("or", ("<", ("key", "dim"), 9), (">", ("key", "inside"), 0))
    net = Network("Net", "net.py:Net", ModuleRule("Net", entries), keys, conditions=(needed,))
    if shapes is None:
        with pytest.raises(ConfigError, match="the settings: 'inside' is not given, and how it follows from the other keys is not known"):
            model_of(net, settings, "the settings")
        return
    model = model_of(net, settings, "the settings")
    assert [(name, shape) for name, shape, _ in model.architecture.named_parameters(model.values)] == shapes


def test_a_dictionary_that_is_given_in_part_is_refused_as_it_replaces_the_default_whole():
    root = ModuleRule("Net", (RuleEntry("weight", TensorRule((("key", "largest"),))),))
    keys = {
        "table.1": Key(4, "idle", 1),
        "table.2": Key(8, "idle", 1),
        "inner.dim": Key(3, "free", 1),
        "inner.depth": Key(3, "free", 1),
        "inner.chunk_size_feed_forward": Key(0, "idle", 0),
        "largest": Key(8, "free", 1, follows=("max", ("key", "table.1"), ("key", "table.2"))),
    }
    net = Network("Net", "transformers", root, keys, model_type="net")

    def shape(**settings):
        model = model_of(net, settings, "the settings")
        return [shape for _, shape, _ in model.architecture.named_parameters(model.values)]

    assert shape(table={"1": 9, "2": 2}) == [(9,)]
    assert shape(inner={"dim": 5}) == [(8,)], "a nested config has defaults of its own"
    with pytest.raises(ConfigError, match="the settings: 'table' is given without '2', but Net takes it as a whole"):
        shape(table={"1": 4})


def test_a_head_that_is_tied_for_the_whole_and_not_for_its_text_is_refused():
    """The reference ties the head of ShieldGemma 2 where either says so; the rules of the class follow the text alone."""
    document = {"architectures": ["ShieldGemma2ForImageClassification"], "model_type": "shieldgemma2", "tie_word_embeddings": True}
    assert resolve({**document, "text_config": {"tie_word_embeddings": True}}).model.values
    with pytest.raises(ConfigError, match=r"'text_config\.tie_word_embeddings' differ"):
        resolve({**document, "text_config": {"tie_word_embeddings": False}})


@pytest.mark.parametrize("name", ["LlavaOnevisionForConditionalGeneration", "Glm4vMoeForConditionalGeneration"])
def test_a_head_that_the_config_of_the_text_ties_is_not_counted_as_untied(name):
    """These configs say ``if not self.tie_word_embeddings and self.text_config.tie_word_embeddings: self.tie_word_embeddings = True``."""
    model_type = {"L": "llava_onevision", "G": "glm4v_moe"}[name[0]]

    def names(tied, **keys):
        document = {"architectures": [name], "model_type": model_type, "text_config": {"tie_word_embeddings": tied}, **keys}
        model = resolve(document).model
        return {each for each, *_ in model.architecture.named_parameters(model.values)}

    assert "lm_head.weight" in names(False, tie_word_embeddings=False)
    assert "lm_head.weight" not in names(True) | names(True, tie_word_embeddings=True) | names(False, tie_word_embeddings=True)
    with pytest.raises(ConfigError, match=f"'tie_word_embeddings' is false, but {name} computes true from other keys; leave it out"):
        names(True, tie_word_embeddings=False)


def test_what_may_follow_from_two_settings_is_refused_where_they_differ():
    root = ModuleRule("Net", (RuleEntry("weight", TensorRule((("agreed", ("key", "dim"), ("key", "heads")),))),))
    net = Network("Net", "net.py:Net", root, {"dim": Key(8, "free", 1), "heads": Key(8, "free", 1)})
    model = model_of(net, {"dim": 5, "heads": 5}, "the settings")
    assert [shape for _, shape, _ in model.architecture.named_parameters(model.values)] == [(5,)]
    with pytest.raises(ConfigError, match="dim: 8 would fit all traced builds as well"):
        model_of(net, {"dim": 5}, "the settings")
    letters = model_of(net, {}, "the settings", with_values=False)
    assert letters.conditions == ("H == heads",)


def test_the_same_setting_of_two_parts_has_the_same_letter_with_the_names_of_the_parts():
    sizes = ("encoder_config.hidden_size", "mask_decoder_config.hidden_size", "encoder_config.rank", "mask_decoder_config.rank")
    root = ModuleRule("Net", tuple(RuleEntry(name, TensorRule((("key", path),))) for name, path in zip("abcd", sizes, strict=True)))
    net = Network("Net", "net.py:Net", root, {path: Key(8, "free", 1) for path in sizes})
    model = model_of(net, {}, "the settings", with_values=False)
    assert [str(tensor.shape) for _, tensor in model.architecture.tensors()] == [
        "(H,)",
        "(H_decoder,)",
        "(rank,)",
        "(rank_mask_decoder,)",
    ]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"dim": 9}, "dim % heads == 0"),
        ({"norm": "layer"}, "'norm' is 'layer', but Net was traced with 'rms' only"),
        ({"dmi": 8}, "'dmi' is not a key that Net was traced with, so what it changes is not known; it has dim, "),
        ({"dims": 8}, "'dims' is not a key that Net was traced with, so what it changes is not known; is 'dim' meant?"),
        ({"dim": "8"}, "'dim' is '8', but Net was traced with numbers, without quotation marks"),
        ({"dim": 8.5}, "whole numbers"),
        ({"heads": None}, "values other than null"),
        ({"depth": 0}, "1 or more"),
        ({"every": True}, "'every' is true"),
        ({"pairs": [[1, 3]]}, "'pairs' is [[1, 3]], but Net was traced with [[1, 2]] only"),
        ({"pairs": [{"one": 1}]}, "'pairs' is [{'one': 1}], but Net was traced with [[1, 2]] only"),
    ],
)
def test_what_was_not_verified_is_refused(settings, said):
    with pytest.raises(ConfigError, match=r"^the settings") as caught:
        tensors(**settings)
    assert said in str(caught.value)


def test_a_name_that_no_source_of_the_class_mentions_has_no_effect_unless_it_looks_like_a_slip():
    root = ModuleRule("Net", (RuleEntry("weight", TensorRule((("key", "dim"), ("key", "text.dim")))),))
    keys = {"dim": Key(8, "free", 1), "text.dim": Key(5, "free", 1), "shown": Key(True, "idle")}
    words = frozenset({"dim", "window", "dropout"})
    idle = {"": frozenset({"dropout"})}
    written = json.dumps(to_data(Network("Net", "net.py:Net", root, keys, inner={"text": {}}, words=words, idle_names=idle)))
    net = from_data(json.loads(written), "net.json")

    def shape(**settings):
        model = model_of(net, settings, "the settings")
        return [shape for _, shape, _ in model.architecture.named_parameters(model.values)]

    assert shape(dim=3, verbosity=2, dropout=0.5, text={"remarks": {"window": 1}}) == [(3, 5)]
    assert shape(dim=3, shown=True, shown_as="line") == [(3, 5)]  # What is given itself is not what another name means ...
    slips = ({"shownn": True}, {"shown": True, "shownn": True}, {"texts": {"dim": 2}})
    for settings in ({"window": 2}, {"text": {"window": 2}}, {"text": {"dropout": 0.5}}, *slips):
        with pytest.raises(ConfigError, match="is not a key that Net was traced with, so what it changes is not known"):
            shape(dim=3, **settings)
    with pytest.raises(ConfigError, match="'width' is not a key that Net was traced with"):
        shape(width=3)  # A config without a size that the class knows is one for another class.


def test_keys_of_a_nested_config_stand_beside_the_others_only_where_it_is_not_mentioned():
    root = ModuleRule("Net", (RuleEntry("weight", TensorRule((("key", "dim"), ("key", "text.width")))),))
    keys = {"dim": Key(8, "free", 1), "text.dim": Key(5, "free", 1), "text.width": Key(6, "free", 1)}
    words = frozenset({"dim", "width"})
    written = json.dumps(to_data(Network("Net", "net.py:Net", root, keys, inner={"text": {}}, words=words, spread="text")))
    net = from_data(json.loads(written), "net.json")

    def shape(settings):
        model = model_of(net, settings, "the settings")
        return [shape for _, shape, _ in model.architecture.named_parameters(model.values)]

    assert shape({"dim": 3, "width": 4}) == shape({"dim": 3, "text": {"width": 4}}) == [(3, 4)]
    with pytest.raises(ConfigError, match="'width' is not a key that Net was traced with"):
        shape({"width": 4, "text": {"dim": 3}})


def test_null_is_taken_as_not_given_where_the_class_takes_it_so():
    root = ModuleRule("Net", (RuleEntry("weight", TensorRule((("key", "inside"),))),))
    keys = {"dim": Key(8, "free", 1), "inside": Key(32, "free", 1, follows=("*", 4, ("key", "dim")), unset=True)}
    net = from_data(json.loads(json.dumps(to_data(Network("Net", "net.py:Net", root, keys)))), "net.json")
    model = model_of(net, {"dim": 3, "inside": None}, "the settings")
    assert [shape for _, shape, _ in model.architecture.named_parameters(model.values)] == [(12,)]
    with pytest.raises(ConfigError, match="'dim' is null, but Net was traced with values other than null"):
        model_of(net, {"dim": None}, "the settings")


def test_a_fraction_is_given_as_a_change():
    scaled = ("int", ("*", 8, ("key", "width")))
    net = Network("Scaled", "", ModuleRule("Scaled", (RuleEntry("weight", TensorRule((scaled,))),)), {"width": Key(1.0, "free", 0.25)})
    model = model_of(net, {}, "the settings", changes=read_changes(["width=1.5"]))
    assert [shape for _, shape, _ in model.architecture.named_parameters(model.values)] == [(12,)]
    with pytest.raises(ConfigError, match="'width' is 'wide'"):
        model_of(net, {}, "the settings", changes={"width": "wide"})


def test_what_is_written_is_read_again():
    assert from_data(json.loads(json.dumps(to_data(NET))), "net.json") == NET


@pytest.mark.parametrize(
    "change",
    [
        {"format": "symparam network 9"},
        {"root": ["Net", [{"name": "w", "shape": [["system", "ls"]]}]]},
        {"root": ["Net", [{"name": "w", "shape": [["+"] * 3 and ["+", *[["+", 1, 1]] * 2]], "if": ["if", 1]}]]},
        {"keys": {"dim": {"default": 1, "status": "loose"}}},
        {"conditions": [[]]},
    ],
)
def test_what_is_no_network_is_refused(change):
    with pytest.raises(ArchitectureError, match="trace the module again"):
        from_data({**to_data(NET), **change}, "net.json")


def test_a_power_or_a_list_without_end_is_refused():
    rule = ModuleRule("Net", (RuleEntry("w", TensorRule((("**", 9, ("**", 9, 99)),))),))
    with pytest.raises(ConfigError, match="do not follow"):
        model_of(Network("Net", "", rule, {}), {}, "the settings")
    many = ModuleRule("Net", (RuleEntry("#", TensorRule((1,)), count=10**12),))
    with pytest.raises(ArchitectureError, match="at most 1,000,000"):
        model_of(Network("Net", "", many, {}), {}, "the settings")


def test_a_class_of_the_atlas_is_found_by_its_config():
    keys = {"architectures": ["HeliumForCausalLM"], "model_type": "helium", "hidden_size": 100, "num_hidden_layers": 2, "vocab_size": 10}
    model = resolve(keys).model
    assert model.values["H"] == 100
    with pytest.raises(ConfigError, match="hidden_sise"):
        resolve({**keys, "hidden_sise": 3})


def test_the_page_of_the_documentation_says_what_the_atlas_has():
    script = runpy.run_path(str(ROOT / "scripts" / "atlas_page.py"))
    assert script["PAGE"].read_text(encoding="utf-8") == script["page"]()


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"architectures": ["HeliumForCausalML"], "model_type": "helium"}, "'HeliumForCausalML'; the nearest it has is HeliumForCausalLM"),
        ({"architectures": ["SwinModell"]}, "no class 'SwinModell'; the nearest it has is SwinModel"),
        ({"architectures": ["BertForChoices"], "model_type": "bert"}, "for this model type it has BertModel, BertForMaskedLM"),
    ],
)
def test_a_misspelt_class_of_the_atlas_is_suspected(config, said):
    with pytest.raises(SymparamError, match=re.escape(said)):
        symparam.count(config)


def test_a_word_that_no_name_contains_is_said():
    with pytest.raises(SymparamError, match="no architecture, preset or traced class whose name contains 'zzzz'; symparam list shows"):
        symparam.list(word="zzzz")


@pytest.mark.parametrize(
    ("name", "value", "accepted"), [("norm_eps", 0.0, True), ("norm_eps", 1e-12, True), ("norm_eps", -0.5, False), ("share", 0.01, False)]
)
def test_fractions_for_computing_may_be_as_small_as_they_like(name, value, accepted):
    fractions = {"norm_eps": Key(1e-5, "idle", 5e-6), "share": Key(0.5, "idle", 0.25)}
    net = Network("Net", "net.py:Net", ModuleRule("Net", (RuleEntry("weight", TensorRule((24,))),)), fractions)
    if accepted:
        assert settings_of(net, {name: value}, "c.json")[name] == value
    else:
        with pytest.raises(ConfigError, match=f"c.json: '{name}' is {value}"):
            settings_of(net, {name: value}, "c.json")
