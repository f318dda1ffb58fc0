"""What is decided while a call is in flight: the call is paid either way, so it is stored or booked, never lost."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from frasier.interfaces.services import Services
from frasier.llm import ProviderCall, ProviderReply, Purpose
from frasier.llm.providers.rehearsal.provider import RehearsalProvider
from frasier.org.execution.escalations import continue_mission
from frasier.org.missions import MissionStatus, get_mission
from frasier.org.planning.mission_lifecycle import cancel_mission, pause_mission
from frasier.work import Directive
from support.organisation import DIRECTIVE, organisation, wait_until_settled, write_documents


class Interrupted:
    """The rehearsal provider; while it answers its first call of one purpose, something happens."""

    name = "rehearsal"

    def __init__(self, purpose: Purpose) -> None:
        self.meanwhile: Callable[[], Awaitable[object]] | None = None
        self.asked = 0
        self._purpose = purpose
        self._rehearsal = RehearsalProvider()

    async def complete(self, call: ProviderCall) -> ProviderReply:
        if call.purpose is self._purpose:
            self.asked += 1
            if self.meanwhile:
                meanwhile, self.meanwhile = self.meanwhile, None
                await meanwhile()
        return await self._rehearsal.complete(call)

    async def close(self) -> None:
        return


async def _start(services: Services, tmp_path: Path) -> Any:
    asked = Directive(
        text=DIRECTIVE, destination=tmp_path / "out", sources=(write_documents(tmp_path / "drinks"),)
    )
    return (await services.take_directive(asked)).mission.id


async def _calls(services: Services) -> list[tuple[str, str]]:
    async with services.board.database.transaction() as tx:
        rows = await (await tx.execute("select purpose, state from llm_calls order by started_at")).fetchall()
        held = await (await tx.execute("select from llm_spend where reserved_tokens > 0")).fetchall()
    assert held == [], "a cap still holds a reservation"
    return [(row["purpose"], row["state"]) for row in rows]


async def test_a_reply_that_arrives_after_the_pause_is_stored_and_not_asked_for_again(
    database_url: str, tmp_path: Path
) -> None:
    provider = Interrupted(Purpose.PLAN)
    async with organisation(database_url, tmp_path / "frasier", provider=provider) as services:
        mission_id = await _start(services, tmp_path)

        async def pause() -> None:
            async with services.board.database.transaction() as tx:
                await pause_mission(tx, await get_mission(tx, mission_id))

        provider.meanwhile = pause
        async with services.running():
            paused = await wait_until_settled(services, mission_id)
        assert paused.status is MissionStatus.PAUSED
        assert await _calls(services) == [("plan", "settled")]

        async with services.board.database.transaction() as tx:
            await continue_mission(tx, await get_mission(tx, mission_id))
        async with services.running():
            snapshot = await wait_until_settled(services, mission_id)
    assert snapshot.status is MissionStatus.DELIVERED
    assert provider.asked == 1


async def test_a_call_in_flight_at_the_cancellation_is_booked_and_holds_no_cap(
    database_url: str, tmp_path: Path
) -> None:
    provider = Interrupted(Purpose.PLAN)
    async with organisation(database_url, tmp_path / "frasier", provider=provider) as services:
        mission_id = await _start(services, tmp_path)

        async def cancel() -> None:
            async with services.board.database.transaction() as tx:
                await cancel_mission(tx, await get_mission(tx, mission_id), reason="no longer wanted")

        provider.meanwhile = cancel
        async with services.running():
            snapshot = await wait_until_settled(services, mission_id)
        assert snapshot.status is MissionStatus.CANCELLED
        assert await _calls(services) == [("plan", "unknown")]
