"""The report file of a run: read only if this very run has written it, inside the command's folder."""

from __future__ import annotations

import os
import stat
import time
from dataclasses import dataclass
from pathlib import Path

from frasier.board.commands.declared_command import DeclaredCommand, report_path
from frasier.board.commands.junit_report import REPORT_BYTES_MAX
from frasier.kernel.errors import InvalidInput, SourceError

# Some file systems store times in steps of one or two seconds.
_CLOCK_NS = 2_000_000_000


@dataclass(frozen=True, slots=True)
class ReportBefore:
    """The file at the report's path before the run, if any, and the time at which the run began."""

    stood: tuple[int, ...] | None
    began_ns: int


def look_before(command: DeclaredCommand) -> ReportBefore:
    """Note the file at the report's path before a run. Raises InvalidInput if that is outside the folder."""
    path = report_path(command)
    try:
        stood = None if path is None else _identity(path.stat(follow_symlinks=False))
    except OSError:
        stood = None
    return ReportBefore(stood, time.time_ns())


def read_report(command: DeclaredCommand, before: ReportBefore) -> bytes:
    """Return the report that the run has written. Raises SourceError, whose message is a predicate ("is not a file").

    Call it when nothing of the command runs any more: then nobody can change the file meanwhile.
    """
    try:
        # The run may have laid a link out of the folder where there was none before.
        path = report_path(command)
    except InvalidInput as refused:
        raise SourceError("leads out of the folder of the command") from refused
    assert path is not None
    return _read(path, before)


def _read(path: Path, before: ReportBefore) -> bytes:
    try:
        # Without waiting: a pipe that nobody writes would be waited for here.
        number = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError as error:
        raise SourceError("was not written") from error
    except OSError as error:
        raise SourceError("cannot be opened") from error
    try:
        status = os.fstat(number)
        if not stat.S_ISREG(status.st_mode):
            raise SourceError("is not a file")
        # Both: a copy of an old report is another file with an old time, and a time can be set into the future.
        if _identity(status) == before.stood or status.st_mtime_ns < before.began_ns - _CLOCK_NS:
            raise SourceError("is from before this run")
        with os.fdopen(number, "rb", closefd=False) as file:
            return file.read(REPORT_BYTES_MAX + 1)
    except OSError as error:
        raise SourceError("cannot be read") from error
    finally:
        os.close(number)


def _identity(status: os.stat_result) -> tuple[int, ...]:
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns
