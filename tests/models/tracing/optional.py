"""Modules as users write them: settings that may be null, words under other names, sizes that must agree, and loops that may not end."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from torch import nn


@dataclass
class Sizes:
    width: int = 24
    shared: int | None = 2
    depth: int = 3


class Shared(nn.Module):
    """An object of settings, one of which may be null."""

    def __init__(self, cfg: Sizes):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(cfg.width, cfg.width) for _ in range(cfg.depth)])
        if cfg.shared is not None:
            self.shared = nn.Linear(cfg.width, cfg.shared * 8)


class Attributes(nn.Module):
    """The same without an annotation."""

    def __init__(self, args):
        super().__init__()
        self.embed = nn.Embedding(args.vocab, args.dim)
        self.head = nn.Linear(args.dim, args.classes)


class Score(nn.Module):
    def __init__(self, inner, outer, kind):
        super().__init__()
        if kind == "additive":
            self.weight = nn.Linear(inner + outer, outer)
        elif kind == "general":
            self.weight = nn.Linear(outer, inner, bias=False)
        elif kind == "dot":
            assert inner == outer
        else:
            raise ValueError(kind)


class Translator(nn.Module):
    """A word that another class takes by another name, one value of it only with a flag, and a flag that needs two equal sizes."""

    def __init__(self, source=70, target=60, hidden=32, attention="additive", both_ways=True, shared=False):
        super().__init__()
        inner = 2 * hidden if both_ways else hidden
        self.embed, self.embed_target = nn.Embedding(source, hidden), nn.Embedding(target, hidden)
        self.score = Score(inner, hidden, attention)
        self.project = nn.Linear(inner, hidden)
        if shared:
            if source != target:
                raise ValueError("no shared embeddings for two sizes")
            self.embed_target.weight = self.embed.weight


class Dense(nn.Module):
    """A list whose last item another setting must equal, and settings in a dictionary."""

    def __init__(self, width=16, sizes=(13, 64, 16), **named):
        super().__init__()
        assert sizes[-1] == width
        self.layers = nn.Sequential(*[nn.Linear(one, other) for one, other in itertools.pairwise(sizes)])
        self.norm = nn.LayerNorm(width) if named.get("norm", "post") == "pre" else None


class Waves(nn.Module):
    """Layers in blocks, of which the very last has one part less."""

    def __init__(self, layers=5, blocks=4, width=8):
        super().__init__()
        self.filters, self.residual = nn.ModuleList(), nn.ModuleList()
        for block in range(blocks):
            for layer in range(layers):
                self.filters.append(nn.Conv1d(width, width, 2, dilation=2**layer))
                if not (block == blocks - 1 and layer == layers - 1):
                    self.residual.append(nn.Conv1d(width, width, 1))


class Temporal(nn.Module):
    """Layers that have a convolution of their own where two neighbours differ."""

    def __init__(self, channels=(25, 25, 50), size=16):
        super().__init__()
        self.blocks = nn.ModuleList()
        for at in range(len(channels)):
            before = size if at == 0 else channels[at - 1]
            block = nn.Module()
            block.conv = nn.Conv1d(before, channels[at], 3)
            block.across = nn.Conv1d(before, channels[at], 1) if before != channels[at] else None
            self.blocks.append(block)


class Padded(nn.Module):
    """A number that is rounded up to a multiple where it is none."""

    def __init__(self, vocab=1001, multiple=8, width=16):
        super().__init__()
        if vocab % multiple != 0:
            vocab += multiple - vocab % multiple
        self.embed = nn.Embedding(vocab, width)


class Halved(nn.Module):
    """A loop that never ends if the factor is 1."""

    def __init__(self, size=784, least=12, factor=2):
        super().__init__()
        sizes = [size]
        while sizes[-1] // factor > least:
            sizes.append(sizes[-1] // factor)
        self.layers = nn.Sequential(*[nn.Linear(one, other) for one, other in itertools.pairwise(sizes)])
