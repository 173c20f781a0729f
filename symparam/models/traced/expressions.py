"""Expressions over settings, as plain data: the content of traced sizes and conditions.

A literal (number, string, true, false, null) stands for itself; everything else is a tuple of an operation and its operands. ``("key",
"text_config.hidden_size")`` is a setting, ``("at", 0)`` the number within the outermost list that contains the tensor, ``("loop", 0, 3)``
the variable of a loop while tracing, ``("list", count, item)`` a list whose items depend on ``("at", 0)``, ``("fold", start, count,
body)`` what a loop computes that goes on from ``("carried",)`` in each ``("turn",)``, ``("series", count, body)`` what it
computes in each turn, and ``("agreed", one, other)`` has a value only where both are equal. Arithmetic is Python's own, including
floats, so that a value is what the traced code would have computed.
"""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from symparam.errors import shorten
from symparam.models.traced.rows import COLUMN, rendered

Expression: TypeAlias = Any
"""A literal, or a tuple ``(operation, operand, ...)``."""
Settings: TypeAlias = Mapping[str, Any]
"""A value for each setting, by its dotted path."""

MAX_BITS = 256  # Exponents of powers; no size of a model comes near.
LIMIT_OF_DEPTH, LIMIT_OF_LOOPS = 60, 2
"""How deeply expressions may be nested, and loops within loops, each of which may have `MOST_TURNS` turns."""


class CannotEvaluateError(Exception):
    """Raised when an expression has no value with these settings: a setting is missing or null, an index is out of range, or a divisor is
    zero.
    """


def _power(base: Any, exponent: Any) -> Any:
    if isinstance(base, int) and isinstance(exponent, int) and base.bit_length() * max(exponent, 0) > MAX_BITS:
        raise OverflowError("the power is too large")
    return base**exponent


def _quotient(above: Any, below: Any) -> Any:
    """A quotient that is only known for multiples, since no rounding by the class was observed."""
    if above % below:
        raise ArithmeticError(f"{above} is not a multiple of {below}, and how the class rounds is not known")
    return above // below


def _agreed(value: object, *others: object) -> object:
    """The common value of several expressions that all fit the observations; an error where they differ, since it is unknown which is
    meant.
    """
    if any(other != value for other in others):
        raise ArithmeticError(f"{' or '.join(str(each) for each in others if each != value)} would fit all traced builds as well")
    return value


def _item(values: Any, index: Any) -> Any:
    if isinstance(values, str) or not isinstance(values, Sequence):
        raise TypeError("only a list has items")
    return values[index]


def _before(values: Any, index: Any) -> int:
    """How many earlier items equal the one at this index: 0 for the first of its kind."""
    wanted = _item(values, index)
    return sum(each == wanted for each in values[:index])


def _stage(counts: Sequence[int], number: int) -> int:
    """The stage of a member of a list whose stages have so many members each; -1 for what comes before the first stage."""
    return sum(end <= number for end in itertools.accumulate(counts)) if number >= 0 else -1


def _within(counts: Sequence[int], number: int) -> int:
    """How many members of its stage come before this member; of one behind all stages, how many of these."""
    return number - sum(counts[: max(0, _stage(counts, number))])


def _times(value: Any, operation: str, by: Any, comparison: str, bound: Any) -> int:
    """The number of turns of a loop that changes a value while a comparison holds: ``while size > 4: size //= 2``."""
    for times in range(MAX_BITS):
        if not OPERATIONS[comparison](value, bound):
            return times
        value = OPERATIONS[operation](value, by)
    raise ArithmeticError("the loop does not end")


def _round(value: Any, digits: int | None = None) -> Any:
    return round(value) if digits is None else round(value, digits)


OPERATIONS: Mapping[str, Callable[..., object]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "exact": _quotient,
    "agreed": _agreed,
    "%": operator.mod,
    "**": _power,
    "neg": operator.neg,
    "abs": abs,
    "int": int,
    "float": float,
    "round": _round,
    "floor": math.floor,
    "ceil": math.ceil,
    "sqrt": math.sqrt,
    "log": math.log,
    "log2": math.log2,
    "max": max,
    "min": min,
    "gcd": math.gcd,
    "len": len,
    "sum": sum,
    "prod": math.prod,
    "item": _item,
    "before": _before,
    "positions": lambda items, word: [at for at, item in enumerate(items) if item == word],
    "times": _times,
    "stage": _stage,
    "within": _within,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "in": lambda one, many: one in many,
    "not": operator.not_,
    "truth": bool,
    "null": lambda value: value is None,
}
FAILURES = (KeyError, TypeError, ValueError, IndexError, ArithmeticError, AttributeError)
"""Exceptions that evaluating an expression without a value may raise."""
LOGICAL = ("and", "or", "if", "list", "fold", "series")
TURN, CARRIED = ("turn",), ("carried",)
"""The number of a turn of a fold, and what the turn before has computed."""
MOST_TURNS = 1_000
MOST_SERIES = 256
MOST_ITEMS = 100_000


def evaluate(expression: Expression, settings: Settings, at: Sequence[int] = ()) -> Any:
    """The value of the expression; ``at`` are the numbers within the enclosing lists. Raises `CannotEvaluateError`."""
    if not isinstance(expression, tuple):
        return expression
    try:
        return _compiled_once(expression)(settings, at)
    except FAILURES as error:
        raise CannotEvaluateError(f"{render(expression)}: {error}") from None


Computed = Callable[[Settings, Sequence[int]], Any]


def compiled(expression: Expression) -> Computed:
    """A function of settings and list numbers that computes the expression; for expressions that are computed often."""
    if not isinstance(expression, tuple):
        return lambda settings, at: expression
    name, *operands = expression
    if name in ("key", "at"):
        (place,) = operands
        return (lambda settings, at: settings[place]) if name == "key" else (lambda settings, at: at[place])
    if name == "loop":
        return lambda settings, at: operands[1]
    if name in ("turn", "carried"):
        last = -2 if name == "turn" else -1
        return lambda settings, at: at[last]
    inside = [compiled(each) for each in operands]
    if name == "fold":
        return lambda settings, at: _folded(inside, settings, at)
    if name == "if":
        return lambda settings, at: inside[1 if inside[0](settings, at) else 2](settings, at)
    if name == "and":
        return lambda settings, at: all(each(settings, at) for each in inside)
    if name == "or":
        return lambda settings, at: any(each(settings, at) for each in inside)
    if name == "list":
        return lambda settings, at: [inside[1](settings, (number,)) for number in range(min(inside[0](settings, at), MOST_ITEMS))]
    if name == "series":
        return _series(inside[0], inside[1], max(depths_in(operands), default=-1) + 1)
    operation = OPERATIONS[name]
    if len(inside) == 2:
        one, other = inside
        if not isinstance(operands[1], tuple):
            constant = operands[1]
            return lambda settings, at: operation(one(settings, at), constant)
        return lambda settings, at: operation(one(settings, at), other(settings, at))
    return lambda settings, at: operation(*[each(settings, at) for each in inside])


def _series(count: Computed, body: Computed, outer: int) -> Computed:
    """What a loop computes in each turn; what it did for the last few settings is kept, as it is the same for all modules of a list. It
    may depend on the numbers of so many ``outer`` lists.
    """
    kept: dict[tuple[int, Sequence[int]], tuple[Settings, list[Any]]] = {}

    def computed(settings: Settings, at: Sequence[int]) -> list[Any]:
        key = id(settings), tuple(at[:outer])
        found = kept.get(key)
        if found is None or found[0] is not settings:
            if len(kept) >= MOST_SERIES:
                kept.clear()
            turns = min(count(settings, at), MOST_TURNS)
            found = kept[key] = settings, [body(settings, (*at, turn, 0)) for turn in range(turns)]
        return found[1]

    return computed


def _folded(operands: Sequence[Computed], settings: Settings, at: Sequence[int]) -> Any:
    start, count, body = operands
    value, turns = start(settings, at), count(settings, at)
    if turns > MOST_TURNS:
        raise ArithmeticError("the loop has too many turns")
    for turn in range(turns):
        value = body(settings, (*at, turn, value))
    return value


MOST_KEPT = 20_000
_KEPT: dict[int, tuple[Expression, Computed]] = {}
"""Compiled expressions by identity, as 1, 1.0 and true are equal. Each is held with its expression, so that no other takes its place."""


def _compiled_once(expression: Expression) -> Computed:
    if len(expression) < 2 or expression[0] in ("key", "at"):
        return compiled(expression)
    kept = _KEPT.get(id(expression))
    if kept is None:
        if len(_KEPT) >= MOST_KEPT:
            _KEPT.clear()
        kept = _KEPT[id(expression)] = expression, compiled(expression)
    return kept[1]


def parts(expression: Expression) -> Iterator[Expression]:
    """The expression and all its subexpressions."""
    waiting = [expression]
    while waiting:
        part = waiting.pop()
        yield part
        if isinstance(part, tuple):
            waiting += part[:0:-1]


def keys_of(expression: Expression) -> frozenset[str]:
    """The paths of the settings on which it depends."""
    return frozenset(each[1] for each in parts(expression) if isinstance(each, tuple) and each[0] == "key")


def mentions(expression: Expression, depth: int) -> bool:
    """Whether it depends on the number of the list at this depth."""
    return any(isinstance(each, tuple) and each[0] == "at" and each[1] == depth for each in parts(expression))


def depths_in(found: Iterable[Expression]) -> frozenset[int]:
    """The depths of the lists on whose numbers these depend."""
    return frozenset(each[1] for inside in found for each in parts(inside) if isinstance(each, tuple) and each[0] == "at")


def size_of(expression: Expression) -> int:
    """The number of operations, settings and literals in it."""
    keys: set[str] = set()
    size = 0
    for each in parts(expression):
        if isinstance(each, tuple) and each[0] == "key":
            keys.add(each[1])
        else:
            size += 1
    return size + len(keys)


def replaced(expression: Expression, change: Callable[[tuple[Any, ...]], Expression | None]) -> Expression:
    """The expression with ``change`` applied to each tuple in it; ``change`` returns None for a tuple to keep."""
    if not isinstance(expression, tuple):
        return expression
    found = change(expression)
    if found is not None:
        return found
    if expression[0] in ("key", "at", "loop"):
        return expression
    inside = [replaced(each, change) for each in expression[1:]]
    same = all(one is other for one, other in zip(inside, expression[1:], strict=True))
    return expression if same else (expression[0], *inside)


_OPPOSITES = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


def negated(condition: Expression) -> Expression:
    """The negation of the condition, without ``not`` if another operation expresses it."""
    if isinstance(condition, tuple) and condition[0] == "not":
        return condition[1]
    if isinstance(condition, tuple) and condition[0] in _OPPOSITES:
        return (_OPPOSITES[condition[0]], *condition[1:])
    return ("not", condition)


_OTHERS = (*LOGICAL, "key", "at", "turn", "carried")


def read(data: object, depth: int = 0, loops: int = 0) -> Expression:
    """The expression from JSON lists, inside of so many loops. Raises `ValueError` for malformed data."""
    if depth > LIMIT_OF_DEPTH or loops > LIMIT_OF_LOOPS:
        raise ValueError("an expression is nested too deeply")
    if isinstance(data, list):
        if not data or not isinstance(data[0], str) or not (data[0] in OPERATIONS or data[0] in _OTHERS):
            raise ValueError(f"{data!r:.60} is not an expression")
        if data[0] in ("key", "at") and (len(data) != 2 or not isinstance(data[1], str if data[0] == "key" else int)):
            raise ValueError(f"{data!r:.60} is not an expression")
        if len(data) != {"if": 4, "fold": 4, "series": 3}.get(data[0], len(data)):
            raise ValueError(f"{data!r:.60} is not an expression")
        inside = loops + (data[0] in ("fold", "series", "list"))
        return (data[0], *(read(each, depth + 1, inside) for each in data[1:]))
    if data is None or isinstance(data, (bool, int, float, str)):
        return data
    raise ValueError(f"{data!r:.60} is not an expression")


def literal(value: object) -> str:
    """The value as in JSON but with Python's quotation marks, and shortened if it is long."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return shorten(repr(value), 60)


def _is_key(expression: Expression) -> bool:
    return isinstance(expression, tuple) and expression[0] == "key"


_INFIX = {"+": 1, "-": 1, "*": 2, "/": 2, "//": 2, "%": 2, "**": 3, "<": 0, "<=": 0, ">": 0, ">=": 0, "==": 0, "!=": 0, "in": 0}
_UNDIVIDED = 9
"""Binds more than any operation: what stands there needs brackets if it is one."""
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
"""A comparison with its sides exchanged: a number is written after what it bounds."""


def render(expression: Expression, above: int = -1) -> str:
    """The expression as a line of Python, for messages: ``hidden_size % num_heads == 0``."""
    if not isinstance(expression, tuple):
        return literal(expression)
    name, *operands = expression
    if name == "key":
        return rendered(operands[0])
    if name in ("at", "loop"):
        return "ijklmn"[operands[0] % 6]
    if name == "item":
        place = render(operands[1])
        return rendered(operands[0][1], place) if _is_key(operands[0]) else f"{render(operands[0], _UNDIVIDED)}[{place}]"
    if name in ("and", "or"):
        alternatives = name == "and"  # Which bind less.
        inside = (
            f"({render(each)})" if alternatives and isinstance(each, tuple) and each[0] == "or" else render(each, 1) for each in operands
        )
        line = f" {name} ".join(inside)
        return f"({line})" if above == _UNDIVIDED else line
    if name == "not" and isinstance(operands[0], tuple) and operands[0][0] == "null":
        return f"{render(operands[0][1], _UNDIVIDED)} is not null"
    if name == "not":
        return f"not {render(operands[0], _UNDIVIDED)}"
    if name == "truth":
        return render(operands[0], above)
    if name == "null":
        return f"{render(operands[0], _UNDIVIDED)} is null"
    if name == "if":
        return f"({render(operands[1])} if {render(operands[0])} else {render(operands[2])})"
    if name == "agreed":
        return render(operands[0], above)
    if name == "times":
        start, operation, by, comparison, bound = operands
        return f"times({render((operation, start, by))} while {comparison} {render(bound, 1)})"
    if name == "fold":
        start, count, body = map(render, operands)
        return f"repeated(x = {body}, {count} times from {start})"
    if name in ("turn", "carried"):
        return "t" if name == "turn" else "x"
    if name == "exact":
        return render(("/", *operands), above)
    if name == "len" and _is_key(operands[0]):
        return f"len({operands[0][1].partition(COLUMN)[0]})"
    if name in _MIRRORED and isinstance(operands[0], (int, float)) and isinstance(operands[1], tuple):
        return render((_MIRRORED[name], operands[1], operands[0]), above)
    if name in _INFIX:
        line = f" {name} ".join(render(each, _INFIX[name] + (at > 0)) for at, each in enumerate(operands))
        return f"({line})" if _INFIX[name] < above else line
    return f"{name}({', '.join(map(render, operands))})"
