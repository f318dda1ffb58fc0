"""A process that turns events into effects and delivers them to a file, for drills that kill it."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from frasier.board import board_names
from frasier.kernel.logging_setup import configure_logging
from frasier.store import Database, Deliveries, Effect, EventSubjects, Subscriber
from frasier.workflow import groups_of


class FileChannel:
    """A channel that appends the id and the number of each effect to a file, in one write."""

    def __init__(self, path: Path) -> None:
        self._path = path

    async def send(self, _subscriber: Subscriber, effect: Effect) -> str:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(f"{effect.id} {effect.stream} {effect.payload['data']['seq']}\n")
        return "200"


async def main(url: str, path: Path) -> None:
    """Deliver until nothing is due."""
    async with Database(url) as database:
        deliveries = Deliveries(
            database, {"file": lambda: FileChannel(path)}, EventSubjects(groups_of, board_names)
        )
        while await deliveries.dispatch() or await deliveries.deliver():
            pass


if __name__ == "__main__":
    configure_logging("error")
    asyncio.run(main(sys.argv[1], Path(sys.argv[2])))
