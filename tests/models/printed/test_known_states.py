"""Listings of what models of the reference hold: each is exact, or says what it depends on, and never more than there is."""

from __future__ import annotations

import json
from math import prod
from pathlib import Path
from typing import Any

import pytest

import symparam
from symparam.models.resolution import resolve
from symparam.results.count import CountResult

RECORDED: dict[str, Any] = json.loads(Path(__file__).with_name("states.json").read_text(encoding="utf-8"))
KINDS = [kind for kind in RECORDED if kind != "recorded from"]
Tensors = list[tuple[str, list[int]]]


def counted(text: str, folder: Path) -> CountResult:
    path = folder / "listing.txt"
    path.write_text(text, encoding="utf-8")
    return symparam.count(str(path))


def lines(tensors: Tensors) -> str:
    return "".join(f"{name}: {tuple(shape)}\n" for name, shape in tensors)


def header(tensors: Tensors) -> str:
    """The header of a safetensors file."""
    ends = [0]
    for _, shape in tensors:
        ends.append(ends[-1] + 4 * prod(shape))
    told = zip(tensors, ends, ends[1:], strict=False)
    return json.dumps({name: {"dtype": "F32", "shape": shape, "data_offsets": [start, end]} for (name, shape), start, end in told})


def assert_exact_or_said(found: CountResult, total: int) -> None:
    least = found.json.get("least_parameters")
    assert (found.total == total) if found.complete else (found.total <= total) if least is None else (least <= total <= found.total)


@pytest.mark.parametrize("kind", KINDS)
def test_a_state_is_exact_or_says_what_it_depends_on(kind: str, tmp_path: Path) -> None:
    told = RECORDED[kind]
    found = counted(lines(told["state"]), tmp_path)
    assert_exact_or_said(found, told["total"])
    assert found.complete == (
        kind in ("SpeechT5HifiGan", "RTDetrV2Decoder", "BarkSemanticModel")
    )  # Their buffers are known, and they tie nothing.


@pytest.mark.parametrize("kind", KINDS)
def test_parameters_are_exact_unless_others_with_these_names_tie_some(kind: str, tmp_path: Path) -> None:
    told = RECORDED[kind]
    found = counted(lines(told["parameters"]), tmp_path)
    assert found.total == told["total"]
    assert found.complete == (kind != "LlamaForCausalLM")  # Gemma's state has these names, too.


@pytest.mark.parametrize("told", ["requires_grad=True", "name: (rows, columns), trainable\n(True)", "Parameter containing:"])
def test_a_gradient_settles_what_names_leave_open(told: str, tmp_path: Path) -> None:
    parameters = RECORDED["LlamaForCausalLM"]
    found = counted(f"{told}\n{lines(parameters['parameters'])}", tmp_path)
    assert (found.total, found.complete) == (parameters["total"], True)


def test_a_config_may_tie_what_the_class_does_not_by_default(tmp_path: Path) -> None:
    told = RECORDED["LlamaForCausalLM"]
    found = counted(f"EuroBertForMaskedLM\n{lines(told['parameters'])}", tmp_path)
    head = prod(dict(told["parameters"])["lm_head.weight"])
    assert (found.complete, found.total, found.json["least_parameters"]) == (False, told["total"], told["total"] - head)
    assert f"{told['total'] - head:,}" in str(found)
    assert "tie_word_embeddings" in str(found)


@pytest.mark.parametrize("kind", ["Starcoder2ForCausalLM", "BartForCausalLM", "GemmaForCausalLM"])
@pytest.mark.parametrize("said", ["state_dict", "requires_grad=False", ""])
def test_a_state_has_no_gradients(kind: str, said: str, tmp_path: Path) -> None:
    told = RECORDED[kind]
    found = counted(f"{said}\n{lines(told['state'])}", tmp_path)
    assert not found.complete
    assert_exact_or_said(found, told["total"])


def test_a_tie_is_open_where_a_released_model_with_these_names_ties_it(tmp_path: Path) -> None:
    """Qwen3 does not tie its head by default, and its smaller models do."""
    names = [f"self_attn.{name}_proj" for name in "qkvo"] + [f"mlp.{name}_proj" for name in ("gate", "up", "down")]
    listing = "model.embed_tokens.weight: (30, 4)\n" + "".join(f"model.layers.0.{name}.weight: (4, 4)\n" for name in names)
    listing += "".join(f"model.layers.0.self_attn.{name}.weight: (2,)\n" for name in ("q_norm", "k_norm"))
    listing += "".join(f"model.layers.0.{name}_layernorm.weight: (4,)\n" for name in ("input", "post_attention"))
    found = counted(f"{listing}model.norm.weight: (4,)\nlm_head.weight: (30, 4)\n", tmp_path)
    assert (found.total, found.complete) == (2 * 120 + 7 * 16 + 2 * 2 + 3 * 4, False)


@pytest.mark.few(4)
@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("gpt2", 124_439_808),
        ("opt-350m", 331_196_416),
        ("llama-3.2-1b", 1_235_814_400),
        ("qwen2.5-0.5b", 494_032_768),
        ("qwen3-8b", 8_190_735_360),
    ],
)
@pytest.mark.parametrize("inside", ["", "module."])
def test_a_state_with_the_sizes_of_a_released_model_is_tied_as_that_is(name: str, parameters: int, inside: str, tmp_path: Path) -> None:
    """Each with as many parameters as its publisher or its file has."""
    model = resolve(name, values_first=True).model
    shapes = {f"{inside}{told}": [*shape] for told, shape, _ in model.architecture.named_parameters(model.values)}
    table = next(shape for told, shape in shapes.items() if any(part in told for part in ("wte", "embed_tokens")))
    head = [(f"{inside}lm_head.weight", table)]
    found = counted("net.state_dict()\n\n" + lines([*shapes.items(), *head]), tmp_path)
    assert (found.total, found.complete) == (parameters, True)
    assert not counted("net.state_dict()\n\n" + lines([(f"{inside}more.weight", [3]), *shapes.items(), *head]), tmp_path).complete


@pytest.mark.parametrize("kind", KINDS)
def test_the_header_of_a_file_lists_each_tensor_once(kind: str, tmp_path: Path) -> None:
    told = RECORDED[kind]
    found = counted(header(told["file"]), tmp_path)
    assert (found.total, found.complete) == (told["total"], True)


def test_a_type_as_files_write_it_does_not_settle_what_is_tied_by_default(tmp_path: Path) -> None:
    told = RECORDED["BartForCausalLM"]
    found = counted("".join(f"{name} F32 {shape}\n" for name, shape in told["state"]), tmp_path)
    assert (found.total, found.complete) == (told["total"], False)
    once = counted("".join(f"{name} F32 {shape}\n" for name, shape in told["file"]), tmp_path)
    assert (once.total, once.complete) == (told["total"], True)


def test_what_parameters_have_of_their_own_is_counted_with_what_ties_would_save(tmp_path: Path) -> None:
    told = RECORDED["BartForCausalLM"]
    found = counted(f"net.named_parameters()\n\n{lines(told['state'])}", tmp_path)
    everything = sum(prod(shape) for _, shape in told["state"])
    assert (found.total, found.complete) == (everything, True)
    assert f"{told['total']:,}" in str(found.notes)


def test_a_stated_total_settles_a_tie_that_is_open(tmp_path: Path) -> None:
    told = RECORDED["GemmaForCausalLM"]
    found = counted(f"{lines(told['state'])}\nTotal params: {told['total']:,}\n", tmp_path)
    assert (found.total, found.complete) == (told["total"], True)


@pytest.mark.slow
def test_states_of_the_reference_are_never_silently_wrong(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    from tests.models.printed import record_states

    record_states.import_everything()
    for kind in record_states.models()[::60]:
        try:
            model = record_states.built(kind)
        except Exception:
            continue  # Its default config cannot be built.
        total = sum(each.numel() for each in model.parameters())
        for _, tensors in record_states.listed(model):
            if total:
                assert_exact_or_said(counted(lines([(name, [*each.shape]) for name, each in tensors]), tmp_path), total)
