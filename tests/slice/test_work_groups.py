"""Runs of tasks that belong to no mission: what comes of one is settled without looking for any."""

from __future__ import annotations

import asyncio
from importlib.resources import files

import pytest

from frasier.kernel.errors import DatabaseUnreachable
from frasier.kernel.ids import new_id
from frasier.llm import Gateway, LlmSettings
from frasier.memory import EmbeddingSettings, MemorySettings, open_engine
from frasier.org.execution.escalations import decide
from frasier.org.governance import open_questions
from frasier.org.people.capabilities import declared_capabilities
from frasier.work import GivenUp, NeedsFounder, Run, RunOutcome, Worker, WorkerSettings
from frasier.work.run_log import end_run
from frasier.workflow import BLOCKED, SYSTEM, GroupKind, NewTask, create_tasks, get_task, processes
from frasier.workflow.processes.process_loader import read_process

WITHOUT_VECTORS = MemorySettings(embedding=EmbeddingSettings(provider="none"))


@pytest.fixture(autouse=True)
def _of_the_organisation(monkeypatch):
    """A process like that of talks, whose tasks belong to the organisation."""
    table = files("frasier.workflow").joinpath("processes/talk.toml").read_text("utf-8")
    table = table.replace('name = "talk"', 'name = "stocktaking"').replace("conversation", "organisation")
    process = read_process(table)
    assert process.group is GroupKind.ORGANISATION
    monkeypatch.setitem(processes(), "stocktaking", process)


class Ends:
    """Runs that end as they are told to."""

    process = "stocktaking"

    def __init__(self, outcome: RunOutcome) -> None:
        self._outcome = outcome

    async def run(self, _run: Run) -> RunOutcome:
        return self._outcome


@pytest.fixture
def run_once(db, database_url):
    """Makes a task, has a worker run it once, and gives it as it is afterwards."""

    async def run(outcome):
        async with db.transaction() as tx:
            new = NewTask(id=new_id(), process="stocktaking", slug="count", title="Count", group_id=new_id())
            [task] = await create_tasks(tx, [new], actor=SYSTEM)
        async with open_engine(db, WITHOUT_VECTORS) as memory:
            worker = Worker(
                database=db,
                direct_url=database_url,
                gateway=Gateway(db, LlmSettings()),
                memory=memory,
                pages=None,
                links=None,
                capabilities=declared_capabilities(),
                kinds=[Ends(outcome)],
                settings=WorkerSettings(poll_s=0.05),
            )
            stop = asyncio.Event()
            working = asyncio.create_task(worker.work(stop))
            async with asyncio.timeout(10):
                while task.status in {"pending", "active"}:
                    await asyncio.sleep(0.01)
                    async with db.transaction() as tx:
                        task = await get_task(tx, task.id)
            stop.set()
            await working
        return task

    return run


async def test_a_run_of_the_organisation_that_is_given_up_looks_for_no_mission(run_once):
    task = await run_once(GivenUp("nothing can be counted"))
    assert (task.status, task.failure) == ("failed", "nothing can be counted")


async def test_the_end_of_a_run_that_falls_into_an_outage_is_recorded_afterwards(run_once, db, monkeypatch):
    refused = []

    async def end_after_the_outage(tx, task, outcome):
        if not refused:
            refused.append(outcome)
            raise DatabaseUnreachable("The database does not answer.")
        await end_run(tx, task, outcome)

    monkeypatch.setattr("frasier.work.worker.end_run", end_after_the_outage)
    task = await run_once(GivenUp("nothing can be counted"))
    assert len(refused) == 1
    async with db.transaction() as tx:
        [run] = await (
            await tx.execute("select outcome, ended_at from work_runs where task_id = %s", (task.id,))
        ).fetchall()
    assert (run["outcome"], run["ended_at"] is None) == ("given_up", False)


async def test_the_founder_is_asked_about_one_and_settles_it_without_a_mission(run_once, db):
    task = await run_once(NeedsFounder("a shelf is locked", "unlock it"))
    assert task.status == BLOCKED
    async with db.transaction() as tx:
        [question] = await open_questions(tx)
        assert (question.task_id, question.mission_id) == (task.id, None)
        assert await decide(tx, question, "continue") == "Count goes on where it was."
        assert (await get_task(tx, task.id)).status == "active"
