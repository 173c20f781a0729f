"""Modules as people write them, for tests of tracing; only the process that traces imports this."""

from __future__ import annotations

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


class Exits(nn.Module):
    def __init__(self, size=3):
        super().__init__()
        os._exit(0)


class Forever(nn.Module):
    def __init__(self, size=3):
        super().__init__()
        while True:
            pass


class ReadsTheEnvironment(nn.Module):
    def __init__(self, size=3):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(len(os.environ["SECRET"])))


class Number:
    def __new__(cls, size=3):
        return size
