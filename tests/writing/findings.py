"""A checked document made by hand, for the tests of what is written about it."""

from __future__ import annotations

from typing import Any

from symparam.checking.finding import CheckedDocument, Finding, Verdict
from symparam.gaps.gap import Cause, Gap
from symparam.reading.formula import read_formula
from symparam.reading.source import Source

TEXT = """# 词表

词嵌入 30,522 × 768 = 22,767,360 个参数
The rest is about 12 × H² = 85M.
\t12 × 768 = 9,217
It has 3d = 2,304, and one more: 5x = 7.
An estimate: 1 + 1 = 3. <!-- symparam: ignore -->
"""


def finding(text: str, claim: str, verdict: Verdict, code: str, message: str, **more: Any) -> Finding:
    """A claim that stands in the text as ``left = right``, with what is said of it."""
    start = text.index(claim)
    left, _, right = (side.strip() for side in claim.partition("="))
    return Finding(start, start + len(claim), text.index(right, start + len(left)), claim, left, right, "=", verdict, code, message, **more)


GAP = Gap(
    -673_536,
    read_formula("-877H"),
    (Cause("876 rows", -672_768, read_formula("-876H")), Cause("the row of [PAD]", -768)),
    ((Cause("two digits are swapped"),),),
)
FINDINGS = (
    finding(
        TEXT,
        "30,522 × 768 = 22,767,360",
        Verdict.WRONG,
        "wrong-number",
        "30,522 × 768 is 23,440,896",
        remedy="write 23,440,896",
        gap=GAP,
    ),
    finding(TEXT, "12 × H² = 85M", Verdict.HOLDS, "about", "it is 84,934,656"),
    finding(TEXT, "12 × 768 = 9,217", Verdict.WRONG, "wrong-number", "12 × 768 is 9,216", gap=Gap(1)),
    finding(TEXT, "3d = 2,304", Verdict.UNDECIDED, "no-value", "d has no value here"),
    finding(TEXT, "5x = 7", Verdict.NOT_READ, "unreadable", "'x' is no declared letter"),
    finding(TEXT, "1 + 1 = 3", Verdict.WRONG, "wrong-number", "1 + 1 is 2", ignored=True),
)
DOCUMENT = CheckedDocument(Source("notes.md", TEXT), FINDINGS, ("H is read as the hidden size",))


def document(text: str, *findings: Finding, name: str = "notes.md", notes: tuple[str, ...] = ()) -> CheckedDocument:
    return CheckedDocument(Source(name, text), findings, notes)


def wrong(text: str, claim: str, message: str = "it is not", name: str = "notes.md", **more: Any) -> CheckedDocument:
    """A document with one claim, which is wrong."""
    return document(text, finding(text, claim, Verdict.WRONG, "wrong-number", message, **more), name=name)
