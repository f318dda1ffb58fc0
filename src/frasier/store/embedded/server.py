"""The embedded server: started on demand, shared by all its users, stopped by the last one."""

from __future__ import annotations

import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote

from frasier.kernel.errors import ConfigurationError, DatabaseUnreachable
from frasier.store.embedded import locks, roles_and_databases, server_state
from frasier.store.embedded.binaries import find_binaries, reachable_binaries
from frasier.store.embedded.cluster import ensure_cluster
from frasier.store.embedded.launch import is_log_long, launch, rotate_log, settle_previous, shut_down
from frasier.store.embedded.paths import PORT, ServerLayout
from frasier.store.embedded.roles_and_databases import ConnectedProcesses
from frasier.store.embedded.server_state import ServerState
from frasier.store.embedded.service_user import ServiceUser, choose_service_user
from frasier.store.embedded.settings import effective_settings, write_configuration
from frasier.store.home_permissions import close_home


class EmbeddedServer:
    """A PostgreSQL of our own in the directory `root`, shared by any number of processes.

    Each process that calls `start` is a user of the server until it calls `release` or dies; a forked child
    becomes one by its own call of `start`. `settings` are PostgreSQL's own names and values; they apply if
    this handle starts the server. All methods block: call them in a thread if a loop runs.

    Raises ConfigurationError if the machine or the directory does not allow it, DatabaseUnreachable if PostgreSQL
    itself fails.
    """

    def __init__(
        self, root: Path, *, settings: Mapping[str, str] | None = None, home: Path | None = None
    ) -> None:
        if sys.platform != "linux":
            raise ConfigurationError(
                "The embedded PostgreSQL runs on Linux only.",
                hint="Set FRASIER_DATABASE_URL to a PostgreSQL server with pgvector.",
            )
        self._layout = ServerLayout(root=root.expanduser().resolve())
        self._home = home
        self._settings = effective_settings(settings or {})
        self._registration = locks.Registration(self._layout.users_lock)

    def start(self) -> None:
        """Attach to the running server or start it, and register this process as a user. Idempotent."""
        with self._explained():
            user = choose_service_user(self._layout.data)
            self._prepare_root(user)
            with locks.exclusive(self._layout.start_lock) as lock:
                newcomer = not self._registration.held
                self._registration.enter()
                try:
                    self._serve(user, lock)
                except BaseException:
                    if newcomer:
                        self._registration.leave()
                    raise

    def ensure(self) -> None:
        """Start the server again if it died; otherwise costs one short connection. A long log is rotated."""
        if self._registration.held and self.running:
            if is_log_long(self._layout):
                with self._explained(), locks.exclusive(self._layout.start_lock):
                    rotate_log(self._layout)
            return
        self.start()

    def release(self, *, stop_if_last: bool = True) -> None:
        """End this process's use. With `stop_if_last` the last user stops the server."""
        if not self._registration.held:
            return
        with self._explained(), locks.exclusive(self._layout.start_lock):
            try:
                pid = self.pid
                if stop_if_last and pid is not None and self._registration.is_last():
                    shut_down(self._layout, pid)
            finally:
                self._registration.leave()

    def stop(self) -> None:
        """Stop the server now, even while others use it: their connections are cut off, committed data is safe.

        A user that calls `ensure` later starts it again.
        """
        if not self._layout.data.exists():
            return
        with self._explained(), locks.exclusive(self._layout.start_lock):
            pid = self.pid
            if pid is not None:
                shut_down(self._layout, pid)
            elif self.running:
                raise DatabaseUnreachable(
                    f"PostgreSQL in {self._layout.root} runs out of sight of this process.",
                    kept="It goes on running.",
                    hint="Stop it in the container that started it.",
                )

    @property
    def running(self) -> bool:
        """Whether the server accepts connections now."""
        with self._explained():
            return server_state.ask(self._layout) is ServerState.SERVING

    @property
    def pid(self) -> int | None:
        """The id of the server's first process, or None if none is proven to be it."""
        with self._explained():
            return server_state.postmaster(self._layout)

    def url(
        self, role: str = roles_and_databases.APP_ROLE, database: str = roles_and_databases.DATABASE
    ) -> str:
        """The PostgreSQL URL to connect to. It stays the same when the server starts again."""
        host = quote(str(self._layout.sockets), safe="")
        return f"postgresql://{quote(role, safe='')}@/{quote(database, safe='')}?host={host}&port={PORT}"

    def connected(self) -> ConnectedProcesses:
        """Count the connections of every process, even where no more are accepted."""
        return roles_and_databases.connected_processes(self._layout)

    def create_database(self, name: str, template: str | None = None) -> None:
        """Create a further database of the owner role: a copy of `template`, or empty with pgvector.

        Raises psycopg.Error if it exists or the template is in use.
        """
        roles_and_databases.create_database(self._layout, name, template)

    def drop_database(self, name: str) -> None:
        """Drop a database if it exists, cutting off its connections."""
        roles_and_databases.drop_database(self._layout, name)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def _serve(self, user: ServiceUser, lock: int) -> None:
        layout = self._layout
        if server_state.ask(layout) is not ServerState.SERVING and not settle_previous(layout):
            user.refuse_unreachable(layout.root)
            binaries = reachable_binaries(find_binaries(), user, layout.root)
            durable = self._settings.get("fsync", "on") != "off"
            ensure_cluster(layout, binaries, user, durable=durable, lock=lock)
            write_configuration(layout, self._settings)
            launch(layout, binaries, user)
        roles_and_databases.provision(layout)

    def _prepare_root(self, user: ServiceUser) -> None:
        """Create the directory, passable for the service user. Of its existing parents only the home is changed."""
        root = self._layout.root
        enterable = 0o711 if user.switch else 0o700
        if not root.exists():
            user.refuse_unreachable(root.parent)  # before anything is written
        if self._home is not None:
            close_home(
                self._home, passage=user.gid if user.switch and root.is_relative_to(self._home) else None
            )
        if not root.exists():
            for missing in reversed([root, *(part for part in root.parents if not part.exists())]):
                missing.mkdir(exist_ok=True)
                missing.chmod(enterable)
        state = root.stat()
        if user.switch and state.st_uid == 0:
            root.chmod(stat.S_IMODE(state.st_mode) | enterable)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Translate an OSError into a ConfigurationError that names the file."""
        try:
            yield
        except PermissionError as error:
            raise ConfigurationError(
                f"{error.filename or self._layout.root} cannot be used by this user ({error.strerror}).",
                hint="Run Frasier as the user who created it, or set FRASIER_HOME to a directory of your own.",
            ) from error
        except (FileExistsError, FileNotFoundError, NotADirectoryError) as error:
            raise ConfigurationError(
                f"{error.filename or self._layout.root} cannot be used as a directory ({error.strerror}).",
                hint="Set FRASIER_HOME to a directory of your own.",
            ) from error
