"""The table of tokens that encoder, decoder and head of a printed model share, or have each of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from symparam.api import count

TABLES = """\
{indent}(shared): Embedding(10, 4)
{indent}(encoder): {family}{encoder}(
{indent}  (embed_tokens): Embedding(10, 4)
{indent})
{indent}(decoder): {family}{decoder}(
{indent}  (embed_tokens): Embedding(10, 4)
{indent})
"""
HEAD = "  (lm_head): Linear(in_features=4, out_features=10, bias=False)\n"
BART = TABLES.format(indent="    ", family="Bart", encoder="Encoder", decoder="Decoder")
T5 = TABLES.format(indent="  ", family="T5", encoder="Stack", decoder="Stack")


@pytest.mark.parametrize(
    ("printed", "tied", "total"),
    [
        (f"BartForConditionalGeneration(\n  (model): BartModel(\n{BART}  )\n{HEAD})\n", True, 40),
        (f"BartForConditionalGeneration(\n  (model): BartModel(\n{BART}  )\n{HEAD})\n", False, 160),  # Its config unties all four.
        (f"BartModel(\n{BART})\n".replace("    (", "  (").replace("    )", "  )"), False, 120),
        (f"T5ForConditionalGeneration(\n{T5}{HEAD})\n", True, 40),
        (f"T5ForConditionalGeneration(\n{T5}{HEAD})\n", False, 80),  # Its config unties none, and that of T5 v1.1 the head alone.
    ],
)
def test_what_the_setting_unties_is_what_the_config_of_the_class_unties(printed: str, tied: bool, total: int, tmp_path: Path) -> None:
    (tmp_path / "m.txt").write_text(printed)
    found = count(tmp_path / "m.txt", where=f"tie_word_embeddings={str(tied).lower()}")
    assert (found.total, found.complete) == (total, True)
