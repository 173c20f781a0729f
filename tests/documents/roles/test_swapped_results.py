"""Two parts whose numbers are swapped are both wrong, and each is explained by the other; numbers that stand before their parts are not."""

from __future__ import annotations

import pytest

from symparam import check_text
from symparam.writing.findings.gaps import listed
from symparam.writing.wording import ENGLISH

# GPT-2: 4 · (768² + 768) = 2,362,368 parameters in the attention of a layer, 2 · 768 · 3072 + 3072 + 768 = 4,722,432 in its MLP.
SENTENCE = "In GPT-2 small, the attention of a layer has {} parameters and the MLP has {} parameters."
LIST = "- attention: {} per layer\n- MLP: {} per layer\n"
TABLE = "| part of a layer | parameters |\n|---|---|\n| attention | {} |\n| MLP | {} |\n| layer norms | 3,072 |\n"
PAGES = [
    (SENTENCE, "2,362,368", "4,722,432"),
    (LIST, "2,362,368", "4,722,432"),
    (LIST, "2.36M", "4.72M"),
    (TABLE, "2,362,368", "4,722,432"),
]


@pytest.mark.parametrize(("page", "attention", "mlp"), PAGES)
def test_both_are_wrong(page: str, attention: str, mlp: str) -> None:
    assert not check_text(page.format(attention, mlp), config="gpt2").wrong
    wrong = check_text(page.format(mlp, attention), config="gpt2").wrong
    assert [each.text for each in wrong] == [mlp, attention]
    for each in wrong:
        assert each.gap is not None
        assert "swapped with the result of line" in " ".join(listed(each.gap.explained_by, ENGLISH))


@pytest.mark.parametrize(
    "page",
    [
        "Each layer has 2,362,368 in the attention, 4,722,432 in the MLP.",  # The part follows its number.
        "- attention: 4,722,432 per layer",  # No other number is its own.
        "* per layer: 2.36M attention, 4.72M MLP",
    ],
)
def test_nothing_is_swapped(page: str) -> None:
    found = check_text(page, config="gpt2").wrong
    assert not [each for each in found if each.gap and "swapped" in " ".join(listed(each.gap.explained_by, ENGLISH))]
