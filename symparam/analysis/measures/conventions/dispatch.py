"""How the reference's code calls each product. Tools that count operations hook into calls, and see only some of them.

``linear`` and ``convolution`` are torch's modules; ``addmm``, ``matmul``, ``baddbmm``, ``function`` (``F.linear``),
``convolution-function`` and ``grouped`` (``grouped_mm``, for experts) its functions. ``subclass`` is a class derived from ``Linear``.
``einsum`` are the products of a scan in chunks.
``operator`` is Python's ``@``, ``weight-first`` an ``@`` with the matrix on the left, ``readout`` the ``matmul`` of states, and
``linear-of-columns`` the module applied to rows that are not contiguous in memory, where torch adds the bias separately, and
``linear-of-outputs`` one of which that depends on the config and the number of sequences.
"""

from __future__ import annotations

from symparam.models.blocks import Bilinear, Conv1D, ConvTranspose1d, DotProduct, Experts, MultiheadAttention, Similarity, Tied
from symparam.models.blocks.architecture import Place
from symparam.models.blocks.convolution import Convolution
from symparam.models.blocks.state_space import StateReadout

BY_KIND = {
    Conv1D: "addmm",
    Convolution: "convolution",
    ConvTranspose1d: "transposed-convolution",
    Experts: "grouped",
    StateReadout: "readout",
    DotProduct: "matmul",
    MultiheadAttention: "bmm",
    Bilinear: "bilinear",
    Similarity: "matmul",
}
"""The call of a block by its class; any other block calls torch's module ``Linear``."""

EXCEPTIONS = {
    ("BloomAttention", "dot-product"): "baddbmm",  # The method ``baddbmm``, then bmm for the values.
    ("FalconAttention", "query-key-value"): "operator",
    ("FalconAttention", "dot-product"): "operator",
    ("FalconAttention", "output-projection"): "operator",
    ("FalconMLP", "feed-forward-in"): "operator",
    ("FalconMLP", "feed-forward-out"): "operator",
    ("LlavaMultiModalProjector", "image-projector-in"): "linear-of-outputs",
    ("MixtralSparseMoeBlock", "router"): "function",
    ("Qwen3MoeSparseMoeBlock", "router"): "function",
    ("DeepseekV3MoE", "router"): "function",
    ("DeepseekV32MoE", "router"): "function",
    ("Glm4MoeMoE", "router"): "function",
    ("GptOssMLP", "router"): "function",
    ("Llama4TextMoe", "router"): "subclass",
    ("Llama4TextMoe", "experts"): "bmm",
    ("MambaMixer", "convolution"): "convolution-function",
    ("MambaMixer", "time-step"): "weight-first",
    ("MambaMixer", "output-projection"): "linear-of-columns",
    ("Mamba2Mixer", "convolution"): "convolution-function",
    ("JambaMambaMixer", "convolution"): "convolution-function",
    ("JambaMambaMixer", "time-step"): "weight-first",
    ("JambaMambaMixer", "output-projection"): "linear-of-columns",
    ("JambaSparseMoeBlock", "router"): "function",
    ("Qwen3NextGatedDeltaNet", "convolution"): "convolution-function",
    ("Qwen3NextSparseMoeBlock", "router"): "function",
}
"""The calls that differ, by the class of the enclosing block and the role of the block. Source: transformers 5.23.0, modeling files."""

WITHOUT_GRADIENT = frozenset({"DeepseekV32Indexer"})
"""The classes whose code runs without gradients: they choose what others compute with."""

UPCAST = "baddbmm-function"
"""Scores in 32 bits: ``torch.baddbmm`` for the scores, then ``matmul`` for the values."""


def dispatch(place: Place) -> str:
    """How the reference calls a block's product; for attention that is not fused, the product of queries with keys."""
    block = place.module.inner if isinstance(place.module, Tied) else place.module
    if isinstance(block, DotProduct) and block.upcast:
        return UPCAST
    usual = next((call for kind, call in BY_KIND.items() if isinstance(block, kind)), "linear")
    return EXCEPTIONS.get((place.parent, block.role or ""), usual)


def dispatch_of_values(call: str) -> str:
    """How the same attention calls the product of weights with values."""
    return {"baddbmm": "bmm", UPCAST: "matmul"}.get(call, call)
