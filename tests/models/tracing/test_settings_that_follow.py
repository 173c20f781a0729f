"""Settings that a config computes from others are known by a rule, or refused where the rule is not known."""

from __future__ import annotations

import pytest

from symparam.errors import ConfigError
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
