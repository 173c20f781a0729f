"""What a notebook shows of a check: each claim under its line with sign and word, all of it escaped, and never without end."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import symparam
from symparam.writing.findings.html import MOST

BERT = """BERT-base has V = 30522, P = 512, T = 2, H = 768, I = 3072 and N = 12.
- embeddings: (V + P + T)H + 2H = 23,837,184
- all layers: 12 × 7,087,872 = 85,045,464
- total: 23,837,184 + 85,036,032 + 590,592 = 109,463,808
- rest: 3x + 2 = 5
"""


class Reader(HTMLParser):
    """The words of each block, what is marked, and every tag with its attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.blocks: list[str] = []
        self.marked: list[str] = []
        self.tags: set[tuple[str, tuple[tuple[str, str | None], ...]]] = set()
        self.open: list[str] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.tags.add((tag, tuple(attrs)))
        if tag in ("p", "tr", "li"):
            self.blocks.append("")
        if tag == "mark":
            self.marked.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "mark" in self.open:
            self.marked[-1] += data
        if self.blocks and self.open and "style" not in self.open:
            self.blocks[-1] += f"{data} " if self.open[-1] == "td" else data


def shown(text: str, **about: str) -> Reader:
    return Reader(symparam.check_text(text, "cell", **about)._repr_html_())


def test_each_claim_has_its_verdict_under_its_line_and_what_is_wrong_is_explained() -> None:
    found = shown(BERT, architecture="bert", config="bert-base-uncased")
    assert [" ".join(block.split()) for block in found.blocks] == [
        "2 - embeddings: (V + P + T)H + 2H = 23,837,184",
        "✓ holds (V + P + T)H + 2H: BertModel has (P + T + V + 2)H parameters in embeddings and embeddings.LayerNorm; this counts its "
        "norm as well component",
        "✓ holds (V + P + T)H + 2H = 23,837,184: both sides are the same number with H = 768, P = 512, T = 2, V = 30,522 exact",
        "✓ holds 23,837,184: BertModel has 23,837,184 parameters in embeddings and embeddings.LayerNorm; this counts its norm as well "
        "component",
        "3 - all layers: 12 × 7,087,872 = 85,045,464",
        "✗ wrong the left side is 85,054,464 wrong-number",
        "short by 9,000:",
        "a slip of the pen in the result: two neighbouring digits swapped, 45 for 54",
        "help: correct the result, or the expression before it",
        "4 - total: 23,837,184 + 85,036,032 + 590,592 = 109,463,808",
        "✓ holds 23,837,184 + 85,036,032 + 590,592 = 109,463,808: both sides are the same number exact",
        "✗ wrong 109,463,808: BertModel has 109,482,240 parameters with the values of bert-base-uncased wrong-total",
        "short by 18,432:",
        "−18,432 missing: one of the two LayerNorms in each of the 12 layers (encoder.layer.{i}.attention.output.LayerNorm "
        "or encoder.layer.{i}.output.LayerNorm) (2NH)",
        "help: correct the total, or say what it leaves out or adds",
        "5 - rest: 3x + 2 = 5",
        "? undecided x has no value here no-value",
        "1 file: 4 claims hold, 2 are wrong, 1 is undecided",
    ]
    assert found.marked == ["85,045,464", "109,463,808"]


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("no claim", ["1 file: no claims found"]),
        ("1 + 1 = 3 <!-- symparam: ignore -->", ["1 file: 0 claims hold, 0 are wrong, 1 is ignored"]),
        (
            # Far more than a screen is wide, of which the place with the claim is shown.
            f"{'word ' * 100}452 + 452 = 907 {'word ' * 100}",
            [
                f"1 …{('word ' * 100)[-60 + 12 :]}452 + 452 = 907 {('word ' * 100)[:119]}…",
                "✗ wrong the left side is 904 wrong-number",
                "too much by 3:",
                "a slip of the pen in the result: one digit, 7 for 4",
                "help: correct the result, or the expression before it",
                "1 file: 0 claims hold, 1 is wrong",
            ],
        ),
        (
            "\x1b[31m 1 + 1 = 2 \u202e",
            [
                "1 \\x1b[31m 1 + 1 = 2 \\u202e",
                "✓ holds both sides are the same number exact",
                "1 file: 1 claim holds, 0 are wrong",
            ],
        ),
    ],
)
def test_lines(text: str, blocks: list[str]) -> None:
    assert [" ".join(block.split()) for block in shown(text).blocks] == [" ".join(block.split()) for block in blocks]


def test_files_are_named_where_there_are_several_and_errors_are_told(tmp_path: Path) -> None:
    for name, text in (("a<b>.md", "1 + 1 = 3\n"), ("b.md", "1 + 1 = 2\n"), ("c.md", "no claim\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "d.md").write_bytes(b"\0")
    found = Reader(symparam.check(tmp_path)._repr_html_())
    names = [block for block in found.blocks if str(tmp_path) in block]
    assert names == [
        f"{tmp_path / 'a<b>.md'}",
        f"{tmp_path / 'b.md'}",
        f"error: {tmp_path / 'd.md'}: the file is binary (it holds a zero byte); a text, Markdown or LaTeX document is expected",
    ]


def test_of_very_many_claims_some_wrong_ones_are_shown() -> None:
    checked = symparam.check_text("1 + 1 = 2\n1 + 1 = 3\n" * (MOST + 1))
    html = checked._repr_html_()
    assert html.count("✗ wrong") == MOST
    assert "✓" not in html
    assert f"of {2 * MOST + 2:,} claims only the first {MOST} wrong ones are shown" in html
    assert len(html) < 1000 * MOST


OWN = {"article", "style", "section", "p", "div", "span", "b", "code", "small", "mark", "table", "tr", "td", "ul", "li"}
PIECES = ["<script>alert(1)</script>",
          "<img src=x onerror=alert(1)>", "</style>", "</article>", "&lt;b&gt;", "1 + 1 = 3", "2H = 4", " ", "\n",
          "| 1 |", "<!--", "-->", "'\"", "\x00", "\u202e", "= 7"]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=20))
def test_whatever_the_document_it_is_text_and_nothing_else(pieces: list[str]) -> None:
    text = "".join(pieces)
    for tag, attributes in shown(f"{text}\n1 + 1 = 3 {text}").tags:
        assert tag in OWN
        assert {name for name, _ in attributes} <= {"class", "lang"}
        assert all(re.fullmatch(r"[\w-]+", value or "") for _, value in attributes)


def test_pages_that_were_filled_are_listed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "<!-- symparam: count gpt2 --><!-- /symparam -->\n<!-- symparam: derive gpt1 -->my own<!-- /symparam 01234567 -->\n",
        encoding="utf-8",
    )
    bad = tmp_path / "bad.md"
    bad.write_text("<!-- symparam: count gtp2 --><!-- /symparam -->\n", encoding="utf-8")
    first = [block.partition(";")[0] for block in Reader(symparam.docs([page, bad], check=True)._repr_html_()).blocks]
    assert first == [
        f"✗ out of date {page}:1:1: symparam count gpt2",
        f"✗ edited by hand {page}:2:1: this place was edited by hand since it was filled, so it is left as it is",
        f"error: {bad}:1:1: symparam count gtp2: there is no architecture, preset or file named 'gtp2'",
        "2 pages, 3 marked places: 1 out of date, 1 edited by hand, 1 at fault",
    ]
    assert Reader(symparam.docs(page)._repr_html_()).blocks[0] == f"✓ filled {page}:1:1: symparam count gpt2"
    assert Reader(symparam.docs(page)._repr_html_()).blocks[0] == f"✓ up to date {page}:1:1: symparam count gpt2"
