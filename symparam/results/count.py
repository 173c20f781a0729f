"""What `symparam.count` returns: a total, with the modules that add up to it."""

from __future__ import annotations

from fractions import Fraction

import sympy

from symparam.analysis.counting import Count
from symparam.core.formula import number, write
from symparam.core.frozen import frozen
from symparam.core.json_types import JsonObject
from symparam.core.message import Message
from symparam.errors import FormulaError
from symparam.models.blocks.missing import Missing
from symparam.models.configs.values import Model
from symparam.results.result import Result
from symparam.writing import json, json_reports, reports
from symparam.writing.amounts import in_unit
from symparam.writing.completeness import bounded
from symparam.writing.document import Document
from symparam.writing.phrases import phrases


@frozen
class CountResult(Result):
    """The number of parameters of a model: ``total``, and ``count`` with the modules, the values and the check."""

    count: Count
    model: Model
    language: str = "en"

    @property
    def total(self) -> int | Fraction:
        return self.count.total

    def number(self, unit: str | None = None, digits: int | None = None) -> str:
        """The total as one writes it in running text: ``124,439,808``, or with a unit ``124.4M`` or ``474.7 MiB``.

        ``digits`` is the number of decimals, 1 by default. An incomplete total is ``at least 124.4M``, or ``at least 124.4M if no
        module is used in two places``. Raises `UnknownNameError` for an unknown unit, and `FormulaError` for one that does not fit.
        """
        shown = in_unit(self.total, unit, digits, self.count.derivation.measure.unit)
        return "".join(map(str, bounded(shown, self.missing, phrases(self.language))))

    def _sympy_(self) -> sympy.Rational:
        if not self.complete:
            raise FormulaError(f"the total is {self!r}, which is incomplete (see .missing); .total is what is counted")
        return sympy.Rational(self.total.numerator, self.total.denominator)

    @property
    def document(self) -> Document:
        return reports.count(self.count, self.model, self.language)

    @property
    def json(self) -> JsonObject:
        return {
            **json_reports.count(self.count, self.language),
            **json.what_if(self.model),
            **json_reports.released_extras(self.count, self.model),
            **self.noted,
        }

    @property
    def missing(self) -> tuple[Missing, ...]:
        return self.count.derivation.missing

    @property
    def remarks(self) -> tuple[Message, ...]:
        return self.model.remarks

    def __repr__(self) -> str:
        derivation = self.count.derivation
        total = ("" if self.complete else "at least ") + write(number(self.total))
        return f"<CountResult {self.count.origin or derivation.architecture.name}: {total} {derivation.measure.unit}>"
