"""Draws settings around the values at which the rules of a network turn: where a size is rounded, compared, or the larger of two.

Rules that fit a few builds may be wrong where one of the sizes that they compare overtakes another, which few random settings show.
"""

from __future__ import annotations

from random import Random

from atlas_draws import Config, Keys, another, another_whole, fewer, flags_of

from symparam.models.traced.expressions import Expression, keys_of, parts
from symparam.models.traced.network import Network, expressions_in

TURNING = frozenset(["<", ">", "<=", ">=", "==", "!=", "//", "exact", "%", "/", "max", "min", "round", "int"])
TURNING |= frozenset(["in", "agreed", "positions", "before", "times"])
"""The operations whose value turns at some numbers."""
ROUNDING = frozenset(["round", "max", "min"])
SMALL = (1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 24)
OTHERWISE = 0.2
"""How often a setting of a rule is left as it is."""
NEAR = 0.7
"""How often a number is drawn near those that it is compared with."""


def turning_rules(network: Network) -> list[Expression]:
    """The parts of rules that turn at some values of settings."""
    rules = (*expressions_in(network.root), *network.conditions, *(key.follows for key in network.keys.values()))
    found = (part for each in rules for part in parts(each) if isinstance(part, tuple) and part[0] in TURNING and keys_of(part))
    return list(dict.fromkeys(found))


def rounds_several(network: Network) -> bool:
    """Whether a rule rounds, or takes the larger or smaller one of, what several settings give."""
    return any(isinstance(each, tuple) and each[0] in ROUNDING and len(keys_of(each)) > 1 for each in turning_rules(network))


def crossing(network: Network, random: Random) -> tuple[str, Config]:
    """The name of this way of drawing, and settings of one to three of these rules, mostly near each other's values."""
    keys = {path: key for path, key in network.keys.items() if key.status != "held" or key.values or key.nullable}
    rules = turning_rules(network)
    moved: Config = dict(fewer(keys)) if random.random() < 0.85 else {}
    for rule in random.sample(rules, min(len(rules), random.choice((1, 1, 2, 3)))):
        paths = [path for path in sorted(keys_of(rule)) if path in keys]
        for path in paths:
            if random.random() >= OTHERWISE:
                others = [moved.get(other, keys[other].default) for other in paths if other != path]
                moved[path] = _near(path, keys, [*others, *parts(rule)], random)
    flags = flags_of(keys)
    for path in random.sample(flags, min(len(flags), random.choice((0, 1, 2, 4)))):
        moved.setdefault(path, another(path, keys[path], random))
    return "crossing", moved


def _near(path: str, keys: Keys, known: list[object], random: Random) -> object:
    default = keys[path].default
    if type(default) is not int:
        return another(path, keys[path], random, random.random() < 0.5)
    numbers = [each for each in known if type(each) is int]
    if numbers and random.random() < NEAR:
        number = random.choice(numbers)
        return max(0, random.choice((number, number + 1, number - 1, 2 * number, number // 2, 3 * number, number // 3, 3 * number // 2)))
    return random.choice((*SMALL, another_whole(path, default, random, True), another_whole(path, default, random, False)))
