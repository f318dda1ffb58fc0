"""`frasier up`, `worker`, `heartbeat` and `say`: what runs until it is told to stop, and ends in order."""

from __future__ import annotations

import re
import signal
import time
from pathlib import Path

import pytest

from frasier.work import AvailableMeans, Directive, take_directive
from support.cli import DEADLINE_S, FrasierProgram, read_until
from support.cli_states import new_mission
from support.organisation import DIRECTIVE, write_documents


async def ask(db, home: Path) -> None:
    """A directive that the rehearsal can carry out."""
    asked = Directive(
        text=DIRECTIVE, destination=home / "out", sources=(write_documents(home / "documents"),)
    )
    await take_directive(db, asked, AvailableMeans(rehearsal=True, web_search=False))


async def test_up_carries_out_what_waits_announces_it_and_ends_in_order(db, home, frasier: FrasierProgram):
    frasier("status")  # founds the organisation
    await ask(db, home)
    with frasier.running("up") as process:
        configured = read_until(process.stdout, "Frasier is up")
        assert "rehearsal (no model is configured)" in configured
        assert "no web search" in configured
        assert "database at" in configured
        assert "is delivered" in read_until(process.stderr, "is delivered")
        process.send_signal(signal.SIGTERM)
        rest, _ = process.communicate(timeout=DEADLINE_S)
    assert process.returncode == 0
    assert "Stopped." in rest
    assert frasier.json("missions", "list")["missions"][0]["status"] == "delivered"
    status = frasier.json("status")
    assert status["workers"] == []
    assert status["heartbeat"] is False


async def test_up_without_a_worker_works_on_nothing(db, home, frasier: FrasierProgram):
    async with db.transaction() as tx:
        await new_mission(tx, home)
    with frasier.running("up", "--no-worker") as process:
        assert "(heartbeat and outbox)" in read_until(process.stdout, "Frasier is up")
        status = frasier.json("status")
        assert (status["tasks"]["ready"], status["waits_for"]["attended"]) == (1, False)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=DEADLINE_S)
    assert process.returncode == 0


def test_a_worker_is_at_work_also_while_there_is_nothing_to_do(frasier: FrasierProgram):
    frasier("status")
    with frasier.running("worker") as process:
        read_until(process.stdout, "Frasier is up")
        deadline = time.monotonic() + DEADLINE_S
        while not frasier.json("status")["waits_for"]["attended"]:
            assert time.monotonic() < deadline
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=DEADLINE_S)
    assert process.returncode == 0
    assert not frasier.json("status")["waits_for"]["attended"]


async def test_the_parts_run_apart_and_together_deliver(db, home, frasier: FrasierProgram):
    frasier("status")
    await ask(db, home)
    with frasier.running("worker", "--concurrency", "2") as worker, frasier.running("heartbeat") as heartbeat:
        assert "(worker)" in read_until(worker.stdout, "Frasier is up")
        assert "(heartbeat and outbox)" in read_until(heartbeat.stdout, "Frasier is up")
        read_until(heartbeat.stderr, "is delivered")
        for process in (worker, heartbeat):
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=DEADLINE_S)
            assert process.returncode == 0
    assert Path(frasier.json("missions", "show")["deliverable"]).is_file()


@pytest.mark.parametrize("number", ["0", "65", "many"])
def test_a_concurrency_that_is_none_is_refused(frasier: FrasierProgram, number: str):
    assert "--concurrency" in frasier("worker", "--concurrency", number, code=2).err


def test_the_chief_of_staff_answers_and_only_the_answer_is_printed(frasier: FrasierProgram):
    said = frasier("say", "Hello, who works here?")
    assert "Frasier (Chief of Staff)" in said.out
    assert re.fullmatch(r"Heard\. `frasier answer \w{8}` shows the answer again\.\n", said.err)
    document = frasier.json("say", "Thank you!")
    assert document["classification"] == "casual"
    assert document["answer"]
    assert document["mission"] is None


def test_an_empty_message_is_refused_and_not_kept(frasier: FrasierProgram):
    error = frasier.json("say", "  ", code=3)["error"]
    assert error["kept"] == "Nothing was stored."


async def test_while_it_answers_no_other_work_is_begun(db, home, frasier: FrasierProgram):
    async with db.transaction() as tx:
        await new_mission(tx, home)
    frasier("say", "Hello!")
    (started,) = frasier.json("missions", "show")["steps"]
    assert started["status"] == "pending"
    kinds = {event["kind"] for event in frasier.json("events", "tail", "--mission", "last")["events"]}
    assert kinds == {"mission.started", "task.created"}
