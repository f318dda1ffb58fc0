"""Copies of databases by the programs of PostgreSQL."""

from __future__ import annotations

import subprocess

from frasier.store.embedded.binaries import find_binaries


def run_restore(source: str, target: str) -> None:
    """Dump a database, and restore it into another one."""
    pg_dump, pg_restore = (str(find_binaries().program(program)) for program in ("pg_dump", "pg_restore"))
    dumped = subprocess.run([pg_dump, "-Fc", source], check=True, capture_output=True).stdout
    command = [pg_restore, "--exit-on-error", "-d", target]
    restored = subprocess.run(command, input=dumped, check=False, capture_output=True)
    assert restored.returncode == 0, restored.stderr.decode()
