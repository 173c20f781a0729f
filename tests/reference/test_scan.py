"""The convention of VMamba is what its handler has fvcore say of the reference's Mamba models, recurrence of the scan included."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import symparam
from symparam.core.algebra.polynomial import equal
from symparam.core.parsing.reader import read_formula

RECORDED: list[dict[str, Any]] = json.loads((Path(__file__).parent / "scan.json").read_text(encoding="utf-8"))["recordings"]


@pytest.mark.parametrize("recorded", RECORDED, ids=lambda recorded: recorded["label"])
def test_the_number_is_the_one_that_is_reported(recorded: dict[str, Any]) -> None:
    where = [f"{letter}={recorded[letter]}" for letter in ("B", "L")]
    found = {tool: symparam.count(recorded["config"], convention=tool, where=where).total for tool in ("vmamba", "fvcore")}
    assert found["vmamba"] == recorded["total"]
    assert found["fvcore"] < found["vmamba"]


def test_the_scan_is_nine_operations_for_each_number_of_the_states_and_one_for_each_channel() -> None:
    """fvcore by itself sees the readout, a multiplication and an addition for each number of the states."""
    compared = symparam.compare("mamba", conventions=("fvcore", "vmamba"))
    assert equal(compared.difference.expr, read_formula("BLNI(8d_s + 1)").expr)


def test_models_without_a_scan_count_as_fvcore_counts_them() -> None:
    found, other = (symparam.derive("gpt2", convention=tool) for tool in ("vmamba", "fvcore"))
    assert found.expr == other.expr
