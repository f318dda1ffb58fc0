"""The founder's editor, for a text that is too long to type at a prompt."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from pathlib import Path

from frasier.kernel.errors import InvalidInput


def edit_text(text: str) -> str:
    """Open a TOML text in $VISUAL or $EDITOR; return it as it was saved. Raises InvalidInput if no editor can
    be run.
    """
    command = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    with tempfile.TemporaryDirectory(prefix="frasier-") as folder:
        path = Path(folder) / "edit.toml"
        path.write_text(text, "utf-8")
        try:
            code = subprocess.run([*shlex.split(command), str(path)], check=False).returncode  # noqa: S603
        except (OSError, ValueError) as error:
            raise _unusable(command, str(error)) from error
        if code:
            raise _unusable(command, f"it ended with {code}")
        try:
            return path.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise _unusable(command, f"it saved no text: {error}") from error


def _unusable(command: str, reason: str) -> InvalidInput:
    return InvalidInput(
        f"The editor {command!r} cannot be used: {reason}.",
        kept="Nothing was changed.",
        hint="Set EDITOR to a program that edits the file that it is given.",
    )
