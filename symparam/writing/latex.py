"""A LaTeX document that compiles as it is: with any TeX engine in English, with XeLaTeX in Chinese."""

from __future__ import annotations

import re
from collections import Counter
from operator import truediv

from symparam.formula import Formula, write, write_apart
from symparam.notation import LATEX, Notation
from symparam.writing import widths
from symparam.writing.breaking import aligned
from symparam.writing.document import Chain, Code, Document, Entry, Heading, Inline, Line, Paragraph, Shape, Table

_SPECIAL = {
    "\\": "\\textbackslash{}",
    "{": "\\{",
    "}": "\\}",
    "$": "\\$",
    "&": "\\&",
    "#": "\\#",
    "%": "\\%",
    "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}",
    "<": "\\textless{}",
    ">": "\\textgreater{}",
    "|": "\\textbar{}",
    "`": "\\textasciigrave{}",
    '"': "\\textquotedbl{}",
    "×": "\\ensuremath{\\times}",
    "−": "\\ensuremath{-}",
    "²": "\\textsuperscript{2}",
    # A line may break behind these, without a hyphen that would look like a part of the name.
    "_": "\\_\\allowbreak{}",
    "/": "/\\allowbreak{}",
    # Behind the \\ of a row these would be read as its argument and its star.
    "[": "{[}",
    "*": "{*}",
}
_LIGATURES = re.compile(r"(?<=-)(?=-)|(?<=')(?=')|(?<=,)(?=,)")  # Signs that TeX would join into another: --, '' and ,,.
_PLAIN = re.compile(r"(?![ĦħĲĳĸĿŀŉŦŧſ])[\x00-\u017f–—‘’“”…×−]")  # What pdfTeX and XeTeX have letters for.
_EAST_ASIAN = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")
_GREEK = dict(
    zip(
        "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΥΦΨΩ",
        [
            "alpha",
            "beta",
            "gamma",
            "delta",
            "epsilon",
            "zeta",
            "eta",
            "theta",
            "iota",
            "kappa",
            "lambda",
            "mu",
            "nu",
            "xi",
            "pi",
            "rho",
            "sigma",
            "tau",
            "upsilon",
            "phi",
            "chi",
            "psi",
            "omega",
            "Gamma",
            "Delta",
            "Theta",
            "Lambda",
            "Xi",
            "Pi",
            "Sigma",
            "Upsilon",
            "Phi",
            "Psi",
            "Omega",
        ],
        strict=True,
    )
)

_ENGLISH = "\\documentclass{article}\n\\usepackage{iftex}\n\\ifPDFTeX\\usepackage[T1]{fontenc}\\fi"
_EAST_ASIAN_CLASS = "% Compile with xelatex.\n\\documentclass[fontset=fandol,zihao=false{scheme}]{{ctexart}}"
_PREAMBLE = """\
\\usepackage{lmodern}
\\usepackage[a4paper,margin=22mm]{geometry}
\\usepackage[fleqn]{amsmath}
\\usepackage{array,booktabs,longtable}
\\setlength{\\parindent}{0pt}
\\setlength{\\parskip}{0.5\\baselineskip}
\\setlength{\\mathindent}{1.5em}
\\setlength{\\LTpre}{\\smallskipamount}
\\setlength{\\LTpost}{\\smallskipamount}
\\setlength{\\emergencystretch}{8em}
\\pagestyle{plain}
\\clubpenalty=10000
\\widowpenalty=10000
\\allowdisplaybreaks[1]"""

PAGE = 166 * 72.27 / 25.4  # The width of the text in points: A4 without its margins.
LINE = PAGE / 10 - 5  # The width of a displayed formula in em: without its indent, and with something left for what is guessed.
SIZES = {"small": 9.25, "footnotesize": 8.5, "scriptsize": 8.0}  # The type of tables, and how many points its em has.
GAP = 12  # Points between two columns.


def document(page: Document) -> str:
    """The document as a complete LaTeX file."""
    notation = LATEX.using(page.alphabet)
    body = []
    for before, node in zip((None, *page.nodes), page.nodes, strict=False):
        match node:
            case Heading(1, words):
                body.append(f"\\section*{{{escaped(words)}}}")
            case Heading(_, words):
                body.append(f"\\subsection*{{{escaped(words)}}}")
            case Paragraph(line):
                body.append(_inline(line, notation))
            case Table():
                body.append(_table(node, notation))
            case Chain() if body and isinstance(before, Paragraph):
                body[-1] += "\n" + _display(node, notation)
            case Chain():
                # Where no line is above it, TeX would leave an empty one.
                body.append("\\vspace{-\\baselineskip}\n" + _display(node, notation))
            case Entry():
                body.append(_entry(node, notation))
    text = "\n\n".join(body)
    return "\n\n".join([_class(page.language, text), _PREAMBLE, "\\begin{document}", text, "\\end{document}"]) + "\n"


def _class(language: str, text: str) -> str:
    """The document class; names in Chinese make XeLaTeX necessary in English too."""
    if language == "en" and not _EAST_ASIAN.search(text):
        return _ENGLISH
    return _EAST_ASIAN_CLASS.format(scheme="" if language == "zh" else ",scheme=plain")


def escaped(words: str) -> str:
    """Words that come out as they are, whatever signs of TeX are among them; control characters are left out."""
    return "".join(map(_escaped, _LIGATURES.sub("\0", words)))


def _escaped(character: str) -> str:
    if character == "\0":
        return "{}"
    if not character.isprintable():
        return ""
    if not _PLAIN.match(character) and not _EAST_ASIAN.match(character) and character not in _SPECIAL:
        # No font of the document has it, and TeX would leave it out without a word or stop.
        return f"{{[}}U+{ord(character):04X}]"
    return _SPECIAL.get(character, character)


def _inline(line: Line, notation: Notation) -> str:
    return "".join(_piece(piece, notation) for piece in line)


def _piece(piece: Inline, notation: Notation) -> str:
    match piece:
        case str():
            return escaped(piece)
        case Code(name):
            return "\\texttt{" + escaped(name).replace(".", ".\\allowbreak{}").replace("'", "\\textquotesingle{}") + "}"
    return f"${_written(piece, notation)}$"


def _written(piece: Formula | Shape, notation: Notation) -> str:
    written = write_apart(piece.sizes, notation) if isinstance(piece, Shape) else write(piece, notation)
    return re.sub(r"[^\x00-\x7f]", lambda letter: _foreign(letter[0]), written)


def _foreign(letter: str) -> str:
    """A letter of a name that no font of mathematics has, in a formula or in the words of one."""
    return f"\\ensuremath{{\\{_GREEK[letter]}}}" if letter in _GREEK else f"\\text{{{_escaped(letter)}}}"


def _entry(entry: Entry, notation: Notation) -> str:
    place = f" {_piece(entry.place, notation)}" if entry.place else ""
    text = f"\\textbf{{{entry.number}\\enspace {escaped(entry.title)}}}{place}\\\\*\n{_inline(entry.reason, notation)}"
    return f"{text}\n{_display(entry.chain, notation)}" if entry.chain else text


def _display(node: Chain, notation: Notation) -> str:
    rows = aligned([_written(formula, notation) for formula in node.formulas], LINE)
    return "\\begin{align*}\n" + " \\\\\n".join(rows) + "\n\\end{align*}"


def _table(node: Table, notation: Notation) -> str:
    size, room = _columns(node, notation)
    columns = "".join(
        f">{{\\ragged{'left' if column in node.numeric else 'right'}\\hangindent=1em\\arraybackslash}}p{{{int(width)}pt}}"
        for column, width in enumerate(room)
    )
    head = " & ".join(escaped(words) for words in node.header) + " \\\\"
    rows = [" & ".join(_cell(cell, notation) for cell in row) + " \\\\" for row in node.rows]
    return "\n".join(
        [
            f"{{\\{size}\n\\begin{{longtable}}[l]{{@{{}}{columns}@{{}}}}",
            "\\toprule",
            head,
            "\\midrule",
            "\\endhead",
            *rows,
            "\\bottomrule",
            "\\end{longtable}}",
        ]
    )


def _cell(line: Line, notation: Notation) -> str:
    depth, line = _indented(line)
    return (f"\\hangindent={depth + 1}em\\hspace*{{{depth}em}}" if depth else "") + _inline(line, notation)


def _indented(line: Line) -> tuple[int, Line]:
    """How deep the leading spaces say that the cell lies, and the cell without them."""
    if not line or not isinstance(line[0], str):
        return 0, line
    words = line[0].lstrip(" ")
    return (len(line[0]) - len(words)) // 2, (words, *line[1:])


def _columns(node: Table, notation: Notation) -> tuple[str, list[float]]:
    """The largest size of type that will do for a table, and the widths of its columns in points.

    They are fixed here, as TeX would need a second run to find them out, and would show the table awry after the first.
    """
    rows = [tuple((words,) for words in node.header), *node.rows]
    needed = [[_width(cell, notation) for cell in row] for row in rows]
    whole = [max(column) for column in zip(*needed, strict=True)]
    least = [max(_least(cell, notation) for cell in column) for column in zip(*rows, strict=True)]
    for size, em in SIZES.items():
        room = (PAGE - GAP * (len(whole) - 1)) / em
        if sum(whole) <= room:
            return size, [width * em for width in whole]
        if size != "small" and sum(least) <= room:
            break
    return size, [width * em for width in _shared(needed, [min(pair) for pair in zip(least, whole, strict=True)], room)]


def _shared(rows: list[list[float]], columns: list[float], room: float) -> list[float]:
    """The least widths of the columns, widened until the room is filled: step by step the one that makes the table lowest."""
    different = Counter(map(tuple, rows))

    def height(columns: list[float]) -> float:
        return sum((max(1.0, *map(truediv, row, columns)) * times for row, times in different.items()), 0.0)

    while sum(columns) + 1 <= room:
        columns = min(([*columns[:index], width + 1, *columns[index + 1 :]] for index, width in enumerate(columns)), key=height)
    return columns


def _width(line: Line, notation: Notation) -> float:
    depth, line = _indented(line)
    return depth + 0.3 + sum(_piece_width(piece, notation) for piece in line)


def _least(line: Line, notation: Notation) -> float:
    depth, line = _indented(line)
    longest = 0.0
    for piece in line:
        if isinstance(piece, str | Code):
            words = piece if isinstance(piece, str) else piece.text
            parts = re.findall(r"[^\s./_]*[./_]?" if isinstance(piece, Code) else r"[\u3000-\u9fff]|[^\s/_\u3000-\u9fff]*[/_]?", words)
            found = [_piece_width(part if isinstance(piece, str) else Code(part), notation) for part in parts]
        else:
            # TeX breaks a formula behind its signs, so that each stays with what is before it.
            found = [widths.formula(part) + widths.SIGN for part in re.split(r" (?:[+-]|\\times) ", _written(piece, notation))]
        longest = max(longest, *found)
    return depth + 1.3 + longest


def _piece_width(piece: Inline, notation: Notation) -> float:
    match piece:
        case str():
            return widths.words(piece)
        case Code(name):
            return widths.code(name)
    return widths.formula(_written(piece, notation))
