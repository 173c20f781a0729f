"""Compares the numbers of one list or column with each other: how the author counts, and which number is counted in another way."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from symparam.core.dimensions import N
from symparam.documents.checking.lines.line_checker import LineChecker
from symparam.documents.comparing.measured_model import UNITS
from symparam.documents.comparing.recognised_part import RecognisedPart
from symparam.documents.roles.exclusions import excluded_labels
from symparam.documents.roles.part_candidates import PartCandidate
from symparam.documents.roles.part_ways import WITHOUT_NORMS
from symparam.documents.words import words

SEVERAL = 2
"""Numbers needed to show how their neighbours are counted."""
_BEFORE = 40  # Characters around a number that may contain an equals sign or a bias.
_WAYS = frozenset({"without-biases", "matrices", "with-norm-bare"})
_LAYERS = frozenset(("layer", "layers", "decoder"))
_WHOLES = frozenset(("model", "transformer"))
"""Parts whose numbers are often quoted from elsewhere."""
_KIND = re.compile(r"[^{}\w][^{}]{0,40}\}")
"""The condition in a path for one of several kinds of layers in a list: ``block.{i>0}``."""
SCOPES_OF = {"all": ("in-all",), "one": ("in-layer", "one")}
"""The scopes of the candidates for a number of copies."""


def mark_odd_ones(checker: LineChecker, group: Sequence[RecognisedPart]) -> None:
    """Mark the one part that is inconsistent with its neighbours: a number is not right if it is the only one for a single layer, in
    another unit, or for another run.
    """
    sure = [part for part in group if part.is_certain]
    named = [part for part in group if part.is_certain or (part.formula is not None and part.label.parts and not part.label.rest)]
    layered = [part for part in named if not part.label.scope and part.copies in ({"all"}, {"one"}) and "layer" not in part.label.parts]
    for copies in ("all", "one"):
        others = [part for part in layered if part.copies != {copies} and not _says_all(part)]
        same = [part for part in layered if part.copies == {copies} and part.is_certain]
        is_alone = len(others) == 1 and not any(_is_on_line(checker, others[0], each) and copies not in each.copies for each in sure)
        if is_alone and _are_several(checker, same, others[0]) and not _is_calculated(checker, others[0]):
            _set_right(others[0], [each for each in others[0].candidates if each.scope in SCOPES_OF[copies]], "other-copies")
    _mark_other_variants(sure)
    _mark_other_units(group)
    _mark_other_formats(group)
    _mark_joined_blocks(sure)


def _says_all(part: RecognisedPart) -> bool:
    """Whether it is a formula of a sentence that multiplies by the number of layers: ``The attention adds 4NTd``."""
    return part.formula is not None and part.formula.has(N) and not part.quantity.column


def mark_without_biases(checker: LineChecker, known: Sequence[RecognisedPart]) -> None:
    """Mark the few parts that lack biases on a page that counts them in most of its parts, except in a section without any."""
    for is_formula in (False, True):
        own = [part for part in known if part.measurand.measure == "parameters" and (part.formula is not None) is is_formula]
        bare = [part for part in own if is_bare(part) and (part.is_certain or (part.label.parts and not part.label.rest))]
        whole = [part for part in own if part.is_certain and has_biases(part)]
        if len(whole) < SEVERAL or len(whole) < 2 * len(bare):
            continue
        sections, of_section = {part.quantity.section for part in whole}, Counter(part.quantity.section for part in bare)
        for part in bare:
            alone = of_section[part.quantity.section] == 1
            is_odd = part.right is None and (alone or part.quantity.section in sections)
            is_of_matrix = part.label.of_each or words("matrices").in_text(part.words)
            if is_odd and not (leaves_out(checker, part) or is_of_matrix):
                _set_right(part, part.candidates, "other-biases")


def _mark_joined_blocks(sure: Sequence[RecognisedPart]) -> None:
    """Mark the one row that counts several blocks at once where other rows of the same name count them one by one."""
    named: dict[str, list[RecognisedPart]] = defaultdict(list)
    for part in sure:
        if part.quantity.column and part.right is None and part.label.parts:
            named[part.quantity.own_words].append(part)
    for rows in named.values():
        joined = [(part, beside) for part in rows if (beside := [each for each in rows if _is_one_of_those(each, part)])]
        if len(joined) == 1:
            part, single = joined[0]
            variants = {fit.variant for each in single for fit in each.fits}
            own = [each for each in part.candidates if each.variant in variants and each.value < part.stated]
            same = [each for each in own if each.value in {other.stated for other in single}]
            _set_right(part, sorted(same or own, key=lambda each: -each.value), "other-blocks")


def _is_one_of_those(one: RecognisedPart, several: RecognisedPart) -> bool:
    """Whether a row counts fewer blocks than another, each in the same number of copies."""
    counts = [min(len({_KIND.sub("}", path) for path in fit.paths}) for fit in part.fits) for part in (one, several)]
    meets = not {each.scope for each in one.fits}.isdisjoint(each.scope for each in several.fits)
    return meets and counts[0] < counts[1] and one.stated < several.stated


def _mark_other_variants(sure: Sequence[RecognisedPart]) -> None:
    """Mark the one number that is counted for another run or pass than several others."""
    variants = Counter(variant for part in sure for variant in {each.variant for each in part.fits})
    usual, count = max(variants.items(), key=lambda each: (each[1], each[0].unit == "FLOPs"), default=(None, 0))
    odd = [part for part in sure if usual not in {each.variant for each in part.fits}]
    own = [part for part in odd if part.quantity.column or not part.says_setting]
    if len(odd) == 1 and own and count >= SEVERAL:
        _set_right(odd[0], [each for each in odd[0].candidates if each.variant == usual], "other-variant")


def _mark_other_units(group: Sequence[RecognisedPart]) -> None:
    """Mark the one number that is counted in another unit than several others, in any pass, if that is not the unit that it names."""
    named = [part for part in group if part.is_certain or (part.fits and part.label.parts and not part.label.rest)]
    for unit in UNITS:
        off = [part for part in named if part.units == {unit}]
        others = [part for part in group if part.is_convincing and part.units and unit not in part.units]
        is_as_named = bool(off) and off[0].measurand.unit == unit  # Right whatever the others count.
        if len(off) == 1 and len(others) >= SEVERAL and off[0].right is None and not is_as_named:
            meant = [each for each in off[0].candidates if each.variant.unit != unit and each.variant.per == off[0].fits[0].variant.per]
            _set_right(off[0], meant, "other-variant")
    for before, part in pairwise(group):
        is_in_macs = part.right is None and part.measurand.unit == "FLOPs" and part.units == {"MACs"}
        if is_in_macs and _is_restated(part, before):  # ``17.56 GMACs, or 17.56 GFLOPs``
            _set_right(
                part, [each for each in part.candidates if each.variant == replace(part.fits[0].variant, unit="FLOPs")], "other-variant"
            )
    halves = [
        part for part in named if part.measurand.unit == "FLOPs" and part.units == {"MACs"} and not _WHOLES.issuperset(part.label.parts)
    ]
    whole = [part for part in group if part.is_convincing and part.measurand.unit == "FLOPs" and part.units == {"FLOPs"}]
    for part in (each for each in halves if each.right is None and len(halves) <= len(whole)):  # It says FLOPs, and beside it they are.
        own = part.fits[0].variant
        meant = [each for each in part.candidates if each.variant.unit == "FLOPs" and each.variant.per == own.per]
        _set_right(part, [each for each in meant if each.variant.work == own.work], "other-variant")


def _mark_other_formats(group: Sequence[RecognisedPart]) -> None:
    """Mark the one number of a cache that is right only in another format than several others, if no words name its format."""
    cached = [part for part in group if part.measurand.measure == "cache" and part.is_convincing]
    bits = {id(part): frozenset(fit.variant.bits for fit in part.fits) for part in cached}
    counts = Counter(bits.values())
    for part in (each for each in cached if each.right is None and not each.measurand.formats):
        others = counts - Counter([bits[id(part)]])
        usual = next(iter(others), frozenset[int]())
        if len(others) == 1 and others[usual] >= SEVERAL and len(usual) == 1 and usual.isdisjoint(bits[id(part)]):
            own = part.fits[0].variant
            meant = [each for each in part.candidates if {each.variant.bits} == usual and each.variant.per == own.per]
            _set_right(part, [each for each in meant if each.variant.attention == own.attention], "other-format")


def _is_restated(part: RecognisedPart, other: RecognisedPart) -> bool:
    """Whether another part, in MACs, has the same number directly before it."""
    gap = part.quantity.expression.start - other.quantity.expression.end
    return other.measurand.unit == "MACs" and other.stated == part.stated and 0 < gap <= _BEFORE


def mark_without_norms(checker: LineChecker, known: Iterable[RecognisedPart]) -> None:
    """Mark the layers that are counted without norms where another number of the section counts the same layers with them: one layer, or
    all.
    """
    layers = [part for part in known if part.is_certain and part.label.parts and _LAYERS.issuperset(part.label.parts)]
    whole: dict[int, set[frozenset[str]]] = defaultdict(set)
    for part in layers:
        if "whole" in part.ways and "without-norms" not in part.ways:
            whole[part.quantity.section].add(part.copies)
    for part in layers:
        is_odd = part.ways == {"without-norms"} and any(part.copies.isdisjoint(each) for each in whole[part.quantity.section])
        if is_odd and not (leaves_out(checker, part) or words("matrices").in_text(part.words)):
            _set_right(part, part.candidates, "other-norms")


def has_biases(part: RecognisedPart) -> bool:
    """Whether the number counts biases."""
    return "whole" in part.ways and not part.ways & _WAYS and _differs_without(part)


def is_bare(part: RecognisedPart) -> bool:
    """Whether the number lacks biases although no words leave them out."""
    return bool(part.ways) and part.ways <= _WAYS and not part.label.tensors


def counts_norms(part: RecognisedPart) -> bool:
    """Whether the number counts norms: it is for them, or for a part with them."""
    if any("norm" in name for name in part.label.parts):
        return True
    return "whole" in part.ways and not part.ways.intersection(WITHOUT_NORMS) and any(each.way in WITHOUT_NORMS for each in part.candidates)


def _is_on_line(checker: LineChecker, one: RecognisedPart, other: RecognisedPart) -> bool:
    """Whether the two numbers are on one line."""
    begin, end = sorted(each.quantity.expression.start for each in (one, other))
    return begin < end and "\n" not in checker.text[begin:end]


def _are_several(checker: LineChecker, parts: Sequence[RecognisedPart], odd: RecognisedPart) -> bool:
    """Whether there are several, on several lines or beside the odd one: what another line of prose counts says nothing about it."""
    lines = {checker.document.source.place(each.quantity.expression.start)[0] for each in parts}
    return len(parts) >= SEVERAL and (len(lines) > 1 or any(_is_on_line(checker, odd, each) for each in parts))


def leaves_out(checker: LineChecker, part: RecognisedPart) -> bool:
    """Whether the sentence of the number leaves something out, or states its bias after it: ``weight H × 3H, bias 3H``."""
    start, end = part.quantity.expression.start, part.quantity.expression.end
    after = checker.text[end : end + _BEFORE].partition("\n")[0].lstrip(" ,;+$").partition(" ")[0]
    left = excluded_labels(checker.text, start, end)
    if part.formula is not None:  # ``FLOPs without recomputation`` leave no part out.
        left = tuple(each for each in left if each is not None and (each.parts or each.tensors))
    return bool(left) or words("bias").in_text(after)


def _is_calculated(checker: LineChecker, part: RecognisedPart) -> bool:
    """Whether a calculation precedes the number, which determines the number of copies."""
    before = checker.text[max(0, part.quantity.expression.start - _BEFORE) : part.quantity.expression.start]
    return before.rstrip(" \t\\{$*mathbf").endswith(("=", "≈"))


def _differs_without(part: RecognisedPart) -> bool:
    blocks = {each.paths for each in part.fits}
    values = {each.value for each in part.candidates if each.way in _WAYS and each.paths in blocks}  # Tables alone have no biases.
    return bool(values) and part.stated not in values


_OF_VARIANTS = ("other-variant", "other-format")
"""Slips in what is counted, and not in how: one expert in MACs is meant as one in FLOPs."""


def _set_right(part: RecognisedPart, meant: Iterable[PartCandidate], why: str) -> None:
    copies, meant = {each.scope for each in part.fits}, list(meant)
    ways = part.ways if why in _OF_VARIANTS else frozenset[str]()
    found = [each for each in meant if each.way in ways] or [each for each in meant if each.way == "whole"]
    same = [each for each in found if each.scope in copies]
    chosen = next(iter(found if why == "other-copies" else same or found), None)
    if chosen is not None and chosen not in part.fits and chosen.value != part.stated:
        part.right, part.why = chosen, why
