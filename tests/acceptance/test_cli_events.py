"""`frasier events`: the audit log goes by, and does not verify once somebody touched it."""

from __future__ import annotations

import json
import signal

import psycopg

from frasier.kernel.ids import new_id
from frasier.store import append_event
from support.cli import DEADLINE_S, FrasierProgram, read_until
from support.cli_states import new_mission, planned_mission

STREAM = new_id()


async def test_the_newest_events_are_shown_oldest_first(db, home, frasier: FrasierProgram):
    async with db.transaction() as tx:
        await planned_mission(tx, home)
    events = frasier.json("events", "tail", "--limit", "5")["events"]
    assert len(events) == 5
    assert [event["id"] for event in events] == sorted(event["id"] for event in events)
    assert set(events[0]) == {"id", "at", "stream", "seq", "kind", "actor", "payload"}
    lines = frasier("events", "tail", "--limit", "5").out.splitlines()
    assert [event["kind"] in line for event, line in zip(events, lines, strict=True)] == [True] * 5
    drawn = frasier.on_terminal("events", "tail", "--limit", "5", columns=64).splitlines()
    assert all(len(line) <= 64 for line in drawn)
    assert sum(events[0]["kind"] in line for line in drawn) >= 1
    assert any(line.startswith("    ") for line in drawn)


async def test_one_missions_events_are_its_own_and_its_tasks(db, home, frasier: FrasierProgram):
    async with db.transaction() as tx:
        first = await new_mission(tx, home, "Write about tea")
        await new_mission(tx, home, "Write about coffee")
    events = frasier.json("events", "tail", "--mission", str(first.id), "--limit", "100")["events"]
    assert [event["kind"] for event in events] == ["mission.started", "task.created"]


async def test_followed_events_appear_as_they_happen_each_once_until_ctrl_c(
    db, home, frasier: FrasierProgram
):
    async with db.transaction() as tx:
        mission = await new_mission(tx, home)
    with frasier.running(
        "events", "tail", "--follow", "--json", "--mission", "last", "--limit", "1"
    ) as process:
        first = json.loads(read_until(process.stdout, "task.created"))
        async with db.transaction() as tx:
            await append_event(tx, stream=mission.id, kind="mission.noticed", actor="founder:founder")
        second = json.loads(read_until(process.stdout, "mission.noticed"))
        assert second["id"] > first["id"]
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=DEADLINE_S)
    assert rest == ""
    assert process.returncode == 0


async def test_a_trail_that_nobody_touched_verifies(db, home, frasier: FrasierProgram):
    async with db.transaction() as tx:
        await planned_mission(tx, home)
    found = frasier.json("events", "verify")
    assert found["verified"] is True
    assert found["problems"] == []
    assert found["events"] > 10
    shown = frasier("events", "verify").out
    assert "✓" in shown
    assert f"{found['events']} newer events not sealed yet" in shown
    assert "`frasier up`" in shown


async def test_a_changed_event_is_named_and_the_exit_code_says_so(
    db, home, frasier: FrasierProgram, owner_url
):
    async with db.transaction() as tx:
        mission = await new_mission(tx, home)
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute("alter table events disable trigger user")
        owner.execute("update events set actor = 'somebody' where stream = %s", [mission.id])
        owner.execute("alter table events enable trigger user")
    found = frasier.json("events", "verify", code=7)
    assert found["verified"] is False
    assert str(mission.id) in " ".join(found["problems"])
    shown = frasier("events", "verify", code=7).out
    assert "does not verify" in shown
    assert str(mission.id) in shown
    check = next(c for c in frasier.json("doctor", code=7)["checks"] if c["name"] == "audit log")
    assert check["state"] == "fail"


async def test_seals_that_are_cut_off_with_all_below_them_are_missed(
    db, home, frasier: FrasierProgram, server, database_name
):
    """Who owns the database can make it whole again without its newest days; what is noted in the home knows better."""
    for number in range(2):
        async with db.transaction() as tx:
            await append_event(tx, stream=STREAM, kind="it.happened", actor="tester", payload={"n": number})
        sealed(frasier)
    assert frasier.json("events", "verify")["seals"] == 2
    with psycopg.connect(server.url("postgres", database_name)) as root:
        root.execute("set local session_replication_role = replica")
        root.execute("delete from store_event_seals where id = 2")
        root.execute("delete from events where stream = %s and seq = 2", [STREAM])
        root.execute(
            "update store_event_streams s set seq = 1, sealed_seq = 1, hash = e.hash from events e"
            " where e.stream = s.stream and s.stream = %s",
            [STREAM],
        )
    [problem] = frasier.json("events", "verify", code=7)["problems"]
    assert problem == "the newest seal that was made with this key is missing"


def sealed(frasier: FrasierProgram) -> None:
    """All that happened is under a seal: the program's housekeeping ends with one."""
    with frasier.running("heartbeat") as heartbeat:
        read_until(heartbeat.stdout, "Frasier is up")
        heartbeat.send_signal(signal.SIGTERM)
        assert heartbeat.wait(DEADLINE_S) == 0
