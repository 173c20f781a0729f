"""A forward pass through a user's own blocks, from input to output, which finds out which block is the first to save each storage."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import sympy

from symparam.analysis.measures.autograd.effects import Effect, Settings, Value, effect, usual_order
from symparam.analysis.measures.autograd.forward_pass import Saved
from symparam.core.frozen import frozen
from symparam.errors import ArchitectureError
from symparam.models.blocks import Architecture, Block, Layers, Module, Parameter, Repeat
from symparam.models.blocks.architecture import Place
from symparam.models.blocks.containers import OpaqueLayers
from symparam.models.blocks.module import INPUT, OUTSIDE, OpaqueBlock

FIRST, OTHERS = "=0", ">0"


@frozen
class Seen:
    """The inputs of a block, and for each storage that it saves whether it is the first to do so."""

    values: tuple[Value, ...]
    first: tuple[bool, ...]


@dataclass
class Pass:
    """A pass through a model: the storages saved so far, and what each block has seen, by its path.

    A list of layers is passed several times, since the first layer's input may be saved elsewhere while the others' is not, or conversely.
    ``unlike`` holds the paths of lists where the first layer differs.
    """

    settings: Settings
    storages: set[object] = field(default_factory=set)
    seen: dict[str, Seen] = field(default_factory=dict)
    unlike: set[str] = field(default_factory=set)

    def through(self, place: Place, values: tuple[Value, ...]) -> Value:
        """The output of a block, and of the blocks inside it, for these inputs."""
        module = place.module
        if isinstance(module, (OpaqueBlock, OpaqueLayers)) or module.rows is not None:
            raise ArchitectureError(
                f"what autograd saves follows from what each block takes, which {place.path or module.kind} does not say; "
                "build it from blocks with takes, or leave out --convention autograd"
            )
        if isinstance(module, Repeat):
            return self._repeated(place, module, values)
        if isinstance(module, Layers):
            for group in place.inside:
                values = (self.through(group, values),)
            return values[0]
        if isinstance(module, Block):
            return self._block(place, module, values)
        found = effect(self.settings, place, values)
        self.seen[place.path] = Seen(values, tuple(self._is_first(storage.of) for storage in found.saved))
        return found.made

    def _is_first(self, value: Value | None) -> bool:
        if value is None:
            return True
        known = value.storage in self.storages
        self.storages.add(value.storage)
        return not known

    def _block(self, place: Place, module: Block, values: tuple[Value, ...]) -> Value:
        places = dict(zip((name for name, _ in module.parts), place.inside, strict=True))
        stated, made, line = dict(module.takes), {INPUT: values}, values
        taken = {source for sources in stated.values() for source in sources}
        for name in module.execution_order:
            if OUTSIDE in stated.get(name, ()):
                raise ArchitectureError(f"{places[name].path} takes what is outside of the model; what autograd saves for it is not known")
            if isinstance(places[name].module, Parameter) and name not in taken:
                raise ArchitectureError(
                    f"{places[name].path} is a tensor that no block takes, so what is computed with it is not known; "
                    f'name it in takes, as in takes={{"scaled": ("{name}", ...)}} with scaled=Multiply()'
                )
            entering = tuple(each for source in stated[name] for each in made[source]) if name in stated else line
            made[name] = (self.through(places[name], entering),)
            line = line if isinstance(places[name].module, Parameter) else made[name]
        return line[0]

    def _repeated(self, place: Place, module: Repeat, values: tuple[Value, ...]) -> Value:
        (body,) = place.inside
        rounds = []
        count = self.settings.known(module.count)
        for _ in range(3 if count is None else min(count, 3)):
            values = (self.through(body, values),)
            rounds.append({path: seen.first for path, seen in self.seen.items() if _is_in(path, body.path)})
        if len(rounds) == 3 and rounds[1] != rounds[2]:
            raise ArchitectureError(f"what autograd saves for {place.path} changes from layer to layer; write out the first of them")
        if len(rounds) > 1 and rounds[0] != rounds[1]:
            if module.label:
                raise ArchitectureError(f"what autograd saves for {place.path} is different in its first layer; write out that layer")
            self.unlike.add(place.path)
        return values[0]


def _is_in(path: str, around: str) -> bool:
    return path == around or path.startswith(f"{around}.")


def passed(architecture: Architecture, settings: Settings) -> Pass:
    """The pass through an architecture. Raises `ArchitectureError` where it does not say what a block takes."""
    found = Pass(settings)
    found.through(architecture.place, (Value(trained=False, order=usual_order(architecture.place.inputs[0])),))
    return found


def newly_saved(found: Pass, place: Place) -> Iterator[Saved]:
    """The storages that a block is the first to save."""
    seen = found.seen.get(place.path)
    if seen is None or place.module.children:
        return
    again: Effect = effect(found.settings, place, seen.values)
    yield from (storage.saved for storage, first in zip(again.saved, seen.first, strict=True) if first)


def apart(architecture: Architecture, unlike: set[str]) -> Architecture:
    """The architecture with the first layer of each of these lists separated from the others, since it saves something else."""
    return replace(architecture, root=_apart(architecture.place, unlike))


def _apart(place: Place, unlike: set[str]) -> Module:
    module = place.module
    inside = [_apart(each, unlike) for each in place.inside]
    if isinstance(module, Block):
        return module.with_parts(dict(zip((name for name, _ in module.parts), inside, strict=True)))
    if isinstance(module, Layers):
        return Layers(*(each for each in inside if isinstance(each, Repeat)), role=module.role)
    if not isinstance(module, Repeat):
        return module
    again = replace(module, body=inside[0])
    if place.path not in unlike or module.label:
        return again
    first, others = replace(again, count=sympy.S.One, label=FIRST), replace(again, count=again.count - 1, label=OTHERS)
    return Layers(first, others, role=module.role)
