"""How many devices share what a number counts, as words of several languages say."""

from __future__ import annotations

import pytest

from symparam import check_text
from symparam.documents.roles.devices import devices_in, says_each_device, without_devices
from symparam.writing.wording import ENGLISH


@pytest.mark.parametrize(
    ("text", "devices"),
    [
        ("on 8 GPUs", (8,)),
        ("with TP=2", (2,)),
        ("two cards, or four A100s", (2, 4)),
        ("auf vier Karten", (4,)),
        ("sur huit cartes", (8,)),
        ("在两张卡上", (2,)),
        ("使用4张显卡", (4,)),
        ("8路张量并行", (8,)),
        ("8 枚のGPU", (8,)),
        ("GPT2 GPU", ()),
        ("3.8 GPU hours", ()),
        ("1 GPU", ()),
        ("layer 4", ()),
    ],
)
def test_numbers_of_devices(text: str, devices: tuple[int, ...]) -> None:
    assert devices_in(text) == devices


@pytest.mark.parametrize(
    ("text", "is_each"),
    [
        ("14.8 GB per card", True),
        ("each of the 8 GPUs", True),
        ("pro Karte", True),
        ("par carte", True),
        ("por tarjeta", True),
        ("на каждую из 4 карт", True),
        ("每张卡", True),
        ("每显卡", True),
        ("GPUあたり", True),
        ("GPU당", True),
        ("на 4 карты", False),
        ("GPU每秒", False),
        ("per layer", False),
        ("8 GPUs", False),
    ],
)
def test_one_device_of_several(text: str, is_each: bool) -> None:
    assert says_each_device(text) is is_each


def test_the_rest_of_a_label() -> None:
    assert without_devices("weights per GPU with 8 GPUs").split() == ["weights"]
    assert without_devices("an eighth of the weights").split() == ["the", "weights"]


SPLIT = """# Tensor parallelism for Llama-2-70B

With TP = 8 each GPU holds 8 query heads. Per layer and GPU:

- W_q: 8192 × 1024 = 8,388,608
- W_k, W_v: 8192 × 128 = 1,048,576 each
- MLP: {}
"""


def test_parameters_that_devices_share() -> None:
    found = check_text(SPLIT.format("3 × 8192 × 3584 = 88,080,384"), config="llama-2-70b").findings
    assert [each.code for each in found if "component" in each.code] == ["component"] * 3
    assert all("on each of 8 devices" in ENGLISH.say(each.reason) for each in found if each.code == "component")
    found = check_text(SPLIT.format("2 × 8192 × 3584 = 58,720,256"), config="llama-2-70b").findings
    assert [each.code for each in found if "component" in each.code] == ["component", "component", "open-component"]
