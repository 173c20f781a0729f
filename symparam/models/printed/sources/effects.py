"""Side effects of functions that no assignment to an attribute shows: created parameters, and changes to other modules."""

from __future__ import annotations

import ast

from symparam.models.printed.own_parameters import PARTS_OF_TORCH
from symparam.models.printed.sources.assignments import assigned, assignments, is_self, thrown_away
from symparam.models.printed.sources.fresh_values import Analyser, ClassAttributes
from symparam.models.printed.sources.library import HARMLESS_ROOTS, Function, Library, SourceFile, words
from symparam.models.printed.sources.usage import NameEvidence

NAMING = words("exec eval __dict__ _parameters _modules __setattr__")
"""Calls that create parts and parameters of any names, without an assignment."""
WAYS_ROUND = NAMING | words("weight_norm spectral_norm register_parametrization parametrize orthogonal prune")
"""The calls in `NAMING`, and those that make further parameters from existing ones."""
VALUES = words("data grad requires_grad")
NAMELESS = "makes parameters whose names its source does not say"
LISTS_OF_PARAMETERS = words("ParameterList ParameterDict")
"""Torch classes whose prints show the parameters that they are given."""


class Effects:
    """The effects of a library's functions on parameters and modules."""

    def __init__(self, library: Library, evidence: NameEvidence) -> None:
        self.library = library
        self.evidence = evidence
        self.makers = self._makers_of_parameters()
        self.modules: frozenset[str] = frozenset()
        self.lists: frozenset[str] = frozenset()
        self.tainted: frozenset[str] = frozenset()
        self._learn_attributes()
        self._find_tainted()

    def parameters(self, file: SourceFile, function: Function) -> tuple[set[str], str]:
        """The names of the parameters that a method creates, and a reason if one of them has no known name."""
        parents = {child: node for node in ast.walk(function) for child in ast.iter_child_nodes(node)}
        found, unclear = set[str](), ""
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "register_parameter":
                first, second = (*node.args, *(each.value for each in node.keywords), None, None)[:2]
                if isinstance(second, ast.Constant) and second.value is None:
                    continue
                if isinstance(first, ast.Constant) and is_self(node.func.value):
                    found.add(str(first.value))
                else:
                    unclear = NAMELESS
            elif isinstance(node, (ast.Name, ast.Attribute)) and self._makes_parameters(file, node):
                names = self._given(node, parents, function)
                if names is None:
                    unclear = NAMELESS
                else:
                    found |= names
        return found, unclear

    def _given(self, node: ast.AST, parents: dict[ast.AST, ast.AST], function: Function) -> set[str] | None:
        """The attributes of the module to which a new parameter is assigned, also by way of a local name; None if it goes anywhere else."""
        names = assigned(node, parents, self.lists)
        if names is not None:
            return names
        local = _local(node, parents)
        if local is None:
            return None
        found = set[str]()
        for each in ast.walk(function):
            if isinstance(each, ast.Name) and each.id == local and isinstance(each.ctx, ast.Load) and not thrown_away(each, parents):
                more = assigned(each, parents, self.lists)
                if more is None:
                    return None
                found |= more
        return found

    def _makes_parameters(self, file: SourceFile, node: ast.Name | ast.Attribute) -> bool:
        root, _, last = file.dotted(node).rpartition(".")
        return isinstance(node.ctx, ast.Load) and last in self.makers and root.partition(".")[0] not in HARMLESS_ROOTS

    def _makers_of_parameters(self) -> frozenset[str]:
        """The parameter classes: those of torch, and their subclasses."""
        found = {"Parameter", "UninitializedParameter"}
        while True:
            more = {
                name
                for name, classes in self.library.classes.items()
                if name not in found and any(base.rpartition(".")[2] in found for each in classes for base in each.bases)
            }
            if not more:
                return frozenset(found)
            found |= more

    def way_round(self, file: SourceFile, function: Function) -> str:
        """A side effect of a function that none of its assignments shows, in words; empty if there is none."""
        for node in ast.walk(function):
            if isinstance(node, ast.Delete) and any(isinstance(each, ast.Attribute) and not is_self(each.value) for each in node.targets):
                return "deletes what it made"
            last = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
            if last in WAYS_ROUND and (last not in ("eval", "exec", "prune") or isinstance(node, ast.Name)):
                return f"uses {last}"
            if isinstance(node, ast.Call):
                called = file.dotted(node.func).rpartition(".")[2]
                if called in self.tainted and not is_self(getattr(node.func, "value", None)):
                    return f"calls {called}"
        for target, value in assignments(function):
            if isinstance(target, ast.Attribute) and not is_self(target.value) and self._may_hold(target.attr):
                analyser = Analyser(self.library, file, self.evidence.scope(function), ClassAttributes(self.evidence, {}, {}))
                if _is_of_torch(target.attr) and not (isinstance(value, ast.Constant) and value.value is None):
                    return f"gives {ast.unparse(target)} another value"
                if not analyser.is_fresh(value):
                    return f"gives {ast.unparse(target)} another value"
        return ""

    def _may_hold(self, name: str) -> bool:
        """Whether a class can have a part or a parameter of that name. A name that no class has as a part would be seen in a print."""
        return name not in VALUES and (name in self.modules or _is_of_torch(name))

    def _find_tainted(self) -> None:
        """Find the functions that create parameters, or change modules, without the calling class showing it."""
        callers: dict[str, set[str]] = {}
        open_ = set[str]()
        for name, functions in self.library.functions.items():
            if any(any(self.parameters(*each)) or self.way_round(*each) for each in functions):
                open_.add(name)
            for file, function in functions:
                for node in ast.walk(function):
                    if isinstance(node, ast.Call):
                        callers.setdefault(file.dotted(node.func).rpartition(".")[2], set()).add(name)
        found = set[str]()
        while open_:
            name = open_.pop()
            found.add(name)
            open_ |= callers.get(name, set()) - found
        self.tainted = frozenset(found)

    def _learn_attributes(self) -> None:
        """Collect the attributes that never hold a module in any class, those that do, and those that only hold lists of parameters."""
        given: dict[str, bool] = {}
        lists: dict[str, bool] = {}
        made, parameters = set[str](), set[str]()
        for classes in self.library.classes.values():
            for kind in classes:
                for method in kind.methods:
                    self.evidence.steps = 0
                    analyser = Analyser(self.library, kind.file, self.evidence.scope(method), ClassAttributes(self.evidence, {}, {}))
                    for target, value in assignments(method):
                        if isinstance(target, ast.Attribute) and is_self(target.value):
                            given[target.attr] = given.get(target.attr, True) and analyser.is_plain(value)
                            lists[target.attr] = lists.get(target.attr, True) and _is_list_of_parameters(kind.file, value)
                            if isinstance(value, ast.Call) and is_module_of_torch(kind.file, value):
                                made.add(target.attr)
        self.lists = frozenset(name for name, alone in lists.items() if alone)
        for classes in self.library.classes.values():
            for kind in classes:
                for method in kind.methods:
                    parameters |= self.parameters(kind.file, method)[0]
        self.evidence.plain_attributes |= {name for name, plain in given.items() if plain} | (self.evidence.sizes - made)
        self.modules = frozenset((given.keys() - self.evidence.plain_attributes) | parameters)


def _local(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> str | None:
    """The local name to which only this value is assigned."""
    while not isinstance(node, ast.stmt) and node in parents:
        child, node = node, parents[node]
        if isinstance(node, ast.Call) and child is not node.func:
            return None
    match node:
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name
        case _:
            return None


def _is_of_torch(name: str) -> bool:
    """Whether torch classes have parts or parameters of that name."""
    return "weight" in name or "bias" in name or any(name in parts for parts in PARTS_OF_TORCH.values())


def _is_list_of_parameters(file: SourceFile, value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and file.dotted(value.func).rpartition(".")[2] in LISTS_OF_PARAMETERS


def is_module_of_torch(file: SourceFile, call: ast.Call) -> bool:
    """Whether it creates a module of a torch class."""
    dotted = file.dotted(call.func)
    return dotted.startswith("torch.nn.") and dotted.rpartition(".")[2][:1].isupper() and "Parameter" not in dotted
