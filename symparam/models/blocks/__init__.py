"""Blocks that architectures are built from. Each declares its tensors by name and symbolic shape; everything else is measured from that.

Those of images and sequences are imported when they are first used, as no formula of a language model waits for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from symparam import on_first_use
from symparam.models.blocks.architecture import Architecture
from symparam.models.blocks.attention import DotProduct, MultiheadAttention
from symparam.models.blocks.containers import Layers, Repeat, Tied
from symparam.models.blocks.elementwise import GELU, Activation, ReLU, Sigmoid, SiLU, Tanh
from symparam.models.blocks.embedding import Embedding
from symparam.models.blocks.feature_map import FeatureMap
from symparam.models.blocks.linear import Bilinear, Conv1D, Linear
from symparam.models.blocks.missing import Missing
from symparam.models.blocks.module import Block, Module, OpaqueBlock, Parameter, Tensor
from symparam.models.blocks.normalization import BatchNorm1d, BatchNorm2d, BatchNorm3d, GroupNorm, LayerNorm, RMSNorm

if TYPE_CHECKING:
    from symparam.models.blocks.convolution import Conv1d, Conv2d, Conv3d, Convolution, ConvTranspose1d, ConvTranspose2d, ConvTranspose3d
    from symparam.models.blocks.experts import Experts
    from symparam.models.blocks.joining import (
        GLU,
        Add,
        Concatenate,
        Dropout,
        Flatten,
        Identity,
        Mean,
        Multiply,
        Patches,
        Sequential,
        Transpose,
        Upsample,
    )
    from symparam.models.blocks.pooling import (
        AdaptiveAvgPool1d,
        AdaptiveAvgPool2d,
        AdaptiveAvgPool3d,
        AdaptiveMaxPool1d,
        AdaptiveMaxPool2d,
        AdaptiveMaxPool3d,
        AvgPool1d,
        AvgPool2d,
        AvgPool3d,
        MaxPool1d,
        MaxPool2d,
        MaxPool3d,
    )
    from symparam.models.blocks.recurrent import GRU, LSTM, RNN
    from symparam.models.blocks.state_space import StateReadout

_HOME = {
    "convolution": (
        "Conv1d",
        "Conv2d",
        "Conv3d",
        "Convolution",
        "ConvTranspose1d",
        "ConvTranspose2d",
        "ConvTranspose3d",
    ),
    "experts": ("Experts",),
    "joining": (
        "GLU",
        "Add",
        "Concatenate",
        "Dropout",
        "Flatten",
        "Identity",
        "Mean",
        "Multiply",
        "Patches",
        "Sequential",
        "Transpose",
        "Upsample",
    ),
    "pooling": (
        "AdaptiveAvgPool1d",
        "AdaptiveAvgPool2d",
        "AdaptiveAvgPool3d",
        "AdaptiveMaxPool1d",
        "AdaptiveMaxPool2d",
        "AdaptiveMaxPool3d",
        "AvgPool1d",
        "AvgPool2d",
        "AvgPool3d",
        "MaxPool1d",
        "MaxPool2d",
        "MaxPool3d",
    ),
    "recurrent": (
        "GRU",
        "LSTM",
        "RNN",
    ),
    "state_space": ("StateReadout",),
}
__all__ = [
    "GELU",
    "GLU",
    "GRU",
    "LSTM",
    "RNN",
    "Activation",
    "AdaptiveAvgPool1d",
    "AdaptiveAvgPool2d",
    "AdaptiveAvgPool3d",
    "AdaptiveMaxPool1d",
    "AdaptiveMaxPool2d",
    "AdaptiveMaxPool3d",
    "Add",
    "Architecture",
    "AvgPool1d",
    "AvgPool2d",
    "AvgPool3d",
    "BatchNorm1d",
    "BatchNorm2d",
    "BatchNorm3d",
    "Bilinear",
    "Block",
    "Concatenate",
    "Conv1D",
    "Conv1d",
    "Conv2d",
    "Conv3d",
    "ConvTranspose1d",
    "ConvTranspose2d",
    "ConvTranspose3d",
    "Convolution",
    "DotProduct",
    "Dropout",
    "Embedding",
    "Experts",
    "FeatureMap",
    "Flatten",
    "GroupNorm",
    "Identity",
    "LayerNorm",
    "Layers",
    "Linear",
    "MaxPool1d",
    "MaxPool2d",
    "MaxPool3d",
    "Mean",
    "Missing",
    "Module",
    "MultiheadAttention",
    "Multiply",
    "OpaqueBlock",
    "Parameter",
    "Patches",
    "RMSNorm",
    "ReLU",
    "Repeat",
    "Sequential",
    "SiLU",
    "Sigmoid",
    "StateReadout",
    "Tanh",
    "Tensor",
    "Tied",
    "Transpose",
    "Upsample",
]

__getattr__ = on_first_use(__name__, _HOME)
