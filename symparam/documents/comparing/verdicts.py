"""The verdict on a number or a formula that counts a part of the model.

It *holds* if it is a value that its words allow, and hardly by chance. It is *wrong* if its words are understood, leave nothing open under
which it would be right, and there is a positive ground: a single slip leads to it, or the numbers beside it show how its author counts and
are the model's. Everything else is *undecided*.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from symparam.core.message import Message, message
from symparam.documents.checking.entries.labelled_quantities import EVIDENT, digits_of, last_clause
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.sides.chance import is_unlikely
from symparam.documents.comparing import objections
from symparam.documents.comparing.counted_apart import of_rest_behind
from symparam.documents.comparing.doubtful_fits import counts_some_layers, is_counted_oddly, of_chance
from symparam.documents.comparing.judged_page import JudgedPage
from symparam.documents.comparing.measurands import names_weights
from symparam.documents.comparing.measure_gaps import gap_of, is_in_other_unit, rounded_gap
from symparam.documents.comparing.measured_model import MeasuredModel
from symparam.documents.comparing.model_conflicts import ModelConflicts
from symparam.documents.comparing.neighbours import SEVERAL, leaves_out
from symparam.documents.comparing.no_part import has_other_unit, is_estimate, may_be_none, says_total
from symparam.documents.comparing.number_wording import Wording
from symparam.documents.comparing.own_results import OTHER_THAN_FORMULA
from symparam.documents.comparing.page_labels import LEAST
from symparam.documents.comparing.recognised_part import ROUNDED, RecognisedPart, has_unit, is_stated, rounds_to
from symparam.documents.comparing.recognising import BESIDE_LAYERS
from symparam.documents.comparing.relaxations import relaxed
from symparam.documents.comparing.right_values import explained_value, is_near, nearest_value, shows_enough
from symparam.documents.comparing.swapped_results import swapped_with
from symparam.documents.gaps.arithmetic.stated_number import int_if_whole
from symparam.documents.roles.clauses import item_above, words_behind
from symparam.documents.roles.labels import NO_LABEL, read_label
from symparam.documents.roles.part_candidates import PartCandidate
from symparam.documents.words import words

_LARGE = 1_000_000  # The least unrounded number that is not a mere size.
_ROUND = 1_000  # An unrounded multiple of it, of few digits, may be rounded.
_LONGEST_NAME = 40  # Characters before a formula that may name a size.
_NAMED = re.compile(r"(?<![\w\\])([A-Za-z]\w{0,20}) {0,4}= {0,4}\Z")
_NOUN = re.compile(r"[$`*]{0,3} ?([^\W\d_]{1,16})")
_LONGEST_SUM = 60  # Characters before a number that may add something in words to what it is for.
_ADDED = re.compile(r"[+＋] {0,2}[^\W\d_][^\d\n=≈+＋]{2,40}[=≈][ *_~]{0,4}\Z")
_STACKS = frozenset(("layers", "encoder", "decoder", "transformer"))
_COMMON = frozenset(("off-every-head", "off-keys-or-values"))
"""The slips that people make once, and then in every number that follows."""
_MOST_CACHES = 12  # Numbers of caches of a page that are compared with each other.
_OF_BYTES = ("weights", "gradients", "optimizer", "activations", "cache")


def verdict_on(part: RecognisedPart, page: JudgedPage, group: Sequence[RecognisedPart]) -> Verdict | None:
    """The verdict on the part; None if there is nothing to say about it. The right value of a wrong one is in ``part.right``.

    ``group`` are the parts of its list or column in its measure.
    """
    sure = [each for each in group if each.is_convincing and each is not part]
    odd, part.right = part.right, None
    if part.formula is None and part.stated < LEAST and len(sure) < SEVERAL and not part.measurand.is_explicit:
        return None  # The width of a norm.
    if part.formula is not None and part.words.rstrip(" {$").endswith("^"):
        return None  # A shape: ``\\mathbb{R}^{B \\times n \\times d}``.
    if part.formula is not None and part.formula.is_Symbol and _counts_things(part, page):
        return None  # ``H组``, ``H groups``
    if has_other_unit(part, page):
        return None  # The 32k of a cache for 32k tokens.
    read = Verdict.UNDECIDED if not part.label.rest else None
    if part.fits and odd is None:
        if _is_off_by_a_layer(part, page):
            part.why = "other-count-of-layers"
            return Verdict.WRONG
        part.doubt = objections.of_other_accounting(part, group) or of_chance(part, page)
        if part.doubt is not None or counts_some_layers(part, page) or is_counted_oddly(part, sure):
            return Verdict.UNDECIDED
        return Verdict.HOLDS if _is_evident(part, page, sure) else read
    if may_be_none(part, page, sure):
        return None
    swap = swapped_with(part, page) if odd is None else None
    common = _common_slip(part, page, group) if odd is None else None
    part.doubt = _doubt(part, page, sure) if swap is None and common is None else _doubt_of_place(part, page)
    if not _is_understood(part, page) or part.doubt is not None:
        return read
    if swap is not None:
        part.swapped, part.right = swap
        return Verdict.WRONG
    part.right = (common or _meant(part, page, group, sure)) if odd is None else odd if not part.label.before else None
    part.doubt = (
        objections.of_unknown_run(part, sure, page.measured)
        or objections.of_every_head(part, sure, page.measured)
        or objections.of_other_accounting(part, group)
        or objections.of_projections_alone(part, page.checker, page.measured)
        or of_rest_behind(part, page)
    )
    if part.right is not None and part.doubt is None and not (odd is None and _is_about(part)):
        return Verdict.WRONG
    part.right = None
    return read


def _counts_things(part: RecognisedPart, page: JudgedPage) -> bool:
    """Whether a noun behind a letter says that it counts something other than parameters."""
    noun = _NOUN.match(page.checker.text, part.quantity.expression.end)
    return noun is not None and not read_label(noun[1]).parameters


def _is_evident(part: RecognisedPart, page: JudgedPage, sure: Sequence[RecognisedPart]) -> bool:
    """Whether a quantity that fits hardly does so by chance: its words, all understood, tell what it is for and what it measures, and it
    has several digits or others beside it fit as well; or it has digits enough for the number of values that it was compared with.
    """
    read, is_said = not part.label.rest, part.measurand.is_explicit
    if part.formula is not None:
        return (part.is_certain and (read or is_said or part.stated >= _LARGE)) or (read and (is_said or bool(sure)))
    if is_unlikely(part.stated_digits, len({each.value for each in part.candidates})):
        return True
    if not (read and _is_told(part)):
        return False
    if len(part.candidates) > 10 ** digits_of(part.quantity.expression) and not (sure or part.measurand.run):
        return False  # One of hundreds of values, for any run, is 0.12 TFLOPs.
    if part.is_certain or sure or is_said:
        return True
    return digits_of(part.quantity.expression) >= EVIDENT or _is_among_others(part, page)


def _is_told(part: RecognisedPart) -> bool:
    """Whether words tell what part the quantity is for, and what it measures; bytes alone may be of anything."""
    measurand = part.measurand
    is_named = bool(part.label.parts or part.label.scope or part.label.tensors or any(any(each.paths) for each in part.fits))
    if measurand.measure in ("parameters", "operations"):  # The unit of operations tells what is measured.
        return is_named or measurand.is_explicit
    own = read_label(f"{part.words} {part.quantity.column}").measures if says_total(part) else part.label.measures
    is_measure_named = not {*own} <= {"bytes"} or (bool(measurand.formats) and not measurand.is_inherited) or measurand.by_row
    is_measure_named = is_measure_named or names_weights(f"{part.words} {part.quantity.column}")
    return is_measure_named or (is_named and measurand.is_explicit and not says_total(part))


def _is_understood(part: RecognisedPart, page: JudgedPage) -> bool:
    """Whether every word and every number of its label is understood, and they are about this model and leave nothing out."""
    measured, run = page.measured, part.measurand.run
    numbers = {0, 1, int(part.stated), *(int(value) for value in measured.values.values())}
    numbers.update(measured.setting.lengths, measured.setting.batches, run.lengths, run.batches)
    if not {"layer", "layers", "expert", "experts"}.intersection(part.label.parts):
        numbers |= {2, 3, 4}  # The three matrices of the MLP.
    if any(map(page.model.is_another_in, (part.words, part.quantity.column, part.quantity.title))):
        return False
    if not part.quantity.column and leaves_out(page.checker, part):
        return False  # What is left out may be anything.
    if part.measurand.measure == "operations" and part.formula is not None and is_estimate(part):
        return False  # ``6PD``, whatever the letters of the page mean elsewhere.
    start = part.quantity.expression.start
    named = _NAMED.search(page.checker.text[max(0, start - _LONGEST_NAME) : start]) if part.formula is not None else None
    if named is not None and named[1] not in part.words:
        return False  # ``d_kv = n_heads × d_head`` says what a size is.
    above = read_label(item_above(page.checker.text, part.quantity.expression.start)) if not part.label.parts else NO_LABEL
    if above.parts or above.rest:
        return False  # ``- Feed-forward`` and below it ``- FLOPs: …``
    clause = last_clause(part.words)
    behind = read_label(words_behind(page.checker.text, part.quantity.expression.end)).parts
    if not part.quantity.column and part.formula is None and len({*behind} - _STACKS - {"layer"}) > 1:
        return False  # ``4,718,592 of them in wi_0, wi_1 and wo``
    before = read_label(part.words.rstrip(" :：=≈*`$|").removesuffix(clause)).parts
    is_one = words("one_matrix").in_text(clause) and not read_label(clause).parts and before == part.label.parts
    if is_one and not part.quantity.column:
        return False  # ``6 layers of 3.1M, and a table of 16.4M``; but ``MLP, second matrix: 2.36M``
    if not part.quantity.column and part.formula is None and part.label == NO_LABEL and not (part.says_setting or says_total(part)):
        return False  # ``So = 24.9 GB``, below a heading on optimizers.
    is_read = not part.label.rest and set(part.label.numbers) <= numbers and len(part.label.parts) <= EVIDENT
    return is_read and not (_has_other_letters(part, page) or _drops_a_part(part, measured))


def _doubt(part: RecognisedPart, page: JudgedPage, sure: Sequence[RecognisedPart]) -> Message | None:
    """The reason why a number that differs is not wrong: its place is about another model, its words change, deny or limit it, or they
    leave something open under which it would be right.
    """
    said = message("of-one-matrix") if part.is_one_of_several else _doubt_of_place(part, page)
    if said is None and part.formula is not None and part.is_inherited and not _repeats(part):
        return message("of-part-before")
    if said is not None or part.formula is not None or part.why == OTHER_THAN_FORMULA:
        return said
    if part.measurand.measure == "parameters" and (said := page.conflicts.without_a_part or _may_lack_biases(part, page.conflicts)):
        return said
    if part.is_inherited and not _is_restated(part, page):
        return message("of-part-before")
    clause = last_clause(part.words)
    start = part.quantity.expression.start
    if not part.quantity.column and _ADDED.search(page.checker.text, max(0, start - _LONGEST_SUM), start):
        return message("term-of-sum")  # ``12 layers: 12 × 7.1M ≈ 85M + embeddings ≈ 110M``
    says_sum = words("plus").begins(clause) and (words("refers").in_text(clause) or _exceeds(part))
    says_sum = says_sum or (words("total").in_text(clause) and not read_label(clause).parts and _is_of_more(part))
    if not part.quantity.column and says_sum:
        return message("term-of-sum")  # ``Together with the embedding and the norm this makes …``
    return relaxed(Wording(part, page, tuple(sure)))


def _is_of_more(part: RecognisedPart) -> bool:
    """Whether it is more than several times any value of the part, as a total of everything named before it is."""
    return all(part.stated > SEVERAL * each.value for each in part.candidates)


def _exceeds(part: RecognisedPart) -> bool:
    """Whether it is larger than any value of what its words add to the layers, as their sum is."""
    return BESIDE_LAYERS.issuperset(part.label.parts) and all(part.stated > each.value for each in part.candidates)


def _doubt_of_place(part: RecognisedPart, page: JudgedPage) -> Message | None:
    """The reason why its place may be about another model, or its words change, deny or limit the number."""
    start, parts = part.quantity.expression.start, part.label.parts or ("model",)
    is_of_column = page.model.is_named_in(part.quantity.column)  # Beside columns of other models with sizes of their own.
    said = page.conflicts.conflict_at(start, parts, part.formula is not None or is_of_column)
    return said or objections.of_words(part, page.checker, page.measured)


def _is_restated(part: RecognisedPart, page: JudgedPage) -> bool:
    """Whether it is said to be the same as the number before it, which is right: ``The head accounts for 545M parameters, i.e. 1.1 GB``."""
    before = page.before(part)
    return before is not None and bool(before.fits) and _repeats(part)


def _repeats(part: RecognisedPart) -> bool:
    """Whether its words say that it is the number or the formula before it, written in another way."""
    return words("that_is").is_one(part.words.strip(" ."))


def _may_lack_biases(part: RecognisedPart, conflicts: ModelConflicts) -> Message | None:
    """Whether it is a value of the part but for some biases, on a page that builds layers without them."""
    bare = {(each.part, each.scope, each.paths): each.value for each in part.candidates if each.way == "without-biases"}
    wholes = (each for each in part.candidates if each.way == "whole" and (each.part, each.scope, each.paths) in bare)
    found = (conflicts.may_lack_biases(part.stated, bare[each.part, each.scope, each.paths], each.value) for each in wholes)
    return next(filter(None, found), None)


def _meant(part: RecognisedPart, page: JudgedPage, group: Sequence[RecognisedPart], sure: Sequence[RecognisedPart]) -> PartCandidate | None:
    """The model's value that the number is meant as, if there is a positive ground to call it wrong: a single slip leads from one to the
    other, or several numbers beside it show how its author counts.
    """
    off = _off(part, page, group)
    if _may_be_of_another_model(off, sure) or (not sure and _is_bare_size(part)):
        return None
    measured, alone = page.measured, not sure and {each.stated for each in off} == {part.stated} and _is_only_one(part, page)
    shows = part.is_exact or shows_enough(part) or any(each.fits for each in group)
    slip = explained_value(part, sure, measured, group) if (alone and shows) or sure else None
    if slip is not None:
        return slip
    is_told = len(sure) >= SEVERAL or (bool(sure) and bool(part.label.scope))  # How many copies the author counts.
    off = [each for each in off if each is part or (len(sure) < len(off) and not _is_open(each, page, sure))] if is_told else off
    is_shown = is_told and len(sure) >= len(off) and not (part.label.before or part.measurand.devices)  # States of several kinds.
    is_evident = alone and (_is_a_multiple(part) or _is_of_other_copies(part, measured))
    nearest = nearest_value(part, sure, measured)
    if nearest is None or not is_near(part, nearest):
        return None
    is_named = alone and part.is_exact and any(map(page.model.is_named_in, (part.quantity.title, part.words)))
    is_right = is_shown or is_evident or (is_named and bool(gap_of(part, nearest, measured).explained_by))
    return nearest if is_right else None


def _is_open(part: RecognisedPart, page: JudgedPage, sure: Sequence[RecognisedPart]) -> bool:
    """Whether a number that differs counts no part, or its words leave open which: it says nothing on how its author counts."""
    return may_be_none(part, page, sure) or not _is_understood(part, page) or _doubt(part, page, sure) is not None


def _off(part: RecognisedPart, page: JudgedPage, group: Sequence[RecognisedPart]) -> list[RecognisedPart]:
    """Those of its group that differ from the model, and whose words are all understood."""
    off = (each for each in group if not each.fits and not each.label.rest and has_unit(each) is has_unit(part))
    return [each for each in off if page.is_named(each)]


def _common_slip(part: RecognisedPart, page: JudgedPage, group: Sequence[RecognisedPart]) -> PartCandidate | None:
    """The right number if all caches that the page counts differ by one and the same slip, on a page that is about the model: several
    numbers, and one of another measure that is right, or a heading that names the model.
    """
    if part.measurand.measure != "cache":
        return None
    off = _off(part, page, group)
    if not _is_of_model(part, page):
        return None
    if len(off) < SEVERAL or len(off) < len(group):
        return explained_value(part, (), page.measured) if _follows_from_one_slip(page, group) else None
    found = [explained_value(each, (), page.measured) for each in off]
    kinds = {_kind_of(each, right, page.measured) for each, right in zip(off, found, strict=True)}
    return explained_value(part, (), page.measured) if len(kinds) == 1 and kinds <= _COMMON else None


def _follows_from_one_slip(page: JudgedPage, group: Sequence[RecognisedPart]) -> bool:
    """Whether no cache of the page is right, and all differ by one and the same slip or are multiples of one that does."""
    cached = [each for each in page.known if each.measurand.measure == "cache" and not each.label.rest]
    if not SEVERAL <= len(cached) <= _MOST_CACHES or any(each.fits for each in (*cached, *group)):
        return False
    shown = [each for each in cached if each.is_exact or shows_enough(each)]
    kinds = [(each, _kind_of(each, explained_value(each, (), page.measured), page.measured)) for each in shown]
    roots = [each for each, kind in kinds if kind]
    own = {kind for _, kind in kinds if kind}
    return len(own) == 1 and own <= _COMMON and all(each in roots or any(_is_multiple_of(each, root) for root in roots) for each in shown)


def _is_multiple_of(part: RecognisedPart, root: RecognisedPart) -> bool:
    """Whether it is a whole number of times the other one, in the digits that it has."""
    times = round(part.stated / root.stated)
    return times > 1 and is_stated(part, int_if_whole(root.stated * times))


def _is_of_model(part: RecognisedPart, page: JudgedPage) -> bool:
    """Whether the page is about the model: something of another measure is right, or a heading above the number names it."""
    headings = (part.quantity.title, *part.quantity.headings)
    return any(map(page.model.is_named_in, headings)) or bool(page.convincing_measures - {part.measurand.measure})


def _kind_of(part: RecognisedPart, right: PartCandidate | None, measured: MeasuredModel) -> str:
    if right is None:
        return ""
    gap = gap_of(part, right, measured) if part.is_exact else rounded_gap(part, right, measured)
    return next((each.reason.kind for each in gap.explained_by), "")


def _is_only_one(part: RecognisedPart, page: JudgedPage) -> bool:
    """Whether no other number of the page counts the same part and differs, unless it repeats this one."""
    alike = page.unfit.get((part.label.parts, part.measurand.measure, has_unit(part)), ())
    is_one = not part.label.rest and page.is_named(part)
    return is_one and not any(each.stated != part.stated and page.is_named(each) for each in alike)


def _is_bare_size(part: RecognisedPart) -> bool:
    """Whether a number without a unit that is said to count bytes is so round that it may be an option: ``--cache-memory-mb 2048``."""
    is_of_bytes = part.measurand.measure in _OF_BYTES and part.formula is None and not has_unit(part)
    return is_of_bytes and digits_of(part.quantity.expression) <= EVIDENT + 1


def _may_be_of_another_model(off: Sequence[RecognisedPart], sure: Sequence[RecognisedPart]) -> bool:
    """Whether several numbers that differ, in clauses that name their part, stand apart from those that are right."""
    off = [each for each in off if not each.is_inherited]
    first, last = (end((each.quantity.expression.start for each in off), default=0) for end in (min, max))
    return len({each.stated for each in off}) > SEVERAL and not any(first < each.quantity.expression.start < last for each in sure)


def _is_about(part: RecognisedPart) -> bool:
    """Whether it agrees with a value in the digits that it has, or nearly, so that it may be rounded."""
    if part.formula is not None or part.right is None:
        return False
    is_round = part.quantity.value is not None and part.quantity.value % _ROUND == 0 and digits_of(part.quantity.expression) <= EVIDENT
    if part.is_exact and not is_round:
        return False
    is_close = abs(part.stated / Fraction(part.right.value) - 1) <= ROUNDED
    if is_close and is_in_other_unit(part, part.right):
        return False  # 328 KiB, and it is 328 KB.
    return is_close or (not part.is_exact and any(rounds_to(part, each.value) for each in part.candidates))


def _is_off_by_a_layer(part: RecognisedPart, page: JudgedPage) -> bool:
    """Whether the number is that of all layers to the digit, and its words count one more or one fewer: ``31 layers: 6,979,584,000``."""
    count = page.measured.values.get("N")
    is_of_layers = part.copies == {"all"} and part.label.parts in (("layer",), ("layers",)) and not part.label.rest
    return count is not None and is_of_layers and part.is_certain and part.label.numbers in ((count - 1,), (count + 1,))


def _is_among_others(part: RecognisedPart, page: JudgedPage) -> bool:
    """Whether its section has another part whose number is right and whose words are understood as well."""
    return bool(page.right_in_section.get(part.quantity.section, set()) - {part.stated})


def _drops_a_part(part: RecognisedPart, measured: MeasuredModel) -> bool:
    """Whether its words name several parts, and the model lacks one of them, so that only the others are compared."""
    alone = (replace(part.label, parts=(each,), numbers=()) for each in part.label.parts if len(part.label.parts) > 1)
    return not all(measured.candidates(part.measurand, "", label, part.formula is not None) for label in alone)


def _has_other_letters(part: RecognisedPart, page: JudgedPage) -> bool:
    """Whether a formula has letters on which nothing in the model depends, such as the L of positions."""
    if part.formula is None:
        return False
    own = part.quantity.expression.letters
    if part.measurand.measure == "parameters" and (own & set("LBS") or ("d" in own and not own & set("hk"))):
        return True  # Heads are counted beside their size; a d without them is the author's hidden size.
    measured = page.measured
    known = measured.architecture.letters | measured.chosen.model.derived.keys() | set("hkdILBS")
    known |= {str(letter) for each in part.candidates for letter in each.size.free_symbols}  # The K of the experts that a token uses.
    return not {str(letter) for letter in part.formula.free_symbols} <= known


def _is_a_multiple(part: RecognisedPart) -> bool:
    """Whether the number is twice or half of the part's, which is hardly due to chance."""
    ratios = {part.stated / each.value for each in part.candidates if each.value and each.way != "tables"}
    return part.is_exact and bool(ratios & {Fraction(2), Fraction(1, 2)})


def _is_of_other_copies(part: RecognisedPart, measured: MeasuredModel) -> bool:
    """Whether the number is the part's in another number of layers than its words say."""
    counts_layers = measured.values.get("N") in part.label.numbers
    if not (part.label.scope or counts_layers) or not part.is_exact:
        return False
    parts = ("layer",) if _STACKS.issuperset(part.label.parts) else part.label.parts
    anywhere = measured.candidates(part.measurand, "", replace(part.label, parts=parts, scope="", numbers=()), part.formula is not None)
    return any(each.value == part.stated for each in anywhere)
