"""Random histories of a small board, against a reference in plain Python: after every act the two are equal.

Each history runs in one transaction, so that a refusal also shows that it changed nothing that a caller who goes on
would commit. A failure names its seed and what was done.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import pytest

from frasier.board.agent_inbox.audit_replay import check_trail
from frasier.kernel.errors import FrasierError
from frasier.kernel.ids import new_id
from frasier.memory import markers_of
from frasier.store import Database, Tx, events_of
from frasier.workflow import (
    FOUNDER,
    SYSTEM,
    Dependency,
    DependencyKind,
    NewTask,
    Task,
    block,
    cancel_group,
    claim,
    create_tasks,
    hold,
    move,
    processes,
    recover_expired,
    restore,
    retry,
    tasks_of,
)
from support.board import RESULT, REVIEWER, WORKER
from support.board_model import BoardModel, ModelTask, Refusal

HISTORIES = 320
ACTS = 16


LEGAL_FROM = {
    "deliver": {"active"},
    "release": {"active"},
    "block_held": {"active"},
    "expire": {"active"},
    "approve": {"in_review"},
    "reject": {"in_review"},
    "strike_out": {"in_review"},
    "restore": {"blocked"},
    "retry": {"failed", "cancelled"},
    "fail": {"pending", "active", "in_review", "blocked"},
    "cancel": {"pending", "active", "in_review", "blocked"},
    "block": {"pending", "active", "in_review", "blocked"},
}
WEIGHTS = {
    "claim": 6,
    "deliver": 6,
    "release": 2,
    "approve": 4,
    "reject": 2,
    "strike_out": 1,
    "fail": 2,
    "cancel": 2,
    "block": 2,
    "block_held": 1,
    "restore": 2,
    "retry": 4,
    "hold": 2,
    "expire": 3,
    "group": 0.2,
}


@dataclass
class History:
    """One board, twice: stored, and as the model has it."""

    tx: Tx
    random: random.Random
    model: BoardModel = field(default_factory=BoardModel)
    tasks: dict[str, Task] = field(default_factory=dict)
    acts: list[str] = field(default_factory=list)
    seen: Counter[str] = field(default_factory=Counter)

    async def begin(self) -> None:
        names = [f"t{n}" for n in range(self.random.randint(2, 6))]
        ids = {name: new_id() for name in names}
        group = new_id()
        news = []
        for place, name in enumerate(names):
            edges, needs = [], set()
            for needed in names[:place]:
                if self.random.random() < 0.5:
                    informs = self.random.random() < 0.2
                    kind = DependencyKind.INFORMS if informs else DependencyKind.BLOCKS
                    edges.append(Dependency(depends_on=ids[needed], kind=kind))
                    needs |= set() if informs else {needed}
            priority = self.random.randint(0, 2)
            news.append(
                NewTask(
                    id=ids[name],
                    process="mission_step",
                    slug=name,
                    title=name,
                    group_id=group,
                    priority=priority,
                    depends_on=tuple(edges),
                )
            )
            self.model.tasks[name] = ModelTask(name=name, needs=frozenset(needs), priority=priority)
        self.random.shuffle(news)
        for task in await create_tasks(self.tx, news, actor=SYSTEM):
            self.tasks[task.slug] = task
            self.model.tasks[task.slug].num = task.num

    async def act(self) -> None:
        """Something that can be done now, four times in five; else something that must be refused, or nothing."""
        [kind] = self.random.choices(list(WEIGHTS), list(WEIGHTS.values()))
        names = list(self.tasks)
        if kind in LEGAL_FROM and self.random.random() < 0.8:
            names = [name for name in names if self.model.tasks[name].status in LEGAL_FROM[kind]]
        if names:
            await getattr(self, f"_{kind}")(self.random.choice(names))
            await self.compare()

    async def both(self, what: str, model: Any, engine: Any) -> None:
        """Does the same to both; where the model refuses, the engine must raise just that error."""
        self.acts.append(what)
        try:
            model()
        except Refusal as refusal:
            with pytest.raises(FrasierError) as caught:
                await engine
            assert type(caught.value).__name__ == str(refusal), what
            self.seen[f"{what.split(maxsplit=1)[0]} refused"] += 1
        else:
            await engine
            self.seen[what.split(maxsplit=1)[0]] += 1

    async def moved(self, name: str, transition: str, model: Any, **how: Any) -> None:
        await self.both(f"{transition} {name}", model, move(self.tx, self.tasks[name].id, transition, **how))

    async def _claim(self, _name: str) -> None:
        self.acts.append("claim")
        claimed = await claim(self.tx, worker="w1", names=["mission_step"], lease_s=60)
        expected = self.model.claim("w1")
        assert [task.slug for task in claimed] == ([expected.name] if expected else [])
        self.seen["claim" if expected else "claim nothing"] += 1

    def _attempt(self, name: str) -> int:
        """Mostly the attempt that may hold the task, at times an older one."""
        return self.model.tasks[name].attempt - (self.random.random() < 0.2)

    async def _deliver(self, name: str) -> None:
        attempt = self._attempt(name)
        await self.moved(
            name,
            "deliver",
            lambda: self.model.deliver(name, attempt),
            actor=WORKER,
            attempt=attempt,
            fields=RESULT,
        )

    async def _release(self, name: str) -> None:
        attempt, failed, delayed = self._attempt(name), self.random.random() < 0.5, self.random.random() < 0.3
        await self.moved(
            name,
            "release",
            lambda: self.model.release(name, attempt, failed=failed, delayed=delayed),
            actor=WORKER,
            attempt=attempt,
            fields={"reason": "r"},
            delay_s=3600.0 if delayed else 0.0,
            failed_run=failed,
        )

    async def _approve(self, name: str) -> None:
        await self.moved(
            name, "approve", lambda: self.model.approve(name), actor=REVIEWER, fields={"reason": "r"}
        )

    async def _reject(self, name: str) -> None:
        await self.moved(
            name, "reject", lambda: self.model.reject(name), actor=REVIEWER, fields={"feedback": "f"}
        )

    async def _strike_out(self, name: str) -> None:
        await self.moved(
            name, "strike_out", lambda: self.model.strike_out(name), actor=REVIEWER, fields={"reason": "r"}
        )

    async def _fail(self, name: str) -> None:
        await self.moved(name, "fail", lambda: self.model.fail(name), actor=FOUNDER, fields={"reason": "r"})

    async def _cancel(self, name: str) -> None:
        await self.moved(
            name, "cancel", lambda: self.model.cancel(name), actor=FOUNDER, fields={"reason": "r"}
        )

    async def _block(self, name: str) -> None:
        told = {"reason": "r", "owner": "founder", "action": "a", "actor": SYSTEM}
        await self.both(
            f"block {name}", lambda: self.model.block(name), block(self.tx, self.tasks[name].id, **told)
        )

    async def _block_held(self, name: str) -> None:
        attempt = self._attempt(name)
        told = {"reason": "r", "owner": "founder", "action": "a", "actor": WORKER, "attempt": attempt}
        await self.both(
            f"block_held {name}",
            lambda: self.model.block(name, attempt),
            block(self.tx, self.tasks[name].id, **told),
        )

    async def _restore(self, name: str) -> None:
        await self.both(
            f"restore {name}",
            lambda: self.model.restore(name),
            restore(self.tx, self.tasks[name].id, actor=FOUNDER),
        )
        # The engine sets the lease to run out now, which inside one transaction is not yet over.
        await self._make_expired(name)

    async def _retry(self, name: str) -> None:
        await self.both(
            f"retry {name}",
            lambda: self.model.retry(name),
            retry(self.tx, self.tasks[name].id, actor=FOUNDER),
        )

    async def _hold(self, name: str) -> None:
        held = self.random.random() < 0.5
        group = self.tasks[name].group_id
        await self.both(
            f"hold {held}",
            lambda: self.model.hold(held=held),
            hold(self.tx, group, held=held, actor=FOUNDER),
        )

    async def _expire(self, name: str) -> None:
        self.model.expire(name)
        await self._make_expired(name)
        await self.both(f"recover {name}", self.model.recover, recover_expired(self.tx, list(processes())))

    async def _make_expired(self, name: str) -> None:
        if self.model.tasks[name].expired:
            await self.tx.execute(
                "update workflow_tasks set lease_until = now() - interval '1 second'"
                " where id = %s and lease_owner is not null",
                (self.tasks[name].id,),
            )

    async def _group(self, name: str) -> None:
        await self.both(
            "group",
            self.model.cancel_group,
            cancel_group(self.tx, self.tasks[name].group_id, actor=FOUNDER, reason="r"),
        )

    async def compare(self) -> None:
        cursor = await self.tx.execute("select task_id, status, lease_owner, reasons from workflow_blocks")
        blocks = {row["task_id"]: row for row in await cursor.fetchall()}
        for task in await tasks_of(self.tx, next(iter(self.tasks.values())).group_id):
            self.tasks[task.slug] = task
            expected = self.model.tasks[task.slug]
            assert as_stored(task, blocks.pop(task.id, None)) == as_modelled(self.model, expected), task.slug
        assert not blocks

    async def compare_traces(self) -> None:
        """One event and one marker for every move that was made, and none for what was refused."""
        for name, task in self.tasks.items():
            moves = self.model.tasks[name].moves
            assert len(await events_of(self.tx, task.id)) == moves, name
            assert len(await markers_of(self.tx, task.id, limit=1_000)) == moves, name
            assert await check_trail(self.tx, task.id) == [], name


def as_stored(task: Task, place: dict[str, Any] | None) -> dict[str, Any]:
    return {
        "status": task.status,
        "ready": task.ready,
        "pending": task.pending_deps,
        "attempt": task.attempt,
        "owner": task.lease_owner,
        "held": task.held,
        "strikes": task.strikes,
        "failures": task.failures,
        "round": task.round,
        "cascaded": task.cascaded,
        "over": task.terminal,
        "place": (place["status"], place["lease_owner"]) if place else None,
        "reasons": len(place["reasons"]) if place else 0,
    }


def as_modelled(model: BoardModel, task: ModelTask) -> dict[str, Any]:
    return {
        "status": task.status,
        "ready": model.ready(task),
        "pending": model.pending(task),
        "attempt": task.attempt,
        "owner": task.owner,
        "held": task.held,
        "strikes": task.strikes,
        "failures": task.failures,
        "round": task.rounds,
        "cascaded": task.cascaded,
        "over": not task.open,
        "place": task.place,
        "reasons": task.reasons,
    }


async def play(board: Database, seed: int) -> Counter[str]:
    async with board.transaction() as tx:
        history = History(tx=tx, random=random.Random(seed))
        try:
            await history.begin()
            for _ in range(ACTS):
                await history.act()
            await history.compare_traces()
        except BaseException as error:
            error.add_note(f"seed {seed}: {', '.join(history.acts)}")
            raise
        # Committed, for what is rolled back costs the connection its prepared statements; but out of the way.
        await tx.execute("delete from workflow_tasks")
    return history.seen


@pytest.mark.parametrize("part", range(4))
async def test_random_histories_equal_the_reference(board: Database, part: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(part * HISTORIES // 4, (part + 1) * HISTORIES // 4):
        seen += await play(board, seed)
    for act in {*WEIGHTS} - {"expire"} | {"recover", "claim nothing"}:
        assert seen[act] > 0, f"{act} never happened: {seen}"
    for act in ("deliver", "release", "approve", "retry", "restore", "fail", "block"):
        assert seen[f"{act} refused"] > 0, f"{act} was never refused: {seen}"
