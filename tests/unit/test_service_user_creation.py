"""Creation of the system user where several processes start at once, in an /etc of their own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from frasier.store.embedded.service_user import SYSTEM_USER
from support.cli import SOURCE
from support.programs import needs_program

_PROCESSES = 4
_CHOOSE_AT_ONCE = f"""
import multiprocessing, pathlib
from frasier.store.embedded.service_user import choose_service_user

def choose(gate, chosen):
    gate.wait()
    user = choose_service_user(pathlib.Path("/nonexistent/data"))
    chosen.put(f"{{user.name}} {{user.uid}} {{user.gid}}")

gate, chosen = multiprocessing.Barrier({_PROCESSES}), multiprocessing.Queue()
processes = [multiprocessing.Process(target=choose, args=(gate, chosen)) for _ in range({_PROCESSES})]
for process in processes:
    process.start()
for process in processes:
    print(chosen.get(timeout=60))
    process.join()
"""


# Its own /etc, and the program useradd with a log of its calls in front of it.
_APART = """
mount --bind "$1/etc" /etc && mount --bind "$1/logged" "$2" && shift 2 && exec "$@"
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root creates users")
def test_processes_that_start_at_once_create_one_system_user(tmp_path: Path) -> None:
    useradd, unshare = needs_program("useradd"), needs_program("unshare")
    if subprocess.run([unshare, "--mount", "true"], check=False).returncode:
        pytest.skip("root may not create a mount namespace here")
    etc, calls = tmp_path / "etc", tmp_path / "calls"
    shutil.copytree("/etc", etc, symlinks=True)
    for name in ("passwd", "group", "shadow", "gshadow"):
        file = etc / name
        others = [line for line in file.read_text().splitlines() if not line.startswith(f"{SYSTEM_USER}:")]
        file.write_text("\n".join(others) + "\n")
    shutil.copy2(useradd, tmp_path / "useradd")
    logged = tmp_path / "logged"
    logged.write_text(f'#!/bin/sh\necho called >> {calls}\nexec {tmp_path / "useradd"} "$@"\n')
    logged.chmod(0o755)
    chosen = subprocess.run(
        [
            unshare,
            "--mount",
            "sh",
            "-ec",
            _APART,
            "sh",
            tmp_path,
            useradd,
            sys.executable,
            "-c",
            _CHOOSE_AT_ONCE,
        ],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(SOURCE)},
    )
    assert chosen.returncode == 0, chosen.stderr
    assert calls.read_text() == "called\n"
    [entry] = [line for line in (etc / "passwd").read_text().splitlines() if line.startswith(SYSTEM_USER)]
    name, _, uid, gid, *_ = entry.split(":")
    assert chosen.stdout.splitlines() == [f"{name} {uid} {gid}"] * _PROCESSES
