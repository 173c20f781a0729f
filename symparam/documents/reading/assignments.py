"""Finds values that a document sets without an equals sign: by a key of a JSON config, by a row of a table of letters or config keys, and
beside a letter in a bracket.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import islice
from typing import NamedTuple

from symparam.documents.reading.expression import UNKNOWN
from symparam.documents.reading.vocabulary import Vocabulary
from symparam.documents.rules.rule import applies_here, in_force

_KEY_AND_VALUE = re.compile(r"""["']([A-Za-z_]+)["']\s*:\s*(\d{1,18})\b""")
# Cells are separated by bars, TeX's ampersands, or at least two spaces. All repetitions are possessive.
_FIRST_CELL = r"[ \t|]*+[$`*]*+({})[$`*]*+(?:[ \t]*+[|&][ \t]*+|[ \t]{{2,}}+)"
_NAME = r"[A-Za-zΑ-Ωα-ω](?:_\w++|_\{\w++\})?"
_LETTER = re.compile(_FIRST_CELL.format(_NAME))
_WORDS_AND_LETTER = re.compile(_FIRST_CELL.format(rf"[^\W\d_][\w-]{{1,30}}+(?>(?: [^\W\d_][\w-]{{1,30}}+){{0,3}}) [$`*]?({_NAME})"))
_INTEGER = r"(?:\d{1,3}(?>(?:_\d{3})+)|\d{1,18}+)"
_TOGETHER = re.compile(
    rf"\s{{0,40}}+([A-Za-z]\w{{0,30}}+(?>(?:, ?[A-Za-z]\w{{0,30}}+){{1,9}})) ?= ?({_INTEGER}(?>(?:, ?{_INTEGER}){{1,9}}))\s*+(?:#.*)?"
)
_KEY = re.compile(_FIRST_CELL.format(r"[A-Za-z][A-Za-z\\]*+_[A-Za-z_\\]++"))
_BRACKETED = re.compile(r"[(（]\s?[`$]?([A-Za-z](?:_\w{1,8})?)[`$]?\s?[)）]")
_VALUE = r"(\d{1,3}(?>(?:,\d{3})+)|\d{1,18}+(?:\.\d{1,4})?(?:e\d{1,2})?)([KMBT](?![^\W_]))?"
_ROW_VALUE = re.compile(
    r"(?:[|&]|\s\s)[\s$`*]{0,30}(\d{1,3}(?>(?:(?:,|\{,\})\d{3})+)|\d{1,18}+(?:\.\d{1,9})?(?:e\+?\d{1,2})?)"
    r"(?: [A-Za-z]{1,8}(?:/[A-Za-z]{1,8})?)?\Z"  # A unit.
)
_VALUE_BEHIND = re.compile(rf"(?:\s?[:：=|]|\s\s)[\s|`$*]{{0,30}}{_VALUE}(?![\w.,]\w|\w|\s?[×x*·/+^-])")
_VALUE_BEFORE = re.compile(rf"(?<![\w.,×*/^-]){_VALUE}(?>(?:\s[^\W\d_]{{2,20}}+){{1,3}})\s?\Z")
_NO_MARKS = str.maketrans("", "", ",{}")
_LONGEST = 400  # Characters of a line that sets a value.
_AROUND = 60  # Characters before and after a letter in a bracket that are searched for its value.
_MOST_BRACKETS = 20  # Letters in brackets on one line.
_DIGIT = re.compile(r"\d")
_GAP = re.compile(r"[|&]|[ \t]{2}")


class AssignedValue(NamedTuple):
    """A letter with its value; not ``settled`` if the number may be rounded, or the letter may be part of a name."""

    letter: str
    value: int | Fraction
    settled: bool = True


def assigned_values(line: str, vocabulary: Vocabulary) -> Iterator[AssignedValue]:
    """Each letter or word that the line sets."""
    if not _DIGIT.search(line):
        return
    names = vocabulary.names
    for match in _KEY_AND_VALUE.finditer(line):
        if match[1] in names and applies_here("value-in-json"):
            yield AssignedValue(names[match[1]], int(match[2]))
    if len(line) <= _LONGEST:
        several = _several(line)
        if several and applies_here("values-together"):
            for name, value in zip(several[1].split(","), several[2].split(","), strict=True):
                letters = vocabulary.letters_of(name.strip(), False)
                yield AssignedValue(letters[0] if letters and len(letters) == 1 else UNKNOWN + name.strip(), int(value))
        yield from _in_row(line, names)
    yield from _in_brackets(line, names)


def sets_several(line: str) -> bool:
    """Whether the line sets several names together, so that the numbers beside its equals sign are no equation."""
    return len(line) <= _LONGEST and _several(line) is not None and in_force("values-together")


def _several(line: str) -> re.Match[str] | None:
    found = _TOGETHER.fullmatch(line)
    return found if found and found[1].count(",") == found[2].count(",") else None


def _in_row(line: str, names: Mapping[str, str]) -> Iterator[AssignedValue]:
    """A letter, a key, or words with a letter in the first cell, and its value in the last."""
    row = line.rstrip(" \t").removesuffix("\\\\").rstrip(" \t|$`*")
    found = _ROW_VALUE.search(row)
    if found is None:
        return
    before, value = row[: found.start(1)], _value(found[1])
    is_whole = not {".", "e"} & set(found[1])
    if letter := _LETTER.match(before):
        between = before[letter.end() :]
        words = between.rstrip(" \t|&$`*")
        if any(map(str.isalpha, words)) and _GAP.search(between, len(words)) and applies_here("table-of-letters"):
            name = letter[1].replace("{", "").replace("}", "")
            yield AssignedValue(names.get(name, name), value, is_whole)
    elif (labelled := _WORDS_AND_LETTER.fullmatch(before)) and applies_here("table-of-letters"):
        yield AssignedValue(names.get(labelled[2], labelled[2]), value, settled=False)
    key = _KEY.match(before)
    if key and is_whole and not before[key.end() :].strip("$`*|") and key[1].replace("\\", "") in names and applies_here("table-of-keys"):
        yield AssignedValue(names[key[1].replace("\\", "")], value)


def _in_brackets(line: str, names: Mapping[str, str]) -> Iterator[AssignedValue]:
    """Each letter in a bracket with the number after it, or the number before the words that it stands for: ``Parameters (N): 3.0e9``,
    ``with 32 layers (L)``.
    """
    for match in islice(_BRACKETED.finditer(line), _MOST_BRACKETS):
        behind = _VALUE_BEHIND.match(line, match.end(), match.end() + _AROUND)
        before = None if behind else _VALUE_BEFORE.search(line[max(0, match.start() - _AROUND) : match.start()])
        found = behind or before
        if found is not None and applies_here("letter-in-bracket"):
            scale = 1000 ** (1 + "KMBT".index(found[2])) if found[2] else 1
            yield AssignedValue(names.get(match[1], match[1]), _value(found[1]) * scale, settled=False)


def _value(written: str) -> int | Fraction:
    value = Fraction(written.translate(_NO_MARKS))
    return int(value) if value.denominator == 1 else value
