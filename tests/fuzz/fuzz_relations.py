"""Any bytes as relations, one a line, and values for their letters: they agree, or they end in a `SymparamError`. See README.md."""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["symparam"]):
    from symparam.core.algebra.relations import relations
    from symparam.core.dimensions import BY_LETTER, MAX_SIZE, symbol
    from symparam.core.parsing.reader import read_relation
    from symparam.errors import SymparamError


def one(data: bytes) -> None:
    if not data:
        return
    try:
        stated = relations([read_relation(line) for line in data[1:].decode("utf-8", "surrogateescape").split("\n")])
        stated.substitute(symbol("H") * symbol("I"))
        given = {letter: data[0] + 1 for letter in BY_LETTER if letter not in stated.resolved}
        values = stated.values(given)
    except SymparamError:
        return
    assert all(isinstance(value, int) and 0 < value <= MAX_SIZE for value in values.values())


atheris.Setup(sys.argv, one)
atheris.Fuzz()
