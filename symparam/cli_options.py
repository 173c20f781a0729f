"""The arguments and options that commands share."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

import typer

Format = Literal["text", "latex", "mathml", "markdown", "rst", "html", "json"]
Model = Annotated[
    str,
    typer.Argument(
        metavar="MODEL",
        help="An architecture (bert), a class (BertForMaskedLM), a preset (bert-base-uncased), a config.json, the file of a printed model, "
        "a listing of tensors or safetensors, or - for standard input.",
    ),
]
Where = Annotated[
    list[str] | None,
    typer.Option(
        "--where",
        "-w",
        metavar="STATEMENT",
        help="A relation (I=4H), a value (N=12) or a flag (tie_word_embeddings=false); may be repeated.",
    ),
]
Config = Annotated[str | None, typer.Option(metavar="CONFIG", help="A config.json, a preset, or -, where MODEL names an architecture.")]
Architecture = Annotated[
    str | None, typer.Option(metavar="NAME", help="The architecture or class to take, where MODEL is a preset or a config.json.")
]
Alphabets = Annotated[
    list[str] | None,
    typer.Option(
        "--alphabet",
        "-a",
        metavar="NAME",
        help="Another author's letters (kaplan, megatron, ...), or one letter changed (P=n_pos); may be repeated.",
    ),
]
Measure = Annotated[
    str,
    typer.Option(
        "--measure",
        "-m",
        metavar="NAME",
        help="parameters, active-parameters, embedding-parameters, non-embedding-parameters; macs, flops, and these of a backward pass, of "
        "training and of decoding (backward-flops, training-flops, ...); weights, kv-cache, inference-memory, gradients, "
        "optimizer-states, training-memory, activations.",
    ),
]
Attention = Annotated[
    Literal["full", "causal", "window"],
    typer.Option(
        help="For operations: all pairs of tokens, those up to each token's own place, or of these the last w (w <= L); "
        "for a cache: all tokens, or the last w."
    ),
]
NumberFormat = Annotated[
    str,
    typer.Option(
        "--number-format",
        metavar="NAME",
        help="For bytes: float32, bfloat16, float8, int4, ...; quantised, with their scales: q4_0, q8_0, q4_k, gptq-int4, nf4, mxfp4, ...",
    ),
]
Optimizer = Annotated[
    str, typer.Option(metavar="NAME", help="For training memory: adam-mixed, adam, adam-8bit, adafactor, lion, sgd-momentum, sgd, ...")
]
Zero = Annotated[int, typer.Option(metavar="STAGE", help="For training memory: the stage of ZeRO, with which n_d ranks share it (1 to 3).")]
Recomputation = Annotated[
    Literal["none", "selective", "full"], typer.Option(help="For training and activations: what the backward pass computes again.")
]
Per = Annotated[
    Literal["batch", "sequence", "token"],
    typer.Option(help="For operations: those of B sequences of L tokens, or divided by B, or among all tokens."),
]
TensorParallel = Annotated[bool, typer.Option("--tensor-parallel", help="For activations: n_t ranks share them; so does --where n_t=8.")]
SequenceParallel = Annotated[
    bool, typer.Option("--sequence-parallel", help="For activations: the ranks share them along the sequence too.")
]
Convention = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Count as a tool does, in its own unit: thop, ptflops, ptflops-aten, fvcore, torch, calflops, deepspeed; "
        "or as a paper does: kaplan, chinchilla, megatron, palm, electra.",
    ),
]
Implementation = Annotated[
    Literal["eager", "sdpa"], typer.Option(help="For a convention: attention as products, or as one call of torch's.")
]
Other = Annotated[str | None, typer.Argument(metavar="MODEL", help="The other model; none beside two conventions.")]
Conventions = Annotated[
    tuple[str, str] | None, typer.Option(metavar="NAME NAME", help="What the second tool counts more than the first, of one model.")
]
About = Annotated[str | None, typer.Option(metavar="NAME", help="The architecture or class that the documents are about.")]
AboutConfig = Annotated[str | None, typer.Option(metavar="CONFIG", help="Its config.json or preset, for the numbers; or - .")]
Holding = Annotated[
    list[str] | None,
    typer.Option("--where", "-w", metavar="STATEMENT", help="A relation (I=4H) or value (N=12) that holds in them; may be repeated."),
]
Symbols = Annotated[
    list[str] | None, typer.Option(metavar="NAME=LETTER", help="What a name of the author's stands for (C=H); may be repeated.")
]
Language = Annotated[str, typer.Option(metavar="NAME", help="en for English, zh for Chinese.")]
Formats = Annotated[Format, typer.Option("--format", "-f", help="How to write it.")]
By = Annotated[str | None, typer.Option(metavar="LETTER", help="The letter to collect by; else the one that gives the shortest line.")]
Dialect = Annotated[
    Literal["tex", "github", "myst", "mkdocs"] | None,
    typer.Option(help="For markdown: how formulas are marked; tex is dollar signs, which most read."),
]
Fragment = Annotated[
    bool, typer.Option("--fragment", help="For latex and html: without what makes it a document, to be put into another one.")
]
Output = Annotated[str | None, typer.Option("--output", "-o", metavar="FILE", help="Write to this file instead of standard output (-).")]
Ascii = Annotated[bool, typer.Option("--ascii", help="Write text in ASCII; done by itself where the terminal knows nothing else.")]


MEASURING: dict[str, tuple[Any, Any]] = {
    "measure": (Measure, "parameters"),
    "attention": (Attention, "full"),
    "number_format": (NumberFormat, "bfloat16"),
    "optimizer": (Optimizer, "adam-mixed"),
    "zero": (Zero, 0),
    "recomputation": (Recomputation, "none"),
    "per": (Per, "batch"),
    "tensor_parallel": (TensorParallel, False),
    "sequence_parallel": (SequenceParallel, False),
    "convention": (Convention, None),
    "implementation": (Implementation, "eager"),
}
"""The options on what is measured, with their defaults: those of `symparam.measures.choosing.Options`."""

WRITING: dict[str, tuple[Any, Any]] = {
    "format": (Formats, "text"),
    "dialect": (Dialect, None),
    "fragment": (Fragment, False),
    "ascii": (Ascii, False),
    "output": (Output, None),
}
"""The options on how it is written."""


def spelled_out(run: Callable[..., Any], command: Callable[..., Any], *groups: Mapping[str, tuple[Any, Any]]) -> Callable[..., Any]:
    """``run`` with the parameters of the command and those of the groups, as Typer wants them: each by its name.

    The first group belongs to commands that take any further options; the others to all.
    """
    own = inspect.signature(command, eval_str=True)
    parameters = [each for each in own.parameters.values() if each.kind is not inspect.Parameter.VAR_KEYWORD]
    if len(parameters) == len(own.parameters):
        groups = groups[1:]
    for group in groups:
        parameters += [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
            for name, (annotation, default) in group.items()
        ]

    def spelled(**given: Any) -> Any:
        return run(**given)

    spelled.__doc__ = command.__doc__
    spelled.__signature__ = own.replace(parameters=parameters, return_annotation=None)  # type: ignore[attr-defined]
    return spelled
