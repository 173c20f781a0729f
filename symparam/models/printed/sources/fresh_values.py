"""Classifies what an expression creates: certainly no module, new modules, or possibly a module that is also used elsewhere."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from symparam.models.printed.sources.library import HARMLESS_ROOTS, Function, Library, SourceFile, is_builtin, words
from symparam.models.printed.sources.scope import Scope
from symparam.models.printed.sources.usage import NUMBERS, NameEvidence, is_leaf_of_torch, looks_plain, type_of

MAX_STEPS = 100_000  # Expressions examined for one class; beyond this limit nothing is known of it.
PASSTHROUGH = words("list tuple set dict zip enumerate reversed sorted filter iter next OrderedDict cast map chain")
PLAIN_METHODS = words(
    "item format split strip lower upper index count startswith endswith tolist numel size dim replace join lstrip rstrip"
)
PASSTHROUGH_METHODS = words("get pop copy items values keys")
SETTINGS = words("config cfg args opt opts options hparams hp params kwargs conf settings model_args self_config")


@dataclass(eq=False)
class Analyser:
    """Analyses the expressions of one function in a file; ``own`` has the attributes and methods of the enclosing class."""

    library: Library
    file: SourceFile
    scope: Scope
    own: ClassAttributes
    busy: set[int] = field(default_factory=set)

    def is_plain(self, node: ast.expr | None) -> bool:
        """Whether the expression certainly holds no module: numbers, texts, classes, functions, settings, tensors."""
        if node is None or id(node) in self.busy:
            return True
        self.own.evidence.steps += 1
        if self.own.evidence.steps > MAX_STEPS:
            return False
        self.busy.add(id(node))
        try:
            return self._is_plain(node)
        finally:
            self.busy.discard(id(node))

    def is_fresh(self, node: ast.expr) -> bool:
        """Whether every module in it was created here and is used nowhere else."""
        if id(node) in self.busy:
            return True
        if self.own.evidence.steps > MAX_STEPS:
            return False
        if self.is_plain(node):
            return True
        self.busy.add(id(node))
        try:
            return self._is_fresh(node)
        finally:
            self.busy.discard(id(node))

    def _is_plain(self, node: ast.expr) -> bool:
        match node:
            case ast.Constant() | ast.JoinedStr() | ast.Compare() | ast.Lambda() | ast.UnaryOp():
                return True
            case ast.BinOp():
                if not isinstance(node.op, (ast.Add, ast.Mult)):
                    return True
                sides = (node.left, node.right)
                if isinstance(node.op, ast.Mult) and all(
                    isinstance(each, (ast.Attribute, ast.Subscript)) or self.is_plain(each) for each in sides
                ):
                    return True
                return all(map(self.is_plain, sides))
            case ast.Name():
                return self._is_plain_name(node.id)
            case ast.Attribute():
                return self._is_plain_attribute(node)
            case ast.Subscript() | ast.Starred():
                return self.is_plain(node.value)
            case ast.Call():
                return self._is_plain_call(node)
            case _:
                inside = _parts(node)
                return inside is not None and all(map(self.is_plain, inside))

    def _is_plain_name(self, name: str) -> bool:
        if bindings := self.scope.bindings.get(name):
            values = [each.value for each in bindings]
            called_so = name in self.own.evidence.plain
            return all(
                self._is_plain_parameter(name) if value is None else self.is_plain(value) or (called_so and self._is_function_call(value))
                for value in (*values, *self.scope.added[name])
            )
        if name in self.file.imports or name in self.library.classes or name in self.library.functions or is_builtin(name):
            return True
        assigned = self.file.values.get(name)
        return assigned is not None and not any(
            isinstance(each, ast.Call) and self._makes(each) for value in assigned for each in ast.walk(value)
        )

    def _is_function_call(self, value: ast.expr) -> bool:
        """Whether a function looks something up, such as the class that a name refers to."""
        values = value.values if isinstance(value, ast.BoolOp) else [value]
        return all((isinstance(each, ast.Call) and not self._makes(each)) or self.is_plain(each) for each in values)

    def _makes(self, call: ast.Call) -> bool:
        last = self.file.dotted(call.func).rpartition(".")[2]
        return last in self.library.classes or self.file.dotted(call.func).startswith("torch.nn.")

    def _is_plain_parameter(self, name: str) -> bool:
        found = self.scope.function.args
        if name in ("self", "cls"):
            return False
        if found.kwarg is not None and found.kwarg.arg == name:
            return True
        each = next((each for each in self.scope.parameters if each.arg == name), None)
        kind = type_of(each.annotation) if each else None
        if kind is not None:
            return kind
        default = self.scope.defaults.get(name)
        if default is not None and not (isinstance(default, ast.Constant) and default.value is None):
            return not (isinstance(default, ast.Call) and self._makes(default))
        if looks_plain(self.scope, name, self.file):
            return True
        return name not in self.own.evidence.modules and (name in self.own.evidence.plain or name in SETTINGS)

    def _is_plain_attribute(self, node: ast.Attribute) -> bool:
        root = node.value
        if isinstance(root, ast.Name):
            if root.id == "self":
                return self.own.is_plain(node.attr)
            if root.id not in self.scope.bindings:
                return root.id in self.file.imports or root.id in self.library.classes or root.id in SETTINGS
            if root.id in SETTINGS or root.id.endswith(("config", "cfg", "args", "params")):
                return True
            annotation = next((each.annotation for each in self.scope.parameters if each.arg == root.id), None)
            if type_of(annotation):
                return True
        if isinstance(root, ast.Attribute):
            dotted = self.file.dotted(node)
            if dotted.partition(".")[0] in ("torch", *HARMLESS_ROOTS) or root.attr in SETTINGS or root.attr.endswith("config"):
                return True
        return node.attr in self.own.evidence.plain_attributes or (
            (not isinstance(root, ast.Name) or root.id != "self") and self.is_plain(root)
        )

    def _is_plain_call(self, node: ast.Call) -> bool:
        dotted = self.file.dotted(node.func)
        root, _, _ = dotted.partition(".")
        last = dotted.rpartition(".")[2] or (node.func.attr if isinstance(node.func, ast.Attribute) else "")
        assigned = (*node.args, *(each.value for each in node.keywords))
        bound = isinstance(node.func, ast.Name) and node.func.id in self.scope.bindings
        if isinstance(node.func, ast.Name) and not bound and (last in NUMBERS):
            return True
        if last == "partial" or (isinstance(node.func, ast.Name) and last in PASSTHROUGH):
            return all(map(self.is_plain, assigned))
        if last == "getattr" and len(node.args) > 1 and isinstance(node.args[1], ast.Constant):
            name = ast.copy_location(ast.Attribute(node.args[0], str(node.args[1].value), ast.Load()), node)
            return self.is_plain(name) and all(map(self.is_plain, node.args[2:]))
        if root in HARMLESS_ROOTS:
            return root != "copy" or all(map(self.is_plain, assigned))
        if dotted.startswith("torch.") and not dotted.startswith("torch.nn.") and last[:1].islower():
            return True
        if dotted.startswith(("torch.nn.functional.", "torch.nn.init.")):
            return True
        if isinstance(node.func, ast.Attribute):
            if last in PLAIN_METHODS:
                return True
            if last in PASSTHROUGH_METHODS:
                return self.is_plain(node.func.value) and all(map(self.is_plain, node.args))
        if not bound and (found := self.library.function_of(dotted, self.file)) and isinstance(node.func, ast.Name):
            return all(self._returns(file, function, "is_plain") for file, function in found)
        return False

    def _returns(self, file: SourceFile, function: Function, what: str, own: ClassAttributes | None = None) -> bool:
        if id(function) in self.busy:
            return True
        if what == "is_fresh" and any("cache" in ast.dump(each) for each in function.decorator_list):
            return False
        self.busy.add(id(function))
        try:
            evidence = self.own.evidence
            analyser = Analyser(self.library, file, evidence.scope(function), own or ClassAttributes(evidence, {}, {}), self.busy)
            answer = analyser.is_plain if what == "is_plain" else analyser.is_fresh
            yielded = [each.value for each in analyser.scope.nodes if isinstance(each, ast.Yield) and each.value is not None]
            return all(map(answer, (*analyser.scope.returned, *yielded)))
        finally:
            self.busy.discard(id(function))

    def _is_fresh(self, node: ast.expr) -> bool:
        match node:
            case ast.Name():
                bindings = self.scope.bindings.get(node.id, [])
                if not bindings or not self.scope.handed_on_once(node.id):
                    return False
                values = [each.value for each in bindings if each.value is not None]
                return all(map(self.is_fresh, (*values, *self.scope.added[node.id])))
            case ast.Call():
                return self._is_fresh_call(node)
            case ast.BinOp():
                return isinstance(node.op, ast.Add) and self.is_fresh(node.left) and self.is_fresh(node.right)
            case ast.Starred() | ast.Await():
                return self.is_fresh(node.value)
            case _:
                inside = _parts(node)
                return inside is not None and all(map(self.is_fresh, inside))

    def _is_fresh_call(self, node: ast.Call) -> bool:
        dotted = self.file.dotted(node.func)
        last = dotted.rpartition(".")[2] or (node.func.attr if isinstance(node.func, ast.Attribute) else "")
        if last == "deepcopy" or is_leaf_of_torch(dotted):
            return True
        if not self._are_fresh(node, dotted) or last in ("copy", "getattr", "setattr"):
            return False
        if isinstance(node.func, ast.Name):
            if node.func.id in self.scope.bindings:
                return True  # A class or a function passed on to create modules.
            found = self.library.function_of(dotted, self.file)
            return not found or bool(self.library.class_of(dotted, self.file)) or all(self._returns(*each, "is_fresh") for each in found)
        if isinstance(node.func, ast.Attribute):
            root = node.func.value
            if isinstance(root, ast.Name) and root.id in ("self", "cls"):
                methods = self.own.methods.get(last)
                if methods is None:
                    return self.own.is_plain(last)  # A class received as an argument, to create modules.
                return all(self._returns(*each, "is_fresh", self.own) for each in methods)
            if isinstance(root, ast.Name) and root.id not in self.scope.bindings:
                found = self.library.function_of(dotted, self.file)
                return last[:1].isupper() or not found or all(self._returns(*each, "is_fresh") for each in found)
            if last in PASSTHROUGH_METHODS or last in ("to", "requires_grad_", "eval", "train"):
                return self.is_fresh(root)
            return dotted.startswith("torch.nn.") or self.is_plain(node.func)
        return (isinstance(node.func, (ast.Subscript, ast.Call)) and self.is_plain(node.func)) or isinstance(node.func, ast.Subscript)

    def _are_fresh(self, node: ast.Call, dotted: str) -> bool:
        """Whether each argument is fresh, or is passed where no module is expected."""
        called = () if isinstance(node.func, ast.Name) and node.func.id in self.scope.bindings else self._called(dotted)
        for at, each in enumerate(node.args):
            if not (
                self.is_fresh(each) or (called and not isinstance(each, ast.Starred) and all(one.expects_plain(at, None) for one in called))
            ):
                return False
        for keyword in node.keywords:
            told = keyword.arg is not None and (
                (keyword.arg in self.own.evidence.plain) if not called else all(one.expects_plain(None, keyword.arg) for one in called)
            )
            if not told and not self.is_fresh(keyword.value):
                return False
        return True

    def _called(self, dotted: str) -> list[Expecting]:
        """The library's functions and constructors to which the name may refer."""
        evidence = self.own.evidence
        found = [
            Expecting(Analyser(self.library, file, evidence.scope(each), self.own), 0)
            for file, each in self.library.function_of(dotted, self.file)
        ]
        for kind in self.library.class_of(dotted, self.file):
            start = next((each for each in kind.methods if each.name == "__init__"), None)
            if start is None:
                return []
            found.append(Expecting(Analyser(self.library, kind.file, evidence.scope(start), self.own), 1))
        return found


@dataclass(frozen=True, eq=False)
class Expecting:
    """A called function, whose first ``skipped`` parameters are not given by the call."""

    analyser: Analyser
    skipped: int

    def expects_plain(self, at: int | None, name: str | None) -> bool:
        """Whether the argument at the position, or with the name, is certainly not a module."""
        found = self.analyser.scope.function.args
        if at is not None:
            positional = [each.arg for each in (*found.posonlyargs, *found.args)][self.skipped :]
            name = positional[at] if at < len(positional) else None
        if name is None:
            return False
        if all(name != each.arg for each in self.analyser.scope.parameters):
            return name in self.analyser.own.evidence.plain
        return self.analyser._is_plain_parameter(name)


def _parts(node: ast.expr) -> list[ast.expr] | None:
    """The constituents of an expression that only collects or selects; None for any other."""
    match node:
        case ast.List() | ast.Tuple() | ast.Set():
            return node.elts
        case ast.Dict():
            return [*filter(None, node.keys), *node.values]
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
            return [node.elt]
        case ast.DictComp():
            return [node.key, node.value]
        case ast.BoolOp():
            return node.values
        case ast.IfExp():
            return [node.body, node.orelse]
        case ast.NamedExpr():
            return [node.value]
        case _:
            return None


@dataclass(eq=False)
class ClassAttributes:
    """The values that a class assigns to its attributes, each with the assigning function, and its methods, including base classes."""

    evidence: NameEvidence
    assigned: dict[str, list[tuple[SourceFile, Function, ast.expr]]]
    methods: dict[str, list[tuple[SourceFile, Function]]]
    constants: frozenset[str] = frozenset()
    busy: set[str] = field(default_factory=set)

    def is_plain(self, name: str) -> bool:
        """Whether the attribute certainly holds no module."""
        if name in self.busy:
            return True
        assigned = self.assigned.get(name)
        if not assigned:
            return name in self.constants or name in self.evidence.plain_attributes
        self.busy.add(name)
        try:
            every = (
                Analyser(self.evidence.library, file, self.evidence.scope(function), self).is_plain(value)
                for file, function, value in assigned
            )
            return name in self.evidence.plain_attributes or all(every)
        finally:
            self.busy.discard(name)
