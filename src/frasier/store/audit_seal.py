"""Seals over the audit log, made with a key kept outside the database, and the verification of chains and seals.

The database cannot vouch for itself: chains are recomputed here from the rows, and seals are verified with the key. A
seal covers the heads of all chains that had grown, and through the chains every event below them. Events that no seal
covers yet are protected by their chain only.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

from psycopg.rows import DictRow

from frasier.kernel.ids import new_id
from frasier.store.address import place_of
from frasier.store.database import Database
from frasier.store.deferred import Tx
from frasier.store.events import append_event
from frasier.store.key_file import read_key, write_private
from frasier.store.sql_statements import Statements

_sql = Statements("frasier.store")

_HEADS_PER_SEAL = 1_000
_PROBLEMS_SHOWN = 20
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditVerification:
    """The result of verifying the audit log. `problems` is empty if everything verifies.

    `newest_seal_missing` is one of them: the seal that was made last from here is not in the database.
    """

    events: int
    seals: int
    sealed_events: int
    problems: tuple[str, ...]
    newest_seal_missing: bool = False


class SealKey:
    """The secret that seals the audit log: 32 random bytes in a file of mode 0600, never in the database.

    Every process that seals or verifies one database needs the same key.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> bytes:
        """Read the key; create it at first use."""
        return read_key(self.path)

    def note_newest(self, place: str, mac: bytes) -> None:
        """Store the code of the newest seal of the database at `place` beside the key, so that a removal of the
        last seals is detected.
        """
        noted = self._noted(place)
        fresh = noted.with_name(f"{noted.name}.{secrets.token_hex(4)}")
        write_private(fresh, mac)
        fresh.replace(noted)

    def newest_noted(self, place: str) -> bytes | None:
        """Return the code of the newest seal noted for the database at `place`, or None."""
        noted = self._noted(place)
        return noted.read_bytes() if noted.exists() else None

    def _noted(self, place: str) -> Path:
        """Return the file for a database, named after its address: the database's own word could be forged."""
        digest = hashlib.sha256(place.encode()).hexdigest()
        return self.path.with_name(f"{self.path.name}.newest-{digest[:16]}")


@dataclass(frozen=True, slots=True)
class Seal:
    """A new seal: the number of chains that it covers, and its code."""

    heads: int
    mac: bytes


async def seal_audit_log(database: Database, key: SealKey) -> int:
    """Seal every chain that has grown, and note the newest seal beside the key; return the number of chains.

    Where the noted seal is missing, the note stays as it is: new seals must not hide that.
    """
    secret = await asyncio.to_thread(key.read)
    sealed = 0
    while True:
        async with database.transaction() as tx:
            place = place_of(database.url, tx)
            lost = await _lost_seal(tx, key, place)
            seal = await seal_events(tx, secret)
        if seal is None:
            return sealed
        if lost is None:
            await asyncio.to_thread(key.note_newest, place, seal.mac)
        sealed += seal.heads


async def accept_lost_seals(database: Database, key: SealKey, *, reason: str, actor: str) -> bool:
    """Accept that the noted seal is missing; False if it is present, or if anything else does not verify.

    Needed after a backup was restored, or the database recreated at the same address. The acceptance is an event,
    which is sealed before the note is replaced.
    """
    secret = await asyncio.to_thread(key.read)
    async with database.transaction() as tx:
        place = place_of(database.url, tx)
        lost = await _lost_seal(tx, key, place)
        if lost is None or (await verify_events(tx, secret)).problems:
            return False
        payload = {"seal": lost.hex(), "reason": reason}
        await append_event(tx, stream=new_id(), kind="seals.loss_accepted", actor=actor, payload=payload)
    await seal_audit_log(database, key)
    async with database.transaction() as tx:
        last = await _sql.one(tx, "last_mac")
    await asyncio.to_thread(key.note_newest, place, last["mac"])
    return True


async def _lost_seal(tx: Tx, key: SealKey, place: str) -> bytes | None:
    """Return the code of the seal noted beside the key if the database lacks it, else None."""
    noted = await asyncio.to_thread(key.newest_noted, place)
    if noted is None or (await _sql.one(tx, "seal_exists", mac=noted))["there"]:
        return None
    return noted


async def seal_events(tx: Tx, key: bytes) -> Seal | None:
    """Seal the chains that have grown since the last seal, a thousand at most; None if none has."""
    await _sql.run(tx, "lock_seals")
    last = await _sql.one(tx, "last_mac")
    heads = await _sql.all(tx, "take_unsealed_heads", limit=_HEADS_PER_SEAL)
    if not heads:
        return None
    streams, seqs, hashes = ([head[name] for head in heads] for name in ("stream", "seq", "hash"))
    mac = _mac(key, last["mac"] or b"", last["moment"], streams, seqs, hashes)
    await _sql.run(
        tx, "insert_seal", streams=streams, seqs=seqs, hashes=hashes, sealed_at=last["moment"], mac=mac
    )
    return Seal(len(heads), mac)


def _mac(
    key: bytes,
    previous: bytes,
    sealed_at: datetime,
    streams: Sequence[UUID],
    seqs: Sequence[int],
    hashes: Sequence[bytes],
) -> bytes:
    code = hmac.new(key, previous, hashlib.sha256)
    code.update(f"\n{_micros(sealed_at)}\n{len(streams)}\n".encode())
    for stream, seq, digest in zip(streams, seqs, hashes, strict=True):
        code.update(stream.bytes + seq.to_bytes(4, "big") + digest)
    return code.digest()


async def verify_audit_log(database: Database, key: SealKey) -> AuditVerification:
    """Verify the whole log with the key and the seal noted beside it."""
    secret = await asyncio.to_thread(key.read)
    async with database.transaction() as tx:
        newest = await asyncio.to_thread(key.newest_noted, place_of(database.url, tx))
        return await verify_events(tx, secret, newest=newest)


async def verify_events(tx: Tx, key: bytes, *, newest: bytes | None = None) -> AuditVerification:
    """Recompute every chain and every seal; list the mismatches, the first twenty of each kind.

    `newest` is the code of a seal that is known to have been made. The whole log is read, a few thousand events
    at a time.
    """
    events, problems = await _check_chains(tx)
    seals, broken, noted = await _check_macs(tx, key, newest)
    problems += broken
    if not noted:
        problems.append("the newest seal that was made with this key is missing")
    problems += [
        f"the newest events of {row['stream']} are missing or not chained"
        for row in await _sql.all(tx, "broken_heads", limit=_PROBLEMS_SHOWN)
    ]
    problems += [
        f"event {row['seq']} of {row['stream']} is not the one that seal {row['seal']} covers"
        for row in await _sql.all(tx, "broken_seals", limit=_PROBLEMS_SHOWN)
    ]
    problems += [
        f"{row['stream']} was sealed up to event {row['sealed_seq']}, and that seal is missing"
        for row in await _sql.all(tx, "lost_seals", limit=_PROBLEMS_SHOWN)
    ]
    sealed = await _sql.one(tx, "count_sealed")
    return AuditVerification(
        events=events,
        seals=seals,
        sealed_events=int(sealed["events"]),
        problems=tuple(problems),
        newest_seal_missing=not noted,
    )


async def _check_chains(tx: Tx) -> tuple[int, list[str]]:
    stream, seq, digest = None, 0, b""
    events, problems = 0, list[str]()
    async with tx.cursor(name="audit_log") as cursor:
        cursor.itersize = 2_000
        await cursor.execute(_sql.by_name["audit_log"])
        async for row in cursor:
            if row["stream"] != stream:
                stream, seq, digest = row["stream"], 0, b""
            fits = row["seq"] == seq + 1 and row["hash"] == _digest(digest, row)
            if not fits and len(problems) < _PROBLEMS_SHOWN:
                problems.append(f"event {row['seq']} of {stream} was changed or its predecessor removed")
            seq, digest = row["seq"], row["hash"]
            events += 1
    return events, problems


def _digest(previous: bytes, row: DictRow) -> bytes:
    """Compute the digest of an event as the database's event_digest does."""
    kind, actor = row["kind"], row["actor"]
    fields = (
        row["stream"],
        row["seq"],
        _micros(row["at"]),
        len(kind),
        kind,
        len(actor),
        actor,
        row["payload"],
    )
    return hashlib.sha256(previous + "\n".join(map(str, fields)).encode()).digest()


async def _check_macs(tx: Tx, key: bytes, newest: bytes | None) -> tuple[int, list[str], bool]:
    """Verify the seals: their number, their problems, and whether the noted one is among them."""
    seals, previous, problems = 0, b"", list[str]()
    noted = newest is None
    async with tx.cursor(name="seals") as cursor:
        cursor.itersize = 100
        await cursor.execute(_sql.by_name["seals"])
        async for seal in cursor:
            expected = _mac(key, previous, seal["sealed_at"], seal["streams"], seal["seqs"], seal["hashes"])
            if not hmac.compare_digest(expected, seal["mac"]) and len(problems) < _PROBLEMS_SHOWN:
                problems.append(
                    f"seal {seal['id']} was not made with this key, or was changed, or follows another"
                )
            previous = seal["mac"]
            noted = noted or hmac.compare_digest(previous, newest or b"")
            seals += 1
    return seals, problems, noted


def _micros(moment: datetime) -> int:
    return (moment - _EPOCH) // timedelta(microseconds=1)
