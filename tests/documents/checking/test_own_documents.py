"""What symparam writes, its own checker reads back completely, and a single wrong digit in it is found and nothing else."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise, product

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from symparam import Architecture, check_text, explain
from symparam.core.dimensions import BY_LETTER
from symparam.core.formula import Formula, Product, Symbol
from symparam.documents.checking.finding import CheckedDocument, Verdict
from symparam.models.architectures import families
from symparam.results.explain import ExplainResult
from symparam.writing.document import Chain, Entry
from tests.sampling import one_of_each
from tests.strategies import architectures, presets_of, values_of

FAMILIES = {family.name: next(iter(presets_of(family))) for family in families()}
FORMATS = ("text", "markdown", "latex")


def links(explanation: ExplainResult) -> int:
    """How many relations stand in the chains of the document; H = 768 sets a letter and claims nothing, and NL = LN could be two words."""
    found = (node.chain if isinstance(node, Entry) else node for node in explanation.document.nodes)
    chains = [chain.formulas for chain in found if isinstance(chain, Chain) and not isinstance(chain.formulas[0], Symbol)]
    return sum(not all(map(_run_of_letters, pair)) for formulas in chains for pair in pairwise(formulas))


def _run_of_letters(formula: Formula) -> bool:
    return isinstance(formula, Product) and all(isinstance(factor, Symbol) for factor in formula.factors)


def checked(text: str) -> CheckedDocument:
    (document,) = check_text(text).documents
    return document


OPEN = ("not-judged", "open-component")


def shown(document: CheckedDocument) -> list[str]:
    """What does not hold, for a message, but for numbers of which nothing is claimed, as of a model with twice the layers."""
    found = [each for each in document.findings if each.verdict is not Verdict.HOLDS and each.code not in OPEN]
    return [f"{each.verdict} [{each.code}] {each.text}: {each.message}" for each in found]


LOOKS = list(product(FORMATS, ("en", "zh")))
EXPLANATIONS = [
    pytest.param(family, *look, id="-".join((family, *look)))
    for at, family in enumerate(FAMILIES)
    for look in (LOOKS[at % len(LOOKS)], LOOKS[(at + 1 + at // len(LOOKS) % (len(LOOKS) - 1)) % len(LOOKS)])
]
"""Each family in two of the six looks, and each look in twelve families."""


@pytest.mark.few(2)
@pytest.mark.parametrize(("family", "format", "language"), one_of_each(EXPLANATIONS, lambda family, format, language: (format, language)))
def test_every_claim_of_an_explanation_is_read_and_holds(family: str, format: str, language: str) -> None:
    for config in (None, FAMILIES[family]):
        explanation = explain(family, config=config, language=language)
        document = checked(explanation.write(format))
        assert shown(document) == []
        assert len(document.findings) >= links(explanation)


CLASSES = [name for family in families() for name in family.classes]


@pytest.mark.parametrize(
    "name", one_of_each([pytest.param(each, id=each) for each in CLASSES], lambda name: "", lambda name: "ForMaskedLM" in name)
)
def test_nothing_in_an_explanation_is_wrong_if_its_model_is_named(name: str) -> None:
    """A page that only names its model is never called wrong because of it; this one is compared with the model that the user names."""
    (document,) = check_text(explain(name).write("markdown"), architecture=name).documents
    assert [f"{each.text}: {each.message}" for each in document.wrong] == []


@st.composite
def sizes(draw: st.DrawFn, family: str) -> list[str]:
    return [f"{letter}={value}" for letter, value in draw(values_of(family)).items()]


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.data(), st.sampled_from(sorted(FAMILIES)), st.sampled_from(FORMATS), st.sampled_from(["en", "zh"]))
def test_random_configs(data: st.DataObject, family: str, format: str, language: str) -> None:
    explanation = explain(family, where=data.draw(sizes(family)), language=language)
    document = checked(explanation.write(format))
    assert shown(document) == []
    assert len(document.findings) >= links(explanation)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(architectures(), st.sampled_from(FORMATS))
def test_random_architectures(architecture: Architecture, format: str) -> None:
    assume(any(True for _ in architecture.tensors()))
    explanation = explain(architecture)
    document = checked(explanation.write(format))
    assert not document.wrong, shown(document)
    # A run of letters can only be taken apart if it is known which letters there are.
    sizes = [size for _, tensor in architecture.tensors() for size in tensor.shape] + [place.copies for place in architecture.places()]
    if {str(letter) for size in sizes for letter in size.free_symbols} <= BY_LETTER.keys():
        assert len(document.findings) >= links(explanation)


@dataclass(frozen=True)
class Broken:
    """The text of a document with one result changed, and the line of it."""

    text: str
    line: int


_LETTER = re.compile(r"[ &$]*[A-Za-z](?:_\w|_\{\w\})?[ &$]*")
_RESULT = re.compile(r"= (\d{1,3}(?:(?:,|\{,\})\d{3})+)(?=[^\d,{+×*-]*(?:\n|$))")


def broken(text: str, which: int, digit: int) -> Broken:
    """The document with one digit of one result changed."""
    # H = 768 sets a letter, which may have any value.
    results = [
        match for match in _RESULT.finditer(text) if not _LETTER.fullmatch(text[text.rfind("\n", 0, match.start()) + 1 : match.start()])
    ]
    match = results[which % len(results)]
    places = [place for place in range(match.start(1), match.end(1)) if text[place].isdigit()]
    place = places[digit % len(places)]
    new = str((int(text[place]) % 9) + 1)
    return Broken(text[:place] + new + text[place + 1 :], text.count("\n", 0, place) + 1)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(sorted(FAMILIES)), st.sampled_from(FORMATS), st.sampled_from(["en", "zh"]), st.integers(0, 999), st.integers(0, 99))
def test_one_wrong_digit_is_found_and_nothing_else(family: str, format: str, language: str, which: int, digit: int) -> None:
    explanation = explain(family, config=FAMILIES[family], language=language)
    page = broken(explanation.write(format), which, digit)
    document = checked(page.text)
    lines = {document.source.place(finding.right_start)[0] for finding in document.wrong}
    # The number that was changed stands between two relations at most: what leads to it and what follows from it are one claim each.
    assert lines, "the changed digit is not found"
    assert all(abs(line - page.line) <= 1 for line in lines), (page.line, [(finding.text, finding.message) for finding in document.wrong])
