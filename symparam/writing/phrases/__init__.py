"""The words of each language, one file a language: titles of roles, reasons of blocks, sentences of explanations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from string import Formatter

from symparam.errors import UnknownNameError
from symparam.writing.document import Inline, Line

LANGUAGES = ("en", "zh")


@dataclass(frozen=True)
class Phrases:
    """``titles`` names roles, ``reasons`` explains kinds of block and roles, ``sentences`` holds the rest; ``{...}`` is filled in."""

    language: str
    titles: Mapping[str, str]
    reasons: Mapping[str, str]
    sentences: Mapping[str, str]

    def say(self, key: str, **parts: Inline) -> str:
        """The sentence with words in its places."""
        return "".join(str(piece) for piece in self.line(key, **parts))

    def line(self, key: str, **parts: Inline) -> Line:
        """The sentence with formulas or words in its places, still apart so that each writer can set them in its own way."""
        return filled(self.sentences[key], **parts)


def filled(template: str, **parts: Inline) -> Line:
    """The pieces of a template, its ``{places}`` filled."""
    pieces: list[Inline] = []
    for text, place, _, _ in Formatter().parse(template):
        if text:
            pieces.append(text)
        if place:
            pieces.append(parts[place])
    return tuple(pieces)


def phrases(language: str) -> Phrases:
    """The phrases of a language. Raises `UnknownNameError` for one that there is not."""
    if language not in LANGUAGES:
        raise UnknownNameError("language", language, LANGUAGES)
    words = import_module(f"symparam.writing.phrases.{language}")
    return Phrases(language, words.TITLES, words.REASONS, words.SENTENCES)
