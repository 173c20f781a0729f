"""Judges the numbers of parameters that sentences give for the model: ``GPT-2 has 124,439,808 parameters``, ``Total parameters: 124M``.

A number that words call the total, or ascribe to the model by name, is compared with the model. It holds under any of the usual ways of
counting: all parameters, those outside the embeddings, those that one token uses, with tied tensors counted twice, without the head, with
the other content of released files. A number that may be about a part, or about another model, is reported as undecided, so that none is
skipped silently.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial

from symparam.core.formula import Number
from symparam.core.message import Message, message
from symparam.documents.checking.claims.judged_claim import JudgedClaim
from symparam.documents.checking.entries.labelled_quantities import EVIDENT, LabelledQuantity, digits_of, last_clause
from symparam.documents.checking.finding import Finding, Verdict
from symparam.documents.checking.lines.line_checker import LineChecker
from symparam.documents.checking.sides.number_agreement import Judgement, judge_numbers
from symparam.documents.checking.sides.ranges import begins_range, is_one_of_a_list
from symparam.documents.checking.sides.unit_readings import ClaimSide
from symparam.documents.comparing.active_parameters import Active
from symparam.documents.comparing.named_model import NamedModel
from symparam.documents.gaps.arithmetic.stated_number import int_if_whole
from symparam.documents.gaps.modules.explain import explain_total
from symparam.documents.reading.sentences import sentence_end
from symparam.documents.roles.clauses import own_clause, words_behind
from symparam.documents.roles.exclusions import (
    excluded_labels,
    is_only_large_number,
    totals_without,
    without_exclusions,
    without_inclusions,
)
from symparam.documents.roles.labels import NO_LABEL, Label, read_label
from symparam.documents.roles.model_parts import ModelParts
from symparam.documents.words import run_words, words
from symparam.documents.words.scripts import either
from symparam.errors import FormulaError
from symparam.models.resolution import Resolved

_LEAST_DIGITS = 2  # Digits of a number that is the model's without some part.
_FARTHEST = 2  # A number that differs from the model's by more than this factor is about something else.
ROUNDED = Fraction(1, 20)  # People round both 109,482,240 and 108,310,272 to 110M.
_ROUNDED_MOST = Fraction(1, 4)  # A number of one digit that is farther off may be another one.
_LEAST_ADDED = 1_000  # Smaller numbers are the difference of two others by chance.
_LARGE = 1_000_000  # The least number that is hardly the model's by chance.
_END_OF_LINE = "\n"
_DIRECTLY = 3  # Words after a number that may call it active: ``46.7B parameters are active``.
_NEAR = 40  # Characters between a number and the word that says what it counts.
_CLAUSE_BEHIND = 60  # Characters after a number that may say which model it is about.
_END = re.compile(r"[.,;:!?]\s|[)）。；，：！？|\n]")
_SENTENCE = sentence_end("|")
_WHOLES = frozenset(("model", "transformer", "non-embedding", "embeddings", "token-embedding"))
"""Parts whose numbers are among the ways of counting a model."""


def judge_parameter_counts(
    checker: LineChecker, chosen: Resolved, judged: frozenset[int], twice: frozenset[int] = frozenset()
) -> Iterator[JudgedClaim]:
    """A finding on each number that words ascribe to the model; ``judged`` are the places of numbers already compared with it.

    ``twice`` are the places of the model's total with shared tensors counted twice, if the page means to count them once. A rounded total
    is that of another model, unless its sentence, its heading, or beside it this model's own number names this one.
    """
    model, active = NamedModel(chosen), Active(chosen)
    ways = {kind: count for kind, count in model.counts.items() if kind != "tied-twice" or not (twice or _counts_once(checker, model))}
    rows = Counter((each.section, each.words) for each in checker.quantities.stated if each.column)
    named = {each.section for each in checker.quantities.stated if model.is_named_in(each.words) and is_count(each, ways["parameters"])}
    for quantity in checker.quantities.stated:
        behind = _behind(checker, quantity)
        is_said = _counts_parameters(quantity, behind)
        if quantity.expression.start in judged or not (is_said or _is_called_total(quantity) or _is_evident(model, quantity)):
            continue
        sentence = _SENTENCE.split(quantity.words)[-1]
        is_whole = words("total").in_text(sentence) or words("total").in_text(behind)
        own = own_clause(sentence) or last_clause(sentence)
        is_own = words("whole_model").in_text(own) or model.is_named_in(own)  # ``As the head is shared, GPT-2 has …``
        is_part = any(_names_part(model, text) for text in (own if is_own else sentence, behind))
        around = (sentence, quantity.column, quantity.title, _right_behind(checker, quantity))
        meant_as_own = not any(map(model.is_another_in, around)) and not _is_added(checker, quantity)
        place = quantity.expression.start, quantity.expression.end
        is_named = model.is_named_in(sentence) or (not quantity.is_rounded and _is_of_named(checker, model, quantity))
        meant = (is_whole or is_named) and meant_as_own and not begins_range(checker.text, place[1])
        if quantity.column and rows[quantity.section, quantity.words] > 1:  # One of several columns is the model's.
            meant = False
        if words("active").in_text(" ".join((last_clause(quantity.words), quantity.column, _right_behind(checker, quantity)))):
            is_called = meant_as_own and _is_called_active(checker, quantity, active)
            found = active.judge(quantity.side, quantity.value, quantity.expression.exact is not None and meant_as_own, is_called)
            if found is not None:
                yield replace(_finding(checker, model, quantity, found), gap=partial(active.gap, quantity.value or Fraction(0)))
                continue
        added = extra_trained_parameters(checker, model.counts["parameters"], quantity.value)
        if added is not None and (meant or quantity.expression.exact is not None):
            reason = reason_with_extra(checker, count_reason(model, "parameters"), added)
            yield _finding(checker, model, quantity, Judgement(Verdict.HOLDS, "total", reason))
            continue
        is_near = not quantity.is_rounded or quantity.section in named or any(map(model.is_named_in, (sentence, quantity.title)))
        is_told = meant or (meant_as_own and _is_told_of_named(checker, model, quantity))
        found = _held(model, ways, quantity, is_part, is_told, meant, is_near and not is_one_of_a_list(checker.text, *place))
        if meant_as_own and quantity.expression.start in twice:
            said = Judgement(Verdict.WRONG, "wrong-total", count_reason(model, "parameters"))
            claim = _finding(checker, model, quantity, said)  # The surplus is known even if the number is rounded.
            yield replace(claim, gap=partial(explain_total, model.chosen, model.counts["tied-twice"], []))
            continue
        if found is not None and found.verdict is Verdict.HOLDS:
            found = judge_contradicted_exclusions(checker, model, *place, quantity.value) or found
        elif found is not None and meant:
            found = judge_with_exclusions(checker, model, *place, quantity.value) or found
        if found is not None and (is_said or found.verdict is Verdict.HOLDS):
            yield _finding(checker, model, quantity, found)


def is_count(quantity: LabelledQuantity, count: int) -> bool:
    """Whether the number is this count, in several digits."""
    try:
        found = judge_numbers(ClaimSide(Number(count), {}), quantity.side, "=")
    except FormulaError:
        return False
    return found.verdict is Verdict.HOLDS and digits_of(quantity.expression) >= EVIDENT


def _is_of_named(checker: LineChecker, model: NamedModel, quantity: LabelledQuantity) -> bool:
    """Whether words directly behind the number say that it is of the model: ``124,439,808 parameters in GPT-2 small``."""
    behind = _right_behind(checker, quantity)[quantity.expression.end - quantity.expression.start :].split()
    behind = behind[1:] if behind and words("parameters").in_text(behind[0]) else behind
    return bool(behind) and words("of_part").is_one(behind[0]) and model.is_named_in(" ".join(behind[1 : 1 + _DIRECTLY]))


def _is_told_of_named(checker: LineChecker, model: NamedModel, quantity: LabelledQuantity) -> bool:
    """Whether words behind a number of several digits, or the head of its column, name the model: ``the 124M-parameter GPT-2``."""
    near = (_right_behind(checker, quantity), quantity.column)
    if words("less").in_text(near[0]) or words("more").in_text(near[0]):
        return False  # ``124M fewer parameters than GPT-2``
    return digits_of(quantity.expression) >= EVIDENT and any(map(model.is_named_in, near))


def _is_evident(model: NamedModel, quantity: LabelledQuantity) -> bool:
    """Whether a number is the model's to the digit and so large that no word has to say what it counts."""
    exact = quantity.expression.exact
    return exact is not None and exact >= _LARGE and exact == model.counts["parameters"]


def _is_called_active(checker: LineChecker, quantity: LabelledQuantity, active: Active) -> bool:
    """Whether the words directly beside the number call it active, and its line states no other number that is: ``46.7B are active``."""
    start, end = quantity.expression.start, quantity.expression.end
    said = re.split(r"\d", checker.text[max(0, start - _NEAR) : start].rpartition("\n")[2])[-1]
    behind = f"{' '.join(quantity.expression.nouns)} {checker.text[end : end + _NEAR].partition(_END_OF_LINE)[0]}".split()[:_DIRECTLY]
    is_before = words("active").in_text(said) and not words("and").in_text(said)
    if words("out_of").in_text(said) or not (is_before or words("active").in_text(" ".join(behind))):
        return False  # ``27.6% of the 46.7B parameters are active``
    line, last = checker.text.rfind(_END_OF_LINE, 0, start) + 1, checker.text.find(_END_OF_LINE, end)
    beside = (each.value for each in checker.quantities.numbers.between(line, last if last >= 0 else len(checker.text)))
    return not any(value and abs(value / count - 1) <= ROUNDED for value in beside for count in active.counts[:1])


def judge_with_exclusions(checker: LineChecker, model: NamedModel, start: int, end: int, stated: Fraction | None) -> Judgement | None:
    """The judgement on a number that differs from the model's, if its sentence leaves parts out: it holds if it is the total without them,
    and is undecided if they are not known; None if nothing is left out, or it differs from the total without them, too.
    """
    left = excluded_labels(checker.text, start, end)
    if not left:
        return None
    totals, said = _totals_without(model, left), count_reason(model, "parameters")
    if totals is None:
        return Judgement(Verdict.UNDECIDED, "unclear-subject", message("of-what-is-unclear", said=said))
    if stated not in totals:
        return None
    return Judgement(Verdict.HOLDS, "total", message("counted-so", said=said, kind=message("kind-left-out")))


def judge_contradicted_exclusions(
    checker: LineChecker, model: NamedModel, start: int, end: int, stated: Fraction | None
) -> Judgement | None:
    """The judgement on the model's whole number in a sentence that leaves out parts which the model has: undecided, as the words may be
    about another number, or another model.
    """
    is_whole = stated == model.counts["parameters"] and is_only_large_number(checker.text, start, end)
    left = excluded_labels(checker.text, start, end) if is_whole else ()
    totals = _totals_without(model, left) if left else None
    if not totals or stated in totals:
        return None
    return Judgement(Verdict.UNDECIDED, "unclear-subject", message("of-what-is-unclear", said=count_reason(model, "parameters")))


def without_biases(model: NamedModel, *parts: str) -> tuple[int | Fraction, ...]:
    """The totals without biases, of all modules and of all but the norms, and without these ``parts``."""
    return _totals_without(model, (replace(NO_LABEL, tensors="biases"), *(replace(NO_LABEL, parts=(each,)) for each in parts))) or ()


def without_norms(model: NamedModel) -> tuple[int | Fraction, ...]:
    """The total without norms."""
    return _totals_without(model, (replace(NO_LABEL, parts=("norm",)),)) or ()


def _totals_without(model: NamedModel, left: tuple[Label | None, ...]) -> tuple[int | Fraction, ...] | None:
    tensors = ModelParts.of_tensors(model.chosen.model.architecture, model.chosen.model.values)
    return totals_without(tensors, model.counts["parameters"], left)


def _is_added(checker: LineChecker, quantity: LabelledQuantity) -> bool:
    """Whether words before the number say that it is a difference: ``adds 77M parameters``."""
    start = quantity.expression.start
    before = last_clause(checker.text[max(0, start - _NEAR) : start].rpartition("\n")[2])
    return words("adds").in_text(before) or words("less").in_text(before)


def _right_behind(checker: LineChecker, quantity: LabelledQuantity) -> str:
    """The number with the rest of its clause or bracket."""
    start, end = quantity.expression.start, quantity.expression.end
    return checker.text[start:end] + _END.split(checker.text[end : end + _CLAUSE_BEHIND], 1)[0]


def extra_trained_parameters(checker: LineChecker, right: int | Fraction, stated: Fraction | None) -> LabelledQuantity | None:
    """The number that the page calls trained beside the model, such as that of its adapters, and that ``stated`` counts as well."""
    if stated is None or stated - right < _LEAST_ADDED:
        return None
    every = checker.quantities.numbers.of_value(stated - right)
    return next((each for each in every if words("added").in_text(each.words + each.column)), None)


def reason_with_extra(checker: LineChecker, said: Message, added: LabelledQuantity) -> Message:
    """The reason for a total that includes what is trained beside the model."""
    line = checker.document.source.place(added.expression.start)[0]
    return message("with-added", said=said, line=line, added=int_if_whole(added.value or 0))


def _names_part(model: NamedModel, text: str) -> bool:
    """Whether the words name a part of a model, other than those that it includes or leaves out."""
    text = without_inclusions(without_exclusions(text))[0]
    return words("part").in_text(text) or bool(set(read_label(model.without_name(text)).parts) - _WHOLES)


def _counts_parameters(quantity: LabelledQuantity, behind: str) -> bool:
    """Whether the number is large enough, and words beside it say that it counts parameters."""
    unit = quantity.expression.literal.unit if quantity.expression.literal else None
    if not quantity.is_named or (unit is not None and unit.counted) or quantity.value is None or quantity.value.denominator != 1:
        return False
    before = "" if _counts_tokens(behind.strip()) else _SENTENCE.split(quantity.words)[-1]
    return any(words("parameters").in_text(text) for text in (behind[:_NEAR], before[-_NEAR:]))


def _counts_tokens(behind: str) -> bool:
    """Whether the words after a number say that it counts tokens: ``300B tokens``, ``300B training tokens``."""
    said = either(run_words()["tokens"]).search(behind)
    return said is not None and read_label(behind[: said.start()]) in (NO_LABEL, replace(NO_LABEL, work="training"))


def _is_called_total(quantity: LabelledQuantity) -> bool:
    """Whether the number has no unit and its words call it a total, which may be one of parameters."""
    unit = quantity.expression.literal.unit if quantity.expression.literal else None
    is_plain = quantity.is_named and not (unit is not None and unit.counted)
    return is_plain and words("total").at_either_end(quantity.own_words, words("before_total"))


def _behind(checker: LineChecker, quantity: LabelledQuantity) -> str:
    """What the number counts, and the words of its clause after that."""
    counted = " ".join(quantity.expression.nouns)
    return counted or ("" if quantity.column else words_behind(checker.text, quantity.expression.end))


def says_of_ties(checker: LineChecker) -> bool:
    """Whether the page says anything about tensors that are shared, or are not."""
    return words("not_counted").in_text(checker.text) or words("untied").in_text(checker.text)


def _counts_once(checker: LineChecker, model: NamedModel) -> bool:
    """Whether the page says that tensors are shared, and does not state the total that counts them once beside another one."""
    is_said = words("not_counted").in_text(checker.text) and not words("untied").in_text(checker.text)
    return is_said and not checker.quantities.numbers.of_value(Fraction(model.counts["parameters"]))


def _held(
    model: NamedModel, ways: Mapping[str, int], quantity: LabelledQuantity, is_part: bool, is_told: bool, meant: bool, is_near: bool
) -> Judgement | None:
    """The judgement on the number under each of the ``ways``; None if it is too large. It can hold if words near it tell that it is the
    model's, and be wrong only if that is ``meant`` by its own words and it ``is_near``.
    """
    right = model.counts["parameters"]
    sign = "≈" if words("about").in_text(quantity.words[-20:]) else "="
    failed: Judgement | None = None
    for kind, count in ways.items():
        if is_part and kind == "parameters" and quantity.expression.exact != count:
            continue  # ``Together with the final LayerNorm it has 124,439,808``
        try:
            found = judge_numbers(ClaimSide(Number(count), {}), quantity.side, sign)
        except FormulaError:
            return None
        several = kind == "parameters" and digits_of(quantity.expression) > EVIDENT
        if found.verdict is Verdict.HOLDS and (meant or several or quantity.side.digits == 0 or (is_told and kind == "parameters")):
            if kind != "parameters" and digits_of(quantity.expression) < _LEAST_DIGITS:  # One of many ways of counting is 7B by chance.
                return Judgement(Verdict.UNDECIDED, "unclear-subject", message("of-what-is-unclear", said=count_reason(model, kind)))
            if quantity.value is not None and abs(quantity.value / count - 1) > _ROUNDED_MOST:  # 2B rounds 1.56B, and 2.1B as well.
                return Judgement(Verdict.UNDECIDED, "unclear-rounding", message("may-be-rounded", said=count_reason(model, kind)))
            return Judgement(Verdict.HOLDS, "total", count_reason(model, kind), found.left, found.right)
        failed = failed or found
    value = quantity.value
    said = count_reason(model, "parameters")
    is_sure = failed is not None and meant and is_near and not is_part
    if failed is None or not is_sure or value is None or not Fraction(right, _FARTHEST) <= value <= right * _FARTHEST:
        return Judgement(Verdict.UNDECIDED, "unclear-subject", message("of-what-is-unclear", said=said))
    if quantity.is_rounded and abs(value / right - 1) <= ROUNDED:
        return Judgement(Verdict.UNDECIDED, "unclear-rounding", message("may-be-rounded", said=said))
    return Judgement(Verdict.WRONG, "wrong-total", said, failed.left, failed.right)


def count_reason(model: NamedModel, kind: str) -> Message:
    """The reason: the model's full count, and what the number counts if that is another."""
    chosen, total = model.chosen.model, model.counts[kind]
    name, origin = chosen.architecture.class_name, chosen.origin
    said = message("has-with-values-of", name=name, total=total, origin=origin) if origin else message("has", name=name, total=total)
    return said if kind == "parameters" else message("counted-so", said=said, kind=message(f"kind-{kind}"))


def _finding(checker: LineChecker, model: NamedModel, quantity: LabelledQuantity, found: Judgement) -> JudgedClaim:
    expression = quantity.expression
    text = checker.record.text_of(expression)
    left = message("parameters-of", name=model.chosen.model.architecture.class_name)
    finding = Finding(expression.start, expression.end, expression.start, text, left, text, "=", found.verdict, found.code, found.reason)
    if expression.exact is None or quantity.value is None:  # The difference of a rounded number cannot be explained.
        return JudgedClaim(finding)
    return JudgedClaim(finding, gap=partial(explain_total, model.chosen, int_if_whole(quantity.value), []))
