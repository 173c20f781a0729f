"""The context of a document, from its front matter and from its reader, who takes precedence; and unusable front matter."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import symparam
from symparam.errors import DocumentError, SymparamError
from tests.documents.checking.shown import checked, claims

AREA = "4 × C² = 2,359,296"


def page(front: str, body: str = AREA) -> str:
    return f"---\n{front}\n---\n\n{body}\n"


DECLARED = [
    ("symparam:\n  symbols: {C: H}\n  where: [H=768]", AREA, "exact"),
    ("symparam:\n  symbols: {C: hidden_size}\n  where: H=768", AREA, "exact"),
    ("symparam:\n  symbols: {C: H}\n  where: [H=767]", AREA, "wrong-value"),
    ("symparam:\n  symbols: {C: H}\n  config: gpt2", AREA, "exact"),
    ("symparam:\n  symbols: {C: H}\n  config: GPT2", AREA, "exact"),
    ("symparam:\n  symbols: {C: C}", f"C = 768\n{AREA}", "exact"),
    ("symparam:\n  symbols: {C: C}", AREA, "no-value"),
    ("symparam: {}", AREA, "no-value"),
    ("title: about symparam", AREA, "no-value"),
    ("symparam:\n  where: [I=4H]", "2 × I × H = 8 × H²", "proven"),
    ("symparam:\n  where: [I=4H, H=768]", "2 × I × H = 4,718,592", "exact"),
    ("symparam:\n  alphabet: kaplan\n  where: [d_model=768]", "4 × d_model² = 2,359,297", "wrong-value"),
    ("symparam:\n  symbols: {rank: rank}", "rank = 8\n2 × 768 × rank = 12,288", "exact"),
    ("symparam:\n  architecture: gpt2\n  config: gpt2-medium", "total: 354,823,168", "total"),
    ("symparam:\n  config: gpt2-medium", "total: 354,823,169", "wrong-total"),
    ("symparam:\n  architecture: gpt2-medium", "total: 354,823,168", "total"),
    ("title: notes\nsymparam:\n  ignore: [no-value]\nlayout: post", AREA, "no-value (ignored)"),
    ("symparam:\n  ignore: no-value", AREA, "no-value (ignored)"),
    ("symparam:\n  ignore: [wrong-sum]", AREA, "no-value"),
]


@pytest.mark.parametrize(("front", "body", "code"), DECLARED, ids=[f"{front} | {body}".replace("\n", " ⏎ ") for front, body, _ in DECLARED])
def test_what_a_document_declares(front: str, body: str, code: str) -> None:
    (claim,) = claims(page(front, body))
    assert claim.rpartition(": ")[2] == code
    (claim,) = claims(page(front, body).replace("\n", "\r\n"))
    assert claim.rpartition(": ")[2] == code


def test_what_the_reader_says_goes_first() -> None:
    assert claims(page("symparam:\n  config: gpt2-medium", "total: 109,482,240"), config="bert-base-uncased") == [
        "the parameters of BertModel = 109,482,240: total"
    ]
    assert claims(page("symparam:\n  symbols: {C: N}"), symbols={"C": "H"}, where=["H=768"]) == [f"{AREA}: exact"]


def test_notes_of_a_config() -> None:
    assert checked(page("symparam:\n  config: gpt2")).notes == ()
    assert checked(page("title: x")).notes == ()


def test_what_is_no_front_matter_is_text() -> None:
    for text in (f"\n---\nsymparam: 7\n---\n{AREA}", f"---\nsymparam: 7\n{AREA}", f"text\n---\nsymparam: 7\n---\n{AREA}"):
        assert claims(text) == [f"{AREA}: no-value"]


REFUSED = [
    ("symparam:\n  architecure: gpt2", "there is no key of symparam named 'architecure'; did you mean 'architecture'?"),
    ("symparam:\n  architecture: gpt3", "there is no architecture or preset named 'gpt3'; did you mean 'gpt3-175b'?"),
    ("symparam:\n  architecture: ./bert.json", "there is no architecture or preset named './bert.json'; a document must not name files"),
    ("symparam:\n  config: gpt3", "there is no preset named 'gpt3'; did you mean 'gpt3-175b'?"),
    ("symparam:\n  config: ../gpt2.json", "there is no preset named '../gpt2.json'; a preset is expected, or a config.json next to the document"),
    ("symparam:\n  config: /etc/passwd", "there is no preset named '/etc/passwd'; a preset is expected, or a config.json next to the document"),
    ("symparam:\n  architecture: bert\n  config: gpt2", "gpt2: \"model_type\" is 'gpt2', but bert was asked for"),
    ("symparam:\n  alphabet: kaplen", "there is no alphabet named 'kaplen'; did you mean 'kaplan'?"),
    ("symparam:\n  ignore: [wrong-numbr]", "there is no code named 'wrong-numbr'; did you mean 'wrong-number'"),
    ("symparam:\n  symbols: {C: Q}", "there is no size named 'Q'"),
    ("symparam:\n  symbols: {1: H}", "'1' cannot name a size"),
    ("symparam:\n  where: [H=]", "column 3 of 'H=': the formula ends"),
    ("symparam:\n  where: [I=4H, I=5H]", "I = 5H contradicts I = 4H"),
    ("symparam:\n  where: ['tied=true']", "'tied=true' states a flag; it needs an architecture to belong to, so name one"),
    # Other types than those that are expected.
    ("symparam:\n  symbols: [C=H]", "symbols is ['C=H']; names with their letters are expected, as in 'C: H'"),
    ("symparam:\n  symbols: {C: [H]}", "symbols is ['H'], but a name is expected"),
    ("symparam:\n  where: {H: 768}", "where is {'H': 768}, but a name is expected"),
    ("symparam:\n  where: [[H=768]]", "where is ['H=768'], but a name is expected"),
    ("symparam:\n  architecture: [bert, gpt2]", "architecture is ['bert', 'gpt2'], but a name is expected"),
    ("symparam:\n  architecture: true", "architecture is True, but a name is expected"),
    ("symparam:\n  config: 2020-01-01", "config is datetime.date(2020, 1, 1), but a name is expected"),
    ("symparam:\n  ignore: 1.5", "ignore is 1.5, but a name is expected"),
]  # fmt: skip


@pytest.mark.parametrize(("front", "message"), REFUSED, ids=[front.replace("\n", " ⏎ ") for front, _ in REFUSED])
def test_front_matter_that_cannot_be_used(front: str, message: str) -> None:
    with pytest.raises(DocumentError, match=re.escape(f"<text>: in the front matter, {message}")):
        checked(page(front))


BROKEN = [
    ("symparam: {", "<text>:2:12: the front matter is not YAML; correct it, or remove the key symparam"),
    ("title: symparam\ndate: [", "<text>:3:8: the front matter is not YAML; correct it, or remove the key symparam"),
    ("symparam:\n\tconfig: gpt2", "<text>:3:1: the front matter is not YAML; correct it, or remove the key symparam"),
    ("symparam:\n  where: !!python/object/apply:os.system [ls]", "<text>:3:10: the front matter is not YAML; correct it, or remove"),
    ("symparam: gpt2", "<text>: symparam in the front matter is 'gpt2'; keys such as architecture are expected below it"),
    ("symparam: [gpt2]", "<text>: symparam in the front matter is ['gpt2']; keys such as architecture are expected below it"),
    ("symparam:", "<text>: symparam in the front matter is None; keys such as architecture are expected below it"),
    ("a: &a [x]\nsymparam: *a", "<text>: the front matter refers to itself with '*'; write out what is meant, or remove symparam"),
    ("symparam: " + "[" * 300, "<text>: the front matter has more than 200 brackets; simplify the part for symparam"),
]


@pytest.mark.parametrize(("front", "message"), BROKEN, ids=[front.replace("\n", " ⏎ ")[:40] for front, _ in BROKEN])
def test_front_matter_that_is_none(front: str, message: str) -> None:
    with pytest.raises(DocumentError, match=re.escape(message)):
        checked(page(front))


def test_a_document_names_a_config_of_its_project(tmp_path: Path) -> None:
    (tmp_path / "project" / "docs").mkdir(parents=True)
    (tmp_path / "project" / "pyproject.toml").write_text("")
    for folder in (tmp_path, tmp_path / "project"):
        (folder / "own.json").write_text('{"model_type": "gpt2", "n_embd": 8, "n_layer": 2, "n_head": 2}')
    document = tmp_path / "project" / "docs" / "page.md"
    document.write_text(page("symparam:\n  config: ../own.json", "Total parameters: 412,000 + 8 = 412,008"))
    (found,) = symparam.check(document).documents
    assert [finding.code for finding in found.findings] == ["exact", "total"]
    document.write_text(page("symparam:\n  config: ../../own.json", "Total parameters: 412,008"))
    with pytest.raises(SymparamError, match="lies outside of the project"):
        symparam.check(document)
