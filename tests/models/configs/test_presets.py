"""The presets: what each says of itself, and its count against the reference's."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import symparam
from symparam.models.architectures import REGISTRY
from symparam.models.configs.presets import Preset, presets

PRESETS = presets()
MODEL_TYPES = [entry.model_type for entry in REGISTRY]
TOTALS: dict[str, int] = json.loads((Path(__file__).parent / "preset_totals.json").read_text(encoding="utf-8"))["totals"]

PRINTED = {
    "bert-base-uncased": 109_482_240,
    "bert-base-chinese": 102_267_648,
    "bert-large-uncased": 335_141_888,
    "openai-gpt": 116_534_784,
    "gpt2": 124_439_808,
    "gpt2-medium": 354_823_168,
    "gpt2-large": 774_030_080,
    "gpt2-xl": 1_557_611_200,
    "gpt3-175b": 174_604_259_328,
    "pythia-70m": 70_426_624,
    "bloom-1b4-zh": 1_303_111_680,
    "bloom": 176_247_271_424,
    "llama-7b": 6_738_415_616,
    "llama-3-8b": 8_030_261_248,
    "mixtral-8x7b": 46_702_792_704,
    "deepseek-v3": 671_026_404_352,
    "t5-small": 60_506_624,
    "vit-base-patch16-224-in21k": 86_389_248,
}
"""Totals that stand in print somewhere, repeated here so that a slip in a preset and its recording together is noticed."""


def family_entries(family: str) -> list[tuple[str, Any]]:
    """The names and entries in a family's file as they stand there, repeated names too."""
    text = files("symparam.models.configs").joinpath("presets", f"{family}.json").read_text(encoding="utf-8")
    entries: list[tuple[str, Any]] = []

    def keep(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        entries[:] = pairs  # The outermost object is the last to be read.
        return dict(pairs)

    json.loads(text, object_pairs_hook=keep)
    return entries


def test_there_is_a_file_for_each_family_and_no_other() -> None:
    there = {file.name for file in files("symparam.models.configs").joinpath("presets").iterdir()}
    assert there == {f"{family}.json" for family in MODEL_TYPES}


def test_there_are_many_and_each_name_is_given_once() -> None:
    names = [name for family in MODEL_TYPES for name, _ in family_entries(family)]
    assert names == list(PRESETS)
    assert len(names) == len(set(names))
    assert len(names) >= 60


def test_the_first_fifteen_are_still_there() -> None:
    berts = ("bert-base-uncased", "bert-base-chinese", "bert-large-uncased")
    gpts = ("openai-gpt", "gpt2", "gpt2-medium", "gpt2-large", "gpt2-xl")
    blooms = ("bloom-560m", "bloom-1b1", "bloom-1b7", "bloom-3b", "bloom-7b1", "bloom", "bloom-1b4-zh")
    assert PRESETS.keys() >= {*berts, *gpts, *blooms}


@pytest.mark.parametrize("family", MODEL_TYPES)
def test_a_file_has_the_models_of_its_family(family: str) -> None:
    entries = family_entries(family)
    assert entries
    for _, entry in entries:
        assert entry.keys() <= {"source", "published", "config"}
        assert entry["config"]["model_type"] == family


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_a_preset_says_what_it_is_and_where_it_is_from(preset: Preset) -> None:
    assert re.fullmatch(r"[a-z0-9]+([.-][a-z0-9]+)*", preset.name)
    assert preset.source.strip() == preset.source != ""
    assert len(preset.config["architectures"]) == 1
    assert preset.document.origin == preset.name


@pytest.mark.parametrize("preset", [each for each in PRESETS.values() if each.published], ids=lambda preset: preset.name)
def test_the_published_count_is_the_references(preset: Preset) -> None:
    assert preset.published is not None
    assert preset.published.source
    assert preset.published.parameters == TOTALS[preset.name]


def test_every_preset_has_a_recorded_total() -> None:
    assert list(TOTALS) == list(PRESETS)


@pytest.mark.parametrize("name", PRINTED)
def test_totals_that_stand_in_print(name: str) -> None:
    assert TOTALS[name] == PRINTED[name]


@pytest.mark.few(60)
@pytest.mark.parametrize("name", PRESETS)
def test_symparam_counts_as_the_reference(name: str) -> None:
    assert symparam.count(name).total == TOTALS[name]
