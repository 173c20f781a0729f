"""Values that a class names for its settings."""

from __future__ import annotations

import importlib.util

import pytest

pytestmark = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="the classes are torch modules")


def test_words_are_found_wherever_they_are_compared():
    from symparam.models.tracing.suggested_values import ANY_OTHER_WORD, suggested_values
    from tests.models.tracing.stacks import Worded

    found = suggested_values(Worded, {"norm": "batch", "inside.norm": "batch", "rank": "auto", "dim": 32})
    compared = ("gated", "prelu", ANY_OTHER_WORD)
    assert found == {"norm": compared, "inside.norm": compared, "rank": (8, 3)}


def test_a_setting_that_is_null_may_be_a_word_that_it_is_compared_with():
    from symparam.models.tracing.suggested_values import suggested_values
    from tests.models.tracing.stacks import Worded

    assert suggested_values(Worded, {"norm": None, "scale": None}) == {"norm": ("batch", "gated", "prelu"), "scale": (1.5, 0.5, 1e-6)}


def test_a_setting_that_is_null_may_be_a_flag_where_it_is_annotated_so():
    from symparam.models.tracing.suggested_values import suggested_values
    from tests.models.tracing.stacks import Averaged

    assert suggested_values(Averaged, {"final": None, "dim": 8}) == {"final": (True, False)}
