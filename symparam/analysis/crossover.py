"""The sequence length above which attention costs more than the feed-forward part: ``L > I − 2H`` for GPT-2."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from fractions import Fraction
from functools import reduce
from math import floor, gcd

import sympy

from symparam.analysis.derivation import Measure
from symparam.analysis.measures.compute import compute
from symparam.analysis.roles import STATES, is_attention, is_feed_forward
from symparam.core.algebra.closed_form import MAX_LONGER, expanded, positive_first, ratio, readable
from symparam.core.algebra.nesting import size
from symparam.core.algebra.polynomial import Polynomial, expression_of, polynomial
from symparam.core.algebra.signs import is_positive
from symparam.core.alphabets import STANDARD, Alphabet
from symparam.core.dimensions import B, L, symbol
from symparam.core.evaluation import evaluate
from symparam.core.formula import Formula
from symparam.core.frozen import frozen
from symparam.core.notation import UNICODE, Notation
from symparam.errors import ArchitectureError, FormulaError
from symparam.models.blocks import Architecture
from symparam.models.blocks.architecture import Place


@frozen
class Crossover:
    """The cost per token of attention and of the feed-forward part over all layers, in FLOPs of a forward pass, and where they are equal.

    Attention costs more for L above ``threshold``, and for every L where the threshold is not positive. ``condition`` is a pair of formulas
    (left, right): the threshold is not positive where left ≤ right. It is None where the threshold is positive for all sizes, or for none,
    in which case ``always`` is true. ``others`` are the costs of the blocks that replace attention in other layers, by role; they are part
    of neither.
    """

    architecture: Architecture
    attention: Formula
    feed_forward: Formula
    threshold: Formula
    condition: tuple[Formula, Formula] | None
    always: bool
    alphabet: Alphabet = STANDARD
    others: Mapping[str, Formula] = field(default_factory=dict, hash=False)

    def first_length(self, values: Mapping[str, int]) -> int | None:
        """The smallest sequence length, in tokens, for which attention costs more; None where a letter has no value."""
        if not self.threshold.letters <= values.keys():
            return None
        return max(1, floor(Fraction(evaluate(self.threshold, values))) + 1)


def find_crossover(architecture: Architecture, attention: str = "full", alphabet: Alphabet = STANDARD) -> Crossover:
    """The crossover: attention costs a + bL, the feed-forward part c, and they are equal for L = (c − a)/b.

    Raises `ArchitectureError` for an architecture without one of them, and where attention does not grow with L as it does in a decoder.
    """
    notation, measure = UNICODE.using(alphabet), compute("flops", attention)
    parts = [_cost(architecture, measure, of) for of in (is_attention, is_feed_forward)]
    if any(part == 0 for part in parts):
        missing = "attention" if parts[0] == 0 else "feed-forward part"
        raise ArchitectureError(f"{architecture.class_name} has no {missing} that symparam recognises; name a family such as gpt2 or llama")
    if attention == "window":
        raise ArchitectureError(
            f"with windows the attention of {architecture.class_name} does not cost a + bL for each token; leave out --attention, "
            "or ask where the two are equal: --costs attention feed-forward --attention window"
        )
    powers = terms.by_powers("L") if (terms := polynomial(parts[0] - parts[1])) else {}
    if not powers.keys() <= {0, 1} or 1 not in powers or any(value < 0 for value in powers[1].terms.values()):
        raise ArchitectureError(
            f"the attention of {architecture.class_name} does not cost a + bL for each token; name a family of one sequence, such as gpt2"
        )
    attention_alone = powers.get(0, Polynomial({}))
    always, positive = (is_positive(sign * expression_of(attention_alone)) for sign in (1, -1))
    always = always or not attention_alone.terms
    return Crossover(
        architecture,
        readable(parts[0], notation=notation),
        readable(parts[1], notation=notation),
        _threshold(-expression_of(attention_alone), expression_of(powers[1]), notation),
        None if always or positive else sides(attention_alone, notation),
        always,
        alphabet,
        {role: readable(cost, notation=notation) for role in STATES if (cost := _cost(architecture, measure, role.__eq__)) != 0},
    )


def _threshold(above: sympy.Expr, below: sympy.Expr, notation: Notation) -> Formula:
    return _as_sum(above / below, ratio(above, below, notation), notation)


def _as_sum(meaning: sympy.Expr, shorter: Formula, notation: Notation) -> Formula:
    """The formula multiplied out, unless that is impossible or much longer than the other form."""
    try:
        written = positive_first(expanded(meaning, notation=notation))
    except FormulaError:
        return shorter
    return written if size(written) < MAX_LONGER * size(shorter) else shorter


def sides(difference: Polynomial, notation: Notation) -> tuple[Formula, Formula]:
    """The two sides of ``less ≤ more``, given the difference more − less, divided by what all its terms share."""
    shared = {letter: min(dict(monomial).get(letter, 0) for monomial in difference.terms) for letter in difference.letters}
    each = sympy.Mul(*(symbol(letter) ** power for letter, power in shared.items()))
    scale = reduce(gcd, (value.numerator for value in difference.terms.values()))
    terms = [(expression_of(Polynomial({monomial: value / scale})) / each, value > 0) for monomial, value in difference.terms.items()]
    less, more = (sympy.Add(*(term if up else -term for term, up in terms if up is side)) for side in (False, True))
    return _as_sum(less, readable(less, notation=notation), notation), _as_sum(more, readable(more, notation=notation), notation)


def _cost(architecture: Architecture, measure: Measure, belongs: Callable[[str], bool]) -> sympy.Expr:
    """The operations per token of all blocks of a kind, over all layers."""
    places = (inner for place in _outermost(architecture.place, belongs) for inner in place.walk())
    return sympy.Add(*(place.copies * measure.of_block(place) for place in places)) / (B * L)


def _outermost(place: Place, belongs: Callable[[str], bool]) -> Iterator[Place]:
    if belongs(place.module.role or ""):
        yield place
    else:
        for inner in place.inside:
            yield from _outermost(inner, belongs)
