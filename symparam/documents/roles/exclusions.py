"""Finds the parts that a sentence leaves out of its total, or includes in it: ``without the pooler``, ``with two LayerNorms``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import sympy

from symparam.documents.reading.sentences import sentence_end
from symparam.documents.roles.labels import Label, read_label
from symparam.documents.roles.leaves import is_in
from symparam.documents.roles.model_parts import ModelParts
from symparam.documents.roles.part_candidates import Amount
from symparam.documents.words import words_of
from symparam.documents.words.scripts import alternatives, begun, is_unspaced

_FARTHEST = 200  # Characters on each side of a number that are read.
_SENTENCE = sentence_end("\n")
_SEGMENT = re.compile(r"[,:()\[\]|，：、（）]|\s[-–—]\s")
_NUMBER = re.compile(r"\d[\d,.]{3,}")  # Words beyond another large number refer to that one.


def excluded_labels(text: str, start: int, end: int) -> tuple[Label | None, ...]:
    """The labels of what the sentence of the number at ``start`` leaves out, None for each that is not understood; empty if it leaves
    nothing out.
    """
    before, behind = _around(text, start, end)
    return tuple(_labels(f"{_NUMBER.split(before)[-1]}|{_NUMBER.split(behind, maxsplit=1)[0]}"))


def is_only_large_number(text: str, start: int, end: int) -> bool:
    """Whether the number at ``start`` is the only large one of its sentence, so that words about what is left out refer to it."""
    return not any(map(_NUMBER.search, _around(text, start, end)))


def _around(text: str, start: int, end: int) -> tuple[str, str]:
    """The sentence before and after a number."""
    behind = _SENTENCE.split(text[end : end + _FARTHEST], maxsplit=1)[0]
    return _SENTENCE.split(text[max(0, start - _FARTHEST) : start])[-1], behind


def without_exclusions(label: str) -> str:
    """The label without the parts that it leaves out, if they are understood: ``attention without its norms, per layer``."""
    kept: list[str] = []
    for segment in _SEGMENT.split(label):
        said = _pattern("leaves_out").split(segment, maxsplit=1)
        is_known = len(said) > 1 and any(map(_is_understood, map(read_label, said[1:])))
        kept.append(said[0] if is_known else segment)
    return ", ".join(kept)


def without_inclusions(label: str) -> tuple[str, str]:
    """The label without the parts that are counted as well, and these: ``with two LayerNorms, each layer``."""
    kept: list[str] = []
    included: list[str] = []
    for segment in _SEGMENT.split(label):
        said = _pattern("includes").split(segment, maxsplit=1)
        kept.append(said[0])
        included += said[1:]
    return ", ".join(kept), ", ".join(included)


def totals_without(parts: ModelParts, total: Amount, left: tuple[Label | None, ...]) -> tuple[Amount, ...] | None:
    """The total without the tensors of the labels, once with the biases of norms and once without; None if a label is not a part of the
    model.
    """
    if None in left:
        return None
    found: list[Amount] = []
    for with_norms in (True, False):
        gone = set()
        for label in filter(None, left):
            for part in label.parts:
                inside = {leaf for leaf in parts.leaves if is_in(leaf, part)}
                if not inside:
                    return None
                gone |= {leaf for leaf in inside if leaf.is_bias} if label.tensors == "biases" else inside
            if label.tensors == "biases" and not label.parts:
                gone |= {leaf for leaf in parts.leaves if leaf.is_bias and (with_norms or not leaf.is_norm)}
        found.append(total - parts.value(sympy.Add(*(leaf.size * leaf.copies for leaf in gone if not leaf.tied))))
    return tuple(dict.fromkeys(found))


def _labels(sentence: str) -> Iterator[Label | None]:
    for segment in _SEGMENT.split(sentence):
        said = _pattern("leaves_out").split(segment)
        if len(said) > 1:
            yield next(filter(_is_understood, map(read_label, (*reversed(said[1:]), said[0]))), None) if len(said) == 2 else None


def _is_understood(label: Label) -> bool:
    return bool(label.parts or label.tensors == "biases") and not (label.rest or label.scope or label.numbers or label.other)


@cache
def _pattern(notion: str) -> re.Pattern[str]:
    listed = words_of(notion)
    spaced, unspaced = (alternatives(map(re.escape, word) for word in listed if is_unspaced(word) is which) for which in (False, True))
    return re.compile(begun(listed, rf"{unspaced}|(?<!\w){spaced}(?!\w)"), re.IGNORECASE)
