"""Scales and units, and the senses in which people use them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from symparam.documents.reading.unit_senses import UNITS, unit_of
from symparam.documents.words import unit_words


@pytest.mark.parametrize(
    ("written", "senses", "counted"),
    [
        ("K", (1000, 1024), ""),
        ("k", (1000, 1024), ""),
        ("M", (10**6, 2**20), ""),
        ("B", (10**9, 1), ""),
        ("bn", (10**9,), ""),
        ("T", (10**12, 2**40), ""),
        ("million", (10**6,), ""),
        ("Billion", (10**9,), ""),
        ("Milliarden", (10**9,), ""),
        ("Billionen", (10**12,), ""),
        ("млрд", (10**9,), ""),
        ("тыс", (1000,), ""),
        ("万", (10**4,), ""),
        ("萬", (10**4,), ""),
        ("만", (10**4,), ""),
        ("百万", (10**6,), ""),
        ("千万", (10**7,), ""),
        ("亿", (10**8,), ""),
        ("億", (10**8,), ""),
        ("억", (10**8,), ""),
        ("十亿", (10**9,), ""),
        ("万亿", (10**12,), ""),
        ("조", (10**12,), ""),
        ("%", (Fraction(1, 100),), ""),
        ("KB", (1000, 1024), "bytes"),
        ("kB", (1000, 1024), "bytes"),
        ("GB", (10**9, 2**30), "bytes"),
        ("GiB", (2**30,), "bytes"),
        ("Go", (10**9, 2**30), "bytes"),
        ("ГБ", (10**9, 2**30), "bytes"),
        ("Mbit", (Fraction(10**6, 8), 2**17, 10**6, 2**20), "bytes"),
        ("bits", (1, Fraction(1, 8)), "bits"),
        ("bytes", (1,), "bytes"),
        ("字节", (1,), "bytes"),
        ("байта", (1,), "bytes"),
        ("FLOPs", (1,), "FLOPs"),
        ("GFLOPs", (10**9,), "FLOPs"),
        ("TFLOPS", (10**12,), "FLOPs"),
        ("petaFLOPs", (10**15,), "FLOPs"),
        ("GigaMACs", (10**9,), "MACs"),
        ("GMACs", (10**9,), "MACs"),
        ("ms", (Fraction(1, 1000), 1), "seconds"),
        ("days", (86400, 1), "seconds"),
        ("天", (86400, 1), "seconds"),
    ],
)
def test_what_a_unit_multiplies_by_and_counts(written: str, senses: tuple[Fraction, ...], counted: str) -> None:
    found = unit_of(written)
    assert found is not None
    unit, length = found
    assert (unit.written, unit.senses, unit.counted, length) == (written, senses, counted, len(written))


@pytest.mark.parametrize(("written", "unit"), [("亿参数", "亿"), ("万亿次", "万亿"), ("万个", "万"), ("억개", "억"), ("百万参数", "百万")])
def test_what_is_counted_may_be_glued_to_the_number(written: str, unit: str) -> None:
    found = unit_of(written)
    assert found is not None
    assert (found[0].written, found[1]) == (unit, len(unit))


@pytest.mark.parametrize("written", ["", "layers", "Ma", "mb2", "H", "b", "参数", "个亿", "GBs per", "flopsy", "gigaflopses"])
def test_other_words_are_no_units(written: str) -> None:
    assert unit_of(written) is None


def test_every_unit_has_senses_larger_than_nothing_each_once() -> None:
    for name, unit in UNITS.items():
        assert unit.written == ("%" if name in unit_words()["percent"] else name)
        assert unit.senses
        assert all(sense > 0 for sense in unit.senses)
        assert len(set(unit.senses)) == len(unit.senses)


def test_no_word_means_two_things() -> None:
    """A German Billion is a thousand of those that everybody else writes: only its plural is told apart."""
    meanings = [(word, unit) for unit, listed in unit_words().items() for word in listed]
    assert len(dict(meanings)) == len(meanings)
