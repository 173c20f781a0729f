"""Blocks that architectures are built from. Each declares its tensors by name and symbolic shape; everything else is measured from that."""

from symparam.blocks.architecture import Architecture
from symparam.blocks.embedding import Embedding
from symparam.blocks.linear import Conv1D, Linear
from symparam.blocks.module import Block, Module, Parameter, Repeat, Tensor, Tied
from symparam.blocks.normalization import LayerNorm

__all__ = ["Architecture", "Block", "Conv1D", "Embedding", "LayerNorm", "Linear", "Module", "Parameter", "Repeat", "Tensor", "Tied"]
