"""Reads the chains of a line: expressions with relations between them, ``A = B ≈ C``, where each link is a claim.

Words before a relation are a label and not a side. A relation in words, or in a bracket after a number (``108,853,248 约等于 109M``,
``926,679,040 (~0.9B)``), is soft: it repeats a value if the two are close, and otherwise means nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate
from types import MappingProxyType
from typing import NamedTuple

from symparam.core.formula import Power, Product, Quotient, Sum, Symbol
from symparam.core.frozen import frozen
from symparam.core.message import Message, message
from symparam.core.parsing.lexer import Token
from symparam.core.parsing.parser import CLOSING
from symparam.documents.reading.ambiguities import Place, ReadingChoices, chosen_tokens, other_readings
from symparam.documents.reading.bracket_pairs import amounts_in, bracket_pairs
from symparam.documents.reading.expression import Expression
from symparam.documents.reading.expression_parser import read_expression
from symparam.documents.reading.functions import SQUARE_ROOT, is_argument
from symparam.documents.reading.lookahead import MAX_NOUNS, Lookahead
from symparam.documents.reading.vocabulary import Vocabulary
from symparam.documents.rules.rule import applies
from symparam.documents.words import unit_words, words

COPIED = message("copied")
GOES_ON = message("begins-with-plus")
_PLAIN_TIMES = re.compile(r"\d *[×·⋅] *\d")  # If TeX is found outside of its delimiters, the page was copied.
_TEX_TIMES = re.compile(r"^(?!.*(?:\$|\\\()).*\\(?:times|cdot)(?![a-z])", re.DOTALL)
_SPACED_GROUP = re.compile(r", \d{3}(?![\d.])")  # 5, 120
_SUMS = frozenset({"\\sum", "\\prod", "\\int", "∑", "∏", "Σ", "Π", "∫"})
_CUT = frozenset({".", "…", "!"})  # 1 + 2 + … + 10
_ARROWS = frozenset({"→", "⇒", "⟹", "->", "=>", "-->", "\\to", "\\rightarrow", "\\Rightarrow", "\\implies"})
_OPERANDS = frozenset({"number", "name", ")", "]", "}", "malformed", "other"})
_BEGINNINGS = frozenset({"number", "frac", "name", "word", *"-+([{"})
_CLOSING_MARKS = frozenset(")]}")
_SECONDS = frozenset(unit_words()["second"])
_SET_OFF = re.compile(r"(?<![\d ]) — ")  # By a dash in spaces: the label — 12 × 64 = 768.
_FRACTIONS = frozenset("¼½¾⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞")
_HARMLESS = frozenset({"$", "€", "£", "¥", "#", "@", "|", "✓", "✅", "✔", "❌", "✗", "←", "⇐", "—"})


@frozen
class ChainRelation:
    """What is between two sides: ``=`` or ``≈``, whether it only repeats a value, and whether it is something other than a sign of
    equality.
    """

    sign: str
    soft: bool
    start: int
    end: int
    weak: bool = False  # A colon or an arrow: the two sides are related if they agree in more than a few digits.


@frozen
class Unread:
    """A place where a number or an expression should be, and the reason why it cannot be read."""

    start: int
    end: int
    reason: Message


class EqualityChain(NamedTuple):
    """A chain: ``label: side relation side …``. ``unread`` is what follows the last relation, if it could not be read.

    ``clipped`` says that the first side may continue to the left in something that cannot be read, and ``trailing`` that the last one may
    continue to the right.
    """

    label: str
    sides: tuple[Expression, ...]
    relations: tuple[ChainRelation, ...]
    clipped: Message | None = None
    unread: Unread | None = None
    trailing: Message | None = None
    again: Callable[[frozenset[Place]], list[EqualityChain]] | None = None  # Reads the line again with these choices reversed.
    choices: Mapping[Place, None] = MappingProxyType({})

    def readings(self, index: int) -> Iterator[tuple[frozenset[Place], Expression, Expression]]:
        """The other readings of a link: the choices they reverse, and the two sides."""
        if self.again is None or not self.choices:
            return
        at = self.relations[index].start
        for reversed_choices in other_readings(self.choices, self.start, self.end + 8):
            splits = any(code == "thousands-space" for code, _ in reversed_choices)  # Then a number stands before the first side.
            for chain in self.again(reversed_choices):
                for place, relation in enumerate(chain.relations):
                    if relation.start == at and (place or splits or not chain.clipped):
                        yield reversed_choices, chain.sides[place], chain.sides[place + 1]

    @property
    def start(self) -> int:
        """The start of the first side."""
        return self.sides[0].start

    @property
    def end(self) -> int:
        """The end of the last side."""
        return self.sides[-1].end


def read_chains(
    text: str, start: int, tokens: Sequence[Token], vocabulary: Vocabulary, reversed_choices: frozenset[Place] = frozenset()
) -> list[EqualityChain]:
    """The chains among the tokens of one line, from the left; an expression alone is a chain with one side.

    The line is read with ``reversed_choices`` reversed.
    """
    sentinel = Token("end", tokens[-1].end, tokens[-1].end) if tokens else Token("end", start, start)
    choices = ReadingChoices(reversed_choices)
    read = _Assembler(text, start, [*chosen_tokens(text, tokens, choices), sentinel], vocabulary, choices)
    found = list(read.chains())
    if not choices.made or reversed_choices:
        return found
    again = partial(read_chains, text, start, tokens, vocabulary)
    return [chain._replace(again=again, choices=choices.made) for chain in found]


class _Assembler:
    def __init__(self, text: str, start: int, tokens: Sequence[Token], vocabulary: Vocabulary, choices: ReadingChoices) -> None:
        self.text, self.start, self.tokens, self.vocabulary = text, start, tokens, vocabulary
        self.closing = bracket_pairs(tokens)
        # The number of relations and commas before each token, so that nested brackets need not be searched again and again.
        self.apart = [0, *accumulate(map(_keeps_apart, tokens))] if self.closing else []
        self.by_first: dict[int, Expression] = {}
        self.failed: dict[int, int] = {}
        self.ahead = ahead = Lookahead(text, tokens, self.closing, vocabulary, choices)
        at = 0
        while at < len(tokens) - 1:
            if tokens[at].kind not in _BEGINNINGS or not self._begins(at):
                at += 1
                continue
            found, behind = read_expression(ahead, at)
            if found is None:
                self.failed[at] = behind
            elif not self._is_remark(found):
                self.by_first[at] = found
            at = max(behind, at + 1) if found is None or at in self.by_first else at + 1
        if self.by_first:
            written = text[tokens[0].start : tokens[-1].end]
            self.debris = "\\" in written and _PLAIN_TIMES.search(written) is not None and _TEX_TIMES.search(written) is not None
            self.first_sum = len(tokens)
            if any(sign in written for sign in _SUMS):
                self.first_sum = next((index for index, token in enumerate(tokens) if token.value in _SUMS), len(tokens))
            self.behind_failed = {end for at, end in self.failed.items() if not self._is_short_word(at, end)}
            self.behind_failed |= {side.last for side in self.by_first.values() if tokens[side.last].kind == "number"}

    def _is_remark(self, found: Expression) -> bool:
        """Whether it is nothing but a bracket with words and several amounts, which is no side of an equation."""
        is_alone = self.closing.get(found.first) == found.last - 1 and isinstance(found.formula, Symbol) and bool(found.unknown)
        if not is_alone or self.tokens[found.last].kind == "relation" or amounts_in(self.tokens[found.first : found.last]) < 2:
            return False
        return applies("words-in-brackets", found.start)

    def _is_short_word(self, at: int, end: int) -> bool:
        """Whether what could not be read is only a word, such as the Spanish ``a`` in ``sube a 32 × 77``."""
        token, behind = self.tokens[at : at + 2]
        return end == at + 1 and words("short").is_one(str(token.value)) and token.end < behind.start

    def _begins(self, at: int) -> bool:
        """Whether an expression begins at this token; a word begins one only directly before a sign."""
        token = self.tokens[at]
        if token.kind in ("number", "frac"):
            return True
        if token.kind in "-+":
            before, behind = self.tokens[at - 1] if at else None, self.tokens[at + 1]
            stated = before is not None and before.kind == "relation" and before.value != "?"  # x = - 5
            glued = self.text[token.end : behind.start].strip() in ("", "\\left") and (
                stated or behind.start == token.end or "\\" in self.text[token.end : behind.start]
            )
            return behind.kind in ("number", "(", "[", "{", "frac", "name") and glued
        if token.kind in "([{":
            end = self.closing.get(at, at)
            return end > at + 1 and self.apart[end] == self.apart[at + 1]
        behind = self.tokens[at + 1]
        if behind.kind in ("*", "+", "/", "//", "^") or (behind.kind == "-" and behind.start > token.end):
            return True
        if token.kind == "word":
            return False
        letters = self.vocabulary.letters_of(str(token.value), False)
        brackets = "({" if token.value == SQUARE_ROOT else "("
        return letters is not None or behind.kind == "relation" or (behind.kind in brackets and behind.start == token.end)

    def chains(self) -> Iterator[EqualityChain]:
        """Walk over the expressions, and join those with a relation between them."""
        used = self.start
        order = list(self.by_first)
        index = 0
        while index < len(order):
            sides = [self.by_first[order[index]]]
            relations: list[ChainRelation] = []
            unread = None
            while True:
                relation, at = self._relation_behind(sides[-1])
                named = set(sides[-1].nouns) - (_SECONDS if relations else set())
                if relation is not None and named and (relations or self._sets_a_name(relation)):
                    # "= 8 users = …" goes on; "= 128 bytes size = 32" begins something new, as "2×2 with stride=2" does.
                    relation = replace(relation, soft=True)
                if relation is None:
                    break
                right = self.by_first.get(at)
                cut = self._cut(right) if right is not None and not relation.soft else None
                if cut is not None:
                    unread = cut
                    break
                if right is None:
                    if not relation.soft:
                        unread = self._unread(relation, at)
                    break
                sides.append(right)
                relations.append(relation)
            calculation = self._explaining(sides[-1])
            if calculation is not None:
                sides[-1] = sides[-1]._replace(calculation=calculation)
            label = " ".join(self.text[used : sides[0].start].split())
            yield EqualityChain(label, tuple(sides), tuple(relations), self._clipped(sides[0].first), unread, self._trailing(sides[-1]))
            used = sides[-1].end
            while index < len(order) and order[index] < sides[-1].last:
                index += 1

    def _sets_a_name(self, relation: ChainRelation) -> bool:
        """Whether there is no space between the sign and the word before it or the number after it."""
        around = self.text[relation.start - 1 : relation.start] + self.text[relation.end : relation.end + 1]
        return len(around) == 2 and around.isascii() and around[0].isalpha() and around[1].isdecimal()

    def _relation_behind(self, side: Expression) -> tuple[ChainRelation | None, int]:
        """The relation directly after the side, and the token at which the next side would begin."""
        at, soft = side.last, False
        if self.tokens[at].kind in _CLOSING_MARKS and at not in self.closing.values():
            at += 1
        token = self.tokens[at]
        is_column = at == side.last and token.kind == "number" and at in self.by_first and self._is_column(side, self.by_first[at])
        if is_column and applies("column-of-spaces", token.start):
            return ChainRelation("=", True, side.end, token.start), at
        if self._leads_to(side, at):
            return ChainRelation("=", True, token.start, token.end, weak=True), at + 1
        if token.kind != "relation" or token.value not in ("=", "≈"):
            return None, at
        sign, start, end = str(token.value), token.start, token.end
        at += 1
        while self.tokens[at].kind == "relation" and self.tokens[at].value in ("=", "≈"):
            sign, end = ("≈" if "≈" in (sign, self.tokens[at].value) else "="), self.tokens[at].end
            at += 1
        if self.tokens[at].kind in ("word", "name") and at not in self.by_first:
            word = str(self.tokens[at].value)
            about = words("about").is_one(word)
            sign = "≈" if about else sign
            at += (about or words("merely").is_one(word)) and applies("merely", self.tokens[at].start)
        if self.text[start:end] in ("~", "～", "∼", "\\sim"):
            after = self.by_first.get(at)  # Between two numbers or two products it may be a range.
            soft = not (isinstance(side.formula, (Sum, Product, Quotient)) and after is not None and after.is_number)
        elif self.text[start] in "#/" and (right := self.by_first.get(at)) is not None:  # It may be a remark on something else.
            is_labelled = any(map(str.isalpha, self.text[start:end]))
            soft = is_labelled or not (right.is_long or right.is_amount) or right.last < len(self.tokens) - 1 or bool(right.nouns)
        return ChainRelation(sign, soft, start, end), at

    def _explaining(self, side: Expression) -> Expression | None:
        """The calculation of a number in the bracket after it, where words may come in between: ``95 % of the total (636B / 671B)``."""
        at = side.last
        while self.tokens[at].kind in ("word", "name") and at - side.last < MAX_NOUNS:
            at += 1
        if self.tokens[at].kind != "(" or at not in self.closing or not side.is_number:
            return None
        begins = self.tokens[at + 1].kind == "relation"  # 49,152 (= 4 × 12,288)
        labelled = self.ahead.behind_label(at + 1)
        is_inside = begins or labelled > at + 1
        inside = read_expression(self.ahead, labelled)[0] if is_inside and not begins else self.by_first.get(at + 2 * begins)
        if inside is None or not isinstance(inside.formula, (Sum, Product, Quotient, Power)) or inside.unknown:
            return None
        whole = inside.end == self.tokens[self.closing[at] - is_inside].end
        return inside if whole and applies("explained-in-bracket", self.tokens[at].start) else None

    def _leads_to(self, side: Expression, at: int) -> bool:
        """Whether a colon or an arrow leads from a calculation to its result: ``4 × 4096²: 67,108,864``."""
        sign, number = self.tokens[at], self.by_first.get(at + 1)
        if number is None or not number.is_number or side.letters or not isinstance(side.formula, (Sum, Product, Quotient, Power)):
            return False
        marks = sign.value in (":", "：") if sign.kind == "separator" else self.text[sign.start : sign.end] in _ARROWS
        return marks and self.tokens[number.last].kind != "relation" and self.text[sign.end] in " \t$`*"

    def _is_column(self, side: Expression, behind: Expression) -> bool:
        """Whether what follows a calculation is its value, in the next column of a table laid out with spaces."""
        gap = self.text[side.end : behind.start]
        repeated = not side.letters and behind.formula == side.formula  # 1M × 64      1M × 64
        apart = ("   " in gap or "\t" in gap) and not gap.strip()
        return apart and not repeated and isinstance(side.formula, (Sum, Product, Quotient))

    def _cut(self, right: Expression) -> Unread | None:
        """The ambiguous digits after a relation, if any: ``12,34`` and ``589,8240`` may be a mistake, a decimal comma or two numbers;
        ``10–20`` is a range.
        """
        last, mark, more = self.tokens[right.last - 1], self.tokens[right.last], self.tokens[min(right.last + 1, len(self.tokens) - 1)]
        glued = last.end == mark.start and mark.end == more.start
        if glued and (mark.kind, mark.value, more.kind) == ("relation", "?", "number") and self.text[mark.start] in "–~～":
            return Unread(right.start, more.end, message("range", text=self.text[right.start : more.end]))
        if (last.kind, mark.value, more.kind) != ("number", ",", "number") or not glued:
            return None
        apart = self.by_first.get(right.last + 1)
        if apart is None or not apart.is_number or self.tokens[apart.last].kind == "relation":
            return None  # Another claim, as in 2*3=6,2*4=8.
        written = self.text[last.start : more.end]
        return Unread(last.start, more.end, message("one-number-or-two", text=written))

    def _unread(self, relation: ChainRelation, at: int) -> Unread | None:
        """Why nothing could be read after the relation; None if the line simply ends or has words there."""
        token = self.tokens[at]
        if token.kind == "malformed":
            return Unread(token.start, token.end, message("not-a-number", text=str(token.value)))
        if at in self.failed or token.kind in ("number", "(", "frac", "other") or token.value == "large":
            return Unread(token.start, token.end, message("unreadable"))
        return None

    def _trailing(self, last: Expression) -> Message | None:
        """Why what follows the last side may belong to it, if it may."""
        token = self.tokens[last.last]
        written = self.text[token.start : token.end]
        unread = token.kind in ("number", "malformed", "frac", "*", "/", "+", "^")
        is_range = written == "—" and self.text[token.end : token.end + 1].isdigit()
        if unread or (token.kind == "other" and (written not in _HARMLESS or is_range)):
            return message("unread-behind", sign=written)
        if token.kind == "relation" and written in ("±", "–", "~", "～", "^="):
            return message("maybe-goes-on", sign=written)
        return None

    def _clipped(self, first: int) -> Message | None:
        """Why what precedes the first side may belong to it, if it may."""
        if self.debris:
            return COPIED
        if not first or self.text[self.tokens[first].start - 1] == "`":  # What is marked as code begins there.
            return None
        before, further = self.tokens[first - 1], self.tokens[max(first - 2, 0)]
        written = self.text[before.start : before.end]
        if self.first_sum < first:
            return message("sum-sign-before")
        if written[-1] in _FRACTIONS and before.end == self.tokens[first].start:
            return message("maybe-before", sign=written[-1])
        if self._calculates_in_words(first) or is_argument(self.tokens, first):
            return message("words-before")
        if before.kind == "relation" and further.kind in ("*", "/", "+", "^") and first > 1:
            return message("maybe-before", sign=self.text[further.start : further.end])
        if before.kind == "relation" and before.value == "?" and (written in "–~～" or further.end == before.start):
            return message("maybe-before", sign=written)
        is_mark = str(before.value) in ".,'’" and further.end == before.start
        glued = self.text[before.end] == "\\" or before.end == self.tokens[first].start
        spaced = further.kind == "number" and _SPACED_GROUP.match(self.text, before.start)
        if is_mark and further.kind in ("number", "name", "word", ")", "]") and (glued or spaced):
            return message("number-goes-on")
        if first in self.behind_failed:
            return message("unread-before-it")
        if before.kind == "-" and further.kind == "separator" and further.value in (":", "："):
            return message("maybe-minus")
        if before.kind == "number" and "   " not in self.text[before.end : self.tokens[first].start]:
            return message("number-before", number=written)
        if before.kind in ("(", "[", "{") and first - 1 not in self.closing and first > 1:
            return message("bracket-not-closed", bracket=written)
        if before.kind == "+" and (first == 1 or (further.kind in ("separator", "newline") and further.value not in _CUT)):
            return GOES_ON
        if written == "−":
            return message("maybe-minus")
        if before.kind in "*/^":
            return message("unread-before", sign=written)
        if before.kind in "+-" and first > 1 and (further.kind in _OPERANDS or further.value in _CUT):
            return message("unread-before", sign=written)
        is_sign = before.kind == "other" and (before.value not in ("%", "#", "@", "—") or (first > 1 and further.kind in _OPERANDS))
        if before.kind in ("malformed", "frac") or (is_sign and not _SET_OFF.match(self.text, max(0, before.start - 1))):
            return message("unread-sign-before", sign=written)
        if before.kind in ")]}" and (before.kind == "}" or before.end == self.tokens[first].start or self.tokens[first].kind in CLOSING):
            return message("bracket-before")
        return None

    def _calculates_in_words(self, first: int) -> bool:
        """Whether words before the first side calculate, ``7 plus``, or a sign, ``8 × avg``; not before a verb: ``each has``."""
        for index in range(first - 1, max(-1, first - 8), -1):
            token = self.tokens[index]
            if token.kind == "*" and index < first - 1 and self.text[token.start : token.end] != "*":
                return True
            if token.kind not in ("word", "name") or any(words(each).is_one(str(token.value)) for each in ("has", "equals", "arrives")):
                return False
            if words("calculates").is_one(str(token.value)):
                return True
        return False


def _keeps_apart(token: Token) -> bool:
    return token.kind == "relation" or (token.kind == "separator" and str(token.value) in ",，")


def ends_about(text: str) -> bool:
    """Whether the words end in one that makes the number after them approximate: ``roughly``."""
    return words("about").is_one(text.rstrip("$`*_ ").rpartition(" ")[2])
