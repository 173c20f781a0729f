"""A listing of tensors as JSON: an object with a shape under each name, the header of a safetensors file, or a list of objects."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import TypeGuard

from symparam.errors import DocumentError, shorten
from symparam.models.printed.listings.counts import are_counts
from symparam.models.printed.listings.lines import NUMBER_FORMAT, dotted, read_sizes
from symparam.models.printed.listings.literals import Pairs, literal, piece
from symparam.models.printed.listings.pieces import is_attribute, is_parameter
from symparam.models.printed.named_tensors import NamedTensor
from symparam.models.printed.source_text import NamedText
from symparam.models.printed.tree import Shape

NAMES = ("name", "key", "tensor", "param", "parameter")
SHAPES = ("shape", "size", "dims", "dimensions")
COUNTS = ("numel", "num_params", "num_parameters", "num_elements")
"""Keys under which the number of elements stands in place of a shape."""
_OF_PARAMETERS = re.compile("param|numel|element", re.IGNORECASE)
LISTS = ("tensors", "parameters", "params", "weights", "state_dict", "variables", "layers")
"""Keys under which a listing stands inside an object."""
MANIFEST = "weightsManifest"
"""The key under which a TensorFlow.js model has its groups of files, each with its ``weights``."""
NAME = re.compile(r"[\w-]+(?:[./](?:~/)?[\w-]+)*(?::0)?")
_SHAPE = re.compile(r"Size\(|[(\[]\d{1,18}, ?\d")
_SIZE = re.compile(r"[0-9]{1,18}")
ASIDE = "__metadata__"
ABOUT = "metadata"
SETTINGS = frozenset({"config", "configuration", "settings", "hparams", "hyperparameters", "args", "arguments", "options"})
"""Keys of sizes that are not shapes, such as those of images."""
_OF_A_CONFIG = ("architectures", "model_type")
"""Keys of a config, whose lists are no shapes."""
MESSAGES = ("log", "message", "msg", "text", "line", "textPayload")
"""Keys under which a log in JSON has the printed lines."""


def tensors_of_objects(text: NamedText) -> list[NamedTensor] | None:
    """The tensors that the text lists as JSON; empty if it is JSON without tensors, None if it is not JSON.

    Raises `DocumentError` where only some of the entries are tensors, and for JSON that is cut off.
    """
    try:
        read = json.loads(text.all, object_pairs_hook=Pairs)
    except (ValueError, RecursionError) as error:
        try:
            read = [json.loads(line, object_pairs_hook=Pairs) for line in text.all.splitlines() if line.strip()]
        except (ValueError, RecursionError):
            if isinstance(error, json.JSONDecodeError) and (not text.all[error.pos :].strip() or error.msg.startswith("Unterminated")):
                place = text.place(error.pos)
                raise DocumentError(f"{place}: this is not JSON to its end, but cut off before a bracket closes; give it whole") from None
            return None
    if isinstance(read, Pairs) and not {name for name, _ in read}.isdisjoint(_OF_A_CONFIG):
        return []
    entries = _nested(read) or _counted(read) or [*_entries(_inside(read))]
    shapes = _with_single_sizes([value for _, value in entries])
    if not entries or None in shapes[:1]:
        return []
    _require_alone(read, text.name)
    if again := next((name for name, many in Counter(name for name, _ in entries).items() if many > 1 and name), ""):
        raise DocumentError(f"{text.name}: {shorten(again)} is listed twice; list each tensor once, by its full name")
    found = list[NamedTensor]()
    for (name, _), shape in zip(entries, shapes, strict=True):
        if shape is None or not NAME.fullmatch(name):
            raise DocumentError(
                f"{text.name}: {shorten(name) or 'an entry without a name'} is not a tensor like the entries before it; "
                'a name with a shape is expected, as "encoder.weight": [64, 64]'
            )
        found.append(NamedTensor(dotted(name), shape, f"{text.name}: {shorten(name)}"))
    return found


def lines_of_log(text: NamedText) -> NamedText:
    """The lines in a log of JSON objects, one object per line; the text itself if it is not such a log."""
    read = list[object]()
    try:
        read = [json.loads(line, object_pairs_hook=Pairs) if line.strip() else Pairs() for line in text.all.split("\n")]
    except (ValueError, RecursionError):
        return text
    lines = [[value for key, value in each if key in MESSAGES] if isinstance(each, Pairs) else [None] for each in read]
    if not any(lines) or not all(len(each) <= 1 and all(isinstance(line, str) for line in each) for each in lines):
        return text
    return NamedText(text.name, "\n".join(str(each[0]).rstrip("\n").replace("\n", " ") if each else "" for each in lines))


def tensors_of_literals(text: NamedText) -> list[NamedTensor]:
    """The tensors of a dictionary or a list that Python, JAX or MLX print; empty if the text has none, or has shapes beside it."""
    found = piece(text.all)
    if found is None or _SHAPE.search(found[1]):
        return []
    try:
        read = literal(found[0])
    except ValueError:
        return []
    entries = _nested(read) or _counted(read) or [*_entries(read)]
    entries = entries if any(_shape(value) is not None for _, value in entries) else [*_under_tensors(read)]
    shapes = [(name, shape) for name, value in entries if (shape := _shape(value)) is not None and NAME.fullmatch(name)]
    return (
        [NamedTensor(dotted(name), shape, f"{text.name}: {shorten(name)}") for name, shape in shapes] if len(shapes) == len(entries) else []
    )


def _nested(read: object) -> list[tuple[str, object]]:
    """The shapes in nested objects by their full names; empty if anything in them is not a shape."""
    if isinstance(read, list) and not isinstance(read, Pairs):
        full = [each for each in read if isinstance(each, Pairs) and each != Pairs()]
        if len(full) == 1 and all(isinstance(each, Pairs) for each in read):
            read = full[0]
        elif len(full) == len(read) and all(len(each) == 1 for each in full):
            read = Pairs(pair for each in full for pair in each)  # An object for each tensor.
    if not isinstance(read, Pairs):
        return []
    try:
        return [*_leaves(read, "")]
    except (ValueError, RecursionError):
        return []


def _require_alone(read: object, file: str, depth: int = 0) -> None:
    """Raise a `DocumentError` where a listing under a name such as ``params`` stands beside other shapes: sizes of images, or buffers.

    Inside objects, where such a name may be that of a module, only lists are listings.
    """
    if not isinstance(read, Pairs):
        return
    for _, value in read if depth < 9 else ():
        _require_alone(value, file, depth + 1)
    # Layers may also be the name of a module.
    objects = [key for key, value in read if isinstance(value, Pairs) and (depth or key == "layers")]
    listing = next(((key, value) for key, value in read if key in LISTS and key not in objects and _has_shapes(value)), None)
    about = () if _nested(read) else (ABOUT,)  # Otherwise it is read as well.
    known = [key for key, value in read if key in LISTS and (isinstance(value, Pairs) or (listing and key == listing[0]))]
    beside = [key for key, value in read if key not in (ASIDE, *about, *known) and value != [] and _has_shapes(value)]
    if listing and isinstance(listing[1], Pairs | list) and _shape(listing[1]) is None and beside:
        raise DocumentError(
            f"{file}: {shorten(beside[0])} stands beside {listing[0]} and looks like shapes too, so it is unclear what to count; "
            f"give what is under {listing[0]} alone"
        )
    for key, value in read if len(read) > 1 else ():
        if key.lower() in SETTINGS and isinstance(value, Pairs) and _has_shapes(value):
            raise DocumentError(f"{file}: {shorten(key)} holds what looks like shapes, but may hold settings; leave it out")


def _has_shapes(read: object, depth: int = 20) -> bool:
    """Whether a value is or contains a shape."""
    if _shape(read) is not None and read != []:
        return True
    inside = [value for _, value in read] if isinstance(read, Pairs) else read if isinstance(read, list) else []
    return depth > 0 and any(_has_shapes(value, depth - 1) for value in inside)


def _counted(read: object) -> list[tuple[str, object]]:
    """The numbers of elements under full names, as shapes of one size, which a key may tell; empty if there is anything else."""
    if not isinstance(read, Pairs):
        return []
    listing = [value for key, value in read if key in LISTS and isinstance(value, Pairs)]
    if len(listing) == 1 and all(type(count) is int for _, count in listing[0]):
        whole = sum(count for _, count in listing[0] if type(count) is int)
        stated = any(type(value) is int and value == whole and _OF_PARAMETERS.search(key) for key, value in read)
        return [(name, [count]) for name, count in listing[0]] if stated else _counted(listing[0])
    counts = {name: count for name, count in read if type(count) is int}
    told = {name: count for name, value in read if isinstance(value, Pairs) for key, count in value if key in COUNTS and type(count) is int}
    counted = are_counts(counts) if counts else told and all(map(is_parameter, told))
    return [(name, [count]) for name, count in {**counts, **told}.items()] if counted and len(read) in (len(counts), len(told)) else []


def _leaves(read: Pairs, before: str) -> Iterator[tuple[str, object]]:
    for key, value in read:
        if _shape(value) is not None:
            yield f"{before}{key}", value
        elif isinstance(value, Pairs) and value:
            yield from _leaves(value, f"{before}{key}.")
        elif isinstance(value, list) and value and all(isinstance(each, Pairs) for each in value):
            names = [_name(each) for each in value]
            told = all(names)
            inside = Pairs((name if told else str(at), each) for at, (name, each) in enumerate(zip(names, value, strict=True)))
            yield from _leaves(inside, before if told and key in LISTS else f"{before}{key}.")
        elif key != ASIDE and value != [] and value != Pairs():
            raise ValueError(f"{key} is no shape")


def _inside(read: object) -> object:
    """The single listing inside an object that contains nothing else like it; otherwise the object itself."""
    if not isinstance(read, Pairs) or any(_shape(value) is not None for _, value in read):
        return read
    groups = [group for key, value in read if key == MANIFEST and isinstance(value, list) for group in value]
    if groups and all(isinstance(group, Pairs) for group in groups):
        return [each for group in groups for key, value in group if key == "weights" and isinstance(value, list) for each in value]
    inner = [value for key, value in read if isinstance(value, list) and value and (key in LISTS or isinstance(value, Pairs))]
    known = [value for key, value in read if isinstance(value, list) and value and key in LISTS]
    if len(known) == 1 and not any(_lists_alike(value, known[0]) for _, value in read if value is not known[0]):
        return known[0]
    return _inside(inner[0]) if len(inner) == 1 and isinstance(inner[0], Pairs) else read


def _lists_alike(read: object, listing: list[object]) -> bool:
    """Whether anything in an object is a shape like those of the listing: a list of sizes, or an object that has one."""
    described = any(isinstance(value, Pairs) for _, value in _entries(listing))
    inside = [value for _, value in read] if isinstance(read, Pairs) else read if isinstance(read, list) else []
    return any(
        (isinstance(value, Pairs) or not described) and (_shape(value) is not None or _lists_alike(value, listing)) for value in inside
    )


def _entries(read: object) -> Iterator[tuple[str, object]]:
    """Each name with its description."""
    if (columns := _columns(read)) is not None:
        yield from columns
    elif isinstance(read, Pairs):
        yield from (pair for pair in read if pair[0] != ASIDE)
    elif isinstance(read, list) and read and all(_is_pair(each) for each in read):
        yield from ((each[0], each[1]) for each in read)
    elif isinstance(read, list) and all(isinstance(each, Pairs) for each in read):
        yield from ((_name(each), each) for each in read)


def _name(described: Pairs) -> str:
    """The name of a tensor that an object describes; empty if it has none."""
    name = next((value for key, value in described if key.lower() in NAMES), None)
    return name if isinstance(name, str) else ""


def _under_tensors(read: object) -> Iterator[tuple[str, object]]:
    """The entries under each key ``tensors``, as in what is known of the files of a repository."""
    for key, value in read if isinstance(read, Pairs) else ():
        yield from value if key == "tensors" and isinstance(value, Pairs) else _under_tensors(value)


def _columns(read: object) -> list[tuple[str, object]] | None:
    """The names and shapes of an object that holds a list or an object of all names, and one of all shapes, or of one that holds the heads
    of columns and a list of rows; None for anything else.
    """
    if not isinstance(read, Pairs):
        return None
    within = {key.lower().removesuffix("s"): _values(value) for key, value in read}
    heads, rows = within.get("column", []), within.get("data", [])
    if heads and rows and all(isinstance(row, list) and len(row) == len(heads) for row in rows):
        within = {str(head).lower().removesuffix("s"): [row[at] for row in map(_values, rows)] for at, head in enumerate(heads)}
    names = next((within[key] for key in NAMES if within.get(key)), [])
    shapes = next((within[key] for key in SHAPES if within.get(key)), [])
    told = [each for each in names if isinstance(each, str)]
    return [*zip(told, shapes, strict=True)] if told and len(told) == len(names) == len(shapes) else None


def _values(value: object) -> list[object]:
    if isinstance(value, Pairs):
        return [inner for _, inner in value]
    return value if isinstance(value, list) else []


def _is_pair(value: object) -> TypeGuard[list[object]]:
    """Whether the value is a pair of a name and a shape."""
    return isinstance(value, list) and not isinstance(value, Pairs) and len(value) > 1 and isinstance(value[0], str)


def _shape(value: object) -> Shape | None:
    """The shape that a value is or contains; it may be written as text."""
    named = isinstance(value, Pairs)
    if isinstance(value, Pairs):
        described = next((inner for key, inner in value if key == "value" and isinstance(inner, Pairs)), value)
        if any(key.lower() not in SHAPES and not is_attribute(key) and _is_sizes(inner) for key, inner in described):
            return None  # A tensor of that name among others.
        value = next((inner for key, inner in described if key.lower() in SHAPES), None)
    if isinstance(value, list) and len(value) == 2 and not isinstance(value, Pairs) and isinstance(value[1], str):
        value = value[0] if isinstance(value[0], list) and NUMBER_FORMAT.fullmatch(value[1]) else value  # With its type.
    if isinstance(value, str):
        read = read_sizes(value, 0)
        return read.shape if read and (named or read.style != "number") and read.end == len(value) else None
    return tuple(value) if _is_sizes(value) else None


def _with_single_sizes(values: list[object]) -> list[Shape | None]:
    """The shapes of values; ``"64"`` is one, too, where all others are shapes such as ``"64x3"``."""
    shapes = [_shape(value) for value in values]
    single = [(*map(int, value.split()),) if isinstance(value, str) and (not value or _SIZE.fullmatch(value)) else None for value in values]
    written = any(shape is not None and len(shape) > 1 and isinstance(value, str) for shape, value in zip(shapes, values, strict=True))
    filled = [other if shape is None else shape for shape, other in zip(shapes, single, strict=True)]
    return filled if written and None not in filled else shapes


def _is_sizes(value: object) -> TypeGuard[list[int]]:
    return isinstance(value, list) and len(value) <= 10 and all(type(size) is int and size >= 0 for size in value)
