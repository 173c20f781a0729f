"""What is said about the run and the format of one number: by its words, those around it, and the cells of its row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from symparam.core.frozen import frozen
from symparam.documents.checking.entries.labelled_quantities import LabelledQuantity
from symparam.documents.comparing.measurands import Measurand
from symparam.documents.roles.labels import NO_LABEL, read_label
from symparam.documents.roles.runs import NO_RUN, Run

OF_RUNS = ("cache", "activations", "operations", "stated")
"""What depends on the tokens of a sequence and the sequences of a batch."""
_DIVIDED = ("parameters", "weights", "gradients", "optimizer", "cache")
_MOST_BYTES = 64  # Bytes per parameter.
BytesOfRows = Mapping[tuple[int, str], tuple[int, ...]]
"""The bytes per parameter that the rows of tables state, by section and first words."""


def bytes_of_rows(stated: Iterable[LabelledQuantity]) -> BytesOfRows:
    """The numbers in columns of bytes per parameter."""
    found: dict[tuple[int, str], tuple[int, ...]] = {}
    for each in stated:
        head = read_label(each.column) if each.column else NO_LABEL
        size = each.expression.exact
        if head.parameters and "bytes" in head.measures and isinstance(size, int) and 0 < size <= _MOST_BYTES:
            found[each.section, each.words] = (size,)
    return found


@frozen
class OwnSetting:
    """What is said about the run and the format of one number: the bytes ``each`` that its row states, the ``formats`` of its own words,
    those of the words ``around`` it, the run of its ``row``, of its ``words`` or of its ``sentence``, and the numbers of ``devices`` of
    which one may hold it. ``factor`` are the bytes by which its calculation multiplies.
    """

    each: tuple[int, ...]
    formats: tuple[int, ...]
    around: tuple[int, ...]
    row: Run
    words: Run
    devices: tuple[int, ...] = ()
    factor: tuple[int, ...] = ()
    sentence: Run = NO_RUN

    def applied_to(self, measurand: Measurand) -> Measurand:
        """The measurand with it; a format that other words name does not say what the states of an optimizer have."""
        if measurand.measure in OF_RUNS:
            measurand = replace(measurand, run=self.row.beside(self.words))
        if measurand.measure in _DIVIDED:
            measurand = replace(measurand, devices=self.devices)
        each = self.each or (self.factor if measurand.measure == "optimizer" else ())
        if each:
            return replace(measurand, formats=each, moments=1, by_row=True)
        if self.formats or measurand.measure == "optimizer":
            return replace(measurand, formats=self.formats)
        return replace(measurand, formats=self.around, is_inherited=bool(self.around))
