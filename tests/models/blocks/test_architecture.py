"""Blocks and architectures: the tensors that each declares, ties, layers written out, and what cannot be built."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from math import prod

import pytest
import sympy
from hypothesis import given

from symparam.core.dimensions import H, I, N, V, symbol
from symparam.errors import ArchitectureError, SymparamError, UnknownNameError
from symparam.models.blocks import Architecture, Block, Conv1D, Embedding, LayerNorm, Linear, Parameter, Repeat, Tied
from symparam.models.blocks.architecture import MAX_TENSORS, evaluate_size
from symparam.models.blocks.module import Module
from tests.strategies import architectures, parameters_by_hand, values_of_letters

X = symbol("X")
TOY = Architecture(
    "toy",
    Block(
        "Toy",
        table=Embedding(V, H),
        layers=Repeat(N, Block("Layer", up=Linear(H, I), down=Conv1D(I, H), norm=LayerNorm(H), heads=Repeat(2, Linear(H, X, bias=False)))),
        scale=Parameter(H),
        head=Tied(Linear(H, V), weight="table.weight"),
    ),
    "a test",
    {"X": "width of a head"},
)


def shapes(module: Module) -> list[tuple[str, tuple[sympy.Expr, ...]]]:
    return [(tensor.name, tensor.shape) for tensor in module.tensors]


@pytest.mark.parametrize(
    ("module", "tensors"),
    [
        (Linear(H, I), [("weight", (I, H)), ("bias", (I,))]),
        (Linear(H, I, bias=False), [("weight", (I, H))]),
        (Conv1D(H, I), [("weight", (H, I)), ("bias", (I,))]),
        (Embedding(V, H), [("weight", (V, H))]),
        (LayerNorm(H), [("weight", (H,)), ("bias", (H,))]),
        (Parameter(H, 3), [("", (H, sympy.Integer(3)))]),
        (Block("Empty"), []),
        (Repeat(N, LayerNorm(H)), []),
        (Linear("X", 3 * sympy.Symbol("H")), [("weight", (3 * H, X)), ("bias", (3 * H,))]),
    ],
)
def test_the_tensors_of_each_block(module: Module, tensors: list[tuple[str, tuple[sympy.Expr, ...]]]) -> None:
    assert shapes(module) == tensors


def test_tensors_have_the_names_of_the_reference() -> None:
    assert [(name, tensor.shape, tensor.tied_to) for name, tensor in TOY.tensors()] == [
        ("table.weight", (V, H), None),
        ("layers.{i}.up.weight", (I, H), None),
        ("layers.{i}.up.bias", (I,), None),
        ("layers.{i}.down.weight", (I, H), None),
        ("layers.{i}.down.bias", (H,), None),
        ("layers.{i}.norm.weight", (H,), None),
        ("layers.{i}.norm.bias", (H,), None),
        ("layers.{i}.heads.{j}.weight", (X, H), None),
        ("scale", (H,), None),
        ("head.weight", (V, H), "table.weight"),
        ("head.bias", (V,), None),
    ]


def test_places_know_how_many_copies_there_are() -> None:
    copies = {place.path: place.copies for place in TOY.places()}
    assert (copies[""], copies["layers"], copies["layers.{i}.up"], copies["layers.{i}.heads"]) == (1, 1, N, N)
    assert copies["layers.{i}.heads.{j}"] == 2 * N


def test_layers_are_written_out_and_tied_tensors_listed_once() -> None:
    names = [name for name, _, _ in TOY.named_parameters({"V": 7, "H": 4, "I": 16, "N": 2, "X": 3})]
    layer = ["up.weight", "up.bias", "down.weight", "down.bias", "norm.weight", "norm.bias", "heads.0.weight", "heads.1.weight"]
    assert names == ["table.weight", *(f"layers.{number}.{name}" for number in (0, 1) for name in layer), "scale", "head.bias"]
    shapes = {name: shape for name, shape, _ in TOY.named_parameters({"V": 7, "H": 4, "I": 16, "N": 1, "X": 3})}
    assert (shapes["layers.0.up.weight"], shapes["layers.0.down.weight"], shapes["head.bias"]) == ((16, 4), (16, 4), (7,))


def test_resizing_changes_every_size_and_keeps_ties_roles_and_names() -> None:
    resized = TOY.map_sizes(lambda size: size.xreplace({I: 4 * H, N: sympy.Integer(3)}))
    found = dict(resized.tensors())
    assert found["layers.{i}.up.weight"].shape == (4 * H, H)
    assert found["head.weight"].tied_to == "table.weight"
    assert [name for name, _ in resized.tensors()] == [name for name, _ in TOY.tensors()]
    assert (resized.name, resized.source, dict(resized.meanings)) == ("toy", "a test", {"X": "width of a head"})
    layers = Repeat(N, LayerNorm(H, role="norm"), role="layers")
    block = Block("B", role="outer", a=Linear(H, H, role="query"), b=Parameter(H, role="x"), c=layers)
    same = Architecture("a", block).map_sizes(lambda size: size)
    assert [place.module.role for place in same.places()] == ["outer", "query", "x", "layers", "norm"]


def test_parts_run_as_they_are_listed_unless_another_order_is_given() -> None:
    parts = {"up": Linear(H, I), "down": Linear(I, H), "norm": LayerNorm(H)}
    listed, ordered = Block("B", **parts), Block("B", execution_order=("norm", "up", "down"), **parts)
    assert (listed.execution_order, listed.execution_positions) == (("up", "down", "norm"), (0, 1, 2))
    assert (ordered.execution_order, ordered.execution_positions) == (("norm", "up", "down"), (1, 2, 0))
    assert ordered.children == listed.children
    assert ordered.map_sizes(lambda size: size.xreplace({I: 4 * H})).execution_order == ("norm", "up", "down")
    assert (Repeat(N, ordered).execution_positions, LayerNorm(H).execution_positions) == ((0,), ())


@pytest.mark.parametrize(
    ("build", "kind", "message"),
    [
        (lambda: Linear(0, H), ArchitectureError, "in_features of Linear is 0, but a size is a positive whole number"),
        (lambda: Linear(H, -3), ArchitectureError, "out_features of Linear is -3, but a size is a positive whole number"),
        (lambda: Repeat(0, LayerNorm(H)), ArchitectureError, "count of Repeat is 0, but a size is a positive whole number"),
        (
            lambda: Embedding(V, sympy.S(5) / 2),
            ArchitectureError,
            "embedding_dim of Embedding is 5/2, but a size is a positive whole number",
        ),
        (
            lambda: Embedding(V, sympy.oo),
            ArchitectureError,
            "a size divides by zero or is infinite; a whole number, a letter or a SymPy expression of these is expected",
        ),
        (lambda: Linear(H, -H), ArchitectureError, "out_features of Linear is -H, but a size is a positive whole number"),
        (lambda: Parameter(H, 0), ArchitectureError, "a size of a Parameter is 0, but a size is a positive whole number"),
        (
            lambda: Architecture("a", Block("A", **{"x.y": LayerNorm(H)})),
            ArchitectureError,
            "'x.y' in A cannot name a block: a name without dots, spaces and braces is expected",
        ),
        (lambda: LayerNorm(2.5), ArchitectureError, "2.5 cannot be a size: a whole number, a letter or a SymPy expression is expected"),
        (
            lambda: LayerNorm("4H"),
            ArchitectureError,
            "'4H' cannot name a size: a name is a letter, then letters, digits and single underscores, as in d_model",
        ),
        (lambda: Block("B", query=H), ArchitectureError, "'query' in B is H; a block such as Linear(H, H) is expected"),
        (
            lambda: Block("B", execution_order=("b", "a", "b"), a=LayerNorm(H), b=LayerNorm(H)),
            ArchitectureError,
            "execution_order in B names b, a, b; each part is expected once: a, b",
        ),
        (
            lambda: Block("B", execution_order=(), a=LayerNorm(H)),
            ArchitectureError,
            "execution_order in B names nothing; each part is expected once: a",
        ),
        (
            lambda: Block("B", execution_order=Parameter(H)),
            ArchitectureError,
            "execution_order in B is Parameter(role=None, rows=None, shape=(H,)): "
            "it lists the parts as they run, so no part can have this name",
        ),
        (
            lambda: Tied(LayerNorm(H), weights="a.weight"),
            UnknownNameError,
            "there is no tensor of LayerNorm named 'weights'; did you mean 'weight'?",
        ),
        (
            lambda: Architecture("a", Block("A", head=Tied(Linear(H, V), weight="tabel.weight"), table=Embedding(V, H))),
            UnknownNameError,
            "there is no tensor for head.weight to be tied to named 'tabel.weight'; did you mean 'table.weight' or 'head.weight'?",
        ),
        (
            lambda: Architecture("a", Block("A", head=Tied(Linear(H, V), weight="table.weight"), table=Embedding(H, V))),
            ArchitectureError,
            "head.weight (V × H) cannot be tied to table.weight (H × V): a single tensor of the same shape, itself not tied, is expected",
        ),
        (
            lambda: Architecture("a", Block("A", head=Tied(Linear(H, V), weight="head.weight"))),
            ArchitectureError,
            "head.weight (V × H) cannot be tied to head.weight (V × H): a single tensor of the same shape, itself not tied, is expected",
        ),
        (
            lambda: Architecture("a", Block("A", x=Repeat(N, Embedding(V, H)), head=Tied(Linear(H, V), weight="x.{i}.weight"))),
            ArchitectureError,
            "head.weight (V × H) cannot be tied to x.{i}.weight (V × H): a single tensor of the same shape, itself not tied, is expected",
        ),
    ],
)
def test_what_cannot_be_built(build: Callable[[], object], kind: type[SymparamError], message: str) -> None:
    with pytest.raises(kind) as error:
        build()
    assert str(error.value) == message


@pytest.mark.slow
def test_more_tensors_than_any_model_has_are_not_listed() -> None:
    layers = Architecture("deep", Repeat(N, LayerNorm(H)))
    with pytest.raises(ArchitectureError) as error:
        layers.named_parameters({"N": 10**12, "H": 1})
    assert str(error.value) == "deep would have 2,000,000,000,000 tensors with these values; at most 1,000,000 are listed"
    assert len(list(islice(layers.named_parameters({"N": MAX_TENSORS // 2, "H": 1}), 5))) == 5


def test_a_size_that_values_make_impossible() -> None:
    with pytest.raises(ArchitectureError) as error:
        evaluate_size(H / 3, {"H": 4}, {})
    assert str(error.value) == "the size H/3 is 4/3 with these values, but a size is a positive whole number"
    assert evaluate_size(H / 3, {"H": 6}, {}) == 2


@given(architectures(), values_of_letters)
def test_the_tensors_written_out_hold_what_the_definition_says(architecture: Architecture, values: dict[str, int]) -> None:
    listed = list(architecture.named_parameters(values))
    assert sum(prod(shape) for _, shape, _ in listed) == parameters_by_hand(architecture.root, values)
    assert len({name for name, _, _ in listed}) == len(listed)
    assert all(tensor.tied_to is None and len(shape) == len(tensor.shape) for _, shape, tensor in listed)
