"""A listing of tensors as a tree: ``├── encoder`` above ``│   └── weight [64, 64]``, drawn with lines or by indentation alone."""

from __future__ import annotations

import re
from collections.abc import Mapping

from symparam.errors import DocumentError
from symparam.models.printed.listings.lines import MAX_LINE, read_sizes
from symparam.models.printed.listings.yaml import YamlEntry, insert_below, leaves
from symparam.models.printed.named_tensors import NamedTensor

_BRANCH = re.compile(r"([ \t│┃|]{0,200}(?:[├└┣┗╰][─━]{1,4}|[|`+\\]-{1,3})) ?([\w./~-]{1,400})[:=]?(?= |\(|$)(.{0,400})")
_NODE = re.compile(r" {0,40}(?:\(\w{0,60}\)|\{|)")
"""What may follow the name of a module: its class."""
_INDENTED = re.compile(r"([ \t]{0,200}(?:[-*+•] {1,3})?)([\w./~-]{1,400})(?:[:=]|(?= |$))(.{0,400})")
_SIZES = re.compile(r"torch\.Size\(|[(\[{]|\d")


def tensors_of_tree(lines: Mapping[int, str], file: str) -> dict[int, list[NamedTensor]]:
    """The tensors of a tree by line number; empty if there is none. Raises `DocumentError` for a tree that is only partly readable."""
    branches = {number: found for number, line in lines.items() if len(line) <= MAX_LINE and (found := _BRANCH.fullmatch(line.rstrip()))}
    if len(branches) < 2 or not any(_shape(found[3]) for found in branches.values()):
        return {}
    root = YamlEntry(0, -1, "")
    above = [root]
    for number, found in branches.items():
        shape = _shape(found[3]) or ("" if _NODE.fullmatch(found[3]) else found[3])
        insert_below(above, YamlEntry(number, len(found[1].expandtabs()), found[2], shape))
    try:
        return {each.line: [each] for each in leaves(root, "", file)}
    except ValueError as error:
        raise DocumentError(
            f"{file}, {error}, nor anything below it in the tree that has one; one such as [64, 64] is expected, or [] for a single number"
        ) from None


def tensors_of_indents(lines: Mapping[int, str], file: str) -> dict[int, list[NamedTensor]]:
    """The tensors of a tree that indentation alone shows, by line number; empty if any line is not a part of it, or nothing is nested."""
    root = YamlEntry(0, -1, "")
    above, nested = [root], False
    for number, line in lines.items():
        found = _INDENTED.fullmatch(line.rstrip()) if len(line) <= MAX_LINE else None
        shape = _shape(found[3]) if found else ""
        if found is None or not (shape or _NODE.fullmatch(found[3])):
            return {}
        insert_below(above, YamlEntry(number, len(found[1].expandtabs()), found[2], shape))
        nested |= len(above) > 2
    try:
        return {each.line: [each] for each in leaves(root, "", file)} if nested else {}
    except ValueError:
        return {}


def _shape(text: str) -> str:
    """The first shape in the text after a name, as it is written there."""
    found = ((start.start(), sizes) for start in _SIZES.finditer(text) if (sizes := read_sizes(text, start.start())))
    return next((text[start : sizes.end] for start, sizes in found if sizes.style != "number"), "")
