"""Parts of models as people name them, held against the modules of a model."""
