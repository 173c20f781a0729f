"""Numbers that keep their expressions: whatever is computed from them keeps one too, and comparisons are logged."""

from __future__ import annotations

import pytest

from symparam.models.tracing.symbolic_values import as_symbolic, expression_of, restart

WIDTH = ("key", "width")


@pytest.mark.parametrize(
    ("computed", "expression"),
    [
        (lambda width: width + 4.0, ("+", WIDTH, 4.0)),
        (lambda width: width * 0.5, ("*", WIDTH, 0.5)),
        (lambda width: width / 2.0, ("/", WIDTH, 2.0)),
        (lambda width: width // 8, ("//", WIDTH, 8)),
        (lambda width: round(width * 1.4), ("round", ("*", WIDTH, 1.4))),
    ],
)
def test_an_integer_with_a_fraction_keeps_its_expression(computed, expression):
    restart()
    found = computed(as_symbolic(48, WIDTH))
    assert found == computed(48)
    assert type(found).__mro__[-2] is type(computed(48))
    assert expression_of(found) == expression


def test_a_comparison_of_an_integer_with_a_fraction_is_logged():
    log = restart()
    assert as_symbolic(48, WIDTH) > 47.5
    assert not as_symbolic(48, WIDTH) < 47.5
    assert log.asked == {(">", WIDTH, 47.5): {True}, ("<", WIDTH, 47.5): {False}}
