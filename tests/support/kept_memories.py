"""Memories with every kind of dependent row, and a picture of all rows to compare."""

from __future__ import annotations

import asyncio
from typing import Any

from frasier.kernel.ids import new_id
from frasier.memory import ImportanceTier, MemoryKind, NewMemory, save_memory
from frasier.store import Database, Tx

SCOPE = "project:one"
ELSEWHERE = "project:two"
Picture = dict[str, list[dict[str, Any]]]

# What is part of a memory, each without what the database numbers by itself.
_TABLES = {
    "memory_items": "select * from memory_items order by num",
    "memory_terms": "select * from memory_terms order by term_key, memory_num",
    "memory_versions": "select * from memory_versions order by memory_id, version",
    "memory_triggers": "select * from memory_triggers order by memory_id, phrase",
    "memory_unresolved_links": "select * from memory_unresolved_links order by memory_id",
    "memory_edges": "select * from memory_edges order by id",
    "memory_corrections": "select * from memory_corrections order by id",
    "memory_strengths": "select * from memory_strengths order by memory_id",
    "memory_adjustments": "select memory_id, cause, quantity, operation, amount, correction_id, undone_at, created_at"
    " from memory_adjustments order by id",
    "memory_vectors": "select * from memory_vectors order by memory_num, space_id, part",
    "memory_token_states": "select * from memory_token_states order by memory_num, space_id, part",
}


async def all_rows(db: Database, *tables: str) -> Picture:
    """Return all rows of the memories, or of the given tables."""
    rows: Picture = {}
    async with db.transaction() as tx:
        for table in tables or _TABLES:
            cursor = await tx.execute(_TABLES[table].encode())
            rows[table] = [dict(row) for row in await cursor.fetchall()]
    return rows


async def until_waiting(db: Database, task: asyncio.Task[Any]) -> None:
    """Wait until the task is blocked by a lock, or done without having waited."""
    async with db.transaction() as tx:
        while not task.done():
            cursor = await tx.execute(
                "select count(*) as n, pg_stat_clear_snapshot()::text from pg_stat_activity"
                " where wait_event_type = 'Lock' and datname = current_database()"
            )
            [row] = await cursor.fetchall()
            if row["n"]:
                return


async def add_space(tx: Tx, *, model: str = "m", projection: bytes | None = b"p" * 16) -> int:
    """Add an active vector space of four dimensions."""
    cursor = await tx.execute(
        "insert into memory_spaces (provider, model, dimension, state, projection)"
        " values ('local', %s, 4, 'active', %s) returning id",
        (model, projection),
    )
    row = await cursor.fetchone()
    assert row is not None
    return int(row["id"])


async def save_linked_memories(db: Database) -> dict[str, Any]:
    """Save four memories in SCOPE and one in ELSEWHERE, linked in every way; return their ids by name."""
    async with db.transaction() as tx:
        space = await add_space(tx)
        ids = {
            name: await save_memory(
                tx,
                NewMemory(
                    kind=MemoryKind.LESSON,
                    scope=ELSEWHERE if name == "far" else SCOPE,
                    content=f"What {name} says: naïve “storage” engines, 日本語, {name * 3}.",
                    title=f"Title of {name}",
                    tags=("tag", 'a, "quoted" {tag}'),
                    tier=ImportanceTier.IMPORTANT if name == "one" else ImportanceTier.NORMAL,
                    importance=7,
                    agent_id=new_id(),
                    task_id=new_id(),
                    provenance={"deep": {"list": [1, 2.5, None, True]}},
                    triggers=("call me", "ring"),
                    thread="t",
                    speaker="Mira",
                ),
            )
            for name in ("one", "two", "three", "archived", "far")
        }
        await tx.execute(
            "update memory_items set access_count = 3, occurred_at = null, last_seen_at = now() - interval '1.000001 s',"
            " valid_from = now() - interval '3 days', valid_until = now(), version = 2"
        )
        await tx.execute("update memory_items set archived_at = now() where id = %s", (ids["archived"],))
        await _hang_things_on(tx, ids)
        await _encode(tx, space)
    return ids


async def _hang_things_on(tx: Tx, ids: dict[str, Any]) -> None:
    correction, edge = new_id(), new_id()
    for at, (source, target) in enumerate(
        [("one", "two"), ("two", "three"), ("three", "far"), ("far", "one")]
    ):
        await tx.execute(
            "insert into memory_edges (id, source_id, target_id, relation, strength, evidence, origin, created_by)"
            " values (%s, %s, %s, 'caused', 0.7, 'why: ; drop table', 'manual', 'me')",
            (edge if at == 0 else new_id(), ids[source], ids[target]),
        )
    await tx.execute(
        "insert into memory_corrections (id, original_id, replacement_id, correction_type, reason, corrected_by,"
        " edge_id, tier_before, pattern) values (%s, %s, %s, 'refined', 'r', 'me', %s, 'normal', 'p')",
        (correction, ids["two"], ids["one"], edge),
    )
    for name in ("one", "two"):
        await tx.execute(
            "insert into memory_versions values (%s, 1, 'old title', 'old words', '{a}', '{b}', 'edited')",
            (ids[name],),
        )
        await tx.execute(
            "insert into memory_strengths (memory_id, stability, difficulty, confidence, validations, reviewed_at)"
            " values (%s, 12.345678, 4.1, 0.55, 2, now())",
            (ids[name],),
        )
        for amount in (0.5, 1.2000000000000002):
            await tx.execute(
                "insert into memory_adjustments (memory_id, cause, quantity, operation, amount, correction_id)"
                " values (%s, 'correction', 'stability', 'multiply', %s, %s)",
                (ids[name], amount, correction),
            )
    await tx.execute(
        "insert into memory_unresolved_links (memory_id, relation, reference) values (%s, 'caused', 'notes/x.md')",
        (ids["one"],),
    )


async def _encode(tx: Tx, space: int) -> None:
    """Store vectors of two parts and token states as the encoder does: nothing is left to encode."""
    await tx.execute(
        "insert into memory_vectors (space_id, memory_num, part, scope_key, embedding)"
        " select %s, num, part, -9223372036854775808 + num, ('[' || num * 0.1 || ',' || part || ',-0.33,65504]')::halfvec"
        " from memory_items cross join generate_series(0, 1) as part",
        (space,),
    )
    await tx.execute(
        "insert into memory_token_states (memory_num, space_id, part, states)"
        " select num, %s, 0, convert_to(repeat(chr(65 + (num %% 26)::int), 256), 'UTF8') from memory_items",
        (space,),
    )
    await tx.execute("delete from memory_embedding_jobs")
