"""Walks through a document line by line: judges every claim by what precedes it, and adds up lists and tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic

from symparam.core.formula import Sum, Symbol, number
from symparam.core.frozen import frozen
from symparam.core.message import Message, message
from symparam.documents.checking.basis.knowledge import Knowledge
from symparam.documents.checking.claims.record import Record
from symparam.documents.checking.entries.calculations import calculated
from symparam.documents.checking.entries.labelled_quantities import EVIDENT, LabelledQuantities, is_in_full, sum_text
from symparam.documents.checking.entries.list_entry import ListEntry
from symparam.documents.checking.entries.list_parsing import MAX_LABEL, read_entry, usual_value
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.laws.judging import Laws
from symparam.documents.checking.laws.means import mean_claims
from symparam.documents.checking.lines.chain_links import LinkJudge
from symparam.documents.checking.lines.range_links import judge_ranges
from symparam.documents.checking.lines.shapes import judge_layers, judge_shapes, judge_shapes_in_table
from symparam.documents.checking.sentences.compared_numbers import compared_numbers
from symparam.documents.checking.sentences.consequences import Consequences
from symparam.documents.checking.sentences.counts import judge_counts
from symparam.documents.checking.sentences.relative_changes import ChangeClaim, row_change_claims
from symparam.documents.checking.sentences.said_equations import SaidEquations
from symparam.documents.checking.sentences.shares import share_of, shares_beside_numbers
from symparam.documents.checking.sides.number_agreement import Judgement, judge_numbers
from symparam.documents.checking.sums.listed_formulas import ListedFormulas
from symparam.documents.checking.sums.rests import rest_of
from symparam.documents.checking.sums.sums import Ledger, SumClaim
from symparam.documents.checking.sums.total_above_parts import TotalAboveParts
from symparam.documents.checking.sums.wholes_above_lists import WholeAboveList
from symparam.documents.checking.tables.cells import RowClaim
from symparam.documents.checking.tables.stated_constants import constants_before
from symparam.documents.checking.tables.table_checker import CheckedTable, judge_table
from symparam.documents.checking.tables.table_row import TableRow
from symparam.documents.gaps.arithmetic.stated_number import StatedNumber, int_if_whole
from symparam.documents.reading.assignments import assigned_values, sets_several
from symparam.documents.reading.chains import EqualityChain
from symparam.documents.reading.expression import UNKNOWN, Expression
from symparam.documents.reading.parsed_document import ParsedDocument, ParsedLine, without_markup
from symparam.documents.rules.rule import applies, in_force, judging_at
from symparam.errors import FormulaError

MAX_FINDINGS = 50_000  # The most findings on one document; nobody reads more.
MAX_NUMBERS = 100_000  # Entries that may be totals or parts of them.
MAX_SECONDS = 60  # Seconds for reading one document, and for comparing it; only unforeseen input takes so long.
MAX_ROWS = 5_000  # Rows of one table; further rows are treated as another table.
_MOST_TOTALS = 20  # Totals that a percentage is compared with.
_ENTRY = re.compile(r"[:：][*_` ]{0,4}+\S")  # A label with what it states.
_REMARK = re.compile(r"\W{0,20}symparam:")  # A remark to the checker alone on its line does not separate paragraphs.
_LEAST_WORD = 3  # Letters of a word; fewer may be the name of a size.
_WORDS, _LEAST_WORDS = re.compile(r"[^\W\d_]+"), 3  # Words of a cell that is a sentence.
_LAYOUT = re.compile(  # Of TeX.
    r"(?>(?:[{}\s]|\\(?:begin|end|[vh]space|setlength)\*?(?:\{[^{}]*\}|\[[^\[\]]*\])*|\\[A-Za-z]+(?![A-Za-z{]))+)"
)
_TITLE_LENGTH = 60  # Characters of a title; a longer line is a sentence.


@frozen
class StatedTotal:
    """A number that the document arrives at, with its parts: it may be the author's total of the whole model."""

    entry: ListEntry
    title: str
    parts: tuple[ListEntry, ...] = ()


@frozen
class SectionTotal:
    """A formula that the document calls the total of a part of the model."""

    label: str
    side: Expression
    indent: int
    line: int


@dataclass
class LineChecker:
    """The state of the walk: ``record`` holds the claims, ``stated`` the numbers, ``totals`` the sums of numbers, and ``sections`` the sums
    of formulas.
    """

    document: ParsedDocument
    knowledge: Knowledge
    record: Record = field(init=False)
    stated: list[StatedNumber] = field(default_factory=list)
    totals: list[StatedTotal] = field(default_factory=list)
    sections: list[SectionTotal] = field(default_factory=list)
    summaries: list[EqualityChain] = field(default_factory=list)
    quantities: LabelledQuantities = field(default_factory=LabelledQuantities)
    _links: LinkJudge = field(init=False)
    _ledger: Ledger = field(default_factory=Ledger)
    _below: TotalAboveParts | None = None
    _whole: WholeAboveList = field(default_factory=WholeAboveList)
    _equations: SaidEquations = field(init=False)
    _consequences: Consequences = field(init=False)
    _laws: Laws = field(init=False)
    _rows: list[ParsedLine] = field(default_factory=list)
    _paused: int = 0
    _entered: bool = False
    _item: bool = False
    _before: str = ""
    _listed: ListedFormulas = field(init=False)

    def __post_init__(self) -> None:
        self.record = Record(self.document.source)
        self._links = LinkJudge(self.knowledge, self.record, self.quantities)
        self._equations = SaidEquations(self.record, self.knowledge)
        self._laws = Laws(self.record, self.text)
        self._listed = ListedFormulas(self.record, self.quantities, self.knowledge)
        self._consequences = Consequences(self.record, self.quantities, self.knowledge)

    @property
    def text(self) -> str:
        """The text of the document."""
        return self.document.text

    def run(self) -> None:
        """Walk through the whole document."""
        last = monotonic() + MAX_SECONDS
        for line in self.document.reading():
            if line.line.kind == "row" or (line.line.kind == "delimiter" and self._rows):
                self._rows.append(line)
                if len(self._rows) < MAX_ROWS:
                    continue
                self._end_table()
            else:
                self._end_table()
                self._line(line)
            if len(self.record.judged) > MAX_FINDINGS or len(self.totals) + len(self.summaries) + len(self._links.shares) > MAX_NUMBERS:
                self._stop(line, message("too-many", claims=MAX_FINDINGS, numbers=MAX_NUMBERS))
                break
            if monotonic() > last:
                self._stop(line, message("too-slow", seconds=MAX_SECONDS))
                break
        self._end_table()
        self._close_below()
        self._links.end_section()
        self._add_shares()
        self._laws.judge()

    # Lines.

    def _stop(self, line: ParsedLine, why: Message) -> None:
        self.record.add((line.line.start, line.line.end, line.line.start), "", "", "", Judgement(Verdict.NOT_READ, "too-long", why))

    def _line(self, line: ParsedLine) -> None:
        page = line.line
        judging_at(page.start)
        self.knowledge.begin_line()
        if line.chains:
            self._whole.line(line, self.document.source)
        elif _REMARK.match(page.raw):
            return
        if page.too_long:
            found = Judgement(Verdict.NOT_READ, "too-long", message("long-line", characters=page.end - page.start))
            self.record.add((page.start, page.start + len(page.raw), page.start), "", "", "", found)
        if page.kind == "heading":
            self._laws.begin_section(page.level)
        if page.kind == "blank":
            self._laws.end_block()
        else:
            self._laws.line(page)
        if page.kind in ("heading", "blank"):
            self.quantities.title = without_markup(page.raw) or self.quantities.title
            if page.kind == "heading":
                self.quantities.begin_section(page.start, page.level, self.quantities.title)
                self.knowledge.section = self.quantities.section
                self._equations.begin_section()
                self._consequences.begin_section()
                self._links.end_section()
            for chain in line.chains:
                self._links.judge_chain(chain)
                self._state(line, chain)
                for formula in [side for side in chain.sides if side.letters and not side.is_name][:1]:
                    self._listed.begin_list(line, chain, formula)
            self._links.end_line()
            self._paused = self._ledger.run if page.kind == "blank" and self._item and not page.fenced else 0
            self._ledger.interrupt(partial=self._ledger.partial and page.kind == "blank" and bool(self._paused))
            self._ledger.tried = self._ledger.tried if page.kind == "blank" else 0
            self._close_below()
            return
        if self._paused and in_force("total-below-list") and any(ListEntry.says_total(page.raw[:40]) for _ in line.chains):
            self._ledger.run = self._paused  # The total of a list may follow it after a blank line.
        self._paused, self._item = 0, page.kind == "item"
        self._givens(line)
        self._entered = False
        if sets_several(page.raw):
            return
        between_ranges = judge_ranges(self.record, page, self.document.vocabulary, self.knowledge)
        for chain in line.chains:
            if not any(chain.start <= each < (chain.unread or chain).end for each in between_ranges):
                self._chain(line, chain)
        self._equations.line(line.chains, page.start, page.end)
        self._compare(line)
        if line.chains:
            judge_shapes(self.record, line.chains, page.start, page.end)
            judge_layers(self.record, page.start, page.end)
            self._sentences(line.chains, page.start, page.end, sparing=page.fenced)
        if line.chains and not self._entered and page.kind in ("text", "item") and page.raw[-1:].isdecimal():
            self._ledger.interrupt(partial=True)  # A number that is not an entry may be a part that could not be read.
        self._links.end_line()
        if not line.chains and page.kind in ("text", "item"):
            self._ledger.interrupt()
            goes_on = page.raw.endswith((".", "。", ";", "；")) or (page.kind == "item" and _ENTRY.search(page.raw))
            if 0 < len(page.raw) <= _TITLE_LENGTH and not (goes_on or _LAYOUT.fullmatch(page.raw)):
                self.quantities.title = without_markup(page.raw)
        self._before = without_markup(page.raw) if page.raw.rstrip("*_ ").endswith((":", "：")) else ""

    def _sentences(self, chains: Sequence[EqualityChain], start: int, end: int, sparing: bool, may_be_wrong: bool = True) -> None:
        self._laws.judge_line()
        self._consequences.line(chains, start, end, sparing, may_be_wrong)
        judge_counts(self.record, start, end)

    def _givens(self, line: ParsedLine) -> None:
        for each in assigned_values(line.line.raw, self.document.vocabulary):
            self.knowledge.assign(each.letter, each.value, each.settled)

    def _chain(self, line: ParsedLine, chain: EqualityChain) -> None:
        self._links.judge_chain(chain)
        self._state(line, chain)
        formula = next((side for side in chain.sides if side.letters and not side.is_name), None)
        if formula is not None:
            label = without_markup(self.text[max(line.line.start, chain.start - MAX_LABEL) : chain.start])
            if not self._goes_on_below(line, formula):
                last = chain.sides[-1]
                self.quantities.add(f"{label} {self._word(chain.sides[0])}".rstrip(), formula, result=last if last.is_number else None)
            self._formula(line, chain, formula, label)
            self._listed.add(line, chain, formula, label or self._before)
        self._enter(line, chain)

    def _goes_on_below(self, line: ParsedLine, formula: Expression) -> bool:
        """Whether the formula is in a bracket that is closed on another line."""
        return self.text[line.line.start : formula.start].rstrip().endswith("(") and ")" not in self.text[formula.end : line.line.end]

    @staticmethod
    def _word(side: Expression) -> str:
        """The last word of a label that was read as a name, as in ``per token = 4NH``; empty for the name of a quantity."""
        name = side.formula.letter.removeprefix(UNKNOWN) if side.is_name and isinstance(side.formula, Symbol) else ""
        return name if name.isalpha() and len(name) >= _LEAST_WORD else ""

    def _state(self, line: ParsedLine, chain: EqualityChain) -> None:
        """Record the number at the end of the chain under the words before it."""
        last = chain.sides[-1]
        first = chain.sides[0]
        if first is not last and first.is_number and chain.relations[0].soft:  # ``124M parameters, about half a gigabyte``
            self.quantities.add(self.text[max(line.line.start, chain.start - MAX_LABEL) : chain.start], first)
        result = calculated(last, " ".join(last.nouns) or self.text[last.end : last.end + MAX_LABEL]) if first is last else None
        if result is not None:
            self.quantities.add(self.text[max(line.line.start, chain.start - MAX_LABEL) : chain.start], result)
        is_label = first.is_name or (first.is_number and first is not last and bool(first.nouns))  # ``at 8,192 tokens = 2 × 32 × 8192``
        if last.is_number and (len(chain.sides) == 1 or is_label or not first.is_number):
            named = first.end if is_label else chain.start
            before = chain.sides[-2] if len(chain.sides) > 1 else last
            if before.is_number and (before is not first or not is_label) and is_in_full(before, last):
                last = before
            self.quantities.add(self.text[max(line.line.start, chain.start - MAX_LABEL) : named], last)
        elif last.is_number and len(chain.relations) == 1 and chain.relations[0].soft:  # ``The cache of Llama 2 70B is 320 KiB.``
            self.quantities.add(self.text[max(line.line.start, chain.start - MAX_LABEL) : last.start], last)

    def _compare(self, line: ParsedLine) -> None:
        """Judge the changes that the line states, and record the percentages beside its numbers."""
        amounts = [chain.sides[-1] for chain in line.chains if chain.sides[-1].is_number]
        place = line.line.start, line.line.end
        self._changed(compared_numbers(amounts, self.text, *place))
        self._links.shares += shares_beside_numbers(amounts, self.text)

    def _changes_in(self, table: CheckedTable) -> None:
        """Judge the changes between the cells of a row, and from the first row to the others."""
        places = [(row.parsed.line.start, row.parsed.line.end) for row in table.body]
        for row, place in zip(table.body, places, strict=True):
            amounts = [chain.sides[-1] for cell in row.cells for chain in cell.chains if chain.sides[-1].is_number]
            self._changed(compared_numbers(amounts, self.text, *place))
        self._changed(row_change_claims(table.numbers, places, self.text))

    def _changed(self, claims: Iterable[ChangeClaim]) -> None:
        for found in claims:
            right = found.right
            start, end = found.place if any(found.place) else (right.start, right.end)
            self.record.add((start, end, right.start), found.left, self.record.text_of(right), "=", found.judgement)

    # Lists and tables that add up.

    def _formula(self, line: ParsedLine, chain: EqualityChain, side: Expression, label: str) -> None:
        """Record formulas that may be the total of a section, or the summary of all sections."""
        if not chain.relations and ListEntry.says_total(label):
            number = self.document.source.place(side.start)[0]
            self.sections.append(SectionTotal(self.quantities.title or label, side, line.line.indent, number))
        elif isinstance(side.formula, Sum) and not side.unknown:
            self.summaries.append(chain)

    def _enter(self, line: ParsedLine, chain: EqualityChain) -> None:
        entry = read_entry(line, chain, self.document.source, self._before)
        if entry is None:
            return
        self._entered = True
        if not entry.side.literals:
            right = None if entry.calculation is None else usual_value(entry.calculation)
            self.stated.append(StatedNumber(entry.label, int_if_whole(entry.value), entry.line, right))
        if self._below and entry.indent <= self._below.total.indent:
            self._close_below()
        below = self._below.add(entry) if self._below else None
        above = self._ledger.entries[len(self._ledger.entries) - self._ledger.run :]
        rest = rest_of(entry, above, self.quantities.stated, self.text)
        if rest is not None:
            self.record.add((entry.start, entry.end, entry.start), rest.written, entry.text, "=", rest.judgement)
        claim = self._ledger.add(entry, strict=entry.is_total)
        self._add_sums([below, claim, self._whole.add(entry) if below is None and claim is None else None])
        claim = None if claim is not None and claim.is_open else claim
        if claim is None and entry.calculation is None:
            self._compose(entry)
        if claim is None:
            self.totals.append(StatedTotal(entry, self.quantities.title))
            if entry.is_total and entry.is_alone and not self._below:
                self._below = TotalAboveParts(entry)

    def _compose(self, entry: ListEntry) -> None:
        """Judge a number whose label names its parts: ``attention + 8 experts + router: 45,113,344``."""
        found = self.quantities.sum_in_words(re.split("[:：]", entry.label.rstrip(":： "))[-1])
        if found is None:
            return
        try:
            judgement = judge_numbers(found.side, entry.side, "=")
        except FormulaError:
            return  # Too large.
        if judgement.verdict is Verdict.HOLDS and len(str(abs(entry.number))) >= EVIDENT:
            place = (entry.start, entry.end, entry.start)
            self.record.add(place, sum_text(found.parts, self.text), entry.text, "=", replace(judgement, code="sum"))

    def _close_below(self) -> None:
        if self._below:
            self._add_sums([self._below.close()])
        self._below = None

    def _end_table(self) -> None:
        if not self._rows:
            return
        for line in self._rows:
            self._givens(line)
        constants = tuple(constants_before(self._rows, self.quantities.stated, self.text))
        table = CheckedTable(
            [TableRow(row, self.document.source) for row in self._rows], self.text, self.quantities.title, constants=constants
        )
        before = len(self.record.judged)
        self._changes_in(table)
        for claim in judge_table(table, self.knowledge):
            if isinstance(claim, RowClaim):
                self._links.add_row(claim)
            else:
                self._add_sums([claim])
        self._changed(mean_claims(table))
        claimed = {each.finding.right_start for each in self.record.judged[before:]}
        self._changed(claim for claim in table.changes if claim.right.start not in claimed)
        self._laws.table(table)
        judge_shapes_in_table(self.record, table)
        for cell in (cell for row in table.body for cell in row.cells if cell.chains):
            if sum(len(word) >= _LEAST_WORD for word in _WORDS.findall(cell.text)) >= _LEAST_WORDS:
                self._sentences(cell.chains, cell.start, cell.end, sparing=True, may_be_wrong=False)
        self.stated += table.stated
        for label, side, column, result in table.quantities:
            self.quantities.add(label, side, column, result)
        self._links.shares += table.shares
        self.totals += [StatedTotal(entry, self.quantities.title) for entry in table.totals]
        labels = {side.start: label for label, side, *_ in table.quantities}
        for entry in table.totals if not table.lists_facts else ():
            if entry.is_alone and entry.calculation is None:
                self._compose(replace(entry, label=labels.get(entry.start, entry.label)))
            self._consequences.state(entry)
        for row in table.body if table.lists_facts else ():
            self._consequences.line(row.cells[1].chains, row.parsed.line.start, row.parsed.line.end, False, may_be_wrong=False)
        self.sections += [SectionTotal(f"{self.quantities.title} {label}", side, table.indent, at) for label, side, at in table.sections]
        self.record.take(table.remarks)
        self._rows = []
        self._ledger.interrupt()
        self._equations.begin_section()

    def _add_sums(self, claims: Iterable[SumClaim | None]) -> None:
        for claim in claims:
            if claim is not None:
                total = claim.total
                self.record.add((total.start, total.end, total.start), claim.left, total.text, "=", claim.judgement, parts=claim.parts)
                self.totals.append(StatedTotal(total, self.quantities.title, claim.parts if claim.count == 1 else ()))

    def _add_shares(self) -> None:
        entries = {(each.entry.value, each.entry.side.counted): each.entry for each in self.totals if each.entry.is_total}
        wholes = sorted(entries, reverse=True)[:_MOST_TOTALS]
        judged = {each.finding.right_start for each in self.record.judged}
        for share in [each for each in self._links.shares if each.percent.start not in judged]:
            found = share_of(share, [value for value, counted in wholes if counted == share.counted])
            if found is not None and applies("share-of-total", share.percent.start):
                total, judgement = found
                place = (share.percent.start, share.percent.end, share.percent.start)
                whole = entries[total, share.counted].text if share.counted else number(total)
                self.record.add(place, f"{share.written} / {whole}", self.record.text_of(share.percent), "=", judgement)
