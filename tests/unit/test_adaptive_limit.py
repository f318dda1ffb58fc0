"""The limit on concurrent calls: halved by a rate limit, grown by successes, and never passed."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from frasier.kernel.errors import ProviderRateLimited, ProviderUnavailable
from frasier.llm.adaptive_limit import AdaptiveLimit

SLOW_DOWN = ProviderRateLimited("fewer, please")


class Calls:
    """Calls that hold a slot until the test ends them."""

    def __init__(self, limit: AdaptiveLimit) -> None:
        self.limit = limit
        self.in_flight: list[asyncio.Future[None]] = []
        self.tasks: list[asyncio.Task[None]] = []

    async def begin(self, count: int, *, in_background: bool = False) -> None:
        self.tasks += [asyncio.create_task(self._call(in_background)) for _ in range(count)]
        await settle()

    async def end(self, error: Exception | None = None) -> None:
        """End the oldest call."""
        call = self.in_flight.pop(0)
        if error is None:
            call.set_result(None)
        else:
            call.set_exception(error)
        await settle()

    async def _call(self, in_background: bool) -> None:
        with suppress(ProviderRateLimited, ProviderUnavailable):
            async with self.limit.slot(in_background=in_background):
                ending: asyncio.Future[None] = asyncio.get_running_loop().create_future()
                self.in_flight.append(ending)
                await ending


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_calls_that_were_in_flight_together_halve_the_limit_once():
    calls = Calls(AdaptiveLimit(8))
    await calls.begin(10)
    assert len(calls.in_flight) == 8
    for _ in range(4):
        await calls.end(SLOW_DOWN)
    assert calls.limit.limit == 4
    assert len(calls.in_flight) == 4, "the two that wait are let in only when there is room"


async def test_a_further_rate_limit_halves_it_again_down_to_one_and_no_further():
    calls = Calls(AdaptiveLimit(8))
    for expected in (4, 2, 1, 1):
        await calls.begin(1)
        await calls.end(SLOW_DOWN)
        assert calls.limit.limit == expected


async def test_successes_open_slots_one_after_the_other_up_to_the_maximum():
    calls = Calls(AdaptiveLimit(4))
    await calls.begin(1)
    await calls.end(SLOW_DOWN)
    limits = []
    for _ in range(12):
        await calls.begin(1)
        await calls.end()
        limits.append(calls.limit.limit)
    assert limits == [2, 2, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4]


async def test_other_failures_change_nothing():
    calls = Calls(AdaptiveLimit(4))
    await calls.begin(4)
    await calls.end(ProviderUnavailable("down"))
    assert calls.limit.limit == 4
    await calls.begin(1)
    assert len(calls.in_flight) == 4


async def test_a_call_that_is_cancelled_while_it_waits_or_as_it_is_let_in_takes_no_slot():
    calls = Calls(AdaptiveLimit(1))
    await calls.begin(4)
    calls.tasks[1].cancel()
    await settle()
    calls.in_flight.pop(0).set_result(None)
    await asyncio.sleep(0)  # the third is let in now, and has not gone on
    calls.tasks[2].cancel()
    await settle()
    assert [task.done() for task in calls.tasks] == [True, True, True, False]
    assert len(calls.in_flight) == 1


async def test_calls_that_are_all_cancelled_at_once_end_as_cancelled():
    calls = Calls(AdaptiveLimit(1))
    await calls.begin(3)
    for task in calls.tasks:
        task.cancel()
    ended = await asyncio.gather(*calls.tasks, return_exceptions=True)
    assert [type(error) for error in ended] == [asyncio.CancelledError] * 3
    await calls.begin(1)
    assert len(calls.in_flight) == 2, "the slot is free again"


async def test_a_call_in_the_background_leaves_a_slot_free_where_there_are_several():
    calls = Calls(AdaptiveLimit(2))
    await calls.begin(2, in_background=True)
    assert len(calls.in_flight) == 1
    await calls.begin(1)
    assert len(calls.in_flight) == 2, "the last slot was free"
    await calls.end()
    assert len(calls.in_flight) == 1, "while another is in flight, none in the background is let in"
    await calls.end()
    assert len(calls.in_flight) == 1


async def test_where_there_is_one_slot_a_call_in_the_background_takes_it_after_all_others():
    calls = Calls(AdaptiveLimit(1))
    await calls.begin(1)
    await calls.begin(1, in_background=True)
    await calls.begin(1)
    await calls.end()
    assert [task.done() for task in calls.tasks] == [True, False, False]
    await calls.end()
    assert [task.done() for task in calls.tasks] == [True, False, True]
    await calls.end()
    assert all(task.done() for task in calls.tasks)
