"""The functions for Python and notebooks, and what importing them costs."""

from __future__ import annotations

import ast
import copy
import importlib
import json
import pickle
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import sympy

import symparam
from symparam import Architecture, Block, Embedding, H, LayerNorm, Layers, Linear, N, Parameter, Repeat, Tied, V
from symparam.errors import SymparamError


def test_a_derivation_shows_itself_in_a_notebook() -> None:
    found = symparam.derive("gpt1")
    assert found._repr_latex_() == "$\\displaystyle (13N + P + V)H + 12NH^{2}$"
    assert found.formula._repr_latex_() == found._repr_latex_()
    assert str(found) == "(13N + P + V)H + 12NH²"


def test_reports_show_themselves_in_a_notebook_and_as_text() -> None:
    for shown in (symparam.count("gpt2"), symparam.explain("gpt2"), symparam.tensors("gpt2"), symparam.list(), symparam.letters()):
        assert "|" in shown._repr_markdown_()
        assert str(shown) == shown.write("text")
    with pytest.raises(SymparamError, match="there is no format named 'pdf'; there are text, latex, mathml, markdown, rst, html, json"):
        symparam.letters().write("pdf")


def test_an_architecture_of_ones_own_goes_wherever_a_name_goes() -> None:
    own = Architecture("own", Block("Own", table=Embedding(V, H), norm=LayerNorm(H)))
    assert str(symparam.derive(own, by="H")) == "(V + 2)H"
    assert symparam.count(own, where=["V=3", "H=5"]).total == 25
    assert symparam.count(own, config="gpt2").total == 50_259 * 768
    assert [tensor.name for tensor in symparam.tensors(own).listing.tensors] == ["table.weight", "norm.weight", "norm.bias"]
    with pytest.raises(SymparamError, match="tie_word_embeddings is a flag of symparam's own architectures; own has none"):
        symparam.derive(own, where=["tie_word_embeddings=false"])


def test_flags_and_letters() -> None:
    untied = symparam.derive("gpt2", where=["I=4H", "tie_word_embeddings=False"])
    assert str(untied) == "(13N + P + 2V + 2)H + 12NH²"
    with pytest.raises(SymparamError, match="stated to be both true and false"):
        symparam.derive("gpt2", where=["tie_word_embeddings=false", "tie_word_embeddings=true"])
    assert str(symparam.derive("gpt1", alphabet=["l-for-layers", "P=S", "L=T", "T=U"])) == "(13L + S + V)H + 12LH²"
    with pytest.raises(SymparamError, match="one alphabet at a time: 'kaplan', 'megatron' were given"):
        symparam.derive("gpt1", alphabet=["kaplan", "megatron"])


def static_imports(package: str) -> Iterator[tuple[str, str]]:
    """The names that type checkers find in a package, each with the module that it is imported from; ``*`` is all that the module has."""
    source = Path(importlib.import_module(package).__file__ or "").read_text(encoding="utf-8")
    (guarded,) = [node for node in ast.parse(source).body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    for node in guarded.body:
        assert isinstance(node, ast.ImportFrom)
        for each in node.names:
            if each.name == "*":
                yield from static_imports(node.module or "")
            else:
                assert each.asname == each.name  # Else the name is not an export.
                yield node.module or "", each.name


@pytest.mark.parametrize("package", ["symparam", "symparam.api", "symparam.models.blocks"])
def test_type_checkers_find_the_names_that_there_are(package: str) -> None:
    found = dict(reversed(each) for each in static_imports(package))
    there = importlib.import_module(package)
    assert found.keys() - {"list"} == {*there.__all__} - {"list"}
    for name, module in found.items():
        assert getattr(there, name) is getattr(importlib.import_module(module), name)


def test_every_public_name_is_there_and_no_other() -> None:
    for name in symparam.__all__:
        assert getattr(symparam, name) is not None
    assert set(symparam.__all__) < set(dir(symparam))
    assert "list" not in symparam.__all__  # A star import must not take the built-in away.
    with pytest.raises(AttributeError, match="module 'symparam' has no attribute 'deriv'"):
        symparam.deriv  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize(
    ("statement", "absent"),
    [
        ("import symparam", "sympy"),
        ("import symparam; symparam.derive('bert')", "latex2mathml wcwidth"),
        ("import symparam; symparam.count('gpt2').write('json')", "latex2mathml"),
        ("import symparam; symparam.count('gpt2').write('text')", "numpy"),
    ],
)
def test_what_is_not_needed_is_not_imported(statement: str, absent: str) -> None:
    code = f"{statement}\nimport sys\nassert not sys.modules.keys() & {absent.split()}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


def test_letters_of_ones_own_can_be_stated_and_collected_by() -> None:
    rank = symparam.symbol("r")
    own = Architecture("low-rank", Block("LowRank", down=Linear(H, rank, bias=False), up=Linear(rank, H, bias=False)))
    assert str(symparam.derive(own, by="r")) == "2Hr"
    assert symparam.count(own, where=["r=8", "H=10"]).total == 160
    assert str(symparam.derive(own, where=["r=H/2"])) == "H²"
    with pytest.raises(SymparamError, match="'q' is not a declared letter"):
        symparam.derive(own, where=["q=8"])


def test_a_config_may_be_a_path_or_its_keys(tmp_path: Path) -> None:
    keys = {"model_type": "openai-gpt", "vocab_size": 3, "n_embd": 2, "n_layer": 1, "n_head": 1, "n_positions": 4}
    (tmp_path / "config.json").write_text(json.dumps(keys), encoding="utf-8")
    expected = (3 + 4) * 2 + 12 * 4 + 13 * 2
    assert symparam.count(keys).total == expected
    assert symparam.count(tmp_path / "config.json").total == expected
    assert symparam.count("gpt1", config=keys).total == expected


def test_compare_takes_names_and_architectures() -> None:
    assert str(symparam.compare("BertModel", "BertForMaskedLM").difference) == "V + 2H"
    assert symparam.compare("gpt1", "gpt1").modules == ()


WRONG: list[tuple[Callable[[], object], str]] = [
    (lambda: symparam.derive(3), "3 is not a model; a name, a path, config keys or an Architecture is expected"),  # type: ignore[arg-type]
    (lambda: symparam.derive(Linear(H, H)), "a Linear alone is not a model; give it a name, as in Architecture('mine', …)"),  # type: ignore[arg-type]
    (lambda: symparam.count("gpt2", where={H: 3.5 * N}), "3.5*N has a decimal number, which is not exact; write a fraction"),
    (lambda: symparam.count("gpt2", set=sympy.Eq(H, 3)), "'Eq(H, 3)' sets nothing"),  # type: ignore[arg-type]
    (lambda: symparam.evaluate(symparam.derive("gpt2"), [(H, 3)]), "gives no values; a dictionary by letter is expected"),  # type: ignore[arg-type]
    (lambda: symparam.evaluate("12H", {H: 3}), "'12H' is not a Formula; give what derive or read_formula returns"),  # type: ignore[arg-type]
    (lambda: symparam.evaluate(0.5 * H, {H: 3}), "0.5*H has a decimal number, which is not exact"),
    (lambda: Architecture("x", "y"), "the root of x is 'y'; a block such as"),  # type: ignore[arg-type]
    (lambda: Block("B", role=Linear(H, H)), "role in B is"),  # type: ignore[arg-type]
    (lambda: Block("B", **{"a.b": Linear(H, H)}), "'a.b' in B cannot name a block: a name without dots, spaces and braces is expected"),
    (lambda: Block("B", a=3), "'a' in B is 3; a block such as Linear(H, H) is expected"),  # type: ignore[arg-type]
    (lambda: Layers("x"), "a group of Layers is 'x'; equal layers such as Repeat(N, layer) are expected"),  # type: ignore[arg-type]
    (lambda: Repeat(N, "x"), "what is repeated is 'x'; a block such as Linear(H, H) is expected"),  # type: ignore[arg-type]
    (lambda: Tied("x", weight="y"), "what is tied is 'x'; a block such as Linear(H, H) is expected"),  # type: ignore[arg-type]
    (lambda: Linear(-H, H), "in_features of Linear is -H, but a size is a positive whole number"),
    (lambda: Linear(0, H), "in_features of Linear is 0, but a size is a positive whole number"),
    (lambda: Linear(1.5, H), "1.5 cannot be a size: a whole number, a letter or a SymPy expression is expected"),  # type: ignore[arg-type]
    (lambda: Parameter(H, 0), "a size of a Parameter is 0, but a size is a positive whole number"),
    (lambda: symparam.count(Architecture("a", Linear(H - 5, H)), where=["H=3"]), "the size H − 5 is -2 with these values"),
    (lambda: symparam.count(Architecture("a", Linear(H / 2, H)), where=["H=3"]), "the size H/2 is 3/2 with these values"),
    (lambda: symparam.count(Architecture("a", Block("B"))), "a has no tensors; there is nothing to count"),
    (
        lambda: Architecture("a", Block("B", x=Linear(H, V), y=Tied(Linear(H, H), weight="x.weight"))),
        "y.weight (H × H) cannot be tied to x.weight (V × H): a single tensor of the same shape, itself not tied, is expected",
    ),
    (
        lambda: Architecture("a", Block("B", y=Tied(Linear(H, H), weight="x.wait"))),
        "there is no tensor for y.weight to be tied to named 'x.wait'",
    ),
    (lambda: symparam.explain("bert", language="de"), "there is no language named 'de'; there are en, zh"),
]


@pytest.mark.parametrize(("wrong", "message"), WRONG, ids=[message[:50] for _, message in WRONG])
def test_wrong_use_is_said_in_one_sentence(wrong: Callable[[], object], message: str) -> None:
    with pytest.raises(SymparamError, match=re.escape(message)):
        wrong()


def test_objects_say_briefly_what_they_are() -> None:
    assert repr(symparam.derive("gpt1")) == "<DeriveResult of gpt1: (13N + P + V)H + 12NH²>"
    assert repr(symparam.count("gpt2")) == "<CountResult gpt2: 124,439,808 parameters>"


def test_objects_can_be_copied_pickled_and_hashed() -> None:
    for found in (symparam.derive("bert"), symparam.count("gpt2"), symparam.explain("bloom").subject):
        assert pickle.loads(pickle.dumps(found)) == found == copy.deepcopy(found)
        assert hash(found) == hash(copy.deepcopy(found))


def test_a_derivation_writes_itself_in_every_format() -> None:
    found = symparam.derive("gpt1")
    assert found.write() == f"{found}\n"
    assert found.write("latex") == f"{found.latex}\n"
    assert found.write("markdown") == f"${found.latex}$\n"
    assert found.write("mathml").startswith("<math ")
    assert json.loads(found.write("json"))["formula"]["latex"] == found.latex
    with pytest.raises(SymparamError, match="there is no format named 'pdf'"):
        found.write("pdf")


def test_what_is_stated_twice_and_agrees_is_no_contradiction() -> None:
    where = ["I=4H", "H=768", "I=3072", "N=1", "P=1", "V=1"]
    assert str(symparam.derive("gpt2", where=where)) == f"{2 * 768 + 12 * 768**2 + 13 * 768 + 2 * 768:,}"
    with pytest.raises(SymparamError, match="I = 3,072 contradicts I = 4H; give only one of them"):
        symparam.derive("gpt2", where=["I=4H", "I=3072"])
