"""Writes the pairs of two letters for which a measure lies between two totals, as a document and as JSON."""

from __future__ import annotations

from symparam.analysis.curves import Curve, CurvePoint
from symparam.core.formula import Symbol, number
from symparam.core.json_types import JsonObject
from symparam.core.notation import UNICODE
from symparam.writing.document import Chain, Document, Heading, Line, Node, Paragraph, Table
from symparam.writing.json import pasted, rational
from symparam.writing.phrases import phrases
from symparam.writing.solution import in_letters
from symparam.writing.titles import of_measure

MOST_SHOWN = 6  # Values of the first unknown in one row.


def curve(found: Curve, name: str, language: str = "en") -> Document:
    """The question, the curve as a formula, and a row for each value of the second unknown."""
    words = phrases(language)
    notation = UNICODE.using(found.derivation.alphabet)
    measure, (first, second) = of_measure(found.derivation.measure, words), found.unknowns
    least, most = number(found.least), number(found.most)
    asked = (
        words.line("solve-equals", measure=measure, target=least)
        if least == most
        else words.line("curve-between", measure=measure, least=least, most=most)
    )
    nodes: list[Node] = [
        Heading(1, words.say("curve", name=name, first=notation.symbol(first), second=notation.symbol(second))),
        Paragraph(asked),
        Chain((found.derivation.closed_form("by-symbol", first),)),
        *in_letters(found.inverse, first, words),
    ]
    nodes += [
        Paragraph(words.line("curve-condition", formula=each.formula, least=number(each.least), most=number(each.most)))
        for each in found.conditions
    ]
    if found.step > 1:
        nodes.append(Paragraph(words.line("solve-step", unknown=Symbol(first), step=number(found.step))))
    if found.missing:
        letters: Line = tuple(piece for letter in found.missing for piece in (", ", Symbol(letter)))[1:]
        nodes.append(Paragraph((words.sentences["solve-missing"], " ", *letters)))
    elif not found.rows:
        nodes.append(Paragraph((words.sentences["curve-none"],)))
    else:
        header = (notation.symbol(second), notation.symbol(first), words.say("curve-from", measure=measure), words.sentences["curve-to"])
        rows = tuple(((number(row.other),), _values(row), *((number(each),) for each in row.totals)) for row in found.rows)
        nodes.append(Table(header, rows, frozenset((0, 2, 3))))
        count = number(sum(len(row.values) for row in found.rows))
        nodes.append(Paragraph(words.line("curve-pairs", count=count)))
    return Document(tuple(nodes), language, found.derivation.alphabet)


def _values(row: CurvePoint) -> Line:
    """The values; if there are many, only the first, the second and the last."""
    if len(row.values) > MOST_SHOWN:
        first, second, *_, last = map(number, row.values)
        return (first, ", ", second, ", …, ", last)
    return tuple(piece for value in row.values for piece in (", ", number(value)))[1:]


def as_json(found: Curve) -> JsonObject:
    """The curve as JSON, with every pair."""
    alphabet = found.derivation.alphabet
    inverse = found.inverse
    return {
        "architecture": found.derivation.architecture.name,
        "class": found.derivation.architecture.class_name,
        "measure": found.derivation.measure.name,
        "unit": found.derivation.measure.unit,
        "unknowns": [*found.unknowns],
        "least": rational(found.least),
        "most": rational(found.most),
        "between": [
            {"formula": pasted(each.formula, alphabet), "least": rational(each.least), "most": rational(each.most)}
            for each in found.conditions
        ],
        "closed form": pasted(inverse.formula, alphabet) if inverse else None,
        "names": {name: pasted(formula, alphabet) for name, formula in inverse.names.items()} if inverse else {},
        "multiple of": found.step,
        "rows": [
            {found.unknowns[1]: row.other, found.unknowns[0]: [*row.values], "totals": [rational(each) for each in row.totals]}
            for row in found.rows
        ],
        "missing values": [*found.missing],
    }
