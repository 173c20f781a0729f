"""A family of architectures: its classes, the config keys of its sizes, and the flags that change its blocks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import field
from functools import lru_cache

from symparam.core.frozen import frozen
from symparam.core.json_types import JsonMapping
from symparam.errors import ConfigError, KeyValueError, UnknownNameError
from symparam.models.blocks import Architecture, Block

Flags = JsonMapping
"""The flags of a family with their values, ``{"tie_word_embeddings": True}``: booleans, or lists of layer numbers."""
Settings = Callable[[JsonMapping, Mapping[str, int]], JsonMapping]
"""A function that computes flags and letters which depend on several keys of a config.

Its arguments are the keys and the values of the sizes. Besides flags and letters, it may return remarks for the user under ``remarks``, and
under ``released_extras`` the contents of released files that are not parameters of the reference, each as the key of a phrase and a
formula. It raises `KeyValueError` for a key whose value it cannot use.
"""


def no_settings(keys: JsonMapping, values: Mapping[str, int]) -> JsonMapping:
    """The default: no flag or letter depends on several keys."""
    return {}


@frozen
class SizeKey:
    """A config key whose value is a size.

    ``default`` is the reference's value for an absent key: a number, or a formula in the standard letters such as ``"4H"`` (rounded down),
    which then also applies to null. ``aliases`` are other spellings of the key that the reference accepts; they take precedence over the
    key. ``legacy`` is a spelling of earlier versions, which takes precedence over all others unless it is null. ``null_default`` is the
    formula that null means where the default is a number; with ``optional``, null means that the model has no such size. ``minimum`` is
    the smallest value, 0 for the number of things that a model may lack.
    """

    letter: str
    key: str
    default: int | str
    aliases: tuple[str, ...] = ()
    legacy: tuple[str, ...] = ()
    null_default: str | None = None
    optional: bool = False
    minimum: int = 1

    @property
    def spellings(self) -> tuple[str, ...]:
        """All spellings of the key, in the order of precedence."""
        return (*self.legacy, *self.aliases, self.key)


def in_order(parts: Collection[str], *names: str) -> tuple[str, ...]:
    """The names that are among the parts, in the given order: an order of execution where flags decide which parts exist."""
    return tuple(name for name in names if name in parts)


@frozen
class Inner:
    """A config inside a config, whose keys are named ``text_config.hidden_size``.

    ``replacement`` is a key whose object, unless it is null, the reference takes instead, and ``absent`` are the keys that it takes where
    there is neither.
    """

    key: str
    replacement: str = ""
    absent: JsonMapping = field(default_factory=dict)

    def named(self, keys: JsonMapping) -> JsonMapping:
        """The keys of the inner config under their long names. Raises `KeyValueError` for anything but an object or null."""
        key = self.replacement if keys.get(self.replacement) is not None else self.key
        found = keys.get(key)
        if found is not None and not isinstance(found, Mapping):
            raise KeyValueError(key, "an object with the keys of a config, or null,")
        return {f"{self.key}.{name}": value for name, value in (self.absent if found is None else found).items()}


@frozen
class Family:
    """A family of models with a common definition.

    ``classes`` maps each class of the reference to the function that builds it from the flags; the family's name alone means the first
    class. ``divisible`` lists pairs (number, divisor) of letters for which the reference requires divisibility, and ``divisible_to_run``
    those for which it needs divisibility only to run a model, not to build it. ``needs`` maps a flag to the flag that it requires,
    ``arguments`` are the flags that are arguments of the class rather than config keys, ``activation_key`` is the key that names the
    activation function, ``default_activation`` the reference's default, and ``remark`` the key of a phrase on what is not counted.
    ``settings`` reads the keys that are neither sizes nor booleans, and ``inner`` are the configs inside one that hold sizes of this
    family. ``padding`` is the default of the padding token where positions are counted from after its row in the position table, and
    ``wrapper`` is the model type of configs that hold one of this family in their ``text_config``.
    """

    name: str
    title: str
    model_type: str
    source: str
    sizes: tuple[SizeKey, ...]
    flags: Flags
    classes: Mapping[str, Callable[[Flags], Block]]
    divisible: tuple[tuple[str, str], ...] = ()
    divisible_to_run: tuple[tuple[str, str], ...] = ()
    needs: Mapping[str, str] = field(default_factory=dict)
    arguments: tuple[str, ...] = ()
    activation_key: str = ""
    default_activation: str = "gelu"
    remark: str = ""
    settings: Settings = no_settings
    inner: tuple[Inner, ...] = ()
    padding: int | None = None
    wrapper: str = ""

    def activation_function(self, keys: JsonMapping) -> str:
        """The activation function that the keys of a config name, or the reference's default."""
        given = keys.get(self.activation_key)
        if given is None and self.activation_key == "dense_act_fn" and isinstance(keys.get("feed_forward_proj"), str):
            gated, _, given = str(keys["feed_forward_proj"]).rpartition("-")
            return "gelu_new" if gated and given == "gelu" else given
        return given if isinstance(given, str) else self.default_activation

    def divides(self, letter: str) -> bool:
        """Whether the reference requires a divisibility that involves the letter."""
        return any(letter in pair for pair in self.divisible)

    def architecture(self, class_name: str = "", flags: Flags | None = None) -> Architecture:
        """The architecture of one class, by default the first; flags that are not given have the reference's defaults.

        Raises `UnknownNameError` for an unknown class or flag, `ConfigError` for flags that the reference rejects together.
        """
        chosen = class_name or next(iter(self.classes))
        if chosen not in self.classes:
            raise UnknownNameError(f"class of {self.title}", chosen, self.classes)
        for name, value in (flags or {}).items():
            if name not in self.flags:
                raise UnknownNameError(f"flag of {self.title}", name, self.flags)
            if isinstance(value, bool) and isinstance(self.flags[name], tuple):
                raise ConfigError(f"{name} of {self.title} cannot be stated so: it follows from the keys of a config; give one")
        values = {**self.flags, **(flags or {})}
        for flag, needed in self.needs.items():
            if values[flag] and not values[needed]:
                raise ConfigError(f"{flag} is true but {needed} is not; the reference builds {flag} only together with {needed}: true")
        return _built(self.name, self.classes[chosen], tuple(values.items()), self.source)


@lru_cache(maxsize=64)  # Released models of one class mostly have the same flags.
def _built(name: str, build: Callable[[Flags], Block], flags: tuple[tuple[str, object], ...], source: str) -> Architecture:
    return Architecture(name, build(dict(flags)), source)
