"""What remains of the first entry of a list, called so or after entries with minus signs."""

from __future__ import annotations

import pytest

from tests.documents.checking.shown import claims

CARD = "- card: 80 GB\n- weights: 52.5 GB\n- activations: 6.25 GB\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # 80 − 52.5 − 6.25 = 21.25.
        (CARD + "- left for the cache: 21.25 GB", ["80 GB − 52.5 GB − 6.25 GB = 21.25 GB: exact"]),
        (CARD + "- left for the cache: 21.3 GB", ["80 GB − 52.5 GB − 6.25 GB = 21.3 GB: rounded"]),
        ("- Karte: 80 GB\n- Gewichte: 52,5 GB\n- es bleiben: 27,5 GB", ["80 GB − 52,5 GB = 27,5 GB: exact"]),
        ("显存：80 GB\n权重：52.5 GB\n剩余：27.5 GB", ["80 GB − 52.5 GB = 27.5 GB: exact"]),
        ("```\nmemory of both:   160 GB\nweights:         −142 GB\ncache:             18 GB\n```", ["160 GB − 142 GB = 18 GB: exact"]),
        (
            "Memoria (GPU de 48 GB):\n- pesos: 30 GB\n- reserva: 5,5 GB\n- queda para la caché: 12,5 GB",
            ["(GPU de 48 GB) − 30 GB − 5,5 GB = 12,5 GB: exact"],
        ),
        # Another number, one that is not called a rest, another unit, and a list that the heading ends.
        (CARD + "- left for the cache: 22.3 GB", []),
        (CARD + "- used by the cache: 21.25 GB", []),
        ("- card: 80 GB\n- layers: 52\n- left for the cache: 28", []),
        (CARD + "\n# Cache\n\n- left: 21.25 GB", []),
    ],
)
def test_what_remains(text: str, expected: list[str]) -> None:
    assert claims(text) == expected
