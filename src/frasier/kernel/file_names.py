"""Names of files that come from outside: one plain part, safe on any file system and in any view. Pure."""

from __future__ import annotations

import re
import unicodedata
from pathlib import PurePosixPath

FILE_NAME_BYTES_MAX = 200
"""Below the 255 bytes that a file system takes, so that a number can be appended."""

_SUFFIX_BYTES_MAX = 20
_UNSAFE = re.compile(r'[:*?"<>|]+')


def plain_file_name(name: str) -> str:
    """Return the last part of a name as the name of a file; empty where nothing is left of it.

    Folders, control characters, line ends, marks of direction and leading dots (hidden files are not read) are left
    out; what means something to a system becomes a hyphen. The end, which tells the format, is kept when it is cut.
    """
    last = re.split(r"[\\/]", name)[-1]
    spaced = "".join(" " if char.isspace() else char for char in last)
    visible = " ".join("".join(filter(str.isprintable, spaced)).split())
    plain = _UNSAFE.sub("-", unicodedata.normalize("NFC", visible)).lstrip(". ").rstrip(". ")
    suffix = PurePosixPath(plain).suffix
    if len(suffix.encode()) > _SUFFIX_BYTES_MAX:
        suffix = ""
    stem = plain.removesuffix(suffix).encode()[: FILE_NAME_BYTES_MAX - len(suffix.encode())]
    return (stem.decode(errors="ignore").rstrip(". ") + suffix).rstrip(". ")
