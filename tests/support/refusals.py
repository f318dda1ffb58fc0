"""Checks of a refusal: what it must tell its reader, and that it changed nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import psycopg

from frasier.memory import MemoryEngine, MemoryKind, NewMemory, Relation, save_memories
from frasier.store import Database

FOREIGN_WORDS = re.compile(
    r"Input should|should have|should match|Value error|Extra inputs|Field required|\btype=\w", re.IGNORECASE
)
"""Wording of the validation library that must not reach a reader."""

DEFECTS = {"defect", "error", "invariant_broken", "internal_error"}
OTHERS = "project:out-of-reach"

_KEPT = """
select md5(concat(
    (select string_agg(concat_ws('|', id, scope, content, title, tags, tier, importance, version, archived_at,
        valid_from, valid_until), '~' order by num) from memory_items),
    (select string_agg(concat_ws('|', id, source_id, target_id, relation, strength), '~' order by id)
        from memory_edges),
    (select string_agg(concat_ws('|', id, undone_at), '~' order by id) from memory_corrections),
    (select string_agg(name, '~' order by name) from memory_checkpoints)
)) as all_of_it
"""
_ELSEWHERE = """
select md5(concat(
    (select string_agg(i::text, '~' order by num) from memory_items i where scope = %(scope)s),
    (select string_agg(e::text, '~' order by id) from memory_edges e
        where source_id in (select id from memory_items where scope = %(scope)s)),
    (select string_agg(v::text, '~' order by v.memory_id, v.version) from memory_versions v
        where v.memory_id in (select id from memory_items where scope = %(scope)s))
)) as all_of_it
"""


PARTS = {"code", "number", "message", "kept", "hint", "advice", "facts"}
"""The keys that an error may have, in every interface."""


def check_refusal(error: Mapping[str, Any]) -> None:
    """Check the code, that it is not an unexpected error, the message, and the hint."""
    assert error.get("code"), error
    assert error["code"] not in DEFECTS, error
    assert error.get("message"), error
    assert error.get("hint"), error
    assert set(error) <= PARTS
    assert all(set(advice) == {"action", "to", "arguments"} for advice in error.get("advice", ()))
    assert "Traceback" not in str(error)
    assert not FOREIGN_WORDS.search(str(error)), error


async def memory_fingerprint(db: Database) -> str:
    """Return a fingerprint of all memories and statements about them; equal if nothing was changed."""
    async with db.transaction() as tx:
        [row] = await (await tx.execute(_KEPT)).fetchall()
    return str(row["all_of_it"])


def memory_fingerprint_now(url: str) -> str:
    """Return the fingerprint of `kept`, for a test without an event loop."""
    with psycopg.connect(url) as connection:
        [row] = connection.execute(_KEPT).fetchall()
    return str(row[0])


def out_of_reach_fingerprint_now(url: str) -> str:
    """Return the fingerprint of `out_of_reach`, for a test without an event loop."""
    with psycopg.connect(url) as connection:
        [row] = connection.execute(_ELSEWHERE, {"scope": OTHERS}).fetchall()
    return str(row[0])


async def save_out_of_reach(engine: MemoryEngine) -> str:
    """Save memories in a scope that no caller has; return their fingerprint, see `out_of_reach`."""
    from frasier.memory import Caller, link_memories

    owner = Caller(name="other", scopes=(OTHERS,))
    async with engine.database.transaction() as tx:
        news = [
            NewMemory(kind=MemoryKind.DECISION, scope=OTHERS, content=content, tags=("ours",))
            for content in (
                "The crown jewels are in the cellar.",
                "The cellar is damp, and its door is green.",
            )
        ]
        first, second = await save_memories(tx, news)
        await link_memories(tx, owner, second, first, Relation.CAUSED)
    return await out_of_reach_fingerprint(engine.database)


async def out_of_reach_fingerprint(db: Database) -> str:
    """Return a fingerprint of those memories, byte for byte."""
    async with db.transaction() as tx:
        [row] = await (await tx.execute(_ELSEWHERE, {"scope": OTHERS})).fetchall()
    return str(row["all_of_it"])
