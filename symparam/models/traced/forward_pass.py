"""What a run of a model adds to its tensors: the sizes of its input, and the matrix products that each module computes."""

from __future__ import annotations

from collections.abc import Mapping

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

BATCHES = (101, 103, 107, 109, 113, 127, 131, 137)
"""Sizes of batches to run with: prime numbers, so that no other size is mistaken for a multiple of them."""
