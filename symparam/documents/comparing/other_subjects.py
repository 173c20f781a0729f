"""Numbers of a page that are about another released model than the user's, as their row, column, clause or heading names that one.

Each is held against the model that it is about. What differs from it is undecided, as nobody said that the page has to be right about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from symparam.core.message import message
from symparam.documents.checking.claims.judged_claim import JudgedClaim
from symparam.documents.checking.entries.labelled_quantities import EVIDENT, LabelledQuantity, last_clause
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.lines.line_checker import LineChecker
from symparam.documents.comparing.judging import judge_parts
from symparam.documents.comparing.measurands import RunSetting
from symparam.documents.comparing.named_model import NamedModel, model_of_name
from symparam.documents.comparing.parameter_counts import judge_parameter_counts
from symparam.documents.reading.sentences import sentence_end
from symparam.documents.roles.model_names import names_in_words
from symparam.models.resolution import Resolved

_SENTENCE = sentence_end("|")
_MOST = 8  # Other models of one page that its numbers are held against.
_WORDS_OF_NAMES = 200  # Characters of a label in which a model may be named.


@dataclass(frozen=True)
class OtherSubjects:
    """The ``models`` that a page names beside the user's, each with the places of numbers that are about it: those that are ``named`` by
    their row, their column or their clause, and those ``below`` a heading or within a sentence that names it.
    """

    models: Mapping[str, Resolved]
    named: Mapping[int, str]
    below: Mapping[int, str]

    @property
    def places(self) -> Mapping[int, str]:
        """The name of the model of each number."""
        return {**self.below, **self.named}


NO_OTHERS = OtherSubjects({}, {}, {})


def other_subjects(checker: LineChecker, chosen: Resolved) -> OtherSubjects:
    """The models that are named beside numbers of the page, other than the user's, and of other sizes."""
    own, named, below = NamedModel(chosen), dict[int, str](), dict[int, str]()
    for quantity in checker.quantities.stated:
        for found, texts in ((named, _beside(quantity)), (below, (_sentence(quantity), *quantity.headings))):
            subject = _subject(texts, chosen)
            if subject is not None:
                found[quantity.expression.start] = subject
                break
    names = list(dict.fromkeys(filter(None, (*named.values(), *below.values()))))[:_MOST]
    models = {name: model_of_name(name) for name in names if not own.is_same(name)}
    return OtherSubjects(models, _only(named, models), _only(below, models))


def judge_others(checker: LineChecker, others: OtherSubjects, setting: RunSetting, taken: frozenset[int]) -> Iterator[JudgedClaim]:
    """The findings on the numbers that are about other models."""
    for name, model in others.models.items():
        places = {at for at, meant in others.places.items() if meant == name}
        parts = judge_parts(checker, model, taken, setting, with_formulas=False, only=places).judged
        held = frozenset(each.finding.right_start for each in parts if each.finding.verdict is Verdict.HOLDS)
        counts = [each for each in judge_parameter_counts(checker, model, held | taken, frozenset()) if each.finding.start in places]
        counted = {each.finding.right_start for each in counts if each.finding.verdict is Verdict.HOLDS}
        yield from (_about(each, name) for each in counts)
        yield from (_about(each, name) for each in parts if each.finding.right_start not in counted)


def without_others(found: Iterable[JudgedClaim], others: OtherSubjects) -> list[JudgedClaim]:
    """The findings against the user's model but for those on numbers that are about others; below a heading or within a sentence that
    names one, what holds may be a comparison.
    """
    below = {at for at in others.below if at not in others.named}
    kept = (each for each in found if each.finding.right_start not in others.named)
    return [each for each in kept if each.finding.right_start not in below or (each.finding.verdict is Verdict.HOLDS and _tells(each))]


def _tells(judged: JudgedClaim) -> bool:
    """Whether the number has so many digits that it hardly holds for a model that its sentence does not name by chance."""
    return sum(map(str.isdigit, judged.finding.right)) >= EVIDENT


def about_others(noticed: Iterable[JudgedClaim], others: OtherSubjects) -> Iterator[JudgedClaim]:
    """The findings on numbers without a verdict, of which those about another model say so."""
    for each in noticed:
        name = others.places.get(each.finding.start)
        said = message("about-other-model", name=name) if name is not None else each.finding.reason
        yield replace(each, finding=replace(each.finding, reason=said))


def _about(judged: JudgedClaim, name: str) -> JudgedClaim:
    """The finding with the name of its model; a number that differs is not wrong."""
    finding = judged.finding
    if finding.verdict is not Verdict.WRONG:
        return replace(judged, finding=replace(finding, reason=message("of-named-model", name=name, said=finding.reason)))
    reason = message("if-about-it", said=finding.reason, name=name)
    return JudgedClaim(replace(finding, verdict=Verdict.UNDECIDED, code="unclear-subject", reason=reason))


def _beside(quantity: LabelledQuantity) -> tuple[str, ...]:
    """The words beside a number that may name its model, the nearest first."""
    own = quantity.words if quantity.column else last_clause(quantity.words)
    return (quantity.column, own[-_WORDS_OF_NAMES:])


def _sentence(quantity: LabelledQuantity) -> str:
    """The words before it in its sentence."""
    return _SENTENCE.split(quantity.words)[-1][-_WORDS_OF_NAMES:]


def _subject(texts: Iterable[str], chosen: Resolved) -> str | None:
    """The model that the first text names which names one: empty if it is the user's, or one of several, None if none is named."""
    for text in texts:
        names = {name for _, _, name in names_in_words(text)}
        if names:
            return names.pop() if len(names) == 1 and not _is_own(text, chosen) else ""
        if _is_own(text, chosen):
            return ""
    return None


def _is_own(text: str, chosen: Resolved) -> bool:
    return bool(text) and bool(chosen.model.origin) and chosen.model.origin in {name for _, _, name in names_in_words(text)}


def _only(places: Mapping[int, str], models: Mapping[str, Resolved]) -> dict[int, str]:
    return {at: name for at, name in places.items() if name in models}
