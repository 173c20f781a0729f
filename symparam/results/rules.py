"""What `symparam.rules` returns: the rules by which documents are checked."""

from __future__ import annotations

from collections.abc import Mapping

from symparam.core.frozen import frozen
from symparam.core.json_types import JsonObject
from symparam.documents.rules.rule import Rule
from symparam.results.result import Result
from symparam.writing import rules
from symparam.writing.document import Document


@frozen
class RulesResult(Result):
    """The rules by group, in the order in which they are applied to a page."""

    groups: Mapping[str, tuple[Rule, ...]]
    language: str = "en"

    @property
    def document(self) -> Document:
        return rules.listed(self.groups, self.language)

    @property
    def json(self) -> JsonObject:
        return rules.as_json(self.groups, self.language)
