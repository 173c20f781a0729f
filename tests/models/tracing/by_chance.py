"""Modules with parts that few settings show, so that other rules fit their builds by chance; only processes that trace import this."""

from __future__ import annotations

import itertools

from torch import nn


class Announced(nn.Module):
    """Layers some of which have a head of their own, which the default does not show."""

    def __init__(self, dim=16, depth=12, every=0, classes=5):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(dim, dim) for _ in range(depth))
        self.heads = nn.ModuleDict()
        for at in range(depth - 1):
            if every and (at + 1) % every == 0:
                self.heads[str(at)] = nn.Linear(dim, classes)


class Attending(nn.Module):
    """Maps that are halved, with attention at some of their sizes, which are seldom those of the first map."""

    def __init__(self, dim=8, first=None, factors=(1, 2, 4), size=64, attended=(16,)):
        super().__init__()
        widths = [dim if first is None else first, *[dim * each for each in factors]]
        self.maps = nn.ModuleList()
        for width, after in itertools.pairwise(widths):
            parts = nn.ModuleDict({"mix": nn.Conv2d(width, width, 3), "next": nn.Conv2d(width, after, 1)})
            if size in attended:
                parts["attention"] = nn.Conv2d(width, 3 * width, 1)
            self.maps.append(parts)
            size //= 2


class Mirrored(nn.Module):
    """A tower, and one of the same widths turned around; a module stands between widths that differ."""

    def __init__(self, channels=(8, 12, 16), latent=4):
        super().__init__()
        self.down, before = nn.ModuleList(), 3
        for width in channels:
            self.down.append(self.block(before, width))
            before = width
        self.up, before = nn.ModuleList([nn.Linear(latent, channels[-1])]), channels[-1]
        for width in channels[::-1]:
            self.up.append(self.block(before, width))
            before = width

    @staticmethod
    def block(before, width):
        parts = nn.ModuleDict({"mix": nn.Linear(before, width)})
        if before != width:
            parts["skip"] = nn.Linear(before, width, bias=False)
        return parts
