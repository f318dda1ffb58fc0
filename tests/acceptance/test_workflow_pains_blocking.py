"""What went wrong with pauses before: each pain by its number or letter, and what the board does instead."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import psycopg
import pytest
from pydantic import SecretStr

from frasier.board import board_processes, board_upkeep, open_outages, vectors_watch
from frasier.board.external_memory.factory import make_external_memory
from frasier.board.external_memory.settings import ExternalMemorySettings
from frasier.kernel.errors import TransitionRefused
from frasier.memory import (
    VECTORS,
    EmbeddingSettings,
    MemorySettings,
    VectorStoreSettings,
    open_engine,
    upkeep,
)
from frasier.memory.embedding import resilient_provider
from support.board_team import DESIGN, open_team
from support.crash import poll
from support.embedding_server import EmbeddingServer, refusing, well
from support.task_walk import walk
from support.team import liaison_answers
from support.web_server import Reply, WebServer

STOPPED = {"reason": "The database is locked.", "owner": "liaison", "action": "unlock it"}
NOBODY_LISTENS = "http://127.0.0.1:9"


def brain_at(url):
    return make_external_memory(ExternalMemorySettings(url=url, token=SecretStr("brain-token")))


@pytest.mark.parametrize(
    "answer", [None, 401, 503, 200], ids=["does not listen", "knows no token", "is down", "talks nonsense"]
)
async def test_pain_01_while_the_brain_is_down_nothing_moves_and_everything_can_be_paused(db, answer):
    """The pause is the way out of an outage: it must not need what is out of order."""
    async with open_team(db) as team, WebServer() as web:
        attempt = await team.claim("anna", await team.ready())
        await team.ready("cup")
        for path in ("/api/v1/health", "/api/v1/contribute"):
            web.routes[path] = Reply("{}", status=answer or 200, content_type="application/json")
        brain = brain_at(NOBODY_LISTENS if answer is None else web.url(""))
        down = replace(team, board=replace(team.board, external_memory=brain))
        work = {"pdsa_ref": DESIGN, "memory_contribution_id": await team.learned("anna")}
        for tool, given in (
            ("task_deliver", {"task": "tea", "attempt": attempt, "fields": work}),
            ("task_claim", {"task": "cup", "memory_query_session": await team.asked("anna")}),
        ):
            refused = await down.refused("anna", tool, **given)
            assert isinstance(refused, TransitionRefused)
            assert "external memory" in refused.message.lower()
        await down("anna", "task_block", task="tea", attempt=attempt, **STOPPED)
        assert await down.place("tea") == ("blocked", "liaison")
        await down("lia", "task_restore", task="tea")
        assert await down.place("tea") == ("active", "pdsa")
        [held] = (await down("anna", "task_recover"))["holding"]
        assert held["task"] == "kettle/tea"
        await team("anna", "task_deliver", task="tea", attempt=attempt, fields=work)


async def test_pain_03_a_second_block_keeps_the_place_of_the_first_and_every_role_comes_back(team, tmp_path):
    """Blocked twice, it once came back to blocked for ever; without a role, never."""
    seen = set()
    async for stop in walk(team, tmp_path):
        place = (stop.status, stop.role)
        seen.add(place)
        if stop.status == "complete":
            continue
        await team(stop.holder or "quinn", "task_block", task="tea", **stop.held, **STOPPED)
        more = STOPPED | {"reason": "Nor is there power.", "owner": "founder"}
        await team("lia", "task_block", task="tea", **more)
        paused = await team("lia", "task_get", task="tea")
        assert (paused["was"], paused["was_role"]) == place
        assert [one["reason"] for one in paused["blocked"]] == [STOPPED["reason"], "Nor is there power."]
        await team("lia", "task_restore", task="tea")
        assert await team.place("tea") == place
        again = await team.refused("lia", "task_restore", task="tea")
        assert "not blocked" in again.message
    assert len(seen) == 14
    assert (await team("lia", "task_history", task="tea"))["problems"] == []


async def test_pain_03_what_is_over_is_neither_blocked_nor_edited(team, tmp_path):
    async for stop in walk(team, tmp_path):
        if stop.status == "complete":
            break
    await team.create("cup")
    await team("lia", "task_move", task="cup", move="cancel", fields={"reason": "Not wanted."})
    for task, status in (("tea", "complete"), ("cup", "cancelled")):
        for who in ("lia", "dan", "boss"):
            refused = await team.refused(who, "task_block", task=task, **STOPPED)
            assert f"is {status}: it cannot be blocked" in refused.message
        version = (await team("lia", "task_get", task=task))["version"]
        fields = {"constraints": "rewritten"}
        refused = await team.refused("lia", "task_edit", task=task, version=version, fields=fields)
        assert "an ended task cannot be edited" in refused.message
        assert "not blocked" in (await team.refused("lia", "task_restore", task=task)).message


async def test_pain_d_whoever_held_a_task_holds_it_again_after_the_pause(team, db, tmp_path):
    """Status, role and claim: the sweeper does not take away what was given back a moment ago."""
    [(_, _, sweep), _] = board_upkeep(db, team.told)
    attempt = await team.claim("anna", await team.ready())
    await team("anna", "task_block", task="tea", attempt=attempt, **STOPPED)
    await sweep()
    early = await team.refused("anna", "task_renew", task="tea", attempt=attempt)
    assert early.code == "blocked"
    again = await team.envelope("lia", "task_restore", task="tea")
    assert f" anna holds it under attempt {attempt}, until 20" in again.summary
    assert again.data["attempt"] == attempt
    left = datetime.fromisoformat(again.data["lease_until"]) - datetime.now(UTC)
    assert timedelta(minutes=29) < left <= timedelta(minutes=30), "as long as a lease is"
    await sweep()
    back = await team("anna", "task_get", task="tea")
    assert (back["status"], back["held_by"], back["attempt"]) == ("active", "token:anna", attempt)
    [woken] = (await team("anna", "task_wait", timeout_s=0))["tasks"]
    assert (woken["task"], woken["why"]) == ("kettle/tea", ["restored"]), "the pause is over"
    await team("anna", "task_renew", task="tea", attempt=attempt)
    assert (await team("anna", "task_wait", timeout_s=0))["tasks"] == [], "who goes on needs no telling"
    await team.deliver("anna", "tea", attempt, pdsa_ref=DESIGN)
    assert await team.place("tea") == ("approval", "liaison")


async def test_pain_d_a_lease_that_was_over_before_the_pause_is_not_given_anew(team, db):
    """Nobody holds on to a task by being paused: what had run out goes back to all, and the old attempt writes nothing."""
    [(_, _, sweep), _] = board_upkeep(db, team.told)
    attempt = await team.claim(
        "dan", await team.ready("leak", process="pdsa_bug", about=[await team.create()])
    )
    async with db.transaction() as tx:
        await tx.execute(
            "update workflow_tasks set lease_until = now() - interval '1 second' where attempt > 0"
        )
    await team("lia", "task_block", task="leak", **STOPPED)
    again = await team.envelope("boss", "task_restore", task="leak")
    assert again.summary == "leak is back where it was: ready with dev."
    await sweep()
    assert await team.place("leak") == ("ready", "dev")
    newer = await team.claim("dora", "leak")
    await team("dora", "task_block", task="leak", attempt=newer, **STOPPED)
    for tool, given in (
        ("task_renew", {}),
        ("task_block", STOPPED),
        ("task_edit", {"version": 1, "fields": {}}),
    ):
        late = await team.refused("dan", tool, task="leak", attempt=attempt, **given)
        assert late.code == "lease_lost"
    await team("lia", "task_restore", task="leak")
    assert (await team("dora", "task_get", task="leak"))["held_by"] == "token:dora"
    assert (await team.refused("dan", "task_renew", task="leak", attempt=attempt)).code == "lease_lost"


async def test_pain_d_the_place_of_a_pause_is_not_changed_by_any_tool(team):
    """The snapshot is nobody's to write: a move that starts elsewhere, a claim and an edit leave it alone."""
    await team.ready()
    await team("anna", "task_block", task="tea", **STOPPED)
    session = await team.asked("anna")
    for who, tool, given in (
        ("anna", "task_claim", {"memory_query_session": session}),
        ("lia", "task_move", {"move": "ready"}),
        ("lia", "task_move", {"move": "approve_design", "fields": liaison_answers("tea", "approval")}),
        ("anna", "task_deliver", {"attempt": 1}),
    ):
        await team.refused(who, tool, task="tea", **given)
    version = (await team("lia", "task_get", task="tea"))["version"]
    for name in ("was", "was_role", "status", "role", "blocked_from_state", "blocked_from_role"):
        await team.refused("lia", "task_edit", task="tea", version=version, fields={name: "complete"})
    await team("lia", "task_restore", task="tea")
    assert await team.place("tea") == ("ready", "pdsa")


async def test_pain_d_what_is_said_at_its_end_is_said_by_whoever_says_it(team):
    """A liaison's note is in the record under its own name; no field of the task calls it the founder's."""
    await team.ready()
    before = (await team("lia", "task_get", task="tea"))["fields"]
    await team("anna", "task_block", task="tea", **STOPPED)
    await team("lia", "task_restore", task="tea", note="Unlocked by Lia.")
    assert (await team("lia", "task_get", task="tea"))["fields"] == before
    told = await team("lia", "task_history", task="tea")
    last = told["events"][-1]
    assert (last["what"], last["by"], last["said"]) == ("restore", "member:token:lia", "Unlocked by Lia.")
    assert told["problems"] == []


@pytest.mark.parametrize("process", ["pdsa_task", "pdsa_bug"])
async def test_pain_d_every_position_has_a_way_out(team, process):
    """By the table that the tool shows: from wherever a task can be, some move leads on, and some way to an end."""
    table = await team("lia", "task_process", process=process)
    ends = {one["status"] for one in table["statuses"] if one.get("ends")}
    roles = {one["status"]: one["roles"] for one in table["statuses"]}
    reached = {(at, role) for at in roles if at not in ends for role in roles[at]}
    safe = {(at, role) for at in ends for role in roles[at]}
    moves = [move for move in table["moves"] if move["move"] not in {"cancel", "release"}]
    while True:
        more = {
            (at, role)
            for at, role in reached - safe
            for move in moves
            if at in move["before"]
            and role in move.get("of", [role])
            and any((move["to"], one) in safe for one in _next_roles(move, role, roles))
        }
        if not more:
            break
        safe |= more
    assert reached <= safe, "without being cancelled or given back"
    assert all("blocked" in move["before"] for move in table["moves"] if move["move"] == "cancel")


def _next_roles(move, role, roles):
    there = roles[move["to"]]
    named = move.get("role", "")
    if named.startswith("{"):
        return there
    return [named] if named else there if len(there) == 1 else [role]


async def test_pain_c_without_search_everything_but_searching_goes_on(team, db):
    """Encoder and vector store are out of order: claim, block, restore, recover and deliver do not notice."""
    await team.ready()
    with EmbeddingServer(refusing(503)) as encoders:
        settings = MemorySettings(
            embedding=EmbeddingSettings(
                provider="openai",
                model="m",
                base_url=encoders.base_url,
                api_key=SecretStr("sk-emb-0123456789abcdef"),
                dimension=8,
                query_timeout_s=0.3,
            ),
            vector_store=VectorStoreSettings(kind="qdrant", url=NOBODY_LISTENS),
        )
        async with open_engine(db, settings, owner_url=db.url) as engine:
            dark = replace(team, engine=engine)
            health = await dark("anna", "memory_health")
            assert health["status"] == "degraded"
            attempt = await dark.claim("anna", "tea")
            await dark("anna", "task_block", task="tea", attempt=attempt, **STOPPED)
            await dark("lia", "task_restore", task="tea")
            [held] = (await dark("anna", "task_recover"))["holding"]
            assert (held["task"], held["attempt"]) == ("kettle/tea", attempt)
            await dark.deliver("anna", "tea", attempt, pdsa_ref=DESIGN)
            assert await dark.place("tea") == ("approval", "liaison")


async def test_pain_c_blocking_restoring_and_reading_need_no_memory_at_all(team, database_name, server):
    """Not one memory can be read: who pauses, goes on or looks for their place asks none."""
    attempt = await team.claim("anna", await team.ready())
    with psycopg.connect(server.url("frasier_owner", database_name), autocommit=True) as owner:
        owner.execute("revoke select, update, delete on memory_items from frasier_app")
    await team("anna", "task_block", task="tea", attempt=attempt, **STOPPED)
    await team("lia", "task_restore", task="tea")
    [held] = (await team("anna", "task_recover"))["holding"]
    assert [event["what"] for event in held["latest"]][-2:] == ["block", "restore"]
    assert (await team("lia", "task_list"))["tasks"]
    assert (await team("lia", "task_history", task="tea"))["problems"] == []


def encoder_at(encoders):
    return MemorySettings(
        embedding=EmbeddingSettings(
            provider="openai",
            model="m",
            base_url=encoders.base_url,
            api_key=SecretStr("sk-emb-0123456789abcdef"),
            dimension=8,
            query_timeout_s=0.3,
        )
    )


async def beats(engine, told, times=3):
    """What the heartbeat does of it: makes the vectors that are owed, and looks how that goes."""
    [embed] = [job for name, _, job in upkeep(engine) if name == VECTORS]
    _, _, look = vectors_watch(engine, told)
    for _ in range(times):
        await embed()
        await look()


async def outages(db):
    async with db.transaction() as tx:
        return [outage.what for outage in await open_outages(tx)]


async def test_pain_c_an_outage_of_the_vectors_is_one_alert_and_refuses_nothing(team, db):
    """The board went still for days, and nobody had been told that the encoder was down."""
    with EmbeddingServer(refusing(401)) as encoders:
        async with open_engine(db, encoder_at(encoders), owner_url=db.url, encode_saves=False) as engine:
            dark = replace(team, engine=engine)
            await dark.learned("anna")
            await beats(engine, team.told, 1)
            assert team.told.news == [], "one round that fails may be a hiccup"
            await beats(engine, team.told, 5)
            [news] = team.told.news
            assert news.kind == "outage"
            assert "vectors cannot be made: The key for the embeddings was refused" in news.text
            assert "sk-emb" not in news.text
            assert await outages(db) == ["vectors"]
            await dark.approve(await dark.designed())
            await dark.tested("tea")
        # The process starts again, and finds the same outage.
        async with open_engine(db, encoder_at(encoders), owner_url=db.url, encode_saves=False) as engine:
            await beats(engine, team.told)
            assert (len(team.told.news), await outages(db)) == (1, ["vectors"])
        encoders.answer = well()
        async with open_engine(db, encoder_at(encoders), owner_url=db.url, encode_saves=False) as engine:
            await beats(engine, team.told)
            assert (len(team.told.news), await outages(db)) == (1, [])
            # The next one is another, also in a process that has seen the first one end.
            encoders.answer = refusing(401)
            await replace(team, engine=engine).learned("anna")
            await beats(engine, team.told)
            assert await outages(db) == ["vectors"]
    assert [news.kind for news in team.told.news] == ["outage", "outage"]
    assert len({news.key for news in team.told.news}) == 2


async def test_pain_c_an_outage_of_the_vectors_ends_when_they_are_made_again(team, db, monkeypatch):
    """In the very process that met it, and not because nothing is owed or nobody asks."""
    monkeypatch.setattr(resilient_provider, "PROBE_AFTER_S", 0.0)
    with EmbeddingServer(refusing(401)) as encoders:
        async with open_engine(db, encoder_at(encoders), owner_url=db.url, encode_saves=False) as engine:
            dark = replace(team, engine=engine)
            await dark.learned("anna")
            await beats(engine, team.told)
            assert await outages(db) == ["vectors"]
            encoders.answer = well()
            await beats(engine, team.told)
            assert await outages(db) == []
    assert len(team.told.news) == 1


async def test_pain_c_no_vectors_wanted_is_no_outage(team, db):
    await beats(team.engine, team.told)
    assert (team.told.news, await outages(db)) == ([], [])


def test_pain_c_the_founder_finds_the_outage_where_everything_is_found(frasier):
    """Through the heartbeat that runs, into the inbox and the status."""
    with EmbeddingServer(refusing(503)) as encoders:
        encoder = {
            "FRASIER_MEMORY__EMBEDDING__PROVIDER": "openai",
            "FRASIER_MEMORY__EMBEDDING__MODEL": "m",
            "FRASIER_MEMORY__EMBEDDING__BASE_URL": encoders.base_url,
            "FRASIER_MEMORY__EMBEDDING__API_KEY": "sk-emb-0123456789abcdef",
            "FRASIER_MEMORY__EMBEDDING__DIMENSION": "8",
        }
        frasier("memory", "save", "The copper kettle whistles.", **encoder)
        with frasier.running("heartbeat", **encoder):
            [told] = poll(lambda: frasier.json("inbox")["announcements"], "the founder is told")
            found = frasier.json("inbox")
    assert (told["kind"], [one["what"] for one in found["outages"]]) == ("outage", ["vectors"])
    assert "The memory's vectors cannot be made" in told["text"]
    assert "Out of order" in frasier("inbox").out
    assert "Out of order: vectors" in frasier("status").out


def test_pain_d_a_pause_is_no_status_that_a_table_could_leave_out():
    """Every board has it, whatever its table says: none declares it, and each can cancel from it."""
    for process in board_processes().values():
        assert "blocked" not in process.statuses
        assert "blocked" in process.transitions["cancel"].from_
        assert process.blockers
        assert process.restorers
