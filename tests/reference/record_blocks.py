"""Record what tools that count operations say of single layers and of small models that are no transformers.

Run ``python -m tests.reference.record_blocks`` where torch and the tools are installed; it writes ``blocks.json`` next to itself. Each call
is made in a process of its own, in evaluation mode, in 32-bit floats, on the CPU. Under ``parameters`` stands the number of parameters,
under ``meta`` what FlopCounterMode says where nothing is computed (on the CPU an LSTM is a single call, which it does not see into), and
under ``training`` what it says of a forward and a backward pass in training mode, with no gradient for the input.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import warnings
from collections.abc import Callable
from importlib.metadata import version
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import Any

os.environ.setdefault("DS_ACCELERATOR", "cpu")
import torch
from torch import Tensor, nn
from torch.utils.flop_counter import FlopCounterMode

from tests.reference.blocks_recorded import LAYERS, MODELS, Layer

FILE = Path(__file__).parent / "blocks.json"
WIDTH, VOCABULARY, LABELS, PATCHES = 12, 50, 7, 16


class DoubleConvolution(nn.Sequential):
    """The two convolutions of each level of a U-Net."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__(
            nn.Conv2d(inputs, outputs, 3, padding=1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(),
            nn.Conv2d(outputs, outputs, 3, padding=1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(),
        )  # fmt: skip


class UNet(nn.Module):
    """Ronneberger et al. 2015, arXiv 1505.04597, with padding, narrow: four levels down and up."""

    def __init__(self, channels: int, classes: int, width: int = 8) -> None:
        super().__init__()
        widths = [width * 2**level for level in range(5)]
        self.first = DoubleConvolution(channels, widths[0])
        self.pool = nn.MaxPool2d(2)
        self.down = nn.ModuleList(DoubleConvolution(*pair) for pair in pairwise(widths))
        self.up = nn.ModuleList(nn.ConvTranspose2d(wide, wide // 2, 2, stride=2) for wide in widths[:0:-1])
        self.merge = nn.ModuleList(DoubleConvolution(wide, wide // 2) for wide in widths[:0:-1])
        self.last = nn.Conv2d(width, classes, 1)

    def forward(self, image: Tensor) -> Tensor:
        found = [self.first(image)]
        for down in self.down:
            found.append(down(self.pool(found[-1])))
        image = found.pop()
        for up, merge in zip(self.up, self.merge, strict=True):
            image = merge(torch.cat((found.pop(), up(image)), dim=1))
        return self.last(image)


class MixerBlock(nn.Module):
    """Tolstikhin et al. 2021, arXiv 2105.01601, equation 1."""

    def __init__(self, width: int, tokens: int) -> None:
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.tokens = nn.Sequential(nn.Linear(tokens, 2 * width), nn.GELU(), nn.Linear(2 * width, tokens))
        self.channels = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, patches: Tensor) -> Tensor:
        patches = patches + self.tokens(self.norm1(patches).transpose(1, 2)).transpose(1, 2)
        return patches + self.channels(self.norm2(patches))


class Mixer(nn.Module):
    """Two blocks over patches of 4 × 4 pixels, for images of a fixed size."""

    def __init__(self, height: int, width: int) -> None:
        super().__init__()
        self.stem = nn.Conv2d(3, WIDTH, 4, stride=4)
        self.blocks = nn.Sequential(*(MixerBlock(WIDTH, (height // 4) * (width // 4)) for _ in range(2)))
        self.norm = nn.LayerNorm(WIDTH)
        self.head = nn.Linear(WIDTH, LABELS)

    def forward(self, image: Tensor) -> Tensor:
        patches = self.norm(self.blocks(self.stem(image).flatten(2).transpose(1, 2)))
        return self.head(patches.mean(dim=1))


class Tagger(nn.Module):
    """A label for each token: an embedding, two layers of a bidirectional LSTM, a linear layer."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(VOCABULARY, WIDTH)
        self.lstm = nn.LSTM(WIDTH, 10, num_layers=2, bidirectional=True, batch_first=True)
        self.label = nn.Linear(20, LABELS)

    def forward(self, tokens: Tensor) -> Tensor:
        return self.label(self.lstm(self.embedding(tokens))[0])


class Attending(nn.Module):
    """Attention that is nn.MultiheadAttention, with its residual, norm and feed-forward part."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(VOCABULARY, WIDTH)
        self.attention = nn.MultiheadAttention(WIDTH, 3, batch_first=True)
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.up, self.act, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.ReLU(), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, tokens: Tensor) -> Tensor:
        states = self.embedding(tokens)
        states = self.norm1(states + self.attention(states, states, states)[0])
        return self.norm2(states + self.down(self.act(self.up(states))))


class BasicBlock(nn.Module):
    """Two convolutions and a shortcut, which has one of its own where the image becomes smaller."""

    def __init__(self, inputs: int, outputs: int, stride: int = 1) -> None:
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(inputs, outputs, 3, stride, padding=1, bias=False), nn.BatchNorm2d(outputs)
        self.relu = nn.ReLU(inplace=True)
        self.conv2, self.bn2 = nn.Conv2d(outputs, outputs, 3, padding=1, bias=False), nn.BatchNorm2d(outputs)
        shorter = (nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs)) if stride > 1 else ()
        self.downsample = nn.Sequential(*shorter)

    def forward(self, image: Tensor) -> Tensor:
        found = self.bn2(self.conv2(self.relu(self.bn1(self.conv1(image)))))
        found += self.downsample(image)
        return self.relu(found)


class ResNet18(nn.Sequential):
    """He et al. 2015, arXiv 1512.03385, table 1, of the modules that torchvision's is made of."""

    def __init__(self) -> None:
        pairs = ((64, 64), (64, 128), (128, 256), (256, 512))
        layers = (nn.Sequential(BasicBlock(*pair, stride=1 + (pair[0] < pair[1])), BasicBlock(pair[1], pair[1])) for pair in pairs)
        super().__init__(
            nn.Conv2d(3, 64, 7, stride=2, padding=3, bias=False), nn.BatchNorm2d(64), nn.ReLU(inplace=True),
            nn.MaxPool2d(3, stride=2, padding=1), *layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 1000),
        )  # fmt: skip


class NormOfChannels(nn.LayerNorm):
    """A LayerNorm of the channels of an image: a class derived from torch's, as in torchvision."""

    def forward(self, image: Tensor) -> Tensor:
        return super().forward(image.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)


class ConvNeXtBlock(nn.Module):
    """Liu et al. 2022, arXiv 2201.03545, figure 4, with a scale for each channel; none is skipped."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.layer_scale = nn.Parameter(torch.full((width, 1, 1), 1e-6))
        self.filters = nn.Conv2d(width, width, 7, padding=3, groups=width)
        self.rest = nn.Sequential(nn.LayerNorm(width, eps=1e-6), nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, image: Tensor) -> Tensor:
        found = self.layer_scale * self.rest(self.filters(image).permute(0, 2, 3, 1)).permute(0, 3, 1, 2)
        found += image
        return found


class ConvNeXtStage(nn.Sequential):
    """The stem and the first stage of ConvNeXt-T: three blocks of 96 channels."""

    def __init__(self) -> None:
        stem = nn.Sequential(nn.Conv2d(3, 96, 4, stride=4), NormOfChannels(96, eps=1e-6))
        super().__init__(stem, nn.Sequential(*(ConvNeXtBlock(96) for _ in range(3))))


def model(name: str, sizes: tuple[int, ...]) -> tuple[nn.Module, tuple[Tensor, ...]]:
    """A model and what goes through it."""
    batch, *others = sizes
    if name in ("tagger", "encoder"):
        return (Tagger() if name == "tagger" else Attending()), (torch.ones(batch, *others, dtype=torch.long),)
    image = (torch.zeros(batch, 3, *others),)
    builders: dict[str, Callable[[], nn.Module]] = {
        "resnet18": ResNet18,
        "convnext_stage": ConvNeXtStage,
        "unet": lambda: UNet(3, 2),
        "mixer": lambda: Mixer(*others),
    }
    return builders[name](), image


def built(case: Layer | tuple[str, tuple[int, ...]]) -> tuple[nn.Module, tuple[Tensor, ...]]:
    torch.manual_seed(0)
    if not isinstance(case, Layer):
        return model(*case)
    return getattr(nn, case.kind)(*case.arguments, **case.options), tuple(map(torch.zeros, case.inputs))


class Called(nn.Module):
    """The module with inputs by name, as in the recordings of transformers: ptflops divides what some modules count by the batch that it
    sees, and by this way sees none."""

    def __init__(self, module: nn.Module) -> None:
        super().__init__()
        self.module = module

    def forward(self, inputs: tuple[Tensor, ...]) -> Any:
        return self.module(*inputs)


def thop(module: nn.Module, inputs: tuple[Tensor, ...]) -> dict[str, float]:
    from thop import profile

    return {"MACs": profile(module, inputs=inputs, verbose=False)[0]}


def ptflops(module: nn.Module, inputs: tuple[Tensor, ...], backend: str = "pytorch") -> dict[str, float]:
    from ptflops import get_model_complexity_info

    found, _ = get_model_complexity_info(
        Called(module), (1,), print_per_layer_stat=False, as_strings=False, input_constructor=lambda _: {"inputs": inputs}, backend=backend
    )
    return {"MACs": found}


def ptflops_aten(module: nn.Module, inputs: tuple[Tensor, ...]) -> dict[str, float]:
    return ptflops(module, inputs, "aten")


def fvcore(module: nn.Module, inputs: tuple[Tensor, ...]) -> dict[str, float]:
    from fvcore.nn import FlopCountAnalysis

    return {"MACs": FlopCountAnalysis(module, inputs).unsupported_ops_warnings(False).uncalled_modules_warnings(False).total()}


def counter(module: nn.Module, inputs: tuple[Tensor, ...]) -> dict[str, float]:
    with FlopCounterMode(display=False) as counted, torch.no_grad():
        module(*inputs)
    return {"FLOPs": counted.get_total_flops()}


def meta(module: nn.Module, inputs: tuple[Tensor, ...]) -> dict[str, float]:
    return counter(module.to("meta"), tuple(each.to("meta") for each in inputs))


def training(module: nn.Module, inputs: tuple[Tensor, ...]) -> dict[str, float]:
    with torch.enable_grad(), FlopCounterMode(display=False) as counted:
        found = module.train()(*inputs)
        (found[0] if isinstance(found, tuple) else found).sum().backward()
    return {"FLOPs": counted.get_total_flops()}


def training_on_meta(module: nn.Module, inputs: tuple[Tensor, ...]) -> dict[str, float]:
    return training(module.to("meta"), tuple(each.to("meta") for each in inputs))


def calflops(module: nn.Module, inputs: tuple[Tensor, ...]) -> dict[str, float]:
    from calflops import calculate_flops

    flops, macs, _ = calculate_flops(model=module, args=list(inputs), print_results=False, output_as_string=False)
    return {"FLOPs": flops, "MACs": macs}


def deepspeed(module: nn.Module, inputs: tuple[Tensor, ...]) -> dict[str, float]:
    from deepspeed.profiling.flops_profiler import get_model_profile

    flops, macs, _ = get_model_profile(model=module, args=list(inputs), print_profile=False, as_string=False)
    return {"FLOPs": flops, "MACs": macs}


CALLS: dict[str, Callable[[nn.Module, tuple[Tensor, ...]], dict[str, float]]] = {
    "thop": thop,
    "ptflops": ptflops,
    "ptflops-aten": ptflops_aten,
    "fvcore": fvcore,
    "torch": counter,
    "meta": meta,
    "training": training,
    "training-meta": training_on_meta,
    "calflops": calflops,
    "deepspeed": deepspeed,
}


def record(tool: str, case: Layer | tuple[str, tuple[int, ...]]) -> dict[str, Any]:
    """What the tool says, by unit; or under ``error`` how it fails."""
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said), torch.no_grad():
        module, inputs = built(case)
        try:
            found = CALLS[tool](module.eval(), inputs)
        except Exception as error:
            return {"error": f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"[:160]}
    if None in found.values():
        return {"error": "no number"}
    return {unit: int(number) if number == int(number) else f"{number}" for unit, number in found.items()}


def line(label: str, case: Layer | tuple[str, tuple[int, ...]], tools: list[str]) -> str:
    module, _ = built(case)
    found: dict[str, Any] = {"parameters": sum(each.numel() for each in module.parameters())}
    for tool in tools:
        with get_context("fork").Pool(1) as pool:
            found[tool] = pool.apply(record, (tool, case))
    print(label, found, flush=True)
    return f"{json.dumps(label)}: {json.dumps(found, separators=(',', ':'))}"


def main() -> None:
    for name in ("thop", "ptflops", "fvcore.nn", "calflops", "deepspeed.profiling.flops_profiler"):
        __import__(name)
    versions = {name: version(name) for name in ("torch", "thop", "ptflops", "fvcore", "calflops", "deepspeed")}
    lines = [line(each.label, each, list(CALLS)) for each in LAYERS]
    lines += [
        line(f"{name} of {'×'.join(map(str, sizes))}", (name, sizes), list(CALLS)) for name, every in MODELS.items() for sizes in every
    ]
    FILE.write_text('{"versions": ' + json.dumps(versions) + ', "recordings": {\n' + ",\n".join(lines) + "\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
