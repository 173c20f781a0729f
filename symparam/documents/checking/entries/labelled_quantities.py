"""Labelled quantities of a page: numbers under the words beside them, which other lines use as operands.

Two labels mean the same if their meaningful words are the same; a longer label names a special case, and is used if it is the only one with
a value. Words of languages without spaces are compared by pairs of characters.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache

from symparam.core.formula import Formula, Number, Product, Sum, Symbol
from symparam.core.frozen import cached_property, frozen
from symparam.documents.checking.entries.list_parsing import usual_value
from symparam.documents.checking.entries.number_index import NumberIndex
from symparam.documents.checking.sides.unit_readings import ClaimSide, side_of
from symparam.documents.reading.expression import PLACEHOLDER, Expression, Literal
from symparam.documents.reading.parsed_document import ParsedCell
from symparam.documents.reading.unit_senses import Unit
from symparam.documents.roles.labels import read_label
from symparam.documents.words import words, words_of
from symparam.documents.words.scripts import UNSPACED, either, joined

MAX_STATED = 20_000  # Quantities of one page that are kept.
_MOST_WORDS = 12  # Words of a label; a longer text is a sentence.
EVIDENT = 3  # Digits in which two sides must agree if no sign says that they are equal.
YEARS = range(1990, 2040)
_TWO_WORDS = re.compile(r"(?<![^\W\d_])((?:[^\W\d_]++ )?([^\W\d_]++)) [~≈]?\Z")
_TIMES_BEFORE = re.compile(r"(?:[(（|*_`~≈]\s?|[^\W\d]\s)×\Z")
_FACTOR = 20  # Characters before a factor in which a word for it stands.
_TIMES = 12  # Characters behind a factor in which a word for "times" begins.
_LEAST = 1_000  # The least number that words before it can name; a smaller one counts what follows it.
_MOST_PARTS = 12  # Parts of a sum in words.
_WORD = re.compile(r"[^\W\d_]+\d*")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_CLAUSE = re.compile(rf"[.;:,!?](?=[\s{UNSPACED}]|$)|[。；：，、！？|]|\s[-–—]\s")
_UNSEEN = re.compile(r"<!--[^<>]*+>|\\[A-Za-z]{1,20}[\s*=]{0,3}\{?-?\d{1,4}(?:\.\d{1,4})?(?:em|ex|pt|mm|cm|in)\}?")
"""Comments, and commands of TeX with a length: ``\\hspace*{1em}``."""
_PATH = re.compile(r"[*`\s]{0,4}[A-Za-z_]\w{0,40}(?:\.[\w{}*]{1,40}){2,12}[*`\s]{0,4}")
"""The path of a tensor or a block in a model: ``encoder.layer.0.output.dense.weight``."""
_PLAIN_NUMBER = re.compile(r"[*`~\s]{0,4}\d[\d,.]{0,20}[*`\s]{0,4}")
_NAME = re.compile(r"([^\d/^=<>()\[\]{}|−]*+)(?>(\d{1,4})?)")


@frozen
class LabelledQuantity:
    """A number or a formula with the words before it, as in the text; ``section`` is the number of the heading above it, ``title`` the text
    of that heading or of the line above its list, ``headings`` are the headings around it, the innermost first, and ``column`` is the head
    of its column in a table. ``result`` is the number that the page gives as the value of a formula.
    """

    words: str
    expression: Expression
    section: int = 0
    title: str = ""
    column: str = ""
    headings: tuple[str, ...] = ()
    result: Expression | None = None

    @cached_property
    def side(self) -> ClaimSide:
        """The quantity as one side of a claim."""
        return side_of(self.expression)

    @property
    def is_named(self) -> bool:
        """Whether its words name the quantity, unlike those before a share or a count of something."""
        exact = self.expression.exact
        return exact <= -_LEAST or exact >= _LEAST if exact is not None else not is_percent(self.expression)

    @property
    def own_words(self) -> str:
        """The words of its own clause."""
        return " ".join(last_clause(self.words).split()).strip("*`$|:=-+ ")

    @cached_property
    def meaning(self) -> frozenset[str]:
        """The meaningful words of its own clause."""
        return meaningful_words(last_clause(self.words))

    @cached_property
    def part(self) -> tuple[str, ...]:
        """The part of a model that its words name."""
        return read_label(self.own_words).parts

    @property
    def is_rounded(self) -> bool:
        """Whether it has a scale, or may be rounded."""
        return self.expression.exact is None or is_round(self.expression.exact)

    @cached_property
    def value(self) -> Fraction | None:
        """Its value, with the unit in its usual sense."""
        return usual_value(self.expression.formula, self.expression)


@frozen
class QuantitySum:
    """A sum in words: the parts, each as many times as the words say. ``is_exact`` says that every label matches one of the page word for
    word.
    """

    parts: tuple[tuple[int, LabelledQuantity], ...]
    is_exact: bool

    @property
    def side(self) -> ClaimSide:
        """The sum in the numbers of the page."""
        terms: list[Formula] = [
            each.side.formula if count == 1 else Product((Number(count), each.side.formula)) for count, each in self.parts
        ]
        literals = {letter: literal for _, each in self.parts for letter, literal in each.side.literals.items()}
        return ClaimSide(terms[0] if len(terms) == 1 else Sum(tuple(terms)), literals)


def is_round(value: int | Fraction) -> bool:
    """Whether it has so few digits before its zeros that it may be rounded: ``8,000,000,000``."""
    return len(str(value).rstrip("0")) <= EVIDENT


def is_percent(number: Expression) -> bool:
    """Whether it is a percentage."""
    return number.literal is not None and number.literal.unit is not None and number.literal.unit.written == "%"


def in_unit(number: Expression, unit: Unit) -> Expression:
    """The number in a unit, if it has none itself."""
    own = number.literal
    if (own is not None and own.unit is not None) or (own is None and number.exact is None):
        return number
    literal = own or Literal(number.exact or 0, Fraction(1), None, digits_of(number))
    letter = f"{PLACEHOLDER}{number.start}"
    return number._replace(formula=Symbol(letter), literals={letter: replace(literal, unit=unit)})


def is_factor(number: Expression, text: str) -> bool:
    """Whether it says how many times as much something is: ``2.3×``, ``16x``, ``×16``, ``8 倍``, ``a factor of 8``."""
    if not number.is_number:
        return False
    behind = text[number.end : number.end + _TIMES].lstrip(" -").replace("×", "x")
    is_told = text[number.start : number.end].endswith(("x", "×")) or words("times").begins(behind)
    lead = text[max(0, number.start - _FACTOR) : number.start].lower()
    if is_told or _TIMES_BEFORE.search(lead):
        return True
    before = _TWO_WORDS.search(lead)
    return before is not None and not {before[1], before[2]}.isdisjoint(words_of("factor"))


def digits_of(number: Expression) -> int:
    """The number of its significant digits."""
    return number.literal.digits if number.literal is not None else len(str(number.exact).rstrip("0"))


def is_in_full(before: Expression, last: Expression) -> bool:
    """Whether the last number restates the one before it in a larger unit: ``524,288 bytes = 512 KiB``."""
    one, other = before.literal, last.literal
    units = [each.unit.counted if each is not None and each.unit is not None else "" for each in (one, other)]
    return units[0] == units[1] and before.is_number and digits_of(before) > digits_of(last) and (one is None or one.last_digit == 1)


def is_year(number: Expression) -> bool:
    """Whether it looks like a year."""
    return type(number.exact) is int and number.exact in YEARS  # A range is searched for anything but an integer.


def _is_citation(number: Expression) -> bool:
    """Whether it is a year in a bracket with a name: ``(Shazeer 2020)``."""
    return is_year(number) and not number.nouns and number.end - number.start > len("(2020)")


def meaningful_words(label: str) -> frozenset[str]:
    """The meaningful words of a label, in the singular."""
    found: set[str] = set()
    for word in _WORD.findall(_particles().sub(" ", label.lower())):
        if _UNSPACED.search(word):
            found.update(word[at : at + 2] for at in range(max(1, len(word) - 1)))
        elif word not in _empty() and not words("parameters").is_one(word):
            found.add(word.removesuffix("s") if len(word) > 3 else word)
    return frozenset(found)


@cache
def _empty() -> frozenset[str]:
    """The words that do not name anything."""
    return frozenset().union(*(words(notion).whole for notion in ("short", "merely", "before_total", "equals", "each", "so")))


def names_before(cells: Sequence[ParsedCell]) -> list[str]:
    """For each cell of a row, the first cell of words before it, with the next one that says which tensor of a block it is. A tensor's path
    behind the name of a group is the name of the first number only: ``| Pooler | pooler.dense.weight | [768, 768] | 589,824 | 590,592 |``.
    """
    names, found, path = list[str](), list[str](), ""
    for cell in cells:
        names.append(path or " ".join(found))
        path = "" if _PLAIN_NUMBER.fullmatch(cell.text) else path
        if found and _PATH.fullmatch(cell.text):
            path = cell.text
        elif any(map(str.isalpha, cell.text)) and (not found or (len(found) == 1 and words("bias").in_text(cell.text))):
            found.append(cell.text)
    return names


def last_clause(label: str) -> str:
    """The text after the last mark that ends a clause."""
    return _CLAUSE.split(label.rstrip(" :：=≈*`$|"))[-1]


@dataclass
class LabelledQuantities:
    """The quantities of a page so far, in order: the numbers ``stated``, and ``formulas``, under the words beside them; ``starts`` are the
    offsets of its headings, ``opened`` are the headings that are open below each of them, and ``headings`` those that are open now, each
    with its depth, the innermost first.
    """

    stated: list[LabelledQuantity] = field(default_factory=list)
    formulas: list[LabelledQuantity] = field(default_factory=list)
    section: int = 0
    title: str = ""
    starts: list[int] = field(default_factory=list)
    opened: list[tuple[str, ...]] = field(default_factory=list)
    headings: tuple[tuple[int, str], ...] = ()
    _words: dict[frozenset[str], list[LabelledQuantity]] = field(default_factory=dict)
    _small: dict[frozenset[str], list[LabelledQuantity]] = field(default_factory=dict)
    _indexed: int = 0
    _numbers: NumberIndex[LabelledQuantity] = field(default_factory=lambda: NumberIndex[LabelledQuantity](()))

    @property
    def numbers(self) -> NumberIndex[LabelledQuantity]:
        """The numbers stated so far, which are found by their places, sections and values."""
        if self._numbers.count != len(self.stated):
            self._numbers = NumberIndex(self.stated)
        return self._numbers

    def add(self, before: str, expression: Expression, column: str = "", result: Expression | None = None) -> None:
        """Record a number, or a formula with its ``result``, with the words before it."""
        kept = self.formulas if expression.letters else self.stated
        if len(kept) < MAX_STATED and not _is_citation(expression):
            around = tuple(text for _, text in self.headings)
            kept.append(LabelledQuantity(_UNSEEN.sub(" ", before), expression, self.section, self.title, column, around, result))

    def begin_section(self, start: int, depth: int, heading: str) -> None:
        """Open a heading of a depth, from 1, which closes those of the same depth and deeper ones."""
        self.section += 1
        self.starts.append(start)
        self.headings = ((depth, heading), *(each for each in self.headings if each[0] < depth))
        self.opened.append(tuple(text for _, text in self.headings))

    def is_heading_between(self, start: int, end: int) -> bool:
        """Whether a heading stands between two places of the page."""
        return bisect_right(self.starts, start) < bisect_right(self.starts, end)

    def by_label(self, label: str) -> tuple[LabelledQuantity, bool] | None:
        """The quantity that these words name, and whether they match word for word; None if there is none, or if there are several values.

        Quantities below the same heading take precedence.
        """
        wanted = meaningful_words(label)
        if not wanted:
            return None
        self._index()
        same = self._words.get(wanted, [])
        longer = [each for stated, several in self._words.items() if wanted < stated for each in several]
        for exactly, found in ((True, same), (False, longer), (False, self._by_part(label) if not same and not longer else [])):
            for near in ([each for each in found if each.section == self.section], found):
                if near and len({each.value for each in near}) == 1:
                    return near[-1], exactly
                if near:
                    return None
        return None

    def _by_part(self, label: str) -> list[LabelledQuantity]:
        """The quantities whose words name the same part of a model as these, in other words: ``FFN`` and ``feed-forward``."""
        named = read_label(label).parts
        return [each for several in self._words.values() for each in several if len(named) == 1 and each.part == named]

    def operands(self, label: str) -> list[LabelledQuantity]:
        """The last quantities that these words name in full, however small, one of each kind; a quantity with several values below one
        heading is left out.
        """
        wanted = meaningful_words(label)
        self._index()
        found: list[LabelledQuantity] = []
        for index in (self._words, self._small) if wanted else ():
            all_named = index.get(wanted, [])
            near = [each for each in all_named if each.section == self.section] or all_named[-1:]
            found += near[-1:] if len({each.value for each in near}) == 1 else []
        return found

    def _index(self) -> None:
        """Index the quantities by their words; this is done on the first lookup."""
        for each in self.stated[self._indexed :]:
            own = each.meaning
            if 0 < len(own) <= _MOST_WORDS and not _counts_parts(each.words):
                (self._words if each.is_named else self._small).setdefault(own, []).append(each)
        self._indexed = len(self.stated)

    def sum_in_words(self, label: str) -> QuantitySum | None:
        """The sum in words, ``1 attention, 1 FFN, 2 norms`` or ``attention + 8 experts + router``, if another line of the page states each
        part.
        """
        counted = [_counted(part) for part in _between_parts().split(label, _MOST_PARTS) if part.strip()]
        parts = [part for part in counted if part is not None]
        if len(parts) < len(counted) or not parts or (len(parts) == 1 and parts[0][0] == 1):
            return None
        found: list[tuple[int, LabelledQuantity]] = []
        exactly = True
        for count, name in parts:
            named = self.by_label(name)
            if named is None:
                return None
            found.append((count, named[0]))
            exactly = exactly and named[1]
        return QuantitySum(tuple(found), exactly) if len({each.expression.start for _, each in found}) == len(found) else None


def _counts_parts(label: str) -> bool:
    """Whether a label says how often it has several parts, ``Encoder layer: 1 attention, 2 norms``, of which its last words are one."""
    return sum(_count().match(part.strip(" *`_")) is not None for part in _between_parts().split(label, _MOST_PARTS)) > 1


def _counted(part: str) -> tuple[int, str] | None:
    """The count and the name in ``8 experts`` or ``layer × 12``; None for other text."""
    part = part.strip(" \t\n*`_")
    before = _count().match(part)
    behind = _NAME.fullmatch(part, before.end() if before else 0)
    if behind is None:
        return None
    name, count = (behind[0], None) if behind[1][-1:].isalpha() else (behind[1].strip(), behind[2])  # fc1 is a name.
    if count and not name.endswith(("×", "x", "*")):
        return None
    return int(before[1] if before else count or 1), name[:-1].rstrip() if count else name


def sum_text(parts: Sequence[tuple[int, LabelledQuantity]], text: str) -> str:
    """The sum in the author's numbers."""
    return " + ".join(f"{count} × " * (count > 1) + text[each.expression.start : each.expression.end] for count, each in parts)


@cache
def _particles() -> re.Pattern[str]:
    return re.compile(joined(words_of("particle"), unspaced=True))


@cache
def _between_parts() -> re.Pattern[str]:
    """What separates the parts of a sum in words."""
    return re.compile(rf"[+＋,，、&]|{either(words_of('and')).pattern}", re.IGNORECASE)


@cache
def _count() -> re.Pattern[str]:
    """How often a part counts, before its name: ``8 ×``, ``12层``."""
    counted = joined((*words_of("classifier"), *words_of("copies")), unspaced=True)
    return re.compile(rf"(\d{{1,4}})\s*+(?>(?:[×x*·]|{counted})?)\s*+")
