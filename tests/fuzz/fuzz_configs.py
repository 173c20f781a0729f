"""Any bytes as a config.json: it becomes a model whose parameters can be counted, or it ends in a `SymparamError`. See README.md."""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["symparam"]):
    from symparam.analysis.measures.parameters import parameters
    from symparam.core.evaluation import evaluate
    from symparam.errors import SymparamError
    from symparam.models.configs.config_file import parse
    from symparam.models.configs.values import model_from_config


def one(data: bytes) -> None:
    try:
        model = model_from_config(parse(data, "config.json"))
    except SymparamError:
        return
    assert evaluate(parameters(model.architecture).closed_form("expanded"), model.values) > 0


atheris.Setup(sys.argv, one)
atheris.Fuzz()
