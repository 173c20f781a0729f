"""Judges numbers of which words say that they equal what stands before them: ``32,000 × 2048 weights, which gives 65,536,000``.

The words between the two are read one by one. A few may name what is counted; all others have to belong to a way to say that two things
are equal, so that nothing else can be meant. Such a claim is wrong only if its words leave no other reading: not ``or`` or ``about``, and
not in a clause that goes on.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from symparam.core.frozen import frozen
from symparam.documents.checking.basis.knowledge import Knowledge
from symparam.documents.checking.claims.claims import judge_link
from symparam.documents.checking.claims.intended_equality import UNMEANT, not_meant, wrong_or_undecided
from symparam.documents.checking.claims.record import Record
from symparam.documents.checking.claims.repeated_numbers import is_slip_of_repeated
from symparam.documents.checking.claims.unequal_sides import UnequalSides
from symparam.documents.checking.entries.labelled_quantities import digits_of
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.sides.number_agreement import Judgement
from symparam.documents.checking.sides.number_meanings import are_sizes, differ_in_unit, measure_the_same
from symparam.documents.reading.ambiguities import other_readings
from symparam.documents.reading.chains import ChainRelation, EqualityChain
from symparam.documents.reading.expression import Expression
from symparam.documents.reading.unit_senses import Unit
from symparam.documents.rules.rule import applies
from symparam.documents.words import is_a_thing, words
from symparam.documents.words.scripts import is_unspaced

_MOST_BETWEEN = 80  # Characters between two sides with the words that equate them.
_MOST_NOUNS = 3  # Words on what the first side counts.
_MOST_OF_PHRASE = 4  # Words of a phrase.
_NEAR = 2  # A side that is larger by this factor was meant in another way: each of several, or all of them.
_NOTIONS = ("equals", "that_is", "alternative", "about", "merely", "so", "refers")
_EQUAL = frozenset({"equals", "that_is", "alternative", "about", "so"})
_HOLDS = ("exact", "rounded", "truncated", "unit", "about")
_RESTATED = ("exact", "rounded")  # Of a number: 100 is not 100K in other words.
_WORD = re.compile(r"[^\W\d_]+(?>(?:[.'’-][^\W\d_]+)*)")
_MARKS = re.compile(r"[\s,.;:，。；：、(（=≈~*_`$&\\\[\]{}-]*")
_ENDS = re.compile(r"[*_`$)）]*+\s?((?>(?:[^\W\d_]++\s?){0,2}))[*_`$)）]*+(?:[.,;:!?。，；：！？)）\n]|\Z)")
_SIGN = re.compile(r"(?P<equals>[^\S\n]*+\n[\s*_`$&\\]*+=\s*+[*_`$]*+)|[*_`$]{0,2}[,，]?\s?(?:[(（][*_`$]{0,2}\s?[~≈]?|[~≈])\s?[*_`$]{0,2}")
_STOPS = re.compile(r"[.;](?=\s)|[。；\n]")
_ABBREVIATED = re.compile(r"(?<![^\W\d_])(?:[^\W\d_]\.){2,}")  # i.e.
_LEAST_DIGITS, _LEAST_BELOW = 4, 1_000  # Of a number alone on the line below a formula: smaller ones stand there by chance.


@frozen
class Equating:
    """What stands between two sides: the ``notions`` of its words, and the words before them that say what is counted."""

    notions: frozenset[str]
    nouns: tuple[str, ...] = ()

    @property
    def sign(self) -> str:
        """The relation that they say."""
        return "≈" if "about" in self.notions else "="

    @property
    def is_certain(self) -> bool:
        """Whether they say nothing but that the two are equal."""
        says = bool(self.notions & {"equals", "that_is"}) and not self.notions & {"alternative", "about"}
        return says and not any(words(notion).is_one(noun) for notion in ("per_one", "each", "copies") for noun in self.nouns)


def equating(between: str) -> Equating | None:
    """What the text between two sides says, if it says that they are equal."""
    if len(between) > _MOST_BETWEEN or _MARKS.fullmatch(_WORD.sub("", between)) is None:
        return None
    found, nouns = set[str](), list[str]()
    left = [piece for word in _WORD.findall(between.lower()) for piece in _pieces(word)]
    while left:
        count = next((count for count in range(_MOST_OF_PHRASE, 0, -1) if " ".join(left[:count]) in _notions()), 0)
        if count:
            found |= _notions()[" ".join(left[:count])]
        elif found or len(nouns) == _MOST_NOUNS:
            return None
        else:
            nouns.append(left[0])
        del left[: count or 1]
    if not found and not nouns and (sign := _SIGN.fullmatch(between)):
        found.add("equals" if sign["equals"] else "alternative")  # A bracket may be about something else.
    if not found & _EQUAL or (nouns and _STOPS.search(_ABBREVIATED.sub("", between))):
        return None
    return Equating(frozenset(found), tuple(nouns))


def _pieces(word: str) -> list[str]:
    """The word, or of a script without spaces the known words that it is made of."""
    if not is_unspaced(word):
        return [word]
    pieces: list[str] = []
    while word:
        length = next((length for length in range(len(word), 0, -1) if word[:length] in _notions()), len(word))
        pieces.append(word[:length])
        word = word[length:]
    return pieces


@cache
def _notions() -> dict[str, frozenset[str]]:
    """The notions of each word and phrase that may stand between two sides."""
    found: dict[str, frozenset[str]] = {}
    for notion in _NOTIONS:
        listed = words(notion)
        for word in (*listed.whole, *listed.anywhere, *(phrase.strip() for phrase in listed.phrases)):
            found[word] = found.get(word, frozenset()) | {notion}
    return found


@dataclass
class SaidEquations:
    """Judges a page line by line; ``_above`` is the last side of the lines before."""

    record: Record
    knowledge: Knowledge
    _above: EqualityChain | None = None

    def begin_section(self) -> None:
        """Forget what stands above."""
        self._above = None

    def line(self, chains: Sequence[EqualityChain], start: int, end: int) -> None:
        """Judge the numbers of a line against what stands directly before them, on it or on the line above."""
        chains = [each for each in chains if each.relations or not self._is_in_words(each.sides[0])]
        for at, (before, chain) in enumerate(zip([self._above, *chains[:-1]], chains, strict=False)):
            number = chain.sides[0]
            if before is None or not number.is_number or self.record.is_stated_at(number.start):
                continue
            said = equating(self.record.text[before.end : number.start])
            if said is not None:
                self._judge(before, chain, said, self._is_one_of_several(chains[: max(at - 1, 0)], before))
            elif before.end < start:
                self._below(before, chain, len(chains) == 1)
        if chains:
            self._above = chains[-1]
        elif any(map(str.isalnum, self.record.text[start:end])):
            self._above = None

    def _is_in_words(self, side: Expression) -> bool:
        """Whether a side is a word: also ``i.e``, which may be a product of letters."""
        return side.is_name or side.is_word or self.record.text_of(side).lower() in _notions()

    def _is_one_of_several(self, earlier: Sequence[EqualityChain], before: EqualityChain) -> bool:
        """Whether its sentence has another calculation before it, or another amount, which the words may be about as well."""
        last = before.sides[-1]
        if not earlier or before.relations or _STOPS.search(self.record.text, earlier[-1].end, before.start):
            return False
        other = earlier[-1].sides[-1]
        return not other.is_number or (last.is_number and measure_the_same(other, last))

    def _below(self, above: EqualityChain, chain: EqualityChain, is_alone: bool) -> None:
        """Judge a formula against the number on the next line, if only words precede that and it is long."""
        left, number = above.sides[-1], chain.sides[0]
        is_long = digits_of(number) >= _LEAST_DIGITS if number.literal else number.exact is not None and number.exact >= _LEAST_BELOW
        if left.is_number or left.letters or above.trailing or chain.relations or chain.clipped or not is_alone or not is_long:
            return
        found = judge_link(left, number, "=", self.knowledge)
        if found.verdict is Verdict.HOLDS and found.code in _HOLDS[:2] and applies("result-below", number.start):
            self.record.add_link(left, number, "=", found)

    def _judge(self, before: EqualityChain, chain: EqualityChain, said: Equating, is_unclear: bool) -> None:
        left, right = before.sides[-1], chain.sides[0]
        if left.unknown or (left.is_number and not _differ_in_form(left, right)):
            return
        found = judge_link(left, right, said.sign, self.knowledge)
        if found.verdict is Verdict.WRONG and any(self._agree(each, right, said.sign) for each in before.sides[:-1]):
            return  # The number between them is the wrong one.
        if found.verdict is Verdict.WRONG:
            unequal, found = found, self._as_wrong(before, chain, found)
            is_alone = not is_unclear and self._ends_with(chain)
            is_certain = said.is_certain or is_slip_of_repeated(left, right, unequal)
            is_meant = is_certain and is_alone and found.verdict is Verdict.WRONG
            if not is_meant and is_alone and differ_in_unit(left, right) and _is_near(unequal):  # 40 GB, about 39 GiB
                found, is_meant = not_meant(unequal, UNMEANT), True
        else:
            is_meant = found.verdict is Verdict.HOLDS and found.code in (_RESTATED if left.is_number else _HOLDS)
            is_meant = is_meant or (found.code == "unit" and measure_the_same(left, right))
        if is_meant and applies("equal-in-words", right.start):
            self.record.add_link(left, right, said.sign, replace(found, rules=(*found.rules, "equal-in-words")))

    def _agree(self, one: Expression, other: Expression, sign: str) -> bool:
        return not one.letters and judge_link(one, other, sign, self.knowledge).verdict is Verdict.HOLDS

    def _ends_with(self, chain: EqualityChain) -> bool:
        """Whether the clause ends behind the number and what it counts, or another sign of equality follows."""
        behind = _ENDS.match(self.record.text, chain.sides[0].end)
        if chain.relations or chain.trailing:
            return bool(chain.relations)
        return behind is not None and all(map(is_a_thing, behind[1].split()))

    def _as_wrong(self, before: EqualityChain, chain: EqualityChain, found: Judgement) -> Judgement:
        """The verdict on two unequal sides as if an equals sign stood between them."""
        left, right = before.sides[-1], chain.sides[0]
        relations = (*before.relations, ChainRelation("=", False, left.end, right.start))
        joined = before._replace(sides=(*before.sides, right), relations=relations, trailing=chain.trailing, again=None)
        alone = left.is_number and not before.relations
        clipped = before.trailing or (None if before.relations else before.clipped)
        chained = None if alone else joined
        claim = UnequalSides(left, right, "=", found, self.knowledge, self.record.text, chained, len(relations) - 1, clipped)
        is_slip = is_slip_of_repeated(left, right, found)
        is_near = claim.ratio is not None and (claim.ratio < _NEAR or is_slip)
        is_near = is_near and not are_sizes(self.record.text_of(left))
        otherwise = any(other_readings(before.choices, left.start, right.end))
        if not is_near or otherwise or (alone and (clipped or not (is_slip or (differ_in_unit(left, right) and not left.nouns)))):
            return replace(found, verdict=Verdict.UNDECIDED)
        return wrong_or_undecided(claim)


def _is_near(found: Judgement) -> bool:
    return bool(found.left and found.right and 1 / _NEAR < found.left / found.right < _NEAR)


def _differ_in_form(left: Expression, right: Expression) -> bool:
    """Whether two numbers are written in different units, or with a different number of digits."""
    return _unit_of(left) != _unit_of(right) or digits_of(left) != digits_of(right)


def _unit_of(number: Expression) -> Unit | None:
    return number.literal.unit if number.literal else None
