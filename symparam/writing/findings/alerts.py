"""Selects the findings to report to a service that reviews changes: what is wrong, and letters with two meanings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from symparam.core.frozen import frozen
from symparam.documents.checking.finding import Verdict
from symparam.writing.findings.gaps import difference, listed
from symparam.writing.findings.worded import WordedDocument, WordedFinding
from symparam.writing.wording import Wording

WARNING_CODES = frozenset({"several-meanings"})
"""Codes of findings that are not proven wrong, but would mislead a reader, so that a reviewer should see them."""


@frozen
class Alert:
    """A finding with its level and the place of the stated side: lines and columns from 1, the end one past the last character."""

    finding: WordedFinding
    level: Literal["error", "warning"]
    line: int
    column: int
    end_line: int
    end_column: int


def alerts(document: WordedDocument) -> Iterator[Alert]:
    """The alerts of a document in the order of the page, including ignored ones."""
    for finding in document.findings:
        wrong = finding.verdict is Verdict.WRONG
        if wrong or (finding.verdict is Verdict.UNDECIDED and finding.code in WARNING_CODES):
            # The end is computed from the last character, as the next one may be on the next line.
            start, last = finding.right_start, max(finding.right_start, finding.end - 1)
            end_line, end_column = document.source.place_in_file(last)
            yield Alert(finding, "error" if wrong else "warning", *document.source.place_in_file(start), end_line, end_column + 1)


def place(name: str) -> Path:
    """The path of a file as services expect it: relative to the working directory, which is the root of the repository, if the file is
    inside.
    """
    path = Path(name)
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def explained(finding: WordedFinding, wording: Wording) -> str:
    """The full text of a finding: the reason, the gap with its causes, and the remedy, each on a line of its own."""
    lines = [finding.message]
    if finding.gap is not None:
        lines += filter(None, [difference(finding.gap, wording)])
        lines += listed(finding.gap.explained_by, wording)
    return "\n".join([*lines, finding.remedy] if finding.remedy else lines)
