"""Numerical values of formulas: exact for one config, exact and fast for a million."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial, reduce
from math import isqrt, prod
from numbers import Integral, Rational
from operator import add, mul
from typing import TYPE_CHECKING, Any, Protocol

from symparam.core.definitions import WithDefinitions
from symparam.core.floor import Floor
from symparam.core.formula import MAX_BITS, Formula, Negative, Number, Power, Product, Quotient, Root, Sum, Symbol, abbreviated
from symparam.core.frozen import frozen
from symparam.core.json_types import JsonMapping
from symparam.errors import FormulaError, NoValueError, SymparamError, shorten

if TYPE_CHECKING:
    import numpy
    import sympy

_INT64_MAX = 2**63 - 1
_MAX_BITS_TOGETHER = 3 * MAX_BITS  # The most decimal digits that Python writes.
_ROWS = 2**17  # Rows computed at a time: few enough for the processor's cache, and enough to hide Python's overhead.


class WithFormula(Protocol):
    """A derivation, or what `derive` returns."""

    @property
    def formula(self) -> Formula:
        """The closed form."""

    @property
    def complete(self) -> bool:
        """Whether it leaves nothing out."""


def evaluate(formula: Formula | WithFormula | sympy.Expr, values: Mapping[str | sympy.Symbol, int | Fraction]) -> int | Fraction:
    """The exact value of the formula, of a derivation's, or of an expression of SymPy: an ``int`` if it is an integer, else a ``Fraction``.

    ``values`` gives a number for each letter that occurs; its keys are letters, or symbols with any assumptions. Raises `FormulaError` for
    a letter without a value, for a float and for a division by zero.
    """
    formula = _formula(formula)
    values = _by_letter(formula, values)
    return int_if_whole(_value(formula, {letter: _exact(letter, values[letter]) for letter in formula.letters}, _EXACT))


def evaluate_many(formula: Formula | WithFormula | sympy.Expr, values: Mapping[str | sympy.Symbol, numpy.ndarray | int]) -> numpy.ndarray:
    """The exact value of the formula for each element of NumPy arrays of integers, which are broadcast together.

    The result has dtype int64 where a bound, computed beforehand from the largest values, proves that no intermediate result overflows;
    otherwise it has dtype object and holds Python's numbers. A quotient that is not an integer is a `Fraction`.

    Raises `FormulaError` as `evaluate` does, and for arrays whose shapes cannot be broadcast; `SymparamError` where NumPy is not installed.
    """
    try:
        import numpy
    except ImportError:
        raise SymparamError(
            "evaluate_many computes with NumPy, which is not installed: pip install numpy; evaluate takes one config without it"
        ) from None

    formula = _formula(formula)
    values = _by_letter(formula, values)
    used = {letter: _whole(letter, values[letter]) for letter in sorted(formula.letters)}
    try:
        shape = numpy.broadcast_shapes(*(array.shape for array in used.values()))
    except ValueError:
        shapes = ", ".join(f"{letter} {array.shape}" for letter, array in used.items())
        raise FormulaError(f"the shapes of the arrays cannot be broadcast together: {shapes}") from None
    result, done = numpy.empty(prod(shape), dtype=numpy.int64), 0
    for rows in _blocks(used):
        value = _rows_value(formula, rows)
        if value.dtype == object:
            result = result.astype(object, copy=False)
        result[done : done + value.size] = value
        done += value.size
    return result.reshape(shape)


@frozen
class _Arithmetic:
    """The operations that differ between numbers, arrays of objects and 64-bit arrays; the formula is kept for error messages."""

    divided: Callable[[Formula, Any, Any], Any]
    raised: Callable[[Formula, Any, Any], Any]
    rooted: Callable[[Formula, Any], Any]
    together: Callable[[Callable[[Any, Any], Any], list[Any]], Any] = reduce


def _value(formula: Formula, values: JsonMapping, using: _Arithmetic) -> Any:
    if isinstance(formula, Number):  # These four are nearly all nodes, and are told apart in half the time that patterns take.
        return formula.value
    if isinstance(formula, Symbol):
        return values[formula.letter]
    if isinstance(formula, Product):
        return using.together(mul, [_value(factor, values, using) for factor in formula.factors])
    if isinstance(formula, Sum):
        return using.together(add, [_value(term, values, using) for term in formula.terms])
    match formula:
        case Negative(operand):
            return -_value(operand, values, using)
        case Quotient(numerator, denominator):
            return using.divided(formula, _value(numerator, values, using), _value(denominator, values, using))
        case Power(base, exponent):
            return using.raised(formula, _value(base, values, using), _value(exponent, values, using))
        case Root(radicand):
            return using.rooted(formula, _value(radicand, values, using))
        case Floor(operand):
            return _value(operand, values, using) // 1
        case WithDefinitions():
            return _value(formula.whole, values, using)
    raise AssertionError(f"{type(formula).__name__} is not a kind of formula")


def _together(operation: Callable[[int | Fraction, int | Fraction], int | Fraction], values: list[int | Fraction]) -> int | Fraction:
    """The sum or product of exact numbers. Raises `FormulaError` where it would have millions of digits."""
    found = values[0]
    for value in values[1:]:
        found = operation(found, value)
        if found.numerator.bit_length() > _MAX_BITS_TOGETHER or found.denominator.bit_length() > _MAX_BITS_TOGETHER:
            raise NoValueError("large-result", most=_MAX_BITS_TOGETHER)
    return found


def _divided(formula: Formula, above: int | Fraction, below: int | Fraction) -> int | Fraction:
    if below == 0:
        raise NoValueError("divides-by-zero", formula=abbreviated(formula))
    return int_if_whole(Fraction(above) / below)


def _raised(formula: Formula, base: int | Fraction, exponent: int | Fraction) -> int | Fraction:
    if isinstance(base, int) and isinstance(exponent, int) and exponent >= 0 and base.bit_length() * exponent <= MAX_BITS:
        power: int = base**exponent
        return power  # A fast path, four times as fast as the code below.
    if exponent.denominator != 1 or (base == 0 and exponent < 0):
        raise NoValueError("no-rational-value", formula=abbreviated(formula))
    size = max(base.numerator.bit_length(), base.denominator.bit_length())
    if size > 1 and size * abs(exponent.numerator) > MAX_BITS:
        raise NoValueError("large-power", formula=abbreviated(formula), most=MAX_BITS)
    return int_if_whole(Fraction(base) ** exponent.numerator)


def _rooted(formula: Formula, radicand: int | Fraction) -> int | Fraction:
    if radicand >= 0:
        root = Fraction(isqrt(radicand.numerator), isqrt(radicand.denominator))
        if root**2 == radicand:
            return int_if_whole(root)
    raise NoValueError("no-rational-value", formula=abbreviated(formula))


def int_if_whole(value: int | Fraction) -> int | Fraction:
    """The number, converted to an ``int`` where it is an integer."""
    return value.numerator if value.denominator == 1 else value


def _each(function: Callable[..., object], *arrays: object) -> object:
    import numpy

    return numpy.frompyfunc(function, len(arrays), 1)(*arrays)


class _NotWholeError(Exception):
    """Raised when a quotient of 64-bit integers is a fraction, which they cannot hold."""


def _divided_whole(formula: Formula, above: Any, below: Any) -> Any:
    import numpy

    if numpy.any(numpy.equal(below, 0)):
        raise NoValueError("divides-by-zero", formula=abbreviated(formula))
    quotient, rest = numpy.divmod(above, below)
    if numpy.any(rest):
        raise _NotWholeError
    return quotient


_EXACT = _Arithmetic(_divided, _raised, _rooted, _together)
_EACH = _Arithmetic(
    lambda formula, above, below: _each(partial(_divided, formula), above, below),
    lambda formula, base, exponent: _each(partial(_raised, formula), base, exponent),
    lambda formula, radicand: _each(partial(_rooted, formula), radicand),
)
_INT64 = _Arithmetic(_divided_whole, lambda formula, base, exponent: base**exponent, _rooted)  # `_bound` keeps roots out.


def _formula(given: Formula | WithFormula | sympy.Expr) -> Formula:
    if isinstance(given, Formula):
        return given
    if hasattr(given, "free_symbols"):
        from symparam.core.algebra.closed_form import expanded
        from symparam.core.dimensions import canonical

        return expanded(canonical(given))
    if not isinstance(found := getattr(given, "formula", None), Formula):
        raise FormulaError(f"{shorten(repr(given))} is not a Formula; give what derive or read_formula returns")
    if not given.complete:
        raise FormulaError(f"{shorten(str(given))!r} leaves something out; give its .formula to evaluate the lower bound")
    return found


def _by_letter(formula: Formula, values: Mapping[Any, object]) -> JsonMapping:
    """The values by letter. Raises `FormulaError` where a letter that occurs has no value, or two."""
    if type(values) is not dict and not isinstance(values, Mapping):  # An abstract class is asked slowly.
        raise FormulaError(f"{shorten(repr(values))} gives no values; a dictionary by letter is expected, as in {{'H': 768}}")
    if not {*map(type, values)} <= {str}:
        names = [str(getattr(key, "name", key)) for key in values]
        if len(set(names)) < len(names):
            raise FormulaError(f"a letter has two values among {', '.join(sorted(names))}; symbols of one name are one letter here")
        values = dict(zip(names, values.values(), strict=True))
    missing = formula.letters - values.keys()
    if missing:
        raise FormulaError(f"no value is given for {', '.join(sorted(missing))} in {abbreviated(formula)}")
    return values


def _exact(letter: str, value: object) -> int | Fraction:
    if type(value) is int or type(value) is Fraction:
        return value
    if isinstance(value, Integral):
        return int(value)  # A NumPy integer would overflow silently.
    if isinstance(value, Rational):
        return Fraction(value)
    raise FormulaError(f"the value of {letter} is {shorten(repr(value))}, but a whole number or a Fraction is expected")


def _whole(letter: str, value: object) -> numpy.ndarray:
    import numpy

    # NumPy would convert a list with a number beyond 64 bits to floats.
    array = numpy.asarray(value, dtype=None if hasattr(value, "dtype") else object)
    if array.dtype.kind in "iu":
        return array
    if array.dtype.kind != "O":
        raise FormulaError(f"the values of {letter} are of type {array.dtype}, but whole numbers are expected")
    for each in array.flat:
        if not isinstance(each, (int, Integral)):
            raise FormulaError(f"the values of {letter} include {shorten(repr(each))}, but whole numbers are expected")
    return numpy.asarray(_each(int, array), dtype=object)


def _blocks(arrays: Mapping[str, numpy.ndarray]) -> Iterator[dict[str, numpy.ndarray]]:
    """The arrays, broadcast together and cut into flat blocks of `_ROWS` rows; a formula without letters has one empty block."""
    import numpy

    if not arrays:
        yield {}
        return
    flags: Any = ["external_loop", "buffered", "refs_ok", "zerosize_ok"]
    with numpy.nditer([*arrays.values()], flags=flags, order="C", buffersize=_ROWS) as blocks:
        for block in blocks:
            yield dict(zip(arrays, block if isinstance(block, tuple) else (block,), strict=True))


def _rows_value(formula: Formula, rows: Mapping[str, numpy.ndarray]) -> numpy.ndarray:
    import numpy

    # The rough bound suffices in nearly all cases and takes half the time of the sharp one.
    if any(_bound(formula, {letter: size(array) for letter, array in rows.items()}) <= _INT64_MAX for size in (_all_bits, _largest)):
        try:
            return numpy.asarray(_value(formula, {letter: array.astype(numpy.int64, copy=False) for letter, array in rows.items()}, _INT64))
        except _NotWholeError:
            pass
    value = _value(formula, {letter: array.astype(object) for letter, array in rows.items()}, _EACH)
    return numpy.asarray(_each(int_if_whole, value), dtype=object)


def _all_bits(array: numpy.ndarray) -> int:
    """An upper bound for the values of the array, less than twice the largest, if none is negative."""
    import numpy

    bits = int(numpy.bitwise_or.reduce(array))
    return bits if bits >= 0 else _INT64_MAX + 1


def _largest(array: numpy.ndarray) -> int:
    return max(abs(int(array.max())), abs(int(array.min())))


def _bound(formula: Formula, largest: Mapping[str, int]) -> int:
    """A bound that no intermediate result of the formula exceeds for values up to the given ones, provided that every quotient is an
    integer; more than the 64-bit range for operations that 64-bit integers cannot express.
    """
    match formula:
        case Number(value):
            return value if isinstance(value, int) else _INT64_MAX + 1
        case Symbol(letter):
            return largest[letter]
        case Product(factors):
            # A factor of zero must not hide how large the partial product was before it.
            return prod(max(1, _bound(factor, largest)) for factor in factors)
        case Power(base, exponent):
            inside = max(1, _bound(base, largest))
            times = exponent.value if isinstance(exponent, Number) else MAX_BITS
            return max(inside, inside**times) if isinstance(times, int) and inside.bit_length() * times < MAX_BITS else _INT64_MAX + 1
        case Root():
            return _INT64_MAX + 1
        case WithDefinitions():
            return _bound(formula.whole, largest)
    return sum(_bound(part, largest) for part in formula.parts)
