"""Budgets: figures from papers, every direction of the relations, and contradictory input."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

import pytest

from symparam import SymparamError, budget, count


def test_chinchilla() -> None:
    """C = 6ND and D = 20N give N = √(C/120)."""
    found = budget(given=["C=1e23", "r=20"])
    formulas = {each.letter: str(each.formula) for each in found.budget.found}
    assert formulas == {"n_p": "√(C/120)", "D": "√(10C/3)", "c": "√(3C/10)"}
    assert found["n_p"] == isqrt(10**23 // 120)
    exact = budget(given=["C=120e18", "r=20"])
    assert (exact["n_p"], exact["D"]) == (10**9, 20 * 10**9)
    assert all(each.exact for each in exact.budget.found)


def test_what_is_put_in_comes_back() -> None:
    """A run with all letters; every choice of letters that determines the rest gives them."""
    run = {"n_p": 7 * 10**9, "r": 20, "F_peak": 10**15, "u": Fraction(2, 5), "n_g": 64}
    run |= {"D": run["n_p"] * 20, "c": 6 * run["n_p"]}
    run["C"] = run["c"] * run["D"]
    run["t"] = run["C"] / (run["F_peak"] * run["u"] * run["n_g"])
    for chosen in (
        ("n_p", "D", "F_peak", "u", "n_g"),
        ("C", "r", "F_peak", "u", "t"),
        ("c", "C", "t", "n_g", "u"),
        ("t", "n_g", "F_peak", "u", "r"),
        ("t", "n_g", "F_peak", "C", "D"),
    ):
        given = [
            f"{letter}={float(run[letter]) if letter == 'u' else int(run[letter])}"
            for letter in chosen
            if run[letter] % 1 == 0 or letter == "u"
        ]
        if len(given) < len(chosen):
            continue
        found = budget(given=given)
        for letter, value in run.items():
            assert found[letter] == value, (chosen, letter)


def test_a_model_has_its_exact_operations() -> None:
    found = budget("llama-3-8b", where=["L=8192"], given=["D=15T", "n_g=64", "u=0.4", "F_peak=989e12"])
    step = count("llama-3-8b", measure="training-flops", where=["L=8192", "B=1"]).total
    assert found["C"] == Fraction(step, 8192) * 15 * 10**12
    assert found["t"] == found["C"] / (Fraction(4, 10) * 64 * 989 * 10**12)  # type: ignore[operator]
    assert found["n_p"] == 8_030_261_248


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["C=1e23", "D=1T", "n_p=7B"], "C, D, n_p are more than a budget needs; leave out one of them"),
        (["u=40"], "u = 40 is not a share, which is at most 1; give it as in u=0.4"),
        (["x=1"], "x is not a letter of a budget"),
        (["C"], "'C' gives no letter a number"),
        (["C=0"], "C = 0 is not positive"),
        ([], "nothing follows from what is given"),
        (["C=1e23", "C=1e24"], "'C=1e24' gives C a second number; leave out one of the two"),
        (["n_g=0.5"], "n_g = 1/2 is not a number of devices; give a whole one"),
        (["C=-5"], "'-5' is not a positive number"),
        (["C=1e999"], "'1e999' is not a positive number"),
        (["C=nan"], "'nan' is not a positive number"),
        # 10²³ FLOPs in a second of 64 times 989·10¹².
        (["C=1e23", "t=1", "n_g=64", "F_peak=989e12"], "this takes 157,987,867 % of the peak of these devices"),
        (["C=many"], "'many' is not a positive number"),
    ],
)
def test_what_is_no_budget_is_said(given: list[str], message: str) -> None:
    with pytest.raises(SymparamError) as error:
        budget(given=given)
    assert message in str(error.value)


def test_options_of_a_model_need_one() -> None:
    with pytest.raises(SymparamError, match="need a model; name one"):
        budget(where=["L=8192"], given=["C=1e23"])
    with pytest.raises(SymparamError, match="n_p is that of the model"):
        budget("llama-3-8b", where=["L=8192"], given=["n_p=7B"])


def test_devices() -> None:
    """Device-hours, tokens per second and the ridge of the roofline by hand; 989e12 is read exactly."""
    found = budget(given=["D=36e12", "n_p=1B", "n_g=100", "u=0.5", "F_peak=989e12", "b_peak=3.35e12"])
    seconds = Fraction(6 * 36 * 10**21, 50 * 989 * 10**12)
    assert found["F_peak"] == 989_000_000_000_000
    assert (found["t"], found["g"], found["s"]) == (seconds, seconds * 100 / 3600, Fraction(36 * 10**12) / seconds)
    assert found["A"] == Fraction(98900, 335)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("format", ["text", "markdown", "latex", "html", "rst", "mathml", "json"])
def test_it_is_written_in_every_format(format: str, language: str) -> None:
    text = budget(given=["C=1e23", "r=20"], language=language).write(format)
    assert "28867513459" in text.replace("{,}", "").replace(",", "")


def test_images_instead_of_tokens() -> None:
    """One pass over 384 million images: operations of a training step for each, times their number."""
    found = budget("vit-base-patch16-224", given=["D=384M"], per="sequence")
    step = count("vit-base-patch16-224", measure="training-flops", per="sequence").total
    assert (found["c"], found["C"]) == (step, 384 * 10**6 * step)
    assert "inputs per parameter" in str(found)
    with pytest.raises(SymparamError, match="state --per sequence, which is one input"):
        budget("vit-base-patch16-224", given=["D=384M"])
    with pytest.raises(SymparamError, match="--per need a model"):
        budget(given=["C=1e23"], per="sequence")
