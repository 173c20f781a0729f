"""Shared by the functions of the API: arguments converted to the project's types, and a model with its derivation and count."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING

from symparam.analysis.derivation import Measure
from symparam.analysis.measures.letters import require_letters_apart
from symparam.analysis.measures.measuring import derivation_of
from symparam.analysis.measures.number_formats import stored_format
from symparam.analysis.measures.options import Options
from symparam.analysis.measures.selection import AUTOGRAD, INFERENCE, letters_of, measure_of
from symparam.core.alphabets import Alphabet, alphabet
from symparam.core.dimensions import BY_LETTER, LENGTHS
from symparam.core.evaluation import evaluate
from symparam.core.formula import Symbol
from symparam.core.message import Message, message
from symparam.errors import ArchitectureError, FormulaError, shorten
from symparam.models.size_constraints import check_possible, unused_experts

if TYPE_CHECKING:
    from symparam.models.adapters import Lora
    from symparam.models.configs.changes import Changes
    from symparam.models.configs.values import Model
    from symparam.models.resolution import Config, Named, Resolved
    from symparam.models.statements import Where
    from symparam.writing.explanation import ExplanationSubject

AlphabetLike = str | Sequence[str] | Alphabet
"""An alphabet: its name, changes to it such as ``["kaplan", "P=n_pos"]``, or the object."""
Symbols = Mapping[str, str] | Iterable[str]
"""An author's names with the letters or names that they mean: ``{"C": "H"}``, or ``["C=H", "C=hidden_size"]``."""
Documents = str | PathLike[str] | Iterable[str | PathLike[str]]
"""Paths of files and folders, and ``-`` for standard input."""
PARAMETERS_ALONE = Options()
QUANTISED = "quantization_config"
"""The config key that says how the weights are quantised."""


def subject_of(
    model: Named,
    config: Config | None,
    where: Where,
    set: Changes,
    alphabet: AlphabetLike,
    by: str | None,
    options: Options,
    *,
    values_first: bool,
    lora: Lora | None = None,
) -> ExplanationSubject:
    """The derivation of a model, and its count if every letter has a value."""
    from symparam.analysis.counting import Count
    from symparam.models.resolution import resolve
    from symparam.writing.explanation import ExplanationSubject

    letters = alphabet_of(alphabet)
    chosen = resolve(model, config, where, letters, values_first, letters_of(options), set, lora)
    what = measured(chosen, options)
    require_experts(chosen, options)
    architecture, letter = chosen.model.architecture, letter_named(by, letters, chosen.own_letters)
    derivation = derivation_of(architecture, what, chosen.symbolic, letters, by=letter)
    chosen = replace(chosen, model=noted(chosen, (what,), derivation.letters, letters))
    # To list layers, their number must be known even if they have no parameters.
    counts = {str(letter) for place in architecture.places() for letter in place.copies.free_symbols}
    if derivation.letters | counts <= chosen.model.values.keys():
        return ExplanationSubject(derivation, chosen.model, Count(derivation, chosen.model.values, chosen.model.origin))
    # Some letter has no number, so the stated numbers are substituted into the formula.
    return ExplanationSubject(derivation_of(architecture, what, chosen.relations, letters, by=letter), chosen.model, None)


def measured(chosen: Resolved, options: Options) -> Measure:
    """The measure for a model. A letter of its own is never mistaken for one that the measure adds."""
    model, stated = chosen.model, (relation.letter for relation in chosen.relations.stated)
    measure = measure_of(model.architecture, options, stated, model.activation_function, model.values, model.keys)
    if model.family is None:
        require_letters_apart(model.architecture, measure)
    return measure


def require_experts(chosen: Resolved, options: Options) -> None:
    """Raise a `FormulaError` if a token uses more experts than there are, unless the measure counts what is stored, not what runs."""
    if options.measure not in ("parameters", "adapter-parameters") and chosen.model.values:
        check_possible(unused_experts(chosen.model.architecture), chosen.model.values)


def remarked(model: Model, *remarks: Message) -> Model:
    """The model with these further remarks, each of which is made once."""
    return replace(model, remarks=(*model.remarks, *dict.fromkeys(remarks)))


def noted(
    chosen: Resolved, measures: Iterable[Measure], letters: Collection[str], alphabet: Alphabet, reached: Mapping[str, int] | None = None
) -> Model:
    """The model with remarks on an answer in these ``letters``: the conventions of its measures, stated values that change nothing, and
    lengths that the model cannot read. ``reached`` are values that the answer gives to letters.
    """
    told = (remark for measure in measures for remark in quirks(measure, chosen.model))
    return remarked(chosen.model, *told, *without_effect(chosen, letters), *beyond_positions(chosen, letters, alphabet, reached or {}))


def beyond_positions(chosen: Resolved, letters: Collection[str], alphabet: Alphabet, reached: Mapping[str, int]) -> Iterator[Message]:
    """Remarks on lengths among these ``letters``, stated or ``reached``, for which the position table has no rows."""
    values = {**chosen.relations.values({}), **chosen.model.values, **reached}
    if "P" not in values or "P" not in chosen.model.architecture.letters:
        return
    longest, name = evaluate(chosen.model.longest, values), chosen.model.architecture.class_name
    for letter in LENGTHS:
        if letter in letters and values.get(letter, 0) > longest:
            yield message("beyond-positions", letter=alphabet.name_of(letter), value=values[letter], name=name, longest=longest)


def without_effect(chosen: Resolved, letters: Collection[str]) -> tuple[Message, ...]:
    """Remarks on stated values of letters that measures add (``S``, ``n_t``) and that occur neither in the requested formulas, which have
    these ``letters``, nor in any relation. Sizes of the model are left out: whoever states them may ask for several measures, only some of
    which depend on them.
    """
    from symparam.models.resolution import letters_of as letters_of_model

    stated = chosen.relations.stated
    known = letters_of_model(chosen.model).union(letters, *(relation.formula.letters for relation in stated))
    return tuple(
        message("not-in-measure", letter=relation.letter, relation=str(relation))
        for relation in stated
        if relation.letter not in known and not relation.formula.letters
    )


def quirks(what: Measure, model: Model) -> tuple[Message, ...]:
    """Remarks on the convention of a measure, the conditions under which its formula holds, and another format of the weights that the
    config names.
    """
    conditions = (*map(message, what.conditions), *_stored(what, model))
    if not what.convention:
        return tuple(conditions)
    if what.convention == AUTOGRAD:
        return (message("counted-by-autograd"), *conditions)
    from symparam.analysis.measures.conventions.convention import Convention
    from symparam.analysis.measures.conventions.measure import convention

    tool = convention(what.convention)
    told = tool.quirks_of_runs if isinstance(tool, Convention) and model.architecture.observed else tool.quirks
    return (message("counted-as", tool=tool.tool, unit=what.unit), *map(message, told), *conditions)


def _stored(what: Measure, model: Model) -> tuple[Message, ...]:
    """The remark that the config's weights are quantised, where their number is counted, or bytes of plain numbers are asked for."""
    given = model.keys.get(QUANTISED)
    in_bytes = what.name in ("weights", *INFERENCE)
    if not (in_bytes or what.of_tensor) or what.reason == "quantised" or not isinstance(given, Mapping):
        return ()
    method = shorten(str(given.get("quant_method") or given.get("quant_algo") or "?"), 40)
    bits = given.get("bits")
    said = f"{method}, {bits} bits" if isinstance(bits, int) else method
    if in_bytes:
        return (message("stored-quantised", origin=model.origin, key=QUANTISED, format=said),)
    option = f"--number-format {stored_format(given) or 'NAME'}"
    return (message("counted-before-quantising", origin=model.origin, key=QUANTISED, format=said, option=option),)


def alphabet_of(named: AlphabetLike) -> Alphabet:
    """The alphabet with this name or with these changes. Raises `ArchitectureError` if there is none."""
    if isinstance(named, Alphabet):
        return named
    if not isinstance(named, Sequence) or not all(isinstance(each, str) for each in named):
        raise ArchitectureError(f"{named!r} is not an alphabet; a name such as 'kaplan' or changes such as ['P=n_pos'] are expected")
    return alphabet(*((named,) if isinstance(named, str) else named))


def letter_named(by: str | None, letters: Alphabet, own: Mapping[str, str]) -> str | None:
    """The letter with this name in the alphabet or among a model's own sizes. Raises `FormulaError` if there is none."""
    if by is None:
        return None
    from symparam.core.parsing.reader import read_formula
    from symparam.models.resolution import read_stated

    formula = read_stated(lambda text, letters: read_formula(text, letters, own), str(by), letters)
    if not isinstance(formula, Symbol):
        raise FormulaError(f"{by!r} is not a single letter to collect by; a letter such as H is expected")
    return formula.letter


def unknown_named(letter: str, letters: Alphabet, chosen: Resolved) -> str:
    """The letter to solve for. Raises `FormulaError` for an unknown letter, and for one that also has a stated number."""
    common = {letter: letter} if letter in BY_LETTER else {}
    found = letter_named(letter, letters, {**common, **chosen.own_letters}) or ""
    if stated := next((relation for relation in chosen.relations.stated if relation.letter == found), None):
        raise FormulaError(f"{found} is asked for, and {stated} is stated; leave out one of the two")
    return found
