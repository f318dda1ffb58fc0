"""The engine's recurring jobs beside whoever serves it: each by its own clock, and none ends by an error."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from frasier.kernel.errors import FrasierError
from frasier.kernel.logging_setup import get_logger
from frasier.memory import Upkeep

log = get_logger()

_PAUSE_FACTOR_MAX = 30


@asynccontextmanager
async def run_upkeep(jobs: Sequence[Upkeep]) -> AsyncIterator[None]:
    """Run the jobs while the body runs; cancel them at its end, which each of them tolerates."""
    running = [asyncio.create_task(_again_and_again(job), name=f"memory-{job[0]}") for job in jobs]
    try:
        yield
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


async def _again_and_again(job: Upkeep) -> None:
    """Repeat a job, with a longer wait after each failure in a row."""
    name, every_s, run = job
    failures = 0
    while True:
        try:
            await run()
            failures = 0
        except Exception as error:  # noqa: BLE001  whatever it was, the next time may go well
            failures += 1
            said = error.message if isinstance(error, FrasierError) else type(error).__name__
            log.warning("memory.upkeep_failed", job=name, failures=failures, error=said)
        await asyncio.sleep(every_s * min(2**failures, _PAUSE_FACTOR_MAX))
