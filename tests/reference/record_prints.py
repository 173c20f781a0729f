"""Record how torch prints models of its own classes, and what its counter says of a forward pass.

Run ``python -m tests.reference.record_prints`` where torch is installed; it writes ``prints.json`` next to itself. Nothing is computed: the
models are on the meta device, where the counter sees into an LSTM, and attention is taken apart.
"""

from __future__ import annotations

import json
from pathlib import Path

import torch
from torch import nn
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode

FILE = Path(__file__).parent / "prints.json"
B, L = 3, 7


def models() -> dict[str, nn.Module]:
    """Models that take tokens, by name."""
    recurrent = {
        "rnn": nn.RNN(10, 7, batch_first=True),
        "gru": nn.GRU(10, 5, 2, bidirectional=True, bias=False, batch_first=True),
        "lstm": nn.LSTM(10, 9, 3, bidirectional=True, dropout=0.1, batch_first=True),
        "projected": nn.LSTM(10, 8, 2, proj_size=3, batch_first=True),
    }
    layers = {
        "encoder": nn.TransformerEncoderLayer(20, 4, 33, batch_first=True),
        "norm-first": nn.TransformerEncoderLayer(20, 2, 45, batch_first=True, norm_first=True, activation="gelu"),
        "without-biases": nn.TransformerEncoderLayer(20, 5, 80, batch_first=True, bias=False),
    }
    found: dict[str, nn.Module] = {name: nn.Sequential(nn.Embedding(50, 10), layer) for name, layer in recurrent.items()}
    found |= {
        name: nn.Sequential(
            nn.Embedding(50, 20), nn.TransformerEncoder(layer, 3, nn.LayerNorm(20), enable_nested_tensor=False), nn.Linear(20, 50)
        )
        for name, layer in layers.items()
    }
    return found | {"layer": nn.Sequential(nn.Embedding(50, 20), layers["encoder"])}


def main() -> None:
    lines = []
    for name, model in models().items():
        with FlopCounterMode(display=False) as counted, sdpa_kernel(SDPBackend.MATH):
            model.to("meta").train()(torch.zeros(B, L, dtype=torch.long, device="meta"))
        parameters = sum(each.numel() for each in model.parameters())
        lines.append(json.dumps({"name": name, "print": str(model), "parameters": parameters, "FLOPs": counted.get_total_flops()}))
    head = json.dumps({"versions": {"torch": torch.__version__}, "B": B, "L": L})
    FILE.write_text(f'{head[:-1]}, "recordings": [\n' + ",\n".join(lines) + "\n]}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
