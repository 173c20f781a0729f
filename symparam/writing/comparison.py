"""Writes a comparison of two models as a document and as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING

from symparam.analysis.comparison import Comparison, NumberDifference, PartDifference
from symparam.core.alphabets import Alphabet
from symparam.core.formula import Formula, Number, Symbol, number, write
from symparam.core.json_types import JsonObject
from symparam.writing.amounts import rounded
from symparam.writing.completeness import as_json as as_json_of
from symparam.writing.completeness import bounded, lacking
from symparam.writing.document import Chain, Code, Document, Heading, Line, Node, Paragraph, Table
from symparam.writing.footnotes import Footnotes
from symparam.writing.json import pasted, rational
from symparam.writing.phrases import Phrases, phrases
from symparam.writing.titles import of_block, of_measure

if TYPE_CHECKING:
    from symparam.writing.explanation import ExplanationSubject

    Pair = tuple[ExplanationSubject, ExplanationSubject]

_LENGTHS = frozenset("LS")


def comparison(found: Comparison, pair: Pair, numbers: Iterable[NumberDifference], language: str = "en") -> Document:
    """The difference, the modules that it consists of, and their numbers if both models have values.

    Modules that have other names in the second model are aligned by what they are for, in one table with the parts.
    """
    words = phrases(language)
    first, second = _names(pair)
    heading = words.say("compared", first=first, second=second)
    measures = {subject.derivation.measure for subject in pair}
    if len(measures) == 1 and (measure := measures.pop()).name != "parameters":
        heading = words.say("compared-by", models=heading, measure=of_measure(measure, words))
    nodes: list[Node] = [Heading(1, heading)]
    if found.difference == Number(0):
        nodes.append(Paragraph(words.line("no-difference" if not found.modules else "no-difference-in-all", first=first, second=second)))
    else:
        nodes.append(Paragraph(words.line("difference", first=first, second=second)))
        nodes.append(Chain((found.difference,)))
    if found.modules and not found.has_other_names:
        rows: list[tuple[Line, ...]] = [
            ((Code(module.path),), (module.kind,), (module.formula,), (module.each,), (module.copies,)) for module in found.modules
        ]
        header = tuple(words.sentences[key] for key in ("module", "kind", "difference-column", "each", "copies"))
        nodes.append(Table(header, tuple(rows)))
    nodes += _parts(found, pair, words)
    nodes += _defaults(pair, words)
    nodes += _numbers(pair, tuple(numbers), words)
    nodes += lacking(dict.fromkeys(each for subject in pair for each in subject.derivation.missing), words)
    return Document(tuple(nodes), language, found.alphabet)


def _parts(found: Comparison, pair: Pair, words: Phrases) -> list[Node]:
    """The parts side by side, grouped by purpose, if there are several that differ."""
    if all(each.difference == Number(0) for each in found.parts):
        return []
    rows: list[tuple[Line, ...]] = []
    footnotes = Footnotes()
    for part in found.parts:
        for each in (part, *part.roles):
            where: Line = (*footnotes.cell(each.equal_where[0]), " = ", *footnotes.cell(each.equal_where[1])) if each.equal_where else ("",)
            ratio = footnotes.cell(each.ratio) if each.ratio is not None else ("",)
            formulas = (footnotes.cell(formula) for formula in (each.first, each.second, each.difference))
            modules = (_modules(each),) if found.has_other_names else ()
            rows.append((("  " * (each is not part) + _name(each, words),), *modules, *formulas, ratio, where))
    keys = ("difference-column", "ratio", "equal-where")
    modules_head = (words.sentences["module"],) if found.has_other_names else ()
    header = (words.sentences["analyze-part"], *modules_head, *_names(pair), *(words.sentences[key] for key in keys))
    return [Heading(2, words.sentences["by-part"]), Table(header, tuple(rows)), *footnotes.nodes]


def _modules(part: PartDifference) -> Line:
    """The names of its modules in each model, once if they are the same; none for a group, whose roles have them."""
    if part.roles:
        return ("",)
    names = [", ".join(dict.fromkeys(path.rpartition(".")[2] for path in paths)) for paths in part.paths]
    first, second = (Code(each) if each else "–" for each in names)
    return (first,) if first == second else (first, " → ", second)


def _name(part: PartDifference, words: Phrases) -> str:
    """The name of a group, or of the blocks of a role in it."""
    return of_block(part.role, part.kind, part.role, words) if part.role else words.sentences[f"group-{part.group}"]


def _defaults(pair: Pair, words: Phrases) -> list[Node]:
    """If neither model has values: the sizes with different defaults in the reference, by which one formula gives different numbers."""
    first, second = (
        {size.letter: size.default for size in subject.model.family.sizes} if subject.model.family and not subject.model.values else {}
        for subject in pair
    )
    letters = [letter for letter in first if letter in second and first[letter] != second[letter]]
    if not letters:
        return []
    rows = tuple(((Symbol(letter),), (_default(first[letter]),), (_default(second[letter]),)) for letter in letters)
    header = (words.sentences["letter"], *_names(pair))
    return [Paragraph((words.sentences["defaults-differ"],)), Table(header, rows, frozenset({1, 2}))]


def _default(value: int | str) -> str | Formula:
    return value if isinstance(value, str) else number(value)


def _without_numbers(pair: Pair, words: Phrases) -> list[Node]:
    """If both models have values, but not for each letter of what is measured, such as the number of tokens: the letters that need one."""
    if not all(subject.model.values for subject in pair):
        return []
    left = sorted(set().union(*(subject.derivation.letters - subject.model.values.keys() for subject in pair)))
    example = " ".join(f"--where {letter}={1024 if letter in _LENGTHS else 1}" for letter in left)
    return [Paragraph(words.line("numbers-need", letters=", ".join(left), example=example))] if left else []


def _numbers(pair: Pair, numbers: tuple[NumberDifference, ...], words: Phrases) -> list[Node]:
    first, second = (subject.count for subject in pair)
    if not first or not second:
        return _without_numbers(pair, words)
    rows = [
        (
            (_name(each.part, words),),
            (number(each.first),),
            (number(each.second),),
            (_signed(each.difference),),
            (_ratio(each.first, each.second),),
        )
        for each in numbers
    ]
    before, after = (bounded(number(count.total), count.derivation.missing, words) for count in (first, second))
    total: tuple[Line, ...] = ((words.sentences["total"],), before, after, ("",), ("",))
    if first.derivation.complete and second.derivation.complete:
        total = (*total[:3], (_signed(second.total - first.total),), (_ratio(first.total, second.total),))
    header = (words.sentences["analyze-part"], *_names(pair), words.sentences["difference-column"], words.sentences["ratio"])
    return [Heading(2, words.sentences["in-numbers"]), Table(header, (*rows, total), frozenset({1, 2, 3, 4}))]


def _ratio(first: int | Fraction, second: int | Fraction) -> str:
    """The ratio of the second to the first, with three decimals; empty if there is no first."""
    return rounded(Fraction(second) / first, 3) if first else ""


def _signed(value: int | Fraction) -> str | Formula:
    return f"{'+' if value > 0 else '−'}{write(number(max(value, -value)))}" if value else number(0)


def _names(pair: Pair) -> tuple[str, str]:
    first, second = (subject.model.origin or subject.derivation.architecture.name for subject in pair)
    return first, second


def as_json(found: Comparison, pair: Pair, numbers: Iterable[NumberDifference], language: str = "en") -> JsonObject:
    """The comparison as JSON; ``numbers`` is empty if one of the models has no values."""
    words = phrases(language)

    first, second = (
        {
            "name": name,
            "class": subject.derivation.architecture.class_name,
            "architecture": subject.derivation.architecture.name,
            "total": rational(subject.count.total) if subject.count else None,
            **as_json_of(subject.derivation.missing, words),
        }
        for name, subject in zip(_names(pair), pair, strict=True)
    )
    return {
        "first": first,
        "second": second,
        "difference": pasted(found.difference, found.alphabet),
        "modules": [
            {
                "name": module.path,
                "kind": module.kind,
                "formula": pasted(module.formula, found.alphabet),
                "each": pasted(module.each, found.alphabet),
                "copies": pasted(module.copies, found.alphabet),
            }
            for module in found.modules
        ],
        "parts": [
            {
                "part": each.group,
                **_sides(each, found.alphabet),
                "roles": [{"role": role.role, **_sides(role, found.alphabet)} for role in each.roles],
            }
            for each in found.parts
        ],
        "numbers": [
            {
                "title": _name(each.part, words),
                "first": rational(each.first),
                "second": rational(each.second),
                "difference": rational(each.difference),
            }
            for each in numbers
        ],
    }


def _sides(part: PartDifference, alphabet: Alphabet) -> JsonObject:
    return {
        "modules": [list(paths) for paths in part.paths],
        "first": pasted(part.first, alphabet),
        "second": pasted(part.second, alphabet),
        "difference": pasted(part.difference, alphabet),
        "ratio": None if part.ratio is None else pasted(part.ratio, alphabet),
        "equal where": None if part.equal_where is None else [pasted(side, alphabet) for side in part.equal_where],
    }
