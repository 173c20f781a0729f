"""What the words of a number leave open: further values that it may have, each with the reason.

A number that is one of them is not wrong, since its words may mean it; it does not hold by it, either.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from symparam.core.message import Message, message
from symparam.documents.checking.entries.labelled_quantities import last_clause
from symparam.documents.comparing.measured_model import USUAL_SIZES
from symparam.documents.comparing.named_model import NamedModel
from symparam.documents.comparing.number_wording import IN_FORMATS, OF_RUNS, Relaxation, Wording, whole
from symparam.documents.comparing.other_numbers import BY_OTHER_NUMBERS
from symparam.documents.comparing.recognised_part import is_stated
from symparam.documents.roles.clauses import leads_to_another
from symparam.documents.roles.exclusions import without_inclusions
from symparam.documents.roles.labels import read_label
from symparam.documents.roles.model_parts import members_of
from symparam.documents.roles.part_candidates import Amount
from symparam.documents.roles.runs import says_batch
from symparam.documents.words import number_words, words

_SEVERAL = (2, 3, 4)  # Norms and matrices of one layer, as people count them.
_MOST_PARTS = 6  # Other parts of a sentence that are looked up.
_STACKS = frozenset(("layers", "encoder", "decoder", "transformer"))
_WHOLES = _STACKS | {"layer", "model", "non-embedding"}
_MAIN = ("attention", "cross-attention", "feed-forward", "experts", "expert", "embeddings")
_LISTED_APART = ("relative-positions", "shared-experts", "router")
"""Parts that people list by themselves as often as within the part around them."""
_STATE_BYTES = (8, 12, 4, 16, 6, 2)
"""Bytes of an optimizer for each parameter: two moments, with weights of 32 bits beside them or not."""
_NUMBER = re.compile(r"(?<![\d,])\d[\d,]{0,20}(?<!,)(?!\d)")
_NUMBERED = re.compile(r"(?<=[^\W\d_])[ _#-]?([1-4])(?![\w.,×*/%-])")
_LAST_WORD = re.compile(r"([^\W\d_]{1,12})[*_`$ ]{0,4}\Z")


def relaxed(wording: Wording) -> Message | None:
    """What the words leave open and under which the number would be right, if anything."""
    found = (why for relaxation in _RELAXATIONS for value, why in relaxation(wording) if is_stated(wording.part, value))
    return next(found, None)


def _copies(wording: Wording) -> Iterator[tuple[Amount, Message]]:
    """In another number of layers, which only a clause before its own says: ``32 layers, 8 experts of 176.2M``."""
    part = wording.part
    clause = last_clause(part.words)
    own = read_label(clause)
    if part.fits and part.why != "other-copies":
        return  # It fits in the copies that its words say.
    if part.quantity.column or clause == part.words or own.scope or ((_STACKS | {"layer"}) & {*own.parts} and not own.numbers):
        return
    label = replace(part.label, parts=own.parts or part.label.parts or ("layer",), scope="", numbers=own.numbers)
    for each in wording.labelled(label):
        yield each.value, message("of-other-copies")


def _one_of_several(wording: Wording) -> Iterator[tuple[Amount, Message]]:
    """One of as many as its clause counts, if that goes on to the number: ``two LayerNorms of 1,536``, ``1,536 each``; or if it goes on to
    another: ``two matrices with 4,198,400 and 4,195,328``; or one that is numbered, ``Feed-forward 1: 2,359,296``.
    """
    part, behind = wording.part, wording.clause_behind
    said = NamedModel(wording.measured.chosen).without_name(part.words)
    numbered = next(
        (each for each in _NUMBERED.finditer(said) if set(read_label(last_clause(said[: each.start(1)])).parts) - _WHOLES), None
    )
    is_first = leads_to_another(wording.checker.text, part.quantity.expression.end)
    if numbered is not None or is_first:  # ``Feed-forward: 2,362,368 and 2,360,064``
        least = int(numbered[1]) if numbered is not None else 0
        for each in wording.labelled(replace(part.label, of_each=True)):
            yield each.value, message("of-one-of-several", count=max(least, min(_SEVERAL)))
    counts = {count for _, count in number_words(last_clause(part.words))}.union(part.label.numbers).intersection(_SEVERAL)
    last = _LAST_WORD.search(wording.before)
    leading = any(words(notion).is_one(last[1]) for notion in ("short", "each", "per_one")) if last is not None else False
    is_led_to = leading and last is not None and not words("so").is_one(last[1])
    is_of_each = words("per_one").in_text(behind) and read_label(behind).scope != "in-layer"  # ``three matrices: 176M per layer``
    leads = (is_led_to and not part.quantity.column) or words("each").in_text(behind) or is_of_each
    leads = leads or is_first
    is_sum = words("total").in_text(behind) or words("so").in_text(behind)  # ``three matrices with 176M altogether``
    if counts and leads and not is_sum and any(each.value > wording.stated for each in wording.wholes):
        yield whole(wording.stated), message("of-one-of-several", count=max(counts))


def _parts(wording: Wording) -> Iterator[tuple[Amount, Message]]:
    """Another part that its sentence or its heading names, before it or after it: ``52.4M attention, 220.2M MLP``."""
    part = wording.part
    if part.quantity.column:
        return
    own = {*part.label.parts, *(each for other in wording.sure for each in other.label.parts)}  # These have numbers of their own.
    said = read_label(wording.clause_behind)
    if not _NUMBER.search(wording.behind):  # ``7,684,800, c_attn``
        said = said.under(read_label(wording.behind))
    clauses = [said, *(read_label(clause) for clause in re.split(r"[,;:，；：、]", wording.before))]
    titled = (each for each in read_label(part.quantity.title).parts if each not in _WHOLES)
    others = dict.fromkeys(each for each in titled if own.isdisjoint(members_of(each)))  # Below "QKV", ``Q: …`` is one of the three.
    others |= dict.fromkeys(each for clause in clauses for each in clause.parts if each not in own | _WHOLES)
    for other in list(others)[:_MOST_PARTS]:
        for each in wording.labelled(replace(part.label, parts=(other,), numbers=(), tensors="")):
            if each.way == "whole":
                yield each.value, message("of-part-beside", paths=each.paths)


def _referred(wording: Wording) -> Iterator[tuple[Amount, Message]]:
    """A part that was spoken of before, as its words only refer to it or name none: ``the attention … That makes 187.1M per layer``."""
    part, clause = wording.part, last_clause(wording.part.words)
    is_referring = words("refers").in_text(clause) or not (read_label(clause).parts or part.label.tensors)
    if part.quantity.column or not (_WHOLES.issuperset(part.label.parts) and is_referring) or part.measurand.measure == "cache":
        return  # All of a cache is in the attention.
    for other in _MAIN:
        for each in wording.labelled(replace(part.label, parts=(other,), numbers=())):
            yield each.value, message("of-part-beside", paths=each.paths)


def _formats(wording: Wording) -> Iterator[tuple[Amount, Message]]:
    """In another number format than the one that was taken from elsewhere, or in one that several words may name."""
    part = wording.part
    measurand = part.measurand
    if measurand.measure not in IN_FORMATS:
        return
    is_told = measurand.formats and (measurand.measure == "cache" or not measurand.is_inherited)
    if measurand.measure == "cache" and wording.sure:  # All that is cached has the only format of the page.
        is_told = is_told or len(wording.measured.setting.formats) == 1
    if measurand.measure == "optimizer":
        is_more = words("matrices").in_text(part.words) and not part.quantity.column  # Weights in fp32 beside the moments.
        sizes: Sequence[int] = _STATE_BYTES if is_more else ()
    elif is_told or any(fit.variant.bits for each in wording.sure if not each.measurand.formats for fit in each.fits):
        sizes = ()  # The words or the numbers beside it name one; all that is cached has the same.
    else:
        sizes = USUAL_SIZES
    for each in wording.wholes:
        for size in sizes if each.variant.bits else ():
            yield whole(Fraction(each.value) * 8 * size / each.variant.bits), message("of-other-format", bits=8 * size)


def _runs(wording: Wording) -> Iterator[tuple[Amount, Message]]:
    """For another length or batch that the page states."""
    part = wording.part
    if part.is_of_another_run:
        yield whole(wording.stated), message("of-another-run")
    if part.measurand.measure not in OF_RUNS:
        return
    said = {part.label.per, read_label(last_clause(part.words)).per}
    is_of_one = not said.isdisjoint(("per-sequence", "per-token"))  # ``a single sequence of 8,192 tokens``
    if wording.measured.setting.in_batches and not (is_of_one or part.measurand.run.batches or says_batch(part.words)):
        for each in wording.wholes:
            if (times := int(wording.stated // each.value)) > 1:
                yield each.value * times, message("of-batch", times=times)


def _whole_model(wording: Wording) -> Iterator[tuple[Amount, Message]]:
    """The whole model, in the row of a total, as not all of its column need be in the layers that the head names, or in a clause that
    calls it a total or names the model; ``Total (encoder)`` may also be the layers and the tables before them.
    """
    part = wording.part
    said = part.words if part.quantity.column else f"{last_clause(part.words)} {wording.clause_behind}"
    own = read_label(without_inclusions(said)[0])
    says_whole = words("total").in_text(said) or words("the_model").in_text(said)  # ``Model with 28 layers``
    if (_STACKS | {"layer"}).issuperset(own.parts) and says_whole:
        for parts in (("model",), ("embeddings", "layers")) if own.parts and own.parts != ("layer",) else (("model",),):
            yield from ((each.value, message("of-whole-model")) for each in wording.labelled(replace(own, parts=parts, scope="")))
    clause = last_clause(part.words)
    if not (part.quantity.column or clause == part.words or read_label(clause).parts) and words("total").in_text(clause):
        for labels in (("model",), ("layers",), ("layer",)):  # ``The head has as many, in total 8.03B``
            alike = replace(part.label, parts=labels, scope="", numbers=(), tensors="")
            yield from ((each.value, message("of-whole-model")) for each in wording.labelled(alike))


def _of_layers(wording: Wording) -> Iterator[tuple[Amount, Message]]:
    """The bytes of the layers alone, as what a step reads or a pass multiplies with, where the words say no more than weights."""
    part = wording.part
    if part.measurand.measure == "weights" and {"model"}.issuperset(part.label.parts):
        yield from ((each.value, message("of-layers-alone")) for each in wording.labelled(replace(part.label, parts=("non-embedding",))))


def _apart(wording: Wording) -> Iterator[tuple[Amount, Message]]:
    """With a part that the page lists by itself, or without it; the experts may be those of both kinds."""
    part = wording.part
    if part.measurand.measure != "parameters":
        return
    listed = wording.page.listed.intersection(_LISTED_APART)
    if {"expert", "experts"}.intersection(part.label.parts):
        listed |= {"shared-experts"}
    for role in sorted(listed.difference(part.label.parts)):
        beside = {each.value: each for each in wording.labelled(replace(part.label, parts=(role,), scope="", numbers=(), tensors=""))}
        for each in wording.wholes:
            for value, other in beside.items():
                yield each.value + value, message("with-listed-part", paths=other.paths)
                if role != "shared-experts":  # One expert fewer is a slip.
                    yield each.value - value, message("without-listed-part", paths=other.paths)


def _alike(wording: Wording) -> Iterator[tuple[Amount, Message]]:
    """As many times one layer as there are layers, where not all layers are alike: T5's first one has the relative positions."""
    part = wording.part
    if part.measurand.measure != "parameters" or not (_STACKS | {"layer"}).issuperset(part.label.parts):
        return
    counts = {int(value) for letter, value in wording.measured.values.items() if letter.startswith("N")}
    every = {each.value for each in wording.labelled(replace(part.label, parts=part.label.parts or ("layer",), scope="in-all", numbers=()))}
    for each in (one for one in wording.labelled(replace(part.label, scope="in-layer", numbers=())) if one.way == "whole"):
        for count in sorted(counts):
            if each.value * count not in every:  # Otherwise the layers are alike.
                yield each.value * count, message("of-like-layers", count=count, value=each.value)


def _active(wording: Wording) -> Iterator[tuple[Amount, Message]]:
    """The experts or all parameters that one token uses, if its line says that a number counts what is active, or is per token."""
    label = wording.part.label
    is_active = words("active").in_text(f"{wording.before} {wording.clause_behind}") or read_label(wording.before).per == "per-token"
    if "expert" in label.parts and is_active:
        for part in ("experts", "model"):
            for each in wording.labelled(replace(label, parts=(part,), numbers=())):
                if each.way == "active":
                    yield each.value, message("of-what-is-active")


_RELAXATIONS: tuple[Relaxation, ...] = (
    _runs, _copies, _one_of_several, _parts, _referred, *BY_OTHER_NUMBERS, _whole_model, _of_layers, _apart, _alike, _active, _formats,
)  # fmt: skip
"""All that words and numbers may leave open."""
