"""Blocks that architectures are built from. Each declares its tensors by name and symbolic shape; everything else is measured from that.

A block is imported on first use, so that a formula of a language model does not wait for image blocks. Type checkers read the imports.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from symparam.core.lazy_imports import on_first_use

if TYPE_CHECKING:
    from symparam.models.blocks.architecture import Architecture as Architecture
    from symparam.models.blocks.attention import DotProduct as DotProduct
    from symparam.models.blocks.attention import MultiheadAttention as MultiheadAttention
    from symparam.models.blocks.containers import Layers as Layers
    from symparam.models.blocks.containers import Repeat as Repeat
    from symparam.models.blocks.containers import Tied as Tied
    from symparam.models.blocks.convolution import Conv1d as Conv1d
    from symparam.models.blocks.convolution import Conv2d as Conv2d
    from symparam.models.blocks.convolution import Conv3d as Conv3d
    from symparam.models.blocks.convolution import ConvTranspose1d as ConvTranspose1d
    from symparam.models.blocks.convolution import ConvTranspose2d as ConvTranspose2d
    from symparam.models.blocks.convolution import ConvTranspose3d as ConvTranspose3d
    from symparam.models.blocks.elementwise import GELU as GELU
    from symparam.models.blocks.elementwise import Activation as Activation
    from symparam.models.blocks.elementwise import ReLU as ReLU
    from symparam.models.blocks.elementwise import Sigmoid as Sigmoid
    from symparam.models.blocks.elementwise import SiLU as SiLU
    from symparam.models.blocks.elementwise import Tanh as Tanh
    from symparam.models.blocks.embedding import Embedding as Embedding
    from symparam.models.blocks.experts import Experts as Experts
    from symparam.models.blocks.feature_map import FeatureMap as FeatureMap
    from symparam.models.blocks.joining import GLU as GLU
    from symparam.models.blocks.joining import Add as Add
    from symparam.models.blocks.joining import Concatenate as Concatenate
    from symparam.models.blocks.joining import Dropout as Dropout
    from symparam.models.blocks.joining import Flatten as Flatten
    from symparam.models.blocks.joining import Identity as Identity
    from symparam.models.blocks.joining import Mean as Mean
    from symparam.models.blocks.joining import Multiply as Multiply
    from symparam.models.blocks.joining import Patches as Patches
    from symparam.models.blocks.joining import Sequential as Sequential
    from symparam.models.blocks.joining import Transpose as Transpose
    from symparam.models.blocks.joining import Upsample as Upsample
    from symparam.models.blocks.linear import Bilinear as Bilinear
    from symparam.models.blocks.linear import Conv1D as Conv1D
    from symparam.models.blocks.linear import Linear as Linear
    from symparam.models.blocks.linear import Similarity as Similarity
    from symparam.models.blocks.module import Block as Block
    from symparam.models.blocks.module import Module as Module
    from symparam.models.blocks.module import Parameter as Parameter
    from symparam.models.blocks.module import Tensor as Tensor
    from symparam.models.blocks.normalization import BatchNorm1d as BatchNorm1d
    from symparam.models.blocks.normalization import BatchNorm2d as BatchNorm2d
    from symparam.models.blocks.normalization import BatchNorm3d as BatchNorm3d
    from symparam.models.blocks.normalization import GroupNorm as GroupNorm
    from symparam.models.blocks.normalization import LayerNorm as LayerNorm
    from symparam.models.blocks.normalization import RMSNorm as RMSNorm
    from symparam.models.blocks.pooling import AdaptiveAvgPool1d as AdaptiveAvgPool1d
    from symparam.models.blocks.pooling import AdaptiveAvgPool2d as AdaptiveAvgPool2d
    from symparam.models.blocks.pooling import AdaptiveAvgPool3d as AdaptiveAvgPool3d
    from symparam.models.blocks.pooling import AdaptiveMaxPool1d as AdaptiveMaxPool1d
    from symparam.models.blocks.pooling import AdaptiveMaxPool2d as AdaptiveMaxPool2d
    from symparam.models.blocks.pooling import AdaptiveMaxPool3d as AdaptiveMaxPool3d
    from symparam.models.blocks.pooling import AvgPool1d as AvgPool1d
    from symparam.models.blocks.pooling import AvgPool2d as AvgPool2d
    from symparam.models.blocks.pooling import AvgPool3d as AvgPool3d
    from symparam.models.blocks.pooling import MaxPool1d as MaxPool1d
    from symparam.models.blocks.pooling import MaxPool2d as MaxPool2d
    from symparam.models.blocks.pooling import MaxPool3d as MaxPool3d
    from symparam.models.blocks.recurrent import GRU as GRU
    from symparam.models.blocks.recurrent import LSTM as LSTM
    from symparam.models.blocks.recurrent import RNN as RNN
else:
    __getattr__ = on_first_use(
        __name__,
        {
            "architecture": "Architecture",
            "attention": "DotProduct MultiheadAttention",
            "containers": "Layers Repeat Tied",
            "convolution": "Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d",
            "elementwise": "Activation GELU ReLU SiLU Sigmoid Tanh",
            "embedding": "Embedding",
            "experts": "Experts",
            "feature_map": "FeatureMap",
            "joining": "Add Concatenate Dropout Flatten GLU Identity Mean Multiply Patches Sequential Transpose Upsample",
            "linear": "Bilinear Conv1D Linear Similarity",
            "module": "Block Module Parameter Tensor",
            "normalization": "BatchNorm1d BatchNorm2d BatchNorm3d GroupNorm LayerNorm RMSNorm",
            "pooling": (
                "AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d AdaptiveMaxPool2d AdaptiveMaxPool3d "
                "AvgPool1d AvgPool2d AvgPool3d MaxPool1d MaxPool2d MaxPool3d"
            ),
            "recurrent": "GRU LSTM RNN",
        },
    )
