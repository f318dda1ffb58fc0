"""Resident memory while idle: of one worker, and of `frasier up` with its PostgreSQL."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator, Mapping
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
class _Memory:
    """Megabytes. `pss` counts a page that n processes share as 1/n in each, so that sums are true; `rss` in full."""

    pss: float
    rss: float
    processes: int


def measure_memory(workspace: Workspace, sizes: Sizes) -> list[Figure]:
    return [_worker(workspace, sizes.idle_s), _everything(workspace, sizes.idle_s)]


def _worker(workspace: Workspace, idle_s: float) -> Figure:
    with workspace.database() as urls, workspace.folder("home") as home:
        environment = {
            **workspace.environment,
            "FRASIER_HOME": str(home),
            "FRASIER_DATABASE_URL": urls.app,
            "FRASIER_DATABASE__OWNER_URL": urls.owner,
        }
        with _resting("worker", environment, idle_s) as pid:
            used = _memory([pid])
    return Figure(
        what="`frasier worker`, idle, RSS",
        value=used.rss,
        unit="MB",
        target=at_most(120),
        detail=f"PSS {used.pss:.0f} MB; its database runs elsewhere",
    )


def _everything(workspace: Workspace, idle_s: float) -> Figure:
    with workspace.folder("home") as home:
        environment = {**workspace.environment, "FRASIER_HOME": str(home)}
        server = EmbeddedServer(default_root(home, explicit=True))
        try:
            with _resting("up", environment, idle_s) as pid:
                program = _memory([pid])
                assert server.pid is not None
                database = _memory(_with_children(server.pid))
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
def _resting(command: str, environment: Mapping[str, str], idle_s: float) -> Iterator[int]:
    """The id of a `frasier` process that came up, was left alone for a while, and then ends when it is asked to."""
    process = subprocess.Popen(
        [*FRASIER, command],
        env=dict(environment),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    with process:
        try:
            assert process.stdout is not None
            said = process.stdout.readline()
            assert said.startswith("Frasier is up"), f"`frasier {command}` said {said!r}"
            time.sleep(idle_s)
            yield process.pid
            process.terminate()
            assert process.wait(_STOP_S_MAX) == 0, f"`frasier {command}` did not end in order"
        finally:
            process.kill()


def _memory(pids: list[int]) -> _Memory:
    pss = rss = 0.0
    for pid in pids:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text("utf-8").splitlines():
            name, _, rest = line.partition(":")
            if name in {"Pss", "Rss"}:
                bytes_ = int(rest.split()[0]) * 1024
                pss, rss = (pss + bytes_, rss) if name == "Pss" else (pss, rss + bytes_)
    return _Memory(pss / _MB, rss / _MB, len(pids))


def _with_children(pid: int) -> list[int]:
    """The server's first process and those that it started."""
    return [pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text("utf-8").split())]
