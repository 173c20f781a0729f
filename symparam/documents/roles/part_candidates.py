"""The possible meanings of a label: parts of a model, each with its size and how it is counted."""

from __future__ import annotations

from fractions import Fraction

import sympy

from symparam.core.frozen import frozen

Amount = int | Fraction


@frozen
class Variant:
    """How a measure is counted: its ``unit``, the kind of ``work``, what it is ``per``, which keys are counted for ``attention``, the
    ``bits`` of a number, the ``length`` of a sequence, and the number of ``devices`` of which one is meant.
    """

    measure: str = "parameters"
    unit: str = ""
    work: str = ""
    per: str = ""
    attention: str = ""
    bits: int = 0
    length: int = 0
    devices: int = 0


@frozen
class PartCandidate:
    """A possible meaning of a label: its ``size`` as a formula and its ``value``; ``way`` says which tensors of the part are counted,
    ``scope`` in how many copies, ``paths`` are the blocks of the model, ``leaf_paths`` those among them that hold tensors, and ``variant``
    says how it is measured.
    """

    part: str
    scope: str
    way: str
    size: sympy.Expr
    value: Amount
    paths: tuple[str, ...]
    leaf_paths: tuple[str, ...]
    variant: Variant = Variant()
