"""A document to its findings: read, taken up line by line, held against the architecture, and what is wrong explained."""

from __future__ import annotations

from symparam.checking.context import Context, declared_in
from symparam.checking.directives import applied
from symparam.checking.finding import CheckedDocument
from symparam.checking.judged import explained
from symparam.checking.knowledge import Knowledge
from symparam.checking.sections import judge_sections
from symparam.checking.totals import judge_total
from symparam.checking.walk import Walk
from symparam.reading.document import read_document
from symparam.reading.source import Source


def check_document(source: Source, context: Context | None = None) -> CheckedDocument:
    """Every claim of the document with its verdict, in the order of the page.

    Raises `DocumentError` for front matter or a remark to the checker that cannot be used.
    """
    known, notes = declared_in(source, context or Context())
    knowledge = Knowledge(known.architecture.model.values if known.architecture else {})
    for relation in known.relations:
        knowledge.define(relation.letter, relation.formula)
    walk = Walk(read_document(source, known.names), knowledge)
    walk.run()
    judged = [*walk.judged, *judge_sections(walk), *(judge_total(walk, known.architecture) if known.architecture else ())]
    findings = [explained(each, source.place(each.finding.right_start)[0], walk.stated) for each in judged]
    marked = applied(source, findings, known.ignore)
    return CheckedDocument(source, tuple(sorted(marked, key=lambda finding: (finding.start, finding.end))), notes)
