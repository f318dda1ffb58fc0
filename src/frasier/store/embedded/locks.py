"""The three file locks of a server: of its starter, of its users, and of its own processes.

They are flock locks, because the kernel releases those whenever a process dies, and because they hold across
containers that share the directory.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from frasier.store.embedded.wait_progress import Polling


def _open(path: Path) -> int:
    """Open a separate descriptor for the lock file: flock belongs to the open file, not to the process."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    if os.geteuid() == 0:  # root in another user's directory must not lock the owner out
        place = path.parent.stat()
        os.fchown(descriptor, place.st_uid, place.st_gid)
    return descriptor


def _try_exclusive(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def exclusive(path: Path) -> Iterator[int]:
    """Hold the lock for the body; yield its descriptor, which a child may inherit to keep holding it."""
    descriptor = _open(path)
    try:
        polling = Polling("postgres.lock_awaited", lock=str(path))
        while not _try_exclusive(descriptor):
            polling.pause()
        yield descriptor
    finally:
        os.close(descriptor)


def is_held(path: Path) -> bool:
    """Whether any process holds the lock. The test takes it for a moment, so hold the start lock meanwhile."""
    if not path.exists():
        return False
    descriptor = _open(path)
    try:
        return not _try_exclusive(descriptor)
    finally:
        os.close(descriptor)


class Registration:
    """A process's registration as a user of the server: a shared lock, released when the process ends.

    A forked child inherits the descriptor, and with it the parent's lock, which it must not touch. So a child counts
    as not registered until it enters by itself.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None
        self._process = 0

    @property
    def held(self) -> bool:
        return self._descriptor is not None and self._process == os.getpid()

    def enter(self) -> None:
        """Register this process. The caller holds the start lock."""
        if self.held:
            return
        self.leave()
        self._descriptor = _open(self._path)
        self._process = os.getpid()
        fcntl.flock(self._descriptor, fcntl.LOCK_SH)

    def is_last(self) -> bool:
        """Whether this is the last user of the server. The caller holds the start lock and leaves afterwards."""
        return self.held and self._descriptor is not None and _try_exclusive(self._descriptor)

    def leave(self) -> None:
        """End the registration; in a forked child this closes only the child's copy of the descriptor."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
