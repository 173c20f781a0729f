"""What `symparam.letters` returns: the dimensions with their letters."""

from __future__ import annotations

from symparam.core.alphabets import ALPHABETS, Alphabet
from symparam.core.dimensions import Dimension
from symparam.core.frozen import frozen
from symparam.core.json_types import JsonObject
from symparam.results.result import Result
from symparam.writing import json_reports, reports
from symparam.writing.document import Document


@frozen
class LettersResult(Result):
    """The dimensions and the letters that an alphabet gives them."""

    dimensions: tuple[Dimension, ...]
    alphabet: Alphabet
    language: str = "en"

    @property
    def document(self) -> Document:
        return reports.vocabulary(self.dimensions, self.alphabet, tuple(ALPHABETS.values()), self.language)

    @property
    def json(self) -> JsonObject:
        return json_reports.vocabulary(self.dimensions, self.alphabet, tuple(ALPHABETS.values()))
