"""The classes of the reference library, traced once: their networks as data, one of which is read when it is named."""
