"""A family of architectures: its classes, the config keys that size them, and the flags that change their blocks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from symparam.blocks import Architecture, Block
from symparam.errors import ConfigError, UnknownNameError

Flags = Mapping[str, Any]
"""The value of each flag of a family, such as ``{"tie_word_embeddings": True}``: true or false, or the numbers of some layers."""
Settings = Callable[[Mapping[str, Any], Mapping[str, int]], Mapping[str, Any]]
"""What follows from the keys of a config and the values of its sizes, beyond what each key says by itself: values of flags and letters.

Under ``notes`` it may give remarks for the user. It raises `KeyValueError` for a key whose value it cannot use.
"""


def no_settings(keys: Mapping[str, Any], values: Mapping[str, int]) -> Mapping[str, Any]:
    """Most families have none: each key says what it says."""
    return {}


@dataclass(frozen=True)
class SizeKey:
    """A key of a config that carries a size.

    ``default`` is what the reference takes where the key is absent: a number, or a formula in the standard letters such as
    ``"4H"`` (a fraction is rounded down), which is taken for ``null`` too. ``aliases`` are other spellings of the key that the reference
    accepts; where both are there it follows the alias. ``legacy`` is a spelling of earlier versions, which counts unless it is null.
    ``null`` is the formula that null means where the default is a number; with ``optional``, null means that the model has no such size.
    ``least`` is the smallest value, 0 for a number of things of which there may be none.
    """

    letter: str
    key: str
    default: int | str
    aliases: tuple[str, ...] = ()
    legacy: tuple[str, ...] = ()
    null: str | None = None
    optional: bool = False
    least: int = 1

    @property
    def spellings(self) -> tuple[str, ...]:
        """All spellings of the key, the one that decides first."""
        return (*self.legacy, *self.aliases, self.key)


def in_order(parts: Collection[str], *names: str) -> tuple[str, ...]:
    """Those of the names that are among the parts: how the parts run, where flags decide which of them there are."""
    return tuple(name for name in names if name in parts)


@dataclass(frozen=True)
class Family:
    """Models that share one definition.

    ``classes`` gives for each class of the reference the function that builds it from the flags; the first is what the family's
    name alone means. ``divisible`` lists pairs (number, divisor) of letters that the reference insists on, ``needs`` says which flag works
    only together with which, ``arguments`` are the flags that are no keys of a config but arguments of the class, ``activation`` is the
    key that names the activation function, ``function`` the one that the reference takes without it, and ``remark`` is the key of a phrase
    on what does not enter the count. ``settings`` reads the keys that are neither a size nor true or false. ``wrapper`` is the model type
    of configs that hold one of this family in their ``text_config``.
    """

    name: str
    title: str
    model_type: str
    source: str
    sizes: tuple[SizeKey, ...]
    flags: Flags
    classes: Mapping[str, Callable[[Flags], Block]]
    divisible: tuple[tuple[str, str], ...] = ()
    needs: Mapping[str, str] = field(default_factory=dict)
    arguments: tuple[str, ...] = ()
    activation: str = ""
    function: str = "gelu"
    remark: str = ""
    settings: Settings = no_settings
    wrapper: str = ""

    def activation_function(self, keys: Mapping[str, Any]) -> str:
        """The activation function that the keys of a config name, or the reference's default."""
        given = keys.get(self.activation)
        if given is None and self.activation == "dense_act_fn" and isinstance(keys.get("feed_forward_proj"), str):
            gated, _, given = str(keys["feed_forward_proj"]).rpartition("-")
            return "gelu_new" if gated and given == "gelu" else given
        return given if isinstance(given, str) else self.function

    def divides(self, letter: str) -> bool:
        """Whether the reference insists on a division in which the letter occurs."""
        return any(letter in pair for pair in self.divisible)

    def architecture(self, class_name: str = "", flags: Flags | None = None) -> Architecture:
        """The architecture of one class (by default the first), with the flags that are not given at the reference's defaults.

        Raises `UnknownNameError` for a class or flag that there is not, `ConfigError` for flags that the reference refuses together.
        """
        chosen = class_name or next(iter(self.classes))
        if chosen not in self.classes:
            raise UnknownNameError(f"class of {self.title}", chosen, self.classes)
        for name in flags or {}:
            if name not in self.flags:
                raise UnknownNameError(f"flag of {self.title}", name, self.flags)
        values = {**self.flags, **(flags or {})}
        for flag, needed in self.needs.items():
            if values[flag] and not values[needed]:
                raise ConfigError(f"{flag} is true but {needed} is not; the reference builds {flag} only together with {needed}: true")
        return Architecture(self.name, self.classes[chosen](values), self.source)
