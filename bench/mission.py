"""Duration from an empty home to a finished mission by one command, and its parts."""

from __future__ import annotations

import json
import statistics
import time
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from bench.figures import Figure, at_most, spread
from bench.programs import FRASIER, run_program
from bench.sizes import Sizes
from bench.workspace import Workspace
from frasier.store.embedded import EmbeddedServer, default_root

_EXAMPLE = Path(__file__).parent.parent / "examples" / "embedded-databases"
_SERVING, _MIGRATED, _RUN_ENDED = "postgres.serving", "schema.migrated", "run.ended"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Trip:
    """Seconds of the whole and of its parts, which the program's own log tells.

    `serving`: the program starts and makes its database; `migrated`: roles, database and schema are there;
    `worked`: planned, researched, written, reviewed; `closed`: published, and the database stopped.
    """

    whole: float
    serving: float
    migrated: float
    worked: float
    closed: float


def measure_mission(workspace: Workspace, sizes: Sizes) -> list[Figure]:
    trips = []
    for _ in range(sizes.missions):
        with workspace.folder("home") as home:
            try:
                trips.append(_travel(workspace, home))
            finally:
                EmbeddedServer(default_root(home, explicit=True)).stop()
    whole = [trip.whole for trip in trips]
    typical = min(trips, key=lambda trip: abs(trip.whole - statistics.median(whole)))
    return [
        Figure(
            what="an empty home to a finished mission (rehearsal)",
            value=statistics.median(whole),
            unit="s",
            target=at_most(90),
            detail=f"{spread(whole, 's')}; in one of them: database first start {typical.serving:.2f} s, "
            f"provisioning and migration {typical.migrated:.2f} s, the runs of the mission "
            f"{typical.worked:.2f} s, publication and stopping {typical.closed:.2f} s; packages installed",
        )
    ]


def _travel(workspace: Workspace, home: Path) -> _Trip:
    environment = {**workspace.environment, "FRASIER_HOME": str(home), "FRASIER_LOG_LEVEL": "info"}
    directive = (_EXAMPLE / "directive.txt").read_text("utf-8").strip()
    sources, out = str(_EXAMPLE / "sources"), str(home / "out")
    began = time.time()
    whole, ended = run_program(
        [*FRASIER, "run", directive, "--sources", sources, "--out", out, "--json"], environment
    )
    told = json.loads(ended.stdout)
    assert told["status"] == "delivered", f"the mission ended as {told['status']}"
    assert Path(told["deliverable"]).stat().st_size > 0
    moments = _moments(ended.stderr)
    serving, migrated, worked = (moments[kind][-1] for kind in (_SERVING, _MIGRATED, _RUN_ENDED))
    return _Trip(
        whole=whole,
        serving=serving - began,
        migrated=migrated - serving,
        worked=worked - migrated,
        closed=began + whole - worked,
    )


def _moments(log: str) -> dict[str, list[float]]:
    """When lines of each kind were written, in seconds since the epoch."""
    moments: dict[str, list[float]] = defaultdict(list)
    for line in log.splitlines():
        entry = json.loads(line)
        moments[entry["event"]].append(datetime.fromisoformat(entry["timestamp"]).timestamp())
    return moments
