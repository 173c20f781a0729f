"""The tensors that autograd saves for blocks of images, sequences and branches, and the memory layout of their outputs.

Autograd counts a storage once, however often it is saved. So each value between blocks carries its storage, and a block says for each
tensor that it saves whether the storage is that of an input, that of its output, or a new one. Some blocks copy an input whose layout does
not suit them: a matrix needs row after row, a recurrent layer token after token.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import sympy

from symparam.analysis.measures.autograd.forward_pass import INDEX_BYTES, Saved
from symparam.analysis.measures.autograd.functions import Function, function
from symparam.core.dimensions import B
from symparam.core.frozen import frozen
from symparam.errors import ArchitectureError
from symparam.models.blocks import (
    GLU,
    GRU,
    LSTM,
    RNN,
    Activation,
    AdaptiveAvgPool1d,
    AdaptiveMaxPool1d,
    Add,
    AvgPool1d,
    BatchNorm1d,
    Bilinear,
    Concatenate,
    Conv1D,
    ConvTranspose1d,
    Dropout,
    Embedding,
    FeatureMap,
    Flatten,
    GroupNorm,
    Identity,
    LayerNorm,
    Linear,
    MaxPool1d,
    Mean,
    Module,
    MultiheadAttention,
    Multiply,
    Parameter,
    Patches,
    ReLU,
    RMSNorm,
    Tied,
    Transpose,
    Upsample,
)
from symparam.models.blocks.architecture import Place
from symparam.models.blocks.convolution import SAME, Convolution
from symparam.models.blocks.operation import FAMILY
from symparam.models.blocks.window import known_features

ROWS, MAPS, STEPS = "BPC", "BCP", "PBC"
"""Orders of the axes in memory, for sequences B, positions P and features C: rows contiguous, maps contiguous, and steps outermost."""
STATISTIC = 4  # The bytes of a statistic (a mean or a scale).
GATED_STATES = 7  # Numbers per step and feature of a GRU or an LSTM: the gates, the previous states, and the functions of them.


@dataclass(frozen=True, eq=False)
class Value:
    """A value passed between blocks: its storage, the order of its axes in memory, whether it requires a gradient, and whether it is a
    parameter, whose storage is not counted.
    """

    storage: object = field(default_factory=object)
    order: str = ROWS
    trained: bool = True
    parameter: bool = False


@frozen
class SavedStorage:
    """A storage that a block saves: that of the value ``of``, or a new one if ``of`` is None."""

    saved: Saved
    of: Value | None = None


@frozen
class Effect:
    """The output of a block, and what it saves for the backward pass."""

    made: Value
    saved: tuple[SavedStorage, ...] = ()


@frozen
class Settings:
    """How a model runs: ``known`` gives the value of a size where it is known, and ``drops`` says whether a dropout is active."""

    known: Callable[[sympy.Expr], int | None]
    drops: Callable[[Dropout], bool]


def effect(settings: Settings, place: Place, values: tuple[Value, ...]) -> Effect:
    """The effect of a block on its inputs. Raises `ArchitectureError` for a block without recordings."""
    module = place.module.inner if isinstance(place.module, Tied) else place.module
    for kind, rule in RULES.items():
        if isinstance(module, kind):
            trained = bool(module.tensors) or any(value.trained for value in values)
            return rule(settings, replace(place, module=module), values, trained)
    raise ArchitectureError(
        f"what autograd saves for {place.module.kind} ({place.path or 'the model'}) is known only in symparam's families, whose "
        "code is known; use blocks such as MultiheadAttention, or leave out --convention autograd"
    )


def numbers(taken: FeatureMap, kind: str) -> sympy.Expr:
    """The elements of a feature map for the whole batch."""
    return taken.rows * known_features(taken, kind)


def usual_order(made: FeatureMap) -> str:
    """The layout of the axes unless a block changes it: images map after map, sequences row after row."""
    return MAPS if len(made.extent) > 1 else ROWS


def _order(settings: Settings, value: Value, taken: FeatureMap) -> str:
    """The order of those axes whose size is more than one."""
    sizes = {"B": B, "P": taken.positions, "C": taken.features}
    several = [axis for axis, size in sizes.items() if size is None or settings.known(size) != 1]
    return "".join(axis for axis in value.order if axis in several)


def _of(place: Place, value: Value, at: int = 0) -> SavedStorage:
    """The storage of an input of the block."""
    return SavedStorage(Saved(numbers(place.inputs[at], place.module.kind)), value)


def _made(place: Place, value: Value) -> SavedStorage:
    return SavedStorage(Saved(numbers(place.module.output(*place.inputs), place.module.kind)), value)


def _own(size: sympy.Expr, bytes: int | None = None) -> SavedStorage:
    return SavedStorage(Saved(size, bytes))


def _packed(settings: Settings, place: Place, value: Value, at: int = 0, rows: str = "BP") -> SavedStorage:
    """The value, or a copy of it where the two axes of the matrix product's rows cannot be viewed as one."""
    storage, order = _of(place, value, at), _order(settings, value, place.inputs[at])
    return storage if "".join(axis for axis in rows if axis in order) in order else SavedStorage(storage.saved)


def _convolution(settings: Settings, place: Place, values: tuple[Value, ...], trained: bool) -> Effect:
    module, (value,) = place.module, values
    made = Value(order=_order_of_windows(place, value))
    if isinstance(module, Convolution) and module.padding == SAME:
        uneven = [settings.known(2 * each) for each in module.padded]
        if None in uneven:
            raise ArchitectureError(f"whether {place.path} pads both sides alike depends on the size of its filter; give it a number")
        if any(each % 2 for each in uneven if each is not None):  # Padding on one side only makes a copy first.
            extent = (size + (each or 0) % 2 for size, each in zip(place.inputs[0].extent, uneven, strict=True))
            return Effect(made, (_own(B * sympy.Mul(module.in_channels, *extent)),))
    return Effect(made, (_of(place, value),))


def _order_of_windows(place: Place, value: Value) -> str:
    """The layout of the output: channels-last images stay so, and so do pooled sequences. Raises `ArchitectureError` for a channels-last
    volume.
    """
    directions = len(place.inputs[0].extent)
    if directions > 2 and value.order != MAPS:
        raise ArchitectureError(f"{place.path} takes a volume whose features lie side by side; what autograd saves for it is not known")
    pools = isinstance(place.module, (MaxPool1d, AvgPool1d, AdaptiveAvgPool1d, AdaptiveMaxPool1d))
    return ROWS if value.order == ROWS and (directions == 2 or pools) else MAPS


def _max_pool(settings: Settings, place: Place, values: tuple[Value, ...], trained: bool) -> Effect:
    """Saves its input, and the indices of the largest numbers."""
    made = Value(order=_order_of_windows(place, values[0]), trained=trained)
    places = _own(numbers(place.module.output(*place.inputs), place.module.kind), INDEX_BYTES)
    return Effect(made, (_of(place, values[0]), places) if trained else ())


def _average_pool(settings: Settings, place: Place, values: tuple[Value, ...], trained: bool) -> Effect:
    module = place.module
    made = Value(order=_order_of_windows(place, values[0]), trained=trained)
    whole = isinstance(module, AdaptiveAvgPool1d) and module.output(*place.inputs).positions == 1  # A mean, which saves nothing.
    return Effect(made, (_of(place, values[0]),) if trained and not whole else ())


def _batch_norm(settings: Settings, place: Place, values: tuple[Value, ...], trained: bool) -> Effect:
    module = place.module
    assert isinstance(module, BatchNorm1d)
    made = Value(order=_order_of_windows(place, values[0]), trained=trained)
    return Effect(made, (_of(place, values[0]), _own(2 * module.num_features, STATISTIC)) if trained else ())


def _group_norm(settings: Settings, place: Place, values: tuple[Value, ...], trained: bool) -> Effect:
    module = place.module
    assert isinstance(module, GroupNorm)
    made = Value(order=_order_of_windows(place, values[0]), trained=trained)
    return Effect(made, (_of(place, values[0]), _own(2 * B * module.num_groups, STATISTIC)) if trained else ())


def _layer_norm(settings: Settings, place: Place, values: tuple[Value, ...], trained: bool) -> Effect:
    return Effect(Value(trained=trained), (_of(place, values[0]), _own(2 * place.rows, STATISTIC)) if trained else ())


def _rms_norm(settings: Settings, place: Place, values: tuple[Value, ...], trained: bool) -> Effect:
    """Saves its input, the normalised input, and the roots."""
    storage = _of(place, values[0])
    return Effect(Value(order=values[0].order), (storage, SavedStorage(storage.saved), _own(place.rows, STATISTIC)))


def _linear(settings: Settings, place: Place, values: tuple[Value, ...], trained: bool) -> Effect:
    return Effect(Value(), tuple(_packed(settings, place, value, at) for at, value in enumerate(values)))


def _embedding(settings: Settings, place: Place, values: tuple[Value, ...], trained: bool) -> Effect:
    return Effect(Value(), (SavedStorage(Saved(place.rows, INDEX_BYTES), values[0]),))


def _recurrent(settings: Settings, place: Place, values: tuple[Value, ...], trained: bool) -> Effect:
    """Saves the input of each layer, once for each direction where it is copied, and the states of each step."""
    module, taken = place.module, place.inputs[0]
    assert isinstance(module, RNN)
    directions = 1 + module.bidirectional
    enters = _packed(settings, place, values[0], rows="PB")
    saved = [enters] * (1 if enters.of else directions)
    saved += [_own(taken.rows * module.outputs * directions)] * (module.num_layers - 1)
    gated = isinstance(module, (GRU, LSTM))
    states = taken.rows * module.hidden_size * GATED_STATES if gated else (taken.rows + B) * module.hidden_size
    if module.outputs != module.hidden_size:  # With projections, also the previous state at each step.
        states += taken.rows * module.outputs
    saved.append(_own(states * module.num_layers * directions))
    return Effect(Value(order=STEPS), tuple(saved))


def _attention(settings: Settings, place: Place, values: tuple[Value, ...], trained: bool) -> Effect:
    """Saves the input of the projections, the scaled queries, keys, values, the softmax's output, and the input of the
    output projection.
    """
    module = place.module
    assert isinstance(module, MultiheadAttention)
    queries, keys, of_values = (place.inputs * 3)[:3] if len(place.inputs) == 1 else place.inputs
    query, key, value = values * 3 if len(values) == 1 else values
    width, separate = module.embed_dim, len({size for size in (module.embed_dim, module.kdim, module.vdim) if size is not None}) > 1
    same_keys = key.storage is value.storage and not separate
    same = same_keys and query.storage is key.storage
    entering = [0] if same else [0, 1] if same_keys else [0, 1, 2]
    saved = [_packed(settings, place, (query, key, value)[at], at, "PB") for at in entering]
    joined = 3 if same else 2
    saved += [_own(queries.rows * width)]  # Scaled queries.
    saved += [_own(joined * keys.rows * width)] if same_keys else [_own(keys.rows * width), _own(of_values.rows * width)]
    saved += [_own(queries.rows * module.num_heads * keys.positions), _own(queries.rows * width)]
    return Effect(Value(order=STEPS), tuple(saved))


def _activation(settings: Settings, place: Place, values: tuple[Value, ...], trained: bool) -> Effect:
    value, own = values[0], _function(place.module)
    if own.same:
        return Effect(value)
    made = replace(value, storage=object())
    saved = [_of(place, value)] * own.input + [_made(place, made)] * own.output + [SavedStorage(_of(place, value).saved)] * own.between
    return Effect(made, tuple(saved) if trained else ())


def _function(module: Module) -> Function:
    assert isinstance(module, (Activation, ReLU))
    if module.function == FAMILY:
        raise ArchitectureError('no config says here which function an Activation applies; name it, as in Activation(I, "gelu")')
    return Function(output=True) if module.function == "softmax" else function(module.function.removesuffix("-module"))


def _glu(settings: Settings, place: Place, values: tuple[Value, ...], trained: bool) -> Effect:
    return Effect(replace(values[0], storage=object()), (_of(place, values[0]),) if trained else ())


def _dropout(settings: Settings, place: Place, values: tuple[Value, ...], trained: bool) -> Effect:
    """Saves a mask, on the CPU a number of the model's format per element."""
    assert isinstance(place.module, Dropout)
    if not settings.drops(place.module):
        return Effect(values[0])
    return Effect(replace(values[0], storage=object()), (SavedStorage(_of(place, values[0]).saved),) if trained else ())


def _multiply(settings: Settings, place: Place, values: tuple[Value, ...], trained: bool) -> Effect:
    """Saves each factor whose partner requires a gradient."""
    made = _added(settings, place, values, trained).made
    needed = (at for at in range(len(values)) if any(other.trained for index, other in enumerate(values) if index != at))
    return Effect(made, tuple(_of(place, values[at], at) for at in needed if not values[at].parameter))


def _added(settings: Settings, place: Place, values: tuple[Value, ...], trained: bool) -> Effect:
    order = next((value.order for value in values if not value.parameter), ROWS)
    return Effect(Value(order=order, trained=trained))


def _concatenated(settings: Settings, place: Place, values: tuple[Value, ...], trained: bool) -> Effect:
    """Channels-last images stay so if all inputs are; anything else is laid out anew."""
    side_by_side = len(place.inputs[0].extent) == 2 and all(value.order == ROWS for value in values)
    return Effect(Value(order=ROWS if side_by_side else usual_order(place.inputs[0]), trained=trained))


def _resampled(settings: Settings, place: Place, values: tuple[Value, ...], trained: bool) -> Effect:
    return Effect(Value(order=_order_of_windows(place, values[0]), trained=trained))


def _flattened(settings: Settings, place: Place, values: tuple[Value, ...], trained: bool) -> Effect:
    taken = place.inputs[0]
    taken_as = replace(values[0], order=usual_order(taken))
    lies = _order(settings, values[0], taken) == _order(settings, taken_as, taken)
    return Effect(replace(values[0], order=ROWS) if lies else Value(trained=trained))


def _transposed(settings: Settings, place: Place, values: tuple[Value, ...], trained: bool) -> Effect:
    return Effect(replace(values[0], order=values[0].order.translate(str.maketrans("PC", "CP"))))


def _as_it_is(settings: Settings, place: Place, values: tuple[Value, ...], trained: bool) -> Effect:
    return Effect(values[0])


def _mean(settings: Settings, place: Place, values: tuple[Value, ...], trained: bool) -> Effect:
    return Effect(Value(order=usual_order(place.module.output(*place.inputs)), trained=trained))


def _parameter(settings: Settings, place: Place, values: tuple[Value, ...], trained: bool) -> Effect:
    return Effect(Value(parameter=True))


RULES: dict[type[Module], Callable[[Settings, Place, tuple[Value, ...], bool], Effect]] = {
    Convolution: _convolution,
    ConvTranspose1d: _convolution,
    MaxPool1d: _max_pool,
    AdaptiveMaxPool1d: _max_pool,
    AvgPool1d: _average_pool,
    AdaptiveAvgPool1d: _average_pool,
    BatchNorm1d: _batch_norm,
    GroupNorm: _group_norm,
    LayerNorm: _layer_norm,
    RMSNorm: _rms_norm,
    Linear: _linear,
    Conv1D: _linear,
    Bilinear: _linear,
    Embedding: _embedding,
    RNN: _recurrent,
    MultiheadAttention: _attention,
    Activation: _activation,
    ReLU: _activation,
    GLU: _glu,
    Dropout: _dropout,
    Multiply: _multiply,
    Add: _added,
    Concatenate: _concatenated,
    Upsample: _resampled,
    Flatten: _flattened,
    Transpose: _transposed,
    Patches: _as_it_is,
    Identity: _as_it_is,
    Mean: _mean,
    Parameter: _parameter,
}
