"""Values that a number may have by other numbers near it: a sum or a multiple of them, or the same for as many things as its row says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import accumulate
from math import prod

from symparam.core.message import Message, message
from symparam.documents.checking.entries.labelled_quantities import LabelledQuantity, digits_of, last_clause
from symparam.documents.comparing.measured_model import UNITS
from symparam.documents.comparing.number_wording import IN_FORMATS, OF_RUNS, READ_BEHIND, Relaxation, Wording, whole
from symparam.documents.roles.labels import Label, read_label
from symparam.documents.roles.part_candidates import Amount
from symparam.documents.words import words

_LEAST = 1_000  # The least factor of a calculation that is a count of parameters.
_PASSES = 3  # The forward pass of a training step, and the backward one, which takes twice as much.
_MANY_DIGITS = 5  # Digits of a number that is hardly the sum of others by chance.
_BESIDE = (
    "embeddings", "token-embedding", "position-embedding", "language-model-head", "final-norm", "pooler", "layers",
    "attention", "cross-attention", "feed-forward", "experts",
)  # fmt: skip
"""Parts beside the layers, all layers, and what a layer consists of, to which people add another part."""
_TIMES = r"\s{0,3}(?:[×·*x]|\\times|\\cdot)\s{0,3}"
_TERM = rf"\d[\d,]{{0,20}}(?:{_TIMES}\d[\d,]{{0,20}}){{0,3}}"
_TERMS = re.compile(rf"(?<![\d,.×·*]){_TERM}(?:\s{{0,3}}\+\s{{0,3}}{_TERM}){{1,8}}\s{{0,3}}[=≈][\s*_$]{{0,6}}\Z")
_NUMBER = re.compile(r"(?<![\d,])\d[\d,]{0,20}(?<!,)(?!\d)")
_ADDED = re.compile(r"(?:\+|\bplus\b)\s{0,3}(\d[\d,]{0,20})(?<!,)(?!\d)", re.IGNORECASE)
_COUNT = re.compile(r"(?<![\w.,])\d{1,5}(?![\w.,])")
_PRODUCT = re.compile(r"(?<![\d,.])\d[\d,]{0,12}(?:\s{0,3}(?:[×·*x]|\\times|\\cdot)\s{0,3}\d[\d,]{0,12}){1,6}[\s$]{0,4}[=≈][\s*_$]{0,6}\Z")
_FACTOR = re.compile(r"\d[\d,]{0,12}")


def _beside(wording: Wording) -> Iterator[tuple[Amount, Message]]:
    """For as many of something that is not known, such as users or devices, as its row says."""
    part = wording.part
    if part.measurand.measure not in OF_RUNS or not part.quantity.column:
        return
    row = f"{wording.before}{wording.behind}"[:READ_BEHIND]
    run = part.measurand.run
    for times in {int(each) for each in _COUNT.findall(row)} - {0, 1, *run.lengths, *run.batches}:
        for each in wording.wholes:
            for value in (Fraction(each.value) * times, Fraction(each.value) / times):
                yield whole(value), message("of-number-beside", value=times)


def _sums(wording: Wording) -> Iterator[tuple[Amount, Message]]:
    """With something that its line adds: ``1,835,008, plus 256 biases``; bytes that its line sums up may be of several measures."""
    part = wording.part
    said, added = ({Fraction(each.replace(",", "")) for each in pattern.findall(wording.before)} for pattern in (_NUMBER, _ADDED))
    for each in part.candidates if added else ():
        if each.value in said:
            yield from ((whole(each.value + other), message("term-of-sum")) for other in added)
    if (terms := _TERMS.search(wording.before)) is not None:
        values = {_product(each) for each in terms[0].split("+")}
        own = {Fraction(each.value) for each in part.candidates} & values
        if own and values - own and max(values - own) in _sizes_beside(wording):
            yield whole(wording.stated), message("term-of-sum")
    says_all = part.label.scope == "in-all" and not part.label.parts
    says_all = says_all or words("total").in_text(f"{last_clause(part.words)} {wording.clause_behind}")
    if part.measurand.measure in IN_FORMATS and says_all:
        above = [*accumulate(reversed(_column_above(wording) if part.quantity.column else _addends(wording)))]
        yield from ((whole(each), message("term-of-sum")) for each in above[1:])


def _product(term: str) -> Fraction:
    """The value of a term of a sum: a number, or a product of some."""
    return prod((Fraction(each.replace(",", "")) for each in _FACTOR.findall(term)), start=Fraction(1))


def _column_above(wording: Wording) -> list[Fraction]:
    """The numbers of its column above it."""
    quantity = wording.part.quantity
    column = (each for each in wording.checker.quantities.numbers.near(quantity) if each.column == quantity.column)
    return [each.value for each in column if each.value is not None and each.expression.start < wording.start]


def _line_sums(wording: Wording) -> Iterator[tuple[Amount, Message]]:
    """The sum of the numbers of its line, if its own clause names no part: ``together 176,160,768 per layer``."""
    if wording.part.quantity.column or read_label(last_clause(wording.part.words)).parts:
        return
    line = _addends(wording)
    for count in range(2, len(line) + 1):
        yield whole(sum(line[-count:], Fraction(0))), message("term-of-sum")


def _addends(wording: Wording) -> list[Fraction]:
    """The numbers of its line before it, without those of many digits that are the sum of the ones before them."""
    found: list[Fraction] = []
    for each in _quantities_before(wording):
        sums = {sum(found[-count:]) for count in range(2, len(found) + 1)}
        is_sum = each.value in sums and digits_of(each.expression) >= _MANY_DIGITS
        if each.value is not None and each.value > _LEAST and not is_sum:
            found.append(each.value)
    return found


def _quantities_before(wording: Wording) -> list[LabelledQuantity]:
    """The numbers of its line before it."""
    return [*wording.checker.quantities.numbers.between(wording.start - len(wording.before), wording.start)]


def _multiples(wording: Wording) -> Iterator[tuple[Amount, Message]]:
    """As many times a number that is stated above, whatever it counts, as its label says: ``× 12 blocks``.

    A number without a label of its own may have it once for each layer, and one layer may be multiplied: ``6 with 4,195,840, i.e. …``.
    """
    part, checker = wording.part, wording.checker
    near = [each for each in checker.quantities.numbers.near(part.quantity) if each.is_named and each.value is not None]
    near = [each for each in near if _counted(part.quantity) in ("", _counted(each))]
    layers = {int(value) for letter, value in wording.measured.values.items() if letter.startswith("N")}
    said = read_label(part.words)
    is_measured = said.measures or part.measurand.measure in OF_RUNS  # A cache of 16 sequences is not that of 16 layers.
    says_layers = part.label.scope == "in-all" and {"layer", "layers"}.issuperset(part.label.parts)
    for count in part.label.numbers or (() if (said.parts or is_measured) and not says_layers else sorted(layers)):
        for each in reversed(near) if count > 1 else ():
            value = each.value or Fraction(0)
            if count in layers and _is_one_layer(part.label):
                continue  # That all layers have as many times its number confirms that it is for one.
            if each.expression.end <= wording.start:
                yield whole(value * count), message("multiple-of-above", count=count, line=wording.line_of(each))
            elif "\n" not in checker.text[wording.start : each.expression.start]:
                yield whole(value / count), message("multiplied-behind", count=count, value=value)


def _is_one_layer(label: Label) -> bool:
    """Whether words say that it is one layer, and not a part of one: ``A layer has 3,771,648``."""
    return label.scope == "in-layer" and {*label.parts} <= {"layer"}


def _passes(wording: Wording) -> Iterator[tuple[Amount, Message]]:
    """The operations of training, or of one token, by another number of its section, if its words name no part: three times a pass, or a
    part of a sequence.
    """
    part = wording.part
    if part.measurand.measure != "operations" or read_label(part.words).parts:
        return
    factors = {Fraction(_PASSES)} if part.measurand.work == "training" else set[Fraction]()
    if part.measurand.per == "per-token":
        factors |= {Fraction(1, each) for each in (*part.measurand.run.lengths, *wording.measured.setting.lengths)}
    before = (each for each in wording.checker.quantities.numbers.near(part.quantity) if each.expression.end <= wording.start)
    for each in before if factors else ():
        if each.value and _counted(each) in UNITS:
            for factor in factors:
                yield whole(each.value * factor), message("calculated-from", value=each.value, line=wording.line_of(each))


def _counted(quantity: LabelledQuantity) -> str:
    """What the unit of a number counts: bytes, or nothing for parameters."""
    literal = quantity.expression.literal
    return literal.unit.counted if literal is not None and literal.unit is not None else ""


def _counts(wording: Wording) -> Iterator[tuple[Amount, Message]]:
    """The bytes of another number of parameters, which the page states elsewhere: ``4,194,304 × 8 =``."""
    part = wording.part
    if part.measurand.measure not in (*IN_FORMATS, "activations") or part.measurand.measure == "cache":
        return
    if (found := _PRODUCT.search(wording.before)) is None:
        return
    factors = {value for each in _FACTOR.findall(found[0]) if (value := int(each.replace(",", ""))) >= _LEAST}
    own = {Fraction(each.value) * 8 / each.variant.bits for each in part.candidates if each.variant.bits}
    for each in (each for count in sorted(factors - own) for each in wording.checker.quantities.numbers.of_value(Fraction(count))):
        if each.expression.exact is not None:
            yield whole(wording.stated), message("multiple-of-count", count=each.expression.exact, line=wording.line_of(each))


def _sizes_beside(wording: Wording) -> set[Fraction]:
    """The sizes of the parts of the model that are neither inside this one nor within its layers."""
    labels = (Label((each,), "", "", (), (), False, False) for each in _BESIDE if each not in wording.part.label.parts)
    return {Fraction(each.value) for label in labels for each in wording.labelled(label)}


BY_OTHER_NUMBERS: tuple[Relaxation, ...] = (_counts, _beside, _sums, _line_sums, _multiples, _passes)
"""All that numbers near it may leave open."""
