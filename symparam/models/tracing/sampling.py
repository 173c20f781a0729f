"""The settings to build with: each key changed by itself, groups of them together, and fresh ones to which nothing was fitted."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from symparam.models.traced.expressions import CannotEvaluateError, Expression, evaluate, keys_of, parts, replaced
from symparam.models.traced.forward_pass import BATCHES, INPUTS
from symparam.models.traced.simplification import simplified

COUNT = re.compile(r"layers?$|depths?$|n_layer|num_.{0,40}layers|blocks$|stages$|_per_block$|num_hidden_groups$")
ACTIVATIONS = (
    "gelu",
    "relu",
    "silu",
    "gelu_new",
    "gelu_pytorch_tanh",
    "tanh",
    "quick_gelu",
    "swish",
    "gelu_fast",
    "mish",
    "sigmoid",
    "relu2",
    "relu6",
)
IMAGE_SIDES = ("@H_i", "@W_i")
HALVED = 32
"""A side of images that can be halved as often as models usually halve it."""
ALIKE = 0.3
"""How often an item is drawn as the one before, where the class compares them."""
HALF = 0.5
MOST_COUNTED = 12
"""The largest number of layers that is taken from what it is compared with."""
MOST_NUMBERED = 6
"""The numbers of layers that are drawn for lists of them."""
MOST_SHORT = 1_500
"""The longest sequence of tokens to run with; sequences that are longer to start with are of samples of sound."""
TOKEN = re.compile(r"(_token|_token_id|_id|_index|_idx|_token_ids)$|seed")


def alternatives(path: str, value: object) -> list[object]:
    """Other values for a setting, those most likely to be accepted first."""
    if path == "@B":
        return [*BATCHES[1:]]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        if TOKEN.search(path):
            return [value + 1, max(value - 1, 0), 1, 2]
        if value >= 16:
            return [2 * value, value // 2, 3 * value, value + value // 2, value + 1, value // 4, 4 * value]
        return [each for each in (2 * value, value + 1, 1, value + 2, 3, 2, 4, 0 if value <= 4 else 5) if each != value and each >= 0]
    if isinstance(value, float):
        return [value / 2 if value else 0.25, value * 2 or 0.5, 1.0]
    if isinstance(value, str):
        return [each for each in ACTIVATIONS[:5] if each != value] if value in ACTIVATIONS else []
    if value is None:
        return [] if TOKEN.search(path) else [8, 2]
    return []


class SettingsSampler:
    """Random settings around a base that satisfy the known requirements."""

    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed)
        self.zeros: set[str] = set()
        self.alike: set[str] = set()
        self.numbered: set[str] = set()
        self.most_layers = 7

    def value(self, path: str, value: object, fresh: bool) -> object:
        """Another value of the same kind."""
        chosen = self.random
        if path in INPUTS:
            if path == "@B":
                return chosen.choice(BATCHES)
            if path in IMAGE_SIDES and chosen.random() < 0.5:  # Many models join maps that were halved and doubled again.
                return HALVED * chosen.randint(1, 32)
            if isinstance(value, int) and value > MOST_SHORT:
                return chosen.randint(value // 8, 2 * value)
            return chosen.randint(*chosen.choice(((5, 90), (90, MOST_SHORT))))
        if isinstance(value, bool):
            return not value
        if isinstance(value, int):
            if path in self.zeros and chosen.random() < 0.2:
                return 0
            if COUNT.search(path) and value < 400:
                return chosen.randint(1, self.most_layers)
            if TOKEN.search(path) or value < 0:
                return max(value, 0) + chosen.randint(0, 3)
            if value < 16:
                return chosen.randint(1 if value else 0, (6 * value + 20) if fresh and chosen.random() < 0.2 else 2 * value + 3)
            if chosen.random() < (0.5 if fresh else 0.3):
                return chosen.randint(max(2, value // 3), 2 * value)
            step = next(step for step in (64, 32, 16, 8, 4, 2, 1) if value % step == 0)
            return step * chosen.randint(1, max(2, 3 * value // step)) if fresh or step < value else value * chosen.choice((2, 3, 4, 5))
        if isinstance(value, float):
            if path in self.zeros and chosen.random() < 0.2:
                return 0.0
            near = round(value * chosen.uniform(0.2, 3), 2)
            return chosen.choice((value, value / 4, value / 2, value * 2, near, near, near, 0.25 if value < 1 else 1.5))
        return value

    def other_kind(self, settings: Mapping[str, object], seen: list[object]) -> object:
        """A value for a setting that is null or a word: of a kind that was accepted, and numbers mostly as large as another setting."""
        chosen = self.random
        known = chosen.choice(seen)
        if isinstance(known, bool) or not isinstance(known, (int, float)):
            return known
        if isinstance(known, float):
            return round(chosen.uniform(0.3, 4), 2)
        sizes = [each for each in settings.values() if isinstance(each, int) and not isinstance(each, bool) and 0 < each < 10**5]
        like = max(1, chosen.choice(sizes or [8]) // chosen.choice((1, 2, 4)))
        return chosen.choice((chosen.randint(1, 9), known * chosen.randint(1, 12), like, like))

    def items(self, values: list[Any], kinds: list[Any], fresh: bool, path: str = "") -> list[Any]:
        """A list of the same length with other items; those of a list whose items the class compares may be as the one before, and one of
        numbers of layers may start at 0.
        """
        drawn = self._drawn(values, kinds, fresh)
        if path in self.numbered and self.random.random() < ALIKE:
            drawn = [each - 1 if type(each) is int and each > 0 else each for each in drawn]
        if path in self.alike:
            for at in range(1, len(drawn)):
                drawn[at] = drawn[at - 1] if self.random.random() < ALIKE else drawn[at]
        return drawn

    def one_of(self, path: str, value: object, others: Sequence[Expression], settings: Mapping[str, object]) -> object:
        """The value of one of these expressions, if it may be one of the setting; for a list, with such values for about half of its
        items.
        """
        if isinstance(value, list):
            return [self.one_of("", each, others, settings) if self.random.random() < HALF else each for each in value]
        other = _value(self.random.choice(others), settings)
        small = not isinstance(other, int) or 0 < other <= (MOST_COUNTED if COUNT.search(path) else MOST_SHORT)
        return other if type(other) is type(value) and small else value

    def numbers(self) -> list[int]:
        """A list of a few numbers, such as those of layers, for one that is empty by default."""
        return sorted(self.random.sample(range(MOST_NUMBERED), self.random.randint(0, 3)))

    def _drawn(self, values: list[Any], kinds: list[Any], fresh: bool) -> list[Any]:
        if values and all(isinstance(each, bool) for each in values):
            return [self.random.random() < 0.5 for _ in values]
        if values and all(isinstance(each, str) for each in values):
            return [self.random.choice(kinds) for _ in values]
        if all(isinstance(each, (int, float)) and not isinstance(each, bool) for each in values):
            most = 7 if fresh or self.random.random() < 0.4 else 3
            return [self._item(each, most, fresh) for each in values]
        return list(values)

    def _item(self, value: object, most: int, fresh: bool) -> object:
        return self.random.randint(1, max(most, value)) if isinstance(value, int) and value <= 6 else self.value("", value, fresh)


def repaired(moved: dict[str, object], settings: Mapping[str, object], required: Mapping[Expression, bool]) -> Iterator[dict[str, object]]:
    """The changed settings, with one after the other, or one item of a list, adjusted so that a required divisibility holds."""
    settings = dict(settings)
    for condition, outcome in (*required.items(), *required.items()):  # What is adjusted may be a divisor of something else.
        inner = condition[1] if condition[0] in ("==", "!=", "truth") else None
        wanted = outcome if condition[0] == "==" else not outcome
        if not (wanted and isinstance(inner, tuple) and inner[0] == "%"):
            continue
        if condition[0] != "truth" and condition[2] != 0:
            continue
        try:
            divisor, value = evaluate(inner[2], settings), evaluate(inner[1], settings)
            if isinstance(divisor, int) and isinstance(value, int) and divisor > 0 and value % divisor:
                adjusted = _adjusted(inner[1], settings, divisor * max(1, round(value / divisor)))
                if adjusted:
                    moved = {**moved, **adjusted}
                    settings |= moved
                    yield moved
        except (CannotEvaluateError, KeyError, IndexError):
            continue


def _adjusted(place: Expression, settings: Mapping[str, Any], value: object) -> dict[str, object]:
    """The setting, or the list, with this value at a place; nothing for an expression that is no place in these settings."""
    if isinstance(place, tuple) and place[0] == "key":
        return {place[1]: value}
    if isinstance(place, tuple) and place[0] == "item" and place[1][0] == "key" and isinstance(place[2], int):
        items = list(settings[place[1][1]])
        if -len(items) <= place[2] < len(items):  # Other settings may have a shorter list.
            items[place[2]] = value
            return {place[1][1]: items}
    return {}


def about_an_item(condition: Expression) -> Expression:
    """A condition that a loop tested on items of lists, a divisibility or an equality, in terms of these items; any other condition
    unchanged.
    """
    name, *operands = condition
    inner = operands[0] if isinstance(operands[0], tuple) and operands[0][0] == "%" else None
    if inner is not None:
        return _of_this_item(condition) if has_item(inner) else condition
    equality = name in ("==", "!=") and all(keys_of(each) for each in operands)
    return _of_this_item(condition) if equality and any(map(has_item, operands)) else condition


def _of_this_item(condition: Expression) -> Expression:
    """The condition at the number that the loop had, as ``dims[1] != dims[2]`` where it compared ``dims[i - 1]`` with ``dims[i]``."""
    return simplified(replaced(replaced(condition, _in_place), _from_the_end))


def settings_compared(condition: Expression) -> Iterator[tuple[str, Expression]]:
    """Each setting, or list one item of which, is compared with an expression in others, with this expression."""
    if condition[0] in ("==", "!=") and len(condition) == 3:
        for place, other in (condition[1:], condition[:0:-1]):
            place = place[1] if isinstance(place, tuple) and place[0] == "item" else place
            if isinstance(place, tuple) and place[0] == "key" and keys_of(other) - {place[1]}:
                yield place[1], other


def has_item(expression: Expression) -> bool:
    """Whether it depends on an item of a list."""
    return any(isinstance(each, tuple) and each[0] == "item" for each in parts(expression))


def _from_the_end(part: tuple[object, ...]) -> Expression:
    """``dims[-3]`` for ``dims[len(dims) - 1 - 2]``, which a loop over a list that was turned around had."""
    if part[0] == "item" and isinstance(part[2], tuple) and part[2][0] == "-" and type(part[2][2]) is int:
        end, before = part[2][1], part[2][2]
        if isinstance(end, tuple) and end[:2] == ("-", ("len", part[1])) and type(end[2]) is int:
            return ("item", part[1], -end[2] - before)
    return None


def _in_place(part: tuple[object, ...]) -> Expression:
    return part[2] if part[0] == "loop" else None


def outcome_flips(condition: Expression, settings: Mapping[str, object]) -> Iterator[dict[str, object]]:
    """Changes of one setting that may give a comparison another outcome, whether it or a multiple of it is compared with a number, another
    setting, or the number of a loop.
    """
    if not isinstance(condition, tuple) or condition[0] not in ("truth", "<", "<=", ">", ">=", "==", "!="):
        return
    condition = _without_common_factor(condition)
    one, other = (*condition[1:], 0)[:2]
    items = condition[0] in ("==", "!=") and all(isinstance(each, tuple) and each[0] == "item" for each in (one, other))
    if items and (equal := _adjusted(one, settings, _value(other, settings))):
        yield equal
    elif condition[0] in ("==", "!="):
        yield from _equal_multiples(condition, settings)
    if isinstance(one, tuple) and one[0] == "%" and isinstance(one[1], tuple) and one[1][0] == "key":
        whole, remainder = settings.get(one[1][1]), _value(one, settings)
        if isinstance(whole, int) and not isinstance(whole, bool) and isinstance(remainder, int):
            multiple = whole - remainder or _value(one[2], settings)
            yield {one[1][1]: multiple if remainder else whole + 1}  # Some classes round up what others refuse.
        return
    sides = ((*_shifted(one), other), (*_shifted(other), one))
    one, more, other = sides[0] if isinstance(sides[0][0], tuple) and sides[0][0][0] == "key" else sides[1]
    if not (isinstance(one, tuple) and one[0] == "key") or isinstance(settings.get(one[1]), bool):
        return
    known = 0 if isinstance(other, tuple) and other[0] == "loop" else _value(other, settings)
    for value in _around(known, more, settings.get(one[1]), isinstance(other, int) and not isinstance(other, bool)):
        if value >= 0 and value != settings.get(one[1]):
            yield {one[1]: value}


def _without_common_factor(condition: Expression) -> Expression:
    """``mults[1] == mults[2]`` where ``width * mults[1]`` was compared with ``width * mults[2]``."""
    products = [each for each in condition[1:] if isinstance(each, tuple) and each[0] == "*"]
    if condition[0] in ("==", "!=") and len(products) == 2:
        for (one, factor), (other, same) in itertools.product(*((each[1:], each[:0:-1]) for each in products)):
            if factor == same and keys_of(factor):
                return (condition[0], one, other)
    return condition


def _around(known: object, more: int, setting: object, is_number: bool) -> list[Any]:
    """Values on both sides of what a setting is compared with, and that itself."""
    if isinstance(setting, float) and isinstance(known, (int, float)):
        return [float(known + more), 1.5 * (known + more), 0.75 * (known + more)] if known + more else [0.0, 0.5]
    return [known + more + each for each in ((0, -1, 1) if is_number else (0,))] if type(known) is int else []


def _equal_multiples(condition: Expression, settings: Mapping[str, object]) -> Iterator[dict[str, object]]:
    """Changes that make a multiple of a setting or of an item equal to what it is compared with: a first width of 16 where four times the
    width is compared with 64.
    """
    _, one, other = (condition[0], *map(_of_this_item, condition[1:]))
    for multiple, side in ((one, other), (other, one)):
        wanted = _value(side, settings)
        if isinstance(multiple, tuple) and multiple[0] == "*" and type(wanted) is int and wanted > 0:
            for place, factor in (multiple[1:], multiple[:0:-1]):
                divides = type(factor) is int and factor > 1 and wanted % factor == 0
                if divides and (adjusted := _adjusted(place, settings, wanted // factor)):
                    yield adjusted


def _shifted(side: Expression) -> tuple[Expression, int]:
    """What is compared, and what has to be added on the other side if a number is taken from it, as in ``i == depth - 1``."""
    if isinstance(side, tuple) and side[0] in ("+", "-") and len(side) == 3 and type(side[2]) is int:
        return side[1], side[2] if side[0] == "-" else -side[2]
    return side, 0


def equalized(asked: tuple[Expression, bool] | None, settings: Mapping[str, object]) -> Iterator[dict[str, object]]:
    """Changes of one setting, or of one item of a list, that make two settings equal that were compared, and were not equal."""
    condition, outcome = asked or (None, False)
    if not isinstance(condition, tuple) or (condition[0], outcome) not in (("==", False), ("!=", True)):
        return
    condition = _of_this_item(condition)
    if not isinstance(condition, tuple):
        return  # It is always so, or never.
    _, one, other = condition
    for place, wanted in ((one, other), (other, one)):
        if keys_of(wanted) and (adjusted := _adjusted(place, settings, _value(wanted, settings))):
            yield adjusted


def _value(place: Expression, settings: Mapping[str, object]) -> object:
    try:
        return evaluate(place, settings)
    except CannotEvaluateError:
        return None


def keeps_outcomes(settings: Mapping[str, object], required: Mapping[Expression, bool]) -> bool:
    """Whether comparisons come out as they always did."""
    for condition, outcome in required.items():
        try:
            if bool(evaluate(condition, settings)) is not outcome:
                return False
        except CannotEvaluateError:
            continue
    return True
