"""Facts about the machine on which the figures were measured."""

from __future__ import annotations

import os
import platform
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import psycopg

from bench.figures import p50, p95
from bench.workspace import Workspace
from frasier import __version__

_PAGE = b"\0" * 8192
_QUIET_CORES = 0.15


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """The machine of a report.

    `load` is the load average of the last minute before the first measurement. `fsync_ms` are the median and the 95th
    percentile of a write of 8 KiB to the disk that holds the database.
    """

    measured_at: str
    frasier: str
    cores: int
    processor: str
    memory_gb: float
    system: str
    python: str
    postgresql: str
    durable: bool
    filesystem: str
    load: float
    fsync_ms: tuple[float, float]

    @property
    def lines(self) -> list[str]:
        durable = "every commit durable" if self.durable else "NOT durable"
        fsync, slow = self.fsync_ms
        return [
            f"{self.measured_at}, Frasier {self.frasier}, load average before: {self.load:.2f}",
            f"{self.cores} cores ({self.processor}), {self.memory_gb:.0f} GB, {self.system}, {self.filesystem}",
            f"Python {self.python}, PostgreSQL {self.postgresql} ({durable})",
            f"fsync of 8 KiB: p50 {fsync:.2f} ms, p95 {slow:.2f} ms",
        ]


def cores_in_use(seconds: float) -> float:
    """Return the number of cores in use by other programs. Call it while the benchmark itself is idle."""
    before, started = _busy_ticks(), time.monotonic()
    time.sleep(seconds)
    return (_busy_ticks() - before) / os.sysconf("SC_CLK_TCK") / (time.monotonic() - started)


def _busy_ticks() -> int:
    user, nice, system, _idle, _waiting, irq, softirq, stolen, *_ = map(
        int, Path("/proc/stat").read_text("utf-8").partition("\n")[0].split()[1:]
    )
    return user + nice + system + irq + softirq + stolen


def wait_for_quiet(seconds_max: float, probe_s: float) -> float:
    """Wait for other programs to become idle, for at most `seconds_max`; return the cores that they still use."""
    deadline = time.monotonic() + seconds_max
    while (cores := cores_in_use(probe_s)) > _QUIET_CORES and time.monotonic() < deadline:
        continue
    return cores


def describe_machine(workspace: Workspace) -> Machine:
    """Return the facts about this machine, its database server and its disk."""
    load = os.getloadavg()[0]  # read before our own server adds to it
    version, durable = _server_facts(workspace)
    fsyncs = fsync_ms(workspace.directory)
    return Machine(
        measured_at=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        frasier=__version__,
        cores=len(os.sched_getaffinity(0)),
        processor=_first_line("/proc/cpuinfo", "model name"),
        memory_gb=os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9,
        system=f"{platform.system()} {platform.release()}",
        python=platform.python_version(),
        postgresql=version,
        durable=durable,
        filesystem=_filesystem(workspace.directory),
        load=load,
        fsync_ms=(p50(fsyncs), p95(fsyncs)),
    )


def _server_facts(workspace: Workspace) -> tuple[str, bool]:
    with psycopg.connect(workspace.server.url()) as connection:
        row = connection.execute(
            "select current_setting('server_version'), current_setting('fsync'),"
            " current_setting('synchronous_commit')"
        ).fetchone()
    assert row is not None
    return row[0], row[1] == "on" and row[2] == "on"


def fsync_ms(directory: Path, times: int = 100) -> list[float]:
    """Return the milliseconds of each of several syncs of 8 KiB to the disk of `directory`."""
    samples = []
    path = directory / "fsync"
    with path.open("wb", buffering=0) as file:
        for _ in range(times):
            started = time.perf_counter()
            file.write(_PAGE)
            os.fdatasync(file.fileno())
            samples.append((time.perf_counter() - started) * 1000)
    path.unlink()
    return samples


def _first_line(path: str, key: str) -> str:
    for line in Path(path).read_text("utf-8").splitlines():
        name, _, value = line.partition(":")
        if name.strip() == key:
            return value.strip()
    return platform.machine()


def _filesystem(directory: Path) -> str:
    """Return the type of the file system of `directory`: that of the longest mount point above it."""
    filesystem, longest_mount = "unknown file system", -1
    for line in Path("/proc/mounts").read_text("utf-8").splitlines():
        _device, mount, kind, *_ = line.split()
        if directory.is_relative_to(mount) and len(mount) > longest_mount:
            filesystem, longest_mount = kind, len(mount)
    return filesystem
