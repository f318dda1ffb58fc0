"""What comes from outside, once: a contribution that is sent again under its key is the same one."""

from frasier.memory.contributing.contribution import Contributed, contribute

__all__ = ["Contributed", "contribute"]
