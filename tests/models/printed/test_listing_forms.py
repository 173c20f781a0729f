"""Listings in the many forms in which people paste them: each is read to the last tensor, or refused with a sentence."""

from __future__ import annotations

import json
import pprint
import re
from collections.abc import Callable
from math import prod
from pathlib import Path
from typing import Any

import pytest

from symparam.analysis.counting import Count
from symparam.analysis.measures.parameters import parameters
from symparam.errors import DocumentError
from symparam.models.printed.model_files import read
from symparam.models.printed.source_text import NamedText
from symparam.models.resolution import resolve

TENSORS: tuple[tuple[str, tuple[int, ...]], ...] = (
    ("logit_scale", ()),
    ("query_tokens", (1, 5, 12)),
    ("visual.0.weight", (12, 3, 4, 4)),
    ("visual.1.bias", (12,)),
    ("layers.10.weight", (7, 12)),
    ("layers.11.weight", (0, 12)),
)
TOTAL = sum(prod(shape) for _, shape in TENSORS)
SHAPED = TENSORS[1:]  # A scalar has no crosses.


def lines(form: str, tensors: tuple[tuple[str, tuple[int, ...]], ...] = TENSORS) -> str:
    """The listing with a line of that form for each tensor."""
    return "".join(
        form.format(
            at=at,
            name=name,
            slashed=name.replace(".", "/"),
            round=shape,
            square=list(shape),
            crossed=" x ".join(map(str, shape)),
            bare=",".join(map(str, shape)),
            comma=", ".join(map(str, shape)),
            spaced=" ".join(map(str, shape)),
            dataset=", ".join(map(str, shape)) or "SCALAR",
            tex=name.replace("_", r"\_"),
            times=r" \times ".join(map(str, shape)),
            haiku=name.replace(".", "/~/"),
            partition=tuple(None for _ in shape),
            long=", ".join(f"{size}L" for size in shape),
            four=", ".join(f"{size:5}" for size in (*shape[::-1], 1, 1, 1, 1)[: max(4, len(shape))]),
            count=prod(shape),
        )
        + "\n"
        for at, (name, shape) in enumerate(tensors)
    )


FORMS = (
    "{round!s:20} {name}",
    "torch.Size({square})\t{name}",
    "[{at:3d}] {name} {square}",
    "2024-03-01 12:00:{at:02d},123 - INFO - {name}: {round}",
    "[2024-03-01 12:00:{at:02d}] INFO:root:{name} torch.Size({square})",
    "INFO:__main__:{name} {round}",
    "name={name} shape=torch.Size({square}) numel={count}",
    "Layer: {name} | Size: torch.Size({square}) | Values : ...",
    "Parameter name: {name}, shape: torch.Size({square})",
    "{name}: Tensor(shape={square}, dtype=torch.float32)",
    "│ {name:30s} │ {round!s:20s} │",
    "* {name} — {round}",
    "llama_model_loader: - tensor {at:4d}: {name:>32s} f32      [ {four} ]",
    "<tf.Variable '{slashed}:0' shape={round} dtype=float32>",
    "{slashed} {round}",
    "{name}{square}",
    "{name}\ntorch.Size({square})",
    "  - name: {name}\n    shape: {square}",
    '{{"name": "{name}", "shape": {square}}}',
    "{name:40} {square!s:18} {at}.25 MB",
    "  {name:40} F32     [{spaced}]    ",
    "name: {name} shape: [{spaced}] dtype: float32",
    "INFO:hf-to-gguf:{name}, torch.bfloat16 --> F16, shape = {{{comma}}}",
    "/{slashed:30} Dataset {{{dataset}}}",
    "{haiku} {round}",
    "{slashed} {square}",
    "{slashed}: f32[{bare}]",
    "I1030 12:11:10.{at:03d} 1401 utils.py:123] Variable {slashed} size {count} shape {round} partition spec {partition}",
    "{name} ({long})",
)


def total(text: str) -> int:
    """The number of elements of all tensors that the text shows."""
    return read(NamedText("listing.txt", text)).root.elements


@pytest.mark.parametrize("form", FORMS)
def test_lines_that_are_written_alike_are_read_to_the_last_tensor(form: str) -> None:
    assert total(lines(form)) == TOTAL
    assert total(f"Here they are:\n\n{lines(form)}\nAnd now?\n") == TOTAL


@pytest.mark.parametrize(
    "form",
    [
        "%{name}[FLOAT, {crossed}]",
        "{name} & {crossed} \\\\",
        "│ {name} │ {crossed} │",
        "* {name} ({crossed})",
        "{name} [{crossed}]",
        "\\texttt{{{tex}}} & ${times}$ \\\\",
    ],
)
def test_crossed_sizes_behind_any_signs(form: str) -> None:
    assert total(lines(form, SHAPED)) == TOTAL - 1


@pytest.mark.parametrize(
    "text", ["nn.Linear(768, 3072)\nnn.Conv2d(3, 64)\n", "see encoder.py [3, 4]\n", "a.b and c.d [3, 4]\ne.f and g.h [5, 6]\n"]
)
def test_calls_and_lone_lines_are_no_listing(text: str) -> None:
    with pytest.raises(DocumentError, match="shows no model"):
        total(text)


@pytest.mark.parametrize("broken", ["layers.12.weight [7, ?] oops", "new ERROR - layers.12.weight: [7, 12]"])
def test_a_line_that_is_written_otherwise_is_an_error_with_its_number(broken: str) -> None:
    with pytest.raises(DocumentError, match="line 7"):
        total(f"{lines('12:00 - INFO - {name}: {square}')}{broken}: (7, 12)\n")


def test_a_table_whose_heads_are_modules_and_parameters() -> None:
    rule = "+-----+-----+-----+\n"
    rows = lines("| {name} | {round} | {count} |")
    assert total(f"{rule}| Modules | Shape | Parameters |\n{rule}{rows}{rule}") == TOTAL


@pytest.mark.parametrize(
    "written",
    [
        repr([(name, shape) for name, shape in TENSORS]),
        repr(dict(TENSORS)),
        repr({name: list(shape) for name, shape in TENSORS}),
        "{" + ", ".join(f"{name!r}: torch.Size({list(shape)})" for name, shape in TENSORS) + "}",
        json.dumps(dict(TENSORS)),
        json.dumps({name: {"shape": shape, "dtype": "float32"} for name, shape in TENSORS}, indent=2),
        json.dumps([{"name": name, "shape": shape} for name, shape in TENSORS]),
        json.dumps({"__metadata__": {"format": "pt"}} | {name: {"dtype": "F32", "shape": shape} for name, shape in TENSORS}),
    ],
)
def test_objects_of_python_and_json(written: str, tmp_path: Path) -> None:
    assert total(written) == TOTAL
    for name in ["listing.txt"] + ["listing.json"] * ('"' in written):
        (tmp_path / name).write_text(written, encoding="utf-8")
        model = resolve(str(tmp_path / name)).model
        assert Count(parameters(model.architecture), model.values, "").total == TOTAL


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "Layer (type:depth-idx)   Output Shape   Param #\n├─Conv2d: 1-1   [1, 8, 30, 30]   224\n├─Linear: 1-2   [1, 10]   90\n",
            "put out",
        ),
        ("a.weight: torch.Size([4, 4]) -> torch.Size([8, 4])\n", "two shapes"),
    ],
)
def test_shapes_that_are_none_of_parameters_are_refused(text: str, why: str) -> None:
    with pytest.raises(DocumentError, match=why):
        total(text)


def test_words_of_a_log_beside_a_listing_are_words() -> None:
    logged = lines("12:00 - INFO - {name}: {square}")
    assert total(f"12:00 - INFO - loading model.safetensors took 3 s\n{logged}12:01 - INFO - train.py done (4 GPUs)\n") == TOTAL


def test_lines_in_another_way_beside_a_listing_are_an_error() -> None:
    logged = lines("12:00 - INFO - {name}: {square}")
    with pytest.raises(DocumentError, match=r"line 2: logit_scale and 5 more"):
        total(f"a.weight [3, 4]\n{logged}")


def in_lines(each: str, size: str, none: str = "{name}: []\n") -> str:
    """YAML with a line for each size."""
    return "".join((each if shape else none).format(name=name) + "".join(size.format(one) for one in shape) for name, shape in TENSORS)


@pytest.mark.parametrize(
    "written",
    [
        f"OrderedDict([{', '.join(f'({name!r}, torch.Size({list(shape)}))' for name, shape in TENSORS)}])",
        f"shapes = OrderedDict({ {name: list(shape) for name, shape in TENSORS} })",
        f"odict_items([{', '.join(repr(each) for each in TENSORS)}])",
        json.dumps({"model": "x", "tensors": {name: {"shape": shape} for name, shape in TENSORS}}),
        json.dumps({"parameters": [{"name": name, "shape": shape} for name, shape in TENSORS]}),
        json.dumps({name: str(list(shape)) for name, shape in TENSORS}),
        json.dumps([[name, shape] for name, shape in TENSORS]),
        "".join(json.dumps({"shape": shape, "name": name}) + "\n" for name, shape in TENSORS),
        in_lines("{name}:\n", "  - {}\n"),
        in_lines("{name}:\n", "- {}\n"),
        in_lines("{name}:\n  dtype: float32\n  shape:\n", "  - {}\n", "{name}:\n  shape: []\n"),
        in_lines("- name: {name}\n  dtype: float32\n  shape:\n", "  - {}\n", "- name: {name}\n  shape: []\n"),
        "apiVersion: v1\nspec:\n  tensors:\n" + lines("    - name: {name}\n      shape: {square}"),
        "{" + ",\n ".join(f"{name!r}: array(shape={shape}, dtype=float32)" for name, shape in TENSORS) + "}",
        "Here:\n\n```yaml\n" + lines("{name}:\n  dtype: float32\n  shape: {square}") + "```\n\nThanks!\n",
        lines("{at:5}: {count:10} | {four} | F32     | {name}"),
        lines("{slashed}: float32{square}"),
        "".join(
            f"[{chr(39)}{name.replace('.', chr(39) + '][' + chr(39))}{chr(39)}]: Shape(shape={shape}, dtype=f)\n" for name, shape in TENSORS
        ),
    ],
)
def test_what_programs_print_of_their_dictionaries(written: str) -> None:
    assert total(written) == TOTAL


def test_a_listing_beside_others_in_an_object_is_no_listing_inside() -> None:
    assert total('{"weights": [3, 4], "a.bias": [4]}') == 16


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("%scale[FLOAT]\n%a.weight[FLOAT, 3x4]\n%b.weight[FLOAT, 5x6]\n", "line 1, column 2: scale is written like the tensors"),
        ("a.weight: [3, 4]\n12 [5, 6]\nc.weight: [1, 2]\n", "line 2"),
        ("   1:  13 |  4, 3, 1, 1 | F32 | a.weight\n", "13 elements"),
    ],
)
def test_a_line_with_a_shape_that_is_not_read_is_an_error(text: str, line: str) -> None:
    with pytest.raises(DocumentError, match=line):
        total(text)


def test_strides_are_no_shape() -> None:
    with pytest.raises(DocumentError, match="shows no model"):
        total("%a.weight : Float(3, 4, strides=[1])\n%b.weight : Float(5, 6, strides=[1])\n")


def test_several_tensors_in_a_line() -> None:
    line = "layer.{0}.weight torch.Size([4, 4]) layer.{0}.bias torch.Size([4])\n"
    assert total(line.format(0) + line.format(1)) == 40


def test_an_object_that_is_partly_a_listing_is_an_error() -> None:
    with pytest.raises(DocumentError, match="weight is not a tensor like the entries before it"):
        total('[{"name": "a.weight", "shape": [3]}, {"name": "b.weight"}]')


def nested(leaf: Callable[[tuple[int, ...]], object]) -> dict[str, Any]:
    """The tensors as dictionaries in dictionaries."""
    found: dict[str, Any] = {}
    for name, shape in TENSORS:
        *path, last = name.split(".")
        inside = found
        for part in path:
            inside = inside.setdefault(part, {})
        inside[last] = leaf(shape)
    return found


def indented(inside: dict[str, Any], before: str = "") -> str:
    return "".join(
        f"{before}{name}:" + (f"\n{indented(value, before + '  ')}" if isinstance(value, dict) else f" {value}\n")
        for name, value in inside.items()
    )


def drawn(inside: dict[str, Any], before: str = "") -> str:
    last = next(reversed(inside))
    return "".join(
        f"{before}{'└── ' if name == last else '├── '}{name}"
        + (f"\n{drawn(value, before + ('    ' if name == last else '│   '))}" if isinstance(value, dict) else f" {value}\n")
        for name, value in inside.items()
    )


@pytest.mark.parametrize(
    "written",
    [
        repr(nested(tuple)),
        pprint.pformat(nested(tuple), width=40),
        ">>> pprint(jax.tree.map(lambda x: x.shape, params))\n" + pprint.pformat({"params": nested(tuple)}),
        re.sub(r"'(\w*[a-z]\w*)'", r"\1", f"FrozenDict({nested(tuple)})"),
        re.sub(r"'(<[^']*>)'", lambda found: f"torch.Size({found[1][1:-1]})", repr(nested(lambda shape: f"<{[*shape]}>"))),
        json.dumps(nested(list), indent=2),
        json.dumps({"weightsManifest": [{"paths": ["a.bin"], "weights": [{"name": name, "shape": shape} for name, shape in TENSORS]}]}),
        json.dumps({"total": TOTAL, "layers": [{"name": name, "shape": shape} for name, shape in TENSORS]}),
        indented(nested(list)),
        indented({"params": nested(lambda shape: {"shape": [*shape], "dtype": "float32"})}),
        f"model\n{drawn(nested(tuple))}\n6 tensors\n",
        drawn(nested(lambda shape: f"float32[{','.join(map(str, shape))}]")),
    ],
)
def test_names_inside_names(written: str) -> None:
    assert total(written) == TOTAL


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("mlp?\n  weight [4, 4]\nhead\n  weight [4, 4]\n", "line 4, column 3: weight is listed in l.txt, line 2, column 3 too"),
        ("get_attr a.weight ()\nget_attr a.bias ()\nget_attr b.weight ()\n", "a.weight and all others have no sizes"),
        ("static float alpha;\nstatic float w[3][4];\nstatic float v[4][4];\n", "line 1, column 14: alpha is written like the tensors"),
        ("model\n├── a\n│   └── weight [4, 4]\n└── b ?\n", "line 4: b has no shape"),
        ("├─Conv2d: 1-1   [1, 8, 30, 30]   224\n├─Linear: 1-2   [1, 10]   90\n", "line 1: this is a table of layers"),
        ("a.weight\t[4 096, 128]\nb.weight\t[128]\n", "line 1, column 1: a.weight has the shape '\\[4 096, 128\\]'"),
        ("a.weight\t[409, 128]\nb.weight\t[4 096]\n", "line 2: in '\\[4 096\\]' a blank separates two numbers"),
        ("scale (f32 )\na.weight (f32 3x4)\nb.weight (f32 5x6)\n", "line 1, column 1: scale is written like the tensors"),
    ],
)
def test_what_may_be_part_of_a_name_or_of_a_size_is_an_error(written: str, why: str) -> None:
    with pytest.raises(DocumentError, match=why):
        read(NamedText("l.txt", written))


def test_a_word_such_as_shape_is_no_name() -> None:
    assert total("shape: (6, 2)\n┌───┬───┐\n" + lines("│ {name} ┆ {square} │") + "└───┴───┘\n") == TOTAL


def test_a_name_may_stand_twice_in_its_line() -> None:
    assert total(lines("{slashed}: ArrayMetadata(name='{name}', shape={round}, dtype=dtype('float32'))")) == TOTAL


def test_a_listing_that_two_processes_write_is_counted_once() -> None:
    assert total("".join(f"[rank{rank}]: {line}\n" for line in lines("{name}: {square}").splitlines() for rank in (0, 1))) == TOTAL


def nested(form: str, below: str, depth: int = 0, tensors: tuple[tuple[str, tuple[int, ...]], ...] = TENSORS) -> str:
    """The tree of modules that the names imply, with a line of that form for each name and that of its shape behind it."""
    found = ""
    for first in dict.fromkeys(name.partition(".")[0] for name, _ in tensors):
        inside = tuple((name.partition(".")[2], shape) for name, shape in tensors if name.partition(".")[0] == first)
        own = next((f"{below}{shape}" for name, shape in inside if not name), "")
        found += f"{'  ' * depth}{form.format(first)}{own}\n"
        found += nested(form, below, depth + 1, tuple(each for each in inside if each[0]))
    return found


@pytest.mark.parametrize(
    "written",
    [
        nested("{}", " "),
        nested("- {}:", " "),
        nested("* {}", " float32 "),
        lines("Name: {name}\nShape: {round}\nDtype: float32\n"),
        lines("name = {name}\nsize = {square}\n---"),
        lines("tensor: {name}\n  shape: {square}\n  dtype: F32"),
        "".join(
            "initializer {\n" + "".join(f"  dims: {size}\n" for size in shape) + f'  data_type: 1\n  name: "{name}"\n}}\n'
            for name, shape in TENSORS
        ),
        "".join(f"{tuple(name.split('.'))} {shape}\n" for name, shape in TENSORS),
        "{" + ", ".join(f"{tuple(name.split('.'))}: {shape}" for name, shape in TENSORS) + "}",
        "".join(f"({', '.join(f'DictKey(key={part!r})' for part in name.split('.'))},) {shape}\n" for name, shape in TENSORS),
        "{" + ", ".join(f"{name}: {shape}" for name, shape in TENSORS) + "}",
        "{" + ",\n ".join(f"'{name[:3]}' '{name[3:]}': torch.Size({list(shape)})" for name, shape in TENSORS) + "}",
        "".join(json.dumps({"log": f"{name} torch.Size({list(shape)})\n", "stream": "stdout"}) + "\n" for name, shape in TENSORS),
        "".join(json.dumps({"key": name, "value": {"dtype": "F32", "shape": shape}}) + "\n" for name, shape in TENSORS),
        "".join(json.dumps({"Tensor": name, "Shape": shape}) + "\n" for name, shape in TENSORS),
        json.dumps({"name": dict(enumerate(name for name, _ in TENSORS)), "shape": dict(enumerate(shape for _, shape in TENSORS))}),
        "%scale[FLOAT, scalar]\n" + lines("%{name}[FLOAT, {crossed}]", SHAPED),
        "| Layer | Tensor | Shape |\n|---|---|---|\n"
        + "".join(f"| {name.rpartition('.')[0]} | {name.rpartition('.')[2]} | {list(shape)} |\n" for name, shape in TENSORS),
    ],
)  # fmt: skip
def test_trees_records_paths_and_logs_are_read_to_the_last_tensor(written: str) -> None:
    assert total(written) == TOTAL


def test_sizes_with_their_type_as_compilers_write_them() -> None:
    assert total("%a : tensor<7x12xf32>\n%b : tensor<4x3xbf16>\n%c : tensor<12xf32>\n") == 84 + 12 + 12


DIMS = (("a.weight", (6, 3)), ("a.bias", (6,)), ("scale", ()), ("b.conv.weight", (4, 3, 2, 2)), ("pos", (5, 7)))
IN_ALL = 18 + 6 + 1 + 48 + 35


def with_columns(head: str, sign: str, none: str) -> str:
    """A table with a column for each of four sizes."""
    return head + "".join(sign.join([name, *map(str, shape), *[none] * (4 - len(shape))]) + "\n" for name, shape in DIMS)


@pytest.mark.parametrize(
    "written",
    [
        with_columns("name,dim0,dim1,dim2,dim3\n", ",", ""),
        with_columns("name;shape[0];shape[1];shape[2];shape[3]\n", ";", "-"),
        with_columns("| name | d1 | d2 | d3 | d4 |\n|---|---|---|---|---|\n", " | ", "–"),
        with_columns("  name  0  1  2  3\n", "  ", "NaN"),
        "  name  0  1  2  3\n" + "".join(f"{at} {line}\n" for at, line in enumerate(with_columns("", "  ", "NaN").splitlines())),
        "a.weight: 6×3 Matrix{Float32}\na.bias: 6-element Vector{Float32}\nscale: 0-dimensional Array{Float32, 0}\n"
        "b.conv.weight: 4×3×2×2 Array{Float32, 4}\npos: 5×7 Matrix{Float32}\n",
        "".join(f"  %{name} = constant : tensor<{''.join(f'{size}x' for size in shape)}f32>\n" for name, shape in DIMS),
        "".join(f"{name}: {' by '.join(map(str, shape)) or 1}\n" for name, shape in DIMS),
        "{\n" + "".join(f'  "{name}": Tensor[{", ".join(map(str, shape))}; f32],\n' for name, shape in DIMS) + "}\n",
        "<model>\n"
        + "".join(f'  <t id="3" dtype="f32" shape="{",".join(map(str, shape))}" name="{name}"/>\n' for name, shape in DIMS)
        + "</model>\n",
        "".join(f"shape={shape} name={name!r}\n" for name, shape in DIMS),
        "".join(f"size={list(shape)}, dtype=f32, param={name}\n" for name, shape in DIMS),
        "".join(f"{name}: {', '.join(map(str, shape)) or '()'}\n" for name, shape in DIMS),
        "".join(f"{at}: {name} <{' '.join(map(str, shape))}>\n" for at, (name, shape) in enumerate(DIMS)),
        "".join(f"{name}\t{':'.join(map(str, shape)) or 'scalar'}\n" for name, shape in DIMS),
        "".join(f"{name} has {prod(shape):,} parameters\n" for name, shape in DIMS),
        "".join(f"{prod(shape):>9,}  {name}\n" for name, shape in DIMS) + "      108  TOTAL parameters\n",
        json.dumps({name: "x".join(map(str, shape)) for name, shape in DIMS}),
        "".join(f'"{name}" Tensor[dims {", ".join(map(str, shape))}; f32]\n'.replace("dims ;", ";") for name, shape in DIMS),
        "".join(f'[tensors."{name}"]\ndtype = "f32"\nshape = {list(shape)}\n\n' for name, shape in DIMS),
        json.dumps({"params": {name: prod(shape) for name, shape in DIMS}, "total_params": 108}),
        f"| Weight{' ' * 60} | Size |\n|{'-' * 67}:|-----:|\n"
        + "".join(f"| {name:66} | {' x '.join(map(str, shape)) or 1} |\n" for name, shape in DIMS),
        f"Weight{' ' * 60} Size\n" + "".join(f"{name:66} {shape}\n" for name, shape in DIMS),
        "| parameter | # of elements |\n|---|---|\n" + "".join(f"| `{name}` | {prod(shape)} |\n" for name, shape in DIMS),
        "Sizes:\n" + "".join(f"{name} & ${' x '.join(map(str, shape)) or 1}$ \\\\\n" for name, shape in DIMS) + "\\end{tabular}\n",
    ],
)
def test_sizes_without_brackets_are_read_where_something_proves_them(written: str) -> None:
    assert total(written) == IN_ALL


@pytest.mark.parametrize(
    ("written", "why"),
    [
        (with_columns("name,dim0,dim1,dim2,dim3\n", ",", "0"), "a.weight has the shape '\\[6, 3, 0, 0 or none\\]'"),
        ("a.weight,18,72\na.bias,6,24\n", "shows no model"),  # Elements and bytes.
        ("a.weight 6 3\nb.weight 3 6\n", "shows no model"),
        ("fc.weight is 3 by 5\nalpha is a scalar\nd.left is 3 by 2\n", "line 2, column 1: alpha stands beside tensors"),
        ("fc.weight: Multi (F 3 × 5)\nalpha: Multi (F)\nd.left: Multi (F 3 × 2)\n", "line 2, column 1: alpha is written like"),
        ('{"params": {"a": 18, "b": 6}, "total_params": 25}', "shows no model"),
        ("a.weight 6 3\na.bias 5\n", "shows no model"),
        ("18 a.weight\n6 a.bias\n", "one number stands behind a.weight"),
        ("a.weight has 18 parameters\na.bias has 6 parameters\na has 24 parameters\n", "one number stands behind a.weight"),
    ],
)
def test_numbers_that_may_be_no_sizes_are_an_error(written: str, why: str) -> None:
    with pytest.raises(DocumentError, match=why):
        total(written)
