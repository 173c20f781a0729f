"""Parses the longest expression that begins at a token of a page: factors and terms with nouns, notes and units between them.

It continues as long as what follows can belong to the formula, stops before anything that cannot, and records a doubt if that is uncertain.
"""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise

from symparam.core.formula import Formula, Number, Power, Product, Symbol, number
from symparam.core.message import Message, message
from symparam.core.parsing.lexer import Token
from symparam.core.parsing.parser import CLOSING, Parser, product_of
from symparam.documents.reading.bracket_pairs import MOST_INSIDE, may_explain
from symparam.documents.reading.expression import PLACEHOLDER, Expression, Literal, Repeated, in_numbers, plain_value, symbol_of, unknown
from symparam.documents.reading.functions import CALCULATED, FUNCTIONS, SQUARE_ROOT, calculated, is_operator
from symparam.documents.reading.lookahead import MAX_NOUNS, Lookahead, doubts_in
from symparam.documents.reading.ranges import begins_with_range, is_range
from symparam.documents.reading.rates import behind_rates, is_rate_of_money
from symparam.documents.reading.unit_senses import Unit, for_each, unit_of
from symparam.documents.rules.rule import applies, in_force
from symparam.documents.words import words
from symparam.errors import FormulaError

_DIFFERENTIALS = re.compile(r"\\[dt]?frac\s*\{\s*(?:d\s*[A-Za-z]|d\s*\}\s*\{\s*d|\\partial|∂)")
_CALCULATED = frozenset({"number", *"*/+^{}"})
_TUPLE = re.compile(r"\(\d{1,2}(?:, ?\d{1,2})+\)")
_STEPS = frozenset(base**power for base in (1000, 1024) for power in range(1, 6))  # Factors from one unit to a larger one.
_NEAR = Fraction(3, 100)  # A calculation this close to the number before it explains it, and does not multiply it.
_LONG = 1_000  # The least number that a formula in the bracket after it explains, and does not multiply.
_MAX_TOKENS = 2_000  # Tokens of one expression; longer ones are data.


def read_expression(ahead: Lookahead, at: int) -> tuple[Expression | None, int]:
    """The longest expression that begins at this token, or None, and the token at which to continue."""
    parser = _PageParser(ahead, at)
    try:
        formula = parser.lone_number() or parser.sum()
    except FormulaError:
        return None, max(parser.at, at + 1)
    if is_range(formula, parser.literals) or begins_with_range(ahead.tokens[at : at + 3]):
        parser.doubts.append(message("maybe-range"))
    start, end = ahead.tokens[at].start, ahead.tokens[parser.last_operand].end
    nouns, doubts, repeats = tuple(parser.nouns), tuple(dict.fromkeys(parser.doubts)), tuple(parser.repeats)
    return Expression(formula, at, parser.at, start, end, parser.literals, nouns, doubts, repeats), parser.at


class _PageParser(Parser):
    def __init__(self, ahead: Lookahead, at: int) -> None:
        super().__init__(ahead.text, ahead.tokens)
        self.ahead, self.closing, self.vocabulary = ahead, ahead.closing, ahead.vocabulary
        self.at, self.begin = at, at
        self.literals: dict[str, Literal] = {}
        self.nouns: list[str] = []
        self.doubts: list[Message] = []
        self.repeats: list[Repeated] = []
        self.last_operand = at
        self.run: tuple[Formula, ...] = ()
        self.raised = False
        self.measured = False  # Whether the last operand was a number with its unit.

    def lone_number(self) -> Formula | None:
        """A number after which no expression can continue; a third of all expressions are such."""
        if self.next.kind != "number" or self.tokens[self.at + 1].kind not in ("end", "separator", "relation"):
            return None
        return self._literal()

    # What continues and what ends an expression.

    def follows(self, *signs: str) -> bool:
        sign = self.next
        if sign.kind not in signs or self.at - self.begin > _MAX_TOKENS:
            return False
        if self.ahead.is_operand(self.at + 1, sign.kind, self.nested > 0):
            if self.last_operand < self.at - 1 and self.ahead.is_glued_minus(self.at):
                self.doubts.append(message("maybe-sign-of-number"))
            self.nouns.clear()  # The noun of a factor does not describe the product.
            return True
        if self.tokens[self.at + 1].kind in ("end", "newline", "relation"):
            self.doubts.append(message("sign-ends-it"))
        elif sign.kind != "-":
            self.doubts.append(message("not-read-behind", sign=self.text[sign.start : sign.end]))
        elif not self.text.startswith("--", sign.start):  # A dash.
            self.doubts.append(message("maybe-goes-on-behind-minus"))
        return False

    def is_juxtaposed(self) -> bool:
        token = self.next
        if token.kind == "name":
            return self.ahead.is_factor(self.at, self.begin)
        if token.kind == "frac":
            is_mixed = self.at > self.begin and self.tokens[self.at - 1].kind == "number"
            self.doubts += [message("maybe-mixed-number")] * is_mixed
            return self.ahead.is_fraction(self.at)
        if token.kind not in CLOSING or self.at not in self.closing or self.ahead.is_note(self.at) or self._is_explained():
            return False
        if self._begins_column() and applies("column-of-spaces", token.start):
            return False
        before, within = self.tokens[self.at - 1], self.tokens[self.at + 1 : self.closing[self.at]]
        glued = self.at > self.begin and before.end == token.start
        short = glued and token.kind == "(" and len(within) <= 2
        if before.kind == "name" and (short or token.kind == "[" or is_operator(self.text, before, within)):
            self.doubts.append(message("maybe-function"))
        if not (glued or self.tokens[self.at - 2].kind == "^") and (
            before.kind == "number" or (before.kind in ("name", "word") and self.measured)
        ):
            self.doubts.append(message("bracket-behind-number"))
        return True

    def _is_explained(self) -> bool:
        """Whether the bracket here holds the calculation of the number before it, as in ``49152 (4 × 12288)`` and ``79.3% (115/145)``."""
        end, begin = self.closing[self.at], self.ahead.behind_label(self.at + 1)
        goes_on = self.tokens[end + 1].kind in ("*", "/", "+", "-", "^", "relation")
        if goes_on or not self.measured or not may_explain(self.tokens[begin:end]):
            return False
        found, behind = read_expression(self.ahead, begin)
        last = next(reversed(self.literals.values()), None)
        shown = last.value if last is not None else self.tokens[self.at - 1].value
        if found is None or behind != end or isinstance(shown, str):
            return False
        meant = Fraction(shown) * (last.unit.senses[0] if last and last.unit else 1)
        result = plain_value(in_numbers(found))
        if result is None:  # 7,087,872 (12H² + 13H), and not 2(H + 1)
            is_apart = self.next.start > self.tokens[self.at - 1].end or self.text[self.next.start] == "（"
            is_close = is_apart and abs(meant) >= _LONG and bool(found.letters) and not found.unknown
        else:
            is_close = any(abs(result - each) <= abs(each) * _NEAR for each in (Fraction(shown), meant))  # 39 GB (65e9 / 1e9)
        return is_close and applies("explained-in-bracket", self.next.start)

    def is_apart(self) -> bool:
        last = next(reversed(self.literals.values()), None)
        is_amount = self.measured and last is not None and last.unit is not None and bool(last.unit.counted)  # 0.5 GB 32K tokens
        return is_amount or self._begins_column()

    def _begins_column(self) -> bool:
        gap = self.text[self.tokens[self.at - 1].end : self.next.start]
        return ("   " in gap and "\n" not in gap) or "\t" in gap

    def juxtaposition(self) -> list[Formula]:
        divides = self.at > self.begin and self.tokens[self.at - 1].kind == "/"
        factors = super().juxtaposition()
        if divides and len(factors) > 1:
            self.doubts.append(message("unclear-divisor"))
        is_measured = divides and any(literal.unit is not None and literal.unit.written != "%" for literal in self.literals.values())
        if is_measured and plain_value(product_of(factors)) in _STEPS:
            self.doubts.append(message("maybe-change-of-unit"))
        return factors

    def power(self) -> Formula:
        self.run = ()
        first, begun = self.next.kind, self.next.start
        base = self.atom()
        if self.next.kind != "^":
            return base
        if first == "number" and self.last_operand < self.at - 1:  # 800 mm²: the power of a unit is not that of its number.
            self.take()
            self.exponent()
            return base
        is_shown = not (first == "{" and isinstance(base, Product) and "\\" in self.text[begun : self.next.start])
        run = self.run if first == "name" else () if is_shown else base.parts  # LH² squares only H; TeX shows {2 \cdot d}^2 as 2d².
        if self.tokens[self.at + 1 + (self.tokens[self.at + 1].kind == "-")].kind not in ("number", "name", *CLOSING):
            self.doubts.append(message("exponent-not-read"))
            return base
        self.take()
        self.raised = True  # A unit after an exponent belongs to the whole: 2**13 KB.
        self.doubts += [message("index-in-brackets")] * (self.next.kind == "{" and self.tokens[self.at + 1].kind == "(")
        exponent = self.exponent()
        self.raised = False
        raised: Formula = product_of([*run[:-1], Power(run[-1], exponent)]) if len(run) > 1 else Power(base, exponent)
        # Letters have no scale: the k of 2H²k/h are heads, not thousands.
        may_scale = first != "name" or len(str(self.next.value)) > 1
        unit = self._unit(False) if may_scale and in_force("unit-of-power", self.next.start) else None
        if unit is not None and applies("unit-of-power", self.tokens[self.at - 1].start):
            letter = f"{PLACEHOLDER}{self.tokens[self.at - 1].start}"
            self.literals[letter] = Literal(1, Fraction(0), unit, 1)
            self.last_operand = self.at - 1
            raised = product_of([raised, Symbol(letter)])
        self.measured = first == "number"
        self._skip_words()
        return raised

    def atom(self) -> Formula:
        token = self.next
        self.measured = token.kind == "number"
        if token.kind == "number":
            found = self._literal()
            self.at = self.ahead.behind_number(self.at)
        elif token.kind == "name":
            found = self._name()
        elif token.kind == "word":
            found = self._words()
        elif token.kind in CLOSING and self.at not in self.closing:
            raise self.error("the bracket is not closed")
        elif token.kind in CLOSING:
            found = self._group()
        else:
            is_differential = token.kind == "frac" and _DIFFERENTIALS.match(self.text, token.start) is not None
            self.doubts += [message("differentials")] * is_differential
            found = super().atom()
        self.last_operand = self.at - 1
        self._skip_words()
        return found

    def _group(self) -> Formula:
        end, begin, nested = self.closing[self.at], self.at, self.nested
        kept, counted = len(self.doubts), len(self.nouns)
        try:
            notation = self.take().value
            self.doubts += [message("maybe-without", rules=(notation,))] if isinstance(notation, str) and notation else []
            self.deeper()
            inside = self.sum()
            self.nested -= 1
            if self.at == end:
                self.take()
                if len(self.nouns) > counted and isinstance(inside, (Number, Symbol)):
                    self.doubts.append(message("words-in-bracket"))
                return inside
        except FormulaError:
            pass  # If the bracket cannot be read, it becomes one unknown operand, and reading continues after it.
        del self.doubts[kept:]
        self.at, self.nested = end + 1, nested
        return self._unknown(begin, end + 1)

    def _unknown(self, begin: int, end: int) -> Formula:
        return unknown(self.text[self.tokens[begin].start : self.tokens[end - 1].end])

    def _literal(self) -> Formula:
        token = self.take()
        value = token.value
        assert not isinstance(value, str)
        if (written := self.text[token.start : token.end].lower()).startswith("0x"):
            return number(value)
        if len(written) == len("07") and written[0] == "0" and written.isdecimal():
            self.doubts.append(message("leading-zero"))
        if self.text.startswith("_{", token.end):
            self.doubts.append(message("maybe-without", rules=("number-with-label",)))  # 3_{stat} + 2_{sys}
        mantissa, _, exponent = written.partition("e")
        decimals = len(mantissa.rpartition(".")[2]) if mantissa.count(".") == 1 else 0
        decimals = decimals or (len(mantissa.rpartition(",")[2].strip("{}")) if isinstance(value, Fraction) else 0)
        power, self.at = self.ahead.power_of_ten(self.at)
        unit = self._unit(decimals > 0)
        if not (exponent or power) and decimals and re.fullmatch(r"[1-9]\d{0,2}\.\d{3}", mantissa):
            if unit is not None and unit.counted == "bytes" and unit.senses == (Fraction(1),):
                value, decimals = value * 1000, 0  # A byte has no parts.
            elif unit is None or self.vocabulary.dotted:
                self.doubts.append(message("maybe-thousands-point"))
        divides = self.at - 2 >= self.begin and self.tokens[self.at - 2].kind == "/"
        if unit is None and not decimals and not power and (not exponent or divides):
            return number(value)
        shown = "".join(filter(str.isdecimal, mantissa)).lstrip("0")
        digits = len(shown if decimals else shown.rstrip("0")) or 1
        if unit is None and decimals and "," in mantissa and "." not in mantissa:
            self.doubts.append(message("maybe-two-numbers"))
        letter = f"{PLACEHOLDER}{token.start}"
        last_digit = Fraction(10) ** (power + int(exponent or 0) - decimals)
        self.literals[letter] = Literal(value * Fraction(10) ** power if power else value, last_digit, unit, digits)
        return Symbol(letter)

    def _unit(self, decimals: bool) -> Unit | None:
        found = self.ahead.unit(self.at, decimals) if not self.raised else None
        if found is None and is_rate_of_money(self.text, self.tokens, self.at):
            self._skip_rate()  # $54,800/GPU
        if found is None:
            return None
        unit, noun, self.at = found
        self.nouns += [noun] * bool(noun)
        second = unit_of(str(self.next.value)) if self.next.kind in ("name", "word") else None
        self.doubts += [message("two-scales")] * (second is not None and not (unit.counted or second[0].counted))  # 7 mil millones
        return for_each(unit, self._skip_rate())

    def _skip_rate(self) -> str:
        """Skip the words after the slashes of ``KB/token/layer``, if there are any, and return the first."""
        begin, self.at = self.at, behind_rates(self.tokens, self.at, self.ahead.vocabulary)
        self.nouns += [str(token.value) for token in self.tokens[begin + 1 : self.at : 2]]
        return str(self.tokens[begin + 1].value) if self.at > begin else ""

    def _name(self) -> Formula:
        token = self.take()
        name = str(token.value)
        before = self.tokens[max(self.at - 2, self.begin)]
        glued = before.end == token.start and before.kind in ("number", ")", "]", "}")
        in_formula = self.next.start == token.end and (self.next.kind == "^" or (before.kind == "{" and self.next.kind == "}"))
        letters = self.vocabulary.letters_of(name, glued, in_formula)
        calls = self.at in self.closing and self.next.kind in ("([{" if name == SQUARE_ROOT else "([") and self.next.start == token.end
        if calls and self.ahead.is_call(self.at, letters):
            return self._call(token)
        is_label = len(name) > 1 and self.next.kind == "number" and self.nested > 0 and self.tokens[self.at - 2].kind in "+("
        if letters is None or is_label:
            self.at -= 1
            return self._words()
        self.run = tuple(map(symbol_of, letters))
        return product_of(list(self.run))

    def _call(self, name: Token) -> Formula:
        """Read a name with a bracket: ``d(model)`` is a name, ``Head(0.0015)`` labelled, and any other function is unknown."""
        end, word = self.closing[self.at], str(name.value).lower()
        if word in CALCULATED and applies(CALCULATED[word], name.start):
            return self._calculated(name, word)
        size, kinds = end - self.at - 1, {token.kind for token in self.tokens[self.at + 1 : end]}
        calculated = kinds <= _CALCULATED or (size == 2 and kinds == {"number", "word"})  # Attention（2,360,064個）
        is_label = calculated and len(word) + size > 2 and word not in FUNCTIONS and "." not in word  # Nor a method.
        if kinds and is_label and applies("labelled-number", name.start):
            self.doubts += [message("words-before-number")] * (size > 1 or self.tokens[self.at + 1].value in range(10))  # ratio(2)
            return self._group()
        self.at = end + 1
        if kinds <= {"name", "word", "separator"} and applies("name-with-arguments", name.start):
            return Symbol("".join(self.text[name.start : self.tokens[end].end].split()))
        return unknown(self.text[name.start : self.tokens[end].end])

    def _calculated(self, name: Token, function: str) -> Formula:
        """The value of the function of the numbers in the bracket here."""
        begin, kept, self.literals = self.at - 1, self.literals, {}
        found, letter = calculated(function, self._group(), self.literals), f"{PLACEHOLDER}{name.start}"
        self.literals = {**kept, letter: found} if isinstance(found, Literal) else kept
        if found is None:
            return self._unknown(begin, self.at)
        return Symbol(letter) if isinstance(found, Literal) else number(found)

    def _words(self) -> Formula:
        begin, self.at = self.at, self.ahead.behind_words(self.at)
        called = str(self.tokens[begin].value).lower() in FUNCTIONS
        if self.next.kind == "number" and begin > self.begin and self.tokens[begin - 1].kind in ("+", "(") and not called:
            self.doubts.append(message("words-before-number"))
            return self._literal()
        return self._unknown(begin, self.at)

    # Between an operand and the sign after it.

    def _skip_words(self) -> None:
        """Skip nouns and notes after an operand: ``12 layers ×``, ``2,048 (for the norms) +``, ``768 * 2（클래스의 개수）=``."""
        while not self.raised:
            kind = self.next.kind
            if kind in CLOSING and self._is_mere_note():
                self.doubts += doubts_in(self.tokens[self.at : self.closing[self.at]])
                begin, self.at = self.at, self.closing[self.at] + 1
                is_tuple = _TUPLE.fullmatch(self.text, self.tokens[begin].start, self.tokens[self.at - 1].end)
                calculates = self.next.kind in ("+", "-", "*", "/") and self.ahead.calculates(begin)
                if is_tuple or calculates or self.ahead.sets_several(begin):
                    self.doubts.append(message("unread-bracket"))
                continue
            if kind not in ("word", "name") or (not self.measured and self.tokens[self.last_operand].kind in ("name", "number", "}")):
                return
            behind = self.ahead.nouns(self.at)
            if behind == self.at or not applies("noun", self.next.start):
                return
            self.nouns += [str(token.value) for token in self.tokens[self.at : behind]]
            sign = self.tokens[behind]
            self.doubts += doubts_in(self.tokens[self.at : behind], sign.kind)
            if sign.kind in ("+", "-", "*", "/") and "$" in self.text[self.tokens[self.at - 1].end : sign.start]:
                self.doubts.append(message("goes-on-behind-formula"))
            self.at = behind
            self._skip_rate()

    def _is_mere_note(self) -> bool:
        """Whether the bracket that begins here says nothing about the value of what precedes it."""
        at = self.at
        if at not in self.closing or not self.ahead.is_note(at) or self.ahead.repeats_value(at) or self.ahead.makes_a_claim(at):
            return False
        return self.ahead.behind_label(at + 1) == at + 1 or not self._is_explained()

    def after_factors(self, start: int, factors: list[Formula]) -> None:
        while self.next.kind in CLOSING and self.at in self.closing and self.ahead.repeats_value(self.at):
            end = self.closing[self.at]
            first = self.at + 1 + self.ahead.says_about(self.at + 1)
            inside, _ = read_expression(self.ahead, first)
            if inside is not None and inside.is_number and applies("repeated-value", self.next.start):
                is_factor = inside.exact is not None and self.tokens[first - 1].kind != "relation"
                if is_factor and plain_value(product_of(factors)) != inside.exact:
                    self.doubts.append(message("bracket-behind-number"))
                self.repeats.append(Repeated(product_of(factors), inside, self.tokens[start].start, self.tokens[end].end))
            self.at = end + 1
            self._skip_words()
        self._remarks(start, factors)

    def _remarks(self, start: int, factors: list[Formula]) -> None:
        """Read ``(31% of 124M total)`` and ``(~8.4M, 0.12% of 7B)`` after a number; as a remark it is skipped in any case."""
        at = self.last_operand + 1
        while self.tokens[at].kind in ("word", "name") and at - self.last_operand <= MAX_NOUNS:
            at += 1
        if self.tokens[at].kind != "(" or not 2 < self.closing.get(at, at) - at <= MOST_INSIDE:
            return
        end = self.closing[at]
        parts = [at, *(each for each in range(at + 1, end) if self.tokens[each].value in (",", ";", "，", "；"))]
        for begin, behind in pairwise([*parts, end]):
            first = begin + 1 + self.ahead.says_about(begin + 1)
            found, last = read_expression(self.ahead, first) if self.tokens[first].kind == "number" else (None, first)
            if found is None or not found.is_number:
                continue
            place = self.tokens[start].start, self.tokens[end].end
            (of, whole), total = self.tokens[last : last + 2], None
            if self.text[found.end - 1] == "%" and whole.kind == "number" and words("share_of").is_one(str(of.value)):
                total, _ = read_expression(self.ahead, last + 1)
            if total is not None and total.is_number and applies("share-of-number", self.tokens[at].start):
                self.repeats.append(Repeated(product_of(factors), found, *place, total))
            elif len(parts) > 1 and last == behind and begin == at and found.is_long and applies("repeated-value", self.tokens[at].start):
                self.repeats.append(Repeated(product_of(factors), found, *place))
