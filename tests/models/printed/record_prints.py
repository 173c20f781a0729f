"""Records what the reference implementation prints: small models of many classes with their parameters.

    HF_HUB_OFFLINE=1 /path/to/python tests/models/printed/record_prints.py

The Python needs torch and transformers; the versions are written into the files. Nothing is downloaded: all is built on the meta device.
"""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent

SMALL: dict[str, dict[str, Any]] = {
    "BertModel": {"num_hidden_layers": 3},
    "BertForMaskedLM": {"num_hidden_layers": 2, "hidden_size": 96, "num_attention_heads": 6, "intermediate_size": 200, "vocab_size": 997},
    "GPT2LMHeadModel": {"n_layer": 3, "n_embd": 96, "n_head": 4, "vocab_size": 501, "n_positions": 64},
    "BloomForCausalLM": {"n_layer": 3, "hidden_size": 64, "n_head": 4, "vocab_size": 1003},
    "LlamaForCausalLM": {"num_hidden_layers": 3, "hidden_size": 256, "intermediate_size": 688, "num_attention_heads": 8, "num_key_value_heads": 2, "vocab_size": 1000},
    "Qwen3ForCausalLM": {"num_hidden_layers": 2, "hidden_size": 192, "intermediate_size": 500, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 64, "vocab_size": 1001},
    "GemmaForCausalLM": {"num_hidden_layers": 2, "hidden_size": 96, "intermediate_size": 400, "num_attention_heads": 4, "num_key_value_heads": 1, "head_dim": 32, "vocab_size": 1000},
    "MixtralForCausalLM": {"num_hidden_layers": 2, "hidden_size": 64, "intermediate_size": 160, "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 300, "num_local_experts": 4},
    "OPTForCausalLM": {"num_hidden_layers": 2, "hidden_size": 64, "ffn_dim": 256, "num_attention_heads": 4, "vocab_size": 300, "max_position_embeddings": 128, "word_embed_proj_dim": 64},
    "GPTNeoXForCausalLM": {"num_hidden_layers": 2, "hidden_size": 64, "intermediate_size": 256, "num_attention_heads": 4, "vocab_size": 300},
    "AlbertModel": {"num_hidden_layers": 4, "hidden_size": 96, "intermediate_size": 384, "embedding_size": 32, "num_attention_heads": 4},
    "T5ForConditionalGeneration": {"num_layers": 3, "d_model": 64, "d_ff": 128, "d_kv": 16, "num_heads": 4, "vocab_size": 300},
    "BartForConditionalGeneration": {"encoder_layers": 2, "decoder_layers": 2, "d_model": 64, "encoder_ffn_dim": 128, "decoder_ffn_dim": 128, "encoder_attention_heads": 4, "decoder_attention_heads": 4, "vocab_size": 300},
    "WhisperForConditionalGeneration": {"encoder_layers": 2, "decoder_layers": 2, "d_model": 64, "encoder_ffn_dim": 256, "decoder_ffn_dim": 256, "encoder_attention_heads": 4, "decoder_attention_heads": 4, "vocab_size": 51865},
    "ViTForImageClassification": {"num_hidden_layers": 2, "hidden_size": 64, "intermediate_size": 256, "num_attention_heads": 4},
    "Wav2Vec2Model": {"num_hidden_layers": 2, "hidden_size": 64, "intermediate_size": 256, "num_attention_heads": 4, "conv_dim": (32,) * 7},
    "ResNetForImageClassification": {"hidden_sizes": (32, 64, 128, 256), "embedding_size": 16},
    "MambaForCausalLM": {"num_hidden_layers": 2, "hidden_size": 64, "vocab_size": 300, "state_size": 8},
    "JambaForCausalLM": {"num_hidden_layers": 8, "hidden_size": 64, "intermediate_size": 128, "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 300, "mamba_dt_rank": 4, "num_experts": 4},
    "CLIPModel": {},
}  # fmt: skip


def record_prints() -> None:
    """One file for each class: what it prints, the config that it was built with, and its parameters."""
    import torch
    import transformers

    versions = {"torch": torch.__version__, "transformers": transformers.__version__}
    for name, sizes in SMALL.items():
        model_class = getattr(transformers, name)
        config = model_class.config_class(**sizes)
        with torch.device("meta"):
            model = model_class(config)
        model.tie_weights()
        tied = bool(getattr(config, "tie_word_embeddings", False))
        write(name, model, {**versions, "class": name, "tied": tied, "config": {**sizes, "tie_word_embeddings": tied}})
    with torch.device("meta"):
        layer = torch.nn.TransformerEncoderLayer(64, 4, 128, batch_first=True)
        own = {
            "torch.TransformerEncoder": torch.nn.TransformerEncoder(layer, 3),
            "torch.LSTM": torch.nn.Sequential(
                torch.nn.Embedding(50, 8), torch.nn.LSTM(8, 16, 2, bidirectional=True, proj_size=4), torch.nn.GRU(8, 5), torch.nn.Linear(5, 3)
            ),
            "torch.Convolutions": torch.nn.Sequential(
                torch.nn.Conv2d(3, 8, 3), torch.nn.BatchNorm2d(8), torch.nn.ReLU(), torch.nn.Conv2d(8, 16, 3, groups=4, bias=False),
                torch.nn.GroupNorm(4, 16), torch.nn.ConvTranspose2d(16, 8, (3, 1), groups=2), torch.nn.PReLU(8), torch.nn.Bilinear(2, 3, 4),
                torch.nn.LayerNorm((8, 4), bias=False), torch.nn.RMSNorm(4), torch.nn.ParameterList([torch.nn.Parameter(torch.zeros(3, 4))]),
            ),
        }  # fmt: skip
    for name, module in own.items():
        write(name, module, {**versions, "class": type(module).__name__, "tied": False, "config": {}})


def write(name: str, model: Any, about: dict[str, Any]) -> None:
    (HERE / "prints" / f"{name}.txt").write_text(f"{model}\n", encoding="utf-8")
    parameters = {name: list(parameter.shape) for name, parameter in model.named_parameters()}
    lines = ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in {**about, "parameters": parameters}.items())
    (HERE / "prints" / f"{name}.json").write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    record_prints()
