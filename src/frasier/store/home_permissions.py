"""File modes of the home: closed to other users of the machine, because it holds messages to the founder and a key."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from fnmatch import fnmatch
from pathlib import Path

_RECORDS = (
    *("announcements.jsonl*", "database-stays", "defects.log*", "login.html*", "page-address*", "seal.key*"),
    "settings.env",
)
_NAME = ".frasier"
_CONTENTS = (*_RECORDS, "postgres", "deliverables", "processes")
_OTHERS_MAY_READ = 0o067
_OTHERS_MAY = 0o077


def close_home(home: Path, *, passage: int | None = None) -> None:
    """Create the home if it is missing, and close it and its records to other users.

    `passage` is the group of the user that runs PostgreSQL, if its data lies in the home: only that group may pass
    through (0710). A directory of another name with other contents keeps its mode, because others may use it; only
    the records in it are closed.
    """
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    entries = list(home.iterdir())
    if home.name == _NAME or all(_is_one_of(_CONTENTS, entry) for entry in entries):
        _close_directory(home, passage)
    for record in (entry for entry in entries if _is_one_of(_RECORDS, entry)):
        with suppress(FileNotFoundError):  # another process has just replaced it
            state = record.lstat()
            if stat.S_ISREG(state.st_mode) and _is_open(state, _OTHERS_MAY):
                record.chmod(0o600)


def _close_directory(home: Path, passage: int | None) -> None:
    state = home.stat()
    if passage is not None and state.st_uid == os.geteuid():
        if (state.st_gid, stat.S_IMODE(state.st_mode)) != (passage, 0o710):
            os.chown(home, -1, passage)
            home.chmod(0o710)
    elif _is_open(state, _OTHERS_MAY_READ):
        home.chmod(0o700)


def _is_open(state: os.stat_result, others: int) -> bool:
    return state.st_uid == os.geteuid() and bool(state.st_mode & others)


def _is_one_of(patterns: tuple[str, ...], entry: Path) -> bool:
    return any(fnmatch(entry.name, pattern) for pattern in patterns)
