"""Times the checking of documents: how it grows with their length, and in comparison with scripts that one would write instead.

Processor time is measured, as a run takes seconds, in which other programs run, too.
"""

from __future__ import annotations

import ast
import operator
import random
import re
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import cycle
from pathlib import Path

import sympy
from markdown_it import MarkdownIt
from sympy.parsing.sympy_parser import convert_xor, implicit_multiplication, parse_expr, standard_transformations
from timing import Row, insist, timed

from symparam.api import check_text, explain
from symparam.documents.checking.finding import Verdict

PART = "check"
DERIVATIONS = Path(__file__).parents[1] / "derivations"
SMALLEST, DOUBLED = 15_625, 8  # 15.625 kB, doubled eight times, is 4 MB.
MOST = 1_000_000  # Bytes checked for one median; a larger document is checked once, after one run that is not counted.
BESIDE_SYMPY = 15_625
SECONDS_PER_MEGABYTE = 3
TIMES_MARKDOWN = 5  # The times that a Markdown parser takes for the same text.
MODELS = ("bert-base-uncased", "gpt2", "bloom-560m", "openai-gpt")
WRONG_EVERY = 100  # One claim in this many is wrong.


def rows(runs: int) -> Iterator[Row]:
    """The lines of this part of the table."""
    whole = document(SMALLEST * 2**DOUBLED)
    before: tuple[str, float] | None = None
    for doubled in range(DOUBLED + 1):
        size = SMALLEST * 2**doubled
        text = beginning(whole, size)
        insist(all(is_off(finding.left, finding.right) for finding in check_text(text).wrong), "a claim that holds is called wrong")
        taken = timed({"ours": partial(check_text, text)}, {}, max(1, min(runs, MOST // size)), time.process_time)["ours"]
        name, speed = f"check {_shown(size)} of derivations", f"{taken / size * 1e6:.2f} s for each MB"
        if before:
            yield Row(PART, name, taken, before[0], before[1], aim=2.2, note=speed)
        if size == 1_000_000:
            yield Row(PART, name, taken, "three seconds", SECONDS_PER_MEGABYTE, aim=1, note=_claims(text))
            yield _beside(text, taken, "regular expressions and ast, numbers only", by_ast, runs)
            yield _beside_markdown(size, runs)
        if size == BESIDE_SYMPY:
            yield _beside(text, taken, "parse_expr of both sides and simplify", by_sympy, 1)
        before = f"check {_shown(size)}", taken


# The documents.


def document(size: int) -> str:
    """A document of at least this many bytes: explanations of models, and chains, lists and tables of random numbers, with one wrong claim
    in a hundred.
    """
    generator = random.Random(0)
    parts: list[Callable[[], str]] = [
        *(partial(str, explain(model, language=language)) for model in MODELS for language in ("en", "zh")),
        *(partial(made, generator) for made in (_chains, _list, _table, _tex, _prose) * 6),
    ]
    found: list[str] = []
    length = 0
    for part in cycle(parts):
        found.append(part())
        length += len(found[-1].encode()) + 2
        if length > size:
            return "\n\n".join(found)
    raise AssertionError


def beginning(text: str, size: int) -> str:
    """The whole lines within this many bytes of the text."""
    return text.encode()[:size].decode(errors="ignore").rpartition("\n")[0] + "\n"


def _product(generator: random.Random) -> tuple[int, int, int]:
    first, second = generator.randrange(1001, 60_000, 2), generator.randrange(129, 9_000, 2)
    return first, second, first * second + (6 if generator.randrange(WRONG_EVERY) == 0 else 0)


def _chains(generator: random.Random) -> str:
    lines = []
    for _ in range(12):
        first, second, product = _product(generator)
        bias = generator.randrange(11, 999, 2)
        lines.append(f"The matrix has {first:,} × {second:,} = {product:,} weights.")
        lines.append(f"{first} * {second} + {bias} = {first * second + bias:,}")
    return "\n".join(lines)


def _list(generator: random.Random) -> str:
    sizes = [generator.randrange(1001, 90_000_000) for _ in range(8)]
    return "\n".join((*(f"- block {at}: {size:,}" for at, size in enumerate(sizes)), f"- Total: {sum(sizes):,}"))


def _table(generator: random.Random) -> str:
    head = "| Module | Formula | Parameters |\n|---|---|---|\n"
    found = [_product(generator) for _ in range(10)]
    return head + "\n".join(f"| layer {at} | {first} × {second} | {product:,} |" for at, (first, second, product) in enumerate(found))


def _tex(generator: random.Random) -> str:
    lines = []
    for _ in range(6):
        first, second, product = _product(generator)
        grouped = f"{product:,}".replace(",", "{,}")
        lines.append(rf"$$P_{{\text{{ffn}}}} = {first} \times {second} = {grouped}$$")
    return "\n\n".join(lines)


def _prose(generator: random.Random) -> str:
    words = ("the", "model", "each", "of", "its", "layers", "reads", "all", "tokens", "before", "and", "behind", "one", "attention", "head")
    return "\n".join(" ".join(generator.choices(words, k=14)).capitalize() + "." for _ in range(8))


# What one would write without symparam. None of it reads tables, lists, units, letters with values or TeX.

_CLAIM = re.compile(r"([0-9][0-9,. ×*/+()-]*)=\s*([0-9][0-9,]*)")
_OPERATIONS: dict[type[ast.operator], Callable[[int | Fraction, int | Fraction], int | Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: Fraction,
}


def by_ast(text: str) -> tuple[int, int]:
    """The number of claims ``numbers = number`` on one line, and the number of wrong ones."""
    found = wrong = 0
    for match in _CLAIM.finditer(text):
        left, right = (side.replace(",", "").replace("×", "*").strip() for side in match.groups())
        try:
            holds = _worked_out(ast.parse(left, mode="eval").body) == int(right)
        except (SyntaxError, ValueError, KeyError):
            continue
        found += 1
        wrong += not holds
    return found, wrong


def _worked_out(node: ast.expr) -> int | Fraction:
    match node:
        case ast.Constant(int(value)):
            return value
        case ast.BinOp(left, sign, right):
            return _OPERATIONS[type(sign)](_worked_out(left), _worked_out(right))
    raise ValueError


def by_sympy(text: str) -> tuple[int, int]:
    """`by_ast` with SymPy's parser, which also reads letters, but evaluates its input and so is unsafe for other people's documents."""
    found = wrong = 0
    using = (*standard_transformations, implicit_multiplication, convert_xor)
    for line in text.splitlines():
        left, sign, right = line.rpartition("=")
        try:
            sides = (left.rpartition("=")[2], right)
            first, second = (parse_expr(side.replace(",", "").replace("×", "*"), transformations=using) for side in sides)
            difference = sympy.simplify(first - second) if sign else None
        except Exception:  # Text in place of code may raise anything.
            continue
        if difference is not None:
            found += 1
            wrong += difference.is_number and difference != 0
    return found, wrong


def _beside(text: str, taken: float, name: str, script: Callable[[str], tuple[int, int]], runs: int) -> Row:
    theirs = timed({"theirs": partial(script, text)}, {}, runs, time.process_time)["theirs"]
    found, wrong = script(text)
    note = f"{_claims(text)}; there {found:,} read, {wrong:,} wrong"
    return Row(PART, f"check {_shown(len(text.encode()))} of derivations", taken, name, theirs, note=note)


def _beside_markdown(size: int, runs: int) -> Row:
    """The derivations of this repository, repeated to this size, beside a parser of Markdown."""
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(DERIVATIONS.rglob("*.md")))
    text = beginning(text * (1 + size // len(text)), size)
    parse = MarkdownIt("commonmark").enable("table").parse
    actions: dict[str, Callable[[], object]] = {"ours": partial(check_text, text), "theirs": partial(parse, text)}
    taken = timed(actions, {}, max(1, min(runs, 3)), time.process_time)
    what = f"check {_shown(size)} of derivations/"
    return Row(PART, what, taken["ours"], "markdown-it-py parses the same text", taken["theirs"], aim=TIMES_MARKDOWN)


def is_off(left: str, right: str) -> bool:
    """Whether this claim of the document is one of those made too large by six."""
    stated = int(right.replace(",", "").replace("{}", ""))
    return by_ast(f"{left.replace(chr(92) + 'times', '×')} = {stated - 6}") == (1, 0)


def _claims(text: str) -> str:
    counts = check_text(text).documents[0].counts
    return f"{sum(counts.values()) - counts[Verdict.NOT_READ]:,} claims read, {counts[Verdict.WRONG]:,} wrong"


def _shown(size: int) -> str:
    return f"{size / 1e6:.3g} MB" if size >= 999_000 else f"{size / 1e3:.3g} kB"
