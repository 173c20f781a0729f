"""The header of a GGUF file, the weight format of llama.cpp: the names, shapes and number formats of its tensors.

Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md — the letters GGUF, a version, the numbers of tensors and keys, the keys
with their values, and the tensors, whose sizes are in the opposite order to torch's. The weights after the header are not read.
"""

from __future__ import annotations

import re
import struct
from collections import Counter
from dataclasses import dataclass, field
from typing import BinaryIO, NoReturn

from symparam.core.message import Message, message
from symparam.errors import DocumentError, shorten
from symparam.models.printed.named_tensors import NamedTensor

MAGIC = b"GGUF"
MAX_BYTES = 200_000_000  # Bytes of the header, most of which is a vocabulary.
MAX_TENSORS = 200_000
MAX_DIMENSIONS = 8
NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
STRING, ARRAY = 8, 9
FORMATS = {
    0: "F32", 1: "F16", 2: "Q4_0", 3: "Q4_1", 6: "Q5_0", 7: "Q5_1", 8: "Q8_0", 9: "Q8_1", 10: "Q2_K", 11: "Q3_K", 12: "Q4_K", 13: "Q5_K",
    14: "Q6_K", 15: "Q8_K", 16: "IQ2_XXS", 17: "IQ2_XS", 18: "IQ3_XXS", 19: "IQ1_S", 20: "IQ4_NL", 21: "IQ3_S", 22: "IQ2_S", 23: "IQ4_XS",
    24: "I8", 25: "I16", 26: "I32", 27: "I64", 28: "F64", 29: "IQ1_M", 30: "BF16", 34: "TQ1_0", 35: "TQ2_0", 39: "MXFP4",
}  # fmt: skip
CONSTANTS = re.compile(r"(?:^|\.)rope_(?:freqs|factors_long|factors_short)\.weight$")
"""Tensors that are computed from the config and are not parameters."""


@dataclass
class Reader:
    """A stream of the file, read forwards and never beyond its limit."""

    stream: BinaryIO
    name: str
    little: bool = True
    place: int = field(default=0)

    def bytes(self, count: int) -> bytes:
        if count > MAX_BYTES or self.place + count > MAX_BYTES:
            raise DocumentError(f"{self.name}, byte {self.place + 1:,}: the header has more than {MAX_BYTES:,} bytes; no more are read")
        data = self.stream.read(count)
        if len(data) < count:
            at = self.place + len(data) + 1
            raise DocumentError(f"{self.name}, byte {at:,}: the file ends in its header; fetch the file again, it is cut off")
        self.place += count
        return data

    def number(self, code: str) -> int:
        layout = ("<" if self.little else ">") + code
        return int(struct.unpack(layout, self.bytes(struct.calcsize(layout)))[0])

    def string(self) -> str:
        return self.bytes(self.number("Q")).decode("utf-8", errors="replace")

    def fail(self, what: str) -> NoReturn:
        raise DocumentError(f"{self.name}, byte {self.place + 1:,}: {what}; it is not a GGUF file that can be read")


def begins(data: bytes) -> bool:
    """Whether a file with this beginning is a GGUF file."""
    return data[:4] == MAGIC


def tensors_in(stream: BinaryIO, name: str) -> tuple[list[NamedTensor], tuple[Message, ...]]:
    """The tensors that the header names, with remarks on their number formats and on tensors that are not parameters.

    Raises `DocumentError` for a header that is cut off, too long, or of another version.
    """
    reader = Reader(stream, name)
    if reader.bytes(4) != MAGIC:
        reader.fail("the file does not begin with the letters GGUF")
    version = reader.number("I")
    if version & 0xFFFF == 0:  # The bytes are in big-endian order.
        reader.little, version = False, int.from_bytes(version.to_bytes(4, "little"), "big")
    if version not in (2, 3):
        raise DocumentError(f"{name} is GGUF of version {version}; versions 2 and 3 are read")
    tensors, keys = reader.number("Q"), reader.number("Q")
    if tensors > MAX_TENSORS:
        raise DocumentError(f"{name} is said to have {tensors:,} tensors; at most {MAX_TENSORS:,} are read")
    for _ in range(keys):
        key = reader.string()
        _skip_value(reader, reader.number("I"), key)
    found, formats = list[NamedTensor](), Counter[str | Message]()
    names = set[str]()
    for _ in range(tensors):
        tensor, number_format = _tensor(reader)
        if tensor.name in names:
            reader.fail(f"{shorten(tensor.name)} is named twice")
        names.add(tensor.name)
        found.append(tensor)
        formats[number_format] += 1
    return _parameters(found), tuple(_remarks(found, formats, name))


def _skip_value(reader: Reader, kind: int, key: str, depth: int = 0) -> None:
    if kind == STRING:
        reader.bytes(reader.number("Q"))
    elif kind == ARRAY and depth < 4:
        inner, length = reader.number("I"), reader.number("Q")
        if inner in NUMBERS:
            reader.bytes(length * struct.calcsize("<" + NUMBERS[inner]))
        else:
            if length > MAX_BYTES // 8:
                reader.fail(f"{shorten(key)} is said to have {length:,} values")
            for _ in range(length):
                _skip_value(reader, inner, key, depth + 1)
    elif kind in NUMBERS:
        reader.bytes(struct.calcsize("<" + NUMBERS[kind]))
    else:
        reader.fail(f"{shorten(key)} has a value of the kind {kind}")


def _tensor(reader: Reader) -> tuple[NamedTensor, str | Message]:
    start = reader.place
    name = reader.string()
    dimensions = reader.number("I")
    if dimensions > MAX_DIMENSIONS:
        reader.fail(f"{shorten(name)} has {dimensions:,} dimensions")
    shape = tuple(reader.number("Q") for _ in range(dimensions))
    code = reader.number("I")
    number_format = FORMATS.get(code) or message("format-numbered", code=code)
    reader.number("Q")  # The offset of its data.
    return NamedTensor(name, shape[::-1], f"{reader.name}, byte {start + 1:,}"), number_format


def _parameters(found: list[NamedTensor]) -> list[NamedTensor]:
    return [tensor for tensor in found if not CONSTANTS.search(tensor.name)]


def _remarks(found: list[NamedTensor], formats: Counter[str | Message], name: str) -> list[Message]:
    stored = tuple(message("in-number-format", format=each, count=count) for each, count in formats.most_common())
    remarks = [message("stored-in-formats", file=name, formats=stored)]
    if constants := tuple(tensor.name for tensor in found if CONSTANTS.search(tensor.name)):
        remarks.append(message("constants", names=constants))
    if part := re.search(r"-(\d{5})-of-(?!0000[01]\.)(\d{5})\.gguf$", name):
        remarks.append(message("file-of-several", file=name, number=int(part[1]), files=int(part[2])))
    return remarks
