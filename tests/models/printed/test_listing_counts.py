"""Listings with numbers of elements in place of shapes, and totals of all that a state lists."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import symparam
from symparam.errors import DocumentError
from symparam.results.count import CountResult

PAIRS = {"fc.weight": 12, "fc.bias": 3, "norm.weight": 4, "norm.bias": 4}
EVEN = {"fc.weight": 12, "norm.weight": 4, "norm.scale": 4}


def lines(form: str, counts: dict[str, int]) -> str:
    return "".join(form.format(name, count) + "\n" for name, count in counts.items())


def counted(text: str, folder: Path) -> CountResult:
    (folder / "l.txt").write_text(text)
    return symparam.count(str(folder / "l.txt"))


@pytest.mark.parametrize(
    ("text", "total"),
    [
        (lines("{} {}", PAIRS), 23),
        (lines("{}: {}", PAIRS), 23),
        (lines("{:<20} | {:>8,}", {**PAIRS, "up.weight": 4_096}), 4_119),
        (lines("| {} | {} |", PAIRS), 23),
        (lines("{} -> {}", PAIRS), 23),
        (lines("{},{}", PAIRS), 23),
        (json.dumps(PAIRS), 23),
        (lines("{}: {} params", EVEN), 20),
        ("name,numel\n" + lines("{},{}", EVEN), 20),
        ("| Parameter | # params |\n|---|---|\n" + lines("| {} | {} |", EVEN), 20),
        ("| Module | Parameters |\n|---|---|\n" + lines("| {} | {} |", EVEN), 20),
        (lines("{} {}", EVEN) + "Total params: 20\n", 20),
    ],
)
def test_numbers_of_elements_are_counted(text: str, total: int, tmp_path: Path) -> None:
    found = counted(text, tmp_path)
    assert (found.total, found.complete) == (total, True)


@pytest.mark.parametrize(
    "text",
    [
        lines("{} {}", EVEN),  # These may be bytes.
        "Bytes of each tensor\n" + lines("{} {}", PAIRS),
        "Gradients that are zero\n" + lines("{} {}", PAIRS),
        "name,bytes\n" + lines("{},{}", EVEN),
        "How often each is used\n" + lines("{} {}", PAIRS),
        "Frozen parameters:\n" + lines("{} {}", PAIRS),
        lines("layers.0.{} {}", PAIRS) + "...\n" + lines("layers.5.{} {}", PAIRS),
        lines("{} {}", {"fc.weight": 13, "fc.bias": 3}),  # No matrix of three rows has 13 elements.
        lines("{}: {} params", {"model.encoder": 12, "model.decoder": 12}),  # A table that both have would be counted twice.
    ],
)
def test_other_numbers_are_not(text: str, tmp_path: Path) -> None:
    with pytest.raises(DocumentError):
        counted(text, tmp_path)


@pytest.mark.parametrize(
    "written",
    [
        lines("{} {}", {**PAIRS, "tok_emb.weight": 28, "lm_head.weight": 28}),
        json.dumps({**PAIRS, "tok_emb.weight": 28, "lm_head.weight": 28}),
    ],
)
def test_a_head_with_as_many_elements_as_the_table_may_be_tied(written: str, tmp_path: Path) -> None:
    found = counted(written, tmp_path)
    assert found.number() == "at least 79 if no tied tensor is listed twice"
    assert found.json["least_parameters"] == 51


STATE = "norm.weight [4]\nnorm.running_mean [4]\nnorm.num_batches_tracked []\n"


@pytest.mark.parametrize("total", ["Total: 9", "Total: 4", "Total params: 4"])
def test_a_bare_total_of_all_that_a_state_lists_tells_nothing(total: str, tmp_path: Path) -> None:
    found = counted(f"{STATE}{total}\n", tmp_path)
    assert (found.total, found.complete) == (4, True)


@pytest.mark.parametrize("total", ["Total: 8", "Total params: 9"])
def test_another_total_contradicts(total: str, tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match=f"{total[-1]} parameters are stated beside the listing, which has 4"):
        counted(f"{STATE}{total}\n", tmp_path)


def test_colours_and_links_of_a_terminal_are_no_part_of_names(tmp_path: Path) -> None:
    link = "\x1b]8;;file:///a.py\x1b\\a.py\x1b]8;;\x1b\\ "
    text = "".join(f"{link}\x1b[32m{name}\x1b[0m \x1b[1;34m{[count]}\x1b[0m\n" for name, count in PAIRS.items())
    found = counted(text, tmp_path)
    assert (found.total, found.complete) == (23, True)
    assert [name for name, *_ in found.model.architecture.named_parameters(found.model.values)] == [*PAIRS]


def test_dims_of_objects_are_shapes(tmp_path: Path) -> None:
    assert (
        counted(
            json.dumps({"tensors": [{"id": 0, "tensor": "a.weight", "dims": [3, 4]}, {"id": 1, "tensor": "a.bias", "dims": [3]}]}), tmp_path
        ).total
        == 15
    )


def test_what_is_counted_has_to_be_said(tmp_path: Path) -> None:
    with pytest.raises(
        DocumentError, match=r"l\.txt, line 1, column 1: one number stands behind fc\.weight .*, and may be that of its elements"
    ):
        counted(lines("{} {}", EVEN), tmp_path)
