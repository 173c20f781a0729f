"""Modules that take objects of settings in different ways."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
from torch import nn
from torch.nn.utils.parametrizations import weight_norm


@dataclass
class HeadSettings:
    width: int = 32
    heads: int = 4
    head_width: int | None = None

    def __post_init__(self) -> None:
        if self.head_width is None:
            self.head_width = self.width // self.heads


@dataclass
class StackConfig:
    head: HeadSettings = field(default_factory=HeadSettings)
    depth: int = 3


class PlainOptions:
    def __init__(self, width: int = 16, depth: int = 2, inner: HeadSettings | None = None) -> None:
        self.width, self.depth = width, depth
        self.inner = inner if inner is not None else HeadSettings()
        self.doubled = 2 * width


class WithoutAnnotation(nn.Module):
    def __init__(self, config):  # type: ignore[no-untyped-def]
        super().__init__()
        head = config.head
        self.layers = nn.ModuleList([nn.Linear(head.width, head.heads * head.head_width) for _ in range(config.depth)])


class NullByDefault(nn.Module):
    def __init__(self, config: StackConfig | None = None) -> None:
        super().__init__()
        config = config or StackConfig()
        self.layers = nn.ModuleList([nn.Linear(config.head.width, config.head.head_width) for _ in range(config.depth)])


class OfAPlainClass(nn.Module):
    def __init__(self, options: PlainOptions = PlainOptions()) -> None:  # noqa: B008
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(options.width, options.doubled) for _ in range(options.depth)])
        self.inner = nn.Linear(options.inner.width, options.inner.head_width)


class OfTwo(nn.Module):
    def __init__(self, encoder: HeadSettings, decoder: HeadSettings, scale: bool = False) -> None:
        super().__init__()
        self.between = nn.Linear(encoder.width, decoder.width)
        if scale:
            self.scale = nn.Parameter(torch.ones(decoder.head_width))


class PartMayBeMissing(nn.Module):
    """Null means that there is no such part, so that it is no object of settings which the class makes."""

    def __init__(self, width: int = 8, head: HeadSettings | None = None) -> None:
        super().__init__()
        self.body = nn.Linear(width, width)
        if head is not None:
            self.head = nn.Linear(width, head.width)


class NamesBehindLayers(nn.Module):
    """Parts without tensors before the layers and between what follows them."""

    def __init__(self, width: int = 32, depth: int = 5, classes: int = 7) -> None:
        super().__init__()
        layers = [nn.Sequential(nn.Linear(width, width), nn.LayerNorm(width)) for _ in range(depth)]
        self.net = nn.Sequential(nn.Identity(), nn.Linear(3, width), *layers, nn.LayerNorm(width), nn.Identity(), nn.Linear(width, classes))


class RoundedWidths(nn.Module):
    """Widths that are rounded to a multiple, and the half of each stage, which need not be a whole number."""

    def __init__(self, width: int = 100, multiple: int = 32, depth: int = 3, scale: float = 1.0, levels: tuple[int, ...] = (3,)) -> None:
        super().__init__()
        hidden = multiple * ((int(8 * width / 3) + multiple - 1) // multiple)
        self.up = nn.ModuleList([nn.Linear(width, hidden) for _ in range(depth)])
        self.scaled = nn.Linear(int(width * scale) // 8 * 8, 5)
        self.levels = nn.ModuleDict({f"{at}": nn.Linear(width, at) for at in range(1, depth + 1) if at in levels})


class NormedWeights(nn.Module):
    """Weights in two parts, of which torch computes the sizes of the norms; widths that double from one member of a list to the next."""

    def __init__(self, width: int = 8, strides: Sequence[int] = (2, 4, 8), units: int = 2) -> None:
        super().__init__()
        layers: list[nn.Module] = [weight_norm(nn.Conv1d(1, width, 7))]
        for stride in strides:
            width *= 2
            inside = [weight_norm(nn.Conv1d(width // 2, width // 2, 3)) for _ in range(units)]
            layers.append(nn.Sequential(*inside, nn.ELU(), weight_norm(nn.Conv1d(width // 2, width, 2 * stride, stride=stride))))
        self.encoder = nn.Sequential(*layers)


class WideAtSome(nn.Module):
    def __init__(self, width: int = 8, depth: int = 6, wide: Sequence[int] = (1, 3)) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(width, 2 * width if at in wide else width) for at in range(depth)])


class Ratios(nn.Module):
    """Ratios that are whole numbers by default; groups, which are whole numbers in any case."""

    def __init__(self, width: int = 64, depth: int = 2, mlp_ratio: float = 4, ratios: Sequence[float] = (1, 4), expand: int = 2) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(width, int(width * mlp_ratio)) for _ in range(depth)])
        self.sides = nn.ModuleList([nn.Linear(width, round(width * each)) for each in ratios])
        self.expanded = nn.Linear(width, width * expand)
