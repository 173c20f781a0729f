"""Records which arguments each class of torch.nn prints in its brackets.

    /path/to/python tests/models/printed/record_torch_arguments.py

The Python needs torch, whose version is written into the file. Each argument of each class is tried with a few values.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FILE = Path(__file__).parents[3] / "symparam/models/printed/recorded/torch_arguments.txt"
NEEDED: dict[str, Any] = {
    "num_embeddings": 7, "embedding_dim": 4, "kernel_size": 2, "output_size": 3, "padding": 1, "num_features": 4, "in_channels": 4,
    "out_channels": 6, "in_features": 3, "out_features": 4, "in1_features": 2, "in2_features": 3, "input_size": 3, "hidden_size": 4,
    "num_groups": 2, "num_channels": 4, "normalized_shape": 4, "upscale_factor": 2, "downscale_factor": 2, "groups": 2, "threshold": 0.5,
    "value": 0.5, "size": 2, "norm_type": 2, "dim": 1, "unflattened_size": (2, 2), "mode": "LSTM",
}  # fmt: skip
TRIED = (True, False, None, 1, 2, 3, 0.5, "mean", "sum", "tanh", "relu", "reflect", "circular", "bilinear", (0.25, 0.25))
# Arguments that some version from 1.0 on does not print.
NOT_IN_ALL = {"approximate", "inplace", "track_running_stats", "start_dim", "end_dim"}
NORMS = ("BatchNorm", "InstanceNorm", "LayerNorm", "GroupNorm")  # Their bias is printed since 2.13.
OF_OTHERS = [f"ZeroPad{d}d padding value" for d in (1, 2, 3)]  # What earlier versions print in another way.


def classes() -> Iterator[tuple[str, Any]]:
    """The classes of torch.nn that can be built alone, with those that they use."""
    import torch

    yield "NonDynamicallyQuantizableLinear", torch.nn.modules.linear.NonDynamicallyQuantizableLinear
    yield from ((name, torch.nn.RNNBase) for name in ("GRU", "LSTM", "RNN"))
    for name, kind in sorted(vars(torch.nn).items()):
        if inspect.isclass(kind) and issubclass(kind, torch.nn.Module) and kind is not torch.nn.Module:
            yield name, kind


def brackets(kind: Any) -> Iterator[str]:
    """What a class prints in its brackets, with the least arguments and with each further one."""
    import torch

    known = inspect.signature(kind).parameters
    needed = {name: NEEDED[name] for name, each in known.items() if each.default is inspect.Parameter.empty and name in NEEDED}
    for change in ({}, *({name: value} for name in known for value in TRIED)):
        try:
            with torch.device("meta"):
                module = kind(**{**needed, **change})
        except Exception:
            continue
        if [*module.children()]:
            return
        yield module.extra_repr()


def line(name: str, kind: Any) -> str | None:
    """The class, a ``#`` for each number and a ``()`` for each list without a name, and the names of the other arguments, with a ``?`` for
    those that are not always printed; None if it cannot be built alone.
    """
    from symparam.models.printed.leaf_kinds import arguments

    shown = [arguments(text) for text in dict.fromkeys(brackets(kind))]
    if not shown:
        return None
    places = ["()" if piece[0] in "([" else "#" for piece in shown[0].positional]
    names = dict.fromkeys(name for each in shown for name in each.named)
    some = {each for each in names if any(each not in other.named for other in shown) or each in NOT_IN_ALL}
    if name.removeprefix("Lazy").removeprefix("Sync").startswith(NORMS):
        some.add("bias")
    return " ".join((name, *places, *(each + "?" * (each in some) for each in names)))


def lines() -> list[str]:
    """A line for each class, and for each way to print it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return sorted({*OF_OTHERS, *(found for name, kind in classes() if (found := line(name, kind)) is not None)})


def record() -> None:
    import torch

    head = (
        "# What classes of torch.nn print in their brackets: numbers and lists without a name, and the names of arguments, with ? those that\n"
        f"# are not always printed; recorded by tests/models/printed/record_torch_arguments.py from torch {torch.__version__}.\n"
    )
    FILE.write_text(head + "\n".join(lines()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    record()
