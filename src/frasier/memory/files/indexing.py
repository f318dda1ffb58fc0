"""From a Markdown file to its memory: one file is one memory, which an edit changes in place."""

from __future__ import annotations

import asyncio
import hashlib
import time
from dataclasses import dataclass
from enum import StrEnum
from os import PathLike
from uuid import UUID

from psycopg.rows import DictRow

from frasier.kernel.errors import InvalidInput, NotAllowed
from frasier.kernel.ids import new_id
from frasier.kernel.text import shorten, strip_control
from frasier.memory.access import Caller
from frasier.memory.changes import note_change
from frasier.memory.files.conversion import memory_of_file, warnings_of
from frasier.memory.files.document import ParsedFile, parse_file, refuse_broken_anchors
from frasier.memory.files.links import LinkReport, Origin, renew_links, retry_links
from frasier.memory.files.metadata import Link
from frasier.memory.files.roots import FileState, InsidePath, Roots, is_gone, printable, read_inside
from frasier.memory.files.tiers import RAISED_TIERS, confirm_written, is_confirmed, propose_tier
from frasier.memory.files.walk import ENDINGS
from frasier.memory.intake import FOUNDERS_TIERS
from frasier.memory.save import replace_content, save_file_memory
from frasier.memory.types import ImportanceTier
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.files")

# A file that was changed this short a time ago may change again without looking different.
_SETTLED_NS = 2_000_000_000
_REASON_CHARS_MAX = 1_000


class FileStatus(StrEnum):
    """What became of a file. `pending` is stored but not indexed yet, `failed` cannot be."""

    INDEXED = "indexed"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    PENDING = "pending"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedFile:
    """What became of one file. `path` is canonical; `version` counts what its memory has said, from 1.

    `sha256` is of its bytes, as far as they were read or written. `moved_from` is where the file was before,
    `links_drawn` counts its new edges, `unresolved` are its links that lead to nothing yet, and `reason` says why it
    is pending or failed. `asks_for` is the tier above normal that the founder is asked to confirm.
    """

    path: str
    status: FileStatus
    memory_id: UUID | None = None
    version: int = 0
    sha256: bytes = b""
    moved_from: str = ""
    warnings: tuple[str, ...] = ()
    links_drawn: int = 0
    unresolved: tuple[Link, ...] = ()
    reason: str = ""
    asks_for: ImportanceTier | None = None


async def index_file(
    tx: Tx,
    caller: Caller,
    roots: Roots,
    path: str | PathLike[str],
    *,
    scope: str | None = None,
    force: bool = False,
    skip_preflight: bool = False,
    written_tier: ImportanceTier | None = None,
    keep_secrets: bool = False,
) -> IndexedFile:
    """Reads the file at `path` and makes its memory say what the file says.

    The memory keeps its id through edits and moves, and keeps its scope; a new one begins in `scope`, by default
    the caller's first. The same file again is left alone unless `force`. `skip_preflight` turns broken anchors
    into warnings. The file is read under a lock, so that two callers cannot store an older state over a newer.
    What looks like a secret is taken out unless `keep_secrets`. A tier above normal waits for the founder, but for
    the `written_tier` that the caller gave it just now.
    Raises InvalidInput and NotFound where the file cannot be read (E010 to E014), is no memory (PF001 to PF003,
    PF030, PF031, E030, E090), or NotAllowed where its memory is another's or binds everybody.
    """
    indexed = await index_without_retry(
        tx,
        caller,
        roots,
        path,
        scope=scope,
        force=force,
        skip_preflight=skip_preflight,
        written_tier=written_tier,
        keep_secrets=keep_secrets,
    )
    await retry_links(tx, caller)
    return indexed


async def index_without_retry(
    tx: Tx,
    caller: Caller,
    roots: Roots,
    path: str | PathLike[str],
    *,
    scope: str | None,
    force: bool,
    skip_preflight: bool,
    written_tier: ImportanceTier | None = None,
    keep_secrets: bool = False,
) -> IndexedFile:
    """Does what index_file does, and leaves the links of other files for later."""
    inside = roots.resolve(path)
    if not inside.path.name.lower().endswith(ENDINGS):
        raise InvalidInput(
            f"{printable(inside.path)} is no Markdown file.",
            hint=f"The names of memory files end in {' or '.join(ENDINGS)}.",
            number="E014",
        )
    await _sql.run(tx, "lock_path", path=str(inside.path))
    data, state = await asyncio.to_thread(read_inside, inside)
    digest = hashlib.sha256(data).digest()
    held = await _sql.maybe(tx, "file_of_path", path=str(inside.path))
    chosen = _scope_for(caller, held, scope)
    if held and held["content_hash"] == digest and _is_settled(held, caller, force=force):
        await _store_file(tx, inside, chosen, digest, state, held["file_id"])
        return _unchanged(inside, held)
    parsed = await asyncio.to_thread(parse_file, data, inside.path.name)
    if not skip_preflight:
        refuse_broken_anchors(parsed.anchor_problems)
    moved_from = ""
    if held is None and (former_path := await _take_over_moved(tx, roots, inside, chosen, digest)):
        moved_from = former_path
        held = await _sql.one(tx, "file_of_path", path=str(inside.path))
    keep = keep_secrets or _secrets_kept(held, digest)
    return await _save(
        tx,
        caller,
        inside,
        parsed,
        state,
        held,
        scope=chosen,
        moved_from=moved_from,
        written_tier=written_tier,
        keep_secrets=keep,
    )


async def check_may_change(tx: Tx, caller: Caller, inside: InsidePath, scope: str | None) -> None:
    """Raises NotAllowed or InvalidInput where the caller may not change what the file at this path says."""
    held = await _sql.maybe(tx, "file_of_path", path=str(inside.path))
    _scope_for(caller, held, scope)
    if held and held["tier"] in FOUNDERS_TIERS:
        caller.require_founder(f"change a {held['tier']} memory")


async def hash_of_file(tx: Tx, file_id: UUID) -> bytes | None:
    """The SHA-256 of the bytes that were read of a file last, which is what its memory says."""
    row = await _sql.maybe(tx, "hash_of_file", file_id=file_id)
    return row["content_hash"] if row else None


async def mark_file(
    tx: Tx,
    caller: Caller,
    roots: Roots,
    path: str,
    status: FileStatus,
    reason: str,
    *,
    scope: str | None,
) -> None:
    """Keeps why the file is pending or failed; the next scan tries it again.

    A path that is none of ours is not kept, and a file that is somebody else's memory stays as it is.
    """
    try:
        inside = roots.resolve(path)
    except InvalidInput:
        return  # the scan reports the path itself; the database holds only such as may be opened
    held = await _sql.maybe(tx, "file_of_path", path=str(inside.path))
    if held is None or held["scope"] in caller.scopes:
        await _sql.run(
            tx,
            "mark_file",
            id=new_id(),
            path=str(inside.path),
            root=str(inside.root),
            scope=scope or caller.home,
            status=status,
            reason=shorten(strip_control(reason), _REASON_CHARS_MAX),
        )


def _scope_for(caller: Caller, held: DictRow | None, scope: str | None) -> str:
    """Where the memory is kept: where it is already, else in `scope`, else where the caller is at home."""
    asked = caller.allow([scope])[0] if scope else None
    if held is None or held["memory_id"] is None:
        return asked or caller.home
    kept: str = held["scope"]
    if kept not in caller.scopes:
        raise NotAllowed(
            f"{printable(held['path'])} is a memory of somebody else.",
            kept="It was not read.",
            hint="Use another file, or a caller that may use its scope.",
            number="E011",
        )
    if asked not in {None, kept}:
        raise InvalidInput(
            f"{printable(held['path'])} is a memory of the scope {kept} already.",
            kept="It stays there.",
            hint=f"Name no scope, or delete its memory first to keep it in {asked}.",
            number="E030",
        )
    return kept


def _secrets_kept(held: DictRow | None, digest: bytes) -> bool:
    """Whether the secrets of a file were kept deliberately, and it says what it said then."""
    return bool(held and held["content_hash"] == digest and (held["provenance"] or {}).get("secrets_kept"))


def _is_settled(held: DictRow, caller: Caller, *, force: bool) -> bool:
    """Whether a file that says the same as before need not be read again."""
    if held["promoted_itself"]:
        return False
    if held["tier"] in FOUNDERS_TIERS and not caller.founder:
        return True
    return held["status"] == "indexed" and not force


def _unchanged(inside: InsidePath, held: DictRow) -> IndexedFile:
    deleted = held["memory_id"] is None
    return IndexedFile(
        path=str(inside.path),
        status=FileStatus.UNCHANGED,
        memory_id=held["memory_id"],
        version=held["version"] or 0,
        sha256=held["content_hash"],
        warnings=("Its memory was deleted; index it with force to have it back.",) if deleted else (),
    )


async def _take_over_moved(tx: Tx, roots: Roots, inside: InsidePath, scope: str, digest: bytes) -> str | None:
    """Finds the memory of a file that was moved here, and returns its former path."""
    path = str(inside.path)
    for row in await _sql.all(tx, "files_of_hash", content_hash=digest, scope=scope, path=path):
        try:
            gone = await asyncio.to_thread(is_gone, roots, row["path"])
        except InvalidInput:
            continue  # not inside of these roots, so nobody here can say whether it is still there
        if gone:
            await _sql.run(tx, "move_file", file_id=row["file_id"], path=path, root=str(inside.root))
            return str(row["path"])
    return None


async def _save(
    tx: Tx,
    caller: Caller,
    inside: InsidePath,
    parsed: ParsedFile,
    state: FileState,
    held: DictRow | None,
    *,
    scope: str,
    moved_from: str,
    written_tier: ImportanceTier | None,
    keep_secrets: bool,
) -> IndexedFile:
    path = str(inside.path)
    file_id = await _store_file(
        tx, inside, scope, parsed.sha256, state, held["file_id"] if held else new_id()
    )
    memory_id: UUID | None = held["memory_id"] if held else None
    if memory_id is None:
        memory_id = await _bring_back(tx, path, scope, file_id)
        held = await _sql.one(tx, "file_of_path", path=path)
    confirmed = await _confirmed(tx, caller, file_id, parsed, written_tier)
    if held and held["promoted_itself"] and (caller.founder or held["content_hash"] == parsed.sha256):
        await _sql.run(tx, "lower_tier", memory_id=memory_id)
        await note_change(tx, [scope])
        held = await _sql.one(tx, "file_of_path", path=path)
    new, warnings = memory_of_file(
        parsed, path, scope, held, confirmed=bool(confirmed), keep_secrets=keep_secrets
    )
    founder = caller.founder or bool(confirmed)
    if memory_id is None:
        memory_id = await save_file_memory(tx, new, founder=founder, file_id=file_id)
        version, status = 1, FileStatus.INDEXED
    else:
        reason = f"the file was moved from {moved_from}" if moved_from else "the file was changed"
        version = await replace_content(tx, memory_id, new, founder=founder, reason=reason)
        changed = moved_from or (held and version != held["version"])
        status = FileStatus.UPDATED if changed else FileStatus.UNCHANGED
    if confirmed is None and (asked := parsed.metadata.tier):
        await propose_tier(tx, file_id, parsed.sha256, asked, memory_id=memory_id)
    if moved_from:
        await _sql.run(tx, "place_memory", memory_id=memory_id, file_id=file_id, path=path)
    origin = Origin(memory_id=memory_id, path=path, root=str(inside.root))
    links = await renew_links(tx, caller, origin, parsed.metadata.links)
    return IndexedFile(
        path=path,
        status=status,
        memory_id=memory_id,
        version=version,
        sha256=parsed.sha256,
        moved_from=moved_from,
        warnings=(*warnings_of(parsed, keep_secrets=keep_secrets), *warnings, *_link_warnings(links)),
        asks_for=parsed.metadata.tier if confirmed is None else None,
        links_drawn=links.drawn,
        unresolved=links.unresolved,
    )


async def _confirmed(
    tx: Tx, caller: Caller, file_id: UUID, parsed: ParsedFile, written_tier: ImportanceTier | None
) -> bool | None:
    """Whether the founder confirmed or refused what the file asks for above normal; None where they are to be asked."""
    asked = parsed.metadata.tier
    if asked not in RAISED_TIERS:
        return False
    if asked is written_tier:
        await confirm_written(tx, caller, file_id, parsed.sha256, asked)
        return True
    return await is_confirmed(tx, file_id, parsed.sha256)


async def _store_file(
    tx: Tx, inside: InsidePath, scope: str, digest: bytes, state: FileState, file_id: UUID
) -> UUID:
    settled = state.mtime_ns < time.time_ns() - _SETTLED_NS
    row = await _sql.one(
        tx,
        "save_file",
        id=file_id,
        path=str(inside.path),
        root=str(inside.root),
        scope=scope,
        content_hash=digest,
        mtime_ns=state.mtime_ns if settled else 0,
        size_bytes=state.size,
    )
    stored: UUID = row["id"]
    return stored


async def _bring_back(tx: Tx, path: str, scope: str, file_id: UUID) -> UUID | None:
    """The memory that the file was before it vanished is that file's again."""
    former = await _sql.maybe(tx, "former_memory", path=path, scope=scope)
    if former is None:
        return None
    await _sql.run(tx, "place_memory", memory_id=former["id"], file_id=file_id, path=path)
    memory_id: UUID = former["id"]
    return memory_id


def _link_warnings(links: LinkReport) -> list[str]:
    named = [f"{link.kind}: {link.reference}" for link in links.unresolved]
    if not named:
        return list(links.warnings)
    shown = "; ".join(named[:5]) + " …" * (len(named) > 5)
    return [*links.warnings, f"{len(named)} of its links lead to no memory yet: {shown}"]
