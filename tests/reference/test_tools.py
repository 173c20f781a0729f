"""Each convention says what its tool says: for every recording, exactly, in every unit that the tool reports."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import symparam
from symparam.analysis.measures.conventions.tools import CONVENTIONS
from symparam.errors import ArchitectureError
from symparam.models.architectures import families
from tests.sampling import one_of_each

TOOLS = Path(__file__).parent / "tools"
RECORDED = [name for name in CONVENTIONS if name != "vmamba"]
"""The tools themselves; what VMamba tells one of them is recorded in ``scan.json``."""
MODULES = {"ptflops-aten": "ptflops", "torch": "torch"}


@cache
def recordings(tool: str) -> list[dict[str, Any]]:
    recorded: list[dict[str, Any]] = json.loads((TOOLS / f"{tool}.json").read_text(encoding="utf-8"))["recordings"]
    return recorded


def cases() -> Iterator[Any]:
    for tool in RECORDED:
        for each in recordings(tool):
            name = f"{tool}-{each['class']}-{each['label']}-{each['implementation']}"
            yield pytest.param(tool, each, id=name)


def is_refused(tool: str, name: str) -> bool:
    """Whether symparam refuses to say what the tool counts: rounded numbers, a bias that it sees or not, or a model with which it fails."""
    return (tool, name) in {(tool, "Mamba2ForCausalLM") for tool in ("fvcore", "calflops", "deepspeed")} | {
        ("fvcore", "DeepseekV32ForCausalLM"),
        ("ptflops-aten", "LlavaForConditionalGeneration"),
    }


def found(tool: str, each: dict[str, Any], measure: str = "parameters") -> int:
    sizes = [f"{letter}={each[letter]}" for letter in ("B", "L", "L_e")]
    return symparam.count(each["config"], where=sizes, convention=tool, measure=measure, implementation=each["implementation"]).total


def family_and_kind(tool: str, each: dict[str, Any]) -> tuple[str, str]:
    return each["config"]["model_type"], each["implementation"]


NUMBERS = [case for case in cases() if "error" not in case.values[1] and not is_refused(case.values[0], case.values[1]["class"])]


@pytest.mark.few(24)
@pytest.mark.parametrize(("tool", "each"), one_of_each(NUMBERS, family_and_kind))
def test_the_number_is_the_one_that_the_tool_reports(tool: str, each: dict[str, Any]) -> None:
    units = [unit for unit in ("FLOPs", "MACs") if unit in each]
    assert {unit: found(tool, each, unit.lower()) for unit in units} == {unit: each[unit] for unit in units}


@pytest.mark.parametrize("tool", RECORDED)
def test_without_a_measure_it_is_the_tools_own_total(tool: str) -> None:
    convention = CONVENTIONS[tool]
    each = recordings(tool)[0]
    assert found(tool, each) == each[convention.units[0]]
    assert {unit for each in recordings(tool) for unit in ("FLOPs", "MACs") if unit in each} == set(convention.units)


@pytest.mark.parametrize("tool", RECORDED)
def test_all_families_are_recorded_and_both_ways_of_writing_attention(tool: str) -> None:
    numbers = [each for each in recordings(tool) if "error" not in each]
    recorded = {each["config"]["model_type"] for each in numbers}
    failing = CONVENTIONS[tool].cannot_run
    assert recorded >= {family.model_type for family in families() if family.name not in failing}
    assert not recorded & {family.model_type for family in families() if family.name in failing}
    assert {each["implementation"] for each in numbers} == {"eager", "sdpa"}
    assert len(numbers) >= 200


def test_where_a_tool_cannot_run_a_model_the_recording_says_how_it_fails() -> None:
    failed = [each for tool in RECORDED for each in recordings(tool) if "error" in each]
    assert all(each["error"] for each in failed)


@pytest.mark.parametrize(
    ("tool", "name", "message"),
    [
        *((tool, "mamba2", "to four digits") for tool in ("fvcore", "calflops", "deepspeed")),
        ("fvcore", "deepseek-v32", "fails with DeepseekV32ForCausalLM"),
        ("fvcore", "llava", "fails with LlavaForConditionalGeneration"),
    ],
)
def test_what_a_tool_rounds_and_models_with_which_it_fails_are_refused(tool: str, name: str, message: str) -> None:
    with pytest.raises(ArchitectureError, match=message):
        symparam.derive(name, convention=tool)


def test_rounded_products_are_recorded_to_four_digits() -> None:
    """The five products of a scan in chunks, of which np.einsum_path gives each plus one in four digits."""
    exact = {(each["label"], each["implementation"]): each["FLOPs"] for each in recordings("torch") if each["class"] == "Mamba2ForCausalLM"}
    rounded = {
        (each["label"], each["implementation"]): each["MACs"] for each in recordings("fvcore") if each["class"] == "Mamba2ForCausalLM"
    }
    assert exact.keys() == rounded.keys()
    assert any(2 * rounded[case] != exact[case] for case in exact)


@pytest.mark.slow
@pytest.mark.parametrize("tool", RECORDED)
def test_a_tool_that_is_installed_still_reports_what_was_recorded(tool: str) -> None:
    for module in ("torch", "transformers", MODULES.get(tool, tool)):
        if find_spec(module) is None:
            pytest.skip(f"{module} is not installed; the recordings stand in for it")
    from tests.reference.record_tools import record

    for each in [each for each in recordings(tool) if "error" not in each][::80]:
        if tool in ("calflops", "deepspeed", "ptflops"):
            pytest.skip(f"{tool} replaces functions of torch in this process; python -m tests.reference.record_tools {tool} records anew")
        said = record(tool, each["config"], (each["B"], each["L"], each["L_e"]), each["implementation"])
        assert said == {unit: each[unit] for unit in ("FLOPs", "MACs") if unit in each}
