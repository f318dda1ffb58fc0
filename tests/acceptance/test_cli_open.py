"""`frasier missions open` and the completion of the shell, over a mission that was really delivered."""

from __future__ import annotations

import asyncio
import os
import re
from pathlib import Path

import pytest

from frasier.llm import LlmSettings
from support.cli import FrasierProgram
from support.cli_states import planned_mission
from support.model_responder import CompetentModel, plan_of
from support.model_server import ModelServer, ScriptedAnswer
from support.organisation import carry_out, organisation

ANSI = re.compile(r"\x1b\[[0-9;]*m")

COMPLETE = {"_FRASIER_COMPLETE": "complete_bash"}


def offered(frasier: FrasierProgram, line: str, **environment: str) -> list[str]:
    """What bash is offered behind a line."""
    words = line.split(" ")
    told = {**COMPLETE, "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1), **environment}
    return [value for value in frasier(**told).out.split("\n") if value]


@pytest.fixture
def delivered(frasier: FrasierProgram, documents: Path) -> Path:
    """The folder of a delivered mission."""
    told = frasier.json("run", "Compare how the drinks are stored", "--sources", str(documents))
    return Path(told["folder"])


def test_a_deliverable_is_opened_in_the_pager_and_in_the_browser(
    frasier: FrasierProgram, delivered: Path, tmp_path: Path
):
    assert frasier("missions", "open").out == f"{delivered}/deliverable.md\n"
    assert frasier("missions", "open", "last", "--html", "--print").out == f"{delivered}/deliverable.html\n"
    heading = (delivered / "deliverable.md").read_text("utf-8").splitlines()[0].removeprefix("# ")
    paged = frasier.on_terminal("missions", "open", "last", columns=100, PAGER="sed s/^/paged:/")
    assert heading in paged
    assert "paged:" in paged
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}\n', "utf-8")
    browser.chmod(0o755)
    frasier("missions", "open", "last", "--html", BROWSER=str(browser))
    assert opened.read_text("utf-8").strip() == (delivered / "deliverable.html").as_uri()
    without = frasier("missions", "open", "--html", BROWSER="", PATH=str(tmp_path))
    assert without.out == f"{delivered}/deliverable.html\n"
    (delivered / "deliverable.md").unlink()
    assert "is not there any more" in frasier("missions", "open", code=3).err


async def test_a_terminal_shows_where_a_link_leads_and_is_given_none_that_runs_something(
    frasier: FrasierProgram, database_url: str, tmp_path: Path
):
    text = (
        "# Drinks\n\nTea is brewed at 75 degrees. [1] It is ripe\u202epng for you. [conclusion]\n\n"
        "See [the shop](https://shop.example/tea), [this](vscode://run?x) and [that](javascript:alert(1)).\n"
    )
    answer = ScriptedAnswer(content=text)
    model = CompetentModel(
        plan=lambda _: ScriptedAnswer.json(plan_of(1)), synthesize=lambda _: answer, revise=lambda _: answer
    )
    sources = tmp_path / "drinks"
    sources.mkdir()
    (sources / "tea.md").write_text("# Tea\n\nTea is brewed at 75 degrees.\n", "utf-8")
    with ModelServer(model) as server:
        llm = LlmSettings(base_url=server.base_url, t1_model="m1", t2_model="m2", t3_model="m3")
        async with organisation(database_url, tmp_path / "home", llm=llm) as services:
            await carry_out(services, sources)
    for command in (("missions", "read", "last"), ("missions", "open", "last")):
        shown = await asyncio.to_thread(frasier.on_terminal, *command, columns=100, PAGER="cat")
        assert "the shop (https://shop.example/tea)" in ANSI.sub("", shown)
        assert "\x1b]8;" not in shown, "no link of the terminal's own, which hides its address"
        assert "\u202e" not in shown


async def test_a_mission_without_a_deliverable_says_how_far_it_is(frasier: FrasierProgram, db, home: Path):
    async with db.transaction() as tx:
        planned = await planned_mission(tx, home / "out")
    refused = frasier("missions", "open", code=3).err
    assert "is in progress: nothing is delivered yet" in refused
    assert f"frasier missions show {str(planned.mission.id)[-8:]}" in refused


async def test_the_shell_is_offered_commands_missions_and_steps(frasier: FrasierProgram, db, home: Path):
    async with db.transaction() as tx:
        planned = await planned_mission(tx, home / "out")
    short = str(planned.mission.id)[-8:]
    assert {"approve", "agents"} <= set(offered(frasier, "frasier a"))
    assert set(offered(frasier, "frasier missions show ")) == {"last", short}
    assert offered(frasier, f"frasier resume {short[:3]}") == [short]
    assert set(offered(frasier, f"frasier approve {short}/")) == {
        f"{short}/{key}" for key in ("water", "storage", "report")
    }
    assert "decision paper" in " ".join(offered(frasier, "frasier run x --as dec"))
    # Whoever presses the key while nothing can be read is offered nothing, and sees no error.
    assert offered(frasier, "frasier missions show ", FRASIER_DATABASE_URL="postgresql://127.0.0.1:1/x") == []
    assert offered(frasier, "frasier missions show ", FRASIER_TOKEN="frasier_sk-wrong") == []
    assert os.environ.get("_FRASIER_COMPLETE") is None
