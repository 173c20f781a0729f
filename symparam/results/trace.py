"""What `symparam.trace` returns: a traced architecture, and how far it was verified."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from symparam.analysis.derivation import Derivation
from symparam.analysis.measures.measuring import derivation_of
from symparam.analysis.measures.parameters import PARAMETERS
from symparam.core.frozen import frozen
from symparam.core.json_types import JsonMapping
from symparam.models.blocks import Architecture
from symparam.models.configs.values import Model
from symparam.models.traced.expressions import Expression, render
from symparam.models.traced.network import Network, to_data
from symparam.models.traced.simplification import reduced, whole_settings
from symparam.models.traced.traced_model import model_of
from symparam.writing.notes import sentences

LONGEST = 160
"""The most characters of a condition in a report; the file has all of them."""


@frozen
class TraceResult:
    """A traced module. `architecture` can be used wherever an architecture can; `at` gives the model at other settings; ``str()`` is the
    report.
    """

    network: Network

    @property
    def architecture(self) -> Architecture:
        """The architecture at the default settings, with its letters left open."""
        return self._open.architecture

    @property
    def values(self) -> Mapping[str, int]:
        """The letters with their default values."""
        return self._model({}).values

    @property
    def formula(self) -> Derivation:
        """The closed form for the number of parameters."""
        return derivation_of(self.architecture, PARAMETERS["parameters"])

    def at(self, **settings: object) -> Model:
        """The model at other settings. Raises `ConfigError` for settings for which the rules were not verified."""
        return self._model(settings)

    @property
    def _open(self) -> Model:
        return self._model({}, with_values=False)

    def _model(self, settings: JsonMapping, with_values: bool = True) -> Model:
        return model_of(self.network, settings, self.network.origin, with_values)

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__

    def text(self) -> str:
        """One line each for the closed form, how far it was verified, the letters, the conditions, and the settings by what is known of
        them.
        """
        architecture = self.architecture
        named = {**self._open.settings, **architecture.meanings}
        letters = [f"{letter} = {value:,} ({named.get(letter, 'as usual')})" for letter, value in self.values.items()]
        statuses = [(key.status, path) for path, key in self.network.keys.items()]
        held = [path for status, path in statuses if status == "held"]
        idle = [path for status, path in statuses if status in ("idle", "any")]
        lines = [
            f"{self.network.name}: {self.formula}",
            *sentences(self._open.remarks, "en"),
            f"letters: {'; '.join(letters) or 'none'}",
            f"conditions: {_listed(self._conditions) or 'none'}",
            *([f"held at their values: {', '.join(held)}"] if held else []),
            f"without effect: {', '.join(idle) or 'none'}",
            f"operations: {self._operations}",
        ]
        return "\n".join(lines) + "\n"

    @property
    def _conditions(self) -> tuple[Expression, ...]:
        """The conditions of the class that settings can violate."""
        defaults = {path: key.default for path, key in self.network.keys.items()}
        positive = frozenset(path for path, key in self.network.keys.items() if key.least is not None and key.least >= 1)
        return reduced(self.network.conditions, whole_settings(defaults), positive)

    @property
    def _operations(self) -> str:
        run = self.network.run
        if run is None:
            return f"not known: {self.network.not_run}"
        exact, tried = run.verified
        held = [path for path in run.held if path not in self.network.held]
        given = f", with {', '.join(run.inputs)}" if run.inputs else ""
        return f"exact at {exact} of {tried} unseen settings and sizes of the input{given}" + (f"; held: {', '.join(held)}" if held else "")

    def json(self) -> str:
        """The content of the file that other commands accept as an architecture."""
        return json.dumps(to_data(self.network), indent=None, separators=(",", ":")) + "\n"

    def save(self, path: str) -> None:
        """Write that file."""
        from symparam.writing.file import write_file

        write_file(path, self.json())


def _listed(conditions: Sequence[Expression]) -> str:
    """The conditions that can be read in a line, and how many longer ones there are, such as those of rounded widths."""
    lines = list(map(render, conditions))
    short = [each for each in lines if len(each) <= LONGEST]
    longer = len(lines) - len(short)
    return "; ".join([*short, *([f"{longer} longer {'one' if longer == 1 else 'ones'}"] if longer else [])])
