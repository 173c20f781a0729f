"""Small networks as data, so that the reference and symparam can each build them: layers in a row, with branches between them.

A network is what goes into it, ``("tokens", L)``, ``("sequence", L, H)`` or ``("image", C, H, W)``, and parts: a name, a kind, arguments,
options, and what the part takes, where that is not what the one before it makes.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from types import MappingProxyType
from typing import Any, NamedTuple

VOCABULARY = 50


class Part(NamedTuple):
    """One layer of a network."""

    name: str
    kind: str
    arguments: tuple[Any, ...] = ()
    options: Mapping[str, Any] = MappingProxyType({})
    takes: tuple[str, ...] = ()


class Net(NamedTuple):
    """A network and the sizes of what goes into it, without that of the batch."""

    input: tuple[Any, ...]
    parts: tuple[Part, ...]


def from_json(found: list[Any]) -> Net:
    """The network of a recording."""
    first, parts = found
    return Net(tuple(first), tuple(Part(name, kind, _tuples(given), options, tuple(takes)) for name, kind, given, options, takes in parts))


def _tuples(given: list[Any]) -> tuple[Any, ...]:
    return tuple(tuple(each) if isinstance(each, list) else each for each in given)


class Drawing:
    """A network as it is drawn: its parts so far, and the features that the last of them makes."""

    def __init__(self, random: Random, features: int) -> None:
        self.random, self.features = random, features
        self.parts: list[Part] = []

    def add(self, kind: str, *arguments: Any, takes: tuple[str, ...] = (), **options: Any) -> str:
        name = f"part{len(self.parts)}"
        self.parts.append(Part(name, kind, arguments, options, takes))
        return name

    @property
    def last(self) -> str:
        return self.parts[-1].name

    def function(self) -> None:
        self.add(self.random.choice(("ReLU", "GELU", "SiLU", "Sigmoid", "Tanh")))

    def dropout(self) -> None:
        self.add("Dropout", self.random.choice((0.0, 0.1, 0.4)))

    def gate(self) -> None:
        """Two matrices on the same, one of them bent, and their product."""
        before, wide = self.last, self.random.randint(3, 9)
        self.add("Linear", self.features, wide, takes=(before,), bias=self.random.random() < 0.5)
        self.function()
        bent = self.last
        self.add("Linear", self.features, wide, takes=(before,), bias=False)
        self.add("Multiply", takes=(bent, self.last))
        self.features = wide

    def bilinear(self) -> None:
        before, wide = self.last, self.random.randint(2, 6)
        self.add("Linear", self.features, wide, takes=(before,))
        self.add("Bilinear", self.features, wide, 5, takes=(before, self.last))
        self.features = 5

    def linear(self) -> None:
        wide = self.random.randint(3, 12)
        self.add("Linear", self.features, wide, bias=self.random.random() < 0.7)
        self.features = wide

    def residual(self) -> None:
        """Something on the same features, and a sum."""
        before = self.last
        kinds = ("norm", "same", "function", "attention", "dropout") if self.of_steps else ("norm", "same", "function")
        getattr(self, self.random.choice(kinds))()
        self.add("Add", takes=(before, self.last) if self.random.random() < 0.5 else (self.last, before))

    of_steps = False

    def norm(self) -> None:
        self.add("LayerNorm", self.features)

    def same(self) -> None:
        self.add("Linear", self.features, self.features)

    def attention(self) -> None:
        heads = next(number for number in (3, 2, 1) if self.features % number == 0)
        self.add("MultiheadAttention", self.features, heads, bias=self.random.random() < 0.7)

    def glu(self) -> None:
        if self.features % 2 == 0:
            self.add("GLU")
            self.features //= 2

    def join(self) -> None:
        before = self.last
        self.function()
        self.add("Concatenate", takes=(before, self.last))
        self.features *= 2


class Steps(Drawing):
    """A network on a sequence."""

    of_steps = True

    def recurrent(self) -> None:
        kind, hidden = self.random.choice(("RNN", "GRU", "LSTM")), self.random.randint(2, 8)
        both, layers = self.random.random() < 0.5, self.random.randint(1, 3)
        options: dict[str, Any] = {"bidirectional": both, "num_layers": layers, "bias": self.random.random() < 0.7}
        if kind == "LSTM" and hidden > 2 and self.random.random() < 0.3:
            options["proj_size"] = hidden - 1
        self.add(kind, self.features, hidden, **options)
        self.features = options.get("proj_size", hidden) * (1 + both)

    def convolution(self) -> None:
        wide = self.random.randint(2, 9)
        self.add("Conv1d", self.features, wide, self.random.choice((3, 5)), padding="same")
        self.features = wide

    def batch_norm(self) -> None:
        self.add("BatchNorm1d", self.features)

    def across(self) -> None:
        """A matrix over the positions, as in a Mixer."""
        before = self.last
        self.norm()
        self.add("Transpose")
        self.add("Linear", self.length, 6)
        self.function()
        self.add("Linear", 6, self.length)
        self.add("Transpose")
        self.add("Add", takes=(before, self.last))

    length = 0


class Maps(Drawing):
    """A network on images."""

    def norm(self) -> None:
        if self.random.random() < 0.3:
            self.add("LayerNorm", self.features)
        elif self.random.random() < 0.4:
            self.add("GroupNorm", 2 if self.features % 2 == 0 else 1, self.features)
        else:
            self.add("BatchNorm2d", self.features, affine=self.random.random() < 0.8)

    def same(self) -> None:
        self.add("Conv2d", self.features, self.features, self.random.choice((1, 3)), padding="same")

    def convolution(self) -> None:
        wide = self.random.randint(2, 9)
        options: dict[str, Any] = {"bias": self.random.random() < 0.6}
        if self.random.random() < 0.4:
            options |= {"stride": 2, "padding": 1}
        self.add("Conv2d", self.features, wide, self.random.choice((2, 3, (3, 2))), **options)
        self.features = wide

    def depthwise(self) -> None:
        self.add("Conv2d", self.features, self.features, 3, padding=1, groups=self.features)

    def even(self) -> None:
        self.add("Conv2d", self.features, self.features, (2, 4), padding="same")

    def transposed(self) -> None:
        wide = self.random.randint(2, 6)
        self.add("ConvTranspose2d", self.features, wide, 2, stride=2)
        self.features = wide

    def pool(self) -> None:
        kind = self.random.choice(("MaxPool2d", "AvgPool2d"))
        self.add(kind, 2, **({"ceil_mode": True} if kind == "MaxPool2d" and self.random.random() < 0.3 else {}))

    def adaptive(self) -> None:
        self.add(self.random.choice(("AdaptiveAvgPool2d", "AdaptiveMaxPool2d")), self.random.choice((3, (5, 4))))

    def upsample(self) -> None:
        self.add("Upsample", 2)


STEPS = ("recurrent", "recurrent", "attention", "norm", "linear", "function", "gate", "bilinear", "residual", "residual", "join", "glu")
STEPS += ("convolution", "batch_norm", "across", "dropout")
MAPS = ("convolution", "convolution", "norm", "function", "pool", "residual", "residual", "depthwise", "transposed", "join", "upsample")
MAPS += ("even", "dropout", "linear", "adaptive", "glu")


def drawn(seed: int) -> tuple[Net, int]:
    """A random network, and the size of a batch."""
    random = Random(seed)
    batch = random.choice((1, 2, 3, 5))
    if random.random() < 0.5:
        net: Drawing = Steps(random, random.randint(3, 9))
        length = random.choice((1, 5, 7, 12))
        assert isinstance(net, Steps)
        net.length = length
        first: tuple[Any, ...] = ("sequence", length, net.features) if random.random() < 0.4 else ("tokens", length)
        net.add(*(("Linear", net.features, net.features) if first[0] == "sequence" else ("Embedding", VOCABULARY, net.features)))
        kinds = STEPS
    else:
        net = Maps(random, random.randint(1, 4))
        first = ("image", net.features, random.randint(17, 24), random.randint(17, 24))
        net.add("Identity")
        kinds = MAPS
    for _ in range(random.randint(3, 9)):
        getattr(net, random.choice(kinds))()
    _end(net, random)
    return Net(first, tuple(net.parts)), batch


def _end(net: Drawing, random: Random) -> None:
    """Perhaps a head: the mean over positions, or all numbers, and a matrix."""
    if random.random() < 0.3:
        net.add("Mean")
        net.add("Linear", net.features, 4)
    elif isinstance(net, Maps) and random.random() < 0.5:
        net.add("AdaptiveAvgPool2d", random.choice((1, 2)))
        size = 1 if net.parts[-1].arguments == (1,) else 4
        net.add("Flatten")
        net.add("Linear", net.features * size, 4)
    elif isinstance(net, Maps) and random.random() < 0.4:
        net.add("Patches")
        net.add("LayerNorm", net.features)
        net.add("Linear", net.features, 4)
