"""Recognises numbers and formulas whose labels name a part of the model: what each may mean, and which meanings fit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import sympy

from symparam.core.algebra.polynomial import equal
from symparam.core.dimensions import BY_LETTER, B, L, S, symbol
from symparam.core.formula import Formula, Number, Symbol
from symparam.core.frozen import frozen
from symparam.core.message import Message
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.labelled_quantities import EVIDENT, LabelledQuantity, digits_of, last_clause
from symparam.documents.checking.number_agreement import judge_numbers
from symparam.documents.checking.parameter_counts import NamedModel
from symparam.documents.checking.unit_readings import ClaimSide
from symparam.documents.reading.expression import UNKNOWN, Expression, in_numbers
from symparam.documents.reading.parsed_document import PAGE_NAMES
from symparam.documents.reading.sentences import sentence_end
from symparam.documents.roles.clauses import introduction, own_clause, words_behind
from symparam.documents.roles.exclusions import without_inclusions
from symparam.documents.roles.labels import NO_LABEL, Label, read_label
from symparam.documents.roles.measurands import (
    NO_RUN,
    NOTHING,
    Measurand,
    Run,
    format_in_factors,
    formats_in,
    measurand_of,
    run_in,
    without_setting,
)
from symparam.documents.roles.measured_model import USUAL_BYTES, MeasuredModel
from symparam.documents.roles.page_labels import (
    LEAST,
    bracket_behind,
    label_behind,
    labels_of,
    read_page_label,
    unknown_behind,
    unknown_beside,
    with_earlier_measure,
)
from symparam.documents.roles.part_candidates import Amount, PartCandidate, path_in
from symparam.documents.words import in_each_layer, words
from symparam.errors import FormulaError

ROUNDED = Fraction(1, 20)  # The relative error of a rounded number that is still about the same thing.
_LEAST_COMPLEX = 2  # A formula of fewer factors, such as VH or 4H, fits by chance.
_SURE_DIGITS = 4  # Two numbers with so many digits are hardly equal by chance.
_LONGEST_LABEL = 160  # Characters.
_SENTENCE = sentence_end("|")
_NUMBERING = re.compile(r"\A\W*\d{1,2}[.)）、]\s+")
_OF_THE_WHOLE = re.compile(r"%\W{0,4}([^\W\d_]{1,12})(?:\s[^\W\d_]{1,4})?\W{0,4}\Z")
_SCOPE_OF = {"layer": "in-layer", "layers": "in-all"}
_STACKS = frozenset((*_SCOPE_OF, "model", "encoder", "decoder", "transformer"))
"""What a number may measure whose part is named after it: ``a decoder layer spends 2.4M on cross-attention``."""
_MOST_BYTES = 64  # Bytes per parameter.
_BEHIND = re.compile(r"[^\d\n,.;:，。；：、()（）|]{0,40}")
_BRACKET = re.compile(r"[ *`]{0,3}[(（]([^()（）\n]{1,40})[)）]")
_CALCULATION = 120  # Characters before a number in which its calculation may end.
_PARAGRAPH = 200  # Characters before a number that may say that it is for one layer.
_ITEM = re.compile(r"\n[ \t]{0,8}[-*•|]")
_BYTES_EACH = re.compile(r"byte|precision|dtype|sizeof", re.IGNORECASE)
_SIZES_IN_WORDS = {
    "layers": "N", "blocks": "N", "heads": "h", "batch": "B", "tokens": "L", "seq": "L", "seqlen": "L", "context": "L", "vocab": "V",
}  # fmt: skip
"""Words that stand for sizes in a formula: ``2 × layers × heads × head_dim``."""
_PRIMES = (10007, 10009, 10037, 10039, 10061, 10067, 10069, 10079, 10091, 10093, 10099, 10103, 10111, 10133, 10139, 10141, 10151, 10159)
"""Placeholder numbers for letters, chosen so that no two formulas are equal by chance."""


@dataclass
class RecognisedPart:
    """A number or a formula of the page whose label names a part, with the candidates for the label, and those that fit.

    ``stated`` is its value, for a formula with placeholder numbers for letters without values, and ``formula`` is its meaning; ``doubt`` is
    the reason, if any, why it may not be about the model; ``is_of_another_run`` says that it fits with a length or a batch that the page
    states elsewhere.
    """

    quantity: LabelledQuantity
    label: Label
    words: str
    measurand: Measurand
    stated: Fraction
    candidates: tuple[PartCandidate, ...]
    formula: sympy.Expr | None = None
    fits: tuple[PartCandidate, ...] = ()
    right: PartCandidate | None = None
    why: str = ""
    doubt: Message | None = None
    is_of_another_run: bool = False

    @property
    def is_exact(self) -> bool:
        """Whether it is not rounded."""
        literal = self.quantity.expression.literal
        in_full = literal is not None and literal.last_digit == 1 and (literal.unit is None or literal.unit.senses == (Fraction(1),))
        return self.formula is not None or isinstance(self.quantity.expression.exact, int) or in_full

    @property
    def says_setting(self) -> bool:
        """Whether its own words name the run or the format that it is counted for."""
        return bool(self.measurand.per or self.measurand.formats) or without_setting(self.words) != self.words

    @property
    def is_certain(self) -> bool:
        """Whether it is the model's value and hardly by chance."""
        if self.formula is not None:
            return bool(self.fits) and _complexity(self.formula) > _LEAST_COMPLEX
        return bool(self.fits) and self.is_exact and len(str(int(self.stated))) >= _SURE_DIGITS

    @property
    def is_convincing(self) -> bool:
        """Whether it is certain, or agrees in several digits with a part whose name is understood."""
        several = digits_of(self.quantity.expression) >= EVIDENT if self.formula is None else False
        return self.is_certain or (bool(self.fits and self.label.parts) and not self.label.rest and several)

    @cached_property
    def copies(self) -> frozenset[str]:
        """The numbers of copies in which it fits: ``all``, ``one``, or both if the part occurs once."""
        return frozenset("all" if each.scope == "in-all" else "one" if each.scope in ("in-layer", "one") else "" for each in self.fits)

    @cached_property
    def units(self) -> frozenset[str]:
        """The units in which it fits."""
        return frozenset(each.variant.unit for each in self.fits)

    @cached_property
    def ways(self) -> frozenset[str]:
        """The ways of counting in which it fits."""
        return frozenset(each.way for each in self.fits)


@frozen
class _OwnSetting:
    """What is said about the run and the format of one number: the bytes ``each`` that its row states, the ``formats`` of its own words,
    those of the words ``around`` it, and the run of its ``row`` or of its ``words``.
    """

    each: tuple[int, ...]
    formats: tuple[int, ...]
    around: tuple[int, ...]
    row: Run
    words: Run

    def applied_to(self, measurand: Measurand) -> Measurand:
        """The measurand with it; a format that other words name does not say what the states of an optimizer have."""
        if measurand.measure in ("cache", "activations", "operations", "stated"):
            measurand = replace(measurand, run=self.row or self.words)
        if self.each:
            return replace(measurand, formats=self.each, moments=1)
        if self.formats or measurand.measure == "optimizer":
            return replace(measurand, formats=self.formats)
        return replace(measurand, formats=self.around, is_inherited=bool(self.around))


def recognised_part(
    quantity: LabelledQuantity, page: str, model: NamedModel, measured: MeasuredModel, rows: BytesOfRows, runs: Mapping[int, Run]
) -> RecognisedPart | None:
    """The quantity of the page as a part, if its label names a part of the model and the measure is understood; ``rows`` are the bytes per
    parameter that rows of tables state, and ``runs`` the runs that they state, by the offset of their line.
    """
    unit = quantity.expression.literal.unit if quantity.expression.literal else None
    if unit is not None and unit.written == "%":
        return None
    text = _NUMBERING.sub("", quantity.words.rstrip(" :：=≈*`$|~"))
    share = _OF_THE_WHOLE.search(text)
    if share is not None and words("share_of").is_one(share[1]):  # 13 % of the 8B model.
        return None
    sentence = _SENTENCE.split(text)[-1].strip("`* \"'") + bracket_behind(page, quantity, text)
    own = own_clause(sentence) if not quantity.column else None
    if len(sentence) > _LONGEST_LABEL:
        sentence = last_clause(sentence)
    found: RecognisedPart | None = None
    behind = _BEHIND.match(page, quantity.expression.end)
    one_each = behind is not None and words("each").in_text(behind[0])  # 12 layers, 7.09M each
    said_behind = words_behind(page, quantity.expression.end)
    before = page[max(0, quantity.expression.start - _PARAGRAPH) : quantity.expression.start].rpartition("\n\n")[2]
    before = _ITEM.split(before)[-1]
    speaks_of_layers = in_each_layer().in_text(f"{quantity.title} {quantity.column} {before} {said_behind}")
    behind_it = label_behind(quantity, said_behind, model)
    introduced = read_label(introduction(page, quantity.expression.start))
    bracket = _BRACKET.match(page, quantity.expression.end)
    row = runs.get(page.rfind("\n", 0, quantity.expression.start) + 1, NO_RUN) if quantity.column else NO_RUN
    for own_words, label, inherited in labels_of(quantity, sentence, own, model):
        of_each = one_each and not {"expert", "experts"}.intersection(label.parts)  # Each expert may be counted in all layers.
        label = replace(label, scope=label.scope or "in-layer") if of_each else label
        said = label if own_words is not own else read_page_label(own_words, model)
        if behind_it.parts and not (quantity.column or path_in(own_words)) and _STACKS.issuperset(said.parts):
            label = _of_part_behind(label if _STACKS.issuperset(label.parts) else replace(label, parts=said.parts), behind_it)
        included = read_label(without_inclusions(f"{own_words}, {said_behind}")[1])
        label = replace(label, with_norms=label.with_norms or any("norm" in part for part in included.parts))
        formats = rows.get((quantity.section, quantity.words), ())
        said_beside = " ".join((quantity.column, *quantity.expression.nouns, said_behind))
        own_formats = formats_in(f"{said_beside} {bracket[1] if bracket else ''}") or formats_in(own if own is not None else own_words)
        around = format_in_factors(before[-_CALCULATION:]) or (formats_in(sentence) if own is not None else ())
        setting = _OwnSetting(formats, own_formats, around, row, run_in(f"{own_words} {said_beside}"))
        for meant, earlier in with_earlier_measure(quantity, label, page, bool(setting.words or label.per)):
            inherits = replace(setting, around=around or earlier)
            part = _with_label(quantity, own_words, meant, behind_it, introduced, inherits, speaks_of_layers, measured)
            if part is not None and part.fits:
                return part
            found = found or (None if inherited else part)  # Any clause before it may say which part the bias belongs to.
    if found is not None and not quantity.column:
        unknown = unknown_behind(said_behind, model) + unknown_beside(page, quantity)
        found.label = replace(found.label, rest=found.label.rest + unknown)
    return found


def _complexity(formula: sympy.Expr) -> int:
    """How specific a formula is: the number of factors in its terms, numbers included."""
    found = 0
    for term in sympy.Add.make_args(sympy.expand(formula)):
        number, letters = term.as_coeff_Mul()
        found += (abs(number) != 1) + sum(abs(int(power)) if power.is_Integer else 1 for power in letters.as_powers_dict().values())
    return found


BytesOfRows = Mapping[tuple[int, str], tuple[int, ...]]
"""The bytes per parameter that the rows of tables state, by section and first words."""


def bytes_of_rows(stated: Iterable[LabelledQuantity]) -> BytesOfRows:
    """The numbers in columns of bytes per parameter."""
    found: dict[tuple[int, str], tuple[int, ...]] = {}
    for each in stated:
        head = read_label(each.column) if each.column else NO_LABEL
        size = each.expression.exact
        if head.parameters and "bytes" in head.measures and isinstance(size, int) and 0 < size <= _MOST_BYTES:
            found[each.section, each.words] = (size,)
    return found


def _of_part_behind(label: Label, behind: Label) -> Label:
    """The label of a number whose part is named after it: the part, within the layer or the stack that is named before it."""
    scope = label.scope or next((_SCOPE_OF[part] for part in label.parts if part in _SCOPE_OF), "")
    stacks = tuple(part for part in label.parts if part not in _SCOPE_OF and part not in behind.parts)
    return replace(label, parts=(*stacks, *behind.parts), scope=scope, numbers=label.numbers + behind.numbers)


def _with_label(
    quantity: LabelledQuantity, sentence: str, label: Label, behind: Label, introduced: Label, setting: _OwnSetting,
    speaks_of_layers: bool, measured: MeasuredModel,
) -> RecognisedPart | None:
    in_letters, named = bool(quantity.expression.letters), path_in(sentence)
    if behind.other:
        return None
    scope = behind.scope
    if behind.measures or behind.work or behind.per or scope:
        label = label.under(replace(behind, parts=(), scope=scope, rest=(), numbers=()))
    if behind.parameters or words("parameters").in_text(" ".join(quantity.expression.nouns)):
        label = replace(label, parameters=True)
    stated = measured.setting.stated_at(quantity.expression.start)
    if not (label.parts or named or label.scope or label.per or label.measures or words("total").in_text(sentence)):
        stated = NOTHING  # Not every number of a page is in its measure.
    measurand = measurand_of(quantity, label, introduced, stated)
    is_bare = not (named or label.parts or label.scope or label.tensors or label.numbers or label.rest)
    is_total = in_letters and is_bare and label.parameters and measurand is not None and measurand.measure == "parameters"
    if is_total:
        label = replace(label, parts=("non-embedding",))
    if measurand is None or label.other or not (label.parts or label.scope == "in-layer" or named or measurand.measure != "parameters"):
        return None
    if measurand.measure != "parameters" and quantity.expression.exact in measured.setting.lengths:
        return None  # ``at 32,768 tokens``
    if measurand.measure == "weights" and label.parts == ("key-value",) and label.per == "per-token":
        measurand = replace(measurand, measure="cache")
    measurand = setting.applied_to(measurand)
    if measurand.measure == "cache" and label.parts == ("key-value",):
        label = replace(label, parts=())  # What it holds.
    if measurand.measure == "cache" and not (label.parts or label.scope or named or speaks_of_layers):
        label = replace(label, parts=("model",), scope="in-all")
    part = _stated(quantity, sentence, label, measurand, measured) if in_letters else _number(quantity, sentence, label, measurand)
    if part is None:
        return None
    part.candidates = measured.candidates(measurand, named, label, in_letters)
    part.fits = tuple(_fitting(part, measured) if in_letters else _fits(part))
    if measurand.run and not (part.fits or setting.row):
        elsewhere = measured.candidates(replace(measurand, run=NO_RUN), named, label, in_letters)
        part.is_of_another_run = any(is_stated(part, each.value) for each in elsewhere)
    return part if part.candidates and (part.fits or not is_total) else None


def _number(quantity: LabelledQuantity, sentence: str, label: Label, measurand: Measurand) -> RecognisedPart | None:
    value = quantity.value
    if value is None or value.denominator != 1 or (abs(value) < LEAST and not (label.parameters and quantity.column)):
        return None
    return RecognisedPart(quantity, label, sentence, measurand, value, ())


def _stated(
    quantity: LabelledQuantity, sentence: str, label: Label, measurand: Measurand, measured: MeasuredModel
) -> RecognisedPart | None:
    expression = quantity.expression
    units = {literal.unit.counted for literal in expression.literals.values() if literal.unit}
    if expression.is_name or not units <= ({"bytes"} if _is_of_bytes(measurand) else set()):
        return None
    try:
        formula = _in_letters_of(measurand, measured.meaning(_in_sizes(expression, measurand, measured)))
        if not all(power.exp.is_Integer for power in formula.atoms(sympy.Pow)):
            return None  # No part of a model has a letter in an exponent, and the value of one there may make the number too long.
        value = measured.value_of(measured.substitution_for(formula)(formula))
    except FormulaError:
        return None
    if value is None or value <= LEAST:
        return None
    return RecognisedPart(quantity, label, sentence, measurand, value, (), formula)


def _in_sizes(expression: Expression, measurand: Measurand, measured: MeasuredModel) -> Formula:
    """The formula with sizes for the words in it, and for bytes per number their usual count. Raises `FormulaError` for other words."""
    formula = in_numbers(expression)
    found: dict[str, Formula | int] = {}
    for letter in expression.letters:
        word = letter.removeprefix(UNKNOWN).lower()
        if _is_of_bytes(measurand) and _BYTES_EACH.search(word):
            found[letter] = (*measured.setting.formats, USUAL_BYTES)[0]
        elif len(word) > 1 and letter not in BY_LETTER and word in _SIZES_IN_WORDS | PAGE_NAMES:
            found[letter] = Symbol((_SIZES_IN_WORDS | PAGE_NAMES)[word])
        elif letter.startswith(UNKNOWN):
            raise FormulaError(f"{word!r} is not a size")
    formula = formula.substitute(found)
    return for_positions(formula, measured.architecture.letters) if measurand.measure == "parameters" else formula


def _is_of_bytes(measurand: Measurand) -> bool:
    return measurand.measure not in ("parameters", "operations", "stated")


def _in_letters_of(measurand: Measurand, formula: sympy.Expr) -> sympy.Expr:
    """The formula in the letters of the model's measure: L for the tokens of a pass, S for those of a cache, and B for a batch called b.
    """
    batch = symbol("b")
    if measurand.measure != "parameters" and formula.has(batch) and not formula.has(B):
        formula = formula.xreplace({batch: B})
    tokens = {"operations": (S, L), "activations": (S, L), "cache": (L, S)}.get(measurand.measure)
    return formula.xreplace(dict([tokens])) if tokens and not formula.has(tokens[1]) else formula


def for_positions(formula: Formula, letters: frozenset[str]) -> Formula:
    """A formula of parameters with the model's positions in place of a sequence length, which is what some authors call them."""
    return formula.substitute({"L": Symbol("P"), "S": Symbol("P")}) if "P" in letters - formula.letters else formula


def _fits(part: RecognisedPart) -> Iterator[PartCandidate]:
    """The candidates that the number equals."""
    return (each for each in part.candidates if is_stated(part, each.value))


def is_stated(part: RecognisedPart, value: Amount) -> bool:
    """Whether the number is this value: exactly, in a sense of its unit, or rounded to several digits."""
    if part.is_exact:
        return value == part.stated
    literal = part.quantity.expression.literal
    if literal is not None and literal.unit is not None and value in {literal.value * sense for sense in literal.unit.senses}:
        return True
    return digits_of(part.quantity.expression) >= EVIDENT - 1 and rounds_to(part, value)


def rounds_to(part: RecognisedPart, value: Amount) -> bool:
    """Whether the rounded number may be this value."""
    if not value or not isinstance(value, int) or abs(part.stated / value - 1) > ROUNDED * 2:
        return False
    quantity = part.quantity
    try:
        found = judge_numbers(ClaimSide(Number(value), {}), quantity.side, "≈" if words("about").in_text(quantity.words[-20:]) else "=")
    except FormulaError:
        return False
    return found.verdict is Verdict.HOLDS


def _fitting(part: RecognisedPart, measured: MeasuredModel) -> Iterator[PartCandidate]:
    """The candidates that the formula equals: proven, or at the values of the model."""
    assert part.formula is not None
    substitute = measured.substitution_for(part.formula)
    stated = substitute(part.formula)
    letters = sorted(map(str, stated.free_symbols | {letter for each in part.candidates for letter in each.size.free_symbols}))
    point = {letter: _PRIMES[at % len(_PRIMES)] + 2 * (at // len(_PRIMES)) for at, letter in enumerate(letters)}
    value = number_at(stated, point)
    for candidate in part.candidates:
        size = substitute(candidate.size)
        if (number_at(size, point) == value and equal(size, stated)) or (measured.has_values and candidate.value == part.stated):
            yield candidate


def number_at(expression: sympy.Expr, values: dict[str, int]) -> Amount | None:
    """The value of the expression with numbers for its letters; None if that is not a number."""
    found = expression.xreplace({letter: sympy.Integer(values[str(letter)]) for letter in expression.free_symbols if str(letter) in values})
    return Fraction(int(found.p), int(found.q)) if isinstance(found, sympy.Rational) else None
