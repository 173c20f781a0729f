"""All rules by their names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from symparam.documents.rules.doubts import DOUBTS
from symparam.documents.rules.evidence import EVIDENCE
from symparam.documents.rules.grammar import GRAMMAR
from symparam.documents.rules.laws import LAWS
from symparam.documents.rules.lexing import LEXING
from symparam.documents.rules.notations import NOTATIONS
from symparam.documents.rules.rule import Rule
from symparam.documents.rules.sentences import SENTENCES
from symparam.documents.rules.tables import TABLES
from symparam.documents.rules.units import UNITS
from symparam.errors import UnknownNameError

GROUPS: Mapping[str, tuple[Rule, ...]] = {
    "notations": tuple(notation.rule for notation in NOTATIONS),
    "lexing": LEXING,
    "grammar": GRAMMAR,
    "units": UNITS,
    "evidence": (*EVIDENCE, *TABLES, *SENTENCES, *LAWS),
    "doubts": DOUBTS,
}
"""The rules in the order in which they are applied to a page."""

RULES: Mapping[str, Rule] = {rule.code: rule for rules in GROUPS.values() for rule in rules}
"""Each rule by its name."""

BY_MESSAGE: Mapping[str, str] = {kind: rule.code for rule in RULES.values() for kind in (rule.code, *rule.says)}
"""The rule that a kind of message mentions."""


def rules_named(codes: Iterable[str]) -> frozenset[str]:
    """The names of rules. Raises `UnknownNameError` for an unknown one, with the nearest known name."""
    found = frozenset(codes)
    unknown = next((code for code in sorted(found) if code not in RULES), None)
    if unknown is not None:
        raise UnknownNameError("rule", unknown, RULES, "symparam rules lists them")
    return found
