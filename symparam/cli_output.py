"""What a command ends in: its text on standard output or in a file, notes and errors on standard error, and an exit code."""

from __future__ import annotations

import gc
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

from symparam import imported
from symparam.errors import SymparamError

if TYPE_CHECKING:
    from symparam.commands import Answer
    from symparam.notation import Notation


@contextmanager
def ending() -> Iterator[None]:
    """What is the input's fault ends in one sentence and exit code 2."""
    try:
        yield
        sys.stdout.flush()
    except SymparamError as error:
        typer.echo(f"symparam: {error}", err=True)
        raise typer.Exit(2) from None
    except OSError as error:
        if not isinstance(error, BrokenPipeError):
            typer.echo(f"symparam: the output cannot be written: {error.strerror}", err=True)
            os._exit(2)
        # The reader has seen enough. Nothing is left to write, also not when Python closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def answering(command: Callable[..., Answer]) -> Callable[..., None]:
    """The command that writes what the other returns, as its own options say."""

    def answer(format: str, dialect: str | None, fragment: bool, ascii: bool, output: str | None, **asked: Any) -> None:
        with ending():
            imported("symparam.api")
            gc.freeze()  # What was imported stays, so that no collection during the command goes through all of it.
            found = command(**asked)
            note(found.notes)
            width = shutil.get_terminal_size().columns if output is None and sys.stdout.isatty() else 0
            write(lambda notation: found.write(format, notation, width, dialect, fragment), output, ascii)

    return answer


def note(notes: Iterable[str]) -> None:
    """What was assumed, on standard error."""
    for note in notes:
        typer.echo(f"symparam: note: {note}", err=True)


def write(text_in: Callable[[Notation], str], output: str | None, ascii: bool) -> None:
    """The text to the file, whole or not at all, or to standard output in the signs that it knows."""
    from symparam.notation import ASCII, UNICODE
    from symparam.writing.file import write_file

    if output not in (None, "-"):
        write_file(output or "", text_in(ASCII if ascii else UNICODE))
        return
    encoding = sys.stdout.encoding or "ascii"
    text = text_in(ASCII if ascii or not _encodable("×−²", encoding) else UNICODE)
    if not _encodable(text, encoding):
        if not text.startswith("{"):
            raise SymparamError(
                f"this terminal's encoding, {encoding}, cannot show the text; write it to a file with -o FILE, or set PYTHONUTF8=1"
            )
        import json

        text = json.dumps(json.loads(text), indent=2) + "\n"
    sys.stdout.write(text)


def _encodable(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
