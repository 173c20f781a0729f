"""The settings of a file together with those that are typed (``dim=384``)."""

from __future__ import annotations

from collections.abc import Iterable

from symparam.core.json_types import JsonObject


def merged_settings(config: str | None, statements: Iterable[str]) -> JsonObject:
    """The settings of the file, overridden by the stated ones. Raises `ConfigError` for text that is not a setting."""
    from symparam.models.configs.changes import read_changes
    from symparam.models.configs.config_file import load

    return {**(load(config).keys if config is not None else {}), **read_changes(list(statements))}
