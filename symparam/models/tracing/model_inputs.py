"""Inputs for a model: which of its arguments are given, and with what shapes."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence

import torch
from torch import nn

from symparam.core.frozen import frozen
from symparam.models.traced.expressions import Expression, Settings
from symparam.models.traced.forward_pass import BATCHES
from symparam.models.tracing.subjects import CannotBuildError

IMAGE_KEYS = ("image_size", "img_size", "image", "resolution", "input_size")
"""Names of settings that may fix the size of images."""
SIZES: Mapping[str, int] = {"@B": BATCHES[0], "@L": 29, "@L_e": 41, "@H_i": 256, "@W_i": 320}
"""The sizes of inputs to start with."""
MANY_SAMPLES = 9_973
"""How many samples of sound are enough for convolutions that leave one of some hundred of them."""


@frozen
class ModelInputs:
    """The arguments of a forward pass by name, each with its kind.

    ``fixed`` is the setting that gives the size of images, or None for images of any height and width; ``cached`` says that the model
    has a cache to switch off.
    """

    kinds: Mapping[str, InputKind]
    fixed: str | None = None
    cached: bool = False

    @property
    def sizes(self) -> dict[str, int]:
        """The sizes of the input that are free, with values to start with."""
        used = {"@B", *(size for kind in self.kinds.values() for size in kind.sizes)}
        sizes = {**SIZES, "@L": MANY_SAMPLES} if SAMPLES in self.kinds.values() else SIZES
        return {name: value for name, value in sizes.items() if name in used and not (self.fixed and name in IMAGE.sizes)}

    def extents(self, settings: Settings) -> list[list[tuple[int, Expression]]]:
        """The sizes of a sequence and of an image in each direction, with their expressions."""
        if self.fixed is None:
            names = [[name for name in kind.sizes if name in settings] for kind in dict.fromkeys(self.kinds.values())]
            return [[(settings[name], ("key", name)) for name in each] for each in names if each]
        size = settings[self.fixed]
        both = [(size, ("key", self.fixed))] * 2 if isinstance(size, int) else []
        return [both or [(each, ("item", ("key", self.fixed), at)) for at, each in enumerate(size)]]

    def tensors(self, model: nn.Module, settings: Settings) -> dict[str, object]:
        """The arguments at these settings."""
        if self.fixed is not None:
            size = settings[self.fixed]
            height, width = (size, size) if isinstance(size, int) else size
            settings = {**settings, "@H_i": height, "@W_i": width}
        found: dict[str, object] = {name: kind.make(model, settings) for name, kind in self.kinds.items()}
        return {**found, "use_cache": False} if self.cached else found


@frozen
class InputKind:
    """A kind of input: the sizes that its shape needs, and a function that makes it."""

    sizes: tuple[str, ...]
    make: Callable[[nn.Module, Settings], torch.Tensor]


def _features(model: nn.Module) -> int:
    """The features that the first layer takes."""
    for module in model.modules():
        for name in ("in_channels", "in_features", "input_size"):
            found = getattr(module, name, None)
            if isinstance(found, int) and next(module.parameters(recurse=False), None) is not None:
                return found
    raise CannotBuildError("no layer says how many features the model takes")


TOKENS = InputKind(("@L",), lambda model, sizes: torch.zeros(sizes["@B"], sizes["@L"], dtype=torch.long))
SOURCE = InputKind(("@L_e",), lambda model, sizes: torch.zeros(sizes["@B"], sizes["@L_e"], dtype=torch.long))
SAMPLES = InputKind(("@L",), lambda model, sizes: torch.zeros(sizes["@B"], sizes["@L"]))
ROWS = InputKind(("@L",), lambda model, sizes: torch.zeros(sizes["@B"], sizes["@L"], _features(model)))
CHANNELS = InputKind(("@L",), lambda model, sizes: torch.zeros(sizes["@B"], _features(model), sizes["@L"]))
FRAMES = InputKind((), lambda model, sizes: torch.zeros(sizes["@B"], sizes["max_length"], sizes["num_mel_bins"]))
SPECTRUM = InputKind((), lambda model, sizes: torch.zeros(sizes["@B"], sizes["num_mel_bins"], 2 * sizes["max_source_positions"]))
IMAGE = InputKind(("@H_i", "@W_i"), lambda model, sizes: torch.zeros(sizes["@B"], _features(model), sizes["@H_i"], sizes["@W_i"]))
VECTOR = InputKind((), lambda model, sizes: torch.zeros(sizes["@B"], _features(model)))

NAMED = {
    "input_ids": TOKENS,
    "attention_mask": TOKENS,  # A mask of ones; without it, the reference looks at the values of positions.
    "decoder_input_ids": TOKENS,
    "decoder_attention_mask": TOKENS,
    "pixel_values": IMAGE,
    "input_values": SAMPLES,
    "input_features": SPECTRUM,
}
"""The arguments of classes of transformers."""
OTHER_KINDS = {SAMPLES: FRAMES}
"""The kind that an argument of the same name has in other classes."""
LIKELY: Sequence[tuple[type | tuple[type, ...], tuple[InputKind, ...]]] = (
    (nn.Embedding, (TOKENS,)),
    (nn.Conv2d, (IMAGE,)),
    (nn.Conv1d, (CHANNELS,)),
    ((nn.Linear, nn.LSTM, nn.GRU, nn.RNN, nn.LayerNorm), (ROWS, VECTOR)),
)
"""The kinds of input of other modules, by the class of their first layer."""


def candidate_inputs(model: nn.Module, settings: Mapping[str, object]) -> Iterator[ModelInputs]:
    """Inputs that the model may take, the likeliest first."""
    for kinds, cached in _kinds(model):
        yield ModelInputs(kinds, None, cached)
        if IMAGE in kinds.values():
            yield from (ModelInputs(kinds, path, cached) for path in image_keys(settings))


def image_keys(settings: Mapping[str, object]) -> list[str]:
    """The settings that may fix the size of images."""
    return [path for path, value in settings.items() if path.rpartition(".")[2] in IMAGE_KEYS and isinstance(value, (int, list, tuple))]


def _kinds(model: nn.Module) -> Iterator[tuple[dict[str, InputKind], bool]]:
    parameters = inspect.signature(model.forward).parameters
    main = getattr(model, "main_input_name", None)
    if isinstance(main, str) and main in parameters:
        known = {name: kind for name, kind in NAMED.items() if name in parameters}
        if "decoder_input_ids" in known:
            known |= dict.fromkeys(("input_ids", "attention_mask") & known.keys(), SOURCE)
        pictures = {name for name, kind in known.items() if kind is IMAGE and name != main}
        for left_out in (pictures, {*pictures, "attention_mask"}, set[str](), {"attention_mask"}, known.keys() - {main}):
            given = {name: kind for name, kind in known.items() if name not in left_out}
            yield given, "use_cache" in parameters
            if OTHER_KINDS.keys() & given.values():
                yield {name: OTHER_KINDS.get(kind, kind) for name, kind in given.items()}, "use_cache" in parameters
        return
    taken = [each for each in parameters.values() if each.kind is each.POSITIONAL_OR_KEYWORD]
    needed = [each.name for each in taken if each.default is each.empty] or [each.name for each in taken[:1]]
    for way in dict.fromkeys(way for module in model.modules() for layer, ways in LIKELY if isinstance(module, layer) for way in ways):
        yield dict.fromkeys(needed, way), False
