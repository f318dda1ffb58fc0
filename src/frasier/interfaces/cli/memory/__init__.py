"""`frasier memory`: the memory engine at the command line."""

from frasier.interfaces.cli.memory.group import memory

__all__ = ["memory"]
