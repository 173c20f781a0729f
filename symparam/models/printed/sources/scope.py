"""The names of one function: their values, their uses, and whether a value can reach two places at once."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from symparam.models.printed.sources.library import Function, words

MAX_USES = 100  # Uses of one name; beyond this limit nothing is known of it.
LOOPS = (ast.For, ast.AsyncFor, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda)


@dataclass(frozen=True, eq=False)
class Position:
    """A place in a function: its order in the text, the branches that lead to it, the loops around it."""

    order: int
    branches: tuple[tuple[int, str], ...]
    loops: tuple[int, ...]

    def excludes(self, other: Position) -> bool:
        """Whether at most one of the two is ever reached."""
        taken = dict(self.branches)
        return any(taken.get(at, side) != side for at, side in other.branches)


@dataclass(frozen=True, eq=False)
class Binding:
    """A value bound to a name; None for the value of a parameter."""

    spot: Position
    value: ast.expr | None


class Scope:
    """The names that a function binds and passes on. Nested functions are treated as loops, since they may run many times."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.bindings: dict[str, list[Binding]] = defaultdict(list)
        self.uses: dict[str, list[Position]] = defaultdict(list)
        self.added: dict[str, list[ast.expr]] = defaultdict(list)
        self.nodes: list[ast.AST] = []
        self._order = 0
        first = self._spot((), ())
        for each in self.parameters:
            self.bindings[each.arg].append(Binding(first, None))
        self._block(function.body, (), ())

    @cached_property
    def parameters(self) -> tuple[ast.arg, ...]:
        found = self.function.args
        return (*found.posonlyargs, *found.args, *found.kwonlyargs, *filter(None, (found.vararg, found.kwarg)))

    @cached_property
    def defaults(self) -> dict[str, ast.expr]:
        found = self.function.args
        positional = (*found.posonlyargs, *found.args)
        named = zip(positional[len(positional) - len(found.defaults) :], found.defaults, strict=True)
        return {each.arg: value for each, value in (*named, *zip(found.kwonlyargs, found.kw_defaults, strict=True)) if value is not None}

    @cached_property
    def returned(self) -> list[ast.expr]:
        return [node.value for node in self.nodes if isinstance(node, ast.Return) and node.value is not None]

    def handed_on_once(self, name: str) -> bool:
        """Whether each value of the name is passed to at most one place."""
        bindings, uses = self.bindings[name], self.uses[name]
        if len(uses) > MAX_USES or len(bindings) > MAX_USES:
            return False
        for use in uses:
            fresh = [each for each in bindings if each.spot.order <= use.order and each.spot.loops[: len(use.loops)] == use.loops]
            if not fresh:
                return False
        for at, one in enumerate(uses):
            for other in uses[at + 1 :]:
                again = any(
                    one.order < each.spot.order <= other.order
                    and each.spot.branches in (one.branches[: len(each.spot.branches)], other.branches[: len(each.spot.branches)])
                    and each.spot.loops == other.loops[: len(each.spot.loops)]
                    for each in bindings
                )
                if not again and not one.excludes(other):
                    return False
        return True

    def _spot(self, branches: tuple[tuple[int, str], ...], loops: tuple[int, ...]) -> Position:
        self._order += 1
        return Position(self._order, branches, loops)

    def _block(self, statements: Sequence[ast.AST], branches: tuple[tuple[int, str], ...], loops: tuple[int, ...]) -> None:
        """Statements in sequence. After an ``if`` whose body leaves the block, the rest is on the other branch."""
        for each in statements:
            self._walk(each, branches, loops)
            if isinstance(each, ast.If) and isinstance(each.body[-1], (ast.Return, ast.Raise, ast.Continue)):
                branches = (*branches, (id(each), "orelse"))

    def _walk(self, node: ast.AST, branches: tuple[tuple[int, str], ...], loops: tuple[int, ...]) -> None:
        self.nodes.append(node)
        if isinstance(node, (ast.If, ast.IfExp)):
            self._read(node.test, branches, loops)
            for side in ("body", "orelse"):
                inside = getattr(node, side)
                inner = loops[:-1] if side == "body" and self._is_one_turn(node.test, loops) else loops
                self._block(inside if isinstance(inside, list) else [inside], (*branches, (id(node), side)), inner)
            return
        if isinstance(node, (*LOOPS, ast.FunctionDef, ast.AsyncFunctionDef)):
            self._loop(node, branches, loops)
            return
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr)):
            if node.value is not None:
                self._walk(node.value, branches, loops)
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                self._bind(target, node.value, branches, loops)
            return
        if isinstance(node, (ast.With, ast.AsyncWith)):
            for item in node.items:
                self._walk(item.context_expr, branches, loops)
                if item.optional_vars is not None:
                    self._bind(item.optional_vars, item.context_expr, branches, loops)
            self._block(node.body, branches, loops)
            return
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            self.uses[node.id].append(self._spot(branches, loops))
            return
        if isinstance(node, ast.Call):
            self._call(node, branches, loops)
            return
        for child in ast.iter_child_nodes(node):
            if _only_reads(node, child):
                self._read(child, branches, loops)
            else:
                self._walk(child, branches, loops)

    def _is_one_turn(self, test: ast.expr, loops: tuple[int, ...]) -> bool:
        """Whether the test is ``number == 0`` for the counter of a loop, which is true in one iteration only."""
        match test:
            case ast.Compare(left=ast.Name(id=name), ops=[ast.Eq()], comparators=[ast.Constant()]):
                return any(each.spot.loops == loops and _counts(each.value) for each in self.bindings[name])
            case _:
                return False

    def _loop(self, node: ast.AST, branches: tuple[tuple[int, str], ...], loops: tuple[int, ...]) -> None:
        inner = (*loops, id(node))
        if isinstance(node, (ast.For, ast.AsyncFor)):
            self._walk(node.iter, branches, loops)
            self._bind(node.target, node.iter, branches, inner)
            self._block(node.body, branches, inner)
            self._block(node.orelse, branches, inner)
        elif isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)):
            for generator in node.generators:
                self._walk(generator.iter, branches, loops)
                self._bind(generator.target, generator.iter, branches, inner)
                for each in generator.ifs:
                    self._read(each, branches, inner)
            for part in (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,):
                self._walk(part, branches, inner)
        elif isinstance(node, ast.Lambda):
            self._walk(node.body, branches, inner)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for given in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
                self.bindings[given.arg].append(Binding(self._spot(branches, inner), None))
            self._block(node.body, branches, inner)
        else:
            for child in ast.iter_child_nodes(node):
                self._walk(child, branches, inner)

    def _bind(self, target: ast.expr, value: ast.expr | None, branches: tuple[tuple[int, str], ...], loops: tuple[int, ...]) -> None:
        if isinstance(target, ast.Name):
            self.bindings[target.id].append(Binding(self._spot(branches, loops), value))
        elif isinstance(target, (ast.Tuple, ast.List)):
            several = value.elts if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts) else None
            for at, each in enumerate(target.elts):
                self._bind(each, several[at] if several else value, branches, loops)
        elif isinstance(target, ast.Starred):
            self._bind(target.value, value, branches, loops)
        elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name) and value is not None:
            self.added[target.value.id].append(value)

    def _call(self, node: ast.Call, branches: tuple[tuple[int, str], ...], loops: tuple[int, ...]) -> None:
        function = node.func
        inner = (*loops, id(node)) if isinstance(function, (ast.Name, ast.Attribute)) and _last(function) == "partial" else loops
        reads = _last(function) in READERS
        self._read(function, branches, loops)
        if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.attr in GROWING:
            self.added[function.value.id] += [*node.args, *(each.value for each in node.keywords)]
        for each in (*node.args, *(keyword.value for keyword in node.keywords)):
            if reads:
                self._read(each, branches, loops)
            else:
                self._walk(each, branches, inner)

    def _read(self, node: ast.AST, branches: tuple[tuple[int, str], ...], loops: tuple[int, ...]) -> None:
        """What is inspected here and not passed on; arguments of calls inside it are passed on."""
        self.nodes.append(node)
        if isinstance(node, (ast.Call, *LOOPS, ast.NamedExpr)):
            self.nodes.pop()
            self._walk(node, branches, loops)
        else:
            for child in ast.iter_child_nodes(node):
                self._read(child, branches, loops)


GROWING = frozenset({"append", "extend", "insert", "add", "update", "setdefault"})
READERS = words("isinstance issubclass len print range int float bool str type hasattr id max min sum repr")


def _last(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _counts(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Call) and _last(node.func) in ("range", "enumerate")


def _only_reads(node: ast.AST, child: ast.AST) -> bool:
    """Whether the node inspects the child without passing it on."""
    if isinstance(node, (ast.Compare, ast.UnaryOp, ast.JoinedStr, ast.FormattedValue, ast.Attribute, ast.Assert, ast.Raise, ast.Delete)):
        return True
    if isinstance(node, ast.BinOp):
        return not isinstance(node.op, (ast.Add, ast.Mult))
    if isinstance(node, ast.Subscript):
        return True
    return isinstance(node, ast.While) and child is node.test
