"""Create, list, look up and delete checkpoints, and expire unused ones."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from psycopg.rows import DictRow
from psycopg.types.json import Jsonb

from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, NotAllowed, NotFound, Refused
from frasier.kernel.humanize import person
from frasier.kernel.ids import new_id
from frasier.memory.access import Caller
from frasier.memory.list_limit import check_limit
from frasier.memory.snapshots.export import take_snapshot
from frasier.memory.snapshots.types import RULES, Checkpoint, CheckpointRules
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.snapshots")

# The schema holds the same pattern. The prefix before- is reserved for automatic checkpoints.
_NAME = re.compile(r"(?!before-)[A-Za-z0-9_-]{1,100}")
_ANY_NAME = re.compile(r"[A-Za-z0-9_-]{1,100}")

# Public names of the row kinds that a checkpoint counts.
_COUNTED = {
    "item": "memories",
    "version": "versions",
    "edge": "edges",
    "correction": "corrections",
    "vector": "vectors",
    "states": "token_states",
}


async def create_checkpoint(
    tx: Tx, caller: Caller, name: str, *, scopes: Sequence[str] = (), rules: CheckpointRules = RULES
) -> Checkpoint:
    """Store the current memories of `scopes` (by default all of the caller's) as a checkpoint named `name`.

    It includes archived and deprecated memories, and versions, triggers, edges, corrections, strengths and vectors.
    Raises InvalidInput (E030 for the name, E063 if it is taken), NotAllowed for a scope that is not the caller's,
    and Refused (E062) if the limit of checkpoints is reached and none has expired, or if the memories are too large.
    """
    if not _NAME.fullmatch(name):
        raise InvalidInput(
            f"{name[:100]!r} is not a valid checkpoint name.",
            kept="Nothing was changed.",
            hint="Use 1 to 100 letters, digits, dashes and underscores; names that begin with before- are reserved.",
            number="E030",
        )
    allowed = sorted(caller.allow(scopes))
    await _check_room(tx, name, allowed, rules)  # before the work, and again under the lock
    return await _store(tx, caller, name, allowed, None, rules)


async def create_automatic_checkpoint(
    tx: Tx,
    caller: Caller,
    operation: str,
    scopes: Sequence[str],
    nums: Sequence[int] | None,
    rules: CheckpointRules,
) -> Checkpoint:
    """Create the checkpoint that precedes `operation`, replacing the oldest automatic one beyond the limit.

    With `nums` it holds those memories only. Raises Refused (E062) if they are too large.
    """
    row = await _sql.one(tx, "automatic_name", operation=operation, suffix=new_id().hex[-6:])
    return await _store(tx, caller, row["name"], sorted(scopes), nums, rules)


async def checkpoint_before(tx: Tx, caller: Caller, operation: str) -> Checkpoint:
    """Create a checkpoint of all of the caller's scopes before `operation` changes many of their memories."""
    return await create_automatic_checkpoint(tx, caller, operation, caller.scopes, None, RULES)


async def list_checkpoints(tx: Tx, caller: Caller, *, limit: int = 20) -> list[Checkpoint]:
    """Checkpoints of the caller's scopes, newest first; `limit` is 1 to 100."""
    check_limit(limit, hint="Ask for fewer at once.")
    rows = await _sql.all(tx, "list_checkpoints", scopes=list(caller.scopes), limit=limit)
    return [_checkpoint(row) for row in rows]


async def checkpoints_with(
    tx: Tx, caller: Caller, memory_ids: Sequence[UUID], *, scopes: Sequence[str], oldest: datetime
) -> tuple[tuple[str, ...], int]:
    """Return the names of the caller's checkpoints that hold one of the memories, and the number of other ones.

    The memories are of `scopes`, and the first was saved at `oldest`.
    """
    rows = await _sql.all(
        tx,
        "checkpoints_with",
        ids=list(memory_ids),
        scopes=list(scopes),
        oldest=oldest,
        allowed=list(caller.scopes),
        made_by=None if caller.founder else caller.name,
    )
    names = tuple(row["name"] for row in rows if row["own"])
    return names, len(rows) - len(names)


async def use_checkpoint(tx: Tx, caller: Caller, name: str) -> Checkpoint:
    """The caller's checkpoint of that name; counts as a use. Raises NotFound (E060)."""
    row = None
    if _ANY_NAME.fullmatch(name):  # PostgreSQL cannot represent some other names
        row = await _sql.maybe(tx, "use_checkpoint", name=name, scopes=list(caller.scopes))
    if row is None:
        raise _unknown(name)
    return _checkpoint(row)


async def delete_checkpoint(tx: Tx, caller: Caller, name: str) -> None:
    """Delete the checkpoint of that name. Raises NotFound (E060), and NotAllowed for one that somebody else made."""
    params = {"name": name, "scopes": list(caller.scopes)}
    row = await _sql.maybe(tx, "delete_checkpoint", **params) if _ANY_NAME.fullmatch(name) else None
    if row is None:
        raise _unknown(name)
    if not caller.founder and row["made_by"] != caller.name:
        raise NotAllowed(
            f"{person(row['made_by'])} made the checkpoint {name}, so {person(caller.name)} cannot delete it.",
            kept="The checkpoint is unchanged.",
            hint="Only whoever made it and the founder can.",
        )


async def forget_old_checkpoints(tx: Tx, *, rules: CheckpointRules = RULES) -> int:
    """Delete the checkpoints neither made nor restored for `rules.unused_days`; returns how many. Run as a job."""
    return await _sql.run(tx, "delete_unused_checkpoints", days=rules.unused_days)


async def _store(
    tx: Tx,
    caller: Caller,
    name: str,
    scopes: list[str],
    nums: Sequence[int] | None,
    rules: CheckpointRules,
) -> Checkpoint:
    snapshot = await take_snapshot(tx, scopes, nums, rules)
    await _sql.run(tx, "lock_checkpoints", scopes=scopes)
    if name.startswith("before-"):
        await _sql.run(tx, "delete_oldest_automatic", scopes=scopes, keep=rules.count_max - 1)
    else:
        await _check_room(tx, name, scopes, rules)
    counts: dict[str, int | bool] = {name: snapshot.counts[kind] for kind, name in _COUNTED.items()}
    row = await _sql.maybe(
        tx,
        "store_checkpoint",
        id=new_id(),
        name=name,
        scopes=scopes,
        made_by=caller.name,
        counts=Jsonb(counts | {"partial": nums is not None}),
        snapshot=snapshot.data,
        nums=None if nums is None else list(nums),
    )
    if row is None:
        raise _taken(name)
    return _checkpoint(row)


async def _check_room(tx: Tx, name: str, scopes: list[str], rules: CheckpointRules) -> None:
    counted = await _sql.one(tx, "count_checkpoints", scopes=scopes, name=name)
    if counted["taken"]:
        raise _taken(name)
    if counted["made"] < rules.count_max:
        return
    await forget_old_checkpoints(tx, rules=rules)
    counted = await _sql.one(tx, "count_checkpoints", scopes=scopes, name=name)
    if counted["made"] >= rules.count_max:
        raise Refused(
            f"These scopes already have {counted['made']} checkpoints, which is the limit.",
            kept="Nothing was changed.",
            hint="Delete one first.",
            advice=(Advice("checkpoint.list", to="see them"), Advice("checkpoint.delete", to="delete one")),
            number="E062",
        )


def _taken(name: str) -> InvalidInput:
    return InvalidInput(
        f"A checkpoint named {name} already exists.",
        kept="That checkpoint is unchanged.",
        hint="Choose another name, or delete that checkpoint first.",
        number="E063",
    )


def _unknown(name: str) -> NotFound:
    return NotFound(
        f"There is no checkpoint {name[:100]!r}.",
        kept="Nothing was changed.",
        advice=Advice("checkpoint.list", to="see the existing ones"),
        number="E060",
    )


def _checkpoint(row: DictRow) -> Checkpoint:
    counts = dict(row["counts"])
    return Checkpoint(
        id=row["id"],
        name=row["name"],
        scopes=tuple(row["scopes"]),
        made_by=row["made_by"],
        partial=counts.pop("partial"),
        counts=counts,
        automatic=row["name"].startswith("before-"),
        size_bytes=row["size_bytes"],
        created_at=row["created_at"],
        used_at=row["used_at"],
    )
