"""Roles have what is declared for them and nothing more, from the command line to the run that asks for more."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.cli import FrasierProgram
from support.model_responder import plan_of
from support.model_server import ScriptedAnswer
from support.organisation import write_documents
from support.organisation_api import open_organisation_api
from support.scripted_founder import ScriptedFounder, scripted_founder
from support.web_server import WebServer, page

WITHOUT_WEB = ["recall_memory", "read_sources", "write_deliverables", "judge_work", "speak_in_routines"]


@pytest.fixture
def founder(frasier: FrasierProgram) -> Iterator[ScriptedFounder]:
    with scripted_founder(frasier, plan=lambda _: ScriptedAnswer.json(planned())) as founder:
        yield founder


def planned() -> dict[str, Any]:
    plan = plan_of(1, final="Write the drink report")
    plan["steps"][0] |= {"role": "research"}
    return plan


def narrow(home: Path, role: str, capabilities: list[str]) -> Path:
    file = home / "capabilities.toml"
    home.mkdir(exist_ok=True)
    file.write_text(f"[roles]\n{role} = {json.dumps(capabilities)}\n")
    return file


def refusals(founder: ScriptedFounder) -> list[dict[str, Any]]:
    events = founder.json("events", "tail", "--limit", "500")["events"]
    return [one for one in events if one["kind"] == "capability.refused"]


def run(founder: ScriptedFounder, tmp_path: Path, directive: str, *options: str, **how: Any) -> None:
    documents = write_documents(tmp_path / "drinks")
    founder("run", directive, "--sources", documents, "--out", tmp_path / "out", *options, **how)


@pytest.mark.parametrize("narrowed", [False, True])
async def test_a_model_that_asks_for_the_web_gets_none_where_its_role_has_none(
    founder: ScriptedFounder, home: Path, tmp_path: Path, narrowed: bool
) -> None:
    if narrowed:
        narrow(home, "research", WITHOUT_WEB)
    async with WebServer() as web:
        web.routes = {"/tea": page("<p>" + "Tea is brewed with water of 75 degrees. " * 40 + "</p>")}
        settings = {
            "FRASIER_WEB__ALLOW_PRIVATE_HOSTS": json.dumps([web.authority]),
            "FRASIER_WEB__MIN_DELAY_S_PER_HOST": "0",
        }
        directive = f"Say which drink is better, by {web.url('/tea')}"
        await asyncio.to_thread(run, founder, tmp_path, directive, "--web", **settings)
        assert bool(web.paths) is not narrowed
    assert founder.json("missions", "show", "last")["status"] == "delivered"
    told = refusals(founder)
    assert len(told) == (1 if narrowed else 0)
    shown = founder.json("agents", "show", "heron")["capabilities"]
    assert ("fetch_pages" in shown) is not narrowed


def test_a_role_that_may_not_write_asks_no_model_and_the_founder_is_told(
    founder: ScriptedFounder, home: Path, tmp_path: Path
) -> None:
    file = narrow(home, "research", ["recall_memory", "read_sources", "judge_work"])
    run(founder, tmp_path, "Say which drink is better", code=5)
    assert founder.prompts("plan")
    assert not founder.prompts("decompose", "synthesize")
    assert [one["kind"] for one in refusals(founder)] == ["capability.refused"]
    assert "may not write deliverables" in json.dumps(founder.json("inbox"))
    file.unlink()
    founder("resume", "last")
    assert founder.json("missions", "show", "last")["status"] == "delivered"


def test_an_unknown_name_is_an_error_at_start_that_names_it(founder: ScriptedFounder, home: Path) -> None:
    narrow(home, "research", ["serch_web"])
    refused = founder("agents", "show", "heron", code=8).err
    assert "capability in roles.research called 'serch_web'" in " ".join(refused.split())


async def test_http_mcp_and_the_command_line_show_what_the_chief_of_staff_may_do(
    founder: ScriptedFounder, database_url: str, tmp_path: Path
) -> None:
    shown = " ".join(founder("agents", "show", "frasier").out.split())
    assert "plan missions" in shown
    assert "write deliverables" not in shown
    async with open_organisation_api(database_url, tmp_path / "api") as api:
        answer = await api.call("agent_get", agent="frasier")
        assert "write_deliverables" not in answer["agent"]["capabilities"]
        assert "plan_missions" in answer["agent"]["capabilities"]
