"""Shared by the functions of the API: arguments converted to the project's types, and a model with its derivation and count."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING

from symparam.analysis.derivation import Derivation, Measure
from symparam.analysis.measures.letters import require_letters_apart
from symparam.analysis.measures.measuring import derivation_of
from symparam.analysis.measures.options import Options
from symparam.analysis.measures.selection import AUTOGRAD, letters_of, measure_of
from symparam.core.alphabets import Alphabet, alphabet
from symparam.core.dimensions import BY_LETTER
from symparam.core.formula import Symbol
from symparam.errors import ArchitectureError, FormulaError
from symparam.models.possible import check_possible, unused_experts

if TYPE_CHECKING:
    from symparam.models.adapters import Lora
    from symparam.models.configs.changes import Changes
    from symparam.models.resolution import Config, Named, Resolved
    from symparam.models.statements import Where
    from symparam.writing.explanation import Subject

AlphabetLike = str | Sequence[str] | Alphabet
"""An alphabet: its name, changes to it such as ``["kaplan", "P=n_pos"]``, or the object."""
Symbols = Mapping[str, str] | Iterable[str]
"""An author's names with the letters or names that they mean: ``{"C": "H"}``, or ``["C=H", "C=hidden_size"]``."""
Documents = str | PathLike[str] | Iterable[str | PathLike[str]]
"""Paths of files and folders, and ``-`` for standard input."""
PARAMETERS_ALONE = Options()


def subject_of(
    model: Named,
    config: Config | None,
    where: Where,
    set: Changes,
    alphabet: AlphabetLike,
    by: str | None,
    options: Options,
    language: str = "en",
    *,
    values_first: bool,
    lora: Lora | None = None,
) -> Subject:
    """The derivation of a model, and its count if every letter has a value."""
    from symparam.analysis.counting import Count
    from symparam.models.resolution import resolve
    from symparam.writing.explanation import Subject

    letters = alphabet_of(alphabet)
    chosen = resolve(model, config, where, letters, values_first, letters_of(options), set, lora)
    what = measured(chosen, options)
    require_experts(chosen, options)
    architecture, letter = chosen.model.architecture, letter_named(by, letters, chosen.own_letters)
    derivation = derivation_of(architecture, what, chosen.symbolic, letters, by=letter)
    notes = (*chosen.model.notes, *quirks(what, language), *without_effect(chosen, derivation.letters))
    chosen = replace(chosen, model=replace(chosen.model, notes=notes))
    # To list layers, their number must be known even if they have no parameters.
    counts = {str(letter) for place in architecture.places() for letter in place.copies.free_symbols}
    if derivation.letters | counts <= chosen.model.values.keys():
        return Subject(derivation, chosen.model, Count(derivation, chosen.model.values, chosen.model.origin))
    # Some letter has no number, so the stated numbers are substituted into the formula.
    return Subject(derivation_of(architecture, what, chosen.relations, letters, by=letter), chosen.model, None)


def measured(chosen: Resolved, options: Options) -> Measure:
    """The measure for a model. A letter of its own is never mistaken for one that the measure adds."""
    model, stated = chosen.model, (relation.letter for relation in chosen.relations.stated)
    measure = measure_of(model.architecture, options, stated, model.activation_function, model.values, model.keys)
    if model.family is None:
        require_letters_apart(model.architecture, measure)
    return measure


def require_experts(chosen: Resolved, options: Options) -> None:
    """Raise a `FormulaError` where more experts are asked for than there are, unless what is stored is counted, whatever runs."""
    if options.measure not in ("parameters", "adapter-parameters") and chosen.model.values:
        check_possible(unused_experts(chosen.model.architecture), chosen.model.values)


def without_effect(chosen: Resolved, letters: Collection[str]) -> tuple[str, ...]:
    """Notes on stated values of letters that measures add (``S``, ``n_t``) and that neither the formulas asked for, which have these
    ``letters``, nor any relation has.

    Sizes of the model are left out: whoever states them may ask for several measures, of which some depend on them.
    """
    from symparam.models.resolution import letters_of as letters_of_model

    stated = chosen.relations.stated
    known = letters_of_model(chosen.model).union(letters, *(relation.formula.letters for relation in stated))
    return tuple(
        f"{relation.letter} does not occur in this measure, so {relation} changes nothing"
        for relation in stated
        if relation.letter not in known and not relation.formula.letters
    )


def quirks(what: Measure, language: str) -> tuple[str, ...]:
    """Notes on the convention of a measure, and the conditions under which its formula holds."""
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
    return (
        words.say("counted-as", tool=tool.tool, unit=what.unit),
        *(words.sentences[key] for key in (*tool.quirks, *what.conditions)),
    )


def lacking(found: Derivation) -> tuple[str, ...]:
    """Notes on what a formula leaves out, for output that shows the formula alone."""
    if found.complete:
        return ()
    from symparam.writing.completeness import sentences
    from symparam.writing.phrases import phrases

    return sentences(found.missing, phrases("en"))


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
