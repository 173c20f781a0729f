"""A LaTeX document that compiles as it is: with any TeX engine in English, with XeLaTeX in Chinese."""

from __future__ import annotations

from symparam.formula import Formula, Negative, Sum, write
from symparam.notation import LATEX, UNICODE, Notation
from symparam.writing.document import Chain, Code, Document, Entry, Heading, Inline, Line, Paragraph, Shape, Table
from symparam.writing.text import inline

_SPECIAL = {
    "\\": "\\textbackslash{}", "{": "\\{", "}": "\\}", "$": "\\$", "&": "\\&", "#": "\\#", "%": "\\%", "_": "\\_", "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}", "<": "\\textless{}", ">": "\\textgreater{}", "|": "\\textbar{}", "×": "\\ensuremath{\\times}",
    "−": "\\ensuremath{-}", "²": "\\textsuperscript{2}", "“": "``", "”": "''", "`": "\\textasciigrave{}",
}
_CLASSES = {"en": "\\documentclass{article}\n\\usepackage[T1]{fontenc}", "zh": "% Compile with xelatex.\n\\documentclass[fontset=fandol]{ctexart}"}
_PREAMBLE = (
    "\\usepackage[margin=25mm]{geometry}\n\\usepackage{amsmath,array,booktabs,longtable}\n"
    "\\setlength{\\parindent}{0pt}\n\\setlength{\\parskip}{0.5\\baselineskip}\n\\allowdisplaybreaks"
)
WIDTH = 80  # Characters of a formula's plain text that fit into a line of the page.
TABLE_WIDTH = 78  # The same for all columns of a table together, in the smaller type of tables.


def document(page: Document) -> str:
    """The document as a complete LaTeX file."""
    notation = LATEX.using(page.alphabet)
    body = []
    for node in page.nodes:
        match node:
            case Heading(1, words):
                body.append(f"\\section*{{{escaped(words)}}}")
            case Heading(_, words):
                body.append(f"\\subsection*{{{escaped(words)}}}")
            case Paragraph(line):
                body.append(_inline(line, notation))
            case Table():
                body.append(_table(node, notation))
            case Chain():
                body.append(_display(node, notation))
            case Entry():
                body.append(_entry(node, notation))
    return "\n\n".join([_CLASSES[page.language], _PREAMBLE, "\\begin{document}", *body, "\\end{document}"]) + "\n"


def escaped(words: str) -> str:
    """Words that come out as they are, whatever signs of TeX are among them; control characters are left out."""
    return "".join(_SPECIAL.get(character, character) for character in words if character.isprintable())


def _inline(line: Line, notation: Notation) -> str:
    return "".join(_piece(piece, notation) for piece in line)


def _piece(piece: Inline, notation: Notation) -> str:
    match piece:
        case str():
            return escaped(piece)
        case Code(name):
            # Long names may break behind a dot or an underscore, without a hyphen that would look like part of them.
            return "\\texttt{" + escaped(name).replace(".", ".\\allowbreak{}").replace("\\_", "\\_\\allowbreak{}") + "}"
        case Shape(sizes):
            return "$" + notation.times.join(write(size, notation) for size in sizes) + "$"
    return "$" + write(piece, notation) + "$"


def _display(node: Chain, notation: Notation) -> str:
    rows: list[str] = []
    for index, formula in enumerate(node.formulas):
        first, *more = _lines(formula, notation)
        if index == 0:
            rows.append(f"& {first}" if more or _wide(node.formulas, notation) else first)
        elif index == 1 and not rows[0].startswith("& "):
            rows[0] += f" &= {first}"
        else:
            rows.append(f"&= {first}")
        rows += [f"&\\quad {line}" for line in more]
    return "\\begin{align*}\n" + " \\\\\n".join(rows) + "\n\\end{align*}"


def _wide(formulas: tuple[Formula, ...], notation: Notation) -> bool:
    """Whether the first two formulas are too long to stand side by side."""
    plain = UNICODE.using(notation.alphabet)
    return sum(min(len(write(formula, plain)), WIDTH) for formula in formulas[:2]) > WIDTH


def _lines(formula: Formula, notation: Notation) -> list[str]:
    """The formula, broken before a plus or minus of its outermost sum where it is longer than a line."""
    plain = UNICODE.using(notation.alphabet)
    if not isinstance(formula, Sum) or len(write(formula, plain)) <= WIDTH:
        return [write(formula, notation)]
    lines: list[list[Formula]] = [[]]
    length = 0
    for term in formula.terms:
        size = len(write(term, plain)) + 3
        if lines[-1] and length + size > WIDTH:
            lines.append([])
            length = 0
        lines[-1].append(term)
        length += size
    return [_terms(terms, notation, first=index == 0) for index, terms in enumerate(lines)]


def _terms(terms: list[Formula], notation: Notation, first: bool) -> str:
    # A sum that the line begins with anew takes its sign along; the empty sum before it is never written.
    written = write(Sum(tuple(terms)), notation) if len(terms) > 1 else write(terms[0], notation)
    if first:
        return written
    return written if isinstance(terms[0], Negative) else f"+ {written}"


def _table(node: Table, notation: Notation) -> str:
    widths = [max(len(inline(row[column], UNICODE)) for row in (*node.rows, tuple((words,) for words in node.header))) for column in range(len(node.header))]
    columns = "".join(_column(column, widths, node) for column in range(len(node.header)))
    head = " & ".join(escaped(words) for words in node.header) + " \\\\"
    rows = [" & ".join(_cell(cell, notation) for cell in row) + " \\\\" for row in node.rows]
    return "\n".join([
        f"{{\\small\n\\begin{{longtable}}[l]{{@{{}}{columns}@{{}}}}", "\\toprule", head, "\\midrule", "\\endhead", *rows, "\\bottomrule",
        "\\end{longtable}}",
    ])


def _column(column: int, widths: list[int], node: Table) -> str:
    if column in node.numeric:
        return "r"
    if sum(widths) <= TABLE_WIDTH:
        return "l"
    fixed = sum(width for index, width in enumerate(widths) if index in node.numeric)
    free = sum(width for index, width in enumerate(widths) if index not in node.numeric)
    share = (1 - fixed / TABLE_WIDTH) * widths[column] / free - 0.03
    return f">{{\\raggedright\\arraybackslash}}p{{{share:.3f}\\linewidth}}"


def _cell(line: Line, notation: Notation) -> str:
    first = line[0] if line else ""
    depth = (len(first) - len(first.lstrip(" "))) // 2 if isinstance(first, str) else 0
    return f"\\hspace*{{{depth}em}}" * bool(depth) + _inline(line, notation).lstrip(" ")


def _entry(entry: Entry, notation: Notation) -> str:
    place = f" {_piece(entry.place, notation)}" if entry.place else ""
    text = f"\\textbf{{{entry.number}\\enspace {escaped(entry.title)}}}{place}\\\\\n{_inline(entry.reason, notation)}"
    return f"{text}\n{_display(entry.chain, notation)}" if entry.chain else text
