"""Writes an explanation: a derivation from its notation to its check, as a document in one language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import partial
from itertools import repeat

from symparam.analysis.counting import Count, numbered
from symparam.analysis.derivation import Derivation, Measure, Step
from symparam.analysis.doubling import doublings
from symparam.analysis.measures.training_run import DEVICES, PEAK, PERCENT, TOKENS
from symparam.core.algebra.closed_form import expanded
from symparam.core.dimensions import BY_LETTER
from symparam.core.evaluation import evaluate
from symparam.core.formula import Formula, Number, Product, Quotient, Sum, Symbol, number
from symparam.core.frozen import frozen
from symparam.models.configs.values import Model
from symparam.models.traced.conditions import hold_at
from symparam.writing.amounts import percent, rounded
from symparam.writing.completeness import below, holding, lacking
from symparam.writing.count import modules_of, sizes_of
from symparam.writing.diagrams import diagram, shares
from symparam.writing.document import Chain, Code, Document, Entry, Heading, Inline, Line, Node, Paragraph, Shape, Table, Terms
from symparam.writing.footnotes import LONGEST_INLINE
from symparam.writing.glossary import glossary
from symparam.writing.module_sums import modules
from symparam.writing.other_settings import other_settings
from symparam.writing.phrases import Phrases, phrases
from symparam.writing.purposes import purposes
from symparam.writing.relations import relation_lines
from symparam.writing.step_reasons import reason
from symparam.writing.terms import terms
from symparam.writing.titles import of_measure, title

LONGEST_IN_FRONT = 240
"""Characters of a formula; a longer one stands at the end alone, where the page arrives at it."""


@frozen
class ExplanationSubject:
    """The subject of an explanation: a derivation, its model, and the count if the model has values."""

    derivation: Derivation
    model: Model
    count: Count | None


def explanation(subject: ExplanationSubject, language: str = "en") -> Document:
    """The document that explains where the formula comes from, and the number if there is one."""
    words = phrases(language)
    before = *_opening(subject, words), *_notation(subject, words)
    after = (
        *diagram(subject.derivation, words),
        *(_tensors(subject, words) if subject.derivation.measure.of_tensor else ()),
        *(other_settings(subject.model, words) if subject.derivation.measure.of_tensor else ()),
        *_steps(subject, words),
        *_closing(subject, words),
        *_check(subject, words),
    )
    nodes = *before, *glossary((*before, *after), words), *after
    return Document(nodes, language, subject.derivation.alphabet)


def _opening(subject: ExplanationSubject, words: Phrases) -> Iterator[Node]:
    derivation, model = subject.derivation, subject.model
    name = model.family.title if model.family else derivation.architecture.name
    class_name = derivation.architecture.class_name
    own, measure = model.family is None, of_measure(derivation.measure, words)
    yield Heading(1, words.say("title-of-own" if own else "title", name=name, class_name=class_name, measure=measure))
    short = len(str(derivation)) <= LONGEST_INLINE
    formula: Inline | Line = below(derivation.formula, derivation.missing, words)
    parts: dict[str, Inline | Line] = {"class_name": name if own else class_name, "measure": measure}
    parts |= {"formula": formula} if short else {"bound": "" if derivation.complete else words.sentences["bound-below"]}
    keys = "general", "general-below"
    if subject.count:
        parts |= {"origin": model.origin, "total": below(number(subject.count.total), derivation.missing, words)}
        of_origin, of_stated = ("general-values", "general-values-below"), ("general-stated", "general-stated-below")
        keys = of_origin if model.origin else of_stated
    yield Paragraph((*words.line(keys[not short], **parts), *holding(derivation.missing, words)))
    if own and not short:
        lines = len(str(derivation)) <= LONGEST_IN_FRONT
        yield from (Chain((derivation.formula,)),) * lines
        if lines:
            yield Paragraph((words.sentences["sum-of-modules"],))
        yield modules(derivation, words)
        if not lines:
            yield Paragraph((words.sentences["sum-of-modules-alone"],))
    else:
        yield Terms(terms(derivation.root, words), None if short else derivation.closed_form("by-module"))
    if derivation.architecture.source:
        yield Paragraph(words.line("source", source=derivation.architecture.source))


def _notation(subject: ExplanationSubject, words: Phrases) -> Iterator[Node]:
    derivation, family = subject.derivation, subject.model.family
    usual = {size.letter: size.config_keys[0] for size in BY_LETTER.values() if size.rare and size.config_keys}
    settings = {letter: derivation.architecture.meanings.get(letter, path) for letter, path in subject.model.settings.items()}
    keys = usual | {size.letter: size.key for size in family.sizes} if family else settings
    used = derivation.letters | {
        letter for relation in derivation.relations.stated for letter in (relation.letter, *relation.formula.letters)
    }
    used |= {letter for step in derivation.root.walk() for letter in _named(step, words)}
    used |= {letter for each in used & subject.model.derived.keys() for letter in subject.model.derived[each].letters}
    order = [*BY_LETTER, *sorted(used - BY_LETTER.keys())]
    letters = [letter for letter in order if letter in used]
    header = [words.sentences["letter"], words.sentences["meaning"]]
    rows: list[list[Line]] = []
    for letter in letters:
        own = derivation.architecture.meanings.get(letter)
        usual_meaning = words.meaning(letter) if letter in BY_LETTER else words.sentences.get(f"run-{letter}", "")
        # The name of a setting stands in a column of its own.
        meaning: list[Inline] = [own if own and letter not in settings else usual_meaning]
        if letter in subject.model.derived:
            meaning += words.line("left-out", formula=subject.model.derived[letter])
        rows.append([(Symbol(letter),), tuple(meaning)])
    if settings and not any(any(meaning) for _, meaning in rows):
        header, rows = header[:1], [row[:1] for row in rows]
    if keys:
        header.append(words.sentences["setting" if settings else "config-key"])
        rows = [[*row, (Code(keys[letter]),) if letter in keys else ()] for row, letter in zip(rows, letters, strict=True)]
    if subject.count:
        header.append(words.sentences["value"])
        values = subject.count.values
        rows = [[*row, (number(values[letter]),) if letter in values else ()] for row, letter in zip(rows, letters, strict=True)]
    yield Heading(2, words.sentences["notation"])
    yield Table(tuple(header), tuple(map(tuple, rows)), frozenset({len(header) - 1}) if subject.count else frozenset())
    yield from relation_lines(derivation, words)
    if subject.model.conditions:
        yield Paragraph(words.line("formula-holds-where", conditions="; ".join(subject.model.conditions)))
    if family and family.remark and derivation.measure.name != "activations":  # Each head keeps its own scores for them.
        size = Quotient(Symbol("H"), Symbol("h"))
        yield Paragraph(words.line(family.remark, h=Symbol("h"), d=size, H=Symbol("H")))


def _named(step: Step, words: Phrases) -> Iterator[str]:
    """The letters in the reason for a step and in the shapes of its tensors."""
    for each in (*reason(step, words), *(Shape(tensor.shape) for tensor in step.tensors)):
        for formula in each.sizes if isinstance(each, Shape) else (each,) if isinstance(each, Formula) else ():
            yield from formula.letters


def _tensors(subject: ExplanationSubject, words: Phrases) -> Iterator[Node]:
    rows: list[tuple[Line, ...]] = []
    for step in subject.derivation.root.walk():
        for tensor in step.tensors:
            tied = tensor.tied_to
            last: Line = words.line("shares", target=Code(tied)) if tied else (tensor.elements,)
            rows.append(((Code(tensor.name),), (Shape(tensor.shape),), last))
    yield Heading(2, words.sentences["tensors"])
    if any("{j}" in step.path for step in subject.derivation.root.walk()):
        yield Paragraph(words.line("group-index", index=Code("{i}"), inner=Code("{j}")))
    elif any("{i" in step.path for step in subject.derivation.root.walk()):
        yield Paragraph(words.line("layer-index", index=Code("{i}")))
    yield Table(tuple(words.sentences[key] for key in ("tensor", "shape", "elements")), tuple(rows), folded=True)


def _steps(subject: ExplanationSubject, words: Phrases) -> Iterator[Node]:
    yield Heading(2, words.sentences["steps"])
    measure, steps = subject.derivation.measure, list(numbered(subject.derivation.root))
    yield from _how_it_is_counted(measure, words)
    for_what = purposes((step for _, _, step in steps), words) if measure.name == "parameters" else repeat(())
    between = "" if words.east_asian else " "
    layers: int | None = None  # The depth of the list of layers that the step is in.
    for (depth, _, step), purpose in zip(steps, for_what, strict=False):
        layers = None if layers is None or depth <= layers else layers
        place = Code(step.path) if step.path else None
        why = (*reason(step, words), between, *purpose) if purpose else reason(step, words)
        # Folded is what is inside of a part of a layer.
        folded = layers is not None and depth > layers + 2
        yield Entry(title(step, words), place, why, _chain(step, subject.count), depth, folded)
        if layers is None and step.repeats is not None:
            layers = depth


def _how_it_is_counted(measure: Measure, words: Phrases) -> Iterator[Paragraph]:
    """The conventions of every step: what a product counts as, and how often it is counted."""
    batch, length = Symbol("B"), Symbol("L")
    letters = {
        "B": batch,
        "L": length,
        "w": Symbol("w"),
        "n_d": Symbol("n_d"),
        "BL": Product((batch, length)),
        **{letter: Symbol(letter) for letter in (TOKENS, PERCENT, DEVICES)},
        "second": Quotient(Product(tuple(map(Symbol, (PEAK, DEVICES, PERCENT)))), Number(100)),
        "hour": Product((Number(36), Symbol(PEAK), Symbol(PERCENT))),
        "half": Quotient(Sum((length, Number(1))), Number(2)),
    }
    lines = [words.line(key, **letters) for detail in measure.details if (key := f"why-{detail}") in words.sentences]
    lines += [words.line(f"factor-{key}", sum=factor, value=number(evaluate(factor, {}))) for key, factor in measure.factors]
    between = "" if words.east_asian else " "
    if lines:
        yield Paragraph(tuple(piece for index, line in enumerate(lines) for piece in ((between,) * bool(index) + line)))


def _chain(step: Step, count: Count | None) -> Chain | None:
    """The chain of equal formulas that leads to the step's formula; numbers directly follow the parts that they belong to.

    The number of the whole is left out, as it stands at the start of the page.
    """
    if step.formula == Number(0):
        return None
    if count is None:
        return Chain(_unrepeated(step.sum, step.formula))
    first = _unrepeated(step.sum, step.formula)[1:]
    numbers = step.sum_of_values(count.values), number(step.value(count.values))
    return Chain(_unrepeated(*first, step.sum, *(each for each in numbers if each != number(count.total))))


def _unrepeated(*formulas: Formula) -> tuple[Formula, ...]:
    """The formulas without those that only reorder the terms of the one before."""
    kept = list(formulas[:1])
    for formula in formulas[1:]:
        if Counter(_terms(formula)) != Counter(_terms(kept[-1])):
            kept.append(formula)
    return tuple(kept)


def _terms(formula: Formula) -> tuple[Formula, ...]:
    return tuple(inner for term in formula.terms for inner in _terms(term)) if isinstance(formula, Sum) else (formula,)


def _closing(subject: ExplanationSubject, words: Phrases) -> Iterator[Node]:
    derivation, count = subject.derivation, subject.count
    forms = [derivation.closed_form(form) for form in ("by-module", "expanded")]
    collected = derivation.closed_form("by-symbol", derivation.by)
    nested, factored = derivation.closed_form("nested"), derivation.closed_form("factored")
    forms.append(collected if derivation.closed_form("readable", derivation.by) == collected else nested)
    # One fraction of everything shows nothing that the sum does not.
    forms += [factored] if isinstance(forms[-1], Sum) and not isinstance(factored, (Sum, Quotient)) else []
    numbers = (derivation.formula.substitute(count.values),) if count else ()
    yield Heading(2, words.sentences["closed-form"])
    yield Chain(_unrepeated(*forms, *numbers))
    if count:
        yield Paragraph((words.sentences["number-at-the-start"],))
        if inside := [*_composition(count, words)]:
            yield Heading(2, words.sentences["composition"])
            yield from inside
        if derivation.complete:
            yield from _what_if(count, subject.model, words)
    yield from lacking(derivation.missing, words)


def _composition(count: Count, words: Phrases) -> Iterator[Node]:
    """What the total consists of: a chart, or a table where something is missing or the chart does not have all modules."""
    chart = shares(count, words)
    if count.derivation.complete:
        yield from _largest(count, words)
        yield from (chart,) if chart.bars else ()
    if count.derivation.missing or len(chart.bars) < len([*count.parts]):
        yield modules_of(count, count.parts, words)
    yield from sizes_of(count, words)


def _largest(count: Count, words: Phrases) -> Iterator[Node]:
    """The innermost module that has more than half of the whole; not all layers together, which would not say what is in them."""
    most = [row for row in count.rows if row.share > Fraction(1, 2) and row.step.repeats is None]
    if most and most[-1].share < 1:
        yield Paragraph(words.line("largest-part", title=title(most[-1].step, words), share=percent(most[-1].total, count.total)))


def _what_if(count: Count, model: Model, words: Phrases) -> Iterator[Node]:
    """The effect on the total of doubling each size, for the sizes that change it."""
    rows, found = [], [each for each in doublings(count, model.derived, partial(hold_at, model.assumed)) if each.times != 1]
    for each in found:
        letters, following = (_together(map(Symbol, letters), words) for letters in (each.letters, each.following))
        changed = words.line("what-if-following", letters=letters, following=following) if following else letters
        rows.append((changed, (number(each.total),), (rounded(each.times, 2),)))
    if rows:
        yield Heading(2, words.sentences["what-if"])
        wide = any(len(each.letters) > 1 for each in found)
        between = "" if words.east_asian else " "
        yield Paragraph((words.sentences["what-if-explained"], *((between, *words.line("what-if-wide", H=Symbol("H"))) if wide else ())))
        header = (words.sentences["what-if-doubled"], words.sentences[count.derivation.measure.unit], words.sentences["what-if-times"])
        yield Table(header, tuple(rows), frozenset({1, 2}))


def _together(formulas: Iterable[Formula], words: Phrases) -> Line:
    """The formulas with commas between them."""
    return tuple(piece for index, formula in enumerate(formulas) for piece in ((words.sentences["comma"],) * bool(index) + (formula,)))


def _check(subject: ExplanationSubject, words: Phrases) -> Iterator[Node]:
    yield Heading(2, words.sentences["check"])
    yield Paragraph(check(subject, words))


def check(subject: ExplanationSubject, words: Phrases) -> Line:
    """An independent check: the formula computed without the steps, and its difference to the closed form."""
    if subject.count:
        found = subject.count.check
        return words.line(
            "check-values" if subject.derivation.measure.of_tensor else "check-values-of-blocks",
            count=number(found.parts),
            difference=number(found.difference),
        )
    architecture = subject.derivation.architecture
    measure = subject.derivation.measure
    total = sum(place.copies * measure.of_block(place) for place in architecture.places())
    left = total - subject.derivation.formula.expr
    key = "check-symbols" if measure.of_tensor else "check-symbols-of-blocks"
    return words.line(key, difference=expanded(left))
