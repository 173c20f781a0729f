"""Record what DeepSeek's own implementation caches and computes with latent attention, in both of its ways.

Run ``python -m tests.reference.record_latent CHECKOUT`` with a checkout of github.com/deepseek-ai/DeepSeek-V3 where torch is installed; it
writes ``latent.json`` next to itself. The model is that of ``inference/model.py``, whose ``attn_impl`` is ``naive``, with keys and values
of all heads in the cache, or ``absorb``, with the latents there; numbers are of 16 bits, on the CPU, and the kernels for 8 bits, which then
nothing calls, have empty names. ``cache`` are the bytes of the buffers for the tokens that have been written, behind S tokens, and
``decoding`` what torch's counter says of one more.
"""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
from torch.utils.flop_counter import FlopCounterMode

from tests.reference.configs.drawing import Config

FILE = Path(__file__).parent / "latent.json"
WAYS = {"absorbed": "absorb", "expanded": "naive"}
NAMES = {
    "vocab_size": "vocab_size",
    "dim": "hidden_size",
    "inter_dim": "intermediate_size",
    "moe_inter_dim": "moe_intermediate_size",
    "n_layers": "num_hidden_layers",
    "n_dense_layers": "first_k_dense_replace",
    "n_heads": "num_attention_heads",
    "n_routed_experts": "n_routed_experts",
    "n_shared_experts": "n_shared_experts",
    "n_activated_experts": "num_experts_per_tok",
    "q_lora_rank": "q_lora_rank",
    "kv_lora_rank": "kv_lora_rank",
    "qk_nope_head_dim": "qk_nope_head_dim",
    "qk_rope_head_dim": "qk_rope_head_dim",
    "v_head_dim": "v_head_dim",
}
"""The arguments of the implementation, and the keys of a config.json for the same."""
SIZES = (
    (47, 20, 33, 12, 4, 1, 3, 16, 2, 3, 9, 11, 5, 4, 7),
    (61, 36, 51, 14, 3, 2, 4, 8, 1, 2, 17, 13, 6, 2, 5),
    (83, 24, 45, 10, 5, 1, 2, 12, 3, 5, 11, 21, 9, 6, 8),
    (35, 52, 27, 18, 2, 0, 5, 6, 1, 1, 7, 9, 3, 8, 11),
    (99, 28, 63, 22, 3, 3, 7, 4, 1, 2, 15, 19, 8, 10, 3),
)
TOKENS = ((2, 9), (1, 17), (3, 1), (2, 31), (5, 6))
"""For each model the batch, and S, the tokens in the cache."""


def model_file(checkout: Path) -> ModuleType:
    kernels = ModuleType("kernel")
    kernels.__dict__.update(dict.fromkeys(("act_quant", "weight_dequant", "fp8_gemm")))
    sys.modules["kernel"] = kernels
    sys.path.insert(0, str(checkout / "inference"))
    return importlib.import_module("model")


def record(file: ModuleType, sizes: tuple[int, ...], batch: int, tokens: int) -> dict[str, Any]:
    arguments = dict(zip(NAMES, sizes, strict=True))
    config: Config = {NAMES[name]: size for name, size in arguments.items()}
    config |= {"architectures": ["DeepseekV3ForCausalLM"], "model_type": "deepseek_v3", "num_key_value_heads": arguments["n_heads"]}
    found: dict[str, Any] = {"config": config, "B": batch, "S": tokens}
    for way, name in WAYS.items():
        file.attn_impl = name
        model = file.Transformer(file.ModelArgs(max_batch_size=batch, max_seq_len=tokens + 1, **arguments))
        for parameter in model.parameters():
            torch.nn.init.normal_(parameter)
        written = torch.zeros(batch, tokens, dtype=torch.long)
        model(written)
        caches = [each[:batch, :tokens] for name, each in model.named_buffers() if name.endswith("_cache")]
        with FlopCounterMode(display=False) as counted:
            model(written[:, :1], start_pos=tokens)
        found[way] = {"cache": sum(each.numel() * each.element_size() for each in caches), "decoding": counted.get_total_flops()}
    return found


def main() -> None:
    torch.manual_seed(0)
    torch.set_num_threads(1)
    torch.set_default_dtype(torch.bfloat16)
    checkout = Path(sys.argv[1])
    commit = subprocess.run(["git", "-C", checkout, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    file = model_file(checkout)
    lines = [json.dumps(record(file, *each)) for each in ((sizes, *tokens) for sizes, tokens in zip(SIZES, TOKENS, strict=True))]
    head = json.dumps({"versions": {"torch": torch.__version__, "deepseek-ai/DeepSeek-V3": commit}})
    FILE.write_text(f'{head[:-1]}, "recordings": [\n' + ",\n".join(lines) + "\n]}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
