"""Listings of sizes without brackets or crosses, ``fc.weight: 64, 3``, where the biases prove that the numbers are sizes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise

from symparam.models.printed.listings.lines import MAX_LINE, SUMS
from symparam.models.printed.listings.pieces import is_setting
from symparam.models.printed.named_tensors import NamedTensor

_ROW = re.compile(
    r"[ \t|>*\"'`-]{0,20}(?:(?P<index>\d{1,6})[.,:;)\t ]{1,9})?[\"'`]?(?P<name>[A-Za-z_][\w-]{0,200}(?:\.[\w-]{1,200}){0,60})[\"'`]?"
    r"(?:[ \t|:;,=]|[-=]>){1,200}"
    r"(?P<sizes>(?:\d{1,18}|<\d[^<>]{0,200}>|\(\)|\[\]|<>|scalar)(?:[ \t]?[,:/;·⋅|\t ][ \t]{0,9}\d{1,18}){0,9})[ \t,;|]{0,20}"
)
_SIZE = re.compile(r"\d{1,18}")
_SIGNS = re.compile(r"[^\d\s<>()\[\]a-z]")


def tensors_of_bare_sizes(lines: Mapping[int, str], file: str) -> dict[int, list[NamedTensor]]:
    """The tensors by line number, if each line has a name and one or more numbers, of which each bias has one, a size of its weight,
    and each weight beside it has several; otherwise empty.
    """
    read = {number: _ROW.fullmatch(line) for number, line in lines.items() if line.strip() and len(line) <= MAX_LINE}
    rows = {number: found for number, found in read.items() if found}
    if not rows or len(rows) != len([line for line in lines.values() if line.strip()]):
        return {}
    shapes = {found["name"]: tuple(map(int, _SIZE.findall(found["sizes"]))) for found in rows.values()}
    signs = {sign for found in rows.values() for sign in _SIGNS.findall(found["sizes"])}
    indices = [int(found["index"]) for found in rows.values() if found["index"]]
    numbered = not indices or (len(indices) == len(rows) and all(other == one + 1 for one, other in pairwise(indices)))
    biases = {name: shapes.get(f"{name.removesuffix('bias')}weight", ()) for name in shapes if name.endswith(".bias")}
    pairs = [(shapes[name], weight) for name, weight in biases.items() if len(weight) > 1]
    proven = bool(pairs) and all(len(bias) == 1 and bias[0] in weight for bias, weight in pairs)
    if not (proven and numbered and len(signs) < 2 and len(shapes) == len(rows)) or any(
        is_setting(name) or SUMS.fullmatch(name) for name in shapes
    ):
        return {}
    return {
        number: [NamedTensor(found["name"], shapes[found["name"]], f"{file}, line {number}, column {found.start('name') + 1}", number)]
        for number, found in rows.items()
    }
