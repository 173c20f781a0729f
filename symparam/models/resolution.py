"""Resolves what a user names (an architecture, a preset, a config.json) and states (``--where``) to a model and its relations."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TypeVar

import sympy

from symparam.core.algebra.relations import Relation, Relations, relations
from symparam.core.alphabets import STANDARD, Alphabet
from symparam.core.formula import write
from symparam.core.frozen import frozen
from symparam.core.json_types import JsonMapping
from symparam.core.message import Message, message
from symparam.core.notation import UNICODE
from symparam.core.parsing.reader import COMMON_NAMES, read_relation
from symparam.errors import ArchitectureError, ConfigError, RelationError, SymparamError, UnknownNameError, nearest, shorten
from symparam.models.adapters import Lora, with_lora
from symparam.models.architectures import Flags, architecture_names, find_architecture
from symparam.models.blocks import Architecture, Module
from symparam.models.configs.changes import Changes, read_changes
from symparam.models.configs.config_file import ConfigDocument, load
from symparam.models.configs.presets import find_preset, presets
from symparam.models.configs.values import Model, check_divisible, model_from_config
from symparam.models.size_constraints import check_possible, negative, numbers_of_layers, unused_experts
from symparam.models.statements import Rounded, Where, in_letters, listed, read_statements, rounded

Config = str | PathLike[str] | JsonMapping
"""A config: a preset's name, a path, ``-`` for standard input, or its keys."""
Named = Config | Architecture
"""A name of a model: an architecture's name or object, or a config."""


@frozen
class Resolved:
    """A resolved model with everything that was stated about it.

    ``relations`` are all stated relations, and ``symbolic`` those that leave letters in the formula; the values from the others are among
    the model's. ``own_letters`` declares the letters of the architecture that are not in the vocabulary.
    """

    model: Model
    relations: Relations
    symbolic: Relations
    own_letters: Mapping[str, str]


def resolve(
    named: Named,
    config: Config | None = None,
    where: Where = (),
    alphabet: Alphabet = STANDARD,
    values_first: bool = False,
    also: Iterable[str] = (),
    set: Changes = (),
    lora: Lora | None = None,
) -> Resolved:
    """The named model, with the statements of ``where`` read, checked and joined to its values.

    ``named`` is an architecture or one of its classes, a preset, the path of a config.json, ``-`` for one on standard input, the keys of a
    config, or an `Architecture`. ``config`` is a preset, a path or keys, if ``named`` is an architecture's name. A name of both an
    architecture and a preset (``gpt2``) means the preset if ``values_first``. ``also`` are letters that a measure adds to those of the
    architecture, such as the sequence length. ``set`` gives values that replace those of the config, and ``lora`` adds adapters.
    """
    statements = read_statements(where if lora is None else (*listed(where), *lora.statements))
    changes = read_changes(set)
    model = _model(named, config, statements.flags, values_first or bool(changes), changes, with_operations="L" in also)
    if changes and not model.changes:
        raise ConfigError(
            f"there is no config in which --set {next(iter(changes))} could change a value; name a preset or a config, or state the value, "
            f"as in --where {next(iter(changes))}={next(iter(changes.values()))}"
        )
    if lora is not None:
        model = replace(model, architecture=with_lora(model.architecture, lora))
    letters = letters_of(model)
    # Including letters of the vocabulary that only some formulas use: a size may be called S if nothing has a cache.
    own = {alphabet.name_of(letter): letter for letter in (*(letters - {*alphabet.letters().values()}), *also)}
    remarks: list[Message] = []
    names = COMMON_NAMES | alphabet.letters() | own
    others = [each if isinstance(each, str) else in_letters(each, names) for each in statements.others]
    stated = [_stated_relation(each, alphabet, own, remarks) for each in others if not isinstance(each, Rounded)]
    values = _values(model, stated)
    for each in others:
        if isinstance(each, Rounded):
            stated.append(each.relation(values))
            values = _values(model, stated)
    model = _rounded(replace(model, values=values), remarks)
    if model.check:
        model.check(values)
    if model.family:
        check_divisible(model.family, values, model.origin or "what is stated")
    if values:
        check_possible(numbers_of_layers(model.architecture), values)
    remarks += _cannot_run(model, values)
    remarks += [
        message("no-such-letter", letter=relation.letter, name=model.architecture.name, relation=str(relation))
        for relation in stated
        if relation.letter not in letters.union(also, *(each.formula.letters for each in stated))
    ]
    symbolic = relations(relation for relation in stated if relation.formula.letters)
    return Resolved(replace(model, remarks=(*model.remarks, *remarks)), relations(stated), symbolic, own)


def _values(model: Model, stated: list[Relation]) -> dict[str, int]:
    """The values of the model together with stated and derived ones. Raises `RelationError` for contradictions."""
    numbers = relations(relation for relation in stated if not relation.formula.letters).values({})
    for letter, value in numbers.items():
        if model.values.get(letter, value) != value:
            raise RelationError(
                f"{letter} = {value:,} contradicts {model.origin}, where {letter} is {model.values[letter]:,}; "
                f"drop the statement, or ask what if: --set {letter}={value}"
            )
    return relations(stated).values({**model.values, **numbers})


def _rounded(model: Model, remarks: list[Message]) -> Model:
    """The model with its rounded sizes as numbers, since these have no closed form."""
    found: set[sympy.Expr] = set()
    for _, tensor in model.architecture.tensors() if model.family is None else ():
        found |= {part for size in tensor.shape for part in size.atoms(sympy.ceiling, sympy.floor)}
    if not found:
        return model
    remarks += [message("size-is", size=str(part), value=str(rounded(part, model.values))) for part in sorted(found, key=str)]
    return replace(model, architecture=model.architecture.map_sizes(lambda size: rounded(size, model.values)))


def _cannot_run(model: Model, values: Mapping[str, int]) -> list[Message]:
    """Remarks on sizes with which the reference builds the model but cannot run it."""
    found = [
        message("not-divisible", whole=whole, value=values[whole], divisor=part, by=values[part])
        for whole, part in model.divisible_to_run
        if {whole, part} <= values.keys() and values[whole] % values[part]
    ]
    if values:
        found += [
            message("negative", formula=str(each), values=sizes) for each, sizes in negative(unused_experts(model.architecture), values)
        ]
    return [message("cannot-run", why=each) for each in found]


def letters_of(model: Model) -> frozenset[str]:
    """The letters of the architecture's shapes, and those for which configs of its family have values."""
    family = [size.letter for size in model.family.sizes] if model.family else []
    return model.architecture.letters.union(model.architecture.meanings, family)


def _stated_relation(stated: str | Relation, alphabet: Alphabet, own: Mapping[str, str], remarks: list[Message]) -> Relation:
    """The relation, with a remark if it was read in symparam's letters although the alphabet's author uses them otherwise."""
    if isinstance(stated, Relation):
        return stated
    text = stated
    relation = read_stated(lambda text, alphabet: read_relation(text, alphabet, own), text, alphabet)
    theirs = alphabet.letters()
    if any(theirs.get(letter, letter) != letter for letter in (relation.letter, *relation.formula.letters)):
        notation = UNICODE.using(alphabet)
        theirs_is = f"{notation.symbol(relation.letter)} = {write(relation.formula, notation)}"
        remarks.append(message("in-own-letters", text=repr(shorten(text)), alphabet=alphabet.name, relation=theirs_is))
    return relation


Read = TypeVar("Read")


def read_stated(read: Callable[[str, Alphabet], Read], text: str, alphabet: Alphabet) -> Read:
    """The statement in symparam's letters or, failing that, in the letters of the output's alphabet.

    Raises an `ArchitectureError` where the two readings differ: ``L = 12`` for an author who writes L for the layers.
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
            "write the names instead, as in hidden_size=768, layers=12 or intermediate_size=4hidden_size"
        )
    return ours


def _model(named: Named, config: Config | None, flags: Flags, values_first: bool, changes: JsonMapping, with_operations: bool) -> Model:
    if isinstance(named, Architecture):
        if flags:
            raise RelationError(f"{next(iter(flags))} is a flag of symparam's own architectures; {named.name} has none")
        return Model(named, {}, "") if config is None else _own_with_config(named, config, changes)
    if isinstance(named, Module):
        raise ArchitectureError(f"a {type(named).__name__} alone is not a model; give it a name, as in Architecture('mine', …)")
    if not isinstance(named, (str, PathLike, Mapping)):
        raise ArchitectureError(f"{shorten(repr(named))} is not a model; a name, a path, config keys or an Architecture is expected")
    choice = find_architecture(named) if isinstance(named, str) else None
    if choice is None:
        if config is None and isinstance(named, str) and (preset := find_preset(named)):
            return model_from_config(preset.document, None, flags, changes)
        return _printed(named, config, flags) or _traced(named, config, flags, values_first, changes, with_operations)
    if config is not None:
        return model_from_config(_document(config), choice, flags, changes)
    if not (values_first and find_preset(str(named))):
        return Model(choice.family.architecture(choice.class_name, flags), {}, "", choice.family)
    return model_from_config(_document(named), None, flags, changes)


def _traced(named: Config, config: Config | None, flags: Flags, values_first: bool, changes: JsonMapping, with_operations: bool) -> Model:
    """The model of an atlas class, of a file written by ``symparam trace``, or of a config with such a class."""
    from symparam.models.atlas import lookup  # A thousand names, so only loaded when needed.

    if isinstance(named, str) and lookup.is_class(named):
        config_document = None if config is None else _document(config)
        return lookup.class_model(named, config_document, flags, values_first, changes)
    if config is not None and not (isinstance(named, (str, PathLike)) and _exists(str(named))):
        raise _unknown_architecture(str(named))
    document = _document(named, (*architecture_names(), *lookup.class_names()))
    if lookup.is_network(document.keys):
        config_document = None if config is None else _document(config)
        return lookup.network_model(document, config_document, flags, values_first, changes, with_operations)
    if config is not None:
        raise _unknown_architecture(str(named))
    found = lookup.config_model(document, flags, changes)
    return found or model_from_config(document, None, flags, changes, lookup.language_model(document))


def _printed(named: Config, config: Config | None, flags: Flags) -> Model | None:
    """The model in a file with a printed model; None for anything else."""
    if isinstance(named, Mapping) or find_preset(str(named)):
        return None
    from symparam.models.printed.model_files import printed_model  # Imported here, since only files need the readers of printed models.

    return printed_model(named, lambda: None if config is None else _document(config), flags)


def _own_with_config(architecture: Architecture, config: Config, changes: JsonMapping) -> Model:
    model = model_from_config(_document(config), changes=changes)
    return Model(architecture, model.values, model.origin, remarks=model.remarks, changes=model.changes)


def _document(named: Config, also: Iterable[str] = ()) -> ConfigDocument:
    """The config: of the named preset, from a file, or given by its keys."""
    if isinstance(named, Mapping):
        return ConfigDocument({str(key): value for key, value in named.items()}, "the config")
    name = str(named)
    if preset := find_preset(name):
        return preset.document
    if name == "-" or name.endswith(".json") or _exists(name):
        return load(name)
    last = name.rpartition("/")[2]
    if preset := find_preset(last):  # org/Name, as on the hub.
        return preset.document
    if "/" in name or "\\" in name:
        if _ON_THE_HUB.fullmatch(name) and (alike := _presets_alike(last)):
            raise UnknownNameError("preset or file", name, alike, meant=alike)
        return load(name)
    raise UnknownNameError(
        "architecture, preset or file" if also else "preset or file", name, (*also, *presets()), "symparam list shows the names"
    )


_ON_THE_HUB = re.compile(r"[\w.-]{1,96}/[\w.-]{1,96}")


def _presets_alike(name: str) -> tuple[str, ...]:
    """The preset whose words and numbers are all in the last part of a name on the hub, or those with almost its letters."""
    words = frozenset(_words(name))
    same = [each for each in presets() if words >= frozenset(_words(each)) and _numbers(words) == _numbers(_words(each))]
    return tuple(sorted(same, key=len, reverse=True)[:1]) or nearest(name, presets())


def _words(name: str) -> list[str]:
    return re.findall(r"\d+(?:\.\d+)?[a-z]?|[a-z]+", name.casefold())


def _numbers(words: Iterable[str]) -> list[str]:
    return sorted(each for each in words if each[0].isdecimal())


def _exists(named: str) -> bool:
    try:
        return bool(named) and Path(named).exists()
    except (OSError, ValueError):
        return False


def _unknown_architecture(named: str) -> SymparamError:
    if find_preset(named):
        return ConfigError(f"{named!r} is a preset; with a config, name an architecture or a class, as in: count bert --config FILE")
    return UnknownNameError("architecture", named, architecture_names())
