"""Headers of safetensors files, and the index of a model in several of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import symparam
from symparam.errors import SymparamError

WIDTH = {"F32": 4, "BF16": 2, "U8": 1}


def header(tensors: dict[str, tuple[str, list[int]]]) -> dict[str, Any]:
    found: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    start = 0
    for name, (kind, shape) in tensors.items():
        end = start + WIDTH[kind]
        for size in shape:
            end = start + (end - start) * size
        found[name] = {"dtype": kind, "shape": shape, "data_offsets": [start, end]}
        start = end
    return found


def written(found: dict[str, Any]) -> bytes:
    data = json.dumps(found).encode()
    return len(data).to_bytes(8, "little") + data


LAYERS = {f"h.{number}.mlp.weight": ("F32", [32, 8]) for number in range(3)}


def test_the_header_is_enough_to_count(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    path.write_bytes(written(header({"wte.weight": ("BF16", [100, 8]), **LAYERS})) + b"\0" * 10)
    assert symparam.count(str(path)).total == 800 + 3 * 256
    assert str(symparam.derive(str(path))) == "VH + 4NH²"
    assert [tensor.name for tensor in symparam.tensors(path)] == ["wte.weight", *LAYERS]


@pytest.mark.parametrize("name", ["model.safetensors.index.json", "index.json", "weights.txt"])
def test_an_index_is_read_with_the_files_beside_it(name: str, tmp_path: Path) -> None:
    index = tmp_path / name
    files = {"a-00001-of-00002.safetensors": {"wte.weight": ("F32", [100, 8])}, "a-00002-of-00002.safetensors": LAYERS}
    where = {name: file for file, tensors in files.items() for name in tensors}
    index.write_text(json.dumps({"metadata": {"total_size": 6272}, "weight_map": where}))
    with pytest.raises(SymparamError) as raised:
        symparam.count(str(index))
    assert str(raised.value) == (
        f"{index} is an index: it names 4 tensors in 2 files and holds no shapes; its 6,272 bytes are 3,136 parameters in bfloat16 or "
        "float16, or 1,568 in float32; put a-00001-of-00002.safetensors and all others beside it, or name the config.json of the model"
    )
    with pytest.raises(SymparamError, match="its 6,272 bytes are 1,568 parameters in float32, as the config says"):
        symparam.count(str(index), config={"torch_dtype": "float32"})
    for file, tensors in files.items():
        (tmp_path / file).write_bytes(written(header(tensors)))
    counted = symparam.count(str(index))
    assert counted.total == 6272 // 4
    assert counted.notes[0] == f"{index} is an index; the shapes are from the headers of its 2 files"
    part = symparam.count(str(tmp_path / "a-00002-of-00002.safetensors"))
    assert (part.total, part.complete, part.number()) == (768, False, "at least 768")
    assert "this file holds a part of a model" in str(part)
    assert "is file 2 of 2 of a model, and only its own tensors are counted; name the index for all" in part.notes[0]
    index.write_text(json.dumps({"weight_map": {**where, "more": "a-00002-of-00002.safetensors"}}))
    with pytest.raises(SymparamError, match="names more, which is in none of its files; the index is of another model"):
        symparam.count(str(index))
    index.write_text(json.dumps({"weight_map": {"a": "../secret.safetensors"}}))
    with pytest.raises(SymparamError, match=r"put \.\./secret.safetensors and all others beside it"):
        symparam.count(str(index))


def test_the_only_file_of_a_model_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "model-00001-of-00001.safetensors"
    path.write_bytes(written(header(LAYERS)))
    assert symparam.count(path).number() == "768"
    assert not any("file 1" in note for note in symparam.count(path).notes)


def test_a_header_in_json_that_is_cut_off_is_said_to_be(tmp_path: Path) -> None:
    path = tmp_path / "header.json"
    text = json.dumps({"a.weight": {"dtype": "F32", "shape": [3, 4], "data_offsets": [0, 48]}, "b.weight": {"dtype": "F32", "shape": [5]}})
    for end in range(2, len(text)):
        path.write_text(text[:end])
        with pytest.raises(SymparamError, match=r"line 1, column \d+: this is not JSON"):
            symparam.count(str(path))
    path.write_text(text)
    assert symparam.count(str(path)).total == 3 * 4 + 5


def test_packed_numbers_are_counted_as_stored_with_a_note(tmp_path: Path) -> None:
    path = tmp_path / "m.safetensors"
    path.write_bytes(written(header({"a.qweight": ("U8", [4, 4]), "b.weight": ("F32", [4])})))
    counted = symparam.count(str(path))
    assert counted.total == 20
    assert "1 tensor such as a.qweight are stored as whole numbers" in counted.notes[0]


GOOD = written(header({"a.weight": ("F32", [3, 4]), "b.weight": ("F32", [3, 4])}))


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (GOOD[:5], "{} has only 5 bytes, but a safetensors file begins with 8 that give the length of its header; fetch the file again"),
        (
            GOOD[:50],
            f"{{}}, byte 51: the file ends in its header, which its first 8 bytes say is {len(GOOD) - 8} bytes long; fetch the file again, it is cut off",
        ),
        (b"", "{} has only 0 bytes, but a safetensors file begins with 8 that give the length of its header; fetch the file again"),
        (b"\xff" * 20, "{}, byte 1: the header is said to have 18,446,744,073,709,551,615 bytes; at most 50,000,000 are read"),
        (
            b"\x04\0\0\0\0\0\0\0{ 1}",
            "{}, byte 11: the header is not JSON (expecting property name enclosed in double quotes); fetch the file again",
        ),
        (b"\x02\0\0\0\0\0\0\0[]", "{}: the header is not a JSON object, but one with the name of each tensor is expected"),
        (b"\x02\0\0\0\0\0\0\0{}", "Model lists no tensor that is a parameter; names with shapes are expected"),
        (written({"a": {"dtype": "F32"}}), '{}: the tensor a has no "shape" that is a list of whole numbers; fetch the file again'),
        (written({"a": {"shape": [-1]}}), "{}: the tensor a has the shape [-1], in which a size is negative; fetch the file again"),
        (
            written({"a b": {"shape": [1]}}),
            "{}: the tensor a b has a name that no tensor has; names with dots or slashes between them are expected",
        ),
        (
            written({"a": {"dtype": "F32", "shape": [3], "data_offsets": [0, 13]}}),
            "{}: the tensor a contradicts itself: F32 of the shape [3] takes 12 bytes, but it has 13; fetch the file again",
        ),
        (
            written(
                {"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}, "b": {"dtype": "F32", "shape": [2], "data_offsets": [4, 12]}}
            ),
            "{}: the tensors a and b share bytes; fetch the file again",
        ),
        (b"\x1c\0\0\0\0\0\0\0" + b'{"a":{"shape":[2]},"a":1}   ', "{}: the header names a twice; fetch the file again"),
    ],
)
def test_bad_headers_end_in_one_sentence(data: bytes, error: str, tmp_path: Path) -> None:
    path = tmp_path / "m.safetensors"
    path.write_bytes(data)
    with pytest.raises(SymparamError) as raised:
        symparam.derive(str(path))
    assert str(raised.value) == error.replace("{}", str(path), 1)
