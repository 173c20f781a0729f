"""The labels of a number on a page: in its own clause, in its sentence, and in the words after it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from symparam.documents.checking.entries.labelled_quantities import EVIDENT, LabelledQuantity, last_clause
from symparam.documents.comparing.measurands import names_weights
from symparam.documents.comparing.named_model import NamedModel
from symparam.documents.reading.sentences import sentence_end
from symparam.documents.roles.exclusions import without_exclusions, without_inclusions
from symparam.documents.roles.labels import NO_LABEL, Label, read_label
from symparam.documents.roles.module_names import block_in
from symparam.documents.roles.runs import formats_in, without_setting
from symparam.documents.words import thing_words, words, words_of
from symparam.documents.words.scripts import UNSPACED, ended, joined

LEAST = 1_000  # A smaller number counts parameters only where words say so.
_BRACKET = re.compile(r"\s?[(（]([^()（）\d=+*/^]{2,40})[)）]\s{2,}")
_REMARK = re.compile(r"[(（][^()（）]{1,60}[)）]")
_WHOLES = frozenset(("layer", "layers", "model", "non-embedding", "encoder", "decoder", "transformer"))
_AROUND = (("attention",), ("feed-forward",))
"""What may stand before a colon and the name of a part of it."""
_SIDE = re.compile(r"(?<=[\s_.-])(in|out)\W{0,8}\Z", re.IGNORECASE)
"""The side of a feed-forward part at the end of its label: ``FFN in``."""
_FIRST_WORD = re.compile(r"[\s$*`]{0,4}([^\W\d_]{1,20})")
_COMMAND = re.compile(r"\\[A-Za-z]{1,20}\*?")
_ITEM = re.compile(r"\n[ \t]{0,8}(?:\n|[-*•|])")
_OWN_SIDE = re.compile(r"[,;，；]\s?([^\W\d_][^\d\n,;:，；=]{2,40})(?<![×·*(])\d[\d,.]{0,20}[KMBG]?\s?[×·*x][^\n=,;:]{1,40}=\s?\Z")
_SENTENCE = sentence_end()
_COMMA = re.compile(r"[,，、]")
_PIECE = re.compile(rf"[{UNSPACED}]|(?:(?![{UNSPACED}])[^\W_])+|[\W_]")
_MOST_PIECES = 12  # Letters or words in which a name is looked for.
_CLAUSE = re.compile(r"[,:()\[\]，：、（）=]")
_OF_RUNS = frozenset(("cache", "activations"))
_LONGEST_LINE = 400  # Characters before a number.
_MOST_SENTENCES = 3  # Sentences up to a number that may say what it measures.


def labels_of(quantity: LabelledQuantity, sentence: str, own: str | None, model: NamedModel) -> Iterator[tuple[str, Label, bool]]:
    """The labels of the number with the words of each, the narrowest first: of its own clause, and of the whole sentence; and whether a
    clause names tensors whose part is named by a clause before it.
    """
    column = read_label(without_setting(quantity.column))
    if column.parts == ("value",) and not column.rest:
        column = replace(column, parts=())  # The head of a column of numbers, rather than the values of attention.
    named = block_in(sentence, model.chosen.model.architecture)
    label = read_page_label(sentence.removeprefix(named), model)
    if own is not None:
        last = read_page_label(own, model)
        if not last.parts and words("includes_it").begins(own):
            return  # ``without the embeddings …, with them …``
        if _is_whole(own):  # ``The head costs …, the whole model …``
            label = replace(label, parts=(), numbers=(), tensors="", scope="")
        if _is_in_bytes(quantity) and not last.measures and (names_weights(own) or words("total").in_text(own)):
            label = replace(label, measures=())  # ``gradients 498 MB, all in all 1,991 MB``
        inherited = label if last.parts else replace(label, scope="", per="")
        if {"layer", "layers"}.intersection(last.parts) or words("jointly").in_text(own):  # ``One layer has …, and the 32 layers have …``
            inherited = replace(inherited, scope="")
        if not last.rest:
            yield own, last.under(replace(inherited, numbers=(), rest=(), tensors="")), bool(last.tensors and not last.parts)
            if last.parts or set(last.measures) - {"bytes"}:
                return
            if last.scope == "in-layer":  # ``The MLP has …, and a layer …`` may go on with the whole layer.
                yield own, last.under(replace(inherited, parts=(), numbers=(), rest=(), tensors="")), False
    if label.rest and not named and not quantity.column:
        last = read_page_label(_last_enumeration(sentence), model)
        if _says_part(last) and not _closes_a_bracket(last_clause(sentence)):
            measures = () if last.work else label.measures  # A training step takes more than what the clauses before were about.
            before = tuple(word for word in label.rest if word not in last.rest)
            inherited = replace(label, parts=(), numbers=(), tensors="", measures=measures)
            label = replace(last.under(inherited), rest=last.rest, before=before)
    if label.scope == "in-layer" and not label.parts and (column.parts == ("layers",) or column.scope == "in-all"):
        label = replace(label, scope="")  # The row ``each layer`` in a column ``all 36 layers``.
    label = label.under(column if not model.is_named_in(quantity.column) else replace(column, rest=()))
    yield sentence, label, False
    is_small = quantity.value is not None and abs(quantity.value) < LEAST
    # Not every number below a heading need measure what the heading does.
    if quantity.title and not (label.measures or label.parameters or is_small):
        yield sentence, replace(label, parameters=True), False


def _closes_a_bracket(clause: str) -> bool:
    """Whether it ends a bracket that it does not begin, as ``AV)`` of ``(QK^T, AV)`` does, which names a part of what stands before it."""
    ends, begins = (sum(map(clause.count, marks)) for marks in (")）", "(（"))
    return ends > begins


def with_earlier_measure(quantity: LabelledQuantity, label: Label, page: str, has_run: bool) -> Iterator[tuple[Label, tuple[int, ...]]]:
    """The label of a number in bytes without a measure of its own, as it is and with what the sentences before it are about, each with the
    bytes per number that these name: ``The cache takes 128 KiB per token. For 32,768 tokens: 4 GiB``, ``258,048 elements per token; that's
    504 KiB``. The latter comes first if its words only refer to what was said, and alone if the number is one of a run, on which weights do
    not depend.
    """
    is_open = not (set(label.measures) - {"bytes"} or label.parts or quantity.column or not _is_in_bytes(quantity))
    earlier, formats = _antecedent(page, quantity) if is_open else (NO_LABEL, ())
    with_it = [(replace(label, measures=earlier.measures), formats)] if earlier.measures else []
    if with_it and earlier.per and not (has_run or label.rest):
        with_it.insert(0, (replace(label, measures=earlier.measures, per=earlier.per), formats))
    if has_run and with_it:
        yield from with_it
    else:
        yield from (*with_it, (label, ())) if earlier.per else ((label, ()), *with_it)


def _antecedent(page: str, quantity: LabelledQuantity) -> tuple[Label, tuple[int, ...]]:
    """The only measure that the nearest sentence up to the number names, if that depends on the run, what it is counted per, and the bytes
    per number.
    """
    start = quantity.expression.start
    paragraph = _ITEM.split(page[max(0, start - _LONGEST_LINE) : start])[-1]
    per, formats = "", tuple[int, ...]()
    for sentence in reversed(_SENTENCE.split(paragraph)[-_MOST_SENTENCES:]):
        clauses = [read_label(without_setting(clause)) for clause in _CLAUSE.split(sentence)]
        per = next((each.per for each in reversed(clauses) if each.per), "") or per
        formats = formats or formats_in(sentence)
        if found := {each for clause in clauses for each in clause.measures} - {"bytes"}:
            is_one = found <= _OF_RUNS and len(found) == 1
            return (replace(NO_LABEL, measures=tuple(found), per=per), formats) if is_one else (NO_LABEL, ())
    return NO_LABEL, ()


def _is_in_bytes(quantity: LabelledQuantity) -> bool:
    literal = quantity.expression.literal
    return literal is not None and literal.unit is not None and literal.unit.counted == "bytes"


def label_behind(quantity: LabelledQuantity, said: str, model: NamedModel) -> Label:
    """The label in the words after a number, ``38.6M on its token embeddings``; only the first words, if not all are understood."""
    if quantity.expression.letters and (unit := _FIRST_WORD.match(said)) is not None:
        every = read_page_label(said, model)
        counted = every if not (every.rest or every.other) else read_label(unit[1])  # ``takes $4Bs^2h$ FLOPs``
        if counted.measures or counted.parameters:
            return replace(NO_LABEL, measures=counted.measures, parameters=counted.parameters, work=counted.work, per=counted.per)
    found = read_page_label(said, model) if not quantity.expression.letters else NO_LABEL
    is_read = not (found.rest or found.other) and bool(said.strip())
    found = found if is_read else read_label(without_setting(" ".join(quantity.expression.nouns)))
    if found.scope and not found.parts and words("total").at_either_end(said, words("before_total")):
        found = replace(found, scope="")  # ``24,891,840 in all``
    if found.parts == ("layers",):  # ``176,160,768 parameters in all layers``
        found = replace(found, scope=found.scope or "in-all")
    if is_read and _of_part().search(said):
        return found
    counted = read_label(_counted().split(said)[0]) if is_read and words("parameters").in_text(said) else NO_LABEL
    return replace(found, parts=() if _WHOLES.issuperset(counted.parts) else counted.parts, numbers=())  # ``1.4B expert parameters``


def _last_enumeration(text: str) -> str:
    """The last clause of a label, and the names of parts before it if it is the last of several: ``Q, K, V`` of ``Compute Q, K, V``."""
    clause = last_clause(text)
    *before, end = _COMMA.split(text.rpartition(clause)[0] if clause else "")
    named = read_label(clause).parts and not end.strip()
    while named and before and (name := _name_at_end(whole := before.pop())):
        clause = f"{name}, {clause}"
        named = name == whole.strip()
    return clause


def _name_at_end(text: str) -> str:
    """The longest name of a part with which a text ends, or nothing."""
    pieces = _PIECE.findall(text)[-_MOST_PIECES:]
    ends = ("".join(pieces[at:]).strip() for at in range(len(pieces)))
    return next((each for each in ends if (label := read_label(each)).parts and not (label.rest or label.numbers)), "")


def unknown_behind(said: str, model: NamedModel) -> tuple[str, ...]:
    """The words after a number that may name another part, but are not understood: ``4,096 for the last``."""
    return read_page_label(said, model).rest if _of_part().search(said) else ()


def unknown_beside(page: str, quantity: LabelledQuantity) -> tuple[str, ...]:
    """The words of its own equation that are not among those before it, as a formula was read in them: ``embeddings + head 2 × 131M =``."""
    start = quantity.expression.start
    side = _OWN_SIDE.search(page[max(0, start - _LONGEST_LINE) : start])
    said = side[1].strip() if side is not None else ""
    return tuple(said.split()) if said and said not in quantity.words else ()


def bracket_behind(page: str, quantity: LabelledQuantity, label: str) -> str:
    """The words in a bracket directly after the label, such as those in ``feed-forward (gate)``, where a column of formulas follows."""
    start = quantity.expression.start
    line = page[max(0, start - _LONGEST_LINE) : start].rpartition("\n")[2]
    before, found, behind = line.partition(label) if label else ("", "", "")
    match = _BRACKET.match(behind) if found and not before.strip() else None
    return f" {match[1]}" if match else ""


def read_page_label(text: str, model: NamedModel) -> Label:
    """Read a label that may name the model, its run, and what it leaves out or includes."""
    text = _COMMAND.sub(" ", text)
    label = read_label(without_setting(model.without_name(text)))
    if label.rest and (whole := without_exclusions(text)) != text:
        label = read_label(without_setting(model.without_name(whole)))
    kept, included = without_inclusions(text)
    if included and read_label(included).tensors == "biases":  # ``Attention (with QKV biases)`` is no number of biases.
        label = replace(read_label(without_setting(model.without_name(kept))), with_biases=True)
    elif included and (label.rest or label.other or set(label.parts) - _WHOLES <= set(read_label(included).parts)):
        whole_part = read_label(without_setting(model.without_name(kept)))
        if read_label(included).parts and (whole_part.parts or whole_part.scope) and not whole_part.rest:
            label = whole_part  # ``With two LayerNorms, each layer has …``
    if len(label.parts) > EVIDENT and (bare := read_label(without_setting(model.without_name(_REMARK.sub(" ", text))))).parts:
        label = bare  # ``One expert (gate, up, down)``
    side = _SIDE.search(text) if label.parts == ("feed-forward",) else None
    if side is not None:
        label = replace(label, parts=(f"feed-forward-{side[1].lower()}",))
    around, colon, _ = text.partition(":")
    if colon and label.parts[:1] in _AROUND and read_label(around).parts == label.parts[:1] and len(label.parts) > 1:
        label = replace(label, parts=label.parts[1:])  # ``Attention: key, query and value projections``
    return replace(label, rest=tuple(word for word in label.rest if len(word) < EVIDENT or not model.has_in_name(word)))


def _says_part(label: Label) -> bool:
    return bool(label.parts or label.measures or label.work or label.scope)


def _is_whole(own: str) -> bool:
    """Whether the words are about all of the model: ``The head costs …, the whole model …``."""
    return words("whole_model").in_text(own) or words("the_model").is_one(own.strip(" *_`$:：,"))


@cache
def _counted() -> re.Pattern[str]:
    """A word for parameters."""
    stems = [word.rstrip("*") for word in thing_words()["parameter"]]
    return re.compile("|".join(joined(stems, unspaced=which) for which in (False, True)), re.IGNORECASE)


@cache
def _of_part() -> re.Pattern[str]:
    """What a part follows that is named after its number: ``38.6M in the embeddings``, ``of which 42M are attention``."""
    return re.compile(rf"\s(?:[^\W\d_]{{4,12}}\s)?{ended(words_of('of_part'))}\s", re.IGNORECASE)
