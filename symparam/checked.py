"""What `symparam.check` returns: the checked documents, which write themselves as a report, for programs and for services."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from symparam.alphabets import STANDARD, Alphabet
from symparam.checking.finding import CheckedDocument, Finding
from symparam.errors import UnknownNameError
from symparam.writing.findings import github, json, sarif, terminal

FORMATS = ("text", "json", "github", "sarif")


@dataclass(frozen=True, repr=False)
class Checked:
    """Documents with what is said of their claims. ``str()`` is the report; a notebook shows each claim with its verdict.

    ``errors`` are sentences about files that could not be read, ``notes`` about what was assumed; formulas are written in ``alphabet``.
    """

    documents: tuple[CheckedDocument, ...]
    errors: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    alphabet: Alphabet = STANDARD

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is said of each claim, document by document."""
        return tuple(finding for document in self.documents for finding in document.findings)

    @property
    def wrong(self) -> tuple[Finding, ...]:
        """What calls for a change: proven wrong, and not ignored."""
        return tuple(finding for document in self.documents for finding in document.wrong)

    @property
    def json(self) -> dict[str, Any]:
        """The same for programs; the keys are those of `symparam.writing.findings.json.report`."""
        return json.report(self.documents, self.errors, self.alphabet)

    def write(self, format: str = "text", *, verbose: bool = False, width: int = 0, encoding: str = "utf-8", color: bool = False) -> str:
        """The whole in one of `FORMATS`. The report may tell everything, fit a terminal of so many columns, and have colors; it and the
        commands for GitHub hold only what ``encoding`` has. Raises `UnknownNameError` for another format.
        """
        match format:
            case "text":
                return terminal.report(self.documents, terminal.Look(width, encoding, verbose, color, self.alphabet), self.errors)
            case "json":
                return json.dumps(self.json)
            case "github":
                return github.report(self.documents, self.errors, self.alphabet, encoding)
            case "sarif":
                return json.dumps(sarif.report(self.documents, self.errors, self.alphabet))
        raise UnknownNameError("format", format, FORMATS)

    def __str__(self) -> str:
        return self.write()

    def _repr_html_(self) -> str:
        from symparam.writing.findings import html  # It brings libraries that nothing else here needs.

        return html.report(self.documents, self.errors, self.notes, self.alphabet)

    def __repr__(self) -> str:
        return f"<Checked {terminal.summary(self.documents, len(self.errors))}>"
