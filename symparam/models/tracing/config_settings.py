"""Configs of the library as settings: their attributes, those of nested configs with names like ``text_config.hidden_size``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from symparam.models.traced.config_keys import METADATA, PRIVATE
from symparam.models.tracing.symbolic_values import as_symbolic


def is_config(value: object) -> bool:
    """Whether it is a config of the library."""
    return hasattr(value, "to_dict") and hasattr(value, "attribute_map")


def configs_in(config: Any, before: str = "") -> list[tuple[str, Any]]:
    """The config and those nested in it, each with what its settings have before their names: ``text_config.``."""
    found = [(before, config)]
    for name, value in vars(config).items():
        if is_config(value) and not name.startswith("_"):
            found += configs_in(value, f"{before}{name}.")
    return found


def flat_settings(config: object, before: str) -> list[tuple[str, object]]:
    """The settings of a config by path."""
    found: list[tuple[str, object]] = []
    for name, value in vars(config).items():
        if name.startswith(PRIVATE) or name in METADATA or name == "model_type":
            continue
        if name == "id2label":
            found.append((f"{before}num_labels", len(value) if value else 0))
        elif is_config(value):
            found += flat_settings(value, f"{before}{name}.")
        elif isinstance(value, dict):
            found += _flat_dictionary(value, f"{before}{name}")
        else:
            found.append((before + name, plain_data(value)))
    return found


def _flat_dictionary(values: Mapping[object, object], path: str) -> list[tuple[str, object]]:
    found: list[tuple[str, object]] = []
    for name, value in values.items():
        if isinstance(value, dict):
            found += _flat_dictionary(value, f"{path}.{name}")
        else:
            found.append((f"{path}.{name}", plain_data(value)))
    return found or [(path, {})]


def plain_data(value: object) -> object:
    """The value as JSON data; anything that JSON cannot hold becomes a descriptive string."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return int.__int__(value)
    if isinstance(value, float):
        return float.__float__(value)
    if isinstance(value, (list, tuple)):
        return [plain_data(each) for each in list(value)]
    if isinstance(value, dict):
        return {str(name): plain_data(each) for name, each in value.items()}
    return f"<{type(value).__name__}>"


def remember_settings(config: object, before: str) -> None:
    """Have the numbers and lists in a config keep the settings that they are."""
    for name, value in list(vars(config).items()):
        if name.startswith("_") or name in METADATA or name in ("model_type", "id2label"):
            continue
        if is_config(value):
            remember_settings(value, f"{before}{name}.")
        elif isinstance(value, dict):
            for key, each in value.items():
                value[key] = as_symbolic(each, ("key", f"{before}{name}.{key}"))
        else:
            vars(config)[name] = as_symbolic(value, ("key", before + name))
