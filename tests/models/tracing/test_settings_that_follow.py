"""Settings that a config computes from others are known by a rule, or refused where the rule is not known."""

from __future__ import annotations

import pytest

from symparam.errors import ConfigError
from symparam.models.traced.network import ModuleRule, RuleEntry, TensorRule
from symparam.models.traced.traced_model import model_of


@pytest.mark.slow
def test_a_value_in_place_of_which_the_class_computes_another_is_not_taken_as_given():
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    from symparam.models.tracing.search import Search
    from symparam.models.tracing.subjects import ConfigSubject

    class Config(transformers.PreTrainedConfig):
        model_type = "computed"

        def __init__(self, dim=8, merged=512, **others):
            super().__init__(**others)
            self.dim = dim
            self.merged = dim**3

    class Net(torch.nn.Module):
        def __init__(self, config):
            super().__init__()
            self.first = torch.nn.Linear(config.dim, 3)
            self.second = torch.nn.Linear(config.merged, 3)

    network = Search(ConfigSubject(Net, {}, Config)).network("", {})
    assert network.keys["merged"].overruled
    assert model_of(network, {"dim": 8, "merged": 512}, "the config").values
    with pytest.raises(ConfigError, match="Net computes 'merged' from other keys"):
        model_of(network, {"dim": 16, "merged": 512}, "the config")


@pytest.mark.parametrize(
    ("sources", "status"),
    [
        ([[0, 1, 2], [0, 1], [0, 1, 2, 3, 3]], "held"),  # As long as there are layers, and otherwise the default.
        ([[0, 1, 2], [0, 0], [0, 1, 2, 3, 3]], "idle"),
        ([[0, 1, 2], [0, 1], [0, 1, 2, 2, 3]], "idle"),
    ],
)
def test_a_list_is_without_effect_only_if_other_items_were_tried(sources, status):
    pytest.importorskip("torch")
    from symparam.models.tracing.network_assembly import assembled_network
    from symparam.models.tracing.observation import Observation

    def build(moved):
        settings = {"depth": 4, "sources": [0, 1, 2, 3], **moved}
        return Observation(moved, settings, (("weight", (settings["depth"],), None),), {}, documents=[moved])

    root = ModuleRule("Net", (RuleEntry("weight", TensorRule((("key", "depth"),))),))
    builds = [build({}), *(build({"depth": len(each), "sources": each}) for each in sources)]
    network = assembled_network("Net", "", "", root, builds, [], [], {}, {}, {})
    assert (network.keys["depth"].status, network.keys["sources"].status) == ("free", status)
