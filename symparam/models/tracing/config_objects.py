"""Objects of settings among the arguments of a class: which class they have, and which arguments of its constructor they were made with."""

from __future__ import annotations

import dataclasses
import inspect
import re
import sys
import types
import typing
from collections.abc import Callable, Mapping, Set
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

from symparam.models.traced.expressions import Settings
from symparam.models.tracing.settings_objects import maker_of, reads_of

OF_SETTINGS = re.compile(r"config|^(cfg|conf|args|opts?|options|flags|params|hparams|hps?)$|_(cfg|args|opts?|params)$")
"""The names of arguments that are objects of settings."""
ALL_SETTINGS = re.compile(r"(model_?|net_?)?(config|cfg|conf|args|opts?|options|params|hparams|hps?)")
"""The names of arguments that are the settings of the whole class, rather than of a part that may be missing."""
CLASSES_OF_SETTINGS = re.compile(r"config|cfg|conf$|args$|opts?$|options|settings|params$|hparams", re.IGNORECASE)
"""The names of classes of such objects, where a class does not say which one it takes."""
_NOT_OF_SETTINGS = {*sys.stdlib_module_names, *sys.builtin_module_names, "torch", "numpy", "transformers", "symparam"}
Parameter = inspect.Parameter


def class_of(parameter: Parameter, kind: object, given: Settings) -> Callable[..., object] | None:
    """What makes the object of settings that this parameter takes: the class that its annotation names; failing that, the one class in
    the module that may be meant and knows the given settings, or a plain object that has these; None if it takes something else.
    """
    of_settings = OF_SETTINGS.search(parameter.name.lower())
    if arguments_of(parameter.default) is not None:
        return type(parameter.default)
    if parameter.annotation is not Parameter.empty:
        annotated = next((each for each in _classes_in(_resolved(parameter.annotation, kind)) if is_class_of_settings(each)), None)
        if annotated is not None and (dataclasses.is_dataclass(annotated) or of_settings or CLASSES_OF_SETTINGS.search(annotated.__name__)):
            return annotated
    elif of_settings and (meant := _meant(parameter.name, kind, given)) is not None:
        return meant
    if not given or parameter.default is not Parameter.empty:
        return None
    return maker_of(kind, parameter.name, given) or (SimpleNamespace if of_settings else None)


def is_made_here(parameter: Parameter, alone: bool) -> bool:
    """Whether a parameter with a default takes an object of settings whose values are the settings of the class: one that the class makes
    where it is null, or the only argument that there is.
    """
    if parameter.default is None:
        return alone or ALL_SETTINGS.fullmatch(parameter.name.lower()) is not None
    return alone and OF_SETTINGS.search(parameter.name.lower()) is not None and arguments_of(parameter.default) is not None


def _resolved(annotation: object, kind: object) -> object:
    """What an annotation that is written as a string stands for in the module of the class."""
    if isinstance(annotation, str):
        names = vars(inspect.getmodule(kind) or SimpleNamespace())
        with suppress(Exception):
            return typing.get_type_hints(SimpleNamespace(__annotations__={"it": annotation}), names)["it"]
    return annotation


def _classes_in(annotation: object) -> list[type]:
    """The class, or those of an optional value."""
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        return [each for each in typing.get_args(annotation) if isinstance(each, type)]
    return [annotation] if isinstance(annotation, type) else []


def _meant(parameter: str, kind: Any, given: Settings) -> Callable[..., object] | None:
    """The class of settings in the module of a class that has all values which the class reads from the parameter: the only one, or the
    one with the name of the class in its own.
    """
    read = reads_of(kind, parameter).attributes
    found = {
        name: each
        for name, each in vars(inspect.getmodule(kind) or SimpleNamespace()).items()
        if isinstance(each, type)
        and (CLASSES_OF_SETTINGS.search(name) or (read and dataclasses.is_dataclass(each)))
        and is_class_of_settings(each)
        and _has(each, read)
    }
    named = [each for name, each in found.items() if name.lower().startswith(kind.__name__.lower())]
    chosen = named if len(named) == 1 else list(found.values())
    if len(chosen) != 1:
        return None
    names = {each.name for each in parameters_of_settings(chosen[0])}
    required = {each.name for each in parameters_of_settings(chosen[0]) if each.default is Parameter.empty}
    return chosen[0] if required <= given.keys() and {path.partition(".")[0] for path in given} <= names else None


def _has(kind: type, attributes: Set[str]) -> bool:
    """Whether the objects of a class of settings have these attributes, as far as its constructor and its body show."""
    return attributes <= {each.name for each in parameters_of_settings(kind)} | {*dir(kind)}


def is_class_of_settings(kind: type) -> bool:
    """Whether it is a class of the user's own whose objects are made of named values alone: a dataclass, or one with such a constructor."""
    if kind.__module__.partition(".")[0] in _NOT_OF_SETTINGS or any(each.__module__.partition(".")[0] == "torch" for each in kind.__mro__):
        return False
    if dataclasses.is_dataclass(kind):
        return True
    made = kind.__init__  # type: ignore[misc]
    if not inspect.isfunction(made) or type(kind) is not type or callable(getattr(kind, "forward", None)) or "__call__" in vars(kind):
        return False
    return bool(parameters_of_settings(kind)) and not hasattr(kind, "attribute_map")  # Those of transformers are read in another way.


def parameters_of_settings(kind: Any) -> list[Parameter]:
    """What the constructor of such a class takes by name, with the defaults."""
    if dataclasses.is_dataclass(kind):
        return [Parameter(each.name, Parameter.KEYWORD_ONLY, default=_default_of(each), annotation=each.type) for each in _fields(kind)]
    signature = inspect.signature(kind).parameters.values()
    return [each for each in signature if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)]


def _fields(kind: Any) -> list[dataclasses.Field[Any]]:
    return [each for each in dataclasses.fields(kind) if each.init]


def _default_of(field: dataclasses.Field[Any]) -> object:
    if field.default is not dataclasses.MISSING:
        return field.default
    return Parameter.empty if field.default_factory is dataclasses.MISSING else field.default_factory()


def defaults_of(kind: Any, given: Settings) -> dict[str, object]:
    """The values with which an object of settings is made if none are given; those of objects inside that it makes itself are theirs."""
    found = {each.name: each.default for each in parameters_of_settings(kind)}
    if any(value is None for value in found.values()):
        with suppress(Exception):
            made = kind(**{name: value for name, value in given.items() if name in found})
            found |= {name: each for name, value in found.items() if value is None and arguments_of(each := getattr(made, name, None))}
    return found


def arguments_of(value: Any) -> dict[str, object] | None:
    """The arguments with which an object of settings was made, where another one that is made with them is the same; None if it is
    something else. What it computes from others where it is not given is not given here either.
    """
    kind = type(value)
    if not is_class_of_settings(kind) or not hasattr(value, "__dict__"):
        return None
    names = [each.name for each in parameters_of_settings(kind)]
    if not all(hasattr(value, name) for name in names):
        return None
    attributes = {name: getattr(value, name) for name in names}
    defaults = defaults_of(kind, {})
    computed = {name: None for name, each in attributes.items() if defaults[name] is None and each is not None and not arguments_of(each)}
    for arguments in ({**attributes, **computed}, attributes):
        with suppress(Exception):
            if _same(kind(**arguments), value):
                return arguments
    return None


def _same(one: Any, other: Any) -> bool:
    """Whether two values are equal, or objects of settings with equal attributes."""
    if type(one) is not type(other):
        return False
    if is_class_of_settings(type(one)) and hasattr(one, "__dict__"):
        here, there = vars(one), vars(other)
        return here.keys() == there.keys() and all(_same(here[name], there[name]) for name in here)
    return bool(one == other)


def with_values(value: Any, arguments: Mapping[str, object]) -> object:
    """Another object of settings like this one, made with these arguments."""
    return type(value)(**arguments)
