"""A traced architecture for given settings, as a model like any other."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

from symparam.core.algebra.closed_form import closed_form
from symparam.core.formula import Formula, Symbol
from symparam.core.message import Message, message
from symparam.errors import ArchitectureError, ConfigError
from symparam.models.configs.changes import ConfigChange
from symparam.models.configs.config_file import ConfigDocument
from symparam.models.configs.values import Model
from symparam.models.traced.conditions import in_letters, of_letters
from symparam.models.traced.config_keys import flat, settings_of
from symparam.models.traced.expressions import CannotEvaluateError, Settings, evaluate, keys_of
from symparam.models.traced.forward_pass import INPUTS
from symparam.models.traced.general_rules import OpenVariant
from symparam.models.traced.instantiation import Built, build
from symparam.models.traced.letters import LETTERS
from symparam.models.traced.network import FORMAT, Network, from_data, tensors_of


def is_network(keys: Mapping[str, object]) -> bool:
    """Whether a JSON object is a network written by ``symparam trace``."""
    return keys.get("format") == FORMAT


def network_of(document: ConfigDocument) -> Network:
    """The network in a file. Raises `ArchitectureError` for a damaged one."""
    return from_data(document.keys, document.origin)


def model_of(
    network: Network,
    keys: Mapping[str, object],
    origin: str,
    with_values: bool = True,
    changes: Mapping[str, object] | None = None,
    with_operations: bool = False,
) -> Model:
    """The network's model for these config keys, all others at their defaults; with ``with_values`` false, the letters stay open.

    ``changes`` are new values for keys, or for their letters; ``with_operations`` asks for the operations as well. Raises `ConfigError` for
    what the network was not verified with.
    """
    keys, made = _changed(network, keys, changes or {})
    if made:
        origin = f"{origin} with {', '.join(change.statement for change in made)}"
    settings = settings_of(network, keys, origin)
    try:
        built = build(network, settings)
        _insist(network, settings, built.architecture.named_parameters(built.values))
    except CannotEvaluateError as error:
        raise ConfigError(f"{origin}: the tensors of {network.name} do not follow from these settings: {error}") from None
    further: tuple[Message, ...] = (_traced(network),)
    if network.environment:
        further = (*further, message("reads-environment", name=network.name, variables=network.environment))
    if network.files:
        further = (*further, message("reads-files", name=network.name, files=network.files))
    check = None
    if with_operations:
        found, said = _run(network, keys, origin)
        further = (*further, said)
        if found is not None:
            built, check = found
    conditions = tuple(in_letters(each, built.letters) for each in built.conditions)
    letters = {letter: path for path, letter in built.letters.items() if path not in INPUTS}
    if with_values:
        assumed = of_letters(built.conditions, built.letters, settings)
        others = {path: key.follows[1] for path, key in network.keys.items() if isinstance(key.follows, tuple) and key.follows[0] == "key"}
        alike = {built.letters[path]: other for path, other in others.items() if path in built.letters and path not in dict(flat(keys))}
        derived: dict[str, Formula] = {letter: Symbol(built.letters[other]) for letter, other in alike.items() if other in built.letters}
        derived |= {letter: closed_form(found, "by-symbol") for letter, found in built.derived.items()}
        return Model(
            built.architecture, built.values, origin, None, derived, further, changes=made, assumed=assumed, check=check, settings=letters
        )
    fixed = {path for path, key in network.keys.items() if key.status == "held" and not key.values}
    further_ones = [each for each in built.conditions if each not in network.conditions]  # A violated condition of the network is refused.
    varies = any(not keys_of(each) <= fixed for each in further_ones)  # So is another value of a setting that is held.
    holds = (message("holds-where-else" if varies else "holds-where", conditions=conditions),) if conditions else ()
    variant = OpenVariant(network.root, built.conditions) if conditions else None
    remarks = (*further, *holds)
    return Model(
        built.architecture, {}, "", remarks=remarks, changes=made, conditions=conditions, check=check, settings=letters, variant=variant
    )


Check = Callable[[Mapping[str, int]], None]


def _run(network: Network, keys: Mapping[str, object], origin: str) -> tuple[tuple[Built, Check] | None, Message]:
    """The architecture with its operations and a check of the sizes of the input, or None if they are not known; and a message that says
    how far the operations were verified, or why they are unknown.
    """
    unknown = message("operations-unknown", name=network.name)
    if network.run is None:
        return None, message("because", said=unknown, why=network.not_run) if network.not_run else unknown
    try:
        settings = settings_of(network.run, keys, origin)
        built = build(network.run, settings, with_operations=True)
        _insist(network, settings, built.architecture.named_parameters(built.values))
    except (ConfigError, ArchitectureError, CannotEvaluateError) as error:
        return None, message("because", said=unknown, why=str(error))
    exact, tried = network.run.verified
    conditions = [each for each in built.conditions if keys_of(each) & INPUTS.keys()]
    held = {path: key.default for path, key in network.run.keys.items() if path in INPUTS and key.status == "held"}
    conditions += [("==", ("key", path), size) for path, size in held.items()]
    worth = message("operations-of-a-run", exact=exact, tried=tried)
    if network.run.inputs:
        worth = message("of-inputs", said=worth, inputs=network.run.inputs)
    if held:
        worth = message("of-one-size", said=worth, sizes=tuple(f"{INPUTS[path]} = {size}" for path, size in held.items()))

    def check(values: Mapping[str, int]) -> None:
        given = {path: values[letter] for path, letter in INPUTS.items() if letter in values}
        for condition in conditions:
            if keys_of(condition) & INPUTS.keys() <= given.keys() and not evaluate(condition, {**settings, **given}):
                raise ConfigError(
                    f"{network.name} was run only where {in_letters(condition, {**built.letters, **INPUTS})}, which does not hold here, "
                    "so its operations are not known"
                )

    return (built, check), worth


def _changed(
    network: Network, keys: Mapping[str, object], changes: Mapping[str, object]
) -> tuple[dict[str, object], tuple[ConfigChange, ...]]:
    """The keys with other values, and the changes; a letter means its setting."""
    new, made = dict(keys), []
    for name, value in changes.items():
        key = name if name in network.keys else next((each for each in network.keys if LETTERS.get(each) == name), name)
        made.append(ConfigChange(key, LETTERS.get(key, ""), value, new.get(key)))
        new[key] = value
    return new, tuple(made)


def _insist(network: Network, settings: Settings, listed: Iterable[tuple[str, tuple[int, ...], object]]) -> None:
    """Raise an `ArchitectureError` if the blocks do not list the same tensors as the rules."""
    if [(name, shape) for name, shape, _ in listed] != tensors_of(network.root, settings):
        raise ArchitectureError(f"the tensors of {network.name} cannot be written as blocks with these settings, so none are given")


def _traced(network: Network) -> Message:
    """How far the rules were verified."""
    exact, tried = network.verified
    name = network.name
    worth = message("traced", name=name, exact=exact, tried=tried) if tried else message("traced-as-it-is", name=name)
    versions = tuple(f"{name} {version}" for name, version in network.versions.items())
    return message("with-versions", said=worth, versions=versions) if versions else worth


@lru_cache(maxsize=16)
def _parsed(data: bytes, origin: str) -> Network:
    return from_data(json.loads(data), origin)


def parsed(data: bytes, origin: str) -> Network:
    """The network in these bytes of JSON."""
    return _parsed(data, origin)
