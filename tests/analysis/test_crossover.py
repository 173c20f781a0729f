"""The length from which attention costs more: solved for a family, and found by trying numbers."""

from __future__ import annotations

import json

import pytest

import symparam
from symparam.core.evaluation import evaluate
from symparam.core.formula import write
from symparam.errors import ArchitectureError


@pytest.mark.parametrize(
    ("model", "where", "attention", "threshold", "condition"),
    [
        ("gpt2", [], "full", "I − 2H", ("I", "2H")),
        ("gpt2", ["I=4H"], "full", "2H", None),
        ("gpt2", ["I=4H"], "causal", "4H − 1", None),
        ("bloom", [], "full", "2H", None),
        ("llama", ["d=H/h", "k=h"], "full", "3I/2 − 2H", ("3I", "4H")),
        ("mixtral", ["d=H/h", "k=h"], "full", "3IK/2 + E/2 − 2H", ("3IK + E", "4H")),
    ],
)
def test_thresholds(model: str, where: list[str], attention: str, threshold: str, condition: tuple[str, str] | None) -> None:
    found = symparam.crossover(model, where=where, attention=attention)
    assert write(found.threshold) == threshold
    assert (found.crossover.condition and tuple(map(write, found.crossover.condition))) == condition
    assert not found.crossover.always


@pytest.mark.few(6)
@pytest.mark.parametrize("attention", ["full", "causal"])
@pytest.mark.parametrize(
    "preset", ["gpt2", "gpt2-xl", "llama-3-8b", "mistral-7b-v0.1", "opt-350m", "jamba-1.5-mini", "qwen3-next-80b-a3b", "deepseek-v3.2"]
)
def test_the_first_length_is_where_the_operations_cross(preset: str, attention: str) -> None:
    found = symparam.crossover(preset, attention=attention, where=["B=1"])
    if found.first_length is None:
        found = symparam.crossover(preset.partition("-")[0], config=preset, attention=attention)
    first = found.first_length
    assert first is not None
    for length, more in ((first, True), (first - 1, False)):
        values = {**found.model.values, "L": length}
        assert (evaluate(found.crossover.attention, values) > evaluate(found.crossover.feed_forward, values)) is more


@pytest.mark.parametrize("relation", ["I=H", "I=2H"])
def test_narrow_layers_always_pay_more_for_attention(relation: str) -> None:
    found = symparam.crossover("gpt2", where=[relation])
    assert found.crossover.always
    assert "Attention costs more at every length." in str(found)
    assert json.loads(found.write("json"))["always"]


@pytest.mark.parametrize(
    ("model", "message"),
    [("mamba", "has no attention"), ("t5", "does not cost a \\+ bL for each token"), ("vit", "does not cost a \\+ bL for each token")],
)
def test_what_has_no_such_length_is_refused(model: str, message: str) -> None:
    with pytest.raises(ArchitectureError, match=message):
        symparam.crossover(model)


def test_the_cost_of_layers_without_attention_is_told_beside_both() -> None:
    """Of the 48 layers of Qwen3-Next 12 attend: (48(3·512·10 + 512 + 3·512 + 1) − 256·12(48 + 4)) · 2048/(2·256·16·12) = 14,081 tokens."""
    found = symparam.crossover("qwen3-next-80b-a3b")
    assert found.first_length == 14_082
    assert [*found.crossover.others] == ["linear-attention"]
    total = symparam.count("qwen3-next-80b-a3b", measure="flops", where=["L=1", "B=1"]).total
    crossed = found.crossover
    head = 2 * 2048 * 151_936
    parts = (crossed.attention, crossed.feed_forward, *crossed.others.values())
    assert sum(evaluate(each, {**found.model.values, "L": 1}) for each in parts) + head == total


def test_the_mixers_of_jamba_are_part_of_neither() -> None:
    found = symparam.crossover("jamba")
    assert write(found.crossover.others["state-space"]).replace("\u2009", "") == "2I_s(N − N_a)(3d_s + 3H + 2r_t + w_c)"
    assert "In neither: the selective state space, which replaces attention in other layers. Its FLOPs:" in str(found)
    assert "Attention costs more when L > H(3I(K" in str(found)
    assert [*json.loads(found.write("json"))["neither"]] == ["state-space"]


def test_long_thresholds_stand_below_their_sentence() -> None:
    assert "Attention costs more when L is larger than:\n\n    (H(N" in str(symparam.crossover("deepseek-v3.2"))
