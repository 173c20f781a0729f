"""Splits a page of running text, Markdown, HTML or LaTeX into tokens that keep their offsets.

Unlike `symparam.core.parsing.lexer`, which reads a line that is a formula, this reads whatever people write, without declarations and
without errors. Mathematics becomes the same tokens as there; the rest becomes ``word``, ``separator``, ``relation`` or ``other``, from
which the reader of claims sees where an expression begins and ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import ascii_letters, digits

from symparam.core.parsing.lexer import Token
from symparam.documents.reading.functions import OF_A_ROOT, SQUARE_ROOT
from symparam.documents.reading.multiplication_x import end_of_times_x, is_comparison_factor, is_factor, is_factor_of_cell, x_means_times
from symparam.documents.reading.number_literals import begins_with_point, hexadecimal, number_end, number_token, spaced_thousands
from symparam.documents.reading.tex_over import OVER, with_fractions
from symparam.documents.rules.notations import notations_in
from symparam.documents.rules.rule import applies

LATIN = "A-Za-zµÀ-ÖØ-öø-ɏͰ-ϿḀ-ỿ"
_WORDING = (
    "text|textrm|textbf|textit|texttt|textsf|mathrm|mathbf|mathit|mathsf|mathtt|mathcal|mathbb|operatorname|boldsymbol|bm|emph|mbox|boxed"
)
_WORDINGS = frozenset(_WORDING.split("|"))
_SIGN_IN_BRACES = re.compile(r"(?<![\^_])\{([=+−-]|\\(?:times|cdot|div|approx))\}")
_INDEX = re.compile(rf"_\{{(?=[^{{}}\n]{{0,60}}[{LATIN}])(?>(?:[^{{}}\n]|\{{[^{{}}\n]{{0,40}}\}}){{1,60}})\}}")  # Of a number.
_GROUP = r"(?:,(?:\\!)?|\{,\}|_|\\,|，|\u202f|\u00a0|\u2009|\u2007|'|’)"

# In each pattern the order matters only between alternatives that can begin with the same character.
_OF_NAMES = rf"""
    (?P<plain>(?<!\d)[A-Za-z]++(?![{LATIN}\d_\\.₀-₉’'‑:-]))
  | (?P<url>https?://\S+|\]\([^()\s]*\))
  | (?P<ordinal>(?:(?<=1)st|(?<=2)nd|(?<=3)rd|(?<=\d)th)(?![A-Za-z_\d^]))
  | (?P<compound>[{LATIN}]{{2,}}+(?:[-’'‑][{LATIN}\d]+)+(?:(?<=\d)\.\d{{1,3}}[BbMm](?![{LATIN}\d]))?(?!_))
  | (?P<name>[{LATIN}_](?:[{LATIN}\d]|\\?_(?=[{LATIN}\d]))*(?:\.[{LATIN}_][{LATIN}\d_]*)*[₀-₉]*)
"""
_OF_NUMBERS = rf"""
    (?P<large>\d{{1,3}}(?:(?:{_GROUP}|[.\ ])\d{{3}}){{100,}}[\d,._'\ ]*+)
  | (?P<malformed>\d{{1,3}}(?:,\d{{3}})+,?\d{{4,}}(?![\d,])|\d{{1,3}}(?:,\d{{3}})*(?:,\d{{4,}}|,\d{{1,2}})(?:,\d{{3}})+(?![\d]))
  | (?P<hexadecimal>0[xX][0-9a-fA-F]{{1,16}}\b)
  | (?P<dated>(?:19|20)\d\d(?P<dash>[-/])[01]\d(?P=dash)[0-3]\d(?![\d/-])|\d{{1,4}}(?:\.\d{{1,4}}){{2,4}}(?!\.?\d)(?<!\.\d{{3}}))
  | (?P<number>
        (?:[1-9]\d{{0,2}}(?P<mark>{_GROUP})\d{{3}}(?:(?P=mark)\d{{3}})*(?!\d|(?P=mark)\d)
          |\d{{1,3}}(?:\.\d{{3}}){{2,}}(?!\.?\d)
          |[1-9]\d{{0,2}}(?:\ \d{{3}}){{2,}}(?!\d|[,.]\d)
          |[1-9]\d{{0,2}}\ \d{{3}}(?=\ (?:octets|paramètres))
          |[1-9]\d{{0,2}}(?:\ ,\ ?\d{{3}})+(?!\d|\ ,)
          |\d+(?:\{{,\}}|,)\d{{1,2}}(?!\d)(?=[eE][+-]?\d{{1,3}}(?!\w)|\s*(?:[%×·*≈=]|\\times|\\cdot|\\approx|[KMGBT]i?[Bb]?\b|mil|bi|Mio|Mrd))
          |\d+)
        (?:\.\d+)?(?:[eE][+-]?\d{{1,3}}(?!\w))?
    )
"""
_ANY = rf"""
    # A thin space beside a name with a subscript multiplies, 3EH I_m N_f, where one behind a number stands before its unit.
    (?P<thin>\u2009(?=[{LATIN}]_)|(?<=[{LATIN})⁰¹²³⁴⁵⁶⁷⁸⁹])\u2009(?=[{LATIN}](?![{LATIN}\d])|\())
  | (?P<space>(?:[^\S\n]|\\[,;:!\ ]|\\(?:q?quad|left|right|[bB]ig+[lr]?|displaystyle|limits|hline|nonumber)(?![A-Za-z])
        |&(?:nbsp|emsp|ensp|thinsp|\#160|\#8201);|[\u200b\ufeff`$]|&(?![a-z#])|\\[()\[\]])+)
  | (?P<newline>\n|\\\\|\\(?:cr|newline)(?![A-Za-z]))
  | {_OF_NAMES} | {_OF_NUMBERS}
  | (?P<sup>⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+|<sup>\s*[-−]?\d{{1,6}}\s*</sup>)
  | (?P<deleted>~~[^~\n]{{1,300}}~~)
  | (?P<tag><!--.{{0,500}}?-->|</?[A-Za-z][^<>\n]*>)
  | (?P<entity>&(?:times|minus|middot|sdot|divide|asymp|approx|\#215|\#8722|\#8776|sup2|sup3);)
  | (?P<ruled>[-−–]{{3,}}(?!>))
  | (?P<option>(?<![^\s`(])(?:--[a-z][a-z-]*|-[a-z](?=\ [A-Za-z_]{{1,20}}=[\w.])))
  | (?P<tie>(?<=[\d$}}])~(?=\\(?:text|math|mbox|rm)|[A-Za-z]{{2}}|[BKMGT](?![A-Za-z\d])))
  | (?P<relation>≈+=?|~=|=~|:=|≃|≅|≒|∼|≡|={{1,2}}(?![=>])|＝|!=|[<>]=?|[+/|^]=|[-*]=|=>|[-−–]{{1,9}}>|→|⇒|⟹|≤|≥|≠|±|～|~)
  | (?P<range>(?:(?<=\d)|(?<=\d[%KMGBTk]))–(?=\d))
  | (?P<power>\*\*)
  | (?P<sign>[-+*/^()\[\]{{}}＋−－–×·⋅∗✕＊÷∕／＾（）［］【】•])
  | (?P<command>\\[A-Za-z]+\*?)
  | (?P<suffix>(?<=\d)[-‑][{LATIN}]{{2,}}(?![_({LATIN}\d]))
  | (?P<word>[^\W\d_{LATIN}]+)
  | (?P<separator>[,;:.!?|，。；：、！？│┃“”"'…‘’《》「」])
  | (?P<other>.)
"""
# Most characters of a page are letters, digits and punctuation, at which few of the alternatives can begin.
_PAGE = re.compile(_ANY, re.VERBOSE)
_NAME = re.compile(_OF_NAMES, re.VERBOSE)
_NUMBER = re.compile(_OF_NUMBERS, re.VERBOSE)
_WORD = re.compile(rf"(?P<word>[^\W\d_{LATIN}]+)")
_POINT = re.compile(r"(?P<number>\.\d+)|(?P<separator>\.)")
_BY_FIRST = {".": _POINT, **dict.fromkeys(digits, _NUMBER), **dict.fromkeys(ascii_letters, _NAME)}
_FIRST_OF_WORDS = "\u2e80"  # Letters from here on are those of words alone.
# Signs that begin nothing longer, unless an equals sign follows.
_ALONE = {sign: (sign, "") for sign in "()[{}"} | {sign: ("separator", sign) for sign in ",;:.!?|，。；：、！？│┃“”\"'…‘’《》「」"}
_SIGNS = {
    "＋": "+", "−": "-", "－": "-", "–": "-", "×": "*", "·": "*", "⋅": "*", "∗": "*", "✕": "*", "＊": "*", "•": "*", "÷": "/", "∕": "/",
    "／": "/", "＾": "^", "（": "(", "）": ")", "［": "[", "］": "]", "【": "(", "】": ")",
}  # fmt: skip
_ENTITIES = {"&times;": "*", "&#215;": "*", "&middot;": "*", "&sdot;": "*", "&minus;": "-", "&#8722;": "-", "&divide;": "/"}
_COMMANDS = {"times": "*", "cdot": "*", "ast": "*", "div": "/", "frac": "frac", "dfrac": "frac", "tfrac": "frac"}
_RELATIONS = {
    "=": "=", "＝": "=", "≡": "=", "≈": "≈", "≈≈": "≈", "≈=": "≈", "~=": "≈", "=~": "≈", "≃": "≈", "≅": "≈", "≒": "≈", "∼": "≈",
    "~": "≈", "～": "≈",
}  # fmt: skip
_RELATION_COMMANDS = {
    "approx": "≈", "approxeq": "≈", "simeq": "≈", "sim": "≈", "cong": "≈", "thickapprox": "≈", "equiv": "?", "eq": "=",
    "to": "?", "rightarrow": "?", "Rightarrow": "?", "implies": "?", "le": "?", "leq": "?", "ge": "?", "geq": "?", "ne": "?", "neq": "?",
    "ll": "?", "gg": "?", "propto": "?", "in": "?", "lt": "?", "gt": "?", "leqslant": "?", "geqslant": "?",
}  # fmt: skip
_LETTER_COMMANDS = {SQUARE_ROOT: SQUARE_ROOT} | dict(
    zip(
        """alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi omega varepsilon
        varphi Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega ell""".split(),  # noqa: SIM905
        "αβγδεζηθικλμνξπρστυφχψωεφΓΔΘΛΞΠΣΥΦΨΩℓ",
        strict=True,
    )
)
_WORDING_GROUP = re.compile(rf"\\(?:{_WORDING})\s*\{{((?:[^\\{{}}\n]|\\[_%&,# ]|\{{,\}})*)\}}")
_NESTED = r"(?:[^{}\n]|\{[^{}\n]*\})*"
_SUBSCRIPT = re.compile(rf"[^\S\n]?_(?:\{{({_NESTED})\}}|(\\[A-Za-z]+(?:\{{[^{{}}\n]*\}})?)|([{LATIN}\d]))")
_IN_BRACES = r"\{[^{}\n]{0,80}\}"
_NESTED_BRACES = rf"(?>(?:[^{{}}\n]|{_IN_BRACES}){{0,200}})"
_BRACED = re.compile(rf"\s?\{{((?>(?:[^{{}}\n]|\{{{_NESTED_BRACES}\}}){{0,400}}))\}}[ \t]?[_^]\{{({_NESTED_BRACES})\}}")  # And its label.
_LARGE = 1_000  # A smaller number below a brace counts something.
_BARE = re.compile(r"[ \t]*([0-9A-Za-z])")
_TEXT_ONLY = re.compile(r"[^\d{}]*")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_CELL = re.compile(r"<t[dh]\b", re.IGNORECASE)
_BREAK = re.compile(r"<t[dh]\b|</?(?:tr|br|p|div|li|h\d|table)\b", re.IGNORECASE)
_OPERAND_END = frozenset({"number", "name", "word", ")", "]", "}"})
_FACTOR_END = _OPERAND_END | {"*"}


def page_tokens(text: str, start: int, end: int) -> list[Token]:
    """The tokens of a stretch of the page, each with its offset in the whole text."""
    found: list[Token] = []
    at = start
    bold = False
    notations = {begin: (behind, tokens) for begin, behind, tokens in notations_in(text, start, end)}
    while at < end:
        first = text[at]
        if first == " ":
            at += 1
            continue
        if notations and at in notations:
            at, written = notations[at]
            found += written
            continue
        if first == "{" and (braced := _SIGN_IN_BRACES.match(text, at, end)) and applies("sign-in-braces", at):
            found += page_tokens(text, *braced.span(1))
            at = braced.end()
            continue
        if first in _ALONE and not text.startswith("=", at + 1) and not (first == "." and begins_with_point(text, at, end)):
            found.append(Token(_ALONE[first][0], at, at + 1, _ALONE[first][1]))
            at += 1
            continue
        pattern = _BY_FIRST.get(first) or (_WORD if first >= _FIRST_OF_WORDS and first.isalpha() else _PAGE)
        match = pattern.match(text, at, end)
        assert match is not None  # The last alternative takes any character, and a newline has its own.
        kind, stop = str(match.lastgroup), match.end()
        if kind == "space" or match[0] == "\\":  # The backslash of an escaped sign, such as Markdown's \*.
            pass
        elif kind in ("number", "mark"):
            stop = spaced_thousands(text, at, stop, end, found)
            stop = number_end(text, at, stop)
            found.append(number_token(text, at, stop))
            index = _INDEX.match(text, stop, end) if text.startswith("_{", stop) else None
            stop = index.end() if index and applies("number-with-label", at) else stop
            times = end_of_times_x(text, stop, end)
            if times and not is_factor_of_cell(text, at, stop + 1) and applies("x-times", at):
                found.append(Token("*", times - 1, times))
                stop = times
        elif kind == "name" and (match[0] in ("Σ", "Π") or (first == "_" and match[0][1:2].isdecimal())):
            found.append(Token("other", at, stop, match[0]))
        elif kind in ("plain", "name"):
            stop = _name(text, at, stop, found)
        elif kind == "thin":
            found.append(Token("*", at, stop))
        elif kind == "sign":
            sign = match[0]
            if sign in "*•" and _emphasis(text, at, found) and applies("emphasis", at):
                pass
            elif sign == "×" and is_factor(text, found[-1] if found else None, at, stop):
                found.append(Token("word", at, stop, "x"))
            else:
                found.append(Token(_SIGNS.get(sign, sign), at, stop))
        elif kind == "relation":
            found.append(Token("relation", at, stop, _relation(text, at, stop)))
        elif kind == "tie":
            if not applies("tex-tie", at):
                found.append(Token("relation", at, stop, _relation(text, at, stop)))
        elif kind == "hexadecimal":
            found += hexadecimal(match[0], at, stop)
        elif kind == "deleted":
            if not applies("struck-out", at):
                found += page_tokens(text, at + 2, stop - 2)
        elif kind == "range":
            found.append(Token("relation", at, stop, "?") if applies("range-dash", at) else Token("-", at, stop))
        elif kind == "power":
            if _is_power(text, at, stop, bold) and applies("double-star", at):
                found.append(Token("^", at, stop))
            else:
                bold = not bold
        elif kind == "command":
            stop = _command(text, at, stop, end, found)
        elif kind == "sup":
            found.extend(_superscript(match[0], at, stop) if applies("superscript", at) else ())
        elif kind == "tag":
            if _BREAK.match(match[0]):
                found.append(Token("separator", at, stop, "|" if _CELL.match(match[0]) else "tag"))
        elif kind == "newline":
            found.append(Token("newline", at, stop))
        elif kind in ("large", "option"):
            found.append(Token("other", at, stop, "large" if kind == "large" else match[0]))
        elif kind == "entity":
            found.extend(_entity(match[0], at, stop) if applies("html-entity", at) else ())
        elif kind == "ruled":
            found.append(Token("separator", at, stop, "—"))
        elif kind == "ordinal":
            number = found.pop()
            found.append(Token("word", number.start, stop, text[number.start : stop]))
        elif kind in ("compound", "suffix", "url", "dated"):
            found.append(Token("word", at, stop, match[0]))
        else:
            found.append(Token(kind, at, stop, match[0]))
        at = stop
    return with_fractions(found) if text.find(OVER, start, end) >= 0 else found


def _name(text: str, start: int, end: int, found: list[Token]) -> int:
    """A name with its subscript, an ``x`` that means times, or the pieces of ``xLxH`` after a factor."""
    written = text[start:end]
    written = _LETTER_COMMANDS.get(written[1:], written) if written[0] == "\\" else written
    previous = found[-1] if found else None
    if written in ("x", "X") and previous and previous.kind in _OPERAND_END:
        follows = text[end : end + 80].lstrip(" \t`$*")
        apart = previous.kind != "number" or previous.end < start  # In "8.4x" at the end of a line the x belongs to the number.
        if follows.startswith(("\n", "\r")) and apart and (previous.kind in ("number", ")") or "_" in str(previous.value)):
            follows = follows.lstrip()  # A formula that spans several lines.
        if is_comparison_factor(text, start, follows) or is_factor_of_cell(text, previous.start, end):
            found.append(Token("word", start, end, written))
            return end
        operand = follows[:1].isdecimal() if written == "X" else follows[:1].isalnum() or follows[:1] in ("(", "（", "[", "{", "\\")
        if operand and x_means_times(text, start) and applies("x-times", start):
            found.append(Token("*", start, end))
            return end
    if "x" in written and previous is not None and previous.end == start and previous.kind in _FACTOR_END:
        pieces = written.split("x")
        if all(piece.isdecimal() or (len(piece) == 1 and piece.isalpha()) for piece in pieces if piece) and pieces[-1]:
            return _multiplied_names(pieces, start, found)
    subscript = _SUBSCRIPT.match(text, end) if "_" in text[end : end + 2] else None
    if subscript:
        tail = re.sub(r"[^\w]+", "_", re.sub(rf"\\(?:{_WORDING})\b|\\", "", next(filter(None, subscript.groups()), ""))).strip("_")
        written, end = f"{written}_{tail}" if tail else written, subscript.end()
    found.append(Token("name", start, end, written.replace("\\", "")))
    return end


def _multiplied_names(pieces: list[str], start: int, found: list[Token]) -> int:
    at = start
    for index, piece in enumerate(pieces):
        if index:
            found.append(Token("*", at, at + 1))
            at += 1
        if piece:
            kind, value = ("number", int(piece)) if piece.isdecimal() else ("name", piece)
            found.append(Token(kind, at, at + len(piece), value))
            at += len(piece)
    return at


def _relation(text: str, start: int, end: int) -> str:
    written = text[start:end]
    if written in ("~", "～"):
        before, after = text[start - 1 : start], text[end : end + 1]
        if before == "\\":  # Escaped for Markdown.
            before = text[start - 2 : start - 1]
        stands_apart = before.isalnum() or before in ("%", ")") or text.startswith("   ", start - 3)
        if stands_apart and after.isdecimal() and applies("range-tilde", start):
            return "?"  # A range, such as 10~20 or 14M~300M, or the next column.
    return _RELATIONS.get(written, "?")


def _is_power(text: str, start: int, end: int, bold: bool) -> bool:
    """Whether ``**`` is the power operator; in Markdown it also begins and ends bold words."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if before == " " and after == " ":
        return True
    return not bold and (before.isalnum() or before in (")", "]")) and (after.isalnum() or after in ("(", "[", "-"))


def _emphasis(text: str, at: int, found: list[Token]) -> bool:
    """Whether a single ``*`` begins or ends emphasised words, or begins a list item, rather than multiplying."""
    before, after = text[at - 1 : at] if at else "\n", text[at + 1 : at + 2]
    if not found or found[-1].kind in ("newline", "separator", "relation"):
        return True
    if after in ("", "\n", "\r") and not before.isspace():
        return True  # The end of a line in italics.
    return found[-1].kind not in _OPERAND_END or (not after.strip() and not before.strip() and found[-1].kind == "newline")


def _command(text: str, start: int, end: int, limit: int, found: list[Token]) -> int:
    name = text[start + 1 : end].rstrip("*")
    if name in _COMMANDS:
        is_word = name == "times" and is_factor(text, found[-1] if found else None, start, end)
        found.append(Token("word", start, end, "x") if is_word else Token(_COMMANDS[name], start, end))
        return _bare_fraction(text, end, limit, found) if found[-1].kind == "frac" else end
    if name in _RELATION_COMMANDS:
        found.append(Token("relation", start, end, _RELATION_COMMANDS[name]))
    elif name in _LETTER_COMMANDS and (name != SQUARE_ROOT or OF_A_ROOT.match(text, end, limit)):
        return _name(text, start, end, found)
    elif name in ("begin", "end"):
        group = re.compile(r"\{[^{}\n]*\}(?:\{[^{}\n]*\})?").match(text, end, limit)
        found.append(Token("separator", start, group.end() if group else end, name))
        return group.end() if group else end
    elif name in ("underbrace", "overbrace") and (braced := _BRACED.match(text, end, limit)) and applies("brace-with-label", start):
        found.extend(_braced(text, start, braced))
        return braced.end()
    elif name in ("underbrace", "overbrace", "textcolor", "color", "cancel", "underline", "overline", "label", "tag", "qquad", "item"):
        found.append(Token("separator", start, end, name)) if name in ("label", "tag", "item") else None
    elif name in _WORDINGS:
        return _wording(text, start, end, limit, found)
    else:
        found.append(Token("other", start, end, text[start:end]))
    return end


def _bare_fraction(text: str, at: int, limit: int, found: list[Token]) -> int:
    """The arguments of a fraction that are written without braces, as in ``\\frac12`` and ``\\frac1{4 H}``."""
    for _ in range(2):
        digit = _BARE.match(text, at, limit)
        if not digit:
            break
        place = digit.start(1), digit.end()
        value: int | str = int(digit[1]) if digit[1].isdecimal() else digit[1]
        found += [Token("{", *place), Token("name" if isinstance(value, str) else "number", *place, value), Token("}", *place)]
        at = digit.end()
    return at


def _braced(text: str, start: int, braced: re.Match[str]) -> Iterator[Token]:
    """The tokens of a braced term, with the value in its label as a repeated one: ``{2 × 768} (1536)``."""
    inside, label = page_tokens(text, *braced.span(1)), page_tokens(text, *braced.span(2))
    last = max((at for at, token in enumerate(label) if token.kind == "relation" or token.value in (":", "：")), default=-1)
    value = label[last + 1 :]
    stated = value and value[0].kind == "number" and (last >= 0 or _is_large(value[0]) or len(value) > 1)
    calculates = any(token.kind in "+-*/^" or token.kind == "frac" for token in inside)
    first, end = braced.start(2), braced.end()
    repeats = stated and calculates and all(token.kind in ("name", "word") or token.value == "%" for token in value[1:])
    # What is below may also count how many there are of the term, \underbrace{768}_{12 times}, or be its unit.
    doubtful = "" if repeats else "brace-with-label"
    yield from (Token("{", start, braced.start(1), doubtful), *inside, Token("}", braced.end(1), braced.end(1) + 1))
    if repeats:
        yield from (Token("(", first - 1, first), *value, Token(")", end - 1, end))


def _is_large(number: Token) -> bool:
    return not isinstance(number.value, str) and number.value is not None and number.value >= _LARGE


def _wording(text: str, start: int, end: int, limit: int, found: list[Token]) -> int:
    """The tokens of a text or font command: ``\\text{Params}_{total}`` is a name, ``\\text{ M}`` words, ``\\mathbf{590{,}592}`` its
    content.
    """
    group = _WORDING_GROUP.match(text, start, limit)
    if not group:
        return end  # The content of its braces is read as usual.
    inside = group[1].strip()
    if _TEXT_ONLY.fullmatch(inside) and re.fullmatch(rf"[{LATIN}](?:[{LATIN}]|\\?_|[- ])*", inside) and _SUBSCRIPT.match(text, group.end()):
        return _name_in_group(text, start, group, found)
    if re.fullmatch(rf"[{LATIN}](?:[{LATIN}\d]|\\_)*", inside):
        found.append(Token("name", start, group.end(), inside.replace("\\", "")))
        return group.end()
    found.extend(page_tokens(text, group.start(1), group.end(1)))
    return group.end()


def _name_in_group(text: str, start: int, group: re.Match[str], found: list[Token]) -> int:
    subscript = _SUBSCRIPT.match(text, group.end())
    assert subscript is not None  # Guaranteed by the caller.
    tail = re.sub(r"[^\w]+", "_", re.sub(rf"\\(?:{_WORDING})\b|\\", "", next(filter(None, subscript.groups()), ""))).strip("_")
    name = re.sub(r"\W+", "_", group[1].replace("\\", "").strip())
    found.append(Token("name", start, subscript.end(), f"{name}_{tail}"))
    return subscript.end()


def _superscript(written: str, start: int, end: int) -> Iterator[Token]:
    digits = re.sub(r"</?sup>|\s", "", written).replace("−", "-").translate(_SUPERSCRIPTS)
    if len(digits) > 6:
        yield Token("other", start, end, written)
        return
    yield Token("^", start, end)
    yield Token("{", start, end)
    if digits.startswith("-"):
        yield Token("-", start, end)
    yield Token("number", start, end, int(digits.lstrip("-")))
    yield Token("}", start, end)


def _entity(written: str, start: int, end: int) -> Iterator[Token]:
    if written in _ENTITIES:
        yield Token(_ENTITIES[written], start, end)
    elif written in ("&sup2;", "&sup3;"):
        yield from _superscript("²" if written == "&sup2;" else "³", start, end)
    else:
        yield Token("relation", start, end, "≈")
