"""Modules traced for real, in a process of their own: at settings of ours the rules list what torch itself has."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

from symparam.errors import ArchitectureError, ConfigError
from symparam.models.traced.network import from_data, to_data
from symparam.models.traced.traced_model import model_of
from symparam.models.tracing.process import traced

MODULES = Path(__file__).with_name("modules.py")
HOSTILE = Path(__file__).with_name("hostile_modules.py")
DEEP = Path(__file__).with_name("deep.py")
STACKS = Path(__file__).with_name("stacks.py")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="tracing needs torch"),
]


def built(name, settings, file=MODULES):
    import torch

    spec = importlib.util.spec_from_file_location("modules_to_trace", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with torch.device("meta"):
        return [(key, tuple(each.shape)) for key, each in getattr(module, name)(**settings).named_parameters()]


@pytest.mark.parametrize(
    ("name", "unseen"),
    [
        ("GPT", [{"dim": 60, "heads": 5, "depth": 7}, {"tied": False, "vocab": 33}, {"context": 1, "depth": 1}]),
        ("Experts", [{"depth": 11, "every": 3}, {"every": 7}, {"experts": 1, "hidden": 5, "dim": 9}]),
        ("Stages", [{"dims": [8, 9], "depths": [1, 4]}, {"dims": [5, 6, 7, 8], "depths": [1, 2, 1, 3]}, {"kernel": 5}]),
        ("Tagger", [{"layers": 5}, {"both_ways": False, "layers": 3}, {"hidden": 7, "tags": 2}]),
        ("ResNet", [{"width": 12, "blocks": [1, 2, 1]}, {"expansion": 4, "channels": 1}, {"blocks": [3, 1, 1, 1, 1], "classes": 7}]),
        ("UNet", [{"depth": 5, "base": 7}, {"depth": 1}, {"channels": 9, "classes": 4}]),
        ("Mixer", [{"image": 96, "patch": 8, "dim": 33}, {"depth": 9, "token_dim": 5}, {"channel_dim": 3, "classes": 2}]),
        ("ViT", [{"dim": 60, "heads": 5, "mlp_ratio": 2.5}, {"image": 100, "patch": 7, "distilled": True}, {"depth": 11}]),
        ("Mobile", [{"width": 1.37}, {"width": 0.7, "channels": [7, 100]}, {"expand": 3, "classes": 5}]),
        ("Mobile", [{"width": 0.7, "gated": False}, {"width": 1.37, "gated": False, "channels": [7, 100]}]),
        ("Points", [{"k": 1, "widths": [9]}, {"k": 2}, {"k": 1, "norms": False}, {"k": 2, "norms": False, "turned": False}]),
        (
            "Turns",
            [
                {"hidden": [5, 9, 4], "batch_norm": False},
                {"hidden": [7], "depth": 6, "dropout": 0.25},
                {"hidden": None, "inside": 3, "width": 5},
                {"depth": 1, "scale": 1e-5, "batch_norm": False, "dropout": 0.1},
            ],
        ),
        ("Turned", [{"dim": 5, "depth": 9, "every": 2}, {"depth": 2}, {"side": 31, "every": 5}]),
        ("Hourglass", [{"features": [5, 9, 2, 30, 7]}, {"features": [8, 3], "in_channels": 1}, {"classes": 9}]),
        ("Grouped", [{"kv_heads": 2}, {"dim": 60, "heads": 12, "kv_heads": 3, "ratio": 2.7}, {"shared": 0}, {"shared": 3, "ratio": 1.5}]),
        ("Prints", [{"size": 5}]),
        ("Twice", [{"size": 5}]),
        ("Fixed", [{"size": 3}]),
        ("Temporal", [{"channels": [50, 25, 50, 50]}, {"channels": [9, 4, 9], "taken": 9}, {"channels": [7, 7], "taken": 3, "kernel": 5}]),
        ("Pairs", [{"bottom": [9], "top": [5, 6, 7]}, {"tables": [4], "dim": 5}, {"dense": 2, "bottom": [3, 3, 3, 3], "top": [1]}]),
        ("Relations", [{"inside": 5, "hidden": 7, "layers": 6}, {"layers": 1}]),
        ("Labelled", [{"dim": 5, "depth": 7}, {"labels": 3, "depth": 1}]),
        ("OfOneDepth", [{"dim": 5, "labels": 7}]),
        ("Bare", [{"rows": 1, "columns": 1}, {"rows": 77}]),
    ],
)
def test_a_traced_module_is_exact_at_settings_it_has_not_seen(name, unseen):
    network = traced(f"{MODULES}:{name}", {})
    for settings in unseen:
        model = model_of(network, settings, "the settings")
        listed = [(key, shape) for key, shape, _ in model.architecture.named_parameters(model.values)]
        assert listed == built(name, settings), settings


@pytest.mark.parametrize(
    ("name", "unseen"),
    [
        ("Halving", [{"image": 300, "width": 7}, {"image": 4}, {"image": 8, "width": 1, "widest": 128}, {"image": 1024, "widest": 100}]),
        ("Doubling", [{"size": 4, "width": 3}, {"size": 300}, {"words": 513, "size": 5}, {"words": 7, "by": 5}]),
        ("Compound", [{"width": 1.4, "depth": 1.8}, {"width": 0.3, "depth": 3.1}, {"depth": 0.5}]),
        ("Widened", [{"blocks": [1, 3], "base": 5, "wide": True}, {"blocks": [4]}, {"blocks": [1, 1, 2, 5], "wide": True}]),
        ("Pooled", [{"pool": "mean", "heads": 1, "head_dim": 48}, {"heads": 1, "dim": 1, "head_dim": 1}]),
        ("Pooled", [{"dim": 1, "head_dim": 1, "depth": 7}, {"depth": 0}, {"depth": 0, "heads": 1, "dim": 9}]),
        ("HandsOn", [{"inside": 9}, {"inside": 1, "outside": 77}]),
        ("Narrowing", [{"dims": [8, 8, 20, 24]}, {"dims": [9, 9, 9], "depths": [1, 1, 4]}, {"dims": [24, 7, 24, 24], "by_stride": True}]),
        (
            "Staged",
            [
                {"widths": [5, 9, 7]},
                {"widths": [6, 7, 30, 11], "depths": [1, 4, 2, 5], "attending": [1, 0, 2, 3]},
                {"depths": [3, 2, 4], "attending": [2, 2, 3, 0], "positions": [True, False, True, True]},
            ],
        ),
        ("Counted", [{"widths": [6, 7, 30], "depths": [1, 4, 2]}, {"attending": [1, 0, 2, 3]}, {"positions": [True, False, True, False]}]),
        ("Skipping", [{"base": 5}, {"multipliers": [3, 1], "blocks": 1}, {"multipliers": [2], "base": 3}, {"blocks": 4, "size": 16}]),
        ("Heads", [{"pool": pool, "gated": gated, "bias": False, "dim": 9} for pool in ("mean", "attention") for gated in (True, False)]),
        ("Worded", [{"norm": "gated"}, {"norm": "prelu", "scale": 1e-5}, {"norm": "other", "dim": 40}, {"rank": 5, "dim": 7, "depth": 1}]),
        (
            "Turns",
            [
                {"between": "none", "hidden": [9, 5, 7], "heads": [4, 4, 20, 6]},
                {"dropout": 0.0, "heads": [9, 8, 7], "inside": 4},
                {"hidden": [30], "dropout": 0.0, "between": "batch", "heads": [5]},
            ],
        ),
        ("Rounded", [{"factor": 1.1154}, {"factor": 0.6}, {"factor": 0.85, "classes": 3}, {"factor": 1.124}, {"factor": 2.0}]),
        ("NumberedFromOne", [{"widths": [16, 32, 64]}, {"widths": [16, 16], "blocks": [1, 4]}, {"widths": [9, 16, 16]}]),
        (
            "Flattened",
            [
                {"filters": [7], "kernels": [4], "extra": 0},
                {"filters": [4, 5, 6], "kernels": [3, 5, 2], "marks": [1, 4]},
                {"sides": [99, 70], "filters": [4, 5, 6, 7], "kernels": [3, 5, 2, 1], "marks": [0]},
            ],
        ),
        (
            "Averaged",
            [
                {"averaging": "mean", "token": False, "features": 0},
                {"final": True, "dim": 5, "kept": []},
                {"averaging": "mean", "final": False, "kept": [9]},
                {"averaging": "mean", "final": None},
            ],
        ),
        ("Headed", [{"base": 5, "depths": [4, 1]}, {"depths": [1, 2, 6, 2], "ratio": 2}, {"dims": [7, 9, 30]}]),
    ],
)
def test_loops_roundings_and_stages_are_followed(name, unseen):
    network = traced(f"{STACKS}:{name}", {})
    for settings in unseen:
        model = model_of(network, settings, "the settings")
        listed = [(key, shape) for key, shape, _ in model.architecture.named_parameters(model.values)]
        assert listed == built(name, settings, STACKS), settings


def test_a_formula_has_letters_for_what_may_vary_and_for_nothing_else():
    """A first block without a shortcut needs an expansion of 1, whatever the width: 18 w² of its convolutions, 4 w of its norms."""
    model = model_of(traced(f"{MODULES}:ResNet", {}), {}, "the settings", with_values=False)
    assert model.conditions == ("expansion == 1", "len(blocks) == 4")
    assert {*model.settings} == {"width", "channels", "classes", *(f"blocks_{at}" for at in range(4))}


def test_a_size_beside_one_that_is_rounded_keeps_its_letter():
    """One of two cases has a half of ``dim``, which is odd; the other has ``hidden``."""
    model = model_of(traced(f"{STACKS}:Flows", {}), {}, "the settings", with_values=False)
    *fixed, _, _, _, _ = model.conditions
    rounded = model.conditions[len(fixed) :]
    assert fixed == ["flows == 2", "dim == 7"]
    assert [each.rpartition(" == ")[2] for each in rounded] == ["w_1", "w_2", "w_3", "w_4"]
    assert {*model.settings} == {"hidden"}


def test_a_list_of_flags_is_no_list_of_numbers():
    network = traced(f"{STACKS}:Staged", {})
    with pytest.raises(ConfigError, match=r"'positions' is \[1, 0, 1, 1\], but Staged was traced with true or false in it"):
        model_of(network, {"positions": [1, 0, 1, 1]}, "the settings")


def test_a_single_number_of_layers_is_verified_and_a_run_that_nothing_tests_is_not_known():
    network = traced(f"{STACKS}:Repeated", {}, seconds=40)
    assert (network.verified, network.held, network.run) == ((6, 6), (), None)
    assert "no other settings and sizes of the input were accepted" in network.not_run


def test_the_key_that_shapes_a_place_is_held_and_no_other():
    network = traced(f"{STACKS}:Alternating", {})
    assert (network.held, network.verified) == (("layers",), (24, 24))  # Four times as many, since a key is held.
    settings = {"channels": 1, "width": 7, "size": 96, "wide": True}
    model = model_of(network, settings, "the settings")
    listed = [(key, shape) for key, shape, _ in model.architecture.named_parameters(model.values)]
    assert listed == built("Alternating", settings, STACKS)


def test_two_items_of_a_list_that_were_never_equal_are_right_or_refused_where_they_are():
    network = traced(f"{STACKS}:Headed", {})
    for dims in ([8, 12, 12], [8, 8, 20], [9, 9, 9]):
        try:
            model = model_of(network, {"dims": dims}, "the settings")
        except ConfigError as error:
            assert "dims[" in str(error), dims
            continue
        listed = [(key, shape) for key, shape, _ in model.architecture.named_parameters(model.values)]
        assert listed == built("Headed", {"dims": dims}, STACKS), dims


def test_what_depends_on_the_environment_says_so():
    network = traced(f"{STACKS}:OfTheEnvironment", {})
    assert network.environment == ("WIDTH_OF_THE_OUTPUT",)
    said = [each.kind for each in model_of(network, {}, "the settings", with_values=False).remarks]
    assert "reads-environment" in said


def test_what_is_read_from_a_file_is_said_and_the_code_of_a_module_is_none():
    network = traced(f"{STACKS}:OfAFile", {})
    assert [Path(each).name for each in network.files] == ["stacks.json"]
    read_again = from_data(json.loads(json.dumps(to_data(network))), "net.json")
    assert "reads-files" in [each.kind for each in model_of(read_again, {}, "the settings", with_values=False).remarks]


def test_a_class_that_replaces_functions_of_python_is_answered_for_all_the_same():
    assert traced(f"{HOSTILE}:ReplacesFunctions", {}).verified == (6, 6)


def shapes(network, settings):
    model = model_of(network, settings, "the settings")
    return {key: shape for key, shape, _ in model.architecture.named_parameters(model.values) if not key.endswith("bias")}


def test_what_is_inside_lists_dictionaries_and_partial_functions_are_settings():
    network = traced(f"{DEEP}:Deep", {})
    expected = {
        "stages.0.weight": (8, 3, 3, 3),
        "stages.1.weight": (7, 8, 5, 5),
        "hidden.weight": (32, 7),
        "heads.0.weight": (5, 32),
        "heads.1.weight": (7, 32),
        "marks.0.weight": (4, 4),
        "marks.2.weight": (6, 6),
    }
    assert shapes(network, {"stages.1": [7, 5], "heads.hidden": 29}) == expected
    assert shapes(network, {"stages": [[8, 3], [7, 5]], "heads": {"hidden": 29}}) == expected
    assert shapes(network, {"rounded.by": 5, "marks": [4, "pool", 9]})["hidden.weight"] == (10, 16), "12 rounded to a multiple of 5"
    assert shapes(network, {"stages": [[8, 3]], "heads": {"hidden": 29}})["hidden.weight"] == (32, 8)
    assert shapes(network, {"stages.1.0": 7})["stages.1.weight"] == (7, 8, 5, 5), "a single number of a row"
    with pytest.raises(ConfigError, match=r"stages\.1 has 1 item, but each of 'stages' was traced with 2 items"):
        shapes(network, {"stages": [[8, 3], [7]]})
    with pytest.raises(ConfigError, match=r"'stages\.2' is not a key"):
        shapes(network, {"stages.2": [8, 3]})
    with pytest.raises(ConfigError, match=r"'marks\.1' is 5"):
        shapes(network, {"marks": [4, 5, 6]})


def test_a_stack_of_shared_layers_is_right_or_refused_where_it_has_a_single_one():
    network = traced(f"{MODULES}:Shared", {})
    assert len(shapes(network, {"depth": 6})) == 6
    assert len(shapes(network, {"depth": 6, "shared": True})) == 2
    try:
        assert len(shapes(network, {"depth": 1, "shared": True})) == 1
    except ConfigError as error:
        assert "do not follow from these settings" in str(error)


@pytest.mark.parametrize(
    ("settings", "wide", "low", "mlps"),
    [
        ({}, (96, 24), (4, 24), [(48, 24), (84, 24)]),
        ({"dim": 40}, (160, 40), (4, 40), [(80, 40), (140, 40)]),
        ({"hidden": 7, "inner.rank": 9}, (7, 24), (9, 24), [(48, 24), (84, 24)]),
        ({"dim": 10, "ratios": [1.5, 2.7]}, (40, 10), (4, 10), [(15, 10), (27, 10)]),
    ],
)
def test_what_a_config_computes_from_others_once_it_is_made_follows(settings, wide, low, mlps):
    found = shapes(traced(f"{DEEP}:Configured", {}), settings)
    assert found == {"wide.weight": wide, "low.weight": low, "mlps.0.weight": mlps[0], "mlps.1.weight": mlps[1]}


def test_the_largest_and_the_least_of_a_list_are_items_of_it():
    assert shapes(traced(f"{DEEP}:Extremes", {}), {"dim": 5}) == {"table.weight": (30, 10), "out.weight": (5, 5)}


@pytest.mark.parametrize(
    ("name", "settings", "path", "expected"),
    [
        ("modules:GPT", {"tied": "False"}, "tied", "true or false"),
        ("modules:GPT", {"tied": "no"}, "tied", "true or false"),
        ("modules:Maybe", {"bias": "none"}, "bias", "true, false, null, a number or another word"),
        ("transformers:GPT2LMHeadModel", {"tie_word_embeddings": "no"}, "tie_word_embeddings", "true or false"),
    ],
)
def test_a_word_is_no_flag(name, settings, path, expected):
    said = f"{path} is the word .{settings[path]}., which .* would take as true; give {expected}: --set {path}=false"
    with pytest.raises(ArchitectureError, match=said):
        traced(name.replace("modules:", f"{MODULES}:"), settings)


@pytest.mark.parametrize(
    ("name", "seconds", "said"),
    [
        ("Exits", 60, "ended without an answer"),
        ("Forks", 60, "the class calls os.fork, and may neither start nor end processes while it is traced"),
        ("WritesAFile", 60, "the class calls open on 'left-behind.txt', and may not change files while it is traced"),
        ("DeletesAFile", 60, "the class calls os.remove on 'left-behind.txt', and may not change files while it is traced"),
        ("RunsACommand", 60, "the class calls subprocess.Popen, and may neither start nor end processes while it is traced"),
        ("EndsAnotherProcess", 60, "the class calls os.kill, and may neither start nor end processes while it is traced"),
        ("AsksAnotherMachine", 60, "the class calls socket.connect, and may not connect to others while it is traced"),
        ("ReturnsNothing", 60, "cannot be built: ReturnsNothing returns NoneType, which is not a torch module"),
        ("SaysTooMuch", 60, r"SaysTooMuch cannot be built: ValueError: \x1b[2J\x1b[31mloud"),
        ("CannotSay", 60, "CannotSay cannot be traced: RuntimeError: it cannot be said"),
        ("Leaves", 60, "cannot be built: its code exits the interpreter with sys.exit(3)"),
        ("DrawsASize", 60, "two builds at the same settings have different tensors, layer.weight ["),
        (
            "CountsItsBuilds",
            60,
            "no tensor [] and layers.1.weight [3, 3], so these depend on something else, such as chance, the time or a counter",
        ),
        ("NeedsTheEnvironment", 60, "KeyError: 'A_WIDTH'; it reads A_WIDTH from the environment, which tracing does not pass on"),
        ("NeedsArguments", 60, "NeedsArguments needs size, depth; give them, as in --set size=64 --set depth=64"),
        ("WaitsForAnInput", 60, "cannot be built: layer.weight has no shape before the first input, as in torch.nn.LazyLinear"),
        ("HasItself", 60, "cannot be built: RecursionError"),
        ("IsInterrupted", 60, "IsInterrupted cannot be traced: KeyboardInterrupt"),
        ("Forever", 6, "took longer than 6 seconds of processor time and was stopped"),
        ("Sleeps", 60, "its code does nothing for 20 seconds, as in a sleep"),
        (
            "Dawdles",
            3,
            "did not end within 15 seconds, 5 times the processor time it may use, and was stopped: the machine is busy, or its",
        ),
        ("Asks", 60, "cannot be built: EOFError: EOF when reading a line"),
        ("ReadsTheEnvironment", 60, "SECRET"),
        ("Number", 60, "returns int, which is not a torch module"),
        ("built_already", 60, "has already been built, so its sizes are numbers; give its class"),
        ("Allocates", 60, "more memory than the 16 GiB that tracing may use"),
        ("Nothing", 60, "has no class 'Nothing'; it has Exits, Forks"),
    ],
)
def test_what_cannot_be_traced_is_said_in_one_sentence(name, seconds, said, monkeypatch):
    monkeypatch.setenv("SECRET", "hidden")
    with pytest.raises(ArchitectureError) as caught:
        traced(f"{HOSTILE}:{name}", {}, seconds=seconds)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 700


def test_a_file_is_neither_written_nor_deleted_and_one_that_is_nowhere_may_be_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    there = tmp_path / "there.txt"
    there.write_text("as it was", encoding="utf-8")
    for name, path in (("WritesAFile", "left-behind.txt"), ("WritesAFile", "there.txt"), ("DeletesAFile", "there.txt")):
        with pytest.raises(ArchitectureError, match="may not change files while it is traced"):
            traced(f"{HOSTILE}:{name}", {"path": path})
    assert [(each.name, each.read_text(encoding="utf-8")) for each in tmp_path.iterdir()] == [("there.txt", "as it was")]
    assert traced(f"{HOSTILE}:WritesNowhere", {}).verified == (6, 6)


@pytest.mark.skipif(not Path("/bin/sh").exists(), reason="limits are set by a shell")
def test_a_lower_limit_of_memory_stays():
    code = "from symparam.models.tracing.worker import _limited; print(_limited(16 << 30) >> 30)"
    command = ["/bin/sh", "-c", 'ulimit -v 8000000; exec "$0" -c "$1"', sys.executable, code]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "7\n"
