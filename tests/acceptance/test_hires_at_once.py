"""Two missions that need the same trade at the same time, in two processes."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from support.cli import FrasierProgram
from support.crash import awaited_lock, poll
from support.model_responder import Prompt
from support.model_server import ScriptedAnswer
from support.organisation import write_documents
from support.scripted_founder import scripted_founder
from support.wanted_trade import DIRECTIVE, TITLE, plan_with_expert

TITLES = (TITLE, "German SMEs' tax adviser")


def plan(prompt: Prompt) -> ScriptedAnswer:
    """Name the trade in the words of each mission."""
    return ScriptedAnswer.json(
        plan_with_expert(TITLES["second" in prompt.sections["The founder's directive"]])
    )


def test_two_missions_that_need_the_same_role_at_once_hire_once(
    frasier: FrasierProgram, database_url: str, tmp_path: Path
) -> None:
    documents = str(write_documents(tmp_path / "drinks"))
    with scripted_founder(frasier, plan=plan) as founder:
        options = ("--sources", documents, "--out", str(tmp_path / "out"))
        stop = founder.settings | {"FRASIER_FAULT": "plan.before_commit:stop"}
        with frasier.running("run", f"{DIRECTIVE}, first", *options, **stop) as first:
            poll(lambda: os.waitid(os.P_PID, first.pid, os.WSTOPPED | os.WNOHANG), "the first has hired")
            with frasier.running("run", f"{DIRECTIVE}, second", *options, **founder.settings) as second:
                # The first has hired inside its open transaction, and the second wants to.
                awaited = poll(lambda: awaited_lock(database_url), "the second wants to hire")
                os.kill(first.pid, signal.SIGCONT)
                ends = [(one.communicate(timeout=60), one.returncode) for one in (first, second)]
        assert [code for _, code in ends] == [0, 0], ends
        assert awaited == "advisory", "the second does not try what the first has done, and fails"
        assert {one["status"] for one in founder.json("missions", "list")["missions"]} == {"delivered"}
        added = [
            one for one in founder.json("agents", "list", "--all")["agents"] if "ax advi" in one["title"]
        ]
        assert len(added) == 1
        assert len(founder.prompts("persona")) == 1
        name, title = added[0]["name"], added[0]["title"]
        missions = [one["mission"] for one in founder.json("missions", "list")["missions"]]
        for mission in missions:
            shown = founder.json("missions", "show", mission)
            assert [one["key"] for one in shown["hires"]] == [added[0]["key"]]
            assert {step["key"]: step["agent"] for step in shown["steps"]}["part-1"] == name
        (hire,) = {one["mission"] for one in shown["hires"]} & set(missions)
        assert hire
        persona = founder.json("agents", "show", added[0]["key"])["persona"]
        works = [one for one in founder.prompts("synthesize") if f"You are {name}, {title}." in one.outside]
        assert len(works) == 2
        assert all(persona["identity"] in one.outside for one in works)
