"""Published formulas and known slips, in their authors' letters, held against the model that they are about: `published.toml`."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from symparam import Architecture, Linear, Sequential, check_text
from symparam.writing.findings.gaps import listed
from symparam.writing.wording import ENGLISH

TABLE = tomllib.loads(Path(__file__).with_name("published.toml").read_text(encoding="utf-8"))
_OF_MODEL = ("component", "total")


def found(page: str, said: dict[str, Any]) -> tuple[list[str], str]:
    """The codes of what is held against the model or wrong, and the reasons for what is."""
    said = dict(said)
    if sizes := said.pop("linears", None):  # A model of the page's own.
        said["architecture"] = Architecture("net", Sequential(*(Linear(*each, bias=False) for each in sizes)))
    (document,) = check_text(page, **said).documents
    codes = [each.code for each in document.findings if each.code.startswith("wrong") or each.code in _OF_MODEL]
    gaps = [each.gap.explained_by for each in document.wrong if each.gap is not None]
    return codes, " ".join(" ".join(" ".join(listed(each, ENGLISH)) for each in gaps).split())


@pytest.mark.few(30)
@pytest.mark.parametrize("row", TABLE["row"], ids=lambda row: row["source"])
def test_what_was_published(row: dict[str, Any]) -> None:
    codes, reasons = found(row["page"], row["said"])
    assert codes == row["codes"]
    assert [each for each in row.get("gap", []) if each not in reasons] == []


@pytest.mark.slow
@pytest.mark.parametrize("model", TABLE["totals"])
def test_totals(model: str) -> None:
    total = TABLE["totals"][model]
    for stated, code in ((total, "total"), (total + 1, "wrong-total")):
        assert found(f"Total parameters: {stated:,}", {"config": model})[0] == [code]
