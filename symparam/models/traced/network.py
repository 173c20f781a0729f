"""A traced architecture as data: a tree of names whose tensors, lists and variants are rules over settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any

from symparam.core.frozen import frozen
from symparam.core.json_types import JsonMapping
from symparam.errors import ArchitectureError
from symparam.models.traced import expressions
from symparam.models.traced.expressions import Expression, Settings, evaluate
from symparam.models.traced.forward_pass import PRODUCTS

MAX_TENSORS = 1_000_000
MAX_SIZE = 10**18
MAX_DEPTH = 40
NUMBER = "#"
"""The placeholder for the number in the name of a list's entries."""
LAYERS = "#l"
"""The name of a list whose entries are tensors of one module: the layers of an LSTM."""
MARK = "\0"


@frozen
class TensorRule:
    """A tensor: an expression for each side of its shape, and the full name of the tensor whose memory it shares, if any."""

    shape: tuple[Expression, ...]
    tied_to: str | None = None

    @cached_property
    def depths(self) -> frozenset[int]:
        """The depths of the lists on whose numbers something in it depends."""
        return expressions.depths_in(self.shape)


@frozen
class RuleEntry:
    """The content of a module under a name, present if ``condition`` is true.

    With a ``count`` it is a list: the entries under the numbers 0 to ``count`` - 1 for which ``each`` is true. The number is ``("at",
    depth)`` in all expressions inside.
    """

    name: str
    content: TensorRule | ModuleRule
    condition: Expression = True
    count: Expression | None = None
    each: Expression = True


@frozen
class ModuleRule:
    """A module: its class and its content, in the order in which the reference registers it."""

    kind: str
    entries: tuple[RuleEntry, ...] = ()

    @cached_property
    def depths(self) -> frozenset[int]:
        """The depths of the lists on whose numbers something in it depends; found once, as that takes longer than to list its tensors."""
        own = expressions.depths_in(each for entry in self.entries for each in (entry.condition, entry.count, entry.each))
        return own.union(*(entry.content.depths for entry in self.entries))


@frozen
class ConcreteTensor:
    """A tensor at given settings: its name, and its shape in numbers and as expressions with list numbers substituted."""

    name: str
    shape: tuple[int, ...]
    tied_to: str | None


def concrete_tensors(root: ModuleRule, settings: Settings) -> Iterator[ConcreteTensor]:
    """Every tensor at these settings, including tied ones, in the reference's order.

    Raises `ArchitectureError` for a size that is not a positive integer, `CannotEvaluateError` for a missing setting.
    """
    for made, spelled in enumerate(_spelled("", root, settings, ())):
        if made >= MAX_TENSORS:
            raise ArchitectureError(f"the model would have more than {MAX_TENSORS:,} tensors with these settings, which are not listed")
        yield spelled


def _spelled(path: str, rule: ModuleRule, settings: Settings, at: tuple[int, ...]) -> Iterator[ConcreteTensor]:
    for entry in rule.entries:
        if entry.condition is not True and not evaluate(entry.condition, settings, at):
            continue
        if entry.count is None:
            yield from _content(joined(path, entry.name), entry.content, settings, at)
        else:
            yield from _listed(path, entry, settings, at)


def _listed(path: str, entry: RuleEntry, settings: Settings, at: tuple[int, ...]) -> Iterator[ConcreteTensor]:
    """The tensors of a list; those of one member stand for all where nothing in it depends on its number."""
    there = numbers(entry, settings, at)
    if len(there) < 2 or MARK in path or entry.name == LAYERS or len(at) in entry.content.depths:
        for number in there:
            yield from _content(numbered(path, entry.name, number), entry.content, settings, (*at, number))
        return
    first = numbered(path, entry.name, there[0])
    alike: list[ConcreteTensor] = []
    for each in _content(first, entry.content, settings, (*at, there[0])):
        alike.append(each)
        yield each
    for number in there[1:]:
        here = numbered(path, entry.name, number)
        for each in alike:
            yield ConcreteTensor(here + each.name[len(first) :], each.shape, each.tied_to)


def joined(path: str, name: str) -> str:
    """``path.name``. For one of several recurrent layers, which have no path of their own, the layer's number goes into the name."""
    if MARK in path:
        outer, _, number = path.partition(MARK)
        return joined(outer, name.replace(NUMBER, number))
    return f"{path}.{name}" if path else name


def numbered(path: str, name: str, number: int) -> str:
    """The name of a module or tensor of a list: ``blocks.3``, or ``block3`` if the name has a placeholder for the number."""
    if name == LAYERS:
        return f"{path}{MARK}{number}"
    own = name.replace(NUMBER, str(number))
    return f"{path}.{own}" if path else own


def tensors_of(root: ModuleRule, settings: Settings) -> list[tuple[str, tuple[int, ...]]]:
    """The names and shapes of the tensors that count, without the products of a run."""
    products = f".{PRODUCTS}."
    spelled = concrete_tensors(root, settings)
    return [(each.name, each.shape) for each in spelled if each.tied_to is None and products not in f".{each.name}"]


def numbers(entry: RuleEntry, settings: Settings, at: tuple[int, ...]) -> list[int]:
    """The numbers under which a list has entries."""
    count = evaluate(entry.count, settings, at)
    if not isinstance(count, int) or count > MAX_TENSORS:
        raise ArchitectureError(f"a list would have {count:,} modules with these settings; at most {MAX_TENSORS:,} are listed")
    return [number for number in range(count) if entry.each is True or evaluate(entry.each, settings, (*at, number))]


def _content(path: str, content: TensorRule | ModuleRule, settings: Settings, at: tuple[int, ...]) -> Iterator[ConcreteTensor]:
    if isinstance(content, TensorRule):
        yield ConcreteTensor(path, tuple(size(each, settings, at, path) for each in content.shape), content.tied_to)
    else:
        yield from _spelled(path, content, settings, at)


def size(expression: Expression, settings: Settings, at: tuple[int, ...], path: str) -> int:
    """The integer value of a side of a shape."""
    value = evaluate(expression, settings, at)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_SIZE:
        raise ArchitectureError(f"{path}: the size {expressions.render(expression)} is {value!r} with these settings, which no tensor has")
    return value


@frozen
class Key:
    """The verified properties of a setting.

    ``default`` is its value if it is not given. ``status`` is ``free`` (any value of its kind), ``held`` (only ``default``, or one of
    ``values``), ``idle`` (free, and without effect on the tensors) or ``any`` (any value at all, without effect). ``least`` is the smallest
    accepted number, and ``nullable`` says that null is accepted. ``follows`` gives the default of a setting that follows from others, or
    "?" if that is unknown; ``overruled`` says that the class computes it even where it is given, and ``unset`` that null means not given.
    ``spelled`` are words of earlier versions in a list, with those that the class takes for them.
    """

    default: object
    status: str = "held"
    least: float | None = None
    nullable: bool = False
    values: tuple[object, ...] = ()
    follows: Expression = None
    overruled: bool = False
    unset: bool = False
    spelled: Mapping[str, str] = field(default_factory=dict, hash=False)


@frozen
class Network:
    """The result of tracing: the rules, what is known of each setting, and the conditions on the settings under which the rules hold.

    ``run`` is the same module with the sizes of its input among the settings, and with the products of its forward pass among the rules;
    None if it was not run, for the reason ``not_run``. ``words`` are the names that the sources of the class mention: a key of any other
    name has no effect. There are none if the sources were not read. ``idle_names`` are those of them that have no effect as keys of the
    config (``""``) or of a nested one, ``superseded`` those that have none where the key beside them is given; ``spread`` is a nested
    config whose keys may stand beside the others where it is not mentioned. ``environment`` are the environment variables that the
    module reads, ``files`` the paths of the files that it does, ``inputs`` the arguments of a run with their shapes.
    """

    name: str
    origin: str
    root: ModuleRule
    keys: Mapping[str, Key] = field(hash=False)
    conditions: tuple[Expression, ...] = ()
    verified: tuple[int, int] = (0, 0)
    aliases: Mapping[str, str] = field(default_factory=dict, hash=False)
    inner: Mapping[str, JsonMapping] = field(default_factory=dict, hash=False)
    versions: Mapping[str, str] = field(default_factory=dict, hash=False)
    model_type: str = ""
    run: Network | None = None
    not_run: str = ""
    words: frozenset[str] = frozenset()
    idle_names: Mapping[str, frozenset[str]] = field(default_factory=dict, hash=False)
    spread: str = ""
    environment: tuple[str, ...] = ()
    superseded: Mapping[str, str] = field(default_factory=dict, hash=False)
    inputs: tuple[str, ...] = ()
    files: tuple[str, ...] = ()

    @property
    def held(self) -> tuple[str, ...]:
        return tuple(path for path, key in self.keys.items() if key.status == "held")


FORMAT = "symparam network 1"


def to_data(network: Network) -> dict[str, object]:
    """The network as JSON data."""
    return {
        "format": FORMAT,
        "name": network.name,
        "origin": network.origin,
        "model_type": network.model_type,
        "versions": dict(network.versions),
        "verified": list(network.verified),
        "keys": {path: _key_data(key) for path, key in network.keys.items()},
        "aliases": dict(network.aliases),
        "inner": {path: dict(values) for path, values in network.inner.items()},
        "conditions": list(network.conditions),
        "root": _module_data(network.root),
        **({"run": to_data(network.run)} if network.run else {}),
        **({"not_run": network.not_run} if network.not_run else {}),
        **({"words": sorted(network.words)} if network.words else {}),
        **({"idle_names": {path: sorted(names) for path, names in network.idle_names.items()}} if network.idle_names else {}),
        **({"spread": network.spread} if network.spread else {}),
        **({"environment": list(network.environment)} if network.environment else {}),
        **({"superseded": dict(network.superseded)} if network.superseded else {}),
        **({"inputs": list(network.inputs)} if network.inputs else {}),
        **({"files": list(network.files)} if network.files else {}),
    }


def _key_data(key: Key) -> dict[str, object]:
    given = {"default": key.default, "status": key.status}
    more = {"least": key.least, "nullable": key.nullable or None, "values": list(key.values) or None, "follows": key.follows}
    more |= {"overruled": key.overruled or None, "unset": key.unset or None, "spelled": dict(key.spelled) or None}
    return given | {name: value for name, value in more.items() if value is not None}


def _module_data(rule: ModuleRule) -> list[object]:
    return [rule.kind, [_entry_data(entry) for entry in rule.entries]]


def _entry_data(entry: RuleEntry) -> dict[str, object]:
    content = entry.content
    found: dict[str, object] = {"name": entry.name} | ({} if entry.count is None else {"count": entry.count})
    if isinstance(content, TensorRule):
        found |= {"shape": list(content.shape)} | ({"tied": content.tied_to} if content.tied_to else {})
    else:
        found["module"] = _module_data(content)
    if entry.condition is not True:
        found["if"] = entry.condition
    if entry.each is not True:
        found["each"] = entry.each
    return found


def from_data(data: Any, origin: str) -> Network:
    """The network from JSON data. Raises `ArchitectureError` for malformed data."""
    try:
        if data["format"] != FORMAT:
            raise ValueError(f"the format is {data['format']!r:.40}, not {FORMAT!r}")
        return Network(
            str(data["name"]),
            str(data["origin"]),
            _module(data["root"]),
            {str(path): _key(key) for path, key in data["keys"].items()},
            tuple(map(expressions.read, data["conditions"])),
            (int(data["verified"][0]), int(data["verified"][1])),
            {str(one): str(other) for one, other in data["aliases"].items()},
            {str(path): dict(values) for path, values in data["inner"].items()},
            {str(one): str(other) for one, other in data["versions"].items()},
            str(data["model_type"]),
            from_data(data["run"], origin) if "run" in data else None,
            str(data.get("not_run", "")),
            frozenset(map(str, data.get("words", ()))),
            {str(path): frozenset(map(str, names)) for path, names in data.get("idle_names", {}).items()},
            str(data.get("spread", "")),
            tuple(map(str, data.get("environment", ()))),
            {str(one): str(other) for one, other in data.get("superseded", {}).items()},
            tuple(map(str, data.get("inputs", ()))),
            tuple(map(str, data.get("files", ()))),
        )
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise ArchitectureError(f"{origin} is not a network that symparam trace wrote: {error}; trace the module again") from None


def _key(data: JsonMapping) -> Key:
    if data["status"] not in ("free", "held", "idle", "any"):
        raise ValueError(f"the status {data['status']!r:.40}")
    follows = data.get("follows")
    return Key(
        data["default"],
        data["status"],
        data.get("least"),
        bool(data.get("nullable")),
        tuple(data.get("values", ())),
        expressions.read(follows),
        bool(data.get("overruled")),
        bool(data.get("unset")),
        {str(one): str(other) for one, other in data.get("spelled", {}).items()},
    )


def _module(data: Sequence[Any], depth: int = 0) -> ModuleRule:
    kind, entries = data
    if depth > MAX_DEPTH:
        raise ValueError("modules are nested too deeply")
    return ModuleRule(str(kind), tuple(_entry(each, depth) for each in entries))


def _entry(data: JsonMapping, depth: int) -> RuleEntry:
    content: TensorRule | ModuleRule
    if "shape" in data:
        content = TensorRule(tuple(map(expressions.read, data["shape"])), data.get("tied"))
    else:
        content = _module(data["module"], depth + 1)
    return RuleEntry(
        str(data.get("name", "")),
        content,
        expressions.read(data.get("if", True)),
        expressions.read(data["count"]) if "count" in data else None,
        expressions.read(data.get("each", True)),
    )


def expressions_in(rule: ModuleRule) -> Iterator[Expression]:
    """Every expression of the rules."""
    for entry in rule.entries:
        yield from (entry.condition, entry.count, entry.each)
        if isinstance(entry.content, TensorRule):
            yield from entry.content.shape
        else:
            yield from expressions_in(entry.content)


def counts_in(rule: ModuleRule) -> Iterator[Expression]:
    """The length of every list in the rules."""
    for entry in rule.entries:
        if entry.count is not None:
            yield entry.count
        if isinstance(entry.content, ModuleRule):
            yield from counts_in(entry.content)
