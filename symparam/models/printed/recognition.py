"""Recognises the letter of each size by its position in the model, and by a config if there is one.

The rules are few, and each reports its finding in a remark. However a size is read, its value remains as printed: the rules decide how a
formula looks, never its value.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import sympy

from symparam.core import dimensions
from symparam.core.dimensions import MAX_SIZE, E, H, I, P, T, V, d, h, k, symbol
from symparam.core.frozen import frozen
from symparam.core.message import Argument, Message, message
from symparam.errors import ConfigError
from symparam.models.configs.config_file import ConfigDocument
from symparam.models.printed.tree import Node, PlacedModule, placed_modules

FROM_CONFIG = ("H", "N", "V", "P", "T", "I", "h", "d", "k", "E", "N_g")
MORE_KEYS = {"d": ("d_kv",), "E": ("n_routed_experts",), "I": ("n_inner", "ffn_dim", "encoder_ffn_dim"), "h": ("encoder_attention_heads",)}
H_e = symbol("H_e")
MULTIPLES = range(2, 9)  # Multiples of H: three for a joined query, key and value projection, four for a feed-forward part.

TOKEN = re.compile(r"word|tok(en)?s?(?!.{0,80}type)|^wte$|^shared$|^embed(ding)?s?$|embed_in|vocab", re.IGNORECASE)
POSITION = re.compile(r"pos(ition|itional)?s?(_|$|e)|^wpe$", re.IGNORECASE)
TYPE = re.compile(r"type|segment", re.IGNORECASE)
ATTENTION = re.compile(r"att(entio)?n|(^|\.)(q|k|v|qkv|query|key|value)(_proj)?$", re.IGNORECASE)
QUERY = re.compile(r"(^|\.)(q|k|v|qkv|query|key|value|query_key_value|c_attn|in_proj|[qkv]_proj|[qkv]_lin|qkv_proj|q_attn|SelfAttention)$")
GATE = re.compile(r"gate$|router|classifier$")


Told = tuple[Argument, Argument]
"""A letter with its value, and where it was found."""


@frozen
class Reading:
    """The possible meanings of a size: the letters that it is read as, and others that would also fit."""

    chosen: sympy.Expr
    others: tuple[sympy.Expr, ...] = ()


@dataclass
class Recognised:
    """The letters of a model with their values, and the names of the sizes at each place."""

    values: dict[str, int]
    rows: dict[str, sympy.Expr]
    counts: dict[str, sympy.Expr]
    config: frozenset[str]
    remarks: list[Message]
    met: dict[int, Reading] = field(default_factory=dict)
    numbers: dict[int, str] = field(default_factory=dict)

    def count(self, path: str, count: int) -> sympy.Expr:
        """The number of layers of the list at the path: N, E, or the number itself."""
        return self.counts.get(path, sympy.Integer(count))

    def shape(self, path: str, kind: str, name: str, shape: tuple[int, ...]) -> tuple[sympy.Expr, ...]:
        """The sizes of one tensor. Rows of tables are distinguished from features, and the sides of a filter stay numbers."""
        if "Embedding" in kind and name == "weight" and len(shape) == 2:
            if path not in self.rows and shape[0] > 1:
                self.numbers.setdefault(shape[0], path)
            return (self.rows.get(path, sympy.Integer(shape[0])), self.feature(shape[1], path))
        if re.search(r"[Cc]onv\w{0,40}\d[dD]|^Module$", kind) and len(shape) > 2:
            return (*(self.feature(size, path) for size in shape[:2]), *map(sympy.Integer, shape[2:]))
        return tuple(self.feature(size, path, outputs=at == 0) for at, size in enumerate(shape))

    def feature(self, size: int, path: str, outputs: bool = False) -> sympy.Expr:
        """The name of a number of features at this place."""
        inside = "{" in path
        if outputs and "E" in self.values and size == self.values["E"] and GATE.search(path.rpartition(".")[2]):
            return E
        if not inside and size == self.values.get("V") != self.values.get("H"):
            return V
        if size not in self.met:
            self.met[size] = self._read(size)
        chosen = self.met[size].chosen
        if chosen.is_Integer and size > 1:
            self.numbers.setdefault(size, path)
        return chosen

    def _read(self, size: int) -> Reading:
        found = [expression for expression in self._candidates() if _value(expression, self.values) == size]
        return Reading(found[0], tuple(dict.fromkeys(found[1:]))) if found else Reading(sympy.Integer(size))

    def _candidates(self) -> Iterator[sympy.Expr]:
        """All possible meanings of a number of features, the likeliest first."""
        known = self.values.keys()
        if "H" in known:
            yield H
        if "H_e" in known:
            yield H_e
        if "I" in known:
            yield I
        if {"h", "d"} <= known:
            yield h * d
        if {"k", "d"} <= known and self.values["k"] != self.values.get("h"):
            yield k * d
        if "H" in known:
            yield from (times * H for times in MULTIPLES)
        if {"h", "d", "k"} <= known:
            yield h * d + 2 * k * d
        if "I" in known:
            yield 2 * I
        if "d" in known:
            yield d
        if "h" in known:
            yield h

    def said(self) -> tuple[Message, ...]:
        """The remarks, including those on how sizes were read."""
        return (*self.remarks, *self._multiples(), *self._ambiguities(), *self._left())

    def _multiples(self) -> Iterator[Message]:
        read = [(size, reading.chosen) for size, reading in sorted(self.met.items()) if not reading.chosen.is_Atom]
        if read:
            yield message("multiples", read=tuple(message("size-as", size=size, sense=_render(chosen)) for size, chosen in read))

    def _ambiguities(self) -> Iterator[Message]:
        for size, reading in sorted(self.met.items()):
            others = tuple(_spelled(other, self.values) for other in reading.others if other not in (h,))
            if others:
                yield message("size-ambiguous", size=size, sense=_render(reading.chosen), others=others)

    def _left(self) -> Iterator[Message]:
        if self.numbers:
            shown: Argument = tuple(f"{size:,} ({path})" if path else f"{size:,}" for size, path in list(self.numbers.items())[:4])
            if len(self.numbers) > 4:
                shown = message("and-others", some=shown, count=len(self.numbers) - 4)
            yield message("sizes-unnamed" if self.config else "sizes-unnamed-without-config", sizes=shown)


def recognise(root: Node, config: ConfigDocument | None) -> Recognised:
    """The letters of the model. Raises `ConfigError` for the config of another model, whose H or N does not occur in the shapes."""
    found = list(placed_modules(root))
    given = _given(config) if config else {}
    values, rows, counts = dict(given), dict[str, sympy.Expr](), dict[str, sympy.Expr]()
    told: list[Told] = [
        *_tables(found, values, given, rows),
        *_width(found, values, given, config),
        *_layers(found, values, given, counts, config),
        *_inner_width(found, values),
        *_head_size(found, values),
    ]
    if "d" not in values and {"H", "h"} <= values.keys() and values["H"] % values["h"] == 0:
        values["d"] = values["H"] // values["h"]
    remarks = []
    if told:
        sources = dict.fromkeys(source for _, source in told)
        read = tuple(message("read-from", letters=tuple(what for what, whence in told if whence == each), source=each) for each in sources)
        remarks.append(message("letters-from-shapes", read=read))
    kept = tuple(f"{letter} = {value:,}" for letter, value in given.items() if values[letter] == value)
    if kept and config:
        remarks.append(message("letters-from-config", origin=config.origin, letters=kept))
    return Recognised(values, rows, counts, frozenset(given), [*remarks, *_heads(found, values)])


def _given(config: ConfigDocument) -> dict[str, int]:
    """The config's values of letters, each by the first of its keys that is present."""
    found = {}
    for letter in FROM_CONFIG:
        for key in (*dimensions.BY_LETTER[letter].config_keys, *MORE_KEYS.get(letter, ())):
            value = config.keys.get(key)
            if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= MAX_SIZE:
                found[letter] = value
                break
    return found


def token_tables(found: Iterable[PlacedModule]) -> list[PlacedModule]:
    """The embeddings outside the layers that may be token tables, the likeliest first: by name, else by size."""
    tables = [spot for spot in found if _is_table(spot) and "{" not in spot.path]
    others = [spot for spot in tables if not TYPE.search(spot.name) and not POSITION.search(spot.name)]
    return [spot for spot in others if TOKEN.search(spot.name)] or sorted(others, key=lambda spot: -_weight(spot)[0])[:1]


def _tables(found: list[PlacedModule], values: dict[str, int], given: Mapping[str, int], rows: dict[str, sympy.Expr]) -> Iterator[Told]:
    """The rows of embeddings: of tokens, positions and token types."""
    tables = [spot for spot in found if _is_table(spot) and "{" not in spot.path]
    types = [spot for spot in tables if TYPE.search(spot.name)]
    positions = [spot for spot in tables if POSITION.search(spot.name) and spot not in types]
    for letter, size, named in (("V", V, token_tables(found)), ("P", P, positions), ("T", T, types)):
        chosen = next((spot for spot in named if _weight(spot)[0] == given.get(letter)), named[0] if named else None)
        if chosen is None:
            continue
        count = _weight(chosen)[0]
        rows |= {spot.path: size for spot in named if _weight(spot)[0] == count}
        if given.get(letter) != count:
            values[letter] = count
            found_is = f"{letter} = {count:,}"
            yield message("config-differs", value=found_is, stated=given[letter]) if letter in given else found_is, _crossed(chosen)


def _width(found: list[PlacedModule], values: dict[str, int], given: Mapping[str, int], config: ConfigDocument | None) -> Iterator[Told]:
    """The hidden size: the width of the token embedding if norms of the layers share it, else the most common width of these norms."""
    tokens = next((spot for spot in token_tables(found) if _weight(spot)[0] == values.get("V")), None)
    norms = [spot for spot in found if "Norm" in spot.node.kind and spot.node.tensors and len(spot.node.tensors[0][1]) == 1]
    if "H" in given:
        every = {size for spot in found for _, shape in spot.node.tensors for size in shape}
        telling = {spot.node.tensors[0][1][0] for spot in norms} | ({_weight(tokens)[1]} if tokens else set()) or every
        if config and given["H"] not in telling:
            raise _of_another_model(config, "H", given, "no norm or token embedding is that wide")
    else:
        norms = [spot for spot in norms if "{" in spot.path] or norms
        widths = Counter(spot.node.tensors[0][1][0] for spot in norms)
        if tokens and (_weight(tokens)[1] in widths or not widths):
            values["H"] = _weight(tokens)[1]
            yield f"H = {values['H']:,}", _crossed(tokens)
        elif widths:
            values["H"] = widths.most_common(1)[0][0]
            first = next(spot for spot in norms if spot.node.tensors[0][1] == (values["H"],))
            yield f"H = {values['H']:,}", message("width-of-norms", name=first.path or first.node.kind)
    if tokens and _weight(tokens)[1] != values.get("H"):
        values["H_e"] = _weight(tokens)[1]
        yield f"H_e = {values['H_e']:,}", _crossed(tokens)


def _of_another_model(config: ConfigDocument, letter: str, given: Mapping[str, int], what: str) -> ConfigError:
    key = next(key for key in dimensions.BY_LETTER[letter].config_keys if key in config.keys)
    return ConfigError(
        f"{config.place(key)}: the config says {letter} = {given[letter]:,}, but {what}; "
        "it is the config of another model: give the one of this model, or none"
    )


def _layers(
    found: list[PlacedModule],
    values: dict[str, int],
    given: Mapping[str, int],
    counts: dict[str, sympy.Expr],
    config: ConfigDocument | None,
) -> Iterator[Told]:
    """The lists of layers: the outermost list with the most parameters has N layers; lists of experts have E."""
    lists = [spot for spot in found if spot.node.layered and any(run.body.children or run.body.groups for run in spot.node.groups)]
    outer = [spot for spot in lists if not spot.lists]
    main = max(outer, key=lambda spot: spot.node.elements, default=None)
    if main is not None:
        # ALBERT's list holds groups of layers, through which the N layers pass in turn.
        letter = "N_g" if "N_g" in given else "N"
        if letter in given and config and all(spot.node.layers != given[letter] for spot in outer):
            layers = f"{main.node.layers:,} layer{'s' * (main.node.layers != 1)}"
            raise _of_another_model(config, letter, given, f"{main.path or 'the model'} has {layers}")
        values.setdefault(letter, main.node.layers)
        same = [spot for spot in outer if spot.node.layers == values[letter]]
        counts |= {spot.path: dimensions.symbol(letter) for spot in same}
        if letter not in given:
            kinds = {run.body.kind for spot in same for run in spot.node.groups}
            what = kinds.pop() if len(kinds) == 1 and kinds != {"Module"} else ""
            paths = tuple(spot.path or message("the-list") for spot in same)
            shown = f"{values['N']:,} × {what}" if what else _number_of_layers(values["N"])
            yield f"N = {values['N']:,}", message("lists-of-layers", lists=paths, layers=shown)
    experts = [spot for spot in found if spot.node.repeated and spot.name == "experts"]
    if experts:
        count = experts[0].node.layers
        counts |= {spot.path: E for spot in experts if spot.node.layers == count}
        if given.get("E") != count:
            values["E"] = count
            yield f"E = {count:,}", experts[0].path


def _number_of_layers(count: int) -> Message:
    return message("number-of-layers", count=count) if count != 1 else message("one-layer")


def _inner_width(found: list[PlacedModule], values: dict[str, int]) -> Iterator[Told]:
    """The intermediate size: the width to which a layer projects from H and back outside its attention, unless it is a multiple of H."""
    width = values.get("H")
    if "I" in values or width is None:
        return
    matrices = [
        (spot, dict(spot.node.tensors)["weight"])
        for spot in found
        if "{" in spot.path
        and not ATTENTION.search(spot.path)
        and "Embedding" not in spot.node.kind
        and "weight" in dict(spot.node.tensors)
    ]
    pairs = [(spot, shape) for spot, shape in matrices if len(shape) == 2 and width in shape]
    to, back = ({shape[at] for _, shape in pairs if shape[1 - at] == width} for at in (0, 1))
    for spot, shape in pairs:
        size = shape[0] if shape[1] == width else shape[1]
        if size in to & back and size != width and (size % width or size // width not in MULTIPLES):
            values["I"] = size
            yield f"I = {size:,}", spot.path
            return


def _head_size(found: list[PlacedModule], values: dict[str, int]) -> Iterator[Told]:
    """The head size from a per-head norm, as in Qwen3, and with it the number of heads from the projections next to it."""
    by_path = {spot.path: spot for spot in found}
    norm = next((spot for spot in found if spot.name == "q_norm" and spot.node.tensors and "{" in spot.path), None)
    if norm is None or {"d", "h"} & values.keys():
        return
    size, around = norm.node.tensors[0][1][0], norm.path.rpartition(".")[0]
    for letter, name in (("h", "q_proj"), ("k", "k_proj")):
        projection = by_path.get(f"{around}.{name}")
        rows = dict(projection.node.tensors).get("weight", (0,))[0] if projection else 0
        if rows <= size or rows % size:
            return
        values["d"], values[letter] = size, rows // size
        yield from ([(f"d = {size:,}", norm.path)] if letter == "h" else [])
        yield f"{letter} = {rows // size:,}", message("rows-of", rows=rows, path=f"{around}.{name}")


def _heads(found: Iterable[PlacedModule], values: Mapping[str, int]) -> Iterator[Message]:
    """Remarks that H and its multiples may also be heads × head size, which shapes do not show."""
    if "h" in values or "H" not in values:
        return
    width = values["H"]
    if any(QUERY.search(spot.path) and any(len(shape) == 2 and width in shape for _, shape in spot.node.tensors) for spot in found):
        size = next((size for size in (64, 128, 32, 16) if width % size == 0 and width > size), None)
        such = message("such-as-heads", heads=width // size, size=size) if size else ""
        yield message("heads-not-shown", width=width, such=such)
        if any(width * 4 in shape for spot in found for _, shape in spot.node.tensors) and "I" not in values:
            yield message("inner-size-not-shown", size=4 * width)


def _is_table(spot: PlacedModule) -> bool:
    return "Embedding" in spot.node.kind and [name for name, shape in spot.node.tensors if len(shape) == 2] == ["weight"]


def _weight(spot: PlacedModule) -> tuple[int, ...]:
    return dict(spot.node.tensors)["weight"]


def _crossed(spot: PlacedModule) -> Message:
    return message("table-of", table=spot.path or message("the-embedding"), shape=" × ".join(f"{size:,}" for size in _weight(spot)))


def _value(expression: sympy.Expr, values: Mapping[str, int]) -> int:
    return int(expression.xreplace({letter: sympy.Integer(values[str(letter)]) for letter in expression.free_symbols}))


def _render(expression: sympy.Expr) -> str:
    from symparam.core.algebra.closed_form import expanded

    return str(expanded(expression))


def _spelled(expression: sympy.Expr, values: Mapping[str, int]) -> str:
    """``hd = 12 · 64``: the reading and, if it is heads × head size, both factors."""
    heads = next((letter for letter in (h, k) if expression == letter * d), None)
    return f"{heads}d = {values[str(heads)]:,} · {values['d']:,}" if heads else _render(expression)
