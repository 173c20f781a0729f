"""The lengths, batches and formats that words of any language state beside a number."""

from __future__ import annotations

import pytest

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
