"""Decides what a name on a page stands for: a declared name, one size, a product of letters, or an ordinary word."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from dataclasses import field

from symparam.core.dimensions import COMMON_LETTERS
from symparam.core.frozen import frozen
from symparam.core.parsing.reader import COMMON_NAMES
from symparam.documents.words import words

# They look like products of letters, but are words unless a formula leaves no doubt.
_ABBREVIATIONS = frozenset("LN BN KV LM PE NN FC FF QK SA MB GB KB TB AI ML MHA FFN MLP GPT CNN RNN VIT".split())  # noqa: SIM905


@frozen
class Vocabulary:
    """The meanings of names: ``names`` maps an author's name to its letter, ``single`` are letters that occur alone in formulas of the
    document, after a number, or in a product with a power or a subscript, ``apart`` those that occur without a number, and ``bound``
    those that the document sets to a number.
    """

    names: Mapping[str, str] = field(default_factory=lambda: COMMON_NAMES)
    single: Set[str] = frozenset()
    bound: Set[str] = frozenset()
    apart: Set[str] = frozenset()
    dotted: bool = False  # Whether points separate thousands somewhere in it, as in 1.234.567.
    _asked: dict[tuple[str, bool, bool], tuple[str, ...] | None] = field(default_factory=dict, compare=False)  # Pages repeat names.

    def letters_of(self, name: str, glued: bool, in_formula: bool = False) -> tuple[str, ...] | None:
        """The letters whose product the name is: one for a name, several for ``LH``; None for an ordinary word.

        ``glued`` says that it follows a number or a bracket without a space, as no word does, and ``in_formula`` that it has a power or
        is in braces, where letters of the page are no word even if they look like one: ``\\frac{as}{h}``.
        """
        asked = name, glued, in_formula
        if asked not in self._asked:
            self._asked[asked] = self._letters_of(name, glued, in_formula)
        return self._asked[asked]

    def _letters_of(self, name: str, glued: bool, in_formula: bool) -> tuple[str, ...] | None:
        plain = name.rpartition(".")[2].replace("\\", "")
        if plain in self.names:
            return (self.names[plain],)
        head, _, subscript = plain.partition("_")
        last = f"{head[-1:]}_{subscript}"
        if last in self.names and all(letter in self.single or letter in COMMON_LETTERS for letter in head[:-1]):
            return (*head[:-1], self.names[last])  # In LaTeX the subscript of EI_{m} belongs to the I alone.
        if len(plain) == 1 or "_" in plain:
            return (plain,)
        if not plain.isalpha():
            return (plain,)
        longest = 4 if plain.islower() else 6
        is_word = plain in _ABBREVIATIONS or (plain in words("short").whole and not in_formula)
        known = not is_word and all(letter in self.single or letter in self.names for letter in plain)
        return tuple(self.names.get(letter, letter) for letter in plain) if len(plain) <= longest and (glued or known) else None


def vocabulary_of(text: str, names: Mapping[str, str]) -> Vocabulary:
    """The vocabulary of a text: the declared names, the letters that it sets to a number, and those that occur alone in its formulas."""
    beside_sign = [match.groups() for match in _BESIDE_SIGN.finditer(text)]
    bound = {letter for letter, value in beside_sign if value}
    apart = {letter for letter, _ in beside_sign} | {match[1] for pattern in _ALONE for match in pattern.finditer(text)}
    behind = {match[1] for match in _BEHIND_NUMBER.finditer(text)}.union(*_POWERED.findall(text), *_BESIDE_INDEX.findall(text))
    return Vocabulary(names, frozenset(apart | behind), frozenset(bound), frozenset(apart), _DOTTED.search(text) is not None)


# The first character of a match comes first, and the lookbehind after it, as a search finds the next such character quickly.
_DOTTED = re.compile(r"[1-9](?<![\d.].)\d{0,2}(?:\.\d{3}){2,}(?![\d.])")
_LETTER = "([A-Za-zΑ-Ωα-ω])"
# Before an equals sign and a digit, or before another sign.
_BESIDE_SIGN = re.compile(rf"{_LETTER}(?<![\w\\.].)(?:\s*(?:=|&=|＝)\s*(\d)|(?=[²³^]|<sup>| ?[×·+*/](?![*/]))(?<!['-].))")
_POWERED = re.compile(r"(?<![A-Za-z\\_])[A-Zdhk]{2,8}(?=[²³^])")  # ``6NBLH²``
_SIZES = f"[{''.join(COMMON_LETTERS)}]{{2,6}}"
_BESIDE_INDEX = re.compile(  # ``NB d_s IL``
    rf"(?<![A-Za-z\\_]){_SIZES}(?=[^\S\n]?[A-Za-z]_\{{?[a-z](?![A-Za-z_]))|(?:(?<=_[a-z][^\S\n])|(?<=_\{{[a-z]\}})){_SIZES}(?![A-Za-z_])"
)
_BEHIND_NUMBER = re.compile(rf"\d(?<![\w.].)\d*{_LETTER}(?=[²³^]| ?[+)×·])")
_ALONE = (  # At the beginning of a row, or between the marks of a formula.
    re.compile(rf"(?m)^[ \t]*(?:\|[ \t]*)?[`$]?{_LETTER}[`$]?(?:[ \t]{{2,}}\S|[ \t]*[|&])"),
    re.compile(rf"\${_LETTER}\$"),
    re.compile(rf"= ?{_LETTER}(?=[$,.;)])"),
    re.compile(rf"`{_LETTER}`"),
)
