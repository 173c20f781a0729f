"""Finds values that a document sets without an equals sign: by a key of a JSON config, by a row of a table of letters or config keys, and
beside a letter in a bracket.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import islice

from symparam.documents.rules.rule import applies_here

_KEY_AND_VALUE = re.compile(r"""["']([A-Za-z_]+)["']\s*:\s*(\d{1,18})\b""")
_NUMBER = re.compile(r"\d{1,3}(?:(?:,|\{,\})\d{3})+|\d{1,18}")
# Cells are separated by bars, TeX's ampersands, or at least two spaces. All repetitions are possessive.
_FIRST_CELL = r"[ \t|]*+[$`*]*+({})[$`*]*+(?:[ \t]*+[|&][ \t]*+|[ \t]{{2,}}+)"
_LETTER = re.compile(_FIRST_CELL.format(r"[A-Za-zΑ-Ωα-ω](?:_\w++|_\{\w++\})?"))
_KEY = re.compile(_FIRST_CELL.format(r"[A-Za-z][A-Za-z\\]*+_[A-Za-z_\\]++"))
_BRACKETED = re.compile(r"[(（]\s?[`$]?([A-Za-z](?:_\w{1,8})?)[`$]?\s?[)）]")
_VALUE = r"(\d{1,3}(?:,\d{3})++|\d{1,18}+(?:\.\d{1,4})?(?:e\d{1,2})?)([KMBT](?![^\W_]))?"
_VALUE_BEHIND = re.compile(rf"(?:\s?[:：=|]|\s\s)[\s|`$*]{{0,30}}{_VALUE}(?![\w.,]\w|\w|\s?[×x*·/+^-])")
_VALUE_BEFORE = re.compile(rf"(?<![\w.,×*/^-]){_VALUE}(?:\s[^\W\d_]{{2,20}}+){{1,3}}+\s?\Z")
_AROUND = 60  # Characters before and after a letter in a bracket that are searched for its value.
_MOST_BRACKETS = 20  # Letters in brackets on one line.
_GAP = re.compile(r"[|&]|[ \t]{2}")


def assigned_values(line: str, names: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    """Each letter that the line sets, with its value. ``names`` maps the keys and names that are known to their letters."""
    for match in _KEY_AND_VALUE.finditer(line):
        if match[1] in names and applies_here("value-in-json"):
            yield names[match[1]], int(match[2])
    row = line.rstrip(" \t").removesuffix("\\\\").rstrip(" \t|$`*")
    before = row.rstrip("0123456789,{}")
    if len(line) > 400 or not _NUMBER.fullmatch(row, len(before)):
        return
    value = _value(row[len(before) :])
    if letter := _LETTER.match(before):
        between = before[letter.end() :]
        words = between.rstrip(" \t|&$`*")
        if any(map(str.isalpha, words)) and _GAP.search(between, len(words)) and applies_here("table-of-letters"):
            name = letter[1].replace("{", "").replace("}", "")
            yield names.get(name, name), value
    key = _KEY.match(before)
    if key and not before[key.end() :].strip("$`*|") and key[1].replace("\\", "") in names and applies_here("table-of-keys"):
        yield names[key[1].replace("\\", "")], value


def values_of_bracketed_letters(line: str) -> Iterator[tuple[str, Fraction]]:
    """Each letter in a bracket with the number after it, or the number before the words that it stands for: ``Parameters (N): 3.0e9``,
    ``with 32 layers (L)``.
    """
    for match in islice(_BRACKETED.finditer(line), _MOST_BRACKETS):
        behind = _VALUE_BEHIND.match(line, match.end(), match.end() + _AROUND)
        before = None if behind else _VALUE_BEFORE.search(line[max(0, match.start() - _AROUND) : match.start()])
        found = behind or before
        if found is not None and applies_here("letter-in-bracket"):
            scale = 1000 ** (1 + "KMBT".index(found[2])) if found[2] else 1
            yield match[1], Fraction(found[1].replace(",", "")) * scale


def _value(written: str) -> int:
    return int("".join(filter(str.isdecimal, written)))
