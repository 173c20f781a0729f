"""Where two costs are equal, compared with papers and a calculation by hand, and by counting on both sides."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from symparam import SymparamError, break_even, budget, count, derive
from symparam.core.algebra.polynomial import equal
from symparam.core.dimensions import symbol
from symparam.core.parsing.reader import read_formula
from tests.command import text


@pytest.mark.parametrize(
    ("model", "costs", "unknown", "where", "threshold"),
    [
        # A layer of Llama with I = 4H and as many keys as queries: 2(4H² + 12H²) for its matrices, 4HL for the scores and their use.
        ("llama", ("scores", "products"), "L", ["I=4H", "d=H/h", "k=h"], "8H"),
        # GPT-2: 2 · 12H² for the matrices.
        ("gpt2", ("scores", "products"), "L", ["I=4H"], "6H"),
        # The four projections, 8H².
        ("gpt2", ("scores", "projections"), "L", [], "2H"),
        # DeepSeek-V2, section 2.1: latents of r_k + d_r numbers for each token and layer, against 2kd of grouped queries.
        ("deepseek-v3", ("kv-cache", "llama:kv-cache"), "k", [], "(r_k + d_r)/(2d)"),
        ("llama", ("attention", "gpt2:attention"), "k", ["d=H/h"], "h"),
        # Shazeer 2020, GLU variants: three matrices of two thirds the width.
        ("llama", ("feed-forward", "gpt2[I=4H]:feed-forward"), "I", [], "8H/3"),
    ],
)
def test_where_costs_are_equal(model: str, costs: tuple[str, str], unknown: str, where: list[str], threshold: str) -> None:
    found = break_even(model, costs, unknown, where=where).threshold
    assert found is not None
    assert equal(found.expr, read_formula(threshold).expr)


def test_the_latent_cache_is_written_as_its_authors_do() -> None:
    assert str(break_even("deepseek-v3", ("kv-cache", "llama:kv-cache"), "k").threshold) == "(r_k + d_r)/(2d)"


@pytest.mark.few(1)
@pytest.mark.parametrize("model", ["deepseek-v3", "jamba", "llama"])
def test_a_quotient_of_long_sums_equals_another_at_the_threshold(model: str) -> None:
    """``F_peak · bytes = b_peak · operations`` at the batch that is said, with different numbers for all letters."""
    found = break_even(model, ("intensity", "ridge"), "B").threshold
    assert found is not None
    operations, weights, cache = (derive(model, measure=measure).expr for measure in ("decoding-flops", "weights", "kv-cache"))
    difference = symbol("F_peak") * (weights + cache) - symbol("b_peak") * operations
    numbers = {symbol(letter): 3 * at + 7 for at, letter in enumerate(sorted(found.letters | {"B"}))}
    assert difference.xreplace(numbers) != 0
    assert difference.xreplace({**numbers, symbol("B"): found.expr.xreplace(numbers)}) == 0


def test_the_cache_outgrows_the_weights_where_it_is_said() -> None:
    found = break_even("llama-3-8b", ("kv-cache", "weights"), "S", where=["B=1"])
    assert found.found.growing == 1
    assert found.value is not None
    weights = count("llama-3-8b", measure="weights").total
    below, above = (count("llama-3-8b", measure="kv-cache", where=["B=1", f"S={int(found.value) + more}"]).total for more in (0, 1))
    assert below <= weights < above


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("gpt2", ("scores", "weights")), "scores is in FLOPs and weights in bytes; only costs in the same unit can be compared"),
        (("gpt2", ("scores", "speed")), "there is no measure named 'speed'"),
        (("gpt2", ("scores", "scores")), "scores and scores cost the same for all sizes"),
        (("gpt2", ("scores", "projections"), "V"), "where the two are equal does not depend on V (vocabulary size)"),
        (("mamba", ("scores", "products")), "mamba has no scores that symparam recognises"),
    ],
)
def test_what_cannot_be_compared_is_said(arguments: tuple[str, tuple[str, str], str], message: str) -> None:
    with pytest.raises(SymparamError) as error:
        break_even(*arguments)
    assert message in str(error.value)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("format", ["text", "markdown", "latex", "html", "rst", "mathml", "json"])
def test_it_is_written_in_every_format(format: str, language: str) -> None:
    assert "LlamaForCausalLM" in break_even("llama", ("kv-cache", "mistral:weights"), "S", where=["B=1"], language=language).write(format)


def test_the_batch_from_which_a_step_of_decoding_is_bound_by_compute() -> None:
    """Operations of B sequences over F_peak, and bytes of weights and B caches over b_peak, each by counting."""
    run = ["S=16", "F_peak=989e12", "b_peak=3.35e12"]
    found = break_even("llama-3-8b", ("compute-time", "memory-time"), "B", where=run).found
    operations, weights, cache = (
        count("llama-3-8b", measure=measure, where=["S=16", "B=1"]).total for measure in ("decoding-flops", "weights", "kv-cache")
    )
    peak, bandwidth = 989 * 10**12, 335 * 10**10
    assert found.value == Fraction(weights * peak, operations * bandwidth - cache * peak)
    first = found.first_beyond
    assert first is not None
    for batch, larger in ((first - 1, False), (first, True)):
        assert (Fraction(batch * operations, peak) > Fraction(weights + batch * cache, bandwidth)) is larger
    assert break_even("llama-3-8b", ("intensity", "ridge"), "B", where=run).found.value == found.value


def test_a_step_with_a_long_cache_is_never_bound_by_compute() -> None:
    told = str(break_even("llama-3-8b", ("compute-time", "memory-time"), "B", where=["S=8192", "F_peak=989e12", "b_peak=3.35e12"]))
    assert "which is not a valid size: the second is larger throughout" in told


def test_what_is_stated_of_another_model_is_put_in() -> None:
    """4dN(H(h + k) + hL) of each."""
    found = break_even("llama", ("attention", "llama[k=1]:attention"), "k").found
    assert str(found.threshold) == "1"


def test_the_values_of_two_presets_are_not_mixed() -> None:
    """Attention of Llama-3-8B, 4·128·32·(4096·40 + 32L), and of 70B, 4·128·80·(8192·72 + 64L)."""
    found = break_even("llama-3-8b", ("attention", "llama-3-70b:attention"), "L").found
    assert found.value == Fraction(80 * 8192 * 72 - 32 * 4096 * 40, 32 * 32 - 80 * 64)
    with pytest.raises(SymparamError, match="cost the same for every L"):
        break_even("llama-3-8b", ("attention", "mistral-7b-v0.1:attention"), "L")


def test_a_number_that_a_cost_is_to_come_to() -> None:
    """Operations for each byte by counting, on either side of the batch."""
    found = break_even("llama-3-8b", ("intensity", "200"), "B", where=["S=64"]).found
    assert found.asked is not None
    first = found.first_beyond
    assert first is not None
    for batch, more in ((first - 1, False), (first, True)):
        operations, weights, cache = (
            count("llama-3-8b", measure=measure, where=["S=64", f"B={batch}"]).total
            for measure in ("decoding-flops", "weights", "kv-cache")
        )
        assert (Fraction(operations, weights + cache) > 200) is more


def test_a_cache_fills_a_device() -> None:
    found = break_even("llama-3-8b", ("kv-cache", "80GiB"), "S", where=["B=1"])
    assert found.value == 80 * 2**30 / (4 * 128 * 8 * 32)
    assert count("llama-3-8b", measure="kv-cache", where=["B=1", f"S={found.value}"]).total == 80 * 2**30


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_never_comes_to_a_number_is_said(language: str) -> None:
    """With a long cache each step reads so much that no batch has 300 operations for each byte."""
    told = str(break_even("llama-3-8b", ("intensity", "300"), "B", where=["S=8192"], language=language))
    assert {"en": "it is never reached", "zh": "永远达不到此数"}[language] in told


def test_solve_takes_what_a_step_is_bound_by() -> None:
    told = text("solve", "llama-3-8b", "--for", "B", "-m", "intensity", "--at-most", "200", "-w", "S=64")
    assert told.stdout == str(break_even("llama-3-8b", ("intensity", "200"), "B", where=["S=64"]))
    refused = text("solve", "llama-3-8b", "--for", "B", "-m", "intensity")
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)


RUN = {"D": 577 * 10**9, "n_g": 64, "p_u": 40, "F_peak": 989 * 10**12, "L": 8192}


@pytest.mark.few(10)
@pytest.mark.parametrize("letter", ["D", "n_g", "p_u", "F_peak", "L", "N", "H", "I", "V"])
@pytest.mark.parametrize("measure", ["run-flops", "training-time", "device-hours"])
def test_each_letter_of_a_training_run_is_found_again(measure: str, letter: str) -> None:
    """The amount that counting one token gives, solved for each letter."""
    amount = Fraction(count("llama-3-8b", measure="training-flops", per="token", where=["L=8192"]).total * RUN["D"])
    if measure != "run-flops":
        amount /= RUN["F_peak"] * Fraction(RUN["p_u"], 100) * (RUN["n_g"] if measure == "training-time" else 3600)
    rounded = -(-amount.numerator // amount.denominator)  # Amounts are whole numbers, so that the answer is near the letter's value.
    stated = [f"{name}={value}" for name, value in RUN.items() if name != letter]
    if letter in {"run-flops": ("n_g", "p_u", "F_peak"), "device-hours": ("n_g",)}.get(measure, ()):
        with pytest.raises(SymparamError, match="does not depend on"):
            break_even("llama-3-8b", (measure, str(rounded)), letter, where=stated)
        return
    value = break_even("llama-3-8b", (measure, str(rounded)), letter, where=stated).found.value
    expected = RUN.get(letter) or count("llama-3-8b").count.values[letter]
    assert value is not None
    assert abs(value / expected - 1) < (Fraction(1, 1000) if rounded != amount else Fraction(1, 10**12))


def test_solve_takes_a_training_run_as_budget_does() -> None:
    """14 days on 64 devices at 40 %: `budget` finds the same tokens."""
    stated = ("-w", "L=8192", "-w", "n_g=64", "-w", "p_u=40", "-w", "F_peak=989e12")
    told = text("solve", "llama-3-8b", "--for", "D", "-m", "training-time", "--total", "1209600", *stated, "-f", "json")
    given = ["t=1209600", "n_g=64", "u=0.4", "F_peak=989e12"]
    tokens = budget("llama-3-8b", where=["L=8192"], given=given)["D"]
    assert Fraction(*json.loads(told.stdout)["value"].values()) == tokens


def test_windows_are_counted_pair_by_pair() -> None:
    """ModernBERT: each pair of tokens takes 4H operations in a layer, and in N_w of the layers only pairs nearer than w."""
    found = break_even("modernbert-base", ("attention", "feed-forward"), "L", attention="window")
    assert any("w <= L" in note for note in found.notes)
    ((before, after),) = ((each, each + 1) for each in found.found.crossings or ())
    sizes = count("modernbert-base").count.values
    hidden, inner, layers, windowed, w = (sizes[letter] for letter in ("H", "I", "N", "N_w", "w"))
    for length, more in ((before, False), (after, True)):
        near = sum(abs(query - key) < w for query in range(length) for key in range(length))
        attention = layers * 8 * hidden**2 * length + 4 * hidden * ((layers - windowed) * length**2 + windowed * near)
        assert (attention > 6 * inner * hidden * layers * length) is more
    refused = text("crossover", "modernbert-base", "--attention", "window")
    assert (refused.returncode, "--costs attention feed-forward" in refused.stderr) == (2, True)
    assert text("crossover", "modernbert-base", "--attention", "causal").returncode == 2


@pytest.mark.parametrize(("letter", "where"), [("p_u", "D=1e12"), ("D", "p_u=140")])
def test_no_device_does_more_than_its_peak(letter: str, where: str) -> None:
    with pytest.raises(SymparamError, match="of the peak"):
        break_even("llama-3-8b", ("training-time", "100000"), letter, where=["L=8192", "n_g=64", f"F_peak={RUN['F_peak']}", where])
