"""Tied tensors, which a print cannot show: an output layer tied to the token embedding, and blocks that occur more than once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import prod

from symparam.core.frozen import frozen
from symparam.core.message import Message, counted, message
from symparam.errors import ConfigError
from symparam.models.architectures import Flags, find_architecture
from symparam.models.blocks.architecture import INDEXES
from symparam.models.blocks.missing import Missing
from symparam.models.configs.config_file import ConfigDocument
from symparam.models.printed.class_knowledge import CONTAINERS, WRAPPERS, Tying, tying
from symparam.models.printed.listed_heads import listed_heads
from symparam.models.printed.listed_ties import FLAG, released_with, usually_tied
from symparam.models.printed.recognition import POSITION, token_tables
from symparam.models.printed.tree import Node, Shape, grouped, least, numbers, placed_modules

Pairs = Mapping[str, str]
"""The full names of tied tensors, each mapped to its target."""


@frozen
class Ties:
    """The tree with its ties, remarks that give the number for both cases, and what remains open."""

    root: Node
    remarks: tuple[Message, ...] = ()
    missing: tuple[Missing, ...] = ()


def ties(
    root: Node,
    flags: Flags,
    config: ConfigDocument | None,
    printed: bool,
    by_source: Tying | None = None,
    of_state: bool | None = None,
    classes: Sequence[str] = (),
) -> Ties:
    """The ties of the model by the flag or the config. Without either, it remains open whether a printed head is tied: it is counted as its
    class ties it by default or, if that is unknown, as tied, so that the number is a lower bound.

    ``printed`` is false for a listing; everything listed is counted unless the flag says otherwise, or most classes with these names tie it
    by default. The listing of a state (``of_state``) has tied tensors twice, so that a tie remains open there. So it does in a listing of
    what its class ties by default or in a released model, and where a class that is not known may tie a head, unless it lists only
    parameters (``of_state`` is False), each of which stands there once. ``by_source`` is what the source of its class says, and ``classes``
    are those of the reference whose state the listing may be.
    """
    known, default = _by_class(root) if printed else (None, "")
    known = known or (by_source if printed else None)
    usual = None if printed else usually_tied(root, classes)
    given = flags.get(FLAG, _given(config))
    if given is None and known and config:
        given = known.by_default  # A config leaves out what its class has by default.
    found = _candidates(root, known, usual, given, printed, of_state, classes)
    always, flagged = found.always, found.flagged
    if not flagged:
        remarks = (message("nothing-to-tie", flag=FLAG),) if FLAG in flags else ()
        return Ties(_with_ties(root, always), (*_of_shared(always), *remarks))
    is_open = given is None and (printed or found.twice)
    released = released_with(root, {*always, *flagged}) if is_open and not printed else None
    if released:
        given, is_open = released.tied, False
    usually = usual.by_default if usual is not None and is_open else printed
    tied = given if given is not None else known.by_default if known else usually
    totals = {both: root.elements - _elements(root, (*always, *(flagged if both else ()))) for both in (True, False)}
    chosen = {**always, **flagged} if tied else always
    chosen = {name: chosen.get(target, target) for name, target in chosen.items()}
    like = (message("sizes-as-released", names=released.names),) if released else ()
    remarks = (*_of_shared(always), *like, *(() if is_open else (_remark(flagged, totals, tied, given),)))
    fewest = least(_with_ties(root, {**always, **flagged})) if is_open and not tied else None
    open_ties = (
        *(_open(flagged, totals, default, fewest, printed) if is_open else ()),
        *(_of_blocks(known.flagged, chosen) if known else ()),
    )
    return Ties(_told(_with_ties(root, chosen), known.flagged if known and tied else {}), remarks, open_ties)


@frozen
class _Candidates:
    """The tensors that are tied whatever the settings are, and those that the flag ties, each with its target; and whether a listing may
    have the latter twice.
    """

    always: Pairs
    flagged: Pairs
    twice: bool


def _candidates(
    root: Node,
    known: Tying | None,
    usual: Tying | None,
    given: bool | None,
    printed: bool,
    of_state: bool | None,
    classes: Sequence[str],
) -> _Candidates:
    """What may be tied: what the class (``known``) or most classes with these names (``usual``) tie, or else tensors alike in shape."""
    always = dict(_pairs(root, known.always)) if known else {}
    flagged = dict(_pairs(root, known.flagged)) if known else {}
    if usual is not None:
        always, flagged = _alike_pairs(root, usual.always), _alike_pairs(root, usual.flagged)
    if of_state is False:
        always, flagged = {}, {**always, **flagged}  # All are there of their own.
    twice = usual is not None and bool(flagged) and of_state is not False
    if not always and not flagged and (known is None or known.flagged or given is not None):  # Earlier versions have other names.
        heads = {} if printed else listed_heads(root)
        flagged = heads or _alike(root)
        twice = bool(of_state or (heads and of_state is None)) and (not classes or None in map(tying, classes))
    # Where a config cannot untie the tables of encoder and decoder, they are tied even if the head is a matrix of its own, as in the later
    # releases of T5. Without a head, it is the tables that the setting is for.
    kept = printed and (known is None or known.kept)
    tables = {name: target for name, target in flagged.items() if kept and _is_shared_table(name, target)}
    always |= tables if len(tables) < len(flagged) else {}
    flagged = {name: target for name, target in flagged.items() if name not in always}
    return _Candidates(always, flagged, twice)


def _by_class(node: Node) -> tuple[Tying | None, str]:
    """The ties of a model by its class, or those of the models inside it if it has none of its own, as in a wrapper; and the class."""
    found = tying(node.kind) or _of_family(node.kind)
    if found is not None and (found.always or found.flagged or node.kind not in CONTAINERS | WRAPPERS):
        return found, node.kind
    parts: list[tuple[tuple[str, ...], Node]] = [((name,), child) for name, child in node.children]
    parts += [(tuple(str(at) for span in group.numbers for at in span), group.body) for group in node.groups]
    always, flagged, kinds = dict[str, str](), dict[str, str](), dict[str, Tying]()
    for names, part in parts:
        inner, kind = _by_class(part)
        if inner is not None and (inner.always or inner.flagged):
            kinds[kind] = inner
            always |= {f"{name}.{tied}": f"{name}.{target}" for name in names for tied, target in inner.always.items()}
            flagged |= {f"{name}.{tied}": f"{name}.{target}" for name in names for tied, target in inner.flagged.items()}
    if not kinds:
        return found, node.kind if found else ""
    inside = kinds.values()
    return Tying(always, flagged, any(each.by_default for each in inside), any(each.kept for each in inside)), next(iter(kinds))


def _of_family(kind: str) -> Tying | None:
    """The ties of a class of symparam's own architectures."""
    choice = find_architecture(kind)
    if choice is None or choice.class_name != kind:
        return None
    architecture = choice.family.architecture(choice.class_name)
    pairs = {name: tensor.tied_to for name, tensor in architecture.tensors() if tensor.tied_to}
    return Tying({}, pairs, True) if pairs else None


def _pairs(root: Node, patterns: Pairs) -> Iterator[tuple[str, str]]:
    """The tensors that match the patterns, each with its target, if the model has that too.

    In a pattern, ``#`` is a number that also occurs in the target. A pattern with ``*1`` or ``*2`` means that the first one or two numbers
    repeat: every further tensor is tied to one of theirs.
    """
    for pattern, target in patterns.items():
        period = re.search(r"\*(\d+)", pattern)
        if period is None:
            found = [(name, _filled_in(target, held)) for name, held in _matches(root, pattern.split("."))]
        else:
            found = _again(root, pattern.replace(period[0], "*"), int(period[1]))
        yield from ((name, other) for name, other in found if _shape(root, other) is not None)


def _again(root: Node, pattern: str, period: int) -> list[tuple[str, str]]:
    alike: dict[tuple[int, ...], list[str]] = {}
    star = [part for part in pattern.split(".") if part in ("#", "*")].index("*")
    for name, held in _matches(root, pattern.split(".")):
        alike.setdefault((*held[:star], *held[star + 1 :]), []).append(name)
    return [(name, names[at % period]) for names in alike.values() for at, name in enumerate(names) if at >= period]


def _matches(node: Node, parts: list[str], path: str = "", held: tuple[int, ...] = ()) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The tensors whose names match, in the order of their numbers, with the numbers at the placeholders."""
    first, *rest = parts
    if not rest:
        yield from ((f"{path}{name}", held) for name, _ in node.tensors if name == first)
    elif first in ("#", "*"):
        numbered = sorted((at, group.body) for group in node.groups for span in group.numbers for at in span)
        for at, body in numbered:
            yield from _matches(body, rest, f"{path}{at}.", (*held, at))
    elif child := _part(node, first):
        yield from _matches(child, rest, f"{path}{first}.", held)


def _part(node: Node, name: str) -> Node | None:
    """The module inside with that name or number."""
    if name.isdecimal():
        return next((group.body for group in node.groups for span in group.numbers if int(name) in span), None)
    return dict(node.children).get(name)


def _filled_in(target: str, held: tuple[int, ...]) -> str:
    numbers = iter(held)
    return ".".join(str(next(numbers, 0)) if part == "#" else part for part in target.split("."))


def _shape(root: Node, name: str) -> Shape | None:
    node: Node | None = root
    *path, last = name.split(".")
    for part in path:
        node = _part(node, part) if node else None
    return dict(node.tensors).get(last) if node else None


def _elements(root: Node, names: Iterable[str]) -> int:
    return sum(prod(_shape(root, name) or ()) for name in names)


def _is_shared_table(name: str, target: str) -> bool:
    return f".{target}".endswith(".shared.weight") and ".embed_tokens." in name


def _alike_pairs(root: Node, patterns: Pairs) -> dict[str, str]:
    """The tensors that match the patterns and have the shape of their targets, each with its target."""
    return {name: target for name, target in _pairs(root, patterns) if _shape(root, name) == _shape(root, target)}


def _alike(root: Node) -> dict[str, str]:
    """Further matrices outside the layers with the shape of the token embedding, each with its possible target."""
    outside = [spot for spot in placed_modules(root) if spot.path and "{" not in spot.path]
    first = next((f"{spot.path}.weight" for spot in token_tables(outside)), None)
    if first is None:
        return {}
    found = {}
    for spot in outside:
        name = f"{spot.path}.weight"
        same = name != first and dict(spot.node.tensors).get("weight") == _shape(root, first) and not POSITION.search(spot.name)
        if same and (spot.node.kind.endswith("Linear") or ("Embedding" in spot.node.kind and spot.name == "embed_tokens")):
            found[name] = first
    return found


def _given(config: ConfigDocument | None) -> bool | None:
    value = config.keys.get(FLAG) if config else None
    if config and value is not None and not isinstance(value, bool):
        raise ConfigError(f'{config.place(FLAG)}: "{FLAG}" is {str(value)[:40]}, but true or false is expected')
    return value


def _with_ties(root: Node, pairs: Pairs) -> Node:
    """The tree with these tensors tied. Layers with ties, or with targets, are separated from those without."""
    for name in dict.fromkeys(pairs.values()):
        root = _changed(root, name.split("."), partial(_share, name))
    for name, target in pairs.items():
        tie = _tie if _shape(root, name) == _shape(root, target) else _without  # Torch ties it although its printed shape differs.
        root = _changed(root, name.split("."), partial(tie, target))
    return _resolved(root, root)


def _share(name: str, node: Node, last: str) -> Node:
    return replace(node, shared=(*node.shared, name))


def _tie(target: str, node: Node, last: str) -> Node:
    return replace(node, tied=(*node.tied, (last, target)))


def _without(target: str, node: Node, last: str) -> Node:
    return replace(node, tensors=tuple(tensor for tensor in node.tensors if tensor[0] != last))


def without_tied(node: Node) -> Node:
    """The tree without the tied tensors, which leaves the same number of parameters."""
    children = tuple((name, without_tied(child)) for name, child in node.children)
    groups = tuple(replace(group, body=without_tied(group.body)) for group in node.groups)
    tensors = tuple(tensor for tensor in node.tensors if tensor[0] not in dict(node.tied))
    return replace(node, children=children, groups=groups, tensors=tensors, tied=())


def _told(root: Node, patterns: Pairs) -> Node:
    """The tree without doubts about an unprinted tensor that is tied to a printed one, such as the bias of a head."""
    for name, target in patterns.items():
        if "#" not in name and "*" not in name and _shape(root, name) and not _shape(root, target):
            root = _changed(root, target.split("."), _without_doubt)
    return root


def _without_doubt(node: Node, name: str) -> Node:
    return replace(node, missed=tuple(each for each in node.missed if each != (f"{name} of {node.kind}", "hidden")))


def _changed(node: Node, path: list[str], change: Callable[[Node, str], Node]) -> Node:
    """The tree with the module changed that holds the tensor."""
    first, *rest = path
    if not rest:
        return change(node, first)
    children = tuple((name, _changed(child, rest, change) if name == first else child) for name, child in node.children)
    groups = node.groups
    if first.isdecimal():
        blocks = [
            (range(at, at + 1), _changed(group.body, rest, change) if at == int(first) else group.body)
            for group in groups
            for span in group.numbers
            for at in span
        ]
        groups = grouped(sorted(blocks, key=lambda block: block[0].start))
    return replace(node, children=children, groups=groups)


def _resolved(node: Node, root: Node) -> Node:
    """The tree with the full names of targets in the form of architectures: ``layers.{i=5}.weight``."""
    children = tuple((name, _resolved(child, root)) for name, child in node.children)
    groups = tuple(replace(group, body=_resolved(group.body, root)) for group in node.groups)
    return replace(node, children=children, groups=groups, tied=tuple((name, _spelled(root, target)) for name, target in node.tied))


def _spelled(root: Node, name: str) -> str:
    node, parts, depth = root, [], 0
    *path, last = name.split(".")
    for part in path:
        if part.isdecimal():
            group = next(each for each in node.groups if any(int(part) in span for span in each.numbers))
            if node.layered:
                index = INDEXES[depth]
                part, depth = f"{{{index}}}" if node.repeated else f"{{{index}={numbers(group)}}}", depth + 1
            node = group.body
        else:
            node = dict(node.children)[part]
        parts.append(part)
    return ".".join((*parts, last))


def _of_shared(pairs: Pairs) -> tuple[Message, ...]:
    """The tensors that are tied in any case, by target."""
    found: dict[str, list[str]] = {}
    for name, target in pairs.items():
        found.setdefault(target, []).append(name)
    said = [message("one-table", names=tuple(names), target=target) for target, names in found.items() if len(names) > 1]
    said += [message("same-tensor", name=names[0], target=target) for target, names in found.items() if len(names) == 1]
    return (*said[:4], message("more-shared", count=len(said) - 4)) if len(said) > 5 else tuple(said)


def _remark(pairs: Pairs, numbers: Mapping[bool, int], tied: bool, given: bool | None) -> Message:
    """The count, and what it would be otherwise."""
    kind = "counted-tied" if tied else "counted-apart" if given is not None else "counted-apart-alike"
    names, targets = tuple(pairs), tuple(dict.fromkeys(pairs.values()))
    return counted(kind, len(pairs), total=numbers[tied], names=names, targets=targets, otherwise=numbers[not tied], flag=FLAG)


def _of_blocks(patterns: Pairs, chosen: Pairs) -> Iterator[Missing]:
    """Blocks that occur more than once, for which a print does not show whether they are copies."""
    paths = dict.fromkeys(re.split(r"\.\*\d+\.", pattern)[0] for pattern in patterns if "*" in pattern)
    yield from (Missing(f"blocks of {path}", "shared", path) for path in paths if any(name.startswith(f"{path}.") for name in chosen))


def _open(pairs: Pairs, numbers: Mapping[bool, int], default: str, fewest: int | None, printed: bool) -> Iterator[Missing]:
    """Ties that may exist. ``default`` is the class that decides them by default, ``fewest`` the number of parameters with these ties if
    they are not counted as tied.
    """
    why = "tie-default" if default else "tie" if printed else "tie-twice"
    if fewest is not None:
        why = "tie-open" if printed else "tie-listed"
    for name, target in pairs.items():
        details = {"target": target, "kind": default, "tied": f"{numbers[True]:,}", "untied": f"{numbers[False]:,}"}
        yield Missing(name, why, name.rpartition(".")[0], tuple(details.items()), fewest)
