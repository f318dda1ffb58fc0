"""Start and stop the server's processes. Every caller holds the start lock."""

from __future__ import annotations

import os
import shutil
import signal
from contextlib import suppress
from pathlib import Path

from frasier.kernel.errors import ConfigurationError, DatabaseUnreachable
from frasier.kernel.logging_setup import get_logger
from frasier.store.embedded import locks, server_state
from frasier.store.embedded.binaries import Binaries
from frasier.store.embedded.paths import ServerLayout
from frasier.store.embedded.server_state import ServerState
from frasier.store.embedded.service_user import ServiceUser
from frasier.store.embedded.settings import fixed_arguments
from frasier.store.embedded.wait_progress import Polling
from frasier.store.rotated_file import is_long, older_part

log = get_logger()

_LOG_TAIL_CHARS = 1500
_SILENCE_S_MAX = 30.0
_STOP_S_MAX = 60.0
# The shell ends at once, so that the server in the background is not our child and leaves us no zombie.
_DETACH = '"$@" &'


def settle_previous(layout: ServerLayout) -> bool:
    """Wait for a server that another process started; return whether one serves now.

    The last processes of a killed server end within moments. When none is left, its files are stale, whatever process
    they name.
    """
    if not layout.data.exists():
        return False
    if _becomes_serving(layout, Polling("postgres.awaited", directory=str(layout.data))):
        return True
    for leftover in layout.server_files():
        leftover.unlink(missing_ok=True)
    return False


def _becomes_serving(layout: ServerLayout, polling: Polling) -> bool:
    """Return True once the server serves, False when none of its processes is left.

    A recovering server is awaited without a limit. Raises DatabaseUnreachable for one that lives but stays silent.
    """
    heard_at_s = 0.0
    while (answer := server_state.ask(layout)) is not ServerState.SERVING:
        if not server_state.is_alive(layout):
            return False
        if answer is ServerState.BUSY:
            heard_at_s = polling.waited_s
        elif polling.waited_s - heard_at_s > _SILENCE_S_MAX:
            _raise_silent(layout)
        polling.pause()
    return True


def _raise_silent(layout: ServerLayout) -> None:
    processes = server_state.residents(layout.data)
    whose = f"processes {', '.join(map(str, processes))}" if processes else "a process that is invisible here"
    raise DatabaseUnreachable(
        f"PostgreSQL in {layout.root} does not answer, but {whose} still use the data.",
        kept="The data was not touched.",
        hint="End them, or stop the container that they belong to; then try again.",
    )


def launch(layout: ServerLayout, binaries: Binaries, user: ServiceUser) -> None:
    """Start the server and wait until it serves, through any crash recovery, as long as it lives."""
    _prepare_sockets(layout, user)
    rotate_log(layout)
    descriptor = os.open(layout.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o600)
    with os.fdopen(descriptor, "ab") as output, locks.exclusive(layout.server_lock) as lock:
        log_start = os.fstat(output.fileno()).st_size
        command: list[str | Path] = [
            binaries.program("postgres"),
            "-D",
            layout.data,
            *fixed_arguments(layout),
        ]
        user.run(["/bin/sh", "-c", _DETACH, "sh", *command], output=output, keep_open=[lock])
    polling = Polling("postgres.starting", directory=str(layout.data))
    if not _becomes_serving(layout, polling):
        log_tail = _tail(layout.log, log_start)
        raise DatabaseUnreachable(
            f"PostgreSQL in {layout.root} ended while starting. Its log says:\n{log_tail}",
            kept="The data is as it was.",
            hint=f"The whole log is {layout.log}.",
        )
    log.info(
        "postgres.serving", directory=str(layout.root), user=user.name, seconds=round(polling.waited_s, 2)
    )


def _prepare_sockets(layout: ServerLayout, user: ServiceUser) -> None:
    layout.sockets.mkdir(mode=0o700, exist_ok=True)
    state = layout.sockets.lstat()
    if layout.sockets.is_symlink() or state.st_uid not in {user.uid, os.geteuid()}:
        raise ConfigurationError(
            f"{layout.sockets}, the directory for the database's socket, belongs to another user.",
            hint="Remove it, or choose a shorter FRASIER_HOME, so that the socket fits inside it.",
        )
    user.own(layout.sockets)


def is_log_long(layout: ServerLayout) -> bool:
    """Whether the server's log has reached the size at which it is rotated."""
    return is_long(layout.log)


def rotate_log(layout: ServerLayout) -> None:
    """Empty a long log and keep one older, so that neither starts nor months of running fill the disk.

    The server appends to the file that it has open, which therefore stays in place.
    """
    if is_log_long(layout):
        with suppress(OSError):  # a full disk holds no copy
            shutil.copy(layout.log, older_part(layout.log))
        os.truncate(layout.log, 0)


def _tail(path: Path, start: int) -> str:
    with path.open("rb") as file:
        file.seek(start)
        return file.read().decode(errors="replace").strip()[-_LOG_TAIL_CHARS:] or "(nothing)"


def shut_down(layout: ServerLayout, pid: int) -> None:
    """Stop the server by a "fast" shutdown: clients are cut off, everything committed is on disk."""
    with suppress(ProcessLookupError):  # it may have ended by itself meanwhile
        os.kill(pid, signal.SIGINT)
    polling = Polling("postgres.stopping", directory=str(layout.data))
    while server_state.is_alive(layout):
        if polling.waited_s > _STOP_S_MAX:
            raise DatabaseUnreachable(
                f"PostgreSQL (process {pid}) in {layout.root} did not stop within {_STOP_S_MAX:.0f} seconds.",
                kept="It goes on stopping by itself; committed data is safe.",
            )
        polling.pause()
    log.info("postgres.stopped", directory=str(layout.root))
