"""A class of torch modules with the arguments of its constructor."""

from __future__ import annotations

import copy
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from types import SimpleNamespace
from typing import Any

from symparam.core.json_types import JsonObject
from symparam.models.traced.expressions import Settings
from symparam.models.tracing.arguments import (
    alike,
    as_fractions,
    as_tuple,
    inherited_arguments,
    parameters_of,
    rebuilt,
    settings_in,
    updated,
)
from symparam.models.tracing.config_objects import (
    arguments_of,
    class_of,
    defaults_of,
    is_class_of_settings,
    is_made_here,
    parameters_of_settings,
)
from symparam.models.tracing.config_settings import plain_data
from symparam.models.tracing.patching import reachable_modules
from symparam.models.tracing.settings_objects import NamedDict
from symparam.models.tracing.subjects import CannotBuildError, refuse_words_for_flags
from symparam.models.tracing.suggested_values import lists_instead_of_null, suggested_values
from symparam.models.tracing.symbolic_values import as_symbolic

MOST_SHOWN = 3
"""The most arguments in an example."""


def _default(default: object, nothing: object, annotation: object) -> object:
    """The default of a parameter or field; false if it has none and takes a flag."""
    return (False if annotation in (bool, "bool") else "") if default is nothing else default


class ArgumentSubject:
    """Any module with the arguments of its constructor. What is inside dictionaries, lists, objects of settings and partial functions are
    settings of their own; those of a single object that is made here have names like arguments.
    """

    def __init__(self, kind: Any, given: Mapping[str, object] | None = None) -> None:
        self.kind, self.name = kind, getattr(kind, "__name__", str(kind))
        self.given = {path: value for path, value in (given or {}).items() if "." not in path}
        inside = {path: value for path, value in (given or {}).items() if "." in path}
        self.object: tuple[str, Any, frozenset[str]] | None = None
        self.arguments = self._with_inside(self._arguments(), inside)
        self.defaults = {path: each for name, value in self.arguments.items() for path, each in settings_in(name, value).items()}
        self.instead_of_null: Mapping[str, object] = {}

    def _arguments(self) -> dict[str, object]:
        found: dict[str, object] = {}
        missing = []
        signature = parameters_of(self.kind)
        parameters = [each for each in signature if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)]
        of_flags = {each.name: _default(each.default, each.empty, each.annotation) for each in parameters}
        refuse_words_for_flags(self.name, self.given, of_flags)
        open_to_more = any(each.kind == each.VAR_KEYWORD for each in signature)
        for parameter in parameters:
            if parameter.name in self.given:
                found[parameter.name] = alike(parameter.default, self.given[parameter.name])
            elif parameter.default is not parameter.empty:
                found[parameter.name] = parameter.default
            else:
                missing.append(parameter)
        alone = len(parameters) == 1
        optional = [] if missing else [each for each in parameters if each.name not in self.given and is_made_here(each, alone)]
        for parameter in missing if len(missing) == 1 else optional:
            if (made := self._object_of(parameter)) is not None:
                make, inside = made
                found.pop(parameter.name, None)
                self.object = parameter.name, make, frozenset(inside)
                return {**self.given, **found, **inside}
        objects = ((each.name, self._made_without_settings(each)) for each in missing)
        made_here = {name: each for name, each in objects if each is not None}
        if missing and len(made_here) == len(missing):
            return {**found, **made_here}
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
        made = class_of(parameter, self.kind, self.given)
        if not isinstance(made, type) or made in (SimpleNamespace, NamedDict):
            return None if made is None else (made, self.given)
        taken = parameters_of_settings(made)
        of_flags = {each.name: _default(each.default, each.empty, each.annotation) for each in taken}
        refuse_words_for_flags(made.__name__, self.given, of_flags)
        stated = {name: value for name, value in self.given.items() if name in of_flags}
        defaults = arguments_of(parameter.default) or defaults_of(made, self.given)
        defaults = {**defaults, **{name: updated(name, defaults[name], value) for name, value in stated.items()}}
        missing = [name for name, value in defaults.items() if value is inspect.Parameter.empty]
        if missing:
            raise CannotBuildError(f"{made.__name__} needs {', '.join(missing)}; give the settings with --set or --config")
        return made, defaults

    def _made_without_settings(self, parameter: inspect.Parameter) -> object | None:
        """The object of settings that this parameter takes, where one can be made without any."""
        made = class_of(parameter, self.kind, {})
        with suppress(Exception):
            return None if made is None else made()
        return None

    def _with_inside(self, arguments: dict[str, object], given: Mapping[str, object]) -> dict[str, object]:
        """The arguments with what is given of the values inside them: ``cfg.width``, or ``width`` for what is made here of these."""
        found = dict(arguments)
        for path, value in given.items():
            path = path.removeprefix(f"{self.object[0]}.") if self.object else path
            name = path.partition(".")[0]
            known = settings_in(name, found[name]) if name in found else {}
            if path not in known and path not in found:
                has = f"; {name} has {', '.join(known)}" if known else ""
                raise CannotBuildError(f"{self.name} takes no setting {path!r}{has}")
            found[name] = rebuilt(name, found[name], {**known, path: value})
        return found

    @property
    def aliases(self) -> Mapping[str, str]:
        """The settings of an object that is made here, also by the name of the argument."""
        if self.object is None:
            return {}
        name, _, inside = self.object
        return {f"{name}.{path}": path for path in self.defaults if path.partition(".")[0].partition("[")[0] in inside}

    def documents(self, prepared: object, moved: Mapping[str, object], all_of_them: bool) -> list[dict[str, object]]:
        return [dict(moved)]

    @property
    def modules(self) -> frozenset[str]:
        """The Python modules that define the class, its arguments and the functions that these use."""
        return reachable_modules({self.kind.__module__, *([] if self.object is None else [self.object[1].__module__])})

    def take_lists(self, has_no_effect: Callable[[Mapping[str, object]], bool]) -> None:
        """Have lists that the class takes in place of null as defaults, what it passes on to the constructors of classes that it inherits
        from, and fractions where whole numbers are only their defaults, where giving them changes nothing.
        """
        inherited = inherited_arguments(self.kind) if self.object is None else {}
        inherited = {name: value for name, value in inherited.items() if name not in self.arguments}
        if inherited and not self._takes(inherited, has_no_effect):
            for name, value in inherited.items():
                self._takes({name: value}, has_no_effect)
        lists = lists_instead_of_null(self.kind, self.defaults)
        self.instead_of_null = {path: value for path, value in lists.items() if has_no_effect({path: value})}
        self.defaults |= self.instead_of_null
        for path, value in as_fractions(self.defaults, self._of_fractions()).items():
            if has_no_effect({path: value}):
                self.defaults[path] = value

    def _of_fractions(self) -> set[str]:
        """The arguments that are annotated as fractions."""
        made = self.object[1] if self.object else None
        taken = parameters_of_settings(made) if isinstance(made, type) and is_class_of_settings(made) else []
        return {each.name for each in (*parameters_of(self.kind), *taken) if re.search(r"\bfloat\b", str(each.annotation))}

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
        tuples = {name: as_tuple(value) for name, value in self.arguments.items() if name in self.given and isinstance(value, list)}
        self.arguments |= tuples
        self.defaults |= {path: each for name, value in tuples.items() for path, each in settings_in(name, value).items()}
        return bool(tuples)

    @property
    def hints(self) -> Mapping[str, Sequence[object]]:
        return suggested_values(self.kind, self.defaults)

    sources: frozenset[str] | None = None
    inner: Mapping[str, Settings] = {}

    def prepare(self, moved: Mapping[str, object]) -> object:
        for path in moved.keys() - self.defaults.keys():
            raise CannotBuildError(f"{self.name} takes no argument {path!r}")
        given = {path: alike(self.defaults[path], value) for path, value in moved.items()}
        return copy.deepcopy({**self.defaults, **given})  # A constructor may change a list that it is given.

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
