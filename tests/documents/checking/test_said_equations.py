"""Numbers of which words say that they equal what stands before them, and words that leave something else open."""

from __future__ import annotations

import pytest

from tests.documents.checking.shown import claims


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # A calculation and its result, with words on what is counted.
        ("The matrix has 32,000 × 2048 weights, which gives 65,536,000.", ["32,000 × 2048 = 65,536,000: exact"]),
        ("32,000 × 2048. That is 65,536,000.", ["32,000 × 2048 = 65,536,000: exact"]),
        ("Das sind 4 · 1024 · 1024 Gewichte, also 4.194.304.", ["4 · 1024 · 1024 = 4.194.304: exact"]),
        ("São 784 × 256 pesos, ou seja, 200.704.", ["784 × 256 = 200.704: unit"]),
        ("权重 768 × 3072，也就是 2,359,296 个。", ["768 × 3072 = 2,359,296: exact"]),
        ("重みは 768 × 3072 なので 2,359,296 です。", ["(768 × 3072) = 2,359,296: exact"]),
        ("It has 3 × 768², about 1.8M weights.", ["3 × 768² ≈ 1.8M: rounded"]),
        # The same number in other words.
        ("Das sind 45.976.736 Parameter, also rund 46 Mio.", ["45.976.736 ≈ 46 Mio: rounded"]),
        ("São 235.146 parâmetros, ou seja, cerca de 235 mil.", ["235.146 ≈ 235 mil: rounded"]),
        ("that took 5,400 s, i.e. 1.5 hours", ["5,400 s = 1.5 hours: exact"]),
        (
            "Each takes 2 × 8 × 128 × 2 = 4,096 bytes per token, i.e. 4 KiB.",
            ["2 × 8 × 128 × 2 = 4,096 bytes: exact", "4,096 bytes = 4 KiB: exact"],
        ),
        ("全部で 22,050,664 パラメータ、約 22.1M です。", ["22,050,664 ≈ 22.1M: rounded"]),
        ("1 歩 0.4 秒なら 150,000 秒、およそ 41.7 時間かかる。", ["150,000 秒 ≈ 41.7 時間かかる: rounded"]),
        # In another unit of its kind, but "about" another amount may be meant.
        ("It takes 42,949,672,960 bytes, about 42.9 GiB.", ["42,949,672,960 bytes ≈ 42.9 GiB: unclear"]),
        ("42,949,672,960 字节,约 42.9 GiB。", ["42,949,672,960 字节 ≈ 42.9 GiB: unclear"]),
        ("It takes 42,949,672,960 bytes, about 40 GiB.", ["42,949,672,960 bytes ≈ 40 GiB: exact"]),
        # A slip of the pen: 94,595 s are 26.3 hours.
        ("It takes 94,595 s, about 62.3 hours.", ["94,595 s ≈ 62.3 hours: wrong-rounding"]),
        ("It takes 94,595 s, about 31.7 hours.", ["94,595 s ≈ 31.7 hours: unclear"]),
        # The number between the calculation and its other unit is the wrong one: 57,344 × 32,768 = 1,879,048,192.
        (
            "It takes 57,344 × 32,768 = 1,897,048,192 bytes, i.e. 1.75 GiB.",
            ["57,344 × 32,768 = 1,897,048,192 bytes: wrong-number"],
        ),
        (
            "It takes 57,344 × 32,768 = 1,879,048,192 bytes, i.e. 1.85 GiB.",
            ["57,344 × 32,768 = 1,879,048,192 bytes: exact", "1,879,048,192 bytes = 1.85 GiB: wrong-rounding"],
        ),
        # On the next line.
        ("$d = 4096$, $r = 16$:\n$$\n2dr\n$$\nwhich gives 131,072. With 64 of them", ["2dr = 131,072: exact"]),
        ("4 × 1,024 × 1,024\n  = 4,194,304", ["4 × 1,024 × 1,024 = 4,194,304: exact"]),
        # Wrong, as nothing else can be meant.
        ("The matrix has 32,000 × 2048 weights, which gives 65,563,000.", ["32,000 × 2048 = 65,563,000: wrong-number"]),
        ("São 784 × 256 pesos, ou seja, 207.704.", []),
        ("The run took 5,400 s, that is 1.6 hours.", ["5,400 s = 1.6 hours: wrong-rounding"]),
        # Something else may be meant: another count, one of several, an alternative, or words that are not all known.
        ("Each has 768 × 64 weights, that is 589,824 for 12 heads.", ["12 × (768 × 64) = 589,824: exact"]),
        ("It saves 80/114 and 64/98, that is 70.2 %.", []),
        ("An image of 224×224 with patches of 16×16, this gives 196.", []),
        ("We have 16 × 80 GB, i.e. 1.28 TB, which gives 1.1 TB after overhead.", ["16 × 80 GB = 1.28 TB: exact"]),
        ("We have 32,000 × 2048 weights, which gives 65,000,000 usable.", []),
        ("The disks hold 1.28 TB, that is 1.1 TB.", []),
        ("It takes 90 minutes, or 2 hours with a break.", []),
        ("It has 768 × 64 weights, and with biases it makes 49,216.", []),
        ("The vocabulary has 50,257 tokens, the width is 768 and there are 12 layers.", []),
    ],
)
def test_words_say_that_two_sides_are_equal(text: str, found: list[str]) -> None:
    assert claims(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # Of a model with 32 heads: an h behind decimals or beside another time means hours.
        ("训练耗时 4.34 h,即 158 TFLOP/s。", []),
        ("It took 5 h, i.e. 158 TFLOP/s.", []),
        ("The model has h = 32 heads. It took 5 h, that is 158 TFLOP/s.", []),
        ("We need 15,625 s = 4.34 h.", ["15,625 s = 4.34 h: rounded"]),
        ("It took 5 h = 18,000 s, so 300 min = 5h", ["5 h = 18,000 s: exact", "18,000 s = 300 min: exact", "300 min = 5h: exact"]),
        ("We need 15,625 s = 4.54 h.", ["15,625 s = 4.54 h: wrong-rounding"]),
        ("We need 8 × 4.5 h = 36 h", ["8 × 4.5 h = 36 h: exact"]),
        # And a letter otherwise.
        ("The width is 128 h = 4096.", ["128 h = 4096: exact"]),
        ("The width is 0.5 h d = 2048.", ["0.5 h d = 2048: exact"]),
    ],
)
def test_an_h_behind_a_number_is_hours_or_heads(text: str, found: list[str]) -> None:
    assert [each for each in claims(text, config="llama-3-8b") if "component" not in each] == found
