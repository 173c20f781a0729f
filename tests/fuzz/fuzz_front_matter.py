"""Any bytes as what a document says to the checker: its front matter, and remarks in its lines. See README.md."""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["symparam", "yaml"]):
    from symparam.documents.check import check_document
    from symparam.documents.reading.source import Source
    from symparam.errors import SymparamError

PAGE = "\n\n30,522 × 768 = 23,440,896\n\n2 × 3 = 7 <!-- symparam: {} -->\n\n<!-- symparam: {} -->\n4H² + 2 = 5\n"


def one(data: bytes) -> None:
    text = data.decode("utf-8", "surrogateescape")
    front, _, remark = text.partition("\0")
    pages = (f"---\n{front}\n---" + PAGE.format("ignore", remark), f"---\nsymparam:\n  {front}\n---" + PAGE.format(remark, "ignore"))
    for page in pages:
        try:
            check_document(Source("page.md", page))
        except SymparamError as error:
            assert len(str(error)) > 10


atheris.Setup(sys.argv, one)
atheris.Fuzz()
