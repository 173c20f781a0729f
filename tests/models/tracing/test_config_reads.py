"""What a class reads of its config is known, so that no other setting is taken for the cause of a size."""

from __future__ import annotations

from typing import ClassVar

from symparam.models.tracing.config_reads import tracked_reads, unread


class Config:
    attribute_map: ClassVar = {"hidden_size": "n_embd"}

    def __init__(self, **values):
        vars(self).update(values)

    def __getattribute__(self, name):
        return super().__getattribute__(Config.attribute_map.get(name, name))

    def to_dict(self):
        return dict(vars(self))


def test_attributes_are_recorded_by_path_and_own_name():
    text = Config(n_embd=8, num_layers=2)
    whole = Config(text_config=text, num_labels=2)
    with tracked_reads([("", whole), ("text_config.", text)]) as reads:
        assert whole.text_config.hidden_size == 8
    assert reads == {"text_config", "text_config.n_embd"}
    assert whole.num_labels == 2, "the class reads as before"
    assert vars(text) == {"n_embd": 8, "num_layers": 2}
    assert unread(["text_config.n_embd", "text_config.num_layers", "num_labels"], reads) == {"text_config.num_layers", "num_labels"}


def test_what_is_read_as_a_whole_is_read_in_all_its_parts():
    config = Config(rope={"theta": 1.0}, n_embd=8)
    with tracked_reads([("", config)]) as reads:
        assert config.rope["theta"] == 1.0
    assert unread(["rope.theta", "n_embd"], reads) == {"n_embd"}
    with tracked_reads([("", config)]) as reads:
        config.to_dict()
    assert unread(["rope.theta", "n_embd"], reads) == frozenset()
