"""Relations: chains are put in, contradictions, circles and impossible sizes are refused where they are stated."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symparam.core.algebra.polynomial import equal
from symparam.core.algebra.relations import NONE, Relation, Relations, relations
from symparam.core.dimensions import MAX_SIZE, symbol
from symparam.core.formula import Number, Product, Symbol
from symparam.core.parsing.reader import read_formula, read_relation
from symparam.errors import FormulaError, RelationError, SymparamError


def stated(*texts: str) -> Relations:
    return relations(map(read_relation, texts))


def test_a_relation_shows_itself() -> None:
    assert str(Relation("I", Product((Number(4), Symbol("H"))))) == "I = 4H"


def test_no_relations() -> None:
    assert not NONE
    assert relations([]) == NONE
    assert NONE.substitute(symbol("H")) == symbol("H")
    assert NONE.values({"H": 3}) == {"H": 3}


@pytest.mark.parametrize(
    ("texts", "expression", "result"),
    [
        (("I=4H",), "2HI + I", "8H² + 4H"),
        (("d=H/h",), "dh", "H"),
        (("d=H/h", "k=h"), "dk", "H"),
        (("k=h", "d=H/k"), "hd", "H"),
        (("I=4H", "H=hd"), "I", "4hd"),
        (("H=hd", "I=4H", "d=64"), "I + H", "320h"),
        (("H=768", "I=4H"), "HI", "2359296"),
        (("I=4H",), "V", "V"),
        (("I=4H", "I=8H/2", "I=H+3H"), "I", "4H"),
        (("I=8H/3",), "HI", "8H²/3"),
        (("N=L", "L=V"), "N", "V"),
    ],
)
def test_relations_are_put_in(texts: tuple[str, ...], expression: str, result: str) -> None:
    found = stated(*texts)
    assert found
    assert equal(found.substitute(read_formula(expression).expr), read_formula(result).expr)


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (("I=4H", "I=3H"), "I = 3H contradicts I = 4H; give only one of them"),
        (("H=768", "H=1024"), "H = 1,024 contradicts H = 768; give only one of them"),
        (("I=4H", "H=I/4"), "I = 4H and H = I/4 lead in a circle: I would be defined by itself"),
        (("H=2H",), "H = 2H leads in a circle: H would be defined by itself"),
        (("H=H",), "H = H leads in a circle: H would be defined by itself"),
        (("I=4H", "H=N", "N=I"), "I = 4H and H = N and N = I lead in a circle: I would be defined by itself"),
        (("V=I", "I=4H", "H=I/4"), "I = 4H and H = I/4 lead in a circle: I would be defined by itself"),
        (("H=0",), "H = 0, but a size is a positive whole number"),
        (("H=-5",), "H = −5, but a size is a positive whole number"),
        (("H=5/2",), "H = 5/2, but a size is a positive whole number"),
        (("H=2.5",), "H = 2.5, but a size is a positive whole number"),
        (("H=N-N",), "H = N − N makes H = 0, but a size is a positive whole number"),
        (("H=N/(2N)",), "H = N/(2N) makes H = 1/2, but a size is a positive whole number"),
        (("I=-4H",), "I = −4H makes I negative, but a size is a positive whole number"),
        (("I=-H/h-1",), "I = −H/h − 1 makes I negative, but a size is a positive whole number"),
        (("I=H/5", "H=768"), "I = H/5 makes I = 768/5, but a size is a positive whole number"),
        (("H=768", "I=H-768"), "I = H − 768 makes I = 0, but a size is a positive whole number"),
        (("N=L", "I=N-2L"), "I = N − 2L makes I negative, but a size is a positive whole number"),
        (("H=10^18+1",), "H = 10¹⁸ + 1 makes H a number beyond 10^18, larger than any size of a model"),
        (("H=-10^19",), "H = −10¹⁹ makes H a number beyond 10^18, larger than any size of a model"),
        (("H=1/10^19",), "H = 1/10¹⁹ makes H a number beyond 10^18, larger than any size of a model"),
    ],
)
def test_relations_that_are_refused(texts: tuple[str, ...], message: str) -> None:
    with pytest.raises(RelationError) as error:
        stated(*texts)
    assert str(error.value) == message


@pytest.mark.parametrize(
    "text",
    [
        "H=9**9**9**9",
        "H=1/0",
        "I=H/(N-N)",
        "I=H^0.5",
        "I=2^N",
        "H=-" + "*".join(["9" * 900] * 20),
        "H=" + "*".join(["9^999"] * 3000),
        "I=1/((H+1)^2-H^2-2H-1)",
        "I=(H+N+L+V+P+T+h+d+k+E+K+B)^99",
    ],
)
def test_relations_without_a_meaning(text: str) -> None:
    with pytest.raises(SymparamError) as error:
        stated(text)
    assert isinstance(error.value, (FormulaError, RelationError))
    assert len(str(error.value)) < 400


def test_the_largest_size() -> None:
    assert stated("H=10^18").values({}) == {"H": MAX_SIZE}


@pytest.mark.parametrize(
    ("texts", "given_values", "values"),
    [
        (("I=4H",), {"H": 768}, {"H": 768, "I": 3072}),
        (("I=4H",), {"H": 768, "I": 3072}, {"H": 768, "I": 3072}),
        (("I=4H",), {"V": 5}, {"V": 5}),
        (("d=H/h", "k=h"), {"H": 768, "h": 12}, {"H": 768, "h": 12, "d": 64, "k": 12}),
        (("I=4H", "H=hd", "d=64"), {"h": 12}, {"h": 12, "d": 64, "H": 768, "I": 3072}),
        (("V=I", "I=4H", "H=hd", "d=64", "h=12"), {}, {"h": 12, "d": 64, "H": 768, "I": 3072, "V": 3072}),
        (("I=8H/3",), {"H": 3}, {"H": 3, "I": 8}),
    ],
)
def test_values_that_follow(texts: tuple[str, ...], given_values: dict[str, int], values: dict[str, int]) -> None:
    assert stated(*texts).values(given_values) == values


@pytest.mark.parametrize(
    ("texts", "given_values", "message"),
    [
        (("I=4H",), {"H": 768, "I": 3000}, "I = 4H gives I = 3,072, but I is 3,000 here; drop the relation or change the value"),
        (("H=1024",), {"H": 768}, "H = 1,024 gives H = 1,024, but H is 768 here; drop the relation or change the value"),
        (("I=8H/3",), {"H": 4}, "I = 8H/3 makes I = 32/3, but a size is a positive whole number"),
        (("I=H-N",), {"H": 4, "N": 4}, "I = H − N makes I = 0, but a size is a positive whole number"),
        (("I=H²",), {"H": 10**10}, "I = H² makes I a number beyond 10^18, larger than any size of a model"),
    ],
)
def test_values_that_contradict(texts: tuple[str, ...], given_values: dict[str, int], message: str) -> None:
    with pytest.raises(RelationError) as error:
        stated(*texts).values(given_values)
    assert str(error.value) == message


def test_a_division_by_zero_that_values_make() -> None:
    with pytest.raises(SymparamError, match="divides by zero"):
        stated("I=V/(H-N)").values({"H": 4, "N": 4, "V": 2})


@given(st.permutations(["I=4H", "H=hd", "d=64", "k=h", "V=I+H"]), st.integers(1, 10**6))
def test_the_order_in_which_relations_are_stated_does_not_matter(texts: list[str], heads: int) -> None:
    found = stated(*texts)
    assert found.values({"h": heads}) == {"h": heads, "d": 64, "k": heads, "H": 64 * heads, "I": 256 * heads, "V": 320 * heads}
    assert equal(found.substitute(symbol("V")), 320 * symbol("h"))


def test_long_relations_are_cut_in_messages() -> None:
    long = "+".join(["H"] * 500)
    for texts in ((f"I={long}", "I=2H"), (f"I={long}", f"H=I+{long}"), (f"I=-({long})",)):
        with pytest.raises(RelationError) as error:
            stated(*texts)
        assert len(str(error.value)) < 300
