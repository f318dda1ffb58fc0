"""For every tool of the memory, a call that succeeds and one that is refused, over prepared memories."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from frasier.kernel.ids import new_id
from frasier.memory import (
    Caller,
    CorrectionType,
    MemoryEngine,
    MemoryKind,
    MemoryType,
    NewMemory,
    begin_task,
    correct_memory,
    create_checkpoint,
    link_memories,
    open_session,
    save_memories,
)
from frasier.memory.sessions.lifecycle import update_session

SCOPE = "project:kestrel"
AGENT = Caller(name="mcp:tester", scopes=(SCOPE, "shared"))
FOUNDER = Caller(name="token:founder", scopes=(SCOPE, "shared", "founder"), founder=True)
STRANGER = Caller(name="mcp:stranger", scopes=("project:other",))

STORAGE = (
    "We chose PostgreSQL over SQLite because several workers write at the same time.\n"
    "<!-- ANCHOR:summary -->PostgreSQL, because of concurrent writers.<!-- /ANCHOR:summary -->"
)
BACKUP = "The nightly backup runs at three o'clock and takes twenty minutes."
RETIRED = (
    "The release manager is asked before the kestrel service is deployed to the production cluster, and every such"
    " deployment is announced in the morning report."
)
OLD_BACKUP = "The nightly backup runs at one o'clock and is written to tape."


@dataclass(frozen=True, slots=True)
class MemorySet:
    """The memories of the examples: ids as text."""

    storage: str
    backup: str
    old_backup: str
    retired: str
    edge: str
    correction: str
    roots: Path


async def save_example_memories(engine: MemoryEngine, root: Path) -> MemorySet:
    """Save memories with an edge, a correction, a retired memory, a session, a task, a checkpoint and a file."""
    (root / "notes.md").write_text(
        "---\ntitle: Release notes\n---\n\nThe release train leaves on Thursdays.\n"
    )
    async with engine.database.transaction() as tx:
        storage, backup, old = await save_memories(
            tx,
            [
                NewMemory(
                    kind=MemoryKind.DECISION,
                    scope=SCOPE,
                    content=STORAGE,
                    title="Storage",
                    triggers=("which database",),
                    provenance={"saved_by": AGENT.name},
                ),
                NewMemory(
                    kind=MemoryKind.OBSERVATION,
                    scope=SCOPE,
                    content=BACKUP,
                    title="Backup",
                    memory_type=MemoryType.SEMANTIC,
                    provenance={"saved_by": AGENT.name},
                ),
                NewMemory(kind=MemoryKind.OBSERVATION, scope=SCOPE, content=OLD_BACKUP, title="Old backup"),
            ],
        )
        linked = await link_memories(tx, AGENT, storage, backup, "caused", evidence="dumps need a server")
        correction = await correct_memory(
            tx, AGENT, old, CorrectionType.SUPERSEDED, replacement_id=backup, reason="it moved"
        )
        await open_session(tx, AGENT, "s-1")
        await update_session(tx, AGENT, "s-1", task="move the backup", pending_work="check the tape")
        await begin_task(tx, AGENT, "move-backup", knowledge=20, uncertainty=80, context=10)
        await create_checkpoint(tx, AGENT, "monday")
    retired = await engine.save(AGENT, NewMemory(kind=MemoryKind.OBSERVATION, scope=SCOPE, content=RETIRED))
    opposite = RETIRED.replace("is asked", "is not asked")
    await engine.save(AGENT, NewMemory(kind=MemoryKind.OBSERVATION, scope=SCOPE, content=opposite))
    return MemorySet(
        storage=str(storage),
        backup=str(backup),
        old_backup=str(old),
        retired=str(retired.id),
        edge=str(linked.edge.id),
        correction=str(correction.id),
        roots=root,
    )


@dataclass(frozen=True, slots=True)
class Example:
    """Two calls: `good` succeeds and its data contains `holds`; `bad` is refused with the code `code`."""

    good: Callable[[MemorySet], Mapping[str, Any]]
    holds: str
    bad: Mapping[str, Any]
    code: str = "invalid_input"
    number: str = ""


NOBODY = str(new_id())
_MISSING = {"code": "not_found", "number": "E080"}

EXAMPLES: Mapping[str, Example] = {
    "memory_context": Example(
        lambda _: {"input": "why PostgreSQL?"}, "results", {"input": "x", "mode": "slow"}
    ),
    "memory_search": Example(
        lambda _: {"query": "concurrent writers", "detail": "full"},
        "results",
        {"query": "x", "limit": 0},
        number="E032",
    ),
    "memory_get": Example(
        lambda s: {"id": s.storage, "anchors": ["summary"]}, "content", {"id": NOBODY}, **_MISSING
    ),
    "memory_list": Example(
        lambda _: {"sort_by": "importance"}, "memories", {"sort_by": "colour"}, number="E032"
    ),
    "memory_match_triggers": Example(
        lambda _: {"prompt": "Tell me which database we use"}, "matches", {}, number="E031"
    ),
    "memory_save": Example(
        lambda _: {"content": "The kestrel service listens on port 8093.", "tags": ["ports"]},
        "id",
        {"content": "short"},
        number="E093",
    ),
    "memory_bulk_save": Example(
        lambda _: {
            "memories": [{"content": "The kestrel service is deployed on Mondays."}, {"title": "no text"}]
        },
        "results",
        {"memories": []},
        number="E032",
    ),
    "memory_update": Example(
        lambda s: {"id": s.backup, "content": "The nightly backup runs at four o'clock.", "reason": "moved"},
        "version",
        {"id": NOBODY, "title": "x"},
        **_MISSING,
    ),
    "memory_delete": Example(lambda s: {"id": s.backup}, "deleted", {"id": NOBODY}, **_MISSING),
    "memory_bulk_delete": Example(
        lambda s: {"ids": [s.backup], "confirm": True},
        "checkpoint",
        {"tier": "normal", "confirm": False},
        number="E031",
    ),
    "memory_versions": Example(
        lambda s: {"id": s.backup}, "version", {"id": "not-an-id-at-all"}, number="E030"
    ),
    "memory_revert": Example(
        lambda s: {"id": s.backup, "version": 1}, "version", {"id": NOBODY, "version": 1}, **_MISSING
    ),
    "memory_unarchive": Example(lambda s: {"id": s.backup}, "restored", {"id": NOBODY}, **_MISSING),
    "memory_reinstate": Example(lambda s: {"id": s.retired}, "reinstated", {"id": NOBODY}, **_MISSING),
    "memory_why": Example(
        lambda s: {"id": s.backup}, "caused_by", {"id": NOBODY, "depth": 11}, number="E032"
    ),
    "memory_link": Example(
        lambda s: {"source": s.backup, "target": s.storage, "relation": "supports"},
        "edge_id",
        {"source": NOBODY, "target": NOBODY, "relation": "likes"},
        number="E032",
    ),
    "memory_unlink": Example(
        lambda s: {"edge_id": s.edge}, "edge_id", {"edge_id": NOBODY}, "not_found", "E100"
    ),
    "memory_graph_stats": Example(lambda _: {}, "coverage", {"scope": "x"}, number="E030"),
    "memory_drop_extracted": Example(lambda _: {}, "dropped", {"extractor": 7}, number="E030"),
    "memory_correct": Example(
        lambda s: {
            "id": s.backup,
            "type": "superseded",
            "reason": "it was moved",
            "replacement": "It runs at five.",
        },
        "correction_id",
        {"id": NOBODY, "type": "deprecated", "reason": "wrong"},
        **_MISSING,
    ),
    "memory_correct_undo": Example(
        lambda s: {"correction_id": s.correction}, "tier", {"correction_id": "nonsense"}, number="E030"
    ),
    "memory_corrections": Example(lambda _: {"stats": True}, "stats", {"limit": 101}, number="E032"),
    "memory_validate": Example(
        lambda s: {"id": s.backup, "useful": True}, "confidence", {"id": NOBODY, "useful": True}, **_MISSING
    ),
    "memory_outcome": Example(
        lambda s: {"ids": [s.backup], "outcome": "accepted"}, "confidence", {"ids": [], "outcome": "accepted"}
    ),
    "memory_review": Example(
        lambda s: {"id": s.backup, "grade": "good", "session": "s-1"},
        "strength",
        {"id": NOBODY, "grade": "good"},
        **_MISSING,
    ),
    "memory_cite": Example(lambda s: {"ids": [s.backup]}, "cited", {"ids": [NOBODY]}, **_MISSING),
    "memory_promote": Example(lambda _: {}, "ready", {"id": NOBODY}, **_MISSING),
    "task_preflight": Example(
        lambda _: {"task": "new", "knowledge": 10, "uncertainty": 90, "context": 5},
        "before",
        {"task": "new", "knowledge": 101, "uncertainty": 0, "context": 0},
        number="E032",
    ),
    "task_postflight": Example(
        lambda _: {"task": "move-backup", "knowledge": 80, "uncertainty": 20, "context": 60},
        "band",
        {"task": "never begun", "knowledge": 1, "uncertainty": 1, "context": 1},
        "not_found",
    ),
    "memory_learning_history": Example(lambda _: {}, "records", {"limit": 0}, number="E032"),
    "session_save": Example(
        lambda _: {"session": "s-1", "summary": "half done", "state": {"step": 2}},
        "session",
        {"session": "../../etc"},
        number="E071",
    ),
    "session_recover": Example(lambda _: {}, "recovered", {"session": "unknown"}, "not_found", "E071"),
    "session_get": Example(
        lambda _: {"session": "s-1"}, "pending_work", {"session": "unknown"}, "not_found", "E071"
    ),
    "session_list": Example(lambda _: {"status": "active"}, "sessions", {"status": "asleep"}, number="E032"),
    "checkpoint_create": Example(lambda _: {"name": "tuesday"}, "counts", {"name": "monday"}, number="E063"),
    "checkpoint_list": Example(lambda _: {}, "checkpoints", {"limit": 0}, number="E032"),
    "checkpoint_restore": Example(
        lambda _: {"name": "monday"}, "present", {"name": "nowhere"}, "not_found", "E060"
    ),
    "checkpoint_delete": Example(
        lambda _: {"name": "monday"}, "name", {"name": "nowhere"}, "not_found", "E060"
    ),
    "memory_index_scan": Example(
        lambda s: {"folder": str(s.roots)}, "indexed", {"folder": "/etc"}, number="E011"
    ),
    "memory_confirm": Example(lambda _: {}, "asking", {"id": NOBODY}, "not_allowed"),
    "memory_stats": Example(lambda _: {}, "by_kind", {"limit": 3}, number="E030"),
    "memory_health": Example(lambda _: {}, "status", {"deep": True}, number="E030"),
    "memory_consolidate": Example(lambda _: {}, "facts", {"apply": "perhaps"}, number="E030"),
    "memory_retry_embeddings": Example(lambda _: {}, "due", {"scope": "project:other"}, "not_allowed"),
}
