"""Numbers that keep their expressions: whatever is computed from them keeps one too, and comparisons are logged."""

from __future__ import annotations

import pytest

from symparam.models.traced.expressions import evaluate
from symparam.models.tracing.patching import patched
from symparam.models.tracing.repetitions import is_of, repetitions
from symparam.models.tracing.symbolic_values import as_symbolic, expression_of, restart

WIDTH, IMAGE = ("key", "width"), ("key", "image")


def multiple(width, by=8, least=None):
    least = least or by
    found = max(least, int(width + by / 2) // by * by)
    if found < 0.9 * width:
        found += by
    return found


@pytest.mark.parametrize(
    ("computed", "expression"),
    [
        (lambda width: width + 4.0, ("+", WIDTH, 4.0)),
        (lambda width: width * 0.5, ("*", WIDTH, 0.5)),
        (lambda width: width / 2.0, ("/", WIDTH, 2.0)),
        (lambda width: width // 8, ("//", WIDTH, 8)),
        (lambda width: round(width * 1.4), ("round", ("*", WIDTH, 1.4))),
        (lambda width: width // 2 << 1, ("*", ("//", WIDTH, 2), 2)),
        (lambda width: width >> 3, ("//", WIDTH, 8)),
        (lambda width: 3 << width, ("*", 3, ("**", 2, WIDTH))),
    ],
)
def test_an_integer_with_a_fraction_keeps_its_expression(computed, expression):
    restart()
    found = computed(as_symbolic(48, WIDTH))
    assert found == computed(48)
    assert type(found).__mro__[-2] is type(computed(48))
    assert expression_of(found) == expression


@pytest.mark.parametrize(("value", "places", "error"), [(48, -1, ValueError), (48, 1.0, TypeError), (2.5, 1, TypeError)])
def test_what_cannot_be_shifted_is_not(value, places, error):
    with pytest.raises(error):
        as_symbolic(value, WIDTH) << places
    with pytest.raises(error):
        as_symbolic(value, WIDTH) >> places


def test_a_comparison_of_an_integer_with_a_fraction_is_logged():
    log = restart()
    assert as_symbolic(48, WIDTH) > 47.5
    assert not as_symbolic(48, WIDTH) < 47.5
    assert log.asked == {(">", WIDTH, 47.5): {True}, ("<", WIDTH, 47.5): {False}}


@pytest.mark.parametrize(
    ("asked", "image", "times"),
    [
        ([(">", IMAGE, 4), (">", ("//", IMAGE, 2), 4)], 64, 4),
        ([("<", 4, IMAGE), ("<", 4, ("//", IMAGE, 2)), ("<", 4, ("//", ("//", IMAGE, 2), 2))], 65, 4),
        ([("<", IMAGE, 1024), ("<", ("*", 2, IMAGE), 1024)], 100, 4),
        ([(">", IMAGE, 4), (">", IMAGE, 8), (">", IMAGE, 16)], 100, 5),
        ([(">", IMAGE, 4), (">", ("key", "width"), 4)], 64, None),
        ([(">", IMAGE, 4), (">", IMAGE, 8), (">", IMAGE, 15)], 64, None),
    ],
)
def test_how_often_a_loop_runs_follows_from_its_comparisons(asked, image, times):
    found = [evaluate(each, {"image": image}) for each in repetitions(asked)]
    assert found == ([] if times is None else [times])
    assert all(is_of(condition, each) for condition in asked for each in repetitions(asked))


@pytest.mark.parametrize("seen", [8, 11, 400])
def test_a_function_that_only_computes_is_followed_in_all_of_its_branches(seen):
    log = restart()
    with patched((__name__,)):
        found = multiple(as_symbolic(seen, WIDTH) * 1.3)
    assert not log.asked
    assert found == multiple(seen * 1.3)
    assert [evaluate(expression_of(found), {"width": each}) for each in range(1, 300)] == [multiple(each * 1.3) for each in range(1, 300)]


def test_lists_that_are_zipped_are_at_the_number_of_one_loop():
    log = restart()
    widths, depths = (as_symbolic(each, ("key", name)) for name, each in (("widths", [8, 16, 32]), ("depths", [2, 3])))
    with patched((__name__,)):
        found = [(at, *items) for at, items in enumerate(zip(widths, depths, (1, 3, 3), strict=False))]
    assert found == [(0, 8, 2, 1), (1, 16, 3, 3)]
    place = expression_of(found[1][0])
    assert place[0] == "loop"
    assert place[2] == 1
    assert [expression_of(each) for each in found[1][1:3]] == [("item", ("key", name), place) for name in ("widths", "depths")]
    assert log.met["min", ("len", ("key", "widths")), ("len", ("key", "depths")), 3] == 2
