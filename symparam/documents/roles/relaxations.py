"""What the words of a number leave open: further values that it may have, each with the reason.

A number that is one of them is not wrong, since its words may mean it; it does not hold by it, either.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import accumulate

from symparam.core.frozen import frozen
from symparam.core.message import Message, message
from symparam.documents.checking.labelled_quantities import LabelledQuantity, digits_of, last_clause
from symparam.documents.checking.line_checker import LineChecker
from symparam.documents.roles.clauses import leads_to_another, words_behind
from symparam.documents.roles.exclusions import without_inclusions
from symparam.documents.roles.labels import Label, read_label
from symparam.documents.roles.measurands import says_batch
from symparam.documents.roles.measured_model import USUAL_SIZES, MeasuredModel
from symparam.documents.roles.part_candidates import Amount, PartCandidate
from symparam.documents.roles.recognised_part import RecognisedPart, is_stated
from symparam.documents.words import number_words, words

_BEHIND = 200  # Characters after a number that are read for its row.
_LEAST = 1_000  # The least factor of a calculation that is a count of parameters.
_MANY_DIGITS = 5  # Digits of a number that is hardly the sum of others by chance.
_SEVERAL = (2, 3, 4)  # Norms and matrices of one layer, as people count them.
_MOST_PARTS = 6  # Other parts of a sentence that are looked up.
_STACKS = frozenset(("layers", "encoder", "decoder", "transformer"))
_WHOLES = _STACKS | {"layer", "model", "non-embedding"}
_OF_RUNS = ("cache", "operations", "activations")
_IN_FORMATS = ("weights", "gradients", "optimizer", "cache")
_MAIN = ("attention", "cross-attention", "feed-forward", "experts", "expert", "embeddings")
_BESIDE = ("embeddings", "token-embedding", "position-embedding", "language-model-head", "final-norm", "pooler", "layers")
"""Parts beside the layers, and all layers, to which people add another part."""
_LISTED_APART = ("relative-positions", "shared-experts", "router")
"""Parts that people list by themselves as often as within the part around them."""
_STATE_BYTES = (8, 12, 4, 16, 6, 2)
"""Bytes of an optimizer for each parameter: two moments, with weights of 32 bits beside them or not."""
_TERMS = re.compile(r"(?<![\d,])\d[\d,]{3,20}(?:\s{0,3}\+\s{0,3}\d[\d,]{3,20}){1,8}\s{0,3}[=≈][\s*_$]{0,6}\Z")
_TERM = re.compile(r"\d[\d,]{3,20}")
_NUMBER = re.compile(r"(?<![\d,])\d[\d,]{0,20}(?<!,)(?!\d)")
_ADDED = re.compile(r"(?:\+|\bplus\b)\s{0,3}(\d[\d,]{0,20})(?<!,)(?!\d)", re.IGNORECASE)
_COUNT = re.compile(r"(?<![\w.,])\d{1,5}(?![\w.,])")
_PRODUCT = re.compile(r"(?<![\d,.])\d[\d,]{0,12}(?:\s{0,3}(?:[×·*x]|\\times|\\cdot)\s{0,3}\d[\d,]{0,12}){1,6}[\s$]{0,4}[=≈][\s*_$]{0,6}\Z")
_FACTOR = re.compile(r"\d[\d,]{0,12}")
_LAST_WORD = re.compile(r"([^\W\d_]{1,12})[*_`$ ]{0,4}\Z")


@frozen
class Wording:
    """A number of the page among its words, with the ``sure`` parts of its list or column, which are the model's."""

    part: RecognisedPart
    checker: LineChecker
    measured: MeasuredModel
    sure: tuple[RecognisedPart, ...]

    @property
    def start(self) -> int:
        """The offset of the number."""
        return self.part.quantity.expression.start

    @cached_property
    def before(self) -> str:
        """Its line before it."""
        return self.checker.text[max(0, self.start - _BEHIND) : self.start].rpartition("\n")[2]

    @cached_property
    def behind(self) -> str:
        """Its line after it."""
        end = self.part.quantity.expression.end
        return self.checker.text[end : end + _BEHIND].partition("\n")[0]

    @cached_property
    def wholes(self) -> tuple[PartCandidate, ...]:
        """The candidates that count the whole part."""
        return tuple(each for each in self.part.candidates if each.way == "whole" and each.value)

    @cached_property
    def stated(self) -> Fraction:
        """Its value."""
        return self.part.stated

    def labelled(self, label: Label) -> Sequence[PartCandidate]:
        """The candidates of another label in its measure."""
        return self.measured.candidates(self.part.measurand, "", label, in_letters=False)

    def line_of(self, quantity: LabelledQuantity) -> int:
        """The line of another number."""
        return self.checker.document.source.place(quantity.expression.start)[0]


Relaxation = Callable[[Wording], Iterator[tuple[Amount, Message]]]
"""The values that one thing leaves open."""


def relaxed(wording: Wording) -> Message | None:
    """What the words leave open and under which the number would be right, if anything."""
    found = (why for relaxation in _RELAXATIONS for value, why in relaxation(wording) if is_stated(wording.part, value))
    return next(found, None)


def _copies(wording: Wording) -> Iterator[tuple[Amount, Message]]:
    """In another number of layers, which only a clause before its own says: ``32 layers, 8 experts of 176.2M``."""
    part = wording.part
    clause = last_clause(part.words)
    own = read_label(clause)
    if part.fits and part.why != "other-copies":
        return  # It fits in the copies that its words say.
    if part.quantity.column or clause == part.words or own.scope or ((_STACKS | {"layer"}) & {*own.parts} and not own.numbers):
        return
    label = replace(part.label, parts=own.parts or part.label.parts or ("layer",), scope="", numbers=own.numbers)
    for each in wording.labelled(label):
        yield each.value, message("of-other-copies")


def _one_of_several(wording: Wording) -> Iterator[tuple[Amount, Message]]:
    """One of as many as its clause counts, if that goes on to the number: ``two LayerNorms of 1,536``, ``1,536 each``; or if it goes on to
    another: ``two matrices with 4,198,400 and 4,195,328``.
    """
    part, behind = wording.part, _behind_it(wording)
    counts = {count for _, count in number_words(last_clause(part.words))}.union(part.label.numbers).intersection(_SEVERAL)
    last = _LAST_WORD.search(wording.before)
    is_led_to = last is not None and any(words(notion).is_one(last[1]) for notion in ("short", "each", "per_one"))
    leads = (is_led_to and not part.quantity.column) or words("each").in_text(behind) or words("per_one").in_text(behind)
    leads = leads or leads_to_another(wording.checker.text, part.quantity.expression.end)
    is_sum = words("total").in_text(behind) or words("so").in_text(behind)  # ``three matrices with 176M altogether``
    if counts and leads and not is_sum and any(each.value > wording.stated for each in wording.wholes):
        yield _whole(wording.stated), message("of-one-of-several", count=max(counts))


def _parts(wording: Wording) -> Iterator[tuple[Amount, Message]]:
    """Another part that its sentence names, before it or after it: ``52.4M attention, 220.2M MLP``."""
    part = wording.part
    if part.quantity.column:
        return
    own = {*part.label.parts, *(each for other in wording.sure for each in other.label.parts)}  # These have numbers of their own.
    said = read_label(_behind_it(wording))
    if not _NUMBER.search(wording.behind):  # ``7,684,800, c_attn``
        said = said.under(read_label(wording.behind))
    clauses = [said, *(read_label(clause) for clause in re.split(r"[,;:，；：、]", wording.before))]
    others = dict.fromkeys(each for clause in clauses for each in clause.parts if each not in own | _WHOLES)
    for other in list(others)[:_MOST_PARTS]:
        for each in wording.labelled(replace(part.label, parts=(other,), numbers=(), tensors="")):
            if each.way == "whole":
                yield each.value, message("of-part-beside", paths=each.paths)


def _referred(wording: Wording) -> Iterator[tuple[Amount, Message]]:
    """A part that was spoken of before, as its words only refer to it or name none: ``the attention … That makes 187.1M per layer``."""
    part, clause = wording.part, last_clause(wording.part.words)
    is_referring = words("refers").in_text(clause) or not (read_label(clause).parts or part.label.tensors)
    if part.quantity.column or not (_WHOLES.issuperset(part.label.parts) and is_referring):
        return
    for other in _MAIN:
        for each in wording.labelled(replace(part.label, parts=(other,), numbers=())):
            yield each.value, message("of-part-beside", paths=each.paths)


def _formats(wording: Wording) -> Iterator[tuple[Amount, Message]]:
    """In another number format than the one that was taken from elsewhere, or in one that several words may name."""
    part = wording.part
    measurand = part.measurand
    if measurand.measure not in _IN_FORMATS:
        return
    is_told = measurand.formats and (measurand.measure == "cache" or not measurand.is_inherited)
    if measurand.measure == "cache" and wording.sure:  # All that is cached has the only format of the page.
        is_told = is_told or len(wording.measured.setting.formats) == 1
    if measurand.measure == "optimizer":
        is_more = words("matrices").in_text(part.words) and not part.quantity.column  # Weights in fp32 beside the moments.
        sizes: Sequence[int] = _STATE_BYTES if is_more else ()
    elif is_told or any(fit.variant.bits for each in wording.sure if not each.measurand.formats for fit in each.fits):
        sizes = ()  # The words or the numbers beside it name one; all that is cached has the same.
    else:
        sizes = USUAL_SIZES
    for each in wording.wholes:
        for size in sizes if each.variant.bits else ():
            yield _whole(Fraction(each.value) * 8 * size / each.variant.bits), message("of-other-format", bits=8 * size)


def _runs(wording: Wording) -> Iterator[tuple[Amount, Message]]:
    """For another length or batch that the page states."""
    part = wording.part
    if part.is_of_another_run:
        yield _whole(wording.stated), message("of-another-run")
    if part.measurand.measure not in _OF_RUNS:
        return
    said = {part.label.per, read_label(last_clause(part.words)).per}
    is_of_one = not said.isdisjoint(("per-sequence", "per-token"))  # ``a single sequence of 8,192 tokens``
    if wording.measured.setting.in_batches and not (is_of_one or part.measurand.run.batches or says_batch(part.words)):
        for each in wording.wholes:
            if (times := int(wording.stated // each.value)) > 1:
                yield each.value * times, message("of-batch", times=times)


def _beside(wording: Wording) -> Iterator[tuple[Amount, Message]]:
    """For as many of something that is not known, such as users or devices, as its row says."""
    part = wording.part
    if part.measurand.measure not in _OF_RUNS or not part.quantity.column:
        return
    row = f"{wording.before}{wording.behind}"[:_BEHIND]
    run = part.measurand.run
    for times in {int(each) for each in _COUNT.findall(row)} - {0, 1, *run.lengths, *run.batches}:
        for each in wording.wholes:
            for value in (Fraction(each.value) * times, Fraction(each.value) / times):
                yield _whole(value), message("of-number-beside", value=times)


def _sums(wording: Wording) -> Iterator[tuple[Amount, Message]]:
    """With something that its line adds: ``1,835,008, plus 256 biases``; bytes that its line sums up may be of several measures."""
    part = wording.part
    said, added = ({Fraction(each.replace(",", "")) for each in pattern.findall(wording.before)} for pattern in (_NUMBER, _ADDED))
    for each in part.candidates if added else ():
        if each.value in said:
            yield from ((_whole(each.value + other), message("term-of-sum")) for other in added)
    if (terms := _TERMS.search(wording.before)) is not None:
        values = {Fraction(each.replace(",", "")) for each in _TERM.findall(terms[0])}
        own = {Fraction(each.value) for each in part.candidates} & values
        if own and values - own and values - own <= _sizes_beside(wording):
            yield _whole(wording.stated), message("term-of-sum")
    says_all = part.label.scope == "in-all" and not part.label.parts
    says_all = says_all or words("total").in_text(f"{last_clause(part.words)} {_behind_it(wording)}")
    if part.measurand.measure in _IN_FORMATS and says_all:
        above = [*accumulate(reversed(_column_above(wording) if part.quantity.column else _addends(wording)))]
        yield from ((_whole(each), message("term-of-sum")) for each in above[1:])


def _column_above(wording: Wording) -> list[Fraction]:
    """The numbers of its column above it."""
    quantity = wording.part.quantity
    column = (each for each in wording.checker.quantities.stated if (each.section, each.column) == (quantity.section, quantity.column))
    return [each.value for each in column if each.value is not None and each.expression.start < wording.start]


def _line_sums(wording: Wording) -> Iterator[tuple[Amount, Message]]:
    """The sum of the numbers of its line, if its own clause names no part: ``together 176,160,768 per layer``."""
    if wording.part.quantity.column or read_label(last_clause(wording.part.words)).parts:
        return
    line = _addends(wording)
    for count in range(2, len(line) + 1):
        yield _whole(sum(line[-count:], Fraction(0))), message("term-of-sum")


def _addends(wording: Wording) -> list[Fraction]:
    """The numbers of its line before it, without those of many digits that are the sum of the ones before them."""
    found: list[Fraction] = []
    for each in _quantities_before(wording):
        sums = {sum(found[-count:]) for count in range(2, len(found) + 1)}
        is_sum = each.value in sums and digits_of(each.expression) >= _MANY_DIGITS
        if each.value is not None and each.value > _LEAST and not is_sum:
            found.append(each.value)
    return found


def _whole_model(wording: Wording) -> Iterator[tuple[Amount, Message]]:
    """The whole model, in the row of a total, as not all of its column need be in the layers that the head names, or in a clause that
    calls it a total.
    """
    part = wording.part
    said = part.words if part.quantity.column else f"{last_clause(part.words)} {_behind_it(wording)}"
    own = read_label(without_inclusions(said)[0])
    if not own.parts and words("total").in_text(said):
        yield from ((each.value, message("of-whole-model")) for each in wording.labelled(replace(own, parts=("model",), scope="")))


def _apart(wording: Wording) -> Iterator[tuple[Amount, Message]]:
    """With a part that the page lists by itself, or without it; the experts may be those of both kinds."""
    part = wording.part
    if part.measurand.measure != "parameters":
        return
    listed = {role for each in wording.checker.quantities.stated for role in read_label(each.words).parts if role in _LISTED_APART}
    if {"expert", "experts"}.intersection(part.label.parts):
        listed.add("shared-experts")
    for role in sorted(listed.difference(part.label.parts)):
        beside = {each.value: each for each in wording.labelled(replace(part.label, parts=(role,), scope="", numbers=(), tensors=""))}
        for each in wording.wholes:
            for value, other in beside.items():
                yield each.value + value, message("with-listed-part", paths=other.paths)
                if role != "shared-experts":  # One expert fewer is a slip.
                    yield each.value - value, message("without-listed-part", paths=other.paths)


def _alike(wording: Wording) -> Iterator[tuple[Amount, Message]]:
    """As many times one layer as there are layers, where not all layers are alike: T5's first one has the relative positions."""
    part = wording.part
    if part.measurand.measure != "parameters" or not (_STACKS | {"layer"}).issuperset(part.label.parts):
        return
    counts = {int(value) for letter, value in wording.measured.values.items() if letter.startswith("N")}
    for each in (one for one in wording.labelled(replace(part.label, scope="in-layer", numbers=())) if one.way == "whole"):
        for count in sorted(counts):
            yield each.value * count, message("of-like-layers", count=count, value=each.value)


def _active(wording: Wording) -> Iterator[tuple[Amount, Message]]:
    """The experts or all parameters that one token uses, if its line says that a number counts what is active, or is per token."""
    label = wording.part.label
    is_active = words("active").in_text(f"{wording.before} {_behind_it(wording)}") or read_label(wording.before).per == "per-token"
    if "expert" in label.parts and is_active:
        for part in ("experts", "model"):
            for each in wording.labelled(replace(label, parts=(part,), numbers=())):
                if each.way == "active":
                    yield each.value, message("of-what-is-active")


def _behind_it(wording: Wording) -> str:
    """The words after the number, up to the end of its clause, with those that it counts."""
    expression = wording.part.quantity.expression
    return " ".join((*expression.nouns, words_behind(wording.checker.text, expression.end)))


def _quantities_before(wording: Wording) -> list[LabelledQuantity]:
    """The numbers of its line before it."""
    first = wording.start - len(wording.before)
    return [each for each in wording.checker.quantities.stated if first <= each.expression.start < wording.start]


def _multiples(wording: Wording) -> Iterator[tuple[Amount, Message]]:
    """As many times a number that is stated above, whatever it counts, as its label says: ``× 12 blocks``.

    A number without a label of its own may have it once for each layer, and one layer may be multiplied: ``6 with 4,195,840, i.e. …``.
    """
    part, section, checker = wording.part, wording.part.quantity.section, wording.checker
    near = [each for each in checker.quantities.stated if each.section == section and each.is_named and each.value is not None]
    near = [each for each in near if _counted(part.quantity) in ("", _counted(each))]
    layers = {int(value) for letter, value in wording.measured.values.items() if letter.startswith("N")}
    said = read_label(part.words)
    is_measured = said.measures or part.measurand.measure in _OF_RUNS  # A cache of 16 sequences is not that of 16 layers.
    says_layers = part.label.scope == "in-all" and {"layer", "layers"}.issuperset(part.label.parts)
    for count in part.label.numbers or (() if (said.parts or is_measured) and not says_layers else sorted(layers)):
        for each in reversed(near) if count > 1 else ():
            value = each.value or Fraction(0)
            if each.expression.end <= wording.start:
                yield _whole(value * count), message("multiple-of-above", count=count, line=wording.line_of(each))
            elif "\n" not in checker.text[wording.start : each.expression.start]:
                yield _whole(value / count), message("multiplied-behind", count=count, value=value)


def _counted(quantity: LabelledQuantity) -> str:
    """What the unit of a number counts: bytes, or nothing for parameters."""
    literal = quantity.expression.literal
    return literal.unit.counted if literal is not None and literal.unit is not None else ""


def _counts(wording: Wording) -> Iterator[tuple[Amount, Message]]:
    """The bytes of another number of parameters, which the page states elsewhere: ``4,194,304 × 8 =``."""
    part = wording.part
    if part.measurand.measure not in (*_IN_FORMATS, "activations") or part.measurand.measure == "cache":
        return
    if (found := _PRODUCT.search(wording.before)) is None:
        return
    factors = {value for each in _FACTOR.findall(found[0]) if (value := int(each.replace(",", ""))) >= _LEAST}
    own = {Fraction(each.value) * 8 / each.variant.bits for each in part.candidates if each.variant.bits}
    for each in wording.checker.quantities.stated if factors else ():
        count = each.expression.exact
        if isinstance(count, int) and count in factors and count not in own:
            yield _whole(wording.stated), message("multiple-of-count", count=count, line=wording.line_of(each))


def _sizes_beside(wording: Wording) -> set[Fraction]:
    """The sizes of the parts of the model that are neither inside this one nor within its layers."""
    labels = (Label((each,), "", "", (), (), False, False) for each in _BESIDE if each not in wording.part.label.parts)
    return {Fraction(each.value) for label in labels for each in wording.labelled(label)}


def _whole(value: Fraction | int) -> Amount:
    value = Fraction(value)
    return value.numerator if value.denominator == 1 else value


_RELAXATIONS: tuple[Relaxation, ...] = (
    _runs, _copies, _one_of_several, _parts, _referred, _counts, _beside, _sums, _line_sums, _whole_model, _apart, _alike, _active,
    _multiples, _formats,
)  # fmt: skip
"""All that words may leave open."""
