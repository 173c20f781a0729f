"""What stands in a line of LaTeX: words, names and formulas, whatever signs of TeX are among them."""

from __future__ import annotations

import re

from symparam.core.formula import Formula, write, write_factors
from symparam.core.notation import Notation
from symparam.writing.document import Code, Inline, Line, Shape

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
    "→": "\\ensuremath{\\to}",
    "∞": "\\ensuremath{\\infty}",
    "≈": "\\ensuremath{\\approx}",
    "≤": "\\ensuremath{\\le}",
    # A line may break behind these, without a hyphen that would look like a part of the name.
    "_": "\\_\\allowbreak{}",
    "/": "/\\allowbreak{}",
    # Behind the \\ of a row these would be read as its argument and its star.
    "[": "{[}",
    "*": "{*}",
}
_LIGATURES = re.compile(r"(?<=-)(?=-)|(?<=')(?=')|(?<=,)(?=,)")  # Signs that TeX would join into another: --, '' and ,,.
_PLAIN = re.compile(r"(?![ĦħĲĳĸĿŀŉŦŧſ])[\x00-\u017f–—‘’“”…×−→∞≈≤]")  # What pdfTeX and XeTeX have letters for.
EAST_ASIAN = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")
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


def escaped(words: str) -> str:
    """Words that come out as they are, whatever signs of TeX are among them; control characters are left out."""
    return "".join(map(_escaped, _LIGATURES.sub("\0", words)))


def _escaped(character: str) -> str:
    if character == "\0":
        return "{}"
    if not character.isprintable():
        return ""
    if not _PLAIN.match(character) and not EAST_ASIAN.match(character) and character not in _SPECIAL:
        # No font of the document has it, and TeX would leave it out without a word or stop.
        return f"{{[}}U+{ord(character):04X}]"
    return _SPECIAL.get(character, character)


def inline(line: Line, notation: Notation) -> str:
    """The pieces of a line, one after the other."""
    return "".join(piece(each, notation) for each in line)


def piece(piece: Inline, notation: Notation) -> str:
    """Words, a name, a formula or a shape."""
    match piece:
        case str():
            return escaped(piece)
        case Code(name):
            return "\\texttt{" + escaped(name).replace(".", ".\\allowbreak{}").replace("'", "\\textquotesingle{}") + "}"
    return f"${written(piece, notation)}$"


def written(piece: Formula | Shape, notation: Notation) -> str:
    """A formula or a shape, without the dollar signs around it."""
    tex = write_factors(piece.sizes, notation) if isinstance(piece, Shape) else write(piece, notation)
    return re.sub(r"[^\x00-\x7f]", lambda letter: _foreign(letter[0]), tex)


def _foreign(letter: str) -> str:
    """A letter of a name that no font of mathematics has, in a formula or in the words of one."""
    return f"\\ensuremath{{\\{_GREEK[letter]}}}" if letter in _GREEK else f"\\text{{{_escaped(letter)}}}"
