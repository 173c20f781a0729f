"""Operations of traced modules, held against torch's counter at settings and sizes of the input that no run had."""

from __future__ import annotations

import importlib.util
import json

import pytest

import symparam
from symparam.models.traced.network import to_data
from symparam.models.tracing.process import traced
from symparam.writing.notes import sentences
from tests.models.tracing.test_user_modules import MODULES

RUNNING = MODULES.with_name("running.py")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="tracing needs torch"),
]


@pytest.fixture
def written(tmp_path):
    def write(target, settings=None):
        path = tmp_path / "net.json"
        path.write_text(json.dumps(to_data(traced(target, settings or {}))), encoding="utf-8")
        return str(path)

    return write


def counted_by_torch(model, **fed):
    import torch
    from torch.utils.flop_counter import FlopCounterMode

    with torch.no_grad(), FlopCounterMode(display=False) as counter:
        model.eval()(**fed)
    return counter.get_total_flops()


def module(name, settings):
    import torch

    spec = importlib.util.spec_from_file_location("modules_to_run", RUNNING)
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    with torch.device("meta"):
        return getattr(found, name)(**settings)


def test_attention_in_a_module_of_a_user(written):
    import torch

    path = written(f"{RUNNING}:Reader")
    for settings, rows, tokens in (({}, 3, 7), ({"dim": 60, "heads": 5, "depth": 6}, 2, 801), ({"depth": 1, "labels": 3}, 1, 1)):
        true = counted_by_torch(module("Reader", settings), ids=torch.zeros(rows, tokens, dtype=torch.long, device="meta"))
        found = symparam.count(path, config=settings, measure="flops", where={"B": rows, "L": tokens})
        assert (found.total, found.complete) == (true, True), settings


def test_an_image_a_step_and_a_label_for_each_sample(written):
    import torch

    path = written(f"{RUNNING}:Denoiser")
    for settings, rows in (({}, 3), ({"patch": 4}, 2), ({"side": 40, "dim": 60, "heads": 5}, 7), ({"depth": 1, "labels": 3}, 1)):
        side = settings.get("side", 16)
        each = torch.zeros(rows, dtype=torch.long, device="meta")
        image = torch.zeros(rows, 3, side, side, device="meta")
        true = counted_by_torch(module("Denoiser", settings), image=image, t=each, label=each)
        found = symparam.count(path, config=settings, measure="flops", where={"B": rows})
        assert (found.total, found.complete) == (true, True), settings
    assert "with image (B, C, side, side), t (B) and label (B)" in " ".join(sentences(found.model.remarks, "en"))


def test_patches_that_no_convolution_cuts_out(written):
    import torch

    path = written(f"{RUNNING}:Patched")
    for settings, rows in (
        ({}, 3),
        ({"patch_size": 8}, 2),
        ({"image_size": 40, "heads": 5, "channels": 1}, 7),
        ({"depth": 1, "head_dim": 9}, 1),
    ):
        side = settings.get("image_size", 32)
        true = counted_by_torch(module("Patched", settings), x=torch.zeros(rows, settings.get("channels", 3), side, side, device="meta"))
        found = symparam.count(path, config=settings, measure="flops", where={"B": rows})
        assert (found.total, found.complete) == (true, True), settings


def test_nodes_with_the_neighbours_of_each(written):
    import torch

    path = written(f"{RUNNING}:Graph")
    for settings, nodes in (({}, 7), ({"features": 100, "layers": 4}, 33), ({"hidden": 3, "classes": 2}, 90)):
        features = torch.zeros(nodes, settings.get("features", 12), device="meta")
        true = counted_by_torch(module("Graph", settings), nodes=features, adjacency=torch.zeros(nodes, nodes, device="meta"))
        found = symparam.count(path, config=settings, measure="flops", where={"B": 1, "L": nodes})
        assert (found.total, found.complete) == (true, True), settings


def test_images_of_any_height_and_width(written):
    import torch

    path = written(f"{RUNNING}:Pictures")
    for settings, batch, height, width in (({}, 2, 224, 224), ({"width": 12, "depth": 5}, 1, 33, 517), ({"classes": 3}, 5, 250, 61)):
        true = counted_by_torch(module("Pictures", settings), image=torch.zeros(batch, 3, height, width, device="meta"))
        where = {"B": batch, "H_i": height, "W_i": width}
        found = symparam.count(path, config=settings, measure="flops", where=where)
        assert (found.total, found.complete) == (true, True), (settings, where)


def test_images_so_small_that_halving_leaves_them_as_they_are(written):
    import torch

    path = written(f"{RUNNING}:Residual")
    for settings, height, width in (({}, 256, 320), ({"blocks": [1, 3, 2, 3, 1]}, 256, 320), ({"width": 300}, 30, 700), ({}, 1, 1)):
        true = counted_by_torch(module("Residual", settings), image=torch.zeros(2, 3, height, width, device="meta"))
        found = symparam.count(path, config=settings, measure="flops", where={"B": 2, "H_i": height, "W_i": width})
        assert (found.total, found.complete) == (true, True), (settings, height, width)


def test_a_product_that_is_not_counted_makes_the_count_a_bound(written):
    found = symparam.count(written(f"{RUNNING}:Hidden"), measure="macs", where={"B": 2, "L": 5})
    assert (found.total, found.complete) == (2 * 5 * 24 * 24, False)


def test_a_module_without_a_forward_pass_has_a_bound(written):
    found = symparam.count(written(f"{MODULES}:Tagger"), measure="macs", where={"B": 2, "L": 5})
    assert not found.complete


@pytest.mark.parametrize(
    ("target", "said"),
    [
        (f"{RUNNING}:RunsForever", "its runs take longer than the time allowed"),
        (f"{RUNNING}:RunsOn", "its runs take longer than the time allowed"),
        (f"{RUNNING}:Quits", "its forward method takes (rows); the likeliest fails: its code exits the interpreter with sys.exit(3)"),
        (f"{MODULES}:Tagger", "it has no forward method"),
    ],
)
def test_a_module_that_cannot_be_run_is_traced_all_the_same(target, said):
    found = traced(target, {}, seconds=20)
    assert found.run is None
    assert said in found.not_run
