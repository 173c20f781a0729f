"""The words of each language, one file a language: titles of roles, reasons of blocks, sentences of explanations, meanings of letters.

Another language is another file beside ``en.toml``, with the same keys and places; ``tests/writing/test_phrases.py`` says what it lacks.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from string import Formatter

from symparam.dimensions import BY_LETTER
from symparam.errors import UnknownNameError
from symparam.writing.document import Inline, Line


@dataclass(frozen=True)
class Phrases:
    """``titles`` names roles, ``reasons`` explains kinds of block and roles, ``sentences`` holds the rest; ``{...}`` is filled in.

    ``letters`` are the meanings of letters, ``units`` what they count, and ``published`` the titles of published formulas by the English
    ones; what is not there is in the code, in English. ``tag`` is the language for a browser, and ``east_asian`` says that words stand
    without spaces between them and that LaTeX needs fonts for them.
    """

    language: str
    titles: Mapping[str, str]
    reasons: Mapping[str, str]
    sentences: Mapping[str, str]
    tag: str
    east_asian: bool
    letters: Mapping[str, str] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)
    published: Mapping[str, str] = field(default_factory=dict)

    def say(self, key: str, **parts: Inline) -> str:
        """The sentence with words in its places."""
        return "".join(str(piece) for piece in self.line(key, **parts))

    def line(self, key: str, **parts: Inline) -> Line:
        """The sentence with formulas or words in its places, still apart so that each writer can set them in its own way."""
        return filled(self.sentences[key], **parts)

    def meaning(self, letter: str) -> str:
        """What a letter of the vocabulary stands for."""
        return self.letters.get(letter, BY_LETTER[letter].english)

    def unit(self, letter: str) -> str:
        """What it counts, as it stands behind a number."""
        return self.units.get(letter, BY_LETTER[letter].unit)


def filled(template: str, **parts: Inline) -> Line:
    """The pieces of a template, its ``{places}`` filled."""
    pieces: list[Inline] = []
    for text, place, _, _ in Formatter().parse(template):
        if text:
            pieces.append(text)
        if place:
            pieces.append(parts[place])
    return tuple(pieces)


@cache
def languages() -> tuple[str, ...]:
    """The languages that there are."""
    return tuple(sorted(file.name.removesuffix(".toml") for file in files(__name__).iterdir() if file.name.endswith(".toml")))


@cache
def phrases(language: str) -> Phrases:
    """The phrases of a language. Raises `UnknownNameError` for one that there is not."""
    if language not in languages():
        raise UnknownNameError("language", language, languages())
    words = tomllib.loads(files(__name__).joinpath(f"{language}.toml").read_text(encoding="utf-8"))
    about = words.pop("language")
    return Phrases(language, tag=about["tag"], east_asian=about["east_asian"], **words)
