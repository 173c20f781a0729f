"""The parameters that a printed module holds itself: those that its arguments determine, and those that its class has or may have in
addition.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from symparam.core.frozen import frozen
from symparam.models.printed.class_knowledge import CONTAINERS, ClassContents, class_contents, is_harmless
from symparam.models.printed.leaf_kinds import Tensors, tensors_of
from symparam.models.printed.tree import ATTENTION, UNKNOWN, Missed, Node, Shape

_NORMS, _FEED_FORWARD = {"norm1", "norm2", "norm3"}, {"linear1", "linear2", "dropout", "dropout1", "dropout2", "dropout3", "activation"}
PARTS_OF_TORCH: Mapping[str, Mapping[str, str]] = {
    "MultiheadAttention": {"out_proj": "NonDynamicallyQuantizableLinear"},
    "Transformer": {"encoder": "TransformerEncoder", "decoder": "TransformerDecoder"},
    "TransformerEncoder": {"layers": "ModuleList", "norm": ""},
    "TransformerDecoder": {"layers": "ModuleList", "norm": ""},
    "TransformerEncoderLayer": {"self_attn": "MultiheadAttention", **dict.fromkeys(_NORMS | _FEED_FORWARD, "")},
    "TransformerDecoderLayer": {
        "self_attn": "MultiheadAttention",
        "multihead_attn": "MultiheadAttention",
        **dict.fromkeys(_NORMS | _FEED_FORWARD, ""),
    },
    "AdaptiveLogSoftmaxWithLoss": {"head": "Linear", "tail": "ModuleList"},
}
"""The torch modules that contain modules: the names of these, and their classes where fixed."""


@frozen
class OwnParameters:
    """The tensors of a module, without those of its parts; what may be missing from them; and those of its parts (``attentions``) that are
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
    known = class_contents(kind, around)
    if known is None or not _is_the_known_one(kind, known, names, parts):
        if told is None and not names and is_harmless(kind):
            return OwnParameters(())
        if (described := lookup(kind, [name for name, part in parts.items() if not part.empty], names)) is not None:
            return _of_known(kind, described, told)
        return OwnParameters(() if names else _certain(kind, arguments, told or ()), ((kind, UNKNOWN),))
    if kind == "MultiheadAttention" and parts:
        return _attention(dict(parts["out_proj"].tensors))
    found = _of_known(kind, known, told)
    if not known.of_torch:
        return found
    return replace(found, attentions=frozenset(name for name, part in parts.items() if part.kind == "MultiheadAttention"))


def _attention(output: Mapping[str, Shape]) -> OwnParameters:
    """Torch's attention, whose print shows the output projection alone: E² parameters where the queries are E wide.

    The matrix of queries, keys and values is as wide as the inputs of all three together, and their joined bias is there if the output has
    one. Its arguments ``kdim`` and ``vdim``, for keys and values of other widths, and ``add_bias_kv``, for 2E more, are not printed.
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


def _is_the_known_one(kind: str, known: ClassContents, names: Collection[str], parts: Mapping[str, Node]) -> bool:
    """Whether a module with the name of a torch class has the parts of that class and no others."""
    if not known.of_torch or not names:
        return True
    expected = PARTS_OF_TORCH.get(kind, {})
    return {*names} <= expected.keys() and all(expected[name] in ("", part.kind) for name, part in parts.items())


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
    """The tensors that a module of unknown class without printed parts has at least: a norm that does not mention a bias may have none."""
    return told[:1] if kind.endswith("Norm") and "affine" not in arguments else told
