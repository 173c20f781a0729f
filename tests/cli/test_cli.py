"""The command line as people use it: real processes, exact output, exit codes, and nothing lost when something goes wrong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import out, process, run

BERT = {
    "model_type": "bert",
    "architectures": ["BertForMaskedLM"],
    "vocab_size": 7,
    "hidden_size": 6,
    "num_hidden_layers": 1,
    "num_attention_heads": 3,
    "intermediate_size": 5,
    "max_position_embeddings": 4,
    "type_vocab_size": 1,
}


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ("derive bert --where I=4H", "(13N + P + T + V + 3)H + (12N + 1)H²"),
        ("derive gpt2 --where I=4H", "(13N + P + V + 2)H + 12NH²"),
        ("derive bloom", "(13N + V + 4)H + 12NH²"),
        ("derive gpt1", "(13N + P + V)H + 12NH²"),
        ("derive GPT2LMHeadModel -w I=4H -w tie_word_embeddings=false", "(13N + P + 2V + 2)H + 12NH²"),
        ("derive BertForMaskedLM -w I=4H", "V + (13N + P + T + V + 5)H + (12N + 1)H²"),
        ("derive bert -w I=4H -w add_pooling_layer=false", "(13N + P + T + V + 2)H + 12NH²"),
        ("derive bert-base-uncased -w I=4H", "(13N + P + T + V + 3)H + (12N + 1)H²"),
        ("derive bert-base-uncased --architecture BertForMaskedLM -w I=4H", "V + (13N + P + T + V + 5)H + (12N + 1)H²"),
        ("derive gpt2 -w I=4H --form expanded", "12NH² + 13NH + PH + VH + 2H"),
        ("derive gpt2 -w I=4H --form factored", "H(12NH + 13N + P + V + 2)"),
        ("derive gpt2 -w I=4H --form by-module", "VH + PH + N(12H² + 13H) + 2H"),
        ("derive gpt2 -w I=4H --by N", "HP + HV + 2H + (12H² + 13H)N"),
        ("derive gpt2 -w I=4H --ascii", "(13N + P + V + 2)H + 12NH^2"),
        ("derive gpt2 -w I=4H -f latex", "(13N + P + V + 2)H + 12NH^{2}"),
        ("derive gpt2 -w I=4H -f markdown", "$(13N + P + V + 2)H + 12NH^{2}$"),
        ("derive gpt2 -w intermediate_size=4hidden_size", "(13N + P + V + 2)H + 12NH²"),
        ("derive gpt2 -w I=4H -w H=768 -w N=12 -w P=1024 -w V=50257", "124,439,808"),
        ("derive gpt2 -w I=4H --alphabet megatron", "(13l + P + V + 2)h + 12lh²"),
        ("derive gpt2 -w f=4h --alphabet megatron", "(13l + P + V + 2)h + 12lh²"),
        ("derive gpt2 -w I=4H --alphabet l-for-layers", "(13L + P + V + 2)H + 12LH²"),
        ("derive gpt2 -w I=4H --alphabet kaplan", "(13\u2009n_layer + n_pos + n_vocab + 2)\u2009d_model + 12\u2009n_layer\u2009d_model²"),
        (
            "derive gpt2 -w I=4H --alphabet kaplan -f latex",
            "(13n_{\\text{layer}} + n_{\\text{pos}} + n_{\\text{vocab}} + 2)d_{\\text{model}} + 12n_{\\text{layer}}d_{\\text{model}}^{2}",
        ),
    ],
)
def test_derive_prints_the_closed_form_alone_on_one_line(arguments: str, line: str) -> None:
    done = run(*arguments.split())
    assert (done.stdout.decode(), done.returncode) == (line + "\n", 0)


@pytest.mark.parametrize(
    ("name", "total"),
    [  # From the reference on the meta device, and from the model cards of BLOOM.
        ("bert-base-uncased", 109_482_240),
        ("bert-base-chinese", 102_267_648),
        ("bert-large-uncased", 335_141_888),
        ("openai-gpt", 116_534_784),
        ("gpt2", 124_439_808),
        ("gpt2-medium", 354_823_168),
        ("gpt2-large", 774_030_080),
        ("gpt2-xl", 1_557_611_200),
        ("bloom-560m", 559_214_592),
        ("bloom-1b1", 1_065_314_304),
        ("bloom-1b7", 1_722_408_960),
        ("bloom-3b", 3_002_557_440),
        ("bloom-7b1", 7_069_016_064),
        ("bloom", 176_247_271_424),
        ("bloom-1b4-zh", 1_303_111_680),
    ],
)
def test_count_gives_the_published_number(name: str, total: int) -> None:
    assert json.loads(out("count", name, "--format", "json"))["total"] == total


def test_count_shows_each_module_with_formula_number_and_share() -> None:
    lines = out("count", "bert-base-chinese").splitlines()
    cells = [line.split("  ") for line in lines]
    row = next([cell.strip() for cell in line if cell.strip()] for line in cells if "Token embeddings" in " ".join(line))
    assert row == ["Token embeddings", "VH", "21,128 × 768", "16,226,304", "15.87 %"]
    assert any(line.startswith("The total") and line.endswith("102,267,648  100.00 %") for line in lines)
    assert lines[-1] == "In 32-bit floats these are 409,070,592 bytes, or 390.12 MiB (rounded to two decimals)."


def test_shares_of_the_outermost_modules_add_up_to_one() -> None:
    modules = json.loads(out("count", "gpt2", "-f", "json"))["modules"]
    outermost = [module for module in modules if "." not in module["number"]]
    assert sum(module["parameters"] for module in outermost) == 124_439_808
    shares = [module["share"]["numerator"] * 10**12 // module["share"]["denominator"] for module in outermost]
    assert sum(shares) in (10**12, 10**12 - 1)


def test_tensors_spells_out_every_layer_with_the_names_of_the_reference() -> None:
    listing = json.loads(out("tensors", "-", "--format", "json", stdin=json.dumps(BERT).encode()))
    assert list(listing) == ["class", "architecture", "tensors", "total", "complete"]
    assert (listing["class"], listing["architecture"]) == ("BertForMaskedLM", "bert")
    assert listing["tensors"][0] == {"name": "bert.embeddings.word_embeddings.weight", "shape": [7, 6], "formula": "VH"}
    names = [tensor["name"] for tensor in listing["tensors"]]
    assert names[5] == "bert.encoder.layer.0.attention.self.query.weight"
    assert names[-1] == "cls.predictions.transform.LayerNorm.bias"
    # (7 + 4 + 1 + 2)·6, one layer 4·36 + 2·30 + 9·6 + 5, the head 7 + 36 + 6 + 12.
    assert listing["total"] == 84 + 263 + 61


def test_tensors_of_an_architecture_are_symbolic() -> None:
    listing = json.loads(out("tensors", "BloomForCausalLM", "--format", "json"))
    assert listing["total"] is None
    assert {"name": "transformer.h.{i}.mlp.dense_h_to_4h.weight", "shape": ["4H", "H"], "formula": "4H²"} in listing["tensors"]


def test_explain_tells_the_whole_story() -> None:
    text = " ".join(out("explain", "bert", "--config", "bert-base-uncased").split())
    for expected in (
        "BERT (BertModel): the number of parameters",
        "H hidden size hidden_size 768",
        "encoder.layer.{i}.intermediate.dense.weight I × H IH",
        "IH + I = 3,072 × 768 + 3,072 = 2,362,368",
        "VH = 30,522 × 768 = 23,440,896",
        "N(4H² + 2IH + 9H + I)",
        "In 32-bit floats these are 437,928,960 bytes, or 417.64 MiB (rounded to two decimals).",
        "Subtracting the closed form from the sum over all 199 tensors leaves 0.",
    ):
        assert expected in text


def test_explain_without_numbers_ends_in_a_symbolic_check() -> None:
    assert out("explain", "gpt1").splitlines()[-1].endswith("Subtracting the closed form from the sum leaves 0.")


def test_explain_in_chinese() -> None:
    text = out("explain", "bert", "--config", "bert-base-chinese", "--language", "zh")
    assert "BERT（BertModel）的参数量" in text
    assert "减去闭式表达式，余下 0。" in text
    assert "102,267,648。" in text


def test_a_stated_number_without_the_others_goes_into_the_formula() -> None:
    assert "has (P + V + 158)H + 144H² parameters" in out("explain", "gpt2", "-w", "I=4H", "-w", "N=12")


def test_a_config_is_read_from_a_path_and_from_standard_input(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps(BERT), encoding="utf-8")
    from_path = json.loads(out("count", "config.json", "-f", "json", cwd=tmp_path))
    from_stdin = json.loads(out("count", "-", "-f", "json", stdin=json.dumps(BERT).encode()))
    assert from_path["total"] == from_stdin["total"] == 408
    assert (from_path["config"], from_stdin["config"]) == ("config.json", "standard input")


def test_list_and_symbols_show_what_can_be_named() -> None:
    names = json.loads(out("list", "-f", "json"))
    assert [each["name"] for each in names["architectures"]][:4] == ["bert", "roberta", "distilbert", "albert"]
    assert {"gpt2", "llama", "mixtral", "t5", "vit", "mamba"} <= {each["name"] for each in names["architectures"]}
    assert "bloom-1b4-zh" in [each["name"] for each in names["presets"]]
    assert "BertForMaskedLM" in out("list")
    letters = json.loads(out("letters", "-a", "chinchilla", "-f", "json"))["symbols"]
    assert {each["standard_letter"]: each["letter"] for each in letters}["H"] == "D"
    assert "隐藏层维度" in out("letters", "--language", "zh")


REFUSED = [
    ("derive bertt", "there is no architecture, preset or file named 'bertt'; did you mean 'bert' or 'albert'?"),
    ("count gpt2-larg", "there is no architecture, preset or file named 'gpt2-larg'; did you mean 'gpt2-large'"),
    ("count bert", "bert has no number for H, I, N, P, T, V; name a preset or a config.json, or state them: --where H=NUMBER"),
    ("count llama-3-8b --measure kv-cache", "llama-3-8b has no number for B (batch size), S (tokens in the cache); state them: --where"),
    ("count llama-3-8b --measure kv-cache --where S=-1", "S = −1, but a size is a positive whole number"),
    ("explain bert --config bert-base-uncase", "there is no preset or file named 'bert-base-uncase'; did you mean 'bert-base-uncased'"),
    ("count missing.json", "missing.json cannot be read: No such file or directory"),
    ("derive bert --where I", "'I' is not a relation; one letter, one '=' and a formula are expected, as in I=4H"),
    ("derive bert --where I=4(H", "column 6 of 'I=4(H': ')' is missing here"),
    ("derive bert --where I=4Q", "column 4 of 'I=4Q': 'Q' is not a declared letter or name, nor a product of declared ones"),
    ("derive bert --where I=4H --where I=5H", "I = 5H contradicts I = 4H"),
    ("derive bert --where I=4H --where H=I/4", "lead in a circle"),
    ("derive bert --where H=0", "a size is a positive whole number"),
    ("derive bert --where H=9**9**9**9", "nothing counted is that large"),
    ("explain bert --config bert-base-uncased --where I=5H", "I = 5H gives I = 3,840, but I is 3,072 here"),
    ("derive bert --by B", "the formula cannot be collected by B, which does not occur in it; H, I, N, P, T, V do"),
    ("derive bert --by H --form by-module", "leave out --by or the form"),
    ("derive bert --alphabet kaplam", "there is no alphabet named 'kaplam'; did you mean 'kaplan'?"),
    ("derive bert --alphabet N=H", "the letter 'H' would stand for both hidden size (H) and layers (N)"),
    ("derive bert --alphabet l-for-layers --where L=12", "write the names instead, as in hidden_size=768, layers=12"),
    ("derive gpt2 --where tie_embeddings=true", "there is no flag of GPT-2 named 'tie_embeddings'; did you mean 'tie_word_embeddings'"),
    ("derive bert --form fac", "'fac' is not one of 'readable', 'by-symbol', 'nested', 'named', 'leading', 'expanded', 'factored', 'by-"),
    ("derive bert --format pdf", "'pdf' is not one of 'text', 'latex', 'mathml', 'markdown', 'rst', 'json'"),
    ("count gpt2 --unit M --format json", "--unit and --digits apply only to --format number; leave them out, or --format json"),
    ("explain bert --language fr", "there is no language named 'fr'; there are en, zh"),
    ("explain bert -o no/such/folder/x.md", "'no/such/folder/x.md' cannot be written: No such file or directory"),
    ("count gpt2 --where N=24", "N = 24 contradicts gpt2, where N is 12; drop the statement, or ask what if: --set N=24"),
    ("count google-bert/bert-base-uncasd", "named 'google-bert/bert-base-uncasd'; did you mean 'bert-base-uncased' or"),
    ("count meta-llama/Meta-Llama-3-8B", "named 'meta-llama/Meta-Llama-3-8B'; did you mean 'llama-3-8b'?"),
    ("count Qwen/Qwen2.5-7B-Instruct", "named 'Qwen/Qwen2.5-7B-Instruct'; did you mean 'qwen2.5-7b'?"),
    ("count someone/unheard-of", "someone/unheard-of cannot be read: No such file or directory"),
    ("derive gpt2 --where tie_word_embeddings=0", "states the flag tie_word_embeddings, for which true or false is expected"),
    ("count gpt2 --architecture bert", "\"model_type\" is 'gpt2', but bert was asked for, whose configs say 'bert'"),
    ("count gpt2 --architecture bert --config x", "give two of the three"),
    ("solve gpt2 --total 1.5B", "no letter to solve for is given; name one, as in --for N or --for H (symparam letters lists them)"),
    ("deriv bert", "No such command 'deriv'. Did you mean 'derive'?"),
]


@pytest.mark.parametrize(("arguments", "message"), REFUSED, ids=[arguments for arguments, _ in REFUSED])
def test_bad_input_ends_in_one_sentence_and_exit_code_2(arguments: str, message: str, tmp_path: Path) -> None:
    done = run(*arguments.split(), cwd=tmp_path)
    error = done.stderr.decode()
    assert message in error
    assert "Traceback" not in error
    assert (done.returncode, done.stdout) == (2, b"")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (b"{", "config.json, line 1, column 2: this is not JSON"),
        (b"\xff", "config.json is not UTF-8 text: byte 1 is 0xFF"),
        (b'{"hidden_size": 768}', 'config.json lacks the keys "architectures" and "model_type"'),
        (
            b'{"model_type": "bert",\n "hidden_size": null}',
            'config.json, line 2, column 2: "hidden_size" is null, but a positive whole number',
        ),
        (b'{"model_type": "bert",\n "hidden_size": "768"}', "config.json, line 2, column 2: \"hidden_size\" is the string '768'"),
        (b'{"model_type": "bert", "hidden_size": 770}', "config.json, line 1, column 24: the hidden size H = 770 is not divisible by"),
    ],
)
def test_a_bad_config_is_named_with_line_and_column(config: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_bytes(config)
    done = run("count", "config.json", cwd=tmp_path)
    assert done.stderr.decode().startswith(f"symparam: {message}")
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)


@pytest.mark.parametrize(
    ("arguments", "number"),
    [
        ("gpt2 --format number", "124,439,808"),
        ("gpt2 --unit M", "124.4M"),
        ("gpt2 --unit B --digits 3 --format number", "0.124B"),
        # 2 · 32 layers · 8 heads · 128 · 8,192 tokens · 10 · 2 bytes.
        ("llama-3-8b --measure kv-cache --where S=8192 --where B=10 --unit GB --digits 2", "10.74 GB"),
        ("llama-3-8b --measure kv-cache --where S=8192 --where B=10 --unit GiB", "10.0 GiB"),
    ],
)
def test_a_total_alone_is_written_as_in_marked_places(arguments: str, number: str) -> None:
    assert out("count", *arguments.split()) == number + "\n"


def test_a_total_alone_says_what_released_files_hold_besides() -> None:
    # 60,511,616 and the 32,128 · 512 of a head of its own.
    done = run("count", "flan-t5-small", "--format", "number")
    assert done.stdout == b"60,511,616\n"
    assert done.stderr.endswith(b"VH = 16,449,536 more, 76,961,152 in all.\n")


def test_gigabytes_are_not_written_as_ten_thousand_megabytes() -> None:
    last = out("count", "llama-3-8b", "-m", "kv-cache", "-w", "S=8192", "-w", "B=10").splitlines()[-1]
    assert last == "These are 10.74 GB (10^9 bytes each), or 10.00 GiB (2^30 bytes each), rounded to two decimals."


def test_notes_go_to_standard_error_and_data_to_standard_output() -> None:
    done = run("count", "-", "-f", "json", stdin=b'{"model_type": "bert", "vocab_size": 10}')
    assert done.stderr.startswith(b"symparam: note: standard input leaves out some keys, so the reference's defaults are used: hidden_size")
    found = json.loads(done.stdout)
    assert found["values"]["V"] == 10
    assert done.stderr.decode() == "".join(f"symparam: note: {note}\n" for note in found["notes"])


@pytest.mark.few(9)
@pytest.mark.parametrize(
    ("arguments", "note"),
    [
        ("derive bloom --where I=4H", "I does not occur in bloom, so I = 4H changes nothing"),
        ("derive gpt2 -m flops -w n_d=8", "n_d does not occur in this measure, so n_d = 8 changes nothing"),
        ("count llama-3-8b -m kv-cache -w B=1 -w S=8192 -w L=512", "L does not occur in this measure, so L = 512 changes nothing"),
        (
            "count gpt2 -m kv-cache -w S=1025 -w B=1",
            "S = 1,025 is longer than GPT2LMHeadModel can read with these values: its position table has rows for 1,024 tokens",
        ),
        (
            "count roberta-base -m flops -w L=513 -w B=1",  # 514 rows, the first two of which are for padding.
            "L = 513 is longer than RobertaModel can read with these values: its position table has rows for 512 tokens",
        ),
        *(
            (words, f"{letter} is longer than GPT2LMHeadModel can read with these values: its position table has rows for 1,024 tokens")
            for words, letter in {
                "explain gpt2 --config gpt2 -m flops -w B=1 -w L=1025": "L = 1,025",
                "sweep gpt2 -m flops -w B=1 --over L=1024,1025": "L = 1,025",
                "sweep gpt2 -m kv-cache --over N=1,2 -w B=1 -w S=2000": "S = 2,000",
                "analyze gpt2 --config gpt2 -m flops -w B=1 -w L=1025": "L = 1,025",
                "derive gpt2 -m flops -w P=1024 -w L=1025": "L = 1,025",
                "solve gpt2 --config gpt2 --for S --total 37785600 -m kv-cache -w B=1": "S = 1,025",  # 2 · 768 · 12 numbers of 2 bytes.
                "crossover gpt2 --config gpt2": "L = 1,537",  # The threshold is I - 2H = 1,536.
            }.items()
        ),
        ("explain bert -m weights -w B=3", "B does not occur in this measure, so B = 3 changes nothing"),
        ("analyze llama-3-8b -m kv-cache -w B=2 -w n_d=8", "n_d does not occur in this measure, so n_d = 8 changes nothing"),
        ("sweep llama-3-8b --over S=1,2 -m kv-cache -w B=2 -w L=3", "L does not occur in this measure, so L = 3 changes nothing"),
        ("solve bert --for H --total 1GB -m weights -w B=2", "B does not occur in this measure, so B = 2 changes nothing"),
        ("derive gpt2 --where I=4h --alphabet megatron", "'I=4h' is read in symparam's letters; in those of megatron it is f = 4a"),
        ("derive gpt2 --where I=4H --alphabet scaling-book", "'I=4H' is read in symparam's letters; in those of scaling-book it is F = 4D"),
    ],
)
def test_what_could_surprise_is_said_in_a_note(arguments: str, note: str) -> None:
    done = run(*arguments.split())
    assert (done.returncode, done.stderr.decode()) == (0, f"symparam: note: {note}\n")


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("kept", encoding="utf-8")
    assert run("explain", "bertt", "-o", str(page)).returncode == 2
    assert page.read_text(encoding="utf-8") == "kept"
    assert out("explain", "gpt2", "--format", "markdown", "-o", str(page)) == ""
    assert page.read_text(encoding="utf-8").startswith("# GPT-2")
    assert list(tmp_path.iterdir()) == [page]


def test_a_link_is_followed_and_a_device_is_written_to_and_neither_is_replaced(tmp_path: Path) -> None:
    page, link, pipe = tmp_path / "page.txt", tmp_path / "link.txt", tmp_path / "pipe"
    link.symlink_to(page)
    assert out("derive", "gpt1", "-o", str(link)) == ""
    assert link.is_symlink()
    assert page.read_text(encoding="utf-8") == "(13N + P + V)H + 12NH²\n"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reader:
        assert out("derive", "gpt1", "-o", str(pipe)) == ""
        assert reader.communicate(timeout=60)[0].decode() == "(13N + P + V)H + 12NH²\n"
    assert pipe.is_fifo()
    assert out("derive", "gpt1", "-o", "-") == "(13N + P + V)H + 12NH²\n"


@pytest.mark.parametrize(
    ("redirection", "code", "error"),
    [(">/dev/full", 2, b"cannot be written"), (">&-", 2, b"standard output is closed"), ("<&-", 2, b"standard input is closed")],
)
def test_closed_and_full_streams_end_without_a_traceback(redirection: str, code: int, error: bytes) -> None:
    command = "count -" if redirection == "<&-" else "derive gpt1"
    done = subprocess.run(
        ["sh", "-c", f'"$0" -m symparam {command} {redirection}', sys.executable], capture_output=True, check=False, timeout=60
    )
    assert (done.returncode, done.stdout) == (code, b"")
    assert error in done.stderr
    assert b"Traceback" not in done.stderr


def test_json_is_escaped_where_the_terminal_knows_only_ascii() -> None:
    found = process("derive", "gpt1", "-f", "json", PYTHONUTF8="0", PYTHONIOENCODING="ascii").stdout.decode()
    assert found.isascii()
    assert json.loads(found)["formula"]["text"] == "(13N + P + V)H + 12NH²"


def test_a_terminal_that_knows_only_ascii_gets_ascii() -> None:
    environment = {"PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    assert process("derive", "gpt1", **environment).stdout == b"(13N + P + V)H + 12NH^2\n"
    assert process("explain", "gpt1", **environment).stdout.isascii()
    done = process("explain", "gpt1", "--language", "zh", **environment)
    assert b"this terminal's encoding, ascii, cannot show the text; write it to a file with -o FILE" in done.stderr
    assert (done.returncode, done.stdout) == (2, b"")


def test_a_reader_that_stops_early_is_no_error() -> None:
    process = subprocess.Popen([sys.executable, "-m", "symparam", "tensors", "bloom"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    error = process.stderr.read()
    process.stderr.close()
    process.wait(timeout=60)
    assert error == b""


def test_help_and_version_do_not_import_sympy() -> None:
    script = (
        "import sys\nfrom symparam.cli.app import app\ntry:\n    app({arguments!r})\n"
        "except SystemExit as ending:\n    assert not ending.code\nassert 'sympy' not in sys.modules"
    )
    for arguments in (["--help"], ["--version"], ["explain", "--help"]):
        done = subprocess.run([sys.executable, "-c", script.format(arguments=arguments)], capture_output=True, check=False, timeout=60)
        assert done.returncode == 0, done.stderr.decode()
    assert out("--version").startswith("symparam ")


def test_a_preset_is_known_by_its_name_on_the_hub() -> None:
    assert json.loads(out("count", "google-bert/bert-base-uncased", "-f", "json"))["total"] == 109_482_240
