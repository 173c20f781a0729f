"""What torch's classes print in their brackets: classes of one's own with their names may print something else."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from symparam.models.printed.torch_arguments import RECORDED, prints_like_function, prints_like_torch

sys.path.insert(0, str(Path(__file__).parent))
from record_torch_arguments import brackets, classes, lines


@pytest.mark.parametrize(
    ("kind", "text", "like"),
    [
        ("Linear", "in_features=3, out_features=4, bias=True", True),
        ("Linear", "in_features=3, out_features=4", False),
        ("Linear", "3, 4", False),
        ("Linear", "in_features=3, out_features=4, scale=1.0, zero_point=0, qscheme=torch.per_tensor_affine", False),  # A quantised one.
        ("Conv2d", "3, 8, kernel_size=(3, 3), stride=(1, 1), padding=same, bias=False", True),
        ("Conv2d", "3, 8, kernel_size=(3, 3), stride=(1, 1), step_mode=s", False),
        ("BatchNorm2d", "8, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True", True),  # Before 2.13.
        ("BatchNorm2d", "8, eps=1e-05, momentum=0.1, affine=True, bias=True, track_running_stats=True", True),
        ("BatchNorm2d", "8", False),
        ("LayerNorm", "(768,), eps=1e-12, elementwise_affine=True", True),
        ("LayerNorm", "torch.Size([768]), eps=1e-12, elementwise_affine=True", True),  # Version 0.4.
        ("LayerNorm", "768, eps=1e-12, elementwise_affine=True", False),
        ("LayerNorm", "", False),
        ("RMSNorm", "(768,), eps=1e-06", False),
        ("Embedding", "10, 3, padding_idx=0", True),
        ("Embedding", "10, 3, learned=True", False),
        ("LSTM", "3, 4, num_layers=2, batch_first=True", True),
        ("ReLU", "inplace", True),  # Version 1.0.
        ("ReLU", "9", False),
        ("GELU", "", True),  # Before 1.12.
        ("Dropout", "p=0.5", True),
        ("Dropout", "", False),
        ("Softmax", "dim=None", True),
        ("ZeroPad2d", "padding=(1, 1, 1, 1), value=0.0", True),
        ("Sequential", "", True),
        ("Sequential", "width=3", False),
        ("MultiheadAttention", "embed_dim=8", False),
    ],
)
def test_the_brackets_of_torch_are_told_from_others(kind: str, text: str, like: bool) -> None:
    assert prints_like_torch(kind, text) is like


def test_functions_print_nothing_that_tells_of_parameters() -> None:
    assert all(
        map(prints_like_function, ("", "inplace=True", "inplace", "negative_slope=0.2, inplace=True", "dim=-1", "drop_prob=0.100", "0.1"))
    )
    assert not any(map(prints_like_function, ("channels=9", "9", "num_parameters=1")))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_torch_prints_the_arguments_that_are_recorded() -> None:
    torch = pytest.importorskip("torch", reason="the live comparison needs torch")
    head, *recorded = RECORDED.read_text(encoding="utf-8").splitlines()[1:]
    if f"torch {torch.__version__}." in head:
        assert lines() == recorded
    else:
        assert [name for name, kind in classes() for text in (*brackets(kind),)[:1] if not prints_like_torch(name, text)] == []
