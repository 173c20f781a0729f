"""The functions of the command line, for Python and notebooks. Each returns an object that renders itself as text, LaTeX, HTML or JSON.

What only explanations and tables need is imported where it is used: a formula alone is there in two thirds of the time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING, Any, Unpack

from symparam.analysis.derivation import Derivation, Measure
from symparam.analysis.measures.declared_options import Measuring, Options
from symparam.analysis.measures.deriving import derivation_of
from symparam.analysis.measures.letters import require_letters_apart
from symparam.analysis.measures.options import AUTOGRAD, letters_of, measure_of
from symparam.core.alphabets import Alphabet, alphabet
from symparam.core.dimensions import DIMENSIONS
from symparam.core.formula import Symbol
from symparam.core.json_types import JsonMapping
from symparam.core.notation import UNICODE
from symparam.core.parsing.reader import read_formula
from symparam.errors import ArchitectureError, DocumentError, FormulaError, SymparamError, UnknownNameError
from symparam.models.architectures import families, find_architecture
from symparam.models.configs.changes import Changes
from symparam.models.configs.presets import presets
from symparam.models.resolution import Config, Named, Resolved, read_stated, resolve
from symparam.models.statements import Where, listed
from symparam.results.derive import DeriveResult

if TYPE_CHECKING:
    from symparam.documents.checking.finding import CheckedDocument
    from symparam.results.check import CheckResult
    from symparam.results.compare import CompareResult
    from symparam.results.count import CountResult
    from symparam.results.crossover import CrossoverResult
    from symparam.results.explain import ExplainResult
    from symparam.results.letters import LettersResult
    from symparam.results.list import ListResult
    from symparam.results.published import PublishedListResult, PublishedResult
    from symparam.results.solve import SolveResult
    from symparam.results.tensors import TensorsResult
    from symparam.results.trace import TraceResult
    from symparam.writing.explanation import Subject
    from symparam.writing.findings.worded import WordedDocument
    from symparam.writing.wording import Wording

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
    where: Where = (),
    set: Changes = (),
    form: str = "readable",
    by: str | None = None,
    letters: Letters = (),
    **measuring: Unpack[Measuring],
) -> DeriveResult:
    """The general formula for the number of parameters: ``derive("bert", where=["I=4H"])``.

    ``model`` is an architecture (``bert``, ``BertForMaskedLM``), a preset, the path of a config.json, its keys, or an `Architecture`; with
    an architecture, ``config`` may give a preset, a path or keys. ``where`` states relations, values and flags (``"I=4H"``, ``"N=12"``,
    ``"tie_word_embeddings=false"``), as text, as SymPy's equations or by letter (``{"N": 12}``). ``set`` asks what if: other values for
    letters or keys of the config (``["N=16"]``). ``form`` is ``readable``, ``by-symbol``, ``nested``, ``expanded``, ``factored`` or
    ``by-module``, ``by`` the letter to collect by. ``measure`` is one of `symparam.analysis.measures.options.MEASURES`: ``parameters``,
    ``active-parameters`` (those of one token), ``flops``, ``kv-cache`` and others; ``attention`` is ``full``, ``causal`` or ``window``, for
    operations, and which are divided for each ``sequence`` or ``token`` that ``per`` says in the place of a ``batch``; ``number_format``,
    such as ``int8`` or ``q4_0``, is for bytes, and ``optimizer``, such as ``adam-mixed``, and ``zero``, the stage of ZeRO, for those of
    training. Of ``activations`` and of a training step, ``recomputation`` is ``none``, ``selective`` or ``full``, and ``tensor_parallel``
    and ``sequence_parallel`` say that n_t ranks share activations (``where=["n_t=8"]``). ``convention`` names a tool or a paper that counts
    operations, such as ``thop`` or ``kaplan``: then it is the tool's total, or ``macs`` or ``flops`` where it reports both, with attention
    in the ``implementation`` ``eager`` or ``sdpa``. Raises `SymparamError`.
    """
    options = Options(**measuring)
    written = _alphabet(letters)
    chosen = resolve(model, config, where, written, also=letters_of(options), set=set)
    what = _measure(chosen, options)
    found = derivation_of(chosen.model.architecture, what, chosen.relations, written, form, _letter(by, written, chosen.own_letters))
    return DeriveResult.of(found, chosen.model, (*chosen.model.notes, *_quirks(what, "en"), *_lacking(found)))


def explain(
    model: Named,
    *,
    config: Config | None = None,
    where: Where = (),
    set: Changes = (),
    by: str | None = None,
    letters: Letters = (),
    language: str = "en",
    **measuring: Unpack[Measuring],
) -> ExplainResult:
    """Where the formula comes from, step by step, with numbers if the model has them; in ``en`` or ``zh``.

    Arguments as for `derive`. Raises `SymparamError`.
    """
    from symparam.results.explain import ExplainResult
    from symparam.writing.phrases import phrases

    options = Options(**measuring)
    subject = _subject(model, config, where, set, letters, by, options, language, values_first=False)
    return ExplainResult(subject, phrases(language).language)


def count(
    model: Named,
    *,
    config: Config | None = None,
    where: Where = (),
    set: Changes = (),
    letters: Letters = (),
    language: str = "en",
    **measuring: Unpack[Measuring],
) -> CountResult:
    """The number of parameters, or another measure, of a model with values, module by module: ``count("gpt2").total``.

    Arguments as for `derive`. Raises `SymparamError`, also where a letter has no value.
    """
    from symparam.analysis.counting import Count
    from symparam.results.count import CountResult

    options = Options(**measuring)
    subject = _subject(model, config, where, set, letters, None, options, language, values_first=True)
    counted = subject.count or Count(subject.derivation, subject.model.values, subject.model.origin)
    return CountResult(counted, subject.model, language)


def tensors(
    model: Named,
    *,
    config: Config | None = None,
    where: Where = (),
    set: Changes = (),
    letters: Letters = (),
    language: str = "en",
) -> TensorsResult:
    """Every tensor with its name and shape, in the order of the reference; layer by layer where the model has values.

    Arguments as for `derive`. Raises `SymparamError`.
    """
    from symparam.analysis.listing import tensor_list
    from symparam.results.tensors import TensorsResult

    subject = _subject(model, config, where, set, letters, None, PARAMETERS_ALONE, values_first=True)
    return TensorsResult(tensor_list(subject.derivation, subject.count), subject.model, language)


def compare(
    first: Named,
    second: Named | None = None,
    *,
    where: Where = (),
    set: Changes = (),
    letters: Letters = (),
    language: str = "en",
    conventions: tuple[str, str] | None = None,
    implementation: str = "eager",
) -> CompareResult:
    """What the second model has more than the first, as a formula and module by module, and in numbers where both have values.

    ``first`` and ``second`` as ``model`` of `derive`; ``where`` holds for both. A name that is both an architecture's and a preset's means
    the preset where the other is one. Instead of a second model, ``conventions`` are those of two tools: what the second counts more.
    Raises `SymparamError`.
    """
    from symparam.analysis import comparison
    from symparam.results.compare import CompareResult
    from symparam.writing.phrases import phrases

    if (second is None) is (conventions is None):
        raise FormulaError("two models are compared, or one under two conventions; name a second model, or --conventions A B, not both")
    if second is None:
        return _under_conventions(first, conventions or ("", ""), where, set, letters, language, implementation)
    if implementation != "eager":
        raise FormulaError("--implementation is about what tools see; name two of them with --conventions")
    statements = listed(where)
    values_first = not all(isinstance(each, str) and find_architecture(each) for each in (first, second))
    pair = [_subject(each, None, statements, set, letters, None, PARAMETERS_ALONE, values_first=values_first) for each in (first, second)]
    before, after = pair
    found = comparison.compare(before.derivation.architecture, after.derivation.architecture, _alphabet(letters))
    return CompareResult(found, (before, after), phrases(language).language)


def _under_conventions(
    model: Named, names: tuple[str, str], where: Where, set: Changes, letters: Letters, language: str, implementation: str
) -> CompareResult:
    """One model twice: as two tools count it, in a unit that both report, where there is one."""
    from symparam.analysis import comparison
    from symparam.analysis.measures.conventions.measure import common_unit
    from symparam.results.compare import CompareResult
    from symparam.writing.phrases import phrases

    words, unit = phrases(language), common_unit(*names)
    statements = listed(where)
    options = [Options(unit or "parameters", convention=name, implementation=implementation) for name in names]
    values_first = not (isinstance(model, str) and find_architecture(model))
    pair = [_subject(model, None, statements, set, letters, None, each, language, values_first=values_first) for each in options]
    shown = [
        words.say("under", model=each.model.origin or each.derivation.architecture.name, convention=name)
        for each, name in zip(pair, names, strict=True)
    ]
    before, after = (replace(each, model=replace(each.model, origin=name)) for each, name in zip(pair, shown, strict=True))
    measures = before.derivation.measure, after.derivation.measure
    found = comparison.compare(before.derivation.architecture, after.derivation.architecture, _alphabet(letters), measures)
    return CompareResult(found, (before, after), words.language)


def published(name: str | None = None, *, language: str = "en") -> PublishedResult | PublishedListResult:
    """Formulas of papers in their authors' letters, each with its exact difference to the full count: all, or those of one publication.

    ``published("kaplan").formulas``. Raises `SymparamError` for an unknown name.
    """
    from symparam.analysis.publications import PUBLICATIONS, find_publication
    from symparam.results.published import PublishedListResult, PublishedResult
    from symparam.writing.phrases import phrases

    spoken = phrases(language).language
    return PublishedListResult(PUBLICATIONS, spoken) if name is None else PublishedResult(find_publication(name), spoken)


def crossover(
    model: Named,
    *,
    config: Config | None = None,
    where: Where = (),
    set: Changes = (),
    letters: Letters = (),
    language: str = "en",
    attention: str = "full",
) -> CrossoverResult:
    """From what sequence length on attention costs more operations than the feed-forward part: ``crossover("gpt2").threshold``.

    Arguments as for `derive`. Raises `SymparamError`.
    """
    from symparam.analysis.crossover import find_crossover
    from symparam.results.crossover import CrossoverResult
    from symparam.writing.phrases import phrases

    written = _alphabet(letters)
    chosen = resolve(model, config, where, written, also=("L",), set=set)
    _measure(chosen, Options("flops"))
    found = find_crossover(chosen.model.architecture.map_sizes(chosen.symbolic.substitute), attention, written)
    return CrossoverResult(found, chosen.model, phrases(language).language)


def solve(
    model: Named,
    unknown: str,
    *,
    total: int | str | None = None,
    at_most: int | str | None = None,
    multiple_of: int = 1,
    config: Config | None = None,
    where: Where = (),
    set: Changes = (),
    letters: Letters = (),
    language: str = "en",
    **measuring: Unpack[Measuring],
) -> SolveResult:
    """What a letter has to be for a measure to come to a total: ``solve("gpt2", "H", total="1.3B", where=["I=4H"]).exact``.

    ``total`` is met as nearly as whole numbers can, ``at_most`` is not exceeded; either is a number, or one in a unit such as ``"7B"`` or,
    of bytes, ``"8x80GiB"``. The unknown is a multiple of ``multiple_of``, and respects what the architecture divides. The other letters
    have the values of a config and of ``where``; where some have none, the solution is in letters alone. A value that a config has for
    the unknown is left out. Other arguments as for `derive`. Raises `SymparamError`.
    """
    from symparam.analysis.solving import solve_for
    from symparam.results.solve import SolveResult
    from symparam.writing.amounts import read_amount
    from symparam.writing.phrases import phrases

    if (total is None) is (at_most is None):
        raise FormulaError("a total to meet or one not to exceed is needed; give --total or --at-most, not both")
    if multiple_of < 1:
        raise FormulaError(f"--multiple-of {multiple_of} is no step between whole numbers; give 1 or more")
    options = Options(**measuring)
    written = _alphabet(letters)
    chosen = resolve(model, config, where, written, also=letters_of(options), set=set)
    what = _measure(chosen, options)
    letter = _letter(unknown, written, chosen.own_letters)
    assert letter is not None
    derivation = derivation_of(chosen.model.architecture, what, chosen.symbolic, written)
    target = read_amount(str(total if at_most is None else at_most), what.unit)
    values = {each: value for each, value in chosen.model.values.items() if each != letter}
    divisible = chosen.model.family.divisible if chosen.model.family else ()
    found = solve_for(derivation, letter, target, values, at_most=at_most is not None, multiple_of=multiple_of, divisible=divisible)
    return SolveResult(found, chosen.model, phrases(language).language)


def check(
    documents: Documents,
    *,
    architecture: Named | None = None,
    config: Config | None = None,
    where: Where = (),
    set: Changes = (),
    letters: Letters = (),
    symbols: Symbols = (),
    language: str | None = None,
    progress: Callable[[str, int, int], object] | None = None,
) -> CheckResult:
    """Every claim of documents checked: ``check("notes.md").wrong``, ``check(["docs", "notes.tex"], architecture="gpt2")``.

    Documents are files and folders; for a text that is in no file there is `check_text`. ``architecture`` and ``config`` say which model
    they are about, ``where`` states relations and values that hold in all of them (``"I=4H"``, ``"N=12"``), ``letters`` is the alphabet
    of their authors and ``symbols`` declares further names. ``language``, ``en`` or ``zh``, is that of the report; without it a document is
    told in the language that its front matter names, or in English. ``progress`` is called before each document with its path, its number
    from 1 and how many there are. A file that cannot be read is among the ``errors`` of the result; where there is no other, and where an
    argument is at fault, a `SymparamError` is raised.
    """
    from symparam.documents.checking.check import check_document
    from symparam.documents.checking.context import context_of
    from symparam.documents.reading.files import STDIN, gather, read
    from symparam.results.check import CheckResult

    found = gather((documents,) if isinstance(documents, (str, PathLike)) else documents)
    if STDIN in found.paths and STDIN in (config, architecture):
        raise DocumentError("standard input cannot be the config and a document; give one of them as a file")
    context, notes = context_of(architecture, config, where, _alphabet(letters), symbols, set)
    say = partial(_worded, language, context.alphabet)
    checked, errors = [], [*found.errors]
    for number, path in enumerate(found.paths, 1):
        if progress:
            progress(path, number, len(found.paths))
        try:
            checked.append(say(check_document(read(path), context)))
        except SymparamError as error:
            errors.append(str(error))
    if not checked:
        more = f" (and {len(errors) - 1} more could not be read)" if len(errors) > 1 else ""
        raise DocumentError((errors[0] + more) if errors else "no document is given; name a file, a folder, or - for standard input")
    return CheckResult(tuple(checked), tuple(errors), notes, _wording_of(checked, context.alphabet))


def check_text(
    text: str,
    name: str = "<text>",
    *,
    architecture: Named | None = None,
    config: Config | None = None,
    where: Where = (),
    set: Changes = (),
    letters: Letters = (),
    symbols: Symbols = (),
    language: str | None = None,
) -> CheckResult:
    """Every claim of a text checked; reports call it ``name``. Arguments and errors as for `check`."""
    from symparam.documents.checking.check import check_document
    from symparam.documents.checking.context import context_of
    from symparam.documents.reading.source import Source
    from symparam.results.check import CheckResult

    if not isinstance(text, str):
        raise DocumentError(f"{type(text).__name__} is no text; a string is expected, and the path of a file goes to check")
    context, notes = context_of(architecture, config, where, _alphabet(letters), symbols, set)
    checked = _worded(language, context.alphabet, check_document(Source(name, text), context))
    return CheckResult((checked,), (), notes, _wording_of([checked], context.alphabet))


def _worded(language: str | None, letters: Alphabet, document: CheckedDocument) -> WordedDocument:
    """The document in the words of a language, or else of the one that it asks for."""
    from symparam.writing.findings.worded import in_words
    from symparam.writing.phrases import phrases
    from symparam.writing.wording import Wording

    try:
        words = phrases(language or document.language or "en")
    except UnknownNameError as error:
        raise error if language else DocumentError(f"{document.source.name}: in the front matter, {error}") from None
    return in_words(document, Wording(words, UNICODE.using(letters)))


def _wording_of(documents: Sequence[WordedDocument], letters: Alphabet) -> Wording:
    """The wording of a report on several documents: their language, or English where they have several."""
    from symparam.writing.phrases import phrases
    from symparam.writing.wording import Wording

    languages = {document.language for document in documents}
    return Wording(phrases(languages.pop() if len(languages) == 1 else "en"), UNICODE.using(letters))


def trace(
    target: Any, settings: JsonMapping | None = None, *, verify: int = 6, python: str | None = None, seconds: float = 120.0
) -> TraceResult:
    """The closed form of any torch module, checked on settings it has not seen: ``trace("transformers:BertModel")``, ``trace(Net)``.

    ``target`` is ``"MODULE:CLASS"``, ``"FILE.py:CLASS"`` or the class; ``settings`` are the keys of a config for a class of transformers,
    else arguments of the constructor. The class is built many times, in a process of its own that may run for ``seconds``, with the
    interpreter ``python`` if one is named; ``verify`` is the number of unseen settings that must all be exact. Raises `SymparamError`.
    """
    from symparam.models.tracing.process import traced
    from symparam.results.trace import TraceResult

    if isinstance(target, str):
        return TraceResult(traced(target, settings or {}, verify, python, seconds))
    if not callable(target):
        raise ArchitectureError(f"{type(target).__name__} is no class; give the class of a torch module, or its name as MODULE:CLASS")
    return TraceResult(traced(getattr(target, "__qualname__", str(target)), settings or {}, verify, python, seconds, kind=target))


def list(language: str = "en", word: str | None = None) -> ListResult:  # noqa: A001  # The name of the command.
    """The architectures, presets and traced classes that can be named; with a ``word`` those that have it in their names.

    Raises `UnknownNameError` where none has.
    """
    from symparam.models.atlas.atlas import atlas
    from symparam.results.list import ListResult

    if word is None:
        return ListResult(families(), tuple(presets().values()), atlas().entries, None, language)
    part = word.casefold()
    named = tuple(each for each in families() if any(part in name.casefold() for name in (each.name, each.model_type, *each.classes)))
    released = tuple(each for each in presets().values() if part in each.name.casefold())
    traced = tuple(each for each in atlas().entries if part in each.class_name.casefold() or part in each.model_type.casefold())
    if not (named or released or traced):
        raise UnknownNameError("name with", word, (each.model_type for each in atlas().entries))
    return ListResult(named, released, traced, word, language)


def letters(alphabet: Letters = (), language: str = "en") -> LettersResult:
    """The dimensions with their letters, in symparam's alphabet or another author's."""
    from symparam.results.letters import LettersResult

    return LettersResult(DIMENSIONS, _alphabet(alphabet), language)


PARAMETERS_ALONE = Options()


def _subject(
    model: Named,
    config: Config | None,
    where: Where,
    set: Changes,
    letters: Letters,
    by: str | None,
    options: Options,
    language: str = "en",
    *,
    values_first: bool,
) -> Subject:
    """The derivation of a model together with its count, where it has a value for every letter."""
    from symparam.analysis.counting import Count
    from symparam.writing.explanation import Subject

    written = _alphabet(letters)
    chosen = resolve(model, config, where, written, values_first, letters_of(options), set)
    what = _measure(chosen, options)
    chosen = replace(chosen, model=replace(chosen.model, notes=(*chosen.model.notes, *_quirks(what, language))))
    architecture, letter = chosen.model.architecture, _letter(by, written, chosen.own_letters)
    derivation = derivation_of(architecture, what, chosen.symbolic, written, by=letter)
    # Also the number of layers without parameters has to be known to list them.
    counts = {str(letter) for place in architecture.places() for letter in place.copies.free_symbols}
    if derivation.letters | counts <= chosen.model.values.keys():
        return Subject(derivation, chosen.model, Count(derivation, chosen.model.values, chosen.model.origin))
    # Not every letter has a number, so those that were stated go into the formula.
    return Subject(derivation_of(architecture, what, chosen.relations, written, by=letter), chosen.model, None)


def _measure(chosen: Resolved, options: Options) -> Measure:
    model, stated = chosen.model, (relation.letter for relation in chosen.relations.stated)
    measure = measure_of(model.architecture, options, stated, model.activation_function, model.values, model.keys)
    if model.family is None:
        require_letters_apart(model.architecture, measure)
    return measure


def _quirks(what: Measure, language: str) -> tuple[str, ...]:
    """What a user should know of the convention that a measure follows, and under which condition its formula holds."""
    if not what.convention and not what.conditions:
        return ()
    from symparam.writing.phrases import phrases

    words = phrases(language)
    if what.convention == AUTOGRAD:
        return tuple(words.sentences[key] for key in ("counted-by-autograd", *what.conditions))
    if not what.convention:
        return tuple(words.sentences[key] for key in what.conditions)
    from symparam.analysis.measures.conventions.measure import convention

    tool = convention(what.convention)
    return (words.say("counted-as", tool=tool.tool, unit=what.unit), *(words.sentences[key] for key in tool.quirks))


def _lacking(found: Derivation) -> tuple[str, ...]:
    """What a formula lacks, which stands alone on its line, so that nothing on the page says it."""
    if found.complete:
        return ()
    from symparam.writing.completeness import sentences
    from symparam.writing.phrases import phrases

    return sentences(found.missing, phrases("en"))


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
