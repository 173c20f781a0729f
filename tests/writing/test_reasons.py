"""Reasons of answers: in every format and language, and each equality in them proven."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
import sympy

from symparam import analyze, break_even, budget, compare, crossover, curve, solve, sweep
from symparam.core.algebra.polynomial import equal
from symparam.models.architectures import families
from symparam.results.result import Result
from tests.sampling import one_of_each
from tests.strategies import presets_of

ANSWERS: dict[str, Callable[[str], Result]] = {
    "solve": lambda language: solve("gpt2", "H", total="1.3B", where=["N=24", "I=4H", "V=50257", "P=1024"], language=language),
    "curve": lambda language: curve(
        "gpt2", ("H", "N"), total="1.2B..1.4B", between=["H/N=64..100"], where=["I=4H", "V=50257", "P=1024"], language=language
    ),
    "sweep": lambda language: sweep("gpt2", "H=768,1536", language=language),
    "analyze": lambda language: analyze("gpt2", language=language),
    "crossover": lambda language: crossover("llama-3-8b", language=language),
    "break-even": lambda language: break_even("deepseek-v3", ("kv-cache", "llama:kv-cache"), "k", language=language),
    "compare": lambda language: compare("gpt2", "bloom", language=language),
    "budget": lambda language: budget(given=["C=1e23", "r=20", "F_peak=989e12", "u=0.4", "n_g=64"], language=language),
}
FORMATS = ("text", "markdown", "rst", "latex", "html", "mathml")
HEADINGS = {"en": "Why", "zh": "理由"}


@pytest.mark.few(3)
@pytest.mark.parametrize("name", ANSWERS)
def test_every_answer_has_reasons_in_every_format_and_language(name: str) -> None:
    for language, heading in HEADINGS.items():
        found = ANSWERS[name](language).explained()
        assert found.reasons
        for written in FORMATS:
            assert heading in found.write(written), (language, written)
        listed = found.json["reasons"]
        assert isinstance(listed, list)
        assert len(listed) == len(found.reasons)


@pytest.mark.parametrize(
    "family", one_of_each([pytest.param(family.name) for family in families()], lambda name: "a family", lambda name: name == "llama")
)
@pytest.mark.parametrize("name", ["solve", "analyze", "sweep"])
def test_each_equality_is_proven(name: str, family: str) -> None:
    preset = next(iter(presets_of(next(each for each in families() if each.name == family))))
    answers: dict[str, Callable[[], Result]] = {
        "solve": lambda: solve(family, "V" if family != "vit" else "H", total="3B", config=preset),
        "analyze": lambda: analyze(preset),
        "sweep": lambda: sweep(preset, "V=300000,600000" if family != "vit" else "N=10,20"),
    }
    for reason in answers[name]().explained().reasons:
        if reason.key.startswith(("parts", "solve-put-in", "sweep-row", "analyze-limit")):
            for left, right in pairwise(reason.chain):
                (above, below), (over, under) = map(sympy.fraction, (left.expr, right.expr))
                assert equal(above * under, over * below), reason.key  # Without a division, for which some are too long.


def test_reasons_of_a_budget_are_its_relations() -> None:
    keys = [reason.key for reason in budget(given=["C=1e23", "r=20"]).explained().reasons]
    assert keys == ["budget-operations", "budget-tokens", "budget-six-operations", *["budget-follows"] * 3]
