"""What shows that a row is one of a tensor besides its name and sizes: a type of numbers, a number of elements that is the product of the
sizes, or sizes in the same column as those of the tensors beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod

from symparam.core.frozen import frozen
from symparam.models.printed.listings.columns import NO_SIGNS, tokens_of
from symparam.models.printed.listings.lines import NUMBER_FORMAT

Frame = tuple[str, ...]
TYPE, COUNT = "type", "count"


def frame(line: str, column: int) -> Frame | None:
    """The kinds of the tokens after the name in this column, if a type or the number of elements is among them and the sizes are written
    without brackets; otherwise None.
    """
    behind = [token for token in tokens_of(line) if token.column > column]
    sizes = next((at for at, token in enumerate(behind) if token.kind == "N" and token.shape), None)
    if sizes is None:
        return None
    kinds = list[str]()
    for at, token in enumerate(behind):
        if at == sizes:
            kinds.append("sizes")
        elif token.kind == "W" and NUMBER_FORMAT.fullmatch(token.text):
            kinds.append(TYPE)
        elif token.kind == "N" and at > sizes and token.shape == (prod(behind[sizes].shape),):
            kinds.append(COUNT)
        else:
            kinds.append(token.kind if token.kind not in NO_SIGNS else token.text)
    return tuple(kinds) if {TYPE, COUNT} & {*kinds} else None


def common_frame(frames: Iterable[Frame | None]) -> Frame | None:
    """The frame that all rows have; None if they have different ones or none."""
    found = {*frames}
    return found.pop() if len(found) == 1 else None


@frozen
class Alignment:
    """The columns where the names and the only sizes of a line without brackets end, and where these sizes begin."""

    name: int
    start: int
    end: int


def alignment(line: str, column: int) -> Alignment | None:
    """The alignment of a line whose name begins in this column; None if it holds another number, or sizes in brackets."""
    tokens = [*tokens_of(line)]
    sizes = [token for token in tokens if token.kind == "N" or token.shape]
    name = next((token for token in tokens if token.column == column), None)
    if len(sizes) != 1 or name is None or sizes[0].kind != "N" or not sizes[0].shape or sizes[0].column <= column:
        return None
    return Alignment(column + len(name.text), sizes[0].column, sizes[0].column + len(sizes[0].text))


def are_aligned(one: Alignment, others: Sequence[Alignment | None]) -> bool:
    """Whether the sizes of all lines begin or end in the same column, though the names before them are not equally long."""
    known = [other for other in (one, *others) if other is not None]
    starts, ends = {each.start for each in known}, {each.end for each in known}
    moved = len({each.name for each in known}) > 1 if len(starts) == 1 else len(starts) > 1
    return len(known) == len(others) + 1 > 2 and (len(starts) == 1 or len(ends) == 1) and moved
