"""Hold traced classes against the reference at configs that the search did not draw, and refuse those that are wrong.

Run ``python scripts/check_atlas.py FOLDER`` on the folder of ``scripts/build_atlas.py``, then pack it. Of each class every key that is free
may move by itself, flags and names too, where the search moves them around its own builds. A class that lists other tensors than the
reference is written as refused, so that nobody is given a wrong number; what is left is printed, with how many configs agreed.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import torch
import transformers
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

from symparam.errors import SymparamError
from symparam.models.traced.models import model_of
from symparam.models.traced.network import Key, Network, from_data
from symparam.models.tracing.subjects import nested

TRIES = 14  # Configs that are drawn for one class; many are refused by it.
MOST_TENSORS = 3_000


def drawn(network: Network, random: Random) -> dict[str, object]:
    """Values for about half of the keys."""
    moved = {path: _value(key, random) for path, key in network.keys.items() if random.random() < 0.5}
    return {path: value for path, value in moved.items() if value is not None}


def _value(key: Key, random: Random) -> object:
    if isinstance(key.default, bool):
        return key.default if key.status not in ("free", "idle") or random.random() < 0.5 else not key.default
    if key.status == "free" and isinstance(key.default, int):
        near = (2 * key.default, key.default // 2, key.default + random.randint(1, 8), random.randint(1, 6) if key.default < 64 else 96)
        return max(key.least or 1, random.choice(near))
    return random.choice(key.values) if key.values and not isinstance(key.default, list) else None


def compared(model_type: str, class_name: str, network: Network, random: Random) -> Iterator[bool]:
    """For each config that both take, whether the tensors are the same by name, order and shape."""
    for _ in range(TRIES):
        moved = nested(drawn(network, random))
        try:
            with torch.device("meta"):
                reference = getattr(transformers, class_name)(CONFIG_MAPPING[model_type](**moved))
            wanted = [(name, tuple(tensor.shape)) for name, tensor in reference.named_parameters()]
        except Exception:  # Whatever a class raises, it does not take the config.
            continue
        if len(wanted) > MOST_TENSORS:
            continue
        try:
            model = model_of(network, moved, class_name)
            yield [(name, shape) for name, shape, _ in model.architecture.named_parameters(model.values)] == wanted
        except SymparamError:
            continue


def main() -> None:
    """Go through the folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--configs", type=int, default=3, help="how many have to agree")
    parser.add_argument("--seconds", type=float, default=3600.0, help="when to stop")
    arguments = parser.parse_args()
    transformers.logging.set_verbosity_error()
    end = time.monotonic() + arguments.seconds
    paths = [path for path in sorted(arguments.folder.glob("*/*.json")) if "network" in json.loads(path.read_text(encoding="utf-8"))]
    Random(arguments.seed).shuffle(paths)
    agreed = wrong = 0
    for path in paths:
        if time.monotonic() > end:
            break
        network = from_data(json.loads(path.read_text(encoding="utf-8"))["network"], path.stem)
        right = 0
        for same in compared(path.parent.name, path.stem, network, Random(f"{arguments.seed} {path.stem}")):
            if not same:
                refused = {"refused": "its tensors were wrong at settings that were drawn in another way"}
                path.write_text(json.dumps(refused), encoding="utf-8")
                print(path.parent.name, path.stem, "wrong", flush=True)
                wrong += 1
                break
            right += 1
            if right == arguments.configs:
                break
        agreed += right
    print(f"{agreed} configs agree, {wrong} classes are wrong")


if __name__ == "__main__":
    main()
