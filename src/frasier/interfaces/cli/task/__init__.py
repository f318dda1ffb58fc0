"""`frasier task`: the task boards of teams at the command line."""

from frasier.interfaces.cli.task.group import task

__all__ = ["task"]
