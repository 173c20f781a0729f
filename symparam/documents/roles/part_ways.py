"""The ways in which people count the tensors of a part: all of them, or without norms, biases or tables."""

from __future__ import annotations

from collections.abc import Callable

from symparam.documents.roles.leaves import Leaf, is_in

Way = tuple[str, Callable[[Leaf], bool]]
"""The name of a way of counting, and the function that says whether it counts a tensor."""
PRODUCTS = {
    "attention-scores": ("scores", "stored-queries-keys"),
    "attention-values": ("values", "stored-after-dropout", "stored-values"),
    "attention-products": (
        "scores",
        "values",
        "stored-queries-keys",
        "stored-softmax",
        "stored-softmax-mask",
        "stored-after-dropout",
        "stored-values",
    ),
    "softmax": ("stored-softmax",),
    "softmax-dropout": ("stored-softmax-mask",),
    "dropout": ("stored-mask",),
    "activation-function": ("stored-activation-input",),
}
"""Steps without weights, each with its products, or the tensors that training stores for it."""
_WEIGHTLESS = ("scores", "values")
_INPUTS = ("stored-input", "stored-shared-input")
_COMPUTED_AGAIN = ("stored-softmax", "stored-softmax-mask", "stored-after-dropout")
SELECTIVE = "selective"
"""What training stores if it computes again what is between the two products of attention."""
_MASKS = ("stored-mask", "stored-softmax-mask")
WITHOUT_NORMS = ("without-norms", "matrices", "tables")
WITHOUT_BIASES = ("without-biases", "matrices", "with-norm-bare")


def every(leaf: Leaf) -> bool:
    """Counts every tensor."""
    return True


def ways_of(part: str, in_pieces: bool) -> list[Way]:
    """The ways of counting a part, or, ``in_pieces``, what each block contributes to another measure than parameters."""
    ways: list[Way] = [("whole", every)]
    if in_pieces:
        ways.append(("without-scores", lambda leaf: leaf.tensor not in _WEIGHTLESS))
        if part == "attention":
            ways.append(("scores-alone", lambda leaf: leaf.tensor in _WEIGHTLESS))
        ways.append(("without-masks", lambda leaf: leaf.tensor not in _MASKS))
        ways.append((SELECTIVE, lambda leaf: leaf.tensor not in _COMPUTED_AGAIN))
        ways.append(("inputs", lambda leaf: leaf.tensor in _INPUTS))
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
