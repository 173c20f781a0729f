"""Modules that are written as published ones often are."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from math import log2, sqrt

import torch
from public_parts import made_norm
from torch import nn


def per_stage(value, length):
    return value if isinstance(value, tuple) else (value,) * length


class Staged(nn.Module):
    """Takes tuples, and asks whether it is given one."""

    def __init__(self, widths=(8, 16, 32), kernels=(3, 5, 3), expansion=2):
        super().__init__()
        kernels = per_stage(kernels, len(widths))
        expansion = per_stage(expansion, len(widths))
        self.stages = nn.ModuleList()
        for before, width, kernel, times in zip((3, *widths[:-1]), widths, kernels, expansion, strict=True):
            self.stages.append(nn.Sequential(nn.Conv2d(before, times * width, kernel), nn.Conv2d(times * width, width, 1)))


class TakesOnlyTuples(nn.Module):
    def __init__(self, widths, classes=10):
        super().__init__()
        assert isinstance(widths, tuple), "widths must be a tuple"
        self.layers = nn.ModuleList(nn.Linear(one, other) for one, other in pairwise(widths))
        self.head = nn.Linear(widths[-1], classes)


class Reversed(nn.Module):
    """Turns a list that it is given around, so that it is another one afterwards."""

    def __init__(self, latent=6, widths=None):
        super().__init__()
        if widths is None:
            widths = [8, 16, 24]
        self.encoder = nn.ModuleList(nn.Linear(one, other) for one, other in pairwise([latent, *widths]))
        widths.reverse()
        self.decoder = nn.ModuleList(nn.Linear(widths[at], widths[at + 1]) for at in range(len(widths) - 1))


class Dropped(nn.Module):
    """Reads the rates of a series of numbers."""

    def __init__(self, width=8, depth=4, rate=0.1):
        super().__init__()
        rates = [each.item() for each in torch.linspace(0, rate, depth)]
        self.layers = nn.ModuleList(nn.Sequential(nn.Linear(width, width), nn.Dropout(each)) for each in rates)

    def forward(self, x):
        for layer in self.layers:
            x = x + layer(x)
        return x


@dataclass
class GPTSettings:
    n_layer: int = 3
    n_embd: int = 32
    bias: bool = True

    @property
    def n_inner(self):
        return 4 * self.n_embd


@dataclass
class TrainingSettings:
    rate: float = 0.1


class Configured(nn.Module):
    """Takes an object of settings without saying of which class it is."""

    def __init__(self, config):
        super().__init__()
        assert config.n_layer is not None
        self.layers = nn.ModuleList(nn.Linear(config.n_embd, config.n_inner, bias=config.bias) for _ in range(config.n_layer))
        self.out = nn.Linear(config.n_embd, 5)


def divisible(width, by=8):
    import numpy as np

    return int(np.ceil(width * 1.0 / by) * by)


class Scaled(nn.Module):
    """Rounds with numpy, and has another head where the factor is above 1."""

    def __init__(self, factor=1.0, classes=10):
        super().__init__()
        width = divisible(48 * factor)
        self.first = nn.Linear(3, width)
        self.last = nn.Linear(width, divisible(640 * factor) if factor > 1.0 else 640)
        self.head = nn.Linear(self.last.out_features, classes)


class Rooted(nn.Module):
    """Computes with functions that are imported from ``math``."""

    def __init__(self, tokens=64, shape=(2, 3)):
        super().__init__()
        self.side = nn.Linear(int(sqrt(tokens)), math.prod(shape))
        self.bits = nn.Linear(int(log2(tokens)), tokens)


class Residual(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.inside = nn.Sequential(nn.Conv2d(width, width, 3), nn.InstanceNorm2d(width, affine=True))


class Translator(nn.Module):
    """One flat list: layers of their own, some that repeat, and layers of their own again."""

    def __init__(self, width=8, repeats=4, labels=2):
        super().__init__()
        layers = [nn.Conv2d(3 + labels, width, 7), nn.InstanceNorm2d(width, affine=True), nn.ReLU()]
        layers += [nn.Conv2d(width, 2 * width, 4, 2), nn.InstanceNorm2d(2 * width, affine=True), nn.ReLU()]
        layers += [Residual(2 * width) for _ in range(repeats)]
        layers += [nn.ConvTranspose2d(2 * width, width, 4, 2), nn.InstanceNorm2d(width, affine=True), nn.ReLU()]
        self.main = nn.Sequential(*layers, nn.Conv2d(width, 3, 7), nn.Tanh())


class Vocoder(nn.Module):
    """Weights that are split into a norm and a direction, in a list that two loops fill; the settings come in an object."""

    def __init__(self, h):
        super().__init__()
        split = torch.nn.utils.parametrizations.weight_norm
        self.blocks = nn.ModuleList()
        for at in range(len(h.rates)):
            width = h.width // 2 ** (at + 1)
            for kernel in h.kernels:
                self.blocks.append(split(nn.Conv1d(width, width, kernel)))
        self.last = nn.Conv1d(width, 1, 7)


class Keyed(nn.Module):
    """Reads its settings from a dictionary."""

    def __init__(self, cfg):
        super().__init__()
        self.embedding = nn.Embedding(cfg["vocabulary"], cfg["width"])
        self.layers = nn.Sequential(*(nn.Linear(cfg["width"], cfg["width"], bias=cfg["bias"]) for _ in range(cfg["depth"])))


class Sparse(nn.Module):
    """Makes a tensor of a kind that there is none of without content."""

    def __init__(self, layers=3, heads=4):
        super().__init__()
        self.register_buffer("chosen", torch.zeros(layers, heads, dtype=torch.bool).to_sparse())
        self.layers = nn.ModuleList(nn.Linear(heads, heads) for _ in range(layers))


class Built(nn.Module):
    """A class whose constructor passes all that it is given on to a method."""

    def __init__(self, *arguments, **named):
        super().__init__()
        self.build(*arguments, **named)

    def build(self, width=8, depth=2):
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))


class Fields(nn.Module):
    """Adds a list up, beside another one that is by chance as long; a rate is 0 by default, and no whole number."""

    def __init__(self, fields=(9, 5, 4), hidden=(16, 8, 4), drop_rate=0):
        super().__init__()
        self.embedding = nn.Embedding(sum(fields), 6)
        self.layers = nn.ModuleList(nn.Linear(one, other) for one, other in pairwise((6, *hidden)))
        self.dropout = nn.Dropout(drop_rate) if drop_rate > 0 else None


class Worded(nn.Module):
    """Passes a word on to a function of another module."""

    def __init__(self, width=8, norm="batch"):
        super().__init__()
        self.norm = made_norm(width, norm)
        self.out = nn.Linear(width, 2)


class Table(nn.Module):
    """Fills a table in two loops."""

    def __init__(self, width=64, positions=200):
        super().__init__()
        rows = [[at / 10000 ** (2 * (column // 2) / width) for column in range(width)] for at in range(positions)]
        self.register_buffer("angles", torch.tensor(rows))
        self.out = nn.Linear(width, positions)


class Speakers(nn.Module):
    """Has an embedding only if it is asked for, if there are channels for it, and if the number of its rows is given."""

    def __init__(self, width=8, channels=-1, with_embedding=False, speakers=None):
        super().__init__()
        self.out = nn.Linear(width, width)
        if channels > 0:
            self.condition = nn.Linear(channels, width)
        if channels > 0 and with_embedding:
            assert speakers is not None
            self.embedding = nn.Embedding(speakers, channels)


class Either(nn.Module):
    """Refuses two of its flags together."""

    def __init__(self, width=8, gated=False, shared=False):
        super().__init__()
        if gated and shared:
            raise ValueError("either gated or shared")
        self.up = nn.Linear(width, 2 * width if gated else width)
        self.down = self.up if shared else nn.Linear(width, width)
