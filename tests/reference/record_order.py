"""Record in which order the reference's models call their modules.

Run ``python -m tests.reference.record_order`` where torch and transformers are installed, with the names of classes to record only these;
it writes ``order/<Class>.json`` next to itself. A few tokens go through each model, and hooks see which modules are called. Configs are
those of ``configs/counted.py``, which have the flags that matter, and all recorded ones that are small and that the reference can run; one
whose order is that of a config before it has no line of its own.

The order of a model is a tree of names, in which the modules of each stand as they are first called. Of layers that are alike the first
is kept. A module that is not called is not in it, such as a convolution whose weight alone is used; nor is one that has several places, as
a call does not say which of them is meant.
"""

from __future__ import annotations

import json
import platform
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
import transformers

from tests.reference.configs.counted import counted
from tests.reference.configs.drawing import Config
from tests.reference.record import CONFIGS, RECORDINGS
from tests.reference.record_tools import MOST_PARAMETERS, built, inputs_of, places_of_an_image

ORDER = Path(__file__).parent / "order"
BATCH, LENGTH, SOURCE = 2, 3, 4

Order = dict[str, Any]
"""The modules inside one, by name, in the order in which they are first called."""


def record(config: Config) -> Order:
    """The order in which a model of the config calls its modules. Raises what the reference raises for configs that it cannot run."""
    model = built(config, "eager")
    places = Counter(id(module) for _, module in model.named_modules(remove_duplicate=False))
    called: list[str] = []
    for name, module in model.named_modules():
        if name and places[id(module)] == 1:
            module.register_forward_pre_hook(lambda _module, _inputs, name=name: called.append(name))
    with torch.no_grad():
        model(**inputs_of(model, (BATCH, LENGTH + places_of_an_image(model.config), SOURCE)))
    order: Order = {}
    for name in dict.fromkeys(called):
        *around, last = name.split(".")
        inner = order
        for part in around:
            inner = inner.setdefault(part, {})
        inner[last] = inner.pop(last, {})  # A part of it may have been called before, as a table of tokens is.
    return _distinct(order)


def _distinct(order: Order) -> Order:
    """The order with the first of the numbered modules that are alike."""
    kept: Order = {}
    seen: set[str] = set()
    for name, inner in order.items():
        distinct = _distinct(inner)
        written = json.dumps(distinct)  # Two dicts are equal whatever the order of their keys.
        if not name.isdigit() or written not in seen:
            kept[name] = distinct
            seen |= {written} if name.isdigit() else set()
    return kept


def configs(name: str) -> Iterator[tuple[str, Config]]:
    """The configs of a class that are tried, by label; a model without layers, of which there is a formula for none, has little to call."""
    recordings = json.loads((RECORDINGS / f"{name}.json").read_text(encoding="utf-8"))["recordings"]
    yield from counted(name).items()
    for each in recordings:
        if each["total"] <= MOST_PARAMETERS and not each["label"].startswith("edge-no-layers"):
            yield each["label"], each["config"]


def write(name: str) -> Path:
    """Record a class into a file with one line per config, and return the file's path."""
    versions = {"python": platform.python_version(), "torch": torch.__version__, "transformers": transformers.__version__}
    lines: dict[str, str] = {}
    for label, config in configs(name):
        try:
            order = record(config)
        except Exception as error:
            print(f"{name} {label}: {type(error).__name__}", flush=True)
            continue
        line = json.dumps({"label": label, "config": config, "order": order}, separators=(",", ":"))
        lines.setdefault(json.dumps(order), line)
    head = json.dumps({"versions": versions, "class": name})
    ORDER.mkdir(parents=True, exist_ok=True)
    path = ORDER / f"{name}.json"
    path.write_text(f'{head[:-1]}, "recordings": [\n' + ",\n".join(lines.values()) + "\n]}\n", encoding="utf-8")
    return path


def main(only: list[str]) -> None:
    """Write the recordings of every class, or only of those that are named."""
    warnings.simplefilter("ignore")
    transformers.logging.set_verbosity_error()
    for name in (name for module in CONFIGS for name in module.CLASSES):
        if not only or name in only:
            path = write(name)
            print(f"{path.name}: {path.stat().st_size} bytes", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
