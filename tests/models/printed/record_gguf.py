"""Writes a small GGUF file with the library of its authors, to read back.

    /path/to/python tests/models/printed/record_gguf.py

The Python needs gguf and numpy; the version is written into the file.
"""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import gguf
import numpy

FILE = Path(__file__).parent / "sources" / "small.gguf"


def main() -> None:
    writer = gguf.GGUFWriter(FILE, "llama")
    writer.add_description(f"written by gguf {version('gguf')}")
    writer.add_block_count(2)
    writer.add_rope_freq_base(10_000.0)
    writer.add_tokenizer_model("llama")
    writer.add_token_list(["<s>", "a", "b", "ü"])
    writer.add_token_scores([0.0, 1.0, 2.0, 3.0])
    writer.add_array("nested", [[1, 2], [3]])
    writer.add_bool("flag", True)
    for name, shape, quantised in (
        ("token_embd.weight", (4, 32), True),
        *((f"blk.{layer}.attn_q.weight", (64, 32), True) for layer in range(2)),
        *((f"blk.{layer}.attn_norm.weight", (32,), False) for layer in range(2)),
        ("blk.1.ffn_gate_exps.weight", (3, 8, 32), False),
        ("rope_freqs.weight", (16,), False),
    ):
        data = numpy.zeros(shape, dtype=numpy.float32)
        if quantised:
            kind = gguf.GGMLQuantizationType.Q8_0
            writer.add_tensor(name, gguf.quantize(data, kind), raw_dtype=kind)
        else:
            writer.add_tensor(name, data.astype(numpy.float16))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    main()
