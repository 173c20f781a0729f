"""Says which numbers that fit a part of the model may do so by chance."""

from __future__ import annotations

import re
from collections.abc import Sequence

from symparam.core.message import Message
from symparam.documents.comparing.judged_page import JudgedPage
from symparam.documents.comparing.neighbours import SEVERAL, has_biases, is_bare
from symparam.documents.comparing.recognised_part import RecognisedPart

_OF_KIND = re.compile(r"\{[a-z]+[^a-z}]")  # The condition for the layers of one kind in a path: ``layers.{i<N_f}``.
_TOLD_APART = frozenset("VI")
_TELLING = 10_000  # A number that is so large without its factors of two is hardly that of two models.


def of_chance(part: RecognisedPart, page: JudgedPage) -> Message | None:
    """The reason why a number that fits, and says little by itself, may be another model's: its place is about one."""
    if part.formula is not None or part.telling_digits >= _TELLING or _is_among_telling(part, page):
        return None
    is_of_column = page.model.is_named_in(part.quantity.column)
    return page.conflicts.conflict_at(part.quantity.expression.start, part.label.parts or ("model",), is_of_column)


def _is_among_telling(part: RecognisedPart, page: JudgedPage) -> bool:
    """Whether it is one of several exact numbers of its section that fit, which together depend on the vocabulary and on the width of the
    feed-forward part: no other model has both.
    """
    certain = [each for each in page.beside(part) if each.is_certain and not each.label.rest]
    letters = {str(letter) for each in certain for letter in each.fits[0].size.free_symbols}
    return part in certain and len({each.stated for each in certain}) >= SEVERAL and _TOLD_APART.issubset(letters)


def counts_some_layers(part: RecognisedPart, page: JudgedPage) -> bool:
    """Whether the number fits all layers, but its words count fewer of them: ``the 13 local layers``; not if it fits those of one kind, of
    which there are as many: ``dense MLP (3 layers)``.
    """
    count = page.measured.values.get("N")
    if count is None or part.copies != {"all"} or not {"layer", "layers"}.intersection(part.label.parts):
        return False
    is_of_kind = all(_OF_KIND.search(path) for each in part.fits for path in each.paths)
    some = (value for letter, value in page.measured.values.items() if letter.startswith("N_"))
    counts = {count, *(each for one in some for each in (one, count - one) if is_of_kind)}
    return counts.isdisjoint(part.label.numbers) and any(1 < each < count for each in part.label.numbers)


def is_counted_oddly(part: RecognisedPart, sure: Sequence[RecognisedPart]) -> bool:
    """Whether it fits only with a norm and without biases, which those beside it have, or without norms, and these lack biases."""
    bare = any(map(is_bare, sure))
    return (part.ways == {"with-norm-bare"} and any(map(has_biases, sure)) and not bare) or (part.ways == {"without-norms"} and bare)
