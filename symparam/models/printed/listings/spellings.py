"""Sizes as compilers, Julia and XML write them, brought into the usual form of a name with a list of sizes behind it."""

from __future__ import annotations

import re

from symparam.models.printed.listings.lines import NUMBER_FORMAT
from symparam.models.printed.listings.objects import NAMES, SHAPES

_COMPILED = re.compile(rf"\b(?:tensor|memref)<((?:\d{{1,18}}x){{0,10}})({NUMBER_FORMAT.pattern})>", re.IGNORECASE)
"""A type of MLIR: ``tensor<64x3xf32>``, and ``tensor<f32>`` for a single number."""
_OF_JULIA = re.compile(
    r"(?<![\w.])(?:(\d{1,18}(?:×\d{1,18}){1,9})|(\d{1,18})-element|0-dimensional) "
    r"(?:\w{1,20}\.)?\w{0,20}(?:Array|Matrix|Vector)\{(\w{1,20})[^{}]{0,20}\}"
)
"""What Julia says of an array: ``64×3 Matrix{Float32}``, ``64-element Vector{Float32}``, ``0-dimensional Array{Float32, 0}``."""
_OF_RUST = re.compile(r"(?<!\w)Tensor\[(?:dims )?([\d, ]{0,80}); (\w{1,20})\]")
"""A tensor as Candle prints it: ``Tensor[dims 64, 3; f32]``."""
_OF_JAXTYPING = re.compile(r"\b[A-Z]\w{1,20}\[\w[\w.]{0,40}, [\"']([\d ]{0,80})[\"']\]")
"""A type of jaxtyping: ``Float[Array, "64 3"]``."""
_OF_R = re.compile(r"\[1\]((?: {1,20}\d{1,18}){1,10})")
"""A vector of whole numbers as R prints it: ``[1] 64  3``."""
_OUTPUT = re.compile(r"(?<![\w./:-])((?:[\w-]{1,80}/){1,20}[\w.-]{1,200}):0(?![\w.:])")
"""A name as TensorFlow writes it, with the number of the output of its operation: ``dense/kernel:0``."""
_SECTION = re.compile(r"\[\w{1,40}\.\"([^\"]{1,400})\"\][ \t]{0,9}")
"""The head of a section of TOML whose name is that of a tensor: ``[tensors."fc.weight"]``."""
_ATTRIBUTE = re.compile(
    r"(?<![\w.])(\w{1,40})(?: = |=)(\"[^\"]{0,400}\"|'[^']{0,400}'|(?:[\w.]{1,20}\()?[(\[][\dxX×, ]{0,80}[)\]]{1,2}|[\w./:-]{1,400})"
)
_SIZES = re.compile(r"[\dxX×, ()\[\]]{0,80}")
_SIZE = re.compile(r"\d{1,18}")
_ELEMENT = re.compile(r"\s{0,80}<\w{1,40}\s")


def spelled_as_usual(line: str) -> str:
    """The line with such sizes as a list, and with the name before the sizes in a line of attributes."""
    if "<" in line:
        line = _COMPILED.sub(lambda found: f" [{found[1].rstrip('xX').replace('x', ', ')}] {found[2]}", line)
    if "Tensor[" in line:
        line = _OF_RUST.sub(r"[\1] \2", line)
    if "[" in line:
        line = _OF_JAXTYPING.sub(lambda found: f"[{', '.join(found[1].split())}]", line)
    if ":0" in line:
        line = _OUTPUT.sub(r"\1", line)
    if line.startswith("[1]") and (found := _OF_R.fullmatch(line.rstrip())):
        line = f"[{', '.join(found[1].split())}]"
    if line.startswith("[") and (section := _SECTION.fullmatch(line)):
        line = f"name = {section[1]}"
    if "}" in line:
        line = _OF_JULIA.sub(lambda found: f"[{(found[1] or found[2] or '').replace('×', ', ')}] {found[3]}", line)
    return _name_first(line) if line.count("=") > 1 else line


def _name_first(line: str) -> str:
    """A line such as ``shape=(64, 3) name='w'`` or ``<tensor shape="64,3" name="w"/>`` with the name and the sizes at its beginning, and
    all else behind them.
    """
    found = [*_ATTRIBUTE.finditer(line)]
    names = [each for each in found if each[1].lower() in NAMES]
    shapes = [each for key in SHAPES for each in found if each[1].lower() == key]
    if len(names) != 1 or not shapes or [each[1] for each in shapes].count(shapes[0][1]) > 1:
        return line
    name, shape = names[0], shapes[0]  # Beside a shape, a size is one in bytes.
    written = shape[2].strip("\"'")
    quoted = written != shape[2] and written[:1].isdecimal()
    if not (shape.start() < name.start() or quoted or _ELEMENT.match(line)):
        return line
    sizes = f"[{', '.join(_SIZE.findall(written))}]" if written != shape[2] and _SIZES.fullmatch(written) else written
    rest = "".join(f" {each[0]}" for each in found if each not in (name, shape))
    return f"{name[2].strip(chr(34) + chr(39))} {sizes}{rest}"
