"""Judges the claims within a chain: every link, every definition of a name, and every number repeated in a bracket."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product

from symparam.core.formula import Formula, Quotient, Sum, Symbol, number
from symparam.core.message import Message, message
from symparam.documents.checking.basis.knowledge import Knowledge
from symparam.documents.checking.claims.alternative_readings import best_reading
from symparam.documents.checking.claims.claims import judge_calculation_in_bracket, judge_link
from symparam.documents.checking.claims.intended_equality import UNMEANT, counts_bytes, not_meant, wrong_or_undecided
from symparam.documents.checking.claims.record import Record
from symparam.documents.checking.claims.repeated_numbers import is_slip_of_repeated
from symparam.documents.checking.claims.sizes_in_words import SizesInWords
from symparam.documents.checking.claims.unequal_sides import UnequalSides
from symparam.documents.checking.entries.labelled_quantities import (
    EVIDENT,
    LabelledQuantities,
    digits_of,
    is_in_full,
    is_percent,
    last_clause,
)
from symparam.documents.checking.entries.list_parsing import usual_value
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.sentences.shares import Share, counted_by
from symparam.documents.checking.sides.equations import is_shape
from symparam.documents.checking.sides.meant_sides import judge_as_meant
from symparam.documents.checking.sides.number_agreement import Judgement, judge_numbers
from symparam.documents.checking.sides.number_meanings import differ_in_unit
from symparam.documents.checking.sides.unit_readings import ClaimSide, side_of
from symparam.documents.checking.tables.cells import RowClaim
from symparam.documents.checking.tables.open_rows import OpenRows
from symparam.documents.reading.chains import COPIED, GOES_ON, EqualityChain, ends_about
from symparam.documents.reading.expression import UNKNOWN, Expression, Repeated, in_numbers
from symparam.documents.rules.rule import applies, in_force
from symparam.documents.words import words
from symparam.errors import FormulaError

_MARKS = " *_`$)）"  # At the end of a bracket.
_BREAK = re.compile(r"[.;,:!?|。；，：\n]")
_LABEL = 60  # Characters before an equation in which a word may say what it is.
_SHOWN = 300  # Characters before a bracket that are shown of what it repeats.
_WORD = re.compile(r"[\s*`$\\]*([^\W\d_]+)")
_IN_TEXT = re.compile(r"\\(?:text|mathrm)\s?\{[^{}]{1,40}\}\Z")
_SHORT_NAME = 3  # Characters of a name; shorter names are often given new values.
_LEAST_DIGITS = 2  # A rounded percentage of one digit is that of a quotient by chance.
_MOST_OPERANDS = 6  # Labels in one formula; each may name a value and a count.
_NEAR = 12  # Lines within which a repeated name is the same one.
_AROUND = 40  # Characters around a name and its value in which a further factor would stand.
_FACTOR_BEFORE = re.compile(r"\d[ \t]*\Z")
_DIVIDED = re.compile(r" ?// ?[A-Za-z_][\w.]*[ \t)]*(?:\n|\Z)")
_FACTOR_BEHIND = re.compile(r"[ \t]*(?:\\,[ \t]*)?[A-Za-z](?:_\w{1,4}|_\{\w{1,6}\})?[ \t]*(?:=|≈|\\approx|[*×·+/^]|\\cdot|\\times)")


@dataclass
class LinkJudge:
    """Judges the links of each chain in turn and records what they say; ``shares`` are the percentages beside numbers."""

    knowledge: Knowledge
    record: Record
    quantities: LabelledQuantities
    shares: list[Share] = field(default_factory=list)
    _late: list[tuple[Expression, Expression, str, Judgement]] = field(default_factory=list)
    _rows: OpenRows = field(init=False)
    _running: int | Fraction | None = None
    _restated: dict[str, tuple[Expression, int]] = field(default_factory=dict)
    _defined_at: dict[str, int] = field(default_factory=dict)
    _alone: Expression | None = None
    _sizes: SizesInWords = field(init=False)

    def __post_init__(self) -> None:
        self._sizes = SizesInWords(self.record.text)
        self._rows = OpenRows(self.knowledge, self._sizes)

    def judge_chain(self, chain: EqualityChain) -> None:
        """Judge the links of a chain from left to right, and the numbers that its brackets repeat."""
        for index in range(len(chain.relations)):
            self._link(chain, index)
        for index, each in enumerate(chain.sides):
            if each.calculation is not None:
                self._explanation(each, each.calculation)
            if each.repeats:
                self._repeats(each, certain=each.is_number and not each.doubts and (index > 0 or not chain.clipped))
        last, unread = chain.sides[-1], chain.unread
        self._alone = last if not chain.relations else None
        if last.exact is not None:
            self._running = last.exact
            name = chain.sides[0].formula
            if len(chain.relations) > 1 and isinstance(name, Symbol) and self.knowledge.value(name.letter) not in (None, last.exact):
                self.knowledge.doubt(name.letter)  # ``p = V × H = 524,288,000``, and V is another one.
        if unread is not None and not last.letters:
            found = Judgement(Verdict.NOT_READ, "unreadable", unread.reason)
            place = (last.start, unread.end, unread.start)
            self.record.add(place, self.record.text_of(last), self.record.text[unread.start : unread.end], "=", found)

    def end_line(self) -> None:
        """Judge formulas without values again at the end of their line, where the values may be given: ``12H² = 7,077,888 at H = 768``."""
        late, self._late = self._late, []
        for left, right, sign, before in late:
            found = judge_link(left, right, sign, self.knowledge) if applies("value-behind", left.start) else before
            self.record.add_link(left, right, sign, found if found.verdict is Verdict.HOLDS else before)

    def add_row(self, claim: RowClaim) -> None:
        """Record a claim of a table; one whose letters have no value yet waits for the end of the section, as they may get one."""
        if not self._rows.waits(claim):
            self.record.add_link(claim.left, claim.right, "=", claim.judgement, claim.written)

    def end_section(self) -> None:
        """Judge the formulas of tables without values again: ``with d = 768`` may stand below."""
        for claim, found in self._rows.end_section():
            self.record.add_link(claim.left, claim.right, "=", found, claim.written)

    def _link(self, chain: EqualityChain, index: int) -> None:
        left, right, relation = chain.sides[index], chain.sides[index + 1], chain.relations[index]
        if self._is_definition(left, right, relation.sign):
            return
        if is_percent(right) and self._of_a_whole(left, right):
            return
        clipped = chain.clipped if index == 0 or chain.clipped == COPIED else None
        if index == 0 and (clipped == GOES_ON or self._is_added(left)):
            left, clipped = self._running_sum(left, right, relation.sign)
        sign = "≈" if ends_about(chain.label) else relation.sign
        found = judge_link(left, right, sign, self.knowledge, in_bytes := counts_bytes(self.record.text, left))
        judgement = best_reading(chain, index, sign, self.knowledge, self._best(chain, index, left, found))
        if judgement.verdict is not Verdict.HOLDS:
            judgement = judge_as_meant(left, right, sign) or judgement
        if judgement.verdict is not Verdict.HOLDS and (relation.soft or self._is_wanted(chain, left) or (index == 0 and _is_label(chain))):
            return
        if relation.weak and not _is_evident(judgement, right):
            return
        if in_force("shape") and (is_shape(self.record.text_of(right)) or is_shape(self.record.text_of(left))):
            return
        if judgement.code == "no-value":
            judgement = self._by_labels(left, right, sign) or self._sizes.judge(left, right, sign, self.knowledge) or judgement
        if (wrong := judgement if judgement.verdict is Verdict.WRONG else judgement.otherwise) is not None:
            clipped = clipped or self._begins_elsewhere(index, left, right, sign)
            unequal = UnequalSides(left, right, sign, wrong, self.knowledge, self.record.text, chain, index, clipped, in_bytes)
            judgement = wrong_or_undecided(unequal)
        if judgement.code == "no-value":
            self._late.append((left, right, relation.sign, judgement))
        else:
            self.record.add_link(left, right, relation.sign, judgement)

    def _explanation(self, stated: Expression, calculation: Expression) -> None:
        """The verdict on a number with its calculation in the bracket after it, ``49152 (4 × 12288)``, if they agree."""
        found = judge_calculation_in_bracket(stated, self.knowledge, "=" in self.record.text[stated.end : calculation.start])
        if found is not None:
            place, written = (stated.start, calculation.end, stated.start), self.record.text_of
            self.record.add(place, written(calculation), written(stated), "=", found)

    def _begins_elsewhere(self, index: int, left: Expression, right: Expression, sign: str) -> Message | None:
        """Why the equation may begin or end elsewhere: its right side is that of a calculation before it, ``14×14 grid of 16×16 patches =
        196``, or a slash separates two equations, ``50 − 2 = 48 / 50 − 10 = 40``.
        """

        def holds(first: Expression, second: Expression) -> bool:
            return judge_link(first, second, sign, self.knowledge).verdict is Verdict.HOLDS

        before, rest = self._alone, _around_slash(left.formula)[1] if index else None
        result = _around_slash(right.formula)[0]
        if (rest and holds(left._replace(formula=rest), right)) or (result and holds(left, right._replace(formula=result))):
            return message("maybe-separate")
        if index or before is None or before.is_number or before.letters or _BREAK.search(self.record.text, before.end, left.start):
            return None
        return message("words-before") if holds(before, right) else None

    def _is_wanted(self, chain: EqualityChain, left: Expression) -> bool:
        """Whether a word such as "let" makes an equation between letters a condition: it is not a claim, but it may hold."""
        before = self.record.text[max(0, chain.start - _LABEL) : chain.start].rstrip(" \t\n$\\[:：*`")
        return bool(left.letters) and words("demand").in_text(last_clause(before))

    def _of_a_whole(self, left: Expression, right: Expression) -> bool:
        """Whether the percentage is of a whole named after it, ``157M ≈ 2.2% of 7B``, and so is no ratio as in ``0.78 = 78% of peak``."""
        if left.literal is not None and left.literal.unit is None and -1 <= left.literal.value <= 1:
            return False
        behind = _WORD.match(self.record.text, right.end)
        return left.is_number and not is_percent(left) and behind is not None and words("share_of").is_one(behind[1])

    def _best(self, chain: EqualityChain, index: int, left: Expression, judgement: Judgement) -> Judgement:
        """The verdict in ``2/3 = 0.67 = 0.667``: a rounded side in between is skipped if the side before it agrees."""
        if judgement.verdict is Verdict.WRONG and left.literal is not None and in_force("rounded-between"):
            for before in chain.sides[:index]:
                found = judge_link(before, chain.sides[index + 1], "≈", self.knowledge) if not before.letters else judgement
                if found.verdict is Verdict.HOLDS and found.code not in ("about", "unit"):
                    return replace(found, rules=("rounded-between",))
        return judgement

    def _by_labels(self, left: Expression, right: Expression, sign: str) -> Judgement | None:
        """The verdict on a sum of labels, ``attention + 8 experts + router = 45,113,344``, with the values that other lines of the page
        state. Any other formula of labels holds or is not understood.
        """
        if not left.letters or not right.is_number:
            return None
        return self._by_sum(left, right, sign) or self._by_values(left, right, sign)

    def _by_values(self, left: Expression, right: Expression, sign: str) -> Judgement | None:
        """The verdict on a formula with the values that other lines state under its words, ``blocks × block size ≈ 27 GB``."""
        named = [[(UNKNOWN + label, each) for each in self.quantities.operands(label)] for label in sorted(left.unknown)]
        values = self.knowledge.values(each for each in left.letters if each[0] != UNKNOWN)
        if not named or values is None or not all(named) or len(named) > _MOST_OPERANDS or not applies("labels-as-operands", left.start):
            return None
        for chosen in product(*named):
            formulas = {letter: each.side.formula for letter, each in chosen} | {letter: number(each) for letter, each in values.items()}
            literals = {name: literal for _, each in chosen for name, literal in each.side.literals.items()}
            try:
                judgement = judge_numbers(ClaimSide(left.formula.substitute(formulas), {**left.literals, **literals}), side_of(right), sign)
            except FormulaError:
                continue  # Too large, or divided by zero.
            if judgement.verdict is Verdict.HOLDS and judgement.code != "about":
                stated = tuple(message("value", letter=each.own_words, value=each.value or 0) for _, each in chosen)
                return replace(judgement, reason=message("holds-with-values", said=judgement.reason, values=stated))
        return None

    def _by_sum(self, left: Expression, right: Expression, sign: str) -> Judgement | None:
        found = self.quantities.sum_in_words(self.record.text_of(left))
        if found is None:
            return None
        try:
            judgement = judge_numbers(found.side, side_of(right), sign)
        except FormulaError:
            return None  # Too large.
        values = tuple(message("value", letter=each.own_words, value=each.value or 0) for _, each in found.parts)
        if judgement.verdict is Verdict.HOLDS:
            return replace(judgement, reason=message("holds-with-values", said=judgement.reason, values=values))
        if found.is_exact and left.unknown and len(found.parts) > 1 and sign == "=" and not left.doubts + right.doubts:
            return replace(judgement, code="wrong-value", reason=message("wrong-with", said=judgement.reason, values=values))
        return None

    def _is_added(self, side: Expression) -> bool:
        """Whether a plus sign stands directly before the side, which may be the marker of a list, or at its beginning."""
        return self.record.text[max(0, side.start - 2) : side.start + 1].strip()[:1] in ("+", "＋")

    def _running_sum(self, left: Expression, right: Expression, sign: str) -> tuple[Expression, Message | None]:
        """The verdict on a running sum, ``+ 589,824 = 2,360,832``, which continues from the result before it; in a list the plus sign may
        mean nothing.
        """
        if not left.letters and self._running is not None and applies("running-sum", left.start):
            together = left._replace(formula=Sum((number(self._running), left.formula)))
            if judge_link(together, right, sign, self.knowledge).verdict is Verdict.HOLDS:
                return together, None
        return left, GOES_ON

    # Names.

    def _is_definition(self, left: Expression, right: Expression, sign: str) -> bool:
        """Whether the link gives a name its value or meaning, and so is not a claim; the definition is recorded."""
        if not left.is_name and not (right.is_name and left.letters):
            return False
        name, other = (left, right) if left.is_name else (right, left)
        if self._is_partly_read(name, other):
            return True
        letter = name.formula.letter if isinstance(name.formula, Symbol) else ""
        known, restated = self.knowledge.defined.get(letter), False
        if known is not None and known.letters and not other.letters and self.knowledge.values(known.letters):
            found = judge_link(name._replace(formula=known), other, sign, self.knowledge)
            restated = found.verdict is Verdict.HOLDS  # ratio = 16/768 does not define what 2r/h defined above.
            # A single letter is often reassigned; a longer name with a formula is not.
            certain = (
                self.record.source.place(name.start)[0] - self._defined_at.get(letter, -_NEAR - 1) <= _NEAR
                and len(known.letters) > 1
                and not name.unknown
                and (len(letter) > _SHORT_NAME or "_" in letter)
                and letter not in self.knowledge.assigned
                and other.exact is not None
                and sign == "="
            )
            if restated or (certain and found.verdict is Verdict.WRONG):
                place, written = (name.start, other.end, other.start), self.record.text_of
                self.record.add(place, written(name), written(other), sign, found, (known, in_numbers(other)))
        if not other.letters and other.exact is not None:
            self.knowledge.assign(letter, other.exact, at=name.start)
            return True
        value = usual_value(other.formula, other) if other.is_number else None
        if value is not None and not any(literal.unit for literal in other.literals.values()):
            self.knowledge.assign(letter, value, settled=False, at=name.start)
        self._step_by_step(name, letter, other, sign)
        if other.is_number and other.literal is not None and other.literal.unit is not None:
            self.knowledge.assign_quantity(letter, other)
        if not restated and not any(literal.unit for literal in other.literals.values()):
            self.knowledge.define(letter, other.formula)
            self._defined_at[letter] = self.record.source.place(name.start)[0]
        return True

    def _is_partly_read(self, name: Expression, other: Expression) -> bool:
        """Whether a factor stands in front of the name, ``1.5 P = 324``, or more behind the other side: ``2 d r = 8192``."""
        text = self.record.source.text
        before, behind = text[max(0, name.start - _AROUND) : name.start], text[other.end : other.end + _AROUND]
        is_divided = bool(other.letters) and _DIVIDED.match(behind) is not None  # ``head_size = d_model // n_heads``
        return bool(is_divided or _FACTOR_BEFORE.search(before) or _FACTOR_BEHIND.match(behind))

    def _step_by_step(self, name: Expression, letter: str, other: Expression, sign: str) -> None:
        """The verdict on a name that is repeated one step further: ``F = 6 × 175 × 300`` below ``F = 6 × (175) × (300)``."""
        if other.letters or not in_force("step-by-step"):
            return
        line = self.record.source.place(name.start)[0]
        before, at = self._restated.get(letter, (None, 0))
        if before is not None and line - at == 1 and before.formula != other.formula:
            found = judge_link(before, other, sign, self.knowledge)
            if found.verdict is Verdict.HOLDS:
                found = replace(found, rules=("step-by-step",))
                self.record.add((name.start, other.end, other.start), self.record.text_of(before), self.record.text_of(other), sign, found)
        self._restated[letter] = (other, line)

    def _repeats(self, side: Expression, certain: bool) -> None:
        for repeat in side.repeats:
            left, literal = self._before_bracket(repeat), repeat.literal.literal
            if repeat.whole is not None:
                self._share_of(side, repeat, repeat.whole, certain)
                continue
            if literal is not None and literal.unit is not None and literal.unit.written == "%":
                if self._is_percentage(side, repeat):
                    continue
                value = usual_value(repeat.formula, side)
                self.shares += [Share(value, left, repeat.literal, counted_by(side))] if value is not None else []
                continue
            before = side._replace(formula=repeat.formula, doubts=(), repeats=())
            judgement = judge_link(before, repeat.literal, "=" if repeat.literal.exact is not None else "≈", self.knowledge)
            is_all = certain and not self.record.text[repeat.literal.end : repeat.end].strip(_MARKS)
            is_meant = judgement.verdict is Verdict.HOLDS or (is_all and is_slip_of_repeated(before, repeat.literal, judgement))
            if not is_meant and is_all and judgement.verdict is Verdict.WRONG and differ_in_unit(before, repeat.literal):
                is_plain = all(each.unit is not None and max(each.unit.senses) == 1 for each in before.literals.values())
                is_of_bytes = is_plain and _counted(before) == "bytes" and is_in_full(before, repeat.literal)  # 131,072 bytes (256 KiB)
                judgement, is_meant = judgement if is_of_bytes else not_meant(judgement, UNMEANT), True  # 300 seconds (10 minutes)
            if is_meant:
                place = (repeat.start, repeat.end, repeat.literal.start)
                self.record.add(place, left, self.record.text_of(repeat.literal), "≈", judgement)

    def _is_percentage(self, side: Expression, repeat: Repeated) -> bool:
        """Whether the percentage is that of the quotient before it, ``44.63 / 95.74 (46.6%)``, which is recorded."""
        if not isinstance(side.formula, Quotient) or side.letters:
            return False
        found = judge_link(side._replace(doubts=(), repeats=()), repeat.literal, "=", self.knowledge)
        is_enough = found.code == "exact" or digits_of(repeat.literal) >= _LEAST_DIGITS
        if found.verdict is not Verdict.HOLDS or not is_enough or not applies("percentage-of-quotient", repeat.start):
            return False
        place = (side.start, repeat.end, repeat.literal.start)
        left = self.record.text[side.start : repeat.literal.start].rstrip(" (（~≈")
        self.record.add(
            place, left, self.record.text_of(repeat.literal), "=", replace(found, rules=(*found.rules, "percentage-of-quotient"))
        )
        return True

    def _share_of(self, side: Expression, repeat: Repeated, whole: Expression, certain: bool) -> None:
        """The verdict on ``75M (1.1% of 7B)``, which is wrong only if the bracket can refer only to the number before it."""
        percent, text = repeat.literal, self.record.text
        literals = {**side.literals, **whole.literals}
        share = side._replace(formula=Quotient(repeat.formula, whole.formula), literals=literals, nouns=(), doubts=(), repeats=())
        exact, judgement = (judge_link(share, percent, sign, self.knowledge) for sign in "=≈")
        certain = certain and judgement.verdict is Verdict.WRONG
        judgement = exact if exact.verdict is Verdict.HOLDS else judgement
        behind = text[whole.end : repeat.end - 1].strip()
        certain = certain and _counted(side) == _counted(whole) and (not behind or words("total").is_one(behind))
        if exact.verdict is Verdict.HOLDS or certain:
            place, written = (repeat.start, repeat.end, percent.start), self._before_bracket(repeat)
            self.record.add(place, f"{written} / {self.record.text_of(whole)}", self.record.text_of(percent), "≈", judgement)

    def _before_bracket(self, repeat: Repeated) -> str:
        """The text that a bracket repeats, or its end: a long sum may have a bracket behind each of its terms."""
        text, inside = self.record.text, repeat.literal.start
        begins = max(repeat.start, inside - _SHOWN)
        bracket = max(text.rfind(mark, begins, inside) for mark in "(（[")
        return "…" * (begins > repeat.start) + text[begins : bracket if bracket > 0 else inside].rstrip(" ~≈")


def _around_slash(formula: Formula) -> tuple[Formula, Formula] | tuple[None, None]:
    """The number at the beginning of the formula and what follows the slash after it; None if it does not begin so."""
    if isinstance(formula, Quotient) and not formula.numerator.parts:
        return formula.numerator, formula.denominator
    if isinstance(formula, Sum):
        number, rest = _around_slash(formula.terms[0])
        if number is not None and rest is not None:
            return number, Sum((rest, *formula.terms[1:]))
    return None, None


def _counted(side: Expression) -> str | None:
    """What a number with a unit counts; None for a plain number, which may be short for one with a unit."""
    literal = side.literal
    return literal.unit.counted if literal is not None and literal.unit is not None else None


def _is_evident(judgement: Judgement, right: Expression) -> bool:
    """Whether the sides agree in so many digits that they are clearly meant to be equal, even without a sign."""
    return judgement.code == "exact" or digits_of(right) >= EVIDENT


def _is_label(chain: EqualityChain) -> bool:
    """Whether a number at the beginning of a chain is only part of a label, as in ``12 layers = 12 × 7,087,872``."""
    side = chain.sides[0]
    said = chain.label[-1:].isalpha() or _IN_TEXT.search(chain.label) is not None  # 5\% \text{ of } 240
    named = side.is_number and (bool(side.nouns) or said)
    return named and not differ_in_unit(side, chain.sides[1])  # ``takes 40 GB = 37.3 GiB``
