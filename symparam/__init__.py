"""symparam derives, counts and explains the parameters of neural networks as closed formulas.

The names below are imported when they are first used, so that ``import symparam`` alone does not import SymPy.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from symparam.api import (
        analyze,
        break_even,
        budget,
        check,
        check_text,
        compare,
        count,
        crossover,
        curve,
        derive,
        explain,
        letters,
        published,
        rules,
        solve,
        sweep,
        tensors,
        trace,
    )
    from symparam.api import list as list  # An explicit export; `__all__` leaves it out.
    from symparam.core.dimensions import B, E, H, I, K, L, N, P, T, V, d, h, k, symbol, symbols
    from symparam.core.evaluation import evaluate, evaluate_many
    from symparam.core.parsing.reader import read_formula
    from symparam.errors import SymparamError
    from symparam.models.blocks import (
        GELU,
        GLU,
        GRU,
        LSTM,
        RNN,
        AdaptiveAvgPool1d,
        AdaptiveAvgPool2d,
        AdaptiveAvgPool3d,
        AdaptiveMaxPool1d,
        AdaptiveMaxPool2d,
        AdaptiveMaxPool3d,
        Add,
        Architecture,
        AvgPool1d,
        AvgPool2d,
        AvgPool3d,
        BatchNorm1d,
        BatchNorm2d,
        BatchNorm3d,
        Bilinear,
        Block,
        Concatenate,
        Conv1D,
        Conv1d,
        Conv2d,
        Conv3d,
        ConvTranspose1d,
        ConvTranspose2d,
        ConvTranspose3d,
        Dropout,
        Embedding,
        Experts,
        FeatureMap,
        Flatten,
        GroupNorm,
        Identity,
        LayerNorm,
        Layers,
        Linear,
        MaxPool1d,
        MaxPool2d,
        MaxPool3d,
        Mean,
        MultiheadAttention,
        Multiply,
        Parameter,
        Patches,
        ReLU,
        Repeat,
        RMSNorm,
        Sequential,
        Sigmoid,
        SiLU,
        Tanh,
        Tied,
        Transpose,
        Upsample,
    )
    from symparam.pages.docs import docs

_HOME = {
    "api": (
        "analyze",
        "break_even",
        "budget",
        "check",
        "check_text",
        "compare",
        "count",
        "crossover",
        "curve",
        "derive",
        "explain",
        "letters",
        "list",
        "published",
        "rules",
        "solve",
        "sweep",
        "tensors",
        "trace",
    ),
    "models.blocks": (
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
        "Dropout",
        "Embedding",
        "Experts",
        "FeatureMap",
        "Flatten",
        "GELU",
        "GLU",
        "GRU",
        "GroupNorm",
        "Identity",
        "LSTM",
        "LayerNorm",
        "Layers",
        "Linear",
        "MaxPool1d",
        "MaxPool2d",
        "MaxPool3d",
        "Mean",
        "MultiheadAttention",
        "Multiply",
        "Parameter",
        "Patches",
        "RMSNorm",
        "RNN",
        "ReLU",
        "Repeat",
        "Sequential",
        "SiLU",
        "Sigmoid",
        "Tanh",
        "Tied",
        "Transpose",
        "Upsample",
    ),
    "core.dimensions": ("B", "E", "H", "I", "K", "L", "N", "P", "T", "V", "d", "h", "k", "symbol", "symbols"),
    "errors": ("SymparamError",),
    "core.evaluation": ("evaluate", "evaluate_many"),
    "core.parsing.reader": ("read_formula",),
    "pages.docs": ("docs",),
}

# Not in it is `list`, which nobody wants to lose the built-in for.
__all__ = [
    "GELU",
    "GLU",
    "GRU",
    "LSTM",
    "RNN",
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
    "B",
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
    "Dropout",
    "E",
    "Embedding",
    "Experts",
    "FeatureMap",
    "Flatten",
    "GroupNorm",
    "H",
    "I",
    "Identity",
    "K",
    "L",
    "LayerNorm",
    "Layers",
    "Linear",
    "MaxPool1d",
    "MaxPool2d",
    "MaxPool3d",
    "Mean",
    "MultiheadAttention",
    "Multiply",
    "N",
    "P",
    "Parameter",
    "Patches",
    "RMSNorm",
    "ReLU",
    "Repeat",
    "Sequential",
    "SiLU",
    "Sigmoid",
    "SymparamError",
    "T",
    "Tanh",
    "Tied",
    "Transpose",
    "Upsample",
    "V",
    "analyze",
    "break_even",
    "budget",
    "check",
    "check_text",
    "compare",
    "count",
    "crossover",
    "curve",
    "d",
    "derive",
    "evaluate",
    "evaluate_many",
    "explain",
    "h",
    "k",
    "letters",
    "published",
    "read_formula",
    "rules",
    "solve",
    "sweep",
    "symbol",
    "symbols",
    "tensors",
    "trace",
]


def imported(module: str) -> ModuleType:
    """The module, imported with the garbage collector at rest: an import makes no garbage, and looking for it takes a tenth of the time.

    What was made is then counted among what is old, or the collector would look through all of it as soon as it may work again.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        return import_module(module)
    finally:
        if collecting:
            if not gc.get_freeze_count():  # Else a program has put its own objects aside.
                gc.freeze()
                gc.unfreeze()  # Into the oldest generation.
            gc.enable()


def on_first_use(package: str, home: Mapping[str, Iterable[str]]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a package whose names are imported when they are first used; ``home`` has them by their modules in it."""
    module_of = {name: f"{package}.{module}" for module, names in home.items() for name in names}

    def found(name: str) -> Any:
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(imported(module_of[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    return found


def load_ipython_extension(shell: Any) -> None:
    """What ``%load_ext symparam`` in a notebook calls: then there are ``%symparam`` and ``%%symparam``."""
    imported("symparam.integrations.jupyter").add_magics(shell)


__getattr__ = on_first_use(__name__, _HOME)


def __dir__() -> Any:
    return [*(name for names in _HOME.values() for name in names), "__version__"]
