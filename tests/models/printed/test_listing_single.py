"""Shapes of one size without brackets, names with slashes, and tensors of which nothing tells whether they are parameters."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import pytest

from symparam.api import count
from symparam.errors import DocumentError
from symparam.models.printed.model_files import read
from symparam.models.printed.source_text import NamedText

LINKED = "a.q: [8, 6]\na.k: [8, 6]\na.v: [6, 8]\n"  # 144 elements


def total(text: str) -> int:
    """The number of elements of all tensors that the text shows."""
    return read(NamedText("l.txt", text)).root.elements


@pytest.mark.parametrize(
    ("text", "elements"),
    [
        ("> fc.weight : (5, 4)\n> fc.bias   : 5\n", 25),
        ("- fc_weight | (5, 4) | float32 | 20\n- fc_b | 5 | float32 | 5\n", 25),
        ("* fc.weight = [5, 4]\n* fc.bias = 5\nTotal = 25\n", 25),
        ("   0: fc.weight; [5, 4]; 20\n   1: fc.bias; 5; 5\n", 25),
        ("'fc/weight'\t[5, 4]\n'fc/bias'\t5\n", 25),
        ("a.w; (1024, 3); float32; 3,072\na.n; 1024; float32; 1,024\n", 4096),
        ("| `name` | `shape` |\n|---|---|\n| `fc_weight` | `[5, 4]` |\n| `fc_bias` | `5` |\n", 25),
        ("| shape | name |\n|---|---|\n| `(5, 4)` | `fc.weight` |\n| `5` | `fc.b` |\n", 25),
        ("fc/weight:0 (5, 4)\nfc/bias:0 (5,)\n", 25),
        ("'fc/weight:0' -> 5 x 4 -> float32 -> 20\n'fc/bias:0' -> 5 -> float32 -> 5\n", 25),
        ('{"name": "fc/weight:0", "shape": [5, 4]}\n{"name": "fc/bias:0", "shape": [5]}\n', 25),
        ("fc_0/w\t5×4\tF32\nfc_0/b\t  5\tF32\nempty \t0×4\tF32\n", 25),
        ("fc.weight: (5, 4)\nfc.bias: 5\nfc.eps: 1\n", 26),  # What is small in a norm is no whole number.
        ("[0] fc.weight: (5, 4)\n[1] fc.bias: 5\n[2] fd.weight: (2, 5)\n", 35),
        ("INSERT (name, shape) VALUES ('fc.weight', '5x4');\nINSERT (name, shape) VALUES ('gain', '1');\n", 21),
        ("tensor_name:  fc.weight\n  shape: (5, 4)\ntensor_name:  fc.bias\n  shape: (5,)\n", 25),
        ("$`fc.weight`\n[1] 5 4\n\n$`fc.bias`\n[1] 5\n\n$gain\n[1] 1\n", 26),
    ],
)
def test_a_number_where_others_have_shapes_is_a_shape(text: str, elements: int) -> None:
    assert total(text) == elements


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("g.weight (5, 4)\ng.bias 5\ng.num_heads 1\n", "line 2, column 1: g.bias has a single number"),
        ("g_weight: (5, 4)\n(...)\ng_bias: (5,)\n", r"line 2: '\.\.\.' leaves tensors out of the listing"),
        ("g.weight [5, 4]\ng.bias ???\nsum_token [5]\n", "line 2, column 1: g.bias has no shape that can be read"),
        ("g.weight [5, 4]\ng.bias [5]\nhead_gain [10", r"line 3: 'head_gain \[10' has a shape, but is not written like"),
        ("g.scale ()\ng.weight (a=5, b=4)\ng.bias (a=5)\n", r"line 2: 'g.weight \(a=5, b=4\)' has a shape, but is not written like"),
        ("g_w (5, 4)\ng_b (~5, 1)\nh_w (2, 5)\n", "line 2, column 1: g_b is written like the tensors beside it"),
        ("g.w1 (5, 4)\ng.w2 (5*4, 1)\ng.w3 (2, 5)\n", "line 2, column 1: g.w2 has no shape that can be read"),
        ("g_w (5, 4)\ng_b unknown\nh_w (2, 5)\n", "line 2, column 1: g_b is written like the tensors beside it"),
        ("g.weight (5, 4)\n(2 lines hidden)\ng.bias (5,)\n", r"line 2: '\.\.\.' leaves tensors out of the listing"),
        ("g.weight 5x4 x3\ng.bias 5\n", "line 1: after the shape of g.weight, 'x3' may say how often it occurs"),
        ("g.weight 5 x 4\ng.bias 5 x4\n", "line 2: after the shape of g.bias, 'x4' may say how often it occurs"),
        ("g.weight/bias (5, 4)\nh.weight (5, 4)\n", "line 1, column 1: g.weight/bias stands for several tensors, or is the name of one"),
        ("g/h.weight (5, 4)\ng/h.bias (5,)\n", "line 1, column 1: g/h.weight stands for several tensors, or is the name of one"),
        ("Pool(\n    size=[5],\n    stride=[],\n)\n", "shows no model"),
        ("Reshape(shape=[5, 4])\n", "shows no model"),
        ("- name: a.w\n  shape: [5, 4]\n- name: a.b\n", "line 3: a.b has no shape, as where a listing is cut off"),
        *(
            (f"g.w: [5, 4]\ng.b: [5]\n{end}\n", r"line 3: '\.\.\.' leaves tensors out")
            for end in ("--More--", "--More--(12%)", ":", "(the rest is alike)")
        ),
        (
            "Streaming output truncated to the last 2 lines.\ng.w [5, 4]\ng.b [5]\n",
            "line 1: 'Streaming output .*' says that tensors are left out",
        ),
        ("g.w [5, 4]\ng.b [5]\n\n[... output truncated ...]\n", "line 4: .* says that tensors are left out"),
        ("g.w [5, 4]\ng.b [5]\n\nThat is all.\n... and 12 more\n", "line 5: .* says that tensors are left out"),
        ("g.0 [5]\n...\ng.2 [5]\n", r"line 2: '\.\.\.' leaves tensors out of the listing"),
        ("g.w 5x4\ng… \t5\nh.w 5x4\n", "line 2: .* is not written like the tensors beside it"),
        ("g.w_ih 5x4\ng.b_ih 5 g.b_hh 5\n", "line 2: g.b_ih and g.b_hh stand in one line"),
        ("g.weight 5x4\ng.bias\t\n", "line 2, column 1: g.bias has no shape"),
        ("s\t1x5\nt (5.0, 4.0)\ns_c\t5x4\n", "line 2: 't .* has a shape, but is not written like"),
        ("g_a\t5x4\ng_b\t5x4\ng_c\t5x4x", "line 3: .* has a shape, but is not written like"),
        ("g.w: (5, 4)\n# and so on\ng.b: (5,)\n", r"line 2: '\.\.\.' leaves tensors out"),
        ("Showing 2/9 parameters\ng.w [5, 4]\ng.b [5]\n", "line 1, column 9: 2/9 parameters are shown"),
        ("First 2 of 9 tensors:\ng.w [5, 4]\ng.b [5]\n", "line 1, column 7: 2 of 9 tensors are shown"),
        ("g/w:0 5x4\ng/b:0 5 h/w:0 5x4\nh/b:0 5\nk/w:0 2x3\n", "line 2, column 1: g/b is written like the tensors beside it"),
        ("g.w: [5, 4]\n.\n.\n.\ng.b: [5]\n", r"line 2: '\.\.\.' leaves tensors out"),
        ("g.0.weight 5x4\ng.*.bias 5\ng.1.weight 5x4\n", r"line 2: 'g\.\*\.bias 5' stands for several tensors"),
        ("g.weight\t5x4\n// h.weight\t6x4\nk.weight\t7x4\n", "line 2, column 4: h.weight has no shape that can be read"),
        ('name,shape,dtype\ng.w,"(5, 4)",f32\ng.b,,f32\n', "line 3: g.b has no shape; give it one, or .. for a single number"),
        ("g/w:0: (5, 4)\ng/b:0: (5,)\nh/w:0: (2, 5)\nh/b", r"line 4, column 1: h/b has no shape, and nothing follows it"),
    ],
)
def test_what_may_be_a_tensor_or_a_part_of_one_is_an_error(text: str, why: str) -> None:
    with pytest.raises(DocumentError, match=why):
        total(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("g/norm.weight (5,)\nh/norm.weight (4,)\n", 9),  # norm.weight cannot have both sizes.
        ("| name | shape |\n|-|-|\n| g.a/norm.weight | (5,) |\n| g.a.weight | (5, 4) |\n| g.b/norm.weight | (5,) |\n", 30),
        ("g.1/act.weight (5,)\ng.1.weight (5, 4)\ng.1.bias (5,)\n", 30),
    ],
)
def test_a_slash_belongs_to_a_name_where_two_names_would_contradict_each_other(text: str, expected: int) -> None:
    assert total(text) == expected


def test_a_second_tensor_in_a_line_may_begin_with_a_number() -> None:
    assert total("1.weight 5x4\n1.bias 5 2.weight 5x3\n2.bias 5\n") == 45


@pytest.mark.parametrize("name", ["> {}", "#{}", "{at}: {}", "{},", "- {},", '{at}: "{}":'])
def test_a_sign_beside_each_name_of_a_table_is_no_part_of_it(name: str) -> None:
    rows = [f"{name.format(each, at=at)}; {shape}" for at, (each, shape) in enumerate({"g.w": [5, 4], "g.b": [5]}.items())]
    assert total("\n".join(("name; shape", *rows))) == 25


def test_the_sizes_in_a_type_of_jaxtyping_are_read() -> None:
    assert total('weight: Float[Array, "5 4"]\nbias: Float[Array, \'5\']\nscale: Float[Array, ""]\n') == 26


def test_a_single_weight_is_a_listing(tmp_path: Path) -> None:
    (tmp_path / "m.md").write_text("| Weight | Dims |\n|-|-|\n| `weight` | 5 x 4 |\n")
    assert count(tmp_path / "m.md").total == 20


def test_a_file_may_have_names_with_slashes(tmp_path: Path) -> None:
    header = json.dumps(
        {
            "model/fc/w:0": {"dtype": "F32", "shape": [5, 4], "data_offsets": [0, 80]},
            "model/fc/b:0": {"dtype": "F32", "shape": [5], "data_offsets": [80, 100]},
        }
    ).encode()
    (tmp_path / "m.safetensors").write_bytes(struct.pack("<Q", len(header)) + header)
    found = count(tmp_path / "m.safetensors")
    assert (found.total, found.complete) == (25, True)


@pytest.mark.parametrize(
    ("beside", "least"),
    [
        ("freqs: [3]\n", 144),  # Nothing else has a 3.
        ("rope.grid: [7, 7]\n", 144),
        ("freqs: [6]\n", None),
        ("pos: [7, 6]\n", None),
        ("freqs: []\n", None),
        ("left_scale: [3]\n", None),
        ("parts.0: [3]\n", None),
    ],
)
def test_a_tensor_that_shares_no_size_and_has_no_name_of_a_parameter_may_be_a_buffer(
    beside: str, least: int | None, tmp_path: Path
) -> None:
    (tmp_path / "l.txt").write_text(LINKED + beside)
    found = count(tmp_path / "l.txt")
    assert found.complete == (least is None)
    assert [each.least for each in found.missing] == [least] * (least is not None)
    (tmp_path / "l.txt").write_text(f"for name, p in model.named_parameters():\n{LINKED}{beside}")
    assert count(tmp_path / "l.txt").complete


@pytest.mark.parametrize(
    "stated", ["Model parameters (25 in total):", "25 parameters in all", "25 parameters in total", "# 25 params altogether"]
)
def test_a_total_above_a_listing_is_that_of_the_listing(stated: str, tmp_path: Path) -> None:
    (tmp_path / "l.txt").write_text(f"{stated}\na.q: [5, 4]\na.k: [5]\n")
    assert count(tmp_path / "l.txt").total == 25
    (tmp_path / "l.txt").write_text(f"{stated}\na.q: [5, 4]\n")
    with pytest.raises(DocumentError, match="25 parameters are stated beside the listing, which has 20"):
        count(tmp_path / "l.txt")


def test_signs_without_width_are_no_part_of_a_line(tmp_path: Path) -> None:
    (tmp_path / "l.md").write_text("Two words.\n\ufefffc.weight shape=5 x 4\nfc.bias shape=5\ngain\u200b shape=2 x 1\n", encoding="utf-8")
    assert count(tmp_path / "l.md").total == 27


def test_few_tensors_do_not_tell_which_one_is_apart(tmp_path: Path) -> None:
    (tmp_path / "l.txt").write_text("a.q: [8, 6]\na.k: [8, 6]\nfreqs: [3]\n")
    assert count(tmp_path / "l.txt").complete
