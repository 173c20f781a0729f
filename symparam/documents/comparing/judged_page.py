"""A page that is held against a model, with what is known on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symparam.documents.checking.lines.line_checker import LineChecker
from symparam.documents.comparing.measured_model import MeasuredModel
from symparam.documents.comparing.model_conflicts import ModelConflicts
from symparam.documents.comparing.named_model import NamedModel
from symparam.documents.comparing.recognised_part import RecognisedPart


@dataclass
class JudgedPage:
    """A page with the parts that are ``known`` on it, and the model that it is held against."""

    checker: LineChecker
    model: NamedModel
    measured: MeasuredModel
    known: Sequence[RecognisedPart]
    conflicts: ModelConflicts
