"""Released models by their common names, each with the config of its release."""

from __future__ import annotations

import json
from functools import cache
from pkgutil import get_data

from symparam.core.frozen import frozen
from symparam.core.json_types import JsonObject
from symparam.models.architectures import REGISTRY
from symparam.models.configs.config_file import ConfigDocument

_MODEL_TYPES = tuple(entry.model_type for entry in REGISTRY)


@frozen
class Published:
    """A published statement about a model: its exact number of parameters, and the source."""

    parameters: int
    source: str


@frozen
class Preset:
    """A released model: its name, the sizes of its config.json, their source, and its published count if there is one."""

    name: str
    config: JsonObject
    source: str
    published: Published | None = None

    @property
    def document(self) -> ConfigDocument:
        return ConfigDocument(self.config, self.name)


@cache
def presets_of(model_type: str) -> dict[str, Preset]:
    """The presets of a model type by name, from its file in ``presets/``; none if it has no file."""
    try:
        data = get_data("symparam.models.configs", f"presets/{model_type}.json")
    except FileNotFoundError:
        return {}
    return {name: _preset(name, entry) for name, entry in json.loads(data or b"{}").items()}


def presets() -> dict[str, Preset]:
    """All presets by name, in the order of the families."""
    return {name: preset for model_type in _MODEL_TYPES for name, preset in presets_of(model_type).items()}


def find_preset(name: str) -> Preset | None:
    """The preset of that name, in upper or lower case; None if there is none."""
    folded = name.casefold()
    # The name of a released model nearly always begins with that of its family, so that one file suffices.
    likely = sorted(_MODEL_TYPES, key=lambda model_type: not folded.startswith(model_type.replace("_", "-")))
    return next((found[folded] for model_type in likely if folded in (found := presets_of(model_type))), None)


def _preset(name: str, entry: JsonObject) -> Preset:
    published = entry.get("published")
    return Preset(name, entry["config"], entry["source"], Published(**published) if published else None)
