"""What-ifs: another value for a config key, or for the letter of a size, as in ``--set N=16``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import TypeAlias

from symparam.core.dimensions import BY_LETTER
from symparam.core.frozen import frozen
from symparam.core.message import Argument, Message, message
from symparam.core.parsing.reader import scaled
from symparam.errors import ConfigError, KeyValueError, UnknownNameError, shorten
from symparam.models.architectures import Family
from symparam.models.architectures.family import SizeKey
from symparam.models.configs.config_file import ConfigDocument

Changes: TypeAlias = Mapping[str, object] | Iterable[str]
"""``{"N": 16}`` or ``["N=16", "tie_word_embeddings=true"]``: letters or keys, with their new values."""


@frozen
class ConfigChange:
    """A key with its new value and its value in the config, or by default; ``letter`` is that of a size, else empty."""

    key: str
    letter: str
    value: object
    instead: object

    @property
    def statement(self) -> str:
        """``N = 16``, or ``tie_word_embeddings = true``."""
        return f"{self.letter or self.key} = {_shown(self.value)}"

    @property
    def remark(self) -> Message:
        """The note that this value replaces the config's: ``what if: N = 16 instead of 12 (n_layer)``."""
        change: Argument = self.statement
        if self.instead is not None:
            change = message("instead-of", change=change, before=_shown(self.instead))
        if self.letter:
            change = message("of-key", change=change, key=self.key)
        return message("what-if", change=change)


def read_changes(changes: Changes) -> dict[str, object]:
    """The changes as names with values: a number, true, false or null (or Python's True, False or None), a list or an object if possible,
    else a word. Raises `ConfigError` for malformed input.
    """
    if isinstance(changes, Mapping):
        return {str(key): value for key, value in changes.items()}
    found: dict[str, object] = {}
    for text in (changes,) if isinstance(changes, str) or not isinstance(changes, Iterable) else changes:
        name, sign, value = (part.strip() for part in str(text).partition("="))
        if not (name and sign and value):
            raise ConfigError(f"{shorten(str(text))!r} sets nothing; a key or a letter and a value are expected, as in --set N=16")
        if found.setdefault(name, read := _value(value)) != read:
            raise ConfigError(f"{name} is set to both {_shown(found[name])} and {_shown(read)}; give one of them")
    return found


_CONSTANTS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False} | dict.fromkeys(
    ("null", "Null", "NULL", "None", "NONE")
)
"""The spellings of JSON, of Python and in capitals; a word of this spelling is written in quotation marks, and ``none`` is a word."""


def _value(text: str) -> object:
    """The value as JSON or as one of Python's constants; the text itself if it is neither."""
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if len(text) >= 100 and not text.startswith(("[", "{")):
        return text
    try:
        return json.loads(text, parse_constant=str)
    except (ValueError, RecursionError):
        return text


def changed(document: ConfigDocument, family: Family, changes: Mapping[str, object]) -> tuple[ConfigDocument, tuple[ConfigChange, ...]]:
    """The config with other values.

    Raises `UnknownNameError` for a name that is neither a key nor a letter of the family, and `RelationError` for a size such as 8k.
    """
    if not changes:
        return document, ()
    keys, made = dict(document.keys), list[ConfigChange]()
    for name, value in changes.items():
        size = next((each for each in family.sizes if name == each.letter or name in each.spellings), None)
        if size is None:
            _require_key(name, document, family)
            made.append(ConfigChange(name, "", value, keys.get(name, family.flags.get(name))))
            keys[name] = value
            continue
        if isinstance(value, str) and (number := scaled(name, value, {})) is not None:
            value = number.value
        there = [key for key in size.spellings if key in keys]
        made.append(ConfigChange(there[0] if there else size.key, size.letter, value, _before(size, keys, there)))
        keys = {key: each for key, each in keys.items() if key not in there} | {made[-1].key: value}
    origin = f"{document.origin} with {', '.join(change.statement for change in made)}"
    return replace(document, keys=keys, origin=origin, text=""), tuple(made)


def _before(size: SizeKey, keys: Mapping[str, object], there: list[str]) -> object:
    given = keys[there[0]] if there else None
    return given if given is not None else (size.null_default if there else None) or size.default


def _require_key(name: str, document: ConfigDocument, family: Family) -> None:
    if name in ("architectures", "model_type"):
        raise ConfigError(f"--set {name} would make it another model; name the architecture, as in --architecture {family.name}")
    asked = _Asked(document.keys)
    with suppress(KeyValueError, KeyError):  # Lookups so far show which keys are read.
        family.settings(asked, {size.letter: size.default for size in family.sizes if isinstance(size.default, int)})
    if name in document.keys or name in family.flags or name == family.activation_key or name in asked.names:
        return
    if name in BY_LETTER:
        has = ", ".join(size.letter for size in family.sizes)
        raise ConfigError(
            f"configs of {family.title} have no value for the {BY_LETTER[name].english} {name}, but for {has}; a size of the measure is "
            f"stated, as in --where {name}=1024"
        )
    raise UnknownNameError(
        f"letter or key of {family.title}",
        name,
        [*(key for size in family.sizes for key in (size.letter, *size.spellings)), *family.flags, *document.keys],
        f"letters such as N and the keys of {document.origin} are expected",
    )


class _Asked(dict[str, object]):
    """The keys of a config, which records the names that are looked up in it."""

    def __init__(self, keys: Mapping[str, object]) -> None:
        super().__init__(keys)
        self.names: set[object] = set()

    def get(self, key: object, default: object = None) -> object:
        self.names.add(key)
        return super().get(key, default) if isinstance(key, str) else default

    def __contains__(self, key: object) -> bool:
        self.names.add(key)
        return super().__contains__(key)

    def __getitem__(self, key: str) -> object:
        self.names.add(key)
        return super().__getitem__(key)


def _shown(value: object) -> str:
    return f"{value:,}" if type(value) is int else value if isinstance(value, str) else shorten(json.dumps(value, default=str), 40)
