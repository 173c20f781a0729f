"""The command line: parse arguments, call one function of the API, write what it returns.

SymPy takes longer to import than everything else together, so it is imported only by the commands that compute.
"""

from __future__ import annotations

import gc
import os
import shutil
import sys
from collections.abc import Mapping
from functools import partial
from typing import Annotated, Literal, Unpack

import typer
from typer.models import CommandInfo

from symparam import __version__
from symparam.cli.output import drawing, handle_errors, print_notes, printing, say, write_output
from symparam.commands.options import (
    WRITING,
    WRITING_A_DRAWING,
    WRITING_A_FORMULA,
    WRITING_A_NUMBER,
    WRITING_A_TABLE,
    Ascii,
    Checked,
    Declared,
    Dialect,
    Language,
    Output,
)
from symparam.commands.parsing import UsageError
from symparam.commands.queries import QUERIES, Query
from symparam.commands.signatures import stated, with_options
from symparam.core.lazy_imports import imported
from symparam.errors import visible_lines


def examples(*commands: str) -> str:
    """The examples at the end of a help page; an indent of four spaces keeps their lines as they are, in the help and in Markdown."""
    return "\n\n".join(("Examples:", *(f"    symparam {command}" for command in commands)))


app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=examples("derive gpt2 --where I=4H", "check notes.md --architecture bert"),
)


def run() -> None:
    """Run the command in ``sys.argv``, then end the process without Python's clean-up, which with SymPy takes as long as a derivation."""
    # Most commands end before they create this many objects, and garbage collection would take a tenth of their time.
    gc.set_threshold(100_000)
    code: int | str | None = 2
    try:
        if sys.stdout is None:
            say("standard output is closed; write to a file with -o FILE")
            os._exit(2)
        # Typer builds the parameters of every registered function; those of other commands are not needed.
        app.registered_commands = [each for each in app.registered_commands if _called(each) in sys.argv[1:2]] or app.registered_commands
        code = app(prog_name="symparam", standalone_mode=False)
    except UsageError as error:
        error.message = visible_lines(error.message)  # The message quotes what was typed, or a file name that the shell expanded.
        error.show()
        code = error.exit_code
    except SystemExit as ended:
        code = ended.code
    try:
        sys.stdout.flush()
    except OSError:
        code = code or 2
    os._exit(code if isinstance(code, int) else int(code is not None))


def _called(command: CommandInfo) -> str:
    """The name that the command is called by."""
    return command.name or (command.callback.__name__ if command.callback else "")


@app.callback(invoke_without_command=True)
def main(version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False) -> None:
    """Derive, explain and check closed formulas for the parameters, operations and memory of neural networks."""
    if version:
        typer.echo(f"symparam {__version__}")
        raise typer.Exit


def writing(query: Query) -> Mapping[str, Declared]:
    """The options on how the answer of a command is written."""
    if query.is_formula:
        return WRITING_A_FORMULA
    if query.has_total:
        return WRITING_A_NUMBER
    return WRITING_A_TABLE if query.has_chart else WRITING


for _name, _query in QUERIES.items():
    if _query.is_drawn:
        _function = with_options(drawing(_query.answer), _query.run, WRITING_A_DRAWING)
    elif _query.is_page:
        _page = partial(printing(_query.answer), format="html", dialect=None, fragment=False, ascii=False)
        _function = with_options(_page, _query.run, {"output": WRITING["output"]})
    else:
        _function = with_options(printing(_query.answer), _query.run, {**_query.options, **writing(_query)})
    app.command(_name, short_help=_query.run.__doc__, epilog=examples(*_query.examples))(_function)


def check(
    documents: Annotated[list[str], typer.Argument(metavar="FILE...", help="Documents, folders of documents, or - for standard input.")],
    format: Annotated[Literal["text", "html", "json", "github", "sarif"], typer.Option("--format", "-f", help="Output format.")] = "text",
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show every claim, including those that hold or cannot be decided.")
    ] = False,
    ascii: Ascii = False,
    output: Output = None,
    **checked: Unpack[Checked],
) -> None:
    """Check the formulas and numbers in documents. Exit code 0: nothing is wrong, 1: something is wrong, 2: bad input."""
    from symparam.writing.progress import Progress

    code = 0
    with handle_errors():
        with Progress("checking") as progress:
            found = imported("symparam.api").check(documents, progress=progress, **stated(checked))
        code = 2 if found.errors else 1 if found.wrong else 0  # Exit with this code even if the reader of the report stops early.
        print_notes(found.notes)
        watched = output is None and sys.stdout.isatty()
        encoding = "ascii" if ascii else "utf-8" if output not in (None, "-") else sys.stdout.encoding or "ascii"
        width = shutil.get_terminal_size().columns if watched else 0
        color = watched and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        text = found.write(format, verbose=verbose, width=width, encoding=encoding, color=color)
        write_output(lambda _: text, output, ascii, obeyed=color or format == "github")
        for error in found.errors:
            say(error)
    raise typer.Exit(code)


app.command(
    short_help="Check the formulas and numbers in documents.",
    epilog=examples("check notes.md --architecture bert --where I=4H", "check docs README.md --format github"),
)(with_options(check, check))


@app.command(
    short_help="Find the closed form of any torch module by building it.",
    epilog=examples("trace model.py:Net --set dim=384 -o net.json", "trace transformers:Qwen3ForCausalLM --config config.json"),
)
def trace(
    target: Annotated[str, typer.Argument(metavar="CLASS", help="MODULE:CLASS or FILE.py:CLASS; its code is run.")],
    set: Annotated[  # The name of the option.
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="A setting to trace around (dim=384); may be repeated.")
    ] = None,
    config: Annotated[str | None, typer.Option(metavar="FILE", help="A JSON file of settings to trace around.")] = None,
    verify: Annotated[int, typer.Option(min=1, max=50, metavar="NUMBER", help="The number of unseen settings that must be exact.")] = 6,
    python: Annotated[str | None, typer.Option(metavar="INTERPRETER", help="The Python interpreter that has torch and the module.")] = None,
    timeout: Annotated[
        float,
        typer.Option(
            min=1, metavar="SECONDS", help="The limit of processor time in seconds; altogether a trace may take five times as long."
        ),
    ] = 120,
    format: Annotated[Literal["text", "json"], typer.Option("--format", "-f", help="Output format.")] = "text",
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="Write a file that other commands take as a model.")
    ] = None,
) -> None:
    """Find the closed form of any torch module by building it, and check it on settings it has not seen. The module's code is run."""
    from symparam.commands.settings import merged_settings

    with handle_errors():
        found = imported("symparam.api").trace(target, merged_settings(config, set or ()), verify=verify, python=python, timeout=timeout)
        answer = found.json() if format == "json" else found.text()  # Before anything is written: it may be refused.
        if output is not None and output != "-":
            found.save(output)
        write_output(lambda _: answer, None, ascii=False)


@app.command(
    short_help="Fill the marked places of pages.",
    epilog=examples("docs README.md", "docs --check docs README.md"),
)
def docs(
    pages: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="Pages in Markdown, reStructuredText, LaTeX or HTML, notebooks, or folders.")
    ],
    check: Annotated[bool, typer.Option("--check", help="Write nothing; show what is out of date, as a diff.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Also fill places that were edited by hand.")] = False,
    dialect: Dialect = None,
    format: Annotated[Literal["text", "json", "github"], typer.Option("--format", "-f", help="Output format.")] = "text",
) -> None:
    """Fill the marked places of pages. Exit code 0: all is up to date, 1: something is not, or was edited by hand, 2: bad input."""
    from symparam.writing.progress import Progress

    code = 0
    with handle_errors():
        with Progress("filling") as progress:
            found = imported("symparam.pages.docs").docs(pages, check=check, overwrite=overwrite, dialect=dialect, progress=progress)
        code = 2 if found.errors else 1 if found.edited or (check and found.changed) else 0
        write_output(lambda _: found.write(format), None, ascii=False, obeyed=format == "github")
        for error in found.errors:
            say(error)
    raise typer.Exit(code)


@app.command(
    short_help="Write a folder of pages: models to explore, and a checker that runs in the browser.",
    epilog=examples("site -o site llama-3-8b mixtral-8x7b", "site -o site --pyodide node_modules/pyodide"),
)
def site(
    output: Annotated[
        str,
        typer.Option("--output", "-o", metavar="FOLDER", help="The folder to write; it must be empty or written by this command before."),
    ],
    models: Annotated[
        list[str] | None, typer.Argument(metavar="[MODEL]...", help="Presets to explore; default: one of each family.")
    ] = None,
    pyodide: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER", help="The folder of the npm package pyodide; with it, the site also has a page that checks pasted text."
        ),
    ] = None,
    language: Language = "en",
) -> None:
    """Write a folder of pages: models to explore, and a checker that runs in the browser."""
    from symparam.writing.progress import Progress

    with handle_errors():
        with Progress("writing") as progress:
            number = imported("symparam.integrations.browser.site").site(output, models or (), pyodide, language, progress)
        if pyodide is None:
            say("note: without --pyodide there is no page to paste into; npm install pyodide, and name its folder, node_modules/pyodide")
        elif shutil.which("node") is None:
            say("note: node is not installed, so the page to paste into has no bytecode and starts some seconds later")
        write_output(lambda _: f"{number} files in {output}\n", None, ascii=False)
