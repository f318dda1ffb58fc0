"""Two teams of agents outside of the program, four over MCP and four over HTTP, carry a task each on one board.

Everything is real: the program's own servers, tokens, the founder's decisions, links on an https server (whose
authority is a throw-away one that the program is told to trust), and tests that the engine itself runs.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
from mcp import MCPError
from psycopg.types.json import Jsonb

from frasier.board import DeclaredCommand, declare_command, get_board, switch_command
from frasier.board.agent_inbox.audit_replay import check_trail
from frasier.kernel.ids import new_id
from frasier.memory import markers_of
from frasier.store import Database
from frasier.workflow import FOUNDER
from support.certificate import make_certificate
from support.cli import FrasierProgram
from support.outside_agents import (
    SERVE,
    SERVE_MCP,
    Agent,
    Founder,
    Refused,
    over_http,
    over_mcp,
    over_stdio,
    serving,
    web_environment,
)
from support.team import liaison_answers
from support.web_server import WebServer, plain

BOARD = "kettle"
ROLES = ("pdsa", "dev", "qa", "liaison")
REASON = "The kettle hisses where it was asked to whistle, so that nobody hears it from the garden."
BLOCKS = "The whistle that was ordered has not come."
TESTS = """
import unittest
import kettle

class Whistles(unittest.TestCase):
    def test_the_sound(self):
        self.assertEqual(kettle.SOUND, "whistle")

    def test_it_is_a_text(self):
        self.assertIsInstance(kettle.SOUND, str)
"""
WAY = [
    "CREATED",
    "pending→ready",
    "START",
    "active→approval",
    "approval→approved",
    "START",
    "active→testing",
    "testing→ready",
    "START",
    "active→review",
    "review→rework",
    "START",
    "BLOCKED",
    "RESTORED",
    "active→review",
    "review→review",
    "review→review",
    "review→complete",
    "SUMMARY",
]

Decide = Callable[[str], Awaitable[object]]
"""How the founder approves a decision."""


@dataclass(frozen=True)
class Team:
    """Four agents by role, who carry the task `slug`. What they build lies in `folder`, what they publish on `web`."""

    agents: Mapping[str, Agent]
    slug: str
    folder: Path
    web: WebServer

    async def __call__(self, role: str, tool: str, **arguments: Any) -> dict[str, Any]:
        return await self.agents[role](tool, **{"task": self.slug} | arguments)

    async def refused(self, role: str, tool: str, **arguments: Any) -> Refused:
        with pytest.raises(Refused) as caught:
            await self(role, tool, **arguments)
        return caught.value

    async def move(self, role: str, move: str, **fields: Any) -> dict[str, Any]:
        return await self(role, "task_move", move=move, fields=fields)

    async def claim(self, role: str) -> int:
        """Takes the task, which waits for the role, after the memory was asked for it; the attempt."""
        mine = (await self.agents[role]("task_list", mine=True))["tasks"]
        assert {"task": f"{BOARD}/{self.slug}", "why": ["turn"]}.items() <= _named(mine, self.slug).items()
        session = f"s-{new_id().hex}"
        await self.agents[role]("memory_search", query=f"{self.slug} whistle", session=session)
        return int((await self(role, "task_claim", memory_query_session=session))["attempt"])

    async def learned(self, role: str) -> str:
        """A memory of what the role learned, saved just now."""
        said = f"The {role} of {self.slug} learned {new_id()} about kettles."
        return str((await self.agents[role]("memory_save", content=said))["id"])

    async def deliver(self, role: str, attempt: int, **fields: Any) -> tuple[str, str]:
        moved = await self(role, "task_deliver", attempt=attempt, fields=fields)
        return moved["status"], moved["role"]

    def publish(self, name: str) -> str:
        """The link of a page that is there from now on."""
        path = f"/{self.slug}/{name}"
        self.web.routes[path] = plain(f"{name} of {self.slug}")
        return self.web.url(path)

    def build(self, sound: str) -> str:
        (self.folder / "kettle.py").write_text(f"SOUND = {sound!r}\n")
        return f"{self.folder.name}/kettle.py"

    async def decided(self, move: str, decide: Decide, **fields: Any) -> dict[str, Any]:
        """The move is refused until the founder has decided; the one who asked cannot decide it."""
        asked = await self.refused("liaison", "task_move", move=move, fields=fields)
        assert asked.code == "decision_needed"
        waits = (await self.agents["liaison"]("task_recover"))["asked_founder"]
        [decision] = [
            one["decision"]
            for one in waits
            if (one["task"].rpartition("/")[2], one["move"]) == (self.slug, move)
        ]
        with pytest.raises(Refused, match=r"not_allowed|no tool 'task_decide'"):
            await self.agents["liaison"]("task_decide", decision=decision, approve=True)
        await decide(decision)
        return await self.move("liaison", move, **fields)


def _named(tasks: list[dict[str, Any]], slug: str) -> dict[str, Any]:
    [found] = [one for one in tasks if one["task"] == f"{BOARD}/{slug}"]
    return found


async def carry(team: Team, decide: Decide, rival: Agent) -> None:
    """From pending to complete, by the way of every gate. `rival` is a developer of the other team."""
    await design(team, decide)
    await build_badly(team)
    await build_again(team, rival)
    await review(team, decide)


async def start(team: Team) -> None:
    """A task that can be taken by the designer."""
    wanted = {
        "description": f"A kettle for {team.slug}, heard from the garden.",
        "acceptance_criteria": ["It whistles."],
    }
    title = f"A kettle that whistles, for {team.slug}"
    await team.agents["liaison"]("task_create", name=team.slug, title=title, fields=wanted)
    await team.move("liaison", "ready", depends_on_reviewed=True)


async def design(team: Team, decide: Decide) -> None:
    await start(team)
    attempt = await team.claim("pdsa")
    given = {"memory_contribution_id": await team.learned("pdsa")}
    nowhere = {"pdsa_ref": team.web.url("/nowhere/v0.0.1.md")} | given
    closed = await team.refused("pdsa", "task_deliver", attempt=attempt, fields=nowhere)
    assert "pdsa_ref does not resolve" in closed.message
    given["pdsa_ref"] = team.publish("design/v0.0.1.md")
    assert await team.deliver("pdsa", attempt, **given) == ("approval", "liaison")
    said = {
        "liaison_review": f"The {team.slug} is as it was asked for.",
        **liaison_answers(team.slug, "approval"),
    }
    assert (await team.decided("approve_design", decide, **said))["status"] == "approved"


async def build_badly(team: Team) -> None:
    """Tests come first, and what is built at first does not pass them."""
    attempt = await team.claim("qa")
    (team.folder / "test_kettle.py").write_text(TESTS)
    assert await team.deliver("qa", attempt, qa_tests="test_kettle.py") == ("testing", "qa")
    await team.move("qa", "hand_over")
    attempt = await team.claim("dev")
    built = {"implementation": team.build("hiss"), "memory_contribution_id": await team.learned("dev")}
    assert await team.deliver("dev", attempt, **built) == ("review", "qa")
    ran = await team("qa", "task_check", command=f"unit-{team.slug}")
    assert (ran["passed"], ran["total"], ran["holds"]) == (1, 2, False)
    closed = await team.refused(
        "qa", "task_move", move="pass_tests", fields={"qa_review": f"The {team.slug} is fine."}
    )
    assert "1 of 2 tests passed" in closed.message
    assert (await team.move("qa", "send_back", rework_reason=REASON))["status"] == "rework"


async def build_again(team: Team, rival: Agent) -> None:
    """Sent back, the work waits for the liaison on the way, and answers what was said against it."""
    attempt = await team.claim("dev")
    with pytest.raises(Refused, match=f"{team.slug} is active"):
        await rival("task_claim", task=team.slug, memory_query_session="s-rival")
    paused = {"reason": BLOCKS, "owner": "liaison", "action": "find the whistle", "attempt": attempt}
    assert (await team("dev", "task_block", **paused))["status"] == "blocked"
    mine = _named((await team.agents["liaison"]("task_list", mine=True))["tasks"], team.slug)
    assert (mine["why"], mine["blocked"][0]["reason"]) == (["blocked"], BLOCKS)
    assert (await team.refused("dev", "task_restore")).code == "transition_refused"
    back = await team("liaison", "task_restore", note="It was in the letter box.")
    assert (back["status"], back["role"], back["attempt"]) == ("active", "dev", attempt)
    built = {"implementation": team.build("whistle"), "memory_contribution_id": await team.learned("dev")}
    closed = await team.refused("dev", "task_deliver", attempt=attempt, fields=built)
    assert "rework_context" in closed.message
    built |= {
        "rework_context": f"You said: {REASON[:50]} — it whistles now.",
        "changelog_ref": team.publish("changelog.md"),
    }
    assert await team.deliver("dev", attempt, **built) == ("review", "qa")


async def review(team: Team, decide: Decide) -> None:
    closed = await team.refused(
        "qa", "task_move", move="pass_tests", fields={"qa_review": f"The {team.slug} is fine."}
    )
    assert "the tests were run before the work was done again" in closed.message
    ran = await team("qa", "task_check", command=f"unit-{team.slug}")
    assert (ran["passed"], ran["total"], ran["holds"]) == (2, 2, True)
    await team.move("qa", "pass_tests", qa_review=f"The {team.slug} whistles.")
    await team.move("pdsa", "pass_design", pdsa_review=f"The {team.slug} is as it was designed.")
    said = {
        "abstract_ref": team.publish("abstract.md"),
        "liaison_review": f"Heard the {team.slug} from the garden.",
        **liaison_answers(team.slug, "complete"),
    }
    done = await team.decided("complete", decide, **said)
    assert (done["status"], done["role"]) == ("complete", "liaison")


@asynccontextmanager
async def board(
    frasier: FrasierProgram, db: Database, tmp_path: Path, mode: str
) -> AsyncIterator[tuple[Founder, WebServer, dict[str, str]]]:
    """A board with a place for its pages; what the program needs in its environment."""
    certificate = make_certificate(tmp_path)
    founder = Founder(frasier, db)
    await founder("board", "make", BOARD)
    await founder("board", "mode", BOARD, mode)
    async with WebServer(certificate.server) as web:
        yield founder, web, web_environment(certificate.authority, web.authority)


async def member(founder: Founder, role: str, door: str) -> str:
    """The token of a new member."""
    return await founder("member", "add", f"{role}-{door}", "--role", role, "--board", BOARD)


async def declare_tests(db: Database, slug: str, tmp_path: Path) -> Path:
    """A folder for what is built, and the command that tests it, switched on."""
    folder = (tmp_path / slug).resolve()
    folder.mkdir()
    name = f"unit-{slug}"
    command = DeclaredCommand(
        name=name,
        arguments=(sys.executable, "-B", "-m", "unittest"),
        folder=folder,
        timeout_s=60,
        memory_mb=512,
    )
    async with db.transaction() as tx:
        board = await get_board(tx, BOARD)
        await declare_command(tx, board.id, command, actor=FOUNDER)
        await switch_command(tx, board.id, name, enabled=True, actor=FOUNDER)
    return folder


async def test_two_teams_carry_their_tasks_to_the_end_and_the_trail_tells_how(
    frasier: FrasierProgram, db: Database, tmp_path: Path, server: Any, database_name: str
) -> None:
    """The founder decides for the team over MCP at the command line, for the team over HTTP with a token."""
    async with board(frasier, db, tmp_path, "manual") as (founder, web, told), AsyncExitStack() as stack:
        tokens = {
            (role, door): await member(founder, role, door) for role in ROLES for door in ("mcp", "http")
        }
        boss_token = await founder.token()
        mcp, http = stack.enter_context(serving(frasier, SERVE_MCP, SERVE, environment=told))
        first = await stack.enter_async_context(over_stdio(frasier, tokens["dev", "mcp"], told))
        outside = {"dev": first.agent} | {
            role: await stack.enter_async_context(over_mcp(mcp, tokens[role, "mcp"]))
            for role in ("pdsa", "qa", "liaison")
        }
        plain_http = {
            role: await stack.enter_async_context(over_http(http, tokens[role, "http"])) for role in ROLES
        }
        boss = await stack.enter_async_context(over_http(http, boss_token))
        tea = Team(outside, "tea", await declare_tests(db, "tea", tmp_path), web)
        cup = Team(plain_http, "cup", await declare_tests(db, "cup", tmp_path), web)

        async def at_the_command_line(decision: str) -> None:
            await founder("decide", decision, "approve", "--comment", "Go on.")

        async def over_the_wire(decision: str) -> None:
            waiting = (await boss("task_decisions"))["decisions"]
            assert decision in {one["decision"] for one in waiting}
            await boss("task_decide", decision=decision, approve=True, comment="Go on.")

        await asyncio.gather(
            carry(tea, at_the_command_line, plain_http["dev"]), carry(cup, over_the_wire, outside["dev"])
        )
        ids = {team.slug: await shown_at_the_end(team, db) for team in (tea, cup)}
        await markers_are_recalled(cup.agents["qa"])
        assert frasier.json("events", "verify")["verified"] is True
        with psycopg.connect(server.url("frasier_owner", database_name), autocommit=True) as owner:
            await a_changed_row_is_found(owner, tea, cup, boss)
            a_changed_event_is_found(owner, frasier, ids["tea"])


async def shown_at_the_end(team: Team, db: Database) -> UUID:
    """The task is complete, and its history, replayed, leads to just that; its id."""
    task = await team("pdsa", "task_get")
    assert (task["status"], task["outcome"], task["strikes"]) == ("complete", "completed", 1)
    history = await team("qa", "task_history", limit=500)
    assert history["problems"] == []
    decided = [event for event in history["events"] if event["what"] == "decision_approved"]
    assert [event["by"] for event in decided] == ["founder:founder"] * 2
    async with db.transaction() as tx:
        assert await check_trail(tx, UUID(task["id"])) == []
        markers = [one.content for one in await markers_of(tx, UUID(task["id"]), limit=100)][::-1]
    assert [marker.removeprefix("TASK ").partition(":")[0] for marker in markers] == WAY
    assert all(f" {team.slug} ({BOARD}) — " in marker for marker in markers)
    assert any(BLOCKS in marker for marker in markers)
    said = markers[-1]
    assert said.startswith(f"TASK SUMMARY: LIAISON {team.slug} ({BOARD}) — A kettle that whistles")
    assert "taken 4 times, sent back once, paused once" in said
    for role in ROLES:
        assert f"{role}: {role}-" in said
    return UUID(task["id"])


async def markers_are_recalled(agent: Agent) -> None:
    """By an agent of either team, those of both."""
    found = await agent("memory_search", kinds=["marker"], scopes=[f"board:{BOARD}"], limit=50)
    texts = " ".join(one["text"] for one in found["results"])
    for move in {*WAY}:
        assert f"TASK {move}: " in texts
    assert "TASK SUMMARY: LIAISON tea" in texts
    assert "TASK SUMMARY: LIAISON cup" in texts


async def a_changed_row_is_found(owner: psycopg.Connection, tea: Team, cup: Team, boss: Agent) -> None:
    """By whom it is looked for, with what was changed; the other task's history is as it was."""
    changed = Jsonb({"qa_review": "Nobody ever wrote this."})
    owner.execute("update workflow_tasks set fields = fields || %s where slug = 'tea'", [changed])
    [problem] = (await boss("task_history", task="tea"))["problems"]
    assert "field qa_review" in problem
    assert (await tea("qa", "task_history"))["problems"] == [problem]
    assert (await cup("qa", "task_history"))["problems"] == []


def a_changed_event_is_found(owner: psycopg.Connection, frasier: FrasierProgram, task_id: UUID) -> None:
    """As the owner of the table, past the trigger that keeps everybody else from it."""
    owner.execute("alter table events disable trigger user")
    owner.execute(
        "update events set actor = 'founder:somebody' where stream = %s and kind = 'task.decision_approved'",
        [task_id],
    )
    owner.execute("alter table events enable trigger user")
    found = frasier.json("events", "verify", code=7)
    assert found["verified"] is False
    assert str(task_id) in " ".join(found["problems"])


async def test_an_agent_whose_host_was_killed_goes_on_where_it_stood(
    frasier: FrasierProgram, db: Database, tmp_path: Path
) -> None:
    """With nothing but its token: what it holds, what it noted, and what the others did meanwhile."""
    async with board(frasier, db, tmp_path, "autonomous") as (founder, web, told), AsyncExitStack() as stack:
        tokens = {role: await member(founder, role, "x") for role in ("pdsa", "liaison")}
        [http] = stack.enter_context(serving(frasier, SERVE, environment=told))
        liaison = await stack.enter_async_context(over_http(http, tokens["liaison"]))
        async with over_stdio(frasier, tokens["pdsa"], told) as host:
            agents = {"pdsa": host.agent, "liaison": liaison}
            cup, tea = (Team(agents, slug, tmp_path, web) for slug in ("cup", "tea"))
            await start(cup)
            attempt = await cup.claim("pdsa")
            proof = await cup.learned("pdsa")
            ref = cup.publish("design/v0.0.1.md")
            await cup.deliver("pdsa", attempt, pdsa_ref=ref, memory_contribution_id=proof)
            await start(tea)
            attempt = await tea.claim("pdsa")
            stood = {"task": "tea", "step": "drawing the spout", "pending": ["the lid"]}
            await host.agent("task_note", state=stood)
            host.kill()
            with pytest.raises(MCPError, match=r"(?i)closed"):
                await host.agent("task_note", state={"task": "never written"})
        await cup.move(
            "liaison", "approve_design", liaison_review="Good.", **liaison_answers("cup", "approval")
        )
        await founder("edit", "kettle/tea", "--field", "constraints=It must be blue.")
        again = await stack.enter_async_context(over_stdio(frasier, tokens["pdsa"], told))
        found = await again.agent("task_recover")
        assert (found["you"]["name"], found["you"]["roles"]) == ("token:pdsa-x", ["pdsa"])
        [held] = found["holding"]
        assert (held["task"], held["status"], held["attempt"]) == ("kettle/tea", "active", attempt)
        assert held["fields"]["constraints"] == "It must be blue."
        assert [event["what"] for event in held["latest"]][-2:] == ["start", "edit"]
        assert found["stood"]["state"] == stood
        [changed] = found["changed"]
        assert changed["task"] == "kettle/cup"
        assert "approve_design" in [event["what"] for event in changed["events"]]
        tea = Team({"pdsa": again.agent, "liaison": liaison}, "tea", tmp_path, web)
        await tea("pdsa", "task_renew", attempt=attempt)
        given = {
            "pdsa_ref": tea.publish("design/v0.0.1.md"),
            "memory_contribution_id": await tea.learned("pdsa"),
        }
        assert await tea.deliver("pdsa", attempt, **given) == ("approval", "liaison")
        assert (await tea("liaison", "task_history"))["problems"] == []
