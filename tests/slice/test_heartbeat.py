"""The heartbeat at its end: what is under way is finished, but not waited for without end."""

from __future__ import annotations

import asyncio

import pytest

from frasier.heartbeat import Heartbeat, Job, runner
from frasier.store import lease_holders


@pytest.fixture
def _short_grace(monkeypatch):
    monkeypatch.setattr(runner, "_GRACE_S", 0.2)


class Work:
    """A job that goes on until it is let go."""

    def __init__(self):
        self.begun = asyncio.Event()
        self.release = asyncio.Event()
        self.finished = False

    async def do(self):
        self.begun.set()
        await self.release.wait()
        self.finished = True


async def begin(db, work):
    stop = asyncio.Event()
    beating = asyncio.create_task(Heartbeat(db, [Job("work", 1.0, work.do)]).beat(stop))
    await work.begun.wait()
    stop.set()
    return beating


@pytest.mark.usefixtures("_short_grace")
async def test_a_job_that_waits_for_somebody_outside_does_not_hold_up_the_end(db):
    work = Work()
    async with asyncio.timeout(40):
        await (await begin(db, work))
    assert not work.finished
    async with db.transaction() as tx:
        assert "heartbeat" not in await lease_holders(tx)


async def test_a_job_that_is_nearly_done_is_finished(db, monkeypatch):
    monkeypatch.setattr(runner, "_GRACE_S", 20.0)
    work = Work()
    beating = await begin(db, work)
    for _ in range(10):  # until the heartbeat has seen that it shall stop
        await asyncio.sleep(0)
    work.release.set()
    async with asyncio.timeout(40):
        await beating
    assert work.finished


async def test_a_defect_of_the_heartbeat_itself_ends_it(db, monkeypatch):
    async def broken(*_args, **_named):
        raise RuntimeError("a defect")

    monkeypatch.setattr(runner, "take_lease", broken)
    with pytest.raises(RuntimeError, match="a defect"):
        await Heartbeat(db, []).beat(asyncio.Event())
