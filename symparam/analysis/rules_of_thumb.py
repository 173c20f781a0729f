"""Rules of thumb for a measure, as formulas, so that their errors are formulas too."""

from __future__ import annotations

from collections.abc import Callable

import sympy

from symparam.core.algebra.polynomial import polynomial
from symparam.core.dimensions import B, H, I, L, N
from symparam.core.frozen import frozen


@frozen
class RuleOfThumb:
    """A rule of thumb: its name, its source, the measure that it approximates, and its formula, given the number of parameters.

    ``of_tokens`` says that the formula is for the B sequences of L tokens of a batch, and ``applies`` whether the rule is meant for models
    with these parameters. To follow a rule about a ``size``, the size is rounded up to a multiple of ``step``.
    """

    name: str
    source: str
    measure: str
    formula: Callable[[sympy.Expr], sympy.Expr]
    of_tokens: bool = False
    applies: Callable[[sympy.Expr], bool] = lambda _: True
    size: str = ""
    step: int = 1


def _has_layers_of_matrices(parameters: sympy.Expr) -> bool:
    return all(parameters.has(letter) for letter in (N, H))


def _is_gated(parameters: sympy.Expr) -> bool:
    """Whether each layer has exactly three matrices of size H × I."""
    terms = polynomial(parameters)
    return terms is not None and terms.by_powers("I").get(1) == polynomial(3 * H * N)


RULES = (
    RuleOfThumb(
        "12NH²", "Kaplan et al. 2020, arXiv 2001.08361, table 1", "parameters", lambda _: 12 * N * H**2, applies=_has_layers_of_matrices
    ),
    RuleOfThumb(
        "I = 8H/3",
        "Shazeer 2020, GLU Variants Improve Transformer, section 2; the code of Touvron et al. 2023, LLaMA, rounds up to a multiple of 256",
        "parameters",
        lambda parameters: parameters.xreplace({I: 8 * H / 3}),
        applies=_is_gated,
        size="I",
        step=256,
    ),
    RuleOfThumb("6ND", "Kaplan et al. 2020, section 2.1", "training-flops", lambda parameters: 6 * parameters * B * L, of_tokens=True),
    RuleOfThumb("2N per token", "Kaplan et al. 2020, section 2.1", "flops", lambda parameters: 2 * parameters * B * L, of_tokens=True),
    RuleOfThumb(
        "2N + 4H per position and layer",
        "Chowdhery et al. 2022, appendix B, for a forward pass",
        "flops",
        lambda parameters: 2 * parameters * B * L + 4 * N * H * L**2 * B,
        of_tokens=True,
    ),
)


def rules_for(measure: str, parameters: sympy.Expr, of_tokens: bool) -> tuple[RuleOfThumb, ...]:
    """The rules about a measure of a model with these parameters; ``of_tokens`` says whether the model reads tokens."""
    about = (rule for rule in RULES if rule.measure == measure and (of_tokens or not rule.of_tokens))
    return tuple(rule for rule in about if rule.applies(parameters))
