"""Writes JSON: plain integers, and formulas as text, ASCII and LaTeX."""

from __future__ import annotations

import json
import re
from fractions import Fraction

from symparam.core.alphabets import Alphabet
from symparam.core.formula import Formula, write
from symparam.core.json_types import JsonObject
from symparam.core.notation import ASCII, LATEX, UNICODE
from symparam.models.configs.values import Model

_OBEYED = re.compile(
    "[\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]|##(?=\\[)"
)
"""Characters that a terminal or a workflow log would interpret or hide, and that JSON does not require to be escaped."""
_PLAIN_LIST = re.compile(r"\[\n *+((?>(?:[^\[\]{}\n]++\n *+)+))\]")


def dumps(value: JsonObject) -> str:
    """The value as indented JSON with a final newline; a list of plain values, such as a shape, stays on one line."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    text = _PLAIN_LIST.sub(lambda match: "[" + re.sub(r",\n +", ", ", match[1].rstrip()) + "]", text)
    return _OBEYED.sub(lambda match: r"#\u0023" if match[0] == "##" else json.dumps(match[0])[1:-1], text) + "\n"


def what_if(*models: Model) -> JsonObject:
    """The values that differ from the config, under ``set``; empty if there are none."""
    made = [change for model in models for change in model.changes]
    changes = [change for at, change in enumerate(made) if change not in made[:at]]  # Values may be lists, which have no hash.
    found = [{"key": each.key, "letter": each.letter or None, "value": each.value, "instead": each.instead} for each in changes]
    return {"set": found} if found else {}


def rational(value: int | Fraction) -> int | dict[str, int]:
    """An integer as it is, and any other number as numerator and denominator, as JSON has no exact fractions."""
    return value.numerator if value.denominator == 1 else {"numerator": value.numerator, "denominator": value.denominator}


def pasted(value: Formula, alphabet: Alphabet) -> dict[str, str]:
    """One formula in all notations that can be pasted elsewhere, in the letters of an alphabet."""
    return {notation.name: write(value, notation.using(alphabet)) for notation in (UNICODE, ASCII, LATEX)}
