"""The convention of a tool: which operations it counts, and how much each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from symparam.core.frozen import frozen

IMPLEMENTATIONS = ("eager", "sdpa")
"""Implementations of attention: as matrix products, or as one call of torch's `scaled_dot_product_attention`."""


@frozen
class Convention:
    """The convention of one tool.

    ``units`` are the units that it reports, its own total first. ``dispatches`` are the calls of a product that it sees, named as in
    `dispatch.py` (``bmm`` is the second product where the first is ``baddbmm``, ``fused`` both at once); each multiplication counts as one
    multiply-accumulate operation, or two FLOPs. Everything else is added to the first unit only. A bias counts once per row for the calls
    in ``bias_per_row``, and once per call for those in ``bias_per_call``. ``elementwise`` maps a function to its operations per element,
    ``modules`` to the additional ones where a module of the model applies it; ``bound_before_patching`` lists the functions that then do
    not count under ``elementwise``, and ``counts_each_registration`` says that a call inside a module counts once for each block that holds
    the module. For the calls in ``broadcast`` the tool sees the first factor without the batch; those in ``by_output`` it counts per
    position of the output, although other positions are multiplied; those in ``flops_alone`` enter the first unit only. For the calls in
    ``refused``, what the tool counts is not known or does not follow from sizes; those in ``rounded`` it rounds to four digits. It fails
    with the families in ``cannot_run``. ``sees_backward`` says that it counts a backward pass too, and ``decomposes_sdpa`` that fused
    attention is counted where torch decomposes it, and ``follows_outputs`` that products are left out whose result nothing reads.
    ``quirks`` are the keys of phrases on the tool's oddities, and ``quirks_of_runs`` those for products that a run on the meta
    device showed.
    """

    name: str
    tool: str
    units: tuple[str, ...]
    dispatches: frozenset[str]
    quirks: tuple[str, ...]
    bias_per_row: frozenset[str] = frozenset()
    bias_per_call: frozenset[str] = frozenset()
    elementwise: Mapping[str, int] = field(default_factory=dict, hash=False)
    modules: Mapping[str, int] = field(default_factory=dict, hash=False)
    bound_before_patching: frozenset[str] = frozenset()
    counts_each_registration: bool = False
    broadcast: frozenset[str] = frozenset()
    by_output: frozenset[str] = frozenset()
    flops_alone: frozenset[str] = frozenset()
    refused: frozenset[str] = frozenset()
    rounded: frozenset[str] = frozenset()
    cannot_run: frozenset[str] = frozenset()
    sees_backward: bool = False
    decomposes_sdpa: bool = False
    follows_outputs: bool = False
    quirks_of_runs: tuple[str, ...] = ()
