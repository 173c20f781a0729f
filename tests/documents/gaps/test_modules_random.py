"""Random modules left out, doubled, stripped of their biases or untied, at odd sizes: the explanation adds up and names them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import prod

import pytest
import sympy
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from symparam import Architecture, Block, LayerNorm, Linear, evaluate
from symparam.core.algebra.closed_form import expanded
from symparam.core.algebra.polynomial import equal
from symparam.documents.gaps.gap import Gap
from symparam.documents.gaps.modules.explain import explain_formula, explain_total
from symparam.documents.gaps.modules.total_terms import TotalTerm
from symparam.models.architectures import families
from symparam.models.blocks.architecture import Place
from symparam.models.resolution import Resolved, resolve
from tests.documents.gaps.gaps import check_sums, signed, worded
from tests.strategies import all_letters, architectures, values_of
from tests.work import calls

classes = st.sampled_from([name for family in families() for name in family.classes])


@st.composite
def models(draw: st.DrawFn) -> Resolved:
    """A model that symparam knows, at sizes that nobody would choose."""
    name = draw(classes)
    return resolve(name, where=[f"{letter}={value}" for letter, value in draw(values_of(name)).items()])


def tensors_in(chosen: Resolved, place: Place) -> dict[str, sympy.Expr]:
    """The counted tensors of a block by name, in all their copies."""
    return {
        f"{inner.path}.{tensor.name}".strip("."): inner.copies * tensor.elements
        for inner in place.walk()
        for tensor in inner.module.tensors
        if tensor.tied_to is None
    }


def number(size: sympy.Expr, chosen: Resolved) -> int:
    return int(evaluate(expanded(size), chosen.model.values))


def right(chosen: Resolved) -> sympy.Expr:
    return sympy.Add(*tensors_in(chosen, Place("", chosen.model.architecture.root)).values())


def changes(chosen: Resolved, place: Place) -> dict[str, sympy.Expr]:
    """What an author may do to a block, and what it makes his total too large by."""
    tensors = tensors_in(chosen, place)
    biases = [size for name, size in tensors.items() if name.endswith("bias")]
    tied = [place.copies * prod(each.shape) for each in place.module.tensors if each.tied_to]
    return {
        "left out": -sympy.Add(*tensors.values()),
        "doubled": sympy.Add(*tensors.values()),
        "without biases": -sympy.Add(*biases),
        "untied": sympy.Add(*tied),
    }


def paths_of(chosen: Resolved, place: Place) -> set[str]:
    """The blocks that hold the same tensors as this one."""
    names = tensors_in(chosen, place).keys()
    return {other.path for other in chosen.model.architecture.places() if tensors_in(chosen, other).keys() == names}


def shows(gap: Gap, paths: set[str]) -> bool:
    """Whether one of the blocks is named; of very many alike only the first are."""
    sentences = [worded(cause) for causes in (gap.explained_by, *gap.others) for cause in causes]
    return any(path in sentence for path in paths for sentence in sentences) or any(" others)" in sentence for sentence in sentences)


class TestRandom:
    @given(models(), st.data())
    @settings(deadline=None)
    def test_a_module_that_is_left_out_is_named(self, chosen: Resolved, data: st.DataObject) -> None:
        places = [place for place in chosen.model.architecture.places() if place.path and tensors_in(chosen, place)]
        place = data.draw(st.sampled_from(places))
        missing = changes(chosen, place)["left out"]
        gap = explain_total(chosen, number(right(chosen) + missing, chosen))
        check_sums(gap)
        assert gap.value == number(missing, chosen)
        assert shows(gap, paths_of(chosen, place))

    @given(models(), st.data())
    @settings(deadline=None)
    def test_a_module_that_is_left_out_of_a_formula_is_named(self, chosen: Resolved, data: st.DataObject) -> None:
        places = [place for place in chosen.model.architecture.places() if place.path and tensors_in(chosen, place)]
        place = data.draw(st.sampled_from(places))
        missing = changes(chosen, place)["left out"]
        gap = explain_formula(resolve(chosen.model.architecture), expanded(right(chosen) + missing))
        assert gap.value is None
        assert gap.formula is not None
        assert equal(gap.formula.expr, missing)
        assert shows(gap, paths_of(chosen, place))
        for causes in (gap.explained_by, *gap.others):
            assert equal(sympy.Add(*map(signed, causes)), missing)

    @given(models(), st.integers(-3, 3), st.data())
    @settings(deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
    def test_layers_more_or_fewer_than_there_are_are_counted(self, chosen: Resolved, more: int, data: st.DataObject) -> None:
        lists = [place for place in chosen.model.architecture.places() if place.path.endswith("}") and place.module.children]
        assume(lists)
        place = data.draw(st.sampled_from(lists))
        copies = number(place.copies, chosen)
        assume(more and -copies < more < copies)
        made = more * sympy.Add(*tensors_in(chosen, place).values()) / place.copies
        gap = explain_total(chosen, number(right(chosen) + made, chosen))
        check_sums(gap)
        assert shows(gap, paths_of(chosen, place))
        symbolic = explain_formula(resolve(chosen.model.architecture), expanded(right(chosen) + made))
        assert shows(symbolic, paths_of(chosen, place))
        for causes in (symbolic.explained_by, *symbolic.others):
            assert equal(sympy.Add(*map(signed, causes)), made)

    @given(models(), st.data())
    @settings(deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
    @pytest.mark.slow
    def test_several_changes_add_up_to_the_gap(self, chosen: Resolved, data: st.DataObject) -> None:
        made = [data.draw(st.sampled_from(list(self.all_changes(chosen)))) for _ in range(data.draw(st.integers(1, 3)))]
        stated = right(chosen) + sympy.Add(*made)
        assume(made)
        gap = explain_total(chosen, number(stated, chosen))
        check_sums(gap)
        assert gap.value == number(sympy.Add(*made), chosen)
        again = explain_total(chosen, number(stated, chosen))
        assert again == gap
        symbolic = explain_formula(resolve(chosen.model.architecture), expanded(stated))
        for causes in (symbolic.explained_by, *symbolic.others):
            assert equal(sympy.Add(*map(signed, causes)), sympy.Add(*made)) or not causes

    @staticmethod
    def all_changes(chosen: Resolved) -> Iterator[sympy.Expr]:
        for place in chosen.model.architecture.places():
            if place.path:
                yield from (size for size in changes(chosen, place).values() if size != 0)

    @given(models(), st.data())
    @settings(deadline=None)
    def test_the_terms_of_a_total_tell_which_modules_it_lacks(self, chosen: Resolved, data: st.DataObject) -> None:
        """Parts without labels, one for each block without blocks inside; some are left out."""
        places = [place for place in chosen.model.architecture.places() if not place.module.children and tensors_in(chosen, place)]
        kept = data.draw(st.sets(st.sampled_from(places), min_size=max(1, len(places) - 3)))
        values = [number(sympy.Add(*tensors_in(chosen, place).values()), chosen) for place in places if place in kept]
        gap = explain_total(chosen, sum(values), [TotalTerm("", value) for value in values])
        check_sums(gap)
        assert bool(gap.explained_by) == bool(gap.value)

    @given(architectures(), st.data())
    @settings(deadline=None)
    def test_models_of_ones_own(self, architecture: Architecture, data: st.DataObject) -> None:
        model = resolve(architecture)
        chosen = replace(model, model=replace(model.model, values={letter: data.draw(st.integers(1, 9)) for letter in all_letters}))
        places = [place for place in architecture.places() if place.path and tensors_in(chosen, place)]
        assume(places)
        place = data.draw(st.sampled_from(places))
        missing = changes(chosen, place)["left out"]
        gap = explain_total(chosen, number(right(chosen) + missing, chosen))
        check_sums(gap)
        assert gap.explained_by
        symbolic = explain_formula(resolve(architecture), expanded(right(chosen) + missing))
        assert symbolic.explained_by
        for causes in (symbolic.explained_by, *symbolic.others):
            assert equal(sympy.Add(*map(signed, causes)), missing)

    @given(st.integers(-(10**9), 10**9), st.lists(st.tuples(st.text(max_size=12), st.integers(-(10**6), 10**8)), max_size=6))
    @settings(deadline=None)
    def test_whatever_is_stated_the_causes_add_up(self, stated: int, parts: list[tuple[str, int]]) -> None:
        for number_stated in (stated, sum(value for _, value in parts)):
            lines = [TotalTerm(label, value, line=line) for line, (label, value) in enumerate(parts, 1)]
            gap = explain_total(resolve("bert", "bert-base-uncased"), number_stated, lines)
            check_sums(gap)
            assert gap.value == number_stated - 109_482_240


@pytest.mark.slow
def test_the_work_on_a_model_of_many_blocks_grows_with_their_number() -> None:
    def layer(index: int) -> Block:
        maps = {name: Linear("H", 3 * index + each) for each, name in enumerate(("query", "key", "value", "up", "down"), 1)}
        return Block("Layer", norm=LayerNorm("H"), **maps)

    taken = []
    for layers in (15, 60):
        model = Architecture("unrolled", Block("Model", **{f"layer_{index}": layer(index) for index in range(layers)}))
        chosen = resolve(model, where=["H=769"])
        whole = number(right(chosen), chosen)
        assert "layer_7.key" in str(explain_total(chosen, whole - 769 * (3 * 7 + 2) - (3 * 7 + 2)))
        assert explain_total(chosen, whole - 1_234_567).value == -1_234_567
        taken.append(calls(lambda chosen=chosen, whole=whole: explain_total(chosen, whole - 7_654_321)))
    assert taken[1] < 6 * taken[0]
