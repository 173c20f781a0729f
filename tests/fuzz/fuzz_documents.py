"""Any bytes as a document: it is decoded and checked, or it ends in a `SymparamError`. See README.md."""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["symparam"]):
    from symparam.documents.check import check_document
    from symparam.documents.checking.basis.context import context_of
    from symparam.documents.reading.source import decode
    from symparam.errors import SymparamError

CONTEXTS = [context_of()[0], context_of("bert-base-uncased")[0], context_of("gpt2")[0], context_of(symbols={"C": "H"}, where=["I=4H"])[0]]


def one(data: bytes) -> None:
    if not data:
        return
    try:
        source = decode(data[1:], "document.md")
        checked = check_document(source, CONTEXTS[data[0] % len(CONTEXTS)])
    except SymparamError:
        return
    for finding in checked.findings:
        assert 0 <= finding.start <= finding.end <= len(source.text)
        assert source.place(finding.start) <= source.place(finding.end)
        assert finding.message
        str(finding.gap)


atheris.Setup(sys.argv, one)
atheris.Fuzz()
