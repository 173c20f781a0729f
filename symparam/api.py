"""The functions of the command line for Python and notebooks. Each takes what a user would name and returns an object that shows itself.

What only explanations and tables need is imported where it is used: a formula alone is there in two thirds of the time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from symparam.alphabets import Alphabet, alphabet
from symparam.architectures import FAMILIES
from symparam.choosing import Config, Named, choose, read_stated
from symparam.configs.presets import presets
from symparam.derived import Derived, derived
from symparam.dimensions import DIMENSIONS
from symparam.errors import ArchitectureError, FormulaError
from symparam.formula import Symbol
from symparam.measures.parameters import parameters
from symparam.reading.formula import read_formula

if TYPE_CHECKING:
    from symparam.comparison import Comparison
    from symparam.results import Catalogue, Counted, Explanation, Tensors, Vocabulary
    from symparam.writing.explanation import Subject

Letters = str | Sequence[str] | Alphabet
"""An alphabet: its name, changes to it such as ``["kaplan", "P=n_pos"]``, or the object."""


def derive(
    model: Named,
    *,
    config: Config | None = None,
    where: Iterable[str] = (),
    form: str = "by-symbol",
    by: str | None = None,
    letters: Letters = (),
) -> Derived:
    """The general formula for the number of parameters: ``derive("bert", where=["I=4H"])``.

    ``model`` is an architecture (``bert``, ``BertForMaskedLM``), a preset, the path of a config.json, its keys, or an `Architecture`; with
    an architecture, ``config`` may give a preset, a path or keys. ``where`` states relations, values and flags (``"I=4H"``, ``"N=12"``,
    ``"tie_word_embeddings=false"``). ``form`` is ``by-symbol``, ``expanded``, ``factored`` or ``by-module``, ``by`` the letter to
    collect by. Raises `SymparamError`.
    """
    written = _alphabet(letters)
    chosen = choose(model, config, where, written)
    found = parameters(chosen.model.architecture, chosen.relations, written, form, _letter(by, written, chosen.own))
    return derived(found, chosen.model.notes)


def explain(
    model: Named,
    *,
    config: Config | None = None,
    where: Iterable[str] = (),
    by: str | None = None,
    letters: Letters = (),
    language: str = "en",
) -> Explanation:
    """Where the formula comes from, step by step, with numbers if the model has them; in ``en`` or ``zh``.

    Arguments as for `derive`. Raises `SymparamError`.
    """
    from symparam.results import Explanation
    from symparam.writing.phrases import phrases

    return Explanation(_subject(model, config, where, letters, by, values_first=False), phrases(language).language)


def count(model: Named, *, config: Config | None = None, where: Iterable[str] = (), letters: Letters = (), language: str = "en") -> Counted:
    """The number of parameters of a model with values, module by module: ``count("gpt2").total``.

    Arguments as for `derive`. Raises `SymparamError`, also where a letter has no value.
    """
    from symparam.counting import Count
    from symparam.results import Counted

    subject = _subject(model, config, where, letters, None, values_first=True)
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

    subject = _subject(model, config, where, letters, None, values_first=True)
    return Tensors(tensor_list(subject.derivation, subject.count), subject.model, language)


def compare(first: Named, second: Named, *, letters: Letters = ()) -> Comparison:
    """What the second architecture has more than the first, as a formula and module by module.

    Arguments as ``model`` of `derive`. Raises `SymparamError`.
    """
    from symparam import comparison

    written = _alphabet(letters)
    return comparison.compare(choose(first).model.architecture, choose(second).model.architecture, written)


def list(language: str = "en") -> Catalogue:  # noqa: A001  # The name of the command; nothing here needs the built-in.
    """The architectures and presets that can be named."""
    from symparam.results import Catalogue

    return Catalogue(FAMILIES, tuple(presets().values()), language)


def symbols(letters: Letters = (), language: str = "en") -> Vocabulary:
    """The dimensions with their letters, in symparam's alphabet or another author's."""
    from symparam.results import Vocabulary

    return Vocabulary(DIMENSIONS, _alphabet(letters), language)


def _subject(model: Named, config: Config | None, where: Iterable[str], letters: Letters, by: str | None, *, values_first: bool) -> Subject:
    """The derivation of a model together with its count, where it has a value for every letter."""
    from symparam.counting import Count
    from symparam.writing.explanation import Subject

    written = _alphabet(letters)
    chosen = choose(model, config, where, written, values_first)
    architecture, letter = chosen.model.architecture, _letter(by, written, chosen.own)
    derivation = parameters(architecture, chosen.symbolic, written, by=letter)
    if derivation.letters <= chosen.model.values.keys():
        return Subject(derivation, chosen.model, Count(derivation, chosen.model.values, chosen.model.origin))
    # Not every letter has a number, so those that were stated go into the formula.
    return Subject(parameters(architecture, chosen.relations, written, by=letter), chosen.model, None)


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
