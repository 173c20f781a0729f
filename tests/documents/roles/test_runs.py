"""The lengths, batches and formats that words of any language state beside a number."""

from __future__ import annotations

import pytest

from symparam import check_text
from symparam.documents.roles.runs import Run, bytes_each, formats_in, packed_format, run_in, without_setting

RUNS = [
    ("sequence length of 2,048 tokens", (2048,), (), ""),
    ("8k context window", (8192, 8000), (), ""),
    ("at 32.768 Token", (32768,), (), "at"),
    ("序列长度为512", (512,), (), ""),
    ("上下文 32,768 个 token 时", (32768,), (), "时"),
    ("シーケンス長は2048、バッチサイズは8", (2048,), (8,), "、"),
    ("배치 8, 8192 토큰 KV", (8192,), (8,), ",  KV"),
    ("longueur de séquence de 1024", (1024,), (), ""),
    ("длина последовательности 512", (512,), (), ""),
    ("batch size = 32 requests", (), (32,), ""),
    ("a context of 7B parameters", (), (), "a context of 7B parameters"),
    ("12 layers of 768", (), (), "12 layers of 768"),
    ("a vocabulary of 50,257 tokens, a context of 1,024", (1024,), (), "a vocabulary of , a"),
    ("50,257-token vocabulary", (), (), "vocabulary"),
    ("词表有 30522 个词元，长度 512", (512,), (), "词表有 ，"),
]
FORMATS = [
    ("以fp16存储", (2,), ""),
    ("half precision", (2,), ""),
    ("master weights beside bf16", (4, 2), ""),
    ("16 bits", (2,), ""),
    ("4 bytes each", (4,), ""),
    ("int4", (), "int4"),
    ("4-bit weights", (), "4-bit"),
    ("1.5 bits", (), ""),
    ("in layer 16", (), ""),
]
EACH = [
    ("16 bytes per parameter", 16),
    ("每个参数占 16 个字节", 16),
    ("パラメータあたり 2 バイト", 2),
    ("16 Bytes pro Parameter", 16),
    ("12 octets par paramètre", 12),
]


@pytest.mark.parametrize(("said", "lengths", "batches", "rest"), RUNS)
def test_runs(said: str, lengths: tuple[int, ...], batches: tuple[int, ...], rest: str) -> None:
    assert run_in(said) == Run(lengths, batches)
    assert without_setting(said).split() == rest.split()


@pytest.mark.parametrize(("said", "sizes", "packed"), FORMATS)
def test_formats(said: str, sizes: tuple[int, ...], packed: str) -> None:
    assert (formats_in(said), packed_format(said)) == (sizes, packed)


@pytest.mark.parametrize(("said", "size"), EACH)
def test_bytes_for_each_parameter(said: str, size: int) -> None:
    assert bytes_each(said) == (size,)


def test_the_head_of_a_column_has_the_batch_and_the_row_the_length() -> None:
    assert Run((2048,)).beside(Run((512,), (16,))) == Run((2048,), (16,))
    page = "In bf16:\n\n| Context | KV cache (batch 16) |\n|---|---|\n| 2,048 | 4 GiB |\n| 8,192 | 16 GiB |\n| 32,768 | 192 GiB |\n"
    findings = check_text(page, config="llama-3.1-8b").findings
    assert [each.verdict.value for each in findings if each.text.endswith("GiB")] == ["holds", "holds", "undecided"]
    assert "speaks of batches" not in findings[-1].message  # Its own words say how many.
