"""Number formats: ``bits · out_features · in_features`` for a matrix, plus the scales of its blocks in quantised formats.

A quantised format cuts each matrix into blocks and stores for each block its scale, and sometimes a zero point or scales of scales. The
format also decides which tensors it applies to: the files of llama.cpp quantise every matrix but small ones, the other formats leave
embeddings and the output head as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Literal

import sympy

from symparam.analysis.measures.parameter_kinds import is_embedding
from symparam.core.algebra.closed_form import expanded
from symparam.core.evaluation import evaluate
from symparam.core.formula import write
from symparam.core.frozen import frozen
from symparam.errors import FormulaError, UnknownNameError
from symparam.models.blocks import Conv1D, Embedding, Experts, Linear, Tensor, Tied
from symparam.models.blocks.architecture import Place

Values = Mapping[str, int]
NO_VALUES: Values = MappingProxyType({})


@frozen
class QuantizationScale:
    """A scale stored with a matrix: ``bits`` for each block of ``out_features`` × ``in_features`` numbers; None means the
    whole dimension.
    """

    bits: int
    out_features: int | None
    in_features: int | None


@frozen
class QuantizedMatrix:
    """A matrix to be quantised; its tensor holds ``copies`` of it, one for each expert."""

    out_features: sympy.Expr
    in_features: sympy.Expr
    copies: sympy.Expr = sympy.S.One


@frozen
class NumberFormat:
    """How numbers are stored: ``bits`` for each number, and ``scales`` for blocks of them.

    ``of`` says to which tensors the format applies: all; ``matrices``, all but positions and routers, including token tables; ``linear``,
    the matrices of linear layers without the output head; or ``layers``, those of them inside the layers. Any other tensor takes ``others``
    bits per number. ``flat`` divides a matrix into blocks row by row, across the ends of rows; ``filled`` requires every block to be full;
    and ``cache`` says that keys and values may use the format too.
    """

    name: str
    bits: int
    source: str = ""
    scales: tuple[QuantizationScale, ...] = ()
    of: Literal["everything", "matrices", "linear", "layers"] = "everything"
    others: int = 16
    flat: bool = False
    filled: bool = True
    cache: bool = False

    @property
    def plain(self) -> bool:
        """Whether it has no scales: a fixed number of bits for each number."""
        return self.of == "everything"

    @property
    def in_blocks(self) -> bool:
        """Whether sizes must be multiples of the block sizes."""
        return any((each or 1) > 1 for scale in self.scales for each in (scale.out_features, scale.in_features))

    def matrix(self, place: Place, tensor: Tensor) -> QuantizedMatrix | None:
        """The tensor as a matrix, if the format quantises it."""
        block = place.module.inner if isinstance(place.module, Tied) else place.module
        role = block.role or ""
        if self.plain or len(tensor.shape) < 2 or role == "router":
            return None
        if isinstance(block, Embedding):
            quantized = self.of == "matrices" and role in ("", "token-embedding")
            return QuantizedMatrix(block.num_embeddings, block.embedding_dim) if quantized else None
        if self.of != "matrices" and (is_embedding(block) or (self.of == "layers" and "{" not in place.path)):
            return None
        if isinstance(block, (Linear, Conv1D)):
            return QuantizedMatrix(block.out_features, block.in_features)
        if isinstance(block, Experts) and len(tensor.shape) == 3:  # Their biases are a vector for each expert.
            experts, outputs, inputs = tensor.shape
            return QuantizedMatrix(outputs, inputs, experts)
        return None

    def bits_of_scales(self, matrix: QuantizedMatrix, values: Values = NO_VALUES) -> sympy.Expr:
        """The bits of all scales of a matrix.

        With ``values`` for all letters of a size, a partial last block counts as a whole one; otherwise blocks are taken to be full. Raises
        `FormulaError` where a size does not fit the format's blocks.
        """
        one = QuantizedMatrix(sympy.S.One, matrix.out_features * matrix.in_features, matrix.copies) if self.flat else matrix
        return matrix.copies * sympy.Add(
            *(
                scale.bits
                * self._blocks(one.out_features, scale.out_features, values)
                * self._blocks(one.in_features, scale.in_features, values)
                for scale in self.scales
            )
        )

    def _blocks(self, size: sympy.Expr, each: int | None, values: Values) -> sympy.Expr:
        if each is None:
            return sympy.S.One
        found = known(size, values) if each > 1 else None
        rest = 0 if found is None else -found % each
        if rest and self.filled:
            raise FormulaError(
                f"{self.name} stores numbers in blocks of {each}, and {write(expanded(size))} = {found:,} is not a whole number of these; "
                "choose a format with other blocks"
            )
        return (size + rest) / each


def known(size: sympy.Expr, values: Values) -> int | None:
    """The integer value of a size, or None where one of its letters has no value."""
    if not {str(letter) for letter in size.free_symbols} <= values.keys():
        return None
    value = evaluate(expanded(size), values)
    return value if isinstance(value, int) else None


_PLAIN = {"float64": 64, "float32": 32, "float16": 16, "bfloat16": 16, "float8": 8, "int8": 8, "float4": 4, "int4": 4}
_BLOCKS = NumberFormat("", 0, "ggml-org/llama.cpp, ggml/src/ggml-common.h", of="matrices", others=32)


def _of_llama_cpp(name: str, bits: int, block: int, scale_bits: int, cache: bool = False) -> NumberFormat:
    """``bits`` for each number and ``scale_bits`` for each ``block`` of a row; positions, routers, norms and biases are 32-bit floats."""
    return replace(_BLOCKS, name=name, bits=bits, scales=(QuantizationScale(scale_bits, 1, block),), cache=cache)


_GPTQ = "Frantar et al. 2022, arXiv 2210.17323; qweight, scales, qzeros and g_idx of AutoGPTQ, nn_modules/qlinear"
_AWQ = "Lin et al. 2023, arXiv 2306.00978; qweight, scales and qzeros of llm-awq, awq/quantize/qmodule.py"
_INT8 = "Dettmers et al. 2022, arXiv 2208.07339, section 2.1; the row statistics SCB of bitsandbytes, nn/modules.py"
_QLORA = "Dettmers et al. 2023, arXiv 2305.14314, sections 2 and 3; bitsandbytes, functional.py"
_MX = "Rouhani et al. 2023, OCP Microscaling Formats (MX) Specification 1.0, section 5.2"
_NVFP4 = "NVIDIA 2025, Pretraining Large Language Models with NVFP4, arXiv 2509.25149, section 2"
_FP8 = "Micikevicius et al. 2022, arXiv 2209.05433, section 3"
_FP8_BLOCKS = "DeepSeek-AI 2024, arXiv 2412.19437, section 3.3.2; weight_scale_inv of the released weights"

FORMATS: dict[str, NumberFormat] = {
    each.name: each
    for each in (
        *(NumberFormat(name, bits, cache=True) for name, bits in _PLAIN.items()),
        _of_llama_cpp("q4_0", 4, 32, 16, cache=True),
        _of_llama_cpp("q4_1", 4, 32, 16 + 16, cache=True),
        _of_llama_cpp("q5_0", 5, 32, 16, cache=True),
        _of_llama_cpp("q5_1", 5, 32, 16 + 16, cache=True),
        _of_llama_cpp("q8_0", 8, 32, 16, cache=True),
        _of_llama_cpp("iq4_nl", 4, 32, 16, cache=True),
        # Nested blocks: scales (and minima) of 16 or 32 numbers in a few bits, with 16-bit factors for these.
        _of_llama_cpp("q2_k", 2, 256, 16 * (4 + 4) + 16 + 16),
        _of_llama_cpp("q3_k", 3, 256, 16 * 6 + 16),
        _of_llama_cpp("q4_k", 4, 256, 8 * (6 + 6) + 16 + 16),
        _of_llama_cpp("q5_k", 5, 256, 8 * (6 + 6) + 16 + 16),
        _of_llama_cpp("q6_k", 6, 256, 16 * 8 + 16),
        _of_llama_cpp("iq4_xs", 4, 256, 8 * 6 + 16),
        # A scale and a zero point for each group; GPTQ also stores the group of each input.
        NumberFormat("gptq-int4", 4, _GPTQ, (QuantizationScale(16 + 4, 1, 128), QuantizationScale(32, None, 1)), "layers", filled=False),
        NumberFormat("awq-int4", 4, _AWQ, (QuantizationScale(16 + 4, 1, 128),), "layers"),
        NumberFormat("llm-int8", 8, _INT8, (QuantizationScale(32, 1, None),), "linear"),
        NumberFormat("nf4", 4, _QLORA, (QuantizationScale(32, 1, 64),), "linear", flat=True, filled=False),
        NumberFormat("fp4", 4, _QLORA, (QuantizationScale(32, 1, 64),), "linear", flat=True, filled=False),
        # The scales are themselves quantised: 8 bits each, and a 32-bit scale for 256 of them.
        NumberFormat(
            "nf4-double", 4, _QLORA, (QuantizationScale(8, 1, 64), QuantizationScale(32, 1, 64 * 256)), "linear", flat=True, filled=False
        ),
        NumberFormat("mxfp4", 4, _MX, (QuantizationScale(8, 1, 32),), "layers"),
        NumberFormat("mxfp8", 8, _MX, (QuantizationScale(8, 1, 32),), "layers"),
        NumberFormat("nvfp4", 4, _NVFP4, (QuantizationScale(8, 1, 16), QuantizationScale(32, None, None)), "layers"),
        NumberFormat("float8-tensor", 8, _FP8, (QuantizationScale(32, None, None),), "layers"),
        NumberFormat("float8-block", 8, _FP8_BLOCKS, (QuantizationScale(32, 128, 128),), "layers", filled=False),
    )
}
"""The formats by name. Those of llama.cpp are its pure types; a file labelled Q4_K_M mixes several."""


def number_format(name: str) -> NumberFormat:
    """The format of that name, in upper or lower case. Raises `UnknownNameError`, and `FormulaError` for a mixture of formats."""
    if name.casefold() in FORMATS:
        return FORMATS[name.casefold()]
    kind, _, mixture = name.casefold().rpartition("_")
    if kind in FORMATS and mixture in ("s", "m", "l"):
        raise FormulaError(f"{name} mixes several formats from layer to layer; name a single one, such as {kind}")
    raise UnknownNameError("number format", name, FORMATS)


def stored_format(given: Mapping[str, object]) -> str:
    """The number format that the ``quantization_config`` of a config describes; empty if it is none of these."""
    method, bits, group = given.get("quant_method"), given.get("bits"), given.get("group_size")
    if method in ("gptq", "awq"):
        return f"{method}-int4" if (bits, group) == (4, 128) else ""
    if method == "bitsandbytes":
        kind, double = given.get("bnb_4bit_quant_type", "fp4"), given.get("bnb_4bit_use_double_quant")
        of_4_bits = "nf4-double" if (kind, double) == ("nf4", True) else str(kind) if kind in ("nf4", "fp4") and not double else ""
        return "llm-int8" if given.get("load_in_8bit") else of_4_bits if given.get("load_in_4bit") else ""
    return "mxfp4" if method == "mxfp4" else ""
