"""Whole documents: chains of random arithmetic in which every link holds, and where one digit is changed just those that touch it fail."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod

from hypothesis import assume, given
from hypothesis import strategies as st

from symparam.documents.checking.finding import Verdict
from tests.documents.checking.shown import checked, claims

TIMES = ("×", "*", "·", r"\times")
PROSE = (
    "We count the weights of a small model.",
    "注意力层的参数如下。",
    "# Embeddings",
    "- it has 12 layers and 64 heads",
    "The result (about 7B) is well known, see [2].",
    "> as the paper says",
    "| size | meaning |\n|---|---|\n| wide | 768 |",
    "```python\nmodel = load(7)\n```",
    "In 2019 it took 4 days.",
)


@dataclass(frozen=True)
class Written:
    """An expression as somebody writes it, and what it comes to by Python's own numbers."""

    text: str
    value: int


def number(value: int, grouped: bool) -> Written:
    return Written(f"{value:,}" if grouped else str(value), value)


# Last digits 2 and 3, and 10 before other digits, may be superscripts that were lost: 7682 is 768² too.
operands = st.builds(number, st.integers(4, 99_999).filter(lambda value: value % 10 > 3 and str(value)[:2] != "10"), st.booleans())


def inside(parts: st.SearchStrategy[Written]) -> st.SearchStrategy[Written]:
    several = st.lists(parts, min_size=2, max_size=3)

    def sum_of(terms: Sequence[Written]) -> Written:
        return Written("(" + " + ".join(term.text for term in terms) + ")", sum(term.value for term in terms))

    def product_of(factors: Sequence[Written]) -> Written:
        return Written(" × ".join(factor.text for factor in factors), prod(factor.value for factor in factors))

    return st.one_of(several.map(sum_of), several.map(product_of))


# What is not a single number: two of them beside a sign may stand for two things.
expressions = inside(st.recursive(operands, inside, max_leaves=5))


@st.composite
def chains(draw: st.DrawFn) -> list[Written]:
    """Two or three sides that come to the same: an expression, perhaps another, and the number; one sign for all products."""
    first, sign = draw(expressions), draw(st.sampled_from(TIMES))
    rest = draw(operands)
    assume(first.value > rest.value)
    second = Written(f"{first.value - rest.value:,} + {rest.text}", first.value)
    return [
        Written(first.text.replace("×", sign), first.value),
        *([second] if draw(st.booleans()) else []),
        number(first.value, draw(st.booleans())),
    ]


def line(sides: Sequence[Written], sign: str = "=") -> str:
    return f" {sign} ".join(side.text for side in sides)


def links(sides: Sequence[Written]) -> list[str]:
    return [f"{left.text} = {right.text}: exact" for left, right in pairwise(sides)]


@given(chains())
def test_every_link_of_right_arithmetic_holds(sides: list[Written]) -> None:
    assert claims(line(sides)) == links(sides)


@given(chains(), st.sampled_from([r"${}$", r"$$ {} $$", r"\[ {} \]", "`{}`", "**{}**", "- {}", "1. {}", "> {}", "so {}.", "（{}）"]))
def test_however_the_page_marks_it(sides: list[Written], marks: str) -> None:
    assert claims(marks.format(line(sides))) == links(sides)


def changed(text: str, place: int, digit: int) -> str:
    """The text with one of its digits changed to another, and no number that begins with a zero."""
    places = [at for at, character in enumerate(text) if character.isdigit()]
    at = places[place % len(places)]
    new = str((int(text[at]) + digit) % 10)
    assume(new != "0" or (at > 0 and text[at - 1].isdigit()) or text[at + 1 : at + 2] not in "0123456789,")
    return text[:at] + new + text[at + 1 :]


def digits(text: str) -> int:
    """The digits of all numbers of an expression, without zeros at their ends."""
    return sum(len(part.rstrip("0")) for part in parts(text))


def worked_out(text: str) -> int:
    """What an expression of this module comes to, by Python alone."""
    for sign in TIMES:
        text = text.replace(sign, "*")
    return int(eval(text.replace(",", ""), {"__builtins__": {}}))


@given(chains(), st.integers(0, 2), st.integers(0, 99), st.integers(1, 9))
def test_one_changed_digit_breaks_the_links_that_touch_it_and_no_other(sides: list[Written], which: int, place: int, digit: int) -> None:
    which %= len(sides)
    text = changed(sides[which].text, place, digit)
    # A zero times a wrong digit is not a mistake, a number that ends in zeros may be rounded, and one in 2 or 3 may have lost a superscript.
    assume(worked_out(text) != sides[0].value and not any(part[-1:] in "23" for part in parts(text)))
    assume(not any(each.endswith("000") for each in (text, *(side.text for side in sides))))
    # Nor does 4 = 4 + 4 mean that, where the line goes on.
    values = [sides[0].value, worked_out(text)]
    assume(not any(value == int(parts(side.text)[0]) for side in (sides[1], Written(text, 0)) if "+" in side.text for value in values))
    off = worked_out(text) - sides[0].value
    written = [*sides[:which], Written(text, 0), *sides[which + 1 :]]
    # Of few digits, as in 7 × 4 = 16, a misreading is as likely as a mistake.
    assume(all(digits(left.text) + digits(right.text) >= 7 for left, right in pairwise(written)))
    found = checked(line(written)).findings
    # The gap is what the right side has too much.
    gaps = [finding.gap.value if finding.verdict is Verdict.WRONG and finding.gap else 0 for finding in found]
    assert gaps == [{which - 1: off, which: -off}.get(index, 0) for index in range(len(sides) - 1)]


def parts(text: str) -> list[str]:
    """The numbers in an expression."""
    return "".join(character if character.isdigit() else " " for character in text.replace(",", "")).split()


def plainly_wrong(value: int) -> int:
    """The next number that is neither rounded (it ends in zeros) nor one that may have lost a superscript (it ends in 2 or 3)."""
    return next(other for other in range(value + 1, value + 5) if not str(other).endswith(("000", "2", "3")))


@given(
    st.lists(chains(), min_size=1, max_size=4), st.lists(st.sampled_from(PROSE), min_size=5, max_size=5), st.randoms(use_true_random=False)
)
def test_prose_and_order_change_no_verdict(documents: list[list[Written]], prose: list[str], random: object) -> None:
    shuffle: Callable[[list[str]], None] = random.shuffle  # type: ignore[attr-defined]
    right = [line(sides) for sides in documents]
    wrong = [f"{left.text} = {plainly_wrong(left.value)}" for left, *_ in documents]
    lines = [*right, *wrong]
    expected = sorted(claim for each in lines for claim in claims(each))
    assert sum(": wrong-number" in claim for claim in expected) == len(documents)
    shuffle(lines)
    assert sorted(claims("\n\n".join(lines))) == expected
    mixed = [*lines, *prose]
    shuffle(mixed)
    assert sorted(claims("\n\n".join(mixed))) == expected
