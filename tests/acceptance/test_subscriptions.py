"""Subscriptions from the command line and over HTTP, delivered by a running program."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest

from frasier.board import make_board
from frasier.interfaces import services
from frasier.interfaces.webhook_settings import WebhookSettings
from frasier.kernel.ids import new_id
from frasier.store import Database, Tx, append_event, has_unsettled_events
from frasier.workflow import FOUNDER
from support.cli import FrasierProgram, read_until
from support.organisation_api import OrganisationApi, open_organisation_api
from support.web_server import Reply, WebServer
from support.webhook_receiver import Receiver

WAIT_S = 30


@pytest.fixture
async def web() -> AsyncIterator[WebServer]:
    async with WebServer() as server:
        yield server


@pytest.fixture
async def api(database_url: str, tmp_path: Path, web: WebServer) -> AsyncIterator[OrganisationApi]:
    webhooks = WebhookSettings(allow_private_hosts=frozenset({web.authority}))
    async with open_organisation_api(database_url, tmp_path / "home", webhooks=webhooks) as api:
        yield api


async def append(api: OrganisationApi, count: int) -> None:
    async with api.services.board.database.transaction() as tx:
        for _ in range(count):
            await append_event(tx, stream=new_id(), kind="it.happened", actor="tester")


async def test_a_running_program_delivers_the_events_of_a_subscription(
    api: OrganisationApi, web: WebServer
) -> None:
    receiver = Receiver(web)
    receiver.secret = (await api.call("subscription_add", name="crm", url=receiver.url, kinds=["it.*"]))[
        "secret"
    ]
    async with api.services.running(worker=False), asyncio.timeout(WAIT_S):
        await append(api, 3)
        while len(receiver.accepted) < 3:
            await asyncio.sleep(0.05)
    shown = await api.call("subscription_get", name="crm")
    assert (shown["waiting"], shown["last_status"], shown["secret"]) == (0, "204", "whsec_…")


async def test_an_event_names_the_board_that_it_is_about(api: OrganisationApi, web: WebServer) -> None:
    receiver = Receiver(web)
    receiver.secret = (await api.call("subscription_add", name="crm", url=receiver.url))["secret"]
    async with api.services.board.database.transaction() as tx:
        board = await make_board(tx, "kettle", actor=FOUNDER)
    async with api.services.running(worker=False):
        await append(api, 1)
    told = {one.payload["type"]: one.payload["data"] for one in receiver.accepted}
    assert (told["board.made"]["group"], told["board.made"]["board"]) == (str(board.id), "kettle")
    assert "board" not in told["it.happened"]


async def test_what_is_due_is_delivered_before_a_program_ends(api: OrganisationApi, web: WebServer) -> None:
    receiver = Receiver(web)
    receiver.secret = (await api.call("subscription_add", name="crm", url=receiver.url))["secret"]
    async with api.services.running(worker=False):
        await append(api, 1)
    assert "it.happened" in {one.payload["type"] for one in receiver.accepted}


@pytest.mark.parametrize("ends", [True, False], ids=["that ends", "that stays"])
async def test_at_the_end_of_a_program_another_transaction_is_waited_for_but_not_without_end(
    api: OrganisationApi,
    web: WebServer,
    database_url: str,
    monkeypatch: pytest.MonkeyPatch,
    *,
    ends: bool,
) -> None:
    receiver = Receiver(web)
    receiver.secret = (await api.call("subscription_add", name="crm", url=receiver.url))["secret"]
    monkeypatch.setattr(services, "_SETTLE_S", WAIT_S if ends else 0.2)
    waits = 0

    async def look(tx: Tx) -> bool:
        nonlocal waits
        waits += 1
        if ends and waits == 3:
            await other.rollback()
        return await has_unsettled_events(tx)

    monkeypatch.setattr(services, "has_unsettled_events", look)
    async with await psycopg.AsyncConnection.connect(database_url) as other, asyncio.timeout(WAIT_S):
        async with api.services.running(worker=False):
            await other.execute("select pg_current_xact_id()")
            await append(api, 1)
        assert waits >= 2
    delivered = "it.happened" in {one.payload["type"] for one in receiver.accepted}
    assert delivered is ends


async def test_a_subscription_is_tested_paused_resumed_rotated_and_removed(
    api: OrganisationApi, web: WebServer
) -> None:
    receiver = Receiver(web)
    receiver.secret = (await api.call("subscription_add", name="crm", url=receiver.url))["secret"]
    assert await api.call("subscription_test", name="crm") == {"name": "crm", "status": "204"}
    tested = receiver.received[0].payload
    assert tested["type"] == "frasier.test"
    assert abs(datetime.fromisoformat(tested["timestamp"]) - datetime.now(UTC)) < timedelta(minutes=5)
    receiver.answer = lambda _request: Reply("no such hook", status=404, content_type="text/plain")
    refused = await api.ask(api.founder, "subscription_test", name="crm")
    assert refused.status_code == 502
    assert "404" in refused.json()["error"]["message"]
    assert (await api.call("subscription_pause", name="crm"))["state"] == "paused"
    assert (await api.call("subscription_resume", name="crm"))["state"] == "active"
    assert (await api.call("subscription_rotate_secret", name="crm"))["secret"] != receiver.secret
    assert await api.call("subscription_remove", name="crm") == {"name": "crm"}
    assert (await api.ask(api.founder, "subscription_get", name="crm")).status_code == 404


@pytest.mark.parametrize("client", ["observer", "member"])
async def test_only_the_founder_subscribes(api: OrganisationApi, client: str) -> None:
    answered = await api.ask(
        getattr(api, client), "subscription_add", name="crm", url="https://example.org/hook"
    )
    assert answered.status_code == 403


async def test_a_private_address_is_refused_when_it_is_tested(api: OrganisationApi) -> None:
    await api.call("subscription_add", name="inside", url="https://127.0.0.1/hook")
    answered = await api.ask(api.founder, "subscription_test", name="inside")
    assert answered.status_code == 503
    assert "private network" in answered.json()["error"]["message"]
    assert "FRASIER_WEBHOOKS__ALLOW_PRIVATE_HOSTS" in answered.json()["error"]["hint"]


@pytest.mark.usefixtures("home")
async def test_what_the_process_that_delivers_needs_too_is_said_where_it_is_set(
    frasier: FrasierProgram, web: WebServer
) -> None:
    receiver = Receiver(web)
    allowed = {"FRASIER_WEBHOOKS__ALLOW_PRIVATE_HOSTS": f'["{web.authority}"]'}
    needed = (
        "The process that delivers its events needs FRASIER_WEBHOOKS__ALLOW_PRIVATE_HOSTS as it is set here."
    )
    added = await asyncio.to_thread(frasier, "subscriptions", "add", "crm", receiver.url, **allowed)
    assert needed in " ".join(added.out.split())
    receiver.secret = added.out.split()[-1]
    tested = await asyncio.to_thread(frasier, "subscriptions", "test", "crm", **allowed)
    assert needed in " ".join(tested.out.split())
    assert len(receiver.received) == 1
    elsewhere = await asyncio.to_thread(frasier, "subscriptions", "add", "far", "https://example.org/hook")
    assert "needs" not in elsewhere.out


@pytest.mark.usefixtures("home")
async def test_the_log_of_what_runs_on_says_when_a_receiver_begins_to_fail_and_when_it_takes_events_again(
    frasier: FrasierProgram, web: WebServer, db: Database
) -> None:
    receiver = Receiver(web)
    receiver.answer = lambda _request: Reply("out for tea", status=503, content_type="text/plain")
    allowed = {"FRASIER_WEBHOOKS__ALLOW_PRIVATE_HOSTS": f'["{web.authority}"]'}
    added = await asyncio.to_thread(frasier, "subscriptions", "add", "crm", receiver.url, **allowed)
    receiver.secret = added.out.split()[-1]
    with frasier.running("up", "--no-worker", "--no-web", **allowed) as process:
        await asyncio.to_thread(read_until, process.stdout, "Frasier is up")
        async with db.transaction() as tx:
            await append_event(tx, stream=new_id(), kind="task.created", actor="tester")
        begun = await asyncio.to_thread(read_until, process.stderr, "outage")
        assert begun.startswith("An outage of subscription crm begins: The receiver of crm")
        assert "It is tried again by itself; " in begun
        receiver.answer = lambda _request: Reply(status=204, content_type=None)
        over = await asyncio.to_thread(read_until, process.stderr, "outage")
    assert over == "The outage of subscription crm is over: nothing waits for it any more.\n"
    assert receiver.secret not in begun


@pytest.mark.usefixtures("home")
async def test_subscriptions_at_the_command_line(frasier: FrasierProgram) -> None:
    added = frasier("subscriptions", "add", "crm", "https://example.org/hook", "--kinds", "mission.*")
    assert "whsec_" in added.out
    secret = added.out.split()[-1]
    shown = frasier("subscriptions", "show", "crm").out
    assert "mission.*" in shown
    listed = frasier("subscriptions", "list").out
    assert "crm  active  https://example.org/hook" in listed
    for out in (shown, listed, frasier("subscriptions", "list", "--json").out):
        assert secret[6:] not in out
    assert frasier("subscriptions", "pause", "crm").out.startswith("✓ crm  paused")
    assert frasier("subscriptions", "resume", "crm").out.startswith("✓ crm  active")
    rotated = frasier("subscriptions", "rotate-secret", "crm").out
    assert "whsec_" in rotated
    assert secret not in rotated
    assert "removed" in frasier("subscriptions", "remove", "crm").out
    assert "No subscription yet." in frasier("subscriptions", "list").out
    refused = frasier.ended("subscriptions", "add", "crm", "http://example.org/hook")
    assert "https://" in refused.err
