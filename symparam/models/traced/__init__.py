"""Architectures found by tracing: rules for tensors in terms of settings, as data; no torch is needed to use them."""
