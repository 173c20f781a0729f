"""Finds documents from the names that a user gives: files, folders with the documents in them, ``-`` for standard input."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from symparam.core.frozen import frozen
from symparam.documents.reading.source import MAX_BYTES, Source, decode, read_source
from symparam.errors import DocumentError, nearest, shorten
from symparam.models.configs.presets import find_preset

SUFFIXES = (".md", ".markdown", ".txt", ".rst", ".tex", ".html", ".ipynb")
"""Suffixes of the files that are read from a folder. A file named by the user may have any name."""

STDIN = "-"
_LEFT_OUT = frozenset({"node_modules", "__pycache__"})  # Folders of other people's documents; hidden folders are skipped as well.
_PROJECT = (".git", ".hg", "pyproject.toml")  # The root folder of a project has one of them.
_MOST_NEIGHBOURS = 2_000  # Names that a missing one is compared with.


@frozen
class Gathered:
    """The paths of documents without duplicates, in the order in which they were named, and a sentence for each name that leads to none."""

    paths: tuple[str, ...]
    errors: tuple[str, ...] = ()


def gather(names: Iterable[str | os.PathLike[str]], suffixes: tuple[str, ...] = SUFFIXES) -> Gathered:
    """The documents under these names, in folders those with one of the suffixes. An error in one name does not affect the others."""
    paths: dict[str, str] = {}
    errors: list[str] = []
    for name in names:
        try:
            for path in _documents(os.fspath(name), errors, suffixes):
                paths.setdefault(path if path == STDIN else os.path.realpath(path), path)
        except DocumentError as error:
            errors.append(str(error))
    return Gathered(tuple(paths.values()), tuple(errors))


def read_file(path: str) -> Source:
    """Read the document at a path, or standard input for ``-``. Raises `DocumentError` if it cannot be read."""
    if path != STDIN:
        return read_source(path)
    if sys.stdin is None:
        raise DocumentError("standard input is closed; give the path of a document")
    content = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise DocumentError(f"<stdin>: there are more than {MAX_BYTES:,} bytes; give the part with the formulas")
    return decode(content, "<stdin>")


def check_inside(name: str, folder: Path) -> None:
    """Raise a `DocumentError` if a file named by a document in this folder is neither in its project nor where symparam was started.

    The project is the nearest folder above that is the root of a repository or a package, or else the folder itself. Links are followed.
    """
    above = (folder.resolve(), *folder.resolve().parents)
    project = next((each for each in above if any((each / mark).exists() for mark in _PROJECT)), folder.resolve())
    path = (folder / name).resolve()
    if not any(path.is_relative_to(root) for root in (project, Path().resolve())):
        raise DocumentError(f"the file {shorten(name)!r} lies outside of the project of the page and of where symparam was started")


def _documents(name: str, errors: list[str], suffixes: tuple[str, ...]) -> Iterator[str]:
    """The paths under one name; what cannot be read inside a folder is added to the errors, as the rest can still be checked."""
    if name == STDIN:
        yield name
    elif not name:
        raise DocumentError("the name of a document is empty; give a file, a folder, or - for standard input")
    elif os.path.isdir(name):
        found = list(_inside(name, errors, suffixes))
        if not found:
            raise DocumentError(
                f"there is no document in the folder {shorten(name)!r}; files ending in {', '.join(suffixes)} are looked for, "
                "so name other files themselves"
            )
        yield from found
    elif os.path.lexists(name):
        yield name
    else:
        raise DocumentError(_missing(name))


def _inside(folder: str, errors: list[str], suffixes: tuple[str, ...]) -> Iterator[str]:
    """The documents in a folder and below it, sorted by name. Links to folders are not followed, as they may form cycles."""

    def unreadable(error: OSError) -> None:
        errors.append(f"the folder {shorten(str(error.filename))!r} cannot be read: {error.strerror}; leave it out or make it readable")

    for here, folders, files in os.walk(folder, onerror=unreadable):
        folders[:] = sorted(each for each in folders if not _is_left_out(here, each))
        for file in sorted(files):
            path = Path(here, file)
            # Reading something that is not a file, such as a pipe, could block forever.
            if not file.startswith(".") and path.suffix.lower() in suffixes and (path.is_file() or path.is_symlink()):
                yield str(path)


def _is_left_out(parent: str, folder: str) -> bool:
    """Whether a folder inside a named one is hidden, or holds installed packages, like a virtual environment."""
    return folder.startswith(".") or folder in _LEFT_OUT or os.path.exists(os.path.join(parent, folder, "pyvenv.cfg"))


def _missing(name: str) -> str:
    """The sentence for a path that does not exist, with the nearest one that does."""
    if "\n" in name:
        return f"there is no file named {shorten(name.partition(chr(10))[0], 40)!r} and so on; a text itself is given to check_text"
    path = Path(name)
    if find_preset(name):
        return f"there is no file or folder {name!r}; it is the name of a model: symparam check PAGE --config {name}"
    try:
        neighbours = [entry.name for entry in islice(os.scandir(path.parent), _MOST_NEIGHBOURS)]
    except (OSError, ValueError):
        return f"there is no file or folder {shorten(name)!r}, nor the folder {shorten(str(path.parent))!r}; give the path of a document"
    close = [each for each in neighbours if nearest(path.stem, [Path(each).stem])]  # Having the same ending alone is not.
    alike = [str(path.parent / each) for each in nearest(path.name, close)]
    if alike:
        return f"there is no file or folder {shorten(name)!r}; did you mean {' or '.join(map(repr, alike))}?"
    return f"there is no file or folder {shorten(name)!r}; give the path of a document"
