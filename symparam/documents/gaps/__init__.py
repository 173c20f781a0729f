"""What a gap is made of: the document's own slips, or modules of the architecture."""
