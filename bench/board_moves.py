"""Duration of a move on a team's board with open gates, its event and marker, beside a bare durable commit."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias
from uuid import UUID

from bench.commits import commit_once, prepare_commits, sync_ms
from bench.figures import Figure, durable_p95, p50, p95
from bench.sizes import Sizes
from bench.timing import timed
from bench.workspace import Workspace
from frasier.board import Board, NewBoardTask, add_task, make_board
from frasier.board.evidence.records import record_evidence
from frasier.kernel.ids import new_id
from frasier.memory import SHARED_SCOPE, Caller, MemoryKind, NewMemory, open_session, save_memory
from frasier.memory.sessions.dedupe import mark_sent
from frasier.store import Database
from frasier.workflow import FOUNDER, Actor, ActorKind, claim_task, move

_WARM_UP = 10
_DESIGN = "https://example.org/design/v0.0.1.md"
_REQUIREMENTS = {
    "description": "What is wanted, and why.",
    "acceptance_criteria": ["One sees it."],
    "depends_on_reviewed": True,
}
_ADA = Actor(ActorKind.MEMBER, "token:ada", frozenset({"pdsa"}))
_LIA = Actor(ActorKind.MEMBER, "token:lia", frozenset({"liaison"}))
_P95_MS_MAX = 10

Samples: TypeAlias = dict[str, list[float]]


def measure_board_moves(workspace: Workspace, sizes: Sizes) -> list[Figure]:
    """Measure ready, claim and hand-over of a design; what their gates look for is prepared before."""
    with workspace.database() as urls:
        prepare_commits(urls.owner)
        samples = asyncio.run(_collect_samples(urls.app, sizes.moves))
    commits = samples.pop("commit")
    moves = [duration for durations in samples.values() for duration in durations]
    each = ", ".join(f"{name} {p50(durations):.2f} ms" for name, durations in samples.items())
    bare = f"a bare commit: p50 {p50(commits):.2f} ms, p95 {p95(commits):.2f} ms"
    return [
        *durable_p95(
            "move on a board, gates open, p95",
            moves,
            limit=_P95_MS_MAX,
            sync_ms=sync_ms(workspace, commits),
            detail=f"p50 by move: {each}; {bare}",
        ),
        Figure(
            what="move on a board against a bare durable commit, p50 to p50",
            value=p50(moves) / p50(commits),
            unit="×",
            detail=f"{len(moves)} moves, in turn with as many bare commits;"
            f" p95 to p95 {p95(moves) / p95(commits):.1f} ×; its gates read 1 to 3 statements more",
        ),
    ]


async def _collect_samples(url: str, count: int) -> Samples:
    async with Database(url, connections=2) as database:
        async with database.transaction() as tx:
            board = await make_board(tx, "bench", actor=FOUNDER)
        samples: Samples = defaultdict(list)
        for number in range(count + _WARM_UP):
            if number == _WARM_UP:
                samples.clear()
            task_id = await _create_task(database, board, number)
            session = await _open_search_session(database)
            await _measure_beside_commit(
                database, samples, "ready", _make_move(database, task_id, "ready", _LIA)
            )
            await _measure_beside_commit(database, samples, "claim", _make_claim(database, task_id, session))
            fields = {"pdsa_ref": _DESIGN, "memory_contribution_id": await _save_lesson(database)}
            hand_over = _make_move(database, task_id, "submit_design", _ADA, attempt=1, fields=fields)
            await _measure_beside_commit(database, samples, "submit_design", hand_over)
    return dict(samples)


async def _measure_beside_commit(
    database: Database, samples: Samples, name: str, run: Callable[[], Awaitable[None]]
) -> None:
    """Measure the operation and, right before it, a bare commit, so that noise of the machine affects both alike."""
    samples["commit"].append(await timed(commit_once(database)))
    samples[name].append(await timed(run()))


def _make_move(
    database: Database,
    task_id: UUID,
    name: str,
    actor: Actor,
    *,
    attempt: int | None = None,
    fields: Mapping[str, Any] | None = None,
) -> Callable[[], Awaitable[None]]:
    async def run() -> None:
        async with database.transaction() as tx:
            await move(tx, task_id, name, actor=actor, attempt=attempt, fields=fields)

    return run


def _make_claim(database: Database, task_id: UUID, session: str) -> Callable[[], Awaitable[None]]:
    async def run() -> None:
        async with database.transaction() as tx:
            fields = {"memory_query_session": session}
            await claim_task(tx, task_id, actor=_ADA, lease_s=3_600, fields=fields)

    return run


async def _create_task(database: Database, board: Board, number: int) -> UUID:
    new = NewBoardTask(
        process="pdsa_task", slug=f"task-{number}", title=f"Task number {number}", fields=_REQUIREMENTS
    )
    async with database.transaction() as tx:
        task = await add_task(tx, board, new, actor=_LIA)
        await record_evidence(
            tx, task.id, 0, kind="link", subject=_DESIGN, holds=True, digest="d", facts={}, by="bench"
        )
        return task.id


async def _open_search_session(database: Database) -> str:
    """Open a session whose search is later than the move to ready. Its time is set ahead, as the move comes later."""
    session = f"s-{new_id().hex}"
    async with database.transaction() as tx:
        await open_session(tx, Caller(name=_ADA.name, scopes=(SHARED_SCOPE,)), session)
        await mark_sent(tx, session, [], asked_by=_ADA.name)
        await tx.execute(
            "update memory_sessions set asked_at = now() + interval '1 minute' where id = %s", [session]
        )
    return session


async def _save_lesson(database: Database) -> str:
    new = NewMemory(
        kind=MemoryKind.LESSON,
        scope=SHARED_SCOPE,
        content=f"What was learned: {new_id()}.",
        provenance={"saved_by": _ADA.name},
    )
    async with database.transaction() as tx:
        return str(await save_memory(tx, new))
