"""Operations in rules that the class itself was never seen to do: they may fit the builds by chance."""

from __future__ import annotations

from collections.abc import Iterable

from symparam.models.traced.expressions import Expression, keys_of, parts
from symparam.models.traced.network import ModuleRule, expressions_in
from symparam.models.tracing.observation import Observation

COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
LIKELY_BY_CHANCE = ("compared", "in", "sum", "max", "min", "%")
"""Operations that give so few different values, or of so many settings, that one of them fits whatever is sought."""


def invented(root: ModuleRule, observations: Iterable[Observation]) -> set[Expression]:
    """The operations by which the rules compare or combine settings that the class combined in this way in no build."""
    found = {each for rule in dict.fromkeys(expressions_in(root)) for each in _operations(rule)}
    if not found:
        return found
    computed = dict.fromkeys(each for build in observations for each in (*build.met, *build.asked))  # Most builds compute the same.
    done = {(_kind(each), keys_of(each)) for expression in computed for each in _operations(expression)}
    return {each for each in found if (_kind(each), keys_of(each)) not in done}


def _operations(expression: Expression) -> Iterable[tuple[Expression, ...]]:
    """The operations in it that may fit by chance, but for the words of settings, which have no other way to be told apart."""
    for each in parts(expression):
        if isinstance(each, tuple) and _kind(each) in LIKELY_BY_CHANCE and keys_of(each) and not isinstance(each[-1], str):
            yield each


def _kind(operation: tuple[Expression, ...]) -> str:
    return "compared" if operation[0] in COMPARISONS else str(operation[0])
