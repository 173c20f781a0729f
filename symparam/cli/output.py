"""Ends a command: writes its text to standard output or a file, notes and errors to standard error, and sets the exit code."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from symparam.errors import FormulaError, SymparamError, visible, visible_lines

if TYPE_CHECKING:
    from symparam.commands.queries import Answer
    from symparam.core.notation import Notation


@contextmanager
def handle_errors() -> Iterator[None]:
    """End the process with one sentence and exit code 2 if the input is at fault or the output cannot be written."""
    try:
        yield
        sys.stdout.flush()
    except SymparamError as error:
        say(str(error))
        raise typer.Exit(2) from None
    except OSError as error:
        if not isinstance(error, BrokenPipeError):
            say(f"the output cannot be written: {error.strerror}")
            os._exit(2)
        # The reader has closed the pipe. Nothing may be left to write, not even when Python closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def printing(command: Callable[..., Answer]) -> Callable[..., None]:
    """A function that calls the command and prints its answer, with the options on output of `symparam.commands.options`."""

    def print_answer(
        format: str | None,
        dialect: str | None,
        fragment: bool,
        ascii: bool,
        output: str | None,
        unit: str | None = None,
        digits: int | None = None,
        chart: str | None = None,
        dark: bool = False,
        **arguments: object,
    ) -> None:
        with handle_errors():
            answer = command(**arguments)
            print_notes(answer.notes)
            if chart is not None:
                _draw(answer, chart, dark)
            elif dark:
                raise FormulaError("--dark applies only to a chart; name its file with --chart, or leave it out")
            width = shutil.get_terminal_size().columns if output is None and sys.stdout.isatty() else 0
            if format == "number" or (format is None and (unit or digits is not None)):
                number = _number(answer, unit, digits, dialect, fragment)
                write_output(lambda _: number, output, ascii)
                return
            if unit or digits is not None:
                raise FormulaError(f"--unit and --digits apply only to --format number; leave them out, or --format {format}")
            write_output(lambda notation: answer.write(format or "text", notation, width, dialect, fragment), output, ascii)

    return print_answer


def drawing(command: Callable[..., Answer]) -> Callable[..., None]:
    """A function that calls the command and writes its drawing: to a file, in the format given by its suffix, or as text."""

    def write_drawing(format: str | None, fragment: bool, dark: bool, output: str | None, **arguments: object) -> None:
        from symparam.results.draw import FORMAT_OF_ENDING, DrawResult

        with handle_errors():
            ending = FORMAT_OF_ENDING.get(Path(output or "").suffix.lower())
            if format is not None and ending not in (None, format):
                raise FormulaError(f"--format {format} contradicts the ending of {output}; leave out the format, or name another file")
            answer = command(**arguments)
            assert isinstance(answer, DrawResult)
            print_notes(answer.notes)
            if output not in (None, "-") and format is None and not fragment:
                answer.save(str(output), dark)
            elif dark and format == "latex":
                raise FormulaError("--dark does not apply to LaTeX, which is always dark on light; leave it out")
            else:
                latex = format == "latex" or (fragment and format is None)
                text = answer.write("latex", fragment=fragment) if latex else answer.write("svg", fragment=fragment, dark=dark or None)
                write_output(lambda _: text, output, ascii=False)

    return write_drawing


def _draw(answer: Answer, chart: str, dark: bool) -> None:
    from symparam.results.result import Explained
    from symparam.results.sweep import SweepResult

    answer = answer.answer if isinstance(answer, Explained) else answer
    assert isinstance(answer, SweepResult)  # Other commands have no such option.
    answer.save_chart(chart, dark)


def _number(answer: Answer, unit: str | None, digits: int | None, dialect: str | None, fragment: bool) -> str:
    from symparam.commands.numbers import counted
    from symparam.core.notation import ASCII
    from symparam.writing.completeness import sentences
    from symparam.writing.formats import check_format
    from symparam.writing.phrases import phrases
    from symparam.writing.plain import inline
    from symparam.writing.reports import released_extras

    check_format("number", dialect, fragment, ("number",))
    found = counted(answer)
    print_notes(sentences(found.missing, phrases(found.language)))
    print_notes(inline(each.line, ASCII) for each in released_extras(found.count, found.model, phrases(found.language)))
    return found.number(unit, digits) + "\n"


def print_notes(notes: Iterable[str]) -> None:
    """Print what was assumed to standard error."""
    for note in notes:
        say(f"note: {note}")


def say(message: str) -> None:
    """Print a sentence to standard error, with control characters made harmless."""
    typer.echo(f"symparam: {visible(message)}", err=True)


def write_output(text_in: Callable[[Notation], str], output: str | None, ascii: bool, obeyed: bool = False) -> None:
    """Write the text to the file ``output``, whole or not at all, or to standard output, with control characters made harmless.

    ``obeyed`` says that the control sequences are symparam's own and are kept: colours, or the commands of a workflow. ``text_in`` gives
    the text in a notation: ASCII if requested or if the terminal has nothing else. Raises `SymparamError` if the terminal cannot show the
    text.
    """
    from symparam.core.notation import ASCII, UNICODE
    from symparam.writing.file import write_file

    if output is not None and output != "-":
        write_file(output, text_in(ASCII if ascii else UNICODE))
        return
    encoding = sys.stdout.encoding or "ascii"
    text = text_in(ASCII if ascii or not _is_encodable("×−²", encoding) else UNICODE)
    if not obeyed and not text.startswith("{"):  # JSON has escapes of its own, and keeps its meaning.
        text = visible_lines(text)
    if not _is_encodable(text, encoding):
        if not text.startswith("{"):
            raise SymparamError(
                f"this terminal's encoding, {encoding}, cannot show the text; write it to a file with -o FILE, or set PYTHONUTF8=1"
            )
        import json

        text = json.dumps(json.loads(text), indent=2) + "\n"
    sys.stdout.write(text)


def _is_encodable(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
