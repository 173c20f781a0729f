"""Modules that are written as published ones often are: traced here, and right at settings of ours."""

from __future__ import annotations

import copy
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

pytest.importorskip("torch")

import torch

from symparam.errors import ConfigError
from symparam.models.traced.network import from_data, to_data
from symparam.models.traced.traced_model import model_of
from symparam.models.tracing.argument_subject import ArgumentSubject
from symparam.models.tracing.edges import edges
from symparam.models.tracing.forward_runs import RunObserver, run_subject
from symparam.models.tracing.observation import Observer
from symparam.models.tracing.origins import Content
from symparam.models.tracing.sampling import outcome_flips
from symparam.models.tracing.search import Search
from symparam.models.tracing.settings_objects import NamedDict, maker_of
from symparam.models.tracing.symbolic_values import MOST_AT_A_PLACE

FILE = Path(__file__).with_name("public_ways.py")


@pytest.fixture(scope="module")
def modules():
    spec = importlib.util.spec_from_file_location("public_ways", FILE)
    module = importlib.util.module_from_spec(spec)
    sys.modules["public_ways"] = module
    sys.path.insert(0, str(FILE.parent))
    spec.loader.exec_module(module)
    yield module
    sys.path.remove(str(FILE.parent))
    del sys.modules["public_ways"], sys.modules["public_parts"]


@pytest.mark.parametrize(
    ("name", "given", "unseen"),
    [
        (
            "Staged",
            {},
            [
                {"widths": (6, 9, 11, 20), "kernels": (3, 1, 5, 7)},
                {"expansion": 3, "widths": (5, 7), "kernels": (3, 3)},
                {"kernels": (1, 1, 7)},
            ],
        ),
        ("TakesOnlyTuples", {"widths": [8, 16, 24]}, [{"widths": (5, 6, 7, 9)}, {"classes": 3, "widths": (4, 40)}]),
        ("Reversed", {}, [{"widths": [5, 7]}, {"latent": 3, "widths": [4, 9, 5, 12]}, {"latent": 11}]),
        ("Dropped", {}, [{"width": 5, "depth": 7}, {"rate": 0.3, "depth": 1}]),
        ("Configured", {}, [{"n_layer": 5, "n_embd": 10}, {"bias": False}]),
        ("Scaled", {}, [{"factor": 0.6}, {"factor": 1.7, "classes": 3}, {"factor": 3.0}]),
        ("Translator", {}, [{"repeats": 9}, {"repeats": 1, "width": 5}, {"repeats": 2, "labels": 7}]),
        (
            "Vocoder",
            {"width": 64, "rates": [8, 4, 2, 2], "kernels": [3, 5, 7]},
            [{"width": 320, "rates": [5, 4]}, {"kernels": [3, 9], "width": 128}, {"rates": [2, 2, 2, 2, 2], "kernels": [1, 5, 7, 9]}],
        ),
        ("Keyed", {"vocabulary": 50, "width": 8, "depth": 3, "bias": True}, [{"depth": 7, "width": 5}, {"bias": False, "vocabulary": 9}]),
        ("Built", {}, [{"width": 5, "depth": 4}, {"depth": 1}]),
        (
            "Speakers",
            {},
            [{"channels": 6, "with_embedding": True, "speakers": 9}, {"channels": 3, "speakers": 4}, {"with_embedding": True, "width": 5}],
        ),
        ("Either", {}, [{"gated": True, "width": 5}, {"shared": True, "width": 6}]),
        ("Fields", {}, [{"fields": (3, 4)}, {"hidden": (5, 7, 9, 2), "drop_rate": 0.3}, {"fields": (1, 2, 3, 4, 5), "drop_rate": 1}]),
        ("Worded", {}, [{"norm": "conv", "width": 5}, {"width": 9}]),
        ("Sparse", {}, [{"layers": 7, "heads": 3}, {"layers": 1}]),
        ("Rooted", {"tokens": 64}, [{"tokens": 1000}, {"shape": (7, 9), "tokens": 81}]),
    ],
)
def test_the_tensors_of_a_module_at_other_settings(modules, name, given, unseen):
    kind = getattr(modules, name)
    traced = Search(ArgumentSubject(kind, given), 6, 60, draws=14).network(name, {})
    network = from_data(json.loads(json.dumps(to_data(traced))), name)
    required = {path: tuple(value) if isinstance(value, list) and name == "TakesOnlyTuples" else value for path, value in given.items()}
    for settings in unseen:
        with torch.device("cpu"):
            arguments = copy.deepcopy({**required, **settings})
            make = {"Configured": modules.GPTSettings, "Vocoder": SimpleNamespace, "Keyed": dict}.get(name)
            model = kind(**arguments) if make is None else kind(make(**arguments))
        expected = [(key, tuple(each.shape)) for key, each in model.named_parameters()]
        moved = {path: list(value) if isinstance(value, tuple) else value for path, value in settings.items()}
        found = model_of(network, moved, "the settings")
        listed = [(key, shape) for key, shape, _ in found.architecture.named_parameters(found.values)]
        assert listed == expected, settings


def test_flags_that_the_class_refuses_together_are_refused(modules):
    network = Search(ArgumentSubject(modules.Either, {}), 6, 60, draws=14).network("Either", {})
    with pytest.raises(ConfigError, match="gated"):
        model_of(network, {"gated": True, "shared": True}, "the settings")


def test_a_model_that_reads_numbers_is_run_without_content(modules):
    observer = RunObserver(run_subject(ArgumentSubject(modules.Dropped)))
    assert any("layers.3.0" in name for name, _, _ in observer.observe({}).tensors)
    assert observer.content == Content.SERIES


def test_content_is_given_only_where_it_is_read(modules):
    observer = Observer(ArgumentSubject(modules.Rooted))
    observer.observe({})
    assert observer.content == Content.NONE


def test_a_fraction_is_compared_from_both_sides():
    condition = (">", ("key", "factor"), 1.0)
    assert [*outcome_flips(condition, {"factor": 1.0})] == [{"factor": 1.5}, {"factor": 0.75}]
    assert [*outcome_flips((">", ("key", "factor"), 0.0), {"factor": 0.0})] == [{"factor": 0.5}]
    assert [*outcome_flips((">", ("key", "heads"), 1), {"heads": 4})] == [{"heads": 1}, {"heads": 0}, {"heads": 2}]


def test_members_that_are_alike_at_both_ends_of_lists():
    assert edges(["abxxxc", "abxc"]) == (2, 1)
    assert edges(["abxxac", "abxxxxac"]) == (2, 2)
    assert edges(["abab", "ababab"]) == (0, 0), "what repeats is not at an end"
    assert edges(["abc", "abxc"]) == (2, 1), "there may be none between them"


def test_an_object_is_known_by_what_the_class_reads_from_it(modules):
    assert maker_of(modules.Vocoder, "h", {"width": 8}) is SimpleNamespace
    assert maker_of(modules.Keyed, "cfg", {"width": 8}) is NamedDict
    assert maker_of(modules.Vocoder, "h", {"other": 8}) is None
    assert NamedDict(width=3).width == 3
    assert not hasattr(NamedDict(), "width")


def test_the_numbers_of_a_table_are_not_remembered_one_by_one(modules):
    found = Observer(ArgumentSubject(modules.Table)).observe({})
    assert len(found.met) < 4 * MOST_AT_A_PLACE
    assert found.origins["out.weight"] == (("key", "positions"), ("key", "width"))


def test_a_module_is_traced_where_numpy_is_not_installed(tmp_path):
    """Torch does not need it; here an import of it fails as it does there."""
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\n\n\nclass Missing:\n    def find_spec(self, name, path=None, target=None):\n"
        "        if name.partition('.')[0] == 'numpy':\n            raise ModuleNotFoundError(name=name)\n\n\n"
        "sys.meta_path.insert(0, Missing())\n"
    )
    root = str(FILE.parents[3])
    command = [sys.executable, "-m", "symparam", "trace", f"{FILE}:Built"]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": os.pathsep.join((str(tmp_path), root))}, capture_output=True, text=True)
    assert (done.returncode, "exact at 6 of 6" in done.stderr + done.stdout) == (0, True), done.stderr
