"""The families that symparam knows, one file each; the registry finds them by the names people use."""

from symparam.architectures.family import Family, Flags, SizeKey
from symparam.architectures.registry import FAMILIES, Choice, find, names

__all__ = ["FAMILIES", "Choice", "Family", "Flags", "SizeKey", "find", "names"]
