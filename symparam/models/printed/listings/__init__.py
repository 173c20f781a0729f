"""Listings of tensors with their shapes, as people print them: each form that they have, and what stands around them."""
