"""From a torch module to rules for its tensors. Only what runs in the worker's process imports torch."""
