"""Finds reasons why a number that differs from the model's may not be meant as it: it is denied, or is made of other numbers of the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

import sympy

from symparam.core.message import Message, message
from symparam.documents.checking.labelled_quantities import LabelledQuantity
from symparam.documents.checking.line_checker import LineChecker
from symparam.documents.gaps.arithmetic.stated_number import int_if_whole
from symparam.documents.roles.clauses import introduction
from symparam.documents.roles.labels import Label, read_label
from symparam.documents.roles.measurands import packed_format, says_batch
from symparam.documents.roles.measured_model import USUAL_SIZES, MeasuredModel
from symparam.documents.roles.recognising import RecognisedPart, is_stated
from symparam.documents.words import words

_FARTHEST = 400  # Characters before a number that may introduce it.
_LINE = 200  # Characters around a number that are read for its row or its calculation.
_DENIED = 18  # Characters before a number that may deny it.
_LEAST = 1_000  # Smaller numbers are the difference of two others by chance.
_TERMS = re.compile(r"(?<![\d,])\d[\d,]{3,20}(?:\s{0,3}\+\s{0,3}\d[\d,]{3,20}){1,8}\s{0,3}[=≈][\s*_$]{0,6}\Z")
_TERM = re.compile(r"\d[\d,]{3,20}")
_NUMBER = re.compile(r"(?<![\d,])\d[\d,]{0,20}(?<!,)(?!\d)")
_WORD_BEHIND = re.compile(r"[*_$`]{0,3} ?([^\W\d_]{2,12})")
_ADDED = re.compile(r"(?:\+|\bplus\b)\s{0,3}(\d[\d,]{0,20})(?<!,)(?!\d)", re.IGNORECASE)
_SENTENCE = re.compile(r"[.;!?](?=\s)|[。；！？]")
_PARAGRAPH = re.compile(r"\n\s{0,8}(?:\n|[-*•+|]\s|\d{1,2}[.)])")
_FACTORS = re.compile(
    r"(?<![\d,.])\d[\d,]{0,12}(?:\s{0,3}(?:[×·*x]|\\times|\\cdot)\s{0,3}\d[\d,]{0,12}){1,6}[\s$]{0,4}[=≈][\s*_$]{0,6}\Z"
)
_FACTOR = re.compile(r"\d[\d,]{0,12}")
_LARGEST_SIZE = 1_000_000  # A larger factor is a number of parameters.
_MOST_TIMES = 8  # A factor may be a small multiple of a size: 4H, 3I.
_BYTES = ("weights", "cache", "activations", "gradients", "optimizer")
_OF_RUNS = ("cache", "operations", "activations")
_COUNT = re.compile(r"(?<![\w.,])\d{1,5}(?![\w.,])")
_BESIDE = ("embeddings", "token-embedding", "position-embedding", "language-model-head", "final-norm", "pooler", "layers")
"""Parts beside the layers, and all layers, to which people add another part."""


def of_part(part: RecognisedPart, checker: LineChecker, measured: MeasuredModel) -> Message | None:
    """The reason why the number may not be that of the part: words that deny it, a format of less than a byte, a sum of which the part is a
    term, a noun that it counts instead of bytes, or a number above that it multiplies.
    """
    start, end = part.quantity.expression.start, part.quantity.expression.end
    if (change := of_change(checker.text, start, end, part.quantity.title)) is not None:
        return change
    before = checker.text[max(0, start - _LINE) : start].rpartition("\n")[2]
    said = packed_format(before + checker.text[start : end + _LINE].partition("\n")[0]) if part.measurand.measure in _BYTES else ""
    if said:
        return message("of-packed-format", said=said)
    if part.formula is not None:
        return None
    reasons = (
        _of_noun(part),
        _of_run(part),
        _of_trained(part, measured),
        _of_count(part, before, checker),
        denied(checker.text, start),
        _of_difference(checker.text, end),
        _of_batch(part, measured),
        _of_number_beside(part, before, checker),
        _of_sum(part, before, measured),
        _of_factors(before, measured),
    )
    return next(filter(None, reasons), None) or _of_multiple(part, checker, measured)


def of_change(text: str, start: int, end: int, title: str = "") -> Message | None:
    """Whether the sentence of the number, the one before it, what introduces its list, or the heading is about a model that is changed:
    ``Dropping the last 8 layers saves …``, ``With 384 pixels, the total becomes …``.
    """
    before = _SENTENCE.split(_PARAGRAPH.split(text[max(0, start - _FARTHEST) : start])[-1])[-2:]
    behind = _SENTENCE.split(text[end : end + _LINE].partition("\n")[0], maxsplit=1)[0]
    said = (f"{before[-1]} {behind}", *before[:-1], introduction(text, start), title)
    return message("of-changed-model") if any(map(words("changes").in_text, said)) else None


def _of_factors(before: str, measured: MeasuredModel) -> Message | None:
    """Whether it is the result of a product with a factor that is no size of the model: ``52,000 × 4096 =``."""
    product = _FACTORS.search(before)
    if product is None:
        return None
    sizes = {int(size) for size in measured.own_sizes if size > 1}
    usual = {size * times for size in sizes for times in (*range(1, _MOST_TIMES + 1), *sizes)}
    usual |= {size // times for size in sizes for times in range(1, _MOST_TIMES + 1)}
    for factor in _FACTOR.findall(product[0]) if sizes else ():
        value = int(factor.replace(",", ""))
        if _LEAST <= value < _LARGEST_SIZE and value not in usual:
            return message("of-other-factors", value=value, name=measured.architecture.class_name)
    return None


def of_right(part: RecognisedPart, sure: Sequence[RecognisedPart], measured: MeasuredModel) -> Message | None:
    """The reason why the right number is not known: neither the page nor the right numbers beside it tell its format, length or batch."""
    if part.right is None or part.formula is not None:
        return None
    return _of_format(part, sure) or _of_unknown_run(part, part.right.variant.length, part.right.size, sure, measured)


def _of_unknown_run(
    part: RecognisedPart, length: int, size: sympy.Expr, sure: Sequence[RecognisedPart], measured: MeasuredModel
) -> Message | None:
    setting, run = measured.setting, part.measurand.run
    told = {"B"} if setting.in_batches or run.batches or part.measurand.per == "per-sequence" else set[str]()
    told |= {"L", "S"} if setting.lengths or run.lengths or not length else set()
    told |= {str(letter) for each in sure for fit in each.fits if fit.variant.length == length for letter in fit.size.free_symbols}
    left = sorted({"L", "S", "B"} & {str(letter) for letter in size.free_symbols} - told)
    return message("of-unknown-run", letter=left[0]) if left else None


def _of_noun(part: RecognisedPart) -> Message | None:
    """Whether a number among bytes counts something else: ``18,432 numbers per token``."""
    literal, nouns = part.quantity.expression.literal, part.quantity.expression.nouns
    if part.measurand.measure not in _BYTES or (literal is not None and literal.unit is not None):
        return None
    counted = [noun for noun in nouns[:1] if not (words("per_one").is_one(noun) or words("short").is_one(noun))]
    return message("counts-noun", noun=counted[0]) if counted else None


def denied(text: str, start: int) -> Message | None:
    """Whether words directly before the number at ``start`` say that it is not right: ``Mixtral is not a 56B model``."""
    before = text[max(0, start - _DENIED) : start].rpartition("\n")[2]
    return message("denied") if words("denies").in_text(re.split(r"[\d,.;:，。；：]", before)[-1]) else None


def with_something_else(checker: LineChecker, difference: Fraction, parts: Iterable[int]) -> Message | None:
    """Whether a total is larger than the model's by a number that the page states for something other than its ``parts``, which are given
    by their places.
    """
    if difference < _LEAST:
        return None
    own = frozenset(parts)
    for each in checker.quantities.stated:
        if each.value == difference and each.expression.start not in own and not read_label(each.own_words).parts:
            return message("with-something-else", line=_line(checker, each), value=each.value)
    return None


def _of_difference(text: str, end: int) -> Message | None:
    """Whether the word directly after the number says that it is a difference: ``27,648 less``, ``7,680 more``."""
    word = _WORD_BEHIND.match(text, end)
    return message("difference") if word and (words("less").is_one(word[1]) or words("more").is_one(word[1])) else None


def added_behind(checker: LineChecker, start: int, stated: Fraction, right: Fraction) -> Message | None:
    """Whether the line adds what the total at ``start`` lacks, and arrives at the model's: ``85.8M, with the 0.8M of the head 86.6M``."""
    line = checker.text[start:].partition("\n")[0]
    behind = [each.value for each in checker.quantities.stated if start < each.expression.start < start + len(line)]
    return message("added-behind", value=right - stated) if right - stated in behind and right in behind else None


def _of_number_beside(part: RecognisedPart, before: str, checker: LineChecker) -> Message | None:
    """Whether its row has a number of what is not known, such as users or devices, by which it differs from what one of them takes."""
    if part.measurand.measure not in _OF_RUNS or not part.quantity.column:
        return None
    row = before + checker.text[part.quantity.expression.end :][:_LINE].partition("\n")[0]
    run = part.measurand.run
    numbers = {int(each) for each in _COUNT.findall(row)} - {1, *run.lengths, *run.batches}
    for each in part.candidates if numbers else ():
        times = part.stated / each.value if each.value and each.way == "whole" else Fraction(0)
        if times in numbers or (times and 1 / times in numbers):
            return message("of-number-beside", value=times if times > 1 else 1 / times)
    return None


def _of_format(part: RecognisedPart, sure: Sequence[RecognisedPart]) -> Message | None:
    """Whether it is the right number in a format that its own words do not exclude."""
    if part.measurand.measure not in ("weights", "gradients", "cache"):
        return None
    if part.measurand.formats and (part.measurand.measure == "cache" or not part.measurand.is_inherited):
        return None  # All that is cached has one format, but weights and gradients may differ.
    if any(fit.variant.bits for each in sure if not each.measurand.formats for fit in each.fits):
        return None  # The numbers beside it name no format, either, and have one.
    for each in part.candidates:
        for size in USUAL_SIZES if each.way == "whole" and each.variant.bits else ():
            if is_stated(part, replace(each, value=int_if_whole(Fraction(each.value) * 8 * size / each.variant.bits))):
                return message("of-other-format", bits=8 * size)
    return None


def _of_run(part: RecognisedPart) -> Message | None:
    return message("of-another-run") if part.is_of_another_run else None


def _of_trained(part: RecognisedPart, measured: MeasuredModel) -> Message | None:
    """Whether it may be only for what is trained: adapters rather than the model."""
    if part.measurand.measure not in ("gradients", "optimizer") or not measured.setting.trains_a_part:
        return None
    return message("of-what-is-trained")


def _of_count(part: RecognisedPart, before: str, checker: LineChecker) -> Message | None:
    """Whether it is calculated from a count that the page states elsewhere, and that is not one of the model: ``4,194,304 × 8 =``."""
    if part.measurand.measure not in _BYTES or part.measurand.measure == "cache" or (found := _FACTORS.search(before)) is None:
        return None
    factors = {value for each in _FACTOR.findall(found[0]) if (value := int(each.replace(",", ""))) >= _LEAST}
    own = {Fraction(each.value) * 8 / each.variant.bits for each in part.candidates if each.variant.bits}
    for each in checker.quantities.stated if factors else ():
        count = each.expression.exact
        if isinstance(count, int) and count in factors and count not in own:
            return message("multiple-of-count", count=count, line=_line(checker, each))
    return None


def _of_sum(part: RecognisedPart, before: str, measured: MeasuredModel) -> Message | None:
    said, added = ({Fraction(each.replace(",", "")) for each in pattern.findall(before)} for pattern in (_NUMBER, _ADDED))
    if any(each.value in said and part.stated - each.value in added for each in part.candidates):  # ``1,835,008, plus 256 biases``
        return message("term-of-sum")
    terms = _TERMS.search(before)
    if terms is None:
        return None
    values = {Fraction(each.replace(",", "")) for each in _TERM.findall(terms[0])}
    own = {Fraction(each.value) for each in part.candidates} & values
    left = values - own
    return message("term-of-sum") if own and left and left <= _sizes_beside(part, measured) else None


def _of_batch(part: RecognisedPart, measured: MeasuredModel) -> Message | None:
    """Whether it may be for a batch of unknown size, since it is a multiple of what one sequence takes."""
    if part.measurand.measure not in _OF_RUNS or not measured.setting.in_batches:
        return None
    if part.measurand.run.batches or says_batch(part.words):
        return None
    for each in part.candidates:
        times = part.stated / each.value if each.value and each.way == "whole" else Fraction(0)
        if times > 1 and times.denominator == 1:
            return message("of-batch", times=times.numerator)
    return None


def _of_multiple(part: RecognisedPart, checker: LineChecker, measured: MeasuredModel) -> Message | None:
    """Whether its label says how many times it has a number stated above, whatever that number counts: ``× 12 blocks``.

    A number without a label of its own may have it once for each layer, and one layer may be multiplied: ``6 with 4,195,840, i.e. …``.
    """
    section, start = part.quantity.section, part.quantity.expression.start
    near = [each for each in checker.quantities.stated if each.section == section and each.is_named]
    layers = {int(value) for letter, value in measured.values.items() if letter.startswith("N")}
    said = read_label(part.words)
    for count in part.label.numbers or (() if said.parts or said.measures else sorted(layers)):
        for each in reversed(near) if count > 1 else ():
            is_above = each.expression.end <= start
            if is_above and each.value == part.stated / count:
                return message("multiple-of-above", count=count, line=_line(checker, each))
            if not is_above and each.value == part.stated * count and "\n" not in checker.text[start : each.expression.start]:
                return message("multiplied-behind", count=count, value=each.value)
    return None


def _line(checker: LineChecker, quantity: LabelledQuantity) -> int:
    return checker.document.source.place(quantity.expression.start)[0]


def _sizes_beside(part: RecognisedPart, measured: MeasuredModel) -> set[Fraction]:
    """The sizes of the parts of the model that are neither inside this one nor within its layers."""
    labels = (Label((each,), "", "", (), (), False, False) for each in _BESIDE if each not in part.label.parts)
    return {Fraction(each.value) for label in labels for each in measured.candidates(part.measurand, "", label, in_letters=False)}
