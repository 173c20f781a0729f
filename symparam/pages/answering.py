"""Writes the content of a marked place: the answer to its command, in the language of its page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from html import escape
from pathlib import Path

from symparam.commands.numbers import counted
from symparam.commands.queries import Answer
from symparam.core.frozen import frozen
from symparam.core.notation import UNICODE
from symparam.errors import DocumentError, listed, shorten
from symparam.pages.languages import HTML, LATEX, MARKDOWN, RST, Language
from symparam.pages.question import Question, read_question
from symparam.results.count import CountResult
from symparam.results.derive import DeriveResult
from symparam.results.draw import DrawResult
from symparam.results.result import Result
from symparam.writing import latex, markdown, rst
from symparam.writing.completeness import sentences
from symparam.writing.document import Document, Heading
from symparam.writing.phrases import phrases


@frozen
class AnswerContext:
    """Where an answer goes: the language of the page, its folder, whether the place is within a line, the level of the heading above it,
    and the dialect of Markdown to use if the place names none.
    """

    language: Language
    folder: Path
    inline: bool
    level: int = 0
    dialect: str = "tex"


def answered(words: str, around: AnswerContext) -> str:
    """The content of the place. Raises `SymparamError`, also for a format that the page cannot show there."""
    question = read_question(words)
    found = question.answer(around.folder)
    written = question.format or _usual(found, question, around)
    dialect = question.dialect or around.dialect
    if question.dialect and around.language is not MARKDOWN:
        raise DocumentError(f"--dialect {question.dialect} applies only to Markdown, but this page is {around.language.name}; leave it out")
    if question.label and not isinstance(found, DeriveResult):
        raise DocumentError("--label applies only to the formula of derive; leave it out")
    if found.missing and not question.allow_incomplete:
        lacks = "; ".join(sentences(found.missing, phrases("en")))
        raise DocumentError(f"the number is incomplete ({shorten(lacks, 300)}); complete it, or show it anyway with --allow-incomplete")
    if written == "number":
        return _substituted(_number(found, question), question, around)
    for option in ("unit", "digits", "substitution"):
        if getattr(question, option) is not None:
            raise DocumentError(
                f"--{option} applies only to a number; ask for one with count, and --format number where it stands on lines of its own"
            )
    if isinstance(found, DeriveResult):
        return _formula(found, written, dialect, question.label, around)
    if isinstance(found, DrawResult):
        return _drawing(found, question, around)
    if not isinstance(found, Result):
        raise DocumentError(f"{question.command} makes a page of its own; write it to a file with -o, and link to it")
    if around.inline:
        raise DocumentError(f"{question.command} gives more than fits in a line; put both marks on lines of their own")
    return _document(found, written, dialect, around)


def _usual(found: object, question: Question, around: AnswerContext) -> str:
    """The default format of the place: a number for ``count`` within a line, otherwise a formula within a line, otherwise the format of the
    page itself.

    In LaTeX ``count`` always gives a number: marks are comments there, which end their lines, so no place is within a line.
    """
    rounded = any(each is not None for each in (question.unit, question.digits, question.substitution))
    if isinstance(found, CountResult) and (around.inline or rounded or around.language is LATEX):
        return "number"
    if around.language is HTML:
        return "mathml" if isinstance(found, DeriveResult) else "html"
    return {MARKDOWN: "markdown", LATEX: "latex", RST: "rst"}[around.language]


def _number(found: Answer, question: Question) -> str:
    return counted(found).number(question.unit, question.digits)


def _substituted(number: str, question: Question, around: AnswerContext) -> str:
    name = question.substitution
    if name is None:
        return number
    if around.language is not RST:
        raise DocumentError(
            f"--substitution is only for reStructuredText, but this page is {around.language.name}; put the place within a line"
        )
    return f".. |{name}| replace:: {number}"


def _drawing(found: DrawResult, question: Question, around: AnswerContext) -> str:
    """A drawing, if the page can hold one: SVG in HTML, TikZ in LaTeX."""
    written = {HTML: "svg", LATEX: "latex"}.get(around.language)
    if written is None or around.inline or question.format not in (None, written):
        raise DocumentError("this page can show a drawing only as a picture; write it to a file with symparam draw -o FILE.svg")
    return found.write(written, fragment=written == "latex").strip("\n")


def _formula(found: DeriveResult, format: str, dialect: str, label: str | None, around: AnswerContext) -> str:
    """A formula in the page's own notation for mathematics, unless another format is named."""
    own = {MARKDOWN: ("markdown", "latex"), RST: ("rst", "latex"), LATEX: ("latex",), HTML: ("mathml", "html")}[around.language]
    if label and (format not in own or around.language not in (MARKDOWN, RST) or around.inline):
        raise DocumentError("--label applies only to a displayed formula in reStructuredText or in MyST's Markdown; leave it out")
    if format not in own:
        return _as_code(found.write(format).strip("\n"), format, around)
    bound = "" if found.complete else "at least " if around.inline else "At least:\n\n"
    match around.language.name:
        case MARKDOWN.name:
            formula = bound + markdown.formula(found.formula, found.alphabet, dialect, display=not around.inline, label=label)
        case RST.name:
            formula = bound + rst.display((found.formula,), found.alphabet, label).rstrip("\n")
        case LATEX.name:
            remark = f"% It holds where {listed(found.model.conditions)}.\n" if found.model.conditions else ""
            return remark + found.latex  # The author writes what surrounds it, such as a numbered equation.
        case _:
            formula = found.write("mathml").strip()
    return formula + _rests_on(found.model.conditions, around)


def _rests_on(conditions: tuple[str, ...], around: AnswerContext) -> str:
    """The conditions of a traced class's formula, written after it: `` (where `H % h == 0`)``."""
    if not conditions:
        return ""
    marked = {MARKDOWN: "`{}`", RST: "``{}``", HTML: "<code>{}</code>"}[around.language]
    shown = listed([marked.format(escape(each, quote=False) if around.language is HTML else each) for each in conditions])
    if around.inline or around.language is HTML:
        return f" (where {shown})"
    return f"\n\nIt holds where {shown}."


def _document(found: Result, format: str, dialect: str, around: AnswerContext) -> str:
    page = _below(found.document, around.level)
    own: dict[tuple[Language, str], Callable[[], str]] = {
        (MARKDOWN, "markdown"): lambda: markdown.document(page, dialect),
        (RST, "rst"): lambda: rst.document(page),
        (LATEX, "latex"): lambda: latex.document(page, fragment=True),
        (MARKDOWN, "html"): lambda: found.write("html", fragment=True),
        (HTML, "html"): lambda: found.write("html", fragment=True),
        (HTML, "mathml"): lambda: found.write("mathml"),
    }
    if (around.language, format) in own:
        return own[around.language, format]().strip("\n")
    fragment = format in ("latex", "html")
    return _as_code(found.write(format, UNICODE, fragment=fragment).strip("\n"), format, around)


def _below(page: Document, level: int) -> Document:
    """The document with its headings one level below the heading that the place is under."""
    nodes = (replace(node, level=min(node.level + level, 6)) if isinstance(node, Heading) else node for node in page.nodes)
    return replace(page, nodes=tuple(nodes))


def _as_code(text: str, format: str, around: AnswerContext) -> str:
    """The text verbatim, as code."""
    language = around.language
    if language is MARKDOWN and around.inline and "\n" not in text and "`" not in text:
        return f"`{text}`"
    if language is MARKDOWN and not around.inline:
        fence = "```" if "```" not in text else "~~~~~~"
        return f"{fence}{format}\n{text}\n{fence}"
    if language is RST:
        return "::\n\n" + "\n".join(f"   {line}".rstrip() for line in text.split("\n"))
    if language is LATEX and format == "text":
        return f"\\begin{{verbatim}}\n{text}\n\\end{{verbatim}}"
    raise DocumentError(f"--format {format} cannot be shown in this place of a page in {around.language.name}; leave it out")
