"""kill −9 around a paid call: at most the one call in flight is repeated, and every cent is booked."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from uuid import UUID

import pytest

from frasier.kernel.ids import new_id
from frasier.llm import (
    Account,
    CallState,
    Gateway,
    LlmSettings,
    Purpose,
    Request,
    Section,
    TalkInputs,
    Tier,
    book_unknown,
    calls_of_task,
    costs,
)
from support.model_server import ModelServer, ScriptedAnswer

SOURCE = Path(__file__).resolve().parents[2] / "src"
PROGRAM = """
import asyncio, sys
sys.path.insert(0, sys.argv[1])
from slice.test_llm_crash import ask_once
asyncio.run(ask_once(*sys.argv[2:]))
"""


def request() -> Request:
    return Request(
        purpose=Purpose.TALK,
        version=1,
        tier=Tier.T1,
        inputs=TalkInputs(message="Hello"),
        system="Be brief.",
        sections=(Section(title="Message", text="Hello"),),
    )


def settings(base_url: str) -> LlmSettings:
    return LlmSettings(base_url=base_url, t1_model="m1", prices={"m1": {"input": 1, "output": 2}})


async def ask_once(database_url: str, base_url: str, task_id: str) -> None:
    """What the process that is killed does."""
    from frasier.store import Database

    async with Database(database_url) as db:
        await Gateway(db, settings(base_url)).ask(request(), Account(task_id=UUID(task_id), attempt=1))


@pytest.mark.parametrize(
    ("fault", "asked_before", "asked_in_all", "states"),
    [
        ("llm.intent_committed", 0, 1, [CallState.UNKNOWN, CallState.SETTLED]),
        ("llm.reply_received", 1, 2, [CallState.UNKNOWN, CallState.SETTLED]),
        ("llm.settled", 1, 1, [CallState.SETTLED]),
    ],
)
async def test_a_kill_repeats_at_most_the_call_in_flight(
    db, database_url, fault, asked_before, asked_in_all, states
):
    task_id = new_id()
    with ModelServer(lambda _: ScriptedAnswer(content="Hello yourself.")) as server:
        tests = str(Path(__file__).parents[1])
        killed = subprocess.run(
            [sys.executable, "-c", PROGRAM, tests, database_url, server.base_url, str(task_id)],
            env=os.environ | {"FRASIER_FAULT": f"{fault}:kill", "PYTHONPATH": str(SOURCE)},
            check=False,
        )
        assert killed.returncode == -signal.SIGKILL
        assert len(server.log) == asked_before

        async with db.transaction() as tx:
            await book_unknown(tx, task_id=task_id, before_attempt=2)
        gateway = Gateway(db, settings(server.base_url))
        reply = await gateway.ask(request(), Account(task_id=task_id, attempt=2))
        await gateway.close()

    assert reply.text == "Hello yourself."
    assert reply.reused is (fault == "llm.settled")
    assert len(server.log) == asked_in_all
    async with db.transaction() as tx:
        records = await calls_of_task(tx, task_id)
        bill = (await costs(tx)).total
    assert [record.state for record in records] == states
    assert bill.reserved_usd_micros == 0
    assert bill.usd_micros == sum(record.cost_usd_micros for record in records)
