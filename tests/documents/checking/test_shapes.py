"""Shapes in brackets beside the number of their elements, and brackets that are no such shape."""

from __future__ import annotations

import pytest

from tests.documents.checking.shown import claims

HEAD = "| part | shape | parameters |\n|---|---|---|\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (HEAD + "| query | (768, 768) | 589,824 |\n| up | `[768, 3072]` | 2,359,296 |\n",
         ["(768, 768) = 589,824: exact", "[768, 3072] = 2,359,296: exact"]),
        ("| parameters | shape |\n|---|---|\n| 38,597,376 | (50,257, 768) |\n", ["(50,257, 768) = 38,597,376: exact"]),
        ("- W_q (768, 768): 589,824\n", ["(768, 768) = 589,824: exact"]),
        ("- conv [64, 3, 7, 7] → 9,408 weights\n", ["[64, 3, 7, 7] = 9,408: exact"]),
        ("query     [768 × 768]    589,824\n", ["[768 × 768] = 589,824: exact"]),
        ("torch.Size([768]) 768\n", ["Size([768]) = 768: exact"]),
        # With its bias, or of something else.
        (HEAD + "| up | (768, 3072) | 2,362,368 |\n", []),
        # Beside three rows that hold: two digits swapped, a bias, two copies.
        *[(HEAD + f"| query | (768, 768) | 589,824 |\n| up | (768, 3072) | {number} |\n" + "| gate | (768, 4096) | 3,145,728 |\n| down | (4096, 768) | 3,145,728 |\n",
           ["(768, 768) = 589,824: exact", *found, "(768, 4096) = 3,145,728: exact", "(4096, 768) = 3,145,728: exact"])
          for number, found in (("2,359,269", ["(768, 3072) = 2,359,269: wrong-number"]), ("2,362,368", []), ("4,718,592", []))],
        # Small numbers agree by chance, and one size in a bracket is no shape.
        ("- heads (4, 8): 32\n", []),
        ("- steps (1000): 1000\n", []),
        ("Images are (224, 224). We trained for 50,176 steps.\n", []),
        ("The (50,257) rows are 50,257 vectors.\n", []),
        # Brackets that do not belong together.
        ("- half-open [768, 3072): 2,359,296\n", []),
        # A comma behind a space separates sizes, and one before fewer than three digits does as well.
        ("torch.Size([3 ,5 ,7 ,9]) 945\n", ["Size([3 ,5 ,7 ,9]) = 945: exact"]),
        ("torch.Size([30,522,2]) 61044\n", ["Size([30,522,2]) = 61044: exact"]),
        # Each once, however long the table is.
        (HEAD + "| w | (768, 1000) | 768,000 |\n" * 100, ["(768, 1000) = 768,000: exact"] * 100),
        # The nearest shape is meant.
        ("- from (768, 768) to (768, 3072): 589,824\n", []),
    ],
)  # fmt: skip
def test_shapes(text: str, found: list[str]) -> None:
    assert claims(text) == found
