"""The options of a measure, each declared once with its type, default and help text; the command line is generated from them.

Nothing here imports SymPy, so that help pages appear immediately.
"""

from __future__ import annotations

from typing import Annotated, TypedDict

from symparam.core.frozen import frozen


@frozen
class Option:
    """How the command line shows an option.

    ``metavar`` is the placeholder for its value, ``choices`` are all possible values, and ``short`` is its short name.
    """

    help: str
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    short: str | None = None


Attention = Annotated[
    str,
    Option(
        "For operations: count all pairs of tokens (full), only pairs with earlier tokens (causal), or of these only those within the "
        "last w tokens (window, w <= L); for a cache: all tokens (full), the last w, as papers count (window), or what the reference "
        "keeps between two steps (kept).",
        choices=("full", "causal", "window", "kept"),
    ),
]
Implementation = Annotated[
    str, Option("For a convention: attention as separate matrix products (eager), or as one fused call (sdpa).", choices=("eager", "sdpa"))
]


@frozen
class Options:
    """The measure and its options. With a ``convention``, the measure ``parameters`` means the tool's own total."""

    measure: Annotated[
        str,
        Option(
            "parameters, active-parameters, embedding-parameters, non-embedding-parameters, adapter-parameters; macs and "
            "flops of a forward pass, a backward pass (backward-flops), a training step (training-flops) or one more token "
            "(decoding-flops); of training on D tokens: run-flops, training-time, device-hours; bytes: weights, kv-cache, "
            "prefill-memory, decoding-memory, gradients, optimizer-states, training-memory, training-peak, activations.",
            metavar="NAME",
            short="-m",
        ),
    ] = "parameters"
    attention: Attention = "full"
    number_format: Annotated[
        str,
        Option(
            "For bytes: float32, bfloat16, float8, int4, ...; quantised, with their scales: q4_0, q8_0, q4_k, gptq-int4, nf4, mxfp4, ...",
            metavar="NAME",
        ),
    ] = "bfloat16"
    optimizer: Annotated[
        str, Option("For training memory: adam-mixed, adam, adam-8bit, adafactor, lion, sgd-momentum, sgd, ...", metavar="NAME")
    ] = "adam-mixed"
    zero: Annotated[
        int, Option("For training memory: the ZeRO stage (1 to 3), which divides it among n_d data-parallel ranks.", metavar="STAGE")
    ] = 0
    recomputation: Annotated[
        str, Option("For training and activations: what the backward pass recomputes.", choices=("none", "selective", "full"))
    ] = "none"
    per: Annotated[
        str,
        Option(
            "For operations: count B sequences of L tokens, one sequence, or one token.",
            choices=("batch", "sequence", "token"),
        ),
    ] = "batch"
    tensor_parallel: Annotated[
        bool, Option("For activations: divide them among n_t tensor-parallel ranks; --where n_t=8 does so, too.")
    ] = False
    sequence_parallel: Annotated[bool, Option("For activations: divide them along the sequence as well.")] = False
    convention: Annotated[
        str | None,
        Option(
            "Count as a tool does, in its own unit: thop, ptflops, ptflops-aten, fvcore, torch, calflops, deepspeed, vmamba; or as a paper "
            "does: kaplan, chinchilla, megatron, palm, electra; of activations: autograd, korthikanti.",
            metavar="NAME",
        ),
    ] = None
    implementation: Implementation = "eager"
    latent: Annotated[
        str,
        Option(
            "For decoding with latent attention: cache the latents (absorbed), or the keys and values computed from them (expanded).",
            choices=("absorbed", "expanded"),
        ),
    ] = "absorbed"
    dropout: Annotated[
        str,
        Option("For activations under autograd: dropout as in the config, all dropouts on, or off.", choices=("config", "on", "off")),
    ] = "config"


DECODING_STEP = ("compute-time", "memory-time", "intensity", "ridge")
"""Quantities of a decoding step on one device: the least seconds for its operations, the least seconds for reading weights and cache once,
its operations per byte, and the operations per byte at which both times are equal (Williams et al. 2009, Roofline, section 3).
"""
TRAINING_RUN = ("run-flops", "training-time", "device-hours")
"""Quantities of training on D tokens: the operations, the seconds on n_g devices at p_u % of their peak, and the device-hours."""


class Measuring(TypedDict, total=False):
    """The fields of `Options` by name and type, so that type checkers know what ``**measuring`` may contain."""

    measure: str
    attention: str
    number_format: str
    optimizer: str
    zero: int
    recomputation: str
    per: str
    tensor_parallel: bool
    sequence_parallel: bool
    convention: str | None
    implementation: str
    latent: str
    dropout: str
