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
from bench.mission_speed import measure_slow_missions
from bench.programs import FRASIER, run_program
from bench.sizes import Sizes
from bench.workspace import Workspace
from frasier.store.embedded import EmbeddedServer, default_root

_EXAMPLE = Path(__file__).parent.parent / "examples" / "embedded-databases"
_SERVING, _MIGRATED, _RUN_ENDED = "postgres.serving", "schema.migrated", "run.ended"


@dataclass(frozen=True, slots=True, kw_only=True)
class _MissionTiming:
    """Durations in seconds of the whole command and of its parts, taken from the log of the program.

    `starting`: start the program and its database server; `migrating`: create roles, database and schema; `working`:
    plan, research, write and review; `closing`: publish, and stop the database server.
    """

    total: float
    starting: float
    migrating: float
    working: float
    closing: float


def measure_mission(workspace: Workspace, sizes: Sizes) -> list[Figure]:
    timings = []
    for _ in range(sizes.missions):
        with workspace.folder("home") as home:
            try:
                timings.append(_run_mission(workspace, home))
            finally:
                EmbeddedServer(default_root(home, explicit=True)).stop()
    total = [timing.total for timing in timings]
    typical = min(timings, key=lambda timing: abs(timing.total - statistics.median(total)))
    return [
        Figure(
            what="an empty home to a finished mission (rehearsal)",
            value=statistics.median(total),
            unit="s",
            target=at_most(90),
            detail=f"{spread(total, 's')}; in one of them: database first start {typical.starting:.2f} s, "
            f"provisioning and migration {typical.migrating:.2f} s, the runs of the mission "
            f"{typical.working:.2f} s, publication and stopping {typical.closing:.2f} s; packages installed",
        ),
        *measure_slow_missions(workspace, sizes),
    ]


def _run_mission(workspace: Workspace, home: Path) -> _MissionTiming:
    environment = {**workspace.environment, "FRASIER_HOME": str(home), "FRASIER_LOG_LEVEL": "info"}
    directive = (_EXAMPLE / "directive.txt").read_text("utf-8").strip()
    sources, out = str(_EXAMPLE / "sources"), str(home / "out")
    started_at = time.time()
    total, process = run_program(
        [*FRASIER, "run", directive, "--sources", sources, "--out", out, "--json"], environment
    )
    result = json.loads(process.stdout)
    assert result["status"] == "delivered", f"the mission ended as {result['status']}"
    assert Path(result["deliverable"]).stat().st_size > 0
    event_times = _event_times(process.stderr)
    serving_at, migrated_at, ended_at = (event_times[kind][-1] for kind in (_SERVING, _MIGRATED, _RUN_ENDED))
    return _MissionTiming(
        total=total,
        starting=serving_at - started_at,
        migrating=migrated_at - serving_at,
        working=ended_at - migrated_at,
        closing=started_at + total - ended_at,
    )


def _event_times(log: str) -> dict[str, list[float]]:
    """Return the times of the log lines of each event, in seconds since the epoch."""
    event_times: dict[str, list[float]] = defaultdict(list)
    for line in log.splitlines():
        entry = json.loads(line)
        event_times[entry["event"]].append(datetime.fromisoformat(entry["timestamp"]).timestamp())
    return event_times
