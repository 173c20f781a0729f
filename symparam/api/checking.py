"""Checking documents and texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from os import PathLike

from symparam.api.common import AlphabetLike, Documents, Symbols, alphabet_of
from symparam.core.alphabets import Alphabet
from symparam.core.notation import UNICODE
from symparam.documents.check import check_document
from symparam.documents.checking.basis.context import context_of
from symparam.documents.checking.finding import CheckedDocument
from symparam.documents.reading.files import STDIN, gather, read_file
from symparam.documents.reading.source import Source
from symparam.documents.roles.stated_measure import StatedMeasure
from symparam.documents.rules.registry import rules_named
from symparam.errors import DocumentError, SymparamError, UnknownNameError
from symparam.models.configs.changes import Changes
from symparam.models.resolution import Config, Named
from symparam.models.statements import Where
from symparam.results.check import CheckResult
from symparam.writing.findings.worded import WordedDocument, in_words
from symparam.writing.phrases import phrases
from symparam.writing.wording import Wording


def check(
    documents: Documents,
    *,
    architecture: Named | None = None,
    config: Config | None = None,
    where: Where = (),
    set: Changes = (),
    alphabet: AlphabetLike = (),
    symbols: Symbols = (),
    measure: str = "",
    convention: str = "",
    without: Iterable[str] = (),
    language: str | None = None,
    progress: Callable[[str, int, int], object] | None = None,
) -> CheckResult:
    """Check every claim of documents: ``check("notes.md").wrong``, ``check(["docs", "notes.tex"], architecture="gpt2")``.

    Documents are files and folders; `check_text` takes a string. ``architecture`` and ``config`` say which model they are about, ``where``
    states relations and values for all of them (``"I=4H"``, ``"N=12"``), ``alphabet`` has their authors' letters, ``symbols`` declares
    further names, ``measure`` and ``convention`` (as in `count`) say what numbers count where the page does not, and ``without`` names
    rules to switch off. ``language`` is the language of the report, ``en`` or ``zh``; by default the one in the front matter, or English.
    ``progress`` is called before each document with its path, its number from 1 and the number of documents. A file that cannot be read is
    listed in the ``errors`` of the result. Raises `SymparamError` if no file can be read, or for a bad argument.
    """
    found = gather((documents,) if isinstance(documents, (str, PathLike)) else documents)
    if STDIN in found.paths and STDIN in (config, architecture):
        raise DocumentError("standard input cannot be the config and a document; give one of them as a file")
    context, remarks = context_of(architecture, config, where, alphabet_of(alphabet), symbols, set, StatedMeasure(measure, convention))
    context = replace(context, without=rules_named(without))
    say = partial(_worded, language, context.alphabet)
    checked, errors = [], [*found.errors]
    for number, path in enumerate(found.paths, 1):
        if progress:
            progress(path, number, len(found.paths))
        try:
            checked.append(say(check_document(read_file(path), context)))
        except SymparamError as error:
            errors.append(str(error))
    if not checked:
        more = f" (and {len(errors) - 1} more could not be read)" if len(errors) > 1 else ""
        raise DocumentError((errors[0] + more) if errors else "no document is given; name a file, a folder, or - for standard input")
    return CheckResult(tuple(checked), tuple(errors), remarks, _wording_of(checked, context.alphabet))


def check_text(
    text: str,
    name: str = "<text>",
    *,
    architecture: Named | None = None,
    config: Config | None = None,
    where: Where = (),
    set: Changes = (),
    alphabet: AlphabetLike = (),
    symbols: Symbols = (),
    measure: str = "",
    convention: str = "",
    without: Iterable[str] = (),
    language: str | None = None,
) -> CheckResult:
    """Check every claim of a text; reports call it ``name``. Arguments and errors are those of `check`."""
    if not isinstance(text, str):
        raise DocumentError(f"{type(text).__name__} is not a text; a string is expected, and the path of a file goes to check")
    context, remarks = context_of(architecture, config, where, alphabet_of(alphabet), symbols, set, StatedMeasure(measure, convention))
    context = replace(context, without=rules_named(without))
    checked = _worded(language, context.alphabet, check_document(Source(name, text), context))
    return CheckResult((checked,), (), remarks, _wording_of([checked], context.alphabet))


def _worded(language: str | None, letters: Alphabet, document: CheckedDocument) -> WordedDocument:
    """The document with messages in the given language, or in the one that it declares."""
    try:
        words = phrases(language or document.language or "en")
    except UnknownNameError as error:
        raise error if language else DocumentError(f"{document.source.name}: in the front matter, {error}") from None
    return in_words(document, Wording(words, UNICODE.using(letters)))


def _wording_of(documents: Sequence[WordedDocument], letters: Alphabet) -> Wording:
    """The wording of a report on several documents: their common language, or English."""
    languages = {document.language for document in documents}
    return Wording(phrases(languages.pop() if len(languages) == 1 else "en"), UNICODE.using(letters))
