"""Looks ahead among the tokens of a line: for an operand, a unit, or a remark in words that is not part of a formula.

The parser of expressions asks here before it continues; looking ahead consumes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from itertools import pairwise

from symparam.core.frozen import frozen
from symparam.core.message import Message, message
from symparam.core.parsing.lexer import Token
from symparam.core.parsing.parser import CLOSING
from symparam.documents.reading.ambiguities import ReadingChoices
from symparam.documents.reading.number_formats import bytes_of_format
from symparam.documents.reading.rates import is_rate, of_seconds
from symparam.documents.reading.unit_senses import HOUR, Unit, unit_of
from symparam.documents.reading.vocabulary import Vocabulary
from symparam.documents.rules.rule import applies, in_force
from symparam.documents.words import words
from symparam.documents.words.scripts import is_unspaced

MAX_NOUNS = 5  # Words between a number and the sign after it, as in "12 layers of 64 heads ×".
_LEAST_REPEATED = 1_000  # Smaller numbers in brackets are factors.
_BIG_LETTERS = frozenset("TPE")  # Letters that are as often sizes as scales.
_PER_SECOND = re.compile(r"/s(?:ec)?(?![^\W_])")
_NUMBERED = re.compile(r"[A-Za-z]{2,}\d{1,2}")  # The name of one of several layers.
_COMPOUND = re.compile(r"-[A-Za-z]{2}")
_INDEXED = re.compile(r"[^\S\n]?[A-Za-z]_\{?[a-z](?![A-Za-z_])")  # A letter with a subscript.
_NO_BEGINNING = ("×", "·", "÷", "=", "≈")  # Signs of which none begins a sentence.
# Tokens between a number and its unit.
_NO_SPACE = frozenset(a + b for a in ("", "\\,", "\\;", "\\ ") for b in ("", "\\text", "\\mathrm", "\\textrm", "\\"))  # Before a unit.
_CURRENCIES = ("$", "€", "£", "¥")
_GAP = 4  # Characters before an amount in which its currency stands.
_NEARBY = 60  # Tokens on either side of a number in which a letter after it may stand alone.
_SIGNS = frozenset("+-*/")


@frozen
class Lookahead:
    """The tokens of one line, the last of which is an ``end``; ``closing`` maps each opening bracket to its closing one. Positions are
    token numbers.
    """

    text: str
    tokens: Sequence[Token]
    closing: Mapping[int, int]
    vocabulary: Vocabulary
    choices: ReadingChoices = field(default_factory=ReadingChoices)

    # Operands.

    def is_operand(self, at: int, sign: str, nested: bool) -> bool:
        """Whether an operand follows a sign, in a bracket or an exponent if ``nested``."""
        if self.tokens[at].kind == "-" and (sign in "*/" or (sign == "+" and self.tokens[at].end == self.tokens[at + 1].start)):
            at += 1
        token = self.tokens[at]
        gap = self.text[self.tokens[at - 2].end : self.tokens[at - 1].start] if sign == "-" and not nested else ""
        if "   " in gap and self.tokens[at - 1].end == token.start:
            return False  # 0.368     -0.5 × (1 - 0.368) = 0.316
        if token.kind == "number":
            return True
        if token.kind == "frac":
            return self.is_fraction(at)
        if token.kind in CLOSING:
            return at in self.closing
        if token.kind == "name":
            if self.vocabulary.letters_of(str(token.value), False) is not None:
                return True
        elif token.kind != "word":
            return False
        behind = self.behind_words(at)
        if sign == "+" and self.tokens[behind].kind == "number" and self._is_label(at, behind) and applies("label-of-term", token.start):
            return True
        if sign == "-" and not nested:
            return self.tokens[behind].kind in ("+", "*", "/", "relation") and self.tokens[at - 1].end == token.start
        return self.tokens[behind].kind not in ("number", "name", "word", *CLOSING)

    def is_glued_minus(self, at: int) -> bool:
        """Whether a minus is apart from the word before it and directly before what may be a negative number: ``and -3 + 5``, ``到-3``."""
        before, sign, behind = self.tokens[at - 1 : at + 2]
        is_apart = before.kind in ("word", "name") and (before.end < sign.start or is_unspaced(str(before.value)))
        return sign.kind == "-" and is_apart and sign.end == behind.start

    def is_fraction(self, at: int) -> bool:
        """Whether both arguments of a TeX fraction are there."""
        above = self.closing.get(at + 1)
        return above is not None and above + 1 in self.closing and self.tokens[at + 1].kind == self.tokens[above + 1].kind == "{"

    def _is_label(self, at: int, behind: int) -> bool:
        """Whether the words between a plus sign and a number are a label of what is added: ``+ embeddings 23.8M``."""
        return behind > at and self.text.find("\n", self.tokens[at - 1].start, self.tokens[behind].start) < 0

    def behind_words(self, at: int) -> int:
        """The token after the words here, and after a bracket that follows them without a space."""
        start = at
        while self.tokens[at].kind in ("word", "name") and at - start < MAX_NOUNS:
            at += 1
        if at in self.closing and at > start and self.tokens[at].start == self.tokens[at - 1].end:
            at = self.closing[at] + 1
        return at

    def is_factor(self, at: int, begin: int) -> bool:
        """Whether a name multiplies what directly precedes it, in an expression that begins at ``begin``."""
        token, before = self.tokens[at], self.tokens[at - 1]
        glued = at > begin and before.end == token.start
        after_relation = begin > 0 and self.tokens[begin - 1].kind == "relation"
        if not glued and ((self.tokens[at + 1].kind == "relation" and after_relation) or "  " in self.text[before.end : token.start]):
            return False  # c = 1  c = 2
        if not glued and token.end - token.start == 1 and _COMPOUND.match(self.text, token.end):
            return False  # 100 U-Net calls
        name = str(token.value)
        if not glued and len(name) == 1 and name not in self.vocabulary.apart and name in words("short").whole:
            return False  # 32.896 e a última
        letters = self.vocabulary.letters_of(name, glued)
        if letters is None:
            return False
        if before.kind == "number" and not glued and len(name) > 1 and len(letters) > 1:
            if not self.choices.decide("letters-multiply", token.start, True):
                return False
        elif glued:
            return not (isinstance(before.value, Fraction) and len(name) > 2 and not set(letters) <= self.vocabulary.single)  # 53.125GBps
        indexed = "_" in name and before.kind in ("name", ")", "}")  # N W_layer
        return indexed or len(letters) > 1 or len(name) == 1 or name in self.vocabulary.names

    def behind_number(self, at: int) -> int:
        """The token after what belongs to the number before this one, without a change of its value."""
        return at + self._is_multiple(at) + 2 * self._is_price_per_time(at)

    def _is_multiple(self, at: int) -> bool:
        """Whether the x here only says that the number before it is a factor: ``| 1.29x |``, ``64x (of it)``."""
        token = self.tokens[at]
        if token.value != "x" or self.tokens[at - 1].end != token.start or "x" in self.vocabulary.apart:
            return False
        return self.tokens[at + 1].kind in ("end", "separator", ")") or (at + 1 in self.closing and self.is_note(at + 1))

    def _is_price_per_time(self, at: int) -> bool:
        """Whether the number before this token is a price, and what follows says for what time: ``$2/hr``."""
        before = self.tokens[at - 1].start
        if self.tokens[at].kind != "/" or self.text[max(0, before - _GAP) : before].rstrip(" ")[-1:] not in _CURRENCIES:
            return False
        found = unit_of(str(self.tokens[at + 1].value))
        return found is not None and found[0].counted == "seconds" and len(found[0].written) > 1  # Not in $2/s$.

    def is_call(self, at: int, letters: tuple[str, ...] | None) -> bool:
        """Whether the bracket here holds the arguments of the name before it, which may also be a product of these letters."""
        if letters is None:
            return True
        inside = self.tokens[at + 1 : self.closing[at]]
        kinds = {token.kind for token in inside}
        if kinds <= {"number", *"*/^{}"} and len(inside) > 1:  # q(1024 × 64) + k(512 × 64): no letters of the page.
            name, begins = str(self.tokens[at - 1].value), at < 2 or self.tokens[at - 2].kind in ("+", "relation", "separator")
            return begins and len(name) == 1 and name.islower() and name not in self.vocabulary.apart
        if kinds <= {"name", "word", "separator"} and inside:
            return any(token.kind != "name" or self.vocabulary.letters_of(str(token.value), False) is None for token in inside)
        return "separator" in kinds

    # Parts of a number.

    def power_of_ten(self, at: int) -> tuple[int, int]:
        """The exponent of ``3.2 × 10¹⁵``, which is one number (a division before it divides by all of it), and the token after it."""
        if self.tokens[at].kind != "*" or at + 4 >= len(self.tokens):
            return 0, at
        ten, power = self.tokens[at + 1 : at + 3]
        if ten.kind != "number" or ten.value != 10 or power.kind != "^":
            return 0, at
        behind, closed = at + 3, 0
        if self.tokens[behind].kind == "{":
            behind, closed = behind + 1, 1
        sign = -1 if self.tokens[behind].kind == "-" else 1
        behind += sign < 0
        exponent = self.tokens[behind]
        if exponent.kind != "number" or not isinstance(exponent.value, int) or exponent.value > 300:
            return 0, at
        if closed and self.tokens[behind + 1].kind != "}":
            return 0, at
        if not applies("power-of-ten", ten.start):
            return 0, at
        return sign * exponent.value, behind + 1 + closed

    def _is_operand_nearby(self, at: int) -> bool:
        """Whether the letter at this token is an operand of its own close by."""
        value, first = self.tokens[at].value, max(1, at - _NEARBY)
        near = zip(self.tokens[first - 1 : at + _NEARBY], self.tokens[first : at + _NEARBY], strict=False)
        return any(token.value == value and before.kind in ("+", "-", "*", "(") for before, token in near)

    def unit(self, at: int, decimals: bool) -> tuple[Unit, str, int] | None:
        """The unit after a number, the rest of its word (``亿参数``), and the token after both."""
        number, closed = self.tokens[at - 1], 0
        if self.tokens[at].kind == "{" and self.closing.get(at) == at + 2:  # \textbf{ M} keeps its braces.
            at, closed = at + 1, 1
        token = self.tokens[at]
        if token.kind not in ("name", "word") and token.value != "%":
            return None
        written = str(token.value)
        if written == "μ" and self.tokens[at + 1].value == "s":  # \\mu s
            written, at = "us", at + 1
        found = (HOUR, 1) if written == "h" else unit_of(written)
        if found is None or self.text[number.end : token.start].strip(" ~\t$`*_{}\u00a0") not in _NO_SPACE:
            return None
        unit, length = found
        if unit.counted and self.tokens[at + 1].kind == "^" and self.tokens[at + 1].start == token.end:
            return None  # ``833.3 ms²``
        if length < len(written) and unit.counted and self.tokens[at + 1].kind == "number":
            return None  # ``1 時間では 1,664 × 3600``
        if written == "B" and token.start > number.end and at > 1 and self.tokens[at - 2].kind == "*":
            unit = replace(unit, written=" B")  # In 2.8B × 4 B they may be billions and bytes.
        if unit is HOUR:
            return (unit, "", at + 1 + closed) if self._is_hours(at, decimals) else None
        if len(written) == 1 and token.start > number.end and at > 1 and self._is_assigned(at):
            return None  # A=3 B=2
        if written in _BIG_LETTERS and written in self.vocabulary.single and written not in self.vocabulary.apart:
            return None
        is_time = unit.counted == "seconds" and self._is_time_nearby(at)
        if len(written) == 1 and not decimals and written in self.vocabulary.apart and not is_time:
            bound = written in self.vocabulary.bound and token.start == number.end
            if not self.choices.decide("letter-scales", token.start, not bound and written not in _BIG_LETTERS):
                return None
        glued = written.isalpha() and len(written) == 1 and at + 1 in self.closing and self.tokens[at + 1].start == token.end
        if glued and not self.is_note(at + 1):
            return None  # 12B(S + 1) multiplies.
        if len(written) == 1 and (self._is_operand_nearby(at) or _INDEXED.match(self.text, token.end)):
            return None  # d(h + k) + dN(h + 2k), 2B n_p H²
        return unit, written[length:], at + 1 + closed + self._is_abbreviated(at + 1 + closed)

    def _is_abbreviated(self, at: int) -> bool:
        """Whether the point here belongs to the unit before it, ``7 Mrd. × 2``, as no sentence begins with a sign."""
        point = self.tokens[at]
        if point.value != "." or point.start != self.tokens[at - 1].end:
            return False
        return self.text.startswith(_NO_BEGINNING, self.tokens[at + 1].start)

    def _is_hours(self, at: int, decimals: bool) -> bool:
        """Whether the h here means hours: behind decimals, or beside another time. Otherwise it is a letter, but may mean hours, too."""
        token, behind = self.tokens[at : at + 2]
        goes_on = behind.kind == "name" and self.vocabulary.letters_of(str(behind.value), False) is not None
        if goes_on or behind.kind in ("number", "^", "frac") or (at + 1 in self.closing and not self._is_note(at + 1)):
            return False  # 4 h d
        is_beside = self._is_time_nearby(at)
        if decimals and is_beside and in_force("letter-scales"):
            return True
        if decimals or is_beside:
            return self.choices.decide("letter-scales", token.start, True)
        glued = self.tokens[at - 1].end == token.start
        if (glued and token.value in self.vocabulary.apart) or self._is_operand_nearby(at):
            return False
        return self.choices.decide("letter-scales", token.start, False)

    def _is_time_nearby(self, at: int) -> bool:
        """Whether another number with a unit of time, or a rate, stands close by."""
        first, own = max(1, at - _NEARBY), self.tokens[at]
        if of_seconds().search(self.text, self.tokens[first].start, self.tokens[: at + _NEARBY][-1].end):
            return True
        near = zip(self.tokens[first - 1 : at + _NEARBY], self.tokens[first : at + _NEARBY], strict=False)
        for before, token in near:
            priced = before.kind == "/" and len(str(token.value)) > 1  # $2 / hour
            if (before.kind == "number" or priced) and token.kind in ("name", "word") and token is not own:
                found = unit_of(str(token.value))
                if (token.value == "h" and isinstance(before.value, Fraction)) or (found is not None and found[0].counted == "seconds"):
                    return True
        return False

    def _is_assigned(self, at: int) -> bool:
        """Whether the letter here is assigned a value, like the letter before it: no spaces surround its sign or that of the number."""
        (before, number, letter, sign), text = self.tokens[max(at - 2, 0) : at + 2], self.text
        glued = before.end == number.start and letter.end == sign.start and before.kind == sign.kind == "relation"
        return glued and text[before.start - 1 : before.start].isalpha() and not text[number.end : letter.start].strip()

    # Remarks.

    def nouns(self, at: int) -> int:
        """The token after the nouns and notes between an operand and the sign after it, or ``at`` if this is part of the formula."""
        behind = at
        while self.tokens[behind].kind in ("word", "name") and behind - at < MAX_NOUNS:
            token = self.tokens[behind]
            if token.kind == "name" and (behind == at or len(str(token.value)) == 1):
                glued = token.start == self.tokens[behind - 1].end
                is_letter = self.vocabulary.letters_of(str(token.value), glued) is not None
                is_unit = bytes_of_format(str(token.value)) is not None or _PER_SECOND.match(self.text, token.end)
                if is_letter and (glued or not is_unit):  # 64,000 f32 = 256 KB, 43 t/s
                    break
            if token.kind == "name" and str(token.value) in self.vocabulary.names and self.tokens[behind + 1].kind == "relation":
                return at  # d_model = 512 and d_ff = 2048
            behind += 1
        kind = self.tokens[behind].kind
        if kind in ("number", "frac", "name", "word") or (kind in CLOSING and not (behind in self.closing and self.is_note(behind))):
            return at
        return behind

    def behind_label(self, at: int) -> int:
        """The token after a label with its colon, ``NF4: 7B × 0.5``, or ``at`` if there is none."""
        behind = at
        while self.tokens[behind].kind in ("word", "name") and behind - at < MAX_NOUNS:
            behind += 1
        return behind + 1 if behind > at and self.tokens[behind].value in (":", "：") else at

    def is_note(self, at: int) -> bool:
        """Whether the bracket holds a remark in words, rather than a factor."""
        return self._is_note(at) and applies("note", self.tokens[at].start)

    def _is_note(self, at: int) -> bool:
        inside = self.tokens[at + 1 : self.closing[at]]
        if not inside or all(token.kind == "/" or bytes_of_format(str(token.value)) for token in inside):
            return True  # 2 bytes (FP16/BF16)
        if inside[-1].kind == "*" or (inside[0].kind in "+-" and inside[-1].value == "%") or self._is_factor(inside):
            return True  # 250 ms → 45 ms (5.6×), 131 GB → 102 GB (−22 %), 175B (117x)
        if [each.kind for each in inside] == ["+", "number"] and self.tokens[at - 1].kind == "number":
            return True  # 71.9 (+14.6)
        if len(inside) == 1 and _NUMBERED.fullmatch(str(inside[0].value)):
            return True  # 15,620 (fc1) + 210 (fc2)
        calculates = any(token.kind in "+-*/^" for token in inside)
        for index, token in enumerate(inside):
            if token.kind in ("word", "relation", "separator") and token.value != "|":  # (|1 − 1.2| + …)
                return True
            glued = token.start == inside[index - 1].end if index else False
            if token.kind == "name" and self.vocabulary.letters_of(str(token.value), glued or calculates) is None:
                before = inside[index - 1].kind if index else ""
                if before != "number" or unit_of(str(token.value)) is None:
                    return True
        if len(inside) == 1 and inside[0].kind == "number" and self.tokens[at].kind != "{":
            return not self.multiplies(at)
        return self.repeats_value(at)

    def _is_factor(self, tokens: Sequence[Token]) -> bool:
        """Whether the tokens are a factor of comparison: ``117x``."""
        return len(tokens) == 2 and tokens[0].kind == "number" and tokens[1].value == "x" and "x" not in self.vocabulary.apart

    def multiplies(self, at: int) -> bool:
        """Whether the number in this bracket multiplies what directly precedes it, as in ``0.5(0.8)``, or perhaps after a blank."""
        before, inside = self.tokens[at - 1], self.tokens[at + 1]
        gap = self.tokens[at].start - before.end
        if at == 0 or gap > 1 or before.kind not in ("number", ")", "]", "}"):
            return False
        small = not gap and (isinstance(inside.value, Fraction) or (isinstance(inside.value, int) and inside.value < _LEAST_REPEATED))
        return self.choices.decide("bracket-multiplies", inside.start, small)

    def makes_a_claim(self, at: int) -> bool:
        """Whether the bracket after an expression is a remark with a claim of its own, such as ``V × H (30522 × 768 = 23.4M)``."""
        inside = self.tokens[at + 1 : self.closing[at]]
        behind = self.tokens[self.closing[at] + 1].kind
        begins = bool(inside) and inside[0].kind == "relation" and any(token.kind in "*/^" for token in inside)
        return behind not in _SIGNS and behind != "relation" and (begins or any(token.kind == "relation" for token in inside[1:]))

    def calculates(self, at: int) -> bool:
        """Whether the bracket that begins here divides or multiplies numbers."""
        inside = self.tokens[at + 1 : self.closing[at]]
        return any(token.kind == "number" for token in inside) and any(token.kind in ("*", "/", "^") for token in inside)

    def sets_several(self, at: int) -> bool:
        """Whether the bracket that begins here gives several values, as in ``3 slices (n=84, n=47, n=64)``, which may be factors."""
        inside = self.tokens[at + 1 : self.closing[at]]
        return sum((sign.kind, value.kind) == ("relation", "number") for sign, value in pairwise(inside)) > 1

    def says_about(self, at: int) -> int:
        """The number of tokens at the beginning of a bracket that only say that its number equals or approximates the one before it."""
        token, behind = self.tokens[at], self.tokens[min(at + 1, len(self.tokens) - 1)]
        if token.kind == "relation":
            return 1
        says = token.kind in ("word", "name") and any(words(each).is_one(str(token.value)) for each in ("about", "that_is", "alternative"))
        return says + (says and behind.value == "." and behind.start == token.end)  # i.e.

    def repeats_value(self, at: int) -> bool:
        """Whether the bracket after an operand holds one number with its unit and no other operand."""
        inside = self.tokens[at + 1 : self.closing[at]]
        if not inside or not in_force("repeated-value", self.tokens[at].start):
            return False
        if self.tokens[at].kind == "{" or (len(inside) == 1 and inside[0].kind == "number" and self.multiplies(at)):
            return False
        first = self.says_about(at + 1)
        last = self.closing[at] - 2
        has_rate = len(inside) > 2 and self.tokens[last].kind == "/" and is_rate(self.tokens, last, self.vocabulary)
        inside = inside[:-2] if has_rate else inside  # 3,350 GB/s
        return (
            inside[first : first + 1] != []
            and inside[first].kind == "number"
            and sum(token.kind == "number" for token in inside) == 1
            and all(token.kind in ("number", "word", "relation") or token.value == "%" or self._is_noun(token) for token in inside[first:])
        )

    def _is_noun(self, token: Token) -> bool:
        """Whether a name after a number is its unit or what it counts, rather than a factor, as in ``N(2H)``."""
        if token.kind != "name" or str(token.value) in _BIG_LETTERS & self.vocabulary.single:
            return False
        return unit_of(str(token.value)) is not None or self.vocabulary.letters_of(str(token.value), False) is None


def doubts_in(tokens: Iterable[Token], behind: str = "") -> Iterator[Message]:
    """The doubts about words between a number and a token of the kind ``behind``: ``each`` may multiply in ``12 heads each``, and ``2 × 3
    and width = 7`` may be about the width.
    """
    said = [str(token.value) for token in tokens if token.kind in ("word", "name")]
    if any(map(words("each").is_one, said)):
        yield message("words-may-multiply")
    if behind == "relation" and any(map(words("joins").is_one, said)):
        yield message("maybe-other-subject")
