"""Seals that were cut off stay reported until the founder says that the loss is meant."""

from __future__ import annotations

import psycopg
import pytest

from frasier.kernel.ids import new_id
from frasier.store import SealKey, append_event
from frasier.store.audit_seal import seal_audit_log
from support.cli import FrasierProgram

STREAM = new_id()
MISSING = "the newest seal that was made with this key is missing"


@pytest.fixture
async def cut(db, home, server, database_name) -> SealKey:
    """The key of a trail from which the newest seal was cut off with the event below it, and which is whole again."""
    key = SealKey(home / "seal.key")
    for _ in range(2):
        await happen(db)
        await seal_audit_log(db, key)
    with psycopg.connect(server.url("postgres", database_name)) as root:
        root.execute("set local session_replication_role = replica")
        root.execute("delete from store_event_seals where id = 2")
        root.execute("delete from events where stream = %s and seq = 2", [STREAM])
        root.execute(
            "update store_event_streams s set seq = 1, sealed_seq = 1, hash = e.hash from events e"
            " where e.stream = s.stream and s.stream = %s",
            [STREAM],
        )
    return key


async def happen(db) -> None:
    async with db.transaction() as tx:
        await append_event(tx, stream=STREAM, kind="it.happened", actor="tester")


def audit_check(frasier: FrasierProgram) -> dict[str, str]:
    [check] = [c for c in frasier.json("doctor", code=7)["checks"] if c["name"] == "audit log"]
    return check


async def test_the_loss_stays_reported_when_new_seals_are_made(db, frasier: FrasierProgram, cut):
    for seals in (2, 3):
        await happen(db)
        assert await seal_audit_log(db, cut) >= 1, "what happens now is sealed all the same"
        found = frasier.json("events", "verify", code=7)
        assert (found["verified"], found["problems"]) == (False, [MISSING])
        assert found["seals"] == seals
    assert MISSING in audit_check(frasier)["found"]
    assert "--accept-loss" in frasier("events", "verify", code=7).out


async def test_the_founder_begins_anew_with_a_reason_that_is_kept(db, frasier: FrasierProgram, cut):
    reason = "I restored Monday's backup."
    accepted = frasier.json("events", "verify", "--accept-loss", reason)
    assert (accepted["verified"], accepted["loss_accepted"]) == (True, True)
    assert frasier.json("events", "verify")["verified"] is True
    [event] = [e for e in frasier.json("events", "tail")["events"] if e["kind"] == "seals.loss_accepted"]
    assert (event["actor"], event["payload"]["reason"]) == ("founder:founder", reason)
    # The seal that covers the acceptance is noted: cutting that off is missed again.
    await happen(db)
    await seal_audit_log(db, cut)
    assert frasier.json("events", "verify")["verified"] is True


async def test_where_nothing_is_missing_nothing_is_accepted(db, home, frasier: FrasierProgram):
    await happen(db)
    await seal_audit_log(db, SealKey(home / "seal.key"))
    shown = frasier("events", "verify", "--accept-loss", "just in case").out
    assert "No seal is missing: no loss was recorded." in shown
    kinds = {event["kind"] for event in frasier.json("events", "tail")["events"]}
    assert "seals.loss_accepted" not in kinds


@pytest.mark.parametrize("reason", ["", "  ", "x" * 2_001])
async def test_a_loss_is_accepted_with_a_reason_only(frasier: FrasierProgram, cut, reason: str):
    assert frasier.json("events", "verify", "--accept-loss", reason, code=3)["error"]["hint"]
    assert frasier.json("events", "verify", code=7)["problems"] == [MISSING]


async def test_other_damage_cannot_be_accepted(db, frasier: FrasierProgram, cut, server, database_name):
    with psycopg.connect(server.url("postgres", database_name)) as root:
        root.execute("set local session_replication_role = replica")
        root.execute("update events set actor = 'somebody' where stream = %s", [STREAM])
    accepting = ("events", "verify", "--accept-loss", "I restored Monday's backup.")
    found = frasier.json(*accepting, code=7)
    assert found["loss_accepted"] is False
    assert str(STREAM) in found["problems"][0]
    assert MISSING in found["problems"], "the loss stays reported"
    shown = frasier(*accepting, code=7).out
    assert "Nothing was changed." in shown
    assert "The loss is accepted" not in shown
    kinds = {event["kind"] for event in frasier.json("events", "tail")["events"]}
    assert "seals.loss_accepted" not in kinds
