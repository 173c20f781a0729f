"""Dictionaries and lists as Python, JAX and MLX print them, read as data: nothing in them is run."""

from __future__ import annotations

import ast
import re
import warnings

MAX_TEXT = 1_000_000
"""Characters; Python's parser needs some hundred bytes for each."""
_OPENING = re.compile(r"(?:\w{1,60} ?= ?)?(?:(?:[\w.]{0,60}\()?[\[{]|[\w.]{1,60}\(\w{1,60}=)")


_OBJECTS = re.compile(
    r"<NDArray (\d{1,18}(?:x\d{1,18}){0,9}) @\w{1,20}\(\d{1,4}\)>|Tensor\[(?:dims )?(\d{1,18}(?:, \d{1,18}){0,9}|); \w{1,9}\]"
    r"|Tensor\[\[((?:\d{1,18}(?:, \d{1,18}){0,9})?)\], \w{1,9}\]"
)
"""Tensors as MXNet, Candle and tch print them inside dictionaries: nothing that Python reads."""
_MAPPINGS = ("dict", "Dict")
"""The ends of the names of what a dictionary is made by, which has the arguments as its entries."""
_SINGLE = re.compile(r"(?<=\w)\[\](?=[,()} \n])")
"""The sizes of a single number as JAX prints them: ``float32[]``."""
_ARGUMENT = re.compile(r"[ \t]{1,80}\w{1,80}=")
_IS_LIST = re.compile(r"[ \t]{1,80}\w{1,80}=[\[(]")


class Pairs(list[tuple[str, object]]):
    """The key-value pairs of an object, duplicates included."""


def literal(text: str) -> object:
    """The dictionary or list that a text prints, which may be assigned to a name or be in a call such as ``FrozenDict(...)``.

    Dictionaries are `Pairs`. A call has the value of its only argument, or the `Pairs` of its named ones; ``float32[3, 4]`` is a list of
    sizes. Raises `ValueError` for anything else.
    """
    if len(text) > MAX_TEXT:
        raise ValueError("the text is too long")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Warnings about invalid escape sequences.
            (statement,) = ast.parse(_SINGLE.sub("[()]", _OBJECTS.sub(_sizes, text)).strip()).body
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise ValueError("no literal") from error
    if not isinstance(statement, (ast.Expr, ast.Assign)) or _has_settings(statement.value):
        raise ValueError("no literal")
    try:
        return _value(statement.value)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _sizes(found: re.Match[str]) -> str:
    """The sizes of a tensor as a list."""
    return f"[{(found[1] or found[2] or found[3] or '').replace('x', ', ')}]"


def _value(node: ast.expr) -> object:
    match node:
        case ast.Dict(keys, values):
            return Pairs((_key(key), _value(value)) for key, value in zip(keys, values, strict=True))
        case ast.List(elts) | ast.Tuple(elts):
            return [_value(each) for each in elts]
        case ast.Constant(value) if isinstance(value, (str, int, float)) or value is None:
            return value
        case ast.Call(func=ast.Subscript() as sized):
            return _value(sized)  # As equinox prints arrays of NumPy: f32[3,4](numpy).
        case ast.Call(args=[only], keywords=[]):
            return _value(only)
        case ast.Call(func=called, keywords=keywords) if any(map(_is_setting, keywords)) and not ast.unparse(called).endswith(_MAPPINGS):
            raise ValueError("no literal")
        case ast.Call(args=args, keywords=keywords):
            named = Pairs((each.arg or "", _value(each.value)) for each in keywords)
            return named or [_value(each) for each in args]
        case ast.Subscript(slice=sizes):
            found = _value(sizes)
            return found if isinstance(found, list) else [found]
        case ast.Name() | ast.Attribute():
            return ast.unparse(node)
    raise ValueError("no literal")


def _is_setting(argument: ast.keyword) -> bool:
    """Whether numbers are given to a call by a name, as in ``Crop(size=(16, 16))``; a tensor says that they are its shape."""
    return argument.arg != "shape" and isinstance(argument.value, (ast.Tuple, ast.List))


def _has_settings(value: ast.expr | None) -> bool:
    """Whether this is a call with numbers under names, none of which is that of a tensor: ``Reshape(shape=[4, 8])``."""
    if not isinstance(value, ast.Call) or ast.unparse(value.func).endswith(_MAPPINGS):
        return False
    named = {each.arg for each in value.keywords}
    return "name" not in named and any(isinstance(each.value, (ast.Tuple, ast.List)) for each in value.keywords)


def without_arguments(text: str) -> str:
    """The text with empty lines for the arguments of a call that stand in lines of their own, as of a module without parts; some are lists
    of numbers.
    """
    lines, inside = text.split("\n"), list[int]()
    for at, line in enumerate((*lines, "")):
        if inside and _ARGUMENT.match(line):
            inside.append(at)
            continue
        for number in inside if any(_IS_LIST.match(lines[each]) for each in inside[1:]) else ():
            lines[number] = ""
        inside = [at] if len(line) < 400 and line.rstrip().endswith("(") and not line.rstrip()[:-1].endswith(_MAPPINGS) else []
    return "\n".join(lines)


def _key(node: ast.expr | None) -> str:
    match node:
        case ast.Constant(value) if isinstance(value, (str, int)):
            return str(value)
        case ast.Name(name):
            return name
        case ast.Tuple(parts) if parts:
            return ".".join(map(_key, parts))
    raise ValueError("no literal")


def piece(text: str) -> tuple[str, str] | None:
    """The part of a text from the first line that opens a dictionary or a list to the last line that closes one, and the rest."""
    lines = text.split("\n")
    first = next((at for at, line in enumerate(lines) if _OPENING.match(line)), len(lines))
    last = next((at for at in range(len(lines) - 1, first - 1, -1) if lines[at].rstrip().endswith(("}", "]", ")"))), -1)
    return ("\n".join(lines[first : last + 1]), "\n".join((*lines[:first], *lines[last + 1 :]))) if last >= 0 else None
