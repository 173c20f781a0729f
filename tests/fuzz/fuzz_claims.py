"""Pieces of derivations glued together: the page is checked and its report written in every format, the same each time. See README.md."""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["symparam"]):
    from symparam.documents.check import check_document
    from symparam.documents.reading.source import Source
    from symparam.errors import SymparamError
    from symparam.results.check import FORMATS, CheckResult

NUMBERS = ["0", "1", "2", "12", "64", "768", "3072", "30,522", "30522", "23,440,896", "589,824", "2,359,296", "109,482,240", "1.5", "0.0001",
           "7,087,872", "1e9", "1e-300", "9" * 40, "1,23,456", "2³²", "10^{9}", "103.7", "117", "50257", "1 000 000", "1.000.000", "007"]  # fmt: skip
UNITS = [
    "M",
    "B",
    "K",
    "%",
    " GB",
    " MiB",
    "k",
    "万",
    "亿",
    " FLOPs",
    " MACs",
    " bytes",
    " million",
    " Mio.",
    "億",
    "GFLOPs",
    " bits",
    " s",
]
SIGNS = ["+", "-", "−", "*", "×", " x ", "·", "/", "÷", "^", "**", "=", "≈", "~", "==", ":=", "≠", "->", ":", "<", "<=", "±", "–", "…"]
BRACKETS = ["(", ")", "[", "]", "{", "}", "（", "）", "<sup>2</sup>", "²", "⁻¹", "【", "】", "|", "`", "$", "$$", "**", "*", "_", "~~"]
NAMES = [
    "H",
    "N",
    "L",
    "V",
    "d",
    "h",
    "hidden_size",
    "n_layer",
    "d_{model}",
    "d_ff",
    "total_params",
    "LN",
    "LH",
    "a",
    "b_1",
    "α",
    "vocab_size",
]
WORDS = [" layers", " params", "Total", "total: ", "合计", "参数", "每层", "embedding", "bias", " per token", " and ", "about ", "约", "i.e. ",
         "итого ", "합계 ", "Gesamt: ", "where ", "each ", "the sum of ", "sqrt", "max", "Formula", "Parameters", "shape", "of "]  # fmt: skip
LAYOUT = ["\n", "\n\n", "\r\n", " ", "  ", "\t", "\n- ", "\n  - ", "\n1. ", "\n# ", "\n> ", "\n| ", " | ", "|\n|---|---|\n", "\n```\n", "\n---\n",
          "\n* ", "\n+ ", "\n= ", "<br>", "<td>", "</td>", "<tr>", "</tr>", "<!--", "-->", "&times;", "&nbsp;", "\u200b", "\u202e", "\f"]  # fmt: skip
COMMANDS = ["\\times ", "\\cdot ", "\\frac{", "}{", "\\text{", "\\mathbf{", "\\left(", "\\right)", "\\approx ", "\\\\", "&=", "{,}", "\\,", "_{",
            "^{", "\\begin{aligned}", "\\end{aligned}", "\\sum_{i=1}^{N}", "\\underbrace{", "\\quad ", "\\%", "\\[", "\\]", "\\tag{1}"]  # fmt: skip
PIECES = [*NUMBERS, *UNITS, *SIGNS, *BRACKETS, *NAMES, *WORDS, *LAYOUT, *COMMANDS]


def page(data: bytes) -> str:
    """Each byte is a piece; those beyond the pieces are the claim that one number is the product of two others."""
    found = []
    for at, byte in enumerate(data):
        if byte < len(PIECES):
            found.append(PIECES[byte])
        else:
            first, second = byte % 97, data[at - 1]
            found.append(f"{first} × {second} = {first * second + (byte % 5 == 0)}")
    return "".join(found)


def one(data: bytes) -> None:
    text = page(data[:1000])
    try:
        document = check_document(Source("page.md", text))
    except SymparamError:
        return
    assert document.findings == check_document(Source("page.md", text)).findings
    for finding in document.findings:
        assert finding.text == text[finding.start : finding.end]
    for name in FORMATS:
        assert CheckResult((document,)).write(name)


atheris.Setup(sys.argv, one)
atheris.Fuzz()
