"""Numbers with labels: the entries of lists, and the quantities that a page states."""
