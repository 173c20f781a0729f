"""Which numbers of a line are entries of a list."""

from __future__ import annotations

from fractions import Fraction

import pytest

from symparam.core.formula import Number, Power, Quotient
from symparam.documents.checking.entries.list_entry import ListEntry
from symparam.documents.checking.entries.list_parsing import read_entry, usual_value
from symparam.documents.reading.parsed_document import parse_document
from symparam.documents.reading.source import Source

LINES = [
    # Behind a label.
    ("- attention: 2,359,296", ["attention | 2359296"]),
    ("attention：2,359,296", ["attention | 2359296"]),
    ("attention = 2,359,296", ["attention | 2359296"]),
    ("attention   2,359,296", ["attention | 2359296"]),
    ("- **attention**: 2.36M parameters", ["attention | 2360000"]),
    ("2,359,296", [" | 2359296"]),
    ("total 2,359,296", ["total | 2359296"]),
    # With how it comes about.
    ("- attention: 4 × 768² = 2,359,296", ["attention | 2359296 = 4 × 768²"]),
    ("- 4 × 768² = 2,359,296 (weights)", [" | 2359296 = 4 × 768²"]),
    ("- attention: 2,359,296 (4 × 768²)", ["attention | 2359296"]),
    # With other numbers in the remark behind it.
    ("- attention: 2,359,296, 33 % of the block", ["attention | 2359296"]),
    ("TOTAL:   2,359,296  (33 %)  ← of 7M", ["TOTAL | 2359296"]),
    ("- attention: 2,359,296 of 7,087,872", ["attention | 2359296"]),
    ("- total: about 6.74B → a 7B model", ["total: about | 6740000000"]),
    ("- total (12 blocks): 85,026,816 parameters", ["total (12 blocks) | 85026816"]),
    # In the middle of a sentence, in brackets, or with letters.
    ("The attention has 2,359,296 of the parameters.", []),
    ("a model (head=4, head_dim=64)", []),
    ("- attention: 4 × H²", []),
    ("- attention: 4 × 768²", []),
]


@pytest.mark.parametrize(("text", "expected"), LINES, ids=[text for text, _ in LINES])
def test_entries(text: str, expected: list[str]) -> None:
    source = Source("page.md", text)
    (line,) = parse_document(source).lines
    found = [entry for chain in line.chains if (entry := read_entry(line, chain, source)) is not None]
    assert [f"{entry.label} | {entry.value}" + (f" = {entry.calculation}" if entry.calculation else "") for entry in found] == expected
    assert all(text[entry.start : entry.end] == entry.text for entry in found)


def test_the_line_above_is_a_label_where_there_is_no_other() -> None:
    source = Source("page.md", "2,359,296")
    (line,) = parse_document(source).lines
    entry = read_entry(line, line.chains[0], source, "attention")
    assert entry is not None
    assert entry.label == "attention"


TOTALS = [
    ("total", True, True),
    ("Total parameters", True, True),
    ("grand total", True, True),
    ("总计", True, True),
    ("参数总量", True, True),
    ("in all", True, True),
    ("sum", True, True),
    ("Gesamtzahl", True, True),
    ("total per layer", True, False),
    ("subtotal", True, False),
    ("encoder total", True, False),
    ("每层合计", True, False),
    ("attention", False, False),
    ("totally different", True, True),
    ("summary", False, False),
    ("assumption", False, False),
]


@pytest.mark.parametrize(("label", "total", "grand"), TOTALS, ids=[label for label, *_ in TOTALS])
def test_words_that_say_total(label: str, total: bool, grand: bool) -> None:
    source = Source("page.md", f"{label}: 2,359,296")
    (line,) = parse_document(source).lines
    entry = read_entry(line, line.chains[0], source)
    assert entry is not None
    assert (ListEntry.says_total(label), entry.is_total, entry.is_grand_total) == (total, total, grand)


def test_values() -> None:
    assert usual_value(Quotient(Number(7), Number(2))) == Fraction(7, 2)
    assert usual_value(Quotient(Number(7), Number(0))) is None
    assert usual_value(Power(Number(9), Power(Number(9), Number(9)))) is None
