"""What `symparam.list` returns: the architectures and presets that can be named."""

from __future__ import annotations

from symparam.core.frozen import frozen
from symparam.core.json_types import JsonObject
from symparam.models.architectures import Family
from symparam.models.atlas.atlas import TracedClass
from symparam.models.configs.presets import Preset
from symparam.results.result import Result
from symparam.writing import json_reports, reports
from symparam.writing.document import Document


@frozen
class ListResult(Result):
    """The architectures, presets and traced classes that can be named; ``word`` is the search term."""

    families: tuple[Family, ...]
    presets: tuple[Preset, ...]
    traced: tuple[TracedClass, ...]
    word: str | None = None
    language: str = "en"

    @property
    def document(self) -> Document:
        return reports.catalogue(self.families, self.presets, self.traced, self.word, self.language)

    @property
    def json(self) -> JsonObject:
        return json_reports.catalogue(self.families, self.presets, self.traced)
