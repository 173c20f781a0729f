"""The registry says of each family what the family says of itself, and imports a family's module when it is asked for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from symparam.models import architectures
from symparam.models.architectures import REGISTRY, Family, Registered, architecture_names, families, find_architecture
from symparam.models.configs.presets import find_preset, presets

IMPORTED = """
import sys
from symparam import {function}
{function}({name!r})
found = (name.rpartition(".")[2] for name in sys.modules if name.startswith("symparam.models.architectures."))
print(*sorted(set(found) - set(("family", "registry"))))
"""


@pytest.mark.parametrize("entry", REGISTRY, ids=lambda entry: entry.name)
def test_an_entry_is_what_the_family_says(entry: Registered) -> None:
    family = entry.family
    assert entry == Registered(family.name, family.model_type, tuple(family.classes), family.wrapper)


def test_every_family_that_is_defined_is_registered() -> None:
    files = {path.stem for path in Path(architectures.__path__[0]).glob("*.py") if "= Family(" in path.read_text(encoding="utf-8")}
    assert files == {entry.name.replace("-", "_") for entry in REGISTRY}
    assert all(isinstance(family, Family) for family in families())


def test_every_name_leads_to_its_class_in_any_case() -> None:
    for name in architecture_names():
        found = find_architecture(name.upper())
        assert found is not None
        assert name in (found.family.name, found.class_name)
    assert find_architecture("no-such-model") is None


def test_every_preset_is_found_by_its_name_in_any_case() -> None:
    assert all(find_preset(name.upper()) is preset for name, preset in presets().items())
    assert find_preset("no-such-model") is None


MODULES_IMPORTED = [("derive", "bert", "activation_functions bert encoder settings"), ("count", "gpt2-xl", "activation_functions gpt2")]


@pytest.mark.parametrize(("function", "name", "imported"), MODULES_IMPORTED)
def test_only_the_family_that_is_asked_for_is_imported(function: str, name: str, imported: str) -> None:
    code = IMPORTED.format(function=function, name=name)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=True)
    assert done.stdout == f"{imported}\n"
