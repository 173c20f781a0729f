"""Modules whose lists are filled by loops within loops: stages one behind the other, in one list."""

from __future__ import annotations

from torch import nn


class Residual(nn.Module):
    def __init__(self, inside, outside, time):
        super().__init__()
        self.first, self.second = nn.Conv2d(inside, outside, 3), nn.Conv2d(outside, outside, 3)
        self.time = nn.Linear(time, outside)
        self.shortcut = nn.Conv2d(inside, outside, 1) if inside != outside else nn.Identity()


class Looks(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm, self.all = nn.GroupNorm(1, width), nn.Conv1d(width, 3 * width, 1)


class Skips(nn.Module):
    """The widths on the way down are kept on a stack, and taken from it on the way up."""

    def __init__(self, width=32, mults=(1, 2, 4), blocks=2, looks=(1,), channels=3):
        super().__init__()
        time = 4 * width
        self.down, self.up = nn.ModuleList([nn.Conv2d(channels, width, 3)]), nn.ModuleList()
        stack, now = [width], width
        for level, mult in enumerate(mults):
            for _ in range(blocks):
                parts = [Residual(now, width * mult, time)]
                now = width * mult
                if level in looks:
                    parts.append(Looks(now))
                self.down.append(nn.Sequential(*parts))
                stack.append(now)
            if level != len(mults) - 1:
                self.down.append(nn.Conv2d(now, now, 3))
                stack.append(now)
        self.middle = Residual(now, now, time)
        for level, mult in reversed(list(enumerate(mults))):
            for _ in range(blocks + 1):
                self.up.append(Residual(stack.pop() + now, width * mult, time))
                now = width * mult
            if level:
                self.up.append(nn.Conv2d(now, now, 3))
        self.out = nn.Conv2d(now, channels, 3)


class Expanded(nn.Module):
    def __init__(self, inside, outside, factor):
        super().__init__()
        wide = inside * factor
        layers = [nn.Sequential(nn.Conv2d(inside, wide, 1), nn.BatchNorm2d(wide))] if factor != 1 else []
        self.layers = nn.Sequential(
            *layers, nn.Sequential(nn.Conv2d(wide, wide, 3, groups=wide), nn.BatchNorm2d(wide)), nn.Conv2d(wide, outside, 1)
        )


class Rows(nn.Module):
    """Rows of a factor, a width, a number of blocks and a stride."""

    def __init__(self, rows=((1, 16, 1, 1), (6, 24, 2, 2), (6, 40, 3, 2)), first=32, last=128, classes=10):
        super().__init__()
        layers, now = [nn.Conv2d(3, first, 3)], first
        for factor, width, many, _stride in rows:
            for _ in range(many):
                layers.append(Expanded(now, width, factor))
                now = width
        self.layers = nn.Sequential(*layers, nn.Conv2d(now, last, 1))
        self.head = nn.Linear(last, classes)


class Inserted(nn.Module):
    """Each block on the way up is put before all others."""

    def __init__(self, width=16, stages=3, blocks=2):
        super().__init__()
        self.down, self.up = nn.ModuleList(), nn.ModuleList()
        for _ in range(stages):
            self.down.append(nn.Conv2d(width, 2 * width, 3))
            self.up.insert(0, nn.Conv2d(2 * width, width, 3))
            width *= 2
            for _ in range(blocks):
                self.down.append(nn.Conv2d(width, width, 3))
                self.up.insert(0, nn.Conv2d(width, width, 3))


class Ended(nn.Module):
    """A level without blocks ends the list where there are none."""

    def __init__(self, width=16, depths=(2, 3, 1), by=2):
        super().__init__()
        layers = []
        for depth in depths:
            layers += [nn.Linear(width, width) for _ in range(depth)]
            layers.append(nn.Linear(width, by * width))
            width = by * width
        self.layers = nn.ModuleList(layers)


class Extended(nn.Module):
    """A table of factors that is extended by a first one, and indexed."""

    def __init__(self, width=16, mults=(1, 2, 4), blocks=2):
        super().__init__()
        extended = (1, *mults)
        self.levels = nn.ModuleList()
        for level in range(len(mults)):
            inside, outside = width * extended[level], width * mults[level]
            layers = nn.ModuleList()
            for _ in range(blocks):
                layers.append(Residual(inside, outside, width))
                inside = outside
            self.levels.append(layers)
