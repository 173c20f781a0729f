"""A listing of tensors as YAML of many lines: a shape below its name, a size in each line or after ``shape:``; or a list of such items."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from symparam.errors import DocumentError, shorten
from symparam.models.printed.listings.lines import MAX_LINE, SUMS, dotted, read_sizes
from symparam.models.printed.listings.objects import NAMES, SHAPES
from symparam.models.printed.listings.pieces import is_setting
from symparam.models.printed.named_tensors import NamedTensor
from symparam.models.printed.tree import Shape

_KEY = re.compile(r"( {0,40})(['\"]?)(\w[\w./-]{0,400})\2:(?: {1,40}(\S[^#\n]{0,400}))?\s*")
_SIZE = re.compile(r" {0,40}- {1,10}(\d{1,18})\s*")
_ITEM = re.compile(r"( {0,40})- {1,10}(\w{1,40}): {1,40}(\S[^#\n]{0,400})")
_FENCE = re.compile(r"```\w{0,20}\s*")
_NAME = re.compile(r"\w[\w./-]{0,400}")
_ANCHORED = re.compile(r"([^&:]{1,500}: {1,40})&(\w{1,40}) {1,40}([\[(][^\n]{0,400})")
"""A value with an anchor: ``weight: &square [64, 64]``."""
_ALIAS = re.compile(r"([^*:]{1,500}: {1,40})\*(\w{1,40})\s*")
_OPEN = re.compile(r": {1,40}['\"]?[\[(][\d, ]{0,200},\s*$")
_REST = re.compile(r" {1,80}\d[\d, ]{0,200}[\])]?['\"]?\s*")
"""The beginning of a shape whose bracket is not closed in its line, and the rest of it."""
_ASIDE = re.compile(r"---|#[^\n]{0,2000}")


def tensors_of_yaml(lines: Mapping[int, str], file: str) -> dict[int, list[NamedTensor]]:
    """The tensors by the line numbers of their names; empty if anything else occurs among them, or in the only code fence.

    Raises `DocumentError` for an item of a list that has no shape.
    """
    fences = [number for number, line in lines.items() if _FENCE.fullmatch(line)]
    if len(fences) == 2:
        lines = {number: line for number, line in lines.items() if fences[0] < number < fences[1]}
    lines = {number: line for number, line in lines.items() if not _ASIDE.fullmatch(line.strip())}
    lines = _with_aliases(_unfolded(lines))
    return _mapped(lines, file) or _itemised(lines, file)


def _with_aliases(lines: Mapping[int, str]) -> Mapping[int, str]:
    """The lines with each alias, ``*name``, replaced by the value with this anchor, ``&name [64, 64]``."""
    values, found = dict[str, str](), dict[int, str]()
    for number, line in lines.items():
        if anchored := _ANCHORED.fullmatch(line[:MAX_LINE]):
            values[anchored[2]] = anchored[3]
            found[number] = anchored[1] + anchored[3]
        else:
            alias = _ALIAS.fullmatch(line[:MAX_LINE])
            found[number] = alias[1] + values[alias[2]] if alias and alias[2] in values else line
    return found


def _unfolded(lines: Mapping[int, str]) -> Mapping[int, str]:
    """The lines with each shape that is folded, as YAML does with long lines, in the line of its name."""
    found, last = dict[int, str](), 0
    for number, line in lines.items():
        if last and _OPEN.search(found[last][-MAX_LINE:]) and _REST.fullmatch(line[:MAX_LINE]):
            found[last] += f" {line.strip()}"
        else:
            found[number], last = line, number
    return found


def _itemised(lines: Mapping[int, str], file: str) -> dict[int, list[NamedTensor]]:
    """The tensors of items such as ``- name: …`` with ``shape: […]`` below, which other keys may precede; empty if any is different.

    Raises `DocumentError` for an item without a shape behind one that has one.
    """
    items: list[tuple[int, dict[str, str]]] = []
    inside, last = -1, ""
    for number, line in lines.items():
        if len(line) > MAX_LINE:
            return {}
        item, key, size = _ITEM.fullmatch(line.rstrip()), _KEY.fullmatch(line), _SIZE.fullmatch(line)
        if item and (not items or len(item[1]) == inside):
            inside, last = len(item[1]), item[2]
            items.append((number, {last: item[3].strip()}))
        elif key and not items:
            continue
        elif key and len(key[1]) > inside:
            last = key[3]
            items[-1][1].setdefault(last, (key[4] or "").strip())
        elif size and items and last in SHAPES and not items[-1][1][last].endswith("]"):
            items[-1][1][last] += f"{size[1]}, "
        else:
            return {}
    found = dict[int, list[NamedTensor]]()
    for number, fields in items:
        name = next((fields[key].strip("'\"") for key in NAMES if key in fields), "")
        sizes = next((fields[key] for key in SHAPES if key in fields), "")
        read = read_sizes(sizes if sizes[:1] in ("[", "(") else f"[{sizes}]", 0)
        if not sizes and found and _NAME.fullmatch(name):
            raise DocumentError(f"{file}, line {number}: {shorten(name)} has no shape, as where a listing is cut off; give it one")
        if not _NAME.fullmatch(name) or not sizes or read is None:
            return {}
        found[number] = [NamedTensor(name, read.shape, f"{file}, line {number}", number)]
    return found


def _mapped(lines: Mapping[int, str], file: str) -> dict[int, list[NamedTensor]]:
    """The tensors of a map from names to shapes or further such maps; empty if anything in it is neither."""
    root = YamlEntry(0, -1, "")
    above = [root]
    for number, line in lines.items():
        key = _KEY.fullmatch(line) if len(line) <= MAX_LINE else None
        if size := _SIZE.fullmatch(line):
            above[-1].sizes.append(int(size[1]))
        elif key is None:
            return {}
        elif not (key[4] and SUMS.fullmatch(key[3]) and key[4].strip().isdecimal()):
            insert_below(above, YamlEntry(number, len(key[1]), key[3], (key[4] or "").rstrip()))
    try:
        found = {each.line: [each] for each in leaves(root, "", file)}
    except ValueError:
        return {}
    is_flat = any("." in each.name for each in root.inner) and not any(each.inner or each.sizes for each in root.inner)
    if is_flat and any(each.value.isdecimal() and (is_setting(each.name) or "." not in each.name) for each in root.inner):
        return {}  # Settings or sums between lines of a listing, rather than a map.
    return found if len(found) > 1 else {}


@dataclass
class YamlEntry:
    """A name with the text after it, the sizes in lines of their own below it, and the names below it that are further indented."""

    line: int
    indent: int
    name: str
    value: str = ""
    sizes: list[int] = field(default_factory=list)
    inner: list[YamlEntry] = field(default_factory=list)

    @property
    def shape(self) -> Shape | None:
        """The shape that the entry gives; None for anything else."""
        if self.sizes and not self.value and not self.inner:
            return tuple(self.sizes)
        read = read_sizes(self.value, 0) if self.value and not self.sizes and not self.inner else None
        return read.shape if read and read.end == len(self.value) else None


def insert_below(above: list[YamlEntry], entry: YamlEntry) -> None:
    """Put the entry below the last of those above that is less indented."""
    while above[-1].indent >= entry.indent:
        above.pop()
    above[-1].inner.append(entry)
    above.append(entry)


def leaves(entry: YamlEntry, before: str, file: str) -> Iterator[NamedTensor]:
    """The tensors below an entry by their full names. Raises `ValueError` where neither a name nor anything below it has a shape."""
    for each in entry.inner:
        name, shape = f"{before}{each.name}", each.shape
        below = [inner.shape for inner in each.inner if inner.name in SHAPES]
        if shape is None and not each.value and len(below) == 1 and not any(inner.inner for inner in each.inner):
            shape = below[0]
        elif shape is None and each.inner and not each.value and not each.sizes and not below:
            yield from leaves(each, f"{name}.", file)
            continue
        if shape is None:
            raise ValueError(f"line {each.line}: {shorten(name)} has no shape")
        yield NamedTensor(dotted(name), shape, f"{file}, line {each.line}", each.line)
