"""What `symparam.published` returns: the formulas of one paper, or of all of them."""

from __future__ import annotations

from collections.abc import Iterator

from symparam.analysis.publications import Publication, PublishedFormula
from symparam.core.frozen import frozen
from symparam.core.json_types import JsonObject
from symparam.results.result import Result
from symparam.writing import published
from symparam.writing.document import Document


@frozen
class PublishedResult(Result):
    """The formulas of one publication, each with what it is derived from and its difference to the full count."""

    publication: Publication
    language: str = "en"

    @property
    def formulas(self) -> tuple[PublishedFormula, ...]:
        return self.publication.formulas

    @property
    def document(self) -> Document:
        return published.publication(self.publication, self.language)

    @property
    def json(self) -> JsonObject:
        return published.as_json(self.publication, self.language)


@frozen
class PublishedListResult(Result):
    """All publications with their formulas."""

    publications: tuple[Publication, ...]
    language: str = "en"

    def __iter__(self) -> Iterator[Publication]:
        return iter(self.publications)

    @property
    def document(self) -> Document:
        return published.catalogue(self.publications, self.language)

    @property
    def json(self) -> JsonObject:
        return published.catalogue_as_json(self.publications, self.language)
