"""Passes of a model, recomputation in training, and shares of a batch: relations between them, and figures from papers."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

import symparam
from symparam.analysis.measures.compute import COMPUTE
from symparam.analysis.measures.selection import APPLIES, MEASURES
from symparam.core.algebra.polynomial import equal
from symparam.core.alphabets import ALPHABETS
from symparam.core.parsing.reader import read_formula
from symparam.errors import SymparamError
from symparam.writing.phrases import phrases
from tests.sampling import classes

B, L = symparam.B, symparam.L


def found(model: str, measure: str, **options: object) -> object:
    return symparam.derive(model, measure=measure, **options).expr  # type: ignore[arg-type]


@pytest.mark.few(10)
@pytest.mark.parametrize("name", classes())
def test_a_training_step_is_a_forward_and_a_backward_pass_of_twice_as_much(name: str) -> None:
    for unit in ("macs", "flops"):
        forward, backward, training = (found(name, begin + unit) for begin in ("", "backward-", "training-"))
        assert equal(backward, 2 * forward)  # type: ignore[operator]
        assert equal(training, forward + backward)  # type: ignore[operator]


@pytest.mark.parametrize(
    ("recomputation", "formula"),
    [
        ("none", "72Bslh²(1 + s/(6h) + V/(12lh))"),  # Korthikanti et al. 2022, equation 7.
        ("full", "96Bslh²(1 + s/(6h) + V/(16lh))"),  # Narayanan et al. 2021, equation 3: four passes of a layer, three of the head.
        ("selective", "72Bslh²(1 + s/(6h) + V/(12lh)) + 4Blhs²"),  # Korthikanti et al. 2022, the text above equation 8.
    ],
)
def test_the_training_step_of_papers(recomputation: str, formula: str) -> None:
    assert equal(
        found("gpt2", "training-flops", where=["I=4H"], recomputation=recomputation), read_formula(formula, ALPHABETS["megatron"]).expr
    )


@pytest.mark.parametrize("name", ["BertForPreTraining", "t5", "whisper", "AlbertModel", "mixtral", "deepseek_v3", "vit", "mamba"])
def test_full_recomputation_is_a_forward_pass_of_the_layers_alone(name: str) -> None:
    """The blocks outside of the layers, such as heads, poolers and convolutions, count as without it."""
    (kept, again), forward = (
        [symparam.explain(name, measure="training-macs", recomputation=each).subject.derivation for each in ("none", "full")],
        symparam.explain(name, measure="macs").subject.derivation,
    )
    more = again.expr - kept.expr
    layers = [place for place in forward.architecture.places() if "{" in place.path]
    assert equal(more, sum(place.copies * forward.measure.of_block(place) for place in layers))
    outside = [place for place in forward.architecture.places() if "{" not in place.path]
    assert all(equal(again.measure.of_block(place), 3 * forward.measure.of_block(place)) for place in outside)


def test_selective_recomputation_follows_the_pairs_that_are_counted() -> None:
    for kind, pairs in (("full", "2BL^2NH"), ("causal", "BL(L + 1)NH")):
        kept, again = (found("gpt2", "training-macs", attention=kind, recomputation=each) for each in ("none", "selective"))
        assert equal(again - kept, read_formula(pairs).expr)  # type: ignore[operator]


@pytest.mark.few(10)
@pytest.mark.parametrize("name", classes())
def test_a_share_is_the_whole_divided(name: str) -> None:
    batch = found(name, "flops")
    assert equal(found(name, "flops", per="sequence"), batch / B)  # type: ignore[operator]
    if not name.startswith("ViT"):
        assert equal(found(name, "flops", per="token"), batch / (B * L))  # type: ignore[operator]


@pytest.mark.parametrize(
    ("model", "options", "formula"),
    [
        ("gpt2", {"measure": "flops", "per": "token", "where": ["I=4H"]}, "(4LN + 2V)H + 24NH²"),
        ("gpt2", {"measure": "backward-flops", "per": "token", "where": ["I=4H"]}, "(8LN + 4V)H + 48NH²"),
        ("gpt2", {"measure": "macs", "per": "sequence", "where": ["I=4H"]}, "(2L²N + LV)H + 12LNH²"),
        ("gpt2", {"measure": "training-macs", "per": "token", "recomputation": "selective", "where": ["I=4H"]}, "(8LN + 3V)H + 36NH²"),
        ("gpt2", {"measure": "decoding-flops", "per": "token", "where": ["I=4H"]}, "(4NS + 4N + 2V)H + 24NH²"),
        ("gpt2", {"measure": "decoding-flops", "per": "sequence", "where": ["I=4H"]}, "(4NS + 4N + 2V)H + 24NH²"),
        ("gpt2", {"convention": "kaplan", "per": "token", "where": ["I=4H"]}, "2LNH + 24NH²"),  # C_forward
        ("bert", {"measure": "macs", "per": "token", "where": ["I=4H", "N=1"]}, "H²/L + 2HL + 12H²"),  # A pooler for each sequence.
        # K of E experts compute, and the router scores them all.
        ("mixtral", {"measure": "macs", "per": "token", "where": ["d=H/h", "N=1", "V=1"]}, "3HIK + EH + 2H² + 2H²k/h + 2HL + H"),
    ],
)
def test_known_shares(model: str, options: dict[str, object], formula: str) -> None:
    derived = symparam.derive(model, **options)  # type: ignore[arg-type]
    assert equal(derived.expr, read_formula(formula, names={"S": "S"}).expr)


def test_a_number_that_is_not_whole_stays_exact() -> None:
    counted = symparam.count("bert-base-uncased", measure="flops", per="token", where=["L=7"])
    whole = symparam.count("bert-base-uncased", measure="flops", where=["L=7", "B=3"])
    assert counted.total == Fraction(whole.total, 3 * 7) == Fraction(1_192_071_168, 7)
    assert "1,179,648/7" in str(counted)
    assert repr(counted) == "<CountResult bert-base-uncased: 1,192,071,168/7 FLOPs>"
    said = json.loads(counted.write("json"))
    assert said["total"] == {"numerator": 1_192_071_168, "denominator": 7}
    assert said["details"] == ["products-FLOPs", "per-token", "among-tokens"]
    assert said["check"]["difference"] == 0
    assert {type(row["parameters"]) for row in said["modules"]} == {int, dict}


def test_two_conventions_with_numbers_that_are_not_whole() -> None:
    config = {"model_type": "bert", "architectures": ["BertForMaskedLM"], "hidden_size": 6, "num_attention_heads": 2, "vocab_size": 33}
    names, where = ("megatron", "electra"), ["L=3", "B=1"]
    first, second = (symparam.count(config, convention=name, where=where).total for name in names)
    assert Fraction(second).denominator == 32
    assert sum(each.difference for each in symparam.compare(config, conventions=names, where=where).numbers) == second - first


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    ("options", "keys"),
    [
        ({"measure": "macs"}, ["why-products-MACs"]),
        ({"measure": "backward-flops", "per": "sequence"}, ["why-products-FLOPs", "why-pass-backward"]),
        ({"measure": "training-flops", "recomputation": "full"}, ["why-products-FLOPs", "why-pass-training", "why-recomputing-full"]),
        ({"measure": "training-macs", "recomputation": "selective"}, ["why-pass-training", "why-recomputing-selective"]),
        ({"measure": "decoding-macs", "per": "token"}, ["why-products-MACs", "why-pass-decoding"]),
    ],
)
def test_an_explanation_says_how_often_each_product_counts(options: dict[str, str], keys: list[str], language: str) -> None:
    text = symparam.explain("gpt2", language=language, **options).write("text")  # type: ignore[arg-type]
    words = phrases(language)
    assert all(words.sentences[key] in text for key in keys)
    behind = [f"{begin}-{options[key]}" for key, begin in (("recomputation", "recomputing"), ("per", "per")) if key in options]
    assert "".join(words.sentences[key] for key in (f"measure-{options['measure']}", *behind)) in text.splitlines()[0]


def test_it_is_said_among_which_tokens_a_model_of_two_sequences_is_divided() -> None:
    assert "All is divided by BL, the number of tokens that the decoder reads" in str(symparam.explain("t5", measure="flops", per="token"))
    assert "All is divided by BL, the number of tokens in the batch." in str(symparam.explain("gpt2", measure="flops", per="token"))
    assert "the tokens of the batch" not in str(symparam.explain("gpt2", measure="decoding-flops", per="token"))
    text = str(symparam.explain("gpt2", measure="flops", per="token", attention="causal", alphabet="kaplan"))
    assert "so on average it meets (n_ctx + 1)/2 of the n_ctx keys" in text


@pytest.mark.parametrize(
    ("model", "options", "message"),
    [
        (
            "gpt2",
            {"recomputation": "full"},
            "--recomputation full does not apply to the measure parameters; leave it out, or measure training-macs",
        ),
        ("gpt2", {"measure": "flops", "recomputation": "full"}, "--recomputation full does not apply to the measure flops"),
        (
            "gpt2",
            {"measure": "weights", "per": "token"},
            "--per token does not apply to the measure weights; leave it out, or measure macs, flops",
        ),
        ("gpt2", {"attention": "causal"}, "--attention causal does not apply to the measure parameters"),
        (
            "gpt2",
            {"measure": "flops", "sequence_parallel": True},
            "--sequence-parallel does not apply to the measure flops; leave it out, or measure act",
        ),
        ("gpt2", {"measure": "training-flops", "recomputation": "ful"}, "there is no recomputation named 'ful'; did you mean 'full'"),
        ("gpt2", {"measure": "flops", "per": "tokens"}, "there is no share of a batch named 'tokens'; did you mean 'token'"),
        ("gpt2", {"measure": "backward-flop"}, "there is no measure named 'backward-flop'; did you mean 'backward-flops'"),
        (
            "gpt2",
            {"convention": "kaplan", "recomputation": "full"},
            "a convention counts a forward pass, in which nothing is recomputed",
        ),
        (
            "vit",
            {"measure": "flops", "per": "token"},
            "ViTModel reads no sequence of L tokens; leave out --per token, or state --per sequence",
        ),
        ("mamba", {"measure": "training-flops", "recomputation": "selective"}, "has no products of attention in its layers"),
    ],
)
def test_what_does_not_apply_is_said(model: str, options: dict[str, object], message: str) -> None:
    with pytest.raises(SymparamError) as refused:
        symparam.derive(model, **options)  # type: ignore[arg-type]
    assert message in str(refused.value)


def test_each_option_is_for_measures_that_there_are() -> None:
    assert all(set(measures) <= set(MEASURES) for measures in APPLIES.values())
    assert len(COMPUTE) == 8
