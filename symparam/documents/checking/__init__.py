"""Verdicts on what people wrote, and what the gap is made of where a claim is wrong."""
