"""Finds values that a document sets without an equals sign: by a key of a JSON config, or by a row of a table of letters or config keys."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from symparam.documents.rules.rule import applies_here

_KEY_AND_VALUE = re.compile(r"""["']([A-Za-z_]+)["']\s*:\s*(\d{1,18})\b""")
_NUMBER = re.compile(r"\d{1,3}(?:(?:,|\{,\})\d{3})+|\d{1,18}")
# Cells are separated by bars, TeX's ampersands, or at least two spaces. All repetitions are possessive.
_FIRST_CELL = r"[ \t|]*+[$`*]*+({})[$`*]*+(?:[ \t]*+[|&][ \t]*+|[ \t]{{2,}}+)"
_LETTER = re.compile(_FIRST_CELL.format(r"[A-Za-zΑ-Ωα-ω](?:_\w++|_\{\w++\})?"))
_KEY = re.compile(_FIRST_CELL.format(r"[A-Za-z][A-Za-z\\]*+_[A-Za-z_\\]++"))
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


def _value(written: str) -> int:
    return int("".join(filter(str.isdecimal, written)))
