"""The telemetry of random missions adds up, with kills, failures, cancellations and pauses, and two workers."""

from __future__ import annotations

import asyncio
import random
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import pytest

from frasier.interfaces.services import Services
from frasier.kernel.errors import FrasierError, ProviderUnavailable
from frasier.llm import ProviderCall, ProviderReply
from frasier.llm.providers.rehearsal.provider import RehearsalProvider
from frasier.org.missions import MissionStatus, get_mission
from frasier.org.planning.mission_lifecycle import cancel_mission, pause_mission, resume_mission
from frasier.overview import MissionTelemetry, read_telemetry
from frasier.overview.telemetry.records import TimeUse
from frasier.store import Tx
from frasier.work import Directive, WorkerSettings
from frasier.work import run_lease as run_lease_module
from frasier.workflow import BLOCKED, tasks_of
from support.organisation import DIRECTIVE, DOCUMENTS, organisation, write_documents
from support.telemetry_sums import check_telemetry

LEASE_S = 1.5
SHORT, LONG = 20, 200
AT_ONCE = 10


class Killed(BaseException):
    """The end of a run in whose place a process would have died: nothing is concluded, its lease runs out."""


class Faults:
    """Kills and failures at random: of a run after a checkpoint, and of a call in flight."""

    name = "rehearsal"

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._rehearsal = RehearsalProvider()
        self.kills = self.failures = 0

    async def complete(self, call: ProviderCall) -> ProviderReply:
        chance = self._random.random()
        await asyncio.sleep(0)
        if chance < 0.04:
            self.failures += 1
            raise ProviderUnavailable("The model is busy.")
        reply = await self._rehearsal.complete(call)
        return replace(reply, cost_usd_micros=self._random.randrange(1, 5_000), tokens_cached=7)

    async def close(self) -> None:
        return

    def fault_point(self, _name: str) -> None:
        if self._random.random() < 0.02:
            self.kills += 1
            raise Killed


@pytest.fixture
def faults(monkeypatch: pytest.MonkeyPatch) -> Faults:
    faults = Faults(seed=17)
    monkeypatch.setattr(run_lease_module, "fault_point", faults.fault_point)
    return faults


async def play(services: Services, folder: Path, number: int, out: Path) -> UUID:
    """Start a mission, interfere with some of them, and wait for its end."""
    chance = random.Random(number)
    request = Directive(text=f"{DIRECTIVE} ({number})", destination=out / str(number), sources=(folder,))
    mission_id = (await services.take_directive(request)).mission.id
    interference = chance.choice(["none", "none", "cancel", "pause"])
    progressed = chance.randrange(1, 4)
    async with asyncio.timeout(300):
        while True:
            status, completed, asked = await services.in_transaction(look_at, mission_id)
            if status.ended or status is MissionStatus.COMPLETED:
                return mission_id
            if asked:
                await services.in_transaction(call_off, mission_id)
            if completed >= progressed:
                await interfere(services, mission_id, interference)
                interference = "none"
            await asyncio.sleep(0.2)


async def look_at(tx: Tx, mission_id: UUID) -> tuple[MissionStatus, int, bool]:
    """The status of a mission, how many of its tasks are completed, and whether one waits for the founder."""
    statuses = [task.status for task in await tasks_of(tx, mission_id)]
    mission = await get_mission(tx, mission_id)
    return mission.status, statuses.count("completed"), BLOCKED in statuses


async def interfere(services: Services, mission_id: UUID, interference: str) -> None:
    try:
        if interference == "cancel":
            await services.in_transaction(call_off, mission_id)
        elif interference == "pause":
            await services.in_transaction(halt, mission_id)
            await asyncio.sleep(0.5)
            await services.in_transaction(go_on, mission_id)
    except FrasierError:
        return  # it ended first


async def call_off(tx: Tx, mission_id: UUID) -> None:
    await cancel_mission(tx, await get_mission(tx, mission_id), reason="not wanted any more")


async def halt(tx: Tx, mission_id: UUID) -> None:
    await pause_mission(tx, await get_mission(tx, mission_id))


async def go_on(tx: Tx, mission_id: UUID) -> None:
    await resume_mission(tx, await get_mission(tx, mission_id))


async def play_all(
    database_url: str, tmp_path: Path, faults: Faults, *, missions: int
) -> list[MissionTelemetry]:
    """Play missions with two workers, and check what the telemetry of each of them adds up to."""
    folder = write_documents(tmp_path / "docs", {"tea.md": DOCUMENTS["tea.md"]})
    worker = WorkerSettings(concurrency=4, lease_s=LEASE_S, poll_s=0.1, retry_base_s=0.0)
    room = asyncio.Semaphore(AT_ONCE)

    async def one(services: Services, number: int) -> UUID:
        async with room:
            return await play(services, folder, number, tmp_path / "out")

    async with AsyncExitStack() as stack:
        processes = [
            await stack.enter_async_context(
                organisation(database_url, tmp_path / "home", provider=faults, worker=worker)
            )
            for _ in range(2)
        ]
        for services in processes:
            await stack.enter_async_context(services.running(housekeeping=False))
        services = processes[0]
        ids = await asyncio.gather(*(one(services, number) for number in range(missions)))
        records = []
        for mission_id in ids:
            async with services.board.database.transaction() as tx:
                telemetry = await read_telemetry(tx, str(mission_id))
                await check_telemetry(tx, telemetry)
                records.append(telemetry)
    return records


async def check_missions(database_url: str, tmp_path: Path, faults: Faults, missions: int) -> None:
    records = await play_all(database_url, tmp_path, faults, missions=missions)
    assert len(records) == missions
    statuses = {telemetry.status for telemetry in records}
    assert statuses >= {MissionStatus.COMPLETED, MissionStatus.CANCELLED}
    assert faults.kills > 0
    assert faults.failures > 0
    assert sum(telemetry.failed_runs for telemetry in records) >= faults.kills / 2
    assert sum(telemetry.seconds[TimeUse.LEASE] for telemetry in records) > LEASE_S / 2
    assert sum(telemetry.seconds[TimeUse.PERSON] for telemetry in records) > 0.4
    workers = {run.worker for one in records for task in one.tasks for run in task.runs}
    assert len(workers) == 2


@pytest.mark.timeout(400)
async def test_the_telemetry_of_twenty_random_missions_adds_up(
    database_url: str, tmp_path: Path, faults: Faults
) -> None:
    await check_missions(database_url, tmp_path, faults, SHORT)


@pytest.mark.slow
@pytest.mark.timeout(1_800)
async def test_the_telemetry_of_two_hundred_random_missions_adds_up(
    database_url: str, tmp_path: Path, faults: Faults
) -> None:
    await check_missions(database_url, tmp_path, faults, LONG)
