"""Judges percentages that a page gives for parts of its model: ``70 % of all parameters are in the MLPs``, ``1.05B, 13 % of the model``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from symparam.core.frozen import frozen
from symparam.core.message import Message, message
from symparam.documents.checking.claims.judged_claim import JudgedClaim
from symparam.documents.checking.entries.labelled_quantities import LabelledQuantity, is_percent, last_clause
from symparam.documents.checking.finding import Finding, Verdict
from symparam.documents.checking.lines.line_checker import LineChecker
from symparam.documents.checking.sentences.shares import Share, share_of
from symparam.documents.checking.sides.chance import is_unlikely
from symparam.documents.comparing.named_model import NamedModel
from symparam.documents.comparing.objections import denied, of_change
from symparam.documents.comparing.page_labels import read_page_label
from symparam.documents.reading.sentences import sentence_end
from symparam.documents.roles.exclusions import excluded_labels
from symparam.documents.roles.labels import Label, read_label
from symparam.documents.roles.model_parts import ModelParts
from symparam.documents.roles.part_candidates import PartCandidate
from symparam.documents.words import words
from symparam.models.resolution import Resolved

_LEAST = 1_000  # A smaller number before a percentage is hardly a number of parameters.
_NEAR = 60  # Characters between a number and its percentage.
_BEHIND = re.compile(r"[^\n.;:，。；：、()（）|=≈+×*<>\d]{0,70}")
_WHOLE_PARTS = frozenset(("model", "transformer", "parameters"))
_OFF = Fraction(3, 100)  # A percentage that differs by less may be rounded, or of a total that is counted in another way.
_ENDS = sentence_end("\n|")
_OTHER_WHOLE = ("layer", "layers", "encoder", "decoder", "non-embedding", "attention", "feed-forward", "experts")


@frozen
class _Said:
    """What the words around a percentage say: the label of its part, the words behind it, and whether these name the whole model."""

    label: Label
    behind: Label
    of_model: bool

    @property
    def is_read(self) -> bool:
        return not (self.label.rest or self.behind.rest or self.label.other or self.behind.other)


_TIME = re.compile(r"(?<![\w.])\d[\d.,]{0,8} ?(?:ns|[uµμ]s|ms|s)(?![\w/])")


def judge_shares(checker: LineChecker, chosen: Resolved, taken: frozenset[int], fits: Sequence[bool]) -> Iterator[JudgedClaim]:
    """The verdicts on percentages of the page that are shares of the model's parameters, except those at the places in ``taken``.

    ``fits`` says of each exact number of the page whether the model has it; if it has none, no percentage is wrong.
    """
    is_of_another = bool(fits) and not any(fits)
    stated = checker.quantities.stated
    shares = [each for each in stated if is_percent(each.expression) and each.expression.start not in taken]
    if not shares or not chosen.model.architecture.letters <= chosen.model.values.keys():
        return
    model, parts = NamedModel(chosen), ModelParts.of_tensors(chosen.model.architecture, chosen.model.values)
    for quantity in shares:
        found = _judged(checker, quantity, model, parts)
        if found is not None and not (is_of_another and found.finding.verdict is Verdict.WRONG):
            yield found


def _judged(checker: LineChecker, quantity: LabelledQuantity, model: NamedModel, parts: ModelParts) -> JudgedClaim | None:
    said = _said(checker.text, quantity, model)
    sentence = _ENDS.split(quantity.words)[-1]
    if any(read_label(text).measures for text in (sentence, quantity.column, quantity.title)) or said.behind.measures:
        return None  # A share of operations or bytes.
    if _TIME.search(f"{quantity.title} {sentence}"):
        return None  # A share of time, as in a profile.
    named = {*said.label.parts, *said.behind.parts} - _WHOLE_PARTS
    number = None if named else _number_before(checker, quantity)
    wholes = [Fraction(each) for each in model.counts.values()]
    if number is not None and number.value is not None:
        return _of_number(checker, quantity, number, wholes, said, model)
    label = said.label.under(replace(said.behind, rest=()))
    label = replace(label, parts=tuple(part for part in label.parts if part not in _WHOLE_PARTS), numbers=())
    candidates = [each for each in parts.candidates("", replace(label, scope="")) if each.value > 0] if label.parts else []
    in_layer = _layer_totals(parts)
    fits = next(filter(None, (_fit(checker, quantity, each, _of(each, wholes, in_layer)) for each in candidates)), None)
    literal = quantity.expression.literal
    digits = Fraction(literal.value if literal is not None else 0)
    if fits is not None and said.label.rest and not (said.of_model or is_unlikely(digits, len(candidates) * len(wholes))):
        return None  # ``The gate fails if the overlap exceeds 0.1 %``
    if fits is not None:
        candidate, total = fits
        return _claim(checker, quantity, Verdict.HOLDS, _reason(model, candidate, total))
    whole = next((each for each in candidates if each.way == "whole" and each.scope in ("", "in-all")), None)
    if whole is None or len(label.parts) > 1 or not (said.is_read and said.of_model):
        return None
    near = any(_is_near(quantity, Fraction(each.value), total) for each in candidates for total in _of(each, wholes, in_layer))
    if near or _doubt(checker, quantity, model):
        return None
    return _claim(checker, quantity, Verdict.WRONG, _reason(model, whole, wholes[0]))


def _said(text: str, quantity: LabelledQuantity, model: NamedModel) -> _Said:
    before = last_clause(quantity.words)
    match = _BEHIND.match(text, quantity.expression.end)
    behind = match[0] if match else ""
    label, after = read_page_label(before, model), read_page_label(behind, model)
    if after.parts and label.parts:  # ``MLPs are 60 % of a layer``
        return _Said(label, replace(after, parts=()), set(after.parts) <= _WHOLE_PARTS)
    tells = any(words("parameters").in_text(each) or words("total").in_text(each) for each in (before, behind))
    of_model = tells or "model" in behind.lower()
    return _Said(label, after, of_model and not any(each in after.parts for each in _OTHER_WHOLE if label.parts))


def _number_before(checker: LineChecker, quantity: LabelledQuantity) -> LabelledQuantity | None:
    """The number of parameters directly before the percentage, in the same sentence."""
    start, found = quantity.expression.start, None
    for each in checker.quantities.stated:
        if each.expression.end > start:
            break
        found = each
    if found is None or start - found.expression.end > _NEAR or _ENDS.search(checker.text, found.expression.end, start):
        return None
    unit = found.expression.literal.unit if found.expression.literal else None
    if is_percent(found.expression) or (unit is not None and unit.counted) or (found.value or 0) < _LEAST:
        return None
    return found


def _of_number(
    checker: LineChecker,
    quantity: LabelledQuantity,
    number: LabelledQuantity,
    wholes: Sequence[Fraction],
    said: _Said,
    model: NamedModel,
) -> JudgedClaim | None:
    value = number.value or Fraction(0)
    found = share_of(Share(value, "", quantity.expression), wholes)
    if found is not None and quantity.value:  # Nearly every number is 0 % of a model.
        return _claim(checker, quantity, Verdict.HOLDS, _reason_of_number(model, value, found[0]))
    is_part = value <= max(wholes)  # A larger number is of another model.
    if not (is_part and said.is_read and said.of_model) or any(_is_near(quantity, value, each) for each in wholes):
        return None
    if _doubt(checker, quantity, model) or _is_of_another_number(checker, quantity, number):
        return None
    return _claim(checker, quantity, Verdict.WRONG, _reason_of_number(model, value, wholes[0]))


def _is_of_another_number(checker: LineChecker, quantity: LabelledQuantity, number: LabelledQuantity) -> bool:
    """Whether the number may be this share of another one on the page, as a profile has of a model of its own: ``1.28 M, 98.73 %``."""
    stated, last = quantity.value or Fraction(0), _last_digit(quantity)
    if stated <= last:
        return True  # It may be a share of anything.
    low, high = _rounded_from(number)
    least, most = low / (stated + last), high / (stated - last)
    others = (each for each in checker.quantities.stated if each.is_named and (each.value or 0) >= (number.value or 0))
    return any(one <= most and least <= other for one, other in map(_rounded_from, others))


def _rounded_from(quantity: LabelledQuantity) -> tuple[Fraction, Fraction]:
    """The bounds of what a number may have been rounded from."""
    value, literal = quantity.value or Fraction(0), quantity.expression.literal
    scale = literal.unit.senses[0] if literal is not None and literal.unit is not None else Fraction(1)
    half = Fraction(literal.last_digit) * scale / 2 if literal is not None else Fraction(0)
    return value - half, value + half


def _layer_totals(parts: ModelParts) -> list[Fraction]:
    found = parts.candidates("", Label(("layer",), "in-layer", "", (), (), False, False))
    return [Fraction(each.value) for each in found if each.way in ("whole", "without-norms", "matrices")]


def _of(candidate: PartCandidate, wholes: Iterable[Fraction], in_layer: Iterable[Fraction]) -> list[Fraction]:
    """The totals of which the candidate may be a share: of all layers, of the model; of one layer, of that layer."""
    return [*wholes] if candidate.scope in ("", "in-all") else [*in_layer]


def _fit(
    checker: LineChecker, quantity: LabelledQuantity, candidate: PartCandidate, totals: Iterable[Fraction]
) -> tuple[PartCandidate, Fraction] | None:
    found = share_of(Share(Fraction(candidate.value), "", quantity.expression), totals)
    return (candidate, found[0]) if found is not None else None


def _is_near(quantity: LabelledQuantity, value: Fraction, total: Fraction) -> bool:
    stated = quantity.value
    return stated is None or (total > 0 and abs(stated - value / total) <= max(_OFF, 2 * _last_digit(quantity)))


def _last_digit(quantity: LabelledQuantity) -> Fraction:
    literal = quantity.expression.literal
    return Fraction(literal.last_digit, 100) if literal is not None else Fraction(1, 100)


def _doubt(checker: LineChecker, quantity: LabelledQuantity, model: NamedModel) -> bool:
    """Whether the sentence or a heading names another model, or the sentence denies the percentage, changes the model, or leaves a part
    out.
    """
    start, end = quantity.expression.start, quantity.expression.end
    if any(map(model.is_another_in, (_ENDS.split(quantity.words)[-1], quantity.title, *quantity.headings))):
        return True
    changed = of_change(checker.text, start, end, quantity.title) or denied(checker.text, start)
    return changed is not None or bool(excluded_labels(checker.text, start, end))


def _reason(model: NamedModel, candidate: PartCandidate, total: Fraction) -> Message:
    where = message(f"scope-{candidate.scope}", paths=candidate.paths) if any(candidate.paths) else message("as-a-whole")
    name = model.chosen.model.architecture.class_name
    return message(
        "part-share", name=name, count=candidate.value, where=where, total=total, share=_percent(Fraction(candidate.value) / total)
    )


def _reason_of_number(model: NamedModel, value: Fraction, total: Fraction) -> Message:
    name = model.chosen.model.architecture.class_name
    return message("number-share", name=name, count=value, total=total, share=_percent(value / total))


def _percent(share: Fraction) -> str:
    hundredths = round(share * 10_000)
    return f"{hundredths // 100}.{hundredths % 100:02}"


def _claim(checker: LineChecker, quantity: LabelledQuantity, verdict: Verdict, reason: Message) -> JudgedClaim:
    expression = quantity.expression
    text = checker.record.text_of(expression)
    code = "component" if verdict is Verdict.HOLDS else "wrong-component"
    place = expression.start, expression.end, expression.start
    return JudgedClaim(Finding(*place, text, last_clause(quantity.words).strip(), text, "=", verdict, code, reason))
