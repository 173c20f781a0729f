"""Values of many instances at once, and rules for modules that all layers of a kind share."""

from __future__ import annotations

import pytest

from symparam.models.traced.expressions import evaluate
from symparam.models.traced.network import ModuleRule, RuleEntry, TensorRule, concrete_tensors
from symparam.models.tracing.columns import NONE, SettingColumns, bits, equal


def test_columns_have_the_value_of_each_instance_or_none() -> None:
    columns = SettingColumns([{"n": 6, "m": 3}, {"n": 5, "m": 0}, {"n": None}], [(0,), (1,), (2,)])
    assert columns.of(("//", ("key", "n"), ("key", "m"))) == [2, NONE, NONE]
    assert columns.of(("+", ("at", 0), 1)) == [1, 2, 3]
    assert columns.of(("if", ("null", ("key", "n")), 7, ("key", "n"))) == [6, 5, 7]
    assert columns.mask(("null", ("key", "n"))) == 0b100
    assert columns.mask(("<", ("key", "m"), 2)) is None
    assert columns.mask(("<", ("at", 0), 2)) == 0b011


def test_a_float_is_no_size() -> None:
    assert equal([32, 32.0, NONE, 31], [32] * 4) == [True, False, False, False]
    assert bits([True, False, True]) == 0b101
    assert bits([]) == 0


def test_the_number_of_earlier_items_of_a_kind() -> None:
    kinds = {"kinds": ["a", "b", "a", "b", "b"]}
    assert [evaluate(("before", ("key", "kinds"), at), kinds) for at in range(5)] == [0, 0, 1, 1, 2]


@pytest.mark.slow
def test_modules_that_all_layers_of_a_kind_share_are_there_for_the_first_ones() -> None:
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    from symparam.models.tracing.search import Search
    from symparam.models.tracing.subjects import ConfigSubject

    class Config(transformers.PreTrainedConfig):
        model_type = "sharing"

        def __init__(self, dim=8, shared=1, kinds=("a", "b", "a", "b", "b"), **others):
            super().__init__(**others)
            self.dim, self.shared, self.kinds = dim, shared, list(kinds)

    class Layer(torch.nn.Module):
        def __init__(self, config, common):
            super().__init__()
            self.own = torch.nn.Linear(config.dim, 3)
            if common is not None:
                self.common = common

    class Net(torch.nn.Module):
        def __init__(self, config):
            super().__init__()
            common = [torch.nn.Linear(config.dim, config.dim) for _ in range(config.shared)]
            turns = iter(range(len(config.kinds)))
            self.layers = torch.nn.ModuleList(
                Layer(config, common[next(turns) % len(common)] if kind == "b" else None) for kind in config.kinds
            )

    search = Search(ConfigSubject(Net, {}, Config))
    network = search.network("", {})
    assert not search.held_for_fit
    listed = concrete_tensors(network.root, {"dim": 4, "shared": 2, "kinds": ["a", "b", "b", "b"]})
    assert [each.name for each in listed if "common.weight" in each.name] == ["layers.1.common.weight", "layers.2.common.weight"]


@pytest.mark.slow
def test_what_a_class_compares_with_the_number_of_a_layer_is_tried_below_it() -> None:
    """Ernie's layers have experts from ``moe_layer_start_index`` to ``moe_layer_end_index``, which by default is the last one."""
    transformers = pytest.importorskip("transformers")
    from symparam.models.tracing.search import Search
    from symparam.models.tracing.subjects import ConfigSubject

    network = Search(ConfigSubject(transformers.Ernie4_5_MoeForCausalLM, {})).network("", {})
    defaults = {path: key.default for path, key in network.keys.items()}
    listed = concrete_tensors(network.root, defaults | {"num_hidden_layers": 5, "moe_layer_end_index": 2})
    assert {each.name.split(".")[2] for each in listed if ".experts." in each.name} == {"1", "2"}


@pytest.mark.slow
def test_where_the_search_for_rules_takes_too_long_what_shapes_the_place_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    from symparam.models.tracing import search
    from symparam.models.tracing.argument_subject import ArgumentSubject
    from symparam.models.tracing.failures import OverdueError
    from symparam.models.tracing.fitting import Fitting

    class Staged(torch.nn.Module):
        def __init__(self, width=8, classes=5, depth=3):
            super().__init__()
            self.layers = torch.nn.ModuleList(torch.nn.Linear(width, width) for _ in range(depth))
            self.head = torch.nn.Linear(width, classes)

    class Endless(Fitting):
        def network(self):
            if len({each.settings["depth"] for each in self.candidates.observations}) > 1:
                raise OverdueError("layers.{i}.weight")
            return super().network()

    monkeypatch.setattr(search, "Fitting", Endless)
    found = search.Search(ArgumentSubject(Staged)).network("here", {})
    assert found.held == ("depth",)
    listed = [each.shape for each in concrete_tensors(found.root, {"width": 3, "classes": 2, "depth": 3})]
    assert listed == [(3, 3), (3,)] * 3 + [(2, 3), (2,)]


def test_where_rules_stay_wrong_a_key_that_changes_the_place_is_held() -> None:
    torch = pytest.importorskip("torch")
    from symparam.models.tracing.argument_subject import ArgumentSubject
    from symparam.models.tracing.search import Search

    class Net(torch.nn.Module):
        def __init__(self, width=8, classes=5):
            super().__init__()
            self.head = torch.nn.Linear(width, classes, bias=False)

    found = Search(ArgumentSubject(Net))
    found.explore()
    right = found.settled()
    wrong = ModuleRule("Net", (RuleEntry("head", ModuleRule("Linear", (RuleEntry("weight", TensorRule((("key", "classes"), 8))),))),))
    found.learn({"width": 24}, right)
    assert found.held_for_fit == []
    found.learn({"width": 24}, wrong)
    assert found.held_for_fit == ["width"]
