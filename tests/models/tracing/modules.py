"""Modules as people write them, for tests of tracing; only the process that traces imports this."""

from __future__ import annotations

import itertools
import os

import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, dim, heads, ratio):
        super().__init__()
        assert dim % heads == 0
        self.attention = nn.ModuleDict({"qkv": nn.Linear(dim, 3 * dim), "proj": nn.Linear(dim, dim)})
        self.mlp = nn.Sequential(nn.Linear(dim, int(dim * ratio)), nn.GELU(), nn.Linear(int(dim * ratio), dim))
        self.norm = nn.LayerNorm(dim)


class GPT(nn.Module):
    def __init__(self, vocab=1000, dim=192, depth=4, heads=6, context=256, tied=True):
        super().__init__()
        self.tokens, self.positions = nn.Embedding(vocab, dim), nn.Embedding(context, dim)
        self.layers = nn.ModuleList(Layer(dim, heads, 4) for _ in range(depth))
        self.head = nn.Linear(dim, vocab, bias=False)
        if tied:
            self.head.weight = self.tokens.weight


class Maybe(nn.Module):
    def __init__(self, dim=64, bias=None):
        super().__init__()
        self.linear = nn.Linear(dim, dim, bias=bool(bias))


class Experts(nn.Module):
    def __init__(self, dim=64, depth=6, experts=8, every=2, hidden=128):
        super().__init__()
        self.layers = nn.ModuleList()
        for number in range(depth):
            sparse = (number + 1) % every == 0
            dense = nn.Linear(dim, hidden, bias=False)
            self.layers.append(nn.ModuleList(nn.Linear(dim, hidden) for _ in range(experts)) if sparse else dense)


class Stages(nn.Module):
    def __init__(self, dims=(32, 64, 128), depths=(2, 3, 1), kernel=3):
        super().__init__()
        self.stages, channels = nn.ModuleList(), 3
        for width, count in zip(dims, depths, strict=True):
            blocks = nn.ModuleList(nn.Conv2d(width, width, kernel) for _ in range(count))
            self.stages.append(nn.ModuleDict({"into": nn.Conv2d(channels, width, 1), "blocks": blocks}))
            channels = width


class Tagger(nn.Module):
    def __init__(self, vocab=500, hidden=20, layers=2, tags=17, both_ways=True):
        super().__init__()
        self.words, self.lstm = nn.Embedding(vocab, hidden), nn.LSTM(hidden, hidden, layers, bidirectional=both_ways)
        self.out = nn.Linear(hidden * (2 if both_ways else 1), tags)


class Bare(nn.Module):
    def __init__(self, rows=10, columns=20):
        super().__init__()
        self.table, self.scale = nn.Parameter(torch.randn(rows, columns)), nn.Parameter(torch.ones(()))


class ResNet(nn.Module):
    def __init__(self, width=16, blocks=(2, 2, 2, 2), channels=3, classes=10, expansion=1):
        super().__init__()
        self.stem, self.stages, inside = nn.Conv2d(channels, width, 7, bias=False), nn.Sequential(), width
        for number, count in enumerate(blocks):
            stage, wide = nn.Sequential(), width * 2**number
            for block in range(count):
                parts = nn.Module()
                parts.conv1, parts.bn1 = nn.Conv2d(inside, wide, 3, bias=False), nn.BatchNorm2d(wide)
                parts.conv2, parts.bn2 = nn.Conv2d(wide, wide * expansion, 3, bias=False), nn.BatchNorm2d(wide * expansion)
                if (block == 0 and number > 0) or inside != wide * expansion:
                    parts.shortcut = nn.Conv2d(inside, wide * expansion, 1, bias=False)
                stage.append(parts)
                inside = wide * expansion
            self.stages.append(stage)
        self.fc = nn.Linear(inside, classes)


class UNet(nn.Module):
    def __init__(self, channels=3, base=16, depth=3, classes=2):
        super().__init__()
        self.down, self.up = nn.ModuleList(), nn.ModuleList()
        for level in range(depth):
            self.down.append(nn.Conv2d(channels if level == 0 else base * 2 ** (level - 1), base * 2**level, 3))
        for level in reversed(range(depth - 1)):
            self.up.append(nn.ConvTranspose2d(base * 2 ** (level + 1), base * 2**level, 2))
        self.out = nn.Conv2d(base, classes, 1)


class Mixer(nn.Module):
    def __init__(self, image=224, patch=16, dim=512, depth=4, token_dim=256, channel_dim=2048, classes=1000):
        super().__init__()
        assert image % patch == 0
        count = (image // patch) ** 2
        self.embed = nn.Conv2d(3, dim, patch, patch)
        self.blocks = nn.ModuleList()
        for _ in range(depth):
            tokens = nn.Sequential(nn.Linear(count, token_dim), nn.GELU(), nn.Linear(token_dim, count))
            channels = nn.Sequential(nn.Linear(dim, channel_dim), nn.GELU(), nn.Linear(channel_dim, dim))
            self.blocks.append(nn.ModuleList([nn.LayerNorm(dim), tokens, nn.LayerNorm(dim), channels]))
        self.head = nn.Linear(dim, classes)


class ViT(nn.Module):
    def __init__(self, image=224, patch=16, dim=192, depth=4, heads=3, mlp_ratio=4.0, classes=1000, distilled=False):
        super().__init__()
        self.cls = nn.Parameter(torch.zeros(1, 1, dim))
        self.pos = nn.Parameter(torch.zeros(1, (image // patch) ** 2 + (2 if distilled else 1), dim))
        self.patch = nn.Conv2d(3, dim, patch, patch)
        self.blocks = nn.ModuleList(Layer(dim, heads, mlp_ratio) for _ in range(depth))
        self.head = nn.Linear(dim, classes)


class Points(nn.Module):
    """A sequence of fixed layers that are counted differently with norms between them, beside a size that is as small as their number."""

    def __init__(self, k=3, widths=(16, 32), norms=True, turned=True):
        super().__init__()
        self.turn = self._sequence([k, 32, 64], norms) if turned else None
        self.layers = self._sequence([k, *widths], norms)

    @staticmethod
    def _sequence(sizes, norms):
        layers = []
        for one, other in itertools.pairwise(sizes):
            layers += [nn.Conv1d(one, other, 1), *([nn.BatchNorm1d(other)] if norms else []), nn.ReLU()]
        return nn.Sequential(*layers)


class Turns(nn.Module):
    """Layers in turns with norms and functions in one sequence, as long as a list says that may be null."""

    def __init__(self, inside=10, hidden=None, batch_norm=True, dropout=0.0, scale=None, depth=3, width=12):
        super().__init__()
        if hidden is None:
            hidden = [16, 8]
        layers = []
        for size in hidden:
            layers.append(nn.Linear(inside, size))
            if batch_norm:
                layers.append(nn.BatchNorm1d(size))
            layers.append(nn.ReLU())
            if dropout > 0:
                layers.append(nn.Dropout(dropout))
            inside = size
        self.layers = nn.Sequential(*layers)
        deep = []
        for _ in range(depth):
            deep += [nn.Linear(inside, width), nn.LayerNorm(width), nn.GELU()]
            inside = width
        self.deep = nn.Sequential(*deep)
        self.gamma = nn.Parameter(scale * torch.ones(width)) if scale else None


def rounded(value, by=8):
    found = max(by, int(value + by / 2) // by * by)
    return found + by if found < 0.9 * value else found


class Mobile(nn.Module):
    def __init__(self, width=1.0, channels=(16, 24, 40), expand=6, classes=100, gated=True):
        super().__init__()
        inside = rounded(32 * width)
        self.stem, self.blocks = nn.Conv2d(3, inside, 3), nn.ModuleList()
        for each in channels:
            wide = rounded(each * width)
            gate = [nn.Conv2d(inside * expand, max(8, inside * expand // 4), 1)] if gated else []
            self.blocks.append(nn.Sequential(nn.Conv2d(inside, inside * expand, 1), *gate, nn.Conv2d(inside * expand, wide, 1)))
            inside = wide
        self.head = nn.Linear(inside, classes)


class Turned(nn.Module):
    """Layers that hold the same modules in another order where they cross; a table of comparisons is filled on the way."""

    def __init__(self, dim=32, depth=6, every=3, side=20):
        super().__init__()
        self.layers = nn.ModuleList(self.layer(dim, (at + 1) % every == 0) for at in range(depth))
        self.offsets = nn.Parameter(torch.empty(len({abs(one - other) for one in range(side) for other in range(side)}), dim))

    @staticmethod
    def layer(dim, crosses):
        parts = {"norm": nn.LayerNorm(dim), "mix": nn.Linear(dim, 2 * dim)}
        return nn.ModuleDict(dict(reversed(parts.items())) if crosses else parts)


class Prints(nn.Module):
    def __init__(self, size=3):
        super().__init__()
        print("{")
        os.write(1, b"}")
        self.linear = nn.Linear(size, size)


class Twice(nn.Module):
    def __init__(self, size=3):
        super().__init__()
        self.one = self.other = nn.Linear(size, size)
        self.weight = self.one.weight


class Fixed(nn.Module):
    def __init__(self, size=3):
        super().__init__()
        if size != 3:
            raise ValueError("size is 3")
        self.linear = nn.Linear(size, size)


class Hourglass(nn.Module):
    """Channels from a list, down and up again, with the skipped ones beside them."""

    def __init__(self, in_channels=3, features=(16, 32, 64), classes=2):
        super().__init__()
        self.downs, self.ups = nn.ModuleList(), nn.ModuleList()
        for feature in features:
            self.downs.append(nn.Conv2d(in_channels, feature, 3))
            in_channels = feature
        for feature in reversed(features):
            self.ups.append(nn.ConvTranspose2d(2 * feature, feature, 2, 2))
            self.ups.append(nn.Conv2d(2 * feature, feature, 3))
        self.bottom = nn.Conv2d(features[-1], 2 * features[-1], 3)
        self.last = nn.Conv2d(features[0], classes, 1)


class Grouped(nn.Module):
    """Fewer heads for keys and values, if any are given, and a part that 0 leaves out."""

    def __init__(self, dim=64, heads=8, kv_heads=None, ratio: float | None = None, shared=1):
        super().__init__()
        kv_heads = kv_heads if kv_heads is not None else heads
        if heads % kv_heads:
            raise ValueError("kv_heads does not divide heads")
        hidden = 4 * dim if ratio is None else int(ratio * dim)
        self.key = nn.Linear(dim, kv_heads * (dim // heads))
        self.up = nn.Linear(dim, hidden)
        if shared > 0:
            self.shared = nn.Linear(dim, hidden * shared)


class Temporal(nn.Module):
    def __init__(self, taken=10, channels=(25, 25, 50, 50), kernel=2):
        super().__init__()
        self.blocks = nn.Sequential()
        for i in range(len(channels)):
            inside = taken if i == 0 else channels[i - 1]
            block = nn.Module()
            block.conv = nn.Conv1d(inside, channels[i], kernel)
            block.shortcut = nn.Conv1d(inside, channels[i], 1) if inside != channels[i] else None
            self.blocks.append(block)


class Shared(nn.Module):
    def __init__(self, dim=16, depth=4, shared=False):
        super().__init__()
        made = []
        for number in range(depth):
            made.append(made[1] if shared and number > 1 else nn.Linear(dim, dim))
        self.layers = nn.ModuleList(made)


class Pairs(nn.Module):
    """Layers between the sizes of two lists of one length, each with a first and a last size of its own."""

    def __init__(self, dense=13, tables=(100, 50, 7), dim=16, bottom=(64, 32), top=(48, 24)):
        super().__init__()
        self.tables = nn.ModuleList(nn.EmbeddingBag(rows, dim) for rows in tables)
        sizes, layers, inside = [dense, *bottom, dim], [], (len(tables) + 1) * dim
        self.bottom = nn.ModuleList(nn.Linear(one, other) for one, other in itertools.pairwise(sizes))
        for width in top:
            layers += [nn.Linear(inside, width), nn.ReLU()]
            inside = width
        self.top = nn.Sequential(*layers, nn.Linear(inside, 1))


class Relations(nn.Module):
    """Modules whose names are words among the settings; filled in place."""

    def __init__(self, inside=16, hidden=32, layers=3, relations=("cites", "writes", "reads")):
        super().__init__()
        self.layers = nn.ModuleList()
        for at in range(layers):
            self.layers.append(nn.ModuleDict({name: nn.Linear(hidden if at else inside, hidden) for name in relations}))
        self.table = nn.Parameter(torch.empty(inside, hidden).normal_(0, 0.02).clamp_(-1, 1))


class Stack(nn.Module):
    def __init__(self, dim=8, depth=2):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(dim, dim) for _ in range(depth))


class Labelled(Stack):
    """Passes on what it does not take itself."""

    def __init__(self, *sizes, labels=5, **named):
        super().__init__(*sizes, **named)
        self.head = nn.Linear(self.layers[0].out_features, labels)


class OfOneDepth(Stack):
    """Passes on a part of it."""

    def __init__(self, labels=5, **named):
        super().__init__(named.pop("dim", 8), 3)
        if named:
            raise TypeError(f"{', '.join(named)} is not taken")
        self.head = nn.Linear(self.layers[0].out_features, labels)
