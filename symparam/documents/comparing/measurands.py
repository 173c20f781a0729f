"""Finds what a quantity of a page measures: parameters, operations or bytes, of which passes, per token, sequence or batch."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache

from symparam.core.frozen import frozen
from symparam.documents.checking.entries.labelled_quantities import LabelledQuantity, last_clause
from symparam.documents.checking.lines.line_checker import LineChecker
from symparam.documents.roles.devices import devices_in
from symparam.documents.roles.labels import Label, read_label
from symparam.documents.roles.runs import NO_RUN, Run, batches_in, formats_in, is_length, is_of_batches, is_of_lengths, lengths_in
from symparam.documents.roles.stated_measure import StatedMeasure
from symparam.documents.words import label_words, thing_words, words

NOTHING = StatedMeasure()
_UNITS = {"FLOPs": "operations", "MACs": "macs", "bytes": "bytes", "": ""}
_BYTES = ("cache", "activations", "gradients", "optimizer", "bytes")
_OPERATIONS = ("macs", "operations")
_MOST = 4  # Lengths and batches of one page that are tried.
_OF_BATCH = ("B", "b")
_OWN_LENGTH = re.compile("[LS]")
KEYS_AND_VALUES = re.compile(r"(?<![A-Za-z])K(?:\s?[/&+、,，]\s?|\s\S{1,3}\s)?V(?![A-Za-z])")
"""Keys and values, as people write them in any language: ``KV``, ``K and V``, ``K 和 V``."""
_LENGTHS_BESIDE_LAYERS = ("n", "T", "s", "t")


@frozen
class Measurand:
    """What a number measures. ``measure`` is ``parameters``, ``operations``, ``weights``, ``cache``, ``activations``, ``gradients`` or
    ``optimizer``, or ``stated`` for what the user states. ``unit`` is the unit of operations, if given; ``work`` and ``per`` are those of
    the label. ``is_explicit`` says whether the number's own words or unit name the measure, and ``formats`` are the bytes per number of
    the formats that they name; ``is_inherited`` says that another clause names them. ``moments`` is the number of
    moments of an optimizer that they name, and ``run`` is the run that they name. ``by_row`` says that its row states the bytes that each
    parameter takes. ``devices`` are the numbers of devices of which one may hold it.
    """

    measure: str = "parameters"
    unit: str = ""
    work: str = ""
    per: str = ""
    is_explicit: bool = False
    stated: StatedMeasure = NOTHING
    formats: tuple[int, ...] = ()
    is_inherited: bool = False
    moments: int = 0
    run: Run = NO_RUN
    by_row: bool = False
    devices: tuple[int, ...] = ()


@frozen
class RunSetting:
    """What the page says about the runs that it counts: tokens per sequence, sequences per batch, bytes per number, whether attention is
    causal, and whether it speaks of batches; ``stated`` is what its numbers measure where it does not say, and ``remarks`` the same for
    stretches of it. ``trains_a_part`` says that the page speaks of adapters or of what is trainable, ``devices`` are the numbers of
    devices that it states, and ``speaks_of_caches`` says that it names keys and values together.
    """

    lengths: tuple[int, ...] = ()
    batches: tuple[int, ...] = ()
    formats: tuple[int, ...] = ()
    causal: bool = False
    in_batches: bool = False
    stated: StatedMeasure = NOTHING
    remarks: tuple[tuple[int, int, StatedMeasure], ...] = ()
    trains_a_part: bool = False
    devices: tuple[int, ...] = ()
    speaks_of_caches: bool = False

    def stated_at(self, place: int) -> StatedMeasure:
        """What the numbers at an offset of the page measure, if that is stated."""
        return next((each for start, end, each in reversed(self.remarks) if start <= place < end), self.stated)


def run_setting(
    checker: LineChecker,
    layers: int | Fraction | None,
    stated: StatedMeasure = NOTHING,
    remarks: tuple[tuple[int, int, StatedMeasure], ...] = (),
) -> RunSetting:
    """The setting of a page, from the values of its letters and from its words; an L that is as many as the model has ``layers`` is these,
    and another letter is the length.
    """
    text = checker.text
    given = checker.knowledge.assigned
    of_length = ("S", *_LENGTHS_BESIDE_LAYERS) if layers is not None and given.get("L") == [layers] else ("L", "S")
    lengths = [int(value) for letter in of_length for value in given.get(letter, []) if Fraction(value).denominator == 1]
    lengths += lengths_in(text)
    batches = [int(value) for value in given.get("B", []) if Fraction(value).denominator == 1]
    batches += batches_in(text)
    for each in checker.quantities.stated:
        size = each.expression.exact
        if each.column and isinstance(size, int) and is_length(size) and not read_label(each.column).measures:  # FLOPs per token
            lengths += [size] if is_of_lengths(each.column) else []
            batches += [size] if is_of_batches(each.column) else []
    lower = text.lower()
    return RunSetting(
        tuple(dict.fromkeys(each for each in lengths if each > 1))[:_MOST],
        tuple(dict.fromkeys(each for each in batches if each > 1))[:_MOST],
        formats_in(text),
        any(word in lower for word in label_words()["causal"]),
        is_of_batches(text) and {*batches} != {1},  # A batch of one sequence is none.
        stated,
        remarks,
        words("added").in_text(text),
        devices_in(text)[:_MOST],
        KEYS_AND_VALUES.search(text) is not None,
    )


def names_weights(clause: str) -> bool:
    """Whether a clause says that weights take the bytes, whatever is spoken of around it; ``bytes per parameter`` does not."""
    found = _weights().finditer(clause)
    return any(not (match[1] and words("per_one").is_one(match[1])) for match in found)


@cache
def _weights() -> re.Pattern[str]:
    stems = sorted({word.rstrip("*") for word in thing_words()["parameter"]}, key=len, reverse=True)
    return re.compile(rf"(?:([^\W\d_]{{1,20}})[ /])?(?:{'|'.join(map(re.escape, stems))})", re.IGNORECASE)


def is_of_run(quantity: LabelledQuantity, page: str) -> bool:
    """Whether a formula has the letters of a run, the sequences of a batch or the tokens of a sequence, on which no parameter depends. An L
    of the author's own may be the layers.
    """
    expression = quantity.expression
    of_tokens = "LS" if not _OWN_LENGTH.search(page, expression.start, expression.end) else ""
    return not expression.letters.isdisjoint((*_OF_BATCH, *of_tokens))


def measurand_of(
    quantity: LabelledQuantity, label: Label, introduced: Label, stated: StatedMeasure = NOTHING, of_run: bool = False
) -> Measurand | None:
    """What the quantity under the label measures; None if its words contradict each other or the unit.

    Its unit decides, then its label, then what its list is ``introduced`` with, then the heading above it if that names a single measure,
    and then what the user states. For a formula with the letters ``of_run`` all headings around it are asked.
    """
    expression = quantity.expression
    unit = expression.literal.unit if expression.literal else None
    if expression.letters:  # The unit of its result, or the one behind a power, ``16Bsh^2 FLOPs``, which is that of the product.
        stated_in = quantity.result.literal if quantity.result is not None else None
        units = [each.unit for each in expression.literals.values() if each.unit is not None and each.unit.senses == (Fraction(1),)]
        unit = units[0] if len(units) == 1 else unit or (stated_in.unit if stated_in is not None else None)
    counted = _UNITS.get(unit.counted) if unit is not None else ""
    if counted is None or (unit is not None and unit.divided):
        return None
    title = read_label(quantity.title)
    if of_run:
        title = next((each for each in (title, *map(read_label, quantity.headings)) if each.measures), title)
    elif not (title.measures or title.parameters):  # ``per layer`` below ``Forward FLOPs``
        heading = next((each for each in map(read_label, quantity.headings) if each.measures or each.parameters), title)
        title = heading if heading.measures and not heading.parameters and {*heading.measures}.issubset(_OPERATIONS) else title
    said = (counted, *label.measures) if counted else label.measures
    if not said and not label.parameters:
        over = introduced if introduced.measures or introduced.parameters else title
        above = over.measures if not over.parameters else ()
        # Bytes have a unit: 525M below "Memory" counts parameters.
        said = above if of_run or not any(each in _BYTES for each in above) else ()
    work, per = label.work or introduced.work or title.work, label.per or introduced.per or title.per
    is_open = not said and not label.parameters
    if stated and (is_open or (stated.convention and any(each in _OPERATIONS for each in said))):
        words, of_pass = stated.as_words
        if not words:
            return Measurand("stated", per=per, is_explicit=True, stated=stated)
        said, work = words, work or of_pass
    if not (said or label.parameters or quantity.expression.letters.isdisjoint(_OF_BATCH)):
        return None
    if not said:
        return Measurand(is_explicit=label.parameters) if not label.work and not label.per else None
    if label.parameters and not counted and (said[0] not in _OPERATIONS or not (work or per)):
        return None  # Bytes per parameter, or parameters with which a model computes.
    of_bytes = [each for each in said if each in _BYTES]
    if of_bytes and any(each in _OPERATIONS for each in said):
        return None
    is_said = bool(counted or label.measures or (stated and is_open))
    if of_bytes:
        of = next((each for each in _BYTES if each in said and each != "bytes"), "")
        if not of and title.measures and not names_weights(last_clause(quantity.words)):
            of = next((each for each in title.measures if each in _BYTES and each != "bytes"), "")
        if not of and label.work == "training":
            return None  # The memory of training is weights, gradients, states and activations together.
        return Measurand(of or "weights", "", work, per, is_said, moments=label.moments or title.moments)
    is_in_macs = "macs" in said and counted != "operations"  # ``17.6 GMACs, i.e. 35.1 GFLOPs``
    return Measurand("operations", "MACs" if is_in_macs else "FLOPs", work, per, is_said)
