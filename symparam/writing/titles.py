"""Titles of measures and of the steps of a derivation."""

from __future__ import annotations

from symparam.analysis.derivation import Measure, Step
from symparam.writing.phrases import Phrases


def of_measure(measure: Measure, words: Phrases) -> str:
    """The title of a measure: ``floating-point operations (FLOPs) of a training step, with full recomputation, for each token``."""
    behind = [words.sentences[detail] for detail in measure.details if detail in words.sentences]
    if measure.format:
        behind.insert(0, words.say("in-format", format=measure.format))
    return "".join((words.sentences[f"measure-{measure.name}"], *behind))


def title(step: Step, words: Phrases) -> str:
    """The name of a step."""
    return of_block(step.role, step.kind, step.path, words)


def of_block(role: str | None, kind: str, path: str, words: Phrases) -> str:
    """The title of the role of a block, or the name that its author gave it; a mere index follows the name of the class."""
    if role is not None and role in words.titles:
        return words.titles[role].replace("{norm}", kind)
    name = path.rpartition(".")[2]
    if name.isdecimal():
        return f"{kind} ({name})"
    return kind if not name or name.startswith("{") else name.replace("_", " ")
