"""The rules of a traced network for all settings, as lines: its lists, its parts that may be missing, and the shapes of its tensors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symparam.core.frozen import frozen
from symparam.models.traced.expressions import Expression, keys_of, parts, render
from symparam.models.traced.forward_pass import PRODUCTS
from symparam.models.traced.network import LAYERS, NUMBER, ModuleRule, TensorRule, joined
from symparam.models.traced.simplification import simplified

LONGEST = 100
"""The most characters of a rule that is shown; of a longer one, the settings in it are."""


@frozen
class OpenVariant:
    """The network behind a formula with letters, and the conditions under which the formula holds."""

    root: ModuleRule
    conditions: tuple[Expression, ...]


@frozen
class GeneralRule:
    """What is at a place: a tensor with the sides of its ``shape``, or a list or part of the network, which has none.

    The name has ``{i}`` and ``{j}`` for the numbers within lists; ``many`` is the number of members of a list, and ``where`` are the
    conditions under which it is there, those on the whole network and on the numbers of lists.
    """

    name: str
    shape: tuple[Expression, ...] | None = None
    many: Expression = None
    where: tuple[Expression, ...] = ()


def general_rules(root: ModuleRule) -> Iterator[GeneralRule]:
    """The rules in the order of the network, each list and conditional part before what is in it."""
    yield from _rules("", root, (), 0)


def _rules(path: str, rule: ModuleRule, where: tuple[Expression, ...], depth: int) -> Iterator[GeneralRule]:
    for entry in rule.entries:
        if entry.name == PRODUCTS:
            continue
        own = tuple(each for each in (entry.condition, entry.each) if each is not True)
        within = depth + (entry.count is not None)
        number = "{" + "ijklmn"[(within - 1) % 6] + "}"  # Of the list, or of the list of recurrent layers that the tensor belongs to.
        name = path if entry.name == LAYERS else joined(path, entry.name.replace(NUMBER, number))
        if isinstance(entry.content, TensorRule):
            yield GeneralRule(name, entry.content.shape, entry.count, (*where, *own))
            continue
        if entry.count is not None or own:
            yield GeneralRule(name, None, entry.count, own)
        yield from _rules(name, entry.content, (*where, *own), within)


@frozen
class Decision:
    """What a condition decides: which lists have how many members, which parts are there, and which tensors have which shapes."""

    lengths: tuple[str, ...]
    parts: tuple[str, ...]
    shapes: tuple[str, ...]


def decided_by(condition: Expression, rules: Sequence[GeneralRule]) -> Decision:
    """What depends on the settings in a condition. One on the length of a list decides what depends on that length alone."""
    sides = condition[1:] if isinstance(condition, tuple) else ()
    lengths = {each for each in sides if isinstance(each, tuple) and each[0] == "len"}
    keys = keys_of(condition)

    def depends(expression: Expression) -> bool:
        return any(each in lengths for each in parts(expression)) if lengths else bool(keys & keys_of(expression))

    return Decision(
        tuple(dict.fromkeys(each.name for each in rules if each.many is not None and depends(each.many))),
        tuple(dict.fromkeys(each.name for each in rules if each.shape is None and any(map(depends, each.where)))),
        tuple(dict.fromkeys(each.name for each in rules if any(map(depends, each.shape or ())))),
    )


def line_of(expression: Expression) -> str | None:
    """The expression as a line; None if it is too long to be read."""
    line = render(simplified(expression))
    return line if len(line) <= LONGEST else None
