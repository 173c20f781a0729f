"""An expression among words: every notation of numbers, powers and names, and doubts where it is not clear what belongs to it."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symparam.core.formula import Formula, Negative, Number, Power, Product, Quotient, Sum, Symbol, write
from symparam.core.message import message
from symparam.core.notation import ASCII, LATEX, UNICODE, Notation
from symparam.documents.reading.expression import Expression, in_numbers
from tests.documents.reading.shown import chains, document
from tests.strategies import value_by_hand


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("31,254,528 = 40,696 × 768", ["31,254,528 = 40,696 × 768"]),
        ("31{,}254{,}528 = 1", ["31{,}254{,}528 «31,254,528» = 1"]),
        ("31_254_528 = 1", ["31_254_528 «31,254,528» = 1"]),
        ("31\\,254\\,528 = 1", ["31\\,254\\,528 «31,254,528» = 1"]),
        ("31 254 528 = 1", ["31 254 528 «31,254,528» = 1"]),
        ("31'254'528 = 1", ["31'254'528 «31,254,528» = 1"]),
        ("31’254’528 = 1", ["31’254’528 «31,254,528» = 1"]),
        ("40，000 = 1", ["40，000 «40,000» = 1"]),
        ("1.234.567 = 1", ["1.234.567 «1,234,567» = 1"]),
        ("768 × 640 = 491 520", ["768 × 640 = 491 520 «491,520»"]),
        ("768 × 640 = 491 520 paramètres", ["768 × 640 = 491 520 «491,520»"]),
        ("2 × 640 is 491 520", ["2 × 640", "is 491 | 520 < what precedes it is not read"]),
        ("0,5 × 8 = 4", ["0,5 × 8 «<1/2> × 8» ? the comma may separate two numbers = 4"]),
        # Two numbers that can be read in one way only decide it for the page.
        ("2 × 6,25 = 12,5", ["2 × 6,25 «2 × <25/4>» = 12,5 «<25/2>»"]),
        ("12,5 + 2,5 = 15", ["12,5 + 2,5 «<25/2> + <5/2>» = 15"]),
        (
            "12,5 + 8 = 2.5",
            ["12", ", | 5 + 8 = 2.5 «<5/2>» < it may continue the number before it"],
        ),
        ("2 * 4 = 2,359,2964", ["2 * 4 «2 × 4» ! 2,359,2964: '2,359,2964' is not a number: digits are grouped in threes"]),
        (
            "640*640 = 409,6000",
            [
                "640*640 «640 × 640» ! 409,6000: '409,6000' may be one number or two: digits are grouped in threes",
                "= | 409",
                ", | 6000 «6,000» < it may continue the number before it",
            ],
        ),
        (
            "5 * 5 = 12,34",
            [
                "5 * 5 «5 × 5» ! 12,34: '12,34' may be one number or two: digits are grouped in threes",
                "= | 12",
                ", | 34 < it may continue the number before it",
            ],
        ),
        ("2*3=6,2*4=8", ["2*3 «2 × 3» = 6,2*4 «<31/5> × 4» ? the comma may separate two numbers = 8"]),
        ("3,4 GB = 1", ["3,4 GB «<17/5 GB>» = 1"]),
        ("1e9 = 1", ["1e9 «<1000000000>» = 1"]),
        ("4,8e20 / 4,32e15 = 1", ["4,8e20 / 4,32e15 «<480000000000000000000>/4,320,000,000,000,000» = 1"]),
        ("1.50E-3 = 1", ["1.50E-3 «<3/2000>» = 1"]),
        ("0x1F4 = 500", ["0x1F4 «500» = 500"]),
        ("0012 = 12", ["0012 «12» = 12"]),
        ("1.25M = 1", ["1.25M «<5/4 M>» = 1"]),
        (
            "30.522 × 2 = 61.044 und 1.234.567",
            [
                "30.522 × 2 «<15261/500> × 2» ? the point may separate thousands = 61.044 «<15261/250>» ? the point may separate thousands",
                "und | 1.234.567 «1,234,567»",
            ],
        ),
        ("8 / 1e3 = 0.008", ["8 / 1e3 «8/1,000» = 0.008 «<1/125>»"]),
    ],
)
def test_numbers(text: str, found: list[str]) -> None:
    assert chains(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("640² = 409600", ["640² = 409600 «409,600»"]),
        ("640<sup>2</sup> = 409600", ["640<sup>2</sup> «640²» = 409600 «409,600»"]),
        ("640^2 = 409600", ["640^2 «640²» = 409600 «409,600»"]),
        ("640**2 = 409600", ["640**2 «640²» = 409600 «409,600»"]),
        ("640^{2} = 409600", ["640^{2} «640²» = 409600 «409,600»"]),
        ("640&sup2; = 409600", ["640&sup2; «640²» = 409600 «409,600»"]),
        ("640^(2) = 409600", ["640^(2) «640²» = 409600 «409,600»"]),
        ("2 × 10⁻³ = 0.002", ["2 × 10⁻³ «<1/500>» = 0.002 «<1/500>»"]),
        ("10⁹ = 1", ["10⁹ = 1"]),
        ("7 × 10⁹ × 2 = 1", ["7 × 10⁹ × 2 «<7000000000> × 2» = 1"]),
        ("**Sum** = 5 × 6 = **30**", ["** | Sum «?:Sum» = 5 × 6 = 30"]),
        ("**5 × 6** = **30**", ["** | 5 × 6 = 30"]),
        ("`5 * 6 = 30`", ["` | 5 * 6 «5 × 6» = 30"]),
        ("• 5 • 6 = 30", ["• | 5 • 6 «5 × 6» = 30"]),
        ("5 · 6 = 30", ["5 · 6 «5 × 6» = 30"]),
        ("5 x 6 = 30", ["5 x 6 «5 × 6» = 30"]),
        ("5x6x7 = 210", ["5x6x7 «5 × 6 × 7» = 210"]),
        ("5 X 6 = 30", ["5 X 6 «5 × 6» = 30"]),
        ("3xLxH = 1", ["3xLxH «3LH» = 1"]),
        ("5 &times; 6 = 30", ["5 &times; 6 «5 × 6» = 30"]),
        ("5 \\cdot 6 = 30", ["5 \\cdot 6 «5 × 6» = 30"]),
        ("5 \\times 6 = 30", ["5 \\times 6 «5 × 6» = 30"]),
        ("5 ÷ 5 − 1 = 0", ["5 ÷ 5 − 1 «5/5 − 1» = 0"]),
        ("（5 ＋ 6）＊2 ＝ 22", ["（5 ＋ 6）＊2 «(5 + 6) × 2» = 22"]),
        ("[5 + (6 − 1)] * 2 = 20", ["[5 + (6 − 1)] * 2 «(5 + (6 − 1)) × 2» = 20"]),
        ("\\frac{30}{5} \\times 2 = 12", ["\\frac{30}{5} \\times 2 «(30/5) × 2» = 12"]),
        ("\\dfrac{d}{2} = 1", ["\\dfrac{d}{2} «d/2» = 1"]),
        ("\\left(5 + 1\\right) 2 = 12", ["\\left(5 + 1\\right) | 2 = 12 < what precedes it is not read"]),
        ("12LH^2 = 1", ["12LH^2 «12(LH²)» = 1"]),
        ("(3L+11N+2)H = 1", ["(3L+11N+2)H «(3L + 11N + 2)H» = 1"]),
        ("5NH² = 1", ["5NH² «5(NH²)» = 1"]),
        ("d_model^2 = 1", ["d_model^2 «H²» = 1"]),
        ("d_{\\text{model}} × d_{ff} = 1", ["d_{\\text{model}} × d_{ff} «HI» = 1"]),
        ("hidden\\_size × 4 = 1", ["hidden\\_size × 4 «H × 4» = 1"]),
        ("cfg.hidden_size × 4 = 1", ["cfg.hidden_size × 4 «H × 4» = 1"]),
        ("d(model) = 64", ["d(model) = 64"]),
        ("d(k,q,v) * 3 = 1", ["d(k,q,v) * 3 «d(k,q,v) × 3» = 1"]),
        ("g(3, 4) × 2 = 1", ["g(3, 4) × 2 «?:g(3, 4) × 2» = 1"]),
        ("ln(1) + 5 = 5", ["ln(1) + 5 «?:ln(1) + 5» = 5"]),
        ("Head(0.0015) = 1", ["Head(0.0015) «<3/2000>» = 1"]),
        ("s/6h = 1", ["s/6h «s/(6h)» ? it is not clear whether all factors after the division sign divide = 1"]),
        ("6/2(1+2) = 9", ["6/2(1+2) «6/(2 × (1 + 2))» ? it is not clear whether all factors after the division sign divide = 9"]),
        ("5[4(3)+2] = 70", ["5[4(3)+2] «5 × (4 × 3 + 2)» = 70"]),
    ],
)
def test_powers_signs_and_names(text: str, found: list[str]) -> None:
    assert chains(text) == found


def sides(text: str) -> list[Expression]:
    found = document(text).lines
    return [side for line in found for chain in (*line.chains, *(c for cell in line.cells for c in cell.chains)) for side in chain.sides]


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("H = 8, L = 2\nLH² = 1", "LH²"),
        ("H = 8, L = 2\n(LH)² = 1", "(LH)²"),
        ("H = 8, L = 2\n3LH² = 1", "3(LH²)"),
        ("H = 8, L = 2\n(3LH)^2 = 1", "(3(LH))²"),
        ("H = 8, L = 2\n\\frac{LH}{2}^2 = 1", "(LH/2)²"),
        ("H = 8, L = 2\nLH + 1 = 17", "LH + 1"),
        ("a = 8, s = 2\n$as^2$", "as²"),  # Letters of the page, although they look like a word.
        ("a = 8, s = 2, h = 4\n5\\frac{as}{h} = 1", "5 × (as/h)"),
    ],
)
def test_an_exponent_belongs_to_the_letter_before_it_or_to_the_bracket(text: str, formula: str) -> None:
    assert formula in [str(side.formula) for side in sides(text)]


def test_a_unit_behind_an_exponent_leaves_it_with_its_letter() -> None:
    (side,) = sides("6LH² FLOPs")
    assert str(in_numbers(side)) == "6((LH²) × 1)"


@pytest.mark.parametrize(
    ("text", "value", "unit", "digit", "digits"),
    [
        ("7.25", Fraction(29, 4), None, Fraction(1, 100), 3),
        ("7.0", 7, None, Fraction(1, 10), 2),
        ("7B", 7, "B", 1, 1),
        ("7.0B", 7, "B", Fraction(1, 10), 2),
        ("120M", 120, "M", 1, 2),
        ("0.0040 GB", Fraction(1, 250), "GB", Fraction(1, 10_000), 2),
        ("1,024 KB", 1024, "KB", 1, 4),
        ("3.2e6", 3_200_000, None, 100_000, 2),
        ("3.2 × 10⁶", 3_200_000, None, 100_000, 2),
        ("3.2 × 10^6", 3_200_000, None, 100_000, 2),
        ("3.2 \\times 10^{6} bytes", 3_200_000, "bytes", 100_000, 2),
        ("50%", 50, "%", 1, 1),
        ("1.1 亿", Fraction(11, 10), "亿", Fraction(1, 10), 2),
        ("1.1亿参数", Fraction(11, 10), "亿", Fraction(1, 10), 2),
        ("8 млрд", 8, "млрд", 1, 1),
        ("8\\text{ M}", 8, "M", 1, 1),
        ("**8** GB", 8, "GB", 1, 1),
    ],
)
def test_literals_know_their_unit_and_what_they_show(text: str, value: Fraction, unit: str | None, digit: Fraction, digits: int) -> None:
    (side,) = sides(text)
    literal = side.literal
    assert literal is not None
    assert (literal.value, literal.unit and literal.unit.written, literal.last_digit, literal.digits) == (value, unit, digit, digits)


@pytest.mark.parametrize(
    ("text", "doubtful"),
    [("30.522 × 2 = 1", True), ("30.522 MB", False), ("0.522", False), ("1.2345", False), ("1.234e5", False), ("7.5", False)],
)
def test_three_decimals_may_be_thousands(text: str, doubtful: bool) -> None:
    assert (message("maybe-thousands-point") in sides(text)[0].doubts) is doubtful


@pytest.mark.parametrize(("text", "doubtful"), [("7 mil millones", True), ("7 mil", False), ("7 B bytes", False)])
def test_two_scales_behind_one_number_are_doubted(text: str, doubtful: bool) -> None:
    assert (message("two-scales") in sides(text)[0].doubts) is doubtful


def test_a_page_that_groups_with_points_makes_them_doubtful_before_units_too() -> None:
    assert sides("1.234.567 × 1\n30.522 MB")[1].doubts == (message("maybe-thousands-point"),)


@pytest.mark.parametrize(
    ("text", "doubtful"), [("8-12 GB", True), ("8 - 12", True), ("12 - 8", False), ("12-8 GB", False), ("8+12", False)]
)
def test_a_range_is_doubted(text: str, doubtful: bool) -> None:
    (side,) = sides(text)
    assert (message("maybe-range") in side.doubts) is doubtful


@pytest.mark.parametrize(
    ("text", "doubtful"),
    [("7B × 2 / 10^9 = 14 GB", True), ("7B × 2 / 1024^3 = 13 GB", True), ("7B × 2 / 8 = 1", False), ("7 × 2 / 10^9 = 1", False)],
)
def test_a_division_that_may_only_change_the_unit_is_doubted(text: str, doubtful: bool) -> None:
    assert (message("maybe-change-of-unit") in sides(text)[0].doubts) is doubtful


def formulas(letters: list[str]) -> st.SearchStrategy[Formula]:
    leaves = st.one_of(st.integers(1, 12).map(Number), st.integers(1000, 10**9).map(Number), *map(st.just, map(Symbol, letters)))
    return st.recursive(
        leaves,
        lambda parts: st.one_of(
            st.lists(parts, min_size=2, max_size=3).map(tuple).map(Sum),
            st.lists(parts, min_size=2, max_size=3).map(tuple).map(Product),
            st.builds(Negative, parts),
            st.builds(Quotient, parts, parts),
            st.builds(Power, parts, st.integers(2, 3).map(Number)),
        ),
        max_leaves=6,
    )


SENTENCES = [
    "Sum: {} = 5",
    "So we get = {} = 5",
    "参数量：{} = 5",
    "我们得到 = {} = 5。",
    "$${} = 5$$",
    "共有：{} = 5 个",
    "- b: {} = 5",
    "| a | {} = 5 |",
]
VALUES = {"H": 768, "P": 12, "V": 30522}


@given(
    st.one_of(
        formulas([]).map(lambda formula: ("", formula)),
        formulas([*VALUES]).map(lambda formula: ("H = 768, P = 12, V = 30522\n\n", formula)),
    ),
    st.sampled_from([UNICODE, ASCII, LATEX]),
    st.sampled_from(SENTENCES),
)
def test_what_is_written_in_a_sentence_is_read_back(given_: tuple[str, Formula], notation: Notation, sentence: str) -> None:
    before, formula = given_
    try:
        value = value_by_hand(formula, VALUES)
    except ZeroDivisionError:
        return
    written = write(formula, notation)
    text = before + sentence.format(written)
    start = len(before) + sentence.index("{")
    (side,) = [side for side in sides(text) if start <= side.start and side.end <= start + len(written)]
    assert text[side.start : side.end] == written.removeprefix("\\left")
    assert value_by_hand(in_numbers(side), VALUES) == value
