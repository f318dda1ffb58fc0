"""Backups: a folder with a dump of the database and the files of the home that no dump holds."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from psycopg.conninfo import conninfo_to_dict, make_conninfo

from frasier.kernel.errors import ConfigurationError, InvalidInput, StoreError
from frasier.kernel.text import shorten
from frasier.store.embedded.binaries import find_binaries
from frasier.store.home_permissions import close_home
from frasier.store.inspection.health import condition_of
from frasier.store.key_file import write_private

DUMP = "frasier.dump"
SETTINGS = "settings.env"
_KEYS = ("seal.key", "subscriptions.key")
_ERROR_CHARS_MAX = 500


def write_backup(owner_url: str, home: Path, settings: Path, folder: Path) -> list[str]:
    """Write the dump, the keys of the home and the file of settings to a new `folder`, completely or not at all.

    Return the names of the written files. Raises InvalidInput if the folder has contents or there is nothing to dump,
    ConfigurationError if the folder cannot be written, StoreError if the dump fails.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InvalidInput(
            f"{folder} is there already and is not an empty folder.",
            kept="Nothing was changed.",
            hint="Name a new folder for each backup.",
        )
    if not asyncio.run(condition_of(owner_url)).applied:
        raise InvalidInput("The database has no tables of Frasier yet.", kept="No backup was written.")
    with _explained(folder, preserved="No backup was written."):
        folder.parent.mkdir(parents=True, exist_ok=True)
        partial = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        try:
            # The vector extension belongs to the superuser; every database of ours has it before it is filled.
            _run(
                "pg_dump",
                owner_url,
                "--format=custom",
                "--exclude-extension=vector",
                f"--file={partial / DUMP}",
            )
            # After the dump, so that a key which the dump relies on is there.
            for source in (*(home / name for name in _KEYS), settings):
                if source.exists():
                    write_private(partial / _name_in_backup(source), source.read_bytes())
            (partial / DUMP).chmod(0o600)
            partial.replace(folder)
        except BaseException:
            shutil.rmtree(partial)
            raise
    return sorted(file.name for file in folder.iterdir())


def restore_backup(owner_url: str, home: Path, settings: Path, folder: Path) -> list[str]:
    """Fill an empty database and a home without keys from the backup in `folder`; the database is filled in one
    transaction.

    An existing file of settings is kept. Return the names of the restored files. Raises InvalidInput if there is no
    backup or anything would be overwritten, StoreError if the dump cannot be restored.
    """
    if not (folder / DUMP).is_file():
        raise InvalidInput(f"{folder} is not a backup: it has no {DUMP}.", kept="Nothing was changed.")
    _refuse_other_keys(home, folder)
    if asyncio.run(condition_of(owner_url)).applied:
        raise InvalidInput(
            "The database already has the tables of Frasier; a backup is restored into an empty one only.",
            kept="Nothing was changed.",
            hint="Set FRASIER_HOME to a new folder, or FRASIER_DATABASE_URL to an empty database with pgvector.",
        )
    _run("pg_restore", owner_url, "--single-transaction", str(folder / DUMP))
    restored = [DUMP]
    with _explained(home, preserved="The database is restored; copy the keys from the backup yourself."):
        close_home(home)
        for name, target in (*((name, home / name) for name in _KEYS), (SETTINGS, settings)):
            if (folder / name).exists() and not target.exists():
                write_private(target, (folder / name).read_bytes())
                restored.append(name)
    return restored


def _name_in_backup(source: Path) -> str:
    return source.name if source.name in _KEYS else SETTINGS


def _refuse_other_keys(home: Path, folder: Path) -> None:
    for name in _KEYS:
        key, ours = folder / name, home / name
        if key.exists() and ours.exists() and key.read_bytes() != ours.read_bytes():
            raise InvalidInput(
                f"{ours} is another key than that of the backup.",
                kept="Nothing was changed.",
                hint="Restore into a new home: set FRASIER_HOME to a new folder.",
            )


def _run(program: str, url: str, *arguments: str) -> None:
    """Run a program of PostgreSQL on the database at `url`, whose password is kept out of the list of processes."""
    parts = conninfo_to_dict(url)
    password = parts.pop("password", None)
    command: Sequence[str] = [
        *(str(find_binaries().program(program)), "--no-password", "--dbname", make_conninfo("", **parts)),
        *arguments,
    ]
    environment = os.environ | ({"PGPASSWORD": str(password)} if password is not None else {})
    ended = subprocess.run(command, env=environment, check=False, capture_output=True, text=True)  # noqa: S603
    if ended.returncode != 0:
        raise StoreError(
            f"{program} failed: {shorten(ended.stderr.strip(), _ERROR_CHARS_MAX)}",
            kept="Nothing was changed.",
            hint="Where your own server refuses: FRASIER_DATABASE__OWNER_URL names the role that owns the schema.",
        )


@contextmanager
def _explained(place: Path, *, preserved: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise ConfigurationError(
            f"Cannot write to {place}: {reason}.",
            kept=preserved,
            hint="Choose a folder of your own with room for it.",
        ) from error
