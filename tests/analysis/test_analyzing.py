"""Analyses of a measure, compared with counting, SymPy's limits and derivatives, and the papers of the rules of thumb."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy

from symparam import Architecture, Block, Linear, SymparamError, analyze, count, evaluate, solve, sweep
from symparam.core.algebra.polynomial import equal
from symparam.core.dimensions import symbol
from symparam.core.formula import write
from symparam.models.architectures import families
from tests.sampling import one_of_each
from tests.strategies import presets_of

FAMILIES = one_of_each([pytest.param(family.name) for family in families()], lambda name: "a family")


def test_twelve_n_h_squared_is_short_by_what_the_issue_says() -> None:
    found = analyze("gpt2").analysis
    (rule,) = found.rules
    assert (str(rule.formula), str(rule.missing), rule.sign) == ("12NH²", "(13N + P + V + 2)H", 1)
    assert str(rule.bound) == "13/(12H) + (P + V + 2)/(12NH)"
    # From (13N + P + V + 2)/(13N + P + V + 2 + 12NH) < p: the smallest H above (13N + V + P + 2)(1 − p)/(12Np).
    for name, error, widths in rule.sizes:
        layers, width, positions = {
            "gpt2": (12, 768, 1024),
            "distilgpt2": (6, 768, 1024),
            "gpt2-medium": (24, 1024, 1024),
            "gpt2-large": (36, 1280, 1024),
            "gpt2-xl": (48, 1600, 1024),
            "gpt3-175b": (96, 12288, 2048),
        }[name]
        beside = 13 * layers + 50257 + positions + 2
        assert error == Fraction(beside, beside + 12 * layers * width)
        for share, at in zip((Fraction(1, 20), Fraction(1, 100)), widths, strict=True):
            assert at == beside * (1 - share) / (12 * layers * share) // 1 + 1


def test_six_n_d_against_the_exact_operations_of_llama_3() -> None:
    found = analyze("llama-3-8b", measure="training-flops", where=["L=8192", "B=1"]).analysis
    exact = count("llama-3-8b", measure="training-flops", where=["L=8192", "B=1"]).total
    (rule,) = found.rules
    name, error, _ = rule.sizes[0]
    assert (found.total, name) == (exact, "llama-3-8b")
    assert error == Fraction(exact - 6 * 8_030_261_248 * 8192, exact)


def test_gated_parts_of_eight_thirds_of_the_width() -> None:
    """Llama's 4NH² + 3NHI + (2N + 2V + 1)H with I = 8H/3 is 12NH² + …; rounded up to a multiple of 256 it has less than 3NH · 256 more."""
    rule = analyze("llama-7b").analysis.rules[1]
    assert (rule.rule.name, str(rule.formula), str(rule.missing)) == ("I = 8H/3", "(2N + 2V + 1)H + 12NH²", "3INH − 8NH²")
    assert str(rule.bound) == "768N/(2N + 2V + 1 + 12NH)"
    name, error, widths = rule.sizes[0]
    assert name == "llama-7b"
    assert error == Fraction(32 * 4096 * (3 * 11008 - 8 * 4096), 6_738_415_616)
    # From 768N/(12NH + 2N + 2V + 1) < p: the smallest H above (768N/p − 2N − 2V − 1)/(12N).
    for share, at in zip((Fraction(1, 20), Fraction(1, 100)), widths, strict=True):
        assert at == (768 * 32 / share - 2 * 32 - 2 * 32000 - 1) / (12 * 32) // 1 + 1
        rounded = -(-8 * at // 768) * 256
        whole = 4 * 32 * at**2 + 3 * 32 * at * rounded + (2 * 32 + 2 * 32000 + 1) * at
        assert 0 <= Fraction(32 * at * (3 * rounded - 8 * at), whole) < share


@pytest.mark.parametrize(
    ("model", "where", "measure", "rules"),
    [
        ("gpt2", [], "parameters", ["12NH²"]),
        ("llama", [], "parameters", ["12NH²", "I = 8H/3"]),
        ("mixtral", [], "parameters", ["12NH²"]),
        ("llama", ["I=8H/3"], "parameters", ["12NH²"]),
        ("vit", [], "training-flops", []),
        ("llama", [], "training-flops", ["6ND"]),
    ],
)
def test_rules_are_held_against_the_models_that_they_are_about(model: str, where: list[str], measure: str, rules: list[str]) -> None:
    found = analyze(model, measure=measure, where=where)
    assert [each.rule.name for each in found.analysis.rules] == rules


def test_a_print_without_letters_is_a_number() -> None:
    printed = Architecture("Two", Block("Two", a=Linear(784, 256), b=Linear(256, 10)))
    text = str(analyze(printed))
    assert "203,530 of 203,530, 100.00 %" in text
    assert "rule of thumb" not in text
    assert "How it changes" not in text
    for asked in (lambda: solve(printed, "H", total=300_000), lambda: sweep(printed, ["H=1,2"])):
        with pytest.raises(SymparamError, match="the parameters of Two are a number without letters"):
            asked()


@pytest.mark.parametrize("family", FAMILIES)
def test_the_parts_add_up_and_tend_to_what_sympy_says(family: str) -> None:
    preset = next(iter(presets_of(next(each for each in families() if each.name == family))))
    found = analyze(preset).analysis
    assert equal(sympy.Add(*(part.formula.expr for part in found.parts)), found.derivation.expr)
    assert sum(part.value or 0 for part in found.parts) == found.total
    assert equal(found.leading.expr + found.rest.expr, found.derivation.expr)
    for part in found.parts[:2]:
        for letter, limit in list(part.limits.items())[:2]:
            by_sympy = sympy.limit(part.formula.expr / found.derivation.expr, symbol(letter), sympy.oo)
            # Multiplied out, as the sums that divide may be too long for what they have in common to be found.
            (above, below), (other_above, other_below) = map(sympy.fraction, (limit.expr, sympy.together(by_sympy)))
            assert equal(above * other_below, below * other_above)


@pytest.mark.parametrize("family", FAMILIES)
def test_derivatives_and_elasticities(family: str) -> None:
    preset = next(iter(presets_of(next(each for each in families() if each.name == family))))
    result = analyze(preset)
    found, values = result.analysis, result.model.values
    for each in found.changes:
        # A symmetric difference is exact for a polynomial of degree two, and off by the third derivative over six of one of degree three.
        around = [evaluate(found.derivation.formula, {**values, each.letter: values[each.letter] + step}) for step in (1, -1)]
        third = sympy.diff(found.derivation.expr, symbol(each.letter), 3)
        assert each.slope is not None
        if third == 0:
            assert each.slope == Fraction(around[0] - around[1], 2)
        assert each.elasticity == Fraction(each.slope) * values[each.letter] / found.total  # type: ignore[operator]
        if each.direction and third == 0:
            assert (around[0] > around[1]) == (each.direction > 0)


def test_without_numbers_there_are_formulas_alone() -> None:
    found = analyze("llama").analysis
    assert (found.total, found.parts[0].value, found.changes[0].slope) == (None, None, None)
    assert found.rules[0].sign == 0


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("format", ["text", "markdown", "latex", "html", "rst", "mathml", "json"])
def test_it_is_written_in_every_format(format: str, language: str) -> None:
    assert "6788" in analyze("gpt2", language=language).write(format).replace("{,}", "").replace(",", "")


def test_an_unknown_measure_is_said() -> None:
    with pytest.raises(SymparamError, match="no measure named"):
        analyze("gpt2", measure="speed")


def test_groups_of_heads_are_no_size_that_grows() -> None:
    """Of Mamba-2 most are the matrices from and to all heads, 3dhNH, and not those of the states of one group."""
    found = analyze("mamba2-780m").analysis
    assert write(found.leading) == "3dhNH"
    assert found.leading_value == 3 * 64 * 1536 * 48 * 48


def test_a_letter_that_cancels_is_not_among_those_that_matter() -> None:
    """The cache of DeepSeek-V3 has the same latents in its first layers as in the others: 2BNS(r_k + d_r), whatever N_f."""
    found = analyze("deepseek-v3", measure="kv-cache").analysis
    assert {change.letter for change in found.changes} == {"B", "N", "S", "d_r", "r_k"}
