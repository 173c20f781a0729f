"""Finds signs that a stretch of a page is not about the user's model: it gives other sizes, or a gate that the model lacks."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import chain
from operator import itemgetter

from symparam.core.frozen import cached_property
from symparam.core.message import Message, message
from symparam.documents.checking.claims.sizes_in_words import SizesInWords
from symparam.documents.checking.lines.line_checker import LineChecker
from symparam.documents.comparing.named_model import NamedModel
from symparam.documents.reading.parsed_document import PAGE_NAMES
from symparam.documents.roles.labels import read_label
from symparam.documents.words import run_words, size_words, words, words_of
from symparam.documents.words.scripts import either, is_unspaced
from symparam.models.resolution import Resolved

_LETTERS = "VHNI"
"""The sizes that tell one model from another; the lengths and heads that a page gives are often those of an example."""
_LARGEST = {"N": 1_000, "V": 2_000_000, "H": 200_000, "I": 500_000}
"""Bounds of sizes; a larger number beside such a word is a number of parameters: ``Layers: 85,054,464``."""
_OF_PAGE = frozenset("HNIVh")
_ALSO = {"h": "H"}
"""Letters that many people write for another size: h for the hidden size."""
_NO_BIAS = re.compile(r"bias[\"']?\s{0,3}[:=]\s{0,3}False\b", re.IGNORECASE)
_OF_HEAD = re.compile(r"head|vocab", re.IGNORECASE)
_GATED = frozenset(("feed-forward", "layer", "layers", "transformer", "model", "non-embedding", "decoder", "encoder"))
"""The parts whose size depends on whether the feed-forward part has a gate."""
_BOLD = re.compile(r"^[ \t]{0,3}(?:\*\*|__|\\(?:textbf|paragraph|subparagraph)\{)(?P<name>[^\n*_{}:：]{2,80})", re.MULTILINE)
"""A line that begins in bold, as people write a title that is no heading: ``**RoBERTa-base:**``."""
_INTRODUCTION = re.compile(r"^[ \t]{0,3}(?P<name>[^\s|#>*_-][^\n|]{2,160})[:：][ \t]*$", re.MULTILINE)
"""A line that introduces what follows: ``For Llama-3.1-70B (80 layers, 8 KV heads):``."""
_SEVERAL = 2  # Sizes by which a line describes a model.
_TABLES = ("position-embedding", "token-type-embedding")
_PLAIN = {"N": ("layers", "n layers", "blocks"), "V": ("vocab", "vocabulary")}
"""Words that name a size only where a sign and a number follow: ``Layers: 16``, ``| Vocab | 65 |``."""


@dataclass
class ModelConflicts:
    """The sizes that the sections of a page give, compared with those of the model ``chosen``."""

    checker: LineChecker
    chosen: Resolved

    def conflict_at(self, place: int, parts: Iterable[str], in_letters: bool = False) -> Message | None:
        """The sign, if any, that parts of the model are not meant at an offset of the page; ``in_letters`` says that a formula stands
        there, which is independent of sizes.
        """
        if (other := self._name_above(place)) is not None:
            return message("below-another-model", name=other)
        values, name = self.chosen.model.values, self.chosen.model.architecture.class_name
        section = bisect_right(self.checker.quantities.starts, place)
        here = {**self._given.get(section, {}), **self._sizes_above(place)}
        assigned = self.checker.knowledge.assigned
        of_page = (letter for letter in assigned if letter in _OF_PAGE)  # In the order of the page, and not of a set, which changes.
        kept = ((letter, [size for size in assigned[letter] if not self._is_of_others(letter, size, section)]) for letter in of_page)
        anywhere = {letter: sizes for letter, given in kept if (sizes := [*filter(_may_be(letter), given)])}
        sizes_given: list[tuple[str, Sequence[int | Fraction]]] = [*here.items(), *anywhere.items()]
        for letter, given in sizes_given if not in_letters else ():
            letters = (letter, _ALSO.get(letter, letter))
            own = {value for each, value in values.items() if each.partition("_")[0] in letters}  # The width of an expert is an I, too.
            if letter in values and own.isdisjoint(given):
                return message("of-other-sizes", letter=letter, value=given[0], name=name, own=values[letter])
        if self._has_no_gate and _GATED.intersection(parts) and (gate := either(words_of("gated")).search(self.checker.text)):
            return message("of-another-kind", said=gate[0], line=self.checker.document.source.place(gate.start())[0], name=name)
        return None

    @cached_property
    def without_a_part(self) -> Message | None:
        """Whether the page counts a table of the model as nothing, as its own model has none: ``Positional encoding: 0``."""
        for each in self.checker.quantities.stated:
            parts = read_label(each.own_words).parts if each.value == 0 else ()
            if len(parts) == 1 and parts[0] in _TABLES and _has(self.chosen, parts[0]):
                return message("of-no-part", line=self.checker.document.source.place(each.expression.start)[0])
        return None

    def may_lack_biases(self, stated: Fraction, bare: Fraction | int, whole: Fraction | int) -> Message | None:
        """Whether the page builds layers without biases, and a number is what the model has but for some of them."""
        if not bare <= stated < whole or self._without_bias is None:
            return None
        return message("of-no-biases", line=self._without_bias)

    def _name_above(self, place: int) -> str | None:
        """The other model that the last bold or introducing line above an offset names which names a model, within its section."""
        at = bisect_right(self._names_of_lines, (place, "")) - 1
        if at < 0:
            return None
        start, name = self._names_of_lines[at]
        starts = self.checker.quantities.starts
        return name or None if bisect_right(starts, start) == bisect_right(starts, place) else None

    def _sizes_above(self, place: int) -> Mapping[str, list[int]]:
        """The sizes that the last introducing line above an offset gives, within its section."""
        at = bisect_right(self._introduced, place, key=itemgetter(0)) - 1
        start, given = self._introduced[at] if at >= 0 else (0, dict[str, list[int]]())
        starts = self.checker.quantities.starts
        return given if bisect_right(starts, start) == bisect_right(starts, place) else {}

    @cached_property
    def _introduced(self) -> list[tuple[int, Mapping[str, list[int]]]]:
        """The lines that introduce others, each with the sizes that tell models apart if it gives several: ``(32 layers, 8 heads):``."""
        lines = ((line.start(), SizesInWords(line["name"]).up_to(len(line["name"]))) for line in _INTRODUCTION.finditer(self.checker.text))
        return [(at, {each: sizes[each] for each in _LETTERS if each in sizes} if len(sizes) >= _SEVERAL else {}) for at, sizes in lines]

    @cached_property
    def _names_of_lines(self) -> list[tuple[int, str]]:
        """The lines in bold, and those that introduce others, that name a model, each with the name if it is another one."""
        model, found = NamedModel(self.chosen), list[tuple[int, str]]()
        for line in chain.from_iterable(pattern.finditer(self.checker.text) for pattern in (_BOLD, _INTRODUCTION)):
            name = line["name"].strip()
            if model.is_another_in(name) or model.is_named_in(name):
                found.append((line.start(), "" if model.is_named_in(name) else name))
        return sorted(found)

    @cached_property
    def _without_bias(self) -> int | None:
        """The first line that builds a layer without a bias, other than the head, which has none anyway."""
        lines = enumerate(self.checker.text.split("\n"), 1) if _NO_BIAS.search(self.checker.text) else ()
        return next((at for at, line in lines if _NO_BIAS.search(line) and not _OF_HEAD.search(line)), None)

    def _is_of_others(self, letter: str, size: int | Fraction, section: int) -> bool:
        """Whether only sections about other models give the size to the letter, and this section does not."""
        given = self.checker.knowledge.given_in.get((letter, size), set())
        return section not in given and bool(given) and given <= self._about_others

    @cached_property
    def _about_others(self) -> set[int]:
        """The sections whose innermost heading that names a model names another one."""
        model = NamedModel(self.chosen)
        named = (
            next((each for each in headings if model.is_named_in(each) or model.is_another_in(each)), "")
            for headings in self.checker.quantities.opened
        )
        return {at for at, heading in enumerate(named, 1) if heading and not model.is_named_in(heading)}

    @cached_property
    def _given(self) -> dict[int, dict[str, list[int]]]:
        """The values of each letter in each section."""
        found: dict[int, dict[str, list[int]]] = {}
        counts = {each.expression.start for each in self.checker.quantities.stated if _counts(each.column)}
        for place, letter, value in _sizes_in(self.checker.text):
            section = bisect_right(self.checker.quantities.starts, place)
            if place not in counts:
                found.setdefault(section, {}).setdefault(letter, []).append(value)
        return found

    @cached_property
    def _has_no_gate(self) -> bool:
        roles = {place.module.role for place in self.chosen.model.architecture.places()}
        return "feed-forward-in" in roles and not any("gate" in (role or "") for role in roles)


def _has(chosen: Resolved, role: str) -> bool:
    """Whether the model has such a part."""
    return any(place.module.role == role for place in chosen.model.architecture.places())


def _counts(heading: str) -> bool:
    """Whether the head of a column says that its numbers are parameters, operations or bytes."""
    return words("parameters").in_text(heading) or bool(read_label(heading).measures)


def _sizes_in(text: str) -> Iterator[tuple[int, str, int]]:
    for match in _pattern().finditer(text):
        letter = next(each for each in _LETTERS if match[each])
        value = int(re.sub(r"\D", "", match["value"]))
        if 0 < value < _LARGEST[letter]:
            yield match.start("value"), letter, value


def _may_be(letter: str) -> Callable[[int | Fraction], bool]:
    """Whether a value may be that of the size: an N of a hundred million counts parameters, not layers."""
    return lambda value: value < _LARGEST.get(letter, _LARGEST["N"])


@cache
def _pattern() -> re.Pattern[str]:
    named = {letter: [*size_words()[letter], *_PLAIN.get(letter, ())] for letter in _LETTERS}
    for name, letter in PAGE_NAMES.items():
        if letter in named:
            named[letter].append(name)
    size = "|".join(f"(?P<{letter}>{_any(names)})" for letter, names in named.items())
    links = either(run_words()["link"]).pattern
    sign = rf"[ \t*`_\"'$]{{0,16}}+(?:[:=|：]|{links})[ \t*`_\"'$|]{{0,16}}+"
    number = r"(?>\d{1,3}(?>(?:(?:[,.\u00a0\u2007\u2009\u202f ]|\{,\}|\\,)\d{3}(?!\d))+)|\d{1,7}+)"
    value = rf"(?P<value>{number})(?![.,]?\d|\s{{0,3}}[KMB%×x*·\\+]|\w)"  # Not the first factor of a product either.
    return re.compile(rf"(?<![^\W\d_])(?:{size}){sign}{value}", re.IGNORECASE)


def _any(names: Iterable[str]) -> str:
    """One of the names, the longest first; a hyphen or an underscore counts as a space."""
    longest = sorted(dict.fromkeys(names), key=len, reverse=True)
    return "|".join(name if is_unspaced(name) else re.escape(name).replace(r"\ ", "[ _-]") for name in longest)
