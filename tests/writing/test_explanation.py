"""What an explanation says, and how shares and sizes are rounded."""

from __future__ import annotations

import re
from contextlib import suppress
from fractions import Fraction
from itertools import pairwise
from math import floor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import symparam
from symparam import Architecture, Block, Embedding, H, LayerNorm, Linear, N, Repeat, Tied, V
from symparam.core.algebra.polynomial import equal
from symparam.core.formula import Formula
from symparam.errors import SymparamError
from symparam.models.architectures import families
from symparam.writing.amounts import binary_size, decimal_size, percent
from symparam.writing.document import Chain, Document, Entry, Heading, Table
from tests.sampling import one_of_each
from tests.strategies import presets_of

ALL = [(family.name, class_name) for family in families() for class_name in family.classes]
PRESET_OF = {family.name: presets_of(family)[0] for family in families()}


def chains(document: Document) -> list[tuple[Formula, ...]]:
    found = [node.formulas for node in document.without_links if isinstance(node, Chain)]
    return found + [node.chain.formulas for node in document.without_links if isinstance(node, Entry) and node.chain]


EXPLAINED = [pytest.param(*each, language, id="-".join((*each, language))) for each in ALL for language in ("en", "zh")]


@pytest.mark.few(8)
@pytest.mark.parametrize(("family", "class_name", "language"), one_of_each(EXPLAINED, lambda family, class_name, language: family))
def test_every_equals_sign_in_an_explanation_is_true(family: str, class_name: str, language: str) -> None:
    values = symparam.count(PRESET_OF[family]).count.values
    where = ["I=4H"] if values.get("I") == 4 * values["H"] else []
    found = symparam.explain(class_name, config=PRESET_OF[family], where=where, language=language)
    count = found.subject.count
    assert count is not None
    checked = 0
    for formulas in chains(found.document):
        for left, right in pairwise(formulas):
            numbers = count.values if not (left.letters and right.letters) else {}
            checked += 1
            if str(left) != "I":  # The stated relation, which is not a claim but a premise.
                assert equal(left.substitute(numbers).expr, right.substitute(numbers).expr), f"{left} = {right}"
    assert checked > 20


def test_the_rows_of_a_count_say_what_they_come_to() -> None:
    counted = symparam.count("bert-base-uncased").count
    for row in counted.rows:
        assert row.formula.substitute(counted.values).expr == row.with_numbers.expr == row.total
        assert row.share == Fraction(row.total, 109_482_240)


def test_sections_come_in_the_order_of_a_lesson() -> None:
    nodes = symparam.explain("bert", config="bert-base-uncased").document.nodes
    assert [node.text for node in nodes if isinstance(node, Heading)] == [
        "BERT (BertModel): the number of parameters",
        "Notation",
        "Words",
        "The architecture",
        "Tensors",
        "Module by module",
        "The sum and its closed form",
        "What the total consists of",
        "What if",
        "Check",
    ]


def test_an_architecture_of_ones_own_is_explained_with_the_names_it_was_given() -> None:
    own = Architecture(
        "tiny",
        Block(
            "Tiny",
            token_table=Embedding(V, H),
            layers=Repeat(N, Block("Layer", up=Linear(H, 4 * H), norm=LayerNorm(H))),
            head=Tied(Linear(H, V), weight="token_table.weight"),
        ),
        meanings={"V": "symbols of the alphabet"},
    )
    text = str(symparam.explain(own))
    assert "tiny: the number of parameters" in text
    assert "symbols of the alphabet" in text
    assert "\ntoken table  [token_table]" in text
    assert "Its weight shares its values with token_table.weight and is counted there; only its bias counts here." in text
    assert symparam.explain(own, where=["V=10", "H=4", "N=2"]).subject.count.total == 40 + 2 * (64 + 16 + 8) + 10


def test_a_notation_table_shows_meaning_key_and_value() -> None:
    document = symparam.explain("gpt2", config="gpt2").document
    table = next(node for node in document.without_links if isinstance(node, Table))
    assert table.header == ("Letter", "Meaning", "Config key", "Value")
    assert [str(row[0][0]) for row in table.rows] == ["H", "N", "V", "P", "I"]


@given(st.integers(0, 10**14), st.integers(1, 10**14))
def test_percentages_are_rounded_half_up_and_exactly(part: int, whole: int) -> None:
    hundredths = floor(Fraction(part * 10_000, whole) + Fraction(1, 2))
    plain = f"{hundredths // 100}.{hundredths % 100:02d} %"
    assert percent(part, whole) == ("< 0.01 %" if part and not hundredths else plain)


@pytest.mark.parametrize(
    ("size", "binary", "decimal"),
    [
        (0, "0.00 KiB", "0.00 KB"),
        (5, "< 0.01 KiB", "0.01 KB"),
        (1023, "1.00 KiB", "1.02 KB"),
        (139_304, "136.04 KiB", "139.30 KB"),
        (2**20, "1.00 MiB", "1.05 MB"),
        (409_070_592, "390.12 MiB", "409.07 MB"),
        (2**30 - 1, "1,024.00 MiB", "1.07 GB"),
        (2**30, "1.00 GiB", "1.07 GB"),
        (6_578_061_312, "6.13 GiB", "6.58 GB"),
        (12_345 * 10**12, "11,227.71 TiB", "12,345.00 TB"),
    ],
)
def test_sizes_are_in_the_largest_unit_of_which_there_is_one(size: int, binary: str, decimal: str) -> None:
    assert (binary_size(size)[0], decimal_size(size)[0]) == (binary, decimal)


def test_the_part_that_has_more_than_half_is_named() -> None:
    """Three matrices of 14,336 by 4,096 in each of 32 layers are 70.20 % of 8,030,261,248."""
    assert "More than half of it, 70.20 %, is in one part: Gated feed-forward." in symparam.explain("llama-3-8b").write()
    assert f"{3 * 14_336 * 4_096 * 32 / 8_030_261_248:.4f}" == "0.7020"
    assert "More than half" not in symparam.explain("bert", config="bert-base-uncased").write()  # But all layers together.


def test_doubling_a_size_that_changes_nothing_has_no_row() -> None:
    rows = symparam.explain("vit", config="vit-base-patch16-224").write().partition("\nWhat if\n")[2]
    assert "\nN " in rows
    assert "\nh" not in rows


def test_a_name_of_an_architecture_and_of_a_model_is_noted() -> None:
    note = "gpt2 is also a released model; --config gpt2 adds its numbers"
    assert note in symparam.explain("gpt2").notes
    assert note not in symparam.explain("gpt2", config="gpt2").notes
    assert not symparam.explain("llama").notes


MEASURED = {"parameters": [], "kv-cache": ["B=3", "S=91"], "decoding-flops": ["B=3", "S=91"]}
PAGES = [pytest.param(name, kind, id=f"{name}-{kind}") for name in PRESET_OF for kind in ("text", "latex", "html")]


@pytest.mark.parametrize(("name", "kind"), one_of_each(PAGES, lambda name, kind: kind))
def test_the_total_stands_on_a_page_once(name: str, kind: str) -> None:
    """Also where a part is the whole, as the layers are of a cache."""
    language, seen = "zh" if kind == "latex" else "en", 0
    for measure, where in MEASURED.items():
        with suppress(SymparamError):  # Not every model has a cache.
            found = symparam.explain(name, config=PRESET_OF[name], measure=measure, where=where, language=language)
            if count := found.subject.count:
                digits = re.sub(r"<[^>]*>|[\\,:{}]", "", found.write(kind))
                assert len(re.findall(rf"(?<!\d){count.total}(?!\d)", digits)) == 1
                seen += 1
    assert seen


def test_an_incomplete_total_stands_on_the_page_once(tmp_path: Path) -> None:
    printed = tmp_path / "model.txt"
    printed.write_text("Own(\n  (table): Embedding(100, 16)\n  (strange): Strange()\n)\n")
    assert symparam.explain(printed).write("text").count("1,600") == 1


@pytest.mark.parametrize("name", ["mamba2-780m", "qwen3-next-80b-a3b"])
def test_states_that_are_computed_in_chunks_have_a_reason(name: str) -> None:
    for language, said in (("en", "4 bytes each"), ("zh", "每个数 4 字节")):
        assert said in symparam.explain(name, measure="kv-cache", language=language).write("text")
