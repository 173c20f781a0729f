"""The tensors in one line of a listing, which are usually one: several may be divided by commas, or stand in a list on one line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import prod

from symparam.errors import DocumentError, shorten
from symparam.models.printed.listings.lines import LONE_NAMES, MAX_LINE, Line, Sizes, read_line, read_sizes, with_commas

PARAMETERS = frozenset({"weight", "bias", "gamma", "beta", "kernel"})
_CALL = re.compile(r" {0,40}(?:\w{1,60} ?= ?)?[\w.]{1,60}\([\[({]{1,3}(?=['\"])")  # The opening of a list or a dictionary of some class.
_ITEM = re.compile(
    r"(?<=[)\]}])[,;][ \t]+(?!['\"]?(?:shape|size|dims|strides?|padding|\w{0,20}offsets?|dilation)\b)"
    r"(?=[({'\"]|(?:[\w.-]{1,200}: ?|[\w-]{1,80}\.[\w.-]{1,200} )[(\[])"
)
"""The separator of tensors in a list or a dictionary that is printed on one line."""
_FURTHER = re.compile(r"(?<![\w.])(?:[A-Za-z_]\w{0,200}(?=[ \t.:=])|\d{1,6}(?=\.[A-Za-z_]))")
"""The possible beginning of a second name in a line."""
_DIVIDES = re.compile(r"[\s,;|&)\]}'\"]{0,200}")
_TIMES = re.compile(
    r"[ \t|,;:]{0,40}(?:(?:torch\.)?(?:bf|fp|f|bfloat|float|half)\d{0,2}[ \t|,;:]{1,40})?"
    r"[(\[]?[ \t]?(?:[xX×✕*][ \t]?\d|\d{1,6}[ \t]?[xX×✕](?!\w)|repeat|\d{1,6}[ \t](?:times|layers|blocks|copies)\b)"
)
"""A number after a shape that says how often the tensor occurs."""
_TIMES_BEFORE = re.compile(r"[\s|>*•-]{0,40}\d{1,6}[ \t]?[xX×✕*][ \t]{0,9}(?=[A-Za-z_]\w{0,80}\.\w)")
_SHAPED = re.compile(r"[(\[]\d|\d[ \t]?[xX×✕*][ \t]?\d")
_SETTING = re.compile(
    r"(?:^|[._])(?:size|shape|dim|stride|padding|resolution|batch|count|length|version|type|element|numel"
    r"|num_\w{1,40}|n_\w{1,40}|safetensors|bin|pth?|ckpt|gguf|h5|npz|onnx|json|py|txt)s?$"
    r"|(?:^|\.)(?:total_|all_|trainable_)?param(?:eter)?s?$",
    re.IGNORECASE,
)
"""The ends of names of settings and files, which are not tensors if a single whole number or nothing follows them."""
_ATTRIBUTE = re.compile(r"(?:shape|size|dims|strides?|padding|\w{0,20}offsets?|dilation|chunks?|axes|axis|spec|sharding)\b")
_LISTED = re.compile(
    r"(?:\w{0,20}_)?(?:shape|sizes?|dims|strides?|padding|offsets?|dilation|chunks?|grid|axes|axis|spec|sharding|bytes)", re.IGNORECASE
)
"""The attributes of a tensor whose values may be lists of numbers."""


def pieces(line: str, number: int, file: str) -> Iterator[Line]:
    """The tensors of the line, or what may be one.

    Raises `DocumentError` for a line with a tensor that is too long, and for one that names several tensors in another way.
    """
    if len(line) <= MAX_LINE and (times := _TIMES_BEFORE.match(line)) and _SHAPED.search(line, times.end()):
        raise DocumentError(
            f"{file}, line {number}: {shorten(times[0].strip())!r} before a name says how often it occurs; list each tensor by its own name"
        )
    if opening := _CALL.match(line):  # Each piece keeps its place on the line.
        line = line[opening.end() :].rjust(len(line))
    for piece in _ITEM.split(line):
        if len(piece) <= MAX_LINE:
            if read := read_line(piece):
                yield read
                yield from _behind(read, piece, number, file)
        elif "Size(" in piece or ((read := read_line(piece[:MAX_LINE])) and is_certain(read)):
            raise DocumentError(f"{file}, line {number} has more than {MAX_LINE:,} characters; list one tensor in each line")


def _behind(first: Line, text: str, number: int, file: str) -> Iterator[Line]:
    """Further tensors after the first in its line, such as a bias in Caffe's listings: ``conv (64, 3, 3, 3) (64,)``.

    Raises `DocumentError` for a second shape of the same tensor, and for a second name that is not merely divided from the first tensor.
    """
    alike, end = first, first.sizes.end if first.sizes else first.end
    while (first.sizes or (first.numbers and (is_parameter(first.name) or is_named(first.name)))) and (found := _further(alike, text, end)):
        _require_once(first, text, end, number, file)
        read, place = found
        signs = text[end:place]
        if read.sizes is None and not ((alike.sizes is None or alike.sizes.style == "crossed") and is_parameter(read.name)):
            names = f"{shorten(first.name)} and {shorten(read.name)} stand in one line, the second with a number that may be a size"
            raise DocumentError(f"{file}, line {number}: {names}; list one tensor in each line, with its shape in brackets")
        if not _DIVIDES.fullmatch(signs) or ("." in first.name and "." not in read.name and ";" not in signs):
            names = f"{shorten(first.name)} and {shorten(read.name)} stand in one line, each with a shape"
            raise DocumentError(f"{file}, line {number}: {names}; list one tensor in each line")
        yield read
        first, alike, text = read, read if read.sizes else alike, text[place:]
        end = read.sizes.end if read.sizes else read.end
    _require_once(first, text, end, number, file)
    if first.sizes is None:
        return
    shape, end, known = first.sizes.shape, first.sizes.end, False
    while (second := _bracket(text, end)) is not None and second.shape:
        # The shape once more, or the number of its elements, in other brackets if it may also be the size of a bias.
        many = len(shape) > 1 and second.shape in (shape, (prod(shape),))
        other = second.style != first.sizes.style
        is_again = many or (other and (second.shape == shape or with_commas(second.shape) == prod(shape)))
        if known or not (is_again or (len(shape) > 1 and second.shape == shape[:1])):
            raise DocumentError(f"{file}, line {number}: {shorten(first.name)} has two shapes; one for each tensor is expected")
        if not is_again:
            yield Line(f"{first.name}_bias", first.column, first.between, second)
        end, known = second.end, True
    if "Size(" in text[end:]:
        raise DocumentError(f"{file}, line {number}: {shorten(first.name)} has two shapes; one for each tensor is expected")


def _further(first: Line, text: str, end: int) -> tuple[Line, int] | None:
    """The next tensor of the line, and where it begins: a dotted name with a shape, or any name that is written like the first one."""
    for start in _FURTHER.finditer(text, end):
        read = read_line(text[start.start() :]) if not _ATTRIBUTE.match(text, start.start()) else None
        if read and read.numbers and not read.sizes and (is_parameter(read.name) or is_named(read.name)):
            return read, start.start()
        if read is None or read.sizes is None or read.sizes.style in ("number", "scalar"):
            continue
        alike = first.sizes is not None and (first.between, first.sizes.style) == (read.between, read.sizes.style)
        if "." in read.name or alike:
            return read, start.start()
    return None


def _require_once(tensor: Line, text: str, end: int, number: int, file: str) -> None:
    """Raise a `DocumentError` where a number after a tensor says how often it occurs."""
    if ("." in tensor.name or LONE_NAMES.search(tensor.name)) and end and (times := _TIMES.match(text, end)):
        told = f"after the shape of {shorten(tensor.name)}, {shorten(text[end : times.end() + 10].strip(), 40)!r}"
        raise DocumentError(f"{file}, line {number}: {told} may say how often it occurs; list each by its own name, or leave that out")


def is_parameter(name: str) -> bool:
    """Whether the last part of the name is that of a parameter, such as ``weight``."""
    return name.rpartition(".")[2] in PARAMETERS


def is_named(name: str) -> bool:
    """Whether it is a dotted name, but not that of a setting or a file."""
    return "." in name and not _SETTING.search(name)


def is_setting(name: str) -> bool:
    """Whether the name ends like that of a setting or a file."""
    return _SETTING.search(name) is not None


def is_attribute(key: str) -> bool:
    """Whether the key is such an attribute: ``stride``."""
    return _LISTED.fullmatch(key) is not None


def _bracket(text: str, end: int) -> Sizes | None:
    """The shape in brackets that follows, after blanks."""
    start = len(text) - len(text[end:].lstrip())
    return read_sizes(text, start) if text[start : start + 1] in ("(", "[") else None


def is_certain(line: Line) -> bool:
    """Whether the line is a tensor wherever it stands: a dotted name before a shape, or any name before a shape as torch writes it."""
    if line.sizes is None:
        return False
    if line.sizes.style == "scalar":
        return False
    if "." in line.name or line.sizes.style == "sized":
        return True
    return line.sizes.style == "square" and LONE_NAMES.search(line.name) is not None
