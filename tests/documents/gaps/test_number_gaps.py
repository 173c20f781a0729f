from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from symparam.core.evaluation import evaluate
from symparam.core.formula import Formula, Negative, Number, Product, Quotient, Sum
from symparam.core.parsing.reader import read_formula
from symparam.documents.gaps.arithmetic.number_gaps import explain_number, explain_sum
from symparam.documents.gaps.arithmetic.stated_number import StatedNumber
from symparam.documents.gaps.gap import Cause, Gap
from tests.documents.gaps.gaps import worded
from tests.work import calls


def line(text: str, stated: int | Fraction, *elsewhere: StatedNumber, number: int = 10, words: str = "") -> Gap:
    return explain_number(read_formula(text), stated, words or f"{stated:,}", elsewhere, line=number)


def explanations(gap: Gap) -> list[tuple[Cause, ...]]:
    return [each for each in (gap.explained_by, *gap.others) if each]


def said(gap: Gap) -> list[str]:
    return ["; ".join(worded(cause) for cause in each) for each in explanations(gap)]


def told(causes: tuple[Cause, ...]) -> list[tuple[str, int | Fraction | None]]:
    return [(worded(cause), cause.value) for cause in causes]


def first(gap: Gap) -> str:
    return "; ".join(worded(cause) for cause in gap.explained_by)


def adds_up(gap: Gap) -> bool:
    """Causes with values come to the gap, and no explanation has values for some of its causes only."""
    for causes in explanations(gap):
        values = [cause.value for cause in causes if cause.value is not None]
        if values and (len(values) != len(causes) or sum(values) != gap.value):
            return False
    return True


# Real lines.


def test_swapped_with_the_next_line() -> None:
    one = line("768*3072 + 3072", 2360064, StatedNumber("the second layer", 2362368, 11, 2360064))
    assert one.value == -2304
    assert first(one) == "swapped with the result of line 11 (the second layer: 2,362,368)"
    other = line("3072*768+768", 2362368, StatedNumber("the first layer", 2360064, 10, 2362368), number=11)
    assert first(other) == "swapped with the result of line 10 (the first layer: 2,360,064)"


def test_without_what_the_other_line_comes_to_a_swap_is_no_more_than_possible() -> None:
    gap = line("768*3072 + 3072", 2360064, StatedNumber("", 2362368, 11))
    assert first(gap) == "line 11 (2,362,368) has the right number: the two results may be swapped"
    assert first(line("768*3072 + 3072", 2360064, StatedNumber("", 2362368, 90))) == "line 90 (2,362,368) has the right number"
    right_itself = StatedNumber("", 2362368, 11, 2362368)
    assert first(line("768*3072 + 3072", 2360064, right_itself)) == "line 11 (2,362,368) has the right number"


def test_an_operand_that_is_another_one() -> None:
    gap = line("128256 × 8192", 1_050_804_224)
    assert gap.value == 131_072
    assert said(gap) == ["it holds with 128,272 in place of 128,256"]
    gap = line("128256 × 4096 × 2", 1_050_869_760)
    assert gap.value == 196_608
    assert said(gap) == ["it holds with 128,280 in place of 128,256"]
    gap = line("(768 + 1) * 40000", 769 * 40478, StatedNumber("vocabulary", 40478, 5))
    assert first(gap) == "it holds with line 5 (vocabulary: 40,478) in place of 40,000"
    assert first(line("768 * 3172", 768 * 3072)) == "it holds with 3,072 in place of 3,172: one digit, 0 for 1"


def test_a_wrong_number_that_is_carried_on() -> None:
    gap = line("8192 + 128256 × 8192", 1_050_812_416, StatedNumber("Embedding", 1_050_804_224, 3))
    assert first(gap) == "it holds with line 3 (Embedding: 1,050,804,224) in place of 128,256 × 8,192, which is 1,050,673,152"


def test_a_number_under_an_exponent_and_in_a_denominator() -> None:
    assert first(line("12 * 786^2", 12 * 768**2)) == "it holds with 768 in place of 786: two neighbouring digits swapped, 68 for 86"
    assert "it holds with 768 in place of 786: two neighbouring digits swapped, 68 for 86" in said(line("7680000 / 786", 10_000))


def test_where_nothing_fits_the_number_is_said_and_no_more() -> None:
    listed = (("BatchNorm2d", 64, 2), ("BatchNorm2d", 128, 5), ("BatchNorm2d", 512, 19), ("Conv2d", 36928, 6))
    elsewhere = [StatedNumber(*each) for each in listed]
    assert line("73856 + 256 + 147584 + 256", 222_096, *elsewhere) == Gap(144)
    parts = [StatedNumber(*each) for each in (("Conv2d", 73856, 14), ("BN", 256, 15), ("Conv2d", 147584, 16), ("BN", 256, 17))]
    assert explain_sum(parts, 222_096, elsewhere) == Gap(144)
    assert line("45568+262144+497664", 805_248, StatedNumber("", 128, 2), StatedNumber("", 6, 3)) == Gap(-128)


def test_a_term_that_is_counted_more_than_once() -> None:
    gap = line("3×3×512×256+256", 1_180_416)
    assert gap.value == 512
    assert told(gap.explained_by) == [("the term 256 is counted 3 times instead of once", 512)]
    assert [("512, a factor in the line, is added as well", 512)] in [told(causes) for causes in gap.others]


def test_lost_and_moved_brackets() -> None:
    assert first(line("16*20*28 / 2*2", 2240)) == "it holds with other brackets: 16 × 20 × 28 / (2 × 2)"
    assert "it holds with other brackets: 12 × 768² + 768" in said(line("12 * (768^2 + 768)", 12 * 768**2 + 768))
    assert "it holds with other brackets: (3 + 4) × 5 + 600" in said(line("3 + 4 * (5 + 600)", 635))
    assert "it holds with other brackets: 5,000 − (3,000 + 1,500)" in said(line("5000 - 3000 + 1500", 500))


def test_a_bracket_without_its_factor_and_one_of_its_terms() -> None:
    elsewhere = [StatedNumber("layers", 12, 1), StatedNumber("the first layer", 2360064, 11), StatedNumber("attention", 2359296, 5)]
    gap = line("23835648+(2359296+1536+2362368+1536)", 108_853_248, *elsewhere, number=15)
    assert gap.value == 80_292_864
    assert told(gap.explained_by) == [
        ("the bracket (2,359,296 + 1,536 + 2,362,368 + 1,536) is counted 12 times", 51_972_096),
        ("it also contains line 11 (the first layer: 2,360,064), 12 times", 28_320_768),
    ]


def test_one_of_two_equal_parts_is_left_out() -> None:
    parts = [
        StatedNumber("Embedding 层", 94504960, 87),
        StatedNumber("LayerNorm 层", 204800, 88),
        StatedNumber("Self-Attention 层", 402849792, 89),
        StatedNumber("MLP 层", 805552128, 90),
        StatedNumber("LM Head 层", 94504960, 91),
    ]
    gap = explain_sum(parts, 1_303_111_680, [*parts, StatedNumber("总计", 1_303_111_680, 93)])
    assert gap.value == -94_504_960
    assert said(gap) == ["line 87 (Embedding 层: 94,504,960) or line 91 (LM Head 层: 94,504,960) is left out"]


def test_a_subtotal_among_the_parts() -> None:
    parts = [StatedNumber("a", 2048, 3), StatedNumber("b", 4000, 4), StatedNumber("both", 6048, 5), StatedNumber("c", 512, 6)]
    assert first(explain_sum(parts, 6560, [])) == "line 5 (both: 6,048) is left out: it is the sum of lines 3 to 4"


def test_parts_of_the_document_that_the_list_has_not() -> None:
    listed = (("LM head", 94_504_960, 41), ("norm", 4_096, 42), ("pooler", 590_592, 43), ("layers", 24, 1))
    elsewhere = [StatedNumber(*each) for each in listed]
    parts = [StatedNumber("Embedding", 23_440_896, 50), StatedNumber("Encoder", 85_054_464, 51)]
    total = 23_440_896 + 85_054_464
    at_first = [first(explain_sum(parts, total + more, elsewhere)) for more in (94_504_960, 94_504_960 + 590_592, 24 * 4_096)]
    assert at_first == [
        "line 41 (LM head: 94,504,960) is counted in the stated number but is not in the list",
        "line 43 (pooler: 590,592) is counted in the stated number but is not in the list; "
        "line 41 (LM head: 94,504,960) is counted in the stated number but is not in the list",
        "24 times line 42 (norm: 4,096) is counted in the stated number but is not in the list",
    ]
    assert first(explain_sum(parts, total - 590_592, elsewhere)) == "line 43 (pooler: 590,592) is left out"


@pytest.mark.parametrize(
    ("text", "stated", "words", "expected"),
    [
        ("1572864 * 2", 1572864, "", "2 times too small: the factor 2 is left out"),
        ("786432 * 8", 3145728, "3145728.0 flop", "2 times too small: counted once instead of twice, MACs for FLOPs"),
        ("1024 * 1536", 3145728, "3,145,728 MACs", "2 times too large: counted twice instead of once, FLOPs for MACs"),
        ("1024 * 1536", 3145728, "", "2 times too large: counted twice instead of once"),
        ("768 * 768", 5898240, "", "10 times too large: a digit or a decimal point too many"),
        ("768 * 2", Fraction(1536, 1000), "1.536", "1,000 times too small: the point separates thousands"),
        ("4096 * 8", 4096, "", "8 times too small: the factor 8 is left out"),
        ("27 * 10^6", 27 * 2**20, "", "1.048576 times too large: 2²⁰ in place of 10⁶"),
        ("27 * 2^20", 27 * 10**6, "", "1.048576 times too small: 10⁶ in place of 2²⁰"),
        ("98304 / 12", 98304, "", "12 times too large: the division by 12 is left out"),
    ],
)
def test_factors(text: str, stated: int | Fraction, words: str, expected: str) -> None:
    gap = line(text, stated, words=words or "none")
    assert first(gap) == expected
    assert adds_up(gap)


def test_a_factor_that_the_document_states() -> None:
    gap = line("7087872 + 0", 7087872 * 12, StatedNumber("layers", 12, 3))
    assert first(gap) == "12 times too large: 12 times instead of once, line 3 (layers: 12)"
    gap = line("85054464 + 0", 7087872, StatedNumber("layers", 12, 3))
    assert first(gap) == "12 times too small: once instead of 12 times, line 3 (layers: 12)"


def test_formulas_without_a_gap_or_without_numbers_to_hold_on_to() -> None:
    assert line("2 * 3", 6) == Gap(0)
    assert explain_sum([], 5, []) == Gap(5)
    assert explain_number(Number(0), 0, "0", [], line=1) == Gap(0)
    assert explain_number(Quotient(Number(1), Number(3)), 7, "7", [], line=1).value == Fraction(20, 3)
    assert line("0 * 5 + 0 / 7", 4).value == 4
    assert line("5 * 7 - 35", 12, StatedNumber("", -12, 4), StatedNumber("", Fraction(1, 3), 5)).value == 12
    assert line("5 * 7", 0).value == -35


# Any lines.

numbers = st.integers(100, 99_999)
small = st.integers(2, 64)


def product(*values: int) -> Formula:
    return Product(tuple(map(Number, values)))


def total(*values: int) -> Formula:
    return Sum(tuple(map(Number, values)))


def check(left: Formula, stated: int, expected: str, *elsewhere: StatedNumber) -> None:
    right = evaluate(left, {})
    assume(stated != right and stated > 0)
    gap = explain_number(left, stated, f"{stated:,}", elsewhere, line=10)
    assert gap.value == stated - right
    assert adds_up(gap)
    assert any(expected in each for each in said(gap)), said(gap)


@given(numbers, numbers, st.sampled_from((2, 3, 4, 8, 10, 100, 1000, 1024)))
def test_any_factor_is_named(one: int, other: int, count: int) -> None:
    check(product(one, other), one * other * count, f"{count:,} times too large")
    check(product(one, other * count), one * other, f"{count:,} times too small")


@given(numbers, numbers, st.integers(11, 96))
def test_any_factor_that_the_document_states_is_named(one: int, other: int, layers: int) -> None:
    check(product(one, other), one * other * layers, f"{layers} times too large", StatedNumber("layers", layers, 3))


@given(st.integers(1000, 10**9), st.data())
def test_any_digit_is_named(right: int, data: st.DataObject) -> None:
    digits = str(right)
    at = data.draw(st.integers(0, len(digits) - 2))
    other = data.draw(st.sampled_from("0123456789"))
    changed = digits[:at] + other + digits[at + 1 :]
    swapped = digits[:at] + digits[at + 1] + digits[at] + digits[at + 2 :]
    doubled = digits[:at] + digits[at] + digits[at:]
    for typed in (changed, swapped, doubled):
        if typed[0] != "0" and int(typed) != right and Fraction(int(typed), right) not in (Fraction(1, 10), 10):
            check(Sum((Number(right), Number(0))), int(typed), "a slip of the pen in the result")


@given(st.lists(numbers, min_size=3, max_size=12, unique=True), st.data())
def test_any_term_is_named(values: list[int], data: st.DataObject) -> None:
    value = data.draw(st.sampled_from(values))
    whole = sum(values)
    check(total(*values), whole - value, f"the term {value:,} is left out")
    check(total(*values), whole + value, f"the term {value:,} is counted twice")
    check(total(*values), whole - 2 * value, f"the term {value:,} is subtracted instead of added")


@given(numbers, numbers, numbers, small)
def test_any_term_in_a_bracket_is_named(one: int, other: int, apart: int, count: int) -> None:
    assume(len({one, other, apart}) == 3)
    left = Sum((Number(apart), Product((Number(count), total(one, other)))))
    check(left, apart + count * other, f"the term {one:,} is left out")
    check(left, apart + one + other, f"the factor {count:,} is left out")


@given(numbers, numbers, numbers)
def test_any_other_operand_is_named(one: int, other: int, meant: int) -> None:
    assume(meant not in (one, other) and meant >= 1000)
    check(product(one, other), meant * other, "in place of", StatedNumber("vocabulary", meant, 4))


@given(numbers, numbers, small)
def test_any_lost_bracket_is_named(one: int, other: int, count: int) -> None:
    check(Product((Number(count), total(one, other))), count * one + other, "it holds with other brackets")
    check(Sum((product(count, one), Number(other))), count * (one + other), "it holds with other brackets")


@given(numbers, numbers, st.integers(1000, 10**8))
def test_any_swap_is_named(one: int, other: int, stated: int) -> None:
    check(product(one, other), stated, "swapped with", StatedNumber("", one * other, 11, stated))


@given(st.lists(st.integers(100, 10**9), min_size=4, max_size=10, unique=True), st.data())
def test_any_part_of_a_list_is_named(values: list[int], data: st.DataObject) -> None:
    parts = [StatedNumber("", value, at) for at, value in enumerate(values, 20)]
    missing = data.draw(st.lists(st.sampled_from(parts), min_size=1, max_size=3, unique=True))
    gap = explain_sum(parts, sum(values) - sum(part.value for part in missing), [])
    assert adds_up(gap)
    if len(missing) == 1:
        assert any(f"line {missing[0].line} " in each and "left out" in each for each in said(gap))
    assert gap.explained_by  # Two or three may be found together with a simpler explanation, never without any.


@given(st.lists(st.integers(10**6, 10**9), min_size=4, max_size=10, unique=True), st.data())
def test_two_and_three_parts_are_named_where_nothing_is_simpler(values: list[int], data: st.DataObject) -> None:
    parts = [StatedNumber("", value, at) for at, value in enumerate(values, 20)]
    missing = data.draw(st.lists(st.sampled_from(parts), min_size=2, max_size=3, unique=True))
    gap = explain_sum(parts, sum(values) - sum(part.value for part in missing), [])
    expected = {f"line {part.line} ({part.value:,}) is left out" for part in missing}
    found = [{worded(cause) for cause in each} for each in explanations(gap)]
    assert expected in found or len(gap.explained_by) == 1


@given(st.lists(st.integers(1000, 10**9), min_size=1, max_size=40), st.lists(st.integers(2, 10**9), max_size=60), st.integers(1, 10**10))
def test_whatever_is_stated_the_values_add_up(values: list[int], others: list[int], stated: int) -> None:
    parts = [StatedNumber("", value, at) for at, value in enumerate(values, 1)]
    elsewhere = [StatedNumber("x", value, at) for at, value in enumerate(others, 100)]
    gap = explain_sum(parts, stated, elsewhere)
    assert adds_up(gap)
    assert gap.value == stated - sum(values)


@given(st.lists(st.integers(1000, 10**7), min_size=2, max_size=6), st.integers(1, 10**9), st.lists(st.integers(2, 10**6), max_size=20))
def test_whatever_the_line_the_values_add_up(values: list[int], stated: int, others: list[int]) -> None:
    half = len(values) // 2
    left = Sum((Product((Number(12), total(*values))), Negative(product(*values[:half], 3)), Quotient(Number(values[0]), Number(7))))
    gap = explain_number(left, stated, str(stated), [StatedNumber("", value, at) for at, value in enumerate(others)], line=3)
    assert adds_up(gap)
    assert gap.value == stated - evaluate(left, {})


@pytest.mark.slow
def test_the_work_on_a_long_line_hardly_grows_with_the_document() -> None:
    left = Sum(tuple(product(768 + at, 3072 + 7 * at) for at in range(15)))
    elsewhere = [StatedNumber("a number of the document", 1009 * at * at + 31, at % 4000) for at in range(2, 20_000)]
    parts = [StatedNumber("", 100_003 * at * at, at) for at in range(1, 200)]
    for explain in (
        lambda others: explain_number(left, 41_234_567, "41,234,567", others, line=50),
        lambda others: explain_sum(parts, 41_234_567, others),
    ):
        short, long = (calls(lambda size=size, explain=explain: explain(elsewhere[:size])) for size in (500, 20_000))
        assert long < 10 * short


def test_what_is_too_long_to_be_tried_is_still_computed() -> None:
    many = total(*range(1000, 6000))
    assert explain_number(many, 5, "5", [], line=1).value == 5 - sum(range(1000, 6000))
    deep: Formula = Number(3)
    for _ in range(90):
        deep = Sum((Number(2), Product((Number(2), deep))) if deep.depth % 4 else (Number(2), deep))
        if deep.depth > 90:
            break
    assert explain_number(deep, 10**6 + 3, "1,000,003", [], line=1).value is not None
