"""Makes the reference's configs say the same in half the time: a class is traced with a thousand of them, which took a third of all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from huggingface_hub import dataclasses
from huggingface_hub.errors import StrictDataclassFieldValidationError
from transformers import PreTrainedConfig
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

LAYERS_APART = "_heterogeneity_spec"
"""What a config has whose layers have configs of their own."""
PLAIN = frozenset({int, float, bool, str, type(None)})
TEXTS = ("decoder", "generator", "text_config")
"""Under what names a config may have that of its text; of several the library does not know which to take."""

Setter = Callable[[Any, str, object], None]
TypeCheck = Callable[[str, Any, Any], None]


def make_quickly() -> None:
    """Let all configs of the library be made and read without what has no effect on them.

    They give attributes directly, if these have no other name, and layers no configs of their own; each value is looked at once, not once
    for each class that a config inherits from; a type that was accepted is known; and words of warning are not thought out.
    """
    _read_quickly()
    library: Any = dataclasses
    library.type_validator = _of_known_types(library.type_validator)
    imported = [CONFIG_MAPPING[name] for name in CONFIG_MAPPING]  # With their modules, which may define others.
    kinds = dict.fromkeys((*imported, PreTrainedConfig, *_below(PreTrainedConfig)))
    setters = {kind: _plain_setter(kind.__setattr__) for kind in kinds}
    for kind, plain in setters.items():
        kind.__setattr__ = _setter(plain)
        checks = {each.__name__: each for each in kind.__class_validators__}
        kind.__class_validators__ = list({**checks, validate_token_ids.__name__: validate_token_ids}.values())


def _below(kind: Any) -> Iterator[Any]:
    """The classes that inherit from this one."""
    for each in kind.__subclasses__():
        yield each
        yield from _below(each)


def _read_quickly() -> None:
    configs: Any = PreTrainedConfig
    plain, found = configs.__getattribute__, object.__getattribute__

    def read(config: object, name: str) -> object:
        if LAYERS_APART in found(config, "__dict__") or name in found(config, "attribute_map"):
            return plain(config, name)
        return found(config, name)

    configs.__getattribute__ = read


def _plain_setter(setter: Any) -> Setter:
    """The setter that a class had before checks were put around it."""
    while setter.__name__ == "__strict_setattr__":
        inside = dict(zip(setter.__code__.co_freevars, setter.__closure__, strict=True))
        setter = inside["original_setattr"].cell_contents
    return setter  # type: ignore[no-any-return]


def _setter(plain: Setter) -> Setter:
    """A setter that makes each check of the config's class once."""

    def checked(config: Any, name: str, value: object) -> None:
        for check in type(config).__validators__.get(name, ()):
            try:
                check(value)
            except (ValueError, TypeError) as error:
                raise StrictDataclassFieldValidationError(field=name, cause=error) from error
        plain(config, name, value)

    return checked


def _of_known_types(check: TypeCheck) -> TypeCheck:
    """The check of a value's type, which is made once for values of a plain type, unless it names the values."""
    accepted: set[tuple[type, Any]] = set()

    def checked(name: str, value: Any, expected_type: Any) -> None:
        kind = type(value)
        if kind in PLAIN and not _names_values(expected_type):
            if (kind, expected_type) not in accepted:
                check(name, value, expected_type)
                accepted.add((kind, expected_type))
        else:
            check(name, value, expected_type)

    return checked


@cache
def _names_values(expected: Any) -> bool:
    return "Literal" in repr(expected)


def validate_token_ids(config: Any) -> None:
    """The library's check of that name, without its warnings of token numbers that the vocabulary does not have: what it refuses are
    several configs of texts.
    """
    if sum(getattr(config, name, None) is not None for name in TEXTS) > 1:
        config.get_text_config(decoder=True)
