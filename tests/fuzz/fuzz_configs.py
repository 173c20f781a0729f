"""Any bytes as a config.json: it becomes a model whose parameters can be counted, or it ends in a `SymparamError`. See README.md."""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["symparam"]):
    from symparam.configs.document import parse
    from symparam.configs.values import model_from_config
    from symparam.errors import SymparamError
    from symparam.evaluation import evaluate
    from symparam.measures.parameters import parameters


def one(data: bytes) -> None:
    try:
        model = model_from_config(parse(data, "config.json"))
    except SymparamError:
        return
    assert evaluate(parameters(model.architecture).closed_form("expanded"), model.values) > 0


atheris.Setup(sys.argv, one)
atheris.Fuzz()
