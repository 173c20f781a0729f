"""What a run of a model adds to its tensors: the sizes of its input, and the matrix products that each module computes."""

from __future__ import annotations

from collections.abc import Mapping

from symparam.models.traced.expressions import Expression, keys_of, parts

PRODUCTS = "@"
"""The name under which a module lists its products, each as a shape of four sides: ``(groups, rows, inner, columns)`` stands for ``groups``
products of a matrix of rows × inner with one of inner × columns.
"""
EACH, WHOLE = "each", "whole"
"""Prefixes of the names of products: of those with the same number of rows for each sample, and of those whose rows do not depend on the
batch.
"""
UNSEEN = "unseen"
"""The name of a product whose operations are not known, such as a fused kernel."""
INPUTS: Mapping[str, str] = {"@B": "B", "@L": "L", "@L_e": "L_e", "@H_i": "H_i", "@W_i": "W_i"}
"""The sizes of inputs, by their names among the settings, with their letters."""
IMAGE_SIZES = frozenset(["@H_i", "@W_i"])
LENGTHS = frozenset(["@L", "@L_e"])

BATCHES = (101, 103, 107, 109, 113, 127, 131, 137)
"""Sizes of batches to run with: prime numbers, so that no other size is mistaken for a multiple of them."""


def tells_images_apart(size: Expression) -> bool:
    """Whether the sizes of images decide between cases of a size, or the number of a layer between their sizes. Halved images differ by so
    little that such a rule fits by chance, unless the class computed it.
    """
    for each in parts(size):
        if isinstance(each, tuple) and each[0] == "if":
            by_number = any(isinstance(part, tuple) and part[0] == "at" for part in parts(each[1]))
            if any(IMAGE_SIZES & keys_of(inner) for inner in (each[1], *(each[2:] if by_number else ()))):
                return True
    return False
