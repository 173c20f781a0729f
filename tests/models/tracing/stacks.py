"""Modules whose numbers of layers come out of loops, of roundings, and of several stages one behind the other."""

from __future__ import annotations

import json
import math
import os
import pathlib

import torch
from torch import nn

BY = 8


def multiple(width, by=BY):
    found = max(by, int(width + by / 2) // by * by)
    if found < 0.9 * width:
        found += by
    return found


def multiple_that_loses_less(number, most=0.9):
    """The same where a share that is no share is refused."""
    if not 0.0 < most < 1.0:
        raise ValueError(f"{most} is no share")
    found = max(8, int(number + 4) // 8 * 8)
    return found if found >= most * number else found + 8


class Halving(nn.Module):
    """As many convolutions as the image can be halved, each twice as wide as the one before."""

    def __init__(self, image=64, channels=3, width=16, widest=256):
        super().__init__()
        layers, inside, wide = [], channels, width
        while image > 4:
            layers += [nn.Conv2d(inside, wide, 4, 2, 1, bias=False), nn.BatchNorm2d(wide), nn.LeakyReLU(0.2)]
            inside = wide
            wide = min(2 * wide, widest)
            image //= 2
        self.body = nn.Sequential(*layers)
        self.head = nn.Linear(inside * image * image, 1)


class Doubling(nn.Module):
    """A number that is doubled until it reaches the size of the image, and words that are rounded up."""

    def __init__(self, size=64, width=16, words=512, by=8):
        super().__init__()
        steps, side = 0, 4
        while side < size:
            side *= 2
            steps += 1
        if words % by != 0:
            words += by - words % by
        self.words = nn.Embedding(words, width)
        self.start, self.blocks, inside = nn.Linear(width, width * 2**steps), nn.ModuleList(), width * 2**steps
        for _ in range(steps):
            self.blocks.append(nn.Conv2d(inside, inside // 2, 3))
            inside //= 2


class Compound(nn.Module):
    """Four stages in one list, each as deep and as wide as two factors say."""

    def __init__(self, width=1.0, depth=1.0):
        super().__init__()
        self.blocks, inside = nn.ModuleList(), multiple(32 * width)
        for count, channels in ((1, 16), (2, 24), (3, 40)):
            for _ in range(math.ceil(count * depth)):
                self.blocks.append(nn.Conv2d(inside, multiple(channels * width), 3))
                inside = multiple(channels * width)


class Widened(nn.Module):
    """Blocks that are four times as wide behind as inside, with a flag, in stages that double."""

    def __init__(self, blocks=(2, 2, 2), base=32, wide=False):
        super().__init__()
        self.layers, inside, planes = nn.ModuleList(), base, base
        for count in blocks:
            stage = nn.ModuleList()
            for _ in range(count):
                stage.append(nn.Linear(inside, planes, bias=False))
                inside = planes * (4 if wide else 1)
            self.layers.append(stage)
            planes *= 2


class Pooled(nn.Module):
    """A word that is only compared, and a part that is left out where two things are so."""

    def __init__(self, dim=48, heads=4, head_dim=16, depth=3, pool="first"):
        super().__init__()
        self.start = nn.Linear(1, dim) if pool == "first" else None
        self.layers = nn.ModuleList()
        for _ in range(depth):
            layer = nn.ModuleDict({"qkv": nn.Linear(dim, 3 * heads * head_dim)})
            if not (heads == 1 and head_dim == dim):
                layer["out"] = nn.Linear(heads * head_dim, dim)
            self.layers.append(layer)


class HandsOn(nn.Module):
    """A constructor behind a ``__new__`` that takes anything."""

    def __new__(cls, *values, **named):
        return super().__new__(cls)

    def __init__(self, inside=4, outside=5):
        super().__init__()
        self.linear = nn.Linear(inside, outside)


class OfTheEnvironment(nn.Module):
    def __init__(self, size=3):
        super().__init__()
        self.linear = nn.Linear(size, int(os.environ.get("WIDTH_OF_THE_OUTPUT", "7")))


class OfAFile(nn.Module):
    def __init__(self, size=3):
        super().__init__()
        here = pathlib.Path(__file__)
        self.linear = nn.Linear(size, len(here.read_bytes()[:7]))
        with here.with_name("stacks.json").open(encoding="utf-8") as stream:
            self.head = nn.Linear(json.load(stream)["width"], size)


class Headed(nn.Module):
    """Stages of a layer that brings the new width, and as many blocks as a list says; and a layer only where the width changes."""

    def __init__(self, base=16, depths=(2, 1, 3), ratio=3, dims=(8, 12, 20)):
        super().__init__()
        before = base
        self.stages = nn.ModuleList()
        for at in range(len(depths)):
            width = base * 2**at
            blocks = [nn.Sequential(nn.Linear(width, ratio * width), nn.Linear(ratio * width, width)) for _ in range(depths[at])]
            self.stages.append(nn.Sequential(nn.Conv1d(before, width, 3), *blocks))
            before = width
        self.turns, before = nn.ModuleList(), dims[0]
        for dim in dims:
            if before != dim:
                self.turns.append(nn.Linear(before, dim))
            before = dim


class Narrowing(nn.Module):
    """A layer before a stage only where the width changes, or where there is a stride."""

    def __init__(self, depths=(2, 2, 6, 2), dims=(64, 128, 320, 512), by_stride=False):
        super().__init__()
        self.stages, before = nn.ModuleList(), dims[0]
        for at, (depth, dim) in enumerate(zip(depths, dims, strict=True)):
            stage = nn.Module()
            changes = before != dim or (by_stride and at > 0)
            stage.turn = nn.Conv2d(before, dim, 3) if changes else nn.Identity()
            stage.blocks = nn.Sequential(*[nn.Linear(dim, dim) for _ in range(depth)])
            self.stages.append(stage)
            before = dim


class Staged(nn.Module):
    """As many stages as the shorter of two lists is long; the last blocks of each are of another kind, some with a layer more."""

    def __init__(self, widths=(8, 12, 16), depths=(2, 3, 2), attending=(0, 1, 1, 1), positions=(False, True, False, False)):
        super().__init__()
        self.stages, before = nn.ModuleList(), 3
        for at, (width, depth, _) in enumerate(zip(widths, depths, range(4), strict=False)):
            stage = nn.ModuleList()
            for number in range(depth):
                block = nn.Module()
                if number < depth - attending[at]:
                    block.conv = nn.Conv2d(before, width, 3)
                else:
                    block.scale = nn.Parameter(torch.ones(width))
                    block.place = nn.Linear(before, 2 * width) if positions[at] else None
                stage.append(block)
                before = width
            self.stages.append(stage)
        self.head = nn.Linear(before, 10)


class Counted(Staged):
    """The same stages under names that count from 1."""

    def __init__(self, widths=(8, 12, 16), depths=(2, 3, 2), attending=(0, 1, 1, 1), positions=(False, True, False, False)):
        super().__init__(widths, depths, attending, positions)
        head, stages = self.head, self.stages
        del self.head, self.stages
        for at, stage in enumerate(stages):
            self.add_module(f"layer{at + 1}", stage)
        self.head = head


class Alternating(nn.Module):
    """Layers that are numbered by hand, the first without a normalisation after it, and an end whose size divides by their number."""

    def __init__(self, channels=3, width=16, layers=4, size=64, wide=False):
        super().__init__()
        before = channels
        for at in range(layers):
            after = width * min(2**at, 8)
            setattr(self, f"conv{at + 1}", nn.Conv2d(before, after, 4, bias=wide))
            if at > 0:
                setattr(self, f"norm{at + 1}", nn.BatchNorm2d(after))
            before = after
        self.head = nn.Linear(before * (size // 2**layers) ** 2, 1)


class Repeated(nn.Module):
    """A number of layers alone, and a forward pass for images of one size alone."""

    taken: tuple[int, ...] = ()

    def __init__(self, depth=4):
        super().__init__()
        self.layers = nn.ModuleList(nn.Conv2d(3, 3, 3, padding=1) for _ in range(depth))

    def forward(self, image):
        Repeated.taken = Repeated.taken or (*image.shape, len(self.layers))
        if (*image.shape, len(self.layers)) != Repeated.taken:
            raise ValueError("another size")
        for layer in self.layers:
            image = layer(image)
        return image


class Skipping(nn.Module):
    """Stages down and up again, which take what a stack kept of those before; attention where the maps have certain sizes."""

    def __init__(self, base=8, multipliers=(1, 2, 4), blocks=2, size=32, attending=(8,)):
        super().__init__()
        kept, inside = [base], base
        self.down, self.up = nn.ModuleList(), nn.ModuleList()
        for level, times in enumerate(multipliers):
            stage = nn.Module()
            stage.blocks, stage.attention = nn.ModuleList(), nn.ModuleList()
            for _ in range(blocks):
                stage.blocks.append(nn.Conv2d(inside, base * times, 3))
                inside = base * times
                kept.append(inside)
                if size in attending:
                    stage.attention.append(nn.Linear(inside, 3 * inside))
            if level + 1 < len(multipliers):
                kept.append(inside)
                size //= 2
            self.down.append(stage)
        for level, times in reversed(list(enumerate(multipliers))):
            stage = nn.Module()
            stage.blocks, stage.attention = nn.ModuleList(), nn.ModuleList()
            for _ in range(blocks + 1):
                stage.blocks.append(nn.Conv2d(inside + kept.pop(), base * times, 3))
                inside = base * times
                if size in attending:
                    stage.attention.append(nn.Linear(inside, 3 * inside))
            if level:
                size *= 2
            self.up.append(stage)


class Heads(nn.Module):
    """A table with a row more for one of three kinds of heads."""

    def __init__(self, rows=8, dim=16, depth=3, ratio=4.0, pool="cls", gated=False, bias=True):
        super().__init__()
        self.table = nn.Parameter(torch.zeros(1, rows + (1 if pool == "cls" else 0), dim))
        inner = int(dim * ratio)
        self.layers = nn.ModuleList(nn.Linear(dim, 2 * inner if gated else inner, bias=bias) for _ in range(depth))
        if pool == "attention":
            self.query = nn.Parameter(torch.zeros(dim))
        elif pool != "mean":
            assert pool == "cls"


def norm_of(dim, norm):
    if norm == "batch":
        return nn.BatchNorm1d(dim)
    return nn.PReLU(dim) if norm in ("gated", "prelu") else nn.Identity()


class Worded(nn.Module):
    """Words that are compared, one of which stands in place of a number, and a scale that is mostly small."""

    def __init__(self, dim=32, rank="auto", norm="batch", scale=None, depth=3):
        super().__init__()
        self.norm = norm_of(dim, norm)
        rank = math.ceil(dim / 16) if rank == "auto" else rank
        self.layers = nn.ModuleList(nn.Linear(dim, rank) for _ in range(depth))
        if scale is not None:
            self.scale = nn.Parameter(torch.full((dim,), scale))

    def forward(self, rows):
        return self.norm(rows)


class Flows(nn.Module):
    def __init__(self, dim=7, flows=2, hidden=16):
        super().__init__()
        halves = [(dim // 2, dim - dim // 2), (dim - dim // 2, dim // 2)]
        self.flows = nn.ModuleList(
            nn.Sequential(nn.Linear(halves[at % 2][0], hidden), nn.Linear(hidden, halves[at % 2][1])) for at in range(flows)
        )


class Turns(nn.Module):
    """Two lists of layers, each with a norm and an activation behind, and with a dropout in one of them, if there are any."""

    def __init__(self, inside=6, hidden=(12, 8), heads=(10,), classes=3, between="layer", dropout=0.1):
        super().__init__()
        layers, width = [], inside
        for each in hidden:
            layers.append(nn.Linear(width, each))
            if between == "layer":
                layers.append(nn.LayerNorm(each))
            layers.append(nn.ReLU())
            width = each
        self.body = nn.Sequential(*layers)
        dims, layers = [width, *heads, classes], [nn.Flatten()]
        for one, other in zip(dims[:-1], dims[1:], strict=True):  # noqa: RUF007
            layers += [nn.Linear(one, other), nn.GELU()]
            if dropout > 0:
                layers.append(nn.Dropout(dropout))
        self.head = nn.Sequential(*layers)


class NumberedFromOne(nn.Module):
    """Stages whose numbers begin at 1; the first has a projection only if four times its width is not the width of what comes before."""

    def __init__(self, widths=(64, 128, 256), blocks=(2, 3, 2)):
        super().__init__()
        inside = 64
        self.stem = nn.Conv2d(3, inside, 7, bias=False)
        for stage, (width, count) in enumerate(zip(widths, blocks, strict=True)):
            projected = stage != 0 or inside != 4 * width
            layers = []
            for block in range(count):
                layers.append(nn.ModuleDict({"a": nn.Conv2d(inside, width, 1, bias=False), "b": nn.Conv2d(width, 4 * width, 1)}))
                if projected and block == 0:
                    layers[-1]["down"] = nn.Conv2d(inside, 4 * width, 1, bias=False)
                inside = 4 * width
            self.add_module(f"stage{stage + 1}", nn.Sequential(*layers))


class Rounded(nn.Module):
    """A width that is rounded down for most factors, but up where it would lose more than a tenth."""

    def __init__(self, factor=1.0, classes=10):
        super().__init__()
        width = multiple(max(16, min(64, 32 * factor)))
        self.stem = nn.Conv2d(3, width, 3, bias=False)
        self.deep = nn.Conv2d(width, multiple_that_loses_less(24 * factor), 3)
        self.head = nn.Linear(width, classes)


class Flattened(nn.Module):
    """Convolutions of given kernels, all but the last with a pooling behind; what is left of the image is flattened."""

    def __init__(self, sides=(64, 72), filters=(8, 12, 6), kernels=(5, 3, 2), marks=(), classes=3, depth=5, extra=2):
        super().__init__()
        layers, inside, (high, wide) = [], 1, sides
        for at, (width, kernel) in enumerate(zip(filters, kernels)):  # noqa: B905
            layers += [nn.Conv2d(inside, width, kernel), nn.ReLU()]
            inside, high, wide = width, high - kernel + 1, wide - kernel + 1
            if at < len(filters) - 1:
                layers.append(nn.MaxPool2d(2))
                high, wide = high // 2, wide // 2
        self.features = nn.Sequential(*layers)
        self.out = nn.Linear(inside * high * wide + extra, classes)
        self.marked = nn.ModuleList(nn.Linear(4, 4, bias=at not in marks) for at in range(depth))


class Averaged(nn.Module):
    """A flag that may be null, one that is only taken beside another word, and features of which there may be none."""

    def __init__(self, dim=8, averaging: str = "token", final: bool | None = None, token: bool = True, features: int = 5, kept=(6, 7)):
        super().__init__()
        assert averaging in ("token", "mean")
        assert token or averaging != "token"
        self.token = nn.Parameter(torch.empty(1, 1, dim)) if token else None
        self.final = nn.LayerNorm(dim) if (averaging == "mean" if final is None else final) else nn.Identity()
        self.out = nn.Linear(dim + features, 3)
        self.last = nn.Linear(kept[-1] if kept else dim, 2)
