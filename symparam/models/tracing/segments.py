"""Lists made of several stages in sequence: where each stage ends, in terms of the numbers of modules in the stages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from symparam.models.traced.expressions import Expression
from symparam.models.tracing.branches import Branch, in_order, merged
from symparam.models.tracing.candidates import Instance

MOST_STAGES = 24
FEWEST_BUILDS = 6
FEWEST_LENGTHS = 3
"""The fewest different lengths that a stage must have been seen with."""

Labelled = Callable[[Expression], object]


def ends_of_stages(
    instances: Sequence[Instance],
    members: Sequence[Mapping[int, Any]],
    label_of: Labelled,
    length: Callable[[tuple[Instance, ...], tuple[int, ...]], Expression],
) -> list[Expression]:
    """The numbers at which stages end, the last of which is the length of the list; none if it has no stages.

    A stage is a run of modules whose sizes the class computed in the same way, ``length`` finds the rule for how many they are.
    """
    found = [[dict(_tensors(each[number], "", label_of)) for number in sorted(each)] for each in members]
    common = set.intersection(*(set(each) for row in found for each in row)) if any(found) else set()
    paths = sorted(common)
    known: dict[object, int] = {}
    labels = [[str(known.setdefault(tuple(each[path] for path in paths), len(known))) for each in row] for row in found]
    runs = [[(label, len([*same])) for label, same in groupby(row)] for row in labels]
    orders = [tuple(label for label, _ in run) for run in runs]
    names = merged(orders)
    if not 1 < len(names) <= MOST_STAGES or len(instances) < FEWEST_BUILDS or not in_order(orders, names):
        return []
    rows = [tuple(next((many for label, many in run if label == name), 0) for run in runs) for name in names]
    if any(len(set(order)) < len(order) for order in orders) or max(len(set(row)) for row in rows) < FEWEST_LENGTHS:
        return []
    ends: list[Expression] = []
    for row in rows:
        count = length(tuple(instances), row)
        ends.append(_sum(ends[-1], count) if ends else count)
    return ends


def first_of_a_stage(at: Expression, ends: Sequence[Expression]) -> Expression:
    """That a module is the first of one of the stages that end there."""
    return ("or", ("==", at, 0), *(("==", at, each) for each in ends[:-1]))


def _sum(one: Expression, other: Expression) -> Expression:
    return one + other if isinstance(one, int) and isinstance(other, int) else ("+", one, other)


def _tensors(content: Any, path: str, label_of: Labelled) -> Iterator[tuple[str, object]]:
    """How the class computed the sizes of each tensor inside."""
    if isinstance(content, Branch):
        for name, each in content.children.items():
            yield from _tensors(each, f"{path}.{name}", label_of)
    else:
        yield path, (len(content[0]), *map(label_of, content[2]))
