"""Finds quantities of a page about a model that have no verdict yet, so that none is skipped, and notices a model that does not fit."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate

from symparam.core.dimensions import BY_LETTER
from symparam.core.message import Message, message
from symparam.documents.checking.claims.judged_claim import JudgedClaim
from symparam.documents.checking.entries.labelled_quantities import LabelledQuantity
from symparam.documents.checking.entries.list_entry import ListEntry
from symparam.documents.checking.finding import Finding, Verdict
from symparam.documents.checking.lines.line_checker import LineChecker
from symparam.documents.comparing.named_model import NamedModel
from symparam.documents.roles.clauses import STATED, words_behind
from symparam.documents.roles.labels import NO_LABEL, Label, read_label
from symparam.documents.roles.model_names import places_of_names
from symparam.documents.roles.runs import without_setting
from symparam.documents.words import words
from symparam.documents.words.scripts import is_unspaced
from symparam.models.resolution import Resolved

_A_NUMBER = re.compile(r"\W*\d[\d.,]*\s?(?:[KMBT]|million|billion)?\W*")  # A formula in letters needs no sizes.
_LEAST = 1_000  # A smaller number is hardly the total of a model.
_LEAST_SCALE = 10_000  # The least scale of a number that may count parameters although no word says so: ``positions have 0.8M``.
_LARGE = 1_000_000  # The least number without a scale that may count parameters although no word says so.
_LEAST_ALL = 3  # The numbers that have to differ before the model is doubted.
_MOST_WORDS = 4  # Words that a reason quotes.
_MEASURED = ("bytes", "FLOPs", "MACs")
_BEFORE = 30  # Characters before a number that may set a letter to it.
_OPTION = re.compile(r"\s--?[a-z]{1,12}[ =][A-Za-z]{1,2}=\Z")
"""An option of a command that sets a letter: ``-w L=1024``."""
_NOUN = re.compile(r"[*_$`]{0,3} ?[^\W\d_]{2,20}")


def without_verdict(
    checker: LineChecker, chosen: Resolved, judged: Iterable[JudgedClaim], quantities: Iterable[LabelledQuantity], is_given: bool
) -> Iterator[JudgedClaim]:
    """A finding on each of the quantities that is in none of the claims in ``judged`` and that the page calls a total, or that counts
    parameters, operations or bytes.

    ``is_given`` says that the user gives the model. Where only the page names it, numbers of which no word says that they count its
    parameters or measure a part of it are not taken to be about it.
    """
    model, named = NamedModel(chosen), places_of_names(checker.text)
    claims = sorted([*((each.finding.start, each.finding.end) for each in judged), *named])
    starts = [start for start, _ in claims]
    ends = [*accumulate((end for _, end in claims), max)]
    name, has_values = chosen.model.architecture.class_name, chosen.model.architecture.letters <= chosen.model.values.keys()
    assigned = checker.knowledge.assigned.items()
    sizes = {*chosen.model.values.values(), *(value for letter, values in assigned if letter in BY_LETTER for value in values)}
    quantities = tuple(quantities)
    if is_given:
        read = [*claims, *((each.expression.start, each.expression.end) for each in quantities)]
        yield from _unread(checker, sorted(read), sizes, name)
    for quantity in quantities:
        expression = quantity.expression
        before = bisect_right(starts, expression.start)
        if before and ends[before - 1] > expression.start:
            continue
        found = _total(quantity) or _of_measure(quantity, sizes, checker.text, model, is_given)
        if found is None:
            continue
        code, reason = found
        if code == "not-judged" and not (has_values or expression.letters):
            reason = message("no-sizes", name=name)
        text, left = checker.record.text_of(expression), message("part-of", label=quantity.own_words or quantity.column, name=name)
        place = expression.start, expression.end, expression.start
        yield JudgedClaim(Finding(*place, text, left, text, "=", Verdict.UNDECIDED, code, reason))


def _unread(checker: LineChecker, read: Sequence[tuple[int, int]], sizes: set[int | Fraction], name: str) -> Iterator[JudgedClaim]:
    """A finding on each large number that is in none of the stretches that were ``read``, as it stands in a bracket or between signs."""
    starts, ends = [start for start, _ in read], [*accumulate((end for _, end in read), max)]
    for match in STATED.finditer(checker.text):
        before = bisect_right(starts, match.start())
        number = re.sub(r"[^\d]", "", match[0])
        noun = _NOUN.match(checker.text, match.end())
        counts_else = noun is not None and not is_unspaced(noun[0]) and read_label(noun[0]).other
        if (before and ends[before - 1] > match.start()) or counts_else or Fraction(int(number)) in sizes:
            continue
        left = message("part-of", label="", name=name)
        place = match.start(), match.end(), match.start()
        yield JudgedClaim(Finding(*place, match[0], left, match[0], "=", Verdict.UNDECIDED, "not-judged", message("not-read-there")))


def _total(quantity: LabelledQuantity) -> tuple[str, Message] | None:
    """The code and the reason for a total, unless it is one of bytes or operations."""
    expression = quantity.expression
    unit = expression.literal.unit if expression.literal else None
    if not ListEntry.says_total(quantity.own_words) or (unit is not None and unit.counted):
        return None
    if expression.is_name or (not expression.letters and (quantity.value or 0) < _LEAST):
        return None
    return "unclear-subject", message("total-of-what")


def _of_measure(
    quantity: LabelledQuantity, sizes: set[int | Fraction], text: str, model: NamedModel, is_given: bool
) -> tuple[str, Message] | None:
    """The code and the reason for a number or a formula of parameters, operations or bytes."""
    expression = quantity.expression
    behind = " ".join(expression.nouns) or ("" if quantity.column else words_behind(text, expression.end))
    label = read_label(without_setting(model.without_name(quantity.own_words)))
    label = replace(label, rest=tuple(word for word in label.rest if not model.has_in_name(word)))
    head = read_label(quantity.column)
    is_said = any((each.parameters or each.measures) and not each.other for each in (label, head, read_label(behind)))
    reason = _reason(label)
    if expression.letters:
        return ("not-judged", reason) if not expression.is_name and (is_said or label.parts) else None
    value, unit = quantity.value, expression.literal.unit if expression.literal else None
    if value is None or (unit is not None and unit.divided):
        return None
    if unit is not None and unit.written == "%":  # A share of the model, unless other words say what it is of.
        return ("not-judged", reason) if label.parts or head.parts or read_label(behind).parts or is_said else None
    if unit is not None and unit.counted:
        is_claimed = is_given or bool(label.parts or head.parts)  # Bytes and operations are of anything, unless words name a part.
        return ("not-judged", reason) if unit.counted in _MEASURED and is_claimed else None
    if value < _LEAST or label.other or head.other or (not label.parts and _counts_else(quantity, text)):
        return None
    if _OPTION.search(text[max(0, expression.start - _BEFORE) : expression.start]):
        return None
    is_size = value in sizes and not words("parameters").in_text(f"{behind} {quantity.own_words} {quantity.column}")
    is_large = unit.senses[0] >= _LEAST_SCALE if unit is not None else is_given and value >= _LARGE
    is_part = bool(label.parts) and (is_given or value >= _LEAST_SCALE)  # 4,096 may be a size of any model.
    return ("not-judged", reason) if not is_size and (is_said or is_part or is_large) else None


def _counts_else(quantity: LabelledQuantity, text: str) -> bool:
    """Whether the noun after a number says that it counts something other than parameters: ``8 million pages``."""
    if words("parameters").in_text(" ".join(quantity.expression.nouns)):
        return False
    noun = _NOUN.match(text, quantity.expression.end)
    found = read_label(noun[0]) if noun and not is_unspaced(noun[0]) else NO_LABEL
    return found.other or bool(found.rest and not words("short").in_text(noun[0] if noun else ""))


def _reason(label: Label) -> Message:
    """What is not understood."""
    if label.rest:
        return message("words-not-understood", words=label.rest[-_MOST_WORDS:])
    return message("not-of-what" if not label.parts else "not-compared")


def other_model_remark(chosen: Resolved, fits: Sequence[bool]) -> Message | None:
    """The remark that the page seems to be about another model: ``fits`` says of each exact number of it whether the model has it."""
    if len(fits) < _LEAST_ALL or any(fits):
        return None
    name = chosen.model.origin or chosen.model.architecture.class_name
    return message("fits-nothing", count=len(fits), name=name)


def without_sizes_remark(judged: Iterable[JudgedClaim], chosen: Resolved) -> Message | None:
    """The remark that numbers of the page are not compared, as the model that the user names has no sizes."""
    if chosen.model.architecture.letters <= chosen.model.values.keys():
        return None
    found = [each.finding for each in judged]
    totals = sum(each.code == "unclear-subject" and _A_NUMBER.fullmatch(each.right) is not None for each in found)
    count = totals + sum(each.reason.kind == "no-sizes" for each in found)
    return message("numbers-without-sizes", count=count, name=chosen.model.architecture.class_name) if count else None
