"""The two sides of a claim: what their numbers and units may mean, and whether they agree."""
