"""Reading a config.json: what cannot be read is said with its file, line and column."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import symparam
from symparam.errors import ConfigError
from symparam.models.configs.config_file import load, parse

REFUSED = [
    (b"", 'c.json is empty, but a JSON object with keys such as "hidden_size" is expected'),
    (b"model_type: bert", "c.json, line 1, column 1: this is not JSON (expecting value)"),
    (b"{", "c.json, line 1, column 2: this is not JSON (expecting property name enclosed in double quotes)"),
    (b'{"a": 1,\n  "b": x}', "c.json, line 2, column 8: this is not JSON (expecting value)"),
    (b"[1]", 'c.json holds a list, but a JSON object with keys such as "hidden_size" is expected'),
    (b"null", 'c.json holds null, but a JSON object with keys such as "hidden_size" is expected'),
    (b'"x"', 'c.json holds a string, but a JSON object with keys such as "hidden_size" is expected'),
    (b"\xff\xfe{}", "c.json is not UTF-8 text: byte 1 is 0xFF; a config.json in UTF-8 is expected, not weights"),
    (b"[" * 100_000, "c.json is nested too deeply to be a config"),
    (b'{"hidden_size": ' + b"9" * 5000 + b"}", "c.json holds a whole number of 5,000 digits; no config has one"),
    (b'{"a": 1, "a": 2}', "c.json gives 'a' twice with different values; keep one of them"),
    (b"{" + b" " * 5_000_000, "c.json has more than 5,000,000 bytes; a config.json of a few kilobytes is expected"),
]


@pytest.mark.parametrize(("data", "message"), REFUSED, ids=[message[:40] for _, message in REFUSED])
def test_what_is_no_config_is_refused_in_one_sentence(data: bytes, message: str) -> None:
    with pytest.raises(ConfigError) as raised:
        parse(data, "c.json")
    assert str(raised.value) == message


def test_a_byte_order_mark_and_a_repeated_key_of_one_value_are_read() -> None:
    assert parse(b'\xef\xbb\xbf{"a": 1, "a": 1}', "c.json").keys == {"a": 1}


def test_a_place_is_that_of_the_top_level_key() -> None:
    document = parse(
        b'{\n  "inner": {"hidden_size": 1, "s": "\\"hidden_size\\": {"},\n  "note": "hidden_size",\n   "hidden_size": 0\n}', "c.json"
    )
    assert document.place("hidden_size") == "c.json, line 4, column 4"
    assert document.place("absent") == "c.json"


def test_a_missing_file_and_a_directory_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match=r"missing\.json cannot be read: No such file or directory; give the path of a config\.json"):
        load("missing.json")
    with pytest.raises(ConfigError, match=r"is a directory, but a file is expected$"):
        load(str(tmp_path))
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"is a directory, but a file is expected; give .*config\.json$"):
        load(str(tmp_path))


@pytest.mark.slow
@given(
    st.binary(max_size=200)
    | st.text(max_size=200).map(str.encode)
    | st.text(alphabet='{}[]":,0123456789ntf.-e \\', max_size=60).map(str.encode)
)
def test_any_bytes_end_in_a_config_or_in_a_sentence(data: bytes) -> None:
    try:
        document = parse(data, "c.json")
    except ConfigError as error:
        assert str(error).startswith("c.json")
        assert "\n" not in str(error)
    else:
        assert isinstance(document.keys, dict)


LLAMA_2_7B = {"dim": 4096, "multiple_of": 256, "n_heads": 32, "n_layers": 32, "norm_eps": 1e-05, "vocab_size": -1}
LLAMA_3_8B = {"dim": 4096, "n_layers": 32, "n_heads": 32, "n_kv_heads": 8, "vocab_size": 128256, "multiple_of": 1024, "norm_eps": 1e-05}
LLAMA_3_8B |= {"ffn_dim_multiplier": 1.3, "rope_theta": 500000.0}
LLAMA_2_70B = {"dim": 8192, "multiple_of": 4096, "ffn_dim_multiplier": 1.3, "n_heads": 64, "n_kv_heads": 8, "n_layers": 80}
LLAMA_2_70B |= {"norm_eps": 1e-05, "vocab_size": 32000}
MISTRAL_7B = {"dim": 4096, "n_layers": 32, "head_dim": 128, "hidden_dim": 14336, "n_heads": 32, "n_kv_heads": 8, "norm_eps": 1e-05}
MISTRAL_7B |= {"vocab_size": 32000, "sliding_window": 4096}


@pytest.mark.parametrize(
    ("params", "changes", "total"),  # The totals of the released files.
    [
        (LLAMA_2_7B, ["V=32000"], 6_738_415_616),
        (LLAMA_3_8B, [], 8_030_261_248),
        (LLAMA_2_70B, [], 68_976_648_192),
        (MISTRAL_7B, [], 7_241_732_096),
    ],
)
def test_a_params_json_of_the_original_code_is_read(params: dict[str, object], changes: list[str], total: int) -> None:
    found = symparam.count(params, set=changes)
    assert found.total == total
    assert "is a params.json of the original code" in found.notes[0]


@pytest.mark.parametrize(
    ("params", "said"),
    [
        (LLAMA_2_7B, "leaves the size of the vocabulary to the tokenizer; give it, as in --set V=32000"),
        ({**MISTRAL_7B, "moe": {"num_experts": 8}}, "what its 'moe' adds is not known; give the config.json that transformers reads"),
        ({**LLAMA_3_8B, "multiple_of": 0}, '"multiple_of" is 0, but a positive number is expected'),
    ],
)
def test_what_a_params_json_leaves_open_is_asked_for(params: dict[str, object], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        symparam.count(params)
