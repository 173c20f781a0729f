"""The labels of the corpus: each verdict computed again by rational numbers, without the checker that is measured by them."""

from __future__ import annotations

import ast
import json
import operator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

CORPUS = Path(__file__).parent / "corpus"
OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
LABELS = [
    (path, claim)
    for path in sorted(CORPUS.rglob("*.json"))
    for claim in json.loads(path.read_text(encoding="utf-8"))["claims"]
    if "value" in claim
]


def exact(node: ast.expr) -> Fraction:
    """The value of sums, products, quotients and whole powers of numbers."""
    if isinstance(node, ast.Constant):
        return Fraction(str(node.value))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -exact(node.operand)
    assert isinstance(node, ast.BinOp), ast.dump(node)
    left, right = exact(node.left), exact(node.right)
    return left ** int(right) if isinstance(node.op, ast.Pow) else OPERATORS[type(node.op)](left, right)


def verdict(claim: dict[str, Any]) -> str:
    """``ok``: equal in one of the units; ``approx-ok``: rounds to the stated digits, or is cut to them, in one; else ``wrong``."""
    value = exact(ast.parse(claim["value"], mode="eval").body)
    digits, _, exponent = claim["stated"].lower().partition("e")
    scale = Fraction(10) ** int(exponent or 0)
    stated, last = Fraction(digits) * scale, scale / 10 ** len(digits.partition(".")[2])
    found = [value / exact(ast.parse(unit, mode="eval").body) - stated for unit in claim["units"]]
    if 0 in found:
        return "ok"
    return "approx-ok" if any(abs(rest) <= last / 2 or 0 <= rest < last for rest in found) else "wrong"


def test_there_is_something_to_measure() -> None:
    """Half of what has been written since is held out, and both halves have right and wrong claims."""
    for folder in (CORPUS, CORPUS / "held-out"):
        assert {claim["verdict"] for path, claim in LABELS if path.parent == folder} == {"ok", "approx-ok", "wrong"}


@pytest.mark.parametrize("path", sorted({path for path, _ in LABELS}), ids=lambda path: path.stem)
def test_every_label_is_true(path: Path) -> None:
    """The verdict follows from the numbers, and what is stated stands on the last line of the claim."""
    page = next(each for each in path.parent.glob(f"{path.stem}.*") if each.suffix != ".json")
    lines = page.read_text(encoding="utf-8").splitlines()
    for claim in (claim for at, claim in LABELS if at == path):
        assert claim["verdict"] == verdict(claim), claim
        assert claim["lines"] == sorted(claim["lines"]), claim
        assert lines[claim["lines"][-1] - 1] == claim["line"], claim
        assert claim["rhs"] in claim["line"], claim
