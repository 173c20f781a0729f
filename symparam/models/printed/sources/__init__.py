"""What the Python source of classes of modules says of their instances, read and never run."""
