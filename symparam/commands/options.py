"""The arguments and options of the commands, each declared once: name, type, help, and the names to complete."""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple, TypedDict

import typer

from symparam.analysis.measures.options import Measuring
from symparam.commands import completion

Model = Annotated[
    str,
    typer.Argument(
        metavar="MODEL",
        help="An architecture (bert), a class (BertForMaskedLM), a preset (bert-base-uncased), a config.json, a file with a printed "
        "model or a listing of tensors, a safetensors or GGUF file, or - for standard input.",
        autocompletion=completion.models,
    ),
]
SecondModel = Annotated[
    str | None, typer.Argument(metavar="MODEL", help="The second model; leave it out with --conventions.", autocompletion=completion.models)
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
Set = Annotated[
    list[str] | None,
    typer.Option(
        metavar="KEY=VALUE",
        help="Replace the value of a letter or a config key (N=16, tie_word_embeddings=true); may be repeated.",
    ),
]
Config = Annotated[
    str | None,
    typer.Option(
        metavar="CONFIG",
        help="A config.json, a preset, or - for standard input, if MODEL is an architecture.",
        autocompletion=completion.presets,
    ),
]
Architecture = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="The architecture or class to use, if MODEL is a preset or a config.json.",
        autocompletion=completion.architectures,
    ),
]
Alphabets = Annotated[
    list[str] | None,
    typer.Option(
        "--alphabet",
        "-a",
        metavar="NAME",
        help="Another author's letters (kaplan, megatron, ...), or one letter changed (P=n_pos); may be repeated.",
        autocompletion=completion.alphabets,
    ),
]
Conventions = Annotated[
    tuple[str, str] | None,
    typer.Option(
        metavar="NAME NAME",
        help="Two conventions for one model: what the second counts minus what the first counts.",
        autocompletion=completion.conventions,
    ),
]
Over = Annotated[
    list[str],
    typer.Option(
        metavar="LETTER=VALUES",
        help="Values of a letter: 16,32,64; 1024..8192:1024 in steps; 1024..131072:x2 doubling. Twice for two letters.",
    ),
]
Also = Annotated[
    list[str] | None,
    typer.Option(metavar="MEASURE", help="Another measure to tabulate next to it; may be repeated.", autocompletion=completion.measures),
]
Unknowns = Annotated[
    list[str] | None, typer.Option("--for", metavar="LETTER", help="The letter to solve for; give it twice to solve for two.")
]
Costs = Annotated[
    tuple[str, str] | None,
    typer.Option(
        metavar="COST COST",
        help="Two costs to compare: measures (kv-cache, weights); operations per token (scores, projections, attention, feed-forward, "
        "head, products); for a decoding step, on a device of F_peak FLOP/s and b_peak bytes/s, compute-time, memory-time, intensity, "
        "ridge; for training on D tokens, on n_g devices at p_u % of F_peak, run-flops, training-time, device-hours. "
        "A cost of another model is written llama:kv-cache or gpt2[I=4H]:feed-forward. The second may be a number.",
    ),
]
EvenFor = Annotated[str | None, typer.Option("--for", metavar="LETTER", help="With two costs: the letter to solve for; default: L.")]
Explain = Annotated[bool, typer.Option("--explain", help="Add the reasons, step by step.")]
NumberFormat = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="With two costs in bytes: the format of their numbers.", autocompletion=completion.number_formats),
]
OneModel = Annotated[
    str | None, typer.Argument(metavar="MODEL", help="A model; without one, the operations are 6ND.", autocompletion=completion.models)
]
Given = Annotated[
    list[str] | None,
    typer.Option(
        "--given",
        "-g",
        metavar="LETTER=NUMBER",
        help="n_p parameters, D tokens, r tokens per parameter, C FLOPs, c FLOPs per token, F_peak FLOP/s of a device, u utilisation, n_g "
        "devices, t seconds, g device-hours, s tokens per second, b_peak bytes/s of a device, A FLOPs per byte at both peaks; may "
        "be repeated.",
    ),
]
BudgetPer = Annotated[
    Literal["token", "sequence"],
    typer.Option("--per", help="What D counts: tokens, or whole inputs of the model (sequences), such as images."),
]
Between = Annotated[
    list[str] | None,
    typer.Option(metavar="FORMULA=RANGE", help="With two unknowns: a condition such as H/N=64..160; may be repeated."),
]
Total = Annotated[
    str | None,
    typer.Option(
        metavar="AMOUNT",
        help="The target of the measure: 124,439,808, 1.3B or 7e9; for bytes 80GB or 8x80GiB; with two unknowns also 6.9B..7.1B.",
    ),
]
AtMost = Annotated[
    str | None,
    typer.Option("--at-most", "--fits", metavar="AMOUNT", help="An upper bound instead of a target: find the largest value that fits."),
]
MultipleOf = Annotated[int, typer.Option(metavar="NUMBER", help="Find only multiples of this number.")]
Publication = Annotated[
    str | None,
    typer.Argument(
        metavar="NAME", help="The publication (kaplan, chinchilla, megatron, ...); default: all.", autocompletion=completion.publications
    ),
]
Word = Annotated[str | None, typer.Argument(metavar="WORD", help="List only names that contain this.")]
Language = Annotated[str, typer.Option(metavar="NAME", help="en for English, zh for Chinese.", autocompletion=completion.languages)]
ReportLanguage = Annotated[
    str | None,
    typer.Option(
        "--language",
        metavar="NAME",
        help="The language of the report, en or zh; default: that of the document's front matter.",
        autocompletion=completion.languages,
    ),
]
By = Annotated[str | None, typer.Option(metavar="LETTER", help="The letter to collect by; default: the one that gives the shortest line.")]
Form = Annotated[
    Literal["readable", "by-symbol", "nested", "named", "leading", "expanded", "factored", "by-module"],
    typer.Option(
        help="The kind of closed form: readable is collected by one letter, or nested where that is much shorter; named abbreviates "
        "attention and feed-forward parts and defines them after it; leading is the largest term times a correction."
    ),
]

Rank = Annotated[str | None, typer.Option("--lora", metavar="RANK", help="Add adapters (LoRA) of this rank: r=16, or r to leave it open.")]
Adapted = Annotated[
    list[str] | None,
    typer.Option(
        "--lora-on",
        metavar="NAMES",
        help="The matrices that get an adapter: q_proj,v_proj, or all-linear; --measure adapter-parameters counts what they add.",
    ),
]

CheckedArchitecture = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="The architecture or class that the documents are about.", autocompletion=completion.architectures),
]
CheckedConfig = Annotated[
    str | None,
    typer.Option(
        metavar="CONFIG", help="The config.json or preset with its numbers, or - for standard input.", autocompletion=completion.presets
    ),
]
Assumptions = Annotated[
    list[str] | None,
    typer.Option("--where", "-w", metavar="STATEMENT", help="A relation (I=4H) or value (N=12) that holds in them; may be repeated."),
]
Symbols = Annotated[
    list[str] | None, typer.Option("--symbol", metavar="NAME=LETTER", help="The meaning of a name in the documents (C=H); may be repeated.")
]

ComparedMeasure = Annotated[
    str,
    typer.Option(
        "--measure",
        "-m",
        metavar="NAME",
        help="The measure to compare: flops, kv-cache, ..., as for count.",
        autocompletion=completion.measures,
    ),
]
CheckedMeasure = Annotated[
    str | None,
    typer.Option(
        "--measure",
        "-m",
        metavar="NAME",
        help="What the numbers count, where the documents do not say: flops, kv-cache, ..., as for count.",
        autocompletion=completion.measures,
    ),
]
CheckedConvention = Annotated[
    str | None,
    typer.Option(
        "--convention",
        metavar="NAME",
        help="The tool or paper whose way of counting the numbers follow: thop, torch, kaplan, ..., as for count.",
        autocompletion=completion.conventions,
    ),
]

Without = Annotated[
    list[str] | None,
    typer.Option(
        metavar="RULE", autocompletion=completion.rules, help="A rule to switch off (symparam rules lists them); may be repeated."
    ),
]

Format = Annotated[
    Literal["text", "latex", "mathml", "markdown", "rst", "html", "json"], typer.Option("--format", "-f", help="Output format.")
]
FormatOfFormula = Annotated[
    Literal["text", "latex", "mathml", "markdown", "rst", "json"], typer.Option("--format", "-f", help="Output format.")
]
FormatOrNumber = Annotated[
    Literal["text", "number", "latex", "mathml", "markdown", "rst", "html", "json"] | None,
    typer.Option("--format", "-f", help="Output format; number is the total alone. Default: text, or number with --unit."),
]
FormatOfTable = Annotated[
    Literal["text", "csv", "latex", "mathml", "markdown", "rst", "html", "json"], typer.Option("--format", "-f", help="Output format.")
]
Chart = Annotated[
    str | None, typer.Option(metavar="FILE", help="Also draw a chart, into a file ending in .svg, .png or .html; needs symparam[charts].")
]
Dark = Annotated[bool, typer.Option("--dark", help="Draw the chart light on dark. HTML follows the reader's theme.")]
Unit = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="The unit of the total: K, M, B, T, G, P; for bytes KB, MB, GB, TB, KiB, MiB, GiB, TiB.",
        autocompletion=completion.units,
    ),
]
Digits = Annotated[int | None, typer.Option(metavar="NUMBER", help="The decimals shown with --unit; default: 1.")]
Dialect = Annotated[
    Literal["tex", "github", "myst", "mkdocs"] | None,
    typer.Option(help="For markdown: how formulas are delimited; tex means dollar signs, which most renderers read."),
]
Fragment = Annotated[bool, typer.Option("--fragment", help="For latex and html: a part to include in another document.")]
Output = Annotated[str | None, typer.Option("--output", "-o", metavar="FILE", help="Write to this file instead of standard output (-).")]
Ascii = Annotated[bool, typer.Option("--ascii", help="Write text in ASCII, for terminals that support nothing else.")]


class Declared(NamedTuple):
    """An option of a group that several commands share."""

    annotation: object
    default: object


WRITING = {
    "format": Declared(Format, "text"),
    "dialect": Declared(Dialect, None),
    "fragment": Declared(Fragment, False),
    "ascii": Declared(Ascii, False),
    "output": Declared(Output, None),
}
"""The options on how an answer is written."""

WRITING_A_FORMULA = {**WRITING, "format": Declared(FormatOfFormula, "text")}
"""The options of a command whose answer is a formula alone, without a page around it."""

WRITING_A_NUMBER = {**WRITING, "format": Declared(FormatOrNumber, None), "unit": Declared(Unit, None), "digits": Declared(Digits, None)}
"""The options of a command whose answer has a total."""

WRITING_A_TABLE = {**WRITING, "format": Declared(FormatOfTable, "text"), "chart": Declared(Chart, None), "dark": Declared(Dark, False)}
"""The options of a command whose answer is a table of numbers that can be drawn."""

FormatOfDrawing = Annotated[
    Literal["svg", "latex"] | None, typer.Option("--format", "-f", help="Output format; default: the one that the file name ends in.")
]
DarkDrawing = Annotated[bool, typer.Option("--dark", help="Draw light on dark. Without it, SVG follows the reader's theme.")]
OutputOfDrawing = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write to this file, .svg, .tex or .png (needs symparam[charts]), instead of standard output.",
    ),
]
WRITING_A_DRAWING = {
    "format": Declared(FormatOfDrawing, None),
    "fragment": Declared(Annotated[bool, typer.Option("--fragment", help="For latex: only the picture, to include in a document.")], False),
    "dark": Declared(DarkDrawing, False),
    "output": Declared(OutputOfDrawing, None),
}
"""The options of a drawing."""


REASONS = {"explained": Declared(Explain, None)}
"""The options of a command whose answer has reasons."""

ABOUT = {
    "where": Declared(Where, None),
    "set": Declared(Set, None),
    "config": Declared(Config, None),
    "architecture": Declared(Architecture, None),
    "alphabet": Declared(Alphabets, None),
}
"""The options on the model that a question is about. With ``architecture``, which the API does without, the model is the config."""


class About(TypedDict, total=False):
    """The options in `ABOUT` that a function of the API takes, by name and type: the type of a command's ``**about``, which has those that
    were given.
    """

    where: list[str]
    set: list[str]
    config: str
    alphabet: list[str]


class Asked(About, Measuring, total=False):
    """`About` with the options on what is measured: the type of a command's ``**asked``."""


CHECKED = {
    "architecture": Declared(CheckedArchitecture, None),
    "config": Declared(CheckedConfig, None),
    "where": Declared(Assumptions, None),
    "set": Declared(Set, None),
    "alphabet": Declared(Alphabets, None),
    "symbols": Declared(Symbols, None),
    "measure": Declared(CheckedMeasure, None),
    "convention": Declared(CheckedConvention, None),
    "without": Declared(Without, None),
    "language": Declared(ReportLanguage, None),
}
"""The options on what documents that are checked are about."""


class Checked(TypedDict, total=False):
    """The options in `CHECKED`, by name and type: the type of a command's ``**checked``."""

    architecture: str
    config: str
    where: list[str]
    set: list[str]
    alphabet: list[str]
    symbols: list[str]
    measure: str
    convention: str
    without: list[str]
    language: str
