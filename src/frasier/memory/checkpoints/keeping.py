"""Checkpoints are made, shown, dropped, and forgotten when nobody used them for long."""

from __future__ import annotations

import re
from collections.abc import Sequence

from psycopg.rows import DictRow
from psycopg.types.json import Jsonb

from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, NotFound, Refused
from frasier.kernel.ids import new_id
from frasier.memory.access import Caller
from frasier.memory.checkpoints.dumping import take_snapshot
from frasier.memory.checkpoints.types import RULES, Checkpoint, CheckpointRules
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.checkpoints")

LIST_MAX = 100

# The schema holds the same pattern. What begins so was made by the program before it removed something.
_NAME = re.compile(r"(?!before-)[A-Za-z0-9_-]{1,100}")
_ANY_NAME = re.compile(r"[A-Za-z0-9_-]{1,100}")

# What is counted for a person: rows as they are called outside.
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
    """Keeps what the memories of `scopes` (all of the caller's where none is named) are now, under `name`.

    Archived and deprecated ones too, with their versions, triggers, edges, corrections, strengths, vectors. Raises
    InvalidInput (E030 for the name, E063 where it is taken), NotAllowed for a foreign scope, and Refused (E062)
    where there are as many as are kept, none of which was unused for long, or where they are too large.
    """
    if not _NAME.fullmatch(name):
        raise InvalidInput(
            f"{name[:100]!r} cannot be the name of a checkpoint.",
            kept="Nothing was changed.",
            hint="1 to 100 letters, digits, dashes and underscores; names with before- are given by Frasier itself.",
            number="E030",
        )
    asked = sorted(caller.allow(scopes))
    await _check_room(tx, name, asked, rules)  # before the work, and again under the lock
    return await _store(tx, caller, name, asked, None, rules)


async def keep_before(
    tx: Tx,
    caller: Caller,
    what: str,
    scopes: Sequence[str],
    nums: Sequence[int] | None,
    rules: CheckpointRules,
) -> Checkpoint:
    """The checkpoint that is made before something is removed; the oldest of its sort gives way.

    With `nums` it holds those memories only. Raises Refused (E062) where they are too large.
    """
    row = await _sql.one(tx, "automatic_name", what=what, own=new_id().hex[-6:])
    return await _store(tx, caller, row["name"], sorted(scopes), nums, rules)


async def checkpoint_before(tx: Tx, caller: Caller, what: str) -> Checkpoint:
    """The checkpoint of all of the caller's scopes before something is done to many of their memories."""
    return await keep_before(tx, caller, what, caller.scopes, None, RULES)


async def list_checkpoints(tx: Tx, caller: Caller, *, limit: int = 20) -> list[Checkpoint]:
    """Checkpoints of the caller's scopes, newest first; `limit` is 1 to 100."""
    if not 1 <= limit <= LIST_MAX:
        raise InvalidInput(
            f"A limit of {limit} is not between 1 and {LIST_MAX}.",
            number="E032",
            hint="Ask for fewer at once.",
        )
    rows = await _sql.all(tx, "list_checkpoints", scopes=list(caller.scopes), limit=limit)
    return [_checkpoint(row) for row in rows]


async def use_checkpoint(tx: Tx, caller: Caller, name: str) -> Checkpoint:
    """The caller's checkpoint of that name, which counts as a use. Raises NotFound (E060)."""
    row = None
    if _ANY_NAME.fullmatch(name):  # of other names some cannot even be asked for
        row = await _sql.maybe(tx, "use_checkpoint", name=name, scopes=list(caller.scopes))
    if row is None:
        raise _unknown(name)
    return _checkpoint(row)


async def delete_checkpoint(tx: Tx, caller: Caller, name: str) -> None:
    """Deletes the caller's checkpoint of that name. Raises NotFound (E060)."""
    asked = {"name": name, "scopes": list(caller.scopes)}
    if not _ANY_NAME.fullmatch(name) or not await _sql.run(tx, "drop_checkpoint", **asked):
        raise _unknown(name)


async def forget_old_checkpoints(tx: Tx, *, rules: CheckpointRules = RULES) -> int:
    """A job: deletes the checkpoints that nobody made or restored for `rules.unused_days`; returns how many."""
    return await _sql.run(tx, "drop_unused_checkpoints", days=rules.unused_days)


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
        await _sql.run(tx, "drop_oldest_automatic", scopes=scopes, keep=rules.most - 1)
    else:
        await _check_room(tx, name, scopes, rules)
    counts: dict[str, int | bool] = {told: snapshot.counts[kind] for kind, told in _COUNTED.items()}
    row = await _sql.maybe(
        tx,
        "store_checkpoint",
        id=new_id(),
        name=name,
        scopes=scopes,
        made_by=caller.name,
        counts=Jsonb(counts | {"partial": nums is not None}),
        snapshot=snapshot.data,
    )
    if row is None:
        raise _taken(name)
    return _checkpoint(row)


async def _check_room(tx: Tx, name: str, scopes: list[str], rules: CheckpointRules) -> None:
    there = await _sql.one(tx, "count_checkpoints", scopes=scopes, name=name)
    if there["taken"]:
        raise _taken(name)
    if there["made"] < rules.most:
        return
    await forget_old_checkpoints(tx, rules=rules)
    there = await _sql.one(tx, "count_checkpoints", scopes=scopes, name=name)
    if there["made"] >= rules.most:
        raise Refused(
            f"There are {there['made']} checkpoints of these scopes, which is as many as are kept.",
            kept="Nothing was changed.",
            hint="Delete one first.",
            advice=(Advice("checkpoint.list", to="see them"), Advice("checkpoint.delete", to="delete one")),
            number="E062",
        )


def _taken(name: str) -> InvalidInput:
    return InvalidInput(
        f"There is a checkpoint {name} already.",
        kept="That checkpoint is as it was.",
        hint="Choose another name, or delete that one first.",
        number="E063",
    )


def _unknown(name: str) -> NotFound:
    return NotFound(
        f"There is no checkpoint {name[:100]!r}.",
        kept="Nothing was changed.",
        advice=Advice("checkpoint.list", to="see those that there are"),
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
