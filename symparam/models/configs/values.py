"""From the keys of a config to an architecture and a value for each letter, with the checks of the reference."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field, replace
from math import floor
from typing import TYPE_CHECKING

from symparam.core.dimensions import BY_LETTER, MAX_SIZE
from symparam.core.evaluation import evaluate
from symparam.core.formula import Formula, Negative, Number, Sum, Symbol, write
from symparam.core.frozen import frozen
from symparam.core.json_types import JsonMapping, JsonObject
from symparam.core.message import Message, message
from symparam.core.parsing.reader import read_formula
from symparam.errors import ConfigError, KeyValueError, listed, nearest, shorten
from symparam.models.architectures import REGISTRY, Choice, Family, Flags, family_of_model_type, find_architecture
from symparam.models.architectures.activation_functions import activation_function
from symparam.models.blocks import Architecture
from symparam.models.configs.changes import ConfigChange, changed
from symparam.models.configs.config_file import ConfigDocument
from symparam.models.configs.original_params import as_config, is_original
from symparam.models.configs.remarks import on_arguments, on_class, on_defaults
from symparam.models.traced.expressions import Expression

if TYPE_CHECKING:
    from symparam.models.traced.general_rules import OpenVariant


@frozen
class ReleasedExtra:
    """The contents of released files beyond the reference's parameters: the key of the phrase, a formula and its number."""

    key: str
    formula: Formula
    number: int


@frozen
class Model:
    """An architecture and what is known of its sizes.

    ``values`` gives a number for each letter and is empty if only an architecture was named; ``origin`` is the preset or file from which
    they come, and ``family`` is None for a user's own architecture. ``remarks`` tell the user what was assumed, such as defaults;
    ``activation`` is the activation function that a config names, ``keys`` are all its keys, and ``changes`` the values that a what-if
    replaced. ``released_extras`` lists what released files contain but the reference does not count. Of a traced class, ``settings`` names
    the setting behind each letter, ``conditions`` are those under which its formulas hold, as lines (``H % h == 0``), ``assumed`` those
    that depend on letters, as data, and ``variant`` the network. ``check`` raises a `ConfigError` for inputs of unknown operations.
    """

    architecture: Architecture
    values: Mapping[str, int] = field(hash=False)
    origin: str
    family: Family | None = field(default=None, hash=False)
    derived: Mapping[str, Formula] = field(default_factory=dict, hash=False)
    remarks: tuple[Message, ...] = ()
    activation: str = ""
    keys: JsonMapping = field(default_factory=dict, hash=False)
    changes: tuple[ConfigChange, ...] = ()
    released_extras: tuple[ReleasedExtra, ...] = ()
    conditions: tuple[str, ...] = ()
    assumed: tuple[Expression, ...] = field(default=(), hash=False)
    settings: Mapping[str, str] = field(default_factory=dict, hash=False)
    check: Callable[[Mapping[str, int]], None] | None = field(default=None, hash=False, compare=False)
    variant: OpenVariant | None = field(default=None, hash=False, compare=False)

    @property
    def activation_function(self) -> str:
        """The activation function of the feed-forward parts, by its name in configs."""
        return self.activation or (self.family.default_activation if self.family else "")

    @property
    def longest(self) -> Formula:
        """The longest text that the position table has rows for: P, or less where positions start after the padding token."""
        padding = self.keys.get("pad_token_id", self.family.padding) if self.family else None
        unused = padding + 1 if isinstance(padding, int) else 0
        return Sum((Symbol("P"), Negative(Number(unused)))) if unused else Symbol("P")

    @property
    def divisible_to_run(self) -> tuple[tuple[str, str], ...]:
        """The family's pairs (number, divisor) without which the reference cannot run a model, among the letters of this one."""
        return tuple(pair for pair in (self.family.divisible_to_run if self.family else ()) if {*pair} <= self.architecture.letters)

    @property
    def divisible(self) -> tuple[tuple[str, str], ...]:
        """All pairs of letters (number, divisor) of a model that the reference builds and runs."""
        return (*(self.family.divisible if self.family else ()), *self.divisible_to_run)


def model_from_config(
    document: ConfigDocument,
    asked: Choice | None = None,
    flags: Flags | None = None,
    changes: Mapping[str, object] | None = None,
    inside: str = "",
) -> Model:
    """The model that a config describes.

    ``asked`` is the architecture that the user named, ``flags`` are stated values, and ``changes`` are new values for keys; all three take
    precedence over the config. ``inside`` is a traced class for the config in its ``text_config``. Raises `ConfigError` for a missing or
    unknown architecture and for values that the reference would reject.
    """
    told: list[Message] = []
    if is_original(document) and (asked is None or asked.family.model_type == "llama"):
        document, said = as_config(document, changes or {})
        told.append(said)
    named = _named_by(document, asked, inside)
    choice = asked or named
    if asked and named and named.class_name != asked.class_name:
        told.append(message("class-as-asked", origin=document.origin, named=named.class_name, asked=asked.class_name))
    family = choice.family
    document, made = changed(_unwrapped(document, family), family, changes or {})
    _refuse_foreign(document, family)
    if family.activation_key in document.keys:
        with _placed(document):
            activation_function(document.keys, family.activation_key, family.default_activation)
    sizes = _sizes(document, family)
    settings = dict(_settings(document, family, sizes.values))
    remarks: tuple[Message, ...] = settings.pop("remarks", ())
    released: tuple[tuple[str, str], ...] = settings.pop("released_extras", ())
    values = {**sizes.values, **{name: value for name, value in settings.items() if name not in family.flags}}
    check_divisible(family, values, document.origin, document)
    _require_sizes(document, family, values)
    architecture = family.architecture(choice.class_name, {**_flags(document, family, settings), **(flags or {})})
    # A class may lack what another of its family has: BertModel has no labels.
    used = {letter for letter in values if not BY_LETTER[letter].rare or letter in architecture.letters or family.divides(letter)}
    taken = {size.key: sizes.defaults[size.key] for size in family.sizes if size.key in sizes.defaults and size.letter in used}
    misnamed = _misnamed(document, family, taken)
    taken |= {size.key: values[size.letter] for size in family.sizes if size.key in misnamed.values() and size.letter in used}
    return Model(
        architecture,
        {letter: value for letter, value in values.items() if letter in used},
        document.origin,
        family,
        {letter: formula for letter, formula in sizes.derived.items() if letter in used and letter not in settings},
        (
            *told,
            *(change.remark for change in made),
            *sizes.remarks,
            *(message("remark-on", origin=document.origin, said=remark) for remark in remarks),
            *on_defaults(document, family, taken, misnamed),
            *on_arguments(document, family),
            *(on_class(document, choice.class_name, choice.family.classes) if asked is None else ()),
        ),
        family.activation_function(document.keys),
        document.keys,
        made,
        tuple(_released_extra(key, formula, values) for key, formula in released),
    )


def _released_extra(key: str, text: str, values: Mapping[str, int]) -> ReleasedExtra:
    formula = read_formula(text, names={letter: letter for letter in BY_LETTER})
    return ReleasedExtra(key, formula, int(evaluate(formula, values)))


def _unwrapped(document: ConfigDocument, family: Family) -> ConfigDocument:
    """The config of the language model inside that of a multimodal model; for the latter, its config with the keys of those inside."""
    if family.inner:
        with _placed(document):
            named = [each.named(document.keys) for each in family.inner]
        return replace(document, keys={**document.keys, **dict(pair for each in named for pair in each.items())})
    inner = document.keys.get("text_config")
    wrapped = _inside(document) is family or (family.wrapper and document.keys.get("model_type") == family.wrapper)
    if not isinstance(inner, dict) or not wrapped:
        return document
    return replace(document, keys=inner, origin=f"{document.origin}, text_config", text="")


_WORDS_OF_SIZES = ("layer", "head", "dim", "embd", "state", "vocab", "hidden", "width", "d_model")


def _refuse_foreign(document: ConfigDocument, family: Family) -> None:
    """Raise a `ConfigError` for a config with other sizes but none of the family's: defaults alone would describe another model."""
    read = {key for size in family.sizes for key in size.spellings}
    sizes = [key for key, value in document.keys.items() if isinstance(value, int) and not isinstance(value, bool) and value > 1]
    others = [key for key in sizes if any(word in key for word in _WORDS_OF_SIZES)]
    if len(others) > 1 and not read & document.keys.keys():
        raise ConfigError(
            f'{document.origin} has none of the keys of {family.title}, such as "{family.sizes[0].key}" and "{family.sizes[1].key}", '
            f'but "{shorten(others[0], 40)}": it seems to be a config for another library; give the one that transformers reads'
        )


def _misnamed(document: ConfigDocument, family: Family, defaults: Mapping[str, int]) -> dict[str, str]:
    """Keys that the family does not read and that seem to state a size, each with the key of the size, for which a default is taken.
    Raises a `ConfigError` where a file with such keys names no class, and so is not written for the reference.
    """
    read = {key for size in family.sizes for key in size.spellings}
    unread = [key for key, value in document.keys.items() if key not in read and type(value) is int]
    meant: dict[str, str] = {}
    for size in family.sizes:
        if size.key in defaults or not {*size.spellings} & document.keys.keys():
            other = [key for key in unread if key not in size.key and size.key not in key]  # head_dim is not a misspelt v_head_dim.
            known = [key for key in BY_LETTER[size.letter].config_keys if key in unread] or nearest(size.key, other, most=1, alike=0.85)
            meant |= dict.fromkeys(known[:1], size.key)
    if meant and not {"architectures", "model_type"} & document.keys.keys():
        given, expected = (listed(f'"{shorten(key, 40)}"' for key in keys) for keys in (meant, meant.values()))
        raise ConfigError(
            f"{document.place(next(iter(meant)))}: {family.title} does not read {given}, but {expected}, and would take defaults; "
            "write each size under the key that it reads, as the config.json for transformers does"
        )
    return meant


def check_divisible(family: Family, values: Mapping[str, int], origin: str, document: ConfigDocument | None = None) -> None:
    """Raise a `ConfigError` if a value does not divide another as the reference requires; with a document, give the position."""
    for whole, divisor in family.divisible:
        if whole in values and divisor in values and values[whole] % values[divisor]:
            keys = [key for size in family.sizes if size.letter == whole for key in size.spellings]
            place = next((document.place(key) for key in keys if key in document.keys), origin) if document else origin
            raise ConfigError(
                f"{place}: the {_counted(whole)} {whole} = {values[whole]:,} is not divisible by the number of "
                f"{BY_LETTER[divisor].english}, {divisor} = {values[divisor]:,}, as {family.title} needs it; change one of them"
            )


def _counted(letter: str) -> str:
    """The meaning of a letter as a singular: "hidden size", "number of attention heads"."""
    size = BY_LETTER[letter]
    return size.english if size.unit == "features" else f"number of {size.english}"


def _named_by(document: ConfigDocument, asked: Choice | None, inside: str) -> Choice:
    keys = document.keys
    classes, model_type = keys.get("architectures"), keys.get("model_type")
    if classes is not None and not (isinstance(classes, list) and all(isinstance(each, str) for each in classes)):
        found = "a list of other things" if isinstance(classes, list) else _render(classes)
        raise ConfigError(f'{document.place("architectures")}: "architectures" is {found}, but a list of class names is expected')
    if model_type is not None and not isinstance(model_type, str):
        raise ConfigError(f'{document.place("model_type")}: "model_type" is {_render(model_type)}, but a name such as "bert" is expected')
    family = family_of_model_type(model_type)
    if asked and model_type is not None and asked.family not in (family, _inside(document)) and model_type != asked.family.wrapper:
        raise ConfigError(
            f'{document.place("model_type")}: "model_type" is {model_type!r}, but {asked.family.name} was asked for, '
            f"whose configs say {asked.family.model_type!r}"
        )
    if asked:
        choice = find_architecture(classes[0]) if classes else None
        return choice if choice and choice.family is asked.family else asked
    if classes:
        return _class_named(document, classes[0], family, inside)
    if family:
        return Choice(family, next(iter(family.classes)))
    if model_type is not None:
        language_model = _inside(document)
        alone = language_model.name if language_model else inside
        raise ConfigError(
            f"{document.place('model_type')}: symparam has no architecture for the model type {shorten(model_type)!r}"
            + (_alone(alone) if alone else _nearest(model_type))
        )
    raise ConfigError(
        f'{document.origin} lacks the keys "architectures" and "model_type", so it does not say which architecture it is for; '
        "add one of them, or name the architecture with --architecture; symparam list shows the names"
    )


def _class_named(document: ConfigDocument, name: str, family: Family | None, inside: str) -> Choice:
    choice = find_architecture(name)
    if choice is None or name not in choice.family.classes:
        wrapped = next((each for each in REGISTRY if each.wrapper and each.wrapper == document.keys.get("model_type")), None)
        if family:
            which = next(iter(family.classes))
            remedy = f"; for this model type it has {', '.join(family.classes)}: name one, as in --architecture {which}"
        elif language_model := wrapped or _inside(document):
            remedy = _alone(language_model.name)
        elif inside:
            remedy = _alone(inside)
        else:
            remedy = _nearest(name)
        raise ConfigError(f"{document.place('architectures')}: symparam has no class {shorten(name)!r}{remedy}")
    if family is not None and choice.family is not family:
        raise ConfigError(
            f'{document.origin} contradicts itself: "model_type" is {family.model_type!r}, but {name} belongs to {choice.family.title}'
        )
    return choice


def _inside(document: ConfigDocument) -> Family | None:
    """The family of the language model whose config is inside that of another model; None if no known family fits."""
    inner = document.keys.get("text_config")
    return family_of_model_type(inner.get("model_type")) if isinstance(inner, dict) else None


def _alone(name: str) -> str:
    return f"; it counts the language model in its text_config alone with --architecture {name}"


def _nearest(name: str) -> str:
    """The closest known name, if there is one; common endings of class names do not count as similarity."""
    known = {each: each for entry in REGISTRY for each in (entry.model_type, *entry.classes)}
    stem = name.partition("For")[0].removesuffix("Model")
    close = [each for each in nearest(name, known) if nearest(stem, [each.partition("For")[0].removesuffix("Model")], alike=0.75)]
    if close:
        return f"; the nearest it has is {close[0]}"
    return (
        "; symparam list shows what it has, and symparam list WORD finds a class of transformers; for any other, count a file with the "
        "output of print(model), or find the closed form with symparam trace"
    )


@frozen
class _Sizes:
    """The value of each letter, the formulas of those that the reference derives, the defaults by key, and remarks on keys."""

    values: Mapping[str, int]
    derived: Mapping[str, Formula]
    defaults: Mapping[str, int]
    remarks: tuple[Message, ...]


def _sizes(document: ConfigDocument, family: Family) -> _Sizes:
    values: dict[str, int] = {}
    defaults: dict[str, int] = {}
    remarks: list[Message] = []
    derived: dict[str, Formula] = {}
    for size in family.sizes:
        found = [key for key in size.spellings if key in document.keys and (key not in size.legacy or document.keys[key] is not None)]
        given = document.keys[found[0]] if found else None
        formula = size.default if isinstance(size.default, str) else size.null_default if found else None
        if given is None and formula:
            derived[size.letter] = read_formula(formula, names={letter: letter for letter in BY_LETTER})
        elif isinstance(size.default, int) and not found:
            values[size.letter] = defaults[size.key] = size.default
        elif given is not None or not size.optional:
            values[size.letter] = _whole(document, found[0], given, size.minimum)
        for other in found[1:]:
            if document.keys[other] != given:
                followed, instead = _as_json(given), _as_json(document.keys[other])
                remarks.append(message("keys-differ", origin=document.origin, key=found[0], value=followed, other=other, instead=instead))
    for letter, relation in tuple(derived.items()):
        value = evaluate(relation, values)
        values[letter] = floor(value)
        if values[letter] != value:
            del derived[letter]  # It holds only with rounding, so it is not stated as a relation.
            exact = f"{letter} = {write(relation)}"
            remarks.append(message("rounded-down", origin=document.origin, exact=exact, value=values[letter]))
    return _Sizes(values, derived, defaults, tuple(remarks))


def _require_sizes(document: ConfigDocument, family: Family, values: Mapping[str, int]) -> None:
    """Raise a `ConfigError` for a derived size that is 0, such as the head size if there are more heads than features."""
    for size in family.sizes:
        if values.get(size.letter, size.minimum) < size.minimum:
            raise ConfigError(
                f"{document.origin}: {size.letter} = {size.null_default or size.default} comes to {values[size.letter]}, but a size is a "
                "positive whole number; change what it follows from"
            )


def _settings(document: ConfigDocument, family: Family, values: Mapping[str, int]) -> JsonMapping:
    with _placed(document):
        return family.settings(document.keys, values)


@contextmanager
def _placed(document: ConfigDocument) -> Iterator[None]:
    """Turns the error of an unusable value into a `ConfigError` with its place in the config."""
    try:
        yield
    except KeyValueError as error:
        found = _render(document.keys.get(error.key))
        raise ConfigError(f'{document.place(error.key)}: "{error.key}" is {found}, but {error.expected} is expected') from None


def _whole(document: ConfigDocument, key: str, value: object, least: int = 1) -> int:
    if isinstance(value, int) and value > MAX_SIZE:
        raise ConfigError(f'{document.place(key)}: "{key}" is larger than 10^18, which is more than any size of a model')
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        expected = "a positive whole number" if least else "a whole number, 0 or more,"
        raise ConfigError(f'{document.place(key)}: "{key}" is {_render(value)}, but {expected} is expected')
    return value


def _flags(document: ConfigDocument, family: Family, settings: JsonMapping) -> JsonObject:
    """The flags of the config; the family's settings take precedence, for instance for a null that means false."""
    given = {name: settings[name] for name in family.flags if name in settings}
    for key, default in family.flags.items():
        if key in document.keys and key not in given and isinstance(default, bool):
            if not isinstance(document.keys[key], bool):
                raise ConfigError(f'{document.place(key)}: "{key}" is {_render(document.keys[key])}, but true or false is expected')
            given[key] = document.keys[key]
    return given


def _as_json(value: object) -> str:
    return shorten(json.dumps(value, default=str), 40)


def _render(value: object) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return f"the string {shorten(value, 40)!r}"
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else "a list"
    return shorten(str(value), 40)
