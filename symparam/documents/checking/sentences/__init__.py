"""Claims that words make: what follows from other numbers, changes, shares, and equations that are said."""
