"""Knowledge about the classes named in prints: which parameters of its own a module can have, and which tensors a model ties.

The data is recorded from torch and from the reference by ``tests/models/printed/record_classes.py``. A class without a record is unknown,
except that classes which have no parameters by their very nature are recognised by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from symparam.core.frozen import frozen

CONTAINERS = frozenset({"Sequential", "ModuleList", "ModuleDict", "ParameterList", "ParameterDict"})
"""Torch classes whose prints show everything that they hold."""
NUMBERED = frozenset({"ModuleList", "ParameterList"})
"""Torch containers whose parts have numbers for names."""
WRAPPERS = frozenset({"DataParallel", "DistributedDataParallel", "FullyShardedDataParallel", "OptimizedModule"})
"""Torch classes that wrap a whole model and add nothing to it."""
QUANTISED = dict.fromkeys(("Linear8bitLt", "Linear4bit", "LinearNF4", "LinearFP4"), "Linear")
"""Classes of bitsandbytes, whose prints show the sizes of the matrix that they replace."""
_ACTIVATION = (
    r"Activation|GELU|Gelu|GeLU|SiLU|Silu|Swish|Mish|[RSC]?[eE]LU6?|LeakyReLU|Tanh|Sigmoid|Softmax|Softplus"
    r"|Hard(?:tanh|swish|sigmoid|shrink)|Softs(?:ign|hrink)|Tanhshrink"
)
_DROPS = r"Dropout(?:\dd)?|DropPath|DropBlock(?:\dd)?|StochasticDepth|Identity"
_FUNCTIONS = (
    r"(?:Quick|Fast|New|Accurate|Tanh)?G[eE](?:LU|lu)|S[iI](?:LU|lu)|Mish|[SC]?E[lL][uU]|(?:Leaky|Squared)?Re(?:LU|lu)6?|Tanh|(?:Log)?Sigmoid|(?:Log)?Softmax"
    r"|Softplus|H(?:ard)?(?:[tT]anh|[sS]wish|[sS]igmoid|[sS]hrink)|Soft(?:sign|shrink)|Tanhshrink"
)
FUNCTION = re.compile(rf"(?:{_FUNCTIONS})(?:Activation)?|{_DROPS}")
"""Names of functions without parameters, and of modules that drop values at random."""
HARMLESS = re.compile(
    rf"{FUNCTION.pattern}|Flatten|(?:Adaptive|Global)?(?:Avg|Average|Max)Pool(?:ing)?(?:\d[dD])?"
    r"|Upsample|Pixel(?:Uns|S)huffle|NoneType|Rearrange|Reduce|Reshape|Permute|Transpose|Squeeze|Unsqueeze"
)
"""Names of modules without parameters: functions without parameters, dropout, pooling, shapes. A name with any other word in front may be
that of a module that learns, as DynamicTanh, ConcreteDropout and ConvTranspose do; so may Swish, and RotaryEmbedding, whose frequencies are
parameters in a library.
"""
ROW_BY_ROW = re.compile(
    rf"\w*?(?:{_ACTIVATION}|DropPath|(?:RMS|Layer|Batch|Group|Instance)Norm(?:\d[dD])?)|(?:Alpha|FeatureAlpha|Stable)?(?:{_DROPS})"
    r"|PReLU|Linear(?:8bitLt|4bit|NF4|FP4)?|Embedding|LSTM|GRU|RNN"
)
"""Names of modules whose output has as many rows as their input; that of a PatchDropout has not."""
LAYER_OF_TORCH = re.compile(r"Conv(?:Transpose)?[123]d|[A-Za-z]*Norm(?:[123][dD])?|PReLU|Bilinear|(?:LSTM|GRU|RNN)(?:Cell)?")
"""Names of classes whose tensors together are one layer to most people: a filter with its bias, a norm."""


@frozen
class ClassContents:
    """The possible content of a module by its class: the parameters that its own code makes, those among them that are ``optional`` because
    only some configs bring them, and the torch class (``base``) whose parameters and arguments it has in addition. ``of_torch`` marks the
    torch classes themselves. ``attentions`` are its parts that are torch's attention with keys and values as wide as the queries.
    """

    names: tuple[str, ...] = ()
    optional: frozenset[str] = frozenset()
    base: str = ""
    of_torch: bool = False
    attentions: frozenset[str] = frozenset()


@frozen
class Tying:
    """The tied tensors of a model, by name with ``{i}`` for a layer number: those ``always`` tied, and those tied where the flag is set;
    ``by_default`` is the flag's default. Where the flag is ``kept``, the config of the class sets it whatever is given; earlier releases of
    T5 did not, and made a matrix of its own for the head alone.
    """

    always: Mapping[str, str]
    flagged: Mapping[str, str]
    by_default: bool
    kept: bool = False


def class_contents(kind: str, around: Iterable[str] = ()) -> ClassContents | None:
    """The possible content of a module of the class, inside modules of the classes ``around``; None if the class is unknown.

    A generic name such as ``Attention`` is only known inside the model to which it belongs.
    """
    if kind in CONTAINERS or kind in WRAPPERS:
        return ClassContents()
    if kind in QUANTISED:
        return ClassContents(base=QUANTISED[kind])
    named, generic, family = _classes()
    own = next((generic[family[outer], kind] for outer in around if (family.get(outer, ""), kind) in generic), None)
    return own or named.get(kind)


def unsharded(kind: str) -> str:
    """The name of a class without the ``FSDP`` that torch's ``fully_shard`` puts before it, if it is known."""
    bare = kind.removeprefix("FSDP")
    return bare if bare != kind and class_contents(bare) is not None else kind


def is_harmless(kind: str) -> bool:
    """Whether modules with such a name have no parameters."""
    return HARMLESS.fullmatch(kind) is not None


Classes = tuple[Mapping[str, ClassContents], Mapping[tuple[str, str], ClassContents], Mapping[str, str]]


@cache
def _classes() -> Classes:
    """The classes by name (generic names also by the family of their model), and the family of each class."""
    named: dict[str, ClassContents] = {}
    generic: dict[tuple[str, str], ClassContents] = {}
    family: dict[str, str] = {}
    for line in _lines("classes.txt"):
        prefix, *entries = line.split()
        prefix = prefix.rstrip(":")
        for entry in entries:
            found = re.fullmatch(r"(/?)(\w*)(?:\(([\w,?]+)\))?(?:=(\w+))?(?:~([\w,]+))?", entry)
            assert found is not None, entry
            names = found[3].split(",") if found[3] else []
            optional = frozenset(name[:-1] for name in names if name.endswith("?"))
            attentions = frozenset(found[5].split(",")) if found[5] else frozenset()
            known = ClassContents(tuple(name.rstrip("?") for name in names), optional, found[4] or "", attentions=attentions)
            if found[1]:
                generic[prefix, found[2]] = known
            else:
                named[prefix + found[2]] = known
            family[(found[2] if found[1] else prefix + found[2])] = prefix
    for line in _lines("torch_classes.txt"):
        base, *kinds = line.split()
        named.update({kind: ClassContents(base=kind if base == "with" else "", of_torch=True) for kind in kinds})
    return MappingProxyType(named), MappingProxyType(generic), MappingProxyType(family)


@cache
def parameter_names() -> frozenset[str]:
    """The names that classes of the reference give to parameters that their own code makes."""
    named, generic, _ = _classes()
    return frozenset(name for known in (*named.values(), *generic.values()) for name in known.names)


def tying(kind: str) -> Tying | None:
    """The tensors that a model of the class ties; None if that is unknown."""
    if kind in _ties():
        return _ties()[kind]
    return Tying({}, {}, False) if class_contents(kind) is not None else None


def tying_classes() -> Mapping[str, Tying]:
    """The ties of all classes for which they are known, by name."""
    return {kind: known for kind, known in _ties().items() if known is not None}


@cache
def _ties() -> Mapping[str, Tying | None]:
    found: dict[str, Tying | None] = {}
    for line in _lines("ties.txt"):
        told, _, kinds = line.partition(" : ")
        default, *pairs = told.split()
        split = [(pair.removeprefix("!").split("="), pair.startswith("!")) for pair in pairs]
        always = {name: target for (name, target), fixed in split if fixed}
        flagged = {name: target for (name, target), fixed in split if not fixed}
        known = None if default == "unknown" else Tying(always, flagged, default in ("tied", "kept"), default == "kept")
        found |= dict.fromkeys(kinds.split(), known)
    return MappingProxyType(found)


def _lines(name: str) -> list[str]:
    text = Path(__file__).with_name("recorded").joinpath(name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]
