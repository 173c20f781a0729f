"""Which classes of a print are known: by their source, by what is recorded of libraries, and by what stands beside the print."""

from __future__ import annotations

from pathlib import Path

import pytest

import symparam
from symparam.analysis.counting import Count
from symparam.analysis.measures.parameters import parameters
from symparam.errors import DocumentError
from symparam.models.printed.recorded_libraries import ClassRecord, libraries, recorded
from symparam.models.printed.sources.class_descriptions import ClassDescriber
from symparam.models.resolution import resolve

LINEAR = "Linear(in_features=3, out_features=3, bias=False)"
NET = f"Net(\n  (first): Block(\n    (lin): {LINEAR}\n  )\n  (head): {LINEAR}\n)\n"
BLOCK = "class Block(nn.Module):\n    def __init__(self, dim):\n        super().__init__()\n        self.lin = nn.Linear(dim, dim, bias=False)\n"
START = "class Net(nn.Module):\n    def __init__(self, dim):\n        super().__init__()\n        self.first = Block(dim)\n"


def described(body: str, before: str = "") -> ClassRecord:
    """What the source of a class with this constructor says."""
    lines = "".join(f"        {line}\n" for line in body.splitlines())
    text = f"import torch\nfrom torch import nn\n{before}class Net(nn.Module):\n    def __init__(self, dim, act):\n{lines}"
    return dict(ClassDescriber([text]).describe())["Net"]


@pytest.mark.parametrize(
    ("body", "parts", "parameters"),
    [
        ("self.a = nn.Linear(dim, dim)", {"a"}, set()),
        ("self.a = nn.Sequential(nn.Linear(dim, dim), act())", {"a"}, set()),
        ("self.token = nn.Parameter(torch.zeros(dim))", set(), {"token"}),
        ("self.token = nn.Parameter(torch.zeros(dim)) if dim else None\nself.a = nn.Linear(dim, dim)", {"a"}, {"token"}),
        ("token = nn.Parameter(torch.zeros(dim))\nnn.init.normal_(token)\nself.token = token", set(), {"token"}),
        ("self.a = nn.ParameterList()\nself.a.append(nn.Parameter(torch.zeros(dim)))", {"a"}, set()),
        ("self.a = nn.Linear(dim, dim)\nself.a.weight.data[:] = nn.Parameter(torch.ones(dim))", {"a"}, set()),
        ("self.a = nn.Linear(dim, dim)\nself.b = nn.Linear(dim, dim)\ndel self.b", {"a", "b"}, set()),
        ("self.register_parameter('token', nn.Parameter(torch.zeros(dim)))", set(), {"token"}),
        ("layers = []\nfor _ in range(3):\n    layers.append(nn.Linear(dim, dim))\nself.a = nn.ModuleList(layers)", {"a"}, set()),
        # One module in two places: a print shows it twice, so it is none of the parts that are surely its own.
        ("self.a = nn.Linear(dim, dim)\nself.b = self.a", {"a"}, set()),
        ("one = nn.Linear(dim, dim)\nself.a = nn.ModuleList([one for _ in range(3)])", set(), set()),
        ("one = nn.Linear(dim, dim)\nself.a = nn.ModuleList([one] * 3)", set(), set()),
        ("self.a = nn.ModuleList()\nfor _ in range(3):\n    self.a.append(nn.Linear(dim, dim))", {"a"}, set()),
        ("one = nn.Linear(dim, dim)\nself.a = nn.ModuleList()\nfor _ in range(3):\n    self.a.append(one)", set(), set()),
        ("one = nn.Linear(dim, dim)\nself.a = nn.ModuleDict()\nfor at in 'qk':\n    self.a[at] = nn.Sequential(one)", set(), set()),
        ("one = nn.Linear(dim, dim)\nself.a = nn.Sequential(one)\nself.b = nn.Sequential(one)", set(), set()),
        ("one = nn.Linear(dim, dim)\nif dim:\n    self.a = one\nelse:\n    self.b = one", {"a", "b"}, set()),
        ("for at in range(3):\n    setattr(self, f'layer{at}', nn.Linear(dim, dim))", {"layer*"}, set()),
    ],
)
def test_source_tells_the_parameters_of_a_class_and_the_parts_that_are_its_own(body: str, parts: set[str], parameters: set[str]) -> None:
    found = described(body)
    assert (found.parts, found.parameters) == (parts, parameters)


@pytest.mark.parametrize(
    ("body", "before", "why"),
    [
        ("self.a = nn.Linear(dim, dim)\nself.a.weight = self.b.weight", "", "gives self.a.weight another value"),
        ("self.a = nn.utils.weight_norm(nn.Linear(dim, dim))", "", "uses weight_norm"),
        ("keep(nn.Parameter(torch.zeros(dim)))", "", "makes parameters whose names its source does not say"),
        ("self.a = made(dim)", "def made(dim):\n    return nn.Parameter(torch.zeros(dim))\n", "calls made"),
        ("self.a = made(dim)", "from elsewhere import made\n", "calls made, whose source is not there"),
        ("self.a = nn.Linear(dim, dim)\ndel self.a.bias", "", "deletes what it made"),
    ],
)
def test_what_source_leaves_open_is_not_known(body: str, before: str, why: str) -> None:
    assert described(body, before).open == why


def test_a_buffer_is_not_a_part_that_every_print_shows() -> None:
    assert described("self.a = nn.Linear(dim, dim)\nself.ids = nn.Buffer(torch.arange(dim))").always == {"a"}


def test_a_class_that_prints_itself_is_not_known_unless_it_holds_nothing() -> None:
    text = "from torch import nn\nclass {0}(nn.Module):\n    def __init__(self):\n        self.a = {1}\n    def __repr__(self):\n        return ''\n"
    found = dict(ClassDescriber([text.format("Full", "nn.Linear(1, 1)"), text.format("Empty", "nn.ReLU()")]).describe())
    assert found == {"Full": ClassRecord(frozenset({"*"}), open="has __repr__ of its own"), "Empty": ClassRecord(frozenset())}


def count(text: str, folder: Path) -> tuple[int, list[str]]:
    """The number of parameters that a text shows, and what may be missing."""
    (folder / "m.txt").write_text(text)
    model = resolve(str(folder / "m.txt")).model
    return Count(parameters(model.architecture), model.values, "").total, [each.what for each in model.architecture.missing]


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        (NET, ["Net", "Block"]),
        (f"{BLOCK}{NET}", ["Net"]),
        (f"{NET}{BLOCK}{START}        self.head = nn.Linear(dim, dim)\n", []),
        (f"{NET}```python\nimport torch.nn as nn\n{BLOCK}\n{START}        self.head = nn.Linear(dim, dim)\n```\n", []),
        (f"{NET}{BLOCK}{START}        self.head = self.first.lin\n", ["Net"]),
        (f"{NET}{BLOCK}{START}        self.scale = nn.Parameter(nn.zeros(3))\n        self.head = nn.Linear(dim, dim)\n", ["scale of Net"]),
        (f"plain classes: Net, Block\n\n{NET}", []),
        (f"{NET}\nTotal params: 18\n", []),
        (f"{NET}\nTotal params: 19\n", ["Net", "Block"]),
        (f"{NET}\nTrainable params: 18\n", ["Net", "Block"]),  # There may be others.
        (f"{NET}\nTrainable params: 12\nNon-trainable params: 6\n", []),
        (f"{NET}\nThe model has 18 parameters.\n", []),
        (f"{NET}\nThe model has 18 trainable parameters\n", ["Net", "Block"]),
        (f"{NET}\ntrainable params: 8 || all params: 18 || trainable%: 44.4444\n", []),
        (f"{NET}\n>>> sum(p.numel() for p in model.parameters())\n18\n", []),
        (f"{NET}\n参数总数：18\n", []),
        (f"{NET}\nTotal params: 18 (72.00 B)\n", []),
        (f"{NET}\nEncoder parameters: 18\n", ["Net", "Block"]),
    ],
)
def test_what_stands_beside_a_print_settles_doubts(text: str, missing: list[str], tmp_path: Path) -> None:
    assert count(text, tmp_path) == (18, missing)


@pytest.mark.parametrize(
    ("stated", "number"), [(18, "18"), (20, "at least 18"), (9, "at least 18 if the number stated beside the print is of something else")]
)
def test_a_total_that_contradicts_a_print_of_known_classes_makes_it_a_bound(stated: int, number: str, tmp_path: Path) -> None:
    (tmp_path / "m.txt").write_text(f"Sequential(\n (0): {LINEAR}\n (1): ReLU()\n (2): {LINEAR}\n)\n\nTotal params: {stated}\n")
    found = symparam.count(str(tmp_path / "m.txt"))
    assert (found.number(), found.json.get("least_parameters")) == (number, min(stated, 18) if stated < 18 else None)


def test_the_classes_of_a_library_are_known_where_the_names_of_their_parts_fit(tmp_path: Path) -> None:
    block = f"BasicBlock(\n (conv1): {LINEAR}\n (bn1): ReLU()\n (conv2): {LINEAR}\n)"
    net = "ResNet(\n (conv1): {0}\n (layer1): Sequential(\n (0): {1}\n)\n (fc): {0}\n)"
    assert count(net.format(LINEAR, block), tmp_path) == (36, [])
    assert count(net.format(LINEAR, block.replace("conv2", "mixer")), tmp_path)[1] == ["BasicBlock"]
    assert count(f"BasicBlock(\n (conv1): {LINEAR}\n (conv2): {LINEAR}\n)", tmp_path)[1] == ["BasicBlock"]  # Too little to tell by.
    assert count(f"Mine(\n (net): {net.format(LINEAR, block)}\n)", tmp_path)[1] == ["Mine", "ResNet", "BasicBlock"]


def test_classes_of_one_name_that_do_not_agree_are_not_known() -> None:
    timm, parts = recorded("timm"), ["qkv", "attn_drop", "proj", "proj_drop"]
    assert {each.parameters for each in timm.classes["Attention"] if each.fits(parts, parts)} > {frozenset()}
    assert timm.described("Attention", parts, parts) is None


def test_records_say_of_which_version_they_are() -> None:
    folder = Path(symparam.__file__).parent / "models" / "printed" / "recorded" / "libraries"
    for name in libraries():
        assert (folder / f"{name}.txt").read_text(encoding="utf-8").startswith(f"# Classes of {name} "), name
        assert recorded(name).classes


def test_a_module_that_may_stand_in_two_places_makes_the_bound_depend_on_it(tmp_path: Path) -> None:
    (tmp_path / "model.txt").write_text(f"Net(\n (conv): {LINEAR}\n (all): Sequential(\n (0): {LINEAR}\n)\n)")
    found = symparam.count(str(tmp_path / "model.txt"))
    assert (found.total, found.json["least_parameters"], found.number()) == (18, 9, "at least 18 if no module is used in two places")
    assert not any("share" in row for row in found.json["modules"])  # Of what, is not known.
    assert "In all at least 18 if no module is used in two places, and at least 9 otherwise." in found.write()


def test_sizes_beside_the_parts_of_a_class_that_is_not_known_are_not_counted(tmp_path: Path) -> None:
    (tmp_path / "model.txt").write_text(f"Net(\n (a): BatchLinear(\n in_features=2, out_features=4, bias=True\n (linear): {LINEAR}\n)\n)")
    assert symparam.count(str(tmp_path / "model.txt")).total == 9


def test_a_print_that_shows_no_tensor_but_may_hold_some_says_of_which_class(tmp_path: Path) -> None:
    (tmp_path / "model.txt").write_text("Net(\n (a): Packed()\n)")
    with pytest.raises(DocumentError, match=r"shows no tensor, but may hold some: Net, Packed"):
        symparam.count(str(tmp_path / "model.txt"))


@pytest.mark.parametrize("around", ["GINEConv(nn={})", "epoch 3 (best)\nGINEConv(eps=(0, 1), nn={})", "print(net); GINEConv({}, 8)"])
def test_a_module_printed_as_an_argument_may_not_be_all_that_its_class_holds(around: str, tmp_path: Path) -> None:
    (tmp_path / "model.txt").write_text(around.format(f"Sequential(\n  (0): {LINEAR}\n)"))
    with pytest.raises(DocumentError, match=r"shows no tensor, but may hold some: GINEConv"):
        symparam.count(str(tmp_path / "model.txt"))


@pytest.mark.parametrize("before", ["(rank 0) ", "f(x) = ", "model: ", "print(model)  # "])
def test_words_and_brackets_before_a_print_are_no_class(before: str, tmp_path: Path) -> None:
    (tmp_path / "model.txt").write_text(f"{before}Sequential(\n  (0): {LINEAR}\n)")
    assert symparam.count(str(tmp_path / "model.txt")).number() == "9"
