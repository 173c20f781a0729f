"""Any bytes as a formula: it is read, written, read back and put into its normal form, or it ends in a `FormulaError`. See README.md."""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["symparam"]):
    from symparam.core.algebra.closed_form import by_symbol
    from symparam.core.alphabets import ALPHABETS
    from symparam.core.formula import write
    from symparam.core.notation import ASCII, LATEX, UNICODE
    from symparam.core.parsing.lexer import MAX_LENGTH
    from symparam.core.parsing.reader import read_formula
    from symparam.errors import FormulaError

NAMES = sorted(ALPHABETS)


def one(data: bytes) -> None:
    if not data:
        return
    alphabet = ALPHABETS[NAMES[data[0] % len(NAMES)]]
    try:
        formula = read_formula(data[1:].decode("utf-8", "surrogateescape"), alphabet)
    except FormulaError:
        return
    for notation in (UNICODE, ASCII, LATEX):
        written = write(formula, notation.using(alphabet))
        assert len(written) > MAX_LENGTH or read_formula(written, alphabet) == formula
    try:
        closed = by_symbol(formula.expr)
    except FormulaError:
        return
    assert len(str(closed)) > MAX_LENGTH or read_formula(str(closed)) == closed


atheris.Setup(sys.argv, one)
atheris.Fuzz()
