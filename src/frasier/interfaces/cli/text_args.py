"""Text arguments: typed, read from a file that is named after an @, or from standard input."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

from frasier.interfaces.cli.utf8_args import CONVERT
from frasier.kernel.errors import InvalidInput

HOW = "@FILE reads it from a file, `-` from standard input; a text that begins with @ is written with @@."
"""Help of a TEXT argument."""

# A longer text is refused anyway: this only keeps a wrong file from filling the machine's memory.
_BYTES_MAX = 1_000_000


def typed_text(text: str | None) -> str | None:
    """Return the TEXT of a command as given_text does; a dash alone is standard input, too."""
    return text if text is None else given_text("@-" if text == "-" else text, "TEXT")


def given_text(value: str, option: str) -> str:
    """Return `value`, or the content of the file after an @, or of standard input (@-); @@ is an @ itself.

    Raises BadParameter if it cannot be read, and InvalidInput if it is not text or is too long.
    """
    if not value.startswith("@"):
        return value
    if value.startswith("@@"):
        return value[1:]
    named = "Standard input" if value == "@-" else repr(value[1:61])
    try:
        with sys.stdin.buffer if value == "@-" else Path(value[1:]).expanduser().open("rb") as file:
            read = file.read(_BYTES_MAX + 1)
    except (OSError, ValueError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or "it cannot be read"
        meant = "" if value == "@-" else f"; if you mean the text, write it with @@, as @{value[:60]!s}"
        raise typer.BadParameter(f"{named}: {reason}{meant}", param_hint=option) from None
    if len(read) > _BYTES_MAX:
        raise unusable(f"{named} holds more than a megabyte.", "E013", "Give what matters of it.")
    try:
        return read.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise unusable(f"{named} is not UTF-8 text.", "E012", CONVERT) from None


def unusable(message: str, number: str, hint: str) -> Exception:
    """Return the error for a value that no tool accepts."""
    return InvalidInput(message, number=number, kept="Nothing was changed.", hint=hint)
