"""Slips of people who calculate by hand, found from the document alone."""
