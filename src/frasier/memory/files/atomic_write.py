"""Write memory files atomically: readers see the old text or the new one, never a part."""

from __future__ import annotations

import asyncio
import fcntl
import hashlib
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from os import PathLike

import psycopg

from frasier.kernel.advice import Advice
from frasier.kernel.errors import FrasierError, InvalidInput, NotFound, SourceError, Stale, StoreError
from frasier.kernel.logging_setup import get_logger
from frasier.kernel.redaction import redact
from frasier.memory.access import Caller
from frasier.memory.files.allowed_paths import InsidePath, Roots, open_folder, printable, read_inside
from frasier.memory.files.compose import NewFile, compose
from frasier.memory.files.index_file import FileStatus, IndexedFile, check_may_change, index_file, mark_file
from frasier.memory.files.links import retry_links
from frasier.memory.files.parse_file import parse_file, refuse_broken_anchors
from frasier.memory.files.walk import why_left_out
from frasier.memory.sanitize import secrets_notice
from frasier.memory.validation import FOUNDERS_TIERS
from frasier.store import Database

_log = get_logger()

_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_MODE = 0o666  # less what the umask takes away


async def save_as_file(
    database: Database,
    caller: Caller,
    roots: Roots,
    path: str | PathLike[str],
    new: NewFile,
    *,
    scope: str | None = None,
    expected_hash: bytes | None = None,
    keep_secrets: bool = False,
) -> IndexedFile:
    """Write `new` as a Markdown file and index it as a memory. Opens transactions.

    Without `expected_hash` the file must be new; with it, the file must still have this SHA-256. Nobody writes the file
    of somebody else's memory, even if it is gone. Secrets are removed from the text unless `keep_secrets`. Content that
    cannot become a memory is refused before anything is written. A written file stays: if indexing fails, the status is
    pending, with the reason, and the next scan retries it. Raises InvalidInput (E011, E012, E014, E030, PF001…),
    NotAllowed, Stale (E083) and SourceError (E081).
    """
    if scope is not None:
        caller.allow([scope])
    if new.tier in FOUNDERS_TIERS:
        caller.require_founder(f"write a {new.tier} memory")
    inside = roots.resolve(path)
    text = compose(new)
    redacted = 0
    if not keep_secrets:
        text, redacted = redact(text)
    refuse_broken_anchors(parse_file(_bytes_of(text), inside.path.name).anchor_problems)
    await _check_may_write(database, caller, inside, scope, new=expected_hash is None)
    await asyncio.to_thread(write_memory_file, roots, path, text, expected_hash=expected_hash)
    try:
        async with database.transaction() as tx:
            indexed = await index_file(
                tx,
                caller,
                roots,
                inside.path,
                scope=scope,
                written=True,
                written_tier=new.tier,
                keep_secrets=keep_secrets,
            )
            await retry_links(tx, caller)
    except (FrasierError, psycopg.Error) as error:
        pending = await _pending(database, caller, roots, inside, error, scope=scope)
        return replace(pending, sha256=hashlib.sha256(_bytes_of(text)).digest())
    if redacted:
        warning = secrets_notice(["the file"])
        indexed = replace(indexed, warnings=(*indexed.warnings, warning))
    return indexed


async def _check_may_write(
    database: Database, caller: Caller, inside: InsidePath, scope: str | None, *, new: bool
) -> None:
    """Raise NotAllowed if the path is that of somebody else's memory, even if its file is gone.

    An outage of the database does not keep a `new` file from being written; it becomes a memory at the next scan.
    """
    try:
        async with database.transaction() as tx:
            await check_may_change(tx, caller, inside, scope)
    except StoreError as unreachable:
        if not new:
            raise
        _log.warning("memory.file_unchecked", path=printable(inside.path), reason=unreachable.message)


def write_memory_file(
    roots: Roots, path: str | PathLike[str], text: str, *, expected_hash: bytes | None = None
) -> InsidePath:
    """Write `text` atomically to `path`, creating folders. Blocks until it is on disk.

    Without `expected_hash` the file must be new; with it, it must have this SHA-256. Raises as save_as_file.
    """
    inside = roots.resolve(path)
    if reason := why_left_out(inside.steps):
        raise InvalidInput(
            f"{printable(inside.path)} cannot be a memory file: scans skip it ({reason}).",
            kept="Nothing was written.",
            hint="Choose a visible .md file at most ten folders deep.",
            number="E014",
        )
    data = _bytes_of(text)
    with open_folder(inside, create=True) as folder, _reporting(inside), _temporary(folder) as temporary:
        _write(folder, temporary, data)
        if expected_hash is None:
            os.link(temporary, inside.steps[-1], src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
        else:
            # Of two writers that read the same content, the second sees what the first wrote.
            fcntl.flock(folder, fcntl.LOCK_EX)
            mode = _check_unchanged(inside, folder, expected_hash)
            os.chmod(temporary, mode, dir_fd=folder)
            os.rename(temporary, inside.steps[-1], src_dir_fd=folder, dst_dir_fd=folder)
        os.fsync(folder)
    return inside


@contextmanager
def _temporary(folder: int) -> Iterator[str]:
    """Yield the name of a temporary file in the folder, which is removed at the end."""
    name = f".{secrets.token_hex(8)}.tmp"
    try:
        yield name
    finally:
        with suppress(FileNotFoundError):  # it was renamed to the file
            os.unlink(name, dir_fd=folder)


def _write(folder: int, name: str, data: bytes) -> None:
    with os.fdopen(os.open(name, _NEW_FILE, _MODE, dir_fd=folder), "wb") as opened:
        opened.write(data)
        opened.flush()
        os.fsync(opened.fileno())


def _check_unchanged(inside: InsidePath, folder: int, expected_hash: bytes) -> int:
    """The mode of the file, if its content has the expected hash; else raises Stale (E083)."""
    try:
        data, _ = read_inside(inside)
    except NotFound as gone:
        raise _changed(inside, "is gone", hint="Write it as a new file, without the hash.") from gone
    if hashlib.sha256(data).digest() != expected_hash:
        raise _changed(
            inside,
            "was changed since it was read",
            hint="Read it again, and base the change on its current content.",
        )
    return stat.S_IMODE(os.stat(inside.steps[-1], dir_fd=folder, follow_symlinks=False).st_mode)


def _changed(inside: InsidePath, change: str, *, hint: str, advice: tuple[Advice, ...] = ()) -> Stale:
    return Stale(
        f"{printable(inside.path)} {change}.",
        kept="It is unchanged; nothing was written.",
        hint=hint,
        advice=advice,
        number="E083",
    )


@contextmanager
def _reporting(inside: InsidePath) -> Iterator[None]:
    try:
        yield
    except FileExistsError as error:
        hint = "Read it, and give the SHA-256 of what you read to overwrite it."
        overwrite = Advice("memory.save", to="overwrite it", expected_hash="SHA256")
        raise _changed(inside, "already exists", hint=hint, advice=(overwrite,)) from error
    except OSError as error:
        raise SourceError(
            f"Cannot write {printable(inside.path)}: {(error.strerror or 'unknown').lower()}.",
            kept="The existing file, if any, is unchanged.",
            hint="Check the disk space and the permissions of the folder.",
            number="E081",
        ) from error


def _bytes_of(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise InvalidInput(
            "The text contains lone surrogates, which UTF-8 cannot encode.",
            kept="Nothing was written.",
            hint="Send the text as valid Unicode.",
            number="E012",
        ) from error


async def _pending(
    database: Database,
    caller: Caller,
    roots: Roots,
    inside: InsidePath,
    error: FrasierError | psycopg.Error,
    *,
    scope: str | None,
) -> IndexedFile:
    """Record that the written file is not indexed yet, if the database is reachable."""
    reason = (
        error.message
        if isinstance(error, FrasierError)
        else f"the database rejected it: {type(error).__name__}"
    )
    _log.warning("memory.file_pending", path=printable(inside.path), reason=reason)
    try:
        async with database.transaction() as tx:
            await mark_file(tx, caller, roots, str(inside.path), FileStatus.PENDING, reason, scope=scope)
    except StoreError as unreachable:
        _log.warning("memory.file_not_marked", path=printable(inside.path), reason=unreachable.message)
    return IndexedFile(
        path=str(inside.path),
        status=FileStatus.PENDING,
        reason=reason,
        warnings=(f"The file is written, but becomes a memory only at the next scan: {reason}",),
    )
