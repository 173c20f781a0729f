"""The conventions of eight counters, as data. Source: each tool's code in the version named, and recordings of what it reports."""

from __future__ import annotations

from dataclasses import replace

from symparam.analysis.measures.conventions.convention import Convention

_CALLS = {
    "linear",
    "linear-of-columns",
    "linear-of-outputs",
    "subclass",
    "function",
    "operator",
    "weight-first",
    "addmm",
    "matmul",
    "readout",
    "bmm",
    "convolution",
    "convolution-same",
    "convolution-function",
    "transposed-convolution",
    "grouped-transposed-convolution",
    "attention-projection",
    "attention-output",
    "einsum",
}

_TRANSPOSED = {"transposed-convolution", "grouped-transposed-convolution"}
_MODULES = {"linear", "linear-of-columns", "linear-of-outputs", "convolution", "convolution-same", *_TRANSPOSED}
_RECURRENT = {"recurrent", "lstm"}
"""The products of recurrent layers with their inputs and states; ``lstm`` is an LSTM without projections, a single call on the CPU."""
_STATES = {"states-of-RNN": 1, "states-of-GRU": 7, "recurrent-bias": 1}
_POOLING = {f"{kind}-of": 1 for kind in ("max-pool", "avg-pool", "adaptive-avg-pool", "adaptive-max-pool")}
_NORMS = {"batch-norm": 2, "plain-batch-norm": 1, "group-norm": 5, "plain-group-norm": 4}
_FUNCTIONS = {"softmax": 1, "silu": 1, "gelu-module": 1, "swish": 1, "relu": 1, "relu2": 1, "gelu": 1, "gelu_pytorch_tanh": 1}
_PROFILED_FUNCTIONS = {
    **_FUNCTIONS,
    "leaky_relu": 1,
    "added-scores": 1,
    "layer-norm": 5,
    "plain-layer-norm": 4,
    **_NORMS,
    **_POOLING,
    "states-of-RNN": -1,
    "states-of-GRU": 1,
    "states-of-LSTM": 2,
    "recurrent-bias": 1,
}
_TAKEN_BEFORE = frozenset({"gelu", "gelu_pytorch_tanh"})
"""Functions that a module looks up in torch when it is built, before the tool patches them with counting ones."""

THOP = Convention(
    name="thop",
    tool="thop 0.1.1.post2209072238",
    units=("MACs",),
    dispatches=frozenset({*_MODULES, *_RECURRENT}),
    quirks=("quirk-modules-alone", "quirk-no-core", "quirk-norm-four"),
    elementwise={
        "layer-norm": 4,
        "plain-layer-norm": 2,
        "batch-norm": 4,
        "plain-batch-norm": 2,
        "avg-pool-to": 1,
        "adaptive-avg-pool-of": 1,
        "adaptive-avg-pool-to": 1,
        **_STATES,
        "states-of-LSTM": 8,
    },
    by_output=frozenset(_TRANSPOSED),
    refused=frozenset({"recurrent-projection"}),
)

PTFLOPS = Convention(
    name="ptflops",
    tool='ptflops 0.7.5, backend="pytorch"',
    units=("MACs",),
    dispatches=frozenset({*_MODULES, *_RECURRENT, "addmm", "matmul", "readout", "bmm", "baddbmm-function"}),
    quirks=("quirk-batch-of-dict", "quirk-no-operator", "quirk-no-fused", "quirk-bias-once", "quirk-module-and-function"),
    bias_per_row=frozenset(_MODULES),
    bias_per_call=frozenset({"addmm"}),
    elementwise={
        **_FUNCTIONS,
        "layer-norm": 1,
        "plain-layer-norm": 1,
        "batch-norm": 2,
        "plain-batch-norm": 1,
        "group-norm": 2,
        "plain-group-norm": 1,
        **_POOLING,
        **_STATES,
        "states-of-LSTM": 10,
        "transposed-bias": 1,
    },
    modules={"relu": 1, "relu6": 1, "leaky_relu": 1, "gelu-module": 1, **_POOLING},
    bound_before_patching=_TAKEN_BEFORE,
    refused=frozenset({"attention-projection"}),
)

PTFLOPS_ATEN = Convention(
    name="ptflops-aten",
    tool='ptflops 0.7.5, backend="aten"',
    units=("MACs",),
    dispatches=frozenset(_CALLS),
    quirks=("quirk-no-baddbmm", "quirk-fused-on-cpu", "quirk-bias"),
    bias_per_row=frozenset({"linear", "function", "addmm", "convolution", "convolution-same", "convolution-function", "attention-output"}),
    elementwise={"transposed-bias": 1},
    decomposes_sdpa=True,
    refused=frozenset({"recurrent", "lstm", "attention-projection", "linear-of-outputs"}),
)

FVCORE = Convention(
    name="fvcore",
    tool="fvcore 0.1.5.post20221221",
    units=("MACs",),
    dispatches=frozenset(_CALLS - {"convolution-same"}),
    quirks=("quirk-called-flops", "quirk-no-fused", "quirk-no-baddbmm", "quirk-norm-five"),
    elementwise={"layer-norm": 5, "plain-layer-norm": 4, **_NORMS, "adaptive-avg-pool-of": 1},
    broadcast=frozenset({"weight-first"}),
    rounded=frozenset({"einsum"}),
    cannot_run=frozenset({"deepseek-v32", "llava"}),
    follows_outputs=True,
)

TORCH = Convention(
    name="torch",
    tool="torch 2.13.0, torch.utils.flop_counter.FlopCounterMode",
    units=("FLOPs",),
    dispatches=frozenset({*_CALLS, "recurrent", "recurrent-projection", "baddbmm", "baddbmm-function"}),
    quirks=("quirk-products-alone", "quirk-fused-on-cpu", "quirk-learned-positions"),
    quirks_of_runs=("quirk-products-of-a-run",),
    decomposes_sdpa=True,
    sees_backward=True,
)

CALFLOPS = Convention(
    name="calflops",
    tool="calflops 0.3.2",
    units=("FLOPs", "MACs"),
    dispatches=frozenset({*_CALLS, *_RECURRENT, "baddbmm-function"} - {"operator", "weight-first", "bmm"}),
    quirks=("quirk-no-operator", "quirk-no-fused", "quirk-bias-once", "quirk-norm-five", "quirk-macs-of-products"),
    bias_per_row=frozenset({"convolution", "convolution-same", "convolution-function"}),
    bias_per_call=frozenset({"addmm"}),
    elementwise={**_PROFILED_FUNCTIONS, "transposed-bias-as-if-not": 1},
    bound_before_patching=_TAKEN_BEFORE,
    counts_each_registration=True,
    flops_alone=frozenset(_RECURRENT),
    refused=frozenset({"grouped-transposed-convolution"}),
    rounded=frozenset({"einsum"}),
)

DEEPSPEED = Convention(
    name="deepspeed",
    tool="DeepSpeed 0.19.8, flops_profiler.get_model_profile",
    units=("FLOPs", "MACs"),
    dispatches=frozenset({*_CALLS, *_RECURRENT, "fused", "baddbmm-function"}),
    quirks=("quirk-no-baddbmm", "quirk-bias-once", "quirk-norm-five", "quirk-macs-of-products"),
    bias_per_row=frozenset({"convolution", "convolution-same", "convolution-function"}),
    bias_per_call=frozenset({"addmm"}),
    elementwise={**_PROFILED_FUNCTIONS, "transposed-bias": 1},
    bound_before_patching=_TAKEN_BEFORE,
    flops_alone=frozenset(_RECURRENT),
    broadcast=frozenset({"weight-first"}),
    rounded=frozenset({"einsum"}),
)

VMAMBA = replace(
    FVCORE,
    name="vmamba",
    tool="fvcore 0.1.5.post20221221 with the count of the selective scan of VMamba, csms6s.py",
    dispatches=FVCORE.dispatches - {"readout"},
    quirks=("quirk-scan", *FVCORE.quirks),
    elementwise={**FVCORE.elementwise, "states": 9, "past-states": 1},
)
"""The scan is one call with a hand-written rule in fvcore: 9 operations for each number of the states and 1 for each channel."""

CONVENTIONS: dict[str, Convention] = {each.name: each for each in (THOP, PTFLOPS, PTFLOPS_ATEN, FVCORE, TORCH, CALFLOPS, DEEPSPEED, VMAMBA)}
