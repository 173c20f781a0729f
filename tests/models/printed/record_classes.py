"""Records which parameters each class of modules can hold, and which tensors the classes of models tie, from torch and the reference.

    HF_HUB_OFFLINE=1 /path/to/python tests/models/printed/record_classes.py [FOLDER]

The Python needs torch and transformers; the versions are written into the files. Nothing is downloaded: every class of models that its
default config builds is built on the meta device, twice where it can tie its embeddings. What a class can hold is read from its source too,
so that also what only another config brings is known. With a folder, what each model prints and its parameters are written there, to hold
the reading of prints against.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import pkgutil
import re
import signal
import sys
import warnings
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import torch
import transformers

from symparam.models.printed.sources.class_descriptions import is_even

DATA = Path(__file__).parents[3] / "symparam" / "models" / "printed" / "recorded"
TIE = "tie_word_embeddings"
SECONDS = 120  # For one model.
READ = frozenset(
    [
        "Linear",
        "Bilinear",
        "Embedding",
        "Conv1d",
        "Conv2d",
        "Conv3d",
        "ConvTranspose1d",
        "ConvTranspose2d",
        "ConvTranspose3d",
        "LayerNorm",
        "RMSNorm",
        "GroupNorm",
        "BatchNorm1d",
        "BatchNorm2d",
        "BatchNorm3d",
        "LSTM",
        "GRU",
        "RNN",
    ]  # Easier to read than a list.
)
CONTAINERS = (
    "Sequential ModuleList ModuleDict ParameterList ParameterDict DataParallel DistributedDataParallel Container ParametrizationList"
)
VERSIONS = f"torch {torch.__version__} and transformers {transformers.__version__}"
BY = f"recorded by tests/models/printed/record_classes.py from {VERSIONS}."
Ties = dict[str, str]


def subclasses(base: type) -> Iterator[type]:
    for child in base.__subclasses__():
        yield child
        yield from subclasses(child)


def import_everything() -> None:
    for package in (transformers.models, transformers):
        for found in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            try:
                module = importlib.import_module(found.name)
            except Exception:
                continue
            for inner in pkgutil.iter_modules(getattr(module, "__path__", ()), f"{found.name}.") if package is transformers.models else ():
                if re.match(r"modeling_(?!tf_|flax_)", inner.name.rpartition(".")[2]):
                    try:
                        importlib.import_module(inner.name)
                    except Exception as error:
                        print("not imported:", inner.name, repr(error)[:100])


@cache
def classes_of(module: str) -> dict[str, ast.ClassDef]:
    try:
        tree = ast.parse(inspect.getsource(sys.modules[module]))
    except (OSError, TypeError, SyntaxError, KeyError):
        return {}
    return {node.name: node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}


@cache
def stated(kind: type) -> frozenset[str]:
    """The names of the parameters that the source of the class itself makes; ``?`` for one whose name it does not say."""
    tree = classes_of(kind.__module__).get(kind.__name__)
    if tree is None:
        return frozenset()
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    found = set()
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and called(call) == "register_parameter":
            first = call.args[0] if call.args else None
            found.add(first.value if isinstance(first, ast.Constant) else "?")
        elif isinstance(call, ast.Call) and called(call) in ("Parameter", "UninitializedParameter"):
            found |= assigned(call, parents)
    return frozenset(found)


def called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def assigned(call: ast.Call, parents: dict[ast.AST, ast.AST]) -> set[str]:
    """The names of the module's own that a new parameter is given."""
    node: ast.AST = call
    while node in parents and not isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        node = parents[node]
        if isinstance(node, ast.Call) and called(node) == "setattr":
            return {"?"}
        if isinstance(node, ast.Call) and called(node) in ("ParameterList", "ParameterDict", "isinstance", "register_parameter"):
            return set()
        if isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            own = {each.attr for each in targets if isinstance(each, ast.Attribute) and getattr(each.value, "id", "") == "self"}
            return own or ({"?"} if any(isinstance(each, ast.Name) for each in targets) else set())
    return set()


def can_hold(kind: type) -> frozenset[str]:
    """What the class and those above it make, without the classes of torch, whose arguments a print shows, and without loading code."""
    bases = [base for base in kind.__mro__ if not base.__module__.startswith(("torch.", "builtins", "transformers.modeling_utils"))]
    return frozenset(name for base in bases for name in stated(base))


def attentions(kind: type) -> frozenset[str]:
    """The parts that the source of the class makes torch's attention, with keys and values as wide as the queries."""
    found: dict[str, bool] = {}
    for base in kind.__mro__:
        for node in ast.walk(classes_of(base.__module__).get(base.__name__) or ast.Module([], [])):
            match node:
                case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)], value=ast.Call() as call):
                    if ast.unparse(call.func) in ("nn.MultiheadAttention", "torch.nn.MultiheadAttention"):
                        found[name] = found.get(name, True) and is_even(call)
    return frozenset(name for name, even in found.items() if even)


class Seen:
    """What the models that were built show: the parameters of the instances of each class, those always there and those sometimes.

    A parameter that a module inside shows too is that one's: the bias of a head.
    """

    def __init__(self) -> None:
        self.always: dict[type, frozenset[str]] = {}
        self.ever: dict[type, frozenset[str]] = defaultdict(frozenset)
        self.shown: set[tuple[type, str]] = set()

    def look(self, model: torch.nn.Module) -> None:
        for module in model.modules():
            kind = type(module)
            own = {name: value for name, value in module._parameters.items() if value is not None}
            if own:
                inside = {id(value) for child in module.children() for value in child.parameters()}
                self.shown |= {(kind, name) for name, value in own.items() if id(value) in inside}
            names = frozenset(own)
            self.always[kind] = self.always.get(kind, names) & names
            self.ever[kind] |= names


def configs_in(config: Any) -> Iterator[Any]:
    yield config
    for value in vars(config).values():
        if isinstance(value, transformers.PreTrainedConfig):
            yield from configs_in(value)


def ties(model: torch.nn.Module) -> Ties:
    """Which parameters share their memory with one registered before them, by name."""
    first: dict[int, str] = {}
    return {
        name: first[id(value)]
        for name, value in model.named_parameters(remove_duplicate=False)
        if first.setdefault(id(value), name) != name
    }  # fmt: skip


def built(kind: Any, tie: bool | None = None) -> Any:
    config = kind.config_class()
    for each in configs_in(config) if tie is not None else ():
        setattr(each, TIE, tie)
    with torch.device("meta"):
        model = kind(config)
    model.tie_weights()
    return model


def number_free(name: str) -> str:
    return re.sub(r"(?<=\.)\d+(?=\.)", "#", name)


def numbers_in(name: str) -> list[str]:
    return re.findall(r"(?<=\.)\d+(?=\.)", name)


def patterns(pairs: Ties) -> Ties:
    """The ties with ``#`` for a number that both names have, and ``*1`` where layers are the first one or two again."""
    found: Ties = {}
    again: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    by_pattern: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for name, target in pairs.items():
        one, other = name.split("."), target.split(".")
        differing = [at for at, (part, its) in enumerate(zip(one, other, strict=False)) if part != its]
        if number_free(name) == number_free(target) and len(differing) == 1:
            star = [*number_free(name).split(".")]
            star[differing[0]] = "*"
            again[".".join(star)][".".join(part for at, part in enumerate(one) if at != differing[0])].add(target)
        else:
            by_pattern[number_free(name)].append((name, target))
    for pattern, alike in by_pattern.items():
        same = all(numbers_in(name) == numbers_in(target) for name, target in alike)
        found |= {pattern: number_free(alike[0][1])} if same and "#" in pattern else dict(alike)
    for pattern, targets in again.items():
        found[pattern.replace("*", f"*{max(map(len, targets.values()))}")] = ""
    return found


def tie_line(by_default: Ties, tied: Ties, untied: Ties, kept: bool) -> str:
    """``tied`` or ``untied`` by default, or ``kept`` where no config unties, and the pairs: with a ``!`` those that are tied whatever the
    flag says.
    """
    usual, tied, untied = (patterns(each) for each in (by_default, tied, untied))
    flagged = {name: target for name, target in tied.items() if name not in untied}
    pairs = [f"!{name}={target}" for name, target in sorted(untied.items())] + [
        f"{name}={target}" for name, target in sorted(flagged.items())
    ]
    return f"{'kept' if kept and flagged else 'tied' if flagged.keys() & usual.keys() else 'untied'} {' '.join(pairs)}" if pairs else ""


def write_ties(lines: dict[str, list[str]], unbuilt: list[str]) -> None:
    head = (
        "# Tensors that models of the reference tie, by their classes: those with ! always, the others where tie_word_embeddings is set; in kept\n"
        "# lines the config of the class sets it whatever is given.\n"
        f"# As they are by default, {BY}\n"
    )
    told = [f"{pairs} : {' '.join(sorted(kinds))}\n" for pairs, kinds in sorted(lines.items()) if pairs]
    (DATA / "ties.txt").write_text(head + "".join(told) + f"unknown : {' '.join(sorted(unbuilt))}\n", encoding="utf-8")


def entry(name: str, kind: type, seen: Seen) -> str:
    base = next((each.__name__ for each in kind.__mro__ if each.__module__.startswith("torch.nn.") and each.__name__ in READ), "")
    names = can_hold(kind) - ({"?"} if kind in seen.ever else set()) | seen.ever.get(kind, frozenset())
    names = {each for each in names if (kind, each) not in seen.shown} - ({"weight", "bias"} if base else set())
    always = seen.always.get(kind, frozenset())
    told = ",".join("parameters?" if each == "?" else each + "?" * (each not in always) for each in sorted(names))
    even = ",".join(sorted(attentions(kind)))
    return name + (f"({told})" if told else "") + (f"={base}" if base else "") + (f"~{even}" if even else "")


def write_classes(seen: Seen) -> None:
    """A line for each model, with the classes whose names begin as those of the model do, and behind ``/`` those whose names are generic."""
    modules: dict[str, dict[str, type]] = defaultdict(dict)
    for kind in set(subclasses(torch.nn.Module)):
        if kind.__module__.startswith("transformers.") and kind is not transformers.PreTrainedModel:
            modules[kind.__module__][kind.__name__] = kind
    lines: dict[str, set[str]] = defaultdict(set)
    for module, kinds in modules.items():
        own = {name.removesuffix("PreTrainedModel") for name in kinds if name.endswith("PreTrainedModel")}
        spelled = {module.rpartition("modeling_")[2].replace("_", "")} if module.startswith("transformers.models.") else set()
        prefixes = sorted(own | spelled, key=lambda each: (-len(each), each))
        main = next((each for each in prefixes if each in own), prefixes[0] if prefixes else "")
        for name, kind in kinds.items():
            begin = next((each for each in prefixes if each and name.lower().startswith(each.lower())), None)
            if begin is None:
                lines[main].add(("/" if prefixes else "") + entry(name, kind, seen))
            else:
                lines[name[: len(begin)]].add(entry(name[len(begin) :], kind, seen))
    head = (
        "# What modules of the classes of the reference can hold. A line begins with what the names of its classes begin with; / is before\n"
        "# names that do not, (names) are parameters, those with ? not in every config, = a class of torch whose arguments are printed,\n"
        "# and ~ parts that are torch's attention with keys and values as wide as the queries;\n"
        f"# {BY}\n"
    )
    text = "".join(f"{begin}: {' '.join(sorted(entries))}\n" for begin, entries in sorted(lines.items()))
    (DATA / "classes.txt").write_text(head + text, encoding="utf-8")


def write_classes_of_torch() -> None:
    kinds_of_torch = {kind for kind in set(subclasses(torch.nn.Module)) if kind.__module__.startswith("torch.nn.")}
    own_too = {kind for kind in kinds_of_torch if any(stated(base) for base in kind.__mro__ if base is not torch.nn.Module)}
    named = [" ".join(sorted({each.__name__ for each in kinds} - set(CONTAINERS.split()))) for kinds in (own_too, kinds_of_torch - own_too)]
    head = f"# Classes of torch.nn with parameters of their own, and those without, {BY}\n"
    (DATA / "torch_classes.txt").write_text(f"{head}with {named[0]}\nwithout {named[1]}\n", encoding="utf-8")


def too_long(*_: object) -> None:
    raise TimeoutError


def main(folder: Path | None) -> None:
    import_everything()
    seen, lines, unbuilt = Seen(), defaultdict[str, list[str]](list), list[str]()
    base = transformers.PreTrainedModel
    models = {
        kind for kind in subclasses(base) if kind.__module__.startswith("transformers.models.") and getattr(kind, "config_class", None)
    }
    signal.signal(signal.SIGALRM, too_long)
    for kind in sorted(models, key=lambda kind: (kind.__module__, kind.__name__)):
        signal.alarm(SECONDS)
        try:
            model = built(kind)
            seen.look(model)
            by_default = tied = untied = ties(model)
            if any(getattr(module, "_tied_weights_keys", None) for module in model.modules()):
                tied, untied = (ties(built(kind, flag)) for flag in (True, False))  # The flag may be that of a config inside.
            kept = getattr(kind.config_class(**{TIE: False}), TIE, False) is not False
            lines[tie_line(by_default, tied, untied, kept)].append(kind.__name__)
            if folder:
                own = {name: list(each.shape) for name, each in model.named_parameters()}
                (folder / f"{kind.__name__}.txt").write_text(f"{model}\n", encoding="utf-8")
                (folder / f"{kind.__name__}.json").write_text(json.dumps(own), encoding="utf-8")
        except Exception as error:
            unbuilt.append(kind.__name__)
            print("not built:", kind.__name__, repr(error)[:100].replace("\n", " "), flush=True)
        finally:
            signal.alarm(0)
    DATA.mkdir(exist_ok=True)
    write_ties(lines, unbuilt)
    write_classes(seen)
    write_classes_of_torch()
    print(sum(map(len, lines.values())), "models,", len(seen.ever), "classes seen,", len(unbuilt), "not built")


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
