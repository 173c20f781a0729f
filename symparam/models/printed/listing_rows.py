"""What stands in a listing where a tensor would, but was not read as one: it is an error, so that nothing is passed over."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set

from symparam.core.frozen import frozen
from symparam.errors import DocumentError, shorten
from symparam.models.printed.listing_columns import NO_SIGNS, STYLES, Token, may_be_shape, modules_of, tokens_of
from symparam.models.printed.listing_lines import KNOWN_WORD, SUMS, dotted
from symparam.models.printed.named_tensors import NamedTensor

_DIVIDERS = frozenset("|│┃;\t")
"""Signs between the columns of a table."""
_ROUNDED = re.compile(r"\d[KMG]\b")


def require_rows(lines: Mapping[int, str], listed: Mapping[int, Sequence[NamedTensor]], file: str) -> None:
    """Raise a `DocumentError` for a line beside tensors, with no empty line between, that is written as they are but is none of them."""
    names = {each.name for found in listed.values() for each in found}
    _require_cells(lines, listed.keys(), names, file)
    rows = {row for number, found in listed.items() if len(found) == 1 and number in lines if (row := _row(lines[number], found[0]))}
    modules = modules_of(names)
    for number in sorted(_among(lines, listed.keys())) if rows else ():
        tokens = [*tokens_of(lines[number])]
        for row in rows:
            named = row.name_in(tokens)
            if named is not None and dotted(named.text) not in modules:
                raise DocumentError(
                    f"{file}, line {number}, column {named.column}: {shorten(named.text)} stands in a line as those of the tensors beside "
                    "it, but is not read as one; give it its full name and a shape such as [64, 64], or [] for a single number, or "
                    "leave out the line"
                )


@frozen
class _Row:
    """How the line of a tensor is written: the kinds of its tokens, known words as they are, and where its name and its shape stand."""

    kinds: tuple[str, ...]
    name: int
    shape: int

    def name_in(self, tokens: Sequence[Token]) -> Token | None:
        """What stands where the name does in a line that is written so, or so but for the shape; None for another line."""
        kinds = _kinds(tokens)
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
        """Whether there is more than a name, a number and signs, so that lines of settings are not alike."""
        return sum(kind in NO_SIGNS or kind[0].isalpha() for kind in self.kinds) > 2


def _kinds(tokens: Sequence[Token]) -> tuple[str, ...]:
    """The kinds of the tokens, and known words such as types as they are."""
    return tuple(each.text if each.kind == "W" and KNOWN_WORD.fullmatch(each.text) else each.kind for each in tokens)


def _row(line: str, tensor: NamedTensor) -> _Row | None:
    """How the line of this tensor is written; None if that is not clear."""
    tokens = [*tokens_of(line)]
    names = [at for at, each in enumerate(tokens) if dotted(each.text) == tensor.name]
    shapes = [at for at, each in enumerate(tokens) if (each.kind in STYLES or each.kind == "N") and each.shape == tensor.shape]
    return _Row(_kinds(tokens), names[0], shapes[0]) if len(names) == 1 and shapes else None


def _among(lines: Mapping[int, str], listed: Set[int]) -> Iterator[int]:
    """The lines beside tensors, or beside another such line, which are no tensors."""
    for step in (-1, 1):
        for number in listed:
            at = number + step
            while at in lines and at not in listed:
                yield at
                at += step


def _require_cells(lines: Mapping[int, str], listed: Set[int], names: Set[str], file: str) -> None:
    """Raise a `DocumentError` for a line next to a tensor that has a number and is divided as tensors are, but is none itself
    and holds none of the ``names`` listed.
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
                f"{file}, line {number}: {shorten(begins)} stands in a row as those of the tensors beside it, but has no shape that can be "
                "read; one such as [64, 64] is expected, or [] for a single number"
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
