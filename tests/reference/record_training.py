"""Record what autograd keeps of one pass of the reference's language models with labels: the activations and what the loss keeps.

Run ``python -m tests.reference.record_training`` where torch and transformers are installed; it writes ``training.json`` next to itself. As
in ``record_autograd.py``, and with the tokens that go in as labels; beside it the parameters, and the gradients and states of Adam behind a
step, in bytes of 32-bit floats.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
import transformers

from tests.reference.configs.counted import COUNTED, counted
from tests.reference.configs.drawing import Config
from tests.reference.configs.kept import BLOOM, NEOX
from tests.reference.record_autograd import IMPLEMENTATIONS, storages, training
from tests.reference.record_tools import Sizes, inputs_of

TRAINING = Path(__file__).parent / "training.json"


def size(tensor: torch.Tensor) -> int:
    """The bytes of its numbers."""
    return tensor.numel() * tensor.element_size()


def configs() -> list[Config]:
    """The first two configs of each class with a head over the vocabulary."""
    named = [
        each
        for name in COUNTED
        if name.endswith(("LMHeadModel", "MaskedLM", "CausalLM", "Generation"))
        for each in (counted(name).values())
    ]
    first: dict[str, list[Config]] = {}
    for config in (*named, NEOX, BLOOM):
        first.setdefault(config["architectures"][0], []).append(config)
    return [config for of_class in first.values() for config in of_class[:2]]


def record(config: Config, sizes: Sizes, implementation: str) -> dict[str, Any]:
    """The bytes of each kind, or why the reference refuses."""
    try:
        model = training(config, implementation)
        inputs = inputs_of(model, sizes)
        labels = inputs.get("decoder_input_ids", inputs.get("input_ids"))
        kept = storages(model, {**inputs, "labels": labels.clone()})
        optimizer = torch.optim.AdamW(model.parameters())
        model(**inputs, labels=labels).loss.backward()
        for parameter in model.parameters():  # A parameter that nothing reaches, such as an expert that was not chosen.
            parameter.grad = torch.zeros_like(parameter) if parameter.grad is None else parameter.grad
        optimizer.step()
    except (RuntimeError, ValueError) as error:
        return {"refused": f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"[:200]}
    states = [value for state in optimizer.state.values() for key, value in state.items() if key != "step"]
    return {
        "kept": kept,
        "weights": sum(map(size, model.parameters())),
        "gradients": sum(size(parameter.grad) for parameter in model.parameters()),
        "optimizer-states": sum(map(size, states)),
    }


def main() -> None:
    """Write a line for each recording."""
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    lines = []
    for index, config in enumerate(configs()):
        sizes = (index % 3 + 1, 5 + 2 * (index % 4), 3 + index % 7)
        for implementation in IMPLEMENTATIONS:
            found = record(config, sizes, implementation)
            if "refused" not in found and not config.get("alibi"):
                named = {"config": config, **dict(zip(("B", "L", "L_e"), sizes, strict=True)), "implementation": implementation}
                lines.append(json.dumps({**named, **found}, separators=(",", ":")))
    head = json.dumps({"versions": {"torch": torch.__version__, "transformers": transformers.__version__}})
    TRAINING.write_text(f'{head[:-1]}, "recordings": [\n' + ",\n".join(lines) + "\n]}\n", encoding="utf-8")
    print(f"{len(lines)} recordings")


if __name__ == "__main__":
    main()
