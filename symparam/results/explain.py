"""What `symparam.explain` returns: a derivation, step by step, in words."""

from __future__ import annotations

from functools import cached_property

from symparam.core.frozen import frozen
from symparam.core.json_types import JsonObject
from symparam.core.message import Message
from symparam.models.blocks.missing import Missing
from symparam.results.result import Result
from symparam.writing import json, json_reports
from symparam.writing.document import Document
from symparam.writing.explanation import ExplanationSubject, explanation


@frozen
class ExplainResult(Result):
    """A derivation explained step by step, with numbers where the model has them."""

    subject: ExplanationSubject
    language: str = "en"

    @cached_property
    def document(self) -> Document:
        return explanation(self.subject, self.language)

    @property
    def json(self) -> JsonObject:
        return {**json_reports.explanation(self.subject, self.language), **json.what_if(self.subject.model), **self.noted}

    @property
    def missing(self) -> tuple[Missing, ...]:
        return self.subject.derivation.missing

    @property
    def remarks(self) -> tuple[Message, ...]:
        return self.subject.model.remarks
