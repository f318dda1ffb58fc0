"""The attachments of a message: files and links as text, or why they could not be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from psycopg.types.json import Jsonb
from pydantic import TypeAdapter

from frasier.kernel.redaction import redact
from frasier.kernel.source_places import PlaceMark
from frasier.store import Statements, Tx, from_row, parameters_of

_sql = Statements("frasier.org.conversation")
_MARKS = TypeAdapter(tuple[PlaceMark, ...])


class AttachmentKind(StrEnum):
    FILE = "file"
    WEB = "web"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A file or a link of a message. `name` is its path or address; `content` its text without secrets, and `sha256`
    that of the original; `marks` are the places in it. One that could not be read has a `problem` instead.
    """

    kind: AttachmentKind
    name: str
    title: str = ""
    sha256: str | None = None
    content: str | None = None
    problem: str | None = None
    marks: tuple[PlaceMark, ...] = ()


async def add_attachments(tx: Tx, message_id: UUID, attachments: Sequence[Attachment]) -> None:
    """Store attachments of a message in their order; one that it has already stays as it is."""
    for one in attachments:
        content = None if one.content is None else redact(one.content)[0]
        stored = {"content": content, "marks": Jsonb(_MARKS.dump_python(one.marks, mode="json"))}
        await _sql.run(tx, "insert_attachment", message_id=message_id, **parameters_of(one) | stored)


async def attachments_of(tx: Tx, message_id: UUID) -> list[Attachment]:
    """Return the attachments of a message, files first."""
    rows = await _sql.all(tx, "attachments_of", message_id=message_id)
    return [from_row(Attachment, row | {"marks": _MARKS.validate_python(row["marks"])}) for row in rows]
