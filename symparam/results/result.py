"""What all results have in common: they can be written as text, for a notebook, and in every format of the command line."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING

from symparam.core.frozen import frozen
from symparam.core.json_types import JsonObject
from symparam.core.message import Message
from symparam.core.notation import UNICODE, Notation
from symparam.models.blocks.missing import Missing
from symparam.writing import json, notes
from symparam.writing.document import Document
from symparam.writing.formats import check_format
from symparam.writing.phrases import phrases

if TYPE_CHECKING:
    from symparam.analysis.reasons import Reason


class Result(ABC):
    """A result with a document and a JSON object. ``str()`` is its text; a notebook shows its HTML, or its Markdown."""

    @property
    @abstractmethod
    def document(self) -> Document:
        """The result as a document."""

    @property
    @abstractmethod
    def json(self) -> JsonObject:
        """The result as JSON."""

    @property
    def missing(self) -> tuple[Missing, ...]:
        """What the numbers leave out, or may leave out; empty if they are complete."""
        return ()

    @property
    def complete(self) -> bool:
        """Whether the numbers are complete; otherwise they are lower bounds."""
        return not self.missing

    @property
    def language(self) -> str:
        """The language that the result is written in."""
        return "en"

    @property
    def remarks(self) -> tuple[Message, ...]:
        """What was assumed, as data."""
        return ()

    @property
    def notes(self) -> tuple[str, ...]:
        """Assumptions that the user should know of, such as defaults that a config leaves to the reference, in the result's language."""
        return notes.sentences(self.remarks, self.language)

    @property
    def noted(self) -> JsonObject:
        """The same for JSON: ``notes``, and ``remarks`` as data."""
        return notes.as_json(self.remarks, self.language)

    def write(
        self, format: str = "text", notation: Notation = UNICODE, width: int = 0, dialect: str | None = None, fragment: bool = False
    ) -> str:
        """The result in one of `symparam.writing.formats.DOCUMENTS`.

        For text, ``notation`` is its notation, such as ASCII, and ``width`` the number of columns for its tables, if limited. ``dialect``
        is the dialect of Markdown, and a ``fragment`` is LaTeX or HTML to include in another document. Raises `UnknownNameError` for an
        unknown format, and `FormulaError` for an option that the format does not have.
        """
        check_format(format, dialect, fragment)
        if format == "json":
            return json.dumps(self.json)
        own: JsonObject = {
            "text": {"notation": notation, "width": width},
            "markdown": {"dialect": dialect} if dialect else {},
            "latex": {"fragment": fragment},
            "html": {"fragment": fragment},
        }
        # Writers import libraries of their own, so only the requested one is loaded.
        written: str = import_module(f"symparam.writing.{format}").document(self.document, **own.get(format, {}))
        return written

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """The reasons for the answer, step by step; empty for derivations, which show their steps, and for answers that are looked up."""
        return ()

    def explained(self) -> Explained:
        """The result followed by its reasons."""
        return Explained(self, self.reasons)

    def __str__(self) -> str:
        return self.write()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: print() shows it>"

    def _repr_html_(self) -> str:
        return self.write("html", fragment=True)

    def _repr_markdown_(self) -> str:
        return self.write("markdown")


@frozen
class Explained(Result):
    """The ``answer``, followed by a section that gives the reasons for it step by step."""

    answer: Result
    steps: tuple[Reason, ...]

    @property
    def reasons(self) -> tuple[Reason, ...]:
        return self.steps

    @property
    def document(self) -> Document:
        from symparam.writing import reasons

        page = self.answer.document
        return replace(page, nodes=(*page.nodes, *reasons.section(self.steps, phrases(page.language))))

    @property
    def json(self) -> JsonObject:
        from symparam.writing import reasons

        page = self.answer.document
        return {**self.answer.json, "reasons": reasons.as_json(self.steps, page.alphabet, phrases(page.language))}

    @property
    def missing(self) -> tuple[Missing, ...]:
        return self.answer.missing

    @property
    def remarks(self) -> tuple[Message, ...]:
        return self.answer.remarks

    @property
    def language(self) -> str:
        return self.answer.language
