"""symparam inside other programs: Jupyter, Sphinx and MkDocs."""
