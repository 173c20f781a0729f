"""Listings of which a line may be a tensor or not: it is counted where the listing shows what it is, and refused where it does not."""

from __future__ import annotations

from pathlib import Path

import pytest

import symparam
from symparam.errors import DocumentError
from symparam.models.printed.model_files import read
from symparam.models.printed.source_text import NamedText

IN_BRACKETS = "fc.weight: [5, 4]\nfc.bias: [5]\n"
CROSSED = "fc.weight 5x4\nfc.bias 5\n"
TABLE = "| name | shape |\n|---|---|\n| fc.weight | [5, 4] |\n"
STATED = "are stated beside the listing"


def total(text: str) -> int:
    """The number of elements of all tensors that the text shows."""
    return read(NamedText("l.txt", text)).root.elements


def counted(text: str, folder: Path) -> tuple[object, bool]:
    """What the command counts, and whether that is everything."""
    file = folder / "l.txt"
    file.write_text(text, encoding="utf-8")
    result = symparam.count(str(file))
    return result.total, result.complete


@pytest.mark.parametrize(
    ("text", "elements"),
    [
        (f"{IN_BRACKETS}total: [7]\n", 20 + 5 + 7),
        (f"{IN_BRACKETS}sum: (3,)\ntotal: (7,)\n", 20 + 5 + 3 + 7),
        ("fc.weight 5x4 f32\nfc.bias 5 f32\ntotal 7 f32\n", 32),
        (f"{IN_BRACKETS}Total: 25\n", 25),
        (f"{CROSSED}total 25\n", 25),
        (f"{CROSSED}Trainable parameters: 20\n", 25),
        (f"{CROSSED}Total (25)\n", 25),
        (f"{TABLE}| total | [7] |\n", 20 + 7),
        (f"{TABLE}| total | 20 |\n", 20),
        ("name,dtype,shape\nfc.weight,float32,5x4\ntotal,float32,7\n", 27),
        ("name,shape,params\nfc.weight,5x4,20\ntotal,7,7\nTotal,,27\n", 27),
        ("name,shape,params\nfc.weight,5x4,20\nTotal,,20\n", 20),
        (f"{TABLE}| **Total** | 20 |\n", 20),
        ("total:\n  - 7\nfc.weight:\n  - 5\n  - 4\n", 27),
        ("• fc.weight: Float [1:5, 1:4]\n• total: Float [1:7]\n", 27),
        ("a.w [3, 4]\nSubtotal: 12\nb.w [3, 4]\nb.v [2, 2]\nSubtotal: 16\nTotal: 28\n", 28),
    ],
)
def test_a_row_named_like_a_sum_is_one_if_it_is_that_of_the_tensors(text: str, elements: int, tmp_path: Path) -> None:
    assert counted(text, tmp_path) == (elements, True)


@pytest.mark.parametrize(
    "text",
    [
        f"{IN_BRACKETS}total: 26\n",
        f"{CROSSED}total 7\n",
        f"{CROSSED}Total (1,025)\n",
        f"{TABLE}| total | 7 |\n",
        f"{TABLE}| `total` | `7` |\n",
        "   name       shape\n0  fc.weight  5x4\n1  total      7\n",
        "shape,name\n5x4,fc.weight\n7,total\n",
        "a.w [3, 4]\nSubtotal: 12\nb.w [3, 4]\nSubtotal: 12\nTotal: 28\n",
        "fc.weight => 5x4 => 20 params\ntotal => 7 => 7 params\n",
        f"{CROSSED}Total number of trainable parameters: 26\n",
        f"{CROSSED}26 trainable parameters\n",
        "   name       shape  trainable\n0  fc.weight  5x4  True\n1  total  7  True\n",
    ],
)
def test_a_single_number_beside_a_word_for_a_sum_has_to_be_the_sum(text: str, tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match=STATED):
        counted(text, tmp_path)


def test_a_sum_of_all_that_a_state_lists_leaves_it_open_what_is_tied(tmp_path: Path) -> None:
    text = "state_dict\nwte.weight [50, 8]\nh.weight [8, 8]\nlm_head.weight [50, 8]\nTotal: 864\n"
    (tmp_path / "s.txt").write_text(text, encoding="utf-8")
    found = symparam.count(str(tmp_path / "s.txt"))
    assert (found.complete, found.json["least_parameters"]) == (False, 464)


@pytest.mark.parametrize(
    ("title", "stated", "elements"),
    [
        *[(title, stated, 464) for title in ("", "state_dict\n") for stated in ("Total: 464", "Sum 464", "total parameters: 464")],
        ("", "Total: 864", 864),
        ("state_dict\n", "Total parameters: 864", 864),
    ],
)
def test_a_stated_sum_settles_whether_a_head_is_tied(title: str, stated: str, elements: int, tmp_path: Path) -> None:
    text = f"{title}wte.weight [50, 8]\nh.weight [8, 8]\nlm_head.weight [50, 8]\n{stated}\n"
    assert counted(text, tmp_path) == (elements, True)


@pytest.mark.parametrize(
    ("text", "elements"),
    [
        ("fc.weight 5x4 f32\nsize 6 f32\nx1 3x4 f32\n", 20 + 6 + 12),
        ("fc.weight: 5 × 4 = 20\nsize: 6 = 6\nshape: 2 × 3 = 6\n", 20 + 6 + 6),
        ("x1  f32  3x4\nx2  f32  4\n", 16),
        ("name shape\nfc.weight 5x4\nsize 6\nx1 3\n", 29),
        ("   name  shape\n0  x     3\n1  y     4x3\n2  z     2\n", 17),
        ("   name       shape  numel\n0  fc.weight  (5, 4)  20\n1  x1  (3,)  3\n2  shape  (2, 3)  6\n", 29),
        ("      tau :    1\nfc.weight :  5x4\n  fc.bias :    5\n", 26),
        ("tau        1\nfc.weight  5x4\nfc.bias    5\nend        17\n", 43),
        ("fc.weight ........ 5 x 4\nfc.bias .......... 5\n", 25),
        ("fc.weight ....: 5 x 4\nfc.b ........: 5\nlayers.0.out.weight ...: 3x2\n", 31),
        ("fc.weight......[5, 4]\nfc.b...........[5]\nlayers.0.weight.[3, 2]\n", 31),
        ("1x1.weight 5x4\n3x3.weight 7x3x3x3\nfc.weight 2x5\n", 20 + 189 + 10),
        ("Block 1\nlayers.0.w 3x4\nBlock 2\nlayers.1.w 3x4\n", 24),
        ("encoder_layers:\nlayers.0.w 3x4\ndecoder_layers:\nlayers.1.w 3x4\n", 24),
        ('{"params": {"proj": {"weight": [9, 6]}, "size": [6], "shape": [2, 3], "dtype": [4]}}', 54 + 6 + 6 + 4),
        ("{'a': {'weight': f32[6,5], 'bias': f32[6]}, 'alpha': f32[]}\n", 30 + 6 + 1),
        ('{"fc.bias": "5", "fc.weight": "5x4", "alpha": "scalar"}', 26),
        ('{"fc": {"weight": {"shape": [5, 4], "stride": [4, 1], "size": 20}}}', 20),
    ],
)
def test_types_numbers_of_elements_and_heads_of_columns_show_that_a_row_is_a_tensor(text: str, elements: int) -> None:
    assert total(text) == elements


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("fc.weight 5x4\nsize 6\nfc.bias 5\n", "line 2, column 1: size has a single number"),
        ("net.w ..... 5 x 4\nnet.size .. 6\nnet.b ..... 5 x 1\n", "line 2, column 1: net.size has a single number"),
        ("fc.weight .... 5 x 4\nsize ......... 6\n", "line 2, column 1: size has a single number"),
        ("fc.weight 5x4\nnum_layers 6\n", "line 2, column 1: num_layers has a single number"),
        ("size 6\nfc.weight 5x4\n", "line 1, column 1: size has a single number"),
        ("batch 64\nfc.weight 16x8\nfc.bias 16\n", "line 1, column 1: batch has a single number"),
        (f"{IN_BRACKETS}total: [25]\n", "line 3: total has as many elements as the tensors above it"),
        (f"{IN_BRACKETS}sum: (3,)\ntotal: (28,)\n", "line 4: total has as many elements as the tensors above it"),
        ("0 fc.weight 5x4 f32\n1 total 20 f32\n", "line 2, column 3: total has as many elements as the tensors above it"),
        ("fc.weight 3x3 f32\n1 6 f32\n", "line 2, column 1: 1 stands in a line like those of the tensors beside it"),
        ("1 6 f32\nfc.weight 3x3 f32\n", "line 1, column 1: 1 stands in a line"),
        ("a.w 7x2 f32\nf32 3 f32\na.b 7 f32\n", "line 2, column 1: f32 stands in a line"),
        ("w 5x4 True\ntotal True\nb 5 True\n", "line 2, column 1: total stands in a line"),
        ("1 (6,)\nb.weight (4, 3)\nb.bias (4,)\n", "line 1: '1 .6,.' has a shape, but is not written like"),
        ("a.w [3, 4] (not used)\nb.w [3]\n", "line 1: a.w is listed with 'not used' beside it"),
        ("a.w [3, 4]\nb.m [3, 4] buffer\n", "line 2: b.m is listed with 'buffer' beside it"),
        ("name,kind,shape\na.w,parameter,3x4\nb.m,buffer,5\n", "line 3: b.m is listed with 'buffer' beside it"),
        ("a.w [3, 4]\nb.w [3, 4] = a.w\n", "line 2: b.w is listed with 'a.w' beside it"),
        ("# a.w [3, 4]\nb.w [3]\n", "line 1: a.w is listed with '#' beside it"),
        ("-a.w [3, 4]\n+b.w [5, 4]\n", "line 2: b.w is listed with '.' beside it"),
        ("a.0.w [3, 4]\na.1.w (same)\nb.w [3]\n", "line 2, column 1: a.1.w has no shape that can be read"),
        ("a.w [3, H]\nb.w [3]\n", "line 1, column 1: a.w has no shape that can be read"),
        ("a.w [1,024, 2]\nb.w [3]\n", "line 1: 'a.w .1,024, 2.' has a shape, but is not written like"),
        ("0 x 3 f32\n1 y 4x3 f32\n2 z 2 f32\n", "line 1, column 1: 0 x 3 stands in a line like those of the tensors"),
        ("12x:\na.w [3, 4]\nb.w [3]\n", "line 1: '12x:' may say how often tensors occur"),
        ("for each of the 12 layers:\na.w [3, 4]\nb.w [3]\n", "line 1: 'for each of the 12 layers:' may say how often"),
        ("a.w [3, 4]\nexp_avg.a.w [3, 4]\n", "line 2, column 1: exp_avg.a.w belongs to the state of an optimizer"),
        ('{"a.qweight": [3, 4], "a.scales": [4]}', "a.qweight belongs to a quantised layer"),
        ("encoder.scale\nencoder.weight [8, 8]\nencoder.bias [8]\n", "line 1, column 1: encoder.scale has no shape"),
        ("fc.weight ....: 5 x 4\nnum_layers ...: 6\n", "line 2, column 1: num_layers has a single number"),
        ('{"model": {"config": {"crop": [224, 224]}, "params": {"fc.weight": [5, 4]}}}', "config holds what looks like shapes"),
        ("fc.weight [5, 4]\nBuffers: 2\nfc.mask [5, 4]\n", "line 2: what is listed below 'Buffers: 2'"),
    ],
)
def test_what_nothing_shows_to_be_a_tensor_or_none_is_an_error(text: str, why: str) -> None:
    with pytest.raises(DocumentError, match=why):
        total(text)


def layers(*numbers: int | str, size: int = 8) -> str:
    """A listing of layers with these numbers; what is no number stands in a line of its own."""
    return "".join(f"layers.{each}.fc.weight [{size}, 8]\n" if isinstance(each, int) else f"{each}\n" for each in numbers)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (layers(0, 1, "...", 8), 9),
        (layers(0, 1, "... (6 layers)", 8), 9),
        (layers(0, "  ... same as above", 8), 9),
        (layers(0, "...", 4, "...", 8), 9),
        (layers(0, 1, "...", 4) + layers(5, size=9), None),
    ],
)
def test_an_ellipsis_fills_the_gap_in_which_it_stands(text: str, count: int | None) -> None:
    assert total(text) == (9 * 64 if count else 5 * 64 + 72)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (layers(0, 2, "...", 8), r"layers\.2 follows layers\.0 without '\.\.\.'"),
        (layers(0, 1, "...", 8, 10), r"layers\.10 follows layers\.8 without '\.\.\.'"),
        (layers(0) + layers(1, size=9) + layers(2, "...", 8), "layers of several kinds take turns"),
    ],
)
def test_layers_that_may_jump_or_take_turns_are_not_filled_in(text: str, why: str) -> None:
    with pytest.raises(DocumentError, match=why):
        total(text)


@pytest.mark.parametrize("between", ["Block 1:", "Decoder", "layer 2"])
def test_names_that_occur_again_below_another_heading_are_other_tensors(between: str) -> None:
    with pytest.raises(DocumentError, match=r"line 4: attn.weight is listed in line 2 too, above .*list them by their full names"):
        total(f"Block 0:\nattn.weight [3, 4]\n{between}\nattn.weight [3, 4]\n")


def test_a_listing_that_stands_twice_below_one_heading_is_counted_once() -> None:
    assert total("Parameters\nattn.weight [3, 4]\nParameters\nattn.weight [3, 4]\n") == 12


@pytest.mark.parametrize("text", ["CenterCrop(size=(16, 16))\n", "Net(blur=Blur(kernel=[3, 3]))\n"])
def test_arguments_of_a_call_are_no_shapes(text: str, tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="shows no model"):
        counted(text, tmp_path)


@pytest.mark.parametrize("text", ["FrozenDict(params=dict(a=(3, 4), b=(3,)))\n", "{'a': Tensor(shape=(3, 4)), 'b': Tensor(shape=(3,))}\n"])
def test_entries_of_a_dictionary_made_by_a_call_are_shapes(text: str, tmp_path: Path) -> None:
    assert counted(text, tmp_path) == (15, True)
