"""The words of ten languages: found where they stand as words, in every language, and in files that all have the same keys."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files

import pytest

from symparam.core.dimensions import BY_LETTER
from symparam.documents.reading.unit_senses import UNITS
from symparam.documents.words import (
    NOTIONS,
    attention_words,
    device_words,
    label_words,
    number_words,
    part_words,
    role_words,
    run_words,
    size_words,
    unit_words,
    words,
)
from symparam.documents.words.scripts import alternatives, at_words, either

LANGUAGES = ("de", "en", "es", "fr", "it", "ja", "ko", "pt", "ru", "zh")
EMPTY = {"share_of", "before_total", "short", "bias", "of_part", "gated", "classifier", "ordinal", "belonging", "ending", "particle"}
"""What some languages have no words of."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_every_key(language: str) -> None:
    table = tomllib.loads((files("symparam.documents.words") / f"{language}.toml").read_text(encoding="utf-8"))
    tables = {"parts", "units", "roles", "labels", "sizes", "counted", "brief", "things", "each_of", "run", "devices", "attentions"}
    assert table.keys() == {*NOTIONS, *tables, "numbers", "fractions", "precisions", "decimal"}
    assert table["decimal"] in ("comma", "point")
    assert table["labels"].keys() == label_words().keys()
    assert table["roles"].keys() <= role_words().keys()
    assert table["parts"].keys() == part_words().keys()
    assert table["units"].keys() <= unit_words().keys()
    assert table["run"].keys() == run_words().keys()
    assert table["sizes"].keys() == size_words().keys() <= {*BY_LETTER, "N_parameters"}
    assert table["devices"].keys() == device_words().keys()
    assert table["attentions"].keys() == attention_words().keys()
    assert table["counted"].keys() == size_words("counted").keys() <= set(BY_LETTER)
    assert table["brief"].keys() == size_words("brief").keys() <= set(BY_LETTER)
    assert all(table[notion] for notion in NOTIONS.keys() - EMPTY)


@pytest.mark.parametrize(
    "text",
    ["Total", "total_params", "the sum", "In all, 3", "1. Sub-total:", "Gesamtzahl", "Somme", "Suma", "Soma", "Somma totale", "Итого"],
)
def test_words_between_spaces_are_found(text: str) -> None:
    assert words("total").in_text(text)


@pytest.mark.parametrize("text", ["总参数量", "參數總量", "パラメータの合計", "총 파라미터 수", "全部合计为"])
def test_words_of_scripts_without_spaces_are_found_anywhere(text: str) -> None:
    assert words("total").in_text(text)
    assert words("parameters").in_text(text) == (text != "全部合计为")


@pytest.mark.parametrize("text", ["summary", "x_sum", "\\sum", "torch.sum(x)", "sum(x)", "consumed", "in allen", "", "层归一化"])
def test_parts_of_other_words_and_names_in_code_are_none(text: str) -> None:
    assert not words("total").in_text(text)


def test_a_word_alone() -> None:
    about = words("about")
    assert all(map(about.is_one, ("about", "approximately", "约", "ungefähr", "около")))
    assert not any(map(about.is_one, ("aboutness", "大约是", "")))


def test_a_total_is_named_at_the_beginning_or_the_end() -> None:
    before = words("before_total")
    texts = ("The grand total", "Parameters in total", "2. Sum", "peak total memory in use", "模型总参数量", "Total of all layers")
    assert [words("total").at_either_end(text, before) for text in texts] == [True, True, True, False, True, True]


def test_parts_are_found_within_names() -> None:
    assert [part for part, found in part_words().items() if found.in_text("transformer.h.0.ln_1.weight")] == ["norm", "layer"]
    assert [part for part, found in part_words().items() if found.in_text("Feed-Forward")] == ["feed-forward"]
    assert not part_words()["norm"].in_text("kiln")


def test_every_unit_in_words_is_a_unit() -> None:
    assert {word for listed in unit_words().values() for word in listed} <= UNITS.keys()


@pytest.mark.parametrize(
    ("listed", "text", "found"),
    [
        (("layer", "layers", "lay"), "12 layers, one layer, a lay", ["layers", "layer", "lay"]),
        (("hidden size", "hidden"), "hidden_size hiddensize hidden sizes", ["hidden_size", "hiddensize", "hidden"]),
        (("layer",), "player layered LAYER 層layer", ["LAYER", "layer"]),
        (("层", "层数", "layer"), "共12层数, player, 层", ["层数", "层"]),
        ((), "layer", []),
    ],
)
def test_a_pattern_of_words_finds_the_longest_one_at_each_place(listed: tuple[str, ...], text: str, found: list[str]) -> None:
    assert either(listed).findall(text) == found


def test_a_pattern_of_alternatives_is_a_tree() -> None:
    assert alternatives(("ab", "abc", "ad", "x")) == "(?:a(?:b(?:c|)|d)|x)"
    assert alternatives(()) == "(?!)"


def test_a_pattern_at_words_is_tried_where_one_begins() -> None:
    assert [match.start() for match in re.finditer(at_words("a|1|层", "/"), "aa 层a a1 /a")] == [0, 3, 4, 6, 7, 10]


def test_looking_for_words_is_linear() -> None:
    assert not words("total").in_text("tota" * 50_000 + "sum_" * 50_000)
    assert words("total").in_text("a-" * 100_000 + " in all")


def test_a_number_word_without_its_blank() -> None:
    # The Italian "per due" without its blank is a French word.
    assert dict(number_words("la nuance perdue et deux têtes")) == {10: 2, 20: 2}
