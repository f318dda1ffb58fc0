"""Watching a mission: what is read and found, what it waits for, and when it should end; here and from elsewhere."""

from __future__ import annotations

import json
import re
import signal
import threading
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from frasier.store import Database
from support.cli import FrasierProgram, read_until
from support.cli_states import deliver, planned_mission
from support.crash import poll
from support.database_clock import offset_clock
from support.model_responder import Answer, CompetentModel, Prompt, plan_of
from support.model_server import ScriptedAnswer
from support.scripted_founder import scripted_founder
from support.table_model import PatternExtractor, columns, table_plan

DIRECTIVE = "Compare the water temperatures of the drinks in these documents"


def slowly(answer: Answer, delay_s: float = 0.5) -> Callable[[Prompt], ScriptedAnswer]:
    """The same answer, after a while."""

    def respond(prompt: Prompt) -> ScriptedAnswer:
        at_once = answer(prompt)
        return ScriptedAnswer(content=at_once.content, usage=at_once.usage, delay_s=delay_s)

    return respond


def test_without_a_terminal_each_event_is_one_line(frasier: FrasierProgram, documents: Path):
    with scripted_founder(frasier, plan=lambda _: ScriptedAnswer.json(plan_of(3))) as founder:
        lines = founder("run", DIRECTIVE, "--sources", documents).err.splitlines()
    told = "\n".join(lines)
    assert re.search(r"^· part-1: asks 1 question: What do the documents say", told, re.MULTILINE)
    assert re.search(r"^· part-1: found \d+ passages? in 3 sources: \w+; \w+; \w+$", told, re.MULTILINE)
    assert re.search(r"^· final: wrote \d+ words\. Verified \d+ of \d+ statements", told, re.MULTILINE)
    assert re.search(r"^· final: critique 4\.0 of 5$", told, re.MULTILINE)
    assert re.search(r"^✓ final: approved by \w+ with 4\.0$", told, re.MULTILINE)
    assert re.search(
        r"^✓ part-2: completed \(\w+.*\) · Verified .* · \d+ s · \$0\.\d{4}$", told, re.MULTILINE
    )
    assert re.search(r"^· final: Write the comparison \(\w+.*\), after part-1, part-2$", told, re.MULTILINE)
    # Each is told once.
    assert len(lines) == len(set(lines))


def test_what_goes_on_later_tells_nothing_again_and_watching_tells_it(
    frasier: FrasierProgram, documents: Path
):
    def asked(err: str) -> list[str]:
        return re.findall(r"^· [\w-]+: asks .*$", err, re.MULTILINE)

    with scripted_founder(frasier, review=lambda _: ScriptedAnswer.error(401, "wrong key")) as founder:
        first = founder("run", DIRECTIVE, "--sources", documents, code=5).err
        assert asked(first)
        founder.answer(review=CompetentModel().to("review"))
        resumed = founder("resume", "last").err
        assert "✓ final: approved by" in resumed, "what is new is told"
        assert not asked(resumed)
        revised = founder("revise", "last", "Shorter").err
        assert "· final: wrote " in revised
        assert not asked(revised)
        assert asked(founder("watch", "last").err) == asked(first)


def test_documents_are_told_while_they_are_read(frasier: FrasierProgram, documents: Path):
    plan = table_plan({"columns": columns(water="text"), "entry": ""})
    extract = PatternExtractor({"water": r"(\d+) degrees"})
    with scripted_founder(frasier, plan=lambda _: ScriptedAnswer.json(plan), ExtractReply=extract) as founder:
        told = founder("run", DIRECTIVE, "--sources", documents).err
    assert re.search(r"^· register: reads \w+ \[\d\]; \w+ \[\d\]; \w+ \[\d\]$", told, re.MULTILINE)
    assert "· register: found 3 rows in 3 documents\n" in told


def test_a_mission_that_another_process_carries_out_is_watched_to_its_end(
    frasier: FrasierProgram, documents: Path
):
    competent = CompetentModel()
    with scripted_founder(
        frasier, **{name: slowly(competent.to(name)) for name in ("decompose", "synthesize", "review")}
    ) as founder:
        with frasier.running("run", DIRECTIVE, "--sources", str(documents), **founder.settings) as run:
            read_until(run.stderr, "planning")
            drawn = frasier.on_terminal("watch", "last", columns=100, **founder.settings)
            assert run.wait(60) == 0
        assert re.search(r"found \d+ passages? in 3 sources", drawn)
        assert "Delivered in" in drawn
        # Of one that has ended, the end is shown.
        assert "Delivered in" in frasier("watch", "last").out
        assert frasier.json("watch", "last")["status"] == "delivered"


def test_watching_ends_with_the_exit_code_of_a_mission_that_waits(frasier: FrasierProgram, documents: Path):
    with scripted_founder(frasier, synthesize=lambda _: ScriptedAnswer.error(401, "wrong key")) as founder:
        founder("run", DIRECTIVE, "--sources", documents, code=5)
        watched = founder("watch", "last", code=5)
        assert "Waiting for you" in watched.err
    assert "There is no mission 'nothing'" in frasier("watch", "nothing", code=3).err


async def test_whoever_stops_watching_is_told_that_nobody_works(
    frasier: FrasierProgram, db: Database, home: Path
):
    async with db.transaction() as tx:
        await planned_mission(tx, home / "out")
    watching = frasier.start("watch", "last")
    try:
        assert "frasier resume" in read_until(watching.stderr, "Nobody is at work")
        watching.send_signal(signal.SIGINT)
        _, err = watching.communicate(timeout=60)
    finally:
        watching.kill()
    assert watching.returncode == 130
    assert "You stopped watching. Nobody is at work: `frasier resume" in err
    assert "goes on." not in err
    assert frasier.json("missions", "show")["status"] == "in_progress"


def test_ctrl_c_ends_the_watching_and_not_the_mission(frasier: FrasierProgram, documents: Path):
    slow = {"decompose": slowly(CompetentModel().to("decompose"), 20.0)}
    with (
        scripted_founder(frasier, **slow) as founder,
        frasier.running("run", DIRECTIVE, "--sources", str(documents), **founder.settings) as run,
    ):
        read_until(run.stderr, "final: active")
        with frasier.running("watch", "last", **founder.settings) as watching:
            read_until(watching.stderr, "final")
            watching.send_signal(signal.SIGINT)
            read_until(watching.stderr, "You stopped watching; the mission goes on.")
            assert watching.wait(60) == 130
        assert run.poll() is None


def test_the_document_of_an_interrupted_run_says_so(frasier: FrasierProgram, documents: Path):
    slow = {"decompose": slowly(CompetentModel().to("decompose"), 20.0)}
    with (
        scripted_founder(frasier, **slow) as founder,
        frasier.running(
            "run", DIRECTIVE, "--sources", str(documents), "--json", **founder.settings
        ) as process,
    ):
        poll(lambda: founder.prompts("decompose"), "the step asks its model")
        process.send_signal(signal.SIGINT)
        document = json.loads(process.stdout.readline())
        assert process.wait(60) == 130
    assert document["interrupted"] is True
    assert document["deliverable"] is None
    with scripted_founder(frasier) as founder:
        ended = founder.json("resume", "last")
    assert (ended["interrupted"], ended["status"]) == (False, "delivered")


def test_a_model_that_does_not_answer_is_told_once_without_a_terminal(
    frasier: FrasierProgram, documents: Path, owner_url: str
):
    told = threading.Event()

    def once_it_is_told(_: Prompt) -> ScriptedAnswer:
        # What was asked is 40 s old from now on.
        offset_clock(owner_url, timedelta())
        assert told.wait(60)
        return ScriptedAnswer.json(plan_of(1))

    offset_clock(owner_url, timedelta(seconds=-40))
    long_lease = {"FRASIER_WORKER__LEASE_S": "600"}  # the clock's leap does not end it
    with (
        scripted_founder(frasier, plan=once_it_is_told) as founder,
        frasier.running(
            "run", DIRECTIVE, "--sources", str(documents), **founder.settings, **long_lease
        ) as process,
    ):
        silent = read_until(process.stderr, "has not answered")
        told.set()
        rest = process.stderr.read()
        assert process.wait(60) == 0
    assert re.fullmatch(r"▲ plan: middle has not answered for 4\d s\n", silent)
    assert "has not answered" not in rest


@pytest.fixture
async def half_done(db: Database, home: Path) -> None:
    """A mission of which one step is done and nobody works on."""
    async with db.transaction() as tx:
        planned = await planned_mission(tx, home / "out")
        await deliver(tx, planned, score=4.5)


@pytest.mark.usefixtures("half_done")
async def test_what_nobody_works_on_says_so(frasier: FrasierProgram):
    with frasier.at_terminal("watch", "last", columns=80, rows=24, code=4) as terminal:
        terminal.read_until("Nobody is at work")
        frasier("cancel", "last")
        assert "The mission was cancelled" in terminal.read_to_end()


def test_costs_times_and_scores_of_steps_are_in_the_document(frasier: FrasierProgram, documents: Path):
    with scripted_founder(frasier, plan=lambda _: ScriptedAnswer.json(plan_of(2))) as founder:
        document = founder.json("run", DIRECTIVE, "--sources", documents)
    steps = {step["key"]: step for step in document["steps"]}
    assert steps["final"]["score"] == 4.0
    assert steps["final"]["seconds"] > 0
    assert round(sum(step["cost_usd"] for step in document["steps"]), 6) == round(document["cost_usd"], 6)
    assert sum(step["calls"] for step in document["steps"]) == document["calls"]
