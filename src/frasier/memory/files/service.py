"""The Markdown files of one memory: written, indexed and scanned within its folders."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from frasier.memory.access import Caller
from frasier.memory.files.allowed_paths import Roots
from frasier.memory.files.atomic_write import save_as_file
from frasier.memory.files.compose import NewFile
from frasier.memory.files.index_file import IndexedFile, index_file
from frasier.memory.files.links import retry_links
from frasier.memory.files.scan import Progress, ScanReport, scan_folder
from frasier.store import Database


class MemoryFiles:
    """Works on the files below some folders. Each method opens its own transactions."""

    def __init__(self, database: Database, folders: Iterable[Path]) -> None:
        self._database = database
        self._folders = tuple(folders)

    @property
    def roots(self) -> Roots:
        """The folders; raises ConfigurationError where one cannot serve."""
        return Roots(self._folders)

    async def save(
        self,
        caller: Caller,
        path: Path,
        new: NewFile,
        *,
        scope: str | None = None,
        expected_hash: bytes | None = None,
        keep_secrets: bool = False,
    ) -> IndexedFile:
        """Write a file and index it; see save_as_file."""
        return await save_as_file(
            self._database,
            caller,
            self.roots,
            path,
            new,
            scope=scope,
            expected_hash=expected_hash,
            keep_secrets=keep_secrets,
        )

    async def index(
        self,
        caller: Caller,
        path: Path,
        *,
        scope: str | None = None,
        force: bool = False,
        keep_secrets: bool = False,
        dry_run: bool = False,
    ) -> IndexedFile:
        """Index a file, see index_file; nothing of it stays after a `dry_run`."""
        async with self._database.transaction() as tx, tx.transaction(force_rollback=dry_run):
            indexed = await index_file(
                tx, caller, self.roots, path, scope=scope, force=force, keep_secrets=keep_secrets
            )
            await retry_links(tx, caller)
            return indexed

    async def scan(
        self,
        caller: Caller,
        folder: Path,
        *,
        scope: str | None = None,
        force: bool = False,
        progress: Progress | None = None,
    ) -> ScanReport:
        """Make memories of the files below a folder; see scan_folder."""
        return await scan_folder(
            self._database, caller, self.roots, folder, scope=scope, force=force, progress=progress
        )
