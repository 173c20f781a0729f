"""Totals of lists, of numbers and of formulas, and what remains of one."""
