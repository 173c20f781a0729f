"""Explains wrong operations, bytes and formulas of parts: finds the products, tensors or factors that make up the gap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product, repeat

import sympy

from symparam.core.algebra.closed_form import difference as written
from symparam.core.algebra.polynomial import equal, letters_in
from symparam.core.dimensions import B, E, H, K, L, N, V, h, k
from symparam.core.formula import Formula
from symparam.core.frozen import frozen
from symparam.core.message import Message, message
from symparam.documents.checking.entries.labelled_quantities import EVIDENT, digits_of
from symparam.documents.comparing.measured_model import UNITS, MeasuredModel
from symparam.documents.comparing.recognised_part import RecognisedPart, is_stated
from symparam.documents.gaps.arithmetic.digits import digit_slip
from symparam.documents.gaps.arithmetic.stated_number import int_if_whole
from symparam.documents.gaps.gap import Cause, Gap
from symparam.documents.roles.measure_pieces import PASSES
from symparam.documents.roles.model_parts import FUSED
from symparam.documents.roles.parameter_gaps import formula_gap, multiple_gap, part_gap
from symparam.documents.roles.part_candidates import PartCandidate
from symparam.errors import FormulaError

_ROLES = (
    "attention-scores", "attention-products", "query", "key", "value", "query-key-value", "output-projection", "feed-forward-in",
    "feed-forward-gate", "feed-forward-out", "router", "experts", "shared-experts", "language-model-head", "feed-forward", "attention",
    "attention-norm", "feed-forward-norm", "norm", "final-norm", "pooler", "token-embedding", "position-embedding",
)  # fmt: skip
"""The parts within a part that may explain a gap, the smaller first."""
_OF_PAIRS = ("attention-scores", "attention-values", "attention-products")
_SINGLE = (1, 2, 4, 8)  # Bytes of one number.
_BYTES = (1, 2, 4, 6, 8, 10, 12, 14, 16, 18)  # Bytes per number or parameter.
_POWERS = (1, 2, 3, 4)  # Of a thousand, from KB to TB.
_MOST = 2  # Pieces of one gap.
_EVERY_HEAD = "off-every-head"
_LEAST_SWAPPED = 4  # Digits of a rounded number, two of which may be swapped.
_LEAST_DIGITS = 2  # Digits of a rounded number whose gap is explained.


@frozen
class _GapPiece:
    """A possible part of a gap: its size as a formula, its number, and a message that says what it is."""

    size: sympy.Expr
    value: Fraction
    why: Message


def gap_of(part: RecognisedPart, right: PartCandidate, measured: MeasuredModel) -> Gap:
    """The gap of a part, explained by modules if it counts parameters, or by factors and pieces."""
    if part.measurand.measure != "parameters" or part.formula is not None:
        return measure_gap(measured, part, right)
    stated = int_if_whole(part.stated)
    found = multiple_gap(part_gap(measured.chosen, right, stated), part.candidates, stated)
    return found if found.explained_by else measure_gap(measured, part, right)


def measure_gap(measured: MeasuredModel, part: RecognisedPart, right: PartCandidate) -> Gap:
    """The stated value minus ``right``, with the simplest explanation: one factor, one piece, or two pieces."""
    value = int_if_whole(part.stated - right.value)
    if part.formula is None:
        causes = next(_explanations(measured, part, right, None), ())
        return Gap(value, None, tuple(Cause(each.why, int_if_whole(each.value)) for each in causes))
    substitute = measured.substitution_for(part.formula)
    size = substitute(part.formula) - substitute(right.size)
    shown = value if letters_in(size) <= measured.values.keys() else None
    causes = next(_explanations(measured, part, right, size), ())
    if not causes and shown is not None and right.variant.measure == "parameters":
        by_modules = part_gap(measured.chosen, right, int_if_whole(part.stated))
        if by_modules.explained_by:
            return replace(by_modules, formula=_written(size))
    stated = _written(substitute(part.formula))
    if not causes and stated is not None and (right.variant.measure, right.way) == ("parameters", "whole"):
        by_modules = formula_gap(measured.chosen, right, stated)
        if by_modules.explained_by and by_modules.formula == _written(size):
            return by_modules
    causes = causes or next(_terms(measured, part, right, size), ())
    found = tuple(
        Cause(each.why, int_if_whole(each.value) if shown is not None else None, _written(substitute(each.size))) for each in causes
    )
    return Gap(shown, _written(size), found)


def rounded_gap(part: RecognisedPart, right: PartCandidate, measured: MeasuredModel, listed: Set[str] = frozenset()) -> Gap:
    """The gap of a rounded number, with the factor or the piece that leads to it, in as many digits as it has. None of the blocks that the
    page has ``listed`` beside it is left out of it.
    """
    if digits_of(part.quantity.expression) < _LEAST_DIGITS and not _is_binary(part):
        return Gap(None)

    def leads_to(piece: _GapPiece) -> bool:
        value = piece.value + Fraction(right.value)
        return value > 0 and is_stated(part, int_if_whole(value))

    factors = [*_factors(measured, part, right), *_twice(right), *_in_other_unit(part, right)]
    found = next(filter(leads_to, factors), None)
    if found is None and digits_of(part.quantity.expression) >= EVIDENT:
        pieces = (each for each in _pieces(measured, right) if each.why.kind != "counted-twice-in-it")
        found = next(filter(leads_to, (each for each in pieces if listed.isdisjoint(_left_out(each)))), None)
    why = found.why if found is not None else _swapped(part, right)
    return Gap(None, None, (Cause(why),) if why is not None else ())


def _left_out(piece: _GapPiece) -> tuple[str, ...]:
    """The blocks that a piece says are left out."""
    what = dict(piece.why.about).get("what") if piece.why.kind == "left-out-of-it" else None
    paths = dict(what.about).get("paths", ()) if isinstance(what, Message) else ()
    return tuple(map(str, paths)) if isinstance(paths, tuple) else ()


def _swapped(part: RecognisedPart, right: PartCandidate) -> Message | None:
    """The slip that swaps two digits of a rounded number, of which so many are hardly like those of another number by chance."""
    literal = part.quantity.expression.literal
    if literal is None or literal.digits < _LEAST_SWAPPED:
        return None
    for sense in literal.unit.senses if literal.unit is not None else (Fraction(1),):
        rounded = round(Fraction(right.value) / sense / literal.last_digit)
        slip = digit_slip(rounded, literal.value / literal.last_digit)
        if slip is not None and slip.kind == "digits-swapped":
            return slip
    return None


def _is_binary(part: RecognisedPart) -> bool:
    """Whether it has a unit of bytes in which even a number of few digits may be exact: 256 KiB."""
    literal = part.quantity.expression.literal
    return literal is not None and literal.unit is not None and literal.unit.counted == "bytes"


def _written(size: sympy.Expr) -> Formula | None:
    try:
        return written(size)
    except FormulaError:
        return None  # Too long.


def _explanations(
    measured: MeasuredModel, part: RecognisedPart, right: PartCandidate, size: sympy.Expr | None
) -> Iterator[tuple[_GapPiece, ...]]:
    """The explanations of the gap, the simplest first; ``size`` is the gap of a formula."""
    gap = part.stated - Fraction(right.value)
    substitute = measured.substitution_for(part.formula) if part.formula is not None else None

    def is_gap(pieces: tuple[_GapPiece, ...]) -> bool:
        if sum((each.value for each in pieces), Fraction(0)) != gap:
            return False
        return size is None or substitute is None or equal(sympy.Add(*(substitute(each.size) for each in pieces)), size)

    every = list(_pieces(measured, right))
    factors = list(_factors(measured, part, right))
    yield from filter(is_gap, ((each,) for each in factors))
    yield from filter(is_gap, map(_one_after_another, combinations(factors, 2), repeat(right)))
    for count in range(1, _MOST + 1):
        yield from filter(is_gap, combinations(every, count))
    if right.variant.measure == "cache":  # Twice as much may be due to all heads and to keys alone.
        yield from filter(is_gap, ((each,) for each in _twice(right)))


def _one_after_another(factors: tuple[_GapPiece, _GapPiece], right: PartCandidate) -> tuple[_GapPiece, ...]:
    """Explanations by two factors of the whole, the second of which explains what the first one leaves."""
    first, second = factors
    left = 1 + first.value / Fraction(right.value)
    size = sympy.cancel(second.size * (1 + first.size / right.size))
    return first, replace(second, size=size, value=second.value * left)


def _twice(right: PartCandidate) -> Iterator[_GapPiece]:
    yield _GapPiece(right.size, Fraction(right.value), message("off-twice-counted"))


def is_in_other_unit(part: RecognisedPart, right: PartCandidate) -> bool:
    """Whether the number is right with another unit than the one that is written: that in GB, with GiB."""
    return any(is_stated(part, int_if_whole(piece.value + Fraction(right.value))) for piece in _in_other_unit(part, right))


def _in_other_unit(part: RecognisedPart, right: PartCandidate) -> Iterator[_GapPiece]:
    """An explanation by the unit: the number is that in GB, and GiB is written."""
    literal = part.quantity.expression.literal
    unit = literal.unit if literal is not None else None
    if unit is None or unit.counted != "bytes" or len(unit.senses) != 1 or digits_of(part.quantity.expression) < EVIDENT:
        return
    sense = Fraction(unit.senses[0])
    power = next((each for each in _POWERS if sense == 1024**each), None)
    if power is not None:
        off = round(Fraction(right.value) * (sense / 1000**power - 1))
        why = message("off-in-unit", stated=unit.written, right=unit.written.replace("i", "", 1))
        yield _GapPiece(sympy.Integer(off), Fraction(off), why)


def _factors(measured: MeasuredModel, part: RecognisedPart, right: PartCandidate) -> Iterator[_GapPiece]:
    """Explanations by a factor of the whole: another unit, one layer instead of all, only one of keys and values."""
    measure = right.variant.measure
    times: list[tuple[sympy.Expr, str]] = []
    if measure == "operations":
        halved = "off-in-macs-or-causal" if right.part in _OF_PAIRS else "off-in-macs"
        times += [(sympy.Rational(1, 2), halved)] if right.variant.unit == "FLOPs" else [(sympy.Integer(2), "off-in-flops")]
        if right.variant.work == "training":
            times += [(sympy.Rational(1, 3), "off-forward-alone"), (sympy.Rational(2, 3), "off-backward-alone")]
        if right.variant.length:
            times += [(sympy.Integer(right.variant.length), "off-whole-sequence")] if right.variant.per == "per-token" else []
            times += [(sympy.Rational(1, right.variant.length), "off-per-token")] if right.variant.per == "per-sequence" else []
    if measure == "cache":
        times += [(sympy.Rational(1, 2), "off-keys-or-values")]
        times += [(h / k, _EVERY_HEAD)] if "k" in measured.architecture.letters else []
    if right.variant.devices:
        times += [(sympy.Integer(right.variant.devices), "off-undivided"), (sympy.Integer(2), "off-fewer-devices")]
        times += [(sympy.Rational(1, 2), "off-more-devices")]
    if "N" in measured.architecture.letters:
        times += [(1 / N, "off-one-layer")] if right.scope == "in-all" else [(N, "off-all-layers")]
    times += [(sympy.Integer(2), "off-twice-counted")] if measure in ("parameters", "operations") else []
    if measure in ("parameters", "operations") and "k" in measured.architecture.letters:
        times += [(sympy.cancel(right.size.xreplace({k: h}) / right.size), _EVERY_HEAD)]
    if measure == "operations" and right.part in ("expert", "experts") and K in right.size.free_symbols:
        times += [(E / K, "every-expert"), (1 / K, "one-expert-of-several")]
    if measure == "parameters" and right.part in ("expert", "experts"):
        times += [(sympy.Rational(2, 3), "off-one-of-three")]
    times += [(sympy.Rational(1, 2), "off-half-counted")] if measure == "parameters" else []
    bits = right.variant.bits
    every = [(factor, _every_head(measured) if why == _EVERY_HEAD else message(why)) for factor, why in times]
    every += [
        (sympy.Rational(8 * each, bits), message("off-in-bytes", stated=each, right=bits // 8))
        for each in _BYTES
        if bits and 8 * each != bits and part.measurand.formats and measure != "cache" and (each in _SINGLE or measure == "optimizer")
    ]
    every += [(sympy.Rational(1, 2), message("off-half-counted"))] if bits and measure != "cache" else []
    for factor, why in every:
        size = right.size * (factor - 1)
        value = measured.value_of(factor)
        if value is not None:
            yield _GapPiece(size, Fraction(right.value) * (value - 1), why)


def _every_head(measured: MeasuredModel) -> Message:
    """That keys and values are counted for all heads, with the numbers of both if the model has them."""
    heads, pairs = measured.values.get("h"), measured.values.get("k")
    return message(_EVERY_HEAD, sizes="" if heads is None or pairs is None else f" (h = {heads}, k = {pairs})")


def _pieces(measured: MeasuredModel, right: PartCandidate) -> Iterator[_GapPiece]:
    """The pieces that may explain a gap: parts of the right value, which may be missing, and what people count in addition."""
    alike: dict[sympy.Expr, list[tuple[str, PartCandidate]]] = {}
    kinds = ("", "biases") if right.variant.measure == "parameters" else ("",)
    for role, tensors in product(_ROLES, kinds):
        for each in measured.alike(role, right, tensors):
            if set(each.leaf_paths) <= set(right.leaf_paths) and each.size != right.size:
                alike.setdefault(each.size, []).append((tensors, each))
    for found in alike.values():
        each = found[0][1]
        what = _what(found)
        yield _GapPiece(-each.size, -Fraction(each.value), message("left-out-of-it", what=what))
        yield _GapPiece(each.size, Fraction(each.value), message("counted-twice-in-it", what=what))
        if each.part == "experts" and K in each.size.free_symbols:
            for factor, why in ((1 / K, "one-expert-of-several"), (E / K, "every-expert")):
                times = measured.value_of(factor)
                if times is not None:
                    yield _GapPiece(each.size * (factor - 1), Fraction(each.value) * (times - 1), message(why))
    if right.variant.measure == "operations" and right.part == "model" and {"V", "H"} <= measured.architecture.letters:
        rows = {"per-token": sympy.S.One, "per-sequence": L}.get(right.variant.per, B * L)
        size = UNITS[right.variant.unit] * PASSES[right.variant.work] * rows * V * H
        value = measured.value_of(size.xreplace({L: sympy.Integer(right.variant.length)}) if right.variant.length else size)
        if value is not None:
            yield _GapPiece(size, value, message("look-up"))


def _what(alike: Sequence[tuple[str, PartCandidate]]) -> Message:
    """What a piece is: a part, or one of several parts of its size."""
    tensors, first = alike[0]
    if first.part == "attention-scores":
        return message("one-product")
    if tensors:
        return message("biases-of", paths=first.paths)
    if first.part in FUSED and len({each.part for _, each in alike if each.paths == first.paths}) > 1:
        return message("one-of-fused", paths=first.paths)
    apart: list[PartCandidate] = []
    for _, each in alike:
        if all(set(each.leaf_paths).isdisjoint(other.leaf_paths) for other in apart):
            apart.append(each)
    if len(apart) == 1 or any(len(each.paths) > 1 for each in apart):
        return message("all-of", paths=first.paths)
    return message("one-of-them", paths=tuple(path for each in apart for path in each.paths))


def _terms(measured: MeasuredModel, part: RecognisedPart, right: PartCandidate, gap: sympy.Expr) -> Iterator[tuple[_GapPiece, ...]]:
    """Explanations by one term of the right formula with another coefficient."""
    if part.formula is None:
        return
    for term in sympy.Add.make_args(sympy.expand(measured.substitution_for(part.formula)(right.size))):
        times = sympy.cancel(gap / term)
        if times.is_Rational:
            counted = int_if_whole(Fraction(int(times.p), int(times.q)) + 1)
            yield (_GapPiece(gap, part.stated - Fraction(right.value), message("term-times", term=_written(term) or "", times=counted)),)
