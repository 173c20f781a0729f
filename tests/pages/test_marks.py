"""Marked places: found where they are meant, in every language of pages, and refused with a place where they do not belong together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symparam.commands.queries import QUERIES
from symparam.documents.checking.basis.directives import ASKED
from symparam.documents.reading.source import Source
from symparam.errors import DocumentError
from symparam.pages.languages import HTML, LATEX, MARKDOWN, RST, Language, language_of
from symparam.pages.marks import Mark, digest_of, marks

FENCE = "```markdown\n<!-- symparam: derive gpt2 -->\n<!-- /symparam -->\n```\n"


def found(text: str, language: Language = MARKDOWN) -> list[Mark]:
    return marks(Source("page.md", text), language)


def contents(text: str, language: Language = MARKDOWN) -> list[tuple[str, str, str, str | None]]:
    """Of each place its command, content, digest and margin."""
    return [(mark.words, text[slice(*mark.inside)], mark.digest, mark.margin) for mark in found(text, language)]


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        (MARKDOWN, "no place", []),
        (MARKDOWN, "<!-- symparam: derive a -->\n<!-- /symparam -->", [("derive a", "\n", "", "")]),
        (MARKDOWN, "x **<!--symparam: count a-->12<!--/symparam 0123abcd-->** y", [("count a", "12", "0123abcd", None)]),
        (MARKDOWN, "<!-- symparam: derive a -->1<!-- /symparam -->\n", [("derive a", "1", "", None)]),
        (MARKDOWN, "<!-- symparam: derive a\n  --where I=4H -->\n1\n<!-- /symparam -->\n", [("derive a --where I=4H", "\n1\n", "", "")]),
        (MARKDOWN, "- a\n\n  <!-- symparam: derive a -->\n  1\n  <!-- /symparam -->\n", [("derive a", "\n  1\n  ", "", "  ")]),
        (MARKDOWN, "> <!-- symparam: derive a -->\n> 1\n> <!-- /symparam -->\n", [("derive a", "\n> 1\n> ", "", "> ")]),
        (MARKDOWN, "<!-- symparam: a -->\r\n1\r\n<!-- /symparam -->\r\n", [("a", "\r\n1\r\n", "", "")]),
        # In code nothing is looked for.
        (MARKDOWN, FENCE, []),
        (MARKDOWN, FENCE.replace("```", "~~~~"), []),
        (MARKDOWN, "````\n" + FENCE + "````\n", []),
        (MARKDOWN, "- a\n  ```\n  <!-- symparam: a -->\n  ```\n", []),
        (MARKDOWN, "`<!-- symparam: derive a -->` and ``<!-- /symparam -->``", []),
        (MARKDOWN, "```\nnever closed\n<!-- symparam: derive a -->\n", []),
        # What is said to the checker is not a place.
        (MARKDOWN, "1 + 1 = 3 <!-- symparam: ignore wrong-number -->\n<!-- symparam: expect wrong-sum -->\n", []),
        (LATEX, "% symparam: derive a --form x\n12NH\n% /symparam 01234567\n", [("derive a --form x", "\n12NH\n", "01234567", "")]),
        (LATEX, "  %% symparam: derive a\n  12NH\n  %% /symparam\n", [("derive a", "\n  12NH\n  ", "", "  ")]),
        (LATEX, "\\begin{verbatim}\n% symparam: derive a\n\\end{verbatim}\n", []),
        (LATEX, "text % symparam: derive a\n", []),
        (LATEX, "% symparam: ignore\n", []),
        (RST, ".. symparam: derive a\n\nx\n\n.. /symparam 01234567\n", [("derive a", "\n\nx\n\n", "01234567", "")]),
        (RST, ".. note::\n\n   .. symparam: derive a\n   .. /symparam\n", [("derive a", "\n   ", "", "   ")]),
        (RST, "Write::\n\n   .. symparam: derive a\n\nNothing.\n", []),
        (RST, ".. code-block:: rst\n\n   .. symparam: derive a\n", []),
        (HTML, "<p><!-- symparam: count a -->1<!-- /symparam --></p>", [("count a", "1", "", None)]),
    ],
)
def test_places(language: Language, text: str, expected: list[tuple[str, str, str, str | None]]) -> None:
    assert contents(text, language) == expected


@pytest.mark.parametrize(
    ("language", "text", "message"),
    [
        (
            MARKDOWN,
            "a\n\n  <!-- symparam: derive a -->\n",
            "page.md:3:3: this marked place is not closed; put <!-- /symparam --> after its content",
        ),
        (
            MARKDOWN,
            "a\n<!-- /symparam -->",
            "page.md:2:1: this mark closes nothing; remove it, or put <!-- symparam: ... --> before it",
        ),
        (
            MARKDOWN,
            "<!-- symparam: a -->\n\n<!-- symparam: b --><!-- /symparam -->",
            "page.md:3:1: the marked place of line 1 is still open here; put <!-- /symparam --> after its content",
        ),
        (
            MARKDOWN,
            "<!-- symparam derive a -->\n",
            "page.md:1:1: '<!-- symparam derive a -->' is not a mark; <!-- symparam: derive MODEL --> or <!-- /symparam --> is expected",
        ),
        (MARKDOWN, "<!-- /symparam: -->\n", "page.md:1:1: '<!-- /symparam: -->' is not a mark"),
        (MARKDOWN, "<!-- /symparam 12 -->\n", "page.md:1:1: '<!-- /symparam 12 -->' is not a mark"),
        (LATEX, "\n% symparam: derive a\n", "page.md:2:1: this marked place is not closed; put % /symparam after its content"),
        (RST, "\n.. /symparam\n", "page.md:2:1: this mark closes nothing; remove it, or put .. symparam: ... before it"),
        (MARKDOWN, "<!-- symparam: a --><!-- /symparam -->" * 1001, "page.md: the page has 1,001 marked places; at most 1,000 are filled"),
    ],
)
def test_marks_that_do_not_belong_together(language: Language, text: str, message: str) -> None:
    with pytest.raises(DocumentError) as error:
        found(text, language)
    assert str(error.value).startswith(message)


def test_the_language_of_a_page() -> None:
    assert [language_of(path) for path in ("a.md", "b/A.MD", "a.rst", "a.tex", "a.ipynb", "a.html")] == [
        MARKDOWN,
        MARKDOWN,
        RST,
        LATEX,
        MARKDOWN,
        HTML,
    ]
    for path in ("a.txt", "Makefile"):
        with pytest.raises(DocumentError, match=r"pages end in \.md, \.markdown, \.ipynb, \.rst, \.tex, \.html"):
            language_of(path)


def test_a_digest_knows_words_from_their_margin_and_the_blanks_around() -> None:
    plain = digest_of("a\n\n  b")
    assert plain == digest_of("\n\na  \r\n\n  b\n") == digest_of("\n> a\n>\n>   b\n", "> ") == digest_of("    a\n\n      b\n    ", "    ")
    assert len(plain) == 8
    assert plain not in (digest_of("a\n\nb"), digest_of("a\n  b"), digest_of(""))


@given(st.lists(st.sampled_from(["<!-- symparam: derive a -->", "<!-- /symparam -->", "```", "`", "\n", "> ", "x", "~~~", "<!--", "-->"])))
def test_whatever_the_page_the_places_are_apart_and_in_order(pieces: list[str]) -> None:
    text = "".join(pieces)
    try:
        places = found(text)
    except DocumentError:
        return
    at = 0
    for mark in places:
        assert at <= mark.start < mark.inside[0] <= mark.inside[1] < mark.end <= len(text)
        assert text[mark.start :].startswith("<!-- symparam: derive a -->")
        assert text[mark.inside[1] : mark.end] == "<!-- /symparam -->"
        at = mark.end


def test_the_checker_knows_every_command_that_a_place_may_hold() -> None:
    assert set(ASKED) == set(QUERIES)
