"""Writes an analysis of a measure, its parts and how it changes, as a document and as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from symparam.analysis.analyzing import LIMITS, TOLERANCES, Analysis, RuleError, Sensitivity
from symparam.core.formula import Formula, Number, Symbol, number
from symparam.core.json_types import JsonObject
from symparam.core.notation import UNICODE
from symparam.writing.amounts import percent
from symparam.writing.document import Chain, Document, Heading, Line, Node, Paragraph, Table
from symparam.writing.footnotes import Footnotes
from symparam.writing.json import pasted, rational
from symparam.writing.phrases import Phrases, phrases
from symparam.writing.relations import relation_lines
from symparam.writing.titles import of_measure


def analysis(found: Analysis, values: Mapping[str, int], name: str, language: str = "en") -> Document:
    """The leading term, the parts, the changes and the rules of thumb, each with numbers if there are values."""
    words = phrases(language)
    derivation = found.derivation
    nodes: list[Node] = [
        Heading(1, words.say("analyze", name=name, measure=of_measure(derivation.measure, words))),
        Chain((derivation.closed_form(),)),
        *relation_lines(derivation, words),
    ]
    if found.total is not None and derivation.letters:
        letters = sorted(derivation.letters)
        stated: Line = tuple(piece for letter in letters for piece in (", ", Symbol(letter), " = ", number(values[letter])))
        nodes.append(Paragraph((*stated[1:],)))
    nodes += [*_leading(found, words), *_parts(found, words), *(_changes(found, values, words) if found.changes else ())]
    for rule in found.rules:
        nodes += _rule(rule, words)
    return Document(tuple(nodes), language, derivation.alphabet)


def _leading(found: Analysis, words: Phrases) -> list[Node]:
    nodes: list[Node] = [Heading(2, words.sentences["analyze-leading"])]
    nodes.append(Paragraph(words.line("analyze-leading-term", leading=found.leading)))
    if found.rest != Number(0):
        nodes += [Paragraph((words.sentences["analyze-rest"],)), Chain((found.rest,))]
    if found.total is not None and found.leading_value is not None:
        share = percent(found.leading_value, found.total)
        numbers = {"value": number(found.leading_value), "total": number(found.total)}
        nodes.append(Paragraph(words.line("analyze-leading-value", share=share, **numbers)))
    return nodes


def _parts(found: Analysis, words: Phrases) -> list[Node]:
    letters = [letter for letter in LIMITS if letter in found.derivation.letters]
    symbol = UNICODE.using(found.derivation.alphabet).symbol
    in_numbers = found.total is not None
    header = (
        words.sentences["analyze-part"],
        words.sentences["formula"],
        *((words.sentences["value"], words.sentences["share"]) if in_numbers else ()),
        *(words.say("analyze-limit", letter=symbol(letter)) for letter in letters),
    )
    rows: list[tuple[Line, ...]] = []
    footnotes = Footnotes()
    for part in found.parts:
        numbers: tuple[Line, ...] = ()
        if part.value is not None and found.total:
            numbers = ((number(part.value),), (percent(part.value, found.total),))
        limits = [footnotes.cell(part.limits[letter]) for letter in letters]
        rows.append(((words.sentences[f"group-{part.group}"],), footnotes.cell(part.formula), *numbers, *limits))
    return [
        Heading(2, words.sentences["analyze-parts"]),
        *([Paragraph((words.sentences["analyze-parts-explained"],))] if letters else []),
        Table(header, tuple(rows), frozenset((2, 3) if in_numbers else ())),
        *footnotes.nodes,
    ]


def _changes(found: Analysis, values: Mapping[str, int], words: Phrases) -> list[Node]:
    in_numbers = found.total is not None
    header = (
        words.sentences["letter"],
        words.sentences["analyze-derivative"],
        words.sentences["analyze-direction"],
        *((words.sentences["value"], words.sentences["analyze-slope"], words.sentences["analyze-elasticity"]) if in_numbers else ()),
    )
    footnotes = Footnotes()
    rows = tuple(_change(each, values, words, footnotes) for each in found.changes)
    return [
        Heading(2, words.sentences["analyze-changes"]),
        *([Paragraph((words.sentences["analyze-changes-explained"],))] if in_numbers else []),
        Table(header, rows, frozenset((3, 4, 5) if in_numbers else ())),
        *footnotes.nodes,
    ]


def _change(each: Sensitivity, values: Mapping[str, int], words: Phrases, footnotes: Footnotes) -> tuple[Line, ...]:
    direction = words.sentences[{1: "analyze-grows", -1: "analyze-falls", 0: "analyze-either"}[each.direction]]
    row: tuple[Line, ...] = ((Symbol(each.letter),), footnotes.cell(each.derivative), (direction,))
    if each.slope is None or each.elasticity is None:
        return row
    return (*row, (number(values[each.letter]),), (number(each.slope),), (_signed(each.elasticity),))


def _signed(share: Fraction) -> str:
    return ("−" if share < 0 else "") + percent(abs(share), 100)


def _rule(found: RuleError, words: Phrases) -> list[Node]:
    key = {1: "analyze-short", -1: "analyze-long", 0: "analyze-off"}[found.sign]
    nodes: list[Node] = [
        Heading(2, words.say("analyze-rule", rule=found.rule.name)),
        Chain((found.formula,)),
        Paragraph((words.sentences[key],)),
        Chain((_positive(found),)),
    ]
    if found.bound is not None:
        rounded = words.line("analyze-bound-rounded", size=Symbol(found.rule.size), step=number(found.rule.step))
        nodes += [Paragraph(rounded if found.rule.size else (words.sentences["analyze-bound"],)), Chain((found.bound,))]
    if found.sizes:
        header = (
            words.sentences["analyze-model"],
            words.sentences["analyze-error"],
            *(words.say("analyze-width", percent=f"{each * 100} %") for each in TOLERANCES),
        )
        rows = tuple(((name,), (_error(error),), *((_width(width, words),) for width in widths)) for name, error, widths in found.sizes)
        widths = "analyze-widths-rounded" if found.rule.size else "analyze-widths"
        nodes += [Table(header, rows, frozenset((1, 2, 3))), Paragraph((words.sentences[widths],))]
    nodes.append(Paragraph((words.say("source", source=found.rule.source),)))
    return nodes


def _positive(found: RuleError) -> Formula:
    """The error of a rule as a positive formula: its excess, or what it lacks."""
    return found.excess if found.sign < 0 else found.missing


def _error(error: Fraction) -> str:
    """The error of a rule of thumb: ``−6.2 %`` if it is too small by that much."""
    return f"{'−' if error > 0 else '+' if error < 0 else ''}{percent(abs(error), 1)}"


def _width(width: int | None, words: Phrases) -> str | Formula:
    return words.sentences["analyze-never"] if width is None else number(width)


def as_json(found: Analysis) -> JsonObject:
    """The analysis as JSON; missing numbers are null."""
    alphabet = found.derivation.alphabet

    def as_pasted(formula: Formula | None) -> dict[str, str] | None:
        return None if formula is None else pasted(formula, alphabet)

    def plain(value: int | Fraction | None) -> int | dict[str, int] | None:
        return None if value is None else rational(value)

    return {
        "architecture": found.derivation.architecture.name,
        "class": found.derivation.architecture.class_name,
        "measure": found.derivation.measure.name,
        "unit": found.derivation.measure.unit,
        "formula": as_pasted(found.derivation.closed_form()),
        "total": plain(found.total),
        "leading": {"formula": as_pasted(found.leading), "value": plain(found.leading_value)},
        "rest": as_pasted(found.rest),
        "parts": [
            {
                "part": part.group,
                "formula": as_pasted(part.formula),
                "value": plain(part.value),
                "limits": {letter: as_pasted(limit) for letter, limit in part.limits.items()},
            }
            for part in found.parts
        ],
        "changes": [
            {
                "letter": each.letter,
                "derivative": as_pasted(each.derivative),
                "slope": plain(each.slope),
                "elasticity": plain(each.elasticity),
                "direction": each.direction,
            }
            for each in found.changes
        ],
        "rules": [
            {
                "rule": each.rule.name,
                "source": each.rule.source,
                "formula": as_pasted(each.formula),
                "missing": as_pasted(each.missing),
                "sign": each.sign,
                "bound": as_pasted(each.bound),
                "models": [{"name": name, "error": rational(error), "widths": [*widths]} for name, error, widths in each.sizes],
            }
            for each in found.rules
        ],
    }
