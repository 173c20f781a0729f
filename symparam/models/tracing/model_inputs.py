"""Inputs for a model: which of its arguments are given, and with what shapes."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, product

import torch
from torch import nn

from symparam.core.frozen import frozen
from symparam.models.traced.expressions import Expression, Settings
from symparam.models.traced.forward_pass import BATCHES, INPUTS
from symparam.models.tracing.subjects import CannotBuildError

IMAGE_KEYS = ("image_size", "img_size", "image", "resolution", "input_size")
"""Names of settings that may fix the size of images."""
SIZES: Mapping[str, int] = {"@B": BATCHES[0], "@L": 29, "@L_e": 41, "@H_i": 256, "@W_i": 320}
"""The sizes of inputs to start with."""
SMALLEST_IMAGE = 8
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
    def shapes(self) -> tuple[str, ...]:
        """Each argument with the shape that it is given."""
        fixed = {letter: self.fixed or letter for letter in ("H_i", "W_i")}
        sides = {name: [fixed.get(side, side) for side in kind.sides] for name, kind in self.kinds.items()}
        return tuple(f"{name} ({', '.join(each)})" for name, each in sides.items())

    @property
    def sizes(self) -> dict[str, int]:
        """The sizes of the input that are free, with values to start with."""
        used = {"@B", *(size for kind in self.kinds.values() for size in kind.sizes)}
        sizes = {**SIZES, "@L": MANY_SAMPLES} if {SAMPLES, SOUND} & {*self.kinds.values()} else SIZES
        return {name: value for name, value in sizes.items() if name in used and not (self.fixed and name in IMAGE.sizes)}

    def extents(self, settings: Settings) -> list[list[tuple[int, Expression]]]:
        """The sizes of a sequence and of an image in each direction, with their expressions."""
        if self.fixed is None:
            names = [[name for name in kind.moved_over if name in settings] for kind in dict.fromkeys(self.kinds.values())]
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
    """A kind of input: the sides of its shape as they are written, and a function that makes it."""

    sides: tuple[str, ...]
    make: Callable[[nn.Module, Settings], torch.Tensor]

    @property
    def sizes(self) -> tuple[str, ...]:
        """The sizes that its shape needs beside the batch."""
        return tuple(path for path, letter in INPUTS.items() if letter in self.sides and path != "@B")

    @property
    def moved_over(self) -> tuple[str, ...]:
        """The sizes over which windows move: not the number of the images of a video."""
        return self.sizes if self.sides[1:2] != ("L",) else self.sizes[-2:]


def _features(model: nn.Module) -> int:
    """The features that the first layer takes."""
    for module in model.modules():
        for name in ("in_channels", "in_features", "input_size"):
            found = getattr(module, name, None)
            if isinstance(found, int) and next(module.parameters(recurse=False), None) is not None:
                return found
    raise CannotBuildError("no layer says how many features the model takes")


def _of(*sides: str, dtype: torch.dtype = torch.float32) -> InputKind:
    """The kind with these sides: letters of sizes, names of settings, numbers, and C for the features that the first layer takes."""

    def size(side: str, model: nn.Module, settings: Settings) -> int:
        if side.isdecimal():
            return int(side)
        return _features(model) if side == "C" else settings[_SETTINGS.get(side, side)]

    def make(model: nn.Module, settings: Settings) -> torch.Tensor:
        return torch.zeros([size(side, model, settings) for side in sides], dtype=dtype)

    return InputKind(sides, make)


_SETTINGS = {letter: path for path, letter in INPUTS.items()}
TOKENS = _of("B", "L", dtype=torch.long)
SOURCE = _of("B", "L_e", dtype=torch.long)
SAMPLES = _of("B", "L")
ROWS = _of("B", "L", "C")
NODES = _of("L", "C")
CHANNELS = _of("B", "C", "L")
SOUND = InputKind(("B", "C", "L"), lambda model, sizes: torch.zeros(sizes["@B"], _features(model), sizes["@L"]))
"""As `CHANNELS`, but of as many samples as sound has."""
FRAMES = _of("B", "max_length", "num_mel_bins")
SPECTRUM = InputKind(
    ("B", "num_mel_bins", "2 max_source_positions"),
    lambda model, sizes: torch.zeros(sizes["@B"], sizes["num_mel_bins"], 2 * sizes["max_source_positions"]),
)
IMAGE = _of("B", "C", "H_i", "W_i")
VIDEO = _of("B", "L", "C", "H_i", "W_i")
VOLUME = _of("B", "C", "L", "H_i", "W_i")
VECTOR = _of("B", "C")
NUMBER = _of("B", dtype=torch.long)
EDGES = _of("L", "L")
EDGES_OF_EACH = _of("B", "L", "L")

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
    (nn.Conv3d, (VOLUME,)),
    (nn.Conv2d, (IMAGE, VIDEO)),
    (nn.Conv1d, (CHANNELS, SOUND, SAMPLES)),
    ((nn.Linear, nn.LSTM, nn.GRU, nn.RNN, nn.LayerNorm), (ROWS, VECTOR)),
)
"""The kinds of input of other modules, by the class of their first layer."""
FURTHER: Sequence[tuple[str, tuple[InputKind, ...]]] = (
    ("adj|edge|graph", (EDGES, EDGES_OF_EACH)),
    ("mask", (TOKENS, EDGES, EDGES_OF_EACH)),
    ("^t$|^y$|time|step|noise|sigma|label|class|index|idx", (NUMBER,)),
    ("", (NUMBER, SOURCE)),
)
"""The kinds of further arguments, by what is in their names."""
MOST_OTHER_ROWS = 3
MOST_OF_SEVERAL = 60


def candidate_inputs(model: nn.Module, settings: Mapping[str, object]) -> Iterator[ModelInputs]:
    """Inputs that the model may take, the likeliest first."""
    keys = image_keys(settings)
    others = [path for path, value in settings.items() if type(value) is int and value >= SMALLEST_IMAGE and path not in keys]
    with_images = []
    for kinds, cached in _kinds(model, settings):
        yield ModelInputs(kinds, None, cached)
        if any("H_i" in kind.sides for kind in kinds.values()):
            yield from (ModelInputs(kinds, path, cached) for path in keys)
            with_images.append(kinds)
    if not hasattr(model, "main_input_name"):  # Only a module of a user may call the size of images anything.
        yield from (ModelInputs(kinds, path) for kinds in with_images for path in others)


def image_keys(settings: Mapping[str, object]) -> list[str]:
    """The settings that may fix the size of images."""
    return [path for path, value in settings.items() if path.rpartition(".")[2] in IMAGE_KEYS and isinstance(value, (int, list, tuple))]


def _kinds(model: nn.Module, settings: Mapping[str, object]) -> Iterator[tuple[dict[str, InputKind], bool]]:
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
    likely = dict.fromkeys([IMAGE] if image_keys(settings) else [])  # Patches of an image may be cut out without a convolution.
    likely |= dict.fromkeys(way for module in model.modules() for layer, ways in LIKELY if isinstance(module, layer) for way in ways)
    for way in likely:
        yield dict.fromkeys(needed, way), False
    for kinds in islice(_of_several(model, needed, [*likely]), MOST_OF_SEVERAL):
        yield kinds, False
    for way in likely if len(needed) == 1 else ():
        for width in _widths(settings, way) if "C" in way.sides else ():  # What runs first need not be what was made first.
            yield dict.fromkeys(needed, _of(*(width if side == "C" else side for side in way.sides))), False


def _widths(settings: Mapping[str, object], way: InputKind) -> list[str]:
    """The settings that may be the features of an input, those called channels first; images may have three in any case."""
    widths = [path for path, value in settings.items() if type(value) is int and value > 0]
    channels = [path for path in widths if "chan" in path]
    colours = ["3"] if "H_i" in way.sides else []
    return [*channels, *colours, *(path for path in widths if path not in channels)]


def _of_several(model: nn.Module, names: Sequence[str], likely: Sequence[InputKind]) -> Iterator[dict[str, InputKind]]:
    """Inputs whose arguments are not all of one kind: the first as the first layer takes it, the others by their names."""
    if len(names) < 2:
        return
    further = [next(kinds for pattern, kinds in FURTHER if re.search(pattern, name.lower())) for name in names[1:]]
    others = [[*kinds, *_rows_of_layers(model)] for kinds in further]
    first = [NODES, *likely] if ROWS in likely and any(EDGES in kinds for kinds in further) else likely
    yield from (dict(zip(names, kinds, strict=True)) for kinds in product(first, *others))


def _rows_of_layers(model: nn.Module) -> Iterator[InputKind]:
    """Rows of another length, with as many features as a linear layer takes, for the first layers that take different numbers."""
    layers = {module.in_features: path for path, module in reversed([*model.named_modules()]) if isinstance(module, nn.Linear)}
    for path in [*reversed(layers.values())][:MOST_OTHER_ROWS]:

        def make(model: nn.Module, settings: Settings, path: str = path) -> torch.Tensor:
            return torch.zeros(settings["@B"], settings["@L_e"], int(model.get_submodule(path).in_features))  # type: ignore[arg-type]

        yield InputKind(("B", "L_e", "C"), make)
