"""What a row says besides name and sizes: a type of numbers, or as many elements as the sizes multiply to, shows that it is a tensor."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

from symparam.models.printed.listing_columns import NO_SIGNS, tokens_of
from symparam.models.printed.listing_lines import NUMBER_FORMAT

Frame = tuple[str, ...]
TYPE, COUNT = "type", "count"


def frame(line: str, column: int) -> Frame | None:
    """The kinds of what stands behind the name in this column, if a type or the number of elements is among them and the sizes are written
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
