"""Tests traced classes against the reference at drawn configs, through the same door as a user's config.json.

A config holds only the changed keys, or everything that the class writes, or what differs from its defaults, or some of all that; its keys
may have the other names that the class takes for them, it may state some defaults, and it may have keys of other classes.
"""

from __future__ import annotations

import copy
import json
import signal
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import Any

import torch
from atlas_bases import Pair
from atlas_draws import Config, drawn, with_foreign

from symparam.errors import SymparamError
from symparam.models.architectures import find_architecture
from symparam.models.resolution import resolve
from symparam.models.traced.config_keys import settings_of
from symparam.models.traced.expressions import CannotEvaluateError
from symparam.models.traced.network import Network, concrete_tensors
from symparam.models.tracing.observation import without_initialisation
from symparam.models.tracing.subjects import ConfigSubject

MOST_TENSORS = 4_000
SECONDS = 8.0  # Seconds of the processor for one config, as random sizes may ask for a million layers.
FORMS = ("moved", "moved", "moved", "whole", "changed", "trimmed", "renamed", "stated", "foreign")

Listing = list[tuple[str, tuple[int, ...]]]
Draw = Callable[[Network, Random], tuple[str, Config]]
"""Draws settings for a network; also the name of the way in which it did."""


@dataclass(frozen=True)
class Trial:
    """A config, given by its changed keys, whether the network lists the tensors of the reference, and whether the family does that has
    the class by hand. ``way`` and ``form`` say how the config was made.
    """

    moved: Config
    document: Config
    way: str
    form: str
    right: bool
    right_by_hand: bool = True


def trials(
    pair: Pair, network: Network, random: Random, configs: int, seconds: float, draw: Draw = drawn, families: bool = True
) -> Iterator[Trial]:
    """Trials with configs that the reference accepts, and the network or, with ``families``, the family that has the class by hand."""
    subject, class_name = pair.subject(), pair.class_name
    by_hand = families and not pair.types and (choice := find_architecture(class_name)) is not None and class_name in choice.family.classes
    end = time.process_time() + seconds
    done = 0
    for _ in range(6 * configs):
        if done == configs or time.process_time() > end:
            return
        (way, moved), form = draw(network, random), random.choice(FORMS)
        if (document := _document(subject, network, moved, form, random)) is None or not pair.is_stated_in(document):
            continue
        found = _listed(network, document)
        family = _of_family({**document, "architectures": [class_name]}) if by_hand else None
        if (found is None and family is None) or (wanted := _tensors(subject, document)) is None:
            continue
        done += 1
        yield Trial(moved, document, way, form, found in (None, wanted), family in (None, wanted))


def is_wrong(subject: ConfigSubject, network: Network, document: Config) -> bool:
    """Whether the network and the reference both take the config, and list different tensors."""
    found = _listed(network, document)
    return found is not None and (wanted := _tensors(subject, document)) is not None and found != wanted


def _listed(network: Network, document: Config) -> Listing | None:
    """The tensors by the network; None if it refuses the config."""
    try:
        settings = settings_of(network, document, "the config")
        found = [(each.name, each.shape) for each in concrete_tensors(network.root, settings) if each.tied_to is None]
    except (SymparamError, CannotEvaluateError):
        return None
    return found if len(found) <= MOST_TENSORS else None


def _of_family(document: Config) -> Listing | None:
    """The tensors by the hand-written family; None if it refuses the config."""
    try:
        model = resolve(document).model
        found = [(name, shape) for name, shape, _ in model.architecture.named_parameters(model.values)]
    except SymparamError:
        return None
    return found if len(found) <= MOST_TENSORS else None


def _document(subject: ConfigSubject, network: Network, moved: Config, form: str, random: Random) -> Config | None:
    """The config.json of this form; None if the class refuses it."""
    document = subject.document(moved)
    try:
        with limited():
            config = subject.config(copy.deepcopy(document))
            written = config.to_diff_dict() if form == "changed" else config.to_dict()
            whole = dict(json.loads(json.dumps(written, default=str)))
    except Exception:  # A class may raise anything to refuse a config.
        return None
    if form == "trimmed":
        return _trimmed(whole, random) | {"model_type": whole.get("model_type")}
    if form == "renamed":
        return _renamed(document, network)
    if form == "foreign":
        return with_foreign(document, network, random)
    if form == "stated":
        return {name: value for name, value in whole.items() if random.random() < 0.2} | document
    return whole if form in ("whole", "changed") else document


def _trimmed(values: Config, random: Random) -> Config:
    """The config without some of its keys, in nested ones too."""
    kept = {name: value for name, value in values.items() if random.random() < 0.85 or name == "model_type"}
    nested = {name: _trimmed(value, random) for name, value in kept.items() if isinstance(value, dict) and "model_type" in value}
    return {**kept, **nested}


def _renamed(document: Config, network: Network) -> Config:
    """The config with other names for the keys that have some."""
    others = {key: name for name, key in network.aliases.items() if "." not in key}
    return {others.get(name, name): value for name, value in document.items()}


def _tensors(subject: ConfigSubject, document: Config) -> Listing | None:
    try:
        with limited(), torch.device("meta"), torch.no_grad(), without_initialisation():
            model: Any = subject.kind(subject.config(copy.deepcopy(document)))
    except Exception:
        return None
    return [(name, tuple(tensor.shape)) for name, tensor in model.named_parameters()]


@contextmanager
def limited() -> Iterator[None]:
    """A context without warnings that raises `TimeoutError` after some seconds of the processor, however busy it is otherwise."""

    def late(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
