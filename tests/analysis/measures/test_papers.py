"""The conventions of papers give their published formulas for the models that these are about."""

from __future__ import annotations

import pytest

import symparam
from symparam.core.algebra.polynomial import equal
from symparam.errors import SymparamError

DENSE = ["I=4H"]


def found(name: str, model: str = "gpt2", where: list[str] = DENSE) -> object:
    return symparam.derive(model, convention=name, where=where).expr


@pytest.mark.parametrize(
    ("name", "published"),
    [
        ("kaplan", "BL(2 * 12NH^2 + 2NLH)"),  # 2N + 2 n_layer n_ctx d_attn for each token
        ("megatron", "24BLNH^2 + 4BL^2NH + 2BLVH"),  # 24 B s l h² (1 + s/(6h) + V/(12lh))
        ("palm", "BL(2(12NH^2 + 13NH + VH + PH + 2H) + 4NHL)"),  # 2N + 4LHQT for each token, N being all parameters
    ],
)
def test_the_published_formula_comes_out(name: str, published: str) -> None:
    assert equal(found(name), symparam.read_formula(published).expr)


def test_chinchilla_counts_look_ups_and_the_softmax_beside_the_products() -> None:
    assert equal(found("chinchilla") - found("megatron"), symparam.read_formula("2BLVH + 3BNhL^2").expr)  # type: ignore[operator]


@pytest.mark.parametrize(("name", "quirks"), [("kaplan", 1), ("chinchilla", 1), ("megatron", 1), ("palm", 1), ("electra", 4)])
def test_it_is_said_what_is_followed(name: str, quirks: int) -> None:
    counted = symparam.count("gpt2", convention=name, where=["L=15", "B=2"])
    assert counted.json["unit"] == "FLOPs"
    assert counted.json["convention"] == name
    assert len(counted.notes) == 1 + quirks
    assert all(symparam.explain("gpt1", convention=name, language=language).write("text") for language in ("en", "zh"))


def test_a_paper_has_flops_alone() -> None:
    with pytest.raises(SymparamError, match="kaplan counts no macs; leave out --measure, or state flops"):
        symparam.derive("gpt2", convention="kaplan", measure="macs")
