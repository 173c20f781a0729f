"""Published formulas: each is derived, and its difference to the full count is what the authors leave out or count too much."""

from __future__ import annotations

import json
import pickle

import pytest
import sympy

import symparam
from symparam.algebra.polynomial import equal
from symparam.choosing import choose
from symparam.comparison import compare
from symparam.derivation import Measure
from symparam.dimensions import H, I, L, N, V, d, h, symbol
from symparam.errors import UnknownNameError
from symparam.formula import write
from symparam.gaps.modules.explaining import explain_formula
from symparam.notation import ASCII, LATEX, UNICODE
from symparam.publications import PUBLICATIONS, PublishedFormula, find_publication
from symparam.publications.chinchilla import MODELS
from symparam.publications.decoder import bias_free_decoder
from symparam.reading.formula import read_formula

EVERY = {f"{publication.name} {formula.name}": formula for publication in PUBLICATIONS for formula in publication.formulas}
d_attn, B = symbol("d_attn"), symbol("B")


def difference(name: str) -> sympy.Expr:
    return EVERY[name].comparison.difference.meaning


@pytest.mark.parametrize("name", EVERY)
def test_each_formula_is_derived_and_its_difference_is_made_of_modules(name: str) -> None:
    formula = EVERY[name]
    assert formula.is_derived
    assert equal(difference(name), formula.meaning - formula.count.meaning)
    assert equal(difference(name), sympy.Add(*(module.formula.meaning for module in formula.comparison.modules)))
    total = sum(place.copies * formula.count.measure.own(place) for place in formula.count.architecture.places())
    assert equal(total, formula.count.meaning)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("kaplan parameters", -(V + L + 6 * N + 2) * H - 3 * N * d_attn - N * I),
        ("kaplan parameters-of-squares", -(V + L + 13 * N + 2) * H),
        ("kaplan forward-pass", -2 * V * H - 2 * N * d_attn),
        ("chinchilla sizes", -4 * N * H - 2 * H),
        ("chinchilla sequence", 6 * L * V * H + 9 * N * h * L**2),
        ("megatron parameters", -2 * H),
        ("megatron recomputing", sympy.S.Zero),
        ("palm training", 6 * H * (2 * N + 1)),
        ("6nd weights", -6 * B * L * V * H - 12 * B * N * L**2 * d_attn),
        ("korthikanti hardware-operations", 8 * B * N * L**2 * H),  # Six products of attention for each of the forward pass, for four.
        *((name, sympy.S.Zero) for name in EVERY if name.startswith("korthikanti") and name != "korthikanti hardware-operations"),
    ],
)
def test_differences(name: str, expected: sympy.Expr) -> None:
    assert equal(difference(name), expected)


def test_the_six_rows_of_korthikanti() -> None:
    found = [formula for formula in find_publication("korthikanti").formulas if formula.place == "table 2"]
    rows = [write(formula.formula, UNICODE.using(formula.alphabet)) for formula in found]
    assert rows == ["sbh(34 + 5as/h)", "sbh(10 + 24/t + 5as/(ht))", "sbh(34/t + 5as/(ht))", "sbh(10 + 24/t)", "34sbh/t", "2sbh"]


def test_palm_exceeds_the_matrix_products_by_the_weights_of_the_norms() -> None:
    (training,) = find_publication("palm").formulas
    assert {(module.path, module.kind) for module in training.comparison.modules} == {
        ("layers.{i}.attention_norm", "RMSNorm"),
        ("layers.{i}.feed_forward_norm", "RMSNorm"),
        ("final_norm", "RMSNorm"),
    }
    products = training.exact.own
    tokens = symbol("B") * L
    exact = sum(place.copies * products(place) for place in bias_free_decoder().places())
    parameters = symparam.derive(bias_free_decoder()).meaning
    assert equal(6 * tokens * parameters + 12 * tokens * N * h * d * L - exact, 6 * tokens * H * (2 * N + 1))


@pytest.mark.parametrize(
    ("name", "architecture", "where", "causes"),
    [
        ("megatron parameters", "gpt2", ["I=4H", "P=L"], ["missing: the final LayerNorm (transformer.ln_f)"]),
        (
            "kaplan parameters-of-squares",
            "gpt2",
            ["I=4H", "P=L"],
            [
                "missing: the token embeddings (transformer.wte)",
                "missing: the position embeddings (transformer.wpe)",
                "missing: the LayerNorms of the whole model",
                "missing: the biases of the linear maps in each of the N layers (transformer.h.{i})",
            ],
        ),
    ],
)
def test_the_checker_that_knows_nothing_of_the_author_names_the_same_modules(
    name: str, architecture: str, where: list[str], causes: list[str]
) -> None:
    gap = explain_formula(choose(architecture, where=where, also=("L",)), EVERY[name].formula)
    assert [cause.what for cause in gap.explained_by] == causes
    assert gap.formula is not None
    assert equal(gap.formula.meaning, difference(name))


def test_all_fifty_sizes_of_table_a9_to_the_nearest_million() -> None:
    sizes = EVERY["chinchilla sizes"]
    assert sizes.models == MODELS
    assert len(MODELS) == 50
    assert [model.stated for model in MODELS if not model.agrees(sizes.formula)] == []
    apart = [model.values["H"] for model in MODELS if model.values["h"] * model.values["d"] != model.values["H"]]
    assert apart == [2688, 2944, 4352, 4608, 4864, 4992]
    assert all(model.values["I"] == 4 * model.values["H"] for model in MODELS)
    # With the norms, or without the relative positions, it would not be so.
    assert sum(model.agrees(sizes.count.formula) for model in MODELS) < 50
    plain = read_formula("N(4Hdh + 2HI + 4dh + I + H) + VH")
    assert not any(model.agrees(plain) for model in MODELS)


@pytest.mark.parametrize(
    ("preset", "total"),
    # 2 · 2 bytes · 32 layers · 8 heads · 128 · 8,192 tokens, and 80 layers.
    [("llama-3-8b", 2**30), ("llama-3-70b", 5 * 2**29)],
)
def test_the_cache_of_llama_3_for_8192_tokens_in_16_bits(preset: str, total: int) -> None:
    assert symparam.count(preset, where=["B=1", "S=8192"], measure="kv-cache", number_format="bfloat16").total == total


@pytest.mark.parametrize("name", EVERY)
def test_what_is_written_in_the_letters_of_the_author_is_read_back(name: str) -> None:
    formula = EVERY[name]
    names = {formula.alphabet.written(letter): letter for letter in formula.own}
    for notation in (UNICODE, ASCII, LATEX):
        assert read_formula(write(formula.formula, notation.using(formula.alphabet)), formula.alphabet, names) == formula.formula


def test_a_measure_of_an_author_can_be_pickled() -> None:
    for formula in EVERY.values():
        for measure in (formula.exact, formula.counted, formula.derivation.measure):
            assert isinstance(pickle.loads(pickle.dumps(measure)), Measure)


def test_one_architecture_counted_in_one_way_is_no_difference() -> None:
    formula: PublishedFormula = EVERY["palm training"]
    model = bias_free_decoder()
    assert compare(model, model, formula.alphabet, (formula.exact, formula.exact)).modules == ()


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", [None, *(publication.name for publication in PUBLICATIONS)])
def test_every_page_is_written_in_every_format(name: str | None, language: str) -> None:
    page = symparam.published(name, language=language)
    written = {each: page.write(each) for each in ("text", "latex", "markdown", "mathml", "json")}
    assert all(text.strip() for text in written.values())
    assert json.loads(written["json"]) == page.json


def test_the_page_says_what_a_formula_is_short_of() -> None:
    text = str(symparam.published("megatron"))
    assert "P = 12lh²(1 + 13/(12h) + (V + s)/(12lh))" in text
    assert "The formula is short by 2h: Final LayerNorm." in text
    assert text.count("It is the full count: the difference is 0.") == 1
    assert "The formula counts 8bLs²h too much: Queries times keys, weights times values." in str(symparam.published("korthikanti"))
    assert "For 50 of 50 published models" in str(symparam.published("chinchilla"))


def test_a_name_that_there_is_not() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'kaplan'"):
        symparam.published("kaplann")
