"""Listings of which a part is easily passed over, or counted though it is none: each is read whole, or refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from symparam.api import count
from symparam.errors import DocumentError
from symparam.models.printed.model_files import read
from symparam.models.printed.source_text import NamedText
from tests.work import calls

SINGLE = "has a single number and may be a tensor"
ALONE = "has no shape and may be a tensor"
TABLE = "| name | shape |\n|---|---|\n"


def total(text: str) -> int:
    """The number of elements of all tensors that the text shows."""
    return read(NamedText("l.txt", text)).root.elements


@pytest.mark.parametrize(
    ("text", "elements"),
    [
        ("embed.weight: 100x8\n[encoder]\nln.weight: 8\nln.bias: 8\n[decoder]\nfc.weight: 8x8\nfc.bias: 8\n", 800 + 8 + 8 + 64 + 8),
        ("a.norm.weight 16\na.norm.bias 16\n--- decoder part ---\nb.norm.weight 16\nb.fc.weight 16x8\n", 16 + 16 + 16 + 128),
        ("model-1.safetensors\na.weight (4, 4)\nmodel-2.safetensors:\nb.weight (4, 4)\n", 32),
        ("enc.a.weight (4, 4)\nenc.b\nenc.b.weight (4, 4)\n", 32),
        ("main.py:12: reading\na.weight [16, 8]\na.bias [16]\n", 144),
        ("fc.weight 16x8\n# block 2\nfc.bias 16\n", 144),
        ("fc.weight 16x8\n# epoch 20\nfc.bias 16\n", 144),
        ("lr 3\nbatch 64\n\nfc.weight 16x8\nfc.bias 16\n", 144),
        ("fc.weight 16x8\ncls_token 16\nfc.bias 16\n", 160),
        ("a.weight 4x4   a.bias 4   b.weight 2x4   b.bias 2\n", 16 + 4 + 8 + 2),
        ("a.weight 4x4 | a.bias 4 | b.weight 2x4\n", 16 + 4 + 8),
        ("a.bias 4 a.weight 4x4\nb.weight 4x4\n", 36),
        ("llama.block_count: 32\na.weight: 3 x 4\na.bias: 3\nParameters: 15\n", 15),
        ("fc.weight 4x4\n[decoder_part]\nfc.bias 4\n", 20),
        ("fc.weight 4x4\n--- decoder_head ---\nfc.bias 4\n", 20),
        ("a.weight.......[3, 4]\na.bias.........[3]\n", 15),
        ("a.weight 2 256 x 3\nb.weight 2 512 x 3\n", 256 * 3 + 512 * 3),
        ("float32 768 x 3 a.weight\nfloat32 128 x 3 b.weight\n", 768 * 3 + 128 * 3),
        ("a.weight float32 768 x 3\na.bias float32 768\n", 768 * 4),
        ("fc.weight 3x4\nfc.text_param 4\nfc.bias 3\n", 19),
        ("weight shape\na.weight 3x4\na.bias 3\n", 15),
        ("- [x] a.weight 3x4\n- [ ] a.bias 3\n", 15),
        ("a.weight [4, 8] -> [8, 4]\nb.bias [4] -> [4]\n", 36),
        ("fc.weight [16, 8]\nnorm.weight 16\nnorm.bias 16\n", 160),
        ("blk.0.weight (16, 8) (128 parameters)\nblk.0.bias 16 (16 parameters)\n", 144),
        ('name,shape\na.w,"shape=(3, 4)"\na.b,shape=(3,)\n', 15),
        ("| name | shape | count |\n|---|---|---|\n| a.w | 4x4 | 16 |\n| a.b | - | 1 |\n", 17),
        ("a.weight [40, 10] 90.9%\na.bias [40] 9.1%\n", 440),
        ("a.weight [40, 10] 50% 50%\na.bias [40] 9% 59%\n", 440),
        ("empty\t0 x 5\nalpha\t1\nbias\t6\nweights.0\t9 x 7\n", 70),
    ],
)
def test_a_listing_is_read_whole(text: str, elements: int) -> None:
    assert total(text) == elements


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("fc.weight 4x4\nfc.alpha -\nfc.bias 4\n", "line 2, column 1: fc.alpha has the shape '-', which cannot be read"),
        ("| name | shape |\n|---|---|\n| a.w | 4x4 |\n| a.b | - |\n", "line 4: a.b has the shape '-', which cannot be read"),
        ("fc.weight 4x4\nfc.bias 4\n... and so forth\n", "line 3: '...' leaves tensors out of the listing"),
        ("a.weight [40, 10] 66.7%\na.bias [40] 6.7%\n", "the shares beside the tensors are of 600 elements, and those listed have 440"),
        ("fc.weight [16, 8]\nnorm.weight 16\nnorm.bias [16]\n", f"line 2, column 1: norm.weight {SINGLE}"),
        ("fc.weight (4, 4)\nmodel.alpha\nfc.bias (4,)\n", f"line 2, column 1: model.alpha {ALONE}"),
        ("fc.weight (4, 4)\nmodel.alpha:\nfc.bias (4,)\n", f"line 2, column 1: model.alpha {ALONE}"),
        ("fc.weight (4, 4)\nlogit_scale\nfc.bias (4,)\n", f"line 2, column 1: logit_scale {ALONE}"),
        ("fc.weight (4, 4)\nlogit_scale\nlogit_bias\nfc.bias (4,)\n", f"line 2, column 1: logit_scale {ALONE}"),
        ("fc.weight  float32  (4, 4)\nfc.alpha  float32\nfc.bias  float32  (4,)\n", f"line 2, column 1: fc.alpha {ALONE}"),
        ("fc.weight 16x8\nfc.bias 16\nlr 3\n", f"line 3, column 1: lr {SINGLE}"),
        ("fc.weight [16, 8]\ncls_token 16\nfc.bias [16]\n", f"line 2, column 1: cls_token {SINGLE}"),
        ("fc.weight (4, 4) fc.bias 4\nfd.weight (2, 3) fd.bias 4\n", "line 1: fc.weight and fc.bias stand in one line, the second with"),
        ("a.weight 4x4 a.bias 4 a.alpha 3\n", "line 1: a.bias and a.alpha stand in one line, the second with"),
        ("a.weight (3, 4); a.bias (3,); b.weight 5\n", "line 1: a.bias and b.weight stand in one line, the second with"),
        ("12 x a.weight (3, 4)\nb.bias (3,)\n", "line 1: '12 x' before a name says how often it occurs"),
        ("a.weight: 3 x 4\na.bias: 3\nLayers: 12\n", f"line 3, column 1: Layers {SINGLE}"),
        ("a.weight (3, 4)\n--- Extra buffers ---\nb.x (3, 4)\n", "line 2: what is listed below .* are buffers and no parameters"),
        ("a.weight 30\u202f522 x 768\nb.weight 1\u202f024 x 768\n", "line 1: in .* the blank may divide thousands"),
        ("a.weight: 1 024 × 768\nb.weight: 2 048 × 768\n", "line 1: in '1 024' the blank may divide thousands"),
        ("name,shape\na.weight,64,32\nb.bias,64\n", r"line 2: a.weight has 3 cells below 2 heads"),
        ("(q|k|v)_proj.weight [4, 4]\nq.bias [4]\n", "line 1: '\\(q|k|v\\)_proj.weight' stands for several tensors"),
        ("a.w 4->5\na.b 5\nb.w 5x6\n", "line 1: a.w has one shape before an arrow and another behind it"),
        ("a.w 4x4 5x4\nb.w 4x4 4x4\n", "line 1: a.w has two shapes"),
        ("a.w 4x4 / 5x4\na.b 4 / 5\n", "line 1: a.w has two shapes"),
        (
            'name,output_shape,weight_shape\na.w,"(2, 16)","(16, 8)"\nb.w,"(2, 4)","(4, 16)"\n',
            r"a.w has two shapes, \(2, 16\) and \(16, 8\)",
        ),
        ("| name | checkpoint | model |\n|---|---|---|\n| a.w | [8, 8] | [16, 8] |\n", r"a.w has two shapes, \[8, 8\] and \[16, 8\]"),
        ("conv.weight (3, 3) (8, 4, 3, 3)\nconv.bias (3, 3) (8,)\n", "line 1: conv.weight has two shapes"),
        ("| name | old shape | new shape |\n|---|---|---|\n| a.w | 4x4 | 5x4 |\n| a.b | 4 | 5 |\n", "line 3: a.w has two shapes"),
        ("a [4, 4] + [4]\nb [4, 4] + [4]\n", "line 1: a has sizes to which others are added"),
        ("a.w 4x4+4\nb.w 4x4+4\n", "line 1: a.w has sizes to which others are added"),
        ("a.0: Linear(4, 4)\na.1: Linear(4, 4)\n", "line 1: Linear.* are the arguments of a layer and no shape"),
        ("a.w [10, 4] 41\nb.w [4, 4] 16\n", "line 1: a.w has 41 elements by the number beside it and 40 by its shape"),
        ("| name | shape |\n|---|---|\n| a\\\\|0.w | 4x4 |\n| a.0.b | 4 |\n", "line 3: .* has 3 cells below 2 heads"),
        ("a.weight [4, 4] -> [8, 4]\nb.bias [4]\n", "line 1: a.weight has one shape before an arrow and another behind it"),
        ("a.b.weight [4, 4] 16\na.c [4] 4\na [20]\n", "line 3, column 1: a is a tensor here, and a module by other names"),
        ("a.weight (3, 4)\nBuffers:\nfreqs.x (3, 4)\n", "line 2: what is listed below 'Buffers:' are buffers and no parameters"),
    ],
)
def test_what_may_be_passed_over_is_an_error(text: str, why: str) -> None:
    with pytest.raises(DocumentError, match=why):
        total(text)


@pytest.mark.parametrize("times", ["x 12 layers", "* 12", "× 12", "(repeated 12 times)", "(x12)", "12 layers", "float32 x 12"])
def test_a_number_of_times_behind_a_shape_is_an_error(times: str) -> None:
    with pytest.raises(DocumentError, match=r"line 1: after the shape of a\.weight, .* may say how often it occurs"):
        total(f"a.weight (3, 4)  {times}\nb.bias (3,)\n")


@pytest.mark.parametrize(
    ("text", "elements"),
    [
        ("+--+\n| name | shape |\n+--+\n| vision.weight | (4, 4) |\n| vision_lscale | |\n+--+\n| text.weight | (5, 4) |\n| text_lscale | |\n", 38),
        (f"{TABLE}| a.weight | (4, 4) |\n| out.bias | (4,) |\n| Total params | 20 |\n", 20),
        ("| Number | name | shape |\n|---|---|---|\n| 1 | a.weight | (3, 4) |\n| 2 | out.bias | (3,) |\n", 15),
        ("layers.k.weight (3, 4)\nlayers.q.weight (3, 4)\nlayers.v.weight (3, 4)\n", 36),
        ("layers.L.weight (3, 4)\nlayers.R.weight (3, 4)\n", 24),
        ("h.n.weight (3, 4)\nh.out.weight (3, 4)\n", 24),
        ("stages.x.weight (3, 4)\nstages.y.weight (3, 4)\n", 24),
        ("tf/bert/layer_._0/kernel (3, 4)\ntf/bert/layer_._1/kernel (3, 4)\n", 24),
    ],
)  # fmt: skip
def test_rows_and_modules_are_read_as_they_stand(text: str, elements: int) -> None:
    assert total(text) == elements


@pytest.mark.parametrize("name", ["12 x block.weight", "W_q, W_k", "attn (q)", "attn q"])
@pytest.mark.parametrize("form", ["| {} | {} |", '"{}","{}"'])
def test_a_row_with_a_shape_and_no_name_of_one_tensor_is_an_error(name: str, form: str) -> None:
    head = TABLE if form.startswith("|") else "name,shape\n"
    with pytest.raises(DocumentError, match="is not the name of one tensor"):
        total(f"{head}{form.format('emb.weight', '(9, 4)')}\n{form.format(name, '(4, 4)')}\n{form.format('b.bias', '(4,)')}\n")


@pytest.mark.parametrize("heading", ["Layers", "×", "Number"])
def test_a_column_that_may_say_how_often_a_tensor_occurs_is_an_error(heading: str) -> None:
    with pytest.raises(DocumentError, match=r"line 3: 12 in the row of a\.weight may say how often it occurs"):
        total(f"| name | shape | {heading} |\n|---|---|---|\n| a.weight | (3, 4) | 12 |\n| b.bias | (3,) | 1 |\n")


@pytest.mark.parametrize(
    "before",
    ["layer_i.", "h_i.", "block_N.", "layerX.", "layers.0to11.", "layers.0_11.", "layers.ii.", "layers.all.", "layers.0/1/2.", "k.layer_i.fc.",
     "q_proj/k_proj/v_proj.", "encoder.layer.{}.", "encoder.layer.[i].", "layers.k."],
)  # fmt: skip
def test_a_name_of_several_tensors_is_an_error(before: str) -> None:
    with pytest.raises(DocumentError, match="stands for several tensors"):
        total(f"{before}weight (3, 4)\nout.x.weight (3, 4)\n")


@pytest.mark.parametrize(
    ("beside", "key"),
    [
        ({"inputs": [{"name": "x", "shape": [1, 4]}]}, "inputs"),
        ({"input_shape": [1, 3, 224, 224]}, "input_shape"),
        ({"config": {"image_size": [224, 224]}}, "config"),
        ({"epoch": [3]}, "epoch"),
        ({"parameters": [{"name": "x", "shape": [1, 4]}]}, "parameters"),
        ({"metadata": {"x": [2, 2]}}, "metadata"),
    ],
)
def test_shapes_beside_a_list_of_tensors_are_an_error(beside: dict[str, object], key: str) -> None:
    with pytest.raises(DocumentError, match=f"{key} stands beside tensors and looks like shapes too"):
        total(json.dumps({"tensors": [{"name": "a.weight", "shape": [3, 4]}], **beside}))
    with pytest.raises(DocumentError, match=f"{key} stands beside layers and looks like shapes too"):
        total(json.dumps({"model": {"layers": [{"name": "a.weight", "shape": [3, 4]}], **beside}}))


def test_a_tensor_listed_twice_in_json_is_an_error() -> None:
    with pytest.raises(DocumentError, match=r"a\.weight is listed twice"):
        total(json.dumps([{"name": "a.weight", "shape": [3, 4]}, {"name": "a.weight", "shape": [3, 4]}]))


@pytest.mark.parametrize("between", ["tau () = 1", "tau ", "tau"])
def test_a_name_between_tensors_without_a_shape_as_theirs_is_an_error(between: str) -> None:
    with pytest.raises(DocumentError, match=r"line 3, column 1: tau stands beside tensors and may be one"):
        read(NamedText("l.txt", f"W 4x4 = 16\nb 4 = 4\n{between}\nV 2x2 = 4\n"))


@pytest.mark.parametrize(
    ("text", "otherwise"),
    [
        ("a.weight 3x4\na.bias 3\ntotal 15\n", 30),
        ("a.weight: 3 x 4\ntotal: 12\nb.bias: 3\n", 27),
        ("name,shape\na.weight,3x4\na.bias,3\nTotal,15\n", 30),
        (f"{TABLE}| a.weight | 3 x 4 |\n| a.bias | 3 |\n| sum | 15 |\n", 30),
        ("a.weight 3x4\na.b 3x1\nmodel 3x5\n", 0),
        (f"{TABLE}| a.weight | 3 x 4 |\n| a.bias | 3 |\n| model | 15 |\n", 15),  # Which is read as a tensor.
        ("a.weight [3, 4]\na.bias [3]\ntotal 15\n", 0),  # No tensor is written so.
        ("a.weight 3x4\na.bias 3\ntotal 15 parameters\n", 0),
        (f"{TABLE.replace('shape |', 'shape | count |')}| a.weight | 3 x 4 | 12 |\n| a.bias | 3 | 3 |\n| total | | 15 |\n", 0),
    ],
)
def test_a_sum_that_may_be_a_tensor_has_a_note_with_both_numbers(text: str, otherwise: int) -> None:
    found = read(NamedText("l.txt", text))
    assert found.root.elements == (30 if "model" in text else 15)
    assert [dict(each.about)["otherwise"] for each in found.remarks if "-or-" in each.kind] == [otherwise][: bool(otherwise)]


@pytest.mark.slow
def test_many_sums_take_no_longer_than_many_tensors() -> None:
    with_sums, without = (
        calls(lambda line=line: total("".join(f"a{at}.w 4x4\n{line}" for at in range(1000)))) for line in ("total 16\n", "b.w 4x4\n")
    )
    assert with_sums < 2 * without


@pytest.mark.parametrize(
    "listed", ["a.weight (6, 3)\na.running_step ()\na.bias (6,)\n", "a.weight 18\na.e_score_correction_bias 7\na.bias 6\n"]
)
def test_a_bare_total_of_all_that_is_listed_does_not_tell_that_none_is_a_buffer(listed: str, tmp_path: Path) -> None:
    text = tmp_path / "l.txt"
    for below in ("", f"total {25 if '(' in listed else 31}\n"):
        text.write_text(listed + below, encoding="utf-8")
        assert not count(str(text)).complete


def layers(lacking: dict[int, str], number: int = 5) -> str:
    """A listing of layers of two tensors, some of which lack one."""
    names = [(at, name) for at in range(number) for name in ("fc.weight 8x4", "fc.bias 8") if lacking.get(at) != name]
    return "".join(f"layers.{at}.{name}\n" for at, name in names)


@pytest.mark.parametrize(
    ("lacking", "missing"),
    [
        ({}, []),
        ({1: "fc.bias 8"}, ["layers.1.fc.bias"]),
        ({2: "fc.bias 8"}, ["layers.2.fc.bias"]),
        ({0: "fc.bias 8"}, []),  # First and last layers often differ.
        ({4: "fc.bias 8"}, []),
        ({1: "fc.bias 8", 3: "fc.bias 8"}, []),  # Those with keys of the layer before, in every second layer.
    ],
)
def test_what_a_single_layer_lacks_may_be_a_lost_line(lacking: dict[int, str], missing: list[str], tmp_path: Path) -> None:
    (tmp_path / "l.txt").write_text(layers(lacking), encoding="utf-8")
    assert [each.what for each in count(tmp_path / "l.txt").missing if each.why == "odd-layer"] == missing


@pytest.mark.parametrize(("lacking", "missing"), [({1: "fc.bias 8"}, ["layers.1.fc.bias"]), ({2: "fc.bias 8"}, [])])
def test_two_layers_tell_what_a_listed_module_between_them_lacks(lacking: dict[int, str], missing: list[str], tmp_path: Path) -> None:
    (tmp_path / "l.txt").write_text(layers(lacking, 3), encoding="utf-8")
    assert [each.what for each in count(tmp_path / "l.txt").missing if each.why == "odd-layer"] == missing
