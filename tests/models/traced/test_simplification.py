"""Conditions that cannot fail, or that follow from others, are left out."""

from __future__ import annotations

import pytest

from symparam.models.traced.expressions import Expression, render
from symparam.models.traced.simplification import reduced, simplified, whole_settings

WIDTH, HEADS, RATIO, ITEM = ("key", "width"), ("key", "heads"), ("key", "ratio"), ("item", ("key", "dims"), 1)
DEPTH, LENGTH, FLAG = ("key", "depth"), ("len", ("key", "dims")), ("truth", ("key", "flag"))
WHOLE = whole_settings({"width": 64, "depth": 2, "heads": 4, "dims": [8, 16], "ratio": 4.0, "flag": True, "mixed": [1, 2.5]})


def multiple(number: Expression, of: Expression) -> Expression:
    return ("==", ("%", number, of), 0)


def whole(number: Expression) -> Expression:
    return ("==", ("int", number), number)


@pytest.mark.parametrize(
    ("conditions", "left"),
    [
        # Every whole number is a multiple of 1, 2 * width of 2, and 4 * width + 6 * heads of 2.
        ([multiple(WIDTH, 1), multiple(("*", 2, WIDTH), 2), multiple(("+", ("*", 4, WIDTH), ("*", 6, HEADS)), 2)], []),
        ([multiple(("*", 2, WIDTH), 4)], ["2 * width % 4 == 0"]),
        ([multiple(("exact", ("*", 8, WIDTH), 2), 4), multiple(("*", WIDTH, HEADS), HEADS), multiple(ITEM, 1)], []),
        # What is rounded is whole, and so is a whole number times 1.0, which rounding leaves as it is.
        ([multiple(("floor", ("*", WIDTH, 1.0)), 1), ("==", ("floor", ("*", ITEM, 1.0)), ("*", ITEM, 1.0))], []),
        ([("==", ("int", ("*", WIDTH, 0.5)), ("*", WIDTH, 0.5))], ["int(width * 0.5) == width * 0.5"]),
        # A product with a fraction need not be whole.
        (
            [multiple(("*", RATIO, WIDTH), 1), multiple(("*", RATIO, HEADS), HEADS)],
            ["ratio * width % 1 == 0", "ratio * heads % heads == 0"],
        ),
        # Of several divisors the least common multiple is left.
        ([multiple(WIDTH, 2), multiple(WIDTH, HEADS), multiple(WIDTH, 8), multiple(WIDTH, 6)], ["width % 24 == 0", "width % heads == 0"]),
        ([multiple(WIDTH, 4), ("==", ("*", ("//", WIDTH, 4), 4), WIDTH)], ["width % 4 == 0"]),
        # What has one value satisfies all else that is said of it alone.
        ([("==", WIDTH, 64), multiple(WIDTH, 16), multiple(WIDTH, HEADS), (">", WIDTH, 2)], ["width == 64", "width % heads == 0"]),
        ([("==", ("key", "kinds"), ["a", "b"]), ("==", ("key", "flag"), True)], ["kinds == ['a', 'b']", "flag == true"]),
        # Of two cases neither has a remainder, and of numbers it is known which case it is.
        ([multiple(("*", ("if", ("==", 0, 0), 4, 9), WIDTH), 4), multiple(("*", ("if", ("<", HEADS, 3), 4, 8), WIDTH), 2)], []),
        ([multiple(("*", ("if", ("<", HEADS, 3), 4, 6), WIDTH), 4)], ["(4 if heads < 3 else 6) * width % 4 == 0"]),
        # Four times a positive number is another one; a number that may be 0 may be equal to it.
        ([("!=", WIDTH, ("*", WIDTH, 4)), ("!=", HEADS, ("*", HEADS, 4))], ["heads != heads * 4"]),
        ([("!=", ("*", WIDTH, HEADS), ("*", WIDTH, 2))], ["width * heads != width * 2"]),
        # Of positive numbers what both sides share is cancelled; 1 is no multiple of 2, and 3 may be one of a number.
        ([("==", WIDTH, ("*", ("*", WIDTH, ("**", 2, 0)), DEPTH)), ("!=", WIDTH, ("*", ("*", WIDTH, 2), DEPTH))], ["depth == 1"]),
        ([("!=", ("*", 6, WIDTH), ("*", ("*", 2, WIDTH), DEPTH))], ["depth != 3"]),
        # A length that is known is no part of other conditions; a number divides by what it is divided by, and by the quotient.
        ([("==", LENGTH, 4), multiple(("+", LENGTH, ("*", LENGTH, LENGTH)), 2)], ["len(dims) == 4"]),
        ([("==", LENGTH, 3), multiple(("*", LENGTH, WIDTH), 2)], ["len(dims) == 3", "len(dims) * width % 2 == 0"]),
        ([multiple(WIDTH, HEADS), multiple(WIDTH, ("//", WIDTH, HEADS))], ["width % heads == 0"]),
        ([multiple(WIDTH, ("//", WIDTH, HEADS))], ["width % (width // heads) == 0"]),
        ([("==", ("int", ("*", RATIO, WIDTH)), ("*", RATIO, WIDTH))] * 2, ["int(ratio * width) == ratio * width"]),
        # A multiple of a whole number is whole; half of one need not be.
        ([whole(("*", RATIO, WIDTH)), whole(("*", ("*", 4, WIDTH), RATIO))], ["int(ratio * width) == ratio * width"]),
        ([whole(("*", 2, RATIO)), whole(RATIO)], ["int(ratio) == ratio"]),
        ([whole(("*", 2, RATIO)), whole(("*", 3, RATIO))], ["int(2 * ratio) == 2 * ratio", "int(3 * ratio) == 3 * ratio"]),
        # What another condition, the value of a setting or the length of a list decides.
        ([("or", FLAG, (">", HEADS, 2)), (">", HEADS, 2)], ["heads > 2"]),
        ([("and", ("not", FLAG), (">", HEADS, 2)), ("==", ("key", "flag"), False)], ["heads > 2", "flag == false"]),
        ([("not", ("and", (">", LENGTH, 1), ("<=", LENGTH, 2))), ("==", LENGTH, 3)], ["len(dims) == 3"]),
        ([("or", FLAG, (">", HEADS, 2)), ("<=", HEADS, 2)], ["flag", "heads <= 2"]),
        ([("or", FLAG, (">", HEADS, 2))], ["flag or (heads > 2)"]),
    ],
)
def test_what_says_nothing_is_left_out(conditions: list[Expression], left: list[str]) -> None:
    assert [render(each).replace('"', "'") for each in reduced(conditions, WHOLE, frozenset(["width", "depth"]))] == left


@pytest.mark.parametrize(
    ("expression", "simple"),
    [
        (("%", ("//", WIDTH, 1), HEADS), ("%", WIDTH, HEADS)),
        (("*", 1, ("+", WIDTH, ("*", HEADS, 1))), ("+", WIDTH, HEADS)),
        (("*", WIDTH, ("**", 2, ("-", 4, 1))), ("*", WIDTH, 8)),
        (("==", ("key", "flag"), True), ("==", ("key", "flag"), True)),
        (("if", ("<", 2, 1), WIDTH, ("+", HEADS, 1)), ("+", HEADS, 1)),
        (("if", ("<", ("*", 2, 3), 7), 5, WIDTH), 5),
        (("%", 7, 4), 3),
        (("//", 1, WIDTH), ("//", 1, WIDTH)),
        (("//", 7, 0), ("//", 7, 0)),
        (("==", ("*", ("//", WIDTH, 4), 4), WIDTH), multiple(WIDTH, 4)),
        (("==", WIDTH, ("*", HEADS, ("//", WIDTH, HEADS))), multiple(WIDTH, HEADS)),
        (("==", ("*", ("//", WIDTH, 4), 2), WIDTH), ("==", ("*", ("//", WIDTH, 4), 2), WIDTH)),
    ],
)
def test_numbers_are_worked_out(expression: Expression, simple: Expression) -> None:
    assert simplified(expression) == simple


@pytest.mark.parametrize(
    ("condition", "line"),
    [
        (("<=", 1, WIDTH), "width >= 1"),
        ((">", 4, ("//", WIDTH, HEADS)), "width // heads < 4"),
        ((">=", 2, 1), "2 >= 1"),
        (("not", ("null", WIDTH)), "width is not null"),
        (("not", ("truth", WIDTH)), "not width"),
        (("not", ("and", FLAG, (">", WIDTH, 2))), "not (flag and (width > 2))"),
    ],
)
def test_conditions_read_as_people_write_them(condition: Expression, line: str) -> None:
    assert render(condition) == line


def test_a_list_of_a_known_length_is_not_empty():
    not_empty, length = ("truth", ("key", "blocks")), ("==", ("len", ("key", "blocks")), 4)
    assert [*reduced([not_empty, length], frozenset(), frozenset())] == [length]
