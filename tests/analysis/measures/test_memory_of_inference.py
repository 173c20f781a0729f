"""The memory of inference, of prefill and decoding apart: weights, cache, and the largest output of a matrix."""

from __future__ import annotations

import pytest
import sympy

import symparam
from symparam.core.algebra.polynomial import equal
from symparam.errors import SymparamError
from symparam.models.architectures import families
from tests.sampling import one_of_each


@pytest.mark.parametrize(
    ("model", "largest"),  # Two bytes each.
    [
        ("llama", "B V"),
        ("gpt2", "B V"),
        ("t5", "B V"),
        ("llama-3-8b", "B V"),
        ("mixtral-8x7b", "2BIK"),  # Gate and way up of two experts: 57,344 numbers, and 32,000 tokens.
    ],
)
def test_decoding_takes_the_weights_the_cache_and_the_largest_output(model: str, largest: str) -> None:
    weights, cache, found = (symparam.derive(model, measure=each).expr for each in ("weights", "kv-cache", "decoding-memory"))
    assert equal(found - weights - cache, 2 * symparam.read_formula(largest).expr)


@pytest.mark.parametrize(
    ("model", "largest"),  # Two bytes each. A decoder makes logits of one token of each sequence.
    [
        ("bert", "B L I"),
        ("BertForMaskedLM", "B L V"),
        ("bert-base-uncased", "B L I"),
        ("vit-base-patch16-224", "B(n_p + 1) I"),
        ("gemma-2b", "B L I"),
    ],
)
def test_a_pass_over_all_tokens_keeps_the_largest_output(model: str, largest: str) -> None:
    weights, found = (symparam.derive(model, measure=each).expr for each in ("weights", "prefill-memory"))
    tokens = symparam.derive(model, measure="kv-cache").expr if model == "gemma-2b" else sympy.S.Zero
    cache = tokens.subs(symparam.symbols("S"), symparam.symbols("L"))
    assert equal(found - weights - cache, 2 * symparam.read_formula(largest, names={"n_p": "n_p"}).expr)


@pytest.mark.parametrize(("length", "largest"), [(1, 128_256), (8, 128_256), (9, 9 * 14_336), (4_096, 4_096 * 14_336)])
def test_prefill_and_decoding_of_one_model(length: int, largest: int) -> None:
    """Llama-3-8B: 128,256 tokens, 14,336 numbers in the feed-forward part, 32 layers with 8 keys and values of 128 numbers."""
    weights = symparam.count("llama-3-8b", measure="weights").total
    found = symparam.count("llama-3-8b", measure="prefill-memory", where=["B=1", f"L={length}"]).total
    assert found == weights + 2 * (length * 32 * 2 * 8 * 128 + largest)


def test_formats_of_weights_cache_and_outputs() -> None:
    where = ["B=1", "S=1"]
    bytes_of = {
        name: symparam.count("llama-7b", measure="decoding-memory", number_format=name, where=where).total
        - symparam.count("llama-7b", measure="weights", number_format=name).total
        for name in ("float32", "bfloat16", "int8", "q4_0")
    }
    cache, outputs = 32 * 2 * 4096, 32000
    assert bytes_of == {
        "float32": 4 * (cache + outputs),
        "bfloat16": 2 * (cache + outputs),
        "int8": cache + 2 * outputs,
        "q4_0": 2 * (cache + outputs),
    }


def test_a_window_is_for_the_cache() -> None:
    full, windowed = (symparam.derive("gemma3", measure="decoding-memory", attention=each).expr for each in ("full", "window"))
    caches = [symparam.derive("gemma3", measure="kv-cache", attention=each).expr for each in ("full", "window")]
    assert equal(windowed - full, caches[1] - caches[0])


def test_a_prompt_fills_a_window_but_for_its_first_token() -> None:
    """Mistral 7B: 32 layers, 8 keys and values of 128 numbers, windows of 4,096 tokens. A shorter prompt is kept whole."""
    of_a_token = 2 * 32 * 2 * 8 * 128
    for length, kept in ((4095, 4095), (4096, 4095), (9000, 4095)):
        full, found = (
            symparam.count("mistral-7b-v0.1", measure="prefill-memory", attention=each, where=["B=1", f"L={length}"]).total
            for each in ("full", "kept")
        )
        assert full - found == of_a_token * (length - kept)


EXPLAINED = [
    pytest.param(family.name, language, id=f"{family.name}-{language}")
    for family in families()
    for language in ("en", "zh")
    if family.name not in ("mamba", "mamba2", "jamba", "qwen3-next")
]


@pytest.mark.parametrize(("family", "language"), one_of_each(EXPLAINED, lambda family, language: language))
def test_each_family_has_an_explanation_that_adds_up(family: str, language: str) -> None:
    found = symparam.explain(family, measure="prefill-memory", language=language)
    assert ("Largest output of a matrix" if language == "en" else "矩阵的最大输出") in str(found)
    for claim in found.subject.derivation.claims:
        assert equal(claim.left.expr, claim.right.expr)


def test_what_a_formula_without_numbers_takes_for_granted_is_said() -> None:
    assert "prompts long enough that" in str(symparam.derive("llama-7b", measure="prefill-memory").notes)
    assert not symparam.derive("llama-7b", measure="prefill-memory", where=["L=9"]).notes
    assert "no matrix has a larger output" in str(symparam.derive("llama", measure="decoding-memory").notes)
    assert not symparam.derive("llama-7b", measure="decoding-memory").notes


def test_states_are_kept_whatever_the_length() -> None:
    """Mamba of 130 million parameters: 24 layers with 1,536 channels, a state of 16 numbers in 32 bits and 4 inputs in 16 bits each."""
    weights = 2 * 129_135_360
    states = 3 * 24 * 1536 * (16 * 4 + 4 * 2)
    for name, where in (("prefill-memory", "L=1000"), ("decoding-memory", "S=1000")):
        found = symparam.count("mamba-130m", measure=name, where=["B=3", where])
        rows = 1000 * 2 * 1536 if name.startswith("prefill") else 50280
        assert found.total == weights + states + 2 * 3 * rows


def test_a_block_alone_has_a_peak_too() -> None:
    model = symparam.Architecture("own", symparam.Linear(3, 5, bias=False))
    assert symparam.count(model, measure="prefill-memory", where=["B=1", "L=7"]).total == 2 * 15 + 2 * 7 * 5


def test_what_writes_no_tokens_does_not_decode() -> None:
    with pytest.raises(SymparamError, match=r"BertModel does not write token after token .* it has no decoding-memory"):
        symparam.derive("bert", measure="decoding-memory")


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("mamba", "which output of MambaForCausalLM is the largest depends on its sizes; name a preset or a config.json with them"),
        (symparam.Architecture("own", symparam.Block("Own", a=symparam.Linear("X", "Y"))), "which output of Own is the largest depends on"),
    ],
)
def test_what_has_no_such_peak_is_said(model: object, message: str) -> None:
    with pytest.raises(SymparamError, match=message):
        symparam.derive(model, measure="prefill-memory")  # type: ignore[arg-type]


@pytest.mark.parametrize(("length", "largest"), [(64, 3072 * 50), (77, 2048 * 77)])
def test_which_of_two_encoders_has_the_largest_output_depends_on_the_length(length: int, largest: int) -> None:
    """CLIP's feed-forward parts make 3072 numbers for each of 50 places of an image, and 2048 for each token of a text."""
    weights = symparam.count("clip-vit-base-patch32", measure="weights").total
    found = symparam.count("clip-vit-base-patch32", measure="prefill-memory", where=["B=1", f"L={length}"]).total
    assert found - weights == 2 * largest
    with pytest.raises(SymparamError, match="no number for L"):
        symparam.count("clip-vit-base-patch32", measure="prefill-memory", where=["B=1"])


@pytest.mark.parametrize(
    ("measure", "number_format", "said"),
    [
        ("weights", "bfloat16", True),
        ("weights", "float32", True),
        ("weights", "gptq-int4", False),  # As the config says, or so the user decided.
        ("decoding-memory", "bfloat16", True),
        ("parameters", "bfloat16", True),
        ("kv-cache", "bfloat16", False),
    ],
)
def test_a_config_of_quantised_weights_is_told_where_their_bytes_are_not(measure: str, number_format: str, said: bool) -> None:
    keys = {"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 64, "num_hidden_layers": 2, "vocab_size": 100}
    keys |= {"num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 128}
    keys |= {"quantization_config": {"quant_method": "gptq", "bits": 4}}
    where = ["B=1", "S=10"] if measure in ("decoding-memory", "kv-cache") else []
    counted = symparam.count(keys, measure=measure, number_format=number_format, where=where)
    told = [note for note in counted.notes if "quantization_config: gptq, 4 bits" in note]
    assert len(told) == said
    assert ("quantization_config" in "".join(counted.notes)) == said
