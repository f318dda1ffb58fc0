"""Documents that were uploaded for a mission, kept in the database until it starts, or for a day.

Any process of the organisation can read them there, whichever of them received them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, count
from pathlib import Path
from uuid import UUID

from frasier.kernel.errors import InvalidInput, NotFound, Refused
from frasier.kernel.file_names import plain_file_name
from frasier.kernel.ids import new_id
from frasier.store import Database, Statements, Tx

_sql = Statements("frasier.work")

UPLOAD_BYTES_MAX = 20_000_000
"""The largest file that can be uploaded."""

UPLOADS_MAX = 100
"""The most files of one caller that wait for a mission."""

_KEPT_S = 86_400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """A file that waits for a mission, without its content."""

    id: UUID
    name: str
    bytes: int
    sha256: str
    created_at: datetime
    expires_at: datetime


async def add_upload(tx: Tx, caller: str, name: str, content: bytes) -> Upload:
    """Store a file of a caller; one that waits already under that name with that content is returned as it is.

    Raises InvalidInput for a name or content that no document can have, and Refused where too many wait.
    """
    plain = _checked_name(name)
    if not content:
        raise InvalidInput(
            "The file is empty.", kept="Nothing was stored.", hint="Send its content as the body."
        )
    if len(content) > UPLOAD_BYTES_MAX:
        raise InvalidInput(
            f"The file is larger than {UPLOAD_BYTES_MAX:,} bytes.",
            number="E013",
            kept="Nothing was stored.",
            hint="Split it, or place it where the server can read it and name the folder as a source.",
        )
    sha256 = hashlib.sha256(content).hexdigest()
    await _sql.one(tx, "lock_uploads", caller=caller)
    waiting = await uploads_of(tx, caller)
    for upload in waiting:
        if (upload.name, upload.sha256) == (plain, sha256):
            return upload
    if len(waiting) >= UPLOADS_MAX:
        raise Refused(
            f"{UPLOADS_MAX} files wait for a mission already.",
            kept="They are kept for a day.",
            hint="Start the mission with them, or delete some.",
        )
    return await _sql.one_as(
        Upload,
        tx,
        "add_upload",
        id=new_id(),
        caller=caller,
        name=plain,
        content=content,
        sha256=sha256,
        kept_s=_KEPT_S,
    )


async def uploads_of(tx: Tx, caller: str) -> list[Upload]:
    """Return the files of a caller that wait, oldest first."""
    return await _sql.all_as(Upload, tx, "uploads_of", caller=caller, kept_s=_KEPT_S)


async def write_uploads(tx: Tx, caller: str, ids: Sequence[UUID], folder: Path) -> list[Path]:
    """Write files of a caller into a folder, each under its name; raise NotFound for one that does not wait."""
    rows = await _sql.all(tx, "read_uploads", caller=caller, ids=list(ids), kept_s=_KEPT_S)
    content = {row["id"]: (str(row["name"]), bytes(row["content"])) for row in rows}
    if missing := [one for one in ids if one not in content]:
        raise NotFound(
            f"There is no upload {missing[0]}.",
            kept="Nothing was started.",
            hint="An upload is kept for a day, and gone once a mission has started with it. Send the file again.",
        )
    paths = []
    for upload_id in dict.fromkeys(ids):
        name, data = content[upload_id]
        path = _free_place(folder / name)
        path.write_bytes(data)
        paths.append(path)
    return paths


def _free_place(path: Path) -> Path:
    """Return a place beside a path that no file has yet: itself, or with the first number that is free."""
    numbered = (path.with_stem(f"{path.stem} ({number})") for number in count(2))
    return next(place for place in chain([path], numbered) if not place.exists())


async def delete_uploads(tx: Tx, caller: str, ids: Sequence[UUID]) -> int:
    """Delete files of a caller; return how many there were."""
    return await _sql.run(tx, "delete_uploads", caller=caller, ids=list(ids))


async def purge_uploads(database: Database) -> None:
    """Delete the files whose day is over."""
    async with database.transaction() as tx:
        await _sql.run(tx, "purge_uploads", kept_s=_KEPT_S)


def _checked_name(name: str) -> str:
    """Return the name under which a file is kept; raise InvalidInput where nothing is left of it."""
    if not (plain := plain_file_name(name)):
        raise InvalidInput(
            "The file has no name.",
            kept="Nothing was stored.",
            hint="Send the name that it shall be cited by, such as offer.pdf.",
        )
    return plain
