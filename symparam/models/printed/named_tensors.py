"""Tensors by full name and shape, assembled into the tree of modules that the names imply."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from symparam.core.dimensions import MAX_SIZE
from symparam.core.frozen import frozen
from symparam.core.message import Message, counted, message
from symparam.errors import DocumentError, shorten
from symparam.models.printed.buffers import has_unusual_name, is_buffer, may_be_buffer, norms_without_count, standing_apart
from symparam.models.printed.known_states import KnownState, known_state
from symparam.models.printed.tree import BUFFER, MAX_LAYERS, UNNAMED, Missed, Node, Shape, grouped

MAX_TENSORS = 200_000
MAX_DEPTH = 60

LAYER_LISTS = frozenset({"layer", "layers", "h", "block", "blocks", "experts"})
"""Names of lists in which a gap may mean that layers were left out; others, such as a Sequential, may contain parts without tensors."""

_LISTS = re.compile(r"(?:^h|layers?|blocks?|experts|stages?)$")
_FEWEST_ALIKE = 3  # Layers beside one that lacks a module that they have; of a module that is listed, two tell what it lacks.
_INDEX = re.compile(
    r"[ijNX]|[xX]{2,3}|[ijkn]{2}|all|each|every|\d{1,6}(?:to|_|\.\.)\d{1,6}|(?:\w{1,40}_)?(?:i|n|N|L|id|idx|index|num)", re.ASCII
)
_RANGE = re.compile(r"\d{1,6}-\d{1,6}")
"""What stands in place of the layer number in names that stand for all layers."""
_TEMPLATE = re.compile(
    r"(?:\w{1,40}_)?(?:h|layers?|blocks?|experts?|stages?)_(?:[ijnN]|idx|index)|(?:layers?|blocks?|experts?|stages?)[NX]", re.ASCII
)
_MAY_BE_INDEX = re.compile(r"[klmnxLM]|\d{1,6}_\d{1,6}")
"""The same, but only where all other names in the list are numbers: otherwise these are modules, such as ``k``, ``q`` and ``v``."""


_PACKED = re.compile(r"\.(?:qweight|qzeros|weight_packed|absmax|quant_map|g_idx)$")
"""What GPTQ, AWQ, bitsandbytes and others store for the weight of a quantised layer."""
_OF_OPTIMIZER = re.compile(r"(?:^|\.)(?:max_)?exp_avg(?:_sqs?)?(?:\.|$)|(?:^|\.)momentum_buffer(?:\.|$)")


@frozen
class NamedTensor:
    """A tensor as listed: its name, its shape, and its position in words."""

    name: str
    shape: Shape
    place: str
    line: int = 0


@dataclass
class ModuleDraft:
    """A module under construction: its tensors and further modules by name, in the order of the listing."""

    line: int
    tensors: dict[str, NamedTensor] = field(default_factory=dict)
    branches: dict[str, ModuleDraft] = field(default_factory=dict)


@dataclass
class Filling:
    """Whether and where omitted layers are filled in: where an ellipsis stands for them. ``parameters_only`` says that the text claims to
    list only parameters, ``says_state`` that it lists those of a state. ``buffers`` are the tensors left out as such, ``perhaps_frozen``
    the modules whose tensors may all be buffers, ``apart`` the tensors that have no size of another, and ``state`` the state of the
    reference that has exactly these names.
    """

    name: str
    allowed: bool
    ellipses: Mapping[str, frozenset[int]] = field(default_factory=dict)
    parameters_only: bool = False
    says_state: bool = False
    remarks: list[Message] = field(default_factory=list)
    buffers: list[str] = field(default_factory=list)
    perhaps_frozen: frozenset[str] = frozenset()
    apart: frozenset[str] = frozenset()
    state: KnownState | None = None


def tree(tensors: Iterable[NamedTensor], kind: str, filling: Filling) -> tuple[Node, tuple[Message, ...]]:
    """The module that holds these tensors, with remarks on what was omitted or filled in.

    ``filling.ellipses`` gives, for the path of a list of layers, the numbers of the layers after which an ellipsis omits some. Raises
    `DocumentError` for tensors that contradict each other.
    """
    root, empty, count = ModuleDraft(0), list[str](), 0
    tensors = [*tensors]
    names = {tensor.name for tensor in tensors}
    _require_whole_tensors(tensors)
    _require_numbered(tensors)
    _require_sizes(tensors)
    _require_full_names(tensors)
    certain = {tensor.name for tensor in tensors if is_buffer(tensor.name, tensor.shape, names)}
    state = filling.state = None if filling.parameters_only else known_state(names - certain)
    filling.perhaps_frozen = norms_without_count(names) if state is None else frozenset()
    filling.apart = standing_apart((tensor.name, tensor.shape) for tensor in tensors)
    for tensor in tensors:
        _check(tensor)
        if 0 in tensor.shape:
            empty.append(tensor.name)
            continue
        if tensor.name in certain or (state and state.is_buffer(tensor.name)):
            filling.buffers.append(tensor.name)
            continue
        count += _placed(root, tensor)
        if count > MAX_TENSORS:
            raise DocumentError(f"{tensor.place}: more than {MAX_TENSORS:,} tensors are listed, more than any model has")
    if not count:
        raise DocumentError(f"{kind} lists no tensor that is a parameter; names with shapes are expected")
    if empty:
        filling.remarks.append(message("no-elements", tensors=_such_as(empty)))
    if filling.buffers:
        filling.remarks.append(message("buffers-by-name", tensors=_such_as(filling.buffers)))
    return _node(root, "", kind, filling), tuple(filling.remarks)


def _such_as(names: list[str]) -> Message:
    return counted("listed-such-as", len(names), first=names[0])


def _require_whole_tensors(tensors: list[NamedTensor]) -> None:
    """Raise a `DocumentError` for a model sharded over several machines, where the listing shows only parts of tensors."""
    matrices = [tensor for tensor in tensors if tensor.name.endswith("weight")] or tensors
    spread = [tensor for tensor in matrices if tensor.shape == (0,)]
    if matrices and 2 * len(spread) >= len(matrices):
        raise DocumentError(
            f"{spread[0].place}: {shorten(spread[0].name)} has a size of 0, like a tensor that is spread over several machines; "
            "list the shapes of the whole tensors"
        )


def _require_numbered(tensors: list[NamedTensor]) -> None:
    """Raise a `DocumentError` for a name that stands for several tensors, with a letter or a range in place of the layer number."""
    inside = defaultdict[str, set[str]](set)
    for tensor in tensors:
        for at, sign in enumerate(tensor.name):
            if sign == ".":
                inside[tensor.name[:at]].add(tensor.name[at + 1 :].partition(".")[0])
    words = {outer: sum(not each.isdecimal() for each in parts) for outer, parts in inside.items()}
    for tensor in tensors:
        *path, _ = tensor.name.split(".")
        for at, (outer, part) in enumerate(pairwise(("-", *path))):
            alone = at > 0 and words[".".join(path[:at])] == 1
            listed = _LISTS.search(outer) and ((alone and _MAY_BE_INDEX.fullmatch(part)) or _is_index(part))
            if not part or _RANGE.fullmatch(part) or _TEMPLATE.fullmatch(part) or listed:
                raise DocumentError(
                    f"{tensor.place}: {shorten(tensor.name)} stands for several tensors, with {part!r} for a number; list each, or the "
                    "first and the last layer with a line '...' between them"
                )


def _is_index(part: str) -> bool:
    return _INDEX.fullmatch(part) is not None and _MAY_BE_INDEX.fullmatch(part) is None


def _require_sizes(tensors: list[NamedTensor]) -> None:
    """Raise a `DocumentError` where no tensor has a size, as in a graph whose nodes have no arguments: ``get_attr weight ()``."""
    if len(tensors) > 2 and not any(tensor.shape for tensor in tensors):
        raise DocumentError(f"{tensors[0].place}: {shorten(tensors[0].name)} and all others have no sizes; list them with their shapes")


def _require_full_names(tensors: list[NamedTensor]) -> None:
    """Raise a `DocumentError` where a name without a dot occurs again, as it does in a nested listing of which only the last parts of names
    were read. A listing that is repeated as a whole, as by several processes, is accepted.
    """
    counts = Counter(tensor.name for tensor in tensors)
    if len({*counts.values()}) == 1 and any("." in name for name in counts):
        return
    for name, count in counts.items():
        if count > 1 and "." not in name:
            first, again = [tensor.place for tensor in tensors if tensor.name == name][:2]
            raise DocumentError(
                f"{again}: {shorten(name)} is listed in {first} too; if these are two tensors, list them by their full names, as "
                "named_parameters() gives them, and otherwise once"
            )


def require_parameters(tensors: Iterable[NamedTensor]) -> None:
    """Raise a `DocumentError` for what is listed beside parameters, or instead of them: the state of an optimizer, and packed numbers."""
    for tensor in tensors:
        if _PACKED.search(tensor.name):
            raise DocumentError(
                f"{tensor.place}: {shorten(tensor.name)} belongs to a quantised layer, which packs several numbers into one, so its shape "
                "does not tell how many there are; list the tensors of the model before it was quantised"
            )
        if _OF_OPTIMIZER.search(tensor.name):
            raise DocumentError(
                f"{tensor.place}: {shorten(tensor.name)} belongs to the state of an optimizer and is not a parameter; leave it out"
            )


def _check(tensor: NamedTensor) -> None:
    if any(size > MAX_SIZE for size in tensor.shape):
        raise DocumentError(f"{tensor.place}: {shorten(tensor.name)} has a size larger than 10^18, which no tensor has")
    if tensor.name.count(".") > MAX_DEPTH:
        raise DocumentError(f"{tensor.place}: {shorten(tensor.name)} lies more than {MAX_DEPTH} modules deep, which no tensor does")


def _placed(root: ModuleDraft, tensor: NamedTensor) -> int:
    *path, name = tensor.name.split(".")
    branch = root
    for part in path:
        branch = branch.branches.setdefault(part, ModuleDraft(tensor.line))
    known = branch.tensors.setdefault(name, tensor)
    if known.shape != tensor.shape:
        raise DocumentError(
            f"{tensor.place}: {tensor.name} is {render_shape(tensor.shape)} here, but {render_shape(known.shape)} in {known.place}; "
            "keep one of them"
        )
    return int(known is tensor)


def render_shape(shape: Shape) -> str:
    """``30,522 × 768``."""
    return " × ".join(f"{size:,}" for size in shape) or "a single number"


def _node(branch: ModuleDraft, path: str, kind: str, filling: Filling) -> Node:
    before = f"{path}." if path else ""
    if name := next((name for name in branch.tensors if name in branch.branches), ""):
        raise DocumentError(
            f"{branch.tensors[name].place}: {shorten(before + name)} is a tensor here, and a module by other names; leave out the line "
            "if it is the sum of these"
        )
    numbered = {name: inner for name, inner in branch.branches.items() if re.fullmatch(r"0|[1-9]\d{0,8}", name)}
    nodes = {name: _node(inner, before + name, "", filling) for name, inner in branch.branches.items()}
    spans = [(range(int(name), int(name) + 1), nodes[name]) for name in sorted(numbered, key=int)]
    if spans and spans[-1][0].stop > MAX_LAYERS:
        raise DocumentError(f"{path} has a layer numbered {spans[-1][0].start:,}; at most {MAX_LAYERS:,} are read")
    if filling.allowed:
        spans = _filled(spans, path, filling)
    missed = tuple(_not_listed(spans, path, filling)) if filling.allowed else ()
    open_ = not filling.parameters_only and filling.state is None
    frozen = path in filling.perhaps_frozen
    missed += tuple((name, BUFFER) for name in branch.tensors if open_ and (frozen or may_be_buffer(before + name)))
    in_state = open_ and (filling.says_state or bool(filling.buffers))
    told = {name for name, _ in missed}
    unnamed = (
        name for name in branch.tensors if open_ and ((in_state and has_unusual_name(before + name)) or before + name in filling.apart)
    )
    missed += tuple((name, UNNAMED) for name in unnamed if name not in told)
    children = tuple((name, node) for name, node in nodes.items() if name not in numbered)
    tensors = tuple((name, tensor.shape) for name, tensor in branch.tensors.items())
    return Node(kind or _kind(path.rpartition(".")[2], tensors, branch), tensors, children, grouped(spans), missed, line=branch.line)


def _filled(spans: list[tuple[range, Node]], path: str, filling: Filling) -> list[tuple[range, Node]]:
    """The layers, with those filled in that an ellipsis omits between two identical ones.

    Raises `DocumentError` where the numbers of the listed layers jump elsewhere too, or layers of two kinds alternate, since those left out
    may then alternate as well.
    """
    omitted = filling.ellipses.get(path, frozenset())
    gaps = [at for at, (one, other) in enumerate(pairwise(spans)) if one[0].stop < other[0].start]
    filled = list(spans)
    for at in reversed(gaps if omitted else []):
        (before, node), (after, other) = spans[at], spans[at + 1]
        between = range(before.stop, after.start)
        first, last = f"{path}.{between.start}", f"{path}.{between.stop - 1}"
        alike = (f"{path}.{before.stop - 1}", f"{path}.{after.start}")
        if between.start - 1 not in omitted:
            raise DocumentError(
                f"{filling.name}, line {other.line}: {alike[1]} follows {alike[0]} without '...' between them, so it is unclear which "
                "layers another '...' leaves out; list all layers"
            )
        if node != other:
            raise DocumentError(
                f"{filling.name}, line {other.line}: {first} to {last} are left out of the listing, but {alike[0]} (line {node.line}) and "
                f"{alike[1]} (line {other.line}) are not alike{_difference(node, other)}; list all layers"
            )
        same = [place for place, (_, body) in enumerate(spans) if body == node]
        if same[-1] - same[0] >= len(same):
            raise DocumentError(
                f"{filling.name}, line {other.line}: {first} to {last} are left out of the listing, and layers of several kinds take turns "
                "in it, so it is unclear which these are; list all layers"
            )
        filled.insert(at + 1, (between, node))
        filling.remarks.append(counted("layers-filled-in", len(between), first=first, last=last, alike=alike))
    return filled


def _not_listed(spans: list[tuple[range, Node]], path: str, filling: Filling) -> Iterator[Missed]:
    """Layers missing without an ellipsis between two identical ones that hold modules, and what a single layer lacks that its neighbours
    have: a line may be lost.
    """
    if path.rpartition(".")[2] in LAYER_LISTS:
        for (before, node), (after, other) in pairwise(spans):
            if before.stop < after.start and (node.children or node.groups):
                first, last = f"{path}.{before.stop}", f"{path}.{after.start - 1}"
                if node == other:
                    yield first if first == last else f"{first} to {last}", "gap"
                else:
                    layers = first if first == last else message("first-to-last", first=first, last=last)
                    filling.remarks.append(message("not-listed", layers=layers))
        times = Counter(node for _, node in spans)
        for (_, one), (numbers, odd), (_, same) in zip(spans, spans[1:], spans[2:], strict=False):
            own, usual = _names(odd), _names(one)
            if one == same and times[odd] == 1 and own.items() <= usual.items():
                modules = {name.rpartition(".")[0] for name in own}
                sure = times[one] >= _FEWEST_ALIKE
                lost = (name for name in usual if name not in own and (sure or name.rpartition(".")[0] in modules))
                yield from ((f"{path}.{numbers.start}.{name}", "odd-layer") for name in lost)


def _names(node: Node, path: str = "") -> dict[str, Shape]:
    found = {f"{path}{name}": shape for name, shape in node.tensors}
    for name, child in node.children:
        found |= _names(child, f"{path}{name}.")
    for run in node.groups:
        found |= _names(run.body, f"{path}{{{run.numbers[0].start}}}.")
    return found


def _difference(one: Node, other: Node) -> str:
    first, second = _names(one), _names(other)
    for name in first | second:
        if first.get(name) != second.get(name):
            shown = [render_shape(each[name]) if name in each else "missing" for each in (first, second)]
            return f": {name} is {shown[0]} and {shown[1]}"
    return ""


def _kind(name: str, tensors: tuple[tuple[str, Shape], ...], branch: ModuleDraft) -> str:
    """The most likely class of a module with these tensors; it affects how its formula is explained, never its count."""
    shapes = dict(tensors)
    weight, bias = shapes.get("weight"), shapes.get("bias")
    if branch.branches or weight is None or shapes.keys() - {"weight", "bias"}:
        return "Module"
    if len(weight) == 1:
        return "LayerNorm" if bias == weight else "RMSNorm" if bias is None else "Module"
    if len(weight) != 2:
        return "Module"
    if bias is None:
        return "Embedding" if re.search(r"emb|wte|wpe|shared", name, re.IGNORECASE) else "Linear"
    if len(bias) != 1 or (bias[0] not in weight and 1 in weight):
        return "Module"
    if bias[0] not in weight:
        tensor = branch.tensors["bias"]
        raise DocumentError(
            f"{tensor.place}: {tensor.name} is {render_shape(bias)}, which fits neither side of {branch.tensors['weight'].name}, "
            f"{render_shape(weight)} in {branch.tensors['weight'].place}; correct one of the shapes"
        )
    return "Linear" if bias[0] == weight[0] else "Conv1D"
