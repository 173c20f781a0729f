"""Judges the parameters that one token uses in a model with experts: ``12.9B are active``, ``激活参数 37B``."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

import sympy

from symparam.core.dimensions import E, K
from symparam.core.formula import Number
from symparam.core.frozen import cached_property, frozen
from symparam.core.message import message
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.sides.number_agreement import Judgement, judge_numbers
from symparam.documents.checking.sides.unit_readings import ClaimSide
from symparam.documents.gaps.arithmetic.stated_number import int_if_whole
from symparam.documents.gaps.gap import Cause, Gap
from symparam.documents.roles.leaves import Leaf, is_in
from symparam.documents.roles.model_parts import ModelParts
from symparam.errors import FormulaError
from symparam.models.resolution import Resolved

_LEFT_OUT = ("token-embedding", "language-model-head", "norm", "router", "attention-norm")
"""Parts that some people do not count among the active ones."""
_ROUNDED = Fraction(1, 100)
_FARTHEST = 3  # A number that differs by more than this factor counts something else.


@frozen
class Active:
    """The active parameters of a model with experts, in every way of counting."""

    chosen: Resolved

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """All of them first, then those without some parts; empty if a token uses the whole model."""
        leaves = [leaf for leaf in self._parts.leaves if not leaf.tied]
        if all(leaf.active == 1 for leaf in leaves):
            return ()
        whole = self._size(leaves)
        less = {self._size([leaf for leaf in leaves if is_in(leaf, part)]) for part in _LEFT_OUT if self._parts.has(part)}
        norms = self._size([leaf for leaf in leaves if leaf.is_norm])
        sizes = sorted({*less, norms} - {0})
        return tuple(dict.fromkeys(whole - sum(some) for count in range(len(sizes) + 1) for some in combinations(sizes, count)))

    @cached_property
    def _parts(self) -> ModelParts:
        return ModelParts.of_tensors(self.chosen.model.architecture, self.chosen.model.values)

    @cached_property
    def _whole(self) -> int:
        """All parameters of the model, whether used or not."""
        return int(self._parts.value(sympy.Add(*(leaf.size * leaf.copies for leaf in self._parts.leaves if not leaf.tied))))

    @property
    def _experts(self) -> list[Leaf]:
        return [leaf for leaf in self._parts.leaves if leaf.active != 1]

    def _size(self, leaves: list[Leaf], times: sympy.Expr = sympy.S.One) -> int:
        return int(self._parts.value(sympy.Add(*(leaf.size * leaf.copies * leaf.active * times for leaf in leaves))))

    def judge(self, side: ClaimSide, value: Fraction | None, is_exact: bool, is_alone: bool) -> Judgement | None:
        """The judgement on a number that the page calls the active parameters; None if it counts something else. That of all parameters is
        wrong if it ``is_alone``, so that no other number of its line may be meant.
        """
        if not self.counts or value is None:
            return None
        reason = message("active-are", name=self.chosen.model.architecture.class_name, total=self.counts[0])
        whole = judge_numbers(ClaimSide(Number(self._whole), {}), side, "=")
        if is_alone and whole.verdict is Verdict.HOLDS:
            return Judgement(Verdict.WRONG, "wrong-total", reason, whole.left, whole.right)
        if not Fraction(1, _FARTHEST) <= value / self.counts[0] <= _FARTHEST:
            return None
        failed: Judgement | None = None
        for count in self.counts:
            try:
                found = judge_numbers(ClaimSide(Number(count), {}), side, "=")
            except FormulaError:
                return None
            if found.verdict is Verdict.HOLDS:
                return Judgement(Verdict.HOLDS, "total", reason, found.left, found.right)
            failed = failed or found
        is_slip = is_alone and any(self._agrees(self.counts[0] + off, side) for _, off in self._causes())
        is_of_experts = value == self._size(self._experts)  # ``The experts have …, of which … are active``.
        if failed is None or is_of_experts or not (is_exact or is_slip):
            return Judgement(Verdict.UNDECIDED, "unclear-subject", message("of-what-is-unclear", said=reason))
        return Judgement(Verdict.WRONG, "wrong-total", reason, failed.left, failed.right)

    def _agrees(self, count: int, side: ClaimSide) -> bool:
        """Whether the side is the number in the digits that it shows."""
        try:
            return judge_numbers(ClaimSide(Number(count), {}), side, "=").verdict is Verdict.HOLDS
        except FormulaError:
            return False

    def gap(self, stated: Fraction) -> Gap:
        """The difference, explained by the number of experts that are counted."""
        is_whole = abs(stated / self._whole - 1) < _ROUNDED
        difference = Fraction(self._whole if is_whole else stated) - self.counts[0]
        causes = tuple(Cause(message(why), value) for why, value in self._causes() if value == difference)
        if not causes:  # A rounded number is explained, but not what its digits do not show.
            near = (why for why, value in self._causes() if abs(value - difference) <= stated * _ROUNDED)
            causes = tuple(Cause(message(why)) for why in near)
            return Gap(None, None, causes[:1]) if causes else Gap(int_if_whole(difference))
        return Gap(int_if_whole(difference), None, causes[:1])

    def _causes(self) -> Iterator[tuple[str, int]]:
        yield "one-expert-of-several", self._size(self._experts, 1 / K - 1)
        yield "every-expert", self._size(self._experts, E / K - 1)
