"""Writes a LaTeX document that compiles as it is, in English with any TeX engine and in Chinese with XeLaTeX, or a part of another one."""

from __future__ import annotations

from dataclasses import replace

from symparam.core.formula import Formula, Quotient
from symparam.core.frozen import frozen
from symparam.core.notation import LATEX, Notation
from symparam.writing import widths
from symparam.writing.breaking import aligned
from symparam.writing.document import Chain, Diagram, Document, Entry, Heading, Paragraph, Shares, Table
from symparam.writing.latex.diagrams import diagram, shares
from symparam.writing.latex.inline import EAST_ASIAN, escaped, inline, piece, render
from symparam.writing.latex.tables import GAP, Page, table
from symparam.writing.phrases import phrases

_ENGLISH = "\\documentclass{article}\n\\usepackage{iftex}\n\\ifPDFTeX\\usepackage[T1]{fontenc}\\fi"
_EAST_ASIAN_CLASS = "% Compile with xelatex.\n\\documentclass[fontset=fandol,zihao=false{scheme}]{{ctexart}}"
_PACKAGES = """\
\\usepackage{lmodern}
\\usepackage[a4paper,margin=22mm]{geometry}
\\usepackage[fleqn]{amsmath}
\\usepackage{array,booktabs,longtable}
\\setlength{\\mathindent}{1.5em}
\\pagestyle{plain}"""
_LENGTHS = f"""\
\\setlength{{\\tabcolsep}}{{{GAP // 2}pt}}
\\setlength{{\\parindent}}{{0pt}}
\\setlength{{\\parskip}}{{0.5\\baselineskip}}
\\setlength{{\\LTpre}}{{\\smallskipamount}}
\\setlength{{\\LTpost}}{{\\smallskipamount}}
\\setlength{{\\emergencystretch}}{{8em}}
\\clubpenalty=10000
\\widowpenalty=10000
\\allowdisplaybreaks[1]"""
_NEEDED = "% Needs \\usepackage{amsmath,array,booktabs,longtable}, and with pdfLaTeX \\usepackage[T1]{fontenc}."
_NEEDED_EAST_ASIAN = "% Needs XeLaTeX and \\usepackage{ctex,amsmath,array,booktabs,longtable}."


@frozen
class _Place:
    """The layout of the text: the page, and the heading command of each level."""

    page: Page
    headings: tuple[str, ...]

    @property
    def line(self) -> float:
        """The width of a displayed formula in em: without its indent, and with a margin, as widths are estimates."""
        return self.page.width / self.page.type / 10 - 5

    def heading(self, level: int) -> str:
        """The command of a heading; all levels below the last one use the same."""
        return self.headings[min(level, len(self.headings)) - 1]


_PAGE = _Place(Page(166 * 72.27 / 25.4), ("section*", "subsection*", "subsubsection*", "paragraph*"))  # A4 without its margins.
_APPENDIX = _Place(
    Page(345), ("subsection*", "subsubsection*", "paragraph*")
)  # The line width of an article; hardly any class has shorter lines.
_EAST_ASIAN_APPENDIX = replace(_APPENDIX, page=Page(345, 1.054))  # By default ctex uses 10.54 points instead of article's 10.


def document(page: Document, fragment: bool = False) -> str:
    """The document as a complete LaTeX file, or as a ``fragment`` for another one.

    A fragment begins with a comment on the packages it needs, and fits lines of 345 points, which most one-column classes have.
    """
    east_asian_words = phrases(page.language).east_asian
    place = (_EAST_ASIAN_APPENDIX if east_asian_words else _APPENDIX) if fragment else _PAGE
    text = "\n\n".join(_body(page, place))
    east_asian = east_asian_words or bool(EAST_ASIAN.search(text))
    if fragment:
        needed = _NEEDED_EAST_ASIAN if east_asian else _NEEDED
        return "\n".join([needed, "\\begingroup", _LENGTHS, "", text, "", "\\endgroup"]) + "\n"
    begun = _EAST_ASIAN_CLASS.format(scheme="" if east_asian_words else ",scheme=plain") if east_asian else _ENGLISH
    return "\n\n".join([begun, f"{_PACKAGES}\n{_LENGTHS}", "\\begin{document}", text, "\\end{document}"]) + "\n"


def _body(page: Document, place: _Place) -> list[str]:
    notation = LATEX.using(page.alphabet)
    body: list[str] = []
    nodes = page.without_links
    for before, node in zip((None, *nodes), nodes, strict=False):
        match node:
            case Heading(level, words):
                body.append(f"\\{place.heading(level)}{{{escaped(words)}}}")
            case Paragraph(line):
                body.append(inline(line, notation))
            case Table():
                body.append(table(node, notation, place.page))
            case Chain() if body and isinstance(before, Paragraph):
                body[-1] += "\n" + _display(node, notation, place)
            case Chain():
                # If no line precedes it, TeX would insert an empty one.
                body.append("\\vspace{-\\baselineskip}\n" + _display(node, notation, place))
            case Entry():
                body.append(_entry(node, notation, place))
            case Diagram():
                body.append(diagram(node, notation, place.page))
            case Shares():
                body.append(shares(node, notation, place.page))
    return body


def _entry(entry: Entry, notation: Notation, place: _Place) -> str:
    where = f" {piece(entry.place, notation)}" if entry.place else ""
    text = f"\\textbf{{{escaped(entry.title)}}}{where}\\\\*\n{inline(entry.reason, notation)}"
    return f"{text}\n{_display(entry.chain, notation, place)}" if entry.chain else text


def _fitting(formula: Formula, notation: Notation, line: float) -> str:
    """The formula; a fraction wider than the line is written with a slash, as lines can break inside brackets but not inside fractions."""
    whole = render(formula, notation)
    if not isinstance(formula, Quotient) or widths.formula(whole) <= line:
        return whole
    return f"({render(formula.numerator, notation)}) / ({render(formula.denominator, notation)})"


def _display(node: Chain, notation: Notation, place: _Place) -> str:
    rows = aligned([_fitting(formula, notation, place.line) for formula in node.formulas], place.line)
    return "\\begin{align*}\n" + " \\\\\n".join(rows) + "\n\\end{align*}"
