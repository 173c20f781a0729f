"""The context of a document, stated by the user or in its front matter: the model, the author's letters, relations and names."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from pathlib import Path

from symparam.core.algebra.relations import Relation, relations
from symparam.core.alphabets import STANDARD, Alphabet, alphabet
from symparam.core.dimensions import BY_LETTER, COMMON_LETTERS, MAX_SIZE, RARE_LETTERS, symbol
from symparam.core.frozen import frozen
from symparam.core.json_types import JsonMapping
from symparam.core.message import Argument, Message, message
from symparam.core.parsing.reader import COMMON_NAMES, read_relation
from symparam.documents.checking.finding import CODES
from symparam.documents.reading.files import check_inside
from symparam.documents.reading.source import Source
from symparam.documents.roles.stated_measure import StatedMeasure
from symparam.documents.rules.registry import rules_named
from symparam.errors import ArchitectureError, ConfigError, DocumentError, RelationError, SymparamError, UnknownNameError, shorten
from symparam.models.architectures import architecture_names, find_architecture
from symparam.models.blocks.missing import Missing
from symparam.models.configs.changes import Changes, read_changes
from symparam.models.configs.presets import find_preset, presets
from symparam.models.resolution import Config, Named, Resolved, letters_of, read_stated, resolve
from symparam.models.statements import Rounded, Where, listed

Symbols = Mapping[str, str] | Iterable[str]
"""An author's names: ``{"C": "H"}`` or ``["C=H"]``; a name that stands for itself is a size of the author's own."""

MAX_FRONT_MATTER = 10_000  # Characters; front matter is a few lines.
MOST_PARTS = 4  # Names of parts that a remark lists.
MAX_NESTED = 200  # Brackets in it, as the time to parse nested YAML grows with the square of their number.
_FRONT_MATTER = re.compile(r"\A---[ \t]*\r?\n(.*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_KEYS = ("architecture", "config", "alphabet", "symbols", "where", "ignore", "without", "language", "measure", "convention")


@frozen
class Context:
    """The context of a document.

    ``architecture`` is the model that the document is about, ``alphabet`` its author's letters, ``relations`` are those that hold in it,
    ``symbols`` further names with the letters they stand for, ``stated`` what numbers count where the document does not say, ``ignore`` the
    codes of unwanted findings, ``without`` the rules that are switched off, and ``language`` the language that the document requests for
    its report, if any.
    """

    architecture: Resolved | None = None
    alphabet: Alphabet = STANDARD
    relations: tuple[Relation, ...] = ()
    symbols: Mapping[str, str] = field(default_factory=dict)
    stated: StatedMeasure = field(default_factory=StatedMeasure)
    ignore: frozenset[str] = frozenset()
    without: frozenset[str] = frozenset()
    language: str = ""

    @property
    def names(self) -> dict[str, str]:
        """The author's letters and names, each with its standard letter."""
        # Letters of rare sizes, such as H_e, need a subscript; without one the name would be a product of other letters.
        used = (*letters_of(self.architecture.model), *RARE_LETTERS) if self.architecture else RARE_LETTERS
        stated = COMMON_LETTERS if self.alphabet is not STANDARD else ()
        own = self.architecture.own_letters if self.architecture and self.alphabet is STANDARD else {}
        return {**{self.alphabet.name_of(letter): letter for letter in (*used, *stated)}, **own, **self.symbols}


def context_of(
    architecture: Named | None = None,
    config: Config | None = None,
    where: Where = (),
    letters: Alphabet = STANDARD,
    symbols: Symbols = (),
    set: Changes = (),
    stated: StatedMeasure | None = None,
) -> tuple[Context, tuple[Message, ...]]:
    """The context that a user states, and remarks on it. Raises `SymparamError` for a statement that cannot be used."""
    stated = stated or StatedMeasure()
    stated.check()
    named = config if architecture is None else architecture
    if named is None:
        if changes := read_changes(set):
            raise ConfigError(f"--set {next(iter(changes))} changes a value of a config, and none is named; add --config")
        found = relations(_relation(statement, letters) for statement in listed(where))
        return Context(None, letters, found.stated, _declared(symbols, {}), stated), ()
    # A config also names its architecture; here it is given for its numbers.
    alone = architecture is None
    chosen = resolve(named, None if alone else config, where, letters, values_first=alone, set=set)
    # A value for a letter that the architecture lacks is not without effect: the document may use the letter.
    remarks = tuple(each for each in chosen.model.remarks if each.kind != "no-such-letter")
    if chosen.model.architecture.missing:
        name = chosen.model.origin or chosen.model.architecture.name
        lacking = message("nothing-held-against", name=name, parts=_parts(chosen.model.architecture.missing))
        return Context(None, letters, chosen.relations.stated, _declared(symbols, chosen.own_letters), stated), (*remarks, lacking)
    if stated:
        stated.measure_for(chosen)  # Raises an error for what cannot be measured.
    return Context(chosen, letters, chosen.relations.stated, _declared(symbols, chosen.own_letters), stated), remarks


def _parts(missing: Iterable[Missing]) -> Argument:
    """What a model lacks; of many parts only the first."""
    parts = tuple(dict.fromkeys(each.what for each in missing))
    if len(parts) <= MOST_PARTS:
        return parts
    return message("parts-and-more", parts=parts[: MOST_PARTS - 1], count=len(parts) - MOST_PARTS + 1)


def declared_in(source: Source, context: Context) -> tuple[Context, tuple[Message, ...]]:
    """The context with the additions under the key ``symparam`` of the document's front matter; the user's statements take precedence.

    Its keys are ``architecture``, ``config`` (a preset, or the path of a config.json relative to the document's folder, within its
    project), ``alphabet``, ``symbols`` (name: letter), ``where``, ``measure``, ``convention``, ``ignore`` (codes), ``without`` (rules) and
    ``language``. Raises
    `DocumentError` for front matter that cannot be used.
    """
    stated = _front_matter(source)
    if not stated:
        return context, ()
    try:
        return _joined(source, stated, context)
    except SymparamError as error:
        raise DocumentError(f"{source.name}: in the front matter, {error}") from None


def _joined(source: Source, stated: JsonMapping, context: Context) -> tuple[Context, tuple[Message, ...]]:
    for key in stated:
        if key not in _KEYS:
            raise UnknownNameError("key of symparam", _name("a key of symparam", key), _KEYS)
    config = _optional(stated, "config")
    if config is not None and not find_preset(config):
        config = _beside(source, config)
    named = _optional(stated, "architecture")
    if named is not None and not find_preset(named) and find_architecture(named) is None:
        raise UnknownNameError("architecture or preset", named, (*architecture_names(), *presets()), "a document must not name files")
    letters = context.alphabet if context.alphabet is not STANDARD else alphabet(*_listed(stated, "alphabet"))
    symbols = stated.get("symbols", {})
    if not isinstance(symbols, Mapping):
        raise DocumentError(f"symbols is {_shown(symbols)}; names with their letters are expected, as in 'C: H'")
    ignored = _listed(stated, "ignore")
    without = rules_named(_listed(stated, "without"))
    for code in ignored:
        if code not in CODES:
            raise UnknownNameError("code", code, CODES)
    own, remarks = context_of(
        named,
        config,
        _listed(stated, "where"),
        letters,
        {_name("symbols", name): _name("symbols", letter) for name, letter in symbols.items()},
        stated=StatedMeasure(_optional(stated, "measure") or "", _optional(stated, "convention") or ""),
    )
    return (
        replace(
            context,
            architecture=context.architecture or own.architecture,
            alphabet=letters,
            relations=(*context.relations, *own.relations),
            symbols={**own.symbols, **context.symbols},
            stated=context.stated or own.stated,
            ignore=context.ignore | set(ignored),
            without=context.without | without,
            language=_optional(stated, "language") or "",
        ),
        () if context.architecture else remarks,
    )


def _beside(source: Source, config: str) -> str:
    """The path of a config that the document names. Raises `SymparamError` if it is not a config, or is outside the document's project."""
    document = Path(source.name)
    if not config.endswith(".json") or not document.is_file():
        raise UnknownNameError("preset", config, presets(), "a preset is expected, or a config.json next to the document")
    check_inside(config, document.parent)
    return os.path.normpath(document.parent / config)


def _front_matter(source: Source) -> JsonMapping:
    if not source.text.startswith("---"):
        return {}
    found = _FRONT_MATTER.match(source.text[: MAX_FRONT_MATTER + 20])
    if not found or "symparam" not in found[1]:
        return {}
    if sum(map(found[1].count, "[{?")) > MAX_NESTED:
        raise DocumentError(f"{source.name}: the front matter has more than {MAX_NESTED} brackets; simplify the part for symparam")
    import yaml  # Imported here, as few documents declare anything.

    try:
        # Ten lines of aliases of aliases can expand to more than fits into memory.
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(found[1], yaml.SafeLoader)):
            raise DocumentError(f"{source.name}: the front matter refers to itself with '*'; write out what is meant, or remove symparam")
        content = yaml.safe_load(found[1])
    except (yaml.YAMLError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:  # !!bool x is a KeyError.
        mark = getattr(error, "problem_mark", None)
        place = f":{mark.line + 2}:{mark.column + 1}" if mark else ""
        raise DocumentError(f"{source.name}{place}: the front matter is not YAML; correct it, or remove the key symparam") from None
    stated = content.get("symparam", {}) if isinstance(content, Mapping) else {}
    if not isinstance(stated, Mapping):
        raise DocumentError(
            f"{source.name}: symparam in the front matter is {_shown(stated)}; keys such as architecture are expected below it"
        )
    return stated


def _listed(stated: JsonMapping, key: str) -> list[str]:
    value = stated.get(key, [])
    return [_name(key, each) for each in value] if isinstance(value, list) else [_name(key, value)]


def _optional(stated: JsonMapping, key: str) -> str | None:
    value = stated.get(key)
    return None if value is None else _name(key, value)


def _name(key: str, value: object) -> str:
    if isinstance(value, bool) or not (isinstance(value, str) or (isinstance(value, int) and abs(value) <= MAX_SIZE)):
        raise DocumentError(f"{key} is {_shown(value)}, but a name is expected")
    return str(value)


def _shown(value: object) -> str:
    """A value from YAML, as a message shows it."""
    if isinstance(value, int) and abs(value) > MAX_SIZE:
        return "a huge number"
    return shorten(repr(value))


def _relation(statement: str | Relation | Rounded, written: Alphabet) -> Relation:
    if isinstance(statement, Relation):
        return statement
    if isinstance(statement, Rounded):
        return statement.relation({})
    if statement.rpartition("=")[2].strip().lower() in ("true", "false"):
        raise RelationError(f"{shorten(statement)!r} states a flag; it needs an architecture to belong to, so name one")
    return read_stated(read_relation, statement, written)


def _declared(symbols: Symbols, own: Mapping[str, str]) -> dict[str, str]:
    """The author's names with their standard letters; a name that maps to itself is a size of the author's own."""
    each = (symbols,) if isinstance(symbols, str) else symbols
    pairs = symbols.items() if isinstance(symbols, Mapping) else [_pair(text) for text in each]
    known = {**COMMON_NAMES, **{letter: letter for letter in BY_LETTER}, **own}
    declared: dict[str, str] = {}
    for name, meant in pairs:
        symbol(name)  # Raises an error for what cannot be a name.
        if meant not in known and meant != name:
            turned = f"; the author's name comes first, so write {meant}={name}" if name in known else ""
            raise UnknownNameError("size", meant, known, "symparam symbols shows the letters" + turned)
        letter = known.get(meant, meant)
        if declared.setdefault(name, letter) != letter:
            raise ArchitectureError(f"{name} is declared to be both {declared[name]} and {letter}; give one of them")
    return declared


def _pair(text: str) -> tuple[str, str]:
    name, sign, meant = (part.strip() for part in text.partition("="))
    if not sign:
        raise ArchitectureError(f"{shorten(text)!r} declares no name; the author's name, '=' and a letter are expected, as in C=H")
    return name, meant
