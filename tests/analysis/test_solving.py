"""Measures solved for a letter: the original value is found, the nearest integers are the nearest, limits are not exceeded."""

from __future__ import annotations

from fractions import Fraction
from math import floor

import pytest
import sympy
from hypothesis import example, given
from hypothesis import strategies as st

from symparam import SymparamError, analyze, count, curve, solve, sweep
from symparam.analysis.solving import root_floors
from symparam.commands import queries
from symparam.core.algebra.inverse import inverse
from symparam.core.algebra.polynomial import equal
from symparam.core.dimensions import symbol
from symparam.core.evaluation import evaluate
from symparam.core.notation import UNICODE
from symparam.core.parsing.reader import read_formula
from symparam.models.architectures import families
from tests.sampling import one_of_each
from tests.strategies import presets_of

GPT2 = ["N=12", "I=4H", "V=50257", "P=1024"]


def test_the_width_of_gpt2_comes_back_from_its_total() -> None:
    found = solve("gpt2", "H", total=124_439_808, where=GPT2)
    assert found.exact == (768,)
    assert [str(each) for each in found.solution.coefficients] == ["0", "13N + P + V + 2", "12N"]


def test_a_linear_unknown_has_a_closed_form_without_any_value() -> None:
    found = solve("gpt2", "N", total="1B", where=["I=4H"])
    assert found.solution.inverse is not None
    names = {"n_total": "n_total"}
    assert equal(found.solution.inverse.formula.expr, read_formula("(n_total - (P + V + 2)H)/(13H + 12H²)", names=names).expr)
    assert (found.exact, found.solution.missing) == ((), ("H", "P", "V"))


def test_a_quadratic_unknown_has_a_root_with_the_longer_coefficients_named() -> None:
    found = solve("gpt2", "H", total=124_439_808, where=["I=4H"]).solution.inverse
    assert found is not None
    assert (str(found.formula), {name: str(each) for name, each in found.names.items()}) == (
        "(√(b² + 48N\u2009n_total) − b)/(24N)".replace("\u2009", "\N{THIN SPACE}"),
        {"b": "13N + P + V + 2"},
    )
    values = {"N": 12, "P": 1024, "V": 50257, "n_total": 124_439_808}
    assert evaluate(found.whole, values) == 768


@pytest.mark.parametrize(
    ("coefficients", "formula", "names"),
    [
        ("0;V;N", "(√(V² + 4N\u2009n_total) − V)/(2N)", {}),
        ("2V;0;12N + 1", "√((n_total − 2V)/(12N + 1))", {}),
        ("V - P;2;3", "(√(4 + 12(n_total − V + P)) − 2)/6", {}),
        ("V;N + P;I + 4", "(√(b² + 4a(n_total − V)) − b)/(2a)", {"a": "I + 4", "b": "N + P"}),
    ],
)
def test_roots_of_quadratic_measures(coefficients: str, formula: str, names: dict[str, str]) -> None:
    parts = [read_formula(each) for each in coefficients.split(";")]
    found = inverse(parts, "n_total", UNICODE)
    assert found is not None
    assert (str(found.formula), {name: str(each) for name, each in found.names.items()}) == (formula, names)
    root = found.whole.expr
    assert sympy.simplify(sum(part.expr * root**power for power, part in enumerate(parts)) - symbol("n_total")) == 0


@pytest.mark.slow
@pytest.mark.parametrize("family", one_of_each([pytest.param(family.name) for family in families()], lambda name: "a family"))
def test_every_letter_of_every_family_comes_back(family: str) -> None:
    preset = next(iter(presets_of(next(each for each in families() if each.name == family))))
    counted = count(family, config=preset).count
    for letter in sorted(counted.derivation.letters):
        try:
            found = solve(family, letter, config=preset, total=str(counted.total))
        except SymparamError as error:
            assert "stands in a denominator" in str(error)
            continue
        assert counted.values[letter] in found.exact, letter
        assert f"{letter} =" in str(found).replace("\u2009", "")


@given(st.lists(st.integers(-50, 50), min_size=2, max_size=5).filter(lambda terms: terms[-1] != 0), st.integers(1, 10**6))
def test_no_crossing_is_missed(terms: list[int], value: int) -> None:
    target = sum(term * value**power for power, term in enumerate(terms))
    floors = root_floors([Fraction(term) for term in terms], target)
    assert value in floors


@given(st.lists(st.fractions(-20, 30, max_denominator=9), min_size=1, max_size=4), st.sampled_from([-2, 1, 3]))
@example([Fraction(1, 2), Fraction(1)], 1)
def test_the_whole_parts_of_all_roots_are_found(roots: list[Fraction], scale: int) -> None:
    terms = [Fraction(scale)]
    for root in roots:
        terms = [before - root * after for before, after in zip([0, *terms], [*terms, 0], strict=True)]
    assert root_floors(terms, 0) == sorted({floor(root) for root in roots if root >= 0})


@pytest.mark.parametrize(
    ("arguments", "largest", "beyond"),
    [
        # 80 GiB less 16,060,522,496 bytes of weights, divided by the cache of 8,192 tokens (2³⁰ bytes) and a row of logits (2V bytes).
        (
            {"model": "llama-3-8b", "unknown": "B", "at_most": "80GiB", "measure": "decoding-memory", "where": ["S=8192"]},
            (80 * 2**30 - 2 * 8_030_261_248) // (2**30 + 2 * 128_256),
            1,
        ),
        ({"model": "gpt2", "unknown": "N", "at_most": 124_439_808, "where": ["H=768", "I=3072", "V=50257", "P=1024"]}, 12, 1),
        ({"model": "gpt2", "unknown": "H", "at_most": "1B", "where": GPT2, "multiple_of": 128}, 2432, 128),
    ],
)
def test_the_largest_that_fits(arguments: dict[str, object], largest: int, beyond: int) -> None:
    found = solve(**arguments)  # type: ignore[arg-type]
    assert found.largest == largest
    assert found.solution.beyond is not None
    assert found.solution.beyond.value == largest + beyond
    assert found.solution.largest is not None
    assert found.solution.largest.total <= found.solution.target < found.solution.beyond.total


def test_the_nearest_respect_what_divides() -> None:
    found = solve("gpt2", "H", total="1.3B", where=["N=24", "h=16", "I=4H", "V=50257", "P=1024"], multiple_of=24)
    assert found.solution.step == 48
    assert all(each.value % 48 == 0 for each in found.solution.nearest)
    low, high = sorted(each.value for each in found.solution.nearest)
    assert high - low == 48
    assert found.exact == ()
    heads = solve("llama-3-8b", "h", total="8B", where=["d=128"]).solution.nearest
    assert all(4096 % each.value == 0 for each in heads)


@pytest.mark.parametrize(
    ("measure", "length", "tokens", "output", "batch"),
    [("decoding-memory", "S", 32_768, 128_256, 50), ("prefill-memory", "L", 32_768, 32_768 * 28_672, 43)],
)
def test_the_largest_batch_fits_and_one_more_does_not(measure: str, length: str, tokens: int, output: int, batch: int) -> None:
    """Llama-3-70B in 16 bits on eight devices of 80 GiB, by hand: weights, keys and values, and the largest output of a matrix."""
    width, layers, heads, shared, head, wide, words = 8192, 80, 64, 8, 128, 28_672, 128_256
    weights = 2 * words * width + width + layers * (2 * width * head * (heads + shared) + 3 * width * wide + 2 * width)
    total = {each: 2 * weights + each * (2 * 2 * tokens * layers * shared * head + 2 * output) for each in (batch, batch + 1)}
    assert total[batch] <= 8 * 80 * 2**30 < total[batch + 1]
    found = solve("llama-3-70b", "B", at_most="8x80GiB", measure=measure, where=[f"{length}={tokens}"])
    assert found.largest == batch
    for each, counted in total.items():
        assert count("llama-3-70b", measure=measure, where=[f"{length}={tokens}", f"B={each}"]).total == counted


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("gpt2", "d", {"total": 7}), "d (head size) does not occur in the parameters of gpt2; solve for one of H, I, N, P, V"),
        (("gpt2", "H", {}), "solve needs a target or an upper bound, as in --total 7B, --at-most 7B or --fits 8x80GiB"),
        (("gpt2", "H", {"total": "7x"}), "'x' is not a unit of parameters; K, M, G, B, T, P are"),
        (
            ("gpt2", "H", {"at_most": "8x80GiB"}),
            "'GiB' is a unit of bytes, and parameters are asked for; name a measure in bytes, such as --measure weights or decoding-memory",
        ),
        (
            ("gpt2", "H", {"total": "many"}),
            "'many' is not a positive number of parameters; a number such as 124,439,808, 1.3B or 7e9 is expected",
        ),
        (
            ("llama-3-8b", "S", {"total": 7}),
            "S (tokens in the cache) does not occur in the parameters of llama; solve for one of H, I, N, V, d, h, k",
        ),
        (("gpt2", "H", {"total": 7, "where": ["H=768"]}), "H is asked for, and H = 768 is stated; leave out one of the two"),
        (
            ("llama-3-8b", "h", {"total": 7, "multiple_of": 7}),
            "no whole number can be h (attention heads) here: it has to be a multiple of 56 and divide 4,096",
        ),
        (
            ("gpt2", "H", {"total": "-5"}),
            "'-5' is not a positive number of parameters; a number such as 124,439,808, 1.3B or 7e9 is expected",
        ),
        (("gpt2", "H", {"total": "0.0"}), "a target of 0 is reached by no model; give a positive --total or --at-most"),
        (("gpt2", "H", {"total": 7, "multiple_of": 0}), "--multiple-of 0 is not a step between whole numbers; give 1 or more"),
    ],
)
def test_what_cannot_be_solved_is_said(arguments: tuple[str, str, dict[str, object]], message: str) -> None:
    model, unknown, options = arguments
    with pytest.raises(SymparamError) as error:
        solve(model, unknown, **options)  # type: ignore[arg-type]
    assert str(error.value) == message


def test_numbers_that_a_format_stores_in_blocks_are_whole_blocks() -> None:
    """Q4_0 has blocks of 32 numbers (gguf 0.19.0), so a row of the down projection is a multiple of them."""
    found = solve("llama-3-8b", "I", at_most="5GB", measure="weights", number_format="q4_0")
    assert found.largest is not None
    assert found.largest % 32 == 0
    sizes = [
        count("llama-3-8b", measure="weights", number_format="q4_0", set=[f"intermediate_size={found.largest + more}"]).total
        for more in (0, 32)
    ]
    assert sizes[0] <= 5 * 10**9 < sizes[1]


def test_which_output_is_the_largest_follows_the_unknown() -> None:
    """Of a short prompt the logits are the largest output, of a long one those of a feed-forward part."""
    for length in (1, 37, 5_000):
        total = count("bloom-560m", measure="prefill-memory", where=["B=3", f"L={length}"]).total
        assert solve("bloom-560m", "L", total=str(total), measure="prefill-memory", where=["B=3"]).exact == (length,)


def test_nothing_fits() -> None:
    found = solve("gpt2", "H", at_most=7, where=GPT2)
    assert (found.largest, found.json["largest"]) == (None, None)
    assert "No whole number fits: even H = 1 is too much." in str(found)
    assert found.solution.beyond is not None
    assert found.solution.beyond.value == 1


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("format", ["text", "markdown", "latex", "html", "rst", "mathml", "json"])
def test_it_is_written_in_every_format(format: str, language: str) -> None:
    assert "768" in solve("gpt2", "H", total=124_439_808, where=GPT2, language=language).write(format)


def test_the_rank_of_adapters_that_fits() -> None:
    """Each of 32 layers: queries from 4,096 to 4,096 and values from 4,096 to 1,024, so r_a(8,192 + 5,120) parameters."""
    adapted = {"lora": "r", "lora_on": "q_proj,v_proj", "measure": "adapter-parameters"}
    each = 32 * (8_192 + 5_120)
    found = solve("llama-3-8b", "r_a", at_most="20M", **adapted)  # type: ignore[arg-type]
    assert found.largest == 20_000_000 // each
    assert [row.numbers for row in sweep("llama-3-8b", "r_a=8,16", **adapted).rows] == [(8 * each,), (16 * each,)]  # type: ignore[arg-type]
    assert analyze("llama-3-8b", **{**adapted, "lora": 16}).analysis.derivation.letters == {"H", "N", "h", "k", "r_a"}  # type: ignore[arg-type]
    pairs = {*curve("llama-3-8b", ("r_a", "N"), total=16 * each, **adapted).pairs}  # type: ignore[arg-type]
    assert (16, 32) in pairs
    assert all(rank * layers == 16 * 32 for rank, layers in pairs)


def test_a_step_of_adapters_is_not_solved() -> None:
    with pytest.raises(SymparamError, match="intensity is that of a model without adapters; leave out --lora and --lora-on"):
        queries.solve("llama-3-8b", ["B"], total="200", lora="r=16", lora_on=["q_proj"], measure="intensity")
