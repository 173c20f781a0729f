"""The parameters that a printed module holds itself: those that its arguments determine, and those that its class has or may have in
addition.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from symparam.core.frozen import frozen
from symparam.models.printed.class_knowledge import CONTAINERS, FUNCTION, NUMBERED, WRAPPERS, ClassContents, class_contents, is_harmless
from symparam.models.printed.leaf_kinds import Tensors, tensors_of
from symparam.models.printed.reference_parts import has_parts_of_the_reference
from symparam.models.printed.torch_arguments import prints_like_function, prints_like_layer, prints_like_pooling, prints_like_torch
from symparam.models.printed.tree import ATTENTION, UNKNOWN, UNLIKE, Missed, Node, Shape

_FEED_FORWARD = dict.fromkeys(("linear1", "dropout", "linear2", "norm1", "norm2", "dropout1", "dropout2"), "")
_LAYER = {"self_attn": "MultiheadAttention", **_FEED_FORWARD}
PARTS_OF_TORCH: Mapping[str, Mapping[str, str]] = {
    "MultiheadAttention": {"out_proj": "NonDynamicallyQuantizableLinear"},
    "Transformer": {"encoder": "TransformerEncoder", "decoder": "TransformerDecoder"},
    "TransformerEncoder": {"layers": "ModuleList", "norm": ""},
    "TransformerDecoder": {"layers": "ModuleList", "norm": ""},
    "TransformerEncoderLayer": {**_LAYER, "activation": ""},
    "TransformerDecoderLayer": {**_LAYER, "multihead_attn": "MultiheadAttention", "norm3": "", "dropout3": "", "activation": ""},
    "AdaptiveLogSoftmaxWithLoss": {"head": "Linear", "tail": "ModuleList"},
    "DataParallel": {"module": ""},
    "DistributedDataParallel": {"module": ""},
    "FullyShardedDataParallel": {"_fsdp_wrapped_module": ""},
    "OptimizedModule": {"_orig_mod": ""},
}
"""The torch modules that contain modules: the names of these, and their classes where fixed."""
NOT_ALWAYS = {"norm", "activation"}


@frozen
class OwnParameters:
    """The tensors of a module, without those of its parts, what may be missing from them, and those of its parts (``attentions``) that are
    certainly torch's attention with keys and values as wide as the queries.
    """

    tensors: Tensors
    missed: tuple[Missed, ...] = ()
    attentions: frozenset[str] = frozenset()


ContentsLookup = Callable[[str, Collection[str], Collection[str]], ClassContents | None]
"""A function that tells what a module of a class can hold, given the names of its nonempty parts and of all printed ones;
None if unknown.
"""


def own_parameters(
    kind: str, arguments: str, names: Collection[str], parts: Mapping[str, Node], around: Sequence[str], lookup: ContentsLookup
) -> OwnParameters:
    """The tensors of a module by its class and its arguments, and what may be missing from them.

    ``names`` are the names printed inside it, ``parts`` the modules among them, and ``around`` the classes of the enclosing modules.
    ``lookup`` is consulted for classes without a record.
    """
    told = tensors_of(kind, arguments)
    if kind == "ParametrizationList":
        return OwnParameters((), (("original0, original1 of ParametrizationList", "hidden"),))
    if kind.startswith("Parametrized") and "parametrizations" in parts:
        computed = {name for name, _ in parts["parametrizations"].children}
        return OwnParameters(tuple(tensor for tensor in told or () if tensor[0] not in computed), () if told else ((kind, "unsized"),))
    if {"base_layer", "lora_A", "lora_B"} <= {*names}:  # A layer of peft, which prints all that it adds.
        return OwnParameters(())
    known = class_contents(kind, around)
    if known is None or not _is_the_known_one(kind, arguments, known, names, parts, around):
        if told is None and not names and known is None and _is_harmless(kind, arguments):
            return OwnParameters(())
        if (described := lookup(kind, [name for name, part in parts.items() if not part.empty], names)) is not None:
            return _of_known(kind, described, told)
        return OwnParameters(() if names else _certain(kind, arguments, told or ()), ((kind, UNKNOWN if known is None else UNLIKE),))
    if kind == "MultiheadAttention" and parts:
        return _attention(dict(parts["out_proj"].tensors))
    found = _of_known(kind, known, told)
    if not known.of_torch:
        return found
    return replace(found, attentions=frozenset(name for name, part in parts.items() if part.kind == "MultiheadAttention"))


def _attention(output: Mapping[str, Shape]) -> OwnParameters:
    """Torch's attention, whose print shows the output projection alone: E² parameters where the queries are E wide.

    Queries, keys and values have one joined matrix, as wide as the inputs of all three together, and a joined bias if the output has one.
    Its arguments ``kdim`` and ``vdim``, for keys and values of other widths, and ``add_bias_kv``, for 2E more, are not printed.
    """
    width = output["weight"][0]
    weight, bias = ("in_proj_weight", (3 * width, width)), ("in_proj_bias", (3 * width,))
    return OwnParameters((weight, bias) if "bias" in output else (weight,), (("MultiheadAttention", ATTENTION),))


def without_width_doubts(node: Node) -> Node:
    """An attention, or a list of such, without the doubt about the widths of its keys and values."""
    if node.kind in CONTAINERS:
        groups = tuple(replace(group, body=without_width_doubts(group.body)) for group in node.groups)
        return replace(node, groups=groups, children=tuple((name, without_width_doubts(child)) for name, child in node.children))
    return replace(node, missed=tuple(each for each in node.missed if each[1] != ATTENTION))


def _is_the_known_one(
    kind: str, arguments: str, known: ClassContents, names: Collection[str], parts: Mapping[str, Node], around: Sequence[str]
) -> bool:
    """Whether a module with the name of a torch class prints the arguments of that class, and has its parts and no others. One with the
    name of a class of the reference stands inside of another such class, or has the parts of that class.
    """
    if kind in NUMBERED and not all(name[0].isdecimal() for name in names):
        return False
    if not (known.of_torch or kind in CONTAINERS or kind in WRAPPERS):
        outer = (class_contents(each) for each in around if each not in CONTAINERS and each not in WRAPPERS)
        inside = any(each is not None and not each.of_torch for each in outer)
        return inside or has_parts_of_the_reference(kind, [name for name, part in parts.items() if not part.empty], names)
    if not prints_like_torch(kind, arguments):
        return False
    if not names or kind in CONTAINERS:
        return True
    expected = PARTS_OF_TORCH.get(kind, {})
    return expected.keys() - NOT_ALWAYS <= {*names} <= expected.keys() and all(
        expected[name] in ("", part.kind) for name, part in parts.items()
    )


def _is_harmless(kind: str, arguments: str) -> bool:
    """Whether a module has no parameters by its name. One that prints other arguments than modules of such names do may have some."""
    if kind in ("Rearrange", "Reduce"):
        return "->" in arguments
    return is_harmless(kind) and (prints_like_function(arguments) if FUNCTION.fullmatch(kind) else prints_like_pooling(arguments))


def _of_known(kind: str, known: ClassContents, told: Tensors | None) -> OwnParameters:
    tensors = tuple(tensor for tensor in told or () if known.base or tensor[0] in known.names)
    missed: list[Missed] = [(kind, "unsized")] if known.base and told is None else []
    silent = [name for name in known.names if name not in dict(tensors)]
    for why, names in (
        ("hidden", [name for name in silent if name not in known.optional]),
        ("optional", [name for name in silent if name in known.optional]),
    ):
        if names:
            missed.append((f"{', '.join(names)} of {kind}", why))
    return OwnParameters(tensors, tuple(missed), known.attentions)


def _certain(kind: str, arguments: str, told: Tensors) -> Tensors:
    """The tensors that a module of unknown class without printed parts has at least: a norm or a matrix that does not mention a bias may
    have none, and one with arguments that no layer of torch has may have fewer than its sizes tell, such as those of a low rank.
    """
    if not prints_like_layer(arguments):
        return ()
    without_bias = "bias" not in arguments and ("in_features" in arguments or (kind.endswith("Norm") and "affine" not in arguments))
    return told[:1] if without_bias else told
