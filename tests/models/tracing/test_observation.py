"""What a build of a class is made from, and what is kept of it."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

import torch

from symparam.models.tracing.argument_subject import ArgumentSubject
from symparam.models.tracing.observation import Observer


class Net(torch.nn.Module):
    def __init__(self, dim=4, bias=True):
        super().__init__()
        self.inside = torch.nn.Linear(dim, 2, bias=bias)


def test_what_was_prepared_to_see_the_settings_serves_one_build_with_them(monkeypatch):
    observer, prepared = Observer(ArgumentSubject(Net)), []
    plain = observer.subject.prepare

    def prepare(moved):
        prepared.append(moved)
        return plain(moved)

    monkeypatch.setattr(observer.subject, "prepare", prepare)
    assert observer.settings_with({"dim": 3}) == {"dim": 3, "bias": True}
    first, again = observer.observe({"dim": 3}), observer.observe({"dim": 3})
    assert prepared == [{"dim": 3}, {"dim": 3}], "the third is prepared anew, as a build may change what it is made from"
    assert first.tensors == again.tensors == (("inside.weight", (2, 3), None), ("inside.bias", (2,), None))
    observer.settings_with({"dim": 3})
    assert observer.observe({"bias": False}).tensors == (("inside.weight", (2, 4), None),)


def test_a_plain_build_has_the_same_tensors_and_nothing_of_how_they_were_computed():
    observer = Observer(ArgumentSubject(Net))
    plain, whole = observer.observe({"dim": 3}, plainly=True), observer.observe({"dim": 3})
    assert (plain.tensors, plain.settings) == (whole.tensors, whole.settings)
    assert (plain.kinds, plain.origins, plain.documents) == ({}, {}, [])
    assert whole.kinds == {"": "Net", "inside": "Linear"}
