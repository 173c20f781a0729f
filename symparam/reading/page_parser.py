"""The longest expression that begins at a token of a page: factors and terms with nouns, notes and units between them.

It reads on as long as what follows can belong to the formula, stops before what cannot, and keeps a doubt where that is not sure.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

from symparam.errors import FormulaError
from symparam.evaluation import evaluate
from symparam.formula import Formula, Negative, Number, Power, Sum, Symbol, number
from symparam.reading.expression import PLACEHOLDER, UNKNOWN, Expression, Literal, Repeated
from symparam.reading.lexer import Token
from symparam.reading.parser import CLOSING, Parser, product_of
from symparam.reading.units import Unit, unit_of
from symparam.reading.vocabulary import Vocabulary

MAX_NOUNS = 5  # Words between a number and the sign behind it, as in "12 layers of 64 heads ×".
FUNCTIONS = frozenset(
    """abs ceil cos erf exp fact factorial floor gelu int lb len lg ln log log10 log2 max mean min mod prod relu round
    sigmoid silu sin softmax sqrt sum tan tanh trunc""".split()  # noqa: SIM905
)  # Whose value is not the number in the brackets behind it.
_DIFFERENTIALS = re.compile(r"\\[dt]?frac\s*\{\s*(?:d\s*[A-Za-z]|d\s*\}\s*\{\s*d|\\partial|∂)")
_STEPS = frozenset(base**power for base in (1000, 1024) for power in range(1, 6))  # From one unit to a larger one.
_MANY = re.compile(r"(?i:each|twice|thrice|apiece|doubled|tripled)|各|各自|两次|兩次|各々|각각|각")
_MAX_TOKENS = 2_000  # Of one expression; longer ones are data.


def read_expression(
    text: str, tokens: Sequence[Token], at: int, closing: Mapping[int, int], vocabulary: Vocabulary
) -> tuple[Expression | None, int]:
    """The longest expression that begins at this token, or None, and the token at which to go on. The last token is an ``end``."""
    parser = _PageParser(text, tokens, at, closing, vocabulary)
    try:
        formula = parser.sum()
    except FormulaError:
        return None, max(parser.at, at + 1)
    if _is_range(formula, parser.literals):
        parser.doubts.append("it may be a range")
    found = Expression(
        formula,
        at,
        parser.at,
        tokens[at].start,
        tokens[parser.last_operand].end,
        parser.literals,
        tuple(parser.nouns),
        tuple(dict.fromkeys(parser.doubts)),
        tuple(parser.repeats),
    )
    return found, parser.at


class _PageParser(Parser):
    def __init__(self, text: str, tokens: Sequence[Token], at: int, closing: Mapping[int, int], vocabulary: Vocabulary) -> None:
        super().__init__(text, tokens)
        self.at, self.begin, self.closing, self.vocabulary = at, at, closing, vocabulary
        self.literals: dict[str, Literal] = {}
        self.nouns: list[str] = []
        self.doubts: list[str] = []
        self.repeats: list[Repeated] = []
        self.last_operand = at
        self.run: tuple[Formula, ...] = ()
        self.raised = False
        self.measured = False  # Whether the last operand was a number with its unit.

    # What goes on and what ends.

    def follows(self, *signs: str) -> bool:
        if self.next.kind not in signs or self.at - self.begin > _MAX_TOKENS:
            return False
        if self._operand_at(self.at + 1, self.next.kind):
            self.nouns.clear()  # What a factor counts is said no more of the product.
            return True
        if self.tokens[self.at + 1].kind in ("end", "newline", "relation"):
            self.doubts.append("a sign without a number behind it ends the expression")
        elif self.next.kind != "-":
            self.doubts.append(f"what stands behind {self.text[self.next.start : self.next.end]!r} is not read")
        else:
            self.doubts.append("the expression may go on behind the minus sign")
        return False

    def _operand_at(self, at: int, sign: str) -> bool:
        if self.tokens[at].kind == "-" and sign in "*/":
            at += 1
        token = self.tokens[at]
        if token.kind == "number":
            return True
        if token.kind == "frac":
            return self._is_fraction(at)
        if token.kind in CLOSING:
            return at in self.closing
        if token.kind == "name":
            if self.vocabulary.letters_of(str(token.value), False) is not None:
                return True
        elif token.kind != "word":
            return False
        behind = self._behind_words(at)
        if sign == "+" and self.tokens[behind].kind == "number" and self._is_label(at, behind):
            return True
        if sign == "-" and not self.nested:
            return self.tokens[behind].kind in ("+", "*", "/", "relation") and self.tokens[at - 1].end == token.start
        return self.tokens[behind].kind not in ("number", "name", "word", *CLOSING)

    def _is_fraction(self, at: int) -> bool:
        """Whether both groups of a TeX fraction are there."""
        above = self.closing.get(at + 1)
        return above is not None and above + 1 in self.closing and self.tokens[at + 1].kind == self.tokens[above + 1].kind == "{"

    def _is_label(self, at: int, behind: int) -> bool:
        """Whether the words between a plus sign and a number name what is added: ``+ embeddings 23.8M``."""
        return behind > at and self.text.find("\n", self.tokens[at - 1].start, self.tokens[behind].start) < 0

    def _behind_words(self, at: int) -> int:
        start = at
        while self.tokens[at].kind in ("word", "name") and at - start < MAX_NOUNS:
            at += 1
        if at in self.closing and at > start and self.tokens[at].start == self.tokens[at - 1].end:
            at = self.closing[at] + 1
        return at

    def beside(self) -> bool:
        token = self.next
        if token.kind == "frac":
            return self._is_fraction(self.at)
        glued = self.at > self.begin and self.tokens[self.at - 1].end == token.start
        if token.kind == "name":
            after_relation = self.begin > 0 and self.tokens[self.begin - 1].kind == "relation"
            if not glued and (
                (self.tokens[self.at + 1].kind == "relation" and after_relation)
                or "  " in self.text[self.tokens[self.at - 1].end : token.start]
            ):
                return False  # c = 1  c = 2
            letters = self.vocabulary.letters_of(str(token.value), glued)
            if (
                glued
                and isinstance(self.tokens[self.at - 1].value, Fraction)
                and len(str(token.value)) > 2
                and not set(letters or ()) <= self.vocabulary.single
            ):
                return False  # 53.125GBps
            name = str(token.value)
            indexed = "_" in name and self.tokens[self.at - 1].kind in ("name", ")", "}")  # N W_layer
            return letters is not None and (glued or indexed or len(letters) > 1 or len(name) == 1 or name in self.vocabulary.names)
        if token.kind in CLOSING and self.at in self.closing:
            if self._is_note(self.at):
                return False
            short = token.kind == "(" and self.closing[self.at] - self.at <= 3
            if self.tokens[self.at - 1].kind == "name" and ((glued and short) or token.kind == "["):
                self.doubts.append("a letter before a bracket may be a function")
            if not glued and self.tokens[self.at - 1].kind == "number":
                self.doubts.append("a bracket behind a number may or may not multiply it")
            return True
        return False

    def side_by_side(self) -> list[Formula]:
        divides = self.at > self.begin and self.tokens[self.at - 1].kind == "/"
        factors = super().side_by_side()
        if divides and len(factors) > 1:
            self.doubts.append("whether all factors behind the division sign divide is not clear")
        if divides and self._measured() and _value(product_of(factors)) in _STEPS:
            self.doubts.append("the division may only change the unit")
        return factors

    def _measured(self) -> bool:
        return any(literal.unit is not None and literal.unit.written != "%" for literal in self.literals.values())

    def power(self) -> Formula:
        self.run = ()
        first = self.next.kind
        base = self.atom()
        if self.next.kind != "^":
            return base
        run = self.run if first == "name" else ()  # LH² squares the H alone, and (LH)² both.
        behind = self.tokens[self.at + 1 + (self.tokens[self.at + 1].kind == "-")]
        if behind.kind not in ("number", "name") and behind.kind not in CLOSING:
            self.doubts.append("the exponent is not read")
            return base
        self.take()
        self.raised = True  # A unit behind an exponent belongs to the whole: 2**13 KB.
        if self.next.kind == "{" and self.tokens[self.at + 1].kind == "(":
            self.doubts.append("an index in brackets is no exponent")
        exponent = self.exponent()
        self.raised = False
        unit = self._unit(False)
        if unit is not None:
            letter = f"{PLACEHOLDER}{self.tokens[self.at - 1].start}"
            self.literals[letter] = Literal(1, Fraction(0), unit, 1)
            self.last_operand = self.at - 1
            return product_of([Power(base, exponent), Symbol(letter)])
        return product_of([*run[:-1], Power(run[-1], exponent)]) if len(run) > 1 else Power(base, exponent)

    # Operands.

    def atom(self) -> Formula:
        token = self.next
        self.measured = token.kind == "number"
        if token.kind == "number":
            found = self._literal()
        elif token.kind == "name":
            found = self._name()
        elif token.kind == "word":
            found = self._words()
        elif token.kind in CLOSING and self.at not in self.closing:
            raise self.error("the bracket is not closed")
        elif token.kind in CLOSING:
            found = self._group()
        else:
            if token.kind == "frac" and _DIFFERENTIALS.match(self.text, token.start):
                self.doubts.append("a fraction of differentials is no quotient of sizes")
            found = super().atom()
        self.last_operand = self.at - 1
        self._skip_words()
        return found

    def _group(self) -> Formula:
        end, begin, nested = self.closing[self.at], self.at, self.nested
        kept = len(self.doubts)
        try:
            self.take()
            self.deeper()
            inside = self.sum()
            self.nested -= 1
            if self.at == end:
                self.take()
                return inside
        except FormulaError:
            pass  # What cannot be read in the bracket makes it one unknown operand; the line around it is read on.
        del self.doubts[kept:]
        self.at, self.nested = end + 1, nested
        return self._unknown(begin, end + 1)

    def _unknown(self, begin: int, end: int) -> Formula:
        written = " ".join(self.text[self.tokens[begin].start : self.tokens[end - 1].end].split())
        return Symbol(UNKNOWN + written[:60])

    def _literal(self) -> Formula:
        token = self.take()
        value = token.value
        assert not isinstance(value, str)
        written = self.text[token.start : token.end].lower()
        if written.startswith("0x"):
            return number(value)
        mantissa, _, exponent = written.partition("e")
        decimals = len(mantissa.rpartition(".")[2]) if mantissa.count(".") == 1 else 0
        if not decimals and isinstance(value, Fraction):
            decimals = len(mantissa.rpartition(",")[2].strip("{}"))
        power = self._power_of_ten()
        unit = self._unit(decimals > 0)
        three = "." in mantissa and not exponent and not power and re.fullmatch(r"[1-9]\d{0,2}\.\d{3}", mantissa)
        if three and (unit is None or self.vocabulary.dotted):
            self.doubts.append("the point may stand between thousands")
        divides = self.at - 2 >= self.begin and self.tokens[self.at - 2].kind == "/"
        if unit is None and not decimals and not power and (not exponent or divides):
            return number(value)
        shown = "".join(filter(str.isdigit, mantissa)).lstrip("0")
        digits = len(shown if decimals else shown.rstrip("0")) or 1
        if unit is None and decimals and "," in mantissa and "." not in mantissa:
            self.doubts.append("the comma may stand between two numbers")
        letter = f"{PLACEHOLDER}{token.start}"
        scale = Fraction(10) ** power
        self.literals[letter] = Literal(value * scale, scale * Fraction(10) ** (int(exponent or 0) - decimals), unit, digits)
        return Symbol(letter)

    def _power_of_ten(self) -> int:
        """The exponent of ``3.2 × 10¹⁵``, which is one number: what stands before it is divided by all of it."""
        if self.next.kind != "*" or self.at + 4 >= len(self.tokens):
            return 0
        ten, power = self.tokens[self.at + 1 : self.at + 3]
        if ten.kind != "number" or ten.value != 10 or power.kind != "^":
            return 0
        at, closed = self.at + 3, 0
        if self.tokens[at].kind == "{":
            at, closed = at + 1, 1
        sign = -1 if self.tokens[at].kind == "-" else 1
        at += sign < 0
        exponent = self.tokens[at]
        if exponent.kind != "number" or not isinstance(exponent.value, int) or exponent.value > 300:
            return 0
        if closed and self.tokens[at + 1].kind != "}":
            return 0
        self.at = at + 1 + closed
        return sign * exponent.value

    def _unit(self, decimals: bool) -> Unit | None:
        at, closed = self.at, 0
        if self.tokens[at].kind == "{" and self.closing.get(at) == at + 2:  # \textbf{ M} keeps its braces.
            at, closed = at + 1, 1
        token = self.tokens[at]
        if (token.kind not in ("name", "word") and token.value != "%") or self.raised:
            return None
        written = str(token.value)
        found = unit_of(written)
        between = self.text[self.tokens[self.at - 1].end : token.start]
        if found is None or between.strip(" \t$`*_{}\u00a0") not in ("", "\\text", "\\mathrm", "\\textrm", "\\,", "\\;", "\\ ", "\\"):
            return None
        unit, length = found
        if written in ("T", "P", "E") and written in self.vocabulary.single:
            return None  # Letters of sizes as often as scales.
        if written in self.vocabulary.bound and len(written) == 1 and not decimals and token.start == self.tokens[self.at - 1].end:
            return None
        if len(written) == 1 and at + 1 in self.closing and self.tokens[at + 1].start == token.end and not self._is_note(at + 1):
            return None  # 12B(S + 1) multiplies.
        if length < len(written):
            self.nouns.append(written[length:])
        self.at = at + 1 + closed
        second = unit_of(str(self.next.value)) if self.next.kind in ("name", "word") else None
        if second is not None and not unit.counted and not second[0].counted:
            self.doubts.append("two scales stand behind one number")  # 7 mil millones
        self._skip_rate()
        return unit

    def _skip_rate(self) -> None:
        """The ``/token`` of ``KB/token`` belongs to the unit."""
        slash, name = self.next, self.tokens[min(self.at + 1, len(self.tokens) - 1)]
        if slash.kind == "/" and name.kind in ("name", "word") and name.start == slash.end and slash.start == self.tokens[self.at - 1].end:
            self.nouns.append(str(name.value))
            self.at += 2

    def _name(self) -> Formula:
        token = self.take()
        name = str(token.value)
        glued = self.at - 1 > self.begin and self.tokens[self.at - 2].end == token.start
        letters = self.vocabulary.letters_of(name, glued)
        if self.at in self.closing and self.next.kind in "([" and self.next.start == token.end and self._is_call(name, letters):
            return self._call(token)
        if letters is None:
            self.at -= 1
            return self._words()
        self.run = tuple(Symbol(letter) for letter in letters)
        return product_of(list(self.run))

    def _is_call(self, name: str, letters: tuple[str, ...] | None) -> bool:
        inside = self.tokens[self.at + 1 : self.closing[self.at]]
        kinds = {token.kind for token in inside}
        if letters is None:
            return True
        if kinds <= {"name", "word", "separator"} and inside:
            return any(token.kind != "name" or self.vocabulary.letters_of(str(token.value), False) is None for token in inside)
        return "separator" in kinds

    def _call(self, name: Token) -> Formula:
        """``d(model)`` is a name; ``Head(0.0015)`` a number with its label; any other function is not known."""
        begin, end = self.at, self.closing[self.at]
        inside = self.tokens[begin + 1 : end]
        if len(inside) == 1 and inside[0].kind == "number" and len(str(name.value)) > 1 and str(name.value).lower() not in FUNCTIONS:
            self.take()
            found = self._literal()
            self.at = end + 1
            return found
        self.at = end + 1
        if {token.kind for token in inside} <= {"name", "word", "separator"}:
            return Symbol("".join(self.text[name.start : self.tokens[end].end].split()))
        return Symbol(UNKNOWN + " ".join(self.text[name.start : self.tokens[end].end].split())[:60])

    def _words(self) -> Formula:
        begin = self.at
        self.at = self._behind_words(begin)
        if self.next.kind == "number" and begin > self.begin and self.tokens[begin - 1].kind == "+":
            self.doubts.append("words stand before a number in it")
            return self._literal()
        return self._unknown(begin, self.at)

    # What stands between an operand and the sign behind it.

    def _skip_words(self) -> None:
        """Nouns and notes behind an operand: ``12 layers ×``, ``2,048 (for the norms) +``, ``768 * 2（클래스의 개수）=``."""
        while not self.raised:
            if (
                self.next.kind in CLOSING
                and self.at in self.closing
                and self._is_note(self.at)
                and not self._repeats_value(self.at)
                and not self._claims(self.at)
            ):
                if any(_multiplies(token) for token in self.tokens[self.at : self.closing[self.at]]):
                    self.doubts.append("the words behind it may multiply it")
                self.at = self.closing[self.at] + 1
                continue
            if self.next.kind not in ("word", "name") or (self.tokens[self.last_operand].kind == "name" and not self.measured):
                return
            behind = self.at
            while self.tokens[behind].kind in ("word", "name") and behind - self.at < MAX_NOUNS:
                token = self.tokens[behind]
                glued = token.start == self.tokens[behind - 1].end
                if token.kind == "name" and (
                    self.vocabulary.letters_of(str(token.value), glued) is not None and (behind == self.at or len(str(token.value)) == 1)
                ):
                    break
                behind += 1
            kind = self.tokens[behind].kind
            if behind == self.at or kind in ("number", "frac", "name", "word"):
                return
            if kind in CLOSING and not (behind in self.closing and self._is_note(behind)):
                return
            self.nouns += [str(token.value) for token in self.tokens[self.at : behind]]
            if any(_multiplies(token) for token in self.tokens[self.at : behind]):
                self.doubts.append("the words behind it may multiply it")
            if kind in ("+", "-", "*", "/") and "$" in self.text[self.tokens[self.at - 1].end : self.tokens[behind].start]:
                self.doubts.append("it goes on behind a formula that ends")
            self.at = behind
            self._skip_rate()

    def _is_note(self, at: int) -> bool:
        """Whether the bracket holds a remark in words, rather than a factor."""
        inside = self.tokens[at + 1 : self.closing[at]]
        if not inside:
            return True
        calculates = any(token.kind in "+-*/^" for token in inside)
        for index, token in enumerate(inside):
            if token.kind in ("word", "relation", "separator"):
                return True
            glued = token.start == inside[index - 1].end if index else False
            if token.kind == "name" and self.vocabulary.letters_of(str(token.value), glued or calculates) is None:
                before = inside[index - 1].kind if index else ""
                if before != "number" or unit_of(str(token.value)) is None:
                    return True
        return self._repeats_value(at) or (len(inside) == 1 and inside[0].kind == "number" and self.tokens[at].kind != "{")

    def _claims(self, at: int) -> bool:
        """Whether the bracket behind an expression is a remark with a claim of its own, such as ``V × H (30522 × 768 = 23.4M)``."""
        inside = self.tokens[at + 1 : self.closing[at]]
        behind = self.tokens[self.closing[at] + 1].kind
        return behind not in ("+", "-", "*", "/", "relation") and any(token.kind == "relation" for token in inside[1:])

    def _repeats_value(self, at: int) -> bool:
        """Whether the bracket holds one number with its unit and nothing else that counts, behind something that it can repeat."""
        inside = self.tokens[at + 1 : self.closing[at]]
        if not inside or self.tokens[at].kind == "{" or at == self.begin:
            return False
        first = 1 if inside[0].kind == "relation" else 0
        numbers = sum(token.kind == "number" for token in inside)
        return (
            numbers == 1
            and inside[first : first + 1] != []
            and inside[first].kind == "number"
            and all(token.kind in ("number", "word", "relation") or token.value == "%" or self._is_noun(token) for token in inside)
        )

    def _is_noun(self, token: Token) -> bool:
        """Whether a name behind a number is its unit or what it counts, and no letter that it is multiplied by, as in ``N(2H)``."""
        if token.kind != "name" or str(token.value) in {"T", "P", "E"} & self.vocabulary.single:
            return False
        return unit_of(str(token.value)) is not None or self.vocabulary.letters_of(str(token.value), False) is None

    def after_factors(self, start: int, factors: list[Formula]) -> None:
        while self.next.kind in CLOSING and self.at in self.closing and self._repeats_value(self.at):
            end = self.closing[self.at]
            first = self.at + 1 + (self.tokens[self.at + 1].kind == "relation")
            inside, _ = read_expression(self.text, self.tokens, first, self.closing, self.vocabulary)
            if inside is not None and inside.is_number:
                if inside.exact is not None and self.tokens[first - 1].kind != "relation" and _value(product_of(factors)) != inside.exact:
                    self.doubts.append("a bracket behind a number may or may not multiply it")
                self.repeats.append(Repeated(product_of(factors), inside, self.tokens[start].start, self.tokens[end].end))
            self.at = end + 1
            self._skip_words()
        self._share(start, factors)

    def _share(self, start: int, factors: list[Formula]) -> None:
        """``(31% of 124M total)`` behind a number; as a remark it is skipped in any case."""
        at = self.last_operand + 1
        while self.tokens[at].kind in ("word", "name") and at - self.last_operand <= MAX_NOUNS:
            at += 1
        if self.tokens[at].kind != "(" or at not in self.closing or self.closing[at] - at < 5:
            return
        first = at + 1 + (self.tokens[at + 1].kind == "relation")
        number, percent, of, whole = self.tokens[first : first + 4]
        if (number.kind, percent.value, whole.kind) != ("number", "%", "number") or str(of.value) not in ("of", "von", "de", "der", "del"):
            return
        share, _ = read_expression(self.text, self.tokens, first, self.closing, self.vocabulary)
        total, _ = read_expression(self.text, self.tokens, first + 3, self.closing, self.vocabulary)
        if share is not None and total is not None and share.is_number and total.is_number:
            place = self.tokens[start].start, self.tokens[self.closing[at]].end
            self.repeats.append(Repeated(product_of(factors), share, *place, total))


def _is_range(formula: Formula, literals: Mapping[str, Literal]) -> bool:
    """Whether it is ``8-12 GB``: a number, and then a larger one behind a minus sign."""
    if not isinstance(formula, Sum) or len(formula.parts) != 2 or not isinstance(formula.parts[1], Negative):
        return False
    ends = [part.value if isinstance(part, Number) else _shown(part, literals) for part in (formula.parts[0], formula.parts[1].operand)]
    return ends[0] is not None and ends[1] is not None and ends[0] < ends[1]


def _shown(part: Formula, literals: Mapping[str, Literal]) -> int | Fraction | None:
    return literals[part.letter].value if isinstance(part, Symbol) and part.letter in literals else None


def _multiplies(token: Token) -> bool:
    return token.kind in ("word", "name") and _MANY.fullmatch(str(token.value)) is not None


def _value(formula: Formula) -> int | Fraction | None:
    """The value of numbers alone, without units."""
    try:
        return evaluate(formula, {})
    except FormulaError:
        return None
