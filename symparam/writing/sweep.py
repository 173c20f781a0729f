"""Writes measures over values of one or two letters: as a document, as CSV and as JSON."""

from __future__ import annotations

import csv as csv_module
import io

from symparam.analysis.sweeping import Sweep
from symparam.core.formula import Symbol, number
from symparam.core.json_types import JsonObject
from symparam.core.notation import UNICODE
from symparam.writing.amounts import amount
from symparam.writing.document import Chain, Document, Heading, Line, Node, Paragraph, Table
from symparam.writing.json import pasted, rational
from symparam.writing.phrases import phrases
from symparam.writing.titles import of_measure


def sweep(found: Sweep, name: str, language: str = "en") -> Document:
    """The formulas, the fixed values, and a row for each point."""
    words = phrases(language)
    alphabet = found.derivations[0].alphabet
    measures = [of_measure(each.measure, words) for each in found.derivations]
    letters = [axis.letter for axis in found.axes]
    nodes: list[Node] = [Heading(1, title(found, name, language))]
    for measure, derivation in zip(measures, found.derivations, strict=True):
        nodes += [Paragraph((words.say("sweep-measure", measure=measure),)), Chain((derivation.closed_form(),))]
    if found.fixed:
        values = sorted(found.fixed.items())
        fixed: Line = tuple(piece for letter, value in values for piece in (", ", Symbol(letter), " = ", number(value)))
        nodes.append(Paragraph((words.sentences["sweep-held"], " ", *fixed[1:])))
    header = (*map(UNICODE.using(alphabet).symbol, letters), *measures)
    units = (*("" for _ in letters), *(each.measure.unit for each in found.derivations))
    rows = tuple(tuple((amount(each, unit),) for each, unit in zip((*row.point, *row.numbers), units, strict=True)) for row in found.rows)
    nodes.append(Table(header, rows, frozenset(range(len(header)))))
    return Document(tuple(nodes), language, alphabet)


def title(found: Sweep, name: str, language: str = "en") -> str:
    """The subject of the sweep, in one line."""
    notation = UNICODE.using(found.derivations[0].alphabet)
    letters = [notation.symbol(axis.letter) for axis in found.axes]
    return phrases(language).say("sweep-one" if len(letters) == 1 else "sweep-two", name=name, first=letters[0], last=letters[-1])


def csv(found: Sweep) -> str:
    """A line for each point, with plain digits; fractions as ``1/2``, since they have no exact decimals."""
    file = io.StringIO()
    table = csv_module.writer(file, lineterminator="\n")
    alphabet = found.derivations[0].alphabet
    table.writerow([*(alphabet.name_of(axis.letter) for axis in found.axes), *(each.measure.name for each in found.derivations)])
    table.writerows((*row.point, *row.numbers) for row in found.rows)
    return file.getvalue()


def as_json(found: Sweep) -> JsonObject:
    """The same for programs."""
    first = found.derivations[0]
    return {
        "architecture": first.architecture.name,
        "class": first.architecture.class_name,
        "over": {axis.letter: [*axis.values] for axis in found.axes},
        "held": dict(sorted(found.fixed.items())),
        "measures": [
            {"measure": each.measure.name, "unit": each.measure.unit, "formula": pasted(each.closed_form(), each.alphabet)}
            for each in found.derivations
        ],
        "rows": [[*row.point, *map(rational, row.numbers)] for row in found.rows],
    }
