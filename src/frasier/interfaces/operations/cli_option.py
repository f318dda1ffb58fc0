"""The command line's view of an input field, declared beside it: an attribute is added in one place."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from pydantic.fields import FieldInfo


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
    is positional. `help` stands instead of the description, and `default` instead of the default, which are for
    models, who pay for each word.
    """

    help: str = ""
    flags: tuple[str, ...] = ()
    argument: str = ""
    metavar: str | None = None
    reads: Reads = Reads.PLAIN
    default: int | None = None

    def label(self, name: str) -> str:
        """Return the words by which a person knows the field `name`: its placeholder or its first flag."""
        return self.argument or (self.flags or (f"--{name.replace('_', '-')}",))[0]


def option_of(field: FieldInfo) -> CliOption:
    """Return the field's own option, which follows the one of a type that fields share."""
    return next((option for option in reversed(field.metadata) if isinstance(option, CliOption)), CliOption())
