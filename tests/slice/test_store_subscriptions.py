"""Subscriptions: each event reaches each subscriber at least once, in the order of its mission, whatever breaks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from frasier.board import board_names
from frasier.interfaces.publish import WebhookChannel
from frasier.interfaces.webhook_settings import WebhookSettings
from frasier.kernel.errors import InvalidInput, NotFound
from frasier.kernel.ids import new_id
from frasier.overview import read_inbox
from frasier.store import (
    Database,
    Deliveries,
    EventSubjects,
    Subscription,
    SubscriptionSecrets,
    add_subscription,
    append_event,
    get_subscription,
    latest_effects,
    open_effects,
    pause_subscription,
    remove_subscription,
    resume_subscription,
    rotate_secret,
)
from frasier.store.embedded import EmbeddedServer
from frasier.store.subscriptions import delivery, dispatch
from frasier.workflow import groups_of
from support.database_copies import run_restore
from support.web_server import Reply, WebServer
from support.webhook_receiver import Receiver, unreliable

TIMEOUT_S = 20.0
SHORT_TIMEOUT_S = 0.25
"""For a receiver that does not answer."""


@dataclass(kw_only=True)
class Desk:
    """Subscriptions of one database, delivered to receivers on loopback."""

    db: Database
    server: WebServer
    secrets: SubscriptionSecrets
    deliveries: Deliveries

    async def subscribe(self, name: str = "crm", *kinds: str) -> Receiver:
        receiver = Receiver(self.server, f"/{name}")
        receiver.secret = await self.db.in_transaction(
            add_subscription,
            self.secrets,
            name=name,
            kind="webhook",
            target=receiver.url,
            kinds=("it.*", *kinds),
            actor="tester",
        )
        return receiver

    async def append(self, *streams: UUID, kind: str = "it.happened") -> None:
        async with self.db.transaction() as tx:
            for stream in streams:
                await append_event(tx, stream=stream, kind=kind, actor="tester", payload={})

    async def deliver(self) -> int:
        """Deliver what is due, until nothing is."""
        await self.deliveries.dispatch()
        attempts = 0
        while made := await self.deliveries.deliver():
            attempts += made
        return attempts

    async def wait_out(self) -> None:
        """As if the time of every wait and lease had passed."""
        async with self.db.transaction() as tx:
            await tx.execute(
                "update store_effects set run_after = now(),"
                " lease_until = case when lease_until is not null then now() - interval '1 second' end"
                " where state in ('pending', 'sending')"
            )

    async def deliver_all(self) -> None:
        """Deliver until nothing waits, however often it takes."""
        async with asyncio.timeout(300):
            while await self.deliveries.dispatch() or await self.waiting():
                await self.deliver()
                await self.wait_out()

    async def waiting(self) -> int:
        async with self.db.transaction() as tx:
            cursor = await tx.execute(
                "select count(*) as n from store_effects where state in ('pending', 'sending')"
            )
            return (await cursor.fetchone())["n"]

    async def get(self, name: str = "crm") -> Subscription:
        return await self.db.in_transaction(get_subscription, name)


@pytest.fixture
async def desk(db: Database, tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Desk]:
    """A desk that waits for a receiver for TIMEOUT_S, or as long as the parameter of the test says."""
    timeout_s = getattr(request, "param", TIMEOUT_S)
    async with WebServer() as server:
        secrets = SubscriptionSecrets(tmp_path / "subscriptions.key")
        settings = WebhookSettings(allow_private_hosts=frozenset({server.authority}), timeout_s=timeout_s)
        channel = WebhookChannel(settings, secrets)
        yield Desk(
            db=db,
            server=server,
            secrets=secrets,
            deliveries=Deliveries(db, {"webhook": lambda: channel}, EventSubjects(groups_of, board_names)),
        )
        await channel.close()


async def test_each_event_is_sent_once_signed_and_says_what_happened(desk: Desk) -> None:
    await desk.append(new_id())
    receiver = await desk.subscribe()
    stream = new_id()
    await desk.append(stream, stream)
    await desk.append(stream, kind="other.kind")
    assert await desk.deliver() == 2
    assert await desk.deliver() == 0
    assert [one.payload["type"] for one in receiver.received] == ["it.happened"] * 2
    data = receiver.received[1].payload["data"]
    assert data.pop("cursor")
    assert data == {"group": str(stream), "stream": str(stream), "seq": 2, "actor": "tester", "payload": {}}
    found = await desk.get()
    assert (found.waiting, found.failed, found.failing_since, found.last_status) == (0, 0, None, "204")
    assert found.last_delivered_at is not None


@pytest.mark.parametrize("desk", [SHORT_TIMEOUT_S], indirect=True, ids=[""])
@pytest.mark.parametrize("events", [150, pytest.param(1_000, marks=pytest.mark.slow)])
async def test_an_unreliable_receiver_gets_every_event_with_one_id_and_in_the_order_of_its_mission(
    desk: Desk, events: int
) -> None:
    receiver = await desk.subscribe()
    receiver.answer = unreliable(events)
    missions = [new_id() for _ in range(20)]
    for start in range(0, events, 50):
        await desk.append(*(missions[n % 20] for n in range(start, start + 50)))
    await desk.deliver_all()
    assert {one.id for one in receiver.accepted} == {one.id for one in receiver.received}
    assert len(receiver.attempts) == events, "none is lost, and each has one id"
    assert max(receiver.attempts.values()) > 1
    for mission in missions:
        seqs = [
            one.payload["data"]["seq"]
            for one in receiver.received
            if one.payload["data"]["stream"] == str(mission)
        ]
        assert seqs == sorted(seqs), "an event is sent once the one before it was taken"
    assert (
        len({(one.payload["data"]["stream"], one.payload["data"]["seq"]) for one in receiver.accepted})
        == events
    )
    found = await desk.get()
    assert (found.waiting, found.failed) == (0, 0)


async def test_a_receiver_that_fails_holds_neither_other_missions_nor_other_receivers(desk: Desk) -> None:
    dead, alive = await desk.subscribe("dead"), await desk.subscribe("alive")
    poisoned, other = new_id(), new_id()

    def refuse_one(request: Any) -> Reply:
        return Reply(status=500 if str(poisoned).encode() in request.body else 204, content_type=None)

    dead.answer = refuse_one
    await desk.append(poisoned, poisoned, other, other)
    await desk.deliver()
    assert len(alive.accepted) == 4
    assert [one.payload["data"]["stream"] for one in dead.accepted] == [str(other)] * 2
    assert len(dead.received) == 3, "the second event of the mission waits for the first"
    found = await desk.get("dead")
    assert found.waiting == 2


async def test_a_failing_receiver_is_one_trouble_with_its_cause_until_it_takes_events_again(
    desk: Desk,
) -> None:
    receiver = await desk.subscribe()
    receiver.answer = lambda _request: Reply("the disk is full", status=507, content_type="text/plain")
    await desk.append(*(new_id() for _ in range(5)))
    await desk.deliver()
    found = await desk.get()
    assert found.failing_since is not None
    assert "507: the disk is full" in (found.last_status or "")
    async with desk.db.transaction() as tx:
        [outage] = (await read_inbox(tx)).outages
        assert outage.what == "subscription crm"
        assert "507" in outage.why
        assert "5 events not delivered" in outage.why
        assert await open_effects(tx) == []
        assert await latest_effects(tx, limit=10) == []
    receiver.answer = lambda _request: Reply(status=204, content_type=None)
    await desk.wait_out()
    await desk.deliver()
    await desk.wait_out()
    await desk.deliver()
    assert len(receiver.accepted) == 5
    async with desk.db.transaction() as tx:
        assert (await read_inbox(tx)).outages == ()


async def test_while_it_fails_a_receiver_is_asked_one_at_a_time(desk: Desk) -> None:
    receiver = await desk.subscribe()
    receiver.answer = lambda _request: Reply(status=503, content_type=None)
    await desk.append(*(new_id() for _ in range(20)))
    await desk.deliveries.dispatch()
    assert await desk.deliveries.deliver() == 4
    assert await desk.deliveries.deliver() == 1
    receiver.answer = lambda _request: Reply(status=204, content_type=None)
    assert await desk.deliveries.deliver() == 1
    assert await desk.deliveries.deliver() == 4


async def test_waits_grow_and_a_receiver_may_ask_for_longer_ones(desk: Desk) -> None:
    receiver = await desk.subscribe()
    waits = []
    receiver.answer = lambda _request: Reply(status=500, content_type=None)
    await desk.append(new_id())
    for attempt in range(1, delivery.ATTEMPTS_MAX + 1):
        if attempt == 3:
            receiver.answer = lambda _request: Reply(status=503, headers={"Retry-After": "900"})
        assert await desk.deliver() == 1
        async with desk.db.transaction() as tx:
            cursor = await tx.execute(
                "select state, extract(epoch from run_after - now())::int as wait_s from store_effects"
            )
            row = await cursor.fetchone()
        waits.append(row["wait_s"])
        await desk.wait_out()
    assert waits[:4] == [pytest.approx(wait, abs=3) for wait in (5, 30, 900, 900)]
    assert row["state"] == "failed"
    assert (await desk.get()).failed == 1
    receiver.answer = lambda _request: Reply(status=204, content_type=None)
    await desk.db.in_transaction(resume_subscription, "crm", actor="tester")
    await desk.deliver()
    assert len(receiver.accepted) == 1, "what was given up is tried again on request"


async def test_a_receiver_that_is_gone_is_disabled_and_goes_on_where_it_was(desk: Desk) -> None:
    receiver = await desk.subscribe()
    receiver.answer = lambda _request: Reply(status=410, content_type=None)
    await desk.append(new_id())
    await desk.deliver()
    assert (await desk.get()).state == "disabled"
    await desk.append(new_id())
    await desk.wait_out()
    assert await desk.deliver() == 0
    async with desk.db.transaction() as tx:
        [outage] = (await read_inbox(tx)).outages
    assert "410" in outage.why
    receiver.answer = lambda _request: Reply(status=204, content_type=None)
    await desk.db.in_transaction(resume_subscription, "crm", actor="tester")
    await desk.deliver()
    assert len(receiver.accepted) == 2


async def test_nothing_is_sent_while_paused_and_nothing_is_lost(desk: Desk) -> None:
    receiver = await desk.subscribe()
    await desk.append(new_id())
    await desk.deliveries.dispatch()
    await desk.db.in_transaction(pause_subscription, "crm", actor="tester")
    await desk.append(new_id())
    assert await desk.deliver() == 0
    await desk.db.in_transaction(resume_subscription, "crm", actor="tester")
    assert await desk.deliver() == 2
    assert len(receiver.accepted) == 2


async def test_while_a_secret_rotates_both_sign(desk: Desk, db: Database) -> None:
    receiver = await desk.subscribe()
    old = receiver.secret
    new = await db.in_transaction(rotate_secret, desk.secrets, "crm", actor="tester")
    assert new != old
    for secret in (old, new):
        receiver.secret = secret
        await desk.append(new_id())
        await desk.deliver()
    async with db.transaction() as tx:
        await tx.execute("update store_subscriptions set previous_secret_until = now() - interval '1 second'")
    await desk.append(new_id())
    await desk.deliver()
    assert len(receiver.accepted) == 3
    assert "," not in desk.server.requests[-1].headers["webhook-signature"].partition(",")[2]


async def test_no_secret_is_in_the_database_and_another_key_is_noticed(
    desk: Desk, db: Database, tmp_path: Path
) -> None:
    receiver = await desk.subscribe()
    await desk.append(new_id())
    await desk.deliver()
    async with db.transaction() as tx:
        for table in ("store_subscriptions", "store_effects", "events"):
            cursor = await tx.execute(f"select t::text as row from {table} t".encode())
            assert not [row for row in await cursor.fetchall() if receiver.secret[6:30] in row["row"]]
    assert (tmp_path / "subscriptions.key").stat().st_mode & 0o777 == 0o600
    (tmp_path / "subscriptions.key").unlink()
    await desk.append(new_id())
    await desk.deliver()
    assert len(receiver.received) == 1, "what the receiver could not check is not sent"
    assert "another key" in ((await desk.get()).last_status or "")


async def test_a_private_address_is_refused_also_once_its_name_leads_there(desk: Desk, db: Database) -> None:
    async def resolve(_host: str, _port: int) -> tuple[str, ...]:
        return ("10.0.0.7",)

    channel = WebhookChannel(WebhookSettings(), desk.secrets, resolver=resolve)
    deliveries = Deliveries(db, {"webhook": lambda: channel}, EventSubjects(groups_of, board_names))
    await db.in_transaction(
        add_subscription,
        desk.secrets,
        name="inside",
        kind="webhook",
        kinds=(),
        actor="t",
        target="https://example.org/hook",
    )
    await desk.append(new_id())
    await deliveries.dispatch()
    await deliveries.deliver()
    status = (await desk.get("inside")).last_status or ""
    assert "private network" in status
    assert "The process that delivers" in status
    assert "FRASIER_WEBHOOKS__ALLOW_PRIVATE_HOSTS='[\"example.org:443\"]' allows it" in status
    assert status.endswith("(a list: keep what stands there already).")
    for address in ("http://example.org/", "ftp://example.org/", "https://u:p@example.org/", "nonsense"):
        with pytest.raises(InvalidInput):
            channel.check_address(address)
    assert channel.check_address("https://example.org/a?b=c") == "https://example.org/a?b=c"
    await channel.close()


async def test_a_full_backlog_leaves_further_events_in_the_log(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dispatch, "WAITING_MAX", 3)
    monkeypatch.setattr(dispatch, "_PAGE", 2)
    receiver = await desk.subscribe()
    await desk.append(*(new_id() for _ in range(10)))
    await desk.deliveries.dispatch()
    assert (await desk.get()).waiting in {3, 4}, "a page is not cut"
    await desk.deliver_all()
    assert len(receiver.accepted) == 10


async def test_a_sender_that_dies_loses_nothing(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    class Killed(BaseException):
        """Stands for the end of the process: nobody catches it."""

    def die(point: str) -> None:
        if point == "delivery.sent":
            raise Killed

    receiver = await desk.subscribe()
    await desk.append(new_id())
    monkeypatch.setattr(delivery, "fault_point", die)
    with pytest.raises(Killed):
        await desk.deliver()
    monkeypatch.setattr(delivery, "fault_point", lambda _point: None)
    assert await desk.deliver() == 0, "its lease has not ended"
    await desk.wait_out()
    assert await desk.deliver() == 1
    assert len(set(receiver.attempts)) == 1
    assert len(receiver.received) == 2


async def test_a_dump_restored_elsewhere_goes_on_without_a_gap_and_sends_nothing_twice(
    desk: Desk, server: EmbeddedServer, database_name: str
) -> None:
    receiver = await desk.subscribe()
    await desk.append(new_id(), new_id())
    await desk.deliver()
    await desk.append(new_id())  # not turned into an effect when the dump is made
    copy = f"{database_name}_copy"
    server.create_database(copy)
    run_restore(server.url("postgres", database_name), server.url("postgres", copy))
    async with Database(server.url("frasier_app", copy)) as restored:
        channel = WebhookChannel(
            WebhookSettings(allow_private_hosts=frozenset({desk.server.authority})), desk.secrets
        )
        desk.db, desk.deliveries = (
            restored,
            Deliveries(restored, {"webhook": lambda: channel}, EventSubjects(groups_of, board_names)),
        )
        await desk.append(new_id())
        await desk.deliver_all()
        await channel.close()
    assert len(receiver.received) == 4
    assert len(receiver.attempts) == 4


async def test_deliveries_are_deleted_after_a_week_and_not_made_again(desk: Desk) -> None:
    receiver = await desk.subscribe()
    await desk.append(new_id(), new_id())
    await desk.deliver()
    async with desk.db.transaction() as tx:
        await tx.execute("update store_effects set settled_at = now() - interval '8 days' where place = 1")
    assert await desk.deliveries.delete_delivered() == 1
    assert await desk.deliveries.delete_delivered() == 0
    assert await desk.deliver() == 0
    assert len(receiver.received) == 2


async def test_names_and_kinds_are_checked(desk: Desk, db: Database) -> None:
    await desk.subscribe()
    for name, kinds in (("crm", ()), ("CRM", ()), ("", ()), ("a b", ()), ("other", ("Not a kind",))):
        with pytest.raises(InvalidInput):
            await db.in_transaction(
                add_subscription,
                desk.secrets,
                name=name,
                kind="webhook",
                target="https://example.org/",
                kinds=kinds,
                actor="t",
            )
    for use_case in (pause_subscription, resume_subscription, remove_subscription):
        with pytest.raises(NotFound):
            await db.in_transaction(use_case, "nobody", actor="t")
    await db.in_transaction(remove_subscription, "crm", actor="t")
    with pytest.raises(NotFound):
        await desk.get()
