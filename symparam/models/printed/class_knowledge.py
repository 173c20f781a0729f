"""What is known of the classes that prints name: which parameters of its own a module can hold, and which tensors a model ties.

The data is recorded from torch and from the reference, by ``tests/models/printed/record_classes.py``; what is not in it is not known, and
only classes without parameters by their very nature are recognised by their names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

CONTAINERS = frozenset({"Sequential", "ModuleList", "ModuleDict", "ParameterList", "ParameterDict"})
"""Classes of torch that hold nothing but what their print shows."""
WRAPPERS = frozenset({"DataParallel", "DistributedDataParallel", "OptimizedModule"})
"""Classes of torch around a whole model, which hold nothing beside it."""
QUANTISED = dict.fromkeys(("Linear8bitLt", "Linear4bit", "LinearNF4", "LinearFP4"), "Linear")
"""Classes of bitsandbytes, whose prints show the sizes of the matrix that they stand for."""
HARMLESS = re.compile(
    r"(?!.*(PReLU|XIELU|[Ss]nake|[Ll]earn|Param|Train|Maxout))(?:\w*?(?:Activation|Dropout(?:\dd)?|DropPath|DropBlock(?:\dd)?|StochasticDepth"
    r"|GELU|Gelu|GeLU|SiLU|Silu|Swish|Mish|[RSC]?[eE]LU6?|LeakyReLU|Tanh|Sigmoid|Softmax|Softplus|Identity|RotaryEmbedding|Rotary"
    r"|RotaryPositionalEmbedding|RotaryPositionEmbedding|Sinusoidal(?:Positional?)?(?:Embedding|Encoding)|Flatten"
    r"|(?:Adaptive|(?:Adaptive|Global)?(?:Avg|Average|Max))Pool(?:ing)?(?:\d[dD])?|Upsample|PixelShuffle|NoneType"
    r"|Rearrange|Reduce|Reshape|Permute|Transpose|Squeeze|Unsqueeze))"
)
"""Names of modules without parameters: activations, dropout, rotary and sinusoidal positions, pooling,
shapes."""


@dataclass(frozen=True)
class Holding:
    """What a module of a class can hold: the parameters that its own code makes, those only ``optional`` that not every config brings, and
    the class of torch (``base``) whose parameters and arguments it has beside them. ``of_torch`` says that the class is one itself."""

    names: tuple[str, ...] = ()
    optional: frozenset[str] = frozenset()
    base: str = ""
    of_torch: bool = False


@dataclass(frozen=True)
class Tying:
    """The tensors of a model that are others, by name with ``{i}`` for the number of a layer: ``always``, and where the flag is set, which
    ``by_default`` it is or not."""

    always: Mapping[str, str]
    flagged: Mapping[str, str]
    by_default: bool


def holding(kind: str, around: Iterable[str] = ()) -> Holding | None:
    """What a module of the class can hold, inside modules of the classes ``around``; None where the class is not known.

    A name that tells nothing of the model that it belongs to, such as ``Attention``, is known in that model alone.
    """
    if kind in CONTAINERS or kind in WRAPPERS:
        return Holding()
    if kind in QUANTISED:
        return Holding(base=QUANTISED[kind])
    named, generic, family = _classes()
    own = next((generic[family[outer], kind] for outer in around if (family.get(outer, ""), kind) in generic), None)
    return own or named.get(kind)


def is_harmless(kind: str) -> bool:
    """Whether modules of such a name have no parameters."""
    return HARMLESS.fullmatch(kind) is not None


Classes = tuple[Mapping[str, Holding], Mapping[tuple[str, str], Holding], Mapping[str, str]]


@cache
def _classes() -> Classes:
    """The classes by name, those whose names are generic by the family of the model too, and the family of each class."""
    named: dict[str, Holding] = {}
    generic: dict[tuple[str, str], Holding] = {}
    family: dict[str, str] = {}
    for line in _lines("classes.txt"):
        prefix, *entries = line.split()
        prefix = prefix.rstrip(":")
        for entry in entries:
            found = re.fullmatch(r"(/?)(\w*)(?:\(([\w,?]+)\))?(?:=(\w+))?", entry)
            assert found is not None, entry
            names = found[3].split(",") if found[3] else []
            optional = frozenset(name[:-1] for name in names if name.endswith("?"))
            known = Holding(tuple(name.rstrip("?") for name in names), optional, found[4] or "")
            if found[1]:
                generic[prefix, found[2]] = known
            else:
                named[prefix + found[2]] = known
            family[(found[2] if found[1] else prefix + found[2])] = prefix
    for line in _lines("torch_classes.txt"):
        base, *kinds = line.split()
        named.update({kind: Holding(base=kind if base == "with" else "", of_torch=True) for kind in kinds})
    return MappingProxyType(named), MappingProxyType(generic), MappingProxyType(family)


def tying(kind: str) -> Tying | None:
    """Which tensors a model of the class ties; None where that is not known."""
    if kind in _ties():
        return _ties()[kind]
    return Tying({}, {}, False) if holding(kind) is not None else None


@cache
def _ties() -> Mapping[str, Tying | None]:
    found: dict[str, Tying | None] = {}
    for line in _lines("ties.txt"):
        told, _, kinds = line.partition(" : ")
        default, *pairs = told.split()
        split = [(pair.removeprefix("!").split("="), pair.startswith("!")) for pair in pairs]
        always = {name: target for (name, target), fixed in split if fixed}
        flagged = {name: target for (name, target), fixed in split if not fixed}
        known = None if default == "unknown" else Tying(always, flagged, default == "tied")
        found |= dict.fromkeys(kinds.split(), known)
    return MappingProxyType(found)


def _lines(name: str) -> list[str]:
    text = Path(__file__).with_name("recorded").joinpath(name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]
