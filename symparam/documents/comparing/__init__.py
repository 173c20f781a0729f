"""Compares a page with its model: the totals, parts and measures that it states with those that the model has."""
