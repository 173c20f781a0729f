"""A claim of few numbers is wrong if others of its form hold on the page."""

from __future__ import annotations

import pytest

from tests.documents.checking.shown import checked

THREE = "The first has 5 × 4 = 20 heads, the second 6 × 4 = 24 heads, and"
PAGES = [
    # 7 × 4 = 28, and 7 × 4 = 28 again in another notation.
    (f"{THREE} the last 7 × 4 = 31 heads of them.", ["holds", "holds", "wrong"]),
    (f"{THREE} the last $7 \\times 4 = 31$ heads of them.", ["holds", "holds", "wrong"]),
    ("The last has 7 × 4 = 31 heads of them.", ["undecided"]),
    # One that holds is too few, and of two that fail the form may be misread.
    ("It has 5 × 4 = 20 heads, and in the last 7 × 4 = 31 heads of them.", ["holds", "undecided"]),
    (f"{THREE} the last 7 × 4 = 31 heads, or 8 × 4 = 36 of them.", ["holds", "holds", "undecided", "undecided"]),
    # Six that hold say more than two: a bare product of small sizes, 30×2 = 60, which may be a shape.
    ("5×4=20, 20×3=60, 60×2=120, 12×3=36, 9×7=63, 8×9=72, then 30×2=120 and on.", ["holds"] * 6 + ["wrong"]),
    ("5×4=20, 20×3=60, then 30×2=120 and on.", ["holds", "holds", "undecided"]),
    # Another form, and sides a hundredfold apart: 7 + 4 = 11, 7 × 4 = 28.
    (f"{THREE} the last 7 + 4 = 13 heads of them.", ["holds", "holds", "undecided"]),
    (f"{THREE} the last 7 × 4 = 3100 heads of them.", ["holds", "holds", "undecided"]),
]


@pytest.mark.parametrize(("page", "expected"), PAGES, ids=[page[-40:] for page, _ in PAGES])
def test_claims_of_one_form_tell_which_of_them_is_wrong(page: str, expected: list[str]) -> None:
    assert [each.verdict.value for each in checked(page).findings] == expected
