"""The audit trail: append-only, each stream chained by hash, everything sealed with a key kept outside."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from psycopg.rows import DictRow
from psycopg.types.json import Jsonb

from frasier.kernel.errors import InvariantBroken
from frasier.kernel.limits import EVENT_PAYLOAD_BYTES_MAX
from frasier.kernel.text import canonical_json
from frasier.store.database import Tx
from frasier.store.statements import Statements

_sql = Statements("frasier.store")


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One thing that happened. `stream` is the task, mission or other subject whose chain it is part of."""

    id: int
    stream: UUID
    seq: int
    at: datetime
    kind: str
    actor: str
    payload: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What a check of the audit trail found. `problems` is empty where everything verifies."""

    events: int
    seals: int
    sealed_events: int
    problems: tuple[str, ...]


async def append_event(
    tx: Tx, *, stream: UUID, kind: str, actor: str, payload: Mapping[str, Any] | None = None
) -> int:
    """Appends an event to `stream` and returns its id. `payload` must be small: facts, not documents."""
    body = dict(payload or {})
    if len(canonical_json(body).encode()) > EVENT_PAYLOAD_BYTES_MAX:
        raise InvariantBroken(f"the payload of event {kind} is larger than {EVENT_PAYLOAD_BYTES_MAX} bytes")
    row = await _sql.one(tx, "append_event", stream=stream, kind=kind, actor=actor, payload=Jsonb(body))
    return int(row["id"])


async def events_of(tx: Tx, stream: UUID) -> list[Event]:
    """Every event of one stream, oldest first."""
    return [_event(row) for row in await _sql.all(tx, "events_of_stream", stream=stream)]


async def events_after(
    tx: Tx, after: int = 0, *, limit: int = 100, stream: UUID | None = None
) -> list[Event]:
    """The newest `limit` events with an id above `after`, oldest first."""
    rows = await _sql.all(tx, "events_after", after=after, limit=limit, stream=stream)
    return [_event(row) for row in rows]


def _event(row: DictRow) -> Event:
    return Event(**row)


class SealKey:
    """The secret that seals the trail: 32 random bytes in a file of mode 0600, never in the database."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> bytes:
        """The key; made at first use."""
        if not self.path.exists():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            fresh = self.path.with_name(f"{self.path.name}.{os.getpid()}")
            fresh.touch(mode=0o600)
            fresh.write_bytes(secrets.token_bytes(32))
            try:
                os.link(fresh, self.path)  # whoever links first has made the key
            except FileExistsError:
                pass
            finally:
                fresh.unlink()
        return self.path.read_bytes()


def _mac(key: bytes, previous: bytes, after: int, upto: int, events: int, digest: bytes) -> bytes:
    head = f"{after}\n{upto}\n{events}\n".encode()
    return hmac.new(key, previous + head + digest, hashlib.sha256).digest()


async def seal_events(tx: Tx, key: bytes) -> int:
    """Seals every event of ended transactions that no seal covers yet; returns how many."""
    last = await _sql.maybe(tx, "last_seal")
    after = int(last["upto_txid"]) if last else 0
    upto = int((await _sql.one(tx, "settled_txid"))["upto"])
    if upto <= after:
        return 0
    found = await _sql.one(tx, "digest_between", after=str(after), upto=str(upto))
    if found["events"] == 0:
        return 0
    mac = _mac(key, last["mac"] if last else b"", after, upto, found["events"], found["digest"])
    await _sql.run(
        tx,
        "insert_seal",
        after=str(after),
        upto=str(upto),
        events=found["events"],
        digest=found["digest"],
        mac=mac,
    )
    return int(found["events"])


async def verify_events(tx: Tx, key: bytes) -> Verification:
    """Recomputes every chain and every seal and names what does not fit."""
    problems = [
        f"event {row['id']} (number {row['seq']} of {row['stream']}) was changed or its predecessor removed"
        for row in await _sql.all(tx, "broken_chain_links")
    ]
    problems += [
        f"the newest events of {row['stream']} are missing or not chained"
        for row in await _sql.all(tx, "broken_chain_heads")
    ]
    seals = await _sql.all(tx, "all_seals")
    previous, reached, sealed = b"", 0, 0
    for seal in seals:
        after, upto = int(seal["after_txid"]), int(seal["upto_txid"])
        found = await _sql.one(tx, "digest_between", after=str(after), upto=str(upto))
        expected = _mac(key, previous, after, upto, seal["events"], seal["digest"])
        if after != reached or not hmac.compare_digest(expected, seal["mac"]):
            problems.append(f"seal {seal['id']} was not made with this key or a seal before it is missing")
        if found["events"] != seal["events"] or found["digest"] != seal["digest"]:
            problems.append(f"the events under seal {seal['id']} are not those that were sealed")
        previous, reached, sealed = seal["mac"], upto, sealed + seal["events"]
    total = int((await _sql.one(tx, "count_events"))["events"])
    return Verification(events=total, seals=len(seals), sealed_events=sealed, problems=tuple(problems))
