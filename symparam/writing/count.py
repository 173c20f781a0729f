"""Writes a count: its modules as a table, its total, and the total in other terms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction

from symparam.analysis.counting import Count, ModuleCount
from symparam.core.formula import Number, number, write
from symparam.writing.amounts import DAY, amount, binary_size, brief, decimal_size, percent
from symparam.writing.completeness import bounded, in_all
from symparam.writing.document import Chain, Line, Node, Paragraph, Table
from symparam.writing.phrases import Phrases
from symparam.writing.titles import title

LONGEST_SUM = 100  # Characters of a formula in a table; a longer sum is not worth a table wider than a page, as the rows show its terms.


def count_table(count: Count, words: Phrases) -> Table:
    """The modules of a count, and the total in the last row."""
    modules, unit, missing = modules_of(count, count.rows, words), count.derivation.measure.unit, count.derivation.missing
    total: Line = (count.derivation.formula,) if len(write(count.derivation.formula)) <= LONGEST_SUM else ()
    share: tuple[Line, ...] = () if missing else ((percent(count.total, count.total),),)
    last = ((words.sentences["total"],), total, (), bounded(amount(count.total, unit), missing, words), *share)
    return replace(modules, rows=(*modules.rows, last), folded=False)


def modules_of(count: Count, modules: Iterable[ModuleCount], words: Phrases) -> Table:
    """Modules of a count with formula, numbers and total, as details; with shares only if the count is complete."""
    whole, unit = count.derivation.complete, count.derivation.measure.unit
    rows: list[tuple[Line, ...]] = [
        (
            ("  " * row.depth + title(row.step, words),),
            (row.formula if not row.step.steps or len(write(row.formula)) <= LONGEST_SUM else words.sentences["sum-of-parts"],),
            (row.with_numbers,),
            (amount(row.total, unit),),
            *(((percent(row.total, count.total),),) if whole else ()),
        )
        for row in modules
    ]
    keys = ("module", "formula", "with-numbers", unit, *(("share",) if whole else ()))
    return Table(tuple(words.sentences[key] for key in keys), tuple(rows), frozenset({3, 4} if whole else {3}), folded=True)


def total_of(count: Count, words: Phrases) -> Iterator[Node]:
    """The formula, the formula with numbers substituted, and its value, which is a lower bound if something is missing."""
    formula = count.derivation.formula
    substituted = formula, formula.substitute(count.values)
    if count.derivation.complete:
        yield Chain((*substituted, number(count.total)))
        return
    if formula.letters:
        yield Chain(substituted)
    yield in_all(count.total, count.derivation, words)


def sizes_of(count: Count, words: Phrases) -> Iterator[Paragraph]:
    """The total in other terms: for parameters the share of embeddings and the memory, for bytes larger units."""
    measure, whole = count.derivation.measure, count.derivation.complete
    if measure.name == "parameters" and whole:
        yield kinds(count, words)
        if adapters := count.kinds["adapter-parameters"]:
            rest = number(count.kinds["parameters"] - adapters)
            yield Paragraph(words.line("kinds-of-adapters", adapters=number(adapters), frozen=rest))
    if measure.of_tensor:
        size, _ = binary_size(count.bytes_as_float32)
        shown = number(count.bytes_as_float32)
        yield Paragraph(words.line("memory", bytes=shown if whole else words.line("at-least", number=shown), binary=size))
    elif measure.unit == "bytes" and whole:
        (decimal, power_of_10), (binary, power_of_2) = decimal_size(count.total), binary_size(count.total)
        sizes = {"decimal": decimal, "decimal_unit": power_of_10, "binary": binary, "binary_unit": power_of_2}
        yield Paragraph(words.line("bytes-in-units", **sizes))
    elif measure.unit == "seconds" and whole:
        yield Paragraph(words.line("budget-days", days=brief(Fraction(count.total, DAY))))


def _has_head(count: Count) -> bool:
    """Whether the model has an output head with a matrix of its own."""
    heads = ("language-model-head", "vocabulary-projection")
    return any(step.role in heads and not step.steps and step.formula != Number(0) for step in count.derivation.root.walk())


def _has_unnamed_head(count: Count) -> bool:
    """Whether a model whose blocks are known by the names of its class alone, such as a traced one, has a head with a matrix of its own."""
    return any(step.role is None and step.path == "lm_head" and step.formula != Number(0) for step in count.derivation.root.walk())


def kinds(count: Count, words: Phrases) -> Paragraph:
    """The number of parameters in embeddings and, for a model with experts, the number that one token uses."""
    found = {name: number(value) for name, value in count.kinds.items()}
    if count.kinds["embedding-parameters"] == 0:
        return Paragraph(words.line("kinds-without-embedding"))
    line = words.line(
        "kinds-with-head" if _has_head(count) else "kinds-beside-head" if _has_unnamed_head(count) else "kinds",
        embedding=found["embedding-parameters"],
        others=found["non-embedding-parameters"],
    )
    if found["active-parameters"] == found["parameters"]:
        return Paragraph(line)
    experts = {letter: number(count.values[letter]) for letter in ("K", "E") if letter in count.values}
    key = "kinds-of-experts" if len(experts) == 2 else "kinds-active"
    return Paragraph((*line, " ", *words.line(key, active=found["active-parameters"], **experts)))
