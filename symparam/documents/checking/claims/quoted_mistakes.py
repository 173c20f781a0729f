"""Finds claims that their line marks as wrong, that are values of data, or that are quoted beside the right ones: a page that shows a
mistake does not make it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from symparam.core.message import message
from symparam.documents.checking.claims.judged_claim import JudgedClaim
from symparam.documents.checking.finding import Finding, Verdict
from symparam.documents.rules.rule import in_force
from symparam.documents.words import words

_FAR = 80  # Characters around a claim that may mark it.
_ENDS = re.compile(r"[\n|✓✔✅。；;]|symparam:")  # A remark to symparam names codes such as wrong-sum.
_BESIDE = 600  # Characters between a claim and the right one, as among the answers to a question.
_CLOSE = 20  # Characters before a bracket with a claim that may mark it.
_OPENS = re.compile(r"[(（][^()（）\d]{0,16}\Z")
_QUOTES = (("“", "”"), ("„", "“"), ("「", "」"), ("『", "』"), ("«", "»"))
_NOTATIONS = str.maketrans("×x·−", "***-")
_CROSS = re.compile(r"[✗✘❌✖]")
_BEGINS_WITH_CROSS = re.compile(r"[\s>*+\-•\d.)`#]{0,12}[✗✘❌✖]")
_POINTS_BACK = re.compile(r"[\s`*]{0,12}(?:←|⟵|⇐|<-|<=)")
_IN_DATA = re.compile(r'"[^"\n]{1,40}" ?: ?"\Z')
_STRUCK = (("~~", "~~"), ("<s>", "</s>"), ("<del>", "</del>"), ("<strike>", "</strike>"))


def without_quoted(text: str, judged: Iterable[JudgedClaim]) -> Iterator[JudgedClaim]:
    """The claims, where those that their line marks as wrong, or that are quoted beside the right result, are undecided."""
    claims = list(judged)
    right: dict[str, list[int]] = {}
    for each in claims:
        if each.finding.verdict is Verdict.HOLDS:
            right.setdefault(_calculation(each.finding), []).append(each.finding.start)
    # Where a cross stands behind what holds, as behind memory that does not fit, it says something else.
    crossed = [each.finding for each in claims if _has_cross(text, each.finding.end)]
    lines = {text.find("\n", each.end) for each in crossed if each.verdict is Verdict.WRONG}
    refutes = len({text.find("\n", each.end) for each in crossed if each.verdict is Verdict.HOLDS} - lines) <= len(lines)
    for each in claims:
        found = each.finding
        doubt = _doubt(text, found, right, refutes) if found.verdict is Verdict.WRONG else ""
        if doubt:
            reason = message("but", said=found.reason, doubt=message(doubt))
            yield JudgedClaim(replace(found, verdict=Verdict.UNDECIDED, code="unclear", reason=reason))
        else:
            yield each


def _doubt(text: str, found: Finding, right: Mapping[str, Sequence[int]], refutes: bool) -> str:
    """The rule by which the claim shows a mistake, where a cross ``refutes`` what it stands behind; empty if it may be one."""
    if in_force("refuted") and _is_marked(text, found.start, found.end, refutes):
        return "refuted"
    if in_force("value-of-data") and text.startswith('"', found.end) and _IN_DATA.search(text, max(0, found.start - _FAR), found.start):
        return "value-of-data"
    places = right.get(_calculation(found), ())
    is_beside = any(abs(place - found.start) <= _BESIDE for place in places)
    return "right-beside" if is_beside and _is_in_quotes(text, found.start) and in_force("right-beside") else ""


def _is_in_quotes(text: str, start: int) -> bool:
    """Whether it stands in quotation marks that begin on its line."""
    line = text[text.rfind("\n", 0, start) + 1 : start]
    return bool(line.count('"') % 2) or any(line.rfind(opening) > line.rfind(closing) for opening, closing in _QUOTES)


def _calculation(found: Finding) -> str:
    """The left side without spaces and in one notation of products; of anything but a short calculation its place."""
    left = str(found.left)
    written = "".join(left.split()).translate(_NOTATIONS) if len(left) < _BESIDE else ""
    return written if any(sign in written for sign in "*/+-") and written[:1].isdigit() else f"@{found.start}"


def _has_cross(text: str, end: int) -> bool:
    """Whether a cross stands behind a claim."""
    return _CROSS.search(_ENDS.split(text[end : end + _FAR], maxsplit=1)[0]) is not None


def _is_marked(text: str, start: int, end: int, refutes: bool) -> bool:
    """Whether a cross or a word beside the claim, or a line through it, marks it as wrong."""
    behind = _ENDS.split(text[end : end + _FAR], maxsplit=1)[0]
    if (refutes and _has_cross(text, end)) or words("refutes").in_text(behind):
        return True
    if _POINTS_BACK.match(behind) and words("errs").in_text(behind):
        return True  # 2 × 3 = 7  ← should be 6
    line = _ENDS.split(text[max(0, start - _FAR) : start])[-1]
    if (bracket := _OPENS.search(line)) and words("refutes").in_text(line[max(0, bracket.start() - _CLOSE) : bracket.start()]):
        return True  # the sum is wrong (e.g. 2 + 2 = 5)
    label, colon, _ = line.replace("：", ":").rpartition(":")
    if (colon and words("refutes").in_text(label)) or _BEGINS_WITH_CROSS.match(line):
        return True
    return any(_is_open(line, *marks) and marks[1] in behind for marks in _STRUCK)


def _is_open(line: str, opening: str, closing: str) -> bool:
    """Whether the line ends between two marks."""
    return bool(line.count(opening) % 2) if opening == closing else line.rfind(opening) > line.rfind(closing)
