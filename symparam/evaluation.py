"""A formula with numbers put in: exact for one config, and exact and fast for a million of them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Any

from symparam.errors import FormulaError
from symparam.formula import MAX_BITS, Formula, Negative, Number, Power, Product, Quotient, Sum, Symbol, shown

if TYPE_CHECKING:
    import numpy

_INT64_MAX = 2**63 - 1


def evaluate(formula: Formula, values: Mapping[str, int | Fraction]) -> int | Fraction:
    """The exact value of the formula, an ``int`` where it is whole.

    ``values`` gives a number for each letter that occurs. Raises `FormulaError` for a letter without one and for a division by zero.
    """
    _check_values(formula, values)
    value = _exact(formula, values)
    return int(value) if value.denominator == 1 else value


def evaluate_many(formula: Formula, values: Mapping[str, numpy.ndarray | int]) -> numpy.ndarray:
    """The exact value of the formula for each row of NumPy arrays of whole numbers, element by element.

    64-bit integers are used where no intermediate result can leave their range, which is decided beforehand from the largest
    values; otherwise Python's own integers (an array of ``dtype=object``), so that no overflow passes in silence.
    """
    import numpy

    _check_values(formula, values)
    used = {letter: _whole(letter, values[letter]) for letter in formula.letters}
    largest = {letter: max(abs(int(array.max())), abs(int(array.min()))) if array.size else 0 for letter, array in used.items()}
    shape = numpy.broadcast_shapes(*(array.shape for array in used.values()))
    small = _bound(formula, largest) <= _INT64_MAX and not _divides(formula)
    kind: Any = numpy.int64 if small else object
    result = _array(formula, {letter: array.astype(kind, copy=False) for letter, array in used.items()})
    if isinstance(result, numpy.ndarray) and result.shape == shape:
        return result.copy() if isinstance(formula, Symbol) else result
    return numpy.broadcast_to(numpy.asarray(result, dtype=kind), shape).copy()


def _check_values(formula: Formula, values: Mapping[str, Any]) -> None:
    missing = sorted(formula.letters - values.keys())
    if missing:
        raise FormulaError(f"no value is given for {', '.join(missing)} in {shown(formula)}")


def _exact(formula: Formula, values: Mapping[str, int | Fraction]) -> int | Fraction:
    match formula:
        case Number(value):
            return value
        case Symbol(letter):
            return values[letter]
        case Sum(terms):
            return sum(_exact(term, values) for term in terms)
        case Product(factors):
            return prod(_exact(factor, values) for factor in factors)
        case Negative(operand):
            return -_exact(operand, values)
        case Quotient(numerator, denominator):
            below = _exact(denominator, values)
            if below == 0:
                raise FormulaError(f"{shown(formula)} divides by zero")
            return Fraction(_exact(numerator, values)) / below
        case Power(base, exponent):
            return _exact_power(formula, Fraction(_exact(base, values)), Fraction(_exact(exponent, values)))
    raise AssertionError(f"{type(formula).__name__} is not a kind of formula")


def _exact_power(formula: Formula, base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1 or (base == 0 and exponent < 0):
        raise FormulaError(f"{shown(formula)} has no exact rational value")
    size = max(abs(base.numerator).bit_length(), base.denominator.bit_length())
    if size > 1 and size * abs(exponent.numerator) > MAX_BITS:
        raise FormulaError(f"{shown(formula)} is a number of more than {MAX_BITS} binary digits; nothing counted is that large")
    return base**exponent.numerator


def _whole(letter: str, value: Any) -> numpy.ndarray:
    import numpy

    array = numpy.asarray(value)
    if array.dtype.kind not in "iuO" or (array.dtype.kind == "O" and not all(isinstance(each, int) for each in array.flat)):
        raise FormulaError(f"the values of {letter} are of type {array.dtype}; whole numbers are expected")
    return array


def _divides(formula: Formula) -> bool:
    negative_power = isinstance(formula, Power) and not (isinstance(formula.exponent, Number) and isinstance(formula.exponent.value, int))
    fraction = isinstance(formula, Number) and isinstance(formula.value, Fraction)
    return isinstance(formula, Quotient) or negative_power or fraction or any(_divides(part) for part in formula.parts)


def _bound(formula: Formula, largest: Mapping[str, int]) -> int:
    """A number that no intermediate result of the formula exceeds, for values up to the given ones; over the 64-bit range
    it is only known to be over it."""
    match formula:
        case Number(value):
            return int(value)
        case Symbol(letter):
            return largest[letter]
        case Sum(terms):
            return sum(_bound(term, largest) for term in terms)
        case Product(factors):
            # A factor of zero must not hide what the product before it had grown to.
            return prod(max(1, _bound(factor, largest)) for factor in factors)
        case Power(base, exponent):
            inside = max(1, _bound(base, largest))
            times = exponent.value if isinstance(exponent, Number) else 64
            return inside ** int(times) if inside.bit_length() * times < MAX_BITS else _INT64_MAX + 1
    return sum(_bound(part, largest) for part in formula.parts)


def _array(formula: Formula, values: Mapping[str, numpy.ndarray]) -> Any:
    match formula:
        case Symbol(letter):
            return values[letter]
        case Number(value):
            return value
        case Sum(terms):
            return _folded("add", terms, values)
        case Product(factors):
            return _folded("multiply", factors, values)
        case Negative(operand):
            return -_array(operand, values)
        case Quotient(numerator, denominator):
            return _divided(formula, _array(numerator, values), _array(denominator, values))
        case Power(base, exponent):
            return _array(base, values) ** _array(exponent, values)
    raise AssertionError(f"{type(formula).__name__} is not a kind of formula")


def _folded(operation: str, parts: tuple[Formula, ...], values: Mapping[str, numpy.ndarray]) -> Any:
    """The parts added or multiplied from the left, into the memory of an intermediate result where there is one."""
    import numpy

    apply = getattr(numpy, operation)
    total, own = _array(parts[0], values), not isinstance(parts[0], Symbol)
    for part in parts[1:]:
        value = _array(part, values)
        reusable = own and isinstance(total, numpy.ndarray) and total.ndim > 0
        if reusable and numpy.ndim(value) <= total.ndim and numpy.broadcast_shapes(total.shape, numpy.shape(value)) == total.shape:
            apply(total, value, out=total)
        elif not isinstance(total, numpy.ndarray) and not isinstance(value, numpy.ndarray):
            total = total + value if operation == "add" else total * value
        else:
            total = apply(total, value)
        own = True
    return total


def _divided(formula: Formula, above: Any, below: Any) -> Any:
    import numpy

    if numpy.any(numpy.asarray(below) == 0):
        raise FormulaError(f"{shown(formula)} divides by zero")
    quotient = numpy.frompyfunc(lambda a, b: _plain(Fraction(a) / b), 2, 1)
    return quotient(above, below)


def _plain(value: Fraction) -> int | Fraction:
    return value.numerator if value.denominator == 1 else value
