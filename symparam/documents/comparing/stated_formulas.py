"""Reads a formula that a page states for a part in the letters of its measure, and finds the values of the part that it equals."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

import sympy

from symparam.core.algebra.polynomial import equal
from symparam.core.dimensions import BY_LETTER, B, L, S, symbol
from symparam.core.formula import Formula, Product, Symbol
from symparam.documents.checking.entries.labelled_quantities import LabelledQuantity
from symparam.documents.comparing.measurands import Measurand
from symparam.documents.comparing.measured_model import USUAL_BYTES, MeasuredModel, in_hidden_size
from symparam.documents.comparing.page_labels import LEAST
from symparam.documents.comparing.recognised_part import RecognisedPart
from symparam.documents.reading.expression import UNKNOWN, Expression, in_numbers
from symparam.documents.reading.parsed_document import PAGE_NAMES
from symparam.documents.roles.labels import Label
from symparam.documents.roles.part_candidates import Amount, PartCandidate
from symparam.documents.words import unit_words
from symparam.documents.words.scripts import is_unspaced
from symparam.errors import FormulaError

_BYTES_EACH = re.compile(r"byte(?!s?_per_[KMGT])|precision|dtype|sizeof", re.IGNORECASE)  # Not BYTES_PER_GB.
_SIZES_IN_WORDS = {
    "layers": "N", "blocks": "N", "heads": "h", "batch": "B", "tokens": "L", "seq": "L", "seqlen": "L", "context": "L", "vocab": "V",
}  # fmt: skip
"""Words that stand for sizes in a formula: ``2 × layers × heads × head_dim``."""
_WIDTHS = {"d_attn": Product((Symbol("h"), Symbol("d")))}
"""Names of sizes that are products of others."""
COUNT = "N_parameters"
"""The name of the number of parameters, which a page may declare to have a letter: ``6N``."""
_COUNT = symbol(COUNT)
_UNITS: dict[str, set[str]] = {"parameters": set(), "operations": {"FLOPs", "MACs"}, "stated": set()}
"""What the units of numbers in a formula of a measure may count; other measures are in bytes."""
_PRIMES = (10007, 10009, 10037, 10039, 10061, 10067, 10069, 10079, 10091, 10093, 10099, 10103, 10111, 10133, 10139, 10141, 10151, 10159)
"""Placeholder numbers for letters, chosen so that no two formulas are equal by chance."""


def stated_formula(
    quantity: LabelledQuantity, sentence: str, label: Label, measurand: Measurand, measured: MeasuredModel
) -> RecognisedPart | None:
    """The formula as a part, with its meaning and its value; None if it has none in the measure."""
    expression = quantity.expression
    units = {literal.unit.counted for literal in expression.literals.values() if literal.unit}
    is_counted = bool(quantity.column) and (label.parameters or bool(label.measures))  # H, below a head that says what is counted.
    if (expression.is_name and not is_counted) or not units <= _UNITS.get(measurand.measure, {"bytes"}):
        return None
    try:
        meaning = measured.meaning(_in_sizes(expression, measurand, measured))
        meaning = meaning if "d" in expression.letters else in_hidden_size(meaning)
        formula = _in_letters_of(measurand, meaning.xreplace({_COUNT: measured.count}) if meaning.has(_COUNT) else meaning)
        if not all(power.exp.is_Integer for power in formula.atoms(sympy.Pow)):
            return None  # No part of a model has a letter in an exponent, and the value of one there may make the number too long.
        if measurand.measure == "cache" and any(power.exp > 1 for power in formula.atoms(sympy.Pow)):
            return None  # A cache is linear in each size: ``d²`` below "with a cache" counts operations.
        value = measured.value_of(measured.substitution_for(formula)(formula))
    except FormulaError:
        return None
    if value is None or (value <= LEAST and not is_counted):
        return None
    return RecognisedPart(quantity, label, sentence, measurand, value, (), formula)


def _names_bytes(word: str) -> bool:
    """Whether a word of a script without spaces has that of bytes in it: ``精度字节数``."""
    return any(each in word for each in unit_words()["byte"] if is_unspaced(each))


def _in_sizes(expression: Expression, measurand: Measurand, measured: MeasuredModel) -> Formula:
    """The formula with sizes for the words in it, and for bytes per number their usual count. Raises `FormulaError` for other words."""
    formula = in_numbers(expression)
    found: dict[str, Formula | int] = {}
    for letter in expression.letters:
        word = letter.removeprefix(UNKNOWN).lower()
        if _is_of_bytes(measurand) and (_BYTES_EACH.search(word) or _names_bytes(word)):
            found[letter] = (*measured.setting.formats, USUAL_BYTES)[0]
        elif len(word) > 1 and letter not in BY_LETTER and word in _SIZES_IN_WORDS | PAGE_NAMES:
            found[letter] = Symbol((_SIZES_IN_WORDS | PAGE_NAMES)[word])
        elif word == "hidden_dim" and measurand.measure == "cache":  # Elsewhere it is as often the width of the feed-forward part.
            found[letter] = Symbol("H")
        elif word in _WIDTHS:
            found[letter] = _WIDTHS[word]
        elif letter.startswith(UNKNOWN):
            raise FormulaError(f"{word!r} is not a size")
    formula = formula.substitute(found)
    return for_positions(formula, measured.architecture.letters) if measurand.measure == "parameters" else formula


def _is_of_bytes(measurand: Measurand) -> bool:
    return measurand.measure not in ("parameters", "operations", "stated")


def _in_letters_of(measurand: Measurand, formula: sympy.Expr) -> sympy.Expr:
    """The formula in the letters of the model's measure: L for the tokens of a pass, S for those of a cache, and B for a batch called b."""
    batch = symbol("b")
    if measurand.measure != "parameters" and formula.has(batch) and not formula.has(B):
        formula = formula.xreplace({batch: B})
    tokens = {"operations": (S, L), "activations": (S, L), "cache": (L, S)}.get(measurand.measure)
    return formula.xreplace(dict([tokens])) if tokens and not formula.has(tokens[1]) else formula


def for_positions(formula: Formula, letters: frozenset[str]) -> Formula:
    """A formula of parameters with the model's positions in place of a sequence length, which is what some authors call them."""
    return formula.substitute({"L": Symbol("P"), "S": Symbol("P")}) if "P" in letters - formula.letters else formula


def fitting(part: RecognisedPart, candidates: Sequence[PartCandidate], measured: MeasuredModel) -> Iterator[PartCandidate]:
    """The candidates that the formula equals: proven, or at the values of the model."""
    assert part.formula is not None
    substitute = measured.substitution_for(part.formula)
    stated = substitute(part.formula)
    letters = sorted(map(str, stated.free_symbols | {letter for each in part.candidates for letter in each.size.free_symbols}))
    point = {letter: _PRIMES[at % len(_PRIMES)] + 2 * (at // len(_PRIMES)) for at, letter in enumerate(letters)}
    value = number_at(stated, point)
    for candidate in candidates:
        size = substitute(candidate.size)
        if (number_at(size, point) == value and equal(size, stated)) or (measured.has_values and candidate.value == part.stated):
            yield candidate


def number_at(expression: sympy.Expr, values: dict[str, int]) -> Amount | None:
    """The value of the expression with numbers for its letters; None if that is not a number."""
    found = expression.xreplace({letter: sympy.Integer(values[str(letter)]) for letter in expression.free_symbols if str(letter) in values})
    return Fraction(int(found.p), int(found.q)) if isinstance(found, sympy.Rational) else None
