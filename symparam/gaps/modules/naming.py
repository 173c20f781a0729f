"""A change to a set of tensors in one English phrase, with the names that the reference implementation has for them."""

from __future__ import annotations

from collections.abc import Sequence

from symparam.blocks import Embedding
from symparam.gaps.modules.changes import Candidate, Change
from symparam.gaps.modules.inventory import NO_MODULE, Amount, Inventory, Item, Mask, Status
from symparam.gaps.modules.search import Choice
from symparam.gaps.modules.subsets import WHOLE, Subset, described
from symparam.writing.phrases import phrases

_NAMES = {
    "layers": "layers",
    "layer": "layer",
    "query-key-value": "query, key and value projection",
    "key-value": "key and value projection",
    "feed-forward": "feed-forward part",
    "feed-forward-in": "first map of the feed-forward part",
    "feed-forward-out": "second map of the feed-forward part",
    "feed-forward-out-and-norm": "feed-forward output with its LayerNorm",
    "vocabulary-bias": "bias for each word of the vocabulary",
}
"""Where the title of a role is no noun that a sentence can hold."""
MAX_LISTED = 8
_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def phrase(choice: Choice, times: int = 1, missing: Mask = 0) -> str:
    """What the author did: ``missing: the pooler (pooler.dense)``. What the numbers cannot tell apart is joined by ``or``.

    ``missing`` is all that he leaves out: a shared tensor is counted twice only where he counts the one that it is shared with.
    """
    inventory = choice.candidates[0].inventory
    if choice.change is Change.TIMES:
        return _in_another_number(choice.candidates, times)
    if choice.change is Change.SIZE:
        return _with_another_size(choice.candidates, times)
    subject = _subject(choice.candidates, times).replace("LayerNorm", inventory.norm)
    if choice.change is Change.SURPLUS:
        subject += _counted_twice(choice, inventory, missing)
    return f"{choice.change.value}: {subject}"


def _in_another_number(candidates: Sequence[Candidate], times: int) -> str:
    """``counted once instead of 12 times: the attention``; of whole layers, how many there are too few or too many."""
    first, subset, inventory = candidates[0], candidates[0].subset, candidates[0].inventory
    copies = inventory.shown(subset.place.copies)
    if not subset.is_layers or first.count == 1 or first.more_value is None:
        count = "once" if first.count == 1 else f"{inventory.shown(first.count)} times"
        subject = _subject(candidates, times, in_each=False).replace("LayerNorm", inventory.norm)
        return f"counted {count} instead of {copies} times: {subject}"
    paths = _taken([each.subset.place.path for each in candidates], times)
    if first.more_value < 0:
        return f"missing: {_count(-first.more_value)} of the {copies} {_layers(subset)} ({paths})"
    return f"surplus: {_count(first.more_value)} more than the {copies} {_layers(subset)} ({paths})"


def _with_another_size(candidates: Sequence[Candidate], times: int) -> str:
    """``counted with h in the place of k: the key projection and the value projection in each of the N layers``."""
    first, inventory = candidates[0], candidates[0].inventory
    assert first.sizes is not None
    subjects = [_of_another_size(each).replace("LayerNorm", inventory.norm) for each in candidates]
    return f"counted with {first.sizes.told(inventory)}: {_taken(subjects, times)}"


def _of_another_size(candidate: Candidate) -> str:
    """The one or two modules that have the size, and else the block that they are in."""
    subset, inventory = candidate.subset, candidate.inventory
    paths = {item.place.path for item in inventory.within(candidate.mask)}
    scopes = [scope for scope in inventory.scopes if scope.place.path in paths and scope.place.module.tensors]
    if len(scopes) != 2 or len({scope.place.copies for scope in scopes}) > 1:
        return named(subset, inventory)
    first, second = (described(subset.mask & scope.mask, subset.kind, scope) for scope in scopes)
    return f"{named(first, inventory, in_each=False)} and {named(second, inventory, in_each=False)}{_in_each(first, inventory)}"


def _counted_twice(choice: Choice, inventory: Inventory, missing: Mask) -> str:
    shared = {item.tensor.tied_to for each in choice.candidates for item in inventory.within(each.mask)} - {None}
    left_out = {item.name for item in inventory.within(missing)}
    return ", so it is counted twice" if shared and not shared & left_out else ""


def _subject(candidates: Sequence[Candidate], times: int, in_each: bool = True) -> str:
    inventory = candidates[0].inventory
    subsets = [candidate.subset for candidate in candidates]
    if len(subsets) == 1:
        return named(subsets[0], inventory, in_each)
    if len(subsets) == times:
        return " and ".join(named(subset, inventory, in_each) for subset in subsets)
    first = subsets[0]
    sorts = {(_noun(subset, inventory), subset.kind.words, subset.place.copies) for subset in subsets}
    if len(sorts) == 1 and (noun := _noun(first, inventory)):
        each = _in_each(first, inventory) if in_each else ""
        paths = _listed([_path(subset, inventory) for subset in subsets], "or" if times == 1 else "and")
        others = {item.place.path for item in inventory.items if _is(noun, item) and item.place.copies == first.place.copies}
        size = "" if len(others) == len(subsets) else " of this size"
        part = "" if first.kind is WHOLE else "the bias of " if inventory.within(first.mask)[0].is_bias else "the weight of "
        return f"{part}{_count(times)} of the {_count(len(subsets))} {noun}{size}{each} ({paths})"
    lead = f"{_count(times)} of " if times > 1 else ""
    together = in_each and len({subset.place.copies for subset in subsets}) == 1 and not any(subset.scope.is_layer for subset in subsets)
    names = [named(subset, inventory, in_each and not together) for subset in subsets]
    return lead + _listed(names, "or") + (_in_each(first, inventory) if together else "")


def named(subset: Subset, inventory: Inventory, in_each: bool = True) -> str:
    """A set of tensors by what it is and where it is: ``the biases of the linear maps in each of the 12 layers (encoder.layer.{i})``."""
    return _named(subset, inventory, in_each).replace("LayerNorm", inventory.norm)


def _named(subset: Subset, inventory: Inventory, in_each: bool) -> str:
    items = inventory.within(subset.mask)
    each = _in_each(subset, inventory) if in_each else ""
    if any(item.status is not Status.COUNTED for item in items):
        return _of_surplus(subset, items, each, inventory)
    title = _title(subset, inventory)
    path = f" ({_path(subset, inventory)})" if _path(subset, inventory) else ""
    if subset.kind is WHOLE:
        if subset.scope.is_layer:
            return f"all {inventory.shown(subset.place.copies)} {_layers(subset)}{path}" if in_each else f"{title}{path}"
        return f"{title}{each}{path}"
    if not subset.place.module.children:
        return f"the {'bias' if items[0].is_bias else 'weight'} of {title}{each}{path}"
    if subset.scope.is_layer:
        return f"{subset.kind.words}{each or ' of the ' + _layers(subset)}{path}"
    everything = sum(1 << index for index, item in enumerate(inventory.items) if subset.kind.covers(item))
    if subset.scope.wide and not everything & inventory.of_status(Status.COUNTED) & ~subset.mask:
        return f"{subset.kind.words} of the whole model"
    return f"{subset.kind.words} of {title}{each}{path}"


def _of_surplus(subset: Subset, items: Sequence[Item], each: str, inventory: Inventory) -> str:
    if subset.place.module is NO_MODULE:
        return f"a LayerNorm{each} that the model does not have"
    title, path = _title(subset, inventory), _path(subset, inventory)
    shared = [item.tensor.tied_to for item in items if item.status is Status.SHARED]
    absent = any(item.status is Status.ABSENT for item in items)
    if not shared:
        return f"a bias of {title}{each} ({path}), which the model does not have"
    names = _listed([str(name) for name in shared], "and")
    if not absent:
        return f"{title} ({subset.place.path}), which shares {names}"
    return f"{title} ({subset.place.path}) with a bias, which the model does not have, and with {names}, which it shares"


def _title(subset: Subset, inventory: Inventory) -> str:
    module = subset.place.module
    role = module.role
    if role is None:
        return f"the {module.kind}" if subset.place.path else f"the whole {inventory.architecture.class_name}"
    title = phrases("en").titles.get(role, role).replace("{norm}", module.kind)
    name = _NAMES.get(role, title if title.startswith(("LayerNorm", "RMSNorm", "Transformer")) else title[:1].lower() + title[1:])
    return f"the {name}s" if role.endswith("key-value") and module.children else f"the {name}"


def _path(subset: Subset, inventory: Inventory) -> str:
    """The name of the only tensor of a bias or a weight, and else that of the block."""
    items = inventory.within(subset.mask)
    if len(items) == 1 and subset.kind is not WHOLE and not subset.place.module.children:
        return items[0].name
    return subset.place.path


def _in_each(subset: Subset, inventory: Inventory) -> str:
    copies = subset.place.copies
    return "" if copies == 1 else f" in each of the {inventory.shown(copies)} {_layers(subset)}"


def _layers(subset: Subset) -> str:
    """What the copies of a block are called."""
    words = {"layer", "layers", "block", "blocks", "h"} & set(subset.place.path.replace("_", ".").split("."))
    return "layers" if words or subset.place.module is NO_MODULE else "copies"


def _noun(subset: Subset, inventory: Inventory) -> str:
    """What several blocks of the sort are called; nothing for sets that are no single block."""
    item = inventory.within(subset.mask)[0]
    if subset.place.module.children:
        return ""
    return next((noun for noun in ("LayerNorms", "linear maps", "tables") if _is(noun, item)), "")


def _is(noun: str, item: Item) -> bool:
    sorts = {"LayerNorms": item.is_norm, "linear maps": item.is_linear, "tables": isinstance(item.module, Embedding)}
    return sorts[noun] and item.status is Status.COUNTED


def _listed(names: Sequence[str], word: str) -> str:
    if len(names) > MAX_LISTED:
        names = [*names[: MAX_LISTED - 1], f"{len(names) - MAX_LISTED + 1:,} others"]
    return f" {word} ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _taken(names: Sequence[str], times: int) -> str:
    """One of several that cannot be told apart, or as many of them as there are: ``a or b``, ``a and b each``."""
    if times == 1:
        return _listed(names, "or")
    return (f"{_count(times)} of " if times < len(names) else "") + f"{_listed(names, 'and')} each"


def _count(number: Amount) -> str:
    return _COUNTS[int(number)] if number < len(_COUNTS) else f"{number:,}"
