"""Every family, class, released model and publication has its place in a page of its own, so that none is added without one."""

from __future__ import annotations

import pytest

from symparam import SymparamError, crossover, derive
from symparam.analysis.publications import PUBLICATIONS, Publication
from symparam.models.architectures import Family, families, find_architecture
from symparam.models.configs.presets import presets
from tests.docs.pages import DOCS, asked, says, text


def missing(page: str, *expected: str) -> str:
    """What is to be done where places are missing, or nothing."""
    places = [words for words in expected if words not in asked(page)]
    shown = "\n".join(f"<!-- symparam: {words} -->\n<!-- /symparam -->" for words in places)
    return f"add to docs/{page}, and fill it with symparam docs docs/{page}:\n{shown}" if places else ""


def possible(name: str, **options: str) -> bool:
    """Whether the family has what is measured."""
    try:
        derive(name, **options)  # type: ignore[arg-type]
    except SymparamError:
        return False
    return True


@pytest.mark.parametrize("family", families(), ids=[family.name for family in families()])
def test_every_family_has_a_page_with_all_its_classes_and_models(family: Family) -> None:
    page, main = f"families/{family.name}.md", next(iter(family.classes))
    assert text(page), f"{family.title} has no page; CONTRIBUTING.md says under step 5 how to write docs/{page}"
    classes = [f"derive {name}{form}" for name in family.classes for form in ("", " --form by-module")]
    models = [f"count {model.name}" for model in presets().values() if find_architecture(model.config["architectures"][0]).family is family]
    assert not missing(page, *classes, f"explain {main}", *models)
    assert not missing("families/index.md", *(f"derive {name}" for name in family.classes))
    assert says("families/index.md", f"[{family.title}]({family.name}.md)"), f"put {family.name} into the table of docs/families/index.md"
    assert f"\n{family.name}\n" in text("families/index.md"), f"put {family.name} into the toctree of docs/families/index.md"
    assert says(page, f"Source: {family.source}."), f"say in docs/{page} where the family is from"


@pytest.mark.few(12)
@pytest.mark.parametrize("family", families(), ids=[family.name for family in families()])
def test_every_page_has_operations_and_a_cache_where_there_is_one(family: Family) -> None:
    page, main = f"families/{family.name}.md", next(iter(family.classes))
    wanted = [f"derive {main} --measure {name}" for name in ("flops", "decoding-flops", "kv-cache") if possible(family.name, measure=name)]
    assert wanted
    try:
        crossover(family.name)
    except SymparamError:
        pass
    else:
        wanted.append(f"crossover {main}")
    absent = [question for question in wanted if not any(words.startswith(question) for words in asked(page))]
    assert not absent, missing(page, *absent)


@pytest.mark.parametrize("publication", PUBLICATIONS, ids=[publication.name for publication in PUBLICATIONS])
def test_every_publication_has_a_page(publication: Publication) -> None:
    page = f"published/{publication.name}.md"
    assert text(page), f"{publication.title} has no page; write docs/{page}, with a sentence on what is counted and a place for it"
    assert not missing(page, f"published {publication.name}")
    assert not missing("published/index.md", "published")
    assert f"({publication.name}.md)" in text("published/index.md"), f"put {publication.name} into the list of docs/published/index.md"


def test_there_is_no_page_of_what_is_gone() -> None:
    pages = {path.stem for path in (DOCS / "families").glob("*.md")} - {"index"}
    assert pages == {family.name for family in families()}
    publications = {path.stem for path in (DOCS / "published").glob("*.md")} - {"index"}
    assert publications == {publication.name for publication in PUBLICATIONS}
