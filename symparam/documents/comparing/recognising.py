"""Recognises numbers and formulas whose labels name a part of the model, with the values that each may have."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from symparam.documents.checking.entries.labelled_quantities import LabelledQuantity, last_clause
from symparam.documents.comparing.measurands import KEYS_AND_VALUES, NOTHING, Measurand, is_of_run, measurand_of, names_weights
from symparam.documents.comparing.measured_model import MeasuredModel
from symparam.documents.comparing.named_model import NamedModel
from symparam.documents.comparing.own_setting import OF_RUNS, BytesOfRows, OwnSetting
from symparam.documents.comparing.page_labels import (
    LEAST,
    bracket_behind,
    label_behind,
    labels_of,
    read_page_label,
    unknown_behind,
    unknown_beside,
    with_earlier_measure,
)
from symparam.documents.comparing.recognised_part import RecognisedPart, is_stated
from symparam.documents.comparing.stated_formulas import COUNT, fitting, stated_formula
from symparam.documents.reading.sentences import sentence_end
from symparam.documents.roles.clauses import introduction, is_after_times, own_clause, words_above, words_behind
from symparam.documents.roles.devices import devices_of_quotient, shares_among
from symparam.documents.roles.exclusions import without_inclusions
from symparam.documents.roles.labels import Label, ends_with_each, read_label
from symparam.documents.roles.model_parts import has_members
from symparam.documents.roles.module_names import block_in, spelled_block
from symparam.documents.roles.part_candidates import PartCandidate
from symparam.documents.roles.runs import (
    NO_RUN,
    Run,
    bytes_each,
    bytes_in_factors,
    format_in_factors,
    format_of_sentence,
    formats_in,
    run_in,
    without_setting,
)
from symparam.documents.words import in_each_layer, number_words, words

_LONGEST_LABEL = 160  # Characters.
_LEAST_OF_NORM = 100  # A smaller number is that of the norm: LayerNorm 2.
_NEAR = 8  # Characters before a number that may separate it from its words.
_SENTENCE = sentence_end("|")
_RATE = re.compile(r"[^\W\d_*)]{1,12}[*)]{0,3}\s?/\s?(?:(?:s(?:ec(?:ond)?)?|\$|W)(?![A-Za-z])|\Z)")
"""A rate of a device, which no model has: ``FLOPs/s``, ``FLOPs / $``."""
_OF_SPACE = re.compile(r"\\in\s{0,3}\\mathbb\s{0,2}\{?\s?R\s?\}?\s{0,2}\^\s?(?:\{[^{}\n]{1,40}\}|\w)")
"""What a matrix is an element of: ``\\in \\mathbb{R}^{d \\times 4d}``."""
_NUMBERING = re.compile(r"\A\W*\d{1,2}[.)）、]\s+")
_OF_THE_WHOLE = re.compile(r"%\W{0,4}([^\W\d_]{1,12})(?:\s[^\W\d_]{1,4})?\W{0,4}\Z")
_SCOPE_OF = {"layer": "in-layer", "layers": "in-all"}
_STACKS = frozenset((*_SCOPE_OF, "model", "encoder", "decoder", "transformer"))
"""What a number may measure whose part is named after it: ``a decoder layer spends 2.4M on cross-attention``."""
BESIDE_LAYERS = frozenset(
    ("embeddings", "token-embedding", "position-embedding", "token-type-embedding", "language-model-head", "final-norm", "norm", "pooler")
)
"""What people add to the layers of a model."""
_BRACKET = re.compile(r"[ *`]{0,3}[(（]([^()（）\n]{1,40})[)）]")
_CALCULATION = 120  # Characters before a number in which its calculation may end.
_SEVERAL = re.compile(r"(?<![\w.,])[2-4](?![\w.,])")
_CACHED = frozenset(("key", "value", "key-value"))
_COUNTED = frozenset(("layer", "layers", "model"))
_MANY = 5  # More than the matrices of one part.
_PARAGRAPH = 200  # Characters before a number that may say that it is for one layer.
_ITEM = re.compile(r"\n[ \t]{0,8}[-*•|]")


def recognised_part(
    quantity: LabelledQuantity, page: str, model: NamedModel, measured: MeasuredModel, rows: BytesOfRows, runs: Mapping[int, Run]
) -> RecognisedPart | None:
    """The quantity of the page as a part, if its label names a part of the model and the measure is understood; ``rows`` are the bytes per
    parameter that rows of tables state, and ``runs`` the runs that they state, by the offset of their line. A formula may count something
    else than its result: ``VH = 77 MB`` is a number of parameters.
    """
    found = _recognised(quantity, page, model, measured, rows, runs)
    if quantity.result is None or (found is not None and found.fits):
        return found
    alone = _recognised(replace(quantity, result=None), page, model, measured, rows, runs)
    return alone if alone is not None and (alone.fits or found is None) else found


def _recognised(
    quantity: LabelledQuantity, page: str, model: NamedModel, measured: MeasuredModel, rows: BytesOfRows, runs: Mapping[int, Run]
) -> RecognisedPart | None:
    unit = quantity.expression.literal.unit if quantity.expression.literal else None
    if (unit is not None and unit.written == "%") or _RATE.search(quantity.column):
        return None
    text = _NUMBERING.sub("", quantity.words.rstrip(" :：=≈*`$|~"))
    found = _with_words(quantity, text, page, model, measured, rows, runs)
    if quantity.column or (found is not None and found.fits):
        return found
    above = words_above(page, quantity.expression.start, text)
    part = _with_words(quantity, above, page, model, measured, rows, runs) if above else None
    start = quantity.expression.start
    is_wrapped = not any(map(str.isalpha, text)) and not page[max(0, start - _NEAR) : start].rstrip().endswith((":", "："))
    return part if part is not None and (part.fits or is_wrapped) else found  # What differs may be an intermediate result.


def _with_words(
    quantity: LabelledQuantity,
    text: str,
    page: str,
    model: NamedModel,
    measured: MeasuredModel,
    rows: BytesOfRows,
    runs: Mapping[int, Run],
) -> RecognisedPart | None:
    """The quantity as a part that the words before it name."""
    share = _OF_THE_WHOLE.search(text)
    if share is not None and words("share_of").is_one(share[1]):  # 13 % of the 8B model.
        return None
    text = _OF_SPACE.sub(" ", text)
    sentence = _SENTENCE.split(text)[-1].strip("`* \"'") + bracket_behind(page, quantity, text)
    is_after_colon = page[max(0, quantity.expression.start - _NEAR) : quantity.expression.start].rstrip(" *`$").endswith((":", "："))
    own = own_clause(sentence, is_after_colon) if not quantity.column else None
    if len(sentence) > _LONGEST_LABEL:
        sentence = last_clause(sentence)
    found: RecognisedPart | None = None
    said_behind = words_behind(page, quantity.expression.end)
    each_behind = words("each").in_text(said_behind) and not read_label(said_behind).per  # 12 layers, 7.09M each
    one_each = each_behind or ends_with_each(sentence)
    before = page[max(0, quantity.expression.start - _PARAGRAPH) : quantity.expression.start].rpartition("\n\n")[2]
    before = _ITEM.split(before)[-1]
    speaks_of_layers = in_each_layer().in_text(f"{quantity.title} {quantity.column} {before} {said_behind}")
    behind_it, of_run = label_behind(quantity, said_behind, model), is_of_run(quantity, page)
    above = introduction(page, quantity.expression.start)
    introduced = read_label(without_setting(above))
    bracket = _BRACKET.match(page, quantity.expression.end)
    row = runs.get(page.rfind("\n", 0, quantity.expression.start) + 1, NO_RUN) if quantity.column else NO_RUN
    for own_words, label, inherited in labels_of(quantity, sentence, own, model):
        of_each = one_each and not {"expert", "experts"}.intersection(label.parts)  # Each expert may be counted in all layers.
        label = replace(label, scope=label.scope or "in-layer") if of_each else label
        said = label if own_words is not own else read_page_label(own_words, model)
        if behind_it.parts and not (quantity.column or block_in(own_words, measured.architecture)) and _STACKS.issuperset(said.parts):
            label = _of_part_behind(label if _STACKS.issuperset(label.parts) else replace(label, parts=said.parts), behind_it)
        included = read_label(without_inclusions(f"{own_words}, {said_behind}, {bracket[1] if bracket else ''}")[1])
        label = replace(label, with_norms=label.with_norms or any("norm" in part for part in included.parts))
        label = replace(label, with_biases=label.with_biases or included.tensors == "biases")
        formats = rows.get((quantity.section, quantity.words), ()) or bytes_each(sentence)
        said_beside = " ".join((quantity.column, *quantity.expression.nouns, said_behind))
        own_formats = formats_in(f"{said_beside} {bracket[1] if bracket else ''}") or formats_in(own if own is not None else own_words)
        around = (
            format_in_factors(before[-_CALCULATION:]) or (formats_in(sentence) if own is not None else ()) or format_of_sentence(sentence)
        )
        devices = devices_of_quotient(before[-_CALCULATION:], said_beside) or shares_among(
            f"{last_clause(own_words)} {said_beside} {above}", f"{sentence} {said_beside}", measured.setting.devices
        )
        setting = OwnSetting(
            formats,
            own_formats,
            around,
            row,
            run_in(f"{own_words} {said_beside}"),
            devices,
            bytes_in_factors(before[-_CALCULATION:]),
            run_in(sentence),
        )
        alike = [replace(label, of_each=True)] if label.of_any or (one_each and has_members(label)) else []
        ways = (way for one in (*alike, label) for way in with_earlier_measure(quantity, one, page, bool(setting.words or label.per)))
        for meant, earlier in ways:
            inherits = replace(setting, around=around or earlier)
            part = _with_label(quantity, own_words, meant, behind_it, introduced, inherits, speaks_of_layers, of_run, measured)
            said_alone = sentence if own is None else own
            is_sum = bool(said.parts) and words("plus").begins(said_alone) and not words("total").in_text(said_alone)
            if part is not None and is_sum and _is_total_by_addition(part, measured):
                return None  # It is compared as such.
            if part is not None:
                part.is_inherited = (
                    own_words is own
                    and bool(label.parts)
                    and not (said.parts or behind_it.parts or block_in(own_words, measured.architecture))
                )
            if part is not None and part.fits:
                return part
            if part is not None:
                part.is_one_of_several = _is_one_of_several(part, before, measured)
            found = found or (None if inherited else part)  # Any clause before it may say which part the bias belongs to.
    if found is not None and not quantity.column:
        unknown = unknown_behind(said_behind, model) + unknown_beside(page, quantity)
        found.label = replace(found.label, rest=found.label.rest + unknown)
    return found


def _is_total_by_addition(part: RecognisedPart, measured: MeasuredModel) -> bool:
    """Whether the number is the model's, reached by what is added to the layers: ``With the embeddings and the final norm: 8,030,261,248``.

    Otherwise it is also compared with the parts and all layers together; if that is the model, only with it.
    """
    if part.formula is not None or part.quantity.column or not (part.label.parts and BESIDE_LAYERS.issuperset(part.label.parts)):
        return False
    labels = [replace(part.label, parts=parts, scope="") for parts in ((*part.label.parts, "layers"), ("model",))]
    every = [measured.candidates(part.measurand, "", label, in_letters=False) for label in labels]
    added, model = ([each for each in some if each.way == "whole" and each.scope != "in-layer"] for some in every)
    together = tuple(each for each in added if each.part == "+".join(labels[0].parts))
    whole = [each.value for each in model]
    fits = tuple(each for each in together if is_stated(part, each.value))
    if any(each.value in whole for each in together):
        part.candidates, part.fits = together, fits
    elif fits:
        part.candidates, part.fits = part.candidates + fits, part.fits + fits
    return any(is_stated(part, value) for value in whole)


def _of_part_behind(label: Label, behind: Label) -> Label:
    """The label of a number whose part is named after it: the part, within the layer or the stack that is named before it."""
    scope = label.scope or next((_SCOPE_OF[part] for part in label.parts if part in _SCOPE_OF), "")
    stacks = tuple(part for part in label.parts if part not in _SCOPE_OF and part not in behind.parts)
    return replace(label, parts=(*stacks, *behind.parts), scope=scope, numbers=label.numbers + behind.numbers)


def _with_label(
    quantity: LabelledQuantity,
    sentence: str,
    label: Label,
    behind: Label,
    introduced: Label,
    setting: OwnSetting,
    speaks_of_layers: bool,
    of_run: bool,
    measured: MeasuredModel,
) -> RecognisedPart | None:
    in_letters, named = bool(quantity.expression.letters), block_in(sentence, measured.architecture)
    if behind.other:
        return None
    scope = behind.scope
    if in_letters and behind.measures:
        label = replace(label, parameters=False)  # ``$4h^2$ parameters, and the products take $4Bs^2h$ FLOPs``
    if behind.measures or behind.work or behind.per or scope:
        label = label.under(replace(behind, parts=(), scope=scope, rest=(), numbers=()))
    if behind.parameters or words("parameters").in_text(" ".join(quantity.expression.nouns)):
        label = replace(label, parameters=True)
    stated = measured.setting.stated_at(quantity.expression.start)
    if not (label.parts or named or label.scope or label.per or label.measures or words("total").in_text(sentence)):
        stated = NOTHING  # Not every number of a page is in its measure.
    measurand = measurand_of(quantity, label, introduced, stated, of_run)
    is_bare = not (named or label.parts or label.scope or label.tensors or label.numbers or label.rest)
    is_total = in_letters and is_bare and label.parameters and measurand is not None and measurand.measure == "parameters"
    if is_total:
        label = replace(label, parts=("non-embedding",))
    if measurand is None or label.other or not (label.parts or label.scope == "in-layer" or named or measurand.measure != "parameters"):
        return None
    if measurand.measure != "parameters" and quantity.expression.exact in measured.setting.lengths:
        return None  # ``at 32,768 tokens``
    if measurand.measure == "weights" and _is_of_cache(label, sentence, setting, measured):
        parts = tuple(each for each in label.parts if each in _CACHED)
        measurand, label = replace(measurand, measure="cache"), replace(label, parts=parts, measures=("cache",))
    measurand = setting.applied_to(measurand)
    if measurand.measure == "cache" and ((measurand.run and not label.per) or _of_batch(measurand)):
        measurand = replace(measurand, per="")  # Whatever a heading counts per token: ``so 32,768 tokens need 3 GiB``.
    if measurand.measure == "cache" and label.parts and _CACHED.issuperset(label.parts):
        label = replace(label, parts=(), scope="" if len(label.parts) > 1 else label.scope)  # What it holds, ``in every layer`` or of one.
    if measurand.measure == "cache" and not (label.parts or label.scope or named or speaks_of_layers):
        label = replace(label, parts=("model",), scope="in-all")
    part = stated_formula(quantity, sentence, label, measurand, measured) if in_letters else _number(quantity, sentence, label, measurand)
    if part is None:
        return None
    part.candidates = _together(measured.candidates(measurand, named, label, in_letters), sentence, label)
    if measured.chosen.model.family is None and not named:  # The roles of its blocks follow from their names.
        spelled = spelled_block(sentence.replace("&emsp;", ""), measured.architecture)
        part.candidates += measured.candidates(measurand, spelled, label, in_letters) if spelled else ()
    part.fits = _fits(part, part.candidates, measured)
    of_sentence = measurand.run.beside(setting.sentence)
    if not part.fits and of_sentence != measurand.run and measurand.measure in OF_RUNS:  # ``At 128k tokens, the cache alone takes 40 GB.``
        measurand = part.measurand = replace(measurand, run=of_sentence)
        part.candidates = _together(measured.candidates(measurand, named, label, in_letters), sentence, label)
        part.fits = _fits(part, part.candidates, measured)
    if measurand.work and not (part.fits or label.work or introduced.work):  # Below a heading on training a line may be about one pass.
        any_pass = replace(measurand, work="")
        part.fits = _fits(part, measured.candidates(any_pass, named, label, in_letters), measured)
    if COUNT in quantity.expression.letters and not part.fits:
        return None  # Of which parameters it is the number may be said elsewhere.
    if measurand.run and not (part.fits or setting.row):
        elsewhere = measured.candidates(replace(measurand, run=NO_RUN), named, label, in_letters)
        part.is_of_another_run = any(is_stated(part, each.value) for each in elsewhere)
    return part if part.candidates and (part.fits or not is_total) else None


def _is_of_cache(label: Label, sentence: str, setting: OwnSetting, measured: MeasuredModel) -> bool:
    """Whether bytes are those of keys and values, as their words name these for each token, ``for each token a key and a value``, or name
    nothing but the tokens of a sequence: ``A 32k context takes 1.8 GB``.
    """
    others = {*label.parts} - _CACHED
    if label.per == "per-token" and not label.measures:
        return bool(label.parts) and (not others or (_COUNTED.issuperset(others) and KEYS_AND_VALUES.search(sentence) is not None))
    is_of_run = bool(setting.words.lengths) and measured.setting.speaks_of_caches
    return is_of_run and not (label.parts or label.measures or label.scope or names_weights(sentence))


def _together(candidates: tuple[PartCandidate, ...], sentence: str, label: Label) -> tuple[PartCandidate, ...]:
    """The candidates for several parts, of which words may say that they are added: ``scores and values together``."""
    if len(label.parts) < 2 or not words("jointly").in_text(sentence):
        return candidates
    return tuple(each for each in candidates if "+" in each.part) or candidates


def _of_batch(measurand: Measurand) -> bool:
    """Whether its words count tokens per sequence, and sequences as well: ``with 16 requests of 4,096 tokens each``."""
    return measurand.per == "per-sequence" and bool(measurand.run.lengths and measurand.run.batches)


def _number(quantity: LabelledQuantity, sentence: str, label: Label, measurand: Measurand) -> RecognisedPart | None:
    value, literal = quantity.value, quantity.expression.literal
    has_unit = literal is not None and literal.unit is not None and bool(literal.unit.counted)
    if value is None or (value.denominator != 1 and not has_unit):  # 4.29 GiB are not a whole number of bytes.
        return None
    is_of_norm = bool(label.parts) and not label.rest and all("norm" in part for part in label.parts)
    if abs(value) < (_LEAST_OF_NORM if is_of_norm else LEAST) and not (label.parameters and quantity.column):
        return None
    return RecognisedPart(quantity, label, sentence, measurand, value, ())


def _fits(part: RecognisedPart, candidates: Sequence[PartCandidate], measured: MeasuredModel) -> tuple[PartCandidate, ...]:
    """The candidates that the number or the formula equals."""
    if part.formula is not None:
        return tuple(fitting(part, candidates, measured))
    return tuple(each for each in candidates if is_stated(part, each.value))


def _is_one_of_several(part: RecognisedPart, before: str, measured: MeasuredModel) -> bool:
    """Whether it is one of the matrices of its part, as words or a sign before it count several: ``two matrices of 4h²``, ``4 × h²``."""
    clause = last_clause(part.words)
    is_counted = (
        bool(_SEVERAL.search(clause))
        or any(1 < count < _MANY for _, count in number_words(clause))
        or words("per_one").in_text(clause)
        or is_after_times(before)
    )
    if part.fits or not part.label.parts or not is_counted:
        return False
    of_each = measured.candidates(part.measurand, "", replace(part.label, of_each=True), part.formula is not None)
    return bool(_fits(part, of_each, measured))
