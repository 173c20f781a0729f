"""From the rules of a network, for given settings, to an architecture with symbolic sizes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import lcm

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
    evaluate,
    keys_of,
    mentions,
    negated,
    parts,
    replaced,
)
from symparam.models.traced.forward_pass import INPUTS, PRODUCTS
from symparam.models.traced.letters import LetterAssignment
from symparam.models.traced.network import (
    LAYERS,
    NUMBER,
    ModuleRule,
    Network,
    RuleEntry,
    TensorRule,
    expressions_in,
    numbers,
    size,
)
from symparam.models.traced.recorded_products import RecordedProduct, RepeatedProducts, with_products

_ARITHMETIC = ("+", "-", "*", "/", "//", "exact", "**", "int", "float", "round", "floor", "ceil")
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
        building = _Building(settings, with_ties, LetterAssignment(settings, set(frozen), patches), with_operations)
        root = building.module(network.root, ())
        if building.letters.frozen == frozen:
            break
        frozen |= building.letters.frozen
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
    followed = {letter: found for letter, found in building.letters.derived.items() if letter in used and _names(found) <= values.keys()}
    return Built(architecture, values, names, (*conditions, *square), followed)


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
            turn = _turn(entry, len(at))
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
        insides = (replaced(each, lambda part: True if part in followed else None) for each in (entry.each, *_expressions(entry.content)))
        found = [each for each in insides if mentions(each, depth)]
        if found or not followed:
            self.letters.decisions.pinned.update(keys_of(entry.count), *(_deciding(each, depth) for each in found))
            if mentions(entry.each, depth):
                self.letters.decisions.settings.update(keys_of(entry.each))

    def _groups(
        self, groups: list[tuple[Module, list[int]]], entry: RuleEntry, count: sympy.Expr | None, at: tuple[int, ...]
    ) -> Iterator[Repeat]:
        """The groups of a list with their sizes: in letters for two groups that one condition separates, otherwise in numbers."""
        sizes: list[sympy.Expr] = [sympy.Integer(len(members)) for _, members in groups]
        labels = [f"={_spans(members)}" for _, members in groups]
        found = self._counted(entry, count, [tuple(members) for _, members in groups], at) if count is not None else None
        if found is None:
            self.letters.freeze(entry.count)
            self._pin(entry, at)
        else:
            sizes = list(found)
            labels = [_open_ended(members, each, label) for (_, members), each, label in zip(groups, sizes, labels, strict=True)]
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
        for part in dict.fromkeys(each for found in _conditions(entry) for each in parts(found)):
            condition = negated(part) if isinstance(part, tuple) and part[0] == "!=" else part
            counted = _counting(condition, depth, entry.count)
            if counted is None:
                continue
            members = tuple(number for number in (*groups[0], *groups[1]) if _true(condition, self.settings, (*at, number)))
            of, needed = counted
            if tuple(sorted(members)) not in groups or not _true(needed, self.settings, at):
                continue
            first = self.letters.size(of, at)
            if self.letters.worth(first) == len(members):
                if needed is not True:
                    self.letters.decide(needed, at)
                self._pin(entry, at, apart_from=condition)
                return (first, count - first) if tuple(sorted(members)) == groups[0] else (count - first, first)
        return None


def _turn(entry: RuleEntry, depth: int) -> int:
    """After how many numbers of a list the same follows again; 0 if that is not known for all lengths of it."""
    assert isinstance(entry.content, TensorRule)
    number = ("at", depth)

    def left_over(part: tuple[Expression, ...]) -> Expression | None:
        return 0 if part[:2] == ("%", number) and type(part[2]) is int else None

    inside = (entry.each, *entry.content.shape)
    if entry.each is not True or any(mentions(replaced(each, left_over), depth) for each in inside):
        return 0
    modulos = {each[2] for found in inside for each in parts(found) if isinstance(each, tuple) and each[:2] == ("%", number)}
    return lcm(*(modulo for modulo in modulos if isinstance(modulo, int) and modulo > 0))


def _counting(condition: Expression, depth: int, count: Expression) -> tuple[Expression, Expression] | None:
    """How many numbers below ``count`` satisfy such a condition, and where that holds: K for ``i < K`` where K <= N."""
    if not isinstance(condition, tuple) or len(condition) != 3 or mentions(condition[2], depth):
        return None
    name, one, other = condition
    if name in ("<", ">=") and one == ("at", depth):
        return (other if name == "<" else ("-", count, other)), ("<=", other, count)
    if name == "==" and one == ("at", depth) and isinstance(other, int):
        return 1, ("<", other, count) if other else True  # A list with a letter for its length has a first entry.
    if name == "==" and isinstance(one, tuple) and one[0] == "%" and not mentions(one[2], depth):
        inside = one[1]
        if inside == ("at", depth) or (isinstance(inside, tuple) and inside[0] in ("+", "-") and inside[1] == ("at", depth)):
            return ("exact", count, one[2]), ("==", ("%", count, one[2]), 0)
    return None


def _true(condition: Expression, settings: Settings, at: tuple[int, ...]) -> bool:
    try:
        return bool(evaluate(condition, settings, at))
    except CannotEvaluateError:
        return False


def _deciding(expression: Expression, depth: int) -> frozenset[str]:
    """The settings that, together with the number of the list, decide which variant of something is meant; sizes in letters do not."""
    if not isinstance(expression, tuple) or not mentions(expression, depth):
        return frozenset()
    name, *operands = expression
    if name == "if":
        decided = keys_of(operands[0]) if mentions(operands[0], depth) else frozenset()
        return decided.union(*(_deciding(each, depth) for each in operands[1:]))
    return frozenset().union(*(_deciding(each, depth) for each in operands)) if name in _ARITHMETIC else keys_of(expression)


def _expressions(content: TensorRule | ModuleRule) -> Iterator[Expression]:
    return iter(content.shape) if isinstance(content, TensorRule) else expressions_in(content)


def _conditions(entry: RuleEntry) -> Iterator[object]:
    yield from (entry.condition, entry.each)
    if isinstance(entry.content, ModuleRule):
        for inner in entry.content.entries:
            yield from _conditions(inner)


def _open_ended(members: list[int], size: sympy.Expr, label: str) -> str:
    """The label of a group: ``>=3`` for all members from 3 on if their number is a formula in letters, else ``label``."""
    follow = members == list(range(members[0], members[-1] + 1))
    return f">={members[0]}" if follow and members[0] and not size.is_Integer else label


def _spans(members: list[int]) -> str:
    """``0``, ``3-5`` or ``0,2,4``, shortened if there are many."""
    spans: list[list[int]] = []
    for number in members:
        if spans and spans[-1][1] == number - 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    shown = [str(first) if first == last else f"{first}-{last}" for first, last in spans]
    return ",".join(shown if len(shown) <= 6 else [*shown[:3], "...", shown[-1]])
