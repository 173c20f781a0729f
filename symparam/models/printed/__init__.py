"""Models as people print them: ``print(model)``, listings of names with shapes, and safetensors files, read into architectures."""
