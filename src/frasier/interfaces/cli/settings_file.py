"""The file of settings: changed line by line, written whole or not at all, and closed to other users."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from frasier.kernel.errors import ConfigurationError

_HEAD = "# Settings of Frasier, written by `frasier init`. Variables of the environment come first.\n"
_LINE = re.compile(r"^\s*(?:export\s+)?(FRASIER_\w+)\s*=")
_PLAIN = re.compile(r"[\w.:/@+=,-]+")


def write_settings(path: Path, values: Mapping[str, str | None], *, based_on: Path) -> None:
    """Write the file `based_on` with each variable set; None removes one. All other lines stay as they are.

    Only the owner may read it. Raises ConfigurationError if a file cannot be read or written; nothing is changed then.
    """
    try:
        before = based_on.read_text("utf-8") if based_on.exists() else _HEAD
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _replace(path, _changed(before, values))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(
            f"{path} cannot be written: {getattr(error, 'strerror', None) or error}.",
            kept="The settings are as they were.",
            hint="Make it writable, or name another file with FRASIER_ENV_FILE.",
        ) from error


def _changed(text: str, values: Mapping[str, str | None]) -> str:
    left = {name: value for name, value in values.items() if value is not None}
    lines = []
    for line in text.splitlines():
        name = match[1] if (match := _LINE.match(line)) else ""
        if name not in values:
            lines.append(line)
        elif name in left:
            lines.append(f"{name}={_quoted(left.pop(name))}")
    lines += [f"{name}={_quoted(value)}" for name, value in left.items()]
    return "\n".join(lines) + "\n"


def _quoted(value: str) -> str:
    if _PLAIN.fullmatch(value):
        return value
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _replace(path: Path, text: str) -> None:
    # mkstemp opens the file for its owner alone, before anything is in it.
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        with suppress(FileNotFoundError):
            Path(name).unlink()
        raise
