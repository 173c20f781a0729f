"""Prints of torch's own classes whose code is known have all of their operations: those that torch's counter sees."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import symparam

WHOLE: dict[str, Any] = json.loads((Path(__file__).parent / "prints.json").read_text(encoding="utf-8"))
WHERE = [f"B={WHOLE['B']}", f"L={WHOLE['L']}"]
RECORDED: list[dict[str, Any]] = WHOLE["recordings"]


@pytest.mark.parametrize("recorded", RECORDED, ids=lambda recorded: recorded["name"])
def test_a_print_has_the_operations_that_the_counter_sees(recorded: dict[str, Any], tmp_path: Path) -> None:
    page = tmp_path / "model.txt"
    page.write_text(recorded["print"] + "\n", encoding="utf-8")
    parameters, operations = symparam.count(page), symparam.count(page, measure="flops", where=WHERE)
    assert (parameters.total, operations.total) == (recorded["parameters"], recorded["FLOPs"])
    assert operations.complete


def test_what_a_class_of_ones_own_does_with_them_is_not_known(tmp_path: Path) -> None:
    """Its layers take what it gives them, in an order that no print shows, so that they need not fit each other: one position at least of
    each of B samples.
    """
    (lstm,) = (each for each in RECORDED if each["name"] == "lstm")
    (encoder,) = (each for each in RECORDED if each["name"] == "layer")
    parts = [line for each in (lstm, encoder) for line in each["print"].splitlines()[2:-1]]
    page = tmp_path / "model.txt"
    page.write_text("\n".join(["Acme(", "  (first): Linear(in_features=3, out_features=4, bias=True)", *parts, ")", ""]), encoding="utf-8")
    page.write_text(page.read_text(encoding="utf-8").replace("  (1): Tr", "  (2): Tr"), encoding="utf-8")
    found = symparam.count(page, measure="flops", where=WHERE)
    assert not found.complete
    # All operations of an LSTM grow as L does; an encoder's layer also has a product of each token with each, in two steps.
    width, tokens = 20, WHOLE["B"] * WHOLE["L"]
    of_encoder = (encoder["FLOPs"] - 4 * tokens * WHOLE["L"] * width) // WHOLE["L"] + 4 * WHOLE["B"] * width
    assert found.total == lstm["FLOPs"] // WHOLE["L"] + of_encoder + 2 * WHOLE["B"] * 3 * 4
