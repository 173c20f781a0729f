"""Lines of listings that hold more than one tensor, less than one, or one in an unusual place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from symparam.errors import ArchitectureError, DocumentError
from symparam.models.printed.model_files import read
from symparam.models.printed.source_text import NamedText
from symparam.models.resolution import resolve
from tests.work import calls


def total(text: str) -> int:
    """The number of elements of all tensors that the text shows."""
    return read(NamedText("l.txt", text)).root.elements


@pytest.mark.parametrize(
    ("text", "elements"),
    [
        ("a.weight [3, 4], a.bias [3]\nb.weight [3, 4], b.bias [3]\n", 30),
        ("a.weight (3, 4)  a.bias (3,)\nb.weight (3, 4)  b.bias (3,)\n", 30),
        ("a.weight: 3 x 4, a.bias: 3\nb.weight: 3 x 4, b.bias: 3\n", 30),
        ("a.weight (3, 4); a.bias (3,); tau (1, 2)\n", 17),
        ("; ".join(f"layer{at}.weight (3, 4)" for at in range(200)), 2400),
        ("w (3, 4), b (3,)\nv (3, 4), c (3,)\n", 30),
        ("a.weight: {'dtype': 'BF16', 'shape': [3, 4], 'data_offsets': [0, 24]}\nb: {'dtype': 'BF16', 'shape': [4], 'data_offsets': [24, 32]}\n", 16),
        ("a.weight (F32): [3, 4]\na.bias (F32): [3]\n", 15),
        ("conv.weight (8, 4, 3, 3) stride=(2, 2)\nconv.bias (8,) stride=(2, 2)\n", 296),
        ("a.weight: &square [4, 4]\nb.weight: *square\nb.bias: [4]\n", 36),
        ("| Name | Shape |\n|---|---|\n| linear/~/w | (4, 3) |\n| linear/~/b | (3,) |\n", 15),
        ("  | Name | Type   | Params | Mode\n-----\n0 | one  | Linear | 144 | train\n1 | two  | Linear | 68  | train\n-----\n"
         "212       Trainable params\n0         Non-trainable params\n212       Total params\n0.001     Total (MB)\n", 212),
        ("float32 (3, 4) a.weight\nfloat32 (3,)   a.bias\nint64   ()     b.steps\n", 16),
        ("a.layer.one.bias   (3,)\na.layer.one.weight(3, 4)\n", 15),
        ("a.weight 3X4\na.bias 3\n", 15),
        ("a.weight: 3x4 (12 parameters)\na.bias: 3 (3 parameters)\n", 15),
        ("12:00:01 INFO train.py:8 - w0: [3, 4]\n12:00:02 INFO train.py:8 - b0: [4]\n12:00:03 INFO train.py:8 - f: []\n", 17),
        ("=== net ===\n  net.weight: [3, 4]\n  net.bias: [3]\n=== eps ===\n  eps: [1]\n=== head ===\n  head.bias: [2]\n", 18),
        ("named_parameters\na.weight 3 x 4\na.bias 3\n", 15),
        ("a.weight 3 x 4\nlogit_scale\na.bias 3\n", 16),
        ("a\na.weight 3 x 4\na.bias 3\n", 15),
        ("state_dict['a.weight'].shape = torch.Size([3, 4])\nstate_dict['a.bias'].shape = torch.Size([3])\n", 15),
        ("a.weight.shape == (3, 4)\na.bias.shape == (3,)\n", 15),
    ],
)  # fmt: skip
def test_every_tensor_of_a_line_is_counted(text: str, elements: int) -> None:
    assert total(text) == elements


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("| name | shape |\n|---|---|\n| a.w | [3, 4] |\n| b | [2] |\n+---+\n| c.w | [3, 4] |\n| s | |\n", "line 7: s has no shape, and may be"),
        ("a.weight [3, 4] -> x.weight [3, 4]\nb.weight [3, 4] -> y.weight [3, 4]\n", "line 1: a.weight and x.weight stand in one line"),
        ("a.weight [3, 4], scales [3]\n", "line 1: a.weight and scales stand in one line"),
        ("my_gate\na.weight 3 x 4\na.bias 3\n", "line 1, column 1: my_gate has no shape, and does not stand between tensors"),
        ("a.weight: [3, 4]\na.bias: [3]\n\nAnd there is\n\neps: [2]\n", "line 6, column 1: eps is written like the tensors"),
        ("          name    shape\n0     a.weight   [3, 4]\n1     a.bias      [3]\n\n[7 rows x 2 columns]\n", "7 tensors are stated"),
        ("| name | shape |\n|---|---|\n| a.long.weight | [3, 4] |\n| s | |\n| a.bias | [3] |\n", "line 4: s has no shape, and may be the end"),
    ],
)  # fmt: skip
def test_what_may_be_a_tensor_or_not_is_an_error(text: str, why: str) -> None:
    with pytest.raises(DocumentError, match=why):
        total(text)


@pytest.mark.parametrize(
    "number",
    ["N", "i", "{i}", "*", "#", "0-11", "[0-11]", "X", "<i>", "idx", "%d", "0..11", "(0-11)", "layer_i", "{0..11}", "$i", "${i}", "[i]"],
)
@pytest.mark.parametrize("form", ["{} {}", "{}: {}", "| `{}` | {} |"])
def test_a_name_that_stands_for_all_layers_is_not_counted_as_one(number: str, form: str) -> None:
    named = {"wte.weight": [9, 4], f"h.{number}.ln.weight": [4], f"h.{number}.fc.weight": [4, 4], "ln_f.weight": [4]}
    head = "| name | shape |\n|---|---|\n" if form.startswith("|") else ""
    with pytest.raises((DocumentError, ArchitectureError)):
        total(head + "".join(f"{form.format(name, shape)}\n" for name, shape in named.items()))


def test_an_end_of_a_name_is_no_name() -> None:
    with pytest.raises(DocumentError, match=r"down_proj\.weight is the end of a name"):
        total("".join(f"layers.mlp.(experts.0|shared).{name}.weight: shape=torch.Size([7, 2])\n" for name in ("down_proj", "up_proj")))


def test_a_line_of_another_style_above_a_listing_is_no_tensor() -> None:
    assert (
        total(
            "- bf16: 2 x 4 x 3 = 59MB/layer\n\n12\ta.weight torch.Size([3, 4]) torch.bfloat16\n4\ta.bias torch.Size([4]) torch.bfloat16\n"
        )
        == 16
    )


@pytest.mark.parametrize(
    ("text", "elements"),
    [
        ("+-----+-----+-----+\n| Layer | Shape | Params |\n+=====+=====+=====+\n| net.lay | [3, 4,  | 24 |\n| er.bias | 2]  |  |\n+---+---+---+\n"
         "| net.lay | [3]  | 3 |\n| er2     |      |   |\n+---+---+---+\n| s | [] | 1 |\n+---+---+---+\n", 28),
        ("| Module | Parameter | Shape | Params |\n|---|---|---|---|\n| list | 0 | [3, 4] | 12 |\n| list | 1 | [3] | 3 |\n|  | gate | [] | 1 |\n", 16),
        ("| name | shape |\n|---|---|\n" + "".join(f"| h.{at}.weight | (4, 4) |\n" for at in (0, 1)) + "| ... | ... |\n| h.9.weight | (4, 4) |\n", 160),
        ("name,shape\nh.0.weight,\"(4, 4)\"\n...,...\nh.9.weight,\"(4, 4)\"\n", 160),
        ("     name   shape\n0  h.0.weight  [4, 4]\n..        ...     ...\n9  h.9.weight  [4, 4]\n", 160),
    ],
)  # fmt: skip
def test_cells_that_go_on_and_rows_left_out(text: str, elements: int) -> None:
    assert total(text) == elements


def test_a_listing_in_an_object_beside_other_things() -> None:
    tensors = {"a.weight": {"index": 0, "shape": [4, 3], "type": "F16"}, "a.bias": {"index": 1, "shape": [3], "type": "F32"}}
    about = {"GGUF.version": {"index": 1, "type": "UINT32", "value": 3}, "tokens": {"index": 2, "type": "ARRAY", "value": [1, 2, 3]}}
    dumped = {"filename": "m.gguf", "metadata": about, "tensors": tensors}
    assert total(json.dumps(dumped)) == 15
    assert total(json.dumps({"model": {"name": "x", "tensors": {"a.weight": {"shape": [4, 3]}}}})) == 12
    assert total(json.dumps({"layers": {"0": {"weight": [4, 3]}}, "norm": [3]})) == 15


@pytest.mark.parametrize(
    "beside", [{"image_mean": [1, 2, 3]}, {"buffers": {"b": [5]}}, {"batch_stats": {"norm": {"mean": {"shape": [5]}}}}]
)
def test_shapes_beside_a_listing_leave_it_open_what_counts(beside: dict[str, object]) -> None:
    with pytest.raises(DocumentError, match=f"{next(iter(beside))} stands beside params .*; give what is under params alone"):
        total(json.dumps({"params": {"a.weight": [4, 3]}, **beside}))


@pytest.mark.parametrize("before", ["module.", "_orig_mod.", "model.net."])
def test_a_state_inside_another_module_is_known(before: str, tmp_path: Path) -> None:
    names = ["wte.weight", "wpe.weight"]
    names += [
        f"h.0.{name}.{kind}"
        for name in ("ln_1", "attn.c_attn", "attn.c_proj", "ln_2", "mlp.c_fc", "mlp.c_proj")
        for kind in ("weight", "bias")
    ]
    names += ["ln_f.weight", "ln_f.bias"]
    wide = {"wte.weight": [9, 4], "wpe.weight": [8, 4], "c_attn.weight": [4, 12], "c_attn.bias": [12], "attn.c_proj.weight": [4, 4]}
    wide |= {"c_fc.weight": [4, 16], "c_fc.bias": [16], "mlp.c_proj.weight": [16, 4]}
    shapes = {name: next((shape for end, shape in wide.items() if name.endswith(end)), [4]) for name in names}
    listing = "".join(f"{before}transformer.{name} {shape}\n" for name, shape in shapes.items()) + f"{before}lm_head.weight [9, 4]\n"
    (tmp_path / "l.txt").write_text(listing, encoding="utf-8")
    (told,) = resolve(str(tmp_path / "l.txt")).model.architecture.missing
    assert told.why == "tie-twice"
    assert dict(told.details)["tied"] == str(36 + 32 + (4 + 4) * 3 + (48 + 12) + (16 + 4) + (64 + 16) + (64 + 4))


@pytest.mark.slow
def test_a_line_of_many_names_takes_no_longer_than_it_is() -> None:
    short, long = (calls(lambda names=names: total(("a.weight [3, 4] " + "b.c " * names + "\n") * 50)) for names in (120, 480))
    assert long < 5 * short
