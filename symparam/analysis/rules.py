"""Rules of thumb for a measure, as formulas, so that their error is one too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import sympy

from symparam.core.dimensions import B, H, L, N


@dataclass(frozen=True)
class Rule:
    """A rule: what people call it, where it comes from, the measure that it is about, and its formula, given the number of parameters.

    ``of_tokens`` says that the formula is for the B sequences of L tokens of a batch.
    """

    name: str
    source: str
    measure: str
    formula: Callable[[sympy.Expr], sympy.Expr]
    of_tokens: bool = False


RULES = (
    Rule("12NH²", "Kaplan et al. 2020, table 1, with I = 4H", "parameters", lambda _: 12 * N * H**2),
    Rule("6ND", "Kaplan et al. 2020, section 2.1", "training-flops", lambda parameters: 6 * parameters * B * L, of_tokens=True),
    Rule("2N per token", "Kaplan et al. 2020, section 2.1", "flops", lambda parameters: 2 * parameters * B * L, of_tokens=True),
    Rule(
        "2N + 4H per position and layer",
        "Chowdhery et al. 2022, appendix B, for a forward pass",
        "flops",
        lambda parameters: 2 * parameters * B * L + 4 * N * H * L**2 * B,
        of_tokens=True,
    ),
)


def rules_for(measure: str) -> tuple[Rule, ...]:
    """The rules that are about a measure."""
    return tuple(rule for rule in RULES if rule.measure == measure)
