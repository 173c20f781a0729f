"""Repairs pages copied from a browser, which hold each formula three times: rendered, as TeX, and rendered again.

A formula of KaTeX or MathJax is copied as ``4×7682=2,359,2964 \\times 768^2 = 2,359,2964×7682=2,359,296``. The TeX is what the author
wrote; the rendered copies have lost their exponents, and their ends run into each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from symparam.documents.reading.unit_senses import HOUR, unit_of
from symparam.documents.rules.rule import applies
from symparam.documents.words import has_decimal_commas

MAX_LINE = 1_000  # Characters of a line; a longer one is not a copied formula.
_MOST_TRIED = 8  # Signs at which a repetition is looked for; a formula has few.
_SHORTEST = 3  # Characters of a formula: H×H.
_COPIED = re.compile(r"(?m)^(?=[^\n$]*[×·⋅])[^\n$]*\\(?:times|cdot)(?![a-z])")  # Bare TeX beside a sign that is not TeX.
_PIECE = re.compile(r"\\(times|cdot|approx|div|to|rightarrow|leq|geq)(?![A-Za-z])|\\(?:text|mathrm)(?![A-Za-z])|[\s{}^_\u200b\\]|.")
_RENDERED = {"times": "×", "cdot": "·", "approx": "≈", "div": "÷", "to": "→", "rightarrow": "→", "leq": "≤", "geq": "≥"}
_ALIKE = str.maketrans({"⋅": "·", "−": "-", "–": "-"})
_SIGNS = frozenset("×·=≈→+")
_EQUALS = frozenset("=≈")

_DOUBLED = re.compile(
    r"(?<!\\)\\\\"
    r"(?=(?:times|cdot|approx|frac|dfrac|text|mathrm|mathbf|div|quad|left|right|sqrt|sum|log|mathcal|sim|leq|geq|to)(?![A-Za-z]))"
    r"|(?<=\d)\\\\(?=%[$).,;])"  # Before other text the percent sign begins a comment of TeX.
)
_COLOUR = re.compile(r"\\(?:text)?color\s{0,3}\{[^{}\n]{0,40}\}")
_ESCAPED = re.compile(r"\\(?=[()\[\]])")


def without_copying_artefacts(text: str) -> str:
    """The page with what copying added to its formulas replaced by spaces: the second backslash of ``\\\\times``, colours, and the
    backslashes of escaped brackets that do not delimit a formula.
    """
    if "\\" not in text:
        return text
    if "\\\\" in text:
        text = _DOUBLED.sub(lambda match: " \\" if applies("doubled-backslash", match.start()) else match[0], text)
    if "color" in text:
        text = _COLOUR.sub(lambda match: " " * len(match[0]) if applies("colour", match.start()) else match[0], text)
    if "\\)" not in text and "\\]" not in text:
        return text
    return "\n".join(_ESCAPED.sub(" ", line) if _is_escaped(line) and applies("escaped-bracket", at) else line for at, line in _lines(text))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Each line with its offset."""
    at = 0
    for line in text.split("\n"):
        yield at, line
        at += len(line) + 1


def _is_escaped(line: str) -> bool:
    """Whether the line has escaped brackets that do not delimit a formula."""
    if "\\)" not in line and "\\]" not in line:
        return False
    return any(line.count("\\" + one) != line.count("\\" + other) for one, other in ("()", "[]")) and line.strip() not in ("\\]", "\\)")


# The first digit comes first, and the lookbehind after it, as a search finds the next digit quickly.
_COMMA = re.compile(
    r"\d(?<![\w.,({\[+-].)\d{0,2}(?:(?:\.\d{3}){2,}(?:,\d+)?|(?:\.\d{3})*,\d{1,2}|(?:\.\d{3})+,\d+)(?![\w.,)}\]]{0,60}[\d,)}\]])"
)
_POINT = re.compile(r"(?<![\w.,({\[+-])(?:\d{1,3}(?:,\d{3}){2,}(?:\.\d+)?|\d+\.\d{1,2}|\d{1,3}(?:,\d{3})+\.\d+)(?![\w.,]{0,60}[\d,])")
_WHOLE = re.compile(r"\d(?<![\w.,].)\d{0,2}(?:\.\d{3}\s[Pp]ar[aáâ]m|,\d{1,2}\s(?:[KMGT](?:i?B|o)|[Mm]io|Mrd|[Mm]illi|octets|Bytes)(?!\w))")
"""A number that is whole, as it counts parameters, or with a comma and a unit: 786.432 parámetros, 14,48 GB."""
_WITH_COMMA = re.compile(r"(?<![\w.,])\d+(?:\.\d{3})*(?:,\d+)?(?![^\W⁰¹²³⁴⁵⁶⁷⁸⁹]|[.,]\d)")
_OF_DEVICE = re.compile(r"(?<=\d )[A-Z]{1,4}\d{0,4}-(?=([^\W\d_]+))")
_TUPLE = re.compile(r"[(\[{]\d+(?:,\d+)+[)\]}]")
_SWAPPED = str.maketrans(".,", ",.")


def with_decimal_points(text: str) -> str:
    """The page with decimal points for decimal commas, and commas for points between thousands: ``2.048`` as ``2,048``.

    A page uses one convention, which is found from the numbers that can be read in only one; tuples such as (2,4) make commas doubtful.
    """
    commas = len(_COMMA.findall(text)) + 2 * len(_WHOLE.findall(text))
    if not commas and _ANY_SPACE.search(text) and has_decimal_commas(text):
        commas = len(_GROUPED.findall(text))  # Spaces separate its thousands.
    if (
        (commas < 2 and not (commas and has_decimal_commas(text)))
        or commas < 3 * len(_POINT.findall(text))
        or commas <= len(_TUPLE.findall(text))
    ):
        return text
    return _WITH_COMMA.sub(lambda match: match[0].translate(_SWAPPED), text)


_SPACED = re.compile(r"[1-9](?<![\w.,].)(?<!\d .)\d{0,2}(?:(?:[\u202f\u00a0\u2009]\d{3})+|(?: \d{3}){2,})(?![\w]| \d|[.,]\d)")
_ONE_SPACE = re.compile(
    r"([1-9](?<![\w.,].)(?<!\d .)\d{0,2}) (\d{3})(?=[ ~]?(?:[×·⋅*+/÷−=≈^⁰¹²³⁴⁵⁶⁷⁸⁹)]|\\(?:times|cdot|approx)(?![a-z])))"
)
_ANY_SPACE = re.compile(r"([1-9](?<![\w.,].)(?<!\d .)\d{0,2}) (\d{3})(?![\w]| \d|[.,]\d)")
_GROUPED = re.compile(r"\d,\d{3}(?![\d.,]{0,60}\d)")
FIGURE_SPACE = "\u2007"


def with_figure_spaces(text: str) -> str:
    """The page with figure spaces between the thousands of ``30 522 ×``, if it has numbers that show that it separates thousands by spaces.

    Elsewhere such a space separates two numbers as often. In a language with decimal commas whatever may be one number is.
    """
    if _ANY_SPACE.search(text) and not _GROUPED.search(text) and has_decimal_commas(text):
        return _ANY_SPACE.sub(rf"\1{FIGURE_SPACE}\2", text)
    found = len(_SPACED.findall(text))
    if not found or found <= len(_POINT.findall(text)):
        return text
    return _ONE_SPACE.sub(rf"\1{FIGURE_SPACE}\2", text)


def with_device_times(text: str) -> str:
    """The page with spaces for the device in ``3,790 GPU-hours``, which are hours."""
    return _OF_DEVICE.sub(lambda match: "\u00a0" * len(match[0]) if _is_time(match[1]) else match[0], text)


def _is_time(word: str) -> bool:
    found = HOUR if word == "h" else (unit_of(word) or (None,))[0]
    return found is not None and found.counted == "seconds"


def without_copies(text: str) -> str:
    """The page with the rendered copies around TeX replaced by spaces, so that each formula remains once.

    Offsets do not change. Text that is not the same three times is kept.
    """
    if ("\\times" not in text and "\\cdot" not in text) or not _COPIED.search(text):
        return text
    return "\n".join(_once(at, line) if 0 < len(line) <= MAX_LINE and "$" not in line else line for at, line in _lines(text))


def is_doubled(chain: str) -> bool:
    """Whether an equation is there several times in a row, in which its minus signs and spaces may differ: ``8−3=58 - 3 = 5``."""
    signs = "".join(chain.split()).translate(_ALIKE)
    size = (signs + signs).find(signs, 1)
    return size < len(signs) and not _EQUALS.isdisjoint(signs[:size])


def _once(at: int, line: str) -> str:
    pieces = [match for match in _PIECE.finditer(line) if match[1] or not _is_mark(match[0])]
    written = [_RENDERED[match[1]] if match[1] else match[0].translate(_ALIKE) for match in pieces]
    starts, ends = [match.start() for match in pieces], [match.end() for match in pieces]
    for begin, size in _tripled(written):
        rendered, tex, again = (line[starts[place] : ends[place + size - 1]] for place in range(begin, begin + 3 * size, size))
        if rendered == again and rendered != tex and "\\" not in rendered and applies("rendered-copies", at + starts[begin + size]):
            for copy in (begin, begin + 2 * size):
                first, last = starts[copy], ends[copy + size - 1]
                line = line[:first] + " " * (last - first) + line[last:]
    return line


def _is_mark(piece: str) -> bool:
    """Whether a character or command is invisible when rendered: a space, a brace, the sign of an exponent, a command for letters."""
    return piece[0] in "{}^_\u200b\\" or piece.isspace()


def _tripled(written: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The start and the length of a text that occurs three times in a row."""
    signs = [at for at, sign in enumerate(written) if sign in _SIGNS]
    behind = 0
    for index, at in enumerate(signs):
        for before in reversed(signs[max(0, index - _MOST_TRIED) : index]):
            size = at - before
            if size < _SHORTEST or before < behind:
                continue
            first, end = at, at
            while first - size > behind and written[first - 1] == written[first - 1 - size] and end - first <= 2 * size:
                first -= 1
            while end < len(written) and written[end] == written[end - size] and end - first <= 2 * size:
                end += 1
            if end - first == 2 * size:
                yield first - size, size
                behind = end
            if end - first >= 2 * size:
                break  # The period of the text; a longer text repeats it.


def without_math_roles(text: str) -> str:
    """The page with spaces in place of the names of roles of reStructuredText before formulas: ``:math:`12H^2```."""
    return text.replace(":math:`", "      `") if ":math:`" in text else text
