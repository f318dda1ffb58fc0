"""kill -9 in the middle of moves: of whoever moves, of the program that serves a board, and of PostgreSQL itself.

Afterwards every task is where its markers and its events say, no decision is spent without its move, and whatever was
acknowledged is there.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import shutil
import signal
import subprocess
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx2
import psycopg
import pytest

from frasier.board import ApprovalMode
from frasier.kernel.errors import DatabaseUnreachable, Refused, StoreError, TransitionRefused
from frasier.kernel.ids import new_id
from frasier.memory import issue_token
from frasier.store import Database, migrate
from frasier.store.embedded import EmbeddedServer
from frasier.workflow import processes
from support.board import wait_for_end_of_sessions, wait_for_lock
from support.board_calls import CallStart
from support.board_invariants import find_violations, state_of
from support.board_team import Team, open_team
from support.board_walk import WALKS, Asked, approve_move, create, prepare_move, record_link_checks, task_of
from support.cli import FrasierProgram, read_until
from support.scratch import SCRATCH
from support.web_server import Reply, WebServer

# Nothing has to survive a power cut, as in conftest.
FAST = {"fsync": "off", "full_page_writes": "off", "shared_buffers": "64MB"}

KILLED = -signal.SIGKILL
SERVED = "served"
BEFORE = "move.before_commit"
AFTER = "move.committed"


@pytest.fixture(scope="module")
def calls() -> Iterator[CallStart]:
    with CallStart() as calls:
        yield calls


@pytest.fixture
async def team(db):
    async with open_team(db, mode=ApprovalMode.MANUAL) as team:
        yield team


class Killing:
    """Makes moves in processes that are killed at a fault point."""

    def __init__(self, calls: CallStart, team: Team, db: Database, url: str) -> None:
        self._calls, self._team, self._db, self._url = calls, team, db, url

    async def at(self, point: str, asked: Asked, *, hit: int = 1, brain: str = "") -> None:
        who, tool, arguments = asked
        token = self._team.tokens[who]
        fault = f"{point}:kill:{hit}"
        ended = await self._calls(self._url, token, tool, arguments, fault=fault, brain=brain)
        assert ended == KILLED, f"{tool} {arguments} never came to {point}: {ended}"

    async def in_vain(self, point: str, asked: Asked, **how) -> None:
        """Killed there, it has left nothing."""
        slug = asked[2]["task"]
        before = await state_of(self._db, slug)
        await self.at(point, asked, **how)
        assert await state_of(self._db, slug) == before, f"{asked} left something behind at {point}"


@pytest.fixture
def killing(calls, team, db, database_url) -> Killing:
    return Killing(calls, team, db, database_url)


def points_of(move: str, *, decision: bool, links: bool) -> list[str]:
    """The points of a move at which nothing of it is stored."""
    if move == "block":
        return ["block.entered", "block.before_commit"]
    if move == "restore":
        return ["block.left"]
    if move == "start":
        return ["claim.taken", BEFORE]
    # What the founder was asked about was looked up then.
    return [
        *["decision.used" if decision else "evidence.recorded"] * (decision or links),
        "move.allowed",
        BEFORE,
    ]


@pytest.mark.parametrize("process", WALKS)
async def test_a_member_killed_at_any_point_of_any_move_has_made_it_or_not(
    process, team, db, killing, tmp_path
):
    """Killed before the commit, nothing of the move is there; killed after it, all of it, though nobody was told."""
    tried: set[str] = set()
    for slug, walk in WALKS[process].items():
        await create(team, process, slug)
        for step in walk.split():
            asked = await prepare_move(team, slug, step)
            move = step.partition(":")[0]
            await approve_move(team, asked)
            if move in tried:
                await team(asked[0], asked[1], **asked[2])
                continue
            tried.add(move)
            rule = processes()[process].transitions.get(move)
            links = any(str(value).startswith("https://") for value in asked[2].get("fields", {}).values())
            decision = rule is not None and rule.decision
            for point in points_of(move, decision=decision, links=links and "links" in rule.gates):
                await killing.in_vain(point, asked)
            before = await state_of(db, slug)
            if move in {"block", "restore"}:
                await team(asked[0], asked[1], **asked[2])
            else:
                await killing.at(AFTER, asked)
            after = await state_of(db, slug)
            assert after["task"]["version"] == before["task"]["version"] + 1
            # What is completed has its summary beside the marker of the move.
            completed = after["task"]["outcome"] == "completed"
            assert len(after["markers"]) == len(before["markers"]) + 1 + completed
            spent = [one for one in after["decisions"] if one["used_at"]]
            assert len(spent) == len([one for one in before["decisions"] if one["used_at"]]) + decision
    assert tried >= processes()[process].transitions.keys(), "a transition was never killed"
    assert await find_violations(db, tmp_path / "seal.key") == []


async def test_killed_while_it_asks_answers_edits_or_cancels_nothing_is_half_there(
    team, db, killing, database_url, calls, tmp_path
):
    await team.designed("tea")
    await team.create("cup", needs=["tea"])
    approve = await prepare_move(team, "tea", "approve_design")
    await killing.in_vain("decision.asked", approve)
    await team.refused(approve[0], approve[1], **approve[2])
    [open_one] = (await team("boss", "task_decisions"))["decisions"]
    async with db.transaction() as tx:
        team.tokens["boss"] = await issue_token(tx, "boss", ["shared"], founder=True)
    answer = {"decision": open_one["decision"], "approve": True}
    before = await state_of(db, "tea")
    assert (
        await calls(database_url, team.tokens["boss"], "task_decide", answer, fault="decision.answered:kill")
        == KILLED
    )
    assert await state_of(db, "tea") == before
    assert await calls(database_url, team.tokens["boss"], "task_decide", answer) == 0

    version = (await team("lia", "task_get", task="tea"))["version"]
    edit = {"task": "tea", "version": version, "fields": {"constraints": "No steel."}}
    await killing.in_vain("edit.stored", ("lia", "task_edit", edit))
    # It cascades: the dependant is paused in the transaction in which the other is cancelled.
    cancel = {"task": "tea", "move": "cancel", "fields": {"reason": "No kettle."}}
    other = await state_of(db, "cup")
    for point in ("move.allowed", "block.entered", BEFORE):
        await killing.in_vain(point, ("lia", "task_move", cancel))
        assert await state_of(db, "cup") == other
    await killing.at(AFTER, ("lia", "task_move", cancel))
    assert await team.place("tea") == ("cancelled", "liaison")
    assert await team.place("cup") == ("blocked", "liaison")
    assert await find_violations(db, tmp_path / "seal.key") == []


async def test_an_outside_brain_hears_of_a_move_under_one_key_however_often_it_is_killed(
    team, db, killing, database_url, calls, tmp_path
):
    """What it was told before the kill is told again under the same key, and the move is made once."""
    async with WebServer() as remote:
        remote.routes["/api/v1/health"] = Reply('{"status": "ok"}', content_type="application/json")
        remote.routes["/api/v1/contribute"] = Reply(
            json.dumps({"id": str(new_id()), "action": "created", "repeated": False}),
            status=201,
            content_type="application/json",
        )
        await team.ready("tea")
        asked = await prepare_move(team, "tea", "start")
        for point in ("external_memory.intended", "external_memory.contributed", BEFORE):
            await killing.in_vain(point, asked, brain=remote.url(""))
        await killing.at(AFTER, asked, brain=remote.url(""))
        told = [one for one in remote.requests if one.method == "POST"]
    assert len(told) == 3
    assert len({one.headers["idempotency-key"] for one in told}) == 1
    assert await team.place("tea") == ("active", "pdsa")
    async with db.transaction() as tx:
        cursor = await tx.execute("select remote_id, committed_at from board_external_memory_intents")
        [intent] = await cursor.fetchall()
    assert all(intent.values())
    assert await find_violations(db, tmp_path / "seal.key") == []


@pytest.fixture
def program(home, database_url) -> FrasierProgram:
    return FrasierProgram(home, database_url)


@contextmanager
def served(program: FrasierProgram, database_url: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`frasier serve`, and its address. Its sessions with the database are named SERVED."""
    settings = {
        "FRASIER_MEMORY__EMBEDDING__PROVIDER": "none",
        "FRASIER_DATABASE_URL": f"{database_url}&application_name={SERVED}",
    }
    with program.running("serve", "--port", "0", **settings) as process:
        said = read_until(process.stderr, "served at")
        yield process, re.search(r"http://\S+", said).group()


class Load:
    """Members who move the same few tasks at once, whatever moves there are, until a number of moves was acknowledged.

    What they do is drawn from `seed`; which of them is first is not.
    """

    def __init__(self, team: Team, tasks: list[str], seed: int) -> None:
        self._team = team
        self._tasks = tasks
        self._drawn = random.Random(seed)
        self.acknowledged: list[tuple[str, int]] = []
        self.refused: Counter[str] = Counter()

    async def go(
        self, call: Callable[..., Awaitable[Any]], *, members: int, until: int, then: Callable[[], None]
    ):
        """`call(asked)` gives the answer's data, a coded refusal, or None where the connection was cut."""
        self._left = until

        async def one() -> None:
            while self._left >= 0 and (asked := await self._next()) is not None:
                answer = await call(asked)
                if answer is None:
                    return
                self._note(asked, answer)
                if self._left == 0:
                    self._left = -1
                    then()

        await asyncio.gather(*(one() for _ in range(members)))

    async def _next(self) -> Asked | None:
        slug = self._drawn.choice(self._tasks)
        try:
            task = await task_of(self._team, slug)
            if task.status == "blocked":
                return await prepare_move(self._team, slug, "restore")
            ways = [
                rule.name
                for rule in task.definition.transitions.values()
                if rule.starts_from(task.status, task.role)
            ]
            ways = [name for name in ways if name not in {"cancel", "complete_research"}] + ["block"] * (
                not task.terminal
            )
            asked = await prepare_move(self._team, slug, self._drawn.choice(ways))
            if self._drawn.random() < 0.8:
                await self._decide(slug)
        except StoreError:
            return None
        except (Refused, StopIteration, KeyError):
            asked = (
                "lia",
                "task_restore",
                {"task": slug},
            )  # somebody moved it meanwhile: this is refused, or not
        return asked

    async def _decide(self, slug: str) -> None:
        for one in (await self._team("boss", "task_decisions"))["decisions"]:
            if one["task"] == slug:
                with suppress(Refused):
                    await self._team("boss", "task_decide", decision=one["decision"], approve=True)

    def _note(self, asked: Asked, answer: dict[str, Any]) -> None:
        if "version" in answer:
            self.acknowledged.append((asked[2]["task"], answer["version"]))
            self._left -= 1
            return
        assert answer["message"], answer
        assert answer["kept"] or answer["hint"], answer
        self.refused[answer["code"]] += 1


async def acknowledged_in_vain(db: Database, load: Load) -> list[tuple[str, int]]:
    """What was acknowledged and is not there."""
    async with db.transaction() as tx:
        cursor = await tx.execute(
            "select t.slug, (e.payload->>'version')::int as version from events e"
            " join workflow_tasks t on t.id = e.stream where e.payload ? 'version' and e.payload ? 'slug'"
        )
        there = {(row["slug"], row["version"]) for row in await cursor.fetchall()}
    return [one for one in load.acknowledged if one not in there]


@pytest.mark.parametrize(
    ("seed", "kills"), [(1, 2), *(pytest.param(seed, 6, marks=pytest.mark.slow) for seed in (2, 3, 4))]
)
async def test_a_server_killed_at_any_moment_under_load_has_made_what_it_acknowledged(
    seed, kills, team, db, program, database_url, tmp_path
):
    tasks = [f"task-{n}" for n in range(5)]
    for slug in tasks:
        await team.ready(slug)
    load = Load(team, tasks, seed)
    for _ in range(kills):
        with served(program, database_url) as (process, base):
            async with httpx2.AsyncClient(base_url=base, timeout=30) as client:

                async def call(asked: Asked, client=client) -> dict[str, Any] | None:
                    who, tool, arguments = asked
                    await record_link_checks(team, asked)
                    headers = {"Authorization": f"Bearer {team.tokens[who]}"}
                    try:
                        answer = await client.post(f"{base}/tools/{tool}", json=arguments, headers=headers)
                    except httpx2.TransportError:
                        return None
                    assert answer.status_code < 500, answer.text
                    told = answer.json()
                    return (
                        told["data"]
                        if answer.status_code == 200
                        else {"kept": "", "hint": ""} | told["error"]
                    )

                await load.go(call, members=6, until=random.Random(seed).randint(8, 20), then=process.kill)
            assert process.wait(30) == KILLED
        await wait_for_end_of_sessions(db, SERVED)
        assert await find_violations(db, program.home / "seal.key") == []
    assert await acknowledged_in_vain(db, load) == []
    assert load.refused.keys() <= {
        "stale",
        "transition_refused",
        "blocked",
        "lease_lost",
        "decision_needed",
        "invalid_input",
    }


@pytest.fixture(scope="module")
def own_server() -> Iterator[EmbeddedServer]:
    """A PostgreSQL that may be killed."""
    place = Path(tempfile.mkdtemp(prefix="frasier-killed-", dir=SCRATCH))
    place.chmod(0o755)
    server = EmbeddedServer(place / "pg", settings=FAST)
    server.start()
    yield server
    server.stop()
    server.release()
    shutil.rmtree(place)


@pytest.fixture
async def own_team(own_server) -> AsyncIterator[Team]:
    own_server.ensure()
    name = f"t_{new_id().hex}"
    own_server.create_database(name)
    await migrate(own_server.url("frasier_owner", name))
    async with (
        Database(own_server.url("frasier_app", name), connections=12) as db,
        open_team(db, mode=ApprovalMode.MANUAL) as team,
    ):
        yield team
    own_server.drop_database(name)


@pytest.mark.parametrize(
    "seed", [1, 2, 3, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(4, 16))]
)
async def test_postgres_killed_under_load_has_kept_what_it_acknowledged(seed, own_server, own_team, tmp_path):
    tasks = [f"task-{n}" for n in range(5)]
    for slug in tasks:
        await own_team.ready(slug)
    load = Load(own_team, tasks, seed)

    async def call(asked: Asked) -> dict[str, Any] | None:
        who, tool, arguments = asked
        try:
            return await own_team(who, tool, **arguments)
        except Refused as refused:
            return {"kept": "", "hint": ""} | refused.as_dict()
        except StoreError as error:
            assert error.kept
            assert error.hint
            return None

    started_again: list[asyncio.Future[None]] = []

    def kill() -> None:
        os.kill(own_server.pid, signal.SIGKILL)
        started_again.append(asyncio.ensure_future(asyncio.to_thread(own_server.ensure)))

    await load.go(call, members=6, until=random.Random(seed).randint(8, 20), then=kill)
    await started_again[0]
    db = own_team.board.database
    assert await find_violations(db, tmp_path / "seal.key") == []
    assert await acknowledged_in_vain(db, load) == []
    asked = await prepare_move(own_team, tasks[0], "cancel")
    with suppress(TransitionRefused):  # it may be over
        await own_team(asked[0], asked[1], **asked[2])


async def test_a_backend_killed_in_the_middle_of_a_move_leaves_nothing_of_it(own_server, own_team, tmp_path):
    """The move has changed its task and waits to write its event when its backend is killed, and all others with it."""
    await own_team.designed("tea")
    db = own_team.board.database
    asked = await prepare_move(own_team, "tea", "approve_design")
    await approve_move(own_team, asked)
    before = await state_of(db, "tea")
    boss = own_server.url("postgres", db.url.rpartition("/")[2].partition("?")[0])
    async with await psycopg.AsyncConnection.connect(boss) as holding:
        await holding.execute(
            "select from store_event_streams where stream = %s for update", [before["task"]["id"]]
        )
        moving = asyncio.create_task(own_team(asked[0], asked[1], **asked[2]))
        await wait_for_lock(db)
        cursor = await holding.execute(
            "select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
        )
        [(pid,)] = await cursor.fetchall()
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(DatabaseUnreachable) as told:
            await moving
        assert told.value.kept
        assert told.value.hint
        # The server cuts all others off as soon as it notices; until then it takes new connections, to cut them, too.
        with pytest.raises(psycopg.OperationalError):
            await holding.execute("select pg_sleep(60)")
    await asyncio.to_thread(own_server.ensure)
    assert await state_of(db, "tea") == before
    await own_team(asked[0], asked[1], **asked[2])
    assert await own_team.place("tea") == ("approved", "qa")
    assert await find_violations(db, tmp_path / "seal.key") == []
