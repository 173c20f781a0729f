"""One build of a subject, observed: its tensors, and the computations and comparisons on the way."""

from __future__ import annotations

import contextlib
import io
import math
import re
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import torch

from symparam.core.json_types import JsonObject
from symparam.errors import described
from symparam.models.traced.expressions import Expression
from symparam.models.tracing.origins import Content, Turns, origins_of, tracked_sides
from symparam.models.tracing.patching import patched
from symparam.models.tracing.preparation import Preparation
from symparam.models.tracing.subjects import CannotBuildError, Subject
from symparam.models.tracing.symbolic_values import LOG, restart
from symparam.models.tracing.waiting import building

MOST_TURNS = 20_000
"""How often a build with other settings than the default may come to one place in the code; more often where others did so, too."""
MORE_TURNS = 20
"""How many times as often as any build so far."""
FANS = "_calculate_fan_in_and_fan_out"
"""What torch computes of a tensor to initialise it, and of its bias."""
Prepared = tuple[object, JsonObject, "frozenset[str] | None"]
"""What a class is built from, with its settings, and those of them from which the config computed others."""
RegisteredTensor = tuple[str, tuple[int, ...], "str | None"]
"""A tensor: its name, its shape, and the name of the tensor whose memory it shares."""


@dataclass(eq=False)
class Observation:
    """The observations of one build. ``moved`` are the settings that were changed, ``settings`` all of them as the class has them,
    ``reads`` those that it read, and ``sources`` those from which the config computed others, if that is known. ``origins`` are the
    expressions by which the class computed the sides of tensors, ``turns`` those of the loops in which modules and tensors were made.
    """

    moved: dict[str, object]
    settings: JsonObject
    tensors: tuple[RegisteredTensor, ...]
    kinds: dict[str, str]
    met: dict[Expression, object] = field(default_factory=dict)
    asked: dict[Expression, set[bool]] = field(default_factory=dict)
    documents: list[dict[str, object]] = field(default_factory=list)
    reads: frozenset[str] | None = None
    sources: frozenset[str] | None = None
    origins: dict[str, tuple[Expression, ...]] = field(default_factory=dict)
    turns: dict[str, Turns] = field(default_factory=dict)


class Observer:
    """Builds a subject repeatedly on the meta device."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.modules: frozenset[str] = subject.modules
        self._kinds: set[type] = set()
        self.preparation = Preparation(self._prepared)
        self.builds = 0
        self.most_turns = MOST_TURNS
        self.content = Content.NONE
        """The tensors that have a content, which the class reads."""

    def settings_with(self, moved: Mapping[str, object]) -> JsonObject:
        """All settings as the class has them with these changed, without a build: a build with them that follows uses what was prepared."""
        return self.preparation.ahead(moved)[1]

    def _prepared(self, moved: Mapping[str, object]) -> Prepared:
        prepared = self.subject.prepare(moved)
        return prepared, self.subject.settings(prepared), self.subject.sources

    def observe(self, moved: Mapping[str, object], plainly: bool = False, documented: bool = False) -> Observation:
        """The observation of a build with these settings, ``plainly`` of its tensors alone. Raises `CannotBuildError` if the class rejects
        them.
        """
        before = self.content
        for content in Content:
            if content >= before:
                self.content = content
                try:
                    return self._observed(moved, plainly, documented)
                except CannotBuildError as error:
                    refused = error
                    if not lacks_content(error):
                        break
        self.content = before
        raise refused

    def _observed(self, moved: Mapping[str, object], plainly: bool, documented: bool) -> Observation:
        self.builds += 1
        try:
            with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                warnings.simplefilter("ignore")
                prepared, settings, sources = self.preparation.for_build(moved)
                documents = [] if plainly else self.subject.documents(prepared, moved, documented)
                log = restart(self.most_turns if moved else math.inf)
                modules = () if plainly else self.modules
                with torch.no_grad(), without_initialisation(), tracked_sides(self.content) as made, patched(modules):
                    if not plainly:
                        self.subject.remember(prepared)
                    with building(moved), contextlib.nullcontext() if plainly else self.subject.reading(prepared) as reads:
                        model = self.subject.build(prepared)
        except (MemoryError, KeyboardInterrupt, CannotBuildError):
            raise
        except BaseException as error:  # A constructor may raise anything, and may even exit.
            if "not enough memory" in str(error) or "can't allocate memory" in str(error):  # Torch has no exception of its own for it.
                raise MemoryError from None
            refused = CannotBuildError(described(error))
            refused.asked = None if plainly else LOG.last
            raise refused from None
        if not isinstance(model, torch.nn.Module):
            raise CannotBuildError(f"{self.subject.name} returns {type(model).__name__}, which is not a torch module")
        inside = [*model.named_modules(remove_duplicate=False)]
        kinds = {type(module) for _, module in inside} - self._kinds
        self._kinds |= kinds
        self.modules |= {each.__module__ for kind in kinds for each in kind.__mro__ if each is not object}
        tensors = registered_tensors(model)
        if plainly:
            return Observation(dict(moved), settings, tensors, {})
        self.most_turns = max(self.most_turns, MORE_TURNS * max(log.places.values(), default=0))
        known = None if reads is None else frozenset(reads)
        return Observation(
            dict(moved),
            settings,
            tensors,
            {name: type(module).__name__ for name, module in inside},
            dict(log.met),
            dict(log.asked),
            documents,
            known,
            sources,
            origins_of(model),
            made.turns_of(model),
        )


def lacks_content(error: Exception) -> bool:
    """Whether the class reads a tensor, which has no content on the meta device."""
    return re.search(r"\bmeta\b", str(error), re.IGNORECASE) is not None


@contextlib.contextmanager
def without_initialisation() -> Iterator[None]:
    """Skips the initialisation of tensors, which has no effect on the meta device, so that a build takes a quarter of the time."""
    functions = {name: value for name, value in vars(torch.nn.init).items() if name.endswith("_") and not name.startswith("_")}
    functions[FANS] = getattr(torch.nn.init, FANS)
    try:
        vars(torch.nn.init).update(dict.fromkeys(functions, _untouched) | {FANS: lambda tensor, *_: (1, 1)})
        yield
    finally:
        vars(torch.nn.init).update(functions)


def _untouched(tensor: torch.Tensor, *arguments: object, **named: object) -> torch.Tensor:
    return tensor


def registered_tensors(model: torch.nn.Module) -> tuple[RegisteredTensor, ...]:
    """Every tensor of the model by name; those that share memory with an earlier one are marked."""
    first: dict[int, str] = {}
    found = []
    for name, parameter in model.named_parameters(remove_duplicate=False):
        if torch.nn.parameter.is_lazy(parameter):
            raise CannotBuildError(f"{name} has no shape before the first input, as in torch.nn.LazyLinear; give its layer the sizes")
        owner = first.setdefault(id(parameter), name)
        found.append((name, tuple(map(int, parameter.shape)), None if owner == name else owner))
    return tuple(found)


def same_ranks(one: Observation, other: Observation) -> bool:
    """Whether tensors of the same name have the same number of dimensions in both builds."""
    sides = {name: len(shape) for name, shape, _ in one.tensors}
    return all(sides.get(name, len(shape)) == len(shape) for name, shape, _ in other.tensors)
