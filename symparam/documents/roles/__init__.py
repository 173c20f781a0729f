"""What the words of a page mean in a model: its modules, parts and measures, and the settings of a run."""
