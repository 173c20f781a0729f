"""Training runs, against formulas of papers, against budgets, and by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from symparam import analyze, budget, count, derive, explain, solve, sweep
from symparam.core.algebra.polynomial import equal
from symparam.core.parsing.reader import read_formula
from tests.command import text

RUN = ["L=8192", "D=15e12", "F_peak=989e12", "p_u=40"]


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        # Narayanan et al. 2021, section 5.1, without recomputation: 72BLNH²(1 + L/(6H) + V/(12NH)), divided by BL.
        ("run-flops", "D(72NH^2 + 12LNH + 6VH)"),
        # The same over the devices' operations per second.
        ("training-time", "100D(72NH^2 + 12LNH + 6VH)/(n_g p_u F_peak)"),
        ("device-hours", "D(72NH^2 + 12LNH + 6VH)/(36 p_u F_peak)"),
    ],
)
def test_a_run_of_gpt2(measure: str, expected: str) -> None:
    names = {letter: letter for letter in ("D", "n_g", "p_u", "F_peak")}
    assert equal(derive("gpt2", measure=measure, where=["I=4H"]).expr, read_formula(expected, names=names).expr)


def test_the_numbers_are_those_of_a_budget() -> None:
    time, hours, operations = (
        count("llama-3-8b", measure=measure, where=[*RUN, *devices]).total
        for measure, devices in (("training-time", ["n_g=64"]), ("device-hours", []), ("run-flops", []))
    )
    given = ["D=15e12", "F_peak=989e12", "n_g=64", "u=0.4"]
    expected = {each.letter: each.value for each in budget("llama-3-8b", given=given, where=["L=8192"]).budget.found}
    assert (time, hours, operations) == (expected["t"], expected["g"], expected["C"])


def test_a_table_has_the_exact_numbers_and_shows_them_rounded() -> None:
    table = sweep("llama-3-8b", "n_g=64,128", measure="training-time", also=["device-hours", "run-flops"], where=RUN)
    for (devices,), (time, hours, operations) in table.rows:
        assert time * devices / 3600 == hours == Fraction(operations) / (989 * 10**12 * 36 * 40)
    assert "≈" in str(table)
    assert "≈" not in table.write("csv")


def test_the_reasons_say_what_is_multiplied_and_divided() -> None:
    told = str(explain("llama", measure="training-time"))
    assert "divided by what n_g devices do in a second at p_u percent of their peak" in told
    assert "percentage of the peak that is reached" in told
    assert "time is ≈ 397.11 days" in str(count("llama-3-8b", measure="training-time", where=[*RUN, "n_g=64"]))
    assert analyze("llama-3-8b", measure="training-time", where=[*RUN, "n_g=64"]).reasons


def test_sizes_of_the_model_are_solved_for() -> None:
    """At most as many layers as a day on 8 devices allows for a billion tokens, checked on both sides."""
    run = ["L=8192", "D=1e9", "F_peak=989e12", "p_u=40", "n_g=8"]
    layers = solve("llama-3-8b", "N", at_most=86400, measure="training-time", where=run).solution.largest
    assert layers is not None
    within, beyond = (count("llama-3-8b", measure="training-time", where=run, set=[f"N={layers.value + more}"]).total for more in (0, 1))
    assert within == layers.total <= 86400 < beyond


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("vit", "reads no sequence of tokens, so it has no training-time"),
        ("gpt2 --per token", "--per token does not apply to the measure training-time"),
        ("gpt2 --lora r=8 --lora-on c_attn", "takes all parameters of GPT2LMHeadModel as trained"),
    ],
)
def test_what_has_no_run_is_said(options: str, message: str) -> None:
    told = text("derive", *options.split(), "-m", "training-time")
    assert told.returncode == 2
    assert message in told.stderr


def test_a_fraction_of_a_second_gives_back_the_tokens() -> None:
    run = ["L=37", "F_peak=47", "p_u=53", "n_g=2"]
    seconds = count("gpt2", config="gpt2", measure="training-time", where=[*run, "D=43"]).total
    assert isinstance(seconds, Fraction)
    assert solve("gpt2", "D", config="gpt2", total=str(seconds), measure="training-time", where=run).exact == (43,)
