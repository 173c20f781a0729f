"""Listings inside what tools print around them: every tensor is read, or the listing is refused; none is left out in silence."""

from __future__ import annotations

import json
from math import prod
from pathlib import Path

import pytest

from symparam.api import count
from symparam.errors import DocumentError
from symparam.models.printed.listings.tensor_listing import tensors_in
from symparam.models.printed.model_files import read
from symparam.models.printed.named_tensors import NamedTensor
from symparam.models.printed.source_text import NamedText
from symparam.models.printed.tree import placed_modules


def total(text: str) -> int:
    """The number of elements of all tensors that the text shows."""
    return read(NamedText("listing.txt", text)).root.elements


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("fc.weight: (np.int64(10), np.int64(5))\nfc.bias: (np.int64(10),)\n", 60, id="NumPy 2"),
        pytest.param(
            "| Layer | Weights | Params |\n|---|---|---:|\n| `scale` | scalar | 1 |\n| `fc.weight` | 10×5 | 50 |\n", 51, id="scalar"
        ),
        pytest.param(
            "| tensor | in words | shape |\n|-|-|-|\n| shared.weight | Shared Weight | 5 x 3 |\n| a.bias | A Bias | 3 |\n",
            18,
            id="in words",
        ),
        pytest.param("net.named_parameters()\na.weight (10, 5)\na.bias (10,)\n", 60, id="call"),
        pytest.param("# self.net.state_dict()\na.weight [10, 5]\na.bias [10]\n", 60, id="call behind a sign"),
        pytest.param("name,shape\na.weight,10 5\na.bias,10\n", 60, id="blanks between sizes"),
        pytest.param("| name | shape |\n|---|---|\n| a.weight | 10 5 |\n| b.scale | 100 |\n", 150, id="blanks between sizes of a table"),
        pytest.param("a.weight -> b.weight | BF16 | [10, 5]\na.bias -> b.bias | BF16 | [10]\n", 60, id="two names"),
        pytest.param(
            "load: - tensor 0: a.weight f32 [ 5, 10 ]\nload: - tensor 1: a.bias f32 [ 10 ]\nload: - kv 0: a.kind str\n", 60, id="keys"
        ),
        pytest.param(
            "In [6]:\nfor k, v in s.items():\n    print(k, v.shape)\n\na.weight torch.Size([10, 5])\n\nIn [7]:\nlen(s)\n\nOut [7]:\n2\n", 50
        ),
        pytest.param(">>> for k, v in w: print(k, v.shape)\na.weight (10, 5)\na.bias (10,)\n>>> \n", 60, id="shell"),
        pytest.param(
            "graph main (\n  %x[FLOAT, 1x3x4x4]\n) initializers (\n  %fc.weight[FLOAT, 10x5]\n  %fc.bias[FLOAT, 10]\n) {\n"
            "  %y = Gemm[alpha = 1](%x, %fc.weight, %fc.bias)\n  return %y\n}\n",
            60,
            id="ONNX",
        ),
        pytest.param(
            "| Names in Model | Names in Checkpoint | Shapes |\n|:--|:--|:--|\n| a.fc.* | fc.{bias,weight} | (10,) (10,5) |\n"
            "| a.norm.weight | norm.weight | (5,) |\n",
            65,
            id="Detectron2",
        ),
        pytest.param("({'fc_weight': <NDArray 10x5 @cpu(0)>, 'fc_bias': <NDArray 10 @gpu(1)>}, {})", 60, id="MXNet"),
        pytest.param('{"fc.weight": Tensor[dims 10, 5; f32], "fc.bias": Tensor[dims 10; f32]}', 60, id="Candle"),
        pytest.param("[{'a.weight': [5, 5]}, {'b.weight': [5, 5]}]", 50, id="several dictionaries"),
        pytest.param("{'fc.weight': 55, 'fc.bias': 11}", 66, id="elements"),
        pytest.param('{"fc.weight": 55, "fc.bias": 11}', 66, id="elements in JSON"),
        pytest.param(
            "net (\n  Parameter 0_weight (shape=(10, 5), dtype=float32)\n  Parameter 0_bias (shape=(10,), dtype=float32)\n)\n",
            60,
            id="Gluon",
        ),
        pytest.param(
            "Layer (type)      Output Shape      Param #\n=====\nconv (Conv2D)     (None, 9, 9, 8)   224\n\nflat (Flatten)    (None, 648)       0\n\n"
            "fc (Dense)        (None, 10)        6,490\n=====\nTotal params: 6,714 (26.23 KB)\nTrainable params: 6,714\n",
            6_714,
            id="Keras",
        ),
        pytest.param(
            "Layer (type:depth-idx)   Output Shape   Param #\n====\nNet   [1, 10]   --\n├─Linear: 1-1   [1, 9]   60\n│    └─Linear: 2-1   [1, 10]   100\n"
            "====\nTotal params: 160\n",
            160,
            id="torchinfo",
        ),
        pytest.param(
            "2024-05-01 10:00:00.123 | INFO     | __main__:main:42 - fc.weight (10, 5)\n2024-05-01 10:00:00.124 | INFO     | __main__:main:42 - fc.bias (10,)\n"
            "2024-05-01 10:00:01.000 | INFO     | __main__:main:51 - training for 10 epochs\n",
            60,
            id="loguru",
        ),
        pytest.param(
            "[2024-05-01 10:00:00,1][train][INFO] - fc.weight   (10, 5)     50\n[2024-05-01 10:00:00,1][train][INFO] - norm.weight   (19,)     19\n"
            "[2024-05-01 10:00:00,1][train][INFO] - Number of params: 69\n",
            69,
            id="Hydra",
        ),
        pytest.param("|Tensor|Shape|\n|-|-|\n|fc\\_in.weight|\\[10, 5\\]|\n|fc\\_in.bias|\\[10\\]|\n", 60, id="Markdown with backslashes"),
        pytest.param("|Layer|Shape|Params|\n|-|-|-|\n|fc.weight|10 × 5|50|\n|scale|—|1|\n|Total||51|\n", 51, id="dash"),
        pytest.param('name,shape\nfc.weight,"10,5"\nfc.bias,"10"\n', 60, id="commas alone"),
        pytest.param(
            "<table>\n<tr><th>name</th><th>shape</th><th>params</th></tr>\n<tr><td>fc.weight</td><td>[10, 5]</td><td>50</td></tr>\n"
            "<tr>\n<td>fc.bias</td>\n<td>[10]</td>\n<td>10</td>\n</tr>\n<tr><td>total</td><td></td><td>60</td></tr>\n</table>\n",
            60,
            id="HTML",
        ),
        pytest.param(
            "%scale : Float(requires_grad=1, device=cpu)\n%fc.weight : Float(10, 5, strides=[5, 1], requires_grad=1, device=cpu)\n"
            "%fc.bias : Float(10, strides=[1], requires_grad=1, device=cpu)\n",
            61,
            id="TorchScript",
        ),
        pytest.param('{"columns":["name","shape"],"index":[0,1],"data":[["fc.weight",[10,5]],["fc.bias",[10]]]}', 60, id="rows of a frame"),
        pytest.param("fc.weight: (10,\n  5)\nfc.bias: (10,)\n", 60, id="folded YAML"),
        pytest.param("./out/fc.weight.npy (10, 5) float32\n./out/fc.bias.npy (10,) float32\n", 60, id="files"),
        pytest.param("./out/fc/weight.npy (10, 5)\n./out/norm/weight.npy (10,)\n", 60, id="files in folders"),
        pytest.param(
            "Repo(sharded=False, files={'m': File(tensors={'fc.weight': Info(dtype='F32', shape=[10, 5]), 'fc.bias': Info(dtype='F32', shape=[10])})})",
            60,
            id="metadata of a repository",
        ),
        pytest.param("fc.weight -> [10, 600] (6,000)\nfc.bias -> [10] (10)\n", 6_010, id="numbers in other brackets"),
        pytest.param('{"fc.weight":[10,5]}\n{"scale":[]}\n', 51, id="an object for each tensor"),
        pytest.param("{'fc': {'weight': ((10, 5), dtype('float32')), 'bias': ((10,), dtype('float32'))}}\n", 60, id="shapes with types"),
        pytest.param("fc.weight（10, 5）\nfc.bias（10）\n", 60, id="wide brackets"),
        pytest.param("{\n  'fc':\n  {\n    'weight': f32[10,5](numpy),\n    'scale': f32[](numpy)\n  }\n}\n", 51, id="equinox"),
        pytest.param('{"fc.weight": Tensor[[10, 5], Float], "scale": Tensor[[], Float]}', 51, id="tch"),
        pytest.param(
            "| T_ID | Tensor Layer Name | Data Offset (B) | Data Size (B) |\n|-:|:-|-:|-:|\n| 0 | fc.weight | 0x220 | 0x100 |\n| 1 | fc.bias | 0x320 | 0x40 |\n\n"
            "| T_ID | Tensor Layer Name | Elements | Shape | Type |\n|-:|:-|:-|:-|:-|\n| 0 | fc.weight | (~50) 50 | 5 x 10 x 1 x 1 | F32 |\n"
            "| 1 | fc.bias | (10) 10 | 10 x 1 x 1 x 1 | F32 |\n",
            60,
            id="gguf-dump with offsets",
        ),
        pytest.param("fc\t(10, 5) (10,)\nout\t(2, 10) (2,)\n", 82, id="Caffe"),
        pytest.param("a.weight -> b.weight | F32 | [10, 5]\nskipping tensor b.rot\na.bias -> b.bias | F32 | [10]\n", 60, id="conversion"),
        pytest.param("• fc.weight: Float [1:10, 1:5]\n• fc.bias: Float [1:10]\n", 60, id="R"),
        pytest.param(
            "| T_ID | Tensor Layer Name | Elements | Shape | Type |\n|---:|:---|:---|:---|:---|\n"
            "|    0 | fc.weight | ( ~50) 50 | 5 x 10 x 1 x 1 | F32 |\n|    1 | fc.bias | ( ~10) 10 | 10 x 1 x 1 x 1 | F32 |\n",
            60,
            id="gguf-dump in Markdown",
        ),
        pytest.param(
            "+-----------+------------+\n|  Modules  | Parameters |\n+-----------+------------+\n| fc.weight |     50     |\n"
            "|  fc.bias  |     10     |\n+-----------+------------+\nTotal params: 60\n",
            60,
            id="PrettyTable",
        ),
        pytest.param(
            ">>> a.weight torch.Size([10, 5])\n>>> b.weight torch.Size([10, 5])\nc.weight torch.Size([10, 5])\n", 150, id="quoted"
        ),
        pytest.param("a.weight torch.Size([8, 4])\na.bias torch.Size([8])\n\nsum torch.Size([5, 5])\ntotal: 65\n", 65, id="called sum"),
        pytest.param("a.weight | 8 x 4\nsum | 5 x 5\nb.weight | 8 x 4\n", 89, id="called sum, by signs"),
        pytest.param("a.weight: [8, 4]\nsum: [5, 5]\na.bias: [8]\n", 65, id="called sum, in YAML"),
        pytest.param(
            "".join(
                f"graph {name} (\n  %x[FLOAT, 1x3]\n) initializers (\n  %{name}.weight[FLOAT, 10x5]\n) {{\n  return %x\n}}\n"
                for name in "ab"
            ),
            100,
            id="graphs",
        ),
        pytest.param(
            "| name | #elements or shape |\n|:--|:--|\n| model | 0.1K |\n| scale | (1,) |\n| fc | 60 |\n|  fc.weight | (10, 5) |\n|  fc.bias | (10,) |\n",
            61,
            id="fvcore",
        ),
    ],
)
def test_every_tensor_is_read(text: str, expected: int) -> None:
    assert total(text) == expected


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a.fc.* | fc.{b,w} | (10,) (10,5)\nc.fc.* | fc.{b,w} | (7,) (7,5)\n", "shows no model"),
        (
            "| a.fc.* | fc.{bias,weight} | (10,5) |\n| b.fc.* | fc.{bias,weight} | (7,) (7,5) |\n",
            "line 1: the row of a.fc has 2 names and 1 shapes",
        ),
        (
            "  a\n    Attributes:\n      name: a\n    Dataset:\n      w: (5, 2)\n      v: (5, 3)\n      u: (5, 3)\n  b\n    Attributes:\n"
            "      name: b\n    Dataset:\n      w: (2, 2)\n      t: (2, 3)\n",
            "is not written as in the other lines",
        ),
        ("a.weight | 10 x 5 | 50\na.scale | one | 1\na.bias | 10 | 10\n", "line 2"),
        (
            "load: 9 tensors from x.gguf\nload: - tensor 0: a.weight [ 5, 10 ]\nload: - tensor 1: a.bias [ 10 ]\n",
            "9 tensors are stated beside",
        ),
        ("a.0.weight [5, 5]\na.1.weight [5, 5]\n# omitted for brevity\nb.weight [5, 5]\n", "line 3: '...' leaves tensors out"),
        ("{'a.weight': 4, 'a.bias': 8}", "shows no model"),
        ("{'fc.weight': 200, 'fc.bias': 40}", "shows no model"),
        (
            2 * "Layer  Output Shape  Param #\nfc  (9)  5\nfd  (9)  7\nTotal params: 12\n",
            "line 5: this stands beside the table of layers in line 1",
        ),
        (
            "Layer  Output Shape  Param #\nfc  (9)  5\nfd  (9)  7\nTotal params: 12\nhead.weight (5, 5)\n",
            "line 5: this stands beside the table",
        ),
        (
            "head.weight (5, 5)\nLayer  Output Shape  Param #\nfc  (9)  5\nfd  (9)  7\nTotal params: 12\n",
            "line 1: this stands beside the table",
        ),
        ("Layer  Output Shape  Param #  Trainable #\na  (9)  50  5\nb  (9)  70  7\nTotal trainable params: 12\n", "no column adds up"),
        ("| Layer | Output Shape | Param # | Size (MB) |\n| a.b | (1, 9) | 60 | 1 |\n| a.c | (1, 10) | 100 | 1 |\n", "no column adds up"),
        (
            "  | Name | Type   | Params\n0 | one  | Linear | 14.4 K\n1 | two  | Linear | 68\n14.5 K    Total params\n",
            "table of layers and no column",
        ),
        ("| Layer | Output Size | Params |\n| a.b | (1, 9) | 60 |\n| a.c | (1, 10) | 100 |\n", "no column adds up"),
        ("| a.fc.* | fc.{bias,weight} | (10,) (10,,5) |\n| a.norm.weight | norm.weight | (5,) |\n", "'(10,,5)', which cannot be read"),
        ("conv\t(64, 3, 3, 3) (64,)\nscale\t(64,) (64,)\n", "line 2: scale has two shapes"),
        (
            "a.weight torch.Size([10, 5])\ngraph main (\n  %x[FLOAT, 1x3]\n) initializers (\n  %fc.weight[FLOAT, 10x5]\n) {\n  return %x\n}\n",
            "line 1: a.weight stands beside a graph",
        ),
        ("lstm\t(400, 100) (400,) (400, 100)\n", "line 1: lstm has two shapes"),
        ("- layer: fc1 W (784, 64) b (64,)\n- layer: fc2 W (64, 128) b (128,)\n", "shows no model"),
        ("a.weight torch.Size([5, 5])\na.bias torch.Size([5])\n1,024 tensors\n", "1,024 tensors are stated"),
        ("a.weight torch.Size([5, 5])\na.bias torch.Size([5])\nSkipping: a.bias\n", "a.bias is listed, and said to be skipped"),
        (
            "Layer (type)  Output Shape  Param #\n====\nfc (Dense)  (None, 9)  60\nfc (Dense)  (None, 9)  90\n====\nTotal params: 160\n",
            "no column adds up",
        ),
        ("Layer (type)  Output Shape  Param #\n====\nfc (Dense)  (None, 9)  60\nfc (Dense)  (None, 9)  90\n====\n", "no column adds up"),
        ("| a.weight | (5, 5) |\n| a.bias | (5,) |\n| ...... | ..... |\n", "leaves tensors out"),
        ("| model | 9K |\n| a.weight | (5, 5) |\n| a.bias | (5,) |\n| neck | 3.5M |\n", "line 4: neck stands in a row"),
        ("fc (128, 10) (128, 5)\nout (128, 5) (128, 2)\n", "line 1: fc has two shapes"),
        ("[471] load: loading tensor a.weight\n[471] load: loading tensor a.bias\n", "shows no model"),
        ("a.0.weight: [5, 5]\na.1.weight: [5, 5]\n(and 7 more)\n", "leaves tensors out"),
        (
            "Variable: a.bias with shape: (5, 5)\n  Skipping variable: a.bias\nVariable: a.weight with shape: (5,)\n",
            "line 2, column 22: a.bias is listed",
        ),
        (
            "log: param a.0.weight h\nas shape (5, 5) and grad=True\nlog: param a.b.weight h\nas shape (5, 6) and grad=True\n"
            "log: param a.w has shape (5, 7) and grad=True\nlog: param b.w has shape (5, 8) and grad=True\n",
            "is not written as in the other lines",
        ),
    ],
)
def test_what_may_be_a_tensor_and_cannot_be_read_is_an_error(text: str, why: str) -> None:
    with pytest.raises(DocumentError) as error:
        total(text)
    assert why in str(error.value)


def test_a_total_beside_a_listing_of_another_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "listing.txt"
    path.write_text("a.weight torch.Size([5, 5])\na.bias torch.Size([5])\nTotal params: 35\n")
    with pytest.raises(DocumentError, match="35 parameters are stated beside the listing, which has 30"):
        count(str(path))
    path.write_text("a.weight torch.Size([5, 5])\na.bias torch.Size([5])\nTotal params: 30\n")
    assert count(str(path)).complete


AS_THEY_RUN = "Layer (type)  Output Shape  Param #\n====\nLinear-1  [-1, 8]  72\nLinear-2  [-1, 8]  72\nLinear-3  [-1, 3]  27\n====\nTotal params: 171\n"
"""Which may be three layers or two of which one runs twice, and of a module that has a token of its own, too."""
AS_FOUND = "Layer (type:depth-idx)  Param #\n====\nNet  --\n├─Embedding: 1-1  400\n├─Linear: 1-2  72\n├─Linear: 1-3  400\n====\nTotal params: 872\n"
"""Of which the last may have the weight of the first."""


@pytest.mark.parametrize(
    ("text", "shown", "fewest"),
    [
        (AS_THEY_RUN, "at least 171 if no module runs twice", 99),
        (AS_THEY_RUN.replace("Linear-2  [-1, 8]  72\n", "").replace("171", "99"), "at least 99", None),
        (AS_FOUND, "at least 872 if no tensor is used in two layers", 472),
        (AS_FOUND.replace("1-3  400", "1-3  27").replace("872", "499"), "499", None),
        (AS_FOUND.replace("1-3  400", "1-3  450").replace("872", "922"), "at least 922 if no tensor is used in two layers", 522),
        (AS_FOUND.replace("├─Linear: 1-3", "├─LSTM: 1-3"), "872", None),  # It has two matrices.
        (AS_FOUND.replace("├─Linear: 1-2", "├─Block: 1-2"), "at least 872 if no module is used in two places", 400),
        (AS_FOUND.replace("1-2  72", "1-2  (recursive)").replace("872", "800"), "at least 800 if no module is used in two places", 400),
        (
            "+---+---+\n| Modules | Parameters |\n+---+---+\n| a.weight | 50 |\n| a.bias | 10 |\n+---+---+\nTotal Trainable Params: 60\n",
            "at least 60",
            None,
        ),
    ],
)
def test_a_table_of_layers_is_counted_as_its_tool_does(text: str, shown: str, fewest: int | None, tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text(text, encoding="utf-8")
    found = count(str(tmp_path / "t.txt"))
    assert (found.number(), found.json.get("least_parameters")) == (shown, fewest)


TIED = "embed.weight{0}[9, 5]{1}\nnorm.weight{0}[5]{1}\nlm_head.weight{0}[9, 5]{1}\n"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (TIED.format(" ", ""), "at least 95 if no tied tensor is listed twice"),
        (TIED.format(" ", " F32"), "95"),  # In a file each tensor stands once.
        (TIED.format(" ", " float32"), "at least 95 if no tied tensor is listed twice"),
        (TIED.format(" shape=", " dtype=float32_ref"), "95"),
        (TIED.format("): Parameter (name=x, shape=", ")"), "95"),
        ("INFO:a:number of parameters: 95\n" + TIED.format(" ", "").replace("\n", "\nINFO:a:").replace("embed", "INFO:a:embed", 1), "95"),
    ],
)
def test_what_writes_each_tensor_once_leaves_no_tie_open(text: str, shown: str, tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text(text, encoding="utf-8")
    assert count(str(tmp_path / "t.txt")).number() == shown


TENSORS = {"norm.weight": [4], "norm.running_mean": [4], "long_name.weight": [4, 5]}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"tensors": [{"name": name, "shape": sizes} for name, sizes in TENSORS.items()]}),
        json.dumps({"model": {"tensors": [{"name": name, "shape": sizes} for name, sizes in TENSORS.items()]}}),
        json.dumps({"tensors": [{"id": 0, "tensor": name, "dims": sizes} for name, sizes in TENSORS.items()]}),
        "".join(f"{name:<16}float32 {sizes}\n" for name, sizes in TENSORS.items()),
        "".join(f"{name:<16}torch.float32    {' x '.join(map(str, sizes))}\n" for name, sizes in TENSORS.items()),
    ],
)
def test_names_are_those_of_tensors_and_without_their_types(text: str) -> None:
    root = read(NamedText("listing.txt", text)).root
    named = {f"{spot.path}.{name}" for spot in placed_modules(root) for name, _ in spot.node.tensors}
    assert {name.removeprefix("model.") for name in named} == {"norm.weight", "long_name.weight"}


@pytest.mark.parametrize(
    "form",
    [
        "{name:<16}{crossed:<8} {bytes} single",
        "{at} {name:<16}{crossed:<8} {bytes}",
        "{name:<16}{crossed}",
        "{name:<16}torch.Size({sizes})",
    ],
)
def test_sizes_behind_a_name_that_fills_its_column_are_none_of_it(form: str) -> None:
    shapes = {"norm.weight": (4,), "long_name.weight": (4, 5), "long_name_a.bias": (4,), "other.weight": (3, 2)}
    rows = [
        form.format(at=at, name=name, crossed="x".join(map(str, shape)), bytes=4 * prod(shape), sizes=[*shape])
        for at, (name, shape) in enumerate(shapes.items())
    ]
    found = tensors_in(NamedText("l.txt", "\n".join(rows)))
    assert {each.name: each.shape for each in found if isinstance(each, NamedTensor)} == shapes
