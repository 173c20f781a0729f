"""Record how many parameters the reference has for each preset, so that presets can be held against it without torch.

Run ``python -m tests.reference.preset_totals`` where torch and transformers are installed; it writes
``tests/models/configs/preset_totals.json``: the versions, and a total by the preset's name. Models are built on torch's meta device, as in
`tests.reference.record`, so nothing is downloaded and no weight is allocated; tied weights are counted once.
"""

from __future__ import annotations

import json
import platform
from math import prod
from pathlib import Path

import torch
import transformers

from symparam.models.configs.presets import presets
from tests.reference.record import record

TOTALS = Path(__file__).parents[1] / "models" / "configs" / "preset_totals.json"


def main() -> None:
    """Write the totals, a preset a line, in the order of the presets."""
    transformers.logging.set_verbosity_error()
    versions = {"python": platform.python_version(), "torch": torch.__version__, "transformers": transformers.__version__}
    lines = []
    for name, preset in presets().items():
        total = sum(prod(shape) for _, shape in record(preset.config))
        if preset.published and preset.published.parameters != total:
            raise RuntimeError(f"{name} has {total} parameters; {preset.published.source} says {preset.published.parameters}")
        lines.append(f"  {json.dumps(name)}: {total}")
    TOTALS.write_text(f'{{"versions": {json.dumps(versions)}, "totals": {{\n' + ",\n".join(lines) + "\n}}\n", encoding="utf-8")
    print(f"{TOTALS.name}: {len(lines)} presets")


if __name__ == "__main__":
    main()
