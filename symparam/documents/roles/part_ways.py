"""The ways in which people count the tensors of a part: all of them, or without norms, biases or tables."""

from __future__ import annotations

from collections.abc import Callable

from symparam.documents.roles.leaves import Leaf, is_in

Way = tuple[str, Callable[[Leaf], bool]]
"""The name of a way of counting, and the function that says whether it counts a tensor."""
PRODUCTS = {
    "attention-scores": ("scores",),
    "attention-values": ("values",),
    "attention-products": ("scores", "values"),
}
"""The products of attention that have no weights."""
WITHOUT_NORMS = ("without-norms", "matrices", "tables")


def every(leaf: Leaf) -> bool:
    """Counts every tensor."""
    return True


def ways_of(part: str, in_pieces: bool) -> list[Way]:
    """The ways of counting a part, or, ``in_pieces``, what each block contributes to another measure than parameters."""
    ways: list[Way] = [("whole", every)]
    if in_pieces:
        ways.append(("without-scores", lambda leaf: leaf.tensor not in PRODUCTS["attention-products"]))
        if part == "model":
            ways.append(("without-head", lambda leaf: not is_in(leaf, "language-model-head")))
            ways.append(("without-both", lambda leaf: leaf.tensor == "product" and not is_in(leaf, "language-model-head")))
        return ways
    if "norm" not in part:
        ways.append(("without-norms", lambda leaf: not leaf.is_norm))
    ways.append(("without-biases", lambda leaf: not leaf.is_bias))
    if "norm" not in part:
        ways.append(("without-biases", lambda leaf: not leaf.is_bias or leaf.is_norm))
        ways.append(("matrices", lambda leaf: not (leaf.is_norm or leaf.is_bias or (leaf.is_table and "embedding" not in part))))
    if part in ("feed-forward", "layer", "layers"):
        ways.append(("without-router", lambda leaf: leaf.own.module.role != "router"))
    return ways
