"""Functions that pages name in calculations, and the values of those that are calculated: the square root and whole numbers nearby."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil, floor, isqrt

from symparam.core.evaluation import evaluate
from symparam.core.formula import Formula
from symparam.core.parsing.lexer import Token
from symparam.documents.reading.expression import Literal
from symparam.errors import FormulaError

FUNCTIONS = frozenset(
    """abs ceil cos cosh erf exp fact factorial floor gamma gelu int lb len lg ln log log10 log2 max mean min mod prod relu round
    sigmoid sign silu sin sinh softmax softplus sqrt sum tan tanh trunc""".split()  # noqa: SIM905
)  # Their value is not the number in the bracket after them.
SQUARE_ROOT = "sqrt"
_CALCULATION = r"[^{}A-Za-z\\\n]|\\(?:times|cdot|[dt]?frac)(?![A-Za-z])|(?<=\d)[eE](?=[-+]?\d)"
_IN_BRACES = rf"\{{(?>(?:{_CALCULATION}){{0,60}})\}}"
_IN_BRACES = rf"\{{(?>(?:{_CALCULATION}|{_IN_BRACES}){{0,60}})\}}"
OF_A_ROOT = re.compile(rf"\{{(?>(?:{_CALCULATION}|{_IN_BRACES}){{1,60}})\}}")
"""A calculation in braces, which has no letters, with up to two levels of braces inside."""
CALCULATED = {SQUARE_ROOT: "square-root", "ceil": "whole-number", "floor": "whole-number"}
"""The functions of numbers that are calculated, each with its rule."""
_OPERATORS = ("\\operatorname", "\\mathbb")
_EXPECTATIONS, _VARIABLES = ("E", "Var", "Cov"), "XYZxyz"
_DIGITS = 30  # Of a root that is no fraction.
_LARGEST = 10**100


def is_operator(text: str, name: Token, within: Sequence[Token]) -> bool:
    """Whether a letter before a bracket with these tokens may be an operator: it is written as one, or is the expectation of ``E(XY)``."""
    names = (str(each.value) for each in within if each.kind == "name")
    return text.startswith(_OPERATORS, name.start) or (name.value in _EXPECTATIONS and any(each[0] in _VARIABLES for each in names))


def is_argument(tokens: Sequence[Token], first: int) -> bool:
    """Whether the name of a function stands before this token, or before a number and a comma: ``max 0, 10 - 5``."""
    behind_comma = first > 2 and tokens[first - 1].value == "," and tokens[first - 2].kind == "number"
    name = tokens[first - 3] if behind_comma else tokens[first - 1]
    return name.kind in ("word", "name") and str(name.value).lower() in FUNCTIONS


def calculated(function: str, argument: Formula, literals: Mapping[str, Literal]) -> Literal | int | Fraction | None:
    """The value of the function of numbers; None if there is none.

    A square root is exact if it is a fraction, and else has thirty digits, or those of the numbers.
    """
    values = {name: literal.usual for name, literal in literals.items()}
    try:
        value = Fraction(evaluate(argument, values))
    except FormulaError:
        return None
    if function != SQUARE_ROOT:
        return ceil(value) if function == "ceil" else floor(value)
    if not 1 <= value * _LARGEST <= _LARGEST**2:
        return None
    exact = Fraction(isqrt(value.numerator), isqrt(value.denominator))
    digits = min((literal.digits for literal in literals.values()), default=_DIGITS)
    if exact**2 == value and not literals:
        return int(exact) if exact.denominator == 1 else exact
    scale = 10**_DIGITS * value.denominator
    root = Fraction(isqrt(value.numerator * value.denominator * (scale // value.denominator) ** 2), scale)
    magnitude = len(str(int(root))) if root >= 1 else 1 - len(str(int(1 / root)))
    return Literal(root, Fraction(10) ** (magnitude - digits), None, digits)
