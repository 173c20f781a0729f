"""Evidence from a whole library about names: which parameters receive modules, and which certainly do not."""

from __future__ import annotations

import ast

from symparam.models.printed.sources.library import Function, Library, SourceFile, words
from symparam.models.printed.sources.scope import Scope

NUMBERS = words("int float bool str len max min sum round abs range divmod pow isinstance hasattr type id repr callable bytes")
PLAIN_TYPES = words(
    "int float bool str bytes Number Type type Callable dtype device Tensor ndarray dict Dict Mapping Config Size Enum "
    "Literal complex LayerType"
)
CONTAINERS = words(
    "Sequential ModuleList ModuleDict Transformer TransformerEncoder TransformerDecoder TransformerEncoderLayer "
    "TransformerDecoderLayer DataParallel DistributedDataParallel Module"
)


def is_leaf_of_torch(dotted: str) -> bool:
    """Whether it is a torch class that is constructed from numbers and not from modules."""
    last = dotted.rpartition(".")[2]
    tensors = "Parameter" in last or last == "Buffer"
    return dotted.startswith("torch.nn.") and last[:1].isupper() and last not in CONTAINERS and not tensors


def type_of(annotation: ast.expr | None) -> bool | None:
    """Whether a value with this annotation is certainly not a module; None if the annotation does not tell."""
    if annotation is None:
        return None
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            annotation = ast.parse(annotation.value, mode="eval").body
        except SyntaxError:
            return None
    words = [
        each.attr if isinstance(each, ast.Attribute) else each.id
        for each in ast.walk(annotation)
        if isinstance(each, (ast.Name, ast.Attribute))
    ]
    if any(word in ("Type", "type", "Callable") for word in words):
        return True
    if any(
        word.endswith(("Module", "Any", "Optional", "Union", "ModuleList", "Sequential", "object"))
        for word in words
        if word not in ("Optional", "Union")
    ):
        return None
    return any(word in PLAIN_TYPES or word.endswith(("Config", "Args", "Namespace")) for word in words) or None


def looks_plain(scope: Scope, name: str, file: SourceFile) -> bool:
    """Whether the function uses the name as one uses a number, a text or a class."""
    for node in scope.nodes:
        match node:
            case ast.BinOp() if _is(node.left, name) or _is(node.right, name):
                return True
            case ast.Compare() if _is(node.left, name) and not isinstance(node.ops[0], (ast.Is, ast.IsNot)):
                return True
            case ast.Call() if _is(node.func, name):
                return True
            case ast.Call() if any(_is(each, name) for each in (*node.args, *(each.value for each in node.keywords))):
                dotted = file.dotted(node.func)
                last = dotted.rpartition(".")[2]
                if last in NUMBERS and last not in ("isinstance", "len", "hasattr", "type", "id", "callable", "repr"):
                    return True
                if is_leaf_of_torch(dotted) or dotted.startswith(("math.", "numpy.")):
                    return True
            case ast.Subscript() if _is(node.slice, name):
                return True
            case _:
                pass
    return False


def _is(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


class NameEvidence:
    """The evidence of a whole library about names: parameters that receive modules, those that do not, and attributes that never do."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.steps = 0
        self._scopes: dict[int, Scope] = {}
        self.modules: set[str] = set()
        self.plain: set[str] = set()
        self.sizes: set[str] = set()
        self.plain_attributes: frozenset[str] = frozenset({"shape", "dtype", "device"})
        for file in library.files:
            for node in ast.walk(file.tree):
                if isinstance(node, Function):
                    self._look(file, node)
                elif isinstance(node, ast.Call):
                    self._given(file, node)
        self.plain -= self.modules

    def scope(self, function: Function) -> Scope:
        return self._scopes.setdefault(id(function), Scope(function)) if id(function) not in self._scopes else self._scopes[id(function)]

    def _look(self, file: SourceFile, function: Function) -> None:
        scope = self.scope(function)
        for each in scope.parameters:
            kind = type_of(each.annotation)
            default = scope.defaults.get(each.arg)
            told = default is not None and not (isinstance(default, ast.Constant) and default.value is None)
            if kind or (kind is None and (told or looks_plain(scope, each.arg, file))):
                self.plain.add(each.arg)
            elif each.annotation is not None and "Module" in ast.dump(each.annotation):
                self.modules.add(each.arg)

    def _given(self, file: SourceFile, call: ast.Call) -> None:
        if is_leaf_of_torch(file.dotted(call.func)):
            self.sizes |= {
                each.attr for each in (*call.args, *(keyword.value for keyword in call.keywords)) if isinstance(each, ast.Attribute)
            }
        for keyword in call.keywords:
            if keyword.arg and isinstance(keyword.value, ast.Call):
                dotted = file.dotted(keyword.value.func)
                last = dotted.rpartition(".")[2]
                if (dotted.startswith("torch.nn.") and last[:1].isupper()) or (last in self.library.classes and last[:1].isupper()):
                    self.modules.add(keyword.arg)
