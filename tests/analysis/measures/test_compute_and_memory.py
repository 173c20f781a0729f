"""Operations and bytes: known numbers, and relations between measures."""

from __future__ import annotations

from typing import Any

import pytest

import symparam
from symparam import evaluate
from symparam.core.algebra.polynomial import equal
from symparam.errors import SymparamError
from symparam.models.architectures import families
from tests.sampling import classes, one_of_each

FAMILY = {name: family.name for family in families() for name in family.classes}


def total(model: str, measure: str, *where: str, **options: str) -> int:
    return symparam.count(model, measure=measure, where=where, **options).total


@pytest.mark.parametrize(
    ("model", "measure", "where", "number"),
    [
        ("gpt2", "flops", ("L=256", "B=1"), 65_664_319_488),  # torch's FlopCounterMode, eager attention
        ("gpt2", "macs", ("L=256", "B=1"), 32_832_159_744),
        ("gpt2", "training-flops", ("L=256", "B=1"), 3 * 65_664_319_488),
        ("llama-3-8b", "kv-cache", ("S=8192", "B=1"), 2**30),
        ("llama-3-70b", "kv-cache", ("S=8192", "B=1"), 5 * 2**29),
        ("llama-7b", "weights", (), 2 * 6_738_415_616),
        ("llama-7b", "training-memory", (), 16 * 6_738_415_616),
        ("deepseek-v3", "kv-cache", ("S=1", "B=1"), 2 * 61 * (512 + 64)),
    ],
)
def test_known_numbers(model: str, measure: str, where: tuple[str, ...], number: int) -> None:
    assert total(model, measure, *where) == number


def test_a_number_format_sets_the_bytes() -> None:
    sizes = [total("gpt2", "weights", number_format=name) for name in ("float32", "float16", "int8", "int4")]
    assert sizes == [124_439_808 * each // 2 for each in (8, 4, 2, 1)]


@pytest.mark.few(10)
@pytest.mark.parametrize("name", classes())
def test_flops_are_twice_the_macs_and_training_thrice_the_flops(name: str) -> None:
    macs, flops, training = (symparam.derive(name, measure=measure).expr for measure in ("macs", "flops", "training-flops"))
    assert equal(flops, 2 * macs)
    assert equal(training, 3 * flops)


@pytest.mark.parametrize("name", ["gpt2", "llama", "mixtral", "bloom", "falcon"])
def test_tokens_one_by_one_cost_what_causal_attention_costs_at_once(name: str) -> None:
    # The products of the layers and of the head, for L tokens each behind those before it.
    decoding = symparam.derive(name, measure="decoding-macs").formula
    causal = symparam.derive(name, measure="macs", attention="causal").formula
    values = {letter: number for number, letter in enumerate(sorted((decoding.letters | causal.letters) - {"S", "L"}), 2)}
    for length in (1, 2, 7):
        one_by_one = sum(evaluate(decoding, {**values, "S": before}) for before in range(length))
        assert one_by_one == evaluate(causal, {**values, "L": length})


def test_causal_attention_has_half_of_the_pairs_and_half_a_diagonal() -> None:
    full, causal = (symparam.derive("gpt2", measure="macs", attention=each).expr for each in ("full", "causal"))
    gap = symparam.read_formula("BNH(L^2 - L)").expr
    assert equal(full - causal, gap)


def test_a_window_as_long_as_the_sequence_leaves_nothing_out() -> None:
    window, causal = (symparam.derive("mistral", measure="macs", attention=each).expr for each in ("window", "causal"))
    assert equal(window.subs(symparam.symbol("w"), symparam.L), causal)
    # 1 + 2 + 3 + 3 + 3 pairs for five tokens and a window of three.
    pairs = {length: sum(min(place, 3) for place in range(1, length + 1)) for length in (3, 5, 9)}
    values = dict.fromkeys("BNVHIdhk", 1)
    for length, expected in pairs.items():
        full = evaluate(symparam.derive("mistral", measure="macs").formula, {**values, "L": length})
        assert full - evaluate(
            symparam.derive("mistral", measure="macs", attention="window").formula, {**values, "L": length, "w": 3}
        ) == 2 * (length**2 - expected)


EXPLAINED = [pytest.param(name, measure, id=f"{name}-{measure}") for name in FAMILY for measure in ("macs", "weights")]


@pytest.mark.few(8)
@pytest.mark.parametrize(("name", "measure"), one_of_each(EXPLAINED, lambda name, measure: FAMILY[name]))
def test_every_equals_sign_in_an_explanation_is_true(name: str, measure: str) -> None:
    derivation = symparam.derive(name, measure=measure)
    for claim in derivation.claims:
        assert equal(claim.left.expr, claim.right.expr)


@pytest.mark.parametrize(
    ("model", "options", "message"),
    [
        ("bert", {"measure": "kv-cache"}, "does not write token after token"),
        ("vit", {"measure": "decoding-flops"}, "does not write token after token"),
        ("mistral", {"measure": "flops", "attention": "window", "where": ["w=9", "L=5"]}, "is longer than the sequence, L = 5"),
        ("gpt2", {"measure": "flop"}, "there is no measure named 'flop'; did you mean 'flops'?"),
        ("gpt2", {"measure": "flops", "attention": "ful"}, "there is no kind of attention named 'ful'; did you mean 'full'?"),
        (
            "gpt2",
            {"measure": "weights", "number_format": "bfloat17"},
            "there is no number format named 'bfloat17'; did you mean 'bfloat16'",
        ),
        ("bert", {"measure": "macs", "attention": "causal"}, "no attention of BertModel is causal"),
        ("bert", {"measure": "macs", "attention": "window"}, "no attention of BertModel can have a window"),
        ("mamba", {"measure": "kv-cache", "attention": "window"}, "no attention of MambaForCausalLM can have a window"),
        ("gpt2", {"convention": "torch", "number_format": "float32"}, "--number-format float32 changes nothing of what torch counts"),
        ("gpt2", {"convention": "thop", "optimizer": "sgd"}, "--optimizer sgd changes nothing of what thop counts"),
        ("gpt2", {"convention": "kaplan", "implementation": "sdpa"}, "--implementation sdpa changes nothing of what kaplan counts"),
        ("gpt2", {"convention": "torch", "tensor_parallel": True}, "--tensor-parallel changes nothing of what torch counts"),
        (
            "gpt2",
            {"measure": "activations", "convention": "autograd", "number_format": "float32", "attention": "window"},
            "--attention window changes nothing of what autograd counts",
        ),
    ],
)
def test_what_cannot_be_measured_is_said(model: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(SymparamError, match=message.replace("?", r"\?")):
        symparam.derive(model, **options)
