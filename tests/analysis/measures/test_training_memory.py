"""Gradients and the states of optimisers, and what ranks share of them."""

from __future__ import annotations

import pytest

import symparam
from symparam.analysis.measures.optimizers import OPTIMIZERS
from symparam.core.algebra.polynomial import equal
from symparam.errors import SymparamError
from symparam.models.architectures import families

PARTS = ("weights", "gradients", "optimizer-states")


@pytest.mark.parametrize(
    ("optimizer", "number_format", "states", "whole"),  # Bytes for each parameter.
    [
        ("adam-mixed", "bfloat16", 12, 16),  # Rajbhandari et al. 2019, arXiv 1910.02054, section 3.1
        ("adam-mixed-float32-gradients", "bfloat16", 12, 18),  # Megatron-LM, dist_optimizer.md
        ("adam", "float32", 8, 16),
        ("adam", "bfloat16", 4, 8),
        ("lion", "float32", 4, 12),
        ("sgd-momentum", "float32", 4, 12),
        ("sgd", "float32", 0, 8),
    ],
)
def test_bytes_for_each_parameter(optimizer: str, number_format: str, states: int, whole: int) -> None:
    options = {"optimizer": optimizer, "number_format": number_format}
    parameters = symparam.derive("gpt2").expr
    for measure, each in (("optimizer-states", states), ("training-memory", whole)):
        found = symparam.derive("gpt2", measure=measure, **options).expr  # type: ignore[arg-type]
        assert equal(found, each * parameters)


@pytest.mark.parametrize(
    ("name", "optimizer"),
    [
        *(("llama", optimizer) for optimizer in OPTIMIZERS),
        *(pytest.param(family.name, "adafactor", marks=pytest.mark.slow) for family in families()),
    ],
)
def test_training_memory_is_the_sum_of_its_parts(name: str, optimizer: str) -> None:
    parts = [
        symparam.derive(name, measure=measure, **({} if measure == "weights" else {"optimizer": optimizer})).expr  # type: ignore[arg-type]
        for measure in PARTS
    ]
    gradients = 2 if optimizer == "adam-mixed-float32-gradients" else 1
    assert equal(parts[1], gradients * parts[0])
    whole = symparam.derive(name, measure="training-memory", optimizer=optimizer).expr
    assert equal(whole, sum(parts))


def test_adafactor_keeps_rows_and_columns() -> None:
    found = symparam.derive("gpt2", measure="optimizer-states", optimizer="adafactor", number_format="float32")
    expected = symparam.read_formula("4((V + H) + (P + H) + N(4H + 3H + 2H + H + 2(H + I) + I + H + 4H) + 2H)").expr
    assert equal(found.expr, expected)
    experts = symparam.derive("mixtral", measure="optimizer-states", optimizer="adafactor", number_format="float32")
    assert equal(experts.expr.diff(symparam.symbol("E")), symparam.read_formula("4N((2I + H) + (H + I) + 1)").expr)


def test_eight_bits_for_large_tensors_alone() -> None:
    # 64 × 64 numbers are just enough for 8 bits; the 63 × 64 before them are not, nor are vectors.
    config = {"model_type": "llama", "hidden_size": 64, "intermediate_size": 63, "num_hidden_layers": 1, "num_attention_heads": 1}
    found = symparam.explain({**config, "vocab_size": 65}, measure="optimizer-states", optimizer="adam-8bit").subject
    bytes_of = {step.path.rpartition(".")[2]: step.value(found.model.values) for step in found.derivation.root.walk()}
    assert bytes_of["q_proj"] == 2 * (4096 + 4 * 16)
    assert bytes_of["up_proj"] == 2 * 4 * 63 * 64
    assert bytes_of["norm"] == 2 * 4 * 64
    assert bytes_of["embed_tokens"] == 2 * (65 * 64 + 4 * 17)  # The last block is not full.


@pytest.mark.parametrize(
    ("stage", "bytes_of_a_parameter"),
    [(0, "16"), (1, "4 + 12/n_d"), (2, "2 + 14/n_d"), (3, "16/n_d")],  # Rajbhandari et al. 2019, arXiv 1910.02054, section 5 and figure 1
)
def test_the_stages_of_zero(stage: int, bytes_of_a_parameter: str) -> None:
    found = symparam.derive("gpt2", measure="training-memory", zero=stage).expr
    each = symparam.read_formula(bytes_of_a_parameter, names={"n_d": "n_d"}).expr
    assert equal(found, each * symparam.derive("gpt2").expr)


def test_the_example_of_the_paper() -> None:
    # Figure 1: 7.5 billion parameters on 64 ranks take 120, 31.4, 16.6 and 1.9 GB.
    shown = ("120.0", "31.4", "16.6", "1.9")
    linear = symparam.Architecture("own", symparam.Block("Model", up=symparam.Linear(75_000, 100_000, bias=False)))
    for stage, size in enumerate(shown):
        total = symparam.count(linear, measure="training-memory", zero=stage, where=["n_d=64"]).total
        assert f"{total / 10**9:.1f}" == size


@pytest.mark.few(8)
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    ("measure", "optimizer"), [("gradients", "adam"), ("training-memory", "adam"), *(("optimizer-states", name) for name in OPTIMIZERS)]
)
def test_each_is_explained_and_adds_up(measure: str, optimizer: str, language: str) -> None:
    found = symparam.explain("bert", measure=measure, optimizer=optimizer, zero=3, language=language)
    assert ("divided among n_d data-parallel ranks" if language == "en" else "数据并行的 n_d 个进程") in str(found)
    for claim in found.subject.derivation.claims:
        assert equal(claim.left.expr, claim.right.expr)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"optimizer": "adamm"}, "there is no optimizer named 'adamm'; did you mean 'adam'"),
        ({"zero": 4}, "ZeRO has no stage 4; 1, 2 or 3 is expected, or 0 without it"),
        (
            {"number_format": "float32"},
            "adam-mixed keeps a copy of 16-bit weights, but those in float32 are of 32 bits; name the optimizer adam",
        ),
        ({"number_format": "nf4"}, "nf4 is a format for weights that are not trained"),
    ],
)
def test_what_cannot_be_is_said(options: dict[str, object], message: str) -> None:
    with pytest.raises(SymparamError, match=message):
        symparam.derive("gpt2", measure="training-memory", **options)  # type: ignore[arg-type]
