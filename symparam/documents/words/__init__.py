"""The words that people write beside formulas, such as ``total``, ``about`` and ``layers``, in one file for each language.

A page does not declare its language, and many mix two, so the words of all languages are searched for together. In the files ``*`` matches
any letters; case and hyphens are ignored. Words of scripts without spaces may occur anywhere in a text; others must be delimited by signs
or spaces. To add a language, add a file next to ``en.toml`` with the same keys.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Literal

from symparam.core.frozen import cached_property, frozen
from symparam.documents.words.scripts import LETTERS, alternatives, either, is_unspaced

_SAMPLE, _FEWEST_TELLING = 20_000, 4  # Characters of a page that show its language, and words that tell it.
NOTIONS = {
    "about": "before a number: it is approximate",
    "equals": "between two numbers: they are equal",
    "that_is": "at the beginning of a bracket or a clause: its number equals what stands before it",
    "alternative": "between two numbers: the same, or another one in its place",
    "refers": "between a number and a word that says that it equals another: it stands for the number",
    "merely": "between an equals sign and a number: it says nothing more",
    "calculates": "before an expression: it is a part of a calculation in words",
    "joins": "after a number: another clause follows",
    "each": "after a number: it is multiplied",
    "share_of": "between a percentage and a number: it is a share of that",
    "share": "before or after a percentage: it is a share of something",
    "out_of": "between two numbers: the first is a share of the second",
    "per_one": "in the head of a column: its numbers are for one thing",
    "total": "a number is a sum",
    "before_total": "before a word for a total: a part of the same phrase",
    "jointly": "a number counts several things that are named before it, added up",
    "not_counted": "a number is left out of the sum",
    "untied": "tensors that models often share are counted by themselves",
    "leaves_out": "before or after a part: the total does not include it",
    "includes": "before a part: the total includes it",
    "denies": "directly before a number: the number is denied",
    "refutes": "beside an equation: it is quoted as a mistake",
    "errs": "after an arrow back to an equation: it is quoted as a mistake",
    "changes": "in a sentence or a heading: its numbers are of a model that is changed",
    "active": "next to a number: it counts the parameters that a token uses",
    "added": "a number counts what is trained beside a model",
    "part": "a sum is that of a part of the model",
    "copies": "after a count: several of the same kind",
    "so": "a conclusion follows",
    "calculation": "the head of a column of calculations",
    "result": "the head of a column of results",
    "parameters": "a number counts parameters",
    "elements": "after a number: it counts numbers, and no bytes of them",
    "shape": "before the sizes of a tensor",
    "bias": "the head of a column of biases",
    "demand": "before an equation: it is a condition and not a claim",
    "declares": "between a letter and the name of a size: the letter stands for it",
    "less": "next to a percentage or a factor: a decrease",
    "adds": "before a number: it is added to another",
    "more": "next to a percentage or a factor: an increase",
    "lost": "beside a percentage: the rest of another one is lost",
    "difference": "the head of a column that compares others",
    "mean": "the head of a column or a row: it is the mean of the others",
    "times": "after a factor: it is a ratio",
    "factor": "before a number: it is a ratio",
    "arrives": "between two numbers: the second follows from the first",
    "splits": "a number is divided among several things",
    "plus": "before a number: something is added to it",
    "rest": "a number is the rest of another",
    "from": "before a quantity that becomes another",
    "device": "after an amount of memory: a device that has it",
    "becomes": "between two quantities: one becomes the other, or is compared with it",
    "and": "between two things of one kind",
    "has": "after the name of a model: what it has follows",
    "matrices": "a number counts matrices, possibly without biases",
    "one_matrix": "after a word for each: one of several in a part",
    "at_least": "before a number: it is the least that is meant",
    "at_most": "before a number: it is the most that is meant",
    "limits": "in a bracket behind a result: it is cut off at a limit",
    "adjusts": "in a bracket behind a result: why it differs from what is calculated",
    "up_to": "between two numbers: they are the ends of a range",
    "whole_model": "a number is for all of the model",
    "the_model": "a label that is the model and no part of it",
    "includes_it": "after a number without a part: the next one is with it",
    "of_part": "after a number: the part that it is of follows",
    "gated": "a feed-forward part has a gate",
    "classifier": "between a count and what is counted",
    "ordinal": "before a number: it says which one, and not how many",
    "belonging": "directly after a unit: another word belongs to it",
    "ending": "directly after a unit: the ending of its word",
    "particle": "in a label without spaces: it says nothing",
    "short": "short words that are not products of letters",
}
"""The notions that words express, one for each key of the files."""

_COMPARING = ("less", "more", "lost", "difference", "share", "rest", "factor", "times")

# A command of TeX (\sum), the end of a name in code (x_sum) and a call (sum(x)) are not words; an abbreviation (i.e) is one.
_OUTSIDE_NAMES = re.compile(
    rf"[\\._][{LETTERS}_]++|((?<![{LETTERS}])[{LETTERS}](?>(?:\.[{LETTERS}]){{1,3}})(?![{LETTERS}_(])|[{LETTERS}][{LETTERS}_]*+\(?)"
)
_IN_NAMES = re.compile(f"[{LETTERS}]+")


@frozen
class WordList:
    """The words for one notion, in lower case: ``whole`` words, prefixes of words, phrases, those that may occur ``anywhere``, and those
    among these that are ``unspaced``. ``in_names`` says that they also occur in names such as ``ln_f``.
    """

    whole: frozenset[str]
    beginnings: tuple[str, ...]
    phrases: tuple[str, ...]
    anywhere: tuple[str, ...]
    unspaced: tuple[str, ...]
    in_names: bool

    @cached_property
    def _stems(self) -> re.Pattern[str]:
        """Strings of which each text with one of the words contains at least one; they are searched for first, since most texts contain
        none.
        """
        stems = {max(word.split(), key=len) for word in (*self.anywhere, *self.beginnings, *self.phrases, *self.whole)}
        return re.compile(alternatives(map(re.escape, stem) for stem in sorted(stems)))

    def in_text(self, text: str) -> bool:
        """Whether one of the words occurs in the text."""
        lower = text.lower()
        if not self._stems.search(lower):
            return False
        lower, apart = self._apart(lower)
        return (
            any(word in lower for word in self.anywhere)
            or not self.whole.isdisjoint(apart)
            or any(word.startswith(self.beginnings) for word in apart)
            or any(phrase in _joined(apart) for phrase in self.phrases)
        )

    def is_one(self, text: str) -> bool:
        """Whether the text is exactly one of the words."""
        lower = text.lower()
        return lower in self.whole or lower in self.anywhere or lower.startswith(self.beginnings)

    def begins(self, text: str) -> bool:
        """Whether the text begins with one of the words."""
        lower, apart = self._apart(text.lower())
        return lower.lstrip().startswith(self.unspaced) or (bool(apart) and self._is_first(apart))

    def at_either_end(self, text: str, before: WordList) -> bool:
        """Whether the text begins with one of the words, possibly after words of ``before``, ends with one, or contains an unspaced one."""
        lower, apart = self._apart(text.lower())
        apart = [word for word in apart if not word.isdigit()]
        while apart and apart[0] in before.whole:
            del apart[0]
        is_at_end = bool(apart) and (self._is_first(apart) or self._is_first(apart[-1:]) or _joined(apart).endswith(self.phrases))
        return is_at_end or any(word in lower for word in self.unspaced)

    def _is_first(self, apart: Sequence[str]) -> bool:
        return apart[0] in self.whole or apart[0].startswith(self.beginnings) or _joined(apart).startswith(self.phrases)

    def _apart(self, lower: str) -> tuple[str, list[str]]:
        """The text with spaces in place of the signs that join words, and its words."""
        plain = lower.replace("-", " ").replace("_", " " if self.in_names else "_")
        return plain, [word for word in (_IN_NAMES if self.in_names else _OUTSIDE_NAMES).findall(plain) if word]


def _joined(apart: Sequence[str]) -> str:
    return f" {' '.join(apart)} "


@cache
def words(notion: str) -> WordList:
    """The words of all languages for a notion of `NOTIONS`."""
    assert notion in NOTIONS
    return _words([word for table in _languages() for word in _listed(table[notion])], in_names=False)


def says_comparison(label: str) -> bool:
    """Whether a label or the head of a column says that its numbers compare others: ``Reduction``, ``Speedup``, ``Ratio``, ``Overhead``."""
    return any(words(notion).in_text(label) for notion in _COMPARING)


@cache
def part_words() -> dict[str, WordList]:
    """The words of all languages for the parts that people divide a model into."""
    tables = [_tables(table["parts"]) for table in _languages()]
    return {part: _words([word for table in tables for word in _listed(table[part])], in_names=True) for part in tables[0]}


@cache
def unit_words() -> dict[str, tuple[str, ...]]:
    """The words of all languages for scales and units, by what they stand for: ``million``, ``second``, ``byte``. Their case is kept."""
    found: dict[str, dict[str, None]] = {}
    for table in _languages():
        for unit, listed in _tables(table["units"]).items():
            found.setdefault(unit, {}).update(dict.fromkeys(_listed(listed)))
    return {unit: tuple(listed) for unit, listed in found.items()}


@cache
def role_words() -> dict[str, tuple[str, ...]]:
    """The names in all languages for the parts of a model, by the roles of `symparam.analysis.roles`."""
    return _together("roles")


@cache
def label_words() -> dict[str, tuple[str, ...]]:
    """The other words of labels in all languages: ``in-layer``, ``in-all`` and ``per-head`` say how many copies are meant, ``biases`` and
    ``weights`` which tensors, ``other`` what is counted if not parameters, and words of ``nothing`` do not change the meaning.
    """
    return _together("labels")


@cache
def in_each_layer() -> WordList:
    """The words of all languages that say that one layer of several alike is meant."""
    return _words(list(label_words()["in-layer"]), in_names=False)


@cache
def in_all_layers() -> WordList:
    """The words of all languages that say that all layers are meant."""
    return _words(list(label_words()["in-all"]), in_names=False)


@cache
def thing_words() -> dict[str, tuple[str, ...]]:
    """The words of all languages for what people count: ``token``, ``layer``, ``parameter``."""
    return _together("things")


def is_a_thing(word: str) -> bool:
    """Whether it is what people count, such as tokens; another word, such as ``usable`` or ``after``, may say how the number differs."""
    return word.lower() in _things()[0] or word.lower().startswith(_things()[1])


@cache
def _things() -> tuple[frozenset[str], tuple[str, ...]]:
    listed = [word for each in thing_words().values() for word in each]
    return frozenset(listed), tuple(word.rstrip("*") for word in listed if word.endswith("*"))


@cache
def run_words() -> dict[str, tuple[str, ...]]:
    """The words of all languages for a run: ``length`` and ``batch`` stand before their number, after a ``link`` or none; ``tokens`` stand
    behind it, and then possibly what they are a ``span`` of, or the ``members`` of a batch. ``master`` weights are kept in full precision.
    """
    return _together("run")


@cache
def each_of_words() -> dict[str, str]:
    """What the words of all languages mean after ``per token and``: one layer, one token, one head or one sequence, as in labels."""
    return {word: meaning for meaning, listed in _together("each_of").items() for word in listed}


@cache
def device_words() -> dict[str, tuple[str, ...]]:
    """What all languages say of the devices that share a model: ``device`` after a count of them, ``each_before``, ``each_of``,
    ``each_behind`` and ``each_alone`` for one of them, ``over`` and ``parallel`` for all together, and ``share`` for what one has.
    """
    return _together("devices")


@cache
def attention_words() -> dict[str, tuple[str, ...]]:
    """The names in all languages for kinds of attention: ``multi-query``, ``multi-head``, which also names the part of any model, and
    ``standard`` for what only means the kind.
    """
    return _together("attentions")


def number_words(text: str) -> Iterator[tuple[int, int]]:
    """The small numbers that a text writes in words of any language, each with its place: ``two``, ``六个``."""
    pattern, values = _number_words()
    yield from ((match.start(), values[_squeezed(match[0])]) for match in pattern.finditer(text))


@cache
def numbers_in_words() -> dict[str, int]:
    """The small numbers, by the words of all languages."""
    return {word.lower(): int(number) for number, listed in _together("numbers").items() for word in listed}


@cache
def _number_words() -> tuple[re.Pattern[str], dict[str, int]]:
    return either(numbers_in_words()), {_squeezed(word): number for word, number in numbers_in_words().items()}


def _squeezed(word: str) -> str:
    """A word as it is looked up; the blanks in it may be left out or be other signs on a page: ``perdue``, for ``per due``."""
    return re.sub(r"[ _-]", "", word.lower())


def fraction_words(text: str) -> Iterator[Fraction]:
    """The simple fractions and multiples that a text writes in words of any language, the longest word first: ``two thirds``, ``das
    Doppelte``.
    """
    pattern, values = _fraction_words()
    yield from dict.fromkeys(values[_squeezed(match[0])] for match in pattern.finditer(text))


@cache
def _fraction_words() -> tuple[re.Pattern[str], dict[str, Fraction]]:
    values = {word.lower(): Fraction(value) for value, listed in _together("fractions").items() for word in listed}
    return either(values), {_squeezed(word): value for word, value in values.items()}


def precision_words(text: str, start: int, end: int) -> Iterator[tuple[re.Match[str], Fraction]]:
    """The formats that a text names in words, each with the bytes of a number: ``half precision``, ``单精度``."""
    pattern, values = _precision_words()
    yield from ((match, values[_squeezed(match[0])]) for match in pattern.finditer(text, start, end))


@cache
def _precision_words() -> tuple[re.Pattern[str], dict[str, Fraction]]:
    values = {word.lower(): Fraction(size) for size, listed in _together("precisions").items() for word in listed}
    return either(values), {_squeezed(word): value for word, value in values.items()}


@cache
def size_words(kind: Literal["sizes", "counted", "brief"] = "sizes") -> dict[str, tuple[str, ...]]:
    """The names of sizes in all languages, by the letters of `symparam.core.dimensions`, and those of the number of parameters; or of what
    sizes count, or the brief ones that say so only beside others: ``hidden $h$, layers $l$``.
    """
    return _together(kind)


@cache
def words_of(notion: str) -> tuple[str, ...]:
    """The words of all languages for a notion, each by itself."""
    return tuple(word for table in _languages() for word in _listed(table[notion]))


def _together(name: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for table in _languages():
        for key, listed in _tables(table[name]).items():
            found.setdefault(key, []).extend(_listed(listed))
    return {key: tuple(listed) for key, listed in found.items()}


def has_decimal_commas(text: str) -> bool:
    """Whether a text is in a language that writes decimal commas, as far as its words and their letters tell."""
    comma, point = _words_by_decimal_sign()
    said = frozenset(_OUTSIDE_NAMES.findall(text[:_SAMPLE].lower()))
    telling = sum(word in comma or not _letters_beside_decimal_commas().isdisjoint(word) for word in said)
    return telling >= _FEWEST_TELLING + 2 * len(said & point)


@cache
def _words_by_decimal_sign() -> tuple[frozenset[str], frozenset[str]]:
    """The words that occur only in languages with decimal commas, and those that occur only in languages with points."""
    found: dict[str, set[str]] = {"comma": set(), "point": set()}
    for table in _languages():
        listed = (word for notion in NOTIONS for word in _listed(table[notion]))
        found[str(table["decimal"])].update(word.lower() for word in listed if word.isalpha() and not is_unspaced(word))
    return frozenset(found["comma"] - found["point"]), frozenset(found["point"] - found["comma"])


@cache
def _letters_beside_decimal_commas() -> frozenset[str]:
    """The letters that occur only in languages with decimal commas."""
    comma, point = (frozenset().union(*each) for each in _words_by_decimal_sign())
    return comma - point


@cache
def _languages() -> tuple[dict[str, object], ...]:
    """The content of the file of each language."""
    found = sorted((file for file in files(__name__).iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
    return tuple(tomllib.loads(file.read_text(encoding="utf-8")) for file in found)


def _listed(value: object) -> list[str]:
    assert isinstance(value, str)
    return [" ".join(word.split()) for word in value.split(",") if word.strip()]


def _tables(value: object) -> dict[str, object]:
    assert isinstance(value, dict)
    return value


def _words(listed: list[str], in_names: bool) -> WordList:
    lower = dict.fromkeys(word.lower() for word in listed)
    anywhere = tuple(word.strip("*") for word in lower if word.startswith("*") or is_unspaced(word))
    spaced = [word for word in lower if not word.startswith("*") and not is_unspaced(word)]
    return WordList(
        frozenset(word for word in spaced if " " not in word and not word.endswith("*")),
        tuple(word.rstrip("*") for word in spaced if " " not in word and word.endswith("*")),
        tuple(f" {word} ".replace("* ", "") for word in spaced if " " in word),
        anywhere,
        tuple(filter(is_unspaced, anywhere)),
        in_names,
    )
