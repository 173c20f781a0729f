"""The worked derivations in ``derivations/``: every line of them proved, every digit accounted for."""
