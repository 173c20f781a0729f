"""Lines that stand where a tensor would in a listing, but were not read as one: they are errors, so that nothing is passed over."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import pairwise
from math import prod

from symparam.core.frozen import frozen
from symparam.errors import DocumentError, shorten
from symparam.models.printed.listings.columns import NO_SIGNS, STYLES, ListingToken, may_be_shape, modules_of, tokens_of
from symparam.models.printed.listings.lines import KNOWN_WORD, MAX_LINE, SUMS, dotted
from symparam.models.printed.listings.pieces import PARAMETERS, is_setting
from symparam.models.printed.named_tensors import NamedTensor

_DIVIDERS = frozenset("|│┃;\t")
"""Signs between the columns of a table."""
_NO_OWN = re.compile(
    r"(?<![\w./])(?:buffer|tied|shared|alias|same|unused|unexpected|missing|removed|deleted|not (?:used|loaded|counted))(?![\w./])",
    re.IGNORECASE,
)
"""Words beside a tensor that is not a parameter of its own."""
_REPEATED = re.compile(
    r"^\W{0,9}\d{1,6} ?[x×]:?\W{0,9}$|\b(?:repeat(?:ed|s)? (?:\w{1,9} ){0,3}\d|(?:each|every|all) of the \d{1,6}\b"
    r"|\d{1,6} (?:times|similar|identical|such)\b)",
    re.IGNORECASE,
)
"""Phrases in a line that say how often tensors occur that are listed once."""
_WILDCARD = re.compile(r"[ \t]{0,40}[\w.]{0,200}(?:\.\*|\*\.)[\w.*]{0,200}\b[^\w\n]{1,40}\w")
"""A name with a star for some of its parts, and something behind it."""
_MARK = re.compile(r"[ \t]{0,40}(#|//|~~|\+(?=[ \w]))")
"""The beginning of the line of a tensor that is left out, or was added."""
_ROUNDED = re.compile(r"\d[KMG]\b")
_SPACED = re.compile(r"(?<![\w,.×✕*])(\d{1,3})[ \u00a0\u2009\u202f](\d{3})(?= ?[x×✕*] ?\d)")
"""Two numbers before a cross, of which a blank may divide the thousands."""
_BECOMES = re.compile(r"[\])\d][ \t]{0,9}(?:[-=]>|[→⇒])[ \t]{0,9}[(\[]?\d")
"""The sizes of a tensor before and after a change."""
_ADDED = re.compile(r"[\])\d][ \t]{0,9}\+[ \t]{0,9}[(\[\d]")
"""Sizes to which others are added: ``[64, 32] + [64]``."""
_LAYER = re.compile(
    r"(?:Bil|L)inear|Embedding|MultiheadAttention|Conv(?:Transpose)?[123]d|(?:Layer|RMS|Group|Batch|Instance)Norm(?:[123]d)?|LSTM|GRU|RNN"
)
"""The classes of torch whose arguments in brackets are not a shape."""
_ALTERNATIVES = re.compile(r"\w+(?: ?[|,] ?\w+)+")


def require_rows(lines: Mapping[int, str], listed: Mapping[int, Sequence[NamedTensor]], file: str) -> None:
    """Raise a `DocumentError` for a line beside tensors, with no empty line between, that is written like them but was not read as one."""
    names = {each.name for found in listed.values() for each in found}
    _require_cells(lines, listed.keys(), names, file)
    alone = {number: found[0] for number, found in listed.items() if len(found) == 1 and number in lines}
    rows = {row for number, each in alone.items() if (row := _row([*tokens_of(lines[number])], each))}
    modules = modules_of(names)
    last = {name.rpartition(".")[2] for name in names if "." in name} | PARAMETERS
    inside = range(min(listed, default=0) + 1, max(listed, default=0))
    for number in sorted({*_among(lines, listed.keys())}):
        if _REPEATED.search(lines[number][:MAX_LINE]):
            raise DocumentError(
                f"{file}, line {number}: {shorten(lines[number].strip(), 60)!r} may say how often tensors occur; list each by its name, "
                "or leave out the line"
            )
        tokens = [*tokens_of(lines[number])]
        words = ((dotted(each.text), each.column) for each in tokens[:2] if each.kind == "W")  # Also behind the sign of a comment.
        first, column = next(words, ("", 0))
        between = number in inside and sum(any(map(str.isalnum, each.text)) for each in tokens) > 1
        path, _, end = first.rpartition(".")
        like_tensors = (path != "" and end in last) or (between and ("_" in first or path in modules))
        if _WILDCARD.match(lines[number][:MAX_LINE]):
            raise DocumentError(
                f"{file}, line {number}: {shorten(lines[number].strip(), 60)!r} stands for several tensors; list each by its own name"
            )
        if like_tensors and names.isdisjoint(dotted(each.text) for each in tokens) and first not in modules and not is_setting(first):
            raise DocumentError(
                f"{file}, line {number}, column {column}: {shorten(first)} has no shape that can be read, and tensors of such "
                "names stand beside it; one such as [64, 64] is expected"
            )
        named = next((each for row in rows if (each := row.name_in(tokens))), None)
        if named is not None and dotted(named.text) not in modules:
            raise DocumentError(
                f"{file}, line {number}, column {named.column}: {shorten(named.text)} stands in a line like those of the tensors beside "
                "it, but is not read as one; give it its full name and a shape such as [64, 64], or [] for a single number, or "
                "leave out the line"
            )


def require_own(lines: Mapping[int, str], listed: Mapping[int, Sequence[NamedTensor]], tables: Set[int], file: str) -> None:
    """Raise a `DocumentError` for a tensor whose line says that it is a buffer, unused, or the same as another one listed, for one that
    is marked as only some are: as a comment, or as an added or removed line, and for one with two shapes, except in ``tables``, whose heads
    tell which is meant.
    """
    alone = {number: found[0] for number, found in listed.items() if len(found) == 1 and number in lines}
    read = {number: [*tokens_of(lines[number])] for number in alone}
    for number, each in alone.items():
        if why := _unclear(lines[number], read[number], each) or ("" if number in tables else _two_shapes(read[number], each)):
            raise DocumentError(f"{file}, line {number}: {why}")
    _require_counts(read, alone, file)
    names = {each.name for each in alone.values()}
    marks = {number: mark[1] if (mark := _MARK.match(lines[number])) else "" for number in alone}
    marked = next((number for number, mark in marks.items() if mark and {*marks.values()} != {mark}), 0)
    told = {number: word for number, each in alone.items() if (word := _said_beside(lines[number], read[number], each, names))}
    if number := min(told, default=marked):
        shown = told.get(number, marks[number])
        raise DocumentError(
            f"{file}, line {number}: {shorten(alone[number].name)} is listed with {shorten(shown)!r} beside it; leave out the line if it "
            "is no parameter of its own, and these signs if it is"
        )


def _require_counts(read: Mapping[int, Sequence[ListingToken]], alone: Mapping[int, NamedTensor], file: str) -> None:
    """Raise a `DocumentError` for a tensor without the number of elements beside its shape that most others have beside theirs."""
    told = defaultdict[tuple[tuple[str, ...], int], dict[int, int]](dict)
    for number, each in alone.items():
        if row := _row(read[number], each):
            for at, token in enumerate(read[number][row.shape + 1 :]):
                if token.kind == "N" and len(token.shape) == 1:
                    told[row.kinds, at][number] = token.shape[0]
    for numbers in told.values():
        right = [number for number, count in numbers.items() if count == prod(alone[number].shape)]
        if 2 * len(right) >= len(numbers) > len(right) and any(len(alone[number].shape) > 1 for number in right):
            number = next(each for each in numbers if each not in right)
            counted = f"{numbers[number]:,} elements by the number beside it and {prod(alone[number].shape):,} by its shape"
            raise DocumentError(f"{file}, line {number}: {shorten(alone[number].name)} has {counted}; correct one of them")


def _unclear(line: str, tokens: Sequence[ListingToken], tensor: NamedTensor) -> str:
    """Why the line does not tell which tensor it lists, or of which sizes; empty if it does."""
    name = next((each for each in tokens if dotted(each.text) == tensor.name), None)
    before = line[: name.column - 1] if name else ""
    opened = max(map(before.rfind, "([{"))
    if opened >= 0 and before[-1] in ")]}" and _ALTERNATIVES.fullmatch(before[opened + 1 : -1]):
        return f"{shorten(before[opened:] + tensor.name)} stands for several tensors; list each by its full name"
    spaced = _SPACED.search(line, len(before), MAX_LINE)
    if spaced and tensor.shape[:1] == (int(spaced[2]),) and int(spaced[1]) != len(tensor.shape):
        return f"in {spaced[0]!r} the blank may divide thousands; write sizes without blanks inside of them"
    if _ADDED.search(line, len(before), MAX_LINE):
        return f"{shorten(tensor.name)} has sizes to which others are added; list each tensor by its own name and shape"
    for call, sizes in pairwise(tokens):
        if call.kind == "call" and sizes.shape == tensor.shape and _LAYER.fullmatch(call.text):
            return f"{call.text}{sizes.text} are the arguments of a layer and no shape; list its tensors, or print the model"
    end = max(len(before), line.find(tensor.name) + len(tensor.name))
    behind = [each for each in tokens if each.shape and each.column > end]
    if len({prod(each.shape) for each in behind}) > 1 and _BECOMES.search(line, len(before), MAX_LINE):
        return f"{shorten(tensor.name)} has one shape before an arrow and another behind it; give the one that it has"
    if len({prod(each.shape) for each in behind if each.kind == "N" and len(each.shape) > 1}) > 1:
        return f"{shorten(tensor.name)} has two shapes; one for each tensor is expected"
    return ""


def _two_shapes(tokens: Sequence[ListingToken], tensor: NamedTensor) -> str:
    """What to say of a line with two shapes in brackets of one kind behind the name that differ in their numbers of elements; empty for any
    other line. Two bytes between which the tensor is stored are no shape.
    """
    name = next((at for at, each in enumerate(tokens) if dotted(each.text) == tensor.name), 0)
    style = next((each.kind for each in tokens[name:] if each.kind in STYLES and each.shape == tensor.shape), "")
    shapes = [each for each in tokens[name:] if each.kind == style and each.shape]
    elements = prod(tensor.shape)
    stored = {elements * size for size in (1, 2, 4, 8)}
    told = (each for each in shapes if prod(each.shape) != elements)
    other = next((each for each in told if len(each.shape) != 2 or each.shape[1] - each.shape[0] not in stored), None)
    if other is None or max(len(each.shape) for each in shapes) < 2:
        return ""
    shown = next(each.text for each in shapes if each.shape == tensor.shape)
    return f"{shorten(tensor.name)} has two shapes, {shown} and {other.text}; give only its own, or head its column with 'shape'"


def rows_of_one_size(lines: Sequence[str], tensors: Sequence[NamedTensor]) -> frozenset[ReadRow]:
    """How the lines of tensors are written whose sizes have no brackets."""
    rows = (_row([*tokens_of(lines[each.line - 1])], each) for each in tensors if each.line)
    return frozenset(row for row in rows if row and row.kinds[row.shape] == "N")


def is_written(line: str, rows: Iterable[ReadRow]) -> bool:
    """Whether the line is written in one of these ways, whatever its name is."""
    kinds = _kinds([*tokens_of(line)])
    alike = (row for row in rows if len(row.kinds) == len(kinds))
    return any(all(one == other or at == row.name for at, (one, other) in enumerate(zip(row.kinds, kinds, strict=True))) for row in alike)


def _said_beside(line: str, tokens: Sequence[ListingToken], tensor: NamedTensor, names: Set[str]) -> str:
    """The words beside a tensor that say that it is not one of its own, or the name of another one after its sizes; empty if there are
    none.
    """
    told = _NO_OWN.search(line[:MAX_LINE])
    if told:  # Unless it is the name in words, as in a column of gguf-dump: Shared Weight.
        in_words = re.escape(tensor.name.replace(".", " "))
        told = _NO_OWN.search(re.sub(rf"(?<![\w.]){in_words}(?![\w.])", " ", line[:MAX_LINE], flags=re.IGNORECASE))
    if told and any(each.text == told[0].split()[0] and dotted(each.text) != tensor.name for each in tokens):
        return told[0]
    at = max((at for at, each in enumerate(tokens) if each.shape == tensor.shape and may_be_shape(each)), default=len(tokens))
    return next((each.text for each in tokens[at + 1 :] if "." in each.text and dotted(each.text) in names - {tensor.name}), "")


@frozen
class ReadRow:
    """How the line of a tensor is written: the kinds of its tokens, known words as they are, and where its name and its shape stand."""

    kinds: tuple[str, ...]
    name: int
    shape: int

    def name_in(self, tokens: Sequence[ListingToken]) -> ListingToken | None:
        """The token in the name's place of a line that is written in this way, or lacks only the shape; None for any other line."""
        kinds = _kinds(tokens)
        if not tokens:
            return None
        if self.kinds[0] == "N" and self.name == 1 and len(tokens[0].shape) > 1 and " " in tokens[0].text:
            return tokens[0]  # The number of the row, and x as a name: "0 x 3".
        if len(kinds) != len(self.kinds) and len(kinds) != len(self.kinds) - 1:
            return None
        if len(kinds) == len(self.kinds):
            same = all(one == other or at == self.name for at, (one, other) in enumerate(zip(self.kinds, kinds, strict=True)))
            told = same and may_be_shape(tokens[self.shape]) and (self.kinds[self.shape] != "N" or self._says_more)
        else:
            behind = self.kinds[self.shape + 1 :]
            told = self.shape > self.name and kinds == (*self.kinds[: self.shape], *behind) and any(map(KNOWN_WORD.fullmatch, behind))
        return tokens[self.name] if told and tokens[self.name].kind in ("W", "N") else None

    @property
    def _says_more(self) -> bool:
        """Whether there is more than a name, a number and signs, so that lines of settings are not taken for such rows."""
        return sum(kind in NO_SIGNS or kind[0].isalpha() for kind in self.kinds) > 2


def _kinds(tokens: Sequence[ListingToken]) -> tuple[str, ...]:
    """The kinds of the tokens, and known words such as types as they are."""
    return tuple(each.text if each.kind == "W" and KNOWN_WORD.fullmatch(each.text) else each.kind for each in tokens)


def _row(tokens: Sequence[ListingToken], tensor: NamedTensor) -> ReadRow | None:
    """How the line of this tensor is written; None if that is not clear."""
    names = [at for at, each in enumerate(tokens) if dotted(each.text) == tensor.name]
    shapes = [at for at, each in enumerate(tokens) if (each.kind in STYLES or each.kind == "N") and each.shape == tensor.shape]
    return ReadRow(_kinds(tokens), names[0], shapes[0]) if len(names) == 1 and shapes else None


def _among(lines: Mapping[int, str], listed: Set[int]) -> Iterator[int]:
    """The lines that are not tensors but stand beside one, or beside another such line."""
    for step in (-1, 1):
        for number in listed:
            at = number + step
            while at in lines and at not in listed:
                yield at
                at += step


def _require_cells(lines: Mapping[int, str], listed: Set[int], names: Set[str], file: str) -> None:
    """Raise a `DocumentError` for a line next to a tensor that has a number and the same columns, but is not a tensor itself and holds none
    of the ``names`` listed.
    """
    listed = listed & lines.keys()
    known = {frame for number in listed if _DIVIDERS & {*"".join(frame := _frame(lines[number]))}}
    modules = modules_of(names)
    for number in sorted({*_in_rows(lines, listed, known)}):
        tokens = [*tokens_of(lines[number])]
        begins = next((each.text for each in tokens if each.kind == "W"), "")
        if not begins or SUMS.fullmatch(begins):
            continue
        if dotted(begins) in modules:
            continue  # The module of tensors that are listed.
        if any(map(may_be_shape, tokens)) or (number > min(listed) and _ROUNDED.search(lines[number])):
            raise DocumentError(
                f"{file}, line {number}: {shorten(begins)} stands in a row like those of the tensors beside it, but has no shape that can "
                "be read; one such as [64, 64] is expected, or [] for a single number"
            )


def _in_rows(lines: Mapping[int, str], listed: Set[int], frames: Set[tuple[str, ...]]) -> Iterator[int]:
    """The lines of these frames in rows with tensors, without the tensors."""
    for step in (-1, 1):
        for number in listed if frames else ():
            at = number + step
            while at in lines and at not in listed and _frame(lines[at]) in frames:
                yield at
                at += step


def _frame(line: str) -> tuple[str, ...]:
    """The signs in a line."""
    return tuple(each.kind for each in tokens_of(line) if each.kind not in NO_SIGNS)
