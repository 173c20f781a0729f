"""A document taken up line by line: every claim judged with what was said before it, lists and tables added up."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import prod

from symparam.checking.claims import judge_link
from symparam.checking.entries import MAX_LABEL, entry_of, value_of
from symparam.checking.finding import Finding, Verdict
from symparam.checking.judged import Judged
from symparam.checking.knowledge import Knowledge
from symparam.checking.numbers import Judgement, judge, shown
from symparam.checking.readings import Side
from symparam.checking.shares import Share, share_of
from symparam.checking.sums import Below, Entry, Ledger, SumClaim
from symparam.checking.tables import Row, RowClaim, Table, judge_rows
from symparam.checking.terms import MOST_TERMS, adds_up
from symparam.errors import FormulaError
from symparam.formula import Formula, Quotient, Sum, Symbol, number
from symparam.gaps.slips.stated import Stated, plain
from symparam.reading.chains import COPIED, GOES_ON, Chain, ends_about
from symparam.reading.document import ReadDocument, ReadLine
from symparam.reading.document import plain as plain_words
from symparam.reading.expression import Expression, Repeated, in_numbers
from symparam.reading.givens import givens_in

MAX_FINDINGS = 50_000  # Of one document; nobody reads more.
MAX_NUMBERS = 100_000  # That may be totals or parts of them.
MAX_ROWS = 5_000  # Of a table that is held together; what follows is taken for another one.
_MOST_TOTALS = 20  # That a percentage is tried against.
_SHAPE = re.compile(r"(?:Size|[Ss]hape|形状)\W{0,6}?[\[(]+\s*(\d[\d,\s]*?),?\s*[\])]+")
_SIZES = re.compile(r"\d+")
_CONCLUSION = re.compile(
    r"因此|所以|故|综上|一共|共有|(?i:\b(?:thus|hence|therefore|so|in all|altogether|together|donc|somando|also|insgesamt)\b)"
)
_REMARK = re.compile(r"\W{0,20}symparam:")  # To the checker, alone on its line: it parts nothing.
_TITLE_LENGTH = 60  # Characters; a longer line is a sentence and no title.


@dataclass(frozen=True)
class Total:
    """A number that the document comes to, with its parts: what may be its author's total of the whole model."""

    entry: Entry
    title: str
    parts: tuple[Entry, ...] = ()


@dataclass(frozen=True)
class Section:
    """A formula that is said to be the total of a part of the model."""

    label: str
    side: Expression
    indent: int
    line: int


@dataclass
class Walk:
    """``judged`` are the claims so far, ``stated`` the numbers, ``totals`` what numbers add up to and ``sections`` what formulas do."""

    document: ReadDocument
    knowledge: Knowledge
    judged: list[Judged] = field(default_factory=list)
    stated: list[Stated] = field(default_factory=list)
    totals: list[Total] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)
    summaries: list[Chain] = field(default_factory=list)
    _ledger: Ledger = field(default_factory=Ledger)
    _below: Below | None = None
    _rows: list[ReadLine] = field(default_factory=list)
    _later: list[tuple[Chain, int]] = field(default_factory=list)
    _paused: int = 0
    _entered: bool = False
    _item: bool = False
    _title: str = ""
    _before: str = ""
    _formulas: list[Expression] = field(default_factory=list)
    _running: int | Fraction | None = None
    _shares: list[Share] = field(default_factory=list)
    _restated: dict[str, tuple[Expression, int]] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The text of the document."""
        return self.document.source.text

    def run(self) -> None:
        """Take up the whole document."""
        for line in self.document.reading():
            if line.line.kind == "row" or (line.line.kind == "delimiter" and self._rows):
                self._rows.append(line)
                if len(self._rows) < MAX_ROWS:
                    continue
                self._end_table()
            else:
                self._end_table()
                self._line(line)
            if len(self.judged) > MAX_FINDINGS or len(self.totals) + len(self.summaries) + len(self._shares) > MAX_NUMBERS:
                self._stop(line)
                break
        self._end_table()
        self._close_below()
        self._add_shares()

    def written(self, side: Expression) -> str:
        """The side as its author wrote it."""
        return self.text[side.start : side.end]

    def add(
        self, place: tuple[int, int, int], left: str, right: str, relation: str, judgement: Judgement,
        formulas: tuple[Formula | None, Formula | None] = (None, None), parts: tuple[Entry, ...] = (),
    ) -> None:  # fmt: skip
        """Take up a judged claim; ``place`` is where it starts and ends, and where the stated side starts."""
        start, end, right_start = place
        start = min(start, right_start)
        finding = Finding(
            start, end, right_start, self.text[start:end], left, right, relation, judgement.verdict, judgement.code, judgement.message
        )  # fmt: skip
        self.judged.append(Judged(finding, *formulas, parts, judgement.right, judgement.left))

    # Lines.

    def _stop(self, line: ReadLine) -> None:
        rest = Judgement(
            Verdict.NOT_READ,
            "too-long",
            f"a document has at most {MAX_FINDINGS:,} claims and {MAX_NUMBERS:,} numbers; the rest is not read",
        )
        self.add((line.line.start, line.line.end, line.line.start), "", "", "", rest)

    def _line(self, line: ReadLine) -> None:
        page = line.line
        if _REMARK.match(page.raw) and not line.chains:
            return
        if page.too_long:
            found = Judgement(Verdict.NOT_READ, "too-long", f"the line has {page.end - page.start:,} characters")
            self.add((page.start, page.start + len(page.raw), page.start), "", "", "", found)
        if page.kind in ("heading", "blank"):
            self._title = plain_words(page.raw) or self._title
            self._paused = self._ledger.run if page.kind == "blank" and self._item and not page.fenced else 0
            self._ledger.interrupt()
            self._close_below()
            return
        if self._paused and any(Entry.says_total(page.raw[:40]) for _ in line.chains):
            self._ledger.run = self._paused  # The total of a list stands below it, behind a blank line.
        self._paused, self._item = 0, page.kind == "item"
        self._givens(line)
        self._later = []
        self._entered = False
        for chain in line.chains:
            self._chain(line, chain)
        if line.chains and not self._entered and page.kind in ("text", "item") and page.raw[-1:].isdigit():
            self._ledger.interrupt()  # A number that is no entry may be a part that was not read.
        for chain, index in self._later:
            self._again(chain, index)
        if not line.chains and page.kind in ("text", "item"):
            self._ledger.interrupt()
            if 0 < len(page.raw) <= _TITLE_LENGTH and not page.raw.endswith((".", "。", ";", "；")):
                self._title = plain_words(page.raw)
        self._before = plain_words(page.raw) if page.raw.rstrip("*_ ").endswith((":", "：")) else ""

    def _givens(self, line: ReadLine) -> None:
        for letter, value in givens_in(line.line.raw, self.document.vocabulary.names):
            self.knowledge.give(letter, value)

    def _chain(self, line: ReadLine, chain: Chain) -> None:
        sides = chain.sides
        for index in range(len(chain.relations)):
            self._link(chain, index)
        for side in sides:
            self._repeats(side)
        if sides[-1].exact is not None:
            self._running = sides[-1].exact
        if chain.unread is not None and not sides[-1].letters:
            unread, last = chain.unread, sides[-1]
            found = Judgement(Verdict.NOT_READ, "unreadable", unread.reason)
            self.add((last.start, unread.end, unread.start), self.written(last), self.text[unread.start : unread.end], "=", found)
        if any(side.letters and not side.is_name for side in sides):
            self._formula(line, chain)
            self._terms(line, chain)
        self._shape(line, chain)
        self._enter(line, chain)

    def _link(self, chain: Chain, index: int) -> None:
        left, right, relation = chain.sides[index], chain.sides[index + 1], chain.relations[index]
        if self._is_definition(left, right, relation.sign):
            return
        clipped = chain.clipped if index == 0 or chain.clipped == COPIED else ""
        if index == 0 and (clipped == GOES_ON or self.text[left.start] in "+＋"):
            left, clipped = self._running_sum(left, right, relation.sign)
        sign = "≈" if ends_about(chain.label) else relation.sign
        judgement = self._best(chain, index, left, judge_link(left, right, sign, self.knowledge))
        if judgement.verdict is not Verdict.HOLDS and (relation.soft or (index == 0 and _is_label(chain))):
            return
        if judgement.verdict is Verdict.WRONG and index == 0 and left.is_number and right.is_number:
            clipped = clipped or "two numbers may stand for two things"
        clipped = clipped or _behind(self.text, right.end)
        if judgement.verdict is Verdict.WRONG and clipped:
            judgement = replace(judgement, verdict=Verdict.UNDECIDED, code="unclear", message=f"{judgement.message}; but {clipped}")
        place = (left.start, right.end, right.start)
        self.add(place, self.written(left), self.written(right), relation.sign, judgement, (in_numbers(left), in_numbers(right)))
        if judgement.code == "no-value":
            self._later.append((chain, index))

    def _again(self, chain: Chain, index: int) -> None:
        """Judge a formula once more at the end of its line, where its values may stand: ``12H² = 7,077,888 at H = 768``."""
        left, right, relation = chain.sides[index], chain.sides[index + 1], chain.relations[index]
        found = judge_link(left, right, relation.sign, self.knowledge)
        if found.verdict is Verdict.HOLDS:
            self.judged = [each for each in self.judged if (each.finding.start, each.finding.end) != (left.start, right.end)]
            place = (left.start, right.end, right.start)
            self.add(place, self.written(left), self.written(right), relation.sign, found, (in_numbers(left), in_numbers(right)))

    def _best(self, chain: Chain, index: int, left: Expression, judgement: Judgement) -> Judgement:
        """``2/3 = 0.67 = 0.667``: a side that is rounded in between does not count where the one before it agrees."""
        if judgement.verdict is Verdict.WRONG and left.literal is not None:
            for before in chain.sides[:index]:
                found = judge_link(before, chain.sides[index + 1], "≈", self.knowledge) if not before.letters else judgement
                if found.verdict is Verdict.HOLDS and found.code != "about":
                    return found
        return judgement

    def _running_sum(self, left: Expression, right: Expression, sign: str) -> tuple[Expression, str]:
        """``+ 589,824 = 2,360,832``, which goes on from the result before it; on a line of a list the plus sign may mean nothing."""
        if not left.letters and self._running is not None:
            together = replace(left, formula=Sum((number(self._running), left.formula)))
            if judge_link(together, right, sign, self.knowledge).verdict is Verdict.HOLDS:
                return together, ""
        return left, GOES_ON

    # Names.

    def _is_definition(self, left: Expression, right: Expression, sign: str) -> bool:
        """Whether the link gives a name its value or its meaning, which is no claim; what it says is taken up."""
        if not left.is_name and not (right.is_name and left.letters):
            return False
        name, other = (left, right) if left.is_name else (right, left)
        letter = name.formula.letter if isinstance(name.formula, Symbol) else ""
        known = self.knowledge.defined.get(letter)
        if known is not None and known.letters and not other.letters and self.knowledge.values(known.letters):
            found = judge_link(replace(name, formula=known), other, sign, self.knowledge)
            # A single letter is often set anew; a longer name with a formula of its own is not.
            certain = (
                len(known.letters) > 1
                and not name.unknown
                and len(letter) > 1
                and letter not in self.knowledge.given
                and other.exact is not None
                and sign == "="
            )
            if found.verdict is Verdict.HOLDS or (certain and found.verdict is Verdict.WRONG):
                self.add(
                    (name.start, other.end, other.start), self.written(name), self.written(other), sign, found, (known, in_numbers(other))
                )
        if not other.letters and other.exact is not None:
            self.knowledge.give(letter, other.exact)
            return True
        self._step_by_step(name, letter, other, sign)
        if not any(literal.unit for literal in other.literals.values()):
            self.knowledge.define(letter, other.formula)
        return True

    def _step_by_step(self, name: Expression, letter: str, other: Expression, sign: str) -> None:
        """``F = 6 × 175 × 300`` below ``F = 6 × (175) × (300)``: the same name said again, a step further."""
        if other.letters:
            return
        line = self.document.source.place(name.start)[0]
        before, at = self._restated.get(letter, (None, 0))
        if before is not None and line - at == 1 and before.formula != other.formula:
            found = judge_link(before, other, sign, self.knowledge)
            if found.verdict is Verdict.HOLDS:
                self.add((name.start, other.end, other.start), self.written(before), self.written(other), sign, found)
        self._restated[letter] = (other, line)

    def _repeats(self, side: Expression) -> None:
        for repeat in side.repeats:
            left = self.text[repeat.start : repeat.literal.start].rstrip(" (（[~≈")
            literal = repeat.literal.literal
            if repeat.whole is not None:
                self._share_of(side, repeat, repeat.whole)
                continue
            if literal is not None and literal.unit is not None and literal.unit.written == "%":
                value = value_of(repeat.formula, side)
                self._shares += [Share(value, left, repeat.literal)] if value is not None else []
                continue
            before = replace(side, formula=repeat.formula, nouns=(), doubts=(), repeats=())
            judgement = judge_link(before, repeat.literal, "=" if repeat.literal.exact is not None else "≈", self.knowledge)
            if judgement.verdict is Verdict.HOLDS:
                place = (repeat.start, repeat.end, repeat.literal.start)
                self.add(place, left, self.written(repeat.literal), "≈", judgement)

    def _share_of(self, side: Expression, repeat: Repeated, whole: Expression) -> None:
        formula = Quotient(repeat.formula, whole.formula)
        try:
            judgement = judge(
                Side(formula, {**side.literals, **whole.literals}), Side(repeat.literal.formula, repeat.literal.literals), "="
            )
        except FormulaError:
            return  # Too large.
        if judgement.verdict is Verdict.HOLDS:
            left = self.text[repeat.start : repeat.literal.start].rstrip(" (（[~≈")
            place = (repeat.start, repeat.end, repeat.literal.start)
            self.add(place, f"{left} / {self.written(whole)}", self.written(repeat.literal), "≈", judgement)

    # Lists and tables that add up.

    def _formula(self, line: ReadLine, chain: Chain) -> None:
        """Formulas that may be the total of a section, or the summary of all of them."""
        label = plain_words(self.text[max(line.line.start, chain.start - MAX_LABEL) : chain.start])
        side = next((side for side in chain.sides if side.letters and not side.is_name), chain.sides[0])
        if not chain.relations and Entry.says_total(label):
            self.sections.append(Section(self._title or label, side, line.line.indent, self.document.source.place(side.start)[0]))
        elif isinstance(side.formula, Sum) and not side.unknown:
            self.summaries.append(chain)

    def _terms(self, line: ReadLine, chain: Chain) -> None:
        """A formula that is said to be a total, without a claim of its own, which the formulas before it add up to."""
        if self.text[chain.end : chain.end + 2].lstrip("*` ").startswith((":", "：")):
            return  # A label, such as "lm_head:".
        first = next(side for side in chain.sides if side.letters and not side.is_name)
        label = plain_words(self.text[max(line.line.start, chain.start - MAX_LABEL) : chain.start])
        if (Entry.says_total(label) or _CONCLUSION.search(label)) and (not chain.relations or chain.sides[0].is_name):
            found = adds_up(first, self._formulas, self.knowledge)
            if found is not None:
                left = " + ".join(self.written(term) for term in found.terms)
                message = f"{len(found.terms)} formulas above add up to it"
                self.add((first.start, first.end, first.start), left, self.written(first), "=", Judgement(Verdict.HOLDS, "sum", message))
        self._formulas.append(chain.sides[-1] if chain.sides[-1].letters else first)
        del self._formulas[:-MOST_TERMS]

    def _shape(self, line: ReadLine, chain: Chain) -> None:
        """A printed shape and the number behind it: ``torch.Size([768, 3072]) 2359296``."""
        number = chain.sides[0].exact
        shapes = (
            list(_SHAPE.finditer(self.text, max(line.line.start, chain.start - MAX_LABEL), chain.start))
            if not chain.relations and number is not None
            else []
        )
        if shapes and prod(map(int, _SIZES.findall(shapes[-1][1]))) == number:
            side, shape = chain.sides[0], shapes[-1]
            found = Judgement(Verdict.HOLDS, "exact", "the sizes multiply to it")
            self.add((shape.start(), side.end, side.start), shape[0], self.written(side), "=", found)

    def _enter(self, line: ReadLine, chain: Chain) -> None:
        entry = entry_of(line, chain, self.document.source, self._before)
        if entry is None:
            return
        self._entered = True
        if not entry.side.literals:
            right = None if entry.own is None else value_of(entry.own)
            self.stated.append(Stated(entry.label, plain(entry.value), entry.line, right))
        if self._below and entry.indent <= self._below.total.indent:
            self._close_below()
        if self._below:
            self._add_sums([self._below.add(entry)])
        claim = self._ledger.add(entry, strict=entry.is_total)
        self._add_sums([claim])
        if claim is None:
            self.totals.append(Total(entry, self._title))
            if entry.is_total and entry.alone and not self._below:
                self._below = Below(entry)

    def _close_below(self) -> None:
        if self._below:
            self._add_sums([self._below.close()])
        self._below = None

    def _end_table(self) -> None:
        if not self._rows:
            return
        for line in self._rows:
            self._givens(line)
        table = Table([Row(row, self.document.source) for row in self._rows], self.text, self._title)
        for claim in judge_rows(table, self.knowledge):
            if isinstance(claim, RowClaim):
                left, right = claim.left, claim.right
                place = (left.start, right.end, right.start)
                shown = claim.written or self.written(left)
                self.add(place, shown, self.written(right), "=", claim.judgement, (in_numbers(left), in_numbers(right)))
            else:
                self._add_sums([claim])
        self.stated += table.stated
        self._shares += table.shares
        self.totals += [Total(entry, self._title) for entry in table.totals]
        self.sections += [Section(f"{self._title} {label}", side, table.indent, line) for label, side, line in table.sections]
        self.judged += table.remarks
        self._rows = []
        self._ledger.interrupt()

    def _add_sums(self, claims: Iterable[SumClaim | None]) -> None:
        for claim in claims:
            if claim is not None:
                total = claim.total
                self.add((total.start, total.end, total.start), claim.left, total.text, "=", claim.judgement, parts=claim.parts)
                self.totals.append(Total(total, self._title, claim.parts if claim.count == 1 else ()))

    def _add_shares(self) -> None:
        values = [each.entry.value for each in self.totals if each.entry.is_total and not each.entry.side.literals]
        wholes = sorted(dict.fromkeys(values), reverse=True)[:_MOST_TOTALS]
        for share in self._shares:
            found = share_of(share, wholes)
            if found is not None:
                total, judgement = found
                place = (share.percent.start, share.percent.end, share.percent.start)
                self.add(place, f"{share.written} / {shown(total)}", self.written(share.percent), "=", judgement)


def _behind(text: str, end: int) -> str:
    """What stands directly behind the stated side and changes what it means."""
    if text.startswith("!", end) and not text.startswith("!=", end):
        return "the exclamation mark may mean a factorial"
    if text.startswith(":", end) and text[end + 1 : end + 2].isdigit():
        return "what stands behind the colon may belong to it"
    return "it is a congruence" if re.match(r"[\s$]*(?:\\p?mod\b|\(?mod\b)", text[end : end + 20]) else ""


def _is_label(chain: Chain) -> bool:
    """Whether a number at the beginning of a chain only belongs to words, as in ``12 layers = 12 × 7,087,872``."""
    side = chain.sides[0]
    return side.is_number and (bool(side.nouns) or chain.label[-1:].isalpha())
