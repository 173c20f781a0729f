"""What numbers count where a page does not say, as the user, the front matter or a remark states it."""

from __future__ import annotations

import pytest

from symparam import Architecture, Linear, Sequential, check_text, count
from symparam.errors import DocumentError, SymparamError

CACHE = "per token: 36,864"


def codes(text: str, **options: str) -> list[str]:
    return [finding.code for finding in check_text(text, **{"config": "gpt2", **options}).findings]


@pytest.mark.parametrize("convention", ["thop", "torch", "kaplan"])
def test_a_convention_counts_as_count_does(convention: str) -> None:
    total = count("gpt2", convention=convention, where=["L=1024", "B=1"]).total
    assert codes(f"Total: {total:,}", convention=convention) == ["component"]
    assert codes(f"Total: {total:,} FLOPs", convention=convention) == ["component"]
    assert "component" not in codes(f"Total: {total + 12:,}", convention=convention)


@pytest.mark.parametrize("measure", ["flops", "training-macs", "decoding-flops", "training-memory", "active-parameters"])
def test_a_measure_counts_as_count_does(measure: str) -> None:
    letters = ["L=1024", "B=1"] if "macs" in measure or measure == "flops" else ["S=1024", "B=1"] if "decoding" in measure else []
    total = count("gpt2", measure=measure, where=letters).total
    assert codes(f"Total: {total:,}", measure=measure)[0] in ("component", "total")


def test_what_a_page_says_comes_first() -> None:
    assert codes("attention parameters: 28,348,416", measure="flops") == ["component"]


def test_front_matter_and_remarks() -> None:
    assert codes(CACHE) == []
    assert codes(CACHE, measure="kv-cache") == ["component"]
    assert codes(f"---\nsymparam:\n  measure: kv-cache\n---\n{CACHE}") == ["component"]
    assert codes(f"{CACHE} <!-- symparam: measure kv-cache -->\n\n{CACHE}") == ["component"]
    with pytest.raises(DocumentError, match="there is no measure named 'cash'"):
        check_text(f"{CACHE} <!-- symparam: measure cash -->")


def test_what_cannot_be_measured() -> None:
    with pytest.raises(SymparamError, match="did you mean 'thop'"):
        check_text("", convention="tho")
    with pytest.raises(SymparamError, match="no measure named 'flop'"):
        check_text("", measure="flop")


def test_a_power_of_a_letter_to_a_letter_has_no_normal_form() -> None:
    assert not check_text("Each layer has K^k parameters = 12H²", architecture="mixtral").wrong


def test_multiply_accumulates_are_no_flops_for_a_user_who_states_flops() -> None:
    """Tools print the 1024 × 1024 + 1024 × 2048 multiply-accumulates of two linear maps as ``flop``; these are 6,291,456 operations."""
    net = Architecture("net", Sequential(Linear(1024, 1024, bias=False), Linear(1024, 2048, bias=False)))
    page = "Net 模型计算量: {} flop"
    rows = [("3145728.0", "", "component"), ("3145728.0", "flops", "wrong-component"), ("6291456.0", "flops", "component")]
    for stated, measure, code in rows:
        (finding,) = check_text(page.format(stated), architecture=net, where=["B=1", "L=1"], measure=measure).findings
        assert finding.code == code
    (found,) = check_text(page.format("3145728.0"), architecture=net, where=["B=1", "L=1"], measure="flops").wrong
    assert found.gap is not None
    assert "multiply-accumulate" in str(found.gap.explained_by[0].what)
