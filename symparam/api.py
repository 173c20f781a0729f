"""The functions of the command line for Python and notebooks. Each takes what a user would name and returns an object that shows itself.

What only explanations and tables need is imported where it is used: a formula alone is there in two thirds of the time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Unpack

from symparam.alphabets import Alphabet, alphabet
from symparam.architectures import FAMILIES, find
from symparam.choosing import Chosen, Config, Named, choose, read_stated
from symparam.configs.presets import presets
from symparam.derivation import Measure
from symparam.derived import Derived, derived
from symparam.dimensions import DIMENSIONS
from symparam.errors import ArchitectureError, DocumentError, FormulaError, SymparamError
from symparam.formula import Symbol
from symparam.measures.choosing import Measuring, Options, measure_of
from symparam.measures.deriving import measured
from symparam.reading.formula import read_formula

if TYPE_CHECKING:
    from symparam.checked import Checked
    from symparam.filled import Filled
    from symparam.results import Catalogue, Compared, Counted, Crossed, Explanation, PublishedList, PublishedPage, Tensors, Vocabulary
    from symparam.writing.explanation import Subject

Letters = str | Sequence[str] | Alphabet
"""An alphabet: its name, changes to it such as ``["kaplan", "P=n_pos"]``, or the object."""
Symbols = Mapping[str, str] | Iterable[str]
"""An author's names with the letters or names of what they stand for: ``{"C": "H"}``, or ``["C=H", "C=hidden_size"]``."""
Documents = str | PathLike[str] | Iterable[str | PathLike[str]]
"""Paths of files and folders, and ``-`` for standard input."""


def derive(
    model: Named,
    *,
    config: Config | None = None,
    where: Iterable[str] = (),
    form: str = "by-symbol",
    by: str | None = None,
    letters: Letters = (),
    **measuring: Unpack[Measuring],
) -> Derived:
    """The general formula for the number of parameters: ``derive("bert", where=["I=4H"])``.

    ``model`` is an architecture (``bert``, ``BertForMaskedLM``), a preset, the path of a config.json, its keys, or an `Architecture`; with
    an architecture, ``config`` may give a preset, a path or keys. ``where`` states relations, values and flags (``"I=4H"``, ``"N=12"``,
    ``"tie_word_embeddings=false"``). ``form`` is ``by-symbol``, ``expanded``, ``factored`` or ``by-module``, ``by`` the letter to collect
    by. ``measure`` is one of `symparam.measures.choosing.MEASURES`: ``parameters``, ``active-parameters`` (those that one token uses),
    ``flops``, ``kv-cache`` and others; ``attention`` is ``full``, ``causal`` or ``window``, for operations, and which are divided for each
    ``sequence`` or ``token`` that ``per`` says in the place of a ``batch``; ``number_format``, such as ``int8`` or ``q4_0``, is for bytes,
    and ``optimizer``, such as ``adam-mixed``, and ``zero``, the stage of ZeRO, for those of training. Of ``activations`` and of a training
    step, ``recomputation`` is ``none``, ``selective`` or ``full``, and ``tensor_parallel`` and ``sequence_parallel`` say that n_t ranks
    share activations (``where=["n_t=8"]``). ``convention`` names a tool or a paper that counts operations, such as ``thop`` or ``kaplan``:
    then it is the tool's total, or ``macs`` or ``flops`` where it reports both, with attention in the ``implementation`` ``eager`` or
    ``sdpa``. Raises `SymparamError`.
    """
    options = Options(**measuring)
    written = _alphabet(letters)
    chosen = choose(model, config, where, written, also=options.letters)
    what = _measure(chosen, options)
    found = measured(chosen.model.architecture, what, chosen.relations, written, form, _letter(by, written, chosen.own))
    return derived(found, (*chosen.model.notes, *_quirks(what, "en")))


def explain(
    model: Named,
    *,
    config: Config | None = None,
    where: Iterable[str] = (),
    by: str | None = None,
    letters: Letters = (),
    language: str = "en",
    **measuring: Unpack[Measuring],
) -> Explanation:
    """Where the formula comes from, step by step, with numbers if the model has them; in ``en`` or ``zh``.

    Arguments as for `derive`. Raises `SymparamError`.
    """
    from symparam.results import Explanation
    from symparam.writing.phrases import phrases

    options = Options(**measuring)
    subject = _subject(model, config, where, letters, by, options, language, values_first=False)
    return Explanation(subject, phrases(language).language)


def count(
    model: Named,
    *,
    config: Config | None = None,
    where: Iterable[str] = (),
    letters: Letters = (),
    language: str = "en",
    **measuring: Unpack[Measuring],
) -> Counted:
    """The number of parameters, or another measure, of a model with values, module by module: ``count("gpt2").total``.

    Arguments as for `derive`. Raises `SymparamError`, also where a letter has no value.
    """
    from symparam.counting import Count
    from symparam.results import Counted

    options = Options(**measuring)
    subject = _subject(model, config, where, letters, None, options, language, values_first=True)
    counted = subject.count or Count(subject.derivation, subject.model.values, subject.model.origin)
    return Counted(counted, subject.model, language)


def tensors(
    model: Named, *, config: Config | None = None, where: Iterable[str] = (), letters: Letters = (), language: str = "en"
) -> Tensors:
    """Every tensor with its name and shape, in the order of the reference; layer by layer where the model has values.

    Arguments as for `derive`. Raises `SymparamError`.
    """
    from symparam.listing import tensor_list
    from symparam.results import Tensors

    subject = _subject(model, config, where, letters, None, PARAMETERS_ALONE, values_first=True)
    return Tensors(tensor_list(subject.derivation, subject.count), subject.model, language)


def compare(
    first: Named,
    second: Named | None = None,
    *,
    where: Iterable[str] = (),
    letters: Letters = (),
    language: str = "en",
    conventions: tuple[str, str] | None = None,
    implementation: str = "eager",
) -> Compared:
    """What the second model has more than the first, as a formula and module by module, and in numbers where both have values.

    ``first`` and ``second`` as ``model`` of `derive`; ``where`` holds for both. A name that is both an architecture's and a preset's means
    the preset where the other is one. Instead of a second model, ``conventions`` are those of two tools: what the second counts more.
    Raises `SymparamError`.
    """
    from symparam import comparison
    from symparam.results import Compared
    from symparam.writing.phrases import phrases

    if (second is None) is (conventions is None):
        raise FormulaError("two models are compared, or one under two conventions; name a second model, or --conventions A B, not both")
    if second is None:
        return _under_conventions(first, conventions or ("", ""), where, letters, language, implementation)
    if implementation != "eager":
        raise FormulaError("--implementation is about what tools see; name two of them with --conventions")
    statements = (where,) if isinstance(where, str) else tuple(where)
    values_first = not all(isinstance(each, str) and find(each) for each in (first, second))
    pair = [_subject(each, None, statements, letters, None, PARAMETERS_ALONE, values_first=values_first) for each in (first, second)]
    before, after = pair
    found = comparison.compare(before.derivation.architecture, after.derivation.architecture, _alphabet(letters))
    return Compared(found, (before, after), phrases(language).language)


def _under_conventions(
    model: Named, names: tuple[str, str], where: Iterable[str], letters: Letters, language: str, implementation: str
) -> Compared:
    """One model twice: as two tools count it, in a unit that both report, where there is one."""
    from symparam import comparison
    from symparam.measures.conventions.counting import common_unit
    from symparam.results import Compared
    from symparam.writing.phrases import phrases

    words, unit = phrases(language), common_unit(*names)
    statements = (where,) if isinstance(where, str) else tuple(where)
    options = [Options(unit or "parameters", convention=name, implementation=implementation) for name in names]
    values_first = not (isinstance(model, str) and find(model))
    pair = [_subject(model, None, statements, letters, None, each, language, values_first=values_first) for each in options]
    shown = [
        words.say("under", model=each.model.origin or each.derivation.architecture.name, convention=name)
        for each, name in zip(pair, names, strict=True)
    ]
    before, after = (replace(each, model=replace(each.model, origin=name)) for each, name in zip(pair, shown, strict=True))
    measures = before.derivation.measure, after.derivation.measure
    found = comparison.compare(before.derivation.architecture, after.derivation.architecture, _alphabet(letters), measures)
    return Compared(found, (before, after), words.language)


def published(name: str | None = None, *, language: str = "en") -> PublishedPage | PublishedList:
    """Formulas of papers in their authors' letters, each with its exact difference to the full count: all, or those of one publication.

    ``published("kaplan").formulas``. Raises `SymparamError` for a name that there is not.
    """
    from symparam.publications import PUBLICATIONS, find_publication
    from symparam.results import PublishedList, PublishedPage
    from symparam.writing.phrases import phrases

    spoken = phrases(language).language
    return PublishedList(PUBLICATIONS, spoken) if name is None else PublishedPage(find_publication(name), spoken)


def crossover(
    model: Named,
    *,
    config: Config | None = None,
    where: Iterable[str] = (),
    letters: Letters = (),
    language: str = "en",
    attention: str = "full",
) -> Crossed:
    """From what sequence length on attention costs more operations than the feed-forward part: ``crossover("gpt2").threshold``.

    Arguments as for `derive`. Raises `SymparamError`.
    """
    from symparam import crossing
    from symparam.results import Crossed
    from symparam.writing.phrases import phrases

    written = _alphabet(letters)
    chosen = choose(model, config, where, written, also=("L",))
    found = crossing.crossover(chosen.model.architecture.resized(chosen.symbolic.put_into), attention, written)
    return Crossed(found, chosen.model, phrases(language).language)


def check(
    documents: Documents,
    *,
    architecture: Named | None = None,
    config: Config | None = None,
    where: Iterable[str] = (),
    letters: Letters = (),
    symbols: Symbols = (),
    progress: Callable[[str, int, int], object] | None = None,
) -> Checked:
    """Every claim of documents checked: ``check("notes.md").wrong``, ``check(["docs", "notes.tex"], architecture="gpt2")``.

    Documents are files and folders; for a text that is in no file there is `check_text`. ``architecture`` and ``config`` say which model
    they are about, ``where`` states relations and values that hold in all of them (``"I=4H"``, ``"N=12"``), ``letters`` is the alphabet
    of their authors and ``symbols`` declares further names. ``progress`` is called before each document with its path, its number
    from 1 and how many there are. A file that cannot be read is among the ``errors`` of the result; where there is no other, and
    where an argument is at fault, a `SymparamError` is raised.
    """
    from symparam.checked import Checked
    from symparam.checking.check import check_document
    from symparam.checking.context import context_of
    from symparam.reading.files import STDIN, gather, read

    found = gather((documents,) if isinstance(documents, (str, PathLike)) else documents)
    if STDIN in found.paths and STDIN in (config, architecture):
        raise DocumentError("standard input cannot be the config and a document; give one of them as a file")
    context, notes = context_of(architecture, config, where, _alphabet(letters), symbols)
    checked, errors = [], [*found.errors]
    for number, path in enumerate(found.paths, 1):
        if progress:
            progress(path, number, len(found.paths))
        try:
            checked.append(check_document(read(path), context))
        except SymparamError as error:
            errors.append(str(error))
    if not checked:
        more = f" (and {len(errors) - 1} more could not be read)" if len(errors) > 1 else ""
        raise DocumentError((errors[0] + more) if errors else "no document is given; name a file, a folder, or - for standard input")
    return Checked(tuple(checked), tuple(errors), notes, context.alphabet)


def check_text(
    text: str,
    name: str = "<text>",
    *,
    architecture: Named | None = None,
    config: Config | None = None,
    where: Iterable[str] = (),
    letters: Letters = (),
    symbols: Symbols = (),
) -> Checked:
    """Every claim of a text checked; reports call it ``name``. Arguments and errors as for `check`."""
    from symparam.checked import Checked
    from symparam.checking.check import check_document
    from symparam.checking.context import context_of
    from symparam.reading.source import Source

    if not isinstance(text, str):
        raise DocumentError(f"{type(text).__name__} is no text; a string is expected, and the path of a file goes to check")
    context, notes = context_of(architecture, config, where, _alphabet(letters), symbols)
    return Checked((check_document(Source(name, text), context),), (), notes, context.alphabet)


def docs(
    pages: Documents,
    *,
    check: bool = False,
    overwrite: bool = False,
    dialect: str | None = None,
    progress: Callable[[str, int, int], object] | None = None,
) -> Filled:
    """The marked places of pages filled with what their commands answer today: ``docs("docs")``, ``docs("README.md", check=True).diff``.

    Pages are files and folders of Markdown, reStructuredText, LaTeX, HTML and notebooks. With ``check`` no file is written. Places that
    someone edited by hand are kept, unless ``overwrite`` says otherwise. ``dialect`` is that of Markdown where a place names none; without
    one each place keeps its own. ``progress`` as for `check`. A page that is at fault stays as it was and is among the ``errors`` of the
    result; where no page is named, and where an argument is at fault, a `SymparamError` is raised.
    """
    from symparam.filled import Filled
    from symparam.pages.documents import fill_pages

    names = (pages,) if isinstance(pages, (str, PathLike)) else pages
    found = fill_pages(names, check, overwrite, dialect, progress)
    return Filled(found.pages, found.errors, check)


def list(language: str = "en") -> Catalogue:  # noqa: A001  # The name of the command; nothing here needs the built-in.
    """The architectures and presets that can be named."""
    from symparam.results import Catalogue

    return Catalogue(FAMILIES, tuple(presets().values()), language)


def symbols(letters: Letters = (), language: str = "en") -> Vocabulary:
    """The dimensions with their letters, in symparam's alphabet or another author's."""
    from symparam.results import Vocabulary

    return Vocabulary(DIMENSIONS, _alphabet(letters), language)


PARAMETERS_ALONE = Options()


def _subject(
    model: Named,
    config: Config | None,
    where: Iterable[str],
    letters: Letters,
    by: str | None,
    options: Options,
    language: str = "en",
    *,
    values_first: bool,
) -> Subject:
    """The derivation of a model together with its count, where it has a value for every letter."""
    from symparam.counting import Count
    from symparam.writing.explanation import Subject

    written = _alphabet(letters)
    chosen = choose(model, config, where, written, values_first, options.letters)
    what = _measure(chosen, options)
    chosen = replace(chosen, model=replace(chosen.model, notes=(*chosen.model.notes, *_quirks(what, language))))
    architecture, letter = chosen.model.architecture, _letter(by, written, chosen.own)
    derivation = measured(architecture, what, chosen.symbolic, written, by=letter)
    # Also the number of layers without parameters has to be known to list them.
    counts = {str(letter) for place in architecture.places() for letter in place.copies.free_symbols}
    if derivation.letters | counts <= chosen.model.values.keys():
        return Subject(derivation, chosen.model, Count(derivation, chosen.model.values, chosen.model.origin))
    # Not every letter has a number, so those that were stated go into the formula.
    return Subject(measured(architecture, what, chosen.relations, written, by=letter), chosen.model, None)


def _measure(chosen: Chosen, options: Options) -> Measure:
    model, stated = chosen.model, (relation.letter for relation in chosen.relations.stated)
    return measure_of(model.architecture, options, stated, model.activation_function, model.values)


def _quirks(what: Measure, language: str) -> tuple[str, ...]:
    """What a user should know of the convention that a measure follows, and under which condition its formula holds."""
    if not what.convention and not what.conditions:
        return ()
    from symparam.writing.phrases import phrases

    words = phrases(language)
    if not what.convention:
        return tuple(words.sentences[key] for key in what.conditions)
    from symparam.measures.conventions.counting import convention

    tool = convention(what.convention)
    return (words.say("counted-as", tool=tool.tool, unit=what.unit), *(words.sentences[key] for key in tool.quirks))


def _alphabet(letters: Letters) -> Alphabet:
    if isinstance(letters, Alphabet):
        return letters
    if not isinstance(letters, Sequence) or not all(isinstance(each, str) for each in letters):
        raise ArchitectureError(f"{letters!r} is no alphabet; a name such as 'kaplan' or changes such as ['P=n_pos'] are expected")
    return alphabet(*((letters,) if isinstance(letters, str) else letters))


def _letter(by: str | None, written: Alphabet, own: Mapping[str, str]) -> str | None:
    if by is None:
        return None
    formula = read_stated(lambda text, alphabet: read_formula(text, alphabet, own), str(by), written)
    if not isinstance(formula, Symbol):
        raise FormulaError(f"{by!r} is no single letter to collect by; a letter such as H is expected")
    return formula.letter
