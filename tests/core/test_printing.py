"""Formulas and derivations in SymPy's own printers."""

from __future__ import annotations

import pytest
import sympy

from symparam import derive
from symparam.core.parsing.reader import read_formula


def test_latex_is_that_of_the_formula() -> None:
    found = derive("gpt2", where=["I=4H"])
    assert sympy.latex(found) == found.latex == "(13N + P + V + 2)H + 12NH^{2}"
    assert sympy.latex(derive("DeiTModel", measure="flops")).startswith("\\text{at least }")


@pytest.mark.parametrize("written", ["H + 2", "2HN", "H^2", "H/2"])
def test_kinds_of_formulas_are_not_taken_for_classes_of_sympy(written: str) -> None:
    formula = read_formula(written)
    assert sympy.sstr(formula) == sympy.sstr(formula.expr)
    assert sympy.pretty(formula) == sympy.pretty(formula.expr)
    assert sympy.srepr(formula) == sympy.srepr(formula.expr)
    for printer in ("content", "presentation"):
        assert sympy.mathml(formula, printer=printer) == sympy.mathml(formula.expr, printer=printer)
    assert sympy.latex(formula) == formula.latex
