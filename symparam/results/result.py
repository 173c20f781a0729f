"""What every result can do: show itself as text, in a notebook, and in every format of the command line."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING

from symparam.core.json_types import JsonObject
from symparam.core.notation import UNICODE, Notation
from symparam.models.blocks.missing import Missing
from symparam.writing import json
from symparam.writing.document import Document
from symparam.writing.formats import check_format
from symparam.writing.phrases import phrases

if TYPE_CHECKING:
    from symparam.analysis.reasons import Reason


class Result(ABC):
    """Something with a document and a JSON object. ``str()`` is its text; a notebook shows its HTML, or its Markdown."""

    @property
    @abstractmethod
    def document(self) -> Document:
        """What it says."""

    @property
    @abstractmethod
    def json(self) -> JsonObject:
        """The same for programs."""

    @property
    def missing(self) -> tuple[Missing, ...]:
        """What its numbers lack, or may lack; empty where they are whole."""
        return ()

    @property
    def complete(self) -> bool:
        """Whether its numbers are whole; else they are lower bounds."""
        return not self.missing

    @property
    def notes(self) -> tuple[str, ...]:
        """What was assumed and the user should know, such as defaults that a config leaves to the reference."""
        return ()

    def write(
        self, format: str = "text", notation: Notation = UNICODE, width: int = 0, dialect: str | None = None, fragment: bool = False
    ) -> str:
        """The whole in one of `symparam.writing.formats.DOCUMENTS`.

        ``notation`` is that of text, which may have to be ASCII, and ``width`` the columns that its tables may take, if they are limited;
        ``dialect`` is that of Markdown, and a ``fragment`` of LaTeX or HTML is what goes into another document. Raises
        `UnknownNameError`, and `FormulaError` for what the format does not have.
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
        # A writer brings libraries of its own, which only the one that is asked for has to load.
        written: str = import_module(f"symparam.writing.{format}").document(self.document, **own.get(format, {}))
        return written

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Why it is so, step by step; a derivation has its steps, and what is only looked up has none."""
        return ()

    def explained(self) -> Explained:
        """The same with its reasons behind it."""
        return Explained(self, self.reasons)

    def __str__(self) -> str:
        return self.write()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: print() shows it>"

    def _repr_html_(self) -> str:
        return self.write("html", fragment=True)

    def _repr_markdown_(self) -> str:
        return self.write("markdown")


@dataclass(frozen=True, repr=False)
class Explained(Result):
    """The ``answer``, and behind it a section that says step by step why it is what it is."""

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
    def notes(self) -> tuple[str, ...]:
        return self.answer.notes
