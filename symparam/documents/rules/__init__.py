"""The rules by which a page is read and judged, each with a name, a sentence, and a page on which it changes a verdict."""
