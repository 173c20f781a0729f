"""Finds the released model that a page names in its headings or its first lines, for a reader who does not say which model it is about.

What is found so is held lightly: only a page with several numbers of the model is about it, and nothing that differs is called wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache

from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.judged import Judged
from symparam.documents.checking.walk import Walk
from symparam.documents.message import Message, message
from symparam.models.configs.presets import presets

_FIRST_LINES = 600  # Characters of a page that say what it is about, like its headings.
_MOST = 6_000  # Characters of headings that are searched.
_LONGEST = 8  # Words and numbers of a name.
_LEAST_FIT = 3  # Different numbers that a page has in common with its model.
_LEAST_DIGITS = 5  # Digits of a number that two pages hardly share by chance.
_HEADING = re.compile(r"^(?:#{1,6}[ \t]|\\(?:sub)*section\*?\{|<h[1-6]>|[^\n]{1,120}\n[=-]{3,}$)[^\n]{0,200}", re.MULTILINE)
_PIECE = re.compile(r"[^\W_]+")
_SIZE = re.compile(r"nano|tiny|mini|small|base|medium|large|huge|giant|x{1,3}l|\d+[bm]?")
_QUALIFIERS = frozenset(("uncased", "cased", "v0", "1", "224", "in21k", "instruct"))
"""The last pieces of names that people leave out: BERT-base, Mistral 7B."""
_ALSO = {"gpt2small": "gpt2", "gpt2124m": "gpt2", "gpt2117m": "gpt2", "gpt1": "openai-gpt", "vitb16": "vit-base-patch16-224"}


def model_named(text: str) -> tuple[str, int] | None:
    """The name of the released model that the headings, or else the first lines, name, and the place; None for none or several."""
    headings = [(match.start(), match[0]) for match in _HEADING.finditer(text)]
    for parts in (headings, [(0, text[:_FIRST_LINES])]):
        found = {name: place for place, name in reversed([*_names_in(parts)])}
        if found:
            return next(iter(found.items())) if len(found) == 1 else None
    return None


def _names_in(parts: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    names, left = _names(), _MOST
    for start, part in parts:
        pieces = [*_PIECE.finditer(part[:left].lower())]
        left -= len(part)
        at = 0
        while at < len(pieces):
            longest = range(min(_LONGEST, len(pieces) - at), 0, -1)
            length = next((each for each in longest if "".join(piece[0] for piece in pieces[at : at + each]) in names), 0)
            has_size = any(_SIZE.fullmatch(piece[0]) and not piece[0].isdecimal() for piece in pieces[at : at + length])
            behind = pieces[at + length][0] if at + length < len(pieces) else ""
            if length and (has_size or not _SIZE.fullmatch(behind)):  # GPT-2 1.5B is not GPT-2.
                yield start + pieces[at].start(), names["".join(piece[0] for piece in pieces[at : at + length])]
            at += length or 1


@cache
def _names() -> dict[str, str]:
    """The released models by the pieces of their names, in full and without their qualifiers; the first has the shorter name."""
    found = dict(_ALSO)
    for name in presets():
        pieces = _PIECE.findall(name)
        found["".join(pieces)] = name
    for name in presets():
        pieces = _PIECE.findall(name)
        while len(pieces) > 1 and pieces[-1] in _QUALIFIERS:
            del pieces[-1]
            found.setdefault("".join(pieces), name)
    return found


def may_name(walk: Walk) -> bool:
    """Whether the page has enough exact numbers to show that it is about a model."""
    return len({each.value for each in walk.quantities.stated if (each.expression.exact or 0) >= 10 ** (_LEAST_DIGITS - 1)}) >= _LEAST_FIT


def held_lightly(walk: Walk, judged: Iterable[Judged], name: str, place: int) -> tuple[list[Judged], Message | None]:
    """The findings against a model that the page names, and the remark that says so; none if the page has too few of its numbers.

    A total that differs from the model's is undecided; parts that differ or could not be judged are left out, and so are formulas.
    """
    numbers = {each.expression.start for each in walk.quantities.stated} | {each.entry.start for each in walk.totals}
    every = [
        each
        for each in judged
        if each.finding.start in numbers and (each.finding.verdict is Verdict.HOLDS or each.finding.code == "wrong-total")
    ]
    fits = {each.finding.right for each in every if each.finding.verdict is Verdict.HOLDS and _digits(each.finding.right) >= _LEAST_DIGITS}
    if len(fits) < _LEAST_FIT:
        return [], None
    return [_lightly(each, name) for each in every], message("model-of-page", name=name, line=walk.document.source.place(place)[0])


def _digits(written: str) -> int:
    return sum(map(str.isdecimal, written)) if written.replace(",", "").replace("_", "").isdecimal() else 0


def _lightly(judged: Judged, name: str) -> Judged:
    finding = judged.finding
    if finding.verdict is Verdict.HOLDS:
        return judged
    reason = message("if-about-it", said=finding.reason, name=name)
    return Judged(replace(finding, verdict=Verdict.UNDECIDED, code="unclear-subject", reason=reason))
