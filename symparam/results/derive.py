"""What `symparam.derive` returns: a derivation that writes its closed form in every format."""

from __future__ import annotations

from dataclasses import field, fields
from typing import TYPE_CHECKING

from symparam.analysis.derivation import Derivation
from symparam.core.formula import write
from symparam.core.frozen import frozen
from symparam.core.notation import UNICODE, Notation
from symparam.writing import notes
from symparam.writing.formats import FORMULAS, check_format

if TYPE_CHECKING:
    from symparam.models.configs.values import Model


@frozen
class DeriveResult(Derivation):
    """A derivation. ``notes`` say what was assumed. A notebook shows the formula; ``str()`` is its text.

    If something is missing, every format writes ``at least`` before the formula, and after it the conditions under which it holds.
    """

    model: Model = field(kw_only=True, hash=False)

    @classmethod
    def of(cls, derivation: Derivation, model: Model) -> DeriveResult:
        """The derivation of a model."""
        return cls(**{each.name: getattr(derivation, each.name) for each in fields(derivation)}, model=model)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was assumed, and what the formula leaves out."""
        return (*notes.sentences(self.model.remarks, "en"), *self._lacking)

    @property
    def _lacking(self) -> tuple[str, ...]:
        if self.complete:
            return ()
        from symparam.writing.completeness import sentences  # Most formulas leave out nothing.
        from symparam.writing.phrases import phrases

        return sentences(self.missing, phrases("en"))

    def __str__(self) -> str:
        return self._bound + super().__str__() + self._condition

    @property
    def latex(self) -> str:
        before, after = (f"\\text{{{said}}}" if said else "" for said in (self._bound, self._condition))
        return f"{before}{super().latex}{after}"

    @property
    def _bound(self) -> str:
        """The words before an incomplete formula; every format of `derive` is in English."""
        return "" if self.complete else "at least "

    @property
    def _condition(self) -> str:
        """The words after a formula that only holds if something does."""
        if all(each.least is None for each in self.missing):
            return ""
        from symparam.writing.completeness import conditions
        from symparam.writing.phrases import phrases

        return f" if {conditions(self.missing, phrases('en'))}"

    def write(
        self, format: str = "text", notation: Notation = UNICODE, width: int = 0, dialect: str | None = None, fragment: bool = False
    ) -> str:
        """The closed form alone on one line, in one of `symparam.writing.formats.FORMULAS`.

        Of the arguments for documents it uses ``notation`` and ``dialect``. Raises `UnknownNameError` for an unknown format, and
        `FormulaError` for an option that the format does not have.
        """
        check_format(format, dialect, fragment, FORMULAS)
        match format:
            case "text":
                return self._bound + write(self.formula, notation.using(self.alphabet)) + self._condition + "\n"
            case "latex":
                return self.latex + "\n"
            case "markdown":
                from symparam.writing.markdown import formula

                return self._bound + formula(self.formula, self.alphabet, dialect or "tex", display=False) + self._condition + "\n"
            case "rst":
                return f"{self._bound}:math:`{super().latex}`{self._condition}\n"
            case "mathml":
                from symparam.writing.mathml import mathml

                return mathml(self.formula, self.alphabet, self._bound, self._condition)
            case _:
                from symparam.writing import json, json_reports

                noted = notes.as_json(self.model.remarks, "en") | {"notes": [*self.notes]}
                return json.dumps({**json_reports.derivation(self), **json.what_if(self.model), **noted})
