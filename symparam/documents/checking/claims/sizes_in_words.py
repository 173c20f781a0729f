"""Judges formulas whose letters have their values in words or under other names: ``12Ld² = 201M`` on a page with 32 layers and a hidden
size of 4,096, or with ``d_model = 4096``.

A letter may be any size that authors write with it. The formula holds if it gives the stated number with sizes of the page, of which there
are so few that it does so hardly by chance; it is never called wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import product

from symparam.core.alphabets import ALPHABETS
from symparam.core.dimensions import COMMON_LETTERS
from symparam.core.formula import number as written
from symparam.core.message import message
from symparam.documents.checking.basis.knowledge import Knowledge
from symparam.documents.checking.entries.labelled_quantities import digits_of
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.sides.number_agreement import Judgement, judge_numbers
from symparam.documents.checking.sides.unit_readings import ClaimSide, side_of
from symparam.documents.reading.expression import UNKNOWN, Expression
from symparam.documents.rules.rule import applies
from symparam.documents.words import size_words, words_of
from symparam.documents.words.scripts import is_unspaced
from symparam.errors import FormulaError

_MOST_LETTERS, _MOST_VALUES = 5, 3  # Open letters of a formula, and the last values of each.
_MOST_SHOWN = 8
_UNLIKELY = 20  # A number whose digits allow so many times as many values as are tried does not agree by chance.
_HOLDS = ("exact", "rounded", "truncated", "unit")
_ALSO = {"d": ("H",), "C": ("H",), "n": ("N", "L")}  # Beside the alphabets.
_NUMBER = re.compile(r"(?<![\w.,])(?:\d{1,3}(?>(?:[,_]\d{3})+)|\d{1,7}+)(?!\.\d|[,_]\d|%)")
_BEFORE = re.compile(r"([^\W\d_](?>(?:[^\W_]|[ _'-](?=\w)){0,60}))([\s*_`$|:：=(（]{0,16})\Z")
_BEHIND = re.compile(r"[ _-]?([^\W\d_](?>(?:[^\W\d_]|[ -](?=[^\W\d_])){0,40}))")
_SIGNS = frozenset(":：=|(（")
_AROUND, _MOST_WORDS = 80, 6  # Characters beside a number, and words of a name.


@dataclass
class SizesInWords:
    """The sizes that a page states in words up to a place, in order, for each standard letter."""

    text: str
    _stated: dict[str, list[int]] = field(default_factory=dict)
    _scanned: int = 0

    def up_to(self, end: int) -> Mapping[str, list[int]]:
        """The values of each letter up to an offset of the page."""
        self._scan(end)
        return self._stated

    def judge(self, left: Expression, right: Expression, sign: str, knowledge: Knowledge) -> Judgement | None:
        """The verdict on a formula without values and its number, if it holds with sizes of the page."""
        formula, stated = (left, right) if right.is_number else (right, left)
        if not stated.is_number or formula.is_name:
            return None
        known = {each: value for each in formula.letters if (value := knowledge.value(each)) is not None}
        missing = sorted(formula.letters - known.keys())
        if not 0 < len(missing) <= _MOST_LETTERS:
            return None
        self._scan(formula.end)
        choices = [list(dict.fromkeys(self._values(each, knowledge)))[:_MOST_VALUES] for each in missing]
        tried = 1
        for each in choices:
            tried *= len(each)
        if not tried or (tried > 1 and tried * _UNLIKELY > 10 ** digits_of(stated)):
            return None
        for chosen in product(*choices):
            values = known | dict(zip(missing, chosen, strict=True))
            side = ClaimSide(formula.formula.substitute({each: written(value) for each, value in values.items()}), formula.literals)
            pair = (side, side_of(stated)) if formula is left else (side_of(stated), side)
            try:
                found = judge_numbers(*pair, sign)
            except FormulaError:
                continue  # Too large, or divided by zero.
            if found.verdict is Verdict.HOLDS and found.code in _HOLDS and applies("size-in-words", formula.start):
                shown = sorted(values.items())[:_MOST_SHOWN]
                named = tuple(message("value", letter=letter.removeprefix(UNKNOWN), value=value) for letter, value in shown)
                reason = message("holds-with-values", said=found.reason, values=named)
                return replace(found, reason=reason, rules=(*found.rules, "size-in-words"))
        return None

    def _values(self, letter: str, knowledge: Knowledge) -> Iterator[int]:
        """The values that a letter or a word may have, those of its first meaning first."""
        for size in _meanings(letter):
            yield from self._stated.get(size, [])[::-1]
            for name in (size, *_names().get(size, ())):
                value = knowledge.value(name) if name != letter else None
                yield from [value] if isinstance(value, int) else []

    def _scan(self, end: int) -> None:
        """Find the sizes in words from where the last search ended."""
        end = self.text.find("\n", end) if self.text.find("\n", end) >= 0 else len(self.text)
        for match in _NUMBER.finditer(self.text, self._scanned, max(end, self._scanned)):
            letter = self._beside(*match.span())
            if letter:
                self._stated.setdefault(letter, []).append(int(match[0].replace(",", "").replace("_", "")))
        self._scanned = max(end, self._scanned)

    def _beside(self, start: int, end: int) -> str:
        """The letter of the size that the words beside a number name: ``hidden size: 4,096``, ``32 layers``, ``Layers: 32``."""
        behind = _BEHIND.match(self.text, end, end + _AROUND)
        counted = _named(behind[1], _letters_of_names(), from_start=True) if behind else ""
        if counted:
            return counted
        before = _BEFORE.search(self.text, max(0, start - _AROUND), start)
        if before is None:
            return ""
        found = _named(before[1], _letters_of_sizes(), from_start=False)
        return found or (_named(before[1], _letters_of_things(), from_start=False) if _SIGNS & set(before[2]) else "")


def _named(text: str, names: Mapping[str, str], from_start: bool) -> str:
    """The letter of the longest name with which the text begins or ends, by whole words where spaces separate them."""
    words_in = _plain(text).split(" ")
    if not from_start and len(words_in) > 1 and words_in[-1] in _linking():
        words_in.pop()
    for count in range(min(len(words_in), _MOST_WORDS), 0, -1):
        found = names.get(" ".join(words_in[:count] if from_start else words_in[-count:]))
        if found:
            return found
    last = words_in[0] if from_start else words_in[-1]
    if is_unspaced(last[-1:]):
        linked = "" if from_start else next((word for word in _linking() if last.endswith(word)), "")
        last = last.removesuffix(linked)
        for length in range(min(len(last), _AROUND), 0, -1):
            found = names.get(last[:length] if from_start else last[-length:])
            if found:
                return found
    return ""


@cache
def _linking() -> frozenset[str]:
    """Words between a size and its number: ``is``, ``of``."""
    return frozenset((*words_of("declares"), *words_of("equals")))


def _plain(name: str) -> str:
    return re.sub(r"[\s_-]+", " ", name.lower())


@cache
def _letters_of_sizes() -> Mapping[str, str]:
    """The standard letter of each name of a size."""
    return {_plain(name): letter for letter, names in size_words().items() for name in names}


@cache
def _letters_of_names() -> Mapping[str, str]:
    """Both together."""
    return {**_letters_of_sizes(), **_letters_of_things()}


@cache
def _letters_of_things() -> Mapping[str, str]:
    """The standard letter of the number of each thing."""
    return {_plain(name): letter for letter, names in size_words("counted").items() for name in names}


@cache
def _meanings(letter: str) -> tuple[str, ...]:
    """The sizes that a letter or a word may stand for: itself, then what other authors write with it."""
    if letter[0] == UNKNOWN:
        named = _letters_of_names().get(_plain(letter[1:]))
        return (named,) if named else ()
    others = [size for size in COMMON_LETTERS if letter in _names()[size]]
    return tuple(dict.fromkeys([letter] * (letter in COMMON_LETTERS) + others))


@cache
def _names() -> Mapping[str, tuple[str, ...]]:
    """What authors write for each size."""
    found: dict[str, dict[str, None]] = {size: {} for size in COMMON_LETTERS}
    for alphabet in ALPHABETS.values():
        for size in COMMON_LETTERS:
            if size not in alphabet.invented and alphabet.name_of(size) != size:
                found[size][alphabet.name_of(size)] = None
    for letter, sizes in _ALSO.items():
        for size in sizes:
            found[size][letter] = None
    return {size: tuple(names) for size, names in found.items()}
