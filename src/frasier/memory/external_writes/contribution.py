"""Save a memory of an external client through the gate, at most once per idempotency key."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from uuid import UUID

from frasier.kernel.errors import InvalidInput, InvariantBroken, NotFound, Stale
from frasier.kernel.text import fingerprint
from frasier.memory.access import Caller
from frasier.memory.admission.admit import Saved, admit_and_save
from frasier.memory.types import NewMemory
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.external_writes")

_KEY_CHARS_MAX = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Contributed:
    """The result of a contribution.

    `id` is the memory that holds it. `saved` is the result of saving; None if it was contributed before.
    """

    id: UUID
    saved: Saved | None


async def contribute(
    tx: Tx, caller: Caller, new: NewMemory, *, key: str | None = None, gate: bool = True
) -> Contributed:
    """Save `new` as MemoryEngine.save does, inside the caller's transaction.

    With a `key` (1 to 200 characters) it is saved once, however often and however concurrently it is sent: later
    calls wait for the first and return its id. Keys are separate for each caller. Raises InvalidInput as
    save_memory does and for an invalid key, NotAllowed for a scope that is not the caller's, Stale for a key
    under which something else was contributed, and NotFound if the memory saved under it has been deleted.
    """
    caller.allow([new.scope])
    if key is None:
        return await _save(tx, caller, new, gate=gate)
    _check_key(key)
    fields = asdict(new)
    if not new.keep_secrets:
        del fields["keep_secrets"]  # keeps keys valid that were used before this option existed
    content_hash = bytes.fromhex(fingerprint(fields))
    if await _sql.maybe(tx, "claim_key", caller=caller.name, key=key, content_hash=content_hash) is None:
        return await _repeated(tx, caller, key, content_hash)
    contributed = await _save(tx, caller, new, gate=gate)
    await _sql.run(tx, "complete_contribution", caller=caller.name, key=key, memory_id=contributed.id)
    return contributed


async def _save(tx: Tx, caller: Caller, new: NewMemory, *, gate: bool) -> Contributed:
    saved = await admit_and_save(tx, caller, new, gate=gate)
    if saved.id is None:
        raise InvariantBroken("a memory was saved and has no id")
    return Contributed(id=saved.id, saved=saved)


async def _repeated(tx: Tx, caller: Caller, key: str, content_hash: bytes) -> Contributed:
    row = await _sql.one(tx, "find_contribution", caller=caller.name, key=key)
    if bytes(row["content_hash"]) != content_hash:
        raise Stale(
            "This idempotency key was used for a different contribution.",
            number="E030",
            kept="The first contribution is kept; nothing else was saved.",
            hint="Send the same contribution again, or use a new key for a new one.",
        )
    if row["memory_id"] is None:
        raise NotFound(
            "The memory contributed under this idempotency key has been deleted.",
            number="E080",
            kept="Nothing was saved.",
            hint="Contribute it again under a new key.",
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
