"""Any two costs: where they are equal, against what papers and a calculation by hand say, and by counting on both sides."""

from __future__ import annotations

import pytest

from symparam import SymparamError, break_even, count
from symparam.core.algebra.polynomial import equal
from symparam.core.parsing.reader import read_formula


@pytest.mark.parametrize(
    ("model", "costs", "unknown", "where", "threshold"),
    [
        # A layer of Llama with I = 4H and as many keys as queries: 2(4H² + 12H²) for its matrices, 4HL for the scores and their use.
        ("llama", ("scores", "products"), "L", ["I=4H", "d=H/h", "k=h"], "8H"),
        # GPT-2: 2 · 12H² for the matrices.
        ("gpt2", ("scores", "products"), "L", ["I=4H"], "6H"),
        # The four projections, 8H².
        ("gpt2", ("scores", "projections"), "L", [], "2H"),
        # DeepSeek-V2, section 2.1: latents of r_k + d_r numbers for each token and layer, against 2kd of grouped queries.
        ("deepseek-v3", ("kv-cache", "llama:kv-cache"), "k", [], "(r_k + d_r)/(2d)"),
        ("llama", ("attention", "gpt2:attention"), "k", ["d=H/h"], "h"),
        # Shazeer 2020, GLU variants: three matrices of two thirds the width.
        ("llama", ("feed-forward", "gpt2[I=4H]:feed-forward"), "I", [], "8H/3"),
    ],
)
def test_where_costs_are_equal(model: str, costs: tuple[str, str], unknown: str, where: list[str], threshold: str) -> None:
    found = break_even(model, costs, unknown, where=where).threshold
    assert found is not None
    assert equal(found.expr, read_formula(threshold).expr)


def test_the_latent_cache_is_written_as_its_authors_do() -> None:
    assert str(break_even("deepseek-v3", ("kv-cache", "llama:kv-cache"), "k").threshold) == "(r_k + d_r)/(2d)"


def test_the_cache_outgrows_the_weights_where_it_is_said() -> None:
    found = break_even("llama-3-8b", ("kv-cache", "weights"), "S", where=["B=1"])
    assert found.found.growing == 1
    assert found.value is not None
    weights = count("llama-3-8b", measure="weights").total
    below, above = (count("llama-3-8b", measure="kv-cache", where=["B=1", f"S={int(found.value) + more}"]).total for more in (0, 1))
    assert below <= weights < above


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("gpt2", ("scores", "weights")), "scores is in FLOPs and weights in bytes; costs of one unit are compared"),
        (("gpt2", ("scores", "speed")), "there is no measure named 'speed'"),
        (("gpt2", ("scores", "scores")), "scores and scores cost the same for all sizes"),
        (("gpt2", ("scores", "projections"), "V"), "where the two are equal does not depend on V (vocabulary size)"),
        (("mamba", ("scores", "products")), "mamba has no scores that is known as such"),
    ],
)
def test_what_cannot_be_compared_is_said(arguments: tuple[str, tuple[str, str], str], message: str) -> None:
    with pytest.raises(SymparamError) as error:
        break_even(*arguments)
    assert message in str(error.value)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("format", ["text", "markdown", "latex", "html", "rst", "mathml", "json"])
def test_it_is_written_in_every_format(format: str, language: str) -> None:
    assert "LlamaForCausalLM" in break_even("llama", ("kv-cache", "mistral:weights"), "S", where=["B=1"], language=language).write(format)
