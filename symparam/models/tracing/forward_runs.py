"""Models that are run as well as built: a subject with the sizes of its input among its settings, and an observer that runs it."""

from __future__ import annotations

import contextlib
import inspect
import io
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import torch

from symparam.core.json_types import JsonObject
from symparam.errors import described, shorten
from symparam.models.traced.expressions import Settings
from symparam.models.traced.forward_pass import INPUTS
from symparam.models.tracing.model_inputs import ModelInputs, candidate_inputs
from symparam.models.tracing.observation import Observation, Observer, RegisteredTensor, lacks_content, without_initialisation
from symparam.models.tracing.origins import BuildDevice, Content
from symparam.models.tracing.product_recorder import ProductRecorder
from symparam.models.tracing.subjects import CannotBuildError, Subject


class RunSubject:
    """A subject with the sizes of its input among its settings."""

    def __init__(self, subject: Any, inputs: ModelInputs) -> None:
        self.subject, self.inputs = subject, inputs
        self.kind, self.name = subject.kind, subject.name
        self.config_class = getattr(subject, "config_class", None)

    @property
    def hints(self) -> Mapping[str, Sequence[object]]:
        found: Mapping[str, Sequence[object]] = self.subject.hints
        return found

    @property
    def modules(self) -> frozenset[str]:
        found: frozenset[str] = self.subject.modules
        return found

    @property
    def aliases(self) -> Mapping[str, str]:
        found: Mapping[str, str] = self.subject.aliases
        return found

    @property
    def inner(self) -> Mapping[str, Mapping[str, object]]:
        found: Mapping[str, Mapping[str, object]] = self.subject.inner
        return found

    @property
    def sources(self) -> frozenset[str] | None:
        found: frozenset[str] | None = self.subject.sources
        return found

    @property
    def instead_of_null(self) -> Mapping[str, object]:
        found: Mapping[str, object] = self.subject.instead_of_null
        return found

    def take_lists(self, has_no_effect: Callable[[Mapping[str, object]], bool]) -> None:
        """The subject has taken them before."""

    def take_tuples(self) -> bool:
        """The subject has taken them before."""
        return False

    def reading(self, prepared: Any) -> contextlib.AbstractContextManager[set[str] | None]:
        """A context that gives the paths of the settings that are read in it, if that is known."""
        found: contextlib.AbstractContextManager[set[str] | None] = self.subject.reading(prepared[0])
        return found

    def _sizes(self, moved: Settings) -> dict[str, int]:
        return {name: moved.get(name, size) for name, size in self.inputs.sizes.items()}

    def prepare(self, moved: Mapping[str, object]) -> tuple[object, dict[str, int]]:
        return self.subject.prepare({path: value for path, value in moved.items() if path not in INPUTS}), self._sizes(moved)

    def settings(self, prepared: Any) -> dict[str, object]:
        return {**self.subject.settings(prepared[0]), **prepared[1]}

    def documents(self, prepared: Any, moved: Mapping[str, object], all_of_them: bool) -> list[dict[str, object]]:
        own = {path: value for path, value in moved.items() if path not in INPUTS}
        return [{**each, **prepared[1]} for each in self.subject.documents(prepared[0], own, all_of_them)]

    def remember(self, prepared: Any) -> None:
        self.subject.remember(prepared[0])

    def build(self, prepared: Any) -> Any:
        return self.subject.build(prepared[0])


class RunObserver(Observer):
    """Builds a subject, and runs it once."""

    def __init__(self, subject: RunSubject) -> None:
        super().__init__(subject)
        self.runs = subject

    def observe(self, moved: Mapping[str, object], plainly: bool = False, documented: bool = False) -> Observation:
        """The observation of the build, with the products of a run as further sizes. Raises `CannotBuildError`."""
        found = super().observe(moved, plainly, documented)
        try:
            recorder, reads = self._recorded(moved, found)
        except (MemoryError, KeyboardInterrupt):
            raise
        except BaseException as error:  # A model may raise anything.
            raise CannotBuildError(described(error)) from None
        products = recorder.products
        tensors = in_tree_order((*found.tensors, *(each for each, _ in products)))
        origins = {**found.origins, **{name: sides for (name, _, _), sides in products}}
        known = None if reads is None else frozenset(reads) | INPUTS.keys()
        return replace(found, tensors=tensors, origins=origins, met={**found.met, **recorder.met}, reads=known)

    def _recorded(self, moved: Mapping[str, object], found: Observation) -> tuple[ProductRecorder, set[str] | None]:
        settings = found.settings
        recorder = ProductRecorder(settings["@B"], self.runs.inputs.extents(settings), found.origins)
        with silenced(), BuildDevice(self.content), torch.no_grad(), without_initialisation():
            prepared = self.runs.prepare(moved)
            _eager(prepared[0])
            with self.runs.reading(prepared) as reads:  # A run reads settings too, after the build.
                model = self.runs.build(prepared).eval().to("meta")
                fed = self.runs.inputs.tensors(model, settings)
                with recorder.within(model):
                    model(**fed)
        return recorder, reads


def in_tree_order(shown: Iterable[RegisteredTensor]) -> tuple[RegisteredTensor, ...]:
    """The sizes with those of each module together."""
    tree: JsonObject = {}
    for each in shown:
        inner = tree
        *outer, last = each[0].split(".")
        for part in outer:
            inner = inner.setdefault(part, {})
        inner[last] = each
    return tuple(_leaves(tree))


def _leaves(tree: Settings) -> Iterator[RegisteredTensor]:
    for each in tree.values():
        yield from _leaves(each) if isinstance(each, dict) else (each,)


@contextlib.contextmanager
def silenced() -> Iterator[None]:
    """Without the warnings and the output of the code that runs."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        warnings.simplefilter("ignore")
        yield


def _eager(prepared: object) -> None:
    """Have a class of transformers compute attention and experts by matrix products that can be seen."""
    if hasattr(prepared, "_attn_implementation"):
        prepared._attn_implementation = "eager"
    if hasattr(prepared, "_experts_implementation"):
        prepared._experts_implementation = "batched_mm"


def _built(subject: Subject) -> tuple[Any, Any]:
    """The module at its default settings, with what it was made from."""
    for content in Content:
        with silenced(), BuildDevice(content), torch.no_grad(), without_initialisation():
            prepared = subject.prepare({})
            try:
                return prepared, subject.build(prepared)
            except Exception as error:
                if content == Content.ALL or not lacks_content(error):
                    raise
    raise AssertionError("one of them has returned or raised")


def run_subject(subject: Subject) -> RunSubject:
    """The subject with an input that it accepts. Raises `CannotBuildError` if none is found."""
    prepared, model = _built(subject)
    settings = subject.settings(prepared)
    if type(model).forward is torch.nn.Module.forward:
        raise CannotBuildError("it has no forward method")
    causes: list[str] = []
    for inputs in candidate_inputs(model, settings):
        found = RunSubject(subject, inputs)
        try:
            RunObserver(found).observe({}, plainly=True)
        except CannotBuildError as error:
            causes.append(str(error))
        else:
            return found
    takes = ", ".join(inspect.signature(model.forward).parameters)
    tried = f"; the likeliest fails: {shorten(causes[0], 100)}" if causes else ""
    raise CannotBuildError(f"no input is known that its forward method takes ({takes}){tried}")
