"""Record what libraries keep in memory for the reference's models: quantised weights, states of optimisers.

Run ``python -m tests.reference.record_memory`` where torch, transformers, bitsandbytes and gguf are installed; it writes ``memory.json``
next to itself. All is in bytes, on the CPU. Of bitsandbytes these are the tensors that its own functions return for the weights of the
layers that transformers would replace, without the tables of its codes; the other weights are taken in 16 bits. Of optimisers they are
the tensors of their states after a step in 32-bit floats, without the counter of steps and the tables of codes. Of gguf they are its
table of block types.
"""

from __future__ import annotations

import json
from copy import deepcopy
from importlib.metadata import version
from pathlib import Path

import bitsandbytes
import torch
import transformers
from bitsandbytes import functional
from gguf import GGML_QUANT_SIZES
from torch import Tensor, nn
from transformers import BitsAndBytesConfig
from transformers.integrations.bitsandbytes import replace_with_bnb_linear
from transformers.pytorch_utils import Conv1D

from tests.reference.configs.drawing import Config

MEMORY = Path(__file__).parent / "memory.json"
_DECODER = {"vocab_size": 151, "hidden_size": 48, "intermediate_size": 90, "num_hidden_layers": 3, "num_attention_heads": 4}
_GROUPED = {**_DECODER, "num_key_value_heads": 2, "head_dim": 24}

CONFIGS: dict[str, Config] = {
    "bert": {"architectures": ["BertModel"], "model_type": "bert", **_DECODER, "max_position_embeddings": 40},
    "gpt2": {
        "architectures": ["GPT2LMHeadModel"], "model_type": "gpt2", "vocab_size": 151, "n_embd": 60, "n_layer": 2, "n_head": 4,
        "n_positions": 70,
    },
    "opt": {"architectures": ["OPTForCausalLM"], "model_type": "opt", **_DECODER, "ffn_dim": 70, "max_position_embeddings": 40},
    "llama": {"architectures": ["LlamaForCausalLM"], "model_type": "llama", **_GROUPED},
    "qwen2": {
        "architectures": ["Qwen2ForCausalLM"], "model_type": "qwen2", **_GROUPED, "head_dim": 12, "use_sliding_window": True,
        "sliding_window": 4, "max_window_layers": 2,
    },
    "mistral": {"architectures": ["MistralForCausalLM"], "model_type": "mistral", **_GROUPED, "sliding_window": 5},
    "gemma2": {"architectures": ["Gemma2ForCausalLM"], "model_type": "gemma2", **_GROUPED, "sliding_window": 6, "num_hidden_layers": 5},
    "gemma3": {
        "architectures": ["Gemma3ForCausalLM"], "model_type": "gemma3_text", **_GROUPED, "sliding_window": 3, "num_hidden_layers": 14,
    },
    "gemma3-listed": {
        "architectures": ["Gemma3ForCausalLM"], "model_type": "gemma3_text", **_GROUPED, "sliding_window": 7,
        "layer_types": ["full_attention", "sliding_attention", "full_attention"],
    },
    "falcon": {"architectures": ["FalconForCausalLM"], "model_type": "falcon", **_DECODER},
}  # fmt: skip


def build(config: Config) -> nn.Module:
    """The reference's model with this config."""
    settings = deepcopy(config)
    reference = getattr(transformers, settings["architectures"][0])
    torch.manual_seed(0)
    model: nn.Module = reference(reference.config_class.from_dict(settings))
    return model.eval()


def replaced(config: Config, quantisation: BitsAndBytesConfig) -> list[str]:
    """The names of the layers that transformers replaces by those of bitsandbytes, by default all linear ones but the head."""
    with torch.device("meta"):
        model = build(config)
        kept = transformers.quantizers.base.get_keys_to_not_convert(model)
        changed = replace_with_bnb_linear(model, modules_to_not_convert=kept, quantization_config=quantisation)
    kinds = (bitsandbytes.nn.Linear4bit, bitsandbytes.nn.Linear8bitLt)
    return [name for name, module in changed.named_modules() if isinstance(module, kinds)]


def size(tensor: Tensor) -> int:
    """The bytes of its numbers."""
    return tensor.numel() * tensor.element_size()


def quantised(weight: Tensor, name: str) -> int:
    """The bytes that bitsandbytes makes of a weight, with its statistics."""
    if name == "llm-int8":
        numbers, rows, _ = functional.int8_vectorwise_quant(weight)
        return size(numbers) + size(rows)
    kind, _, double = name.partition("-")
    numbers, state = functional.quantize_4bit(weight, blocksize=64, compress_statistics=bool(double), quant_type=kind)
    return size(numbers) + size(state.absmax) + (size(state.state2.absmax) if state.nested else 0)


def weights(config: Config) -> dict[str, int]:
    """The bytes of all weights in each format of bitsandbytes."""
    found = {}
    model = build(config)
    stored = {f"{name}.weight" for name, module in model.named_modules() if isinstance(module, Conv1D)}  # Inputs first.
    for name in ("llm-int8", "nf4", "nf4-double", "fp4"):
        options = {"load_in_8bit": True} if name == "llm-int8" else {"load_in_4bit": True}
        names = {f"{layer}.weight" for layer in replaced(config, BitsAndBytesConfig(**options))}
        found[name] = sum(
            quantised((weight.data.T if key in stored else weight.data).contiguous(), name) if key in names else 2 * weight.numel()
            for key, weight in model.named_parameters()
        )
    return found


def states(config: Config) -> dict[str, int]:
    """The bytes of the states of each optimiser after a step."""
    found = {}
    for name, optimizer in {
        "adam": lambda parameters: torch.optim.AdamW(parameters),
        "adam-8bit": lambda parameters: bitsandbytes.optim.AdamW8bit(parameters),
        "adafactor": lambda parameters: torch.optim.Adafactor(parameters),
        "sgd": lambda parameters: torch.optim.SGD(parameters),
        "sgd-momentum": lambda parameters: torch.optim.SGD(parameters, momentum=0.9),
    }.items():
        parameters = list(build(config).parameters())
        for parameter in parameters:
            parameter.grad = torch.ones_like(parameter)
        running = optimizer(parameters)
        running.step()
        kept = [(key, value) for state in running.state.values() for key, value in state.items() if isinstance(value, Tensor)]
        found[name] = sum(size(value) for key, value in kept if key != "step" and not key.startswith("qmap"))
    return found


def main() -> None:
    """Write the recordings."""
    transformers.logging.set_verbosity_error()
    models = {}
    for label, config in CONFIGS.items():
        models[label] = {"config": config, "states": states(config)}
        if label != "falcon":  # Its linear layers are a class of their own, which transformers passes over.
            models[label]["weights"] = weights(config)
    versions = {name: version(name) for name in ("torch", "transformers", "bitsandbytes", "gguf")}
    blocks = {kind.name.lower(): list(sizes) for kind, sizes in GGML_QUANT_SIZES.items()}
    head = json.dumps({"versions": versions, "blocks": blocks})
    lines = ",\n".join(f"{json.dumps(label)}: {json.dumps(model)}" for label, model in models.items())
    MEMORY.write_text(f'{head[:-1]}, "models": {{\n{lines}\n}}}}\n', encoding="utf-8")


if __name__ == "__main__":
    main()
