"""The command as a user types it: in a process of its own, and within this one, which takes a tenth of the time."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import chdir
from pathlib import Path

from typer.testing import CliRunner

from symparam.cli.app import app

ROOT = Path(__file__).parents[1]


def process(*arguments: str, stdin: bytes = b"", cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """The command in a process of its own, for what has to do with streams, encodings and the end of a process."""
    return subprocess.run(
        [sys.executable, "-m", "symparam", *arguments],
        input=stdin,
        cwd=cwd,
        capture_output=True,
        timeout=60,
        check=False,
        env={**os.environ, "PYTHONUTF8": "1", "PYTHONPATH": str(ROOT), **environment},
    )


def run(*arguments: str, stdin: bytes = b"", cwd: Path | None = None) -> subprocess.CompletedProcess[bytes]:
    """The command within this process, with the same output and exit code."""
    with chdir(cwd or Path.cwd()):
        done = CliRunner().invoke(app, arguments, input=stdin, prog_name="symparam")
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return subprocess.CompletedProcess(arguments, done.exit_code, done.stdout_bytes, done.stderr_bytes)


def text(*arguments: str, stdin: str = "", cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """The command within this process, with what it writes as text."""
    done = run(*arguments, stdin=stdin.encode(), cwd=cwd)
    return subprocess.CompletedProcess(arguments, done.returncode, done.stdout.decode(), done.stderr.decode())


def out(*arguments: str, stdin: bytes = b"", cwd: Path | None = None) -> str:
    """What a command that succeeds writes to standard output."""
    done = run(*arguments, stdin=stdin, cwd=cwd)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()
