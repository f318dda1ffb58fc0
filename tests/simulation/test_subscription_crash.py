"""kill -9 of a process that delivers events, at each of its fault points: none is lost, and each keeps its id."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from frasier.kernel.ids import new_id
from frasier.store import Database, SubscriptionSecrets, add_subscription, append_event
from support.crash import SUBSCRIPTION_POINTS

PROGRAM = Path(__file__).parents[1] / "support" / "subscriber_program.py"


def run(url: str, path: Path, fault: str = "") -> int:
    environment = {**os.environ, **({"FRASIER_FAULT": fault} if fault else {})}
    command = [sys.executable, str(PROGRAM), url, str(path)]
    return subprocess.run(command, env=environment, check=False, timeout=60).returncode


@pytest.mark.parametrize("point", sorted(SUBSCRIPTION_POINTS))
async def test_the_next_process_delivers_what_is_left(
    point: str, db: Database, database_url: str, tmp_path: Path
) -> None:
    secrets, path = SubscriptionSecrets(tmp_path / "key"), tmp_path / "received"
    await db.in_transaction(
        add_subscription, secrets, name="file", kind="file", target="file", kinds=("it.*",), actor="tester"
    )
    streams = [new_id() for _ in range(3)]
    async with db.transaction() as tx:
        for stream in streams * 4:
            await append_event(tx, stream=stream, kind="it.happened", actor="tester")
    assert run(database_url, path, f"{point}:kill") == -signal.SIGKILL
    async with db.transaction() as tx:
        await tx.execute("update store_effects set lease_until = now() where state = 'sending'")
    assert run(database_url, path) == 0
    ids, orders = defaultdict(set), defaultdict(list)
    for line in path.read_text("utf-8").splitlines():
        effect, stream, seq = line.split()
        ids[stream, seq].add(effect)
        orders[stream].append(int(seq))
    assert {len(each) for each in ids.values()} == {1}
    assert len(ids) == 12
    assert all(order == sorted(order) for order in orders.values())
