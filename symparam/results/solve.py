"""What `symparam.solve` returns: what a letter has to be for a measure to come to a total."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from symparam.analysis.solving import Solution
from symparam.core.json_types import JsonObject
from symparam.models.configs.values import Model
from symparam.results.result import Result
from symparam.writing import json, solution
from symparam.writing.document import Document

if TYPE_CHECKING:
    from symparam.analysis.reasons import Reason


@dataclass(frozen=True, repr=False)
class SolveResult(Result):
    """The solution in letters and in whole numbers: ``exact`` ones, the nearest, and the largest where a total may not be exceeded."""

    solution: Solution
    model: Model
    language: str = "en"

    @property
    def exact(self) -> tuple[int, ...]:
        """The whole numbers with which the measure is exactly the total."""
        return tuple(each.value for each in self.solution.exact)

    @property
    def largest(self) -> int | None:
        """The largest whole number with which the measure is no more than the total; None where none is."""
        return self.solution.largest.value if self.solution.largest else None

    @property
    def reasons(self) -> tuple[Reason, ...]:
        from symparam.analysis.reasons import of_solution

        return tuple(of_solution(self.solution))

    @property
    def document(self) -> Document:
        name = self.model.origin or self.solution.derivation.architecture.class_name
        return solution.solution(self.solution, name, self.language)

    @property
    def json(self) -> JsonObject:
        return {**solution.as_json(self.solution), **json.what_if(self.model), "notes": [*self.notes]}

    @property
    def notes(self) -> tuple[str, ...]:
        return self.model.notes
