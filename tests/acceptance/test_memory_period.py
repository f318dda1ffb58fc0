"""Memories of a time: recalled and listed by when they happened, or else by when they were saved."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from frasier.kernel.errors import InvalidInput

MAY, JUNE = "2026-05-01", "2026-06-01"


async def _said(memory_client, content: str, occurred_at: str | None = None) -> str:
    return await memory_client.save(content, kind="conversation", occurred_at=occurred_at)


@pytest.mark.parametrize("query", ["what did Ann say about the harbour?", ""])
async def test_what_happened_in_a_period_is_recalled_alone(memory_client, query):
    said = {
        day: await _said(memory_client, f"Ann says of the harbour: visit {nth}.", day)
        for nth, day in enumerate(("2026-04-30T23:59:59Z", MAY, "2026-05-31T23:59:59Z", JUNE))
    }
    now = await _said(memory_client, "Ann says of the harbour that it is closed.")

    async def found(**period) -> set[str]:
        return set(await memory_client.found(query, kinds=["conversation"], limit=50, **period))

    everything = {*said.values(), now}
    assert await found() == everything
    assert await found(occurred_from=MAY, occurred_before=JUNE) == {said[MAY], said["2026-05-31T23:59:59Z"]}
    assert await found(occurred_before=MAY) == {said["2026-04-30T23:59:59Z"]}
    assert await found(occurred_from="2026-05-31T00:00:00+00:00") == everything - {
        said[MAY],
        said["2026-04-30T23:59:59Z"],
    }
    today = datetime.now(UTC) - timedelta(hours=1)
    assert await found(occurred_from=today.isoformat()) == {now}


async def test_a_single_match_of_a_day_is_found_behind_hundreds_of_better_ones(memory_client):
    old = await _said(memory_client, "Of the lighthouse something was said by somebody long ago.", MAY)
    for nth in range(150):
        await _said(memory_client, f"The lighthouse, lighthouse {nth}.", f"2026-06-{1 + nth % 28:02}")
    query = {"query": "lighthouse", "kinds": ["conversation"], "limit": 3}
    assert old not in await memory_client.found(**query)
    assert await memory_client.found(**query, occurred_before=JUNE) == [old]
    concepts = query | {"query": "", "concepts": ["lighthouse", "somebody"]}
    assert await memory_client.found(**concepts, occurred_before=JUNE) == [old]


async def test_a_list_is_of_a_period_too_page_by_page(memory_client):
    days = [await _said(memory_client, f"Notes of day {day}.", f"2026-05-{day:02}") for day in range(1, 8)]
    period = {"occurred_from": "2026-05-03", "occurred_before": "2026-05-06", "kinds": ["conversation"]}
    first = await memory_client("memory_list", limit=2, **period)
    rest = await memory_client("memory_list", limit=2, after=first["next"], **period)
    assert (first["total"], rest["total"]) == (3, 3)
    assert [one["id"] for one in (*first["memories"], *rest["memories"])] == days[4:1:-1]


async def test_a_period_that_ends_before_it_begins_is_refused(memory_client):
    for tool in ("memory_search", "memory_list"):
        with pytest.raises(
            InvalidInput, match="No time is from 2026-06-01 00:00 on and before 2026-05-01 00:00"
        ):
            await memory_client(tool, occurred_from=JUNE, occurred_before=MAY)


async def test_a_time_without_a_zone_is_utc(memory_client):
    memory_id = await _said(memory_client, "The tram to the harbour leaves.", "2026-05-01T09:30")
    assert (await memory_client("memory_get", id=memory_id))["occurred_at"] == "2026-05-01T09:30:00+00:00"
