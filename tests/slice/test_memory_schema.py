"""What the schema itself refuses of a memory and of an effect, whoever writes it."""

from __future__ import annotations

import psycopg
import pytest

from frasier.kernel.ids import new_id
from frasier.memory import SHARED_SCOPE, MemoryKind, NewMemory, save_memory
from frasier.store import Database, enqueue_effect


@pytest.mark.parametrize(
    "change",
    [
        "kind = 'rumour'",
        "scope = 'Shared'",
        "scope = repeat('a', 33)",
        "scope = 'a:' || repeat('b', 101)",
        "scope = 'a:b:c'",
        "scope = ''",
        "title = repeat('t', 501)",
        "content = ''",
        "content = repeat('c', 100001)",
        "tags = array_fill('t'::text, array[33])",
        "tier = 'vital'",
        "tier = 'temporary'",
        "importance = 0",
        "importance = 11",
        "provenance = '[]'",
        r"content_hash = '\x00'",
        "length = -1",
        "indexed = false, length = 1",
        "kind = 'directive'",
        "memory_type = 'odd'",
        "type_source = 'odd'",
        "type_confidence = 1.1",
        "triggers = array_fill('t'::text, array[51])",
        "thread = ''",
        "thread = repeat('t', 201)",
        "speaker = ''",
        "speaker = repeat('s', 101)",
        "version = 0",
        "valid_from = now(), valid_until = now() - interval '1 second'",
    ],
)
async def test_no_memory_is_what_none_can_be(board: Database, change: str) -> None:
    async with board.transaction() as tx:
        new = NewMemory(kind=MemoryKind.LESSON, scope=SHARED_SCOPE, content=f"Lids are hot: {new_id()}.")
        memory_id = await save_memory(tx, new)
    with pytest.raises(psycopg.errors.CheckViolation):
        async with board.transaction() as tx:
            await tx.execute(f"update memory_items set {change} where id = %s", (memory_id,))


@pytest.mark.parametrize(
    "change",
    [
        "kind = ''",
        "state = 'odd'",
        "attempts = -1",
        "state = 'sending'",
        "state = 'sent'",
        "state = 'failed', settled_at = now()",
        "receipt = '{}'",
        "lease_until = now()",
    ],
)
async def test_no_effect_is_what_none_can_be(board: Database, change: str) -> None:
    stream = new_id()
    async with board.transaction() as tx:
        await enqueue_effect(tx, kind="announce", key=str(stream), stream=stream, payload={})
    with pytest.raises(psycopg.errors.CheckViolation):
        async with board.transaction() as tx:
            await tx.execute(f"update store_effects set {change} where stream = %s", (stream,))
