"""What a user names (an architecture, a preset, a config.json) and states beside it, to a model and its relations."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from symparam.algebra.relations import NONE, Relation, Relations, relations
from symparam.alphabets import STANDARD, Alphabet
from symparam.architectures import Flags, find, names
from symparam.blocks import Architecture
from symparam.configs.document import ConfigDocument, load
from symparam.configs.presets import presets
from symparam.configs.values import Model, check, model_from_config
from symparam.errors import ArchitectureError, ConfigError, RelationError, SymparamError, UnknownName, shorten
from symparam.reading.formula import read_relation

_FLAG = re.compile(r"\s*([A-Za-z]\w*)\s*=\s*(true|false)\s*", re.IGNORECASE)


@dataclass(frozen=True)
class Chosen:
    """A model with everything that was stated about it.

    ``relations`` are all that were stated, ``symbolic`` those among them that leave letters in the formula; the values that the
    others give are among the model's.
    """

    model: Model
    relations: Relations = NONE
    symbolic: Relations = NONE


def choose(
    named: str | Architecture, config: str | None = None, where: Iterable[str] = (), alphabet: Alphabet = STANDARD, values_first: bool = False
) -> Chosen:
    """The model that was named, with the statements of ``where`` read, checked and joined to its values.

    ``named`` is an architecture or a class of one, a preset, the path of a config.json, ``-`` for one on standard input, or an
    architecture of one's own. ``config`` is a preset or a path beside an architecture's name. Where a name is both an architecture's
    and a preset's (``gpt2``), ``values_first`` says that numbers are wanted.
    """
    stated, flags = _statements(where, alphabet)
    model = _model(named, config, flags, values_first)
    numeric = [relation for relation in stated if not relation.formula.letters]
    symbolic = relations(relation for relation in stated if relation.formula.letters)
    everything = relations(stated)
    given = {**model.values, **relations(numeric).values(model.values)}
    values = everything.values(given)
    if model.family:
        check(model.family, values, model.origin or "the statements given")
    return Chosen(replace(model, values=values), everything, symbolic)


def _statements(where: Iterable[str], alphabet: Alphabet) -> tuple[list[Relation], dict[str, bool]]:
    stated: list[Relation] = []
    flags: dict[str, bool] = {}
    for text in where:
        flag = _FLAG.fullmatch(text)
        if flag is None:
            stated.append(read_stated(read_relation, text, alphabet))
            continue
        name, value = flag[1], flag[2].lower() == "true"
        if flags.setdefault(name, value) != value:
            raise RelationError(f"{name} is stated to be both true and false; give one of them")
    return stated, flags


Read = TypeVar("Read")


def read_stated(read: Callable[[str, Alphabet], Read], text: str, alphabet: Alphabet) -> Read:
    """What the user states, in symparam's letters or in those of the alphabet that the output is asked for in.

    Raises an `ArchitectureError` where the two say different things: ``L = 12`` under an author who writes L for the layers.
    """
    try:
        ours = read(text, STANDARD)
    except SymparamError:
        return read(text, alphabet)
    try:
        theirs = read(text, alphabet)
    except SymparamError:
        return ours
    if ours != theirs:
        raise ArchitectureError(
            f"{shorten(text)!r} means one thing in symparam's letters and another in those of {alphabet.name!r}; "
            "write the names instead, as in layers=12 or intermediate_size=4hidden_size"
        )
    return ours


def _model(named: str | Architecture, config: str | None, flags: Flags, values_first: bool) -> Model:
    if isinstance(named, Architecture):
        if flags:
            raise RelationError(f"{next(iter(flags))} is a flag of symparam's own architectures; {named.name} has none")
        return Model(named, {}, "") if config is None else _own_with_config(named, config)
    choice = find(named)
    if config is not None:
        if choice is None:
            raise _unknown_architecture(named, " beside a config an architecture is named")
        return model_from_config(_document(config), choice, flags)
    if choice is not None and not (values_first and named in presets()):
        return Model(choice.family.architecture(choice.class_name, flags), {}, "", choice.family)
    return model_from_config(_document(named, names()), None, flags)


def _own_with_config(architecture: Architecture, config: str) -> Model:
    model = model_from_config(_document(config))
    return Model(architecture, model.values, model.origin, None, model.notes)


def _document(named: str, also: Iterable[str] = ()) -> ConfigDocument:
    """The preset of that name, or the config in the file."""
    if named in presets():
        return presets()[named].document
    if named == "-" or "/" in named or "\\" in named or named.endswith(".json") or _exists(named):
        return load(named)
    raise UnknownName("architecture, preset or file" if also else "preset or file", named, (*also, *presets()), "symparam list shows the names")


def _exists(named: str) -> bool:
    try:
        return Path(named).exists()
    except (OSError, ValueError):
        return False


def _unknown_architecture(named: str, remark: str) -> SymparamError:
    if named in presets():
        return ConfigError(f"{named!r} is a preset;{remark}, one of {', '.join(names())}")
    return UnknownName("architecture", named, names())


