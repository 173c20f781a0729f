"""Whole derivations, as published or like it: nothing in them is wrong, and each slip is found where it is made, with its reason."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from symparam import check_text
from symparam.writing.findings.gaps import listed
from symparam.writing.wording import ENGLISH

PAGES: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("derivations.toml").read_text(encoding="utf-8"))["page"]
SLIPS = [(page, slip) for page in PAGES for slip in page["slip"]]


@pytest.mark.few(10)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page["source"]))
def test_what_is_right(page: dict[str, Any]) -> None:
    (document,) = check_text(page["page"], **page["said"]).documents
    assert [(each.right, each.message) for each in document.wrong] == []
    assert any(each.code in ("component", "total") for each in document.findings)


@pytest.mark.slow
@pytest.mark.parametrize(("page", "slip"), SLIPS, ids=lambda each: str(each.get("source", each.get("name"))))
def test_what_is_wrong(page: dict[str, Any], slip: dict[str, Any]) -> None:
    text, off = page["page"], set()
    for right, wrong in slip["lines"]:
        at = text.index(f"{right}\n")
        text = f"{text[:at]}{wrong}{text[at + len(right) :]}"
        off.add(text.count("\n", 0, at))
    (document,) = check_text(text, **page["said"]).documents
    found = {text.count("\n", 0, each.start) for each in document.wrong}
    assert found
    assert found <= off  # Nothing else is called wrong.
    gaps = [each.gap.explained_by for each in document.wrong if each.gap is not None]
    assert slip.get("named", "") in " ".join(" ".join(" ".join(listed(each, ENGLISH)) for each in gaps).split())
