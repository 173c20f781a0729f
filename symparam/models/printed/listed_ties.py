"""Ties in a listing: those that the classes with its tensors have, by default or in a released model, and which released model it is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import cache

from symparam.core.frozen import frozen
from symparam.models.configs.presets import presets
from symparam.models.configs.values import model_from_config
from symparam.models.printed.class_knowledge import Tying, tying_classes
from symparam.models.printed.known_states import numberless
from symparam.models.printed.tree import Node, Shape

FLAG = "tie_word_embeddings"


def usually_tied(root: Node, classes: Sequence[str]) -> Tying | None:
    """The ties that the class whose tensors are listed may have; None if it has none. They are ``by_default`` where most of these classes
    have them by default.

    ``classes`` are those of the reference that list exactly these names; a config may tie what the class does not tie by default. If there
    are none, any class may be meant whose tied tensors, with the flag set, are all listed, and which ties them by default or in a released
    model. The whole class may be in a further module.
    """
    every, path = tying_classes(), f"{_wrapper(root)}."
    for before in dict.fromkeys(("", path.lstrip("."))):
        names = frozenset(name.removeprefix(before) for name, *_ in _tensors(root))
        if classes:
            known = {kind: every[kind] for kind in classes if kind in every and _lists_any(every[kind], names)}
        else:
            known = {kind: replace(each, always={}) for kind, each in every.items() if may_tie(each, names)}
        tying = [each for kind, each in known.items() if classes or each.always or each.by_default or kind in _tied_where_released()]
        if tying:
            found = max(tying, key=lambda each: len(each.flagged) + len(each.always))
            by_default = bool(classes) and 2 * sum(each.by_default for each in known.values()) > len(known)
            return Tying(_inside(before, found.always), _inside(before, found.flagged), by_default)
    return None


def ties_by_default(root: Node, classes: Sequence[str]) -> bool:
    """Whether most of the classes of the reference that may be listed tie by default what is listed twice."""
    usual = usually_tied(root, classes)
    return usual is not None and usual.by_default


@frozen
class Released:
    """The names of the released models that have just the tensors of a listing, and whether these tie what it may list twice."""

    names: tuple[str, ...]
    tied: bool


def released_with(root: Node, twice: Set[str]) -> Released | None:
    """The released models with all tensors of the listing, but perhaps for those that it may list ``twice``; None if there is none, or if
    some of them tie these and others do not. All may be in a further module.
    """
    before, patterns = f"{_wrapper(root)}.", {*map(numberless, twice)}
    listed, once = Counter[tuple[str, Shape]](), Counter[tuple[str, Shape]]()
    for name, shape, copies in _tensors(root):
        listed[name, shape] += copies
        once[name, shape] += copies * (name not in patterns)
    once = +once
    rows = {shape[0] for _, shape in listed if len(shape) == 2}
    found = dict[str, bool]()
    for name, preset in presets().items():
        if preset.config.get("vocab_size") in rows:
            model = model_from_config(preset.document)
            parameters = [(numberless(each), shape) for each, shape, _ in model.architecture.named_parameters(model.values)]
            for inside in dict.fromkeys(("", before.lstrip("."))):
                sizes = Counter((inside + each, shape) for each, shape in parameters)
                if sizes in (listed, once):
                    found[name] = sizes == once
    return Released(tuple(found), all(found.values())) if len({*found.values()}) == 1 else None


@cache
def _tied_where_released() -> frozenset[str]:
    """The classes of the released models whose configs tie the head."""
    configs = [preset.config for preset in presets().values()]
    return frozenset(str(kind) for each in configs if each.get(FLAG) is True for kind in _listed(each.get("architectures")))


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _wrapper(root: Node) -> str:
    """The path of the innermost module that holds everything; empty if there is none."""
    path = ""
    while len(root.children) == 1 and not root.tensors and not root.groups:
        ((name, root),) = root.children
        path = f"{path}.{name}" if path else name
    return path


def _inside(before: str, pairs: Mapping[str, str]) -> dict[str, str]:
    return {before + name: before + target for name, target in pairs.items()}


def _lists_any(known: Tying, names: Set[str]) -> bool:
    """Whether a tensor that the class ties is among the names."""
    return any(re.sub(r"\*\d+", "#", numberless(name)) in names for name in (*known.always, *known.flagged))


def may_tie(known: Tying, names: Set[str]) -> bool:
    """Whether everything that these ties affect when the flag is set is among the names, which have ``#`` for numbers."""
    return bool(known.flagged) and all(numberless(name) in names for pair in known.flagged.items() for name in pair)


def _tensors(node: Node, path: str = "", copies: int = 1) -> Iterator[tuple[str, Shape, int]]:
    """The tensors with ``#`` for numbers in their names, their shapes, and how many there are of each."""
    yield from ((path + name, shape, copies) for name, shape in node.tensors)
    for name, child in node.children:
        yield from _tensors(child, f"{path}{name}.", copies)
    for group in node.groups:
        yield from _tensors(group.body, f"{path}#.", copies * group.count)
