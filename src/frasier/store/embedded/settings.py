"""The configuration of the embedded server: measured defaults and the caller's changes in one generated file."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from frasier.kernel.errors import ConfigurationError
from frasier.store.embedded.paths import PORT, ServerLayout

_MIB = 1024 * 1024
# An index build with parallel workers shares maintenance_work_mem in /dev/shm; containers often have 64 MB.
_SHARED_MEMORY_FOR_PARALLEL_BUILDS = 512 * _MIB

_DEFAULTS = {
    "shared_buffers": "128MB",
    "work_mem": "16MB",
    "maintenance_work_mem": "128MB",
    "effective_cache_size": "1GB",
    "random_page_cost": "1.1",
    "effective_io_concurrency": "32",
    "max_connections": "300",  # an agent's server holds about five; each that is not used costs some kilobytes
    "synchronous_commit": "on",
    "io_method": "sync",  # spares three processes that an idle server would keep
    "jit": "off",
    "max_wal_size": "2GB",
    "checkpoint_timeout": "15min",  # after a checkpoint every touched page goes to the WAL in full
    "wal_compression": "off",  # pglz, the only method in these builds, costs a multiple of the insert itself
    "recovery_init_sync_method": "syncfs",  # a restart after a crash in 0.2 s instead of several
    "max_parallel_workers": "2",
    "max_parallel_workers_per_gather": "0",
    "autovacuum_vacuum_insert_scale_factor": "0.02",
    "autovacuum_vacuum_insert_threshold": "2000",
    "log_min_messages": "warning",
    "log_checkpoints": "off",
    "log_timezone": "UTC",
    "timezone": "UTC",
}


def effective_settings(changes: Mapping[str, str]) -> dict[str, str]:
    """Return the defaults updated with `changes`."""
    for name in changes:
        if not re.fullmatch(r"[a-z_]+(\.[a-z_]+)?", name):
            raise ConfigurationError(f"{name!r} is not the name of a PostgreSQL setting.")
    return {**_DEFAULTS, "max_parallel_maintenance_workers": _parallel_builders(), **changes}


def _parallel_builders() -> str:
    try:
        state = os.statvfs("/dev/shm")  # noqa: S108 - its size is asked, nothing is written
    except FileNotFoundError:
        return "0"
    return "2" if state.f_bavail * state.f_frsize >= _SHARED_MEMORY_FOR_PARALLEL_BUILDS else "0"


def write_configuration(layout: ServerLayout, settings: Mapping[str, str]) -> None:
    """Rewrite the server's configuration file, on top of initdb's findings about the machine.

    It lies outside the data, so that root never writes where the service user could have planted a link.
    ALTER SYSTEM still wins, because PostgreSQL reads its result last.
    """
    lines = [
        "# Written by Frasier at every start. A lasting change of your own belongs in ALTER SYSTEM.",
        f"include '{layout.data.name}/postgresql.conf'",
        *(f"{name} = {_quote(value)}" for name, value in settings.items()),
    ]
    partial = layout.configuration.with_suffix(".new")
    partial.unlink(missing_ok=True)
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        os.fchmod(descriptor, 0o644)  # the service user must read it, whatever our umask is
        file.write("\n".join(lines) + "\n")
    partial.replace(layout.configuration)


def fixed_arguments(layout: ServerLayout) -> list[str]:
    """Return the settings that keep the server private: a local socket that only its owner and root can open.

    They are passed on the command line, where no file can change them.
    """
    # The value is a list: without the quotes a comma in the path would split it.
    sockets = '"' + str(layout.sockets).replace('"', '""') + '"'
    fixed = {
        "config_file": str(layout.configuration),
        "listen_addresses": "",
        "port": str(PORT),
        "unix_socket_directories": sockets,
        "unix_socket_permissions": "0700",
    }
    return [part for name, value in fixed.items() for part in ("-c", f"{name}={value}")]


def _quote(value: str) -> str:
    return "'" + value.replace("\\", "\\\\").replace("'", "''") + "'"
