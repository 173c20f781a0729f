"""What the numbers of a page count according to the user, where the page does not say: ``--measure``, ``--convention``."""

from __future__ import annotations

from symparam.analysis.derivation import Measure
from symparam.analysis.measures.conventions.papers import PAPERS
from symparam.analysis.measures.conventions.tools import CONVENTIONS
from symparam.analysis.measures.options import Options
from symparam.analysis.measures.parameters import PARAMETERS
from symparam.analysis.measures.selection import AUTOGRAD, KORTHIKANTI, MEASURES, measure_of
from symparam.core.frozen import frozen
from symparam.errors import UnknownNameError
from symparam.models.resolution import Resolved

_WORDS = {
    "macs": ("macs",),
    "flops": ("operations",),
    "kv-cache": ("cache",),
    "weights": ("bytes",),
    "activations": ("activations",),
    "gradients": ("gradients",),
    "optimizer-states": ("optimizer",),
}
"""The words of labels that say the same as the name of a measure."""


@frozen
class StatedMeasure:
    """``measure`` is one of `MEASURES`, ``convention`` the name of a tool or a paper; both are empty if nothing is stated."""

    measure: str = ""
    convention: str = ""

    def __bool__(self) -> bool:
        return bool(self.measure or self.convention)

    @property
    def as_words(self) -> tuple[tuple[str, ...], str]:
        """The words of a label and the pass that say the same, if a page can say it."""
        work, _, name = self.measure.rpartition("-") if self.measure.startswith(("training-", "backward-")) else ("", "", self.measure)
        return ((), "") if self.convention else (_WORDS.get(name, ()), work)

    @property
    def counts_parameters(self) -> bool:
        """Whether totals of parameters are meant as usual."""
        return not self.convention and (not self.measure or self.measure in PARAMETERS)

    def check(self) -> None:
        """Raise an `UnknownNameError` for a name that is not known."""
        known = (*CONVENTIONS, *PAPERS, AUTOGRAD, KORTHIKANTI)
        if self.measure and self.measure not in MEASURES:
            raise UnknownNameError("measure", self.measure, MEASURES)
        if self.convention and self.convention not in known:
            raise UnknownNameError("convention", self.convention, known)

    def measure_for(self, chosen: Resolved) -> Measure:
        """The measure for a model. Raises `SymparamError` where `count` does."""
        model = chosen.model
        options = Options(self.measure or "parameters", convention=self.convention or None)
        return measure_of(model.architecture, options, (), model.activation_function, model.values, model.keys)
