"""The verdict on a claim: whether its sides are meant to be equal, the evidence for and against it, and its record."""
