"""Models: the blocks they are built of, the known architectures, configs and presets, and models as people print them."""
