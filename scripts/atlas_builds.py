"""Builds of a class, of which none is made that would read the same values of its config as one before: it would be the same model.

Values that no rule needs are tried by the hundred, alone and together, and a class reads few of them while it builds.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import lru_cache
from typing import Any, NamedTuple

import torch
from atlas_bases import Pair
from atlas_trials import limited
from transformers import GenerationConfig

from symparam.models.tracing.config_settings import configs_in, is_config
from symparam.models.tracing.observation import Observation, Observer, RegisteredTensor, registered_tensors, without_initialisation
from symparam.models.tracing.subjects import CannotBuildError, ConfigSubject

GENERATION = frozenset(name for name in vars(GenerationConfig()) if not name.startswith("_"))
"""What a class that generates text takes from its config besides, and may refuse."""

PLAIN = frozenset({int, float, bool, str, type(None)})

Tokens = Mapping[str, str]
"""The values of a config and of those nested in it, by path, as text: 1, 1.0 and true are equal."""


class Built(NamedTuple):
    """The tensors of a build, the paths of what it read of the configs, and the Python modules of the classes in it."""

    tensors: tuple[RegisteredTensor, ...]
    reads: frozenset[str]
    modules: frozenset[str]


class Builds:
    """The builds of a subject."""

    def __init__(self, subject: ConfigSubject) -> None:
        self.subject = subject
        self._known: dict[tuple[str, ...], dict[tuple[str, ...], Built | None]] = {}

    def of(self, prepared: Any) -> Built | None:
        """What is built from a config that was made for it alone; None if the class refuses it, or takes too long."""
        tokens = {before + name: _token(name, value) for before, each in configs_in(prepared) for name, value in vars(each).items()}
        for mattering, known in self._known.items():
            if (values := _values(tokens, mattering)) in known:
                return known[values]
        with self.subject.reading(prepared) as reads:
            model = self._model(prepared)
        found = None if model is None else Built(registered_tensors(model), frozenset(reads), _modules(model))
        mattering = tuple(sorted(reads | self._of_generation(model, tokens)))
        self._known.setdefault(mattering, {})[_values(tokens, mattering)] = found
        return found

    def _model(self, prepared: Any) -> torch.nn.Module | None:
        silent = io.StringIO()
        try:
            with (
                limited(),
                contextlib.redirect_stdout(silent),
                contextlib.redirect_stderr(silent),
                torch.device("meta"),
                torch.no_grad(),
                without_initialisation(),
            ):
                model: Any = self.subject.build(prepared)
        except Exception:  # A class may raise anything.
            return None
        return model if isinstance(model, torch.nn.Module) else None

    @staticmethod
    def _of_generation(model: torch.nn.Module | None, paths: Iterable[str]) -> Set[str]:
        """The paths of what the generation of text takes, if the model generates or was refused, which may be for such a value."""
        if model is not None and not any("generation_config" in vars(each) for each in model.modules()):
            return frozenset()
        outer = {path.rpartition(".")[0] for path in paths}
        return {f"{each}.{name}".lstrip(".") for each in outer for name in GENERATION}


class BuildingOnce(Observer):
    """Observes the tensors of builds, of which none is made twice."""

    def __init__(self, builds: Builds) -> None:
        super().__init__(builds.subject)
        self.known = builds

    def observe(self, moved: Mapping[str, object], plainly: bool = True, documented: bool = False) -> Observation:
        try:
            with limited():
                prepared, settings, _ = self.preparation.for_build(moved)
        except Exception as error:  # A config may raise anything.
            raise CannotBuildError(str(error)) from None
        built = self.known.of(prepared)
        if built is None:
            raise CannotBuildError("the class refuses it, or takes too long")
        self.modules |= built.modules
        return Observation(dict(moved), settings, built.tensors, {})


@lru_cache(maxsize=1)
def builds_of(pair: Pair) -> Builds:
    """The builds of a pair, of which one is looked at after the other."""
    return Builds(pair.subject())


def _modules(model: torch.nn.Module) -> frozenset[str]:
    return frozenset(each.__module__ for kind in {*map(type, model.modules())} for each in kind.__mro__ if each is not object)


def _values(tokens: Tokens, paths: Sequence[str]) -> tuple[str, ...]:
    """The values at these paths; ``text_config.*`` stands for all that the config has."""
    found = [tokens.get(path, "") for path in paths]
    whole = [path[:-1] for path in paths if path.endswith("*")]
    return (*found, *(f"{path}={token}" for path, token in tokens.items() if path.startswith(tuple(whole)))) if whole else tuple(found)


def _token(name: str, value: object) -> str:
    """The value as text; of a nested config, whose values are by themselves, the class alone."""
    if is_config(value):
        return type(value).__name__ if not name.startswith("_") else _token(name, vars(value))
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    if {*map(type, inside)} <= PLAIN:
        return repr(value)
    return str([*(value if isinstance(value, dict) else ()), *(_token("_", each) for each in inside)])
