"""Documents for the tests of writers: all families and alphabets, and an architecture of signs that every format reserves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import cycle, product

import sympy

import symparam
from symparam.analysis.counting import Count
from symparam.core.alphabets import ALPHABETS, Alphabet
from symparam.core.dimensions import N
from symparam.core.formula import Formula, Product
from symparam.core.parsing.reader import read_formula
from symparam.results.count import CountResult
from symparam.results.explain import ExplainResult
from symparam.results.result import Result
from symparam.writing.document import Box, Chain, Diagram, Document, Entry, Inline, Line, Node, Paragraph, Shape, Shares, Table
from symparam.writing.explanation import ExplanationSubject

MODELS = ("bert-base-uncased", "BertForMaskedLM", "gpt2", "gpt1", "bloom-560m")
COMBINATIONS = tuple(product(MODELS, ALPHABETS))
DOCUMENTS = tuple(zip(cycle(MODELS), ALPHABETS))  # Each alphabet once, and so each model; for tests that run by default.

# What TeX, XML and Markdown reserve, what they would join (--, ''), and what a terminal would obey.
NASTY = "a_b\\c{d}$e&f#g%h~i^j<k>l|m*n`o\"p'q[r](s)!t u--v w''x $$y$$ \\end{document} \x1b[31m&amp;"
SHOWN = NASTY.replace("\x1b", "")
VALUES = {"V": 7, "H": 6, "N": 2, "my_size": 1234567}
NAMES = {"my_size": "my_size"}


def nasty() -> symparam.Architecture:
    """An architecture whose every name is full of reserved signs."""
    parts = {
        "emb|`*_x": symparam.Embedding("V", "H"),
        "n$%&<b>": symparam.Repeat(N, symparam.Block("B", **{"q#~^": symparam.Linear("H", "my_size"), "--''": symparam.LayerNorm("H")})),
        "[head]": symparam.Tied(symparam.Linear("H", "V"), weight="emb|`*_x.weight"),
    }
    meanings = {"my_size": "1. size <of> my_own & $5 | 100%"}
    return symparam.Architecture(NASTY, symparam.Block("Kind_<&>$%\\x", **parts), "see <http://x_y/~z#a%20b> & more_ *x*", meanings)


def nasty_explained(language: str = "en") -> ExplainResult:
    """Its explanation, with numbers."""
    subject = symparam.explain(nasty()).subject
    count = Count(subject.derivation, VALUES, "conf|ig_*.json")
    return ExplainResult(ExplanationSubject(subject.derivation, subject.model, count), language)


def nasty_counted(language: str = "en") -> CountResult:
    """Its count."""
    subject = nasty_explained().subject
    assert subject.count is not None
    return CountResult(subject.count, subject.model, language)


PARTS = 8  # Of all documents, so that several processes can look at them.


@cache
def everything(combinations: tuple[tuple[str, str], ...] = DOCUMENTS) -> tuple[tuple[str, Result], ...]:
    """Each kind of document for these models and alphabets, in each language, with a name for it."""
    return tuple(_everything(combinations))


def _everything(combinations: tuple[tuple[str, str], ...]) -> Iterator[tuple[str, Result]]:
    for language in ("en", "zh"):
        for model, letters in combinations:
            yield f"explain-{model}-{letters}-{language}", symparam.explain(model, alphabet=letters, language=language)
            yield f"tensors-{model}-{letters}-{language}", symparam.tensors(model, alphabet=letters, language=language)
            if not model.startswith(("Bert", "gpt1")):
                yield f"count-{model}-{letters}-{language}", symparam.count(model, alphabet=letters, language=language)
        for letters in ALPHABETS:
            yield f"letters-{letters}-{language}", symparam.letters(letters, language)
        yield f"list-{language}", symparam.list(language)
        yield f"explain-nasty-{language}", nasty_explained(language)
        yield f"count-nasty-{language}", nasty_counted(language)


def chains(document: Document) -> list[tuple[Formula, ...]]:
    """The chains of equal formulas, in the order of the page."""
    found = (node.chain if isinstance(node, Entry) else node for node in document.without_links)
    return [node.formulas for node in found if isinstance(node, Chain)]


def inline_formulas(document: Document, drawn: bool = False) -> list[sympy.Expr]:
    """What the formulas and shapes inside lines and cells mean, in the order of the page, and in drawings where they are set as such."""
    pieces = (piece for node in document.without_links for line in _lines(node, drawn) for piece in line)
    return [meaning for piece in pieces if (meaning := _meaning(piece)) is not None]


def _lines(node: Node, drawn: bool) -> Iterator[Line]:
    match node:
        case Paragraph(line):
            yield line
        case Entry():
            yield node.reason
        case Table():
            for row in node.rows:
                yield from row
        case Diagram() if drawn:
            yield from (line for box in node.boxes for line in _lines_of(box))
        case Shares() if drawn:
            yield from ((bar.number,) for bar in node.bars)


def _lines_of(box: Box) -> Iterator[Line]:
    yield (box.repeats or "", *(shape for _, shape in box.tensors), *box.note, box.formula or "")
    for inner in box.inside:
        yield from _lines_of(inner)


def _meaning(piece: Inline) -> sympy.Expr | None:
    match piece:
        case Shape(sizes):
            return Product(sizes).expr
        case Formula():
            return piece.expr
    return None


class Reader:
    """Reads written formulas back; one that was read before is remembered."""

    def __init__(self, alphabet: Alphabet) -> None:
        self.alphabet = alphabet
        self.known: dict[str, sympy.Expr] = {}

    def meaning(self, text: str) -> sympy.Expr:
        if text not in self.known:
            self.known[text] = read_formula(text, self.alphabet, NAMES).expr
        return self.known[text]

    def chain(self, text: str) -> list[sympy.Expr]:
        """The meanings of the sides of ``a = b = c``, whose lines may be broken anywhere between signs."""
        return [self.meaning(side) for side in " ".join(text.split()).split(" = ")]


def displays(text: str) -> list[str]:
    """The displayed formulas of Markdown in the dialect ``tex``."""
    return re.findall(r"^\$\$\n(.*?)\n\$\$$", text, re.DOTALL | re.MULTILINE)


def inline(text: str) -> list[str]:
    """The formulas inside its lines, which have no dollar sign of their own; drawings and code spans are not looked into."""
    words = re.sub(r"^(`{3,})text\n.*?\n\1$|^\$\$\n.*?\n\$\$$", "", text, flags=re.DOTALL | re.MULTILINE)
    words = re.sub(r"(?<![\\`])(`+)(?!`).*?(?<!`)\1(?!`)", "", words)
    return re.findall(r"(?<!\\)\$(.*?)(?<!\\)\$", words)


def meanings(chain: tuple[Formula, ...]) -> list[sympy.Expr]:
    return [formula.expr for formula in chain]
