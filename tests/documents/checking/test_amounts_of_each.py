"""Amounts that follow from how much each of several things takes, where the count or the rate stands elsewhere on the page."""

from __future__ import annotations

import pytest

from tests.documents.checking.shown import claims

SIZES = """The model has 40 layers.

Per token and layer the cache takes 8 KB.

- per token (40 layers): 320 KB
- a context of 2,000 tokens: 640 MB
"""
STATES = """### Training a 7B model

| kept | FP32 | BF16 |
|---|---|---|
| weights | 28 GB | 14 GB |
| Adam states | 56 GB | 56 GB |
"""
CAPTION = """**The memory of a 7B model:**

| kept in | weights |
|---|---|
| FP32 | 28 GB |
| FP16 | 14 GB |
"""


HEADS = """The model has 354,501,632 parameters (354.5M).

| kept | bytes/param | GB |
|---|---|---|
| weights | 2 | 0.71 |
| master | 4 | 1.42 |
| Adam | 8 | %s |
"""


@pytest.mark.parametrize(
    ("adam", "code"),
    # 354.5M × 8 = 2.836 GB; a slip of the pen is wrong beside two rows that hold, another number may count something else.
    [("2.84", "rounded"), ("2.48", "wrong-rounding"), ("3.11", "")],
)
def test_the_heads_of_columns_say_what_is_multiplied(adam: str, code: str) -> None:
    found = [f"354,501,632 × {each}" for each in ("2 bytes = 0.71: rounded", "4 bytes = 1.42: rounded", f"8 bytes = {adam}: {code}")]
    assert claims(HEADS % adam) == ["354,501,632 parameters ≈ 354.5M: rounded", *(found if code else found[:2])]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Each token takes 0.5 MB. A prompt of 3,000 tokens takes 1.5 GB.", ["3,000 × 0.5 MB = 1.5 GB: exact"]),
        (SIZES, ["40 × 8 KB = 320 KB: exact", "2,000 × 320 KB = 640 MB: exact"]),
        ("A single layer keeps about 64 MB for it. With 32 layers, you need 2 GB per sample.", ["32 × 64 MB = 2 GB: rounded"]),
        ("A 70B model on 8 GPUs: each GPU holds 8.75B parameters.", ["70B / 8 = 8.75B: exact"]),
        ("Take a 7B model.\n\nIn FP16 its weights are 14 GB.", ["7B × 2 bytes = 14 GB: exact"]),
        ("It has 7 billion parameters of 16 bits. Hence you need 14 GB.", ["7 billion × 2 bytes = 14 GB: exact"]),
        (CAPTION, ["7B × 4 bytes = 28 GB: exact", "7B × 2 bytes = 14 GB: exact"]),
        ("A 70B model: the states of Adam are 840 GB.", ["70B × 12 bytes = 840 GB: exact"]),
        (STATES, [f"7B × {size} bytes = {found} GB: exact" for size, found in ((4, 28), (2, 14), (8, 56), (8, 56))]),
        (
            "LLaMA-7B (FP16, batch 8):\n\tweights 14 GB\n\n\tother 14 GB",
            ["7B × 2 bytes = 14 GB: exact"],
        ),
        # The same in other languages, with their separators.
        ("Jedes Token braucht 0,5 MB. Bei 4.096 Tokens sind es 2 GB.", ["4.096 × 0,5 MB = 2 GB: rounded"]),
        ("Un modèle de 7 milliards de paramètres en FP16 occupe 14 Go.", ["7 milliards × 2 bytes = 14 Go: exact"]),
        ("Модель с 13B параметров в FP16 занимает 26 ГБ.", ["13B × 2 bytes = 26 ГБ: exact"]),
        ("每个 token 占 0.5 MB，3000 个 token 占 1.5 GB。", ["3000 × 0.5 MB = 1.5 GB: exact"]),
        # Other things, the size of a model, ranges, and what is counted only in passing.
        ("Each token takes 0.5 MB. A prompt of 3,000 layers takes 1.5 GB.", []),
        ("| model | FP16 |\n|---|---|\n| 1.8B | 3.42 GB |", []),
        ("In FP32 a parameter takes 4 bytes.\n\nQwen-7B in Q4_K_M takes 28 GB.", ["FP32 = 4 bytes: exact"]),
        ("Each GPU holds 8.75B parameters.\n\nA 70B model on 8 GPUs is fast.", []),
        ("A model of 1B parameters in FP16. Leave 1 GB ~ 2 GB free.", []),
        ("It takes 100 MB per request. Run 30 steps at batch 1, and you move 3 GB.", []),
    ],
)
def test_an_amount_is_so_much_for_each(text: str, found: list[str]) -> None:
    assert claims(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("weights: 1.12 GiB (i.e. 1.2 GB)", ["1.12 GiB ≈ 1.2 GB: rounded"]),
        ("Der Cache braucht 57.344 Bytes, also 56 KiB.", ["57.344 Bytes = 56 KiB: exact"]),
        ("权重约 1.4 GiB（即 1.5 GB）", ["1.4 GiB ≈ 1.5 GB: rounded"]),
        # Another amount, and one that no word calls the same.
        ("weights: 1.12 GiB (i.e. 1.3 GB)", []),
        ("weights 1.12 GiB, cache 1.2 GB", []),
    ],
)
def test_an_amount_is_repeated_in_another_unit(text: str, found: list[str]) -> None:
    assert claims(text) == found
