"""Titles of measures and of the steps of a derivation."""

from __future__ import annotations

from symparam.analysis.derivation import Measure, Step
from symparam.models.blocks import Repeat
from symparam.writing.phrases import Phrases

_LISTS = ("Repeat", "Layers")


def of_measure(measure: Measure, words: Phrases) -> str:
    """The title of a measure: ``floating-point operations (FLOPs) of a training step, with full recomputation, for each token``."""
    behind = [words.sentences[detail] for detail in measure.details if detail in words.sentences]
    if measure.format:
        behind.insert(0, words.say("in-format", format=measure.format))
    return "".join((words.sentences[f"measure-{measure.name}"], *behind))


def title(step: Step, words: Phrases) -> str:
    """The name of a step: that of its role, or the name that the outermost module has which holds nothing else."""
    named = step.outer if step.outer and step.role not in words.titles else step.place
    module = named.module
    if isinstance(module, Repeat) and module.label and step.role not in words.titles:
        return _numbered(module.body.kind, f"{named.path}.", _numbers(module.label))
    return of_block(step.role, module.kind, named.path, words)


def _numbers(label: str) -> str:
    """Which of the layers of a list a group has: ``0``, ``i ≥ 1``."""
    if label.startswith("="):
        return label[1:].replace(",", ", ")
    return f"i {label.replace('>=', '≥ ').replace('<', '< ')}"


def _numbered(kind: str, path: str, numbers: str) -> str:
    """The name of some of the modules of a list, ``path`` that of one of them: ``Block (0)``. A list within a list, such as a stage, has no
    class that its author named, so that it is ``stages.0``.
    """
    outer = path.rpartition(".")[0].rpartition(".")[2]
    return f"{outer}.{numbers}" if kind in _LISTS and outer and not outer.startswith("{") else f"{kind} ({numbers})"


def of_block(role: str | None, kind: str, path: str, words: Phrases) -> str:
    """The title of the role of a block, or the name that its author gave it; a mere index follows the name of the class."""
    if role is not None and role in words.titles:
        return words.titles[role].replace("{norm}", kind)
    name = path.rpartition(".")[2]
    number = name.strip("{}").rpartition("=")[2]
    if number.isdecimal() and (name == number or kind in _LISTS):
        return _numbered(kind, path, number)
    return kind if not name or name.startswith("{") else name.replace("_", " ")
