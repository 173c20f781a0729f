"""Builds the figures of explanations: the architecture as nested boxes, and the shares of its modules as bars."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from symparam.analysis.counting import Count, ModuleCount, unwrapped
from symparam.analysis.derivation import Derivation, Step
from symparam.analysis.roles import own_group
from symparam.core.formula import Number, number, write
from symparam.writing.amounts import percent
from symparam.writing.document import Bar, Box, Code, Diagram, Heading, Line, Node, Paragraph, Shape, Shares
from symparam.writing.phrases import Phrases
from symparam.writing.titles import of_measure, title

LONGEST_FORMULA = 48  # Characters of a formula; longer ones are sums that the inner boxes show part by part.
MOST_BARS = 24  # Bars of a chart; a longer chart cannot be taken in at a glance.


def diagram(derivation: Derivation, words: Phrases) -> Iterator[Node]:
    """The counted modules with the shapes of their tensors, from top to bottom in execution order."""
    root = derivation.root
    whole = root.repeats is not None or not root.steps
    boxes = (_box(root, "other", words),) if whole else _boxes(root.steps, "other", words)
    yield Heading(2, words.sentences["architecture"])
    yield Paragraph((words.sentences["diagram-explained" if derivation.measure.name == "parameters" else "diagram-of-counted-explained"],))
    yield Diagram(words.say("diagram", class_name=derivation.architecture.class_name), boxes)


def shares(count: Count, words: Phrases) -> Shares:
    """The numbers of the modules that are not the whole as bars, down to the deepest level with few enough bars to take in."""
    rows = list(count.parts)
    levels = sorted({row.depth for row in rows})
    deepest = max((level for level in levels if sum(row.depth <= level for row in rows) <= MOST_BARS), default=0)
    measure = of_measure(count.derivation.measure, words)
    return Shares(words.say("shares-of", measure=measure), tuple(_bars(rows, deepest, count.total, words)))


def _boxes(steps: tuple[Step, ...], outer: str, words: Phrases) -> tuple[Box, ...]:
    return tuple(_box(step, outer, words) for step in sorted(steps, key=lambda step: step.position))


def _box(step: Step, outer: str, words: Phrases) -> Box:
    """The box of a module. Modules that only wrap another one are left out, and so is the single layer that a list of layers repeats."""
    shown = unwrapped(step)
    group = _group(shown, outer)
    content = _content(shown)
    inside = content.steps if content is shown or content.repeats is None else (content,)
    return Box(
        title=title(shown, words),
        place=_place(content),
        group=group,
        tensors=tuple((Code(tensor.name.rpartition(".")[2]), Shape(tensor.shape)) for tensor in content.tensors),
        formula=content.formula if len(write(content.formula)) <= LONGEST_FORMULA else None,
        repeats=shown.repeats if shown.repeats != Number(1) else None,
        inside=_boxes(inside, group, words),
        note=_note(content, words),
    )


def _place(step: Step) -> Code | None:
    return Code(step.path) if step.path else None


def _note(step: Step, words: Phrases) -> Line:
    """The note that says whose values its tensors share."""
    tied = dict.fromkeys(tensor.tied_to for tensor in step.tensors if tensor.tied_to)
    return tuple(
        piece
        for index, name in enumerate(tied)
        for piece in (*(words.sentences["comma"],) * bool(index), *words.line("shares", target=Code(name)))
    )


def _content(shown: Step) -> Step:
    """The module, or, for a repetition, the repeated module; the frame around it states the number of copies."""
    return shown if shown.repeats is None else unwrapped(shown.steps[0])


def _group(shown: Step, outer: str) -> str:
    for step in (_content(shown), shown):
        if group := own_group(step.role or "", step.kind):
            return group
    return outer


def groups(rows: Iterable[ModuleCount]) -> Iterator[str]:
    """The group of each module, inherited from the enclosing module unless it has its own."""
    around: list[str] = []  # The groups of the enclosing modules, outermost first.
    for row in rows:
        del around[row.depth :]
        around.append(_group(row.step, around[-1] if around else "other"))
        yield around[-1]


def _bars(rows: list[ModuleCount], deepest: int, whole: int | Fraction, words: Phrases) -> Iterator[Bar]:
    for row, group in zip(rows, groups(rows), strict=True):
        if row.depth <= deepest:
            yield Bar(title(row.step, words), row.depth, group, number(row.total), row.share, percent(row.total, whole), _place(row.step))
