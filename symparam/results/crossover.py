"""What `symparam.crossover` returns: the sequence length at which two costs meet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy

from symparam.analysis.crossover import Crossover
from symparam.core.formula import Formula
from symparam.core.frozen import frozen
from symparam.core.json_types import JsonObject
from symparam.core.message import Message
from symparam.models.configs.values import Model
from symparam.results.result import Result
from symparam.writing import crossover, json
from symparam.writing.document import Document

if TYPE_CHECKING:
    from symparam.analysis.reasons import Reason


@frozen
class CrossoverResult(Result):
    """The length from which attention costs more than the feed-forward part: ``threshold``, with values ``first_length`` too."""

    crossover: Crossover
    model: Model
    language: str = "en"

    @property
    def threshold(self) -> Formula:
        return self.crossover.threshold

    @property
    def expr(self) -> sympy.Expr:
        """The threshold as an expression."""
        return self.threshold.expr

    def _sympy_(self) -> sympy.Expr:
        return self.expr

    @property
    def first_length(self) -> int | None:
        return self.crossover.first_length(self.model.values)

    @property
    def reasons(self) -> tuple[Reason, ...]:
        from symparam.analysis.reasons import of_crossover

        return tuple(of_crossover(self.crossover))

    @property
    def document(self) -> Document:
        name = self.model.origin or self.crossover.architecture.class_name
        return crossover.crossover(self.crossover, self.model.values, name, self.language)

    @property
    def json(self) -> JsonObject:
        return {**crossover.as_json(self.crossover, self.model.values), **json.what_if(self.model), **self.noted}

    @property
    def remarks(self) -> tuple[Message, ...]:
        return self.model.remarks
