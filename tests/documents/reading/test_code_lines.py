"""Lines of code with the results of their calculations in comments."""

from __future__ import annotations

import pytest

from tests.documents.checking.shown import claims


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("n = 3_000_000_000\nw = 2 * n  # bf16: 6 GB", ["2 * n = 6 GB: exact"]),
        ("n = 3_000_000_000\nw = 8 * n  # Adam m and v, fp32: 24 GB", ["8 * n = 24 GB: exact"]),
        ("n = 3_000_000_000\nw = 2 * n  # after sharding: 7 GB", []),  # The label may say that it is something else.
        ("#define D 1024\n#define FF (4 * D)  /* 4096 */", ["(4 * D) = 4096: exact"]),
        ("d = 512\nemb = 6400 * d  # 3,276,800 (tied)", ["6400 * d = 3,276,800: exact"]),
        ("int size = 4 * 1024; // 4096", ["4 * 1024 = 4096: exact"]),
        ("size = 8192 // 2", []),
        ("n = 3_000_000_000\nw = 2 * n  # 6e9 bytes -> 6 GB", ["2 * n = 6e9 bytes: exact"]),
    ],
)
def test_a_comment_states_a_result(code: str, found: list[str]) -> None:
    assert claims(f"```\n{code}\n```") == found


def test_code_without_a_fence_is_read_alike() -> None:
    assert claims("hidden = 1024\ninter = 4 * hidden        # 4096\nbias = 3 * hidden + 1  # 3074") == [
        "4 * hidden = 4096: exact",
        "3 * hidden + 1 = 3074: wrong-value",
    ]
