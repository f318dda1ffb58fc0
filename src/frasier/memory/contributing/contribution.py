"""A contribution: saved through the gate, and kept under the key of whoever may have to send it again."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from uuid import UUID

from frasier.kernel.errors import InvalidInput, InvariantBroken, NotFound, Stale
from frasier.kernel.text import fingerprint
from frasier.memory.access import Caller
from frasier.memory.saving import Saved, admit_and_save
from frasier.memory.types import NewMemory
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.contributing")

_KEY_CHARS_MAX = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Contributed:
    """`id` is the memory that says it. `saved` tells what was done; None where the same was contributed before."""

    id: UUID
    saved: Saved | None


async def contribute(
    tx: Tx, caller: Caller, new: NewMemory, *, key: str | None = None, gate: bool = True
) -> Contributed:
    """Saves `new` as MemoryEngine.save does, inside the caller's transaction.

    With a `key` (1 to 200 characters) it is saved once, however often it is sent and by how many at a time: later
    ones wait for the first and get its id. Keys of one caller say nothing to another. Raises InvalidInput as
    save_memory and for a key that cannot be one, NotAllowed for a foreign scope, Stale for a key under which
    something else was contributed, NotFound where what was contributed under it has been deleted.
    """
    caller.allow([new.scope])
    if key is None:
        return await _save(tx, caller, new, gate=gate)
    _check_key(key)
    said = asdict(new)
    if not new.keep_secrets:
        del said["keep_secrets"]  # keys that were used before it could be asked for stay good
    content_hash = bytes.fromhex(fingerprint(said))
    if await _sql.maybe(tx, "claim_key", caller=caller.name, key=key, content_hash=content_hash) is None:
        return await _again(tx, caller, key, content_hash)
    done = await _save(tx, caller, new, gate=gate)
    await _sql.run(tx, "keep_contribution", caller=caller.name, key=key, memory_id=done.id)
    return done


async def _save(tx: Tx, caller: Caller, new: NewMemory, *, gate: bool) -> Contributed:
    saved = await admit_and_save(tx, caller, new, gate=gate)
    if saved.id is None:
        raise InvariantBroken("a memory was saved and has no id")
    return Contributed(id=saved.id, saved=saved)


async def _again(tx: Tx, caller: Caller, key: str, content_hash: bytes) -> Contributed:
    row = await _sql.one(tx, "contributed", caller=caller.name, key=key)
    if bytes(row["content_hash"]) != content_hash:
        raise Stale(
            "Something else was contributed under this idempotency key.",
            number="E030",
            kept="What was contributed first is kept; nothing else was saved.",
            hint="Send the same contribution again, or use a new key for a new one.",
        )
    if row["memory_id"] is None:
        raise NotFound(
            "What was contributed under this idempotency key has been deleted since.",
            number="E080",
            kept="Nothing was saved.",
            hint="Use a new key to contribute it again.",
        )
    return Contributed(id=row["memory_id"], saved=None)


def _check_key(key: str) -> None:
    if not 1 <= len(key) <= _KEY_CHARS_MAX or not key.isprintable():
        raise InvalidInput(
            "The idempotency key is empty, too long or not printable.",
            number="E032",
            kept="Nothing was saved.",
            hint=f"Use 1 to {_KEY_CHARS_MAX} printable characters, for example a UUID.",
        )
