"""What a traced network has at other settings than those for which a formula holds, as a part of its explanation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from symparam.models.configs.values import Model
from symparam.models.traced.expressions import Expression, keys_of
from symparam.models.traced.general_rules import Decision, GeneralRule, decided_by, general_rules, line_of
from symparam.writing.document import Code, Heading, Inline, Line, Node, Paragraph, Table
from symparam.writing.phrases import Phrases

MOST_NAMED = 4
MOST_DECIDED = 12
"""The most shapes that are named as what a condition decides; one on a width would name nearly all."""
MOST_RULES = 150


def other_settings(model: Model, words: Phrases) -> Iterator[Node]:
    """What each condition decides, and the rules for all settings; nothing if the formula holds at all of them."""
    if model.variant is None:
        return
    rules = [*general_rules(model.variant.root)]
    yield Heading(2, words.sentences["other-settings"])
    decided = [
        ((Code(line),), _decided(decided_by(condition, rules), words))
        for line, condition in zip(model.conditions, model.variant.conditions, strict=True)
    ]
    if any(what for _, what in decided):
        yield Paragraph((words.sentences["conditions-decide"],))
        yield Table((words.sentences["condition"], words.sentences["decides"]), tuple(row for row in decided if row[1]))
    if len(rules) <= MOST_RULES:
        yield Paragraph((words.sentences["rules-for-all"],))
        modules = [((Code(each.name),), _many(each, words), _where(each.where, words)) for each in rules if each.shape is None]
        if modules:
            yield Table(tuple(words.sentences[key] for key in ("module", "how-many", "where-it-is")), tuple(modules))
        tensors = [((Code(each.name),), _sides(each, words), _where(each.where, words)) for each in rules if each.shape is not None]
        yield Table(tuple(words.sentences[key] for key in ("tensor", "shape", "where-it-is")), tuple(tensors), folded=True)


def _decided(decision: Decision, words: Phrases) -> Line:
    found: list[Line] = []
    for key, key_of_many, names in (
        ("decides-lengths", "decides-lengths-of-many", decision.lengths),
        ("decides-parts", "decides-parts-of-many", decision.parts),
        ("decides-shapes", "decides-shapes-of-many", decision.shapes),
    ):
        if len(names) > MOST_DECIDED:
            found.append(words.line(key_of_many, count=str(len(names))))
        elif names:
            found.append(words.line(key, names=_named(names, words)))
    return _separated(found, words.sentences["semicolon"])


def _named(names: Sequence[str], words: Phrases) -> Line:
    named = [(Code(name),) for name in names[:MOST_NAMED]]
    left = len(names) - MOST_NAMED
    more = words.line("and-others", count=str(left)) if left > 0 else ()
    return (*_separated(named, words.sentences["comma"]), *more)


def _many(rule: GeneralRule, words: Phrases) -> Line:
    return () if rule.many is None else _of(rule.many, words)


def _sides(rule: GeneralRule, words: Phrases) -> Line:
    return _separated([_of(each, words) for each in rule.shape or ()], " × ")


def _where(conditions: Iterable[Expression], words: Phrases) -> Line:
    return _separated([_of(each, words) for each in dict.fromkeys(conditions)], words.sentences["semicolon"])


def _of(expression: Expression, words: Phrases) -> Line:
    """The expression, or the settings in it if it is too long."""
    line = line_of(expression)
    if line is not None:
        return (Code(line),)
    return words.line("depends-on", names=_named(sorted(keys_of(expression)), words))


def _separated(lines: Sequence[Line], between: str) -> Line:
    pieces: list[Inline] = []
    for at, line in enumerate(lines):
        pieces += [*((between,) * bool(at)), *line]
    return tuple(pieces)
