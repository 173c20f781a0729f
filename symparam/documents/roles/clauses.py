"""Finds the words that belong to one number in a sentence with several: those after the number before it and what that one counts."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from itertools import takewhile

from symparam.documents.reading.sentences import is_broken
from symparam.documents.roles.labels import NO_LABEL, read_label
from symparam.documents.roles.model_names import places_of_names
from symparam.documents.roles.runs import without_setting
from symparam.documents.words import each_of_words, unit_words, words, words_of
from symparam.documents.words.scripts import is_unspaced, joined

_SCALES = [word for unit in ("ten_thousand", "million", "hundred_million", "billion", "trillion") for word in unit_words()[unit]]
_SCALED = (
    joined(_SCALES, unspaced=True),
    *sorted((word for word in _SCALES if len(word) > 1 and not is_unspaced(word)), key=len, reverse=True),
)
STATED = re.compile(
    r"(?<![\w.,^_])(?:\d{1,3}+(?>(?:[.\u00a0\u202f ]\d{3}){2,4})(?![\w.])|\d(?:[\d,_]|\{,\}){3,}\d(?:\.\d+)?(?!\w)"
    rf"|\d{{1,4}}+(?>(?:[.,]\d{{1,3}}+)?)[ \u00a0]?(?:[MBGT](?:i?B|FLOPs?|FLOPS|MACs?)?(?![^\W_])|KiB|KB|kB|(?:{'|'.join(_SCALED)})\.?))"
)
"""A number that is more than a mere size: one of at least five digits or separators, or with a scale."""
_ABBREVIATED = re.compile(r"(?<=\bMio|\bMrd)\.(?= )")  # 85,1 Mio. in den Schichten
_CALCULATION = re.compile(r"(?<![\w.,])\d[\d,.]{0,20}[KMBG]?(?:\s?[×·*x+]\s?\d[\d,.]{0,20}[KMBG]?){1,8}\s?[=≈]?\s?\Z")
"""A calculation whose result is the next number: ``2 × 131M =``."""
_TIMES = re.compile(r"[\s$}]{0,3}(?:[×·*]|\\times|\\cdot|x(?=\s?\d))")
_TIMES_BEFORE = re.compile(r"(?:[×·*]|\\times|\\cdot|(?<![^\W_])x)[\s${]{0,3}\Z")
_NEAR = 10  # Characters before a number that may hold a sign of multiplication.
_WORD = re.compile(r"[^\W\d_]{1,12}")
_FARTHEST = 3_000  # Characters between the introduction of a list and a number in it.
_IN_LIST = re.compile(r"\s*(?:[-*•+]\s|\d{1,2}[.)、]|[|├└│])")
_ITEM = re.compile(r"\s*(?:[-*•+]|\d{1,2}[.)、])\s")
_MOST = 200  # Characters of a sentence that are read.
_BEHIND = re.compile(r"[^\n,.;:，。；：、()（）|=≈+×*<>]{0,60}")


_NO_COMMAS = ";:(：；（"


@cache
def _mark() -> re.Pattern[str]:
    """What separates the words of one number from those of the one before it: a sign, or an 'and'."""
    listed = ("plus", *words_of("and"))
    spaced, unspaced = ("|".join(re.escape(each) for each in listed if is_unspaced(each) is which) for which in (False, True))
    return re.compile(rf"[,;:(，；：、（]|\s(?:{spaced})(?:\s|\Z)|{unspaced}")


def own_clause(sentence: str, is_after_colon: bool = False) -> str | None:
    """The words that belong to the next number alone; None if the sentence states no number before it, or no mark separates the two.

    ``is_after_colon`` says that a colon does, which is not among the words: ``A block has 12,596,224 parameters: 4,198,400 in …``.
    """
    start = max(0, len(sentence) - _MOST)
    sizes_left_out = _without_names(without_setting(sentence[start:]))
    calculation = _CALCULATION.search(sizes_left_out)
    stated = STATED.finditer(sizes_left_out, 0, calculation.start() if calculation else len(sizes_left_out))
    *_, last = [None, *(each for each in stated if not _is_factor(each))]
    mark = _mark().search(sizes_left_out, last.end()) if last is not None else None
    if mark is None and last is not None and is_after_colon:
        behind = sizes_left_out[last.end() :]
        return "" if words("parameters").in_text(behind) and read_label(behind) == replace(NO_LABEL, parameters=True) else None
    return sentence[start + mark.end() :] if mark is not None else None


def _is_factor(number: re.Match[str]) -> bool:
    """Whether a sign of multiplication stands before or after it: ``three matrices of 4096 × 14336``."""
    return is_after_times(number.string[: number.start()]) or _TIMES.match(number.string, number.end()) is not None


def is_after_times(before: str) -> bool:
    """Whether a text ends with a sign of multiplication."""
    return _TIMES_BEFORE.search(before[-_NEAR:]) is not None


def _without_names(sentence: str) -> str:
    """The sentence with spaces in place of the names of models, whose numbers state nothing: ``Llama-3-8B stores keys and values of …``."""
    for start, end in places_of_names(sentence):
        sentence = f"{sentence[:start]}{' ' * (end - start)}{sentence[end:]}"
    return sentence


def introduction(page: str, start: int) -> str:
    """The words that introduce the list or the table of the number that begins there: ``Forward FLOPs per token:``."""
    own, *before = reversed(page[max(0, start - _FARTHEST) : start].split("\n"))
    if not _IN_LIST.match(own):
        return ""
    said = next((line.rstrip(" *_") for line in before if line.strip() and not _IN_LIST.match(line)), "")
    return re.split("[,，。;；]", said, maxsplit=1)[0] if said.endswith((":", "：")) and not said.startswith("#") else ""


def item_above(page: str, start: int) -> str:
    """The item of a list below which the number that begins there stands, in an item of its own that is indented further."""
    own, *before = reversed(page[max(0, start - _FARTHEST) : start].split("\n"))
    depth = _depth(own)
    for line in before if depth else ():
        if not line.strip():
            continue
        if not line[0].isspace() and not _ITEM.match(line):
            return ""
        if _ITEM.match(line) and _depth(line) < depth:
            return line.strip()
    return ""


def _depth(line: str) -> int:
    """How far an item of a list is indented; 0 if it is none."""
    return len(line) - len(line.lstrip()) if _ITEM.match(line) else 0


def words_above(page: str, start: int, words_before: str) -> str:
    """The words of a number with those of the lines above, if its sentence begins there; or, if it has none of its own, those that end with
    a colon above it, from the clause on that names a part: ``the token embeddings are of shape [30522, 768], parameters:``.
    """
    own, *before = reversed(page[max(0, start - _FARTHEST) : start].split("\n"))
    wrapped = list(takewhile(is_broken, before)) if not _IN_LIST.match(own) else []
    if any(map(str.isalpha, words_before)) or wrapped:
        return " ".join((*reversed(wrapped), words_before))[-_MOST:] if wrapped else ""
    said = next((line.rstrip(" *_`") for line in before if line.strip(" $`")), "")
    if not said.endswith((":", "：")) or said.startswith("#"):
        return ""
    clauses = re.split("[,，;；。]", said[-_MOST:].rstrip(":："))
    labels = [read_label(clause) for clause in clauses]
    first = next((at for at in reversed(range(len(clauses))) if labels[at].parts or labels[at].measures), None)
    return ", ".join(clauses[first:]) if first is not None else ""


def words_behind(page: str, end: int) -> str:
    """The words after a number that ends there, up to the end of its clause or to the next number that is stated. An enumeration of parts
    is one clause: ``of them in wi_0, wi_1 and wo``.
    """
    dot = _ABBREVIATED.match(page, end)
    start = dot.end() if dot else end
    found = _BEHIND.match(page, start)
    said = found[0] if found else ""
    behind = said[: next((mark.start() for mark in _mark().finditer(said) if not _goes_on(said, mark)), len(said))]
    behind = STATED.split(behind, 1)[0] if behind else ""
    is_listing = bool(read_label(behind).parts) and not words("each").in_text(behind)  # ``each of k and v`` is one of them.
    return page[start : _end_of_enumeration(page, start + len(behind))] if is_listing else behind


def _end_of_enumeration(page: str, end: int) -> int:
    """Where the enumeration of parts ends that goes on with the mark at ``end``."""
    while (mark := _mark().match(page, end)) is not None and mark[0] not in _NO_COMMAS:
        mark = _mark().match(page, mark.end()) or mark  # A comma before an 'and'.
        found = _BEHIND.match(page, mark.end())
        said = found[0] if found else ""
        said = said[: next((each.start() for each in _mark().finditer(said)), len(said))]
        label = read_label(said)
        if not label.parts or label.rest or label.numbers or label.scope or label.measures or STATED.search(said):
            break
        end = mark.end() + len(said)
    return end


def leads_to_another(page: str, end: int) -> bool:
    """Whether a mark and another number follow the number that ends there: ``two matrices of 4,198,400 and 4,195,328``."""
    mark = _mark().match(page, end) or _mark().match(page, end + (page[end : end + 1] == " "))  # ``2,362,368 和 2,360,064``
    return mark is not None and STATED.match(page, mark.end() + (page[mark.end() : mark.end() + 1] == " ")) is not None


def _goes_on(said: str, mark: re.Match[str]) -> bool:
    """Whether the mark is an 'and' before another thing that the number is for one of: ``per token and layer``."""
    word = _WORD.match(said, mark.end())
    before = read_label(said[: mark.start()])
    return word is not None and word[0].lower() in each_of_words() and bool(before.scope or before.per)
