"""Index Markdown files: each file is one memory, which an edit of the file updates in place."""

from __future__ import annotations

import asyncio
import hashlib
import time
from dataclasses import dataclass, replace
from enum import StrEnum
from os import PathLike
from uuid import UUID

from psycopg.rows import DictRow

from frasier.kernel.errors import InvalidInput, NotAllowed
from frasier.kernel.ids import new_id
from frasier.kernel.text import shorten, strip_control
from frasier.memory.access import Caller
from frasier.memory.cache_invalidation import note_change
from frasier.memory.files.allowed_paths import FileState, InsidePath, Roots, is_gone, printable, read_inside
from frasier.memory.files.file_to_memory import memory_of_file, warnings_of
from frasier.memory.files.links import LinkReport, Origin, renew_links
from frasier.memory.files.metadata import Link
from frasier.memory.files.parse_file import ParsedFile, parse_file, refuse_broken_anchors
from frasier.memory.files.tiers import RAISED_TIERS, confirm_written, is_confirmed, propose_tier
from frasier.memory.files.walk import ENDINGS
from frasier.memory.ownership import is_others, require_own
from frasier.memory.save import replace_content, save_file_memory
from frasier.memory.types import ImportanceTier
from frasier.memory.validation import FOUNDERS_TIERS
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.files")

# A file modified more recently than this may change again without a new modification time.
_SETTLED_NS = 2_000_000_000
_REASON_CHARS_MAX = 1_000


class FileStatus(StrEnum):
    """Result of indexing a file; pending means that it is stored but not indexed yet, failed that it cannot be."""

    INDEXED = "indexed"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    PENDING = "pending"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedFile:
    """The result of indexing one file. `path` is canonical; `version` is that of its memory, from 1.

    `sha256` is the digest of its bytes, if they were read or written. `moved_from` is its former path,
    `links_drawn` counts its new edges, `unresolved` are its links to memories that do not exist yet, and `reason`
    explains why it is pending or failed. `asks_for` is a tier above normal that awaits the founder's confirmation.
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
    written: bool = False,
    written_tier: ImportanceTier | None = None,
    keep_secrets: bool = False,
) -> IndexedFile:
    """Read the file at `path` and create or update its memory.

    The memory keeps its id and scope through edits and moves; a new one is created in `scope`, by default the
    caller's first. An unchanged file is skipped unless `force`. The file is read under a lock, so that concurrent
    callers cannot overwrite newer content with older. Apparent secrets are removed unless `keep_secrets`. A tier above
    normal awaits the founder, except the `written_tier` that the caller has just written. A file that the caller has
    `written` does not bring back somebody else's memory, one that a scan finds brings back that of its path. Unresolved
    links of other files may resolve now: the caller retries them with retry_links.
    Raises InvalidInput or NotFound if the file cannot be read (E010 to E014) or is not a valid memory (PF001 to
    PF003, PF030, PF031, E030, E090), and NotAllowed if its memory is another's or only the founder may change it.
    """
    inside = roots.resolve(path)
    if not inside.path.name.lower().endswith(ENDINGS):
        raise InvalidInput(
            f"{printable(inside.path)} is not a Markdown file.",
            hint=f"Memory files must end in {' or '.join(ENDINGS)}.",
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
    refuse_broken_anchors(parsed.anchor_problems)
    moved_from = ""
    if held is None and (former_path := await _take_over_moved(tx, roots, inside, chosen, digest)):
        moved_from = former_path
        held = await _sql.one(tx, "file_of_path", path=str(inside.path))
    keep_secrets = keep_secrets or _secrets_kept(held, digest)
    return await _save(
        tx,
        caller,
        inside,
        parsed,
        state,
        held,
        scope=chosen,
        moved_from=moved_from,
        written=written,
        written_tier=written_tier,
        keep_secrets=keep_secrets,
    )


async def check_may_change(tx: Tx, caller: Caller, inside: InsidePath, scope: str | None) -> None:
    """Raise NotAllowed or InvalidInput if the caller may not overwrite the file at this path, for its memory's sake."""
    held = await _sql.maybe(tx, "file_of_path", path=str(inside.path))
    _scope_for(caller, held, scope)
    if held and held["tier"] in FOUNDERS_TIERS:
        caller.require_founder(f"change a {held['tier']} memory")
    if held and held["memory_id"] is not None:
        require_own(caller, held["provenance"], "overwrite")


async def hash_of_file(tx: Tx, file_id: UUID) -> bytes | None:
    """The SHA-256 of the bytes of a file that were read last, from which its memory was made."""
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
    """Record why the file is pending or failed; the next scan retries it.

    Paths outside the roots are not recorded, and files of somebody else's memories are left unchanged.
    """
    try:
        inside = roots.resolve(path)
    except InvalidInput:
        return  # the scan reports the path; the database stores only paths that may be opened
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
    """The scope of the memory: its existing one, else `scope`, else the caller's home."""
    requested = caller.allow([scope])[0] if scope else None
    if held is None or held["memory_id"] is None:
        return requested or caller.home
    existing: str = held["scope"]
    if existing not in caller.scopes:
        raise NotAllowed(
            f"{printable(held['path'])} is the memory of somebody else.",
            kept="It was not read.",
            hint="Use another file, or a caller with access to its scope.",
            number="E011",
        )
    if requested not in {None, existing}:
        raise InvalidInput(
            f"{printable(held['path'])} is already a memory of the scope {existing}.",
            kept="It stays there.",
            hint=f"Omit the scope, or delete its memory first to move it to {requested}.",
            number="E030",
        )
    return existing


def _secrets_kept(held: DictRow | None, digest: bytes) -> bool:
    """Whether the secrets of the file were kept deliberately and its content is unchanged since."""
    return bool(held and held["content_hash"] == digest and (held["provenance"] or {}).get("secrets_kept"))


def _is_settled(held: DictRow, caller: Caller, *, force: bool) -> bool:
    """Whether a file with unchanged content need not be indexed again."""
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
        warnings=("Its memory was deleted; index it with force to restore it.",) if deleted else (),
    )


async def _take_over_moved(tx: Tx, roots: Roots, inside: InsidePath, scope: str, digest: bytes) -> str | None:
    """Take over the memory of a file that was moved here; returns its former path."""
    path = str(inside.path)
    for row in await _sql.all(tx, "files_of_hash", content_hash=digest, scope=scope, path=path):
        try:
            gone = await asyncio.to_thread(is_gone, roots, row["path"])
        except InvalidInput:
            continue  # outside these roots, so its existence cannot be checked
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
    written: bool,
    written_tier: ImportanceTier | None,
    keep_secrets: bool,
) -> IndexedFile:
    path = str(inside.path)
    unchanged = held is not None and held["content_hash"] == parsed.sha256
    file_id = await _store_file(
        tx, inside, scope, parsed.sha256, state, held["file_id"] if held else new_id()
    )
    memory_id: UUID | None = held["memory_id"] if held else None
    if memory_id is None:
        memory_id = await _bring_back(tx, caller, path, scope, file_id, written=written)
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
        signed = replace(new, provenance={**new.provenance, "saved_by": caller.name})
        memory_id = await save_file_memory(tx, signed, founder=founder, file_id=file_id)
        version, status = 1, FileStatus.INDEXED
    else:
        reason = f"the file was moved from {moved_from}" if moved_from else "the file was changed"
        version = await replace_content(tx, memory_id, new, founder=founder, reason=reason)
        changed = moved_from or (held and version != held["version"])
        status = FileStatus.UPDATED if changed else FileStatus.UNCHANGED
        warnings += await _overwritten(tx, held, version=version) if held and unchanged else []
    if confirmed is None and (requested := parsed.metadata.tier):
        await propose_tier(tx, file_id, parsed.sha256, requested, memory_id=memory_id)
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
    """Whether the founder confirmed the tier above normal that the file requests; None if not yet answered."""
    requested = parsed.metadata.tier
    if requested not in RAISED_TIERS:
        return False
    if requested is written_tier:
        await confirm_written(tx, caller, file_id, parsed.sha256, requested)
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


async def _bring_back(
    tx: Tx, caller: Caller, path: str, scope: str, file_id: UUID, *, written: bool
) -> UUID | None:
    """Reattach the memory that the file had before it disappeared; returns its id, if any.

    A file that the caller has `written` is not that of somebody else's memory.
    """
    former = await _sql.maybe(tx, "former_memory", path=path, scope=scope)
    if former is None or (written and is_others(caller, former["provenance"])):
        return None
    await _sql.run(tx, "place_memory", memory_id=former["id"], file_id=file_id, path=path)
    memory_id: UUID = former["id"]
    return memory_id


async def _overwritten(tx: Tx, held: DictRow, *, version: int) -> list[str]:
    """Warn that an unchanged file was read again and replaced a text to which its memory had been changed meanwhile."""
    if held["version"] == version:
        return []
    before = await _sql.one(tx, "text_of_version", memory_id=held["memory_id"], version=held["version"])
    if not before["replaced"]:
        return []
    kept = f"version {held['version']} of the memory {held['memory_id']} keeps the other text"
    return [f"Its memory had been changed apart from the file, and says again what the file says; {kept}."]


def _link_warnings(links: LinkReport) -> list[str]:
    named = [f"{link.kind}: {link.reference}" for link in links.unresolved]
    if not named:
        return list(links.warnings)
    listed = "; ".join(named[:5]) + " …" * (len(named) > 5)
    return [*links.warnings, f"{len(named)} of its links lead to no memory yet: {listed}"]
