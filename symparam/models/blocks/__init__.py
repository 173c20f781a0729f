"""Blocks that architectures are built from. Each declares its tensors by name and symbolic shape; everything else is measured from that."""

from symparam.models.blocks.architecture import Architecture
from symparam.models.blocks.attention import DotProduct
from symparam.models.blocks.convolution import Convolution
from symparam.models.blocks.elementwise import Activation
from symparam.models.blocks.embedding import Embedding
from symparam.models.blocks.experts import Experts
from symparam.models.blocks.linear import Conv1D, Linear
from symparam.models.blocks.missing import Missing
from symparam.models.blocks.module import Block, Layers, Module, OpaqueBlock, Parameter, Repeat, Tensor, Tied
from symparam.models.blocks.normalization import LayerNorm, RMSNorm
from symparam.models.blocks.state_space import StateReadout

__all__ = [
    "Activation",
    "Architecture",
    "Block",
    "Conv1D",
    "Convolution",
    "DotProduct",
    "Embedding",
    "Experts",
    "LayerNorm",
    "Layers",
    "Linear",
    "Missing",
    "Module",
    "OpaqueBlock",
    "Parameter",
    "RMSNorm",
    "Repeat",
    "StateReadout",
    "Tensor",
    "Tied",
]
