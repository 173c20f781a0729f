"""Subjects of tracing: classes to be built, and those of the reference library with their config keys."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from typing import Any, Protocol

from symparam.core.json_types import JsonObject
from symparam.models.traced.config_keys import METADATA
from symparam.models.traced.expressions import Expression, Settings
from symparam.models.tracing.arguments import settings_in
from symparam.models.tracing.config_reads import computed_attributes, tracked_reads
from symparam.models.tracing.config_settings import configs_in, flat_settings, remember_settings
from symparam.models.tracing.nested_values import merged, nested

COMMON_CONFIGS = "transformers.configuration_utils"
"""The module whose methods configs have that have none of their own."""


class CannotBuildError(Exception):
    """Raised when the class rejects the settings; ``asked`` is the last comparison before that, with its outcome, if there was one."""

    asked: tuple[Expression, bool] | None = None


class Subject(Protocol):
    """A class to be built with settings: changed ones by path, all others at their defaults."""

    name: str
    kind: type

    @property
    def hints(self) -> Mapping[str, Sequence[object]]:
        """Other values that the class names for settings."""

    @property
    def sources(self) -> frozenset[str] | None:
        """The settings from which the config prepared last computed others, if that is known."""

    @property
    def modules(self) -> frozenset[str]: ...

    @property
    def instead_of_null(self) -> Mapping[str, object]:
        """What the class takes for settings that are null by default, which counts as their default."""

    def take_lists(self, has_no_effect: Callable[[Mapping[str, object]], bool]) -> None: ...

    def take_tuples(self) -> bool: ...

    def prepare(self, moved: Mapping[str, object]) -> object: ...

    def settings(self, prepared: object) -> dict[str, object]: ...

    def documents(self, prepared: object, moved: Mapping[str, object], all_of_them: bool) -> list[dict[str, object]]: ...

    def remember(self, prepared: object) -> None: ...

    def reading(self, prepared: object) -> AbstractContextManager[set[str] | None]: ...

    def build(self, prepared: object) -> object: ...


_WORDS_LIKE_FLAGS = ("true", "false", "yes", "no", "on", "off", "null", "none")


def refuse_words_for_flags(name: str, given: Mapping[str, object], defaults: Mapping[str, object]) -> None:
    """Raise `CannotBuildError` for a word where the default is true or false, and for one that means a flag or nothing where it is null: a
    class takes any word as true.
    """
    known, stated = (
        {path: each for key, value in values.items() for path, each in settings_in(key, value).items()} for values in (defaults, given)
    )
    for path, value in stated.items():
        default = known.get(path, "")
        if isinstance(value, str) and (isinstance(default, bool) or (default is None and value.casefold() in _WORDS_LIKE_FLAGS)):
            expected = "true or false" if isinstance(default, bool) else "true, false, null, a number or another word"
            raise CannotBuildError(f"{path} is the word {value!r}, which {name} would take as true; give {expected}: --set {path}=false")


class ConfigSubject:
    """A class of transformers, whose settings are the attributes of its config; those of nested configs have names like
    ``text_config.hidden_size``.
    """

    def __init__(self, kind: type, base: Settings | None = None, config_class: Any = None) -> None:
        self.kind, self.name = kind, kind.__name__
        self.hints: Mapping[str, Sequence[object]] = {}
        self.sources: frozenset[str] | None = frozenset()
        self.instead_of_null: Mapping[str, object] = {}
        self.base = {
            name: value for name, value in (base or {}).items() if name not in ("architectures", "transformers_version", "auto_map")
        }
        self.config_class: Any = config_class or kind.config_class  # type: ignore[attr-defined]
        if self.base:
            with suppress(TypeError, ValueError):  # A config that cannot be made without settings has no defaults.
                refuse_words_for_flags(self.name, self.base, dict(flat_settings(self.config_class(), "")))
        default = self.config(copy.deepcopy(self.base))
        inside = configs_in(default)[1:]
        self.types = {path[:-1]: inner.model_type for path, inner in inside if getattr(inner, "model_type", "")}
        self.dictionaries = {name: value for name, value in vars(default).items() if isinstance(value, dict) and name not in METADATA}

    def config(self, document: JsonObject) -> Any:
        """The config that the document gives. The library's own way does no more than to make it and to write it out for a log, which takes
        longer.
        """
        made = self.config_class.from_dict
        return self.config_class(**document) if made.__module__ == COMMON_CONFIGS else made(document)

    def take_lists(self, has_no_effect: Callable[[Mapping[str, object]], bool]) -> None:
        """A config computes the lists that it takes itself, so that they are its settings."""

    def take_tuples(self) -> bool:
        """A config is read from JSON, so that it has none."""
        return False

    def document(self, moved: Settings) -> JsonObject:
        """The config.json that gives these values."""
        given: JsonObject = {}
        for path, value in moved.items():
            if path.rpartition(".")[2] == "num_labels" and isinstance(value, int):
                names = {str(at): f"LABEL_{at}" for at in range(value)}
                before = path[: -len("num_labels")]
                given[f"{before}id2label"] = names
                given[f"{before}label2id"] = {name: int(at) for at, name in names.items()}
            else:
                given[path] = value
        for path, model_type in self.types.items():
            if any(each.startswith(f"{path}.") for each in moved):
                given[f"{path}.model_type"] = model_type
        tree = nested(given)
        whole = {name: self.dictionaries[name] for name, value in tree.items() if isinstance(value, dict) and name in self.dictionaries}
        return merged(self.base, merged(whole, tree))  # A dictionary is given whole, since its other keys have no defaults.

    def documents(self, prepared: Any, moved: Settings, all_of_them: bool) -> list[JsonObject]:
        """Equivalent config.json files: only the changed values, everything, and everything but the defaults."""
        found = [self.document(moved)]
        if all_of_them:
            found += [prepared.to_dict(), prepared.to_diff_dict()]
        return [json.loads(json.dumps(each, default=str)) for each in found]

    def prepare(self, moved: Settings) -> object:
        with computed_attributes(self.config_class) as computed:
            prepared = self.config(self.document(moved))
        self.sources = frozenset(
            f"{before}{name}" for before, config in configs_in(prepared) for kind, name in computed if isinstance(config, kind)
        )
        return prepared

    @property
    def modules(self) -> frozenset[str]:
        """The Python modules that define the class and its configs; the properties of these may count layers too."""
        return frozenset({self.kind.__module__, *(type(each).__module__ for _, each in configs_in(self.prepare({})))})

    @property
    def aliases(self) -> dict[str, str]:
        """Alternative names of settings, by path."""
        return {
            before + alias: before + key
            for before, config in configs_in(self.prepare({}))
            for alias, key in config.attribute_map.items()
            if alias != key
        }

    @property
    def inner(self) -> dict[str, JsonObject]:
        """For each nested config, the defaults that change once a config.json mentions it."""
        default = dict(flat_settings(self.prepare({}), ""))
        found: dict[str, JsonObject] = {}
        for path, model_type in self.types.items():
            try:
                opened = dict(flat_settings(self.config(merged(self.base, nested({f"{path}.model_type": model_type}))), ""))
            except Exception:
                opened = {}
            found[path] = {key: value for key, value in opened.items() if default.get(key) != value or key not in default}
            if not opened:
                found[path] = {"?": None}
        return found

    def settings(self, prepared: object) -> JsonObject:
        return dict(flat_settings(prepared, ""))

    def remember(self, prepared: object) -> None:
        remember_settings(prepared, "")

    def reading(self, prepared: object) -> AbstractContextManager[set[str]]:
        """A context that gives the paths of the settings that are read in it."""
        return tracked_reads(configs_in(prepared))

    def build(self, prepared: object) -> object:
        return self.kind(prepared)
