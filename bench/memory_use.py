"""Resident memory of an idle worker, and of an idle `frasier up` with its PostgreSQL."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.figures import Figure, at_most
from bench.programs import FRASIER
from bench.sizes import Sizes
from bench.workspace import Workspace
from frasier.store.embedded import EmbeddedServer, default_root

_MB = 1e6
_STOP_S_MAX = 30.0


@dataclass(frozen=True, slots=True)
class Memory:
    """Memory in megabytes. `pss` counts a page shared by n processes as 1/n in each, `rss` in full."""

    pss: float
    rss: float
    processes: int


def measure_memory(workspace: Workspace, sizes: Sizes) -> list[Figure]:
    return [_measure_worker(workspace, sizes.idle_s), _measure_up(workspace, sizes.idle_s)]


def _measure_worker(workspace: Workspace, idle_s: float) -> Figure:
    with workspace.database() as urls, workspace.folder("home") as home:
        environment = {
            **workspace.environment,
            "FRASIER_HOME": str(home),
            "FRASIER_DATABASE_URL": urls.app,
            "FRASIER_DATABASE__OWNER_URL": urls.owner,
        }
        with run_idle(["worker"], environment, idle_s) as pid:
            used = memory_of([pid])
    return Figure(
        what="`frasier worker`, idle, RSS",
        value=used.rss,
        unit="MB",
        target=at_most(120),
        detail=f"PSS {used.pss:.0f} MB; its database runs elsewhere",
    )


def _measure_up(workspace: Workspace, idle_s: float) -> Figure:
    with workspace.folder("home") as home:
        environment = {**workspace.environment, "FRASIER_HOME": str(home)}
        server = EmbeddedServer(default_root(home, explicit=True))
        try:
            with run_idle(["up"], environment, idle_s) as pid:
                program = memory_of([pid])
                assert server.pid is not None
                database = memory_of(_process_group(server.pid))
        finally:
            server.stop()
    return Figure(
        what="`frasier up` with its PostgreSQL, idle, PSS",
        value=program.pss + database.pss,
        unit="MB",
        target=at_most(300),
        detail=f"program PSS {program.pss:.0f} MB (RSS {program.rss:.0f}), PostgreSQL PSS {database.pss:.0f} MB "
        f"(RSS {database.rss:.0f} in {database.processes} processes, shared pages counted in each); "
        f"RSS summed {program.rss + database.rss:.0f} MB",
    )


@contextmanager
def run_idle(command: Sequence[str], environment: Mapping[str, str], idle_s: float) -> Iterator[int]:
    """Start a `frasier` process, leave it idle for a while, yield its id, and check that it stops on SIGTERM."""
    process = subprocess.Popen(
        [*FRASIER, *command],
        env=dict(environment),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    with process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line.startswith("Frasier is up"), f"`frasier {' '.join(command)}` printed {line!r}"
            time.sleep(idle_s)
            yield process.pid
            process.terminate()
            assert process.wait(_STOP_S_MAX) == 0, f"`frasier {' '.join(command)}` did not end in order"
        finally:
            process.kill()


def memory_of(pids: list[int]) -> Memory:
    pss = rss = 0.0
    for pid in pids:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text("utf-8").splitlines():
            name, _, rest = line.partition(":")
            if name in {"Pss", "Rss"}:
                bytes_ = int(rest.split()[0]) * 1024
                pss, rss = (pss + bytes_, rss) if name == "Pss" else (pss, rss + bytes_)
    return Memory(pss / _MB, rss / _MB, len(pids))


def _process_group(pid: int) -> list[int]:
    """Return the id of the server's main process and those of its children."""
    return [pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text("utf-8").split())]
