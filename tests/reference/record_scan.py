"""Record what VMamba's count of the selective scan, with fvcore, says of the reference's Mamba models.

Run ``python -m tests.reference.record_scan CHECKOUT`` with a checkout of github.com/MzeroMiko/VMamba where torch, transformers and fvcore
are installed; it writes ``scan.json`` next to itself. VMamba tells fvcore how many operations the call of its kernel is, which is named
SelectiveScanCuda, by ``selective_scan_flop_jit`` of ``classification/models/csms6s.py``. Here a call of that name stands for the scan of
transformers, and runs it, as the kernel wants a GPU. The models are those of ``tools/fvcore.json``.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import subprocess
import sys
import warnings
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch
import transformers
from fvcore.nn import FlopCountAnalysis
from torch import Tensor
from transformers.models.mamba import modeling_mamba

from tests.reference.record_tools import built, inputs_of

FOLDER = Path(__file__).parent
REFERENCE = modeling_mamba.mamba_selective_scan


class SelectiveScanCuda(torch.autograd.Function):
    """The scan as a call of its own, with tensors first, as VMamba's kernel takes them."""

    @staticmethod
    def forward(context: Any, *tensors: Tensor) -> Tensor:
        states, step, decay, way_in, way_out, skip, gate, bias = tensors
        found: Tensor = REFERENCE(states, step, decay, way_in, way_out, D=skip, z=gate, delta_bias=bias, delta_softplus=True)
        return found


def scan(*tensors: Tensor, D: Tensor, z: Tensor, delta_bias: Tensor, **_: Any) -> Tensor:  # noqa: N803 (the reference's names)
    found: Tensor = SelectiveScanCuda.apply(*tensors, D, z, delta_bias)
    return found


def main() -> None:
    checkout = Path(sys.argv[1])
    warnings.simplefilter("ignore")
    transformers.logging.set_verbosity_error()
    sys.path.insert(0, str(checkout / "classification" / "models"))
    with contextlib.redirect_stdout(io.StringIO()):
        operations = partial(importlib.import_module("csms6s").selective_scan_flop_jit, verbose=False)
    modeling_mamba.mamba_selective_scan = scan
    lines = []
    for each in json.loads((FOLDER / "tools" / "fvcore.json").read_text(encoding="utf-8"))["recordings"]:
        if each["class"] != "MambaForCausalLM":
            continue
        model = built(each["config"], "eager")
        inputs = inputs_of(model, (each["B"], each["L"], each["L_e"]))
        counted = FlopCountAnalysis(model, tuple(inputs.values())).unsupported_ops_warnings(False).uncalled_modules_warnings(False)
        counted.set_op_handle("prim::PythonOp.SelectiveScanCuda", operations)
        found = {key: each[key] for key in ("label", "config", "B", "L")}
        lines.append(json.dumps({**found, "total": int(counted.total())}, separators=(",", ":")))
    commit = subprocess.run(["git", "-C", checkout, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    versions = {**{name: version(name) for name in ("torch", "transformers", "fvcore")}, "MzeroMiko/VMamba": commit}
    head = json.dumps({"versions": versions})
    (FOLDER / "scan.json").write_text(f'{head[:-1]}, "recordings": [\n' + ",\n".join(lines) + "\n]}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
