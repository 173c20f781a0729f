"""The module classes in Python source: the parameters that they create themselves, and the modules that each instance creates."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from symparam.models.printed.class_knowledge import class_contents
from symparam.models.printed.own_parameters import PARTS_OF_TORCH
from symparam.models.printed.recorded_libraries import ClassRecord
from symparam.models.printed.sources.assignments import assignments, chosen, is_self
from symparam.models.printed.sources.effects import NAMING, Effects, is_module_of_torch
from symparam.models.printed.sources.fresh_values import PASSTHROUGH, Analyser, ClassAttributes
from symparam.models.printed.sources.library import HARMLESS_ROOTS, ClassSource, Function, Library, SourceFile, is_builtin, library, words
from symparam.models.printed.sources.scope import GROWING
from symparam.models.printed.sources.usage import NUMBERS, NameEvidence, is_leaf_of_torch

READ = words(
    "Linear Bilinear Embedding Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d LayerNorm RMSNorm "
    "GroupNorm BatchNorm1d BatchNorm2d BatchNorm3d InstanceNorm1d InstanceNorm2d InstanceNorm3d SyncBatchNorm PReLU LSTM GRU "
    "RNN"
)
"""Torch classes whose arguments are printed."""
LISTS = words("Sequential ModuleList ModuleDict")
LISTS_OF_TORCH = frozenset(f"torch.nn.{name}" for name in LISTS)
ATTENTION = "torch.nn.MultiheadAttention"
EVEN = words("embed_dim num_heads dropout bias add_zero_attn batch_first device dtype")
"""Arguments of torch's attention that change neither the widths of its keys and values nor its biases."""
BARE = words("Module ABC object Generic Protocol Enum str")
ANY = frozenset({"*"})
"""Parts of any names."""
MAX_ABOVE = 20  # Base classes of a class; the deepest class of a library has eight.
MIXINS = re.compile(r"Mixin$")
PRINTING = words("__repr__ __str__ __setattr__ _get_name children named_children named_modules parameters named_parameters")
"""Methods on which a print depends: a class that defines one may print anything."""
BUILDING = re.compile(r"__init__|__new__|__post_init__|tie|share|init|setup|build|make|create|reset_parameters")
"""Methods that build a module, in addition to those that they call."""


@dataclass
class ClassFacts:
    """The facts that the bodies of a class and of its base classes state; ``put`` are the values put into the lists that are assigned."""

    assigned: dict[str, list[tuple[SourceFile, Function, ast.expr]]] = field(default_factory=dict)
    put: dict[str, list[tuple[SourceFile, Function, ast.expr]]] = field(default_factory=dict)
    methods: dict[str, list[tuple[SourceFile, Function]]] = field(default_factory=dict)
    parameters: set[str] = field(default_factory=set)
    deleted: set[str] = field(default_factory=set)
    constants: set[str] = field(default_factory=set)
    base: str = ""
    lists: bool = False
    printing: str = ""
    unclear: str = ""
    unnamed: bool = False
    """Whether it may have further parts, with any names."""


class ClassDescriber:
    """Describes the classes of a library; ``others`` are the texts of other packages, which may define base classes of its own."""

    def __init__(self, texts: Iterable[str], others: Mapping[str, Iterable[str]] = MappingProxyType({})) -> None:
        self.library: Library = library(texts)
        self.own = frozenset(map(id, self.library.files))
        for package, files in others.items():
            self.library.read(files, package)
        self.evidence = NameEvidence(self.library)
        self._asked: list[ClassSource] = []
        self._read: dict[ClassSource, ClassFacts | None] = {}
        self.effects = Effects(self.library, self.evidence)

    def describe(self) -> Iterator[tuple[str, ClassRecord]]:
        """Each module class by name, with its description."""
        for name, classes in self.library.classes.items():
            for each in classes:
                found = self._found(each, ()) if id(each.file) in self.own else None
                if found is not None:
                    yield name, self._described(found)

    def _described(self, found: ClassFacts) -> ClassRecord:
        self.evidence.steps = 0
        own = ClassAttributes(self.evidence, found.assigned, found.methods, frozenset(found.constants))
        if found.printing and not (found.unclear or found.parameters or found.base or found.lists) and self._holds_nothing(found, own):
            return ClassRecord(frozenset())
        if found.printing:
            return ClassRecord(ANY, open=found.unclear or f"has {found.printing} of its own")
        kept = {name: assigned for name, assigned in found.assigned.items() if name.isidentifier() and name not in found.deleted}
        always = frozenset(name for name, assigned in kept.items() if self._is_always_there(assigned))
        if found.base and (found.parameters | found.deleted) & {"weight", "bias"}:
            found.unclear = found.unclear or "replaces the weights of its base class"
        parts, others = set[str](), set[str]()
        for name, assigned in found.assigned.items():
            put = (*assigned, *found.put.get(name, ()))
            made = [(Analyser(self.library, file, self.evidence.scope(function), own), value) for file, function, value in put]
            plain = all(analyser.is_plain(value) for analyser, value in made)
            (parts if not plain and (found.unclear or all(analyser.is_fresh(value) for analyser, value in made)) else others).add(name)
        if found.unclear:
            return ClassRecord(frozenset(parts) | always | (ANY if found.unnamed else frozenset()), always=always, open=found.unclear)
        others = {name for name in others if not own.is_plain(name)} if any(name.endswith("*") for name in parts) else set()
        parts |= {f"!{name}" for name in others}
        attentions = frozenset(name for name in parts if self._is_even_attention(found.assigned.get(name, [])))
        created = frozenset(found.parameters)
        return ClassRecord(frozenset(parts) - created, created, found.base, always & parts, attentions=attentions)

    def _is_even_attention(self, assigned: list[tuple[SourceFile, Function, ast.expr]]) -> bool:
        """Whether an attribute is torch's attention with keys and values as wide as the queries, or a list of such."""
        values = [(file, value) for file, _, value in assigned if not (isinstance(value, ast.Constant) and value.value is None)]
        calls = [[(file.dotted(node.func), node) for node in ast.walk(value) if isinstance(node, ast.Call)] for file, value in values]
        return bool(calls) and all(
            any(dotted == ATTENTION for dotted, _ in each)
            and all(is_even(node) if dotted == ATTENTION else dotted in LISTS_OF_TORCH or is_builtin(dotted) for dotted, node in each)
            for each in calls
        )

    def _is_always_there(self, assigned: list[tuple[SourceFile, Function, ast.expr]]) -> bool:
        """Whether an attribute is a module for all arguments of the constructor."""
        always = False
        for file, function, value in assigned:
            dotted = file.dotted(value.func) if isinstance(value, ast.Call) else ""
            above = self.library.class_of(dotted, file) if dotted.rpartition(".")[2][:1].isupper() else []
            if not (is_leaf_of_torch(dotted) or dotted in LISTS_OF_TORCH or (above and all(self._found(each, ()) for each in above))):
                return False
            always = always or (function.name == "__init__" and any(getattr(each, "value", None) is value for each in function.body))
        return always

    def _holds_nothing(self, found: ClassFacts, own: ClassAttributes) -> bool:
        """Whether a class, whose print may hide its parts, has none but torch modules without parameters."""
        for file, function, value in (each for assigned in found.assigned.values() for each in assigned):
            analyser = Analyser(self.library, file, self.evidence.scope(function), own)
            if not analyser.is_plain(value) and not all(self._is_empty(file, each) for each in chosen(value)):
                return False
        return True

    def _is_empty(self, file: SourceFile, value: ast.expr) -> bool:
        """Whether the value is a module without parameters: one of torch, or one composed only of such modules."""
        dotted = file.dotted(value.func) if isinstance(value, ast.Call) else ""
        if self._is_empty_of_torch(dotted):
            return True
        above = self.library.class_of(dotted, file) if dotted else []
        return bool(above) and all(self._is_empty_class(each) for each in above)

    def _is_empty_class(self, kind: ClassSource) -> bool:
        if kind in self._asked:
            return False
        self._asked.append(kind)
        try:
            return self._is_made_of_nothing(kind)
        finally:
            self._asked.pop()

    def _is_made_of_nothing(self, kind: ClassSource) -> bool:
        found = self._found(kind, ())
        if found is None or found.unclear or found.parameters or found.base or found.lists:
            return False
        return self._holds_nothing(found, ClassAttributes(self.evidence, found.assigned, found.methods, frozenset(found.constants)))

    def _is_empty_of_torch(self, dotted: str) -> bool:
        last = dotted.rpartition(".")[2]
        known = class_contents(last) if dotted.startswith("torch.nn.") and last not in PARTS_OF_TORCH else None
        return known is not None and known.of_torch and not known.base

    def _found(self, kind: ClassSource, below: tuple[ClassSource, ...]) -> ClassFacts | None:
        """The facts that a class and its base classes state; None if it is not a module."""
        if kind not in self._read:
            if any(kind is each for each in below):
                return None
            too_deep = ClassFacts(unclear="too many classes are above it", unnamed=True) if len(below) > MAX_ABOVE else None
            self._read[kind] = too_deep or self._of_class(kind, below)
        return self._read[kind]

    def _of_class(self, kind: ClassSource, below: tuple[ClassSource, ...]) -> ClassFacts | None:
        found, is_module = ClassFacts(), False
        for base in kind.bases:
            last = base.rpartition(".")[2]
            if base.startswith("torch.nn.") or (base.startswith("torch.") and last == "Module"):
                is_module = True
                self._of_torch(last, found)
                continue
            above = [each for each in self.library.class_of(base, kind.file) if each is not kind]
            inherited = [each for each in (self._found(one, (*below, kind)) for one in above) if each is not None]
            if inherited:
                is_module = True
                for each in inherited:
                    _merge(found, each)
            elif above:
                for one in above:
                    self._read_class(one, found)
            elif last not in BARE and not MIXINS.search(last):
                found.unclear, found.unnamed = f"{last}, above it, is not known", True
        if not is_module:
            return None
        self._read_class(kind, found)
        return found

    def _of_torch(self, last: str, found: ClassFacts) -> None:
        if last in READ:
            found.base = last
        elif last in LISTS:
            found.lists = True
        elif last != "Module" and not self._is_empty_of_torch(f"torch.nn.{last}"):
            found.unclear, found.unnamed = f"{last} of torch is above it", True

    def _read_class(self, kind: ClassSource, found: ClassFacts) -> None:
        own = {method.name: (kind.file, method) for method in kind.methods}
        building = _building(kind.methods)
        for name, each in own.items():
            found.methods.setdefault(name, []).append(each)
        if printing := [*PRINTING & own.keys()] + (["extra_repr"] if found.base and "extra_repr" in own else []):
            found.printing = printing[0]
        for statement in kind.tree.body:
            if isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value is not None:
                if any(self._is_full_module(kind.file, each) for each in ast.walk(statement.value)):
                    found.unclear, found.unnamed = "its modules are made with the class", True
                targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
                found.constants |= {each.id for each in targets if isinstance(each, ast.Name)}
        for name, (_, function) in own.items():
            self._read_method(kind.file, function, name in building, found)

    def _is_full_module(self, file: SourceFile, node: ast.AST) -> bool:
        """Whether it creates a torch module with parameters."""
        return isinstance(node, ast.Call) and is_module_of_torch(file, node) and not self._is_empty_of_torch(file.dotted(node.func))

    def _read_method(self, file: SourceFile, function: Function, builds: bool, found: ClassFacts) -> None:
        names, unclear = self.effects.parameters(file, function)
        found.parameters |= names
        found.unclear = found.unclear or unclear
        if not builds:
            return
        around = self.effects.way_round(file, function)
        found.unclear = found.unclear or around
        found.unnamed = found.unnamed or any(around == f"uses {name}" for name in NAMING)
        for target, value in assignments(function):
            if isinstance(target, ast.Attribute) and is_self(target.value):
                if found.base and target.attr in ("weight", "bias") and target.attr not in names:
                    found.unclear = "changes the weights of its base class"
                found.assigned.setdefault(target.attr, []).append((file, function, value))
                found.unclear = found.unclear or self._elsewhere(file, function, value)
            elif isinstance(target, ast.Subscript) and (name := _attribute_of_self(target.value)):
                found.put.setdefault(name, []).append((file, function, value))
        for node in ast.walk(function):
            if isinstance(node, ast.Delete):
                found.deleted |= {each.attr for each in node.targets if isinstance(each, ast.Attribute)}
            elif isinstance(node, ast.Call):
                self._read_call(file, function, node, found)

    def _elsewhere(self, file: SourceFile, function: Function, value: ast.expr) -> str:
        """Whether the value comes from a function without available source, which may create a parameter."""
        for call in (each for each in chosen(value) if isinstance(each, ast.Call)):
            dotted = file.dotted(call.func)
            root, _, _ = dotted.partition(".")
            last = dotted.rpartition(".")[2]
            known = (
                not dotted
                or (last[:1] in ("_", "") and last[1:2].isupper())
                or last[:1].isupper()
                or root in ("torch", "self", "cls", *HARMLESS_ROOTS)
                or is_builtin(dotted)
                or root in self.evidence.scope(function).bindings
                or last in self.library.functions
                or last in self.library.classes
                or any(last in each.values for each in self.library.files)
                or any(last in assigned for assigned in (NUMBERS, PASSTHROUGH))
            )
            if not known:
                return f"calls {last}, whose source is not there"
        return ""

    def _read_call(self, file: SourceFile, function: Function, call: ast.Call, found: ClassFacts) -> None:
        last = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        on_self = isinstance(call.func, ast.Attribute) and is_self(call.func.value)
        if (last in ("add_module", "register_module") and on_self) or (last == "setattr" and call.args and is_self(call.args[0])):
            name, value = call.args[-2:] if len(call.args) > 1 else (None, call.args[0]) if call.args else (None, None)
            if value is None:
                found.unclear, found.unnamed = "its parts have names that its source does not say", True
            else:
                found.assigned.setdefault(self._name_of(file, function, name) or "*", []).append((file, function, value))
        elif isinstance(call.func, ast.Attribute) and last in GROWING and (attribute := _attribute_of_self(call.func.value)):
            values = (*call.args, *(keyword.value for keyword in call.keywords))
            found.put.setdefault(attribute, []).extend((file, function, value) for value in values)
        elif found.lists and ((on_self and last in ("append", "extend", "insert", "update")) or _is_start(call)):
            for each in (*call.args, *(keyword.value for keyword in call.keywords)):
                named = "OrderedDict" in ast.dump(each) or isinstance(each, (ast.Dict, ast.DictComp)) or last == "update"
                found.assigned.setdefault("*" if named else "#", []).append((file, function, each))

    def _name_of(self, file: SourceFile, function: Function, node: ast.expr | None) -> str | None:
        """The name in ``add_module(name, …)``, ending in ``*`` if only its beginning is known; None if not even that is known."""
        match node:
            case ast.Constant(value=str(name)):
                return "#" if name.isdecimal() else name
            case ast.JoinedStr(values=[ast.Constant(value=str(name)), *_]):
                return f"{name}*"
            case ast.BinOp(left=ast.Constant(value=str(name))) if re.match(r"\w+", name):
                return f"{name.partition('%')[0]}*"
            case ast.Call(func=ast.Name(id="str")):
                return "#"
            case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(name)), attr="format")) if not name.startswith("{"):
                return f"{name.partition('{')[0]}*"
            case ast.Name(id=name):
                values = [each.value for each in self.evidence.scope(function).bindings.get(name, [])]
                shown = {self._name_of(file, function, value) if not isinstance(value, ast.Name) else None for value in values}
                return shown.pop() if len(shown) == 1 else None
            case _:
                return None


def _building(methods: Iterable[Function]) -> set[str]:
    """The methods of a class that build it, and those that they call."""
    by_name = {each.name: each for each in methods}
    found, open_ = set[str](), {name for name in by_name if BUILDING.search(name)}
    while open_:
        name = open_.pop()
        found.add(name)
        named = {each.attr for each in ast.walk(by_name[name]) if isinstance(each, ast.Attribute) and is_self(each.value)}
        open_ |= (named & by_name.keys()) - found
    return found


def _attribute_of_self(node: ast.expr) -> str:
    """The name of the attribute where the expression is one of the module itself, ``self.layers``; empty otherwise."""
    return node.attr if isinstance(node, ast.Attribute) and is_self(node.value) else ""


def _merge(found: ClassFacts, other: ClassFacts) -> None:
    for name, values in other.assigned.items():
        found.assigned.setdefault(name, []).extend(values)
    for name, values in other.put.items():
        found.put.setdefault(name, []).extend(values)
    for name, methods in other.methods.items():
        found.methods.setdefault(name, []).extend(methods)
    found.parameters |= other.parameters
    found.deleted |= other.deleted
    found.constants |= other.constants
    found.base = found.base or other.base
    found.lists = found.lists or other.lists
    found.printing = found.printing or other.printing
    found.unclear = found.unclear or other.unclear
    found.unnamed = found.unnamed or other.unnamed


def is_even(call: ast.Call) -> bool:
    """Whether a call of torch's attention has only such arguments, of which the first four may be positional."""
    positional = len(call.args) <= 4 and not any(isinstance(each, ast.Starred) for each in call.args)
    return positional and all(each.arg in EVEN for each in call.keywords)


def _is_start(call: ast.Call) -> bool:
    """Whether it is ``super().__init__(…)`` or ``nn.Sequential.__init__(self, …)``."""
    return isinstance(call.func, ast.Attribute) and call.func.attr == "__init__"
