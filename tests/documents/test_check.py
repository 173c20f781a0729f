"""`symparam check` and `symparam.check` from outside: exit codes, what goes where, arguments, and what is at fault in one sentence."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import symparam
from symparam.documents.checking.finding import Verdict
from symparam.errors import SymparamError
from symparam.writing.progress import Progress
from tests.command import process, run

GOOD = "The table has 30,522 × 768 = 23,440,896 numbers.\n"
WRONG = "# 词表\n\n词嵌入 30,522 × 768 = 22,767,360 个参数\n"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (("good.md", GOOD), ("wrong.md", WRONG)):
        (tmp_path / name).write_text(text, encoding="utf-8")


def test_what_holds_ends_in_exit_code_0() -> None:
    done = run("check", "good.md")
    assert (done.returncode, done.stdout.decode(), done.stderr) == (0, "1 file: 1 claim holds, 0 are wrong\n", b"")


def test_what_is_wrong_is_marked_and_ends_in_exit_code_1() -> None:
    done = run("check", "wrong.md")
    assert (done.returncode, done.stderr) == (1, b"")
    lines = done.stdout.decode().splitlines()
    assert lines[0].startswith("wrong.md:3:20: wrong [wrong-number] ")
    assert lines[1:4] == [
        "  |",
        "3 | 词嵌入 30,522 × 768 = 22,767,360 个参数",
        "  |                       ^^^^^^^^^^",
    ]
    assert lines[4].startswith("  = short by 673,536")
    assert lines[-1] == "1 file: 0 claims hold, 1 is wrong"


def test_standard_input_and_folders() -> None:
    done = run("check", "-", "--format", "json", stdin=WRONG.encode())
    found = json.loads(done.stdout)
    assert (done.returncode, found["files"][0]["file"]) == (1, "<stdin>")
    claim = found["files"][0]["claims"][0]
    assert (claim["verdict"], claim["line"], claim["gap"]["value"]) == ("wrong", 3, -673_536)
    done = run("check", ".", "good.md")
    assert done.returncode == 1
    assert done.stdout.decode().endswith("good.md: 1 holds\nwrong.md: 1 is wrong\n2 files: 1 claim holds, 1 is wrong\n")


def test_a_file_at_fault_does_not_lose_the_others() -> None:
    Path("binary.md").write_bytes(b"a\0b")
    done = run("check", "wrong.md", "binary.md", "goood.md")
    assert done.returncode == 2
    assert done.stdout.decode().endswith("1 file: 0 claims hold, 1 is wrong; 2 files could not be read\n")
    assert done.stderr.decode() == (
        "symparam: there is no file or folder 'goood.md'; did you mean 'good.md'?\n"
        "symparam: binary.md: the file is binary (it holds a zero byte); a text, Markdown or LaTeX document is expected\n"
    )


REFUSED = [
    ("check goood.md", "there is no file or folder 'goood.md'; did you mean 'good.md'?"),
    ("check a b", "there is no file or folder 'a'; give the path of a document (and 1 more could not be read)"),
    ("check", "Missing argument 'FILE...'"),
    ("check good.md --architecture brt", "there is no architecture, preset or file named 'brt'; did you mean 'bert' or 'albert'?"),
    ("check good.md --config nope.json", "nope.json cannot be read: No such file or directory"),
    ("check - --config -", "standard input cannot be the config and a document; give one of them as a file"),
    ("check good.md -w I=4H -w I=5H", "I = 5H contradicts I = 4H"),
    ("check good.md -w tied=true", "'tied=true' states a flag; it needs an architecture to belong to, so name one"),
    ("check good.md --symbol C=Q", "there is no size named 'Q'"),
    ("check good.md --symbol H=C", "the author's name comes first, so write C=H"),
    ("check good.md --symbol C", "'C' declares no name; the author's name, '=' and a letter are expected, as in C=H"),
    ("check good.md --symbol C=H --symbol C=N", "C is declared to be both H and N; give one of them"),
    ("check good.md --symbol 2x=H", "'2x' cannot name a size"),
    ("check good.md --format pdf", "'pdf' is not one of 'text', 'html', 'json', 'github', 'sarif'"),
    ("check wrong.md -o no/such/folder.txt", "'no/such/folder.txt' cannot be written: No such file or directory"),
]


@pytest.mark.parametrize(("arguments", "message"), REFUSED, ids=[arguments for arguments, _ in REFUSED])
def test_bad_input_ends_in_one_sentence_and_exit_code_2(arguments: str, message: str) -> None:
    done = run(*arguments.split(), stdin=b'{"model_type": "bert"}')
    assert message in done.stderr.decode()
    assert b"Traceback" not in done.stderr
    assert (done.returncode, done.stdout) == (2, b"")


@pytest.mark.parametrize("name", ["json", *(pytest.param(each, marks=pytest.mark.slow) for each in ("text", "github", "sarif"))])
def test_every_format_on_a_terminal_that_knows_only_ascii(name: str) -> None:
    done = process("check", "wrong.md", "-f", name, PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr, done.stdout.isascii()) == (1, b"", True)
    if name == "json":
        assert json.loads(done.stdout)["files"][0]["claims"][0]["text"] == "30,522 × 768 = 22,767,360"


def test_ascii_that_is_asked_for() -> None:
    assert b"3 | ??? 30,522 * 768 = 22,767,360 ???\n" in run("check", "wrong.md", "--ascii").stdout


def test_output_goes_to_a_file() -> None:
    done = process("check", "wrong.md", "-o", "report.txt", PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stdout, done.stderr) == (1, b"", b"")
    assert "词嵌入 30,522 × 768 = 22,767,360 个参数" in Path("report.txt").read_text(encoding="utf-8")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo terminals")
@pytest.mark.parametrize(
    ("environment", "colored"),
    [
        ({}, True),
        ({"NO_COLOR": "1"}, False),
        pytest.param({"TERM": "dumb"}, False, marks=pytest.mark.slow),
        pytest.param({"NO_COLOR": ""}, True, marks=pytest.mark.slow),
    ],
)
def test_on_a_terminal_there_are_colors_and_progress(environment: dict[str, str], colored: bool) -> None:
    import pty

    above, below = pty.openpty()
    plain = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    process = subprocess.Popen(
        [sys.executable, "-m", "symparam", "check", "good.md", "wrong.md"],
        stdout=below,
        stderr=below,
        env={**plain, "TERM": "xterm", "PYTHONUTF8": "1", **environment},
    )
    os.close(below)
    written = b""
    with contextlib.suppress(OSError):  # Linux says so when the other end is closed.
        while data := os.read(above, 65_536):
            written += data
    os.close(above)
    assert process.wait(timeout=60) == 1
    text = written.decode()
    assert ("\x1b[31m" in text) == ("\x1b" in text) == colored
    assert "\rchecking 1 of 2: good.md\rchecking 2 of 2: wrong.md\r" in text
    assert " \r" + ("\x1b[1m" if colored else "") + "wrong.md:3:20" in text


class Terminal(io.StringIO):
    encoding = "ascii"

    def isatty(self) -> bool:
        return True


def test_progress_fits_one_line_and_is_gone_at_the_end() -> None:
    stream = Terminal()
    with Progress("checking", stream) as progress:
        progress("x" * 200, 1, 2)
        progress("a\x1b词.md", 2, 2)
    first, second, rest, last = stream.getvalue().removeprefix("\r").split("\r")
    assert first == "checking 1 of 2: " + "x" * (79 - 17)
    assert second.rstrip(" ") == "checking 2 of 2: a\\x1b?.md"
    assert len(second) == 79
    assert (rest.strip(" "), last) == ("", "")
    silent = io.StringIO()
    with Progress("checking", silent) as progress:
        progress("x", 1, 1)
    assert silent.getvalue() == ""


def test_a_reader_that_stops_early_is_no_error() -> None:
    process = subprocess.Popen([sys.executable, "-m", "symparam", "check", "wrong.md"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    error = process.stderr.read()
    process.stderr.close()
    assert (process.wait(timeout=60), error) == (1, b"")


def test_help_does_not_import_sympy() -> None:
    script = (
        "import sys\nfrom symparam.cli.app import app\ntry:\n    app(['check', '--help'])\n"
        "except SystemExit as ending:\n    assert not ending.code\nassert 'sympy' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr.decode()


def test_in_python() -> None:
    checked = symparam.check("wrong.md")
    assert [finding.right for finding in checked.wrong] == ["22,767,360"]
    assert str(checked).encode() == run("check", "wrong.md").stdout
    assert symparam.check([Path("good.md"), "wrong.md"]).json["summary"]["wrong"] == 1
    assert symparam.check_text(WRONG).documents[0].source.name == "<text>"
    assert symparam.check_text(GOOD, "cell 3").wrong == ()
    seen: list[tuple[str, int, int]] = []
    symparam.check(".", progress=lambda name, number, of: seen.append((name, number, of)))
    assert seen == [("good.md", 1, 2), ("wrong.md", 2, 2)]


def test_names_and_values_are_declared_beside_the_document() -> None:
    text = "The matrix has 4C² = 2,359,296 weights.\n"
    assert symparam.check_text(text).documents[0].counts[Verdict.HOLDS] == 0
    for symbols in ({"C": "H"}, ["C=H"], "C=hidden_size"):
        assert symparam.check_text(text, symbols=symbols, where=["H=768"]).documents[0].counts[Verdict.HOLDS] == 1
        assert symparam.check_text(text, symbols=symbols, config="gpt2").documents[0].counts[Verdict.HOLDS] == 1
        assert symparam.check_text(text, symbols=symbols, architecture="bert", where=["H=767"]).documents[0].counts[Verdict.WRONG] == 1


def test_what_is_stated_of_a_letter_that_the_architecture_lacks_is_not_said_to_change_nothing() -> None:
    assert symparam.check_text(GOOD, architecture="bert", where=["L=512"]).notes == ()
    assert symparam.check_text(GOOD, config={"model_type": "bert", "vocab_size": 10}).notes[0].startswith("the config leaves out some keys")


MISUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: symparam.check([]), "no document is given; name a file, a folder, or - for standard input"),
    (lambda: symparam.check(WRONG), "there is no file named '# 词表' and so on; a text itself is given to check_text"),
    (lambda: symparam.check_text(b"1 = 2"), "bytes is not a text; a string is expected, and the path of a file goes to check"),  # type: ignore[arg-type]
    (lambda: symparam.check("-", config="-"), "standard input cannot be the config and a document; give one of them as a file"),
]


@pytest.mark.parametrize(("misused", "message"), MISUSED, ids=[message[:40] for _, message in MISUSED])
def test_wrong_use_is_said_in_one_sentence(misused: Callable[[], object], message: str) -> None:
    with pytest.raises(SymparamError, match=re.escape(message)):
        misused()
