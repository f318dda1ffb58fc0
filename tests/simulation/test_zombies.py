"""A worker that sleeps past its lease: somebody else finishes the mission, and when it wakes it changes nothing."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, LiteralString

import pytest

from frasier.interfaces.services import Services
from frasier.llm import ProviderCall, ProviderReply, Purpose
from frasier.llm.providers.rehearsal.provider import RehearsalProvider
from frasier.org.missions import MissionStatus
from frasier.work import Directive
from support.crash import Drill, ProcessEnd, connect_for_checks, cut_idle_transactions, expire_leases
from support.mission_invariants import Summary, check_invariants, doubtful_calls, state_of
from support.organisation import DIRECTIVE, QUICK, organisation, wait_until_settled, write_documents
from support.warm_start import WarmStart

IN_TRANSACTION = {
    "deliver.before_commit",
    "review.before_commit",
    "plan.before_commit",
    "mission.before_complete",
}
IN_FLIGHT = {"llm.intent_committed", "llm.reply_received"}
# Where a run still has something to write when it wakes.
UNDER_WAY = (
    IN_TRANSACTION | IN_FLIGHT | {"claim.committed", "run.context_saved", "llm.settled", "phase.checkpointed"}
)


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param("llm.reply_received:stop", marks=pytest.mark.slow),
        "deliver.before_commit:stop",
        pytest.param("outbox.claimed:stop", marks=pytest.mark.slow),
        "outbox.sent:stop",
        pytest.param("claim.committed:stop:3", marks=pytest.mark.slow),
        pytest.param("run.context_saved:stop", marks=pytest.mark.slow),
        pytest.param("llm.intent_committed:stop:4", marks=pytest.mark.slow),
        pytest.param("llm.settled:stop:3", marks=pytest.mark.slow),
        pytest.param("phase.checkpointed:stop:2", marks=pytest.mark.slow),
        pytest.param("deliver.committed:stop", marks=pytest.mark.slow),
        pytest.param("review.before_commit:stop", marks=pytest.mark.slow),
        pytest.param("review.committed:stop", marks=pytest.mark.slow),
        pytest.param("plan.before_commit:stop", marks=pytest.mark.slow),
        pytest.param("plan.committed:stop", marks=pytest.mark.slow),
        pytest.param("mission.before_complete:stop", marks=pytest.mark.slow),
        pytest.param("mission.completed:stop", marks=pytest.mark.slow),
        pytest.param("outbox.claimed:stop:2", marks=pytest.mark.slow),
        pytest.param("outbox.sent:stop:2", marks=pytest.mark.slow),
        pytest.param("outbox.confirmed:stop", marks=pytest.mark.slow),
    ],
)
def test_a_worker_that_wakes_late_changes_nothing(
    fault: str, warm: WarmStart, database_url: str, tmp_path: Path, undisturbed: Summary
) -> None:
    point = fault.partition(":")[0]
    drill = Drill(warm, tmp_path, database_url)
    sleeper = drill.run(fault)
    sleeper.until_stopped()
    # The server does this after a minute; until then what the sleeper has locked stays locked.
    cut = cut_idle_transactions(database_url)
    assert cut or point not in IN_TRANSACTION
    expire_leases(database_url)
    finisher = drill.resume().until_ended()
    assert finisher.code == 0, finisher
    before = state_of(database_url, _places(drill))

    sleeper.wake()
    woken = sleeper.until_ended()

    assert state_of(database_url, _places(drill)) == before
    _check_farewell(woken, finisher, loses=point in UNDER_WAY)
    mission = woken.report["mission"]
    assert check_invariants(drill, database_url, mission) == undisturbed
    with connect_for_checks(database_url) as connection:
        assert len(doubtful_calls(connection, mission)) == (point in IN_FLIGHT)


@pytest.mark.slow
def test_the_server_itself_frees_what_a_sleeper_has_locked(
    warm: WarmStart, database_url: str, tmp_path: Path, undisturbed: Summary
) -> None:
    drill = Drill(warm, tmp_path, database_url)
    sleeper = drill.run("deliver.before_commit:stop")
    sleeper.until_stopped()
    expire_leases(database_url)  # waits for the lock that the sleeper's transaction holds
    finisher = drill.resume().until_ended()
    assert finisher.code == 0, finisher
    before = state_of(database_url, _places(drill))

    sleeper.wake()
    woken = sleeper.until_ended()

    assert state_of(database_url, _places(drill)) == before
    _check_farewell(woken, finisher, loses=True)
    assert check_invariants(drill, database_url, woken.report["mission"]) == undisturbed


class Sleepy:
    """The rehearsal provider, but its first plan never comes, and its second when it is told to."""

    name = "rehearsal"

    def __init__(self) -> None:
        self.asked = 0
        self.began = asyncio.Event()
        self.given_up = asyncio.Event()
        self.go_on = asyncio.Event()
        self._rehearsal = RehearsalProvider()

    async def complete(self, call: ProviderCall) -> ProviderReply:
        if call.purpose is Purpose.PLAN:
            self.asked += 1
            self.began.set()
            try:
                await (asyncio.Event() if self.asked == 1 else self.go_on).wait()
            except asyncio.CancelledError:
                self.given_up.set()
                raise
        return await self._rehearsal.complete(call)

    async def close(self) -> None:
        return


async def test_a_worker_that_takes_over_from_itself_ends_its_older_run_and_keeps_the_newer_lease(
    database_url: str, tmp_path: Path
) -> None:
    provider = Sleepy()
    quick = QUICK.model_copy(update={"lease_s": 9.0})
    async with organisation(database_url, tmp_path / "frasier", provider=provider, worker=quick) as services:
        asked = Directive(
            text=DIRECTIVE, destination=tmp_path / "out", sources=(write_documents(tmp_path / "drinks"),)
        )
        mission_id = (await services.take_directive(asked)).mission.id
        async with services.running(), asyncio.timeout(60):
            await provider.began.wait()
            while provider.asked < 2:
                await _in_one_statement(services, "update workflow_tasks set lease_until = now() - interval '1 second'"
                    " where attempt = 1 and lease_owner is not null")  # fmt: skip
            await provider.given_up.wait()
            seen: set[object] = set()
            while len(seen) < 3:
                row = await _in_one_statement(services, "select attempt, lease_until from workflow_tasks")
                assert row["attempt"] == 2
                seen.add(row["lease_until"])
            provider.go_on.set()
            snapshot = await wait_until_settled(services, mission_id)
    assert snapshot.status is MissionStatus.DELIVERED
    assert provider.asked == 2


async def _in_one_statement(services: Services, statement: LiteralString) -> dict[str, Any]:
    await asyncio.sleep(0.02)
    async with services.board.database.transaction() as tx:
        cursor = await tx.execute(statement)
        return (await cursor.fetchone() or {}) if cursor.description else {}


def _places(drill: Drill) -> list[Path]:
    return [drill.home / "announcements.jsonl", drill.out]


def _check_farewell(woken: ProcessEnd, finisher: ProcessEnd, *, loses: bool) -> None:
    """The sleeper says truly how the mission stands, and that it lost its lease where it did."""
    assert woken.code == 0, woken
    assert woken.report["status"] == "delivered"
    assert woken.report["folder"] == finisher.report["folder"]
    assert ("run.lease_lost" in woken.logged) is loses
    assert "run.defect" not in woken.logged
