"""Random architectures printed and read back, and random texts, which give an answer or an error and nothing else."""

from __future__ import annotations

import sys
from math import prod
from pathlib import Path

import pytest
import sympy
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from symparam.errors import SymparamError
from symparam.models.architectures import Family, families
from symparam.models.blocks import Architecture, Block, Conv1D, Embedding, LayerNorm, Linear, Module, Repeat, RMSNorm
from symparam.models.printed.building import build, check_size
from symparam.models.printed.model_files import read
from symparam.models.printed.recognition import recognise
from symparam.models.printed.source_text import NamedText
from symparam.models.printed.tree import Node

sys.path.insert(0, str(Path(__file__).parent))
from torch_format import printed

sizes = st.one_of(st.integers(1, 9), st.sampled_from([64, 128, 256, 1000])).map(sympy.Integer)
names = st.sampled_from(["a", "mlp", "attn", "norm", "embed_tokens", "wpe", "token_type", "lm_head", "query", "gate", "experts", "h"])
leaves = st.one_of(
    st.builds(Linear, sizes, sizes, st.booleans()),
    st.builds(Embedding, sizes, sizes),
    st.builds(Conv1D, sizes, sizes),
    st.builds(LayerNorm, sizes),
    st.builds(RMSNorm, sizes),
)
blocks = st.recursive(
    leaves,
    lambda parts: st.one_of(
        st.dictionaries(names, parts, min_size=1, max_size=4).map(lambda inner: Block("Block", role=None, **inner)),
        st.builds(Repeat, st.integers(1, 5).map(sympy.Integer), parts),
    ),
    max_leaves=12,
)
roots = st.dictionaries(names, blocks, min_size=1, max_size=4).map(lambda inner: Block("Model", role=None, **inner))


def shown(root: Module) -> dict[str, tuple[int, ...]]:
    return {name: shape for name, shape, _ in Architecture("shown", root).named_parameters({})}


@given(roots, st.booleans(), st.booleans())
def test_an_architecture_printed_and_read_back_has_the_same_tensors(root: Block, older: bool, indented: bool) -> None:
    text = printed(root, older)
    found = read(NamedText("m.txt", text if indented else "\n".join(line.strip() for line in text.split("\n"))))
    assert check(found.root) == shown(root)


@given(roots)
def test_an_architecture_listed_and_read_back_has_the_same_tensors(root: Block) -> None:
    tensors = shown(root)
    lines = "\n".join(f"{name} torch.Size({[*shape]})" for name, shape in [*tensors.items(), ("last.weight", (3,)), ("last.bias", (3,))])
    assert check(read(NamedText("m.txt", lines)).root) == {**tensors, "last.weight": (3,), "last.bias": (3,)}


def check(root: Node) -> dict[str, tuple[int, ...]]:
    """The tensors of what was read, whose letters have to have the values that were printed."""
    letters = recognise(root, None)
    architecture = Architecture("read", build(root, letters))
    found = {name: shape for name, shape, _ in architecture.named_parameters(letters.values)}
    assert root.elements == sum(map(prod, found.values()))
    letters.said()
    return found


SHOWN_WHOLE = [family for family in families() if family.name in ("bert", "gpt1", "gpt2", "bloom")]  # Their prints show every tensor.


@pytest.mark.parametrize("family", SHOWN_WHOLE, ids=[family.name for family in SHOWN_WHOLE])
def test_the_families_printed_and_read_back(family: Family) -> None:
    architecture = family.architecture()
    values = {size.letter: number for number, size in enumerate(family.sizes, 2)} | {"B": 2, "L": 3, "L_e": 4}
    resized = architecture.map_sizes(
        lambda size: size.xreplace({letter: sympy.Integer(values[str(letter)]) for letter in size.free_symbols})
    )
    untied = {name: shape for name, shape, _ in resized.named_parameters({})}
    found = check(read(NamedText("m.txt", printed(resized.root))).root)
    assert {name: found[name] for name in untied} == untied


pieces = st.sampled_from(
    ["M(", "(a): ", "(0-3): 4 x ", "(0): ", "Linear(in_features=2, out_features=3, bias=True)", ")", "\n", "...", "…", "a.weight", "h.0.b.bias",
     " torch.Size([3, 4])", " [3]", "(3,", "Embedding(5, 6)", "Conv2d(3, 4, kernel_size=(1, 1))", "  ", "h.7.b.bias", "x", "0", "None", "|", "{", "LSTM(3, 4, num_layers=999)"]
)  # fmt: skip


@given(st.one_of(st.text(max_size=300), st.lists(pieces, max_size=40).map("".join)))
@example("M(\n(a): B((((((((((((")
@example("a.b [" + "3, " * 400)
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_any_text_gives_an_answer_or_an_error(text: str) -> None:
    try:
        root = read(NamedText("m.txt", text)).root
        if not root.empty:
            check(root)
    except SymparamError as error:
        assert "\n" not in str(error)
        assert len(str(error)) < 700


LINEAR = "Linear(in_features=1, out_features=1)"


def hostile(n: int) -> list[str]:
    """Texts that are long or deep in one way each, by thousands of their shortest part."""
    return [
        "M( (a): " + "x" * (2_000 * n),
        "(" * (1_000 * n),
        "a" * (3_000 * n),
        "a.b " * (700 * n),
        "M( (a): B(" + "(" * (500 * n),
        "M(\n" + "(a): " * (400 * n),
        "M(\n" + "(0): ReLU()\n" * (200 * n),
        "M(\n(a): " + "Linear(" * (300 * n),
        "\n".join(f"h.{number}.w.weight [3, {number + 1}]" for number in range(60 * n)),
        "\n".join("." * 60 for _ in range(100 * n)),
        "\n".join("a.b" + " " * 190 + "(" * 190 + "-" * 190 for _ in range(2 * n)),
        "\n".join("a" + ".b-c" * 300 for _ in range(n)),
        "\n".join(f"M{number}( (a): ReLU()" for number in range(100 * n)),
        "M(\n"
        + "\n".join(f"(l{number}): L(\n(0-998): 999 x {LINEAR}\n(999): {LINEAR.replace('1', '2', 1)}\n)" for number in range(2 * n))
        + "\n)",
    ]


@pytest.mark.few(5)
@pytest.mark.parametrize("n", [pytest.param(100, id="short"), pytest.param(1_000, id="long", marks=pytest.mark.slow)])
@pytest.mark.parametrize("which", range(len(hostile(1))))
def test_a_hostile_text_is_refused_or_read_in_bounded_time(which: int, n: int) -> None:
    text = hostile(n)[which]  # The guard in conftest.py is the bound: what takes the square of this length never comes back.
    try:
        root = read(NamedText("m.txt", text)).root
        check_size(root)
        build(root, recognise(root, None))
    except SymparamError as error:
        assert len(str(error)) < 700
