"""Modules that are run, for tests of their operations; only the process that traces imports this."""

from __future__ import annotations

import contextlib

import torch
from torch import nn


class Reader(nn.Module):
    """Attention written with @, a loop over layers, and one vector for each sequence."""

    def __init__(self, vocab=100, dim=24, depth=3, heads=4, labels=5):
        super().__init__()
        self.heads, self.tokens = heads, nn.Embedding(vocab, dim)
        self.layers = nn.ModuleList(nn.ModuleDict({"qkv": nn.Linear(dim, 3 * dim), "out": nn.Linear(dim, dim)}) for _ in range(depth))
        self.classes = nn.Linear(dim, labels)

    def forward(self, ids):
        found = self.tokens(ids)
        for layer in self.layers:
            split = layer["qkv"](found).unflatten(-1, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
            scores = (split[0] @ split[1].transpose(-1, -2)).softmax(-1)
            found = found + layer["out"]((scores @ split[2]).transpose(1, 2).flatten(2))
        return self.classes(found.mean(1))


class Pictures(nn.Module):
    """Windows that move over images of any size, with strides, pooling and groups."""

    def __init__(self, width=8, depth=2, classes=10):
        super().__init__()
        self.stem, self.pool, self.blocks = nn.Conv2d(3, width, 7, 2, 3), nn.MaxPool2d(3, 2, 1), nn.ModuleList()
        for _ in range(depth):
            self.blocks.append(nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, groups=width), nn.Conv2d(width, width, 1)))
        self.down, self.head = nn.Conv2d(width, 2 * width, 2, 2), nn.Linear(2 * width, classes)

    def forward(self, image):
        found = self.pool(self.stem(image))
        for block in self.blocks:
            found = found + block(found)
        return self.head(self.down(found).mean((2, 3)))


class Residual(nn.Module):
    """Images are halved until small ones have a side of 1, which halving leaves at 1, beside a shortcut that takes what came before."""

    def __init__(self, width=8, blocks=(2, 2, 2, 2, 2)):
        super().__init__()
        self.stem, self.stages, inside = nn.Conv2d(3, width, 3, 2, 1), nn.ModuleList(), width
        for number, count in enumerate(blocks):
            stage = nn.ModuleList()
            for block in range(count):
                wide, step = width * 2**number, 2 if block == 0 else 1
                parts = nn.ModuleDict({"one": nn.Conv2d(inside, wide, 3, step, 1), "other": nn.Conv2d(wide, wide, 3, 1, 1)})
                if step > 1 or inside != wide:
                    parts["shortcut"] = nn.Conv2d(inside, wide, 1, step)
                stage.append(parts)
                inside = wide
            self.stages.append(stage)

    def forward(self, image):
        found = self.stem(image)
        for stage in self.stages:
            for parts in stage:
                shortcut = parts["shortcut"](found) if "shortcut" in parts else found
                found = shortcut + parts["other"](parts["one"](found))
        return found


class Hidden(nn.Module):
    """A product with a vector, which the recorder does not count."""

    def __init__(self, dim=24):
        super().__init__()
        self.linear, self.vector = nn.Linear(dim, dim), nn.Parameter(torch.empty(dim))

    def forward(self, rows):
        return self.linear(rows).flatten(0, 1) @ self.vector


class RunsForever(Hidden):
    """A forward pass without an end."""

    def forward(self, rows):
        while True:
            rows = rows + 1


class RunsOn(Hidden):
    """A forward pass without an end, whatever is raised in it."""

    def forward(self, rows):
        while True:
            with contextlib.suppress(BaseException):
                rows = rows + 1


class Quits(Hidden):
    """A forward pass that ends the process."""

    def forward(self, rows):
        raise SystemExit(3)


class Denoiser(nn.Module):
    """Attention on the patches of an image, scaled by a step and a label; with a patch of 4, as many as a head has features."""

    def __init__(self, side=16, patch=2, dim=64, heads=4, depth=3, labels=10):
        super().__init__()
        self.heads, self.patch = heads, patch
        self.embed = nn.Conv2d(3, dim, patch, stride=patch)
        self.places = nn.Parameter(torch.zeros((side // patch) ** 2, dim))
        self.labels, self.step = nn.Embedding(labels, dim), nn.Linear(1, dim)
        self.blocks = nn.ModuleList(nn.ModuleList([nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)]) for _ in range(depth))

    def forward(self, image, t, label):
        found = self.embed(image).flatten(2).transpose(1, 2) + self.places
        scale = (self.step(t[:, None].float()) + self.labels(label))[:, None]
        for into, out in self.blocks:
            rows, count, dim = found.shape
            query, key, value = into(found).view(rows, count, 3, self.heads, dim // self.heads).permute(2, 0, 3, 1, 4)
            mixed = nn.functional.scaled_dot_product_attention(query, key, value)
            found = found + scale * out(mixed.transpose(1, 2).reshape(rows, count, dim))
        return found


class Patched(nn.Module):
    """Attention on patches that are cut out without a convolution: at first as many as a head has features."""

    def __init__(self, image_size=32, patch_size=4, channels=3, dim=32, depth=3, heads=4, head_dim=64):
        super().__init__()
        self.heads, self.patch = heads, patch_size
        self.embed = nn.Linear(channels * patch_size**2, dim)
        self.places = nn.Parameter(torch.zeros((image_size // patch_size) ** 2, dim))
        inside = heads * head_dim
        self.blocks = nn.ModuleList(nn.ModuleList([nn.Linear(dim, 3 * inside), nn.Linear(inside, dim)]) for _ in range(depth))

    def forward(self, x):
        rows, channels, height, width = x.shape
        found = x.view(rows, channels, height // self.patch, self.patch, width // self.patch, self.patch)
        found = self.embed(found.permute(0, 2, 4, 3, 5, 1).reshape(rows, -1, channels * self.patch**2)) + self.places
        for into, out in self.blocks:
            query, key, value = (each.unflatten(-1, (self.heads, -1)).transpose(1, 2) for each in into(found).chunk(3, -1))
            scores = (query @ key.transpose(-1, -2)).softmax(-1)
            found = found + out((scores @ value).transpose(1, 2).flatten(2))
        return found


class Neighbours(nn.Module):
    """Each node takes up the features of its neighbours."""

    def __init__(self, before, after):
        super().__init__()
        self.linear = nn.Linear(before, after)

    def forward(self, nodes, adjacency):
        return self.linear((adjacency / adjacency.sum(1, keepdim=True)) @ nodes).relu()


class Graph(nn.Module):
    def __init__(self, features=12, hidden=20, layers=2, classes=5):
        super().__init__()
        self.layers = nn.ModuleList(Neighbours(hidden if layer else features, hidden) for layer in range(layers))
        self.out = nn.Linear(hidden, classes)

    def forward(self, nodes, adjacency):
        assert nodes.ndim == 2
        for layer in self.layers:
            nodes = layer(nodes, adjacency)
        return self.out(nodes)
