"""The line about a database that a command has updated before its own work."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def announce_update(applied: Sequence[str]) -> None:
    """Print to standard error from which version to which these migrations updated the database, if it was not new."""
    if not applied:
        return
    from frasier.store import version_after, version_before

    if before := version_before(applied):
        sys.stderr.write(
            f"Updated the database from version {before} to {version_after(applied)}; an older Frasier does not open it"
            " any more. `frasier db backup FOLDER`, run before any other command of a new version, keeps what was.\n"
        )
