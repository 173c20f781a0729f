"""From the rules of a network, for given settings, to an architecture with symbolic sizes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress

import sympy

from symparam.core.frozen import frozen
from symparam.errors import ArchitectureError
from symparam.models.blocks import Architecture, Layers, Module, Parameter, Repeat, Tied
from symparam.models.printed.building import block_of, leaf
from symparam.models.printed.class_knowledge import LAYER_OF_TORCH
from symparam.models.traced.conditions import conditions_of
from symparam.models.traced.expressions import (
    CannotEvaluateError,
    Expression,
    Settings,
    depths_in,
    evaluate,
    keys_of,
    mentions,
    negated,
    parts,
    replaced,
)
from symparam.models.traced.forward_pass import INPUTS, PRODUCTS
from symparam.models.traced.letters import LetterAssignment
from symparam.models.traced.list_members import (
    conditions_in,
    counting,
    deciding,
    expressions_of,
    is_true,
    open_ended,
    outcomes_of,
    spans,
    turn_of,
)
from symparam.models.traced.network import (
    LAYERS,
    NUMBER,
    ModuleRule,
    Network,
    RuleEntry,
    TensorRule,
    numbers,
    size,
)
from symparam.models.traced.recorded_products import RecordedProduct, RepeatedProducts, with_products
from symparam.models.traced.simplification import COMPARISONS, fixes, reduced, whole_settings

MOST_OUTCOMES = 1
"""How many outcomes of a comparison are conditions of a formula; where more could be otherwise, the values of its settings are."""
MOST_PASSES = 8  # Rounds; each turns more settings into numbers.


@frozen
class Built:
    """An architecture with the values of its letters, the letters by their settings, and the conditions under which it is right for other
    values. ``derived`` has the letters of settings that are not given, with what they follow from.
    """

    architecture: Architecture
    values: Mapping[str, int]
    letters: Mapping[str, str]
    conditions: tuple[Expression, ...]
    derived: Mapping[str, sympy.Expr]


def build(network: Network, settings: Settings, with_operations: bool = False) -> Built:
    """The architecture for given settings. Raises `ArchitectureError` for what blocks cannot express.

    ``with_operations`` says that the rules include the products of a run, so that a block without any computes none.
    """
    try:
        return _lettered(network, settings, True, with_operations)
    except ArchitectureError:
        return _lettered(network, settings, False, with_operations)  # Tied tensors do not count, so they are left out.


def _lettered(network: Network, settings: Settings, with_ties: bool, with_operations: bool) -> Built:
    """The architecture, with a letter for the number of patches unless something else depends on the sizes of image and patch, too."""
    found = _built(network, settings, with_ties, with_operations, True)
    if any(path.rpartition(".")[2] in ("image_size", "patch_size") for path in found.letters):
        return _built(network, settings, with_ties, with_operations, False)
    return found


def _built(network: Network, settings: Settings, with_ties: bool, with_operations: bool, patches: bool) -> Built:
    frozen: set[str] = set()
    for _ in range(MOST_PASSES):
        assignment = LetterAssignment(settings, set(frozen), patches, not network.model_type)  # Classes of the reference round little.
        building = _Building(settings, with_ties, assignment, with_operations)
        root = building.module(network.root, ())
        letters = building.letters
        needed = conditions_of(letters.decisions, letters.frozen, letters.names, settings)
        single = {each[1][1] for each in needed if fixes(each)} & letters.names.keys() - letters.decisions.pinned
        if letters.frozen | single == frozen:
            break
        frozen |= letters.frozen | single  # What may have one value alone is no letter.
    if root is None:
        raise ArchitectureError(f"{network.name} has no tensors with these settings, so there is nothing to count")
    architecture = Architecture(network.name, root, network.origin)
    used = _letters(architecture)
    meanings = {letter: what for letter, what in building.letters.meanings.items() if letter in used}
    architecture = Architecture(network.name, root, network.origin, meanings)
    values = {letter: value for letter, value in building.letters.values.items() if letter in used - {*INPUTS.values()}}
    names = {path: letter for path, letter in building.letters.names.items() if letter in used}
    conditions = conditions_of(building.letters.decisions, frozen, names, settings)
    square = [("==", ("key", "s_h"), ("key", "s_w"))] if {"s_h", "s_w"} <= used else []
    rounded = [("==", found, ("key", letter)) for letter, found in building.letters.roundings.items() if letter in used]
    followed = {letter: found for letter, found in building.letters.derived.items() if letter in used and _names(found) <= values.keys()}
    return Built(architecture, values, names, (*conditions, *square, *rounded), followed)


def _names(expression: sympy.Expr) -> set[str]:
    return set(map(str, expression.free_symbols))


def _letters(architecture: Architecture) -> set[str]:
    """The letters of all sizes, of tensors and of products."""
    found: set[str] = set()

    def seen(size: sympy.Expr) -> sympy.Expr:
        found.update(map(str, size.free_symbols))
        return size

    architecture.map_sizes(seen)
    return found


class _Building:
    def __init__(self, settings: Settings, with_ties: bool, letters: LetterAssignment, with_operations: bool) -> None:
        self.settings, self.with_ties, self.letters, self.with_operations = settings, with_ties, letters, with_operations

    def module(self, rule: ModuleRule, at: tuple[int, ...]) -> Module | None:
        """The module as a block; None if it holds no tensors."""
        there = [entry for entry in rule.entries if entry.condition is True or self.letters.decide(entry.condition, at)]
        if self.with_operations:
            products = [product for entry in there if entry.name == PRODUCTS for product in self._products(entry.content, at)]
            block = self._block(rule.kind, [entry for entry in there if entry.name != PRODUCTS], at)
            return with_products(rule.kind, block, products)
        return self._block(rule.kind, there, at)

    def _products(self, content: TensorRule | ModuleRule, at: tuple[int, ...]) -> Iterator[RecordedProduct | RepeatedProducts]:
        """The products of a module; those that are repeated in turns as such if their number has a letter, else one by one."""
        assert isinstance(content, ModuleRule)
        for entry in content.entries:
            if entry.condition is not True and not self.letters.decide(entry.condition, at):
                continue
            if entry.count is None:
                yield self._product(entry, at)
                continue
            turn = turn_of(entry, len(at))
            turns = self.letters.size(entry.count, at) / turn if turn else sympy.S.Zero
            if turns.free_symbols and sympy.denom(sympy.together(turns)) == 1:
                yield RepeatedProducts(turns, tuple(self._product(entry, (*at, number)) for number in range(turn)))
                continue
            for number in numbers(entry, self.settings, at):
                yield self._product(entry, (*at, number))
            self.letters.freeze(entry.count)  # Each product is a part of its own, so that their number has no letter.

    def _product(self, entry: RuleEntry, at: tuple[int, ...]) -> RecordedProduct:
        assert isinstance(entry.content, TensorRule)
        return RecordedProduct(entry.name, tuple(self.letters.size(each, at) for each in entry.content.shape))

    def _block(self, kind: str, there: list[RuleEntry], at: tuple[int, ...]) -> Module | None:
        if len(there) == 1 and there[0].count is not None and there[0].name == NUMBER:
            return self._list(there[0], at)
        tensors = {entry.name: entry.content for entry in there if isinstance(entry.content, TensorRule) and entry.count is None}
        if tensors and len(tensors) == len(there):
            return self._leaf(kind, tensors, at)
        named: dict[str, Module] = {}
        for entry in there:
            for name, block in self._named(entry, at):
                named[name] = block
        if not named:
            return None
        if LAYER_OF_TORCH.fullmatch(kind) and all(isinstance(each, Parameter) for each in named.values()):
            return leaf(kind, {name: each.shape for name, each in named.items() if isinstance(each, Parameter)})
        return block_of(kind, named)

    def _named(self, entry: RuleEntry, at: tuple[int, ...]) -> Iterator[tuple[str, Module]]:
        if entry.count is None:
            block = self._content(entry.content, at)
            if block is not None:
                yield entry.name, block
            return
        self._pin(entry, at)
        for number in numbers(entry, self.settings, at):
            if entry.name == LAYERS and isinstance(entry.content, ModuleRule):
                for inner in entry.content.entries:
                    if inner.condition is True or self.letters.decide(inner.condition, (*at, number)):
                        for name, block in self._named(inner, (*at, number)):
                            yield name.replace(NUMBER, str(number)), block
                continue
            block = self._content(entry.content, (*at, number))
            if block is not None:
                yield entry.name.replace(NUMBER, str(number)), block

    def _content(self, content: TensorRule | ModuleRule, at: tuple[int, ...]) -> Module | None:
        if isinstance(content, ModuleRule):
            return self.module(content, at)
        if content.tied_to and not self.with_ties:
            return None
        parameter = Parameter(*self._shape(content, at))
        return Tied(parameter, **{"": content.tied_to}) if content.tied_to else parameter

    def _shape(self, rule: TensorRule, at: tuple[int, ...]) -> tuple[sympy.Expr, ...]:
        for each in rule.shape:
            if size(each, self.settings, at, "a tensor") < 1:
                raise ArchitectureError("a tensor has a side of 0 with these settings, which symparam does not list")
        return self.letters.sides(rule.shape, at)

    def _leaf(self, kind: str, tensors: dict[str, TensorRule], at: tuple[int, ...]) -> Module | None:
        if not self.with_ties:
            tensors = {name: rule for name, rule in tensors.items() if not rule.tied_to}
        if not tensors:
            return None
        block = leaf(kind, {name: self._shape(rule, at) for name, rule in tensors.items()})
        tied = {name: rule.tied_to for name, rule in tensors.items() if rule.tied_to}
        if not tied:
            return block
        if block.children:  # A block of single tensors, each tied by itself.
            parts = {name: Tied(part, **{"": tied[name]}) if name in tied else part for name, part in block.children}
            return block_of(kind, parts)
        return Tied(block, **tied)

    def _list(self, entry: RuleEntry, at: tuple[int, ...]) -> Module | None:
        """A list: one block repeated, or groups of identical layers."""
        there = numbers(entry, self.settings, at)
        if not there:
            return None
        count = self.letters.size(entry.count, at)
        depth = len(at)
        if depth not in entry.content.depths and entry.each is True:
            block = self._content(entry.content, (*at, 0))
            return None if block is None else Repeat(count, block)
        groups: list[tuple[Module, list[int]]] = []
        for number in there:
            block = self._content(entry.content, (*at, number))
            if block is None:
                continue
            for known, members in groups:
                if known == block:
                    members.append(number)
                    break
            else:
                groups.append((block, [number]))
        if not groups:
            return None
        whole = sum(len(members) for _, members in groups) == evaluate(entry.count, self.settings, at)
        if len(groups) == 1 and whole:
            self._pin(entry, at)
            return Repeat(count, groups[0][0])
        return Layers(*self._groups(groups, entry, count if whole else None, at))

    def _pin(self, entry: RuleEntry, at: tuple[int, ...], apart_from: Expression = None) -> None:
        """Note that the members of a list, and which of them are identical, were observed at these settings and follow from no formula.

        Conditions that are ``apart_from`` or its negation are exempt, because they have a formula.
        """
        depth = len(at)
        followed = {apart_from, negated(apart_from)} if apart_from else set()
        insides = (replaced(each, lambda part: True if part in followed else None) for each in (entry.each, *expressions_of(entry.content)))
        found = [each for each in insides if mentions(each, depth)]
        if found or not followed:
            self.letters.decisions.pinned.update(keys_of(entry.count))
            for part in dict.fromkeys(part for each in found for part in deciding(each, depth)):
                self._note(part, entry, at)
            if mentions(entry.each, depth):
                self.letters.decisions.settings.update(keys_of(entry.each))

    def _note(self, part: Expression, entry: RuleEntry, at: tuple[int, ...]) -> None:
        """Note how a comparison comes out for the members of a list if few of these outcomes could be other ones, else the values of the
        settings in it.
        """
        depth, keys, decisions = len(at), keys_of(part), self.letters.decisions
        left: tuple[Expression, ...] | None = None
        if isinstance(part, tuple) and part[0] in COMPARISONS and all(each <= depth for each in depths_in([part])):
            positive = frozenset(path for path in keys if type(value := self.settings.get(path)) is int and value > 0)
            with suppress(CannotEvaluateError):  # It may be asked of some members alone.
                left = reduced(list(outcomes_of(part, entry, self.settings, at)), whole_settings(self.settings), positive)
        if left is None or len(left) > MOST_OUTCOMES:
            decisions.pinned.update(keys)
            return
        decisions.conditions.update(dict.fromkeys(left, True))
        decisions.pinned.update(path for path in keys if isinstance(self.settings.get(path), list))

    def _groups(
        self, groups: list[tuple[Module, list[int]]], entry: RuleEntry, count: sympy.Expr | None, at: tuple[int, ...]
    ) -> Iterator[Repeat]:
        """The groups of a list with their sizes: in letters for two groups that one condition separates, otherwise in numbers."""
        sizes: list[sympy.Expr] = [sympy.Integer(len(members)) for _, members in groups]
        labels = [f"={spans(members)}" for _, members in groups]
        found = self._counted(entry, count, [tuple(members) for _, members in groups], at) if count is not None else None
        if found is None:
            self.letters.freeze(entry.count)
            self._pin(entry, at)
        else:
            sizes = list(found)
            labels = [open_ended(members, each, label) for (_, members), each, label in zip(groups, sizes, labels, strict=True)]
        for (block, members), each, label in zip(groups, sizes, labels, strict=True):
            yield Repeat(each, block, label=label, indices=tuple(members))

    def _counted(
        self, entry: RuleEntry, count: sympy.Expr, groups: list[tuple[int, ...]], at: tuple[int, ...]
    ) -> tuple[sympy.Expr, sympy.Expr] | None:
        """The sizes of two groups, by a condition on the layer number that is true for exactly one of them; None if no
        formula gives them.
        """
        depth = len(at)
        if len(groups) != 2 or count.is_Integer:
            return None
        for part in dict.fromkeys(each for found in conditions_in(entry) for each in parts(found)):
            condition = negated(part) if isinstance(part, tuple) and part[0] == "!=" else part
            counted = counting(condition, depth, entry.count)
            if counted is None:
                continue
            members = tuple(number for number in (*groups[0], *groups[1]) if is_true(condition, self.settings, (*at, number)))
            of, needed = counted
            if tuple(sorted(members)) not in groups or not is_true(needed, self.settings, at):
                continue
            first = self.letters.size(of, at)
            if self.letters.worth(first) == len(members):
                if needed is not True:
                    self.letters.decide(needed, at)
                self._pin(entry, at, apart_from=condition)
                return (first, count - first) if tuple(sorted(members)) == groups[0] else (count - first, first)
        return None
