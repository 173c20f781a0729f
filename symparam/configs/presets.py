"""Released models by the names people know, each with the config that it was released with."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

from symparam.configs.document import ConfigDocument


@dataclass(frozen=True)
class Preset:
    """A released model: its name, the sizes of its config.json, and where these were taken from."""

    name: str
    config: dict[str, Any]
    source: str

    @property
    def document(self) -> ConfigDocument:
        return ConfigDocument(self.config, self.name)


@cache
def presets() -> dict[str, Preset]:
    """All presets by name, in the order of the list."""
    from importlib.resources import files  # Not needed for a formula.

    entries = json.loads(files("symparam.configs").joinpath("presets.json").read_text(encoding="utf-8"))
    return {name: Preset(name, entry["config"], entry["source"]) for name, entry in entries.items()}
