"""Record what torch's counter says of a forward and a backward pass of the reference's models, with both ways of attention.

Run ``python -m tests.reference.record_training`` where torch and transformers are installed, with the names of classes to record only these
again; it writes ``training.json`` next to itself. The models are those of ``tools/torch.json``, at most three of each class and way, in
evaluation mode, as dropout multiplies nothing, in 32-bit floats, on the CPU; the backward pass begins at the sum of all floating-point
outputs. Under ``forward`` stands the forward pass alone, of which torch then remembers what the backward pass needs: with T5 it takes other
kernels than without.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import torch
import transformers
from torch import Tensor
from torch.utils.flop_counter import FlopCounterMode

from tests.reference.record_tools import built, inputs_of

FOLDER = Path(__file__).parent
MOST = 3


def outputs(found: object) -> Iterator[Tensor]:
    """The floating-point tensors in what a model returns."""
    if isinstance(found, Tensor):
        if found.is_floating_point() and found.requires_grad:
            yield found
    elif isinstance(found, (tuple, list)):
        for each in found:
            yield from outputs(each)
    elif isinstance(found, transformers.utils.ModelOutput):
        yield from outputs(tuple(found.values()))


def main(only: list[str]) -> None:
    warnings.simplefilter("ignore")
    transformers.logging.set_verbosity_error()
    torch.set_num_threads(1)
    recorded = json.loads((FOLDER / "tools" / "torch.json").read_text(encoding="utf-8"))["recordings"]
    lines, done = list[str](), Counter[tuple[str, str]]()
    if only:
        old = json.loads((FOLDER / "training.json").read_text(encoding="utf-8"))["recordings"]
        lines = [json.dumps(each, separators=(",", ":")) for each in old if each["class"] not in only]
    for each in recorded:
        kind = each["class"], each["implementation"]
        if done[kind] == MOST or (only and each["class"] not in only):
            continue
        done[kind] += 1
        model = built(each["config"], each["implementation"])
        inputs = inputs_of(model, (each["B"], each["L"], each["L_e"]))
        with FlopCounterMode(display=False) as counted:
            found = model(**inputs)
            forward = counted.get_total_flops()
            sum(each.sum() for each in outputs(found)).backward()
        named = {name: each[name] for name in ("class", "label", "implementation")}
        lines.append(json.dumps({**named, "forward": forward, "training": counted.get_total_flops()}, separators=(",", ":")))
        print(lines[-1], flush=True)
    head = json.dumps({"versions": {"torch": torch.__version__, "transformers": transformers.__version__}})
    (FOLDER / "training.json").write_text(f'{head[:-1]}, "recordings": [\n' + ",\n".join(lines) + "\n]}\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
