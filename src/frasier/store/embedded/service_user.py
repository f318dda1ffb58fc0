"""The system user that PostgreSQL runs as, and the paths that this user can reach.

PostgreSQL refuses uid 0, so as root its programs run as a system user. Permissions of parent
directories are never changed for it: an unreachable path is refused, and the error names the blocking directory.
"""

from __future__ import annotations

import fcntl
import os
import pwd
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from frasier.kernel.errors import OUT_OF_RESOURCES, ConfigurationError
from frasier.kernel.logging_setup import get_logger

log = get_logger()

SYSTEM_USER = "frasier-postgres"
# The programs do not inherit our environment: it may hold keys, and a server keeps it for weeks.
_ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}
_ANOTHER_WAY = "or set FRASIER_DATABASE_URL to a PostgreSQL server of your own"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceUser:
    """The user that PostgreSQL's programs run as. `switch` is true where this process is root."""

    name: str
    uid: int
    gid: int
    switch: bool

    def run(
        self, command: Sequence[str | Path], *, output: int | IO[Any], keep_open: Iterable[int] = ()
    ) -> subprocess.CompletedProcess[str]:
        """Run `command` as this user, in a session of its own, so that a Ctrl-C does not reach it."""
        identity: dict[str, Any] = (
            {"user": self.uid, "group": self.gid, "extra_groups": []} if self.switch else {}
        )
        return subprocess.run(  # noqa: S603 - a fixed list of arguments, no shell reads them
            [str(part) for part in command],
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            cwd="/",
            env=_ENVIRONMENT,
            start_new_session=True,
            pass_fds=tuple(keep_open),
            **identity,
        )

    def own(self, directory: Path) -> None:
        """Give this user exclusive ownership of an existing directory of ours."""
        directory.chmod(0o700)
        if self.switch:
            os.chown(directory, self.uid, self.gid, follow_symlinks=False)

    def first_blocked(self, paths: Iterable[Path]) -> Path | None:
        """Return the first of `paths` that this user cannot enter or execute, as the kernel judges it."""
        if not self.switch:
            return None
        test_each = 'for part; do test -x "$part" || { printf %s "$part"; exit 0; }; done'
        try:
            answer = self.run(["/bin/sh", "-c", test_each, "sh", *paths], output=subprocess.PIPE)
        except OSError as error:  # such as in a container without other users
            if error.errno in OUT_OF_RESOURCES:
                raise
            raise ConfigurationError(
                f"PostgreSQL refuses to run as root, and nothing can run as {self.name}: {error.strerror}.",
                hint=f"Run Frasier as a normal user, {_ANOTHER_WAY}.",
            ) from error
        return Path(answer.stdout) if answer.stdout else None

    def refuse_unreachable(self, directory: Path) -> None:
        """Raise ConfigurationError if this user cannot enter `directory` or one of its parents."""
        existing = [part for part in (*reversed(directory.parents), directory) if part.exists()]
        blocked = self.first_blocked(existing)
        if blocked is not None:
            raise ConfigurationError(
                f"PostgreSQL runs as the system user {self.name}, who cannot enter {blocked}, "
                f"so its data cannot lie in {directory}.",
                kept="No permission was changed.",
                hint="Set FRASIER_HOME to a directory that every user can enter, such as one below /var/lib, "
                f"allow entering with chmod o+x {blocked}, run Frasier as a normal user, {_ANOTHER_WAY}.",
            )


def choose_service_user(data: Path) -> ServiceUser:
    """Choose the user that runs PostgreSQL: the current one, or as root the data's owner or our system user."""
    effective = os.geteuid()
    owner = data.stat().st_uid if data.exists() else None
    if effective != 0:
        if owner not in {None, effective}:
            raise ConfigurationError(
                f"The database in {data.parent} belongs to another user ({_name_of(owner)}).",
                hint=f"Run Frasier as that user, set FRASIER_HOME to a directory of your own, {_ANOTHER_WAY}.",
            )
        return _from_entry(effective, switch=False)
    if owner == 0:
        raise ConfigurationError(
            f"{data} belongs to root, and PostgreSQL refuses to run as root.",
            kept="Nothing was changed.",
            hint=f"Change its owner to the intended user, for instance: chown -R {SYSTEM_USER} {data}",
        )
    return _from_entry(_system_user_id() if owner is None else owner, switch=True)


def _from_entry(uid: int, *, switch: bool) -> ServiceUser:
    entry = _entry(pwd.getpwuid, uid)
    if entry is None:
        raise ConfigurationError(
            f"User id {uid} has no entry in the system's user database, which PostgreSQL insists on.",
            hint=f"Add one (containers: a line in /etc/passwd), run as a user who has one, {_ANOTHER_WAY}.",
        )
    return ServiceUser(name=entry.pw_name, uid=entry.pw_uid, gid=entry.pw_gid, switch=switch)


def _entry(look_up: Callable[[Any], pwd.struct_passwd], key: int | str) -> pwd.struct_passwd | None:
    """Return the user's entry, or None. Raises OSError if the database cannot be read, as when no file descriptor is
    left; `pwd` would report an unknown user.
    """
    try:
        return look_up(key)
    except KeyError:
        os.close(os.open("/dev/null", os.O_RDONLY))
    try:
        return look_up(key)
    except KeyError:
        return None


def _name_of(uid: int | None) -> str:
    known = {entry.pw_uid: entry.pw_name for entry in pwd.getpwall()}
    return known.get(uid or 0, f"id {uid}")


def _find(name: str) -> int | None:
    entry = _entry(pwd.getpwnam, name)
    return None if entry is None else entry.pw_uid


def _system_user_id() -> int:
    """Return the id of our system user, created if possible, else of `nobody`: small images lack useradd."""
    entry = _find(SYSTEM_USER)
    if entry is not None:
        return entry
    with _one_at_a_time():
        trouble = "" if _find(SYSTEM_USER) else _add_system_user()
    made = _find(SYSTEM_USER)
    if made is not None:
        return made
    nobody = _find("nobody")
    if nobody is None:
        raise ConfigurationError(
            f"The system user {SYSTEM_USER} is missing and could not be created: {trouble}",
            hint=f"Create it yourself, run Frasier as a normal user, {_ANOTHER_WAY}.",
        )
    log.warning("postgres.runs_as_nobody", reason=trouble, remedy=f"make a system user {SYSTEM_USER}")
    return nobody


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """Hold a lock of the machine: useradd looks for the name first, and two at once give it two ids in turn."""
    folder = os.open("/etc", os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def _add_system_user() -> str:
    """Create our system user; return an error message, or an empty text on success."""
    program = shutil.which("useradd", path="/usr/local/sbin:/usr/sbin:/sbin:/usr/bin:/bin")
    if program is None:
        return "useradd is not installed"
    made = subprocess.run(  # noqa: S603 - fixed arguments
        [
            program,
            "--system",
            "--no-create-home",
            "--home-dir",
            "/nonexistent",
            "--shell",
            "/usr/sbin/nologin",
            SYSTEM_USER,
        ],
        check=False,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    return made.stderr.strip() if made.returncode else ""
