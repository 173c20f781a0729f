"""What the functions of the API return: data that shows itself, as text, in a notebook, and in every format of the command line."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from typing import TYPE_CHECKING, Any

from symparam.alphabets import ALPHABETS, Alphabet
from symparam.architectures import Family
from symparam.comparison import Comparison, ModuleDifference, NumberDifference, numbers
from symparam.configs.presets import Preset
from symparam.configs.values import Model
from symparam.counting import Count
from symparam.dimensions import Dimension
from symparam.formula import Formula, number, write
from symparam.listing import ListedTensor, TensorList
from symparam.notation import UNICODE, Notation
from symparam.writing import comparing, reports
from symparam.writing import json as json_writer
from symparam.writing.document import Document
from symparam.writing.explanation import Subject, explanation
from symparam.writing.formats import check_format

if TYPE_CHECKING:  # Only who asks for them pays for their import.
    from symparam.crossing import Crossover
    from symparam.publications import Publication, PublishedFormula


class Shown(ABC):
    """Something with a document and a JSON object. ``str()`` is its text; a notebook shows its HTML, or its Markdown."""

    @property
    @abstractmethod
    def document(self) -> Document:
        """What it says."""

    @property
    @abstractmethod
    def json(self) -> dict[str, Any]:
        """The same for programs."""

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
            return json_writer.dumps(self.json)
        own: dict[str, Any] = {
            "text": {"notation": notation, "width": width},
            "markdown": {"dialect": dialect} if dialect else {},
            "latex": {"fragment": fragment},
            "html": {"fragment": fragment},
        }
        # A writer brings libraries of its own, which only the one that is asked for has to load.
        written: str = import_module(f"symparam.writing.{format}").document(self.document, **own.get(format, {}))
        return written

    def __str__(self) -> str:
        return self.write()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: print() shows it>"

    def _repr_html_(self) -> str:
        return self.write("html", fragment=True)

    def _repr_markdown_(self) -> str:
        return self.write("markdown")


@dataclass(frozen=True, repr=False)
class Explanation(Shown):
    """A derivation explained step by step, with numbers where the model has them."""

    subject: Subject
    language: str = "en"

    @property
    def document(self) -> Document:
        return explanation(self.subject, self.language)

    @property
    def json(self) -> dict[str, Any]:
        return {**json_writer.explanation(self.subject, self.language), "notes": [*self.notes]}

    @property
    def notes(self) -> tuple[str, ...]:
        return self.subject.model.notes


@dataclass(frozen=True, repr=False)
class Counted(Shown):
    """The number of parameters of a model: ``total``, and ``count`` with the modules, the values and the check."""

    count: Count
    model: Model
    language: str = "en"

    @property
    def total(self) -> int | Fraction:
        return self.count.total

    @property
    def document(self) -> Document:
        return reports.count(self.count, self.model, self.language)

    @property
    def json(self) -> dict[str, Any]:
        return {**json_writer.count(self.count, self.language), "notes": [*self.notes]}

    @property
    def notes(self) -> tuple[str, ...]:
        return self.model.notes

    def __repr__(self) -> str:
        derivation = self.count.derivation
        return f"<Counted {self.count.origin or derivation.architecture.name}: {write(number(self.total))} {derivation.measure.unit}>"


@dataclass(frozen=True, repr=False)
class Compared(Shown):
    """Two models side by side: the ``difference`` as a formula, the ``modules`` that it is made of, and numbers where both have values.

    ``str()`` is the short form: the difference, and a line for each module.
    """

    comparison: Comparison
    pair: tuple[Subject, Subject]
    language: str = "en"

    @property
    def difference(self) -> Formula:
        return self.comparison.difference

    @property
    def modules(self) -> tuple[ModuleDifference, ...]:
        return self.comparison.modules

    @property
    def numbers(self) -> tuple[NumberDifference, ...]:
        first, second = (subject.count for subject in self.pair)
        return numbers(first, second) if first and second else ()

    @property
    def document(self) -> Document:
        return comparing.comparison(self.comparison, self.pair, self.numbers, self.language)

    @property
    def json(self) -> dict[str, Any]:
        return comparing.as_json(self.comparison, self.pair, self.numbers, self.language)

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(note for subject in self.pair for note in subject.model.notes))

    def __str__(self) -> str:
        return str(self.comparison)

    def _repr_latex_(self) -> str:
        return self.comparison._repr_latex_()


@dataclass(frozen=True, repr=False)
class PublishedPage(Shown):
    """The formulas of one publication, each with what it is derived from and its difference to the full count."""

    publication: Publication
    language: str = "en"

    @property
    def formulas(self) -> tuple[PublishedFormula, ...]:
        return self.publication.formulas

    @property
    def document(self) -> Document:
        from symparam.writing import published

        return published.publication(self.publication, self.language)

    @property
    def json(self) -> dict[str, Any]:
        from symparam.writing import published

        return published.as_json(self.publication, self.language)


@dataclass(frozen=True, repr=False)
class PublishedList(Shown):
    """All publications with their formulas."""

    publications: tuple[Publication, ...]
    language: str = "en"

    def __iter__(self) -> Iterator[Publication]:
        return iter(self.publications)

    @property
    def document(self) -> Document:
        from symparam.writing import published

        return published.catalogue(self.publications, self.language)

    @property
    def json(self) -> dict[str, Any]:
        from symparam.writing import published

        return published.catalogue_as_json(self.publications, self.language)


@dataclass(frozen=True, repr=False)
class Crossed(Shown):
    """From what length on attention costs more than the feed-forward part: ``threshold``, and ``first_length`` where there are values."""

    crossover: Crossover
    model: Model
    language: str = "en"

    @property
    def threshold(self) -> Formula:
        return self.crossover.threshold

    @property
    def first_length(self) -> int | None:
        return self.crossover.first_length(self.model.values)

    @property
    def document(self) -> Document:
        from symparam.writing import crossing

        name = self.model.origin or self.crossover.architecture.class_name
        return crossing.crossing(self.crossover, self.model.values, name, self.language)

    @property
    def json(self) -> dict[str, Any]:
        from symparam.writing import crossing

        return {**crossing.as_json(self.crossover, self.model.values), "notes": [*self.notes]}

    @property
    def notes(self) -> tuple[str, ...]:
        return self.model.notes


@dataclass(frozen=True, repr=False)
class Tensors(Shown):
    """The tensors of a model, one after the other; ``listing`` has the derivation and the total beside them."""

    listing: TensorList
    model: Model
    language: str = "en"

    def __iter__(self) -> Iterator[ListedTensor]:
        return iter(self.listing.tensors)

    def __len__(self) -> int:
        return len(self.listing.tensors)

    @property
    def document(self) -> Document:
        return reports.tensors(self.listing, self.language)

    @property
    def json(self) -> dict[str, Any]:
        return json_writer.tensors(self.listing)

    @property
    def notes(self) -> tuple[str, ...]:
        return self.model.notes


@dataclass(frozen=True, repr=False)
class Catalogue(Shown):
    """The architectures and presets that can be named."""

    families: tuple[Family, ...]
    presets: tuple[Preset, ...]
    language: str = "en"

    @property
    def document(self) -> Document:
        return reports.catalogue(self.families, self.presets, self.language)

    @property
    def json(self) -> dict[str, Any]:
        return json_writer.catalogue(self.families, self.presets)


@dataclass(frozen=True, repr=False)
class Vocabulary(Shown):
    """The dimensions and the letters that an alphabet gives them."""

    dimensions: tuple[Dimension, ...]
    alphabet: Alphabet
    language: str = "en"

    @property
    def document(self) -> Document:
        return reports.vocabulary(self.dimensions, self.alphabet, tuple(ALPHABETS.values()), self.language)

    @property
    def json(self) -> dict[str, Any]:
        return json_writer.vocabulary(self.dimensions, self.alphabet, tuple(ALPHABETS.values()))
