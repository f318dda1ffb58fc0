"""The command line's view of an input field, declared beside it: an attribute is added in one place."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto


class Reads(Enum):
    """The conversion of a typed text."""

    PLAIN = auto()
    TEXT = auto()
    """@FILE reads it from a file, and @- from standard input."""
    PATH = auto()
    """A path, relative to where the person stands."""
    JSON = auto()
    """A JSON object."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CliOption:
    """The form of a field at the command line, where its name, type and description do not say it.

    `flags` stand instead of the field's name with two dashes. With `argument`, its placeholder in the help, the field
    is positional. `help` stands instead of the description, which is written for models, who pay for each word.
    """

    help: str = ""
    flags: tuple[str, ...] = ()
    argument: str = ""
    metavar: str | None = None
    reads: Reads = Reads.PLAIN
