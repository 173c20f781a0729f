"""The command line: parse arguments, call one function of the API, write what it returns.

SymPy takes longer to import than everything else together, so it is imported only by the commands that compute.
"""

from __future__ import annotations

import os
import shutil
import sys
from typing import Annotated, Literal

import typer

from symparam import __version__, imported
from symparam.cli_options import (
    MEASURING,
    WRITING,
    About,
    AboutConfig,
    Alphabets,
    Ascii,
    Dialect,
    Holding,
    Output,
    Symbols,
    spelled_out,
)
from symparam.cli_output import answering, ending, note, write
from symparam.commands import COMMANDS

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def run() -> None:
    """The whole process: the command, then out at once, as taking SymPy's modules apart costs as much as a derivation."""
    code: int | str | None = 2
    try:
        if sys.stdout is None:
            typer.echo("symparam: standard output is closed; write to a file with -o FILE", err=True)
            os._exit(2)
        app(prog_name="symparam")
    except SystemExit as ending:
        code = ending.code
    try:
        sys.stdout.flush()
    except OSError:
        code = code or 2
    os._exit(code if isinstance(code, int) else int(code is not None))


@app.callback(invoke_without_command=True)
def main(version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False) -> None:
    """Derive, explain and count the parameters of neural networks as closed formulas."""
    if version:
        typer.echo(f"symparam {__version__}")
        raise typer.Exit


for _name, _command in COMMANDS.items():
    app.command(_name, short_help=_command.__doc__)(spelled_out(answering(_command), _command, MEASURING, WRITING))


@app.command(short_help="Check the formulas and numbers that documents claim.")
def check(
    documents: Annotated[list[str], typer.Argument(metavar="FILE...", help="Documents, folders with documents, or - for standard input.")],
    architecture: About = None,
    config: AboutConfig = None,
    where: Holding = None,
    alphabet: Alphabets = None,
    symbol: Symbols = None,
    format: Annotated[Literal["text", "json", "github", "sarif"], typer.Option("--format", "-f", help="How to write it.")] = "text",
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Tell of each claim, also of what holds or cannot be decided.")] = False,
    ascii: Ascii = False,
    output: Output = None,
) -> None:
    """Check the formulas and numbers that documents claim. Exit code 0: nothing is wrong, 1: something is, 2: bad input."""
    from symparam.writing.progress import Progress

    code = 0
    with ending():
        with Progress("checking") as progress:
            found = imported("symparam.api").check(
                documents,
                architecture=architecture,
                config=config,
                where=where or (),
                letters=alphabet or (),
                symbols=symbol or (),
                progress=progress,
            )
        code = 2 if found.errors else 1 if found.wrong else 0  # Also if the reader of the report stops early.
        note(found.notes)
        watched = output is None and sys.stdout.isatty()
        encoding = "ascii" if ascii else "utf-8" if output not in (None, "-") else sys.stdout.encoding or "ascii"
        width = shutil.get_terminal_size().columns if watched else 0
        color = watched and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        text = found.write(format, verbose=verbose, width=width, encoding=encoding, color=color)
        write(lambda _: text, output, ascii)
        for error in found.errors:
            typer.echo(f"symparam: {error}", err=True)
    raise typer.Exit(code)


@app.command(short_help="Fill the marked places of pages.")
def docs(
    pages: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="Pages in Markdown, reStructuredText, LaTeX or HTML, notebooks, folders.")
    ],
    check: Annotated[bool, typer.Option("--check", help="Write nothing; show what is out of date, as a diff.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Fill places too that were edited by hand.")] = False,
    dialect: Dialect = None,
    format: Annotated[Literal["text", "json", "github"], typer.Option("--format", "-f", help="How to write it.")] = "text",
) -> None:
    """Fill the marked places of pages. Exit code 0: all is up to date, 1: something is not, or was edited by hand, 2: bad input."""
    from symparam.writing.progress import Progress

    code = 0
    with ending():
        with Progress("filling") as progress:
            found = imported("symparam.api").docs(pages, check=check, overwrite=overwrite, dialect=dialect, progress=progress)
        code = 2 if found.errors else 1 if found.edited or (check and found.changed) else 0
        write(lambda _: found.write(format), None, ascii=False)
        for error in found.errors:
            typer.echo(f"symparam: {error}", err=True)
    raise typer.Exit(code)
