"""What the founder is told, once, through the outbox."""

from __future__ import annotations

from uuid import UUID

from frasier.store import Tx, enqueue_effect

ANNOUNCE = "announce"
"""The kind of effect that tells the founder something."""


async def announce(
    tx: Tx, *, mission_id: UUID, kind: str, key: str, text: str, path: str | None = None
) -> None:
    """Asks for an announcement; the same `kind` and `key` again changes nothing."""
    await enqueue_effect(
        tx,
        kind=ANNOUNCE,
        key=f"{ANNOUNCE}:{kind}:{key}",
        stream=mission_id,
        payload={"kind": kind, "mission": str(mission_id), "text": text, "path": path},
    )
