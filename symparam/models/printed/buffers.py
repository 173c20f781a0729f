"""Buffers in listings: a ``state_dict()`` lists them like parameters, so only their names tell them apart."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable
from functools import cache
from math import prod
from pathlib import Path

from symparam.models.printed.class_knowledge import parameter_names
from symparam.models.printed.listings.lines import LONE_NAMES
from symparam.models.printed.recorded_libraries import libraries, recorded
from symparam.models.printed.tree import Shape

RECORDED = Path(__file__).with_name("recorded") / "buffers.txt"
CERTAIN = re.compile(
    r"(^|[._])(running_(mean|var)|num_batches_tracked|(position|token_type|audio_feature)_ids|inv_freq|original_inv_freq|masked_bias"
    r"|relative_position_index|relative_coords_table|final_logits_bias|(cos|sin)_cached|causal_mask"
    r"|(sqrt_)?(one_minus_|log_one_minus_|recip_|recipm1_)?alphas_cumprod(_prev)?|posterior_(variance|mean_coef[12]|log_variance_clipped))$"
)
"""Names of buffers in every library."""
BESIDE = re.compile(r"_[uv]$|_mask$")
"""What the older spectral norm and pruning store next to a tensor ``weight_orig``."""
FEWEST_LINKED = 3
"""Matrices that share sizes with others, without which a tensor of other sizes is nothing unusual."""


def is_buffer(name: str, shape: Shape, names: Collection[str]) -> bool:
    """Whether a tensor in a listing of these names is a buffer."""
    if CERTAIN.search(name):
        return True
    if ".parametrizations." in f".{name}":
        return name.endswith(("._u", "._v"))
    if BESIDE.search(name) and f"{BESIDE.sub('', name)}_orig" in names:
        return True
    return name.endswith(".bias") and _is_mask(shape)


def may_be_buffer(name: str) -> bool:
    """Whether more of the recorded libraries register a buffer than a parameter under the last part of the name, or it is called a running
    value, as statistics are.
    """
    last = name.rpartition(".")[2]
    return last in _mostly_buffers() or last.startswith("running_")


def has_unusual_name(name: str) -> bool:
    """Whether no parameter of the reference and the libraries has the last part of the name, and no word in it tells that it is one."""
    return _is_unknown(name, _parameters())


def _is_unknown(name: str, known: Collection[str]) -> bool:
    path, _, last = name.rpartition(".")
    in_list = last.isdecimal() or ".parametrizations." in f".{path}."  # These hold only parameters.
    return not in_list and LONE_NAMES.search(last) is None and last not in known


def standing_apart(tensors: Iterable[tuple[str, Shape]]) -> frozenset[str]:
    """The tensors with sizes of more than 1, none of which any other tensor has, and a name that no parameter of torch or the reference
    has: what a layer computes with has sizes of its inputs or outputs, which other layers have too, and a table of constants may have any.

    None in a listing with few matrices of linked sizes, where this tells little.
    """
    shapes = dict(tensors)
    many = Counter(size for shape in shapes.values() for size in {*shape})
    alone = {name for name, shape in shapes.items() if prod(shape) > 1 and all(many[size] == 1 for size in shape if size > 1)}
    linked = sum(len(shape) > 1 and name not in alone for name, shape in shapes.items())
    return frozenset(name for name in alone if _is_unknown(name, parameter_names())) if linked >= FEWEST_LINKED else frozenset()


def norms_without_count(names: Collection[str]) -> frozenset[str]:
    """The modules whose norm has statistics but no count of batches, which torch's norms have since 0.4: if these are frozen norms, all of
    their tensors are buffers.
    """
    norms = {name.removesuffix("running_mean") for name in names if name.endswith(".running_mean")}
    return frozenset(norm.removesuffix(".") for norm in norms if f"{norm}num_batches_tracked" not in names)


def _is_mask(shape: Shape) -> bool:
    """Whether the shape is that of the causal mask that GPT-2 and others store with the weights: 1 × 1 × positions × positions."""
    return len(shape) == 4 and shape[:2] == (1, 1) and shape[2] == shape[3] > 1


@cache
def _parameters() -> frozenset[str]:
    records = (each for library in libraries() for several in recorded(library).classes.values() for each in several)
    return parameter_names().union(name for each in records for name in each.parameters)


@cache
def _mostly_buffers() -> frozenset[str]:
    lines = RECORDED.read_text(encoding="utf-8").splitlines()
    return frozenset(name for line in lines if not line.startswith("#") for name in line.split())
