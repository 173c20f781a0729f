"""Judges the claims of a page, each with a verdict, a code and a reason."""
