"""Notes beside results: one sentence in each language, and the same as data."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import symparam
from tests import command

PRINT = """GPTModel(
  (wte): Embedding(1000, 64)
  (h): ModuleList(
    (0-3): 4 x Block((fc): Linear(in_features=64, out_features=256, bias=True))
  )
  (head): Linear(in_features=64, out_features=1000, bias=False)
)
"""
CONFIG = {"model_type": "bert", "hidden_size": 24, "num_attention_heads": 12, "vocab": 7}


def test_a_note_is_said_in_the_language_asked_for() -> None:
    english, chinese = (symparam.count("gpt2", set=["N=16"], where=["n_t=4"], language=language) for language in ("en", "zh"))
    assert english.remarks == chinese.remarks
    assert english.notes == (
        "what if: N = 16 instead of 12 (n_layer)",
        "n_t does not occur in gpt2, so n_t = 4 changes nothing",
        "n_t does not occur in this measure, so n_t = 4 changes nothing",
    )
    assert chinese.notes == (
        "假设：N = 16，原为 12（n_layer）",
        "gpt2 中没有 n_t，因此 n_t = 4 不起作用",
        "此度量中没有 n_t，因此 n_t = 4 不起作用",
    )


def test_json_has_the_sentences_and_what_they_say_as_data() -> None:
    found = json.loads(symparam.count("gpt2", where=["n_t=4"]).write("json"))
    assert found["notes"][0] == "n_t does not occur in gpt2, so n_t = 4 changes nothing"
    assert found["remarks"][0] == {"kind": "no-such-letter", "letter": "n_t", "name": "gpt2", "relation": "n_t = 4"}
    assert len(found["notes"]) == len(found["remarks"])


def test_standard_error_follows_the_language() -> None:
    done = command.run("count", "gpt2", "-w", "n_t=4", "--language", "zh")
    assert "symparam: note: gpt2 中没有 n_t，因此 n_t = 4 不起作用" in done.stderr.decode()


def test_a_report_of_a_check_is_in_one_language(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("---\nsymparam:\n  config: config.json\n---\n\nSo 1 + 1 = 2.\n", encoding="utf-8")
    (tmp_path / "config.json").write_text(json.dumps(CONFIG), encoding="utf-8")
    english, chinese = (symparam.check(page, language=language).documents[0] for language in ("en", "zh"))
    assert english.remarks == chinese.remarks
    assert english.notes[0].startswith(f"{tmp_path / 'config.json'} leaves out some keys, so the reference's defaults are used: ")
    assert chinese.notes[0].startswith(f"{tmp_path / 'config.json'} 未给出以下各项，取参考实现的默认值：")
    for_all = symparam.check_text("1 + 1 = 2", config=CONFIG, language="zh")
    assert for_all.notes[0].startswith("the config 未给出以下各项")


@pytest.mark.parametrize("tied", ["true", "false"])
def test_a_print_is_told_of_without_a_word_of_another_language(tied: str, tmp_path: Path) -> None:
    """Whatever is neither Chinese, a number nor a name of the print is a letter of a size, a flag or an option."""
    file = tmp_path / "m.txt"
    file.write_text(PRINT, encoding="utf-8")
    notes = symparam.count(str(file), where=[f"tie_word_embeddings={tied}"], language="zh").notes
    words = {word for note in notes for word in re.findall(r"[A-Za-z_.]{2,}", note)}
    assert words <= {"head.weight", "wte.weight", "where", "tie_word_embeddings", tied, str(tied != "true").lower(), "wte", "Block", "fc"}
    assert len(notes) > 2
