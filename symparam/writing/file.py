"""Writes a result to a file: whole, or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from symparam.errors import SymparamError


def write_file(output: str, content: str | bytes, remedy: str = "give another file with -o") -> None:
    """Write the text, or the bytes, to the file that ``output`` names.

    Raises a `SymparamError` with the reason and a remedy if that fails.
    """
    data = content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace")
    path = Path(output).resolve()  # A link stays a link; its target is written.
    try:
        if not output or path.is_dir():
            raise IsADirectoryError(21, "it is a directory" if output else "it has no name")
        if path.is_file() and not path.stat().st_mode & 0o222:
            raise PermissionError(13, "it is read-only")  # A read-only file could still be replaced, so this is checked.
        if path.exists() and not path.is_file():
            path.write_bytes(data)  # A device or a pipe, which must not be replaced by a file.
            return
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
            mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask()
            os.chmod(temporary, mode)
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as error:
        raise SymparamError(f"{output!r} cannot be written: {error.strerror or error}; {remedy}") from None


def replace_text(path: str, before: bytes, text: str, remedy: str) -> bool:
    """Replace the bytes that the file held by the text. Returns False if someone else has changed the file since; their text is kept."""
    with Path(path).open("rb") as former:
        if former.read() != before:
            return False
        if os.name == "nt":
            former.close()  # Windows refuses to replace a file that a program has open, be it this one or another.
        write_file(path, text, remedy)
        if former.closed:
            return True
        # A program that had the file open may have written to it while it was replaced.
        former.seek(0)
        if (meanwhile := former.read()) != before:
            Path(path).write_bytes(meanwhile)
            return False
    return True


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
