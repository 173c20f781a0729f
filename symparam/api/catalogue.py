"""Lists of names: models, published formulas, letters, rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symparam.api.common import AlphabetLike, alphabet_of
from symparam.core.dimensions import DIMENSIONS
from symparam.errors import UnknownNameError
from symparam.models.architectures import families
from symparam.models.configs.presets import presets

if TYPE_CHECKING:
    from symparam.results.letters import LettersResult
    from symparam.results.list import ListResult
    from symparam.results.published import PublishedListResult, PublishedResult
    from symparam.results.rules import RulesResult


def published(name: str | None = None, *, language: str = "en") -> PublishedResult | PublishedListResult:
    """List published formulas in their authors' letters, each with its exact difference from the full count: all, or those of one source.

    ``published("kaplan").formulas``. Raises `SymparamError` for an unknown name.
    """
    from symparam.analysis.publications import PUBLICATIONS, find_publication
    from symparam.results.published import PublishedListResult, PublishedResult
    from symparam.writing.phrases import phrases

    spoken = phrases(language).language
    return PublishedListResult(PUBLICATIONS, spoken) if name is None else PublishedResult(find_publication(name), spoken)


def list(language: str = "en", word: str | None = None) -> ListResult:  # noqa: A001  # The name of the command.
    """List the names of architectures, presets and traced classes; with a ``word`` only those that contain it.

    Raises `UnknownNameError` if there are none.
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
        names = (name for each in atlas().entries for name in (each.model_type, each.class_name))
        kind, remedy = "architecture, preset or traced class", "symparam list shows the names of families and presets"
        raise UnknownNameError(kind, word, names, remedy, part=True)
    return ListResult(named, released, traced, word, language)


def letters(alphabet: AlphabetLike = (), language: str = "en") -> LettersResult:
    """List the dimensions with their letters, in symparam's alphabet or another author's."""
    from symparam.results.letters import LettersResult

    return LettersResult(DIMENSIONS, alphabet_of(alphabet), language)


def rules(word: str | None = None, language: str = "en") -> RulesResult:
    """List the rules of checking, each with an example in which it changes a verdict; with a ``word`` only those whose names contain it.

    Raises `UnknownNameError` if there are none.
    """
    from symparam.documents.rules.registry import GROUPS, RULES
    from symparam.results.rules import RulesResult

    part = (word or "").casefold()
    found = {group: tuple(rule for rule in listed if part in rule.code) for group, listed in GROUPS.items()}
    if not any(found.values()):
        raise UnknownNameError("rule", word or "", RULES, part=True)
    return RulesResult({group: listed for group, listed in found.items() if listed}, language)
