"""Numbers that count no part of the model, or need not: its sizes, letters, sums of several measures."""

from __future__ import annotations

import re
from collections.abc import Sequence

import sympy

from symparam.documents.comparing.judged_page import JudgedPage
from symparam.documents.comparing.neighbours import SEVERAL
from symparam.documents.comparing.recognised_part import RecognisedPart
from symparam.documents.reading.expression import in_numbers
from symparam.documents.words import thing_words, words
from symparam.errors import FormulaError

_PER_PARAMETER, _LETTERS = (2, 6), 2
_NEAR = 4  # Characters before a number that may set a letter to it.
_LINE = 200  # Characters after a formula that are read for what it counts.
_NOUN = 20  # Characters after a number with what it counts.
_LETTER = re.compile(r"[A-VX-Za-vx-z](?:_[A-Za-z])?")
_OF_BYTES = ("weights", "gradients", "optimizer", "activations", "cache")
_LONGEST_LINE = 400  # Characters of a line that are read.
_FEWEST_SIZES = 3  # Clauses of a line that state a size of the model each.
_CLAUSES = re.compile(r"[,;:，；：、|](?!\d)|\.(?=\s)")
_ONE_NUMBER = re.compile(r"[^\d×·*+^=]*(?:[=:] ?)?(?<![\w.])(\d{1,3}(?>(?:,\d{3})*)|\d+)(?![\w.,^])[^\d×·*+^=]*")


def may_be_none(part: RecognisedPart, page: JudgedPage, sure: Sequence[RecognisedPart]) -> bool:
    """Whether a number that does not fit may count no part at all: a size, a letter, a sum of several measures."""
    own = page.measured.sizes | (set() if part.measurand.is_explicit else page.measured.own_sizes)
    before = page.checker.text[max(0, part.quantity.expression.start - _NEAR) : part.quantity.expression.start].rstrip(" $*`")
    is_of_counts = len(sure) >= SEVERAL and bool(part.label.parts) and not (part.label.rest or before.endswith("="))  # But ``d_ff = 3072``.
    if part.formula is None and part.stated in own and not is_of_counts:
        return True  # V = 128256 states a size, not parameters.
    if part.formula is None and part.stated in page.measured.own_sizes and _is_among_sizes(part, page):
        return True
    if _LETTER.fullmatch(part.words.strip()) and not any(each is not part for each in page.matrices):
        return True  # V is as often the vocabulary as the values.
    if not part.fits and not (part.words or part.label.parts):
        return True  # It is unknown what it counts, so it is not taken for the whole model.
    return _is_sum_of_measures(part)  # It is compared with its own terms.


def _is_among_sizes(part: RecognisedPart, page: JudgedPage) -> bool:
    """Whether its line enumerates sizes of the model: ``24 layers, 32 heads, FFN 8192, vocabulary 50272``."""
    text, start = page.checker.text, part.quantity.expression.start
    begin = text.rfind("\n", 0, start) + 1
    line = text[begin : begin + _LONGEST_LINE].partition("\n")[0]
    alone = (_ONE_NUMBER.fullmatch(clause.strip(" *_`$")) for clause in _CLAUSES.split(line))
    stated = [int(each[1].replace(",", "")) for each in alone if each is not None]
    return part.stated in stated and sum(each in page.measured.own_sizes for each in stated) >= _FEWEST_SIZES


def _is_sum_of_measures(part: RecognisedPart) -> bool:
    """Whether it may be the bytes of weights, gradients, caches and more together, as its words do not name the weights."""
    if part.label.parts or part.measurand.measure != "weights" or part.measurand.by_row or not says_total(part):
        return False
    lower = part.words.lower()
    return not any(word.rstrip("*") in lower for word in thing_words()["parameter"])


def says_total(part: RecognisedPart) -> bool:
    """Whether a word for a total is in its words or in the head of its column."""
    return any(words("total").in_text(text) for text in (part.words, part.quantity.column))


def has_other_unit(part: RecognisedPart, page: JudgedPage) -> bool:
    """Whether a number of bytes has a unit or a scale, but not of bytes, or counts elements: ``1,024 numbers for a token``."""
    expression = part.quantity.expression
    if part.measurand.measure not in _OF_BYTES:
        return False
    if part.formula is not None:  # ``B × L × d_ff = … floats``
        return words("elements").in_text(page.checker.text[expression.end : expression.end + _LINE].partition("\n")[0])
    literal = expression.literal
    if literal is None or literal.unit is None:
        return words("elements").begins(page.checker.text[expression.end : expression.end + _NOUN].strip())
    return literal.unit.counted != "bytes"


def is_estimate(part: RecognisedPart) -> bool:
    """Whether it is written as two or six times two letters, or three for the whole model, none of them squared, as people write
    operations for the numbers of parameters and of tokens: ``6PD``, ``2BnP``.
    """
    try:
        times, letters = in_numbers(part.quantity.expression).expr.as_coeff_Mul()
    except FormulaError:
        return False  # Words stand for sizes in it.
    is_product = isinstance(letters, sympy.Mul) and len(letters.args) == len(letters.free_symbols)
    most = _LETTERS + 1 if part.label.parts in ((), ("model",)) else _LETTERS
    return times in _PER_PARAMETER and is_product and _LETTERS <= len(letters.args) <= most
