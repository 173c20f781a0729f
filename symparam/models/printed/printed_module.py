"""The output of ``print(model)``, read by its brackets, because indentation may get lost and other text may get added when people pass it
on.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NoReturn

from symparam.core.dimensions import MAX_SIZE
from symparam.core.frozen import frozen
from symparam.core.message import Message, located, message
from symparam.errors import DocumentError, shorten
from symparam.models.printed.class_knowledge import CONTAINERS, ClassContents, unsharded
from symparam.models.printed.leaf_kinds import tensors_of
from symparam.models.printed.own_parameters import ContentsLookup, own_parameters, without_width_doubts
from symparam.models.printed.source_text import NamedText
from symparam.models.printed.torch_modules import is_row_by_row
from symparam.models.printed.tree import DOUBTED, MAX_LAYERS, Node, Shape, grouped

MAX_DEPTH = 60  # Nesting of modules; the deepest models have a dozen levels.
MAX_ARGUMENTS = 20_000  # Characters.

_NAME = r"[^\s().:{}]{1,200}"
_KIND = r"[A-Za-z_][\w.]{0,200}"
ROOT = re.compile(rf"(?<![\w.])({_KIND})\((?:\n {{2,60}}[^\s()][^\n]{{0,2000}}\n)?\s*\({_NAME}\):\s")
ALONE = re.compile(rf"\s*({_KIND})\([^\n]*\)\s*")
CHILD = re.compile(rf"\(({_NAME})\):\s*(?:(\d{{1,9}}) [x×] )?")
OPEN = re.compile(rf"({_KIND})\(")
BRACKET = re.compile(rf"(?<![\w.]){_KIND}\(|[()]")
PARAMETER = re.compile(r"(?:Parameter|Object of type: \w+|Buffer) containing: \[[\w.]+ of size ([\dx]*+)[^\]\n]*+\]")
NESTED = re.compile(r"Object of type: Parameter(?:List|Dict)\b")
OBJECT = re.compile(r"Object of type: \w+(?= *\n)")
"""Entries in a list of parameters that are not tensors."""
VALUE = re.compile(r"(?:\[(?>(?:[-+\d.,e \[]|\](?!\n)|True|False|None)*)\]|\(\d[-\d,. ]{0,1000}\)|True|False)(?=\n)")
"""Values that a custom class may print after a name beside its modules, such as ``(order): [0, 1, 2]``."""
SPACE = re.compile(r"\s+")
ELLIPSIS = re.compile(r"\.\.\.+|…+|\[\.\.\.\]")
SPAN = re.compile(r"(\d{1,9})(?:[-‐‑–—](\d{1,9}))?")  # Text processors write dashes for hyphens.


@dataclass
class OpenModule:
    """A module whose bracket is open: its beginning, and what has been found in it so far."""

    name: str
    copies: int | None
    kind: str
    start: int
    arguments: str = ""
    parameters: list[tuple[str, Shape]] = field(default_factory=list)
    children: list[tuple[str, Node]] = field(default_factory=list)
    spans: list[tuple[range, Node]] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    values: list[tuple[str, int]] = field(default_factory=list)
    left_out: int | None = None


def start_of(text: NamedText) -> int | None:
    """The position at which a printed module begins; None if there is none."""
    if found := ROOT.search(text.all):
        begin = text.all.rfind("\n", 0, found.start()) + 1
        around = _open_call(text.all[max(begin, found.start() - MAX_ARGUMENTS) : found.start()])
        return found.start() - around
    alone = ALONE.fullmatch(text.all)
    return alone.start(1) if alone and tensors_of(alone[1], alone[0].strip()[len(alone[1]) + 1 : -1]) is not None else None


def _open_call(before: str) -> int:
    """How far in front of a module the class begins that has it among its arguments, ``GINConv(nn=Sequential(``; 0 if there is none."""
    opened = list[int]()
    for found in BRACKET.finditer(before):
        if found[0] != ")":
            opened.append(found.start())
        elif opened:
            opened.pop()
    calls = (place for place in opened if before[place] != "(")
    return len(before) - next(calls, len(before))


@frozen
class Printed:
    """The module of a print, remarks on what the print does not show, and its end in the text."""

    root: Node
    remarks: tuple[Message, ...]
    end: int


def unknown(kind: str, nonempty: Collection[str], shown: Collection[str]) -> ClassContents | None:
    """The default for classes without a record: nothing is known."""
    return None


def read(text: NamedText, start: int, lookup: ContentsLookup = unknown) -> Printed:
    """The module that begins there. ``lookup`` tells what modules of classes without a record can hold.

    Raises `DocumentError` with line and column where the print is cut off, omits modules, or contradicts itself.
    """
    before = text.all[:start].rpartition("\n")[2]
    if found := re.search(r"\(([^\s()]+)\): (?:\d+ x )?$", before):
        raise DocumentError(
            f"{text.place(start)}: the print begins inside a module, with its part ({found[1]}), so what stands before is missing; "
            "print the whole model"
        )
    remarks: list[Message] = []
    stack: list[OpenModule] = []
    place = _open(text, start, "", None, stack)
    while True:
        if space := SPACE.match(text.all, place):
            place = space.end()
        if place >= len(text.all):
            _cut(text, stack, place, "the text ends")
        inner, character = stack[-1], text.all[place]
        if character == ")":
            stack.pop()
            node = _closed(text, inner, [each.kind.rpartition(".")[2] for each in stack], remarks, lookup)
            place += 1
            if not stack:
                return Printed(node, (*remarks, *_others(text, place)), place)
            _add(text, stack[-1], inner, node)
        elif child := CHILD.match(text.all, place):
            place = _child(text, child, stack)
        elif ellipsis := ELLIPSIS.match(text.all, place):
            inner.left_out = place
            place = ellipsis.end()
        elif inner.children or inner.spans or inner.names:
            _cut(text, stack, place, f"{shorten(text.all[place:].splitlines()[0].strip(), 40)!r} stands here")
        else:
            place = _arguments(text, place, stack)


def _open(text: NamedText, place: int, name: str, copies: int | None, stack: list[OpenModule]) -> int:
    found = OPEN.match(text.all, place)
    if found is None:
        raise _no_module(text, name, place)
    if len(stack) >= MAX_DEPTH:
        raise DocumentError(f"{text.place(place)}: modules are nested more than {MAX_DEPTH} deep here, as in no model")
    stack.append(OpenModule(name, copies, unsharded(found[1]), place))
    return found.end()


def _no_module(text: NamedText, name: str, place: int) -> DocumentError:
    shown = shorten(text.all[place : place + 60].split("\n")[0].strip(), 40) or "the end of the text"
    return DocumentError(
        f"{text.place(place)}: after ({name}): a module such as Linear(...) is expected, but {shown!r} stands there; "
        "the print is cut off or was changed: print the model again"
    )


def _child(text: NamedText, found: re.Match[str], stack: list[OpenModule]) -> int:
    """Reads what follows ``(name):``: a module that opens, a parameter of a list of parameters, None, a value, or an ellipsis."""
    parent, name, place = stack[-1], found[1], found.end()
    span = SPAN.fullmatch(name)
    if not (span and (span[2] or found[2])) and name in parent.names:
        raise DocumentError(
            f"{text.place(found.start())}: ({name}) stands twice in {parent.kind}, which line {text.line(parent.start)} opens"
        )
    parent.names.add(name)
    if parameter := PARAMETER.match(text.all, place):
        parent.parameters.append((name, tuple(_size(text, place, part) for part in parameter[1].split("x") if part)))
        return parameter.end()
    if nested := NESTED.match(text.all, place):
        parent.names.discard(name)  # A list nested in a list of parameters; it is printed once more below.
        return nested.end()
    if other := OBJECT.match(text.all, place):
        return other.end()
    if ellipsis := ELLIPSIS.match(text.all, place):
        raise DocumentError(
            f"{text.place(place)}: '{ellipsis[0]}' stands in the place of the module ({name}), so its parameters are not known; "
            "print the whole model"
        )
    if text.all.startswith("None", place):
        return place + 4
    if value := VALUE.match(text.all, place):
        parent.values.append((name, place))
        return value.end()
    return _open(text, place, name, int(found[2]) if found[2] else None, stack)


def _size(text: NamedText, place: int, digits: str) -> int:
    size = int(digits[:20])
    if not 0 < size <= MAX_SIZE:
        raise DocumentError(f"{text.place(place)}: no tensor has the size {shorten(digits, 30)}; 1 to 10^18 are expected")
    return size


def _arguments(text: NamedText, place: int, stack: list[OpenModule]) -> int:
    """The arguments of the module opened last, up to its closing bracket or the first module inside."""
    inner, depth, start = stack[-1], 0, place
    while place < len(text.all) and place - start < MAX_ARGUMENTS:
        character = text.all[place]
        if character == "(":
            if depth == 0 and CHILD.match(text.all, place):
                break
            depth += 1
        elif character == ")":
            if depth == 0:
                break
            depth -= 1
        place += 1
    else:
        _cut(text, stack, place, "the text ends" if place >= len(text.all) else f"more than {MAX_ARGUMENTS:,} characters follow")
    inner.arguments += text.all[start:place]
    return place


def _cut(text: NamedText, stack: list[OpenModule], place: int, what: str) -> NoReturn:
    inner, root = stack[-1], stack[0]
    also = f", inside {root.kind}( of line {text.line(root.start)}" if inner is not root else ""
    raise DocumentError(
        f"{text.place(place)}: {what} before {inner.kind}(, which line {text.line(inner.start)} opens{also}, is closed by ')'; "
        "the print is cut or has lost a bracket: print the whole model"
    )


def _closed(text: NamedText, inner: OpenModule, around: list[str], remarks: list[Message], lookup: ContentsLookup) -> Node:
    kind, line = inner.kind.rpartition(".")[2], text.line(inner.start)
    if inner.left_out is not None and not _filled(text, inner, remarks):
        raise DocumentError(
            f"{text.place(inner.left_out)}: '...' leaves out modules of {kind}, and nothing shows which; print the whole model"
        )
    parts = {**dict(inner.children), **{str(span.start): node for span, node in inner.spans}}
    own = own_parameters(kind, inner.arguments, inner.names, parts, around, lookup)
    tensors, missed = (*own.tensors, *inner.parameters), own.missed
    if inner.values and all(why not in DOUBTED for _, why in missed):
        raise _no_module(text, *inner.values[0])  # Known classes print only modules.
    if any(size > MAX_SIZE for _, shape in tensors for size in shape):
        raise DocumentError(f"{text.place(inner.start)}: {kind} has a size that no tensor has; at most 10^18 is expected")
    if any(0 in shape for _, shape in tensors):  # No elements; those of a lazy module do not exist yet.
        tensors = tuple(tensor for tensor in tensors if 0 not in tensor[1])
        missed = (*missed, (kind, "unsized")) if kind.startswith("Lazy") else missed
    children = tuple(
        (name, without_width_doubts(child) if name in own.attentions else child) for name, child in inner.children if not child.empty
    )
    groups = grouped((span, child) for span, child in inner.spans if not child.empty)
    rearranged = kind in CONTAINERS and not all(is_row_by_row(part) for part in parts.values())
    return Node(kind, tensors, children, groups, missed, rearranged=rearranged, line=line)


def _add(text: NamedText, parent: OpenModule, inner: OpenModule, node: Node) -> None:
    """Put the closed module into the enclosing one, under its name or its numbers."""
    span = SPAN.fullmatch(inner.name)
    if span is None:
        if inner.copies is not None:
            raise DocumentError(
                f"{text.place(inner.start)}: {inner.copies} modules are said to be called ({shorten(inner.name, 40)}), where their numbers "
                f"are expected, as in (0-{inner.copies - 1}); print the model again"
            )
        parent.children.append((inner.name, node))
        return
    first, last = int(span[1]), int(span[2] or span[1])
    count = last - first + 1
    where = f"{text.place(inner.start)}: ({inner.name})"
    if count < 1 or count > MAX_LAYERS or last > MAX_LAYERS:
        raise DocumentError(f"{where} cannot number modules: at most {MAX_LAYERS:,} in ascending order are expected")
    if inner.copies not in (None, count):
        raise DocumentError(f"{where} are {count} numbers, but {inner.copies} modules are said to have them; print the model again")
    if parent.spans and first < parent.spans[-1][0].stop:
        raise DocumentError(f"{where} follows module {parent.spans[-1][0].stop - 1} of {parent.kind}; ascending numbers are expected")
    parent.spans.append((range(first, last + 1), node))


def _filled(text: NamedText, inner: OpenModule, remarks: list[Message]) -> bool:
    """Fill the only gap that an ellipsis leaves between identical modules, and return whether there was one."""
    gaps = [at for at, (one, other) in enumerate(pairwise(inner.spans)) if one[0].stop < other[0].start]
    if len(gaps) != 1:
        return False
    (before, node), (after, other) = inner.spans[gaps[0]], inner.spans[gaps[0] + 1]
    if node != other:
        return False
    between = range(before.stop, after.start)
    inner.spans.insert(gaps[0] + 1, (between, node))
    where = located(text.name, text.position(inner.left_out or 0))
    remarks.append(
        message(
            "modules-filled-in",
            place=where,
            module=node.kind,
            first=between.start,
            last=between.stop - 1,
            count=len(between),
            before=before.stop - 1,
            after=after.start,
        )
    )
    return True


def _others(text: NamedText, end: int) -> list[Message]:
    other = ROOT.search(text.all, end)
    return [message("another-print", place=located(text.name, text.position(other.start())), model=other[1])] if other else []
