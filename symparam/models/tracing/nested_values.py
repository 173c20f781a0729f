"""Values by dotted paths as nested dictionaries, and dictionaries laid over each other."""

from __future__ import annotations

import copy
from collections.abc import Mapping

from symparam.core.json_types import JsonObject
from symparam.models.traced.expressions import Settings


def nested(moved: Mapping[str, object]) -> dict[str, object]:
    """``{"a.b": 1}`` as ``{"a": {"b": 1}}``; list indices in a path are not interpreted here."""
    found: JsonObject = {}
    for path, value in moved.items():
        *outer, last = path.split(".")
        inner = found
        for name in outer:
            inner = inner.setdefault(name, {})
        inner[last] = _copied(value)
    return found


def merged(one: Settings, other: Settings) -> JsonObject:
    """The first dictionary updated recursively with the second."""
    found: JsonObject = {name: _copied(value) for name, value in one.items()}
    for name, value in other.items():
        both = isinstance(value, dict) and isinstance(found.get(name), dict) and name not in ("id2label", "label2id")
        found[name] = merged(found[name], value) if both else value
    return found


def _copied(value: object) -> object:
    """A copy of JSON data, which takes a tenth of the time of Python's own copy."""
    if type(value) is list:
        return [_copied(each) for each in value]
    if type(value) is dict:
        return {name: _copied(each) for name, each in value.items()}
    return value if value is None or type(value) in (bool, int, float, str) else copy.deepcopy(value)
