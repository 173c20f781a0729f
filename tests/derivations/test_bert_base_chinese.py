"""bert-base-chinese: exact to the last parameter; what three tools print for a small net are MACs and not FLOPs."""

from __future__ import annotations

from functools import cache

import pytest

from symparam import Architecture, Block, Linear, count, evaluate, read_formula
from symparam.core.algebra.polynomial import equal
from symparam.results.count import CountResult

from .ledger import Ledger, total_of

EXACT_TOTAL = 102_267_648  # The author's, the reference implementation's, and what the author's program printed.
PRINTED_BY_TOOLS, FLOPS = 3_145_728, 6_291_456

EMBEDDINGS = (
    ("embeddings.word_embeddings", "21128*768 = 16226304"),
    ("embeddings.position_embeddings", "512*768 = 393216"),
    ("embeddings.token_type_embeddings", "2*768 = 1536"),
    ("embeddings.LayerNorm", "768*2 = 1536"),
    ("embeddings", "16226304 + 393216 + 1536 + 1536 = 16622592"),
)
LAYER = (
    ("encoder.layer.{i}.attention.self", "(768*(768/12) + 64)*3*12 = 1771776"),
    ("encoder.layer.{i}.attention.output.dense", "768*768+768 = 590592"),
    ("encoder.layer.{i}.attention.output.LayerNorm", "768*2 = 1536"),
    ("encoder.layer.{i}.attention.output", "590592+1536 = 592128"),
    ("encoder.layer.{i}.attention", "1771776+592128 = 2363904"),
    ("encoder.layer.{i}.intermediate", "768*3072+3072 = 2362368"),
    ("encoder.layer.{i}.output", "3072*768+768 + 768*2 = 2361600"),
)
WHOLE = (
    ("encoder", "(2363904 + 2362368 + 2361600) * 12 = 85054464"),
    ("pooler", "768*768+768 = 590592"),
    ("", "16622592 + 85054464 + 590592 = 102267648"),
)
MEMORY = "102267648*4/1024/1024 ≈ 390.12"


def small_net() -> CountResult:
    """The net of two linear layers on which the author tries the tools."""
    return count(Architecture("Net", Block("Net", linear1=Linear(1024, 1024, bias=False), linear2=Linear(1024, 2048, bias=False))))


@cache
def ledger() -> Ledger:
    exact = count("bert-base-chinese")
    names = {key: letter for letter, key in (("V", "vocab_size"), ("P", "max_position_embeddings"), ("T", "type_vocab_size"))}
    found = Ledger(names={**names, "R": "R", "X": "X", "Y": "Y"})
    found.model(exact)
    found.model(small_net())
    found.author(*(line for _, line in (*EMBEDDINGS, *LAYER, *WHOLE)), MEMORY)
    found.claim(
        "H / h = 64",
        "(H * (H/h) + H/h) * 3 * h = 3H^2 + 3H",
        "4 * 102267648 = 409070592",
        "2^20 = 1048576",
        "1024 * 1024 + 1024 * 2048 = 3145728",
        "2 * 3145728 = 6291456",
        "1024 + 2048 + 2048 = 5120",
    )
    found.valuations.append({"R": 1, "X": 1024, "Y": 1024})
    found.claim("R = 1", "X = 1024", "Y = 1024", "RXY = 1048576", "2RXY = 2097152")
    found.known_names |= {"vocab_size", "max_position_embeddings", "type_vocab_size", "hidden_size", "intermediate_size"}
    found.known_names |= {"num_hidden_layers", "num_attention_heads", "bert-base-chinese", "FlopCounterMode", "flop_count"}
    found.known_names |= {"Bert 模型复杂度", "一亩三分地", "symparam count bert-base-chinese"}
    return found


def test_every_line_of_the_author_holds() -> None:
    assert [line.text for line in ledger().lines if not line.holds] == []


@pytest.mark.parametrize(("path", "line"), EMBEDDINGS + WHOLE)
def test_each_line_gives_what_the_module_has(path: str, line: str) -> None:
    assert total_of(count("bert-base-chinese"), path) == evaluate(read_formula(line.rpartition("=")[2]), {})


@pytest.mark.parametrize(("path", "line"), LAYER)
def test_each_line_of_a_layer_gives_what_the_module_has_in_one_layer(path: str, line: str) -> None:
    assert total_of(count("bert-base-chinese"), path) == 12 * evaluate(read_formula(line.rpartition("=")[2]), {})


def test_the_total_is_that_of_the_reference() -> None:
    assert count("bert-base-chinese").total == EXACT_TOTAL


def test_the_heads_cancel() -> None:
    assert equal(read_formula("(H*(H/h) + H/h)*3*h").expr, read_formula("3 (H H + H)").expr)


def test_the_memory_is_in_mebibytes_and_rounded() -> None:
    exact = evaluate(read_formula(MEMORY.partition(" ≈ ")[0]), {})
    assert exact * 2**20 == count("bert-base-chinese").count.bytes_as_float32 == 4 * EXACT_TOTAL
    assert f"{float(exact):.2f}" == "390.12"


def test_the_tools_print_one_multiply_add_for_each_weight() -> None:
    assert small_net().total == PRINTED_BY_TOOLS
    values = {"R": 1, "X": 1024}
    per_layer = [evaluate(read_formula("RXY", names={"R": "R", "X": "X", "Y": "Y"}), {**values, "Y": outputs}) for outputs in (1024, 2048)]
    assert sum(per_layer) == PRINTED_BY_TOOLS
    assert 2 * sum(per_layer) == FLOPS
