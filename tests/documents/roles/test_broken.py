"""Our own tables of parts with one part broken at random: that part is named, and no other is called wrong."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from symparam import check_text, count
from symparam.analysis.counting import ModuleCount
from symparam.errors import SymparamError
from symparam.models.configs.presets import presets
from symparam.writing.findings.worded import WordedFinding

MODELS = ("gpt2", "bert-base-uncased", "llama-3-8b", "t5-small", "mixtral-8x7b", "mamba-130m", "vit-base-patch16-224", "deepseek-v3")
EACH = 6
AIM = 95  # Of a hundred.


def rows(model: str) -> list[tuple[str, str, int]]:
    """The name, the number of copies and the number of each part in the writer's table, but for the last line, which is the total."""
    written = [line.strip("| ").split(" | ") for line in count(model).write("markdown").splitlines() if line.startswith("| ")][2:]
    numbers = [(cells[0], int(cells[3].strip("$").replace("{,}", ""))) for cells in written if len(cells) == 5]
    found: list[ModuleCount] = [*count(model).count.rows]
    return [(name, str(row.copies), value) for (name, value), row in zip(numbers, found, strict=False)]


def page(parts: list[tuple[str, int]]) -> str:
    return "| Module | Parameters |\n|---|---:|\n" + "".join(f"| {name} | {value:,} |\n" for name, value in parts)


def wrong_lines(text: str, model: str) -> list[int]:
    """The lines with a part that is called wrong."""
    found: list[WordedFinding] = [*check_text(text, config=model).wrong]
    return [text.count("\n", 0, finding.start) + 1 for finding in found]


def broken(value: int, copies: int, random: Random) -> Iterator[int]:
    """What people make of a number: twice it, one layer of it, one layer too few or too many, a third of it missing, one row too many."""
    ways = [2 * value, value - value // 3, value + 768, *([value + value // copies, value - value // copies] if copies > 1 else [])]
    yield from random.sample(ways, len(ways))


@pytest.mark.few(3)
@pytest.mark.parametrize("model", MODELS)
def test_our_own_tables_hold(model: str) -> None:
    parts = [(name, value) for name, _, value in rows(model)]
    assert wrong_lines(page(parts), model) == []
    held = [finding for finding in check_text(page(parts), config=model).findings if finding.code == "component"]
    assert len(held) >= len([value for _, value in parts if value]) * 0.8


def trial(model: str, random: Random) -> tuple[int, list[int]]:
    """The line that was broken, and those that are called wrong."""
    parts = [(name, value) for name, _, value in rows(model)]
    copies = [int(each) for _, each, _ in rows(model)]
    at = random.choice([index for index, (_, value) in enumerate(parts) if value >= 1_000])
    name, value = parts[at]
    parts[at] = name, next(broken(value, copies[at], random))
    return at + 3, wrong_lines(page(parts), model)


def check(models: list[str], each: int) -> None:
    random = Random(16)
    found = [(model, *trial(model, random)) for model in models for _ in range(each)]
    named = [line in wrong for _, line, wrong in found]
    others = [(model, line, wrong) for model, line, wrong in found if set(wrong) - {line}]
    assert sum(named) * 100 >= AIM * len(named), [trial for trial, is_named in zip(found, named, strict=True) if not is_named]
    assert others == []


def test_the_broken_part_is_named() -> None:
    check(["gpt2", "llama-3-8b", "mixtral-8x7b"], EACH)


@pytest.mark.slow
@pytest.mark.parametrize("third", range(3))
def test_the_broken_part_is_named_in_every_family(third: int) -> None:
    check([*presets()][third::3], 2)  # More than a hundred trials each, of which so many are the aim.


MEASURES = {
    "macs": ("MACs", {"where": ["L=128", "B=1"]}, "At a sequence length of 128 tokens:"),
    "flops": ("FLOPs", {"where": ["L=128", "B=1"]}, "At a sequence length of 128 tokens:"),
    "training-flops": ("Training FLOPs", {"where": ["L=128", "B=1"]}, "At a sequence length of 128 tokens:"),
    "kv-cache": ("KV cache (bytes)", {"where": ["S=1024", "B=1"]}, "At a sequence length of 1,024 tokens, in fp16:"),
    "activations": ("Activations (bytes)", {"where": ["L=128", "B=1"]}, "At a sequence length of 128 tokens, in fp16:"),
    "weights": ("Weights (bytes)", {}, "In bf16:"),
}
"""The head of the column, the run, and what the page says of it, by the measure."""
SMALL = [
    ("macs", "gpt2"), ("macs", "llama-3-8b"), ("macs", "vit-large-patch16-224"), ("kv-cache", "whisper-tiny"), ("kv-cache", "glm-4.5-air"),
    ("kv-cache", "mamba-130m"), ("weights", "bert-base-uncased"), ("activations", "gpt2"),
]  # fmt: skip
ROUNDS = 100


def measured(measure: str, model: str) -> list[tuple[str, int]]:
    """The name and the number of each part in the writer's table, which has no number where one is not known."""
    _, run, _ = MEASURES[measure]
    table = count(model, measure=measure, **run).write("markdown")
    written = [line.strip("| ").split(" | ") for line in table.splitlines()]
    numbers = [(cells[0], cells[3].strip("$").replace("{,}", "")) for cells in written if len(cells) == 5]
    return [(name, int(value)) for name, value in numbers if value.isdecimal()]


def measured_page(measure: str, parts: list[tuple[str, int]]) -> str:
    head, _, before = MEASURES[measure]
    return f"{before}\n\n" + page(parts).replace("Parameters", head)


def broken_in(measure: str, model: str, parts: list[tuple[str, int]], random: Random) -> tuple[bool, list[int], str]:
    """Whether a part that is doubled, halved or cut by a third is called wrong, the other lines that are, and what was done."""
    at = random.choice([index for index, (_, value) in enumerate(parts[:-1]) if value >= 1_000])
    name, value = parts[at]
    off = random.choice([2 * value, value // 2, value - value // 3])
    found = wrong_lines(measured_page(measure, [*parts[:at], (name, off), *parts[at + 1 :]]), model)
    line = len(measured_page(measure, []).splitlines()) + at + 1
    return line in found, [each for each in found if each != line], f"{model}: {name} {value} {off}"


@pytest.mark.few(3)
@pytest.mark.parametrize(("measure", "model"), SMALL)
def test_our_own_tables_of_other_measures_hold(measure: str, model: str) -> None:
    parts = measured(measure, model)
    assert wrong_lines(measured_page(measure, parts), model) == []
    held = {finding.start for finding in check_text(measured_page(measure, parts), config=model).findings if finding.verdict == "holds"}
    assert len(held) >= sum(value >= 1_000 for _, value in parts)


@pytest.mark.few(3)
@pytest.mark.parametrize(("measure", "model"), SMALL)
def test_the_broken_part_is_named_in_other_measures(measure: str, model: str) -> None:
    random = Random(16)
    for _ in range(2):
        is_named, others, done = broken_in(measure, model, measured(measure, model), random)
        assert (is_named, others) == (True, []), done


@pytest.mark.slow
@pytest.mark.parametrize("measure", MEASURES)
def test_the_broken_part_is_named_in_every_measure(measure: str) -> None:
    random = Random(16)
    tables = {model: parts for model in presets() if (parts := _measured_if_it_can_be(measure, model))}
    found = [broken_in(measure, model, tables[model], random) for model in random.choices(list(tables), k=ROUNDS)]
    named = [is_named and not others for is_named, others, _ in found]
    assert sum(named) * 100 >= AIM * ROUNDS, [each for each, is_named in zip(found, named, strict=True) if not is_named]


def _measured_if_it_can_be(measure: str, model: str) -> list[tuple[str, int]]:
    try:
        parts = measured(measure, model)
    except SymparamError:
        return []  # No cache, or a part that this measure does not count.
    return parts if sum(value >= 1_000 for _, value in parts[:-1]) > 1 else []
