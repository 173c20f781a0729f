"""Subjects of tracing: a class of the reference library with its config keys, or any module with the arguments of its constructor."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from types import SimpleNamespace
from typing import Any, Protocol

from symparam.core.json_types import JsonObject
from symparam.models.traced.config_keys import METADATA
from symparam.models.traced.expressions import Expression, Settings
from symparam.models.tracing.arguments import dataclass_with, inherited_arguments, parameters_of, rebuilt, settings_in
from symparam.models.tracing.config_reads import computed_attributes, tracked_reads
from symparam.models.tracing.config_settings import configs_in, flat_settings, plain_data, remember_settings
from symparam.models.tracing.nested_values import merged, nested
from symparam.models.tracing.patching import reachable_modules
from symparam.models.tracing.suggested_values import lists_instead_of_null, suggested_values
from symparam.models.tracing.symbolic_values import as_symbolic

OF_SETTINGS = re.compile(r"config|^(cfg|conf|args|opts?|options|flags|params|hparams|hps?)$|_(cfg|args|opts?|params)$")
"""The names of arguments that are objects of settings."""
MOST_SHOWN = 3
"""The most arguments in an example."""
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


def _refuse_words_for_flags(name: str, given: Mapping[str, object], defaults: Mapping[str, object]) -> None:
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


def _default(default: object, nothing: object, annotation: object) -> object:
    """The default of a parameter or field; false if it has none and takes a flag."""
    return (False if annotation in (bool, "bool") else "") if default is nothing else default


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
                _refuse_words_for_flags(self.name, self.base, dict(flat_settings(self.config_class(), "")))
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


class ArgumentSubject:
    """Any module with the arguments of its constructor. What is inside dictionaries, lists, objects of settings and partial functions are
    settings of their own; those of a single object that is made here have names like arguments.
    """

    def __init__(self, kind: Any, given: Mapping[str, object] | None = None) -> None:
        self.kind, self.name = kind, getattr(kind, "__name__", str(kind))
        self.given = dict(given or {})
        self.object: tuple[str, Any, frozenset[str]] | None = None
        self.arguments = self._arguments()
        self.defaults = {path: each for name, value in self.arguments.items() for path, each in settings_in(name, value).items()}
        self.instead_of_null: Mapping[str, object] = {}

    def _arguments(self) -> dict[str, object]:
        found: dict[str, object] = {}
        missing = []
        signature = parameters_of(self.kind)
        parameters = [each for each in signature if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)]
        of_flags = {each.name: _default(each.default, each.empty, each.annotation) for each in parameters}
        _refuse_words_for_flags(self.name, self.given, of_flags)
        open_to_more = any(each.kind == each.VAR_KEYWORD for each in signature)
        for parameter in parameters:
            if parameter.name in self.given:
                found[parameter.name] = _alike(parameter.default, self.given[parameter.name])
            elif parameter.default is not parameter.empty:
                found[parameter.name] = parameter.default
            else:
                missing.append(parameter)
        if len(missing) == 1 and (made := self._object_of(missing[0])) is not None:
            make, inside = made
            self.object = missing[0].name, make, frozenset(inside)
            return {**self.given, **found, **inside}
        if missing:
            names = ", ".join(each.name for each in missing)
            given = " ".join(f"--set {each.name}=64" for each in missing[:MOST_SHOWN])
            raise CannotBuildError(f"{self.name} needs {names}; give {'it' if len(missing) == 1 else 'them'}, as in {given}")
        unknown = [name for name in self.given if name not in found]
        if unknown and not open_to_more:
            raise CannotBuildError(f"{self.name} takes no argument {unknown[0]!r}; it takes {', '.join(found) or 'none'}")
        return {**self.given, **found}

    def _object_of(self, parameter: inspect.Parameter) -> tuple[Callable[..., object], dict[str, object]] | None:
        """What makes the object of settings that this parameter takes, and its settings; None if it takes something else."""
        annotated = parameter.annotation
        if isinstance(annotated, str):
            module = inspect.getmodule(self.kind)
            annotated = getattr(module, annotated, None) if module else None
        if annotated is parameter.empty and OF_SETTINGS.search(parameter.name.lower()):
            annotated = dataclass_with(self.kind, parameter.name)
        if dataclasses.is_dataclass(annotated) and isinstance(annotated, type):
            fields = {each.name: each for each in dataclasses.fields(annotated) if each.init}
            defaults = {name: default_of(each) for name, each in fields.items() if name not in self.given}
            of_flags = {name: _default(default_of(each), dataclasses.MISSING, each.type) for name, each in fields.items()}
            _refuse_words_for_flags(annotated.__name__, self.given, of_flags)
            missing = [name for name, value in defaults.items() if value is dataclasses.MISSING]
            if missing:
                raise CannotBuildError(f"{annotated.__name__} needs {', '.join(missing)}; give the settings with --set or --config")
            return annotated, defaults | {
                name: _alike(default_of(fields[name]), value) for name, value in self.given.items() if name in fields
            }
        return (SimpleNamespace, self.given) if OF_SETTINGS.search(parameter.name.lower()) and self.given else None

    def documents(self, prepared: object, moved: Mapping[str, object], all_of_them: bool) -> list[dict[str, object]]:
        return [dict(moved)]

    @property
    def modules(self) -> frozenset[str]:
        """The Python modules that define the class, its arguments and the functions that these use."""
        return reachable_modules({self.kind.__module__, *([] if self.object is None else [self.object[1].__module__])})

    def take_lists(self, has_no_effect: Callable[[Mapping[str, object]], bool]) -> None:
        """Have lists that the class takes in place of null as defaults, and what it passes on to the constructors of classes that it
        inherits from, where giving them changes nothing.
        """
        inherited = inherited_arguments(self.kind) if self.object is None else {}
        inherited = {name: value for name, value in inherited.items() if name not in self.arguments}
        if inherited and not self._takes(inherited, has_no_effect):
            for name, value in inherited.items():
                self._takes({name: value}, has_no_effect)
        lists = lists_instead_of_null(self.kind, self.defaults)
        self.instead_of_null = {path: value for path, value in lists.items() if has_no_effect({path: value})}
        self.defaults |= self.instead_of_null

    def _takes(self, values: Mapping[str, object], has_no_effect: Callable[[Mapping[str, object]], bool]) -> bool:
        """Give further arguments at their defaults from here on, unless that changes something."""
        before = self.arguments, self.defaults
        self.arguments = {**self.arguments, **values}
        self.defaults = {
            **self.defaults,
            **{path: each for name, value in values.items() for path, each in settings_in(name, value).items()},
        }
        if not has_no_effect({}):
            self.arguments, self.defaults = before
        return self.arguments is not before[0]

    def take_tuples(self) -> bool:
        """Give tuples in place of the lists that have no default, and return whether there are any: JSON has lists alone."""
        tuples = {name: _as_tuple(value) for name, value in self.arguments.items() if name in self.given and isinstance(value, list)}
        self.arguments |= tuples
        self.defaults |= {path: each for name, value in tuples.items() for path, each in settings_in(name, value).items()}
        return bool(tuples)

    @property
    def hints(self) -> Mapping[str, Sequence[object]]:
        return suggested_values(self.kind, self.defaults)

    sources: frozenset[str] | None = None
    aliases: Mapping[str, str] = {}
    inner: Mapping[str, Settings] = {}

    def prepare(self, moved: Mapping[str, object]) -> object:
        for path in moved.keys() - self.defaults.keys():
            raise CannotBuildError(f"{self.name} takes no argument {path!r}")
        alike = {path: _alike(self.defaults[path], value) for path, value in moved.items()}
        return copy.deepcopy({**self.defaults, **alike})  # A constructor may change a list that it is given.

    def settings(self, prepared: Any) -> JsonObject:
        return {name: plain_data(value) for name, value in prepared.items()}

    def reading(self, prepared: object) -> AbstractContextManager[None]:
        """A context that gives nothing, as a constructor receives all of its arguments."""
        return nullcontext()

    def remember(self, prepared: Any) -> None:
        for name, value in list(prepared.items()):
            prepared[name] = as_symbolic(value, ("key", name))

    def build(self, prepared: Any) -> Any:
        arguments = {name: rebuilt(name, value, prepared) for name, value in self.arguments.items()}
        if self.object is None:
            return self.kind(**arguments)
        name, make, inside = self.object
        held = make(**{each: value for each, value in arguments.items() if each in inside})
        return self.kind(**{name: held}, **{each: value for each, value in arguments.items() if each not in inside})


def _alike(default: object, value: object) -> object:
    """The value, as a tuple where that is what the default is."""
    return tuple(value) if isinstance(default, tuple) and not hasattr(default, "_asdict") and isinstance(value, list) else value


def _as_tuple(value: object) -> object:
    return tuple(map(_as_tuple, value)) if isinstance(value, list) else value


def default_of(field: dataclasses.Field[object]) -> object:
    """The default of a field, ``MISSING`` if it has none."""
    return field.default if field.default_factory is dataclasses.MISSING else field.default_factory()
