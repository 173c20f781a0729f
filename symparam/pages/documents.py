"""Pages in files: read, filled, and written back whole or not at all."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from os import PathLike
from pathlib import Path

from symparam.errors import DocumentError, SymparamError
from symparam.pages.filling import FilledPage, State, fill
from symparam.pages.languages import LANGUAGES, language_of
from symparam.pages.notebook import fill_notebook
from symparam.reading.files import STDIN, gather
from symparam.reading.source import Source, read_source
from symparam.writing.dialects import dialect_named
from symparam.writing.file import write_file


@dataclass(frozen=True)
class FilledPages:
    """The pages that were asked for, and a sentence for each that could not be read, filled or written."""

    pages: tuple[FilledPage, ...]
    errors: tuple[str, ...]


def fill_pages(
    names: Iterable[str | PathLike[str]],
    check: bool = False,
    overwrite: bool = False,
    dialect: str | None = None,
    progress: Callable[[str, int, int], object] | None = None,
) -> FilledPages:
    """The pages under these names with their marked places filled, in the files too unless they are only to be checked.

    A page that is at fault is left as it was and does not lose the others. Raises `UnknownNameError` for the dialect, and
    `DocumentError` where there is no page at all.
    """
    if dialect is not None:
        dialect_named(dialect)
    found = gather(names, tuple(LANGUAGES))
    pages: list[FilledPage] = []
    errors = [*found.errors]
    for number, path in enumerate(found.paths, 1):
        if progress:
            progress(path, number, len(found.paths))
        try:
            pages.append(_filled(path, check, overwrite, dialect, errors))
        except SymparamError as error:
            errors.append(str(error))
    if not pages:
        more = f" (and {len(errors) - 1} more could not be read)" if len(errors) > 1 else ""
        raise DocumentError(errors[0] + more if errors else "no page is given; name a file or a folder")
    return FilledPages(tuple(pages), tuple(errors))


def fill_text(source: Source, path: str, overwrite: bool = False, dialect: str | None = None) -> FilledPage:
    """The page in this text, which stands or would stand at this path. Raises `DocumentError` for marks that do not belong together."""
    language = language_of(path)
    filling = partial(fill, language=language, folder=Path(path).parent, dialect=dialect, overwrite=overwrite)
    return fill_notebook(source, filling) if Path(path).suffix.lower() == ".ipynb" else filling(source)


def _filled(path: str, check: bool, overwrite: bool, dialect: str | None, errors: list[str]) -> FilledPage:
    if path == STDIN:
        raise DocumentError("standard input has no places that could be filled in a file; name a page")
    language_of(path)  # What is no page is not read.
    mark, source = _read(path)
    page = fill_text(source, path, overwrite, dialect)
    failed = page.of(State.FAILED)
    errors += [f"{page.where(place)}: {place.message}" for place in failed]
    if not failed and not check and page.after != page.before:
        try:
            write_file(path, mark + page.after, remedy="make it writable")
        except SymparamError as error:
            raise DocumentError(f"{error}; the page is as it was") from None
    return page


def _read(path: str) -> tuple[str, Source]:
    """The mark at the beginning of a file, if any, and its text. A page is UTF-8, since so it is written back."""
    source = read_source(path)
    with Path(path).open("rb") as file:
        first = file.read(3)
    if first.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise DocumentError(f"{path}:1:1: the page is not UTF-8 but UTF-16 or UTF-32; save it as UTF-8")
    return "\ufeff" if first == codecs.BOM_UTF8 else "", source
