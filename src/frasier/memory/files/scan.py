"""Scan a folder: index new, changed and moved files and archive vanished ones, one transaction per file."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import psycopg
from psycopg.rows import DictRow

from frasier.kernel.errors import FrasierError, NotAllowed, NotFound, Refused, TooOften
from frasier.kernel.fault_points import fault_point
from frasier.kernel.humanize import plural
from frasier.kernel.logging_setup import get_logger
from frasier.memory.access import Caller
from frasier.memory.files.allowed_paths import InsidePath, Roots, is_gone, printable
from frasier.memory.files.index_file import FileStatus, IndexedFile, index_file, mark_file
from frasier.memory.files.links import retry_links
from frasier.memory.files.tiers import TierProposal, tier_proposals
from frasier.memory.files.walk import LeftOut, ListedFile, walk
from frasier.memory.save import archive_memory
from frasier.memory.validation import FOUNDERS_TIERS
from frasier.store import Database, Statements, Tx

_sql = Statements("frasier.memory.files")
_log = get_logger()

SCAN_EVERY_S = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class FileProblem:
    """A file that could not be indexed, and why; `number` is that of the error, `hint` the remedy."""

    path: str
    message: str
    hint: str = ""
    number: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileWarning:
    """A warning about a file that was indexed nevertheless."""

    path: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanReport:
    """The result of a scan. The counts are of files; `moved` ones are included in the updated.

    `removed` are the files that had a memory and are gone; their memories are archived. `left_out` were skipped.
    `links_drawn` counts new edges; `unresolved` counts the links of all files in the caller's scopes that lead to no
    memory yet. `asking` are requests for a tier above normal, which stay normal until the founder confirms them.
    """

    folder: str
    indexed: int
    updated: int
    unchanged: int
    failed: int
    removed: int
    moved: int
    links_drawn: int
    unresolved: int
    errors: tuple[FileProblem, ...]
    warnings: tuple[FileWarning, ...]
    left_out: tuple[LeftOut, ...]
    asking: tuple[TierProposal, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanProgress:
    """Progress of a scan: the numbers of completed and of all files, and the result of the latest."""

    done: int
    total: int
    file: IndexedFile


Progress: TypeAlias = Callable[[ScanProgress], Awaitable[None]]


async def scan_folder(
    database: Database,
    caller: Caller,
    roots: Roots,
    folder: str | os.PathLike[str],
    *,
    scope: str | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> ScanReport:
    """Index the Markdown files below `folder`, which is a root or inside one. Opens transactions.

    Each file has its own transaction, so that an interrupted scan keeps its results and the next one continues.
    Files with unchanged modification time and size are not read. A faulty file is reported and keeps its memory;
    the others are indexed. Memories of vanished files are archived. `force` reads every file and ignores the
    minimum of a minute between scans. Raises TooOften (E429), NotFound (E010) for a missing folder, and
    InvalidInput (E011, E014, E032).
    """
    if scope is not None:
        caller.allow([scope])
    inside = roots.resolve(folder)
    # Path.is_dir raises for a name that is too long.
    if not await asyncio.to_thread(os.path.isdir, inside.path):
        raise NotFound(
            f"There is no folder {printable(inside.path)}.",
            kept="Its memories are unchanged.",
            hint="Check the path, and whether its disk is mounted.",
            number="E010",
        )
    async with database.transaction() as tx:
        await _claim(tx, inside, force=force)
    walked = await asyncio.to_thread(walk, inside)
    async with database.transaction() as tx:
        rows = await _sql.all(tx, "files_under", folder=_slashed(inside))
    run = _Scan(database, caller, roots, scope=scope, force=force, progress=progress)
    run.left_out = walked.left_out
    await run.files(walked.files, {row["path"]: row for row in rows})
    await run.vanished(rows, {str(file.inside.path) for file in walked.files})
    async with database.transaction() as tx:
        links = await retry_links(tx, caller)
        asking = await tier_proposals(tx, caller, below=_slashed(inside))
    return run.report(inside, drawn=links.drawn, unresolved=len(links.unresolved), asking=tuple(asking))


def _slashed(folder: InsidePath) -> str:
    return f"{str(folder.path).rstrip('/')}/"


async def _claim(tx: Tx, inside: InsidePath, *, force: bool) -> None:
    path = str(inside.path)
    if await _sql.maybe(tx, "claim_root", path=path, force=force) is None:
        ago = (await _sql.one(tx, "scanned_seconds_ago", path=path))["seconds"]
        raise TooOften(
            f"{printable(path)} was scanned {plural(round(max(ago, 0)), 'second')} ago.",
            kept="Its memories are unchanged since that scan.",
            hint=f"Scan it again in {plural(max(1, SCAN_EVERY_S - int(ago)), 'second')}, or with force.",
            number="E429",
        )


class _Scan:
    """The state of a running scan."""

    def __init__(
        self,
        database: Database,
        caller: Caller,
        roots: Roots,
        *,
        scope: str | None,
        force: bool,
        progress: Progress | None,
    ) -> None:
        self._database = database
        self._caller = caller
        self._roots = roots
        self._scope = scope
        self._force = force
        self._progress = progress
        self._counts = dict.fromkeys(FileStatus, 0)
        self._removed = self._moved = self._drawn = 0
        self._errors: list[FileProblem] = []
        self._warnings: list[FileWarning] = []
        self.left_out: list[LeftOut] = []

    async def files(self, listed: list[ListedFile], rows: Mapping[str, DictRow]) -> None:
        """Index the files that are new or appear changed; `rows` are the known files by path."""
        for done, file in enumerate(listed, 1):
            path = str(file.inside.path)
            row = rows.get(path)
            if row and row["scope"] not in self._caller.scopes:
                self.left_out.append(LeftOut(path=printable(path), reason="the memory of somebody else"))
                continue
            if row and not self._force and _looks_unchanged(row, file):
                indexed = IndexedFile(path=path, status=FileStatus.UNCHANGED)
            else:
                indexed = await self._index(path, row["scope"] if row else self._scope)
            self._note(indexed)
            if self._progress:
                await self._progress(ScanProgress(done=done, total=len(listed), file=indexed))

    async def vanished(self, rows: list[DictRow], seen: set[str]) -> None:
        """Archive the memories of files that no longer exist; files that were only skipped still do."""
        for row in rows:
            if row["path"] in seen or row["scope"] not in self._caller.scopes:
                continue
            try:
                if await asyncio.to_thread(is_gone, self._roots, row["path"]):
                    async with self._database.transaction() as tx:
                        self._removed += await self._forget(tx, row)
            except Refused as refused:
                self._errors.append(_problem(row["path"], refused))

    def report(
        self, folder: InsidePath, *, drawn: int, unresolved: int, asking: tuple[TierProposal, ...]
    ) -> ScanReport:
        """Build the report of the scan."""
        return ScanReport(
            folder=str(folder.path),
            indexed=self._counts[FileStatus.INDEXED],
            updated=self._counts[FileStatus.UPDATED],
            unchanged=self._counts[FileStatus.UNCHANGED],
            failed=self._counts[FileStatus.FAILED] + self._counts[FileStatus.PENDING],
            removed=self._removed,
            moved=self._moved,
            links_drawn=self._drawn + drawn,
            unresolved=unresolved,
            errors=tuple(self._errors),
            warnings=tuple(self._warnings),
            left_out=tuple(self.left_out),
            asking=asking,
        )

    async def _index(self, path: str, scope: str | None) -> IndexedFile:
        try:
            async with self._database.transaction() as tx:
                indexed = await index_file(
                    tx, self._caller, self._roots, path, scope=scope, force=self._force
                )
        except Refused as refused:
            problem = _problem(path, refused)
        except (psycopg.DataError, psycopg.IntegrityError) as error:
            # Rejection by the database is a bug of Frasier's, and the other files should be indexed nevertheless.
            _log.exception("memory.scan.file_not_stored", path=printable(path))
            problem = FileProblem(
                path=printable(path), message=f"The database rejected it: {type(error).__name__}."
            )
        else:
            fault_point("scan.file_indexed")
            return indexed
        self._errors.append(problem)
        async with self._database.transaction() as tx:
            await mark_file(
                tx, self._caller, self._roots, path, FileStatus.FAILED, problem.message, scope=scope
            )
        return IndexedFile(path=printable(path), status=FileStatus.FAILED, reason=problem.message)

    async def _forget(self, tx: Tx, row: DictRow) -> bool:
        """Forget a vanished file, and archive its memory; return whether it had one.

        False also if somebody else has moved or forgotten the file meanwhile.
        """
        await _sql.run(tx, "lock_path", path=row["path"])
        held = await _sql.maybe(tx, "file_of_path", path=row["path"])
        if held is None or held["file_id"] != row["file_id"]:
            return False
        if held["tier"] in FOUNDERS_TIERS and not self._caller.founder:
            raise NotAllowed(
                f"The file of a {held['tier']} memory is gone; only a scan by the founder archives the memory.",
                kept="The memory is still recalled.",
                hint="Restore the file, or let the founder scan the folder.",
            )
        if held["memory_id"] is not None:
            await archive_memory(tx, held["memory_id"])
        await _sql.run(tx, "delete_file", file_id=row["file_id"])
        return held["memory_id"] is not None

    def _note(self, indexed: IndexedFile) -> None:
        self._counts[indexed.status] += 1
        self._moved += bool(indexed.moved_from)
        self._drawn += indexed.links_drawn
        self._warnings += [
            FileWarning(path=printable(indexed.path), message=warning) for warning in indexed.warnings
        ]


def _looks_unchanged(row: DictRow, file: ListedFile) -> bool:
    state = (row["mtime_ns"], row["size_bytes"])
    settled = row["status"] == "indexed" and row["is_read"] and not row["promoted_itself"]
    return settled and state == (file.state.mtime_ns, file.state.size)


def _problem(path: str, refused: FrasierError) -> FileProblem:
    return FileProblem(
        path=printable(path), message=refused.message, hint=refused.hint, number=refused.number
    )
