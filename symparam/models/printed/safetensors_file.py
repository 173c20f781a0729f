"""A safetensors file, of which only the header is read, and the index of a model whose tensors are spread over several files.

Format: https://github.com/huggingface/safetensors — eight bytes with the length of the header, the header as JSON, the numbers.
"""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO

from symparam.core.json_types import JsonMapping, JsonObject
from symparam.core.message import Message, counted, message
from symparam.errors import DocumentError, shorten
from symparam.models.printed.listings.lines import dotted
from symparam.models.printed.listings.objects import NAME
from symparam.models.printed.named_tensors import NamedTensor

MAX_HEADER = 50_000_000  # Bytes; a header has about a hundred per tensor.
MAX_FILES = 2_000
BYTES = {"F64": 8, "I64": 8, "U64": 8, "F32": 4, "I32": 4, "U32": 4, "F16": 2, "BF16": 2, "I16": 2, "U16": 2, "F8_E4M3": 1, "F8_E5M2": 1}
BYTES |= {"I8": 1, "U8": 1, "BOOL": 1}
ONE_FILE = "file-of-an-index"
PACKED = ("I8", "U8", "I16", "U16", "I32", "U32", "I64", "U64", "BOOL")
BYTES_OF_TYPE = {"float64": 8, "float32": 4, "float16": 2, "bfloat16": 2, "float8_e4m3fn": 1, "int8": 1}


def begins(data: bytes) -> bool:
    """Whether a file with this beginning is a safetensors file: a length, then the opening brace of its header."""
    return len(data) >= 9 and data[8:9] == b"{" and b"\0" in data[:8] and data[:1] != b"{"


def tensors_in(stream: BinaryIO, name: str) -> tuple[list[NamedTensor], tuple[Message, ...]]:
    """The tensors that the header names, with a remark if some are stored as integers.

    Raises `DocumentError` for a header that is cut off, too long, or malformed.
    """
    start = stream.read(8)
    if len(start) < 8:
        raise DocumentError(
            f"{name} has only {len(start)} bytes, but a safetensors file begins with 8 that give the length of its header; "
            "fetch the file again"
        )
    length = int.from_bytes(start, "little")
    if length > MAX_HEADER:
        raise DocumentError(f"{name}, byte 1: the header is said to have {length:,} bytes; at most {MAX_HEADER:,} are read")
    data = stream.read(length)
    if len(data) < length:
        raise DocumentError(
            f"{name}, byte {len(data) + 9:,}: the file ends in its header, which its first 8 bytes say is {length:,} bytes long; "
            "fetch the file again, it is cut off"
        )
    header = _json(data, name)
    found = [_tensor(key, value, name) for key, value in header.items() if key != "__metadata__"]
    _require_places_apart({key: value for key, value in header.items() if key != "__metadata__"}, name)
    packed = [key for key, value in header.items() if key != "__metadata__" and value.get("dtype") in PACKED]
    remarks = []
    if packed:
        remarks.append(message("stored-as-integers", file=name, tensors=counted("tensors-such-as", len(packed), first=shorten(packed[0]))))
    if part := re.search(r"-(\d{5})-of-(?!0000[01]\.)(\d{5})\.safetensors$", name):
        remarks.append(message(ONE_FILE, file=name, number=int(part[1]), files=int(part[2])))
    return found, tuple(remarks)


def _json(data: bytes, name: str) -> JsonObject:
    try:
        header = json.loads(data.decode("utf-8"), object_pairs_hook=lambda pairs: _unrepeated(pairs, name))
    except UnicodeDecodeError as error:
        raise DocumentError(f"{name}, byte {error.start + 9:,}: the header is not UTF-8; a header in JSON is expected") from None
    except json.JSONDecodeError as error:
        before = len(error.doc[: error.pos].encode())
        raise DocumentError(
            f"{name}, byte {before + 9:,}: the header is not JSON ({error.msg[:1].lower()}{error.msg[1:]}); fetch the file again"
        ) from None
    except (RecursionError, ValueError):
        raise DocumentError(f"{name}: the header is not a header of tensors; fetch the file again") from None
    if not isinstance(header, dict):
        raise DocumentError(f"{name}: the header is not a JSON object, but one with the name of each tensor is expected")
    return header


def _unrepeated(pairs: list[tuple[str, object]], name: str) -> JsonObject:
    found: JsonObject = {}
    for key, value in pairs:
        if key in found:
            raise DocumentError(f"{name}: the header names {shorten(key)} twice; fetch the file again")
        found[key] = value
    return found


def _tensor(key: str, value: object, name: str) -> NamedTensor:
    where = f"{name}: the tensor {shorten(key)}"
    if not NAME.fullmatch(key):
        raise DocumentError(f"{where} has a name that no tensor has; names with dots or slashes between them are expected")
    described: JsonMapping = value if isinstance(value, dict) else {}
    shape = described.get("shape")
    if not isinstance(shape, list) or len(shape) > 10 or not all(isinstance(size, int) and not isinstance(size, bool) for size in shape):
        raise DocumentError(f'{where} has no "shape" that is a list of whole numbers; fetch the file again')
    if any(size < 0 for size in shape):
        raise DocumentError(f"{where} has the shape {shape}, in which a size is negative; fetch the file again")
    _check_place(where, described, shape)
    return NamedTensor(dotted(key), tuple(shape), name)


def _check_place(where: str, value: JsonMapping, shape: list[int]) -> None:
    """Require that the byte range of a tensor matches its shape."""
    offsets, width = value.get("data_offsets"), BYTES.get(str(value.get("dtype")))
    if width is None or not isinstance(offsets, list) or not _is_span(offsets):
        return
    expected = width
    for size in shape:
        expected *= size
        if expected > 10**30:
            break
    if offsets[1] - offsets[0] != expected:
        raise DocumentError(
            f"{where} contradicts itself: {value['dtype']} of the shape {shape} takes {expected:,} bytes, but it has "
            f"{offsets[1] - offsets[0]:,}; fetch the file again"
        )


def _require_places_apart(tensors: JsonMapping, name: str) -> None:
    """Raise a `DocumentError` for two tensors that share bytes, which the format forbids."""
    placed = sorted((*value["data_offsets"], key) for key, value in tensors.items() if _is_span(value.get("data_offsets")))
    for (_, end, one), (start, _, other) in pairwise(placed):
        if start < end:
            raise DocumentError(f"{name}: the tensors {shorten(one)} and {shorten(other)} share bytes; fetch the file again")


def _is_span(offsets: object) -> bool:
    return isinstance(offsets, list) and len(offsets) == 2 and all(isinstance(each, int) for each in offsets)


def is_index(keys: JsonMapping) -> bool:
    """Whether a JSON object is an index, which maps each tensor to its file."""
    return isinstance(keys.get("weight_map"), dict)


def tensors_of_index(keys: JsonMapping, path: str, config: JsonMapping) -> tuple[list[NamedTensor], tuple[Message, ...]]:
    """The tensors of all files that the index names, read from the headers of those files in the same folder.

    An index holds no shapes. If the files are missing, a `DocumentError` tells what it does hold: its size in bytes, and the corresponding
    number of parameters if the config names their type.
    """
    names = sorted({str(file) for file in keys["weight_map"].values()})
    folder = Path(path).parent
    here = [name for name in names if re.fullmatch(r"[\w.-]+\.safetensors", name) and (folder / name).is_file()]
    if not names or len(here) < len(names) or len(names) > MAX_FILES:
        missing = [name for name in names if name not in here]
        raise DocumentError(
            f"{path} is an index: it names {len(keys['weight_map']):,} tensors in {len(names)} file{'s' * (len(names) != 1)} "
            f"and holds no shapes{_size(keys, config)}; put {shorten(missing[0]) if missing else 'the files'} and all others beside it, "
            "or name the config.json of the model"
        )
    tensors: list[NamedTensor] = []
    remarks: list[Message] = []
    for name in names:
        with (folder / name).open("rb") as stream:
            found, told = tensors_in(stream, str(folder / name))
        tensors += found
        remarks += [each for each in told if each.kind != ONE_FILE]
    listed = {tensor.name for tensor in tensors}
    if lacking := [name for name in keys["weight_map"] if dotted(name) not in listed]:
        raise DocumentError(f"{path} names {shorten(lacking[0])}, which is in none of its files; the index is of another model")
    return tensors, (counted("index-of", len(names), file=path), *remarks)


def _size(keys: JsonMapping, config: JsonMapping) -> str:
    about = keys.get("metadata")
    total = about.get("total_size") if isinstance(about, dict) else None
    if isinstance(total, float) and total.is_integer():
        total = int(total)
    if isinstance(total, bool) or not isinstance(total, int) or total < 1:
        return ""
    kind = str(config.get("torch_dtype") or config.get("dtype") or "")
    if kind in BYTES_OF_TYPE:
        return f"; its {total:,} bytes are {total // BYTES_OF_TYPE[kind]:,} parameters in {kind}, as the config says"
    return f"; its {total:,} bytes are {total // 2:,} parameters in bfloat16 or float16, or {total // 4:,} in float32"
