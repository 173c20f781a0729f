"""How much a search may do, counted in work done and not by a clock, so that what it finds does not depend on the machine."""

from __future__ import annotations

import math
import time

BUILD, TENSOR = 0.005, 0.0002
"""What a build takes, and each tensor in it: about as many seconds on a usual machine."""
EVALUATION = 1.5e-7
"""What it takes to evaluate a candidate for a rule at one instance."""


class Effort:
    """The effort of a search: work of so many ``seconds`` on a usual processor is allowed. It also ends when this processor has worked for
    ``patience`` times as many.
    """

    def __init__(self, seconds: float = math.inf, patience: float = 1.0) -> None:
        self.allowed, self.spent = seconds, 0.0
        self._until = time.process_time() + patience * seconds

    def builds(self, tensors: int) -> None:
        """Add that of a build with so many tensors."""
        self.spent += BUILD + tensors * TENSOR

    def evaluates(self, candidates: int, instances: int = 1) -> None:
        """Add that of the evaluation of so many candidates at so many instances."""
        self.spent += candidates * instances * EVALUATION

    def is_over(self, allowed: float | None = None) -> bool:
        """Whether what is allowed was spent, all or a part of it."""
        return self.spent > (self.allowed if allowed is None else allowed) or time.process_time() > self._until
