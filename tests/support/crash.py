"""Crash drills: start the real program on a mission, kill or stop it at a fault point, and start it again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, Self

import psycopg
from psycopg.rows import dict_row

from frasier.kernel.fault_points import FAULT_POINTS
from support.organisation import DIRECTIVE, write_documents
from support.warm_start import SOURCE

# One task at a time, so that a hit of a fault point is always the same moment of the mission, and no more than one
# call can be in flight. Leases are long: what shall have run out is made to, and a busy machine loses none.
QUICK = {
    "FRASIER_WORKER__CONCURRENCY": "1",
    "FRASIER_WORKER__POLL_S": "0.05",
    "FRASIER_WORKER__RETRY_BASE_S": "0",
    "FRASIER_LOG_LEVEL": "info",
    "FRASIER_MEMORY__EMBEDDING__PROVIDER": "none",
}
# Those that a mission passes once it is there; the memory's own are tried in test_memory_crash and
# test_memory_reembedding_crash.
MEMORY_POINTS = frozenset(
    {
        *("save.before_commit", "scan.file_indexed", "restore.before_commit"),
        *("vectors.before_commit", "spaces.before_switch"),
    }
)
# Those of a team's board, tried in test_board_crash. A mission passes some of them as well, at the same seams as its own.
BOARD_POINTS = frozenset(
    point
    for point in FAULT_POINTS
    if point.partition(".")[0] in {"move", "block", "edit", "decision", "evidence", "external_memory"}
) | {"claim.taken"}
# Those of the founder's page, tried in test_page_crash.
PAGE_POINTS = frozenset({"question.answered", "form.committed"})
# Those of subscribers to events, tried in test_subscription_crash.
SUBSCRIPTION_POINTS = frozenset(
    point for point in FAULT_POINTS if point.partition(".")[0] in {"subscription", "delivery"}
)
# Those of a hire, tried in test_hiring.
HIRE_POINTS = ("hire.before_commit", "hire.committed")
# That of a result whose parts do not fit together, tried in test_coherence_reviews.
COHERENCE_POINTS = ("coherence.before_commit",)
# Those of an upskilling and its trial, tried in test_upskilling, and of a skill in test_skill_trials.
TRIAL_POINTS = ("upskill.before_commit", "upskill.committed", "trial.before_commit", "trial.committed")
# Those of a run that proposes improvements, tried in test_improvement_proposals.
IMPROVEMENT_POINTS = ("improvement.before_commit", "improvement.committed")
# Those of a routine, tried in test_routines.
ROUTINE_POINTS = ("routine.began", "routine.before_commit", "routine.committed")
# Those of evaluations, tried in test_evaluations.
EVALUATION_POINTS = ("evaluation.before_commit", "evaluation.committed")
# Those of a change of a mission that runs, tried in test_replanning.
CHANGE_POINTS = ("split.before_commit", "split.committed", "change.before_commit", "change.committed")
MISSION_POINTS = tuple(
    point
    for point in FAULT_POINTS
    if point
    not in MEMORY_POINTS
    | BOARD_POINTS
    | PAGE_POINTS
    | SUBSCRIPTION_POINTS
    | {
        *HIRE_POINTS,
        *COHERENCE_POINTS,
        *TRIAL_POINTS,
        *ROUTINE_POINTS,
        *IMPROVEMENT_POINTS,
        *EVALUATION_POINTS,
        *CHANGE_POINTS,
    }
)

_DEADLINE_S = 60.0
_PAUSE_S = 0.02


def poll(condition: Callable[[], Any], what: str) -> Any:
    """Return the first true result of `condition`; fail if there is none in time."""
    deadline = time.monotonic() + _DEADLINE_S
    while not (answer := condition()):
        assert time.monotonic() < deadline, f"not in time: {what}"
        time.sleep(_PAUSE_S)
    return answer


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessEnd:
    """The end of a process. `code` is negative for a signal."""

    code: int
    out: str
    err: str

    def __str__(self) -> str:
        return f"exit code {self.code}; {self.out[-1_000:]}\n{self.err[-4_000:]}"

    @property
    def report(self) -> dict[str, Any]:
        """The document that `--json` printed."""
        answer: dict[str, Any] = json.loads(self.out)
        return answer

    @property
    def logged(self) -> list[str]:
        """The logged events, in order."""
        return [json.loads(line).get("event", "") for line in self.err.splitlines() if line.startswith("{")]


class Starter(Protocol):
    """A starter of processes of the program; see WarmStart."""

    def start(
        self, arguments: Sequence[str], environment: Mapping[str, str], *, out: Path, err: Path
    ) -> int: ...

    def wait(self, pid: int) -> int | None: ...


class ColdStart:
    """A starter that runs `python -m frasier` as people do and kills what is left at the end."""

    def __init__(self) -> None:
        self._started: set[int] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        for pid in self._started:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)

    def start(self, arguments: Sequence[str], environment: Mapping[str, str], *, out: Path, err: Path) -> int:
        with out.open("wb") as stdout, err.open("wb") as stderr:
            process = subprocess.Popen(
                [sys.executable, "-m", "frasier", *arguments],
                env={**environment, "PYTHONPATH": str(SOURCE)},
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=stderr,
            )
        process.returncode = 0  # it is reaped below, so that the object has nothing to warn of
        self._started.add(process.pid)
        return process.pid

    def wait(self, pid: int) -> int | None:
        def wait_status() -> tuple[int, int] | None:
            changed, status = os.waitpid(pid, os.WNOHANG | os.WUNTRACED)
            return (changed, status) if changed else None

        _, status = poll(wait_status, f"process {pid} stops or ends")
        if os.WIFSTOPPED(status):
            return None
        self._started.discard(pid)
        return os.waitstatus_to_exitcode(status)


class RunningProcess:
    """A running process of the program."""

    def __init__(self, starter: Starter, pid: int, out: Path, err: Path) -> None:
        self.pid = pid
        self._starter = starter
        self._out = out
        self._err = err

    def until_ended(self) -> ProcessEnd:
        code = self._starter.wait(self.pid)
        ended = self._ended(code)
        assert code is not None, f"it stopped itself and did not end: {ended}"
        return ended

    def until_stopped(self) -> None:
        """Wait until the process has stopped itself at its fault point."""
        code = self._starter.wait(self.pid)
        assert code is None, f"the fault point was never reached: {self._ended(code)}"

    def until_killed(self) -> None:
        """Wait until the process has killed itself at its fault point."""
        ended = self.until_ended()
        assert ended.code == -signal.SIGKILL, f"the fault point was never reached: {ended}"

    def wake(self) -> None:
        os.kill(self.pid, signal.SIGCONT)

    def send(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)

    def _ended(self, code: int | None) -> ProcessEnd:
        return ProcessEnd(code=code or 0, out=self._out.read_text("utf-8"), err=self._err.read_text("utf-8"))


class Drill:
    """One home over one database. With `database_url` None the home has its own embedded server."""

    def __init__(
        self,
        starter: Starter,
        place: Path,
        database_url: str | None,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        self.home = place / "frasier"
        self.out = place / "out"
        self._starter = starter
        self._place = place
        self._count = 0
        self._documents = write_documents(place / "documents")
        self._environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(place / "home"),
            "FRASIER_HOME": str(self.home),
            **QUICK,
            **(settings or {}),
        }
        if database_url is not None:
            self._environment["FRASIER_DATABASE_URL"] = database_url

    def run(self, fault: str = "", *, as_json: bool = True) -> RunningProcess:
        """Start `frasier run` with the usual directive and documents."""
        arguments = ["run", DIRECTIVE, "--sources", str(self._documents), "--out", str(self.out)]
        return self._start([*arguments, *(["--json"] if as_json else [])], fault)

    def resume(self, fault: str = "") -> RunningProcess:
        """Start `frasier resume last`."""
        return self._start(["resume", "last", "--json"], fault)

    def work(self, fault: str = "") -> RunningProcess:
        """Start `frasier worker`."""
        return self._start(["worker"], fault)

    def announcements(self) -> list[dict[str, Any]]:
        """Return the announcements to the founder, oldest first."""
        path = self.home / "announcements.jsonl"
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []

    def _start(self, arguments: list[str], fault: str) -> RunningProcess:
        self._count += 1
        out, err = (self._place / f"{self._count}.{name}" for name in ("out", "err"))
        environment = {**self._environment, **({"FRASIER_FAULT": fault} if fault else {})}
        return RunningProcess(
            self._starter, self._starter.start(arguments, environment, out=out, err=err), out, err
        )


@contextmanager
def connect_for_checks(url: str) -> Iterator[psycopg.Connection[dict[str, Any]]]:
    """Open a connection for the test, in which each statement is its own transaction."""
    with psycopg.connect(url, autocommit=True, row_factory=dict_row) as connection:
        yield connection


def awaited_lock(url: str) -> str:
    """Return the kind of the lock that a transaction of the test's database waits for; empty if none does."""
    with connect_for_checks(url) as connection:
        row = connection.execute(
            "select locktype from pg_locks join pg_stat_activity using (pid)"
            " where not granted and datname = current_database()"
        ).fetchone()
    return str(row["locktype"]) if row else ""


def expire_leases(url: str) -> None:
    """Expire the leases of holders that have stopped their heartbeat, as time would."""
    with connect_for_checks(url) as connection:
        connection.execute(
            "update workflow_tasks set lease_until = now() - interval '1 second' where lease_until is not null"
        )
    expire_sending(url)


def expire_sending(url: str) -> None:
    """Expire the effects whose sender never reported an outcome, as time would."""
    with connect_for_checks(url) as connection:
        connection.execute(
            "update store_effects set lease_until = now() - interval '1 second' where state = 'sending'"
        )


def cut_idle_transactions(url: str) -> int:
    """End idle transactions, as the server does after a minute; return their number."""
    with connect_for_checks(url) as connection:
        row = connection.execute(
            "select count(pg_terminate_backend(pid)) as cut from pg_stat_activity"
            " where datname = current_database() and state = 'idle in transaction'"
        ).fetchone()
    assert row is not None
    return int(row["cut"])
