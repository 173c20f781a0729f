"""The tensors of a torch module, as far as its class and its printed arguments determine them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from symparam.core.frozen import frozen
from symparam.models.printed.tree import Shape

Tensors = tuple[tuple[str, Shape], ...]


@frozen
class Arguments:
    """The arguments in a print: the positional and the named ones."""

    positional: tuple[str, ...]
    named: Mapping[str, str]

    def sizes(self, text: str | None) -> Shape | None:
        """``2048``, ``(2048,)`` or ``[3, 3]`` as integers; None for anything else."""
        text = text.removeprefix("torch.Size(").removesuffix(")") if text and text.startswith("torch.Size([") else text
        if text is None or not re.fullmatch(r"\d{1,19}|[(\[]\s*+\d{1,19}(?:\s*+,\s*+\d{1,19}){0,9}\s*+(?:,\s*+)?[)\]]", text):
            return None
        return tuple(map(int, re.findall(r"\d+", text)))

    def size(self, name: str, position: int | None = None) -> int | None:
        """One integer, by its name or by its position."""
        text = self.named.get(name)
        if text is None and position is not None and position < len(self.positional):
            text = self.positional[position]
        sizes = self.sizes(text)
        return sizes[0] if sizes and len(sizes) == 1 else None

    def flag(self, name: str, default: bool = True) -> bool:
        return {"True": True, "False": False}.get(self.named.get(name, ""), default)


def arguments(text: str) -> Arguments:
    """The text between the brackets, split at its commas but not inside nested brackets."""
    pieces, depth, start = [], 0, 0
    for place, character in enumerate(text):
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif character in ",\n" and depth <= 0:
            pieces.append(text[start:place].strip())
            start = place + 1
    pieces = [piece for piece in (*pieces, text[start:].strip()) if piece]
    named = [piece.split("=", 1) for piece in pieces if re.match(r"\w+\s*=", piece)]
    return Arguments(
        tuple(piece for piece in pieces if not re.match(r"\w+\s*=", piece)),
        {name.strip(): value.strip() for name, value in named},
    )


def tensors_of(kind: str, text: str) -> Tensors | None:
    """The tensors of a module of this class with these arguments, without its children's; None if the print does not determine them."""
    found = arguments(text)
    last = kind.rpartition(".")[2]
    for pattern, reader in READERS:
        if re.search(pattern, last) and (tensors := reader(last, found)) is not None:
            return tensors
    return None


def _linear(kind: str, found: Arguments) -> Tensors | None:
    inputs, outputs = found.size("in_features"), found.size("out_features")
    if inputs is None or outputs is None:
        return None
    return _with_bias((outputs, inputs), outputs, found)


def _bilinear(kind: str, found: Arguments) -> Tensors | None:
    first, second, outputs = (found.size(name) for name in ("in1_features", "in2_features", "out_features"))
    return None if first is None or second is None or outputs is None else _with_bias((outputs, first, second), outputs, found)


def _embedding(kind: str, found: Arguments) -> Tensors | None:
    rows, width = found.size("num_embeddings", 0), found.size("embedding_dim", 1)
    return None if rows is None or width is None else (("weight", (rows, width)),)


def _conv1d_of_transformers(kind: str, found: Arguments) -> Tensors | None:
    outputs, inputs = found.size("nf"), found.size("nx")
    return None if outputs is None or inputs is None else (("weight", (inputs, outputs)), ("bias", (outputs,)))


def _convolution(kind: str, found: Arguments) -> Tensors | None:
    inputs, outputs, kernel = found.size("in_channels", 0), found.size("out_channels", 1), found.sizes(found.named.get("kernel_size"))
    groups = found.size("groups") if "groups" in found.named else 1
    if not inputs or not outputs or not kernel or not groups or inputs % groups or outputs % groups:
        return None
    shape = (inputs, outputs // groups) if "Transpose" in kind else (outputs, inputs // groups)
    return _with_bias((*shape, *kernel), outputs, found)


def _norm_of_channels(kind: str, found: Arguments) -> Tensors | None:
    channels = found.size("num_channels", 1) if "Group" in kind else found.size("num_features", 0)
    if channels is None:
        return None
    if not found.flag("affine", default="Instance" not in kind):
        return ()
    return _with_bias((channels,), channels, found)


def _norm(kind: str, found: Arguments) -> Tensors | None:
    shape = found.sizes(found.positional[0]) if found.positional else None
    if shape is None:
        return None
    if not found.flag("elementwise_affine"):
        return ()
    without_bias = "RMS" in kind or not found.flag("bias")
    return (("weight", shape),) if without_bias else (("weight", shape), ("bias", shape))


def _prelu(kind: str, found: Arguments) -> Tensors | None:
    count = found.size("num_parameters", 0)
    return None if count is None else (("weight", (count,)),)


def _recurrent(kind: str, found: Arguments) -> Tensors | None:
    inputs, hidden = found.size("input_size", 0), found.size("hidden_size", 1)
    cell = kind.endswith("Cell")
    layers, projected = found.size("num_layers") or 1, found.size("proj_size") or 0
    if inputs is None or hidden is None or layers > 1_000:
        return None
    rows = {"LSTM": 4, "GRU": 3}.get(kind.removesuffix("Cell"), 1) * hidden
    ends = ("", "_reverse") if found.flag("bidirectional", default=False) else ("",)
    output = projected or hidden
    tensors: list[tuple[str, Shape]] = []
    for layer in range(layers):
        for end in ends:
            suffix = "" if cell else f"_l{layer}{end}"
            tensors += [
                (f"weight_ih{suffix}", (rows, inputs if layer == 0 else output * len(ends))),
                (f"weight_hh{suffix}", (rows, output)),
            ]
            if found.flag("bias"):
                tensors += [(f"bias_ih{suffix}", (rows,)), (f"bias_hh{suffix}", (rows,))]
            if projected:
                tensors.append((f"weight_hr{suffix}", (projected, hidden)))
    return tuple(tensors)


def _with_bias(weight: Shape, outputs: int, found: Arguments) -> Tensors:
    return (("weight", weight), ("bias", (outputs,))) if found.flag("bias") else (("weight", weight),)


READERS: tuple[tuple[str, Callable[[str, Arguments], Tensors | None]], ...] = (
    (r"", _linear),  # Any class that prints its features is a linear layer: Linear8bitLt, NonDynamicallyQuantizableLinear, a router.
    (r"Bilinear", _bilinear),
    (r"Embedding", _embedding),
    (r"^Conv1D$", _conv1d_of_transformers),
    (r"", _convolution),  # Only a convolution has a kernel_size after two numbers.
    (r"FrozenBatchNorm", lambda kind, found: ()),
    (r"BatchNorm|GroupNorm|InstanceNorm", _norm_of_channels),
    (r"LayerNorm|RMSNorm", _norm),
    (r"PReLU", _prelu),
    (r"^(LSTM|GRU|RNN)(Cell)?$", _recurrent),
)
