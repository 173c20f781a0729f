"""From a name, a config or a file written by ``symparam trace`` to the model of a traced class."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import islice

from symparam.errors import ConfigError, listed, nearest, shorten
from symparam.models.architectures import REGISTRY, Flags, find_architecture
from symparam.models.atlas.atlas import TracedClass, atlas, network
from symparam.models.configs.config_file import ConfigDocument
from symparam.models.configs.remarks import on_class
from symparam.models.configs.values import Model
from symparam.models.traced.traced_model import is_network, model_of, network_of

__all__ = ["class_model", "config_model", "is_class", "is_network", "language_model", "network_model"]

INNER = "text_config"
"""The key of the language model's config in that of a model of texts and images."""


def is_class(name: str) -> bool:
    """Whether the atlas has a class of that name."""
    return name.isidentifier() and bool(atlas().of_class(name))


def class_names() -> tuple[str, ...]:
    """The names of all classes, each once."""
    return tuple(dict.fromkeys(each.class_name for each in atlas().entries))


def class_model(name: str, document: ConfigDocument | None, flags: Flags, values_first: bool, changes: Mapping[str, object]) -> Model:
    """The model of a class with a config. Without a config, its letters are open, or have their default values if ``values_first``."""
    document = document and _unwrapped(document, name)
    keys = {**(document.keys if document else {}), **flags}
    chosen = network(_entry(name, keys, document.origin if document else name))
    origin = document.origin if document else f"{chosen.name} with its defaults"
    return model_of(chosen, keys, origin, document is not None or values_first, changes)


def language_model(document: ConfigDocument) -> str:
    """The class, best one that writes text, for the config of a language model inside that of another; an empty string if there is none."""
    inner = document.keys.get(INNER)
    known = atlas().of_type(str(inner.get("model_type"))) if isinstance(inner, Mapping) else ()
    names = [each.class_name for each in known if not each.refused and not each.types]
    return next(iter([*(each for each in names if each.endswith("ForCausalLM")), *names]), "")


def _unwrapped(document: ConfigDocument, name: str) -> ConfigDocument:
    """The config of the class inside that of another model, if it is there."""
    inner, types = document.keys.get(INNER), {each.model_type for each in atlas().of_class(name)}
    if not isinstance(inner, Mapping) or document.keys.get("model_type") in types or inner.get("model_type") not in types:
        return document
    return replace(document, keys=inner, origin=f"{document.origin}, {INNER}", text="")


def network_model(
    file: ConfigDocument,
    document: ConfigDocument | None,
    flags: Flags,
    values_first: bool,
    changes: Mapping[str, object],
    with_operations: bool = False,
) -> Model:
    """The model in a file written by ``symparam trace``, with the given settings; ``with_operations`` asks for its operations as well."""
    chosen = network_of(file)
    keys = {**(document.keys if document else {}), **flags}
    origin = document.origin if document else file.origin
    return model_of(chosen, keys, origin, document is not None or values_first, changes, with_operations)


def config_model(document: ConfigDocument, flags: Flags, changes: Mapping[str, object]) -> Model | None:
    """The model of a config whose class only the atlas has; None if a family should handle it."""
    classes, model_type = document.keys.get("architectures"), document.keys.get("model_type")
    name = classes[0] if isinstance(classes, list) and classes and isinstance(classes[0], str) else None
    if name is None:
        if classes or not isinstance(model_type, str) or any(model_type in (each.model_type, each.wrapper) for each in REGISTRY):
            return None
        entries = atlas().of_type(model_type)
        if not entries:
            return None
        name = entries[0].class_name
    elif _by_hand(name, model_type) and not _of_other_types(atlas().of_class(name), document.keys):
        return None
    elif not atlas().of_class(name):
        _refuse_misspelt(name, model_type, document)
        return None
    found = model_of(network(_entry(name, document.keys, document.origin)), {**document.keys, **flags}, document.origin, changes=changes)
    others = dict.fromkeys(each.class_name for each in atlas().of_type(str(model_type)))
    return replace(found, keys=document.keys, remarks=(*found.remarks, *on_class(document, name, others)))


def _entry(name: str, keys: Mapping[str, object], origin: str) -> TracedClass:
    """The entry of a class; the types of the config and of its nested configs decide if there are several."""
    entries, model_type = atlas().of_class(name), keys.get("model_type")
    alike = [each for each in entries if model_type in (None, each.model_type)]
    chosen = _of_other_types(alike, keys) or [each for each in alike if not each.types]
    if len(chosen) == 1:
        return chosen[0]
    types = listed(dict.fromkeys(each.model_type for each in entries))
    if not chosen:
        raise ConfigError(f'{origin}: "model_type" is {model_type!r}, but {name} is known for configs of the type {types}')
    raise ConfigError(f'{origin} does not say for which "model_type" {name} is meant; add it: {types}')


def _of_other_types(entries: Iterable[TracedClass], keys: Mapping[str, object]) -> list[TracedClass]:
    """Of the entries for nested configs of other types than the class's defaults, the first with those that the config states."""
    stated = {path: inner.get("model_type") for path, inner in keys.items() if isinstance(inner, Mapping)}
    fitting = (each for each in entries if each.types and all(stated.get(path) == kind for path, kind in each.types.items()))
    return [*islice(fitting, 1)]


def _refuse_misspelt(name: str, model_type: object, document: ConfigDocument) -> None:
    """Raise a `ConfigError` if it looks like one of the classes for configs of this type, or of all classes if no type is given."""
    known = class_names() if model_type is None else [each.class_name for each in atlas().entries if each.model_type == model_type]
    if find_architecture(name) is None and (close := nearest(name, known, 1, 0.9)):
        place = document.place("architectures")
        raise ConfigError(f"{place}: symparam has no class {shorten(name)!r}; the nearest it has is {close[0]}")


def _by_hand(name: str, model_type: object) -> bool:
    """Whether a hand-written family has the class, for configs of that type."""
    choice = find_architecture(name)
    return choice is not None and name in choice.family.classes and model_type in (None, choice.family.model_type)
