"""Expressions in a common form: what differs between the modules of a list is a whole number in one place."""

import pytest

from symparam.models.traced.expressions import evaluate
from symparam.models.tracing.templates import SUM, instantiated, normal_form, template_of

A, B, WIDTHS = ("key", "a"), ("key", "b"), ("key", "widths")


def whole(path):
    return path != "ratio"


@pytest.mark.parametrize(
    ("expression", "form"),
    [
        (("+", ("+", A, B), B), (SUM, 0, (1, (A,)), (2, (B,)))),
        (("*", ("*", A, 2), 2), (SUM, 0, (4, (A,)))),
        (("*", A, ("**", 2, ("loop", 5, 3))), (SUM, 0, (8, (A,)))),
        (("-", A, A), 0),
        (("//", ("//", A, 2), 2), ("//", A, 4)),
        (("int", ("*", A, ("key", "ratio"))), ("int", ("*", A, ("key", "ratio")))),
        (("item", WIDTHS, ("loop", 1, 4)), ("item", WIDTHS, 4)),
        (("min", ("*", 2, ("min", ("*", 2, A), B)), B), ("min", (SUM, 0, (4, (A,))), B)),
        (("max", 8, ("max", A, B)), ("max", 8, A, B)),
    ],
)
def test_equal_expressions_have_one_form(expression, form):
    assert normal_form(expression, whole) == form


def test_items_of_lists_are_not_added_up_since_they_may_be_different_ones():
    one, other = ("item", WIDTHS, 1), ("item", WIDTHS, 2)
    same, different = (template_of(normal_form(("+", one, each), whole), []) for each in (one, other))
    assert same == different


@pytest.mark.parametrize(
    "expression",
    [("+", ("*", 3, A), ("-", B, 7)), ("-", 5, ("*", A, B)), ("//", ("+", A, ("*", 4, B)), 3), ("max", 8, ("*", A, ("+", B, 1)))],
)
def test_a_form_filled_with_its_own_numbers_has_the_value_of_the_expression(expression):
    numbers = []
    form = template_of(normal_form(expression, whole), numbers)
    settings = {"a": 11, "b": 5}
    assert evaluate(instantiated(form, numbers), settings) == evaluate(expression, settings)
