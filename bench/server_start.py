"""Duration of starting the embedded server: created, started again, and already running."""

from __future__ import annotations

import asyncio
import statistics
from functools import partial

from bench.figures import Figure, spread
from bench.sizes import Sizes
from bench.timing import seconds_of
from bench.workspace import Workspace
from frasier.store import migrate
from frasier.store.embedded import EmbeddedServer


def measure_server_start(workspace: Workspace, sizes: Sizes) -> list[Figure]:
    """Measure the starts of the embedded server, and all migrations on an empty database."""
    cold, migrating, warm, attaching = [], [], [], []
    for _ in range(sizes.servers):
        with workspace.folder("start") as folder:
            server = EmbeddedServer(folder / "pg")
            try:
                cold.append(seconds_of(server.start))
                migrating.append(seconds_of(partial(_migrate, server)))
                server.stop()
                warm.append(seconds_of(server.ensure))
                second = EmbeddedServer(folder / "pg")
                attaching.append(seconds_of(second.start))
                second.release()
            finally:
                server.stop()
                server.release()
    return [
        Figure(
            what=f"embedded server: {what}",
            value=statistics.median(seconds),
            unit="s",
            detail=spread(seconds, "s", 3),
        )
        for what, seconds in (
            ("cold start (initdb, start, roles, database)", cold),
            ("all migrations on the empty database", migrating),
            ("warm start", warm),
            ("attach to the running one", attaching),
        )
    ]


def _migrate(server: EmbeddedServer) -> None:
    asyncio.run(migrate(server.url("frasier_owner")))
