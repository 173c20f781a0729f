"""What `symparam.compare` returns: the difference of two models, as a formula and module by module."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy

from symparam.analysis.comparison import Comparison, ModuleDifference, NumberDifference, number_differences
from symparam.core.formula import Formula
from symparam.core.frozen import frozen
from symparam.core.json_types import JsonObject
from symparam.core.message import Message
from symparam.errors import FormulaError
from symparam.models.blocks.missing import Missing
from symparam.results.result import Result
from symparam.writing import comparison, json
from symparam.writing.completeness import sentences
from symparam.writing.document import Document
from symparam.writing.phrases import phrases

if TYPE_CHECKING:
    from symparam.analysis.reasons import Reason
    from symparam.writing.explanation import ExplanationSubject


@frozen
class CompareResult(Result):
    """Two models side by side: the ``difference`` as a formula, the ``modules`` that it is made of, and numbers where both have values.

    ``str()`` is the short form: the difference, and a line for each module.
    """

    comparison: Comparison
    pair: tuple[ExplanationSubject, ExplanationSubject]
    language: str = "en"

    @property
    def difference(self) -> Formula:
        return self.comparison.difference

    @property
    def expr(self) -> sympy.Expr:
        """The difference as an expression."""
        return self.difference.expr

    def _sympy_(self) -> sympy.Expr:
        if not self.complete:
            raise FormulaError("one of the two models is incomplete (see .missing); .expr is the difference of what is known")
        return self.expr

    @property
    def modules(self) -> tuple[ModuleDifference, ...]:
        return self.comparison.modules

    @property
    def numbers(self) -> tuple[NumberDifference, ...]:
        first, second = (subject.count for subject in self.pair)
        return number_differences(self.comparison, first, second) if first and second else ()

    @property
    def reasons(self) -> tuple[Reason, ...]:
        from symparam.analysis.reasons import of_comparison

        return tuple(of_comparison(self.comparison))

    @property
    def document(self) -> Document:
        return comparison.comparison(self.comparison, self.pair, self.numbers, self.language)

    @property
    def json(self) -> JsonObject:
        found = comparison.as_json(self.comparison, self.pair, self.numbers, self.language)
        return {**found, **json.what_if(*(subject.model for subject in self.pair))}

    @property
    def missing(self) -> tuple[Missing, ...]:
        return tuple(dict.fromkeys(each for subject in self.pair for each in subject.derivation.missing))

    @property
    def remarks(self) -> tuple[Message, ...]:
        return tuple(dict.fromkeys(each for subject in self.pair for each in subject.model.remarks))

    def __str__(self) -> str:
        return "\n".join((str(self.comparison), *sentences(self.missing, phrases(self.language))))

    def _repr_latex_(self) -> str:
        return self.comparison._repr_latex_()
