"""The work of checking grows as the page does: with four times as many lines of a kind it is not much more than four times as much.

The work is the number of calls, which is the same on every machine. A rule that goes through the whole page for each of its numbers makes
it grow with the square.
"""

from __future__ import annotations

import pytest

from symparam import check_text
from symparam.documents.checking.finding import Verdict
from symparam.documents.comparing import judging
from symparam.writing.wording import ENGLISH
from tests.work import calls

TABLE = "| Name | Says | Size | Time |\n|---|---|---|---|\n"
KINDS = {  # The head of a page and one of its stretches.
    "sentences in cells": (TABLE, "| row {i} | the model {i} has some {many} parameters | {few} GB | {few} ms |\n"),
    "calculations in cells": (TABLE, "| row {i} | In total {many} MB, thus {few} GB each | {many} × {few} | {one}% |\n"),
    "bytes of formats": ("| Model | Parameters | FP16 | INT8 |\n|---|---|---|---|\n", "| m{i} | {one}.5B | {few} GB | {few} GB |\n"),
    "items": ("", "- layer {i}: {many}\n  - weight: {few}\n"),
    "totals": ("", "- a: {many}\n- b: {few}\n- total: {most}\n\n"),
    "sentences": ("", "Layer {i} has {many} parameters and takes {few} GB at {one} ms, thus {few} GB/s.\n\n"),
    "products": ("", "So {many} × {few} = {most}, that is {few} MB for each of {one} layers.\n"),
    "rates": ("", "At {many} tokens/s a million tokens take {few} hours and cost ${one}.50.\n\n"),
    "sections": ("", "## Part {i}\n\n- attention: {many}\n- total: {most}\n\n"),
    "sections on a model": ("", "## Llama-3-8B\n\n- attention: {many}\n- MLP: {few}000\n\n"),
    "letters": ("", "d = {many}\n\nF = 4d = {few}\n\n"),
    "formulas": ("", "- attention {i}: $4H^2 + {many}H$\n- total: $12H^2$\n\n"),
}
BESIDE_A_MODEL = {
    "parts that are right": ("", "- attention: 41,943,040\n- MLP: 176,160,768\n"),
    "parts that are wrong": ("", "- attention: 41,9{few}\n- MLP: 176,{few},{few}\n"),
    "layers": ("", "- layer {i}: {most}\n"),
    "rounded parts": ("", "Llama 3 8B has {one}.5B parameters, the attention {few}.5M of them.\n\n"),
    "caches": ("", "At {many} tokens the KV cache takes {few} GB in FP16.\n\n"),
    "memory": ("", "- Weights in fp16: {few} GB\n- Gradients: {few} GB\n- Adam: {many} GB\n\n"),
    "letters in parts": ("", "- attention {i}: $4H^2 + {many}H$\n- MLP: $8H^2 + {few}H$\n"),
    "sections of layers": ("", "## Layer {i}\n\n- attention: 41,943,040\n- MLP: {many}\n- total: {most}\n\n"),
}
FEW = 40  # Stretches of the shorter page; the longer one has four times as many.
MOST = 6  # The times that four times as many may take.


def page(head: str, stretch: str, count: int) -> str:
    every = range(100, 100 + count)
    numbers = ({"i": i, "one": i % 9 + 1, "few": 103 + 7 * i, "many": 1001 + 37 * i, "most": 1_000_003 * (i + 1)} for i in every)
    return head + "".join(stretch.format(**each) for each in numbers)


@pytest.mark.slow
@pytest.mark.parametrize("config", [None, "llama-3-8b"])
@pytest.mark.parametrize("kind", KINDS | BESIDE_A_MODEL)
def test_four_times_as_many_lines_are_about_four_times_the_work(kind: str, config: str | None) -> None:
    head, stretch = (KINDS | BESIDE_A_MODEL)[kind]
    check_text(page(head, stretch, 3), config=config)  # What is read once for all pages.
    short, long = (calls(lambda count=count: check_text(page(head, stretch, count), config=config)) for count in (FEW, 4 * FEW))
    assert long < MOST * short


def test_a_page_that_takes_too_long_to_compare_is_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    text = page(*BESIDE_A_MODEL["parts that are wrong"], 4)
    monkeypatch.setattr(judging, "MAX_SECONDS", -1)
    found = check_text(text, config="llama-3-8b").documents[0].findings
    (said,) = (ENGLISH.say(each.reason) for each in found if each.verdict is Verdict.NOT_READ)
    assert said == "comparing this document with the model takes more than −1 seconds; the other numbers are not compared"
