"""Operations of ten classes of transformers, compared with torch's counter at settings and sizes of the input that no run had."""

from __future__ import annotations

import importlib.util
import json

import pytest

import symparam
from symparam.models.traced.network import to_data
from symparam.models.tracing.process import traced
from tests.models.tracing.test_runs import counted_by_torch

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(importlib.util.find_spec("transformers") is None, reason="the classes are those of transformers"),
]

TEXT, PAIR, SOUND, SPEECH = "text", "source and target", "frames of sound", "sound and text"
IMAGE, SQUARE = "image of any size", "image of the config's size"
SIZES = {
    TEXT: [{"B": 3, "L": 19}, {"B": 1, "L": 402}, {"B": 5, "L": 64}],
    PAIR: [{"B": 3, "L": 19, "L_e": 23}, {"B": 1, "L": 402, "L_e": 7}, {"B": 5, "L": 64, "L_e": 64}],
    SPEECH: [{"B": 3, "L": 19}, {"B": 1, "L": 402}, {"B": 5, "L": 64}],
    IMAGE: [{"B": 2, "H_i": 224, "W_i": 224}, {"B": 1, "H_i": 96, "W_i": 160}, {"B": 3, "H_i": 250, "W_i": 61}],
    SQUARE: [{"B": 2}, {"B": 1}, {"B": 3}],
    SOUND: [{"B": 2}, {"B": 1}, {"B": 3}],
}
CLASSES = {
    "GPT2LMHeadModel": (TEXT, {"n_layer": 5, "n_embd": 96}, {"n_head": 3, "vocab_size": 77}, {"n_layer": 1, "n_inner": 100}),
    "GPTJForCausalLM": (
        TEXT,
        {"n_layer": 3, "n_embd": 96, "n_head": 6, "rotary_dim": 8},
        {"n_layer": 5, "n_inner": 100, "vocab_size": 99},
        {"n_layer": 2, "n_embd": 256, "rotary_dim": 16},
    ),
    "MixtralForCausalLM": (
        TEXT,
        {"num_hidden_layers": 2, "num_experts_per_tok": 3},
        {"num_local_experts": 5, "num_hidden_layers": 1},
        {"num_hidden_layers": 3, "num_local_experts": 6, "num_experts_per_tok": 1, "intermediate_size": 101},
    ),
    "OPTForCausalLM": (
        TEXT,
        {"num_hidden_layers": 3, "hidden_size": 96, "num_attention_heads": 6, "ffn_dim": 101, "word_embed_proj_dim": 96},
        {"num_hidden_layers": 5, "vocab_size": 77},
        {"num_hidden_layers": 2, "ffn_dim": 64},
    ),
    "BertForMaskedLM": (
        TEXT,
        {"num_hidden_layers": 3, "hidden_size": 96, "num_attention_heads": 6, "intermediate_size": 101},
        {"num_hidden_layers": 5, "vocab_size": 77},
        {"num_hidden_layers": 1, "num_attention_heads": 8, "hidden_size": 256},
    ),
    "T5ForConditionalGeneration": (
        PAIR,
        {"num_layers": 2, "num_decoder_layers": 5},
        {"num_layers": 3, "num_decoder_layers": 1, "d_kv": 8, "d_ff": 99},
        {"num_layers": 1, "num_decoder_layers": 2, "vocab_size": 77, "num_heads": 3},
    ),
    "WhisperForConditionalGeneration": (
        SPEECH,
        {"encoder_layers": 2, "decoder_layers": 5},
        {"encoder_layers": 3, "decoder_layers": 1, "d_model": 96, "encoder_attention_heads": 6, "encoder_ffn_dim": 37},
        {"encoder_layers": 1, "decoder_layers": 2, "num_mel_bins": 40, "max_source_positions": 300},
    ),
    "ViTForImageClassification": (
        SQUARE,
        {"num_hidden_layers": 3, "hidden_size": 96, "num_attention_heads": 6, "intermediate_size": 101},
        {"image_size": 96, "patch_size": 8},
        {"num_hidden_layers": 1, "num_channels": 1, "image_size": 64},
    ),
    "ConvNextForImageClassification": (
        IMAGE,
        {"depths": [1, 2, 3, 1]},
        {"hidden_sizes": [32, 64, 96, 128], "num_labels": 7},
        {"patch_size": 2, "num_channels": 1},
    ),
    "ASTForAudioClassification": (
        SOUND,
        {"num_hidden_layers": 3, "hidden_size": 96, "num_attention_heads": 6, "intermediate_size": 101},
        {"num_hidden_layers": 2, "patch_size": 8},
        {"num_hidden_layers": 1, "num_mel_bins": 64, "max_length": 200},
    ),
}


def fed(kind, config, sizes):
    """The input of these sizes."""
    import torch

    def zeros(*shape, **named):
        return torch.zeros(sizes["B"], *shape, device="meta", **named)

    def tokens(name):
        return zeros(sizes[name], dtype=torch.long)

    if kind == TEXT:
        return {"input_ids": tokens("L"), "attention_mask": None}
    if kind == PAIR:
        return {"input_ids": tokens("L_e"), "decoder_input_ids": tokens("L"), "use_cache": False}
    if kind == SPEECH:
        return {"input_features": zeros(config.num_mel_bins, 2 * config.max_source_positions), "decoder_input_ids": tokens("L")}
    if kind == SOUND:
        return {"input_values": zeros(config.max_length, config.num_mel_bins)}
    sides = (config.image_size, config.image_size) if kind == SQUARE else (sizes["H_i"], sizes["W_i"])
    return {"pixel_values": zeros(config.num_channels, *sides)}


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    def write(name):
        path = tmp_path_factory.mktemp(name) / "net.json"
        path.write_text(json.dumps(to_data(traced(f"transformers:{name}", {}))), encoding="utf-8")
        return str(path)

    return write


@pytest.mark.parametrize("name", CLASSES)
def test_operations_are_those_of_torch(name, written):
    import torch
    import transformers

    kind, *configs = CLASSES[name]
    path, model = written(name), getattr(transformers, name)
    for config, where in zip(configs, SIZES[kind], strict=True):
        chosen = model.config_class.from_dict(json.loads(json.dumps(config)))
        chosen._attn_implementation, chosen._experts_implementation = "eager", "batched_mm"
        with torch.device("meta"):
            true = counted_by_torch(model(chosen), **fed(kind, chosen, where))
        found = symparam.count(path, config=config, measure="flops", where=where)
        assert (found.total, found.complete) == (true, True), (config, where)
