"""From a config's keys to values: the reference's defaults, aliases and constraints."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symparam.errors import ConfigError, SymparamError, UnknownNameError
from symparam.models.architectures import families, find_architecture
from symparam.models.configs.config_file import ConfigDocument
from symparam.models.configs.values import Model, model_from_config
from symparam.writing.notes import sentences


def model(asked: str = "", flags: dict[str, bool] | None = None, **keys: Any) -> Model:
    return model_from_config(ConfigDocument(keys, "c.json"), find_architecture(asked) if asked else None, flags)


def test_absent_keys_take_the_defaults_of_the_reference_and_say_so() -> None:
    found = model(model_type="bert", vocab_size=100, num_hidden_layers=2, intermediate_size=7, type_vocab_size=1)
    assert found.values == {"V": 100, "H": 768, "N": 2, "h": 12, "I": 7, "P": 512, "T": 1}
    assert sentences(found.remarks, "en") == (
        "c.json leaves out some keys, so the reference's defaults are used: "
        "hidden_size = 768, num_attention_heads = 12, max_position_embeddings = 512",
        'c.json names no class under "architectures"; BertModel is assumed; --architecture BertForMaskedLM takes another',
    )


def test_a_misspelt_key_is_suspected() -> None:
    misspelt = sentences(model(model_type="bert", hiden_size=24).remarks, "en")[0]
    assert misspelt.endswith('; "hiden_size" is not a key of BERT: is "hidden_size" meant?')
    found = model(model_type="bert", n_embd=24, hidden_act="gelu")
    assert sentences(found.remarks, "en")[0].endswith('type_vocab_size = 2; "n_embd" is not a key of BERT: is "hidden_size" meant?')


def test_a_key_of_another_family_for_a_size_that_follows_from_others_is_said() -> None:
    keys = {"model_type": "llama", "hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 2, "num_attention_heads": 8}
    found = model(**keys, num_kv_heads=4, vocab_size=100)
    said = sentences(found.remarks, "en")[0]
    assert said.endswith('num_key_value_heads = 8; "num_kv_heads" is not a key of Llama: is "num_key_value_heads" meant?')
    assert not any("num_key_value_heads" in each for each in sentences(model(**keys, vocab_size=100).remarks, "en"))


@pytest.mark.parametrize(
    ("asked", "keys", "given", "expected"),
    [
        (  # As Meta writes the sizes of Llama 3; its other default, of the feed-forward size, would not hold either.
            "llama",
            {"dim": 4096, "n_layers": 32, "n_heads": 32, "vocab_size": 128256, "norm_eps": 1e-05},
            '"dim", "n_layers", "n_heads"',
            '"hidden_size", "num_hidden_layers", "num_attention_heads"',
        ),
        ("mamba", {"d_model": 768, "n_layer": 24, "vocab_size": 50277}, '"d_model", "n_layer"', '"hidden_size", "num_hidden_layers"'),
    ],
)
def test_sizes_under_names_that_the_class_does_not_read_are_refused_in_a_file_that_is_not_written_for_the_reference(
    asked: str, keys: dict[str, Any], given: str, expected: str
) -> None:
    with pytest.raises(ConfigError, match=f" does not read {given}, but {expected}, and would take defaults; write each size under "):
        model(asked, **keys)


def test_a_size_under_two_names_of_which_the_class_reads_one_is_taken() -> None:
    assert model(model_type="llama", hidden_size=64, dim=32).values["H"] == 64


def test_a_key_of_the_reference_that_is_part_of_another_is_no_misspelling() -> None:
    assert model(model_type="deepseek_v3", head_dim=64).values["d_v"] == 128  # head_dim is that of the rotation there.
    assert model(model_type="mamba2", chunk_size_feed_forward=0).values["H"] == 4096


def test_an_argument_of_the_class_is_followed_and_mentioned() -> None:
    found = model(model_type="bert", add_pooling_layer=False)
    assert not any(place.path.startswith("pooler") for place in found.architecture.places())
    assert sentences(found.remarks, "en")[-2] == (
        'c.json: "add_pooling_layer" is an argument of the reference\'s class, not a key of its configs; it is followed all the same'
    )


def test_a_width_that_the_reference_derives_is_marked_as_such() -> None:
    assert {letter: str(formula) for letter, formula in model(model_type="gpt2").derived.items()} == {"I": "4H"}
    assert model(model_type="gpt2", n_inner=10).derived == {}


@pytest.mark.parametrize(
    ("keys", "letter", "value"),
    [
        ({"model_type": "gpt2", "n_embd": 24}, "H", 24),
        ({"model_type": "gpt2", "hidden_size": 24}, "H", 24),
        ({"model_type": "gpt2", "n_embd": 36, "hidden_size": 24}, "H", 24),  # The reference follows the alias.
        ({"model_type": "gpt2", "n_embd": 24}, "I", 96),
        ({"model_type": "gpt2", "n_embd": 24, "n_inner": None}, "I", 96),
        ({"model_type": "gpt2", "n_embd": 24, "n_inner": 10}, "I", 10),
        ({"model_type": "openai-gpt", "max_position_embeddings": 9}, "P", 9),
        ({"model_type": "bloom", "hidden_size": 16, "n_embed": 24}, "H", 24),
        ({"model_type": "bloom", "hidden_size": 16, "n_embed": None}, "H", 16),
        ({"model_type": "bloom", "num_hidden_layers": 3}, "N", 3),
        ({"model_type": "deepseek_v32", "n_routed_experts": 8, "num_experts": 64}, "E", 64),
        ({"model_type": "deepseek_v32", "n_routed_experts": 8, "num_experts": None}, "E", 8),
        ({"model_type": "deepseek_v32", "num_local_experts": 16, "num_experts": 64}, "E", 16),
    ],
)
def test_spellings_that_the_reference_accepts_are_read(keys: dict[str, Any], letter: str, value: int) -> None:
    assert model(**keys).values[letter] == value


def test_two_spellings_that_disagree_are_mentioned() -> None:
    assert sentences(model(model_type="gpt2", n_embd=36, hidden_size=24).remarks, "en")[0] == (
        "c.json gives both hidden_size = 24 and n_embd = 36; the reference follows hidden_size"
    )


REFUSED: list[tuple[dict[str, Any], str]] = [
    (
        {},
        'c.json lacks the keys "architectures" and "model_type", so it does not say which architecture it is for; add one of them, '
        "or name the architecture with --architecture; symparam list shows the names",
    ),
    ({"model_type": "bert", "hidden_size": None}, 'c.json: "hidden_size" is null, but a positive whole number is expected'),
    ({"model_type": "bert", "hidden_size": "768"}, "c.json: \"hidden_size\" is the string '768', but a positive whole number is expected"),
    ({"model_type": "bert", "hidden_size": 0}, 'c.json: "hidden_size" is 0, but a positive whole number is expected'),
    ({"model_type": "bert", "hidden_size": -1}, 'c.json: "hidden_size" is -1, but a positive whole number is expected'),
    ({"model_type": "bert", "hidden_size": 768.0}, 'c.json: "hidden_size" is 768.0, but a positive whole number is expected'),
    ({"model_type": "bert", "hidden_size": True}, 'c.json: "hidden_size" is true, but a positive whole number is expected'),
    ({"model_type": "bert", "hidden_size": [768]}, 'c.json: "hidden_size" is a list, but a positive whole number is expected'),
    (
        {"model_type": "bert", "vocab_size": 10**18 + 1},
        'c.json: "vocab_size" is larger than 10^18, which is more than any size of a model',
    ),
    ({"model_type": "gpt2", "n_inner": 0}, 'c.json: "n_inner" is 0, but a positive whole number is expected'),
    (
        {"model_type": "bert", "hidden_size": 770},
        "c.json: the hidden size H = 770 is not divisible by the number of attention heads, h = 12, as BERT needs it; change one of them",
    ),
    ({"model_type": "bert", "tie_word_embeddings": 1}, 'c.json: "tie_word_embeddings" is 1, but true or false is expected'),
    ({"model_type": 7}, 'c.json: "model_type" is 7, but a name such as "bert" is expected'),
    ({"architectures": "BertModel"}, "c.json: \"architectures\" is the string 'BertModel', but a list of class names is expected"),
    ({"architectures": [["BertModel"]]}, 'c.json: "architectures" is a list of other things, but a list of class names is expected'),
    (
        {"model_type": "llama", "hidden_act": None},
        'c.json: "hidden_act" is null, but an activation function that transformers has, such as "silu", is expected',
    ),
    ({"model_type": "gpt3"}, "c.json: symparam has no architecture for the model type 'gpt3'; the nearest it has is gpt2"),
    (
        {"model_type": "zzz"},
        "c.json: symparam has no architecture for the model type 'zzz'; symparam list shows what it has, and symparam list WORD finds a "
        "class of transformers; for any other, count a file with the output of print(model), or find the closed form with symparam trace",
    ),
    ({"architectures": ["BloomForCausalLN"]}, "c.json: symparam has no class 'BloomForCausalLN'; the nearest it has is BloomForCausalLM"),
    (
        {"model_type": "bert", "architectures": ["BertForMultipleChoice"]},
        "c.json: symparam has no class 'BertForMultipleChoice'; for this model type it has BertModel, BertForMaskedLM, "
        "BertForPreTraining, BertForSequenceClassification, BertForTokenClassification: name one, as in --architecture BertModel",
    ),
    (
        {"model_type": "bert", "architectures": ["GPT2LMHeadModel"]},
        "c.json contradicts itself: \"model_type\" is 'bert', but GPT2LMHeadModel belongs to GPT-2",
    ),
    (
        {"model_type": "bert", "add_cross_attention": True},
        "add_cross_attention is true but is_decoder is not; the reference builds add_cross_attention only together with is_decoder: true",
    ),
    (
        {"model_type": "bert", "hidden_act": "prelu"},
        "c.json: \"hidden_act\" is the string 'prelu', but an activation without parameters of its own is expected",
    ),
    (
        {"model_type": "bert", "hidden_act": 7},
        'c.json: "hidden_act" is 7, but an activation function that transformers has, such as "gelu", is expected',
    ),
    (
        {"model_type": "llama", "hidden_act": "swiglu"},
        'c.json: "hidden_act" is the string \'swiglu\', but an activation function that transformers has, such as "silu", is expected',
    ),
    (
        {"model_type": "clip", "vision_config": {"hidden_act": None}},
        'c.json: "vision_config.hidden_act" is null, but an activation function that transformers has, such as "quick_gelu", is expected',
    ),
]


@pytest.mark.parametrize(("keys", "message"), REFUSED, ids=[message[:60] for _, message in REFUSED])
def test_what_the_reference_would_refuse_is_refused_in_one_sentence(keys: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as raised:
        model(**keys)
    assert str(raised.value) == message


def test_a_class_that_is_asked_for_decides_over_the_config() -> None:
    found = model("bert", model_type="bert", architectures=["BertForMaskedLM"])
    assert found.architecture.class_name == "BertModel"
    assert sentences(found.remarks, "en")[0] == "c.json names BertForMaskedLM; BertModel is used, as requested"


def test_another_family_than_the_one_asked_for_is_refused() -> None:
    with pytest.raises(ConfigError, match="\"model_type\" is 'gpt2', but bert was asked for, whose configs say 'bert'"):
        model("bert", model_type="gpt2")


def test_a_flag_beside_the_config_decides_and_an_unknown_one_is_refused() -> None:
    tied = model(model_type="gpt2")
    untied = model(model_type="gpt2", flags={"tie_word_embeddings": False})
    count = [len(list(found.architecture.named_parameters(found.values))) for found in (tied, untied)]
    assert count[1] - count[0] == 1
    with pytest.raises(UnknownNameError, match="there is no flag of GPT-2 named 'tie_word_embedding'; did you mean 'tie_word_embeddings'"):
        model(model_type="gpt2", flags={"tie_word_embedding": False})


KEYS = sorted(
    {key for family in families() for size in family.sizes for key in size.spellings} | {"tie_word_embeddings", "is_decoder", "hidden_act"}
)
VALUES = st.none() | st.booleans() | st.integers(-5, 10**20) | st.floats() | st.text(max_size=5) | st.lists(st.integers(), max_size=2)


@given(st.sampled_from([family.model_type for family in families()]), st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=6))
def test_any_values_end_in_a_model_or_in_a_sentence(model_type: str, keys: dict[str, Any]) -> None:
    try:
        found = model(**{**keys, "model_type": model_type})
    except SymparamError as error:
        assert "\n" not in str(error)
        assert len(str(error)) < 400
    else:
        assert all(isinstance(value, int) and value > 0 for value in found.values.values())


def test_a_long_list_of_layers_is_read_in_bounded_time() -> None:
    # Against each of the layers, the list takes minutes.
    only = [*range(20_000, 620_000), 0]
    found = model(model_type="qwen3_moe", num_hidden_layers=10_000, mlp_only_layers=only)
    runs = [place.copies for place in found.architecture.places() if place.path.startswith("model.layers.{") and place.path.endswith("}")]
    assert runs == [1, 9_999]
