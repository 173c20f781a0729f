"""Every family, measure and letter: from the total of a config its own value is found, and no value with another total."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from _pytest.mark.structures import ParameterSet
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from symparam import SymparamError, count, solve
from symparam.analysis.measures.compute import COMPUTE
from symparam.analysis.measures.parameters import PARAMETERS
from symparam.analysis.measures.selection import MEASURES
from symparam.models.architectures import Family, families
from tests.sampling import one_of_each
from tests.strategies import presets_of, values_of

RUN = {"B": 3, "L": 37, "S": 41, "L_e": 29, "D": 43, "F_peak": 47, "n_g": 2, "p_u": 53}
"""What is stated of a run, where the measure asks for it."""
KINDS = {**dict.fromkeys(PARAMETERS, "parameters"), **dict.fromkeys(COMPUTE, "operations")}
EVERYTHING = [pytest.param(family.name, measure) for measure in MEASURES for family in families()]
RANDOM = EVERYTHING[::3]
RELEASED = [each for at, each in enumerate(EVERYTHING) if at % 3]
"""A third is tried at random values, the rest at those of a released model: each family, and each measure, at both."""


def _one_of_each_kind(cases: list[ParameterSet]) -> list[ParameterSet]:
    return one_of_each(cases, lambda family, measure: KINDS.get(measure, "bytes"))


def find_family(name: str) -> Family:
    return next(family for family in families() if family.name == name)


def every_letter_comes_back(model: str, measure: str, where: Mapping[str, int], config: str | None = None) -> None:
    """Counts at the values, and solves for each of their letters in turn."""
    stated = {**where}
    for _ in range(len(RUN) + 1):
        try:
            counted = count(model, config=config, measure=measure, where=[f"{letter}={value}" for letter, value in stated.items()]).count
            break
        except SymparamError as error:
            wanted = {letter: value for letter, value in RUN.items() if letter not in stated and f"{letter}=NUMBER" in str(error)}
            if not wanted:
                return  # The family does not have this measure.
            stated.update(wanted)
    for letter in sorted(counted.derivation.letters):
        others = [f"{other}={value}" for other, value in stated.items() if other != letter]
        try:
            found = solve(model, letter, config=config, measure=measure, total=str(counted.total), where=others)
        except SymparamError as error:
            assert "does not occur" in str(error) or "stands in a denominator" in str(error), (letter, str(error))
            continue
        assert counted.values[letter] in found.exact, (letter, counted.values[letter], found.exact)
        for other in found.exact if config is None else ():
            assert count(model, measure=measure, where=[*others, f"{letter}={other}"]).total == counted.total


@pytest.mark.parametrize(("family", "measure"), _one_of_each_kind(RELEASED))
def test_every_letter_of_a_released_model_comes_back(family: str, measure: str) -> None:
    chosen = find_family(family)
    every_letter_comes_back(next(iter(chosen.classes)), measure, {}, next(iter(presets_of(chosen))))


@pytest.mark.parametrize(("family", "measure"), _one_of_each_kind(RANDOM))
@settings(max_examples=1, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_every_letter_of_a_random_config_comes_back(family: str, measure: str, data: st.DataObject) -> None:
    name = next(iter(find_family(family).classes))
    every_letter_comes_back(name, measure, data.draw(values_of(name)))
