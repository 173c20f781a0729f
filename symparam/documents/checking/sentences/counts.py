"""Judges the counts of a line by what words, brackets and colons say of them."""

from __future__ import annotations

from symparam.documents.checking.claims.record import Record
from symparam.documents.checking.sentences.counted_ranges import judge_counted_ranges
from symparam.documents.checking.sentences.counts_of_each import judge_counts_of_each
from symparam.documents.checking.sentences.parts_in_brackets import judge_parts_in_brackets
from symparam.documents.checking.sentences.products_of_counts import judge_products


def judge_counts(record: Record, start: int, end: int) -> None:
    """Record the counts from ``start`` to ``end`` that are products, so many for each of several things, sums of what follows
    them, or the things of a range."""
    judge_products(record, start, end)
    judge_counts_of_each(record, start, end)
    judge_parts_in_brackets(record, start, end)
    judge_counted_ranges(record, start, end)
