"""Printed models on the command line: prints and listings as people have them, and bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command import process
from tests.command import text as run

SOURCES = Path(__file__).parent / "sources"
BLOOM = (SOURCES / "bloom_1b4_zh.txt").read_text(encoding="utf-8")
BERT = (SOURCES / "bert_base.txt").read_text(encoding="utf-8")
GAPPED = BERT.replace("...\n", "")  # Of layers 1 to 10 it says nothing.
TIED = "tie_word_embeddings=true"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "printed.txt").write_text(BLOOM, encoding="utf-8")
    (tmp_path / "listing.txt").write_text(BERT, encoding="utf-8")
    (tmp_path / "document.md").write_text(f"# 参数量\n\n结构信息如下:\n{BLOOM}上述模型 (1) 46145 × 2048 = 94,504,960\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("file", ["printed.txt", "document.md"])
def test_a_printed_module_is_counted_derived_and_listed(file: str, folder: Path) -> None:
    unsaid = run("count", file, cwd=folder)
    assert (unsaid.returncode, "In all at least 1,303,111,680." in unsaid.stdout) == (0, True)
    assert "if not, 1,397,616,640 in all instead of 1,303,111,680; --where tie_word_embeddings=false or =true decides" in unsaid.stdout
    counted = run("count", file, "-w", TIED, cwd=folder)
    assert counted.stdout.startswith(f"{file} (BloomForCausalLM): the number of parameters\n")
    assert "= (13 × 24 + 46,145 + 4) × 2,048 + 12 × 24 × 2,048² = 1,303,111,680\n" in counted.stdout
    assert "= 1,397,616,640" in run("count", file, "-w", "tie_word_embeddings=false", cwd=folder).stdout
    assert run("derive", file, "-w", TIED, cwd=folder).stdout == "(13N + V + 4)H + 12NH²\n"
    assert run("derive", file, "-w", "tie_word_embeddings=false", cwd=folder).stdout == "(13N + 2V + 4)H + 12NH²\n"
    tensors = run("tensors", file, cwd=folder).stdout
    assert "transformer.h.23.mlp.dense_4h_to_h.weight" in tensors
    assert "lm_head.weight shares transformer.word_embeddings.weight" in tensors
    assert "transformer.h.{i}.mlp.dense_h_to_4h.weight" in run("explain", file, cwd=folder).stdout


def test_a_listing_is_counted_with_the_layers_that_it_leaves_out(folder: Path) -> None:
    counted = run("count", "listing.txt", cwd=folder)
    assert counted.returncode == 0
    assert "= 109,482,240\n" in counted.stdout
    assert "encoder.layer.1 to encoder.layer.10 are left out of the listing and filled in" in counted.stderr
    assert run("tensors", "listing.txt", cwd=folder).stdout.count("encoder.layer.") == 12 * 16
    derived = run("derive", "listing.txt", "--config", "bert-base-uncased", "-w", "I=4H", cwd=folder)
    assert derived.stdout == "(13N + P + T + V + 3)H + (12N + 1)H²\n"


def test_a_number_that_is_not_whole_is_never_bare(folder: Path) -> None:
    (folder / "gapped.txt").write_text(GAPPED, encoding="utf-8")
    (folder / "acme.txt").write_text(BLOOM.replace("Bloom", "Acme"), encoding="utf-8")
    counted = run("count", "gapped.txt", cwd=folder)
    assert "In all at least 38,603,520." in counted.stdout
    assert "encoder.layer.1 to encoder.layer.10" in counted.stdout
    acme = run("count", "acme.txt", cwd=folder)
    assert "In all at least 1,303,111,680 if no module is used in two places, and at least " in acme.stdout
    assert "at least 1,303,111,680 if no module is used in two places" in acme.stdout
    assert "if not, at least 1,397,616,640 in all; if so, 1,303,111,680, as counted" in acme.stdout
    assert "AcmeForCausalLM, AcmeModel, AcmeBlock, AcmeAttention, AcmeMLP" in acme.stdout
    for stdout in (counted.stdout, acme.stdout):
        assert "= 1,303,111,680" not in stdout
        assert "= 38,603,520" not in stdout
    assert run("derive", "acme.txt", cwd=folder).stdout == "at least (13N + V + 4)H + 12NH² if no module is used in two places\n"
    number = run("count", "gapped.txt", "--format", "number", cwd=folder)
    assert number.stdout == "at least 38,603,520\n"
    assert "not counted: encoder.layer.1 to encoder.layer.10" in number.stderr
    found = json.loads(run("count", "acme.txt", "-f", "json", cwd=folder).stdout)
    assert (found["complete"], found["total"], found["missing"][0]["what"]) == (False, 1_303_111_680, "AcmeForCausalLM")
    macs = run("count", "printed.txt", "--measure", "macs", "-w", "B=1", "-w", "L=1", cwd=folder)
    assert "In all at least " in macs.stdout
    assert "BloomAttention" in macs.stdout


def test_a_print_comes_from_standard_input_and_so_does_a_config(folder: Path) -> None:
    assert process("derive", "-", cwd=folder, stdin=BLOOM.encode()).stdout.decode() == "at least (13N + V + 4)H + 12NH²\n"
    assert run("derive", "-", cwd=folder, stdin='{"model_type": "bloom"}').stdout == "(13N + V + 4)H + 12NH²\n"
    config = '{"hidden_size": 2048, "n_layer": 24, "tie_word_embeddings": false}'
    derived = run("derive", "printed.txt", "--config", "-", cwd=folder, stdin=config)
    assert derived.stdout == "(13N + 2V + 4)H + 12NH²\n"


@pytest.mark.parametrize(
    ("file", "data", "error"),
    [
        (
            "cut.txt",
            BLOOM[: BLOOM.index("(mlp)") - 20].encode(),
            "symparam: cut.txt, line 13, column 64: the text ends before LayerNorm(, which line 13 opens, inside BloomForCausalLM( of line 1, "
            "is closed by ')'; the print is cut or has lost a bracket: print the whole model\n",
        ),
        (
            "cut.safetensors",
            b"\xff\0\0\0\0\0\0\0{",
            "symparam: cut.safetensors, byte 10: the file ends in its header, which its first 8 bytes say is 255 bytes long; "
            "fetch the file again, it is cut off\n",
        ),
        (
            "contradiction.txt",
            BERT.replace("layer.11.output.dense.bias torch.Size([768])", "layer.11.output.dense.bias torch.Size([3072])").encode(),
            "symparam: contradiction.txt, line 23: encoder.layer.1 to encoder.layer.10 are left out of the listing, but encoder.layer.0 "
            "(line 6) and encoder.layer.11 (line 23) are not alike: output.dense.bias is 768 and 3,072; list all layers\n",
        ),
        (
            "binary.bin",
            b"PK\x03\x04\xff\xfe",
            "symparam: binary.bin is not UTF-8 text: byte 5 is 0xFF; a config.json in UTF-8 is expected, not weights\n",
        ),
        (
            "reserved.txt",
            b"M(\n  (rows): LayerNorm((8,), eps=1e-05)\n)",
            "symparam: a module in M is called 'rows', a name that symparam uses for other things; rename it\n",
        ),
        ("empty.txt", b"", 'symparam: empty.txt is empty, but a JSON object with keys such as "hidden_size" is expected\n'),
    ],
)
def test_bad_input_ends_with_exit_code_2_and_one_sentence(file: str, data: bytes, error: str, folder: Path) -> None:
    (folder / file).write_bytes(data)
    for command in ("count", "derive", "tensors", "explain"):
        done = run(command, file, cwd=folder)
        assert (done.returncode, done.stdout, done.stderr) == (2, "", error)
