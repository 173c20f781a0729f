"""The layers and models whose operations are recorded: layers by their class, arguments and input, models by name and input."""

from __future__ import annotations

from typing import Any, NamedTuple


class Layer(NamedTuple):
    """A class of ``torch.nn`` with its arguments, and the shapes of what it takes, the batch first and features behind it or last."""

    kind: str
    arguments: tuple[Any, ...]
    options: dict[str, Any]
    inputs: tuple[tuple[int, ...], ...]

    @property
    def label(self) -> str:
        written = [*map(str, self.arguments), *(f"{name}={value}" for name, value in self.options.items())]
        return f"{self.kind}({', '.join(written)}) of {' and '.join('×'.join(map(str, each)) for each in self.inputs)}"


def layer(kind: str, *arguments: Any, of: tuple[int, ...], beside: tuple[tuple[int, ...], ...] = (), **options: Any) -> Layer:
    return Layer(kind, arguments, options, (of, *beside))


LAYERS = (
    layer("Conv1d", 5, 7, 3, of=(2, 5, 17)),
    layer("Conv1d", 6, 9, 4, stride=3, padding=2, dilation=2, groups=3, of=(3, 6, 23)),
    layer("Conv2d", 3, 5, 3, of=(2, 3, 13, 11)),
    layer("Conv2d", 3, 5, 7, stride=2, padding=3, bias=False, of=(2, 3, 29, 31)),
    layer("Conv2d", 4, 6, (3, 5), stride=(2, 3), padding=(1, 2), dilation=(2, 1), groups=2, of=(3, 4, 19, 22)),
    layer("Conv2d", 5, 5, 3, padding="same", groups=5, of=(2, 5, 9, 7)),
    layer("Conv3d", 2, 3, 3, stride=2, padding=1, of=(2, 2, 9, 11, 7)),
    layer("ConvTranspose1d", 5, 4, 3, stride=2, padding=1, output_padding=1, of=(2, 5, 9)),
    layer("ConvTranspose2d", 6, 4, 2, stride=2, of=(2, 6, 7, 5)),
    layer("ConvTranspose2d", 6, 4, 3, stride=2, padding=1, dilation=2, groups=2, bias=False, of=(3, 6, 7, 5)),
    layer("ConvTranspose3d", 3, 2, 3, stride=2, of=(2, 3, 4, 3, 5)),
    layer("MaxPool1d", 3, of=(2, 5, 17)),
    layer("MaxPool2d", 3, stride=2, padding=1, of=(2, 5, 17, 14)),
    layer("MaxPool2d", 3, stride=2, ceil_mode=True, of=(2, 5, 16, 14)),
    layer("AvgPool2d", 2, of=(2, 5, 17, 14)),
    layer("AvgPool3d", 2, of=(2, 3, 6, 8, 5)),
    layer("AdaptiveAvgPool2d", 1, of=(2, 5, 17, 14)),
    layer("AdaptiveAvgPool2d", (3, 2), of=(2, 5, 17, 14)),
    layer("AdaptiveMaxPool2d", 2, of=(2, 5, 17, 14)),
    layer("BatchNorm1d", 5, of=(3, 5, 17)),
    layer("BatchNorm2d", 5, of=(3, 5, 9, 7)),
    layer("BatchNorm2d", 5, affine=False, of=(3, 5, 9, 7)),
    layer("BatchNorm3d", 3, of=(2, 3, 4, 5, 3)),
    layer("GroupNorm", 3, 6, of=(2, 6, 9, 7)),
    layer("GroupNorm", 2, 6, affine=False, of=(2, 6, 9, 7)),
    layer("LayerNorm", 6, of=(2, 9, 6)),
    layer("ReLU", of=(2, 5, 9, 7)),
    layer("GELU", of=(2, 5, 9, 7)),
    layer("SiLU", of=(2, 5, 9, 7)),
    layer("Sigmoid", of=(2, 5, 9, 7)),
    layer("Tanh", of=(2, 5, 9, 7)),
    layer("Linear", 6, 7, of=(2, 9, 6)),
    layer("Bilinear", 5, 3, 7, of=(4, 5), beside=((4, 3),)),
    layer("RNN", 5, 7, batch_first=True, of=(2, 9, 5)),
    layer("RNN", 5, 7, num_layers=2, bidirectional=True, bias=False, batch_first=True, of=(3, 8, 5)),
    layer("LSTM", 5, 7, batch_first=True, of=(2, 9, 5)),
    layer("LSTM", 5, 7, bias=False, batch_first=True, of=(2, 9, 5)),
    layer("LSTM", 5, 7, num_layers=3, bidirectional=True, batch_first=True, of=(3, 8, 5)),
    layer("LSTM", 6, 8, num_layers=2, bidirectional=True, proj_size=3, batch_first=True, of=(2, 7, 6)),
    layer("GRU", 5, 7, batch_first=True, of=(2, 9, 5)),
    layer("GRU", 6, 5, num_layers=2, bidirectional=True, bias=False, batch_first=True, of=(2, 7, 6)),
    layer("GRU", 6, 5, num_layers=2, bidirectional=True, batch_first=True, of=(2, 7, 6)),
    layer("MultiheadAttention", 12, 3, batch_first=True, of=(2, 9, 12), beside=((2, 9, 12), (2, 9, 12))),
    layer("MultiheadAttention", 12, 3, bias=False, batch_first=True, of=(2, 9, 12), beside=((2, 9, 12), (2, 9, 12))),
    layer("MultiheadAttention", 12, 4, kdim=5, vdim=7, batch_first=True, of=(3, 7, 12), beside=((3, 11, 5), (3, 11, 7))),
)

SIZES = ((1, 224, 224), (1, 65, 33), (2, 97, 129), (1, 101, 75), (3, 47, 63), (1, 199, 131))
"""Batch, height and width of the images that go through the models."""
OF_SIXTEENS = ((1, 64, 64), (1, 48, 80), (2, 16, 112), (1, 144, 32), (3, 32, 48), (1, 80, 176))
LENGTHS = ((1, 1), (2, 9), (3, 17), (1, 31), (5, 3), (2, 77))
"""Batch and number of tokens."""

MODELS = {
    "resnet18": SIZES,
    "convnext_stage": SIZES,
    "unet": OF_SIXTEENS,
    "mixer": OF_SIXTEENS,
    "tagger": LENGTHS,
    "encoder": LENGTHS,
}
