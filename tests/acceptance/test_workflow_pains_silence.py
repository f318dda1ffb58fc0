"""What went wrong without anybody being told: each pain by its number or letter, and what the board does instead."""

from __future__ import annotations

import asyncio
import json
import sys
import time

import httpx2
import psycopg
import pytest
from mcp import Client, StdioServerParameters

from frasier.board import add_member, board_upkeep
from frasier.board.agent_inbox import wait as waiting
from frasier.kernel.errors import LeaseLost
from frasier.memory import issue_token
from frasier.workflow import FAILED_RUNS_MAX, FOUNDER
from support.board_team import BOARD, DESIGN, WANTED
from support.cli import DEADLINE_S
from support.task_walk import open_http_board, serving, walk

STOPPED = {"reason": "The database is locked.", "owner": "liaison", "action": "unlock it"}
PIPE_BYTES = 65_536


@pytest.fixture
async def crowd(db, team):
    """A board with more tasks than fit into a pipe, or on a page; the last of them is blocked for the liaison."""
    await team.create("t-0000")
    async with db.transaction() as tx:
        await tx.execute(
            "insert into workflow_tasks (id, process, slug, title, group_id, status, role, fields)"
            " select gen_random_uuid(), process, 't-' || lpad(n::text, 4, '0'), repeat('A long title. ', 8),"
            " group_id, status, role, fields from workflow_tasks, generate_series(1, 600) n"
        )
    await team("anna", "task_block", task="t-0600", **STOPPED)
    return team


async def mine(team, who):
    listed = await team(who, "task_list", mine=True)
    return {one["task"].removeprefix("kettle/"): one["why"] for one in listed["tasks"]}


async def run_out(db, back="1 second"):
    """As if the leases had run out so long ago."""
    async with db.transaction() as tx:
        await tx.execute(
            "update workflow_tasks set lease_until = now() - %s::interval where lease_until is not null",
            [back],
        )


async def test_pain_10_what_is_blocked_is_shown_to_whom_it_waits_for_and_wakes_them(team, db, monkeypatch):
    """Blocked tasks kept the worker's role: the liaison was neither shown nor woken."""
    monkeypatch.setattr(waiting, "_LOOK_EVERY_S", 3600.0)  # woken, and not by the clock
    attempt = await team.claim("anna", await team.ready())
    async with asyncio.timeout(30):
        called = asyncio.create_task(team("lia", "task_wait", timeout_s=120))
        await _listening(db)
        await team("anna", "task_block", task="tea", attempt=attempt, **STOPPED)
        [woken] = (await called)["tasks"]
    assert (woken["task"], woken["why"]) == ("kettle/tea", ["blocked"])
    assert woken["blocked"][0]["action"] == "unlock it"
    assert await mine(team, "lia") == {"tea": ["blocked"]}
    assert [one["task"] for one in (await team("lia", "task_recover"))["waiting"]] == ["kettle/tea"]
    assert await mine(team, "anna") == {}


async def _listening(db):
    """Returns once somebody listens and has looked."""
    while True:
        async with db.transaction() as tx:
            cursor = await tx.execute(
                "select count(*) as n from pg_stat_activity"
                " where datname = current_database() and query ilike 'listen %%' and state = 'idle'"
            )
            if (await cursor.fetchone())["n"]:
                return


async def test_pain_10_what_waits_for_the_founder_is_told_to_the_founder(team):
    await team.ready()
    await team("anna", "task_block", task="tea", **STOPPED | {"owner": "founder"})
    [news] = team.told.news
    assert "unlock it" in news.text
    assert await mine(team, "boss") == {"tea": ["blocked"]}


async def test_pain_11_a_long_list_comes_whole_through_http(crowd):
    """More than 64 KB through a pipe failed without a word, so that agents saw no work."""
    async with open_http_board(crowd) as wire:
        token = await wire.token("rita", "liaison")
        answer = await wire(token, "task_list", limit=500)
        assert answer.status_code == 200
        assert len(answer.content) > PIPE_BYTES
        data = answer.json()["data"]
    assert len({one["task"] for one in data["tasks"]}) == 500
    assert data["more"] == 101, "what is left out is counted, and not forgotten"


async def test_pain_11_what_somebody_has_to_do_is_found_among_any_number_of_tasks(crowd):
    """The last one of a long board, which no page of the list shows first, is shown to whom it waits for."""
    assert [one["task"] for one in (await crowd("lia", "task_wait", timeout_s=0))["tasks"]] == [
        "kettle/t-0600"
    ]
    assert await mine(crowd, "lia") == {"t-0600": ["blocked"]}
    [listed] = (await crowd("anna", "task_list", status="blocked"))["tasks"]
    assert listed["task"] == "kettle/t-0600"
    assert (await crowd("lia", "task_get", task="t-0600"))["was"] == "pending"


async def test_pain_11_a_long_list_comes_whole_through_the_pipe_of_a_program(crowd, db, frasier):
    """`frasier mcp` as a host starts it, and `frasier serve` over a socket: every byte arrives."""
    async with db.transaction() as tx:
        token = await issue_token(tx, "rita", ["shared", f"board:{BOARD}"])
        await add_member(tx, "rita", ["liaison"], [BOARD], actor=FOUNDER)
    program = StdioServerParameters(
        command=sys.executable,
        args=["-m", "frasier", "mcp", "--all"],
        env={
            **frasier._environment,
            "FRASIER_MEMORY__EMBEDDING__PROVIDER": "none",
            "FRASIER_TOKEN": token,
        },
        cwd=frasier.home,
    )
    async with Client(program) as client:
        told = await client.call_tool("task_list", {"limit": 500})
    assert len(told.content[0].text) > PIPE_BYTES
    over_pipe = json.loads(told.content[0].text)["data"]
    with serving(frasier) as (base, _said):
        async with httpx2.AsyncClient(base_url=base, timeout=DEADLINE_S) as http:
            headers = {"Authorization": f"Bearer {token}"}
            answer = await http.post("tools/task_list", json={"limit": 500}, headers=headers)
    for data in (over_pipe, answer.json()["data"]):
        assert (len(data["tasks"]), data["more"]) == (500, 101)


async def test_pain_15_a_credential_does_not_run_out_over_a_weekend(team, db):
    """Four agents were alive, had their context, and were disconnected without being told."""
    async with open_http_board(team) as wire:
        token = await wire.token("rita", "liaison")
        async with db.transaction() as tx:
            await tx.execute("update memory_tokens set created_at = created_at - interval '400 days'")
        assert (await wire(token, "task_recover")).status_code == 200
        refused = await wire("frasier_sk-" + "A" * 43, "task_recover")
        assert refused.status_code == 401
        assert refused.json()["error"]["hint"]
        assert "www-authenticate" in refused.headers


async def test_pain_15_a_dead_agents_task_is_given_back_by_whoever_serves_the_board(team, db, frasier):
    """No sweep was running. Here nobody has to start one: the program that serves the board sweeps it."""
    attempt = await team.claim("anna", await team.ready())
    await run_out(db)
    with serving(frasier), psycopg.connect(db.url, autocommit=True) as looking:
        deadline = time.monotonic() + DEADLINE_S
        while looking.execute("select status from workflow_tasks").fetchone() != ("ready",):
            assert time.monotonic() < deadline, "nobody gave it back"
    late = await team.refused("anna", "task_renew", task="tea", attempt=attempt)
    assert isinstance(late, LeaseLost)
    assert await mine(team, "anna") == {"tea": ["turn"]}


async def test_pain_h_delivering_is_writing_and_moving_in_one(team):
    """Work was finished, and the task looked stuck: it was written down, and never moved."""
    attempt = await team.claim("anna", await team.ready())
    team.links.broken.add(DESIGN)
    fields = {"pdsa_ref": DESIGN, "memory_contribution_id": await team.learned("anna")}
    await team.refused("anna", "task_deliver", task="tea", attempt=attempt, fields=fields)
    assert "pdsa_ref" not in (await team("anna", "task_get", task="tea"))["fields"]
    team.links.broken.clear()
    await team("anna", "task_deliver", task="tea", attempt=attempt, fields=fields)
    shown = await team("anna", "task_get", task="tea")
    assert (shown["status"], shown["fields"]["pdsa_ref"]) == ("approval", DESIGN)


async def test_pain_h_work_that_is_written_and_not_moved_is_flagged(team):
    attempt = await team.claim("anna", await team.ready())
    assert await mine(team, "lia") == {}
    version = (await team("anna", "task_get", task="tea"))["version"]
    fields = {"pdsa_ref": DESIGN, "memory_contribution_id": await team.learned("anna")}
    await team("anna", "task_edit", task="tea", version=version, attempt=attempt, fields=fields)
    assert await mine(team, "lia") == {"tea": ["not_moved"]}
    assert await mine(team, "anna") == {"tea": ["not_moved", "held"]}


async def test_pain_i_what_nobody_finishes_ends_with_the_liaison(team, db):
    """A lease, a token that fences late writes, a sweep, and a person who is told when all of it was in vain."""
    [(_, _, sweep), _] = board_upkeep(db, team.told)
    await team.ready()
    for run in range(1, FAILED_RUNS_MAX + 1):
        attempt = await team.claim("anna", "tea")
        assert attempt == run
        await team("anna", "task_renew", task="tea", attempt=attempt)
        await sweep()
        assert await team.place("tea") == ("active", "pdsa"), "who renews keeps it"
        await run_out(db)
        await sweep()
        late = await team.refused("anna", "task_deliver", task="tea", attempt=attempt, fields={})
        assert late.message
    assert await team.place("tea") == ("blocked", "liaison")
    assert await mine(team, "lia") == {"tea": ["blocked"]}
    [reason] = (await team("lia", "task_get", task="tea"))["blocked"]
    assert reason["reason"].startswith(f"{FAILED_RUNS_MAX} runs failed")


async def test_pain_i_an_old_attempt_writes_nothing_after_another_has_begun(team, db):
    [(_, _, sweep), _] = board_upkeep(db, team.told)
    old = await team.claim("anna", await team.ready())
    await run_out(db)
    await sweep()
    new = await team.claim("anna", "tea")
    assert new > old
    version = (await team("anna", "task_get", task="tea"))["version"]
    given = {"fields": {"findings": "from before"}}
    for tool, more in (
        ("task_edit", given | {"version": version}),
        ("task_renew", {}),
        ("task_block", STOPPED),
        ("task_move", {"move": "release", "fields": {"reason": "late"}}),
        (
            "task_move",
            {"move": "submit_design", "fields": {"pdsa_ref": DESIGN, "memory_contribution_id": "x"}},
        ),
    ):
        assert isinstance(await team.refused("anna", tool, task="tea", attempt=old, **more), LeaseLost)


async def test_pain_i_what_stands_still_for_a_day_is_shown_to_who_watches_the_board(team, db):
    """Held by somebody who goes on renewing, or waiting for somebody who is not there: the liaison sees both."""
    await team.claim("anna", await team.ready())
    await team.ready("cup")
    assert await mine(team, "lia") == {}
    async with db.transaction() as tx:
        await tx.execute("update workflow_tasks set since = now() - interval '25 hours'")
    assert await mine(team, "lia") == {"tea": ["orphaned"], "cup": ["orphaned"]}
    assert await mine(team, "boss") == {"tea": ["orphaned"], "cup": ["orphaned"]}
    assert (await mine(team, "anna"))["cup"] == ["turn", "orphaned"]
    assert await mine(team, "dan") == {}


async def test_pain_i_a_stuck_task_can_be_given_back_by_its_holder(team):
    """There was no legal way from active to ready."""
    attempt = await team.claim("anna", await team.ready())
    move = {"task": "tea", "move": "release", "fields": {"reason": "I go home."}}
    await team("anna", "task_move", **move, attempt=attempt)
    assert await team.place("tea") == ("ready", "pdsa")
    assert await team.claim("anna", "tea") == attempt + 1


async def test_pain_j_what_is_cancelled_is_not_shown_as_blocked(team):
    """571 cancelled cards were shown as blocked."""
    for task in ("tea", "cup", "pot"):
        await team.ready(task)
    await team("anna", "task_block", task="cup", **STOPPED)
    await team("lia", "task_move", task="pot", move="cancel", fields={"reason": "Not wanted."})

    async def shown(**wanted):
        listed = await team("lia", "task_list", **wanted)
        return {one["task"].removeprefix("kettle/"): one["column"] for one in listed["tasks"]}

    assert await shown() == {"tea": "queue", "cup": "blocked"}
    assert await shown(over_days=1) == {"tea": "queue", "cup": "blocked", "pot": "cancelled"}
    assert await shown(status="blocked", over_days=1) == {"cup": "blocked"}
    assert await shown(status="cancelled", over_days=1) == {"pot": "cancelled"}
    assert await shown(status="cancelled") == {"pot": "cancelled"}
    await team("lia", "task_move", task="cup", move="cancel", fields={"reason": "Nor this."})
    assert await shown(status="blocked", over_days=1) == {}
    assert await mine(team, "lia") == {}


async def test_pain_j_filters_narrow_each_other_and_count_what_they_show(team):
    """Filters contradicted each other: here each leaves a part of what the others leave."""
    for n in range(3):
        await team.ready(f"tea-{n}")
    await team.designed("cup")
    every = (await team("lia", "task_list"))["tasks"]
    assert len(every) == 4
    for wanted in ({"status": "ready"}, {"role": "liaison"}, {"process": "pdsa_bug"}, {"mine": True}):
        [(name, value)] = wanted.items()
        found = (await team("lia", "task_list", **wanted))["tasks"]
        assert [one["task"] for one in found] == [
            one["task"] for one in every if (one.get("why") if name == "mine" else one.get(name) == value)
        ]
    assert (await team("lia", "task_list", status="ready", role="liaison"))["tasks"] == []
    few = await team("lia", "task_list", status="ready", limit=1)
    assert (len(few["tasks"]), few["more"]) == (1, 2)


async def test_pain_j_where_a_task_is_on_its_way_is_seen_at_every_step_and_every_status_is_explained(
    team, tmp_path
):
    """He could not tell the approval of a design from a last review, nor what a colour meant."""
    table = await team("lia", "task_process", process="pdsa_task")
    legend = {one["status"]: one["meaning"] for one in table["statuses"]}
    assert len(set(legend.values())) == len(legend) == 10
    crumbs = set()
    async for stop in walk(team, tmp_path):
        shown = await team("lia", "task_get", task="tea")
        here = [one for one in shown["breadcrumb"].split(" → ") if one.startswith("[")]
        assert here == [f"[{stop.status}+{stop.role}]"]
        assert shown["breadcrumb"].endswith("complete+liaison" if stop.status != "complete" else "]")
        assert stop.status == "rework" or shown["breadcrumb"].lstrip("[").startswith("pending+pdsa")
        assert stop.status in legend
        crumbs.add(shown["breadcrumb"])
    assert len(crumbs) == 14
    bug = {"name": "leak", "title": "It leaks", "process": "pdsa_bug", "about": ["tea"], "fields": WANTED}
    await team("lia", "task_create", **bug)
    assert "approval" not in (await team("lia", "task_get", task="leak"))["breadcrumb"]
