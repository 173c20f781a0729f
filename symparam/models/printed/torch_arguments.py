"""What torch's own classes print in their brackets, which can tell them apart from other classes of the same names.

The data is recorded by ``tests/models/printed/record_torch_arguments.py``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from symparam.core.frozen import frozen
from symparam.models.printed.leaf_kinds import Arguments, arguments

RECORDED = Path(__file__).with_name("recorded") / "torch_arguments.txt"
FUNCTIONS = ("ReLU", "LeakyReLU", "ELU", "GELU", "Softmax", "Softplus", "Hardtanh", "RReLU", "Threshold", "Dropout")
POOLS = ("AvgPool2d", "MaxPool2d", "AdaptiveAvgPool2d", "Flatten", "Upsample", "PixelShuffle", "PixelUnshuffle", "Softmax")
LAYERS = ("Linear", "Bilinear", "Conv2d", "ConvTranspose2d", "Embedding", "LayerNorm", "BatchNorm2d", "GroupNorm", "PReLU", "LSTM")
DROPS = frozenset({"prob", "drop_prob", "drop_rate", "rate", "scale_by_keep", "mode", "block_size", "batchwise", "fast"})
"""Arguments that modules of libraries print if they drop values at random."""
SHARE = re.compile(r"[01]?\.\d{1,20}")  # A probability without a name, as in DropPath(0.1).
LISTS = ("(", "[", "torch.Size(")


@frozen
class PrintedArguments:
    """The brackets of a class: for each argument without a name, whether it is a list; the names that are always printed; and all names."""

    lists: tuple[bool, ...]
    always: frozenset[str]
    names: frozenset[str]

    def fits(self, found: Arguments) -> bool:
        """Whether the class can print these arguments."""
        unnamed = [piece for piece in found.positional if piece not in self.names]  # ``ReLU(inplace)``, as version 1.0 prints it.
        return self.always <= found.named.keys() <= self.names and self.lists == tuple(piece.startswith(LISTS) for piece in unnamed)


def prints_like_torch(kind: str, text: str) -> bool:
    """Whether torch's class of that name can print this text in its brackets. Classes that are not recorded print none."""
    found = arguments(text)
    return any(each.fits(found) for each in _recorded().get(kind, (PrintedArguments((), frozenset(), frozenset()),)))


def prints_like_function(text: str) -> bool:
    """Whether functions of torch, and modules that drop at random, print arguments with these names."""
    names, found = DROPS | _names(FUNCTIONS), arguments(text)
    return found.named.keys() <= names and all(piece in names or SHARE.fullmatch(piece) for piece in found.positional)


def prints_like_pooling(text: str) -> bool:
    """Whether torch's modules that pool, resize or reshape print arguments with these names."""
    return arguments(text).named.keys() <= _names(POOLS)


def prints_like_layer(text: str) -> bool:
    """Whether torch's layers print arguments with these names. One that prints a rank, too, may have fewer parameters than by its sizes."""
    return arguments(text).named.keys() <= _names(LAYERS)


def _names(kinds: tuple[str, ...]) -> frozenset[str]:
    """The names of all arguments that these classes print."""
    return frozenset(name for kind in kinds for each in _recorded()[kind] for name in each.names)


@cache
def _recorded() -> Mapping[str, tuple[PrintedArguments, ...]]:
    found: dict[str, tuple[PrintedArguments, ...]] = {}
    for line in RECORDED.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            kind, *told = line.split()
            lists = tuple(each == "()" for each in told if each in ("#", "()"))
            names = told[len(lists) :]
            always = frozenset(each for each in names if not each.endswith("?"))
            found[kind] = (*found.get(kind, ()), PrintedArguments(lists, always, frozenset(each.rstrip("?") for each in names)))
    return MappingProxyType(found)
