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
    cold, migrating, warm, attach = [], [], [], []
    for _ in range(sizes.servers):
        with workspace.folder("start") as folder:
            server = EmbeddedServer(folder / "pg")
            try:
                cold.append(seconds_of(server.start))
                migrating.append(seconds_of(partial(_migrate, server)))
                server.stop()
                warm.append(seconds_of(server.ensure))
                visitor = EmbeddedServer(folder / "pg")
                attach.append(seconds_of(visitor.start))
                visitor.release()
            finally:
                server.stop()
                server.release()
    return [
        Figure(
            what=f"embedded server: {what}",
            value=statistics.median(taken),
            unit="s",
            detail=spread(taken, "s", 3),
        )
        for what, taken in (
            ("cold start (initdb, start, roles, database)", cold),
            ("all migrations on the empty database", migrating),
            ("warm start", warm),
            ("attach to the running one", attach),
        )
    ]


def _migrate(server: EmbeddedServer) -> None:
    asyncio.run(migrate(server.url("frasier_owner")))
