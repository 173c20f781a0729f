"""Remarks on a config: what is assumed where it says nothing, or says it in another way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from symparam.core.message import Message, located, message
from symparam.models.architectures import Family
from symparam.models.configs.config_file import ConfigDocument


def on_class(document: ConfigDocument, taken: str, known: Iterable[str]) -> list[Message]:
    """The remark on the class that is assumed where a config names none, with another class that is ``known``, or that is taken where it
    names several.
    """
    named = document.keys.get("architectures")
    if named:
        several = isinstance(named, list) and any(each != named[0] for each in named)
        return [message("first-class", origin=document.origin, count=len(named), taken=taken)] if several else []
    others = [each for each in known if each != taken]
    assumed = message("class-assumed", origin=document.origin, assumed=taken)
    return [message("another-class", said=assumed, other=others[0]) if others else assumed]


def on_arguments(document: ConfigDocument, family: Family) -> list[Message]:
    """Keys of a config that are arguments of the reference's class and not keys of its configs."""
    return [
        message("argument-as-key", place=located(document.origin, document.position(key)), key=key)
        for key in family.arguments
        if key in document.keys
    ]


def on_defaults(document: ConfigDocument, family: Family, defaults: Mapping[str, int], misnamed: Mapping[str, str]) -> list[Message]:
    """Defaults taken for sizes that a config leaves out, and keys that were perhaps meant to state them."""
    if not defaults:
        return []
    said = message("defaults-taken", origin=document.origin, taken=tuple(f"{key} = {value:,}" for key, value in defaults.items()))
    for key, meant in misnamed.items():
        said = message("key-meant", said=said, key=key, family=family.title, meant=meant)
    return [said]
